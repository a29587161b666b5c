"""The players' side: their letters, their notes, and the facts that they take from the moderator's letters."""
