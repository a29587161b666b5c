"""Position files: reading and writing them, in full or as far as a player may know the position. Cards that a file does
not give are dealt."""
