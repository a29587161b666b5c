"""The moderator's side: letters are carried out, and the moderator's other decisions."""
