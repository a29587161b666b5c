"""Position files: they are read and written, in full or as a player may know them. Cards that a file does not give are
dealt."""
