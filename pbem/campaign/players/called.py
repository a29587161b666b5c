"""Whom a name means: a seat of the campaign, or whoever sits in it."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import NameFault, Names


def seat_called(written: str, players: Mapping[str, str]) -> str:
    """The seat that is meant, out of all with their players' names; raises `Refused`, with what may have been meant."""
    people = [(name, seat) for seat, name in players.items() if name and name not in players]
    seats = [*players, *(seat for _, seat in people)]
    names = Names([*players, *(name for name, _ in people)])
    try:
        return seats[names.find(written)]
    except NameFault as fault:
        hint = (fault.wrong.hint or None) if players else words("nobody-has-joined")
        unknown = wrong("E-PLAYER-UNKNOWN", seat=written, seats=tuple(players), hint=hint)
        raise Refused(written, [unknown]) from None
