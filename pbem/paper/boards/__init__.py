"""Board files: read, checked, and imported from other programs."""
