"""Position files: reading, with a deal of the cards that are not given, and writing, in full or as a player may know
it."""
