"""Templates of one language and one game, those of a campaign's own among them."""
