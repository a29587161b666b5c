"""Templates of one language and one game, with those of a campaign's own."""
