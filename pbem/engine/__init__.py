"""Engine: board, pieces, march, supply, combat, retreat, conquest and tactical cards, which all games share.

No module here reads a file, knows the time, draws at random or knows one particular game. Functions named by a verb
change the table, field, cards or memory given to them, and most return the events of the change. Functions with other
names change at most caches. `check` and `check_…` only raise `IllegalOrder`. Everything is checked before anything is
changed (docs/adr/0002-state-changes-in-place.md).
"""
