"""Games: deleting a folder here removes that game and nothing else."""
