"""MARIA: its sequence of play on the shared engine."""
