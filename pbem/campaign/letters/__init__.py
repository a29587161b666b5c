"""Letters of players, with a module for each step from the arrival of a letter to its receipt."""
