"""Templates for one language and one game, and own templates of campaigns."""
