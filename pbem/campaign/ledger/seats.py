"""Seats of the players: the lot that gives them with the first adjudication, and keys that several seats share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.ledger.public_state import Count, Player, PublicState
from pbem.campaign.ledger.records import AdjudicationRecord
from pbem.campaign.settings import Settings
from pbem.seal.deal import draw_lot
from pbem.seal.keys import without_comment

T = TypeVar("T")

Lot = Mapping[str, str]
"""Result of a lot: for each seat that a player joined, the seat that this player plays."""


def lot_of(settings: Settings, root: bytes) -> dict[str, str]:
    """Return the lot that is drawn with `root`, the secret of the deal. The lot is empty if players choose their
    seats."""
    if settings.conduct.seats != "drawn":
        return {}
    joined = sorted(settings.seats)
    return dict(zip(joined, draw_lot(root, joined), strict=True))


def by_seats_drawn(known: Mapping[str, T], lot: Lot) -> dict[str, T]:
    """Return the values of `known` under the seats that the lot has given. Each key of `known` is a seat before the
    lot, or the text of a `Count` with such a seat."""
    counts = ((Count.read(key), value) for key, value in known.items())
    return {str(Count(lot.get(count.seat, count.seat), count.kind)): value for count, value in counts}


def is_lot_due(public: PublicState) -> bool:
    """True if the next adjudication draws the seats: the first adjudication of a campaign that agreed on a lot."""
    return public.settings.conduct.seats == "drawn" and public.version == 0


def is_lot_complete(public: PublicState, lot: Lot) -> bool:
    """True if `lot` gives every player one seat. If the next adjudication does not draw the seats (`is_lot_due`), true
    if `lot` is empty."""
    seats = sorted(public.settings.seats)
    return (sorted(lot), sorted(lot.values())) == ((seats, seats) if is_lot_due(public) else ([], []))


def lot_since(public: PublicState, entry: int) -> Lot:
    """Return the lot if it was drawn after this entry, else an empty lot. An entry before the lot names the seats that
    players joined."""
    return public.drawn if entry < public.drawn_at else {}


def seats_asked_as_joined(record: AdjudicationRecord) -> list[str]:
    """Return the seats that owe answers after an adjudication, by the names under which the players joined. These
    differ from their new seats if the adjudication has drawn the lot."""
    joined = {played: seat for seat, played in record.drawn.items()}
    return [joined.get(player, player) for player in record.next.owing]


def take_seats(public: PublicState, number: int, lot: Lot) -> None:
    """Move all players, with their data, to the seats that the lot in this entry gives them."""
    public.drawn, public.drawn_at = dict(lot), number
    public.players = by_seats_drawn(public.players, lot)
    public.spare = by_seats_drawn(public.spare, lot)
    public.seqs = by_seats_drawn(public.seqs, lot)
    public.absences = [replace(away, player=lot[away.player]) for away in public.absences]
    people = by_seats_drawn(public.settings.seats, lot)
    own = public.settings.moderator.seat
    public.settings = replace(
        public.settings,
        seats={seat: people[seat] for seat in public.settings.seats},
        moderator=replace(public.settings.moderator, seat=lot.get(own, own)),
    )


class SharedKey(Struct, frozen=True):
    """Key that several seats share, or that the moderator shares with a seat not known to be the moderator's own."""

    players: tuple[str, ...]
    key: str
    is_moderators: bool = False


def shared_keys(public: PublicState, players: Mapping[str, Player]) -> tuple[SharedKey, ...]:
    """Return the keys that several of the seats `players` share. Also return a key that the moderator shares with a
    seat which is not known to be the moderator's own. Comments of keys are ignored."""
    seats: dict[str, list[str]] = {}
    for seat in sorted(players):
        if key := players[seat].key:
            seats.setdefault(without_comment(key), []).append(seat)
    moderators, known = without_comment(public.moderator), public.settings.moderator.seat
    return tuple(
        SharedKey(tuple(found), key, is_undeclared)
        for key, found in seats.items()
        if (is_undeclared := key == moderators and found != [known]) or len(found) > 1
    )
