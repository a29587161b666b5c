"""Players' programs: letters, notes, and what they read in the moderator's letters."""
