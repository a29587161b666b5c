"""The players' side: their letters, their notes, and what they take from the moderator's."""
