"""FRIEDRICH: its turn of seven stages, recruiting, the Clock of Fate, the expert game, games for two players."""
