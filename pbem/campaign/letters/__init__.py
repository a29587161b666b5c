"""Letters of players: judging, opening, trying out, and what becomes of each."""
