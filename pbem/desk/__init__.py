"""The desk: one page with the whole program in it, in which a player orders by clicking and signs the letter."""
