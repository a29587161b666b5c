"""Templates of one language and one game, and a campaign's own templates."""
