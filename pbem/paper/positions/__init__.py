"""Position files: read, dealt, written, and cut down to what a player may know."""
