"""The player's work: checking, trying, sealing, signing and opening letters. The modules here print nothing."""
