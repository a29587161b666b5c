"""Whom a name means: a seat of the campaign, or whoever sits in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import Names, did_you_mean


def seat_called(written: str, players: Mapping[str, str], powers: Collection[str]) -> str:
    """The seat that is meant, out of all with their players' names; raises `Refused`, with what may have been meant.

    A seat as it is spelt comes first. What else may mean two people is refused, and what may mean a power: people
    choose their names themselves, and nobody shall get what is meant for another by being called like seat or power.
    """
    if written in players:
        return written
    seats, people = tuple(players), tuple(players.values())
    meant = {seats[place] for names in (seats, people) for place in Names(names).meant(written)}
    if len(meant) == 1 and not Names(powers).meant(written):
        return meant.pop()
    hint = did_you_mean(sorted(meant)) if meant else Names([*seats, *filter(None, people)]).suggestion(written) or None
    unknown = wrong("E-PLAYER-UNKNOWN", seat=written, seats=seats, hint=hint if players else words("nobody-has-joined"))
    raise Refused(written, [unknown])
