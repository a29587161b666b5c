"""Templates of one language and one game, and templates that a campaign puts in their place."""
