"""The moderator's side of a campaign: carrying out letters, and the moderator's other decisions."""
