"""Letters of players: the module for each step from the arrival of a letter to its receipt."""
