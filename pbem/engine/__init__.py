"""What the games of the family share: board, pieces, march, supply, duel, retreat, conquest, tactical cards.

Nothing in this room reads a file, knows the time, draws at random or has heard of one particular game.
"""
