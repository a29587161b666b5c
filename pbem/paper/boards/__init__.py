"""Board files: they are read, checked and written here, or imported from other programs."""
