"""Engine: board, pieces, march, supply, combat, retreat, conquest and tactical cards, which all games share.

Nothing here reads a file, knows the time, draws at random or knows one particular game.
"""
