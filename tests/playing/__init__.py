"""Games in the terminal, against bots."""
