"""Templates of one language and one game, and the templates with which a campaign replaces them."""
