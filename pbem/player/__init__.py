"""The player's work: checking, trying, sealing, signing and opening letters. Nothing is printed here."""
