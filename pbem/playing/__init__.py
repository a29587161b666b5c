"""A game against bots, played in the terminal, and the file in which it is saved."""
