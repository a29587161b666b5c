"""The ledger: signed entries in a chain, what they say, and what follows from reading them in order."""
