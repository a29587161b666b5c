"""The games: whoever deletes a folder here has deleted that game."""
