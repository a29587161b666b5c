"""Engine: board, pieces, march, supply, combat, retreat, conquest and tactical cards, which all games share.

Nothing here reads a file, knows the time, draws at random or knows one particular game.

A function of the rules, here or in a game, that changes the table, field, cards or memory given to it is named by a
verb, and returns the events of the change, perhaps with the cards that were moved, or None. Every other function
changes at most caches; `check` and `check_…` only raise `IllegalOrder`. Nothing is changed before everything has been
checked (docs/adr/0002-state-changes-in-place.md).
"""
