"""Records of games as lines of JSON: every decision with its choices, its answer and its events."""
