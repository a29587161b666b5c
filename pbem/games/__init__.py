"""Games of the program. Deleting the folder of a game removes that game and nothing else."""
