"""TOY: a game of one page for pbem. Each module is what the game brings to the room of that name."""
