"""Reports for players and programs: accounts, positions, JSON, and secrets, none of which may leave the house."""
