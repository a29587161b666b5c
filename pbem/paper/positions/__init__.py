"""Position files: read, dealt, written, and reduced to what a player may know."""
