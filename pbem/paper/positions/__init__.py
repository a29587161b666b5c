"""Position files. Positions are read and written in full, or as far as a player may know them."""
