"""Earlier troops of the reader's generals, counted back from the present."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.engine import events as e
from pbem.engine.nouns import Piece, Power, each_piece
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.kit import game_of


def own_troops(table: Table, powers: Sequence[Power]) -> dict[Piece, int]:
    """Return the troops of these powers' generals on the map."""
    pieces = each_piece(game_of(table).view(table, powers).pieces)
    return {
        index: piece.troops
        for index, piece in pieces
        if piece.city >= 0 and piece.power in powers and piece.kind == "general" and piece.troops is not None
    }


def troops_before(rules: Rules, now: Mapping[Piece, int], events: Sequence[e.Event]) -> dict[Piece, int]:
    """Return the troops of generals before some events, from the troops after them (`now`). Generals whose troops the
    events leave unclear are left out."""
    then = dict(now)
    for event in reversed(events):
        match event:
            case e.SupplyLost(piece, lost) if piece in then:
                then[piece] += lost
            case e.BattleWon(_, (loser,), _, _, _, lost) if loser in then:
                then[loser] += lost
            case e.BattleWon(_, losers):
                forget(then, losers)
            case e.TroopsMoved(_, troops) | e.TroopsAllotted(_, troops):
                forget(then, troops or ())
            case e.GeneralEntered(piece):
                forget(then, (piece,))
            case e.GeneralRemoved(piece) if not event.takes_troops:
                # His troops may have passed to other generals of his power.
                forget(then, rules.generals(rules.pieces[piece].power))
        if event.arms:
            forget(then, rules.generals(getattr(event, "power", Power(""))))
    return then


def forget(troops: dict[Piece, int], generals: Iterable[Piece]) -> None:
    for general in generals:
        troops.pop(general, None)
