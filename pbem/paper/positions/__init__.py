"""Position files: reading and writing positions, in full or as far as a player may know them."""
