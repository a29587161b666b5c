"""Programs of the players: letters, notes, and the facts that they take from the moderator's letters."""
