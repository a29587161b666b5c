"""A game against bots in the terminal, and its saved file."""
