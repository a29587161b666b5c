"""The engine: board, pieces, march, supply, duel, retreat, conquest and tactical cards, as all games share them.

Nothing here reads a file, knows the time, draws at random or knows one particular game.
"""
