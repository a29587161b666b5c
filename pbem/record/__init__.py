"""A game as lines of JSON: every decision with what could be chosen, its answer and what came of it."""
