"""Engine: board, pieces, march, supply, combat, retreat, conquest and tactical cards, which all games share.

Nothing here reads a file, knows the time, draws at random or knows one particular game. A function of the rules, here
or in a game, has a verb as its name if it changes the table, field, cards or memory given to it. It returns the events
of the change, perhaps with the cards that were moved, or None. A function with another name changes at most caches.
`check` and `check_…` only raise `IllegalOrder`. Everything is checked before anything is changed
(docs/adr/0002-state-changes-in-place.md).
"""
