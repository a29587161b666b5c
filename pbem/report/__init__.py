"""Reports for players, in words and in pictures of the board."""
