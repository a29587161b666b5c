"""A game played in the terminal against bots, and the file in which it is saved."""
