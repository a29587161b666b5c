"""Board files: reading, checks, writing, and imports from other programs."""
