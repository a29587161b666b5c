"""Letters of players: judged, opened, tried out; what becomes of each."""
