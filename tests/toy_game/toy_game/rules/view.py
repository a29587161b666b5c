"""The public view of a position, built by naming what is shown. In TOY nothing is secret."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from pbem.engine.decisions import Decision
from pbem.engine.field import troops_of
from pbem.engine.nouns import Card, City, Piece, Power, each_piece
from pbem.engine.table import PieceView, piece_view
from toy_game.rules.game import decisions
from toy_game.rules.state import Result, Table, Terms


class View(Struct, frozen=True):
    """A position; all but `turns` and `barred` are what reports of every game show."""

    terms: Terms
    powers: tuple[Power, ...]
    turn: int
    turns: int
    stage: Power
    phase: str
    owing: tuple[Power, ...]
    decisions: tuple[Decision, ...]
    pieces: tuple[PieceView, ...]
    troops: dict[Power, int]
    moved: tuple[Piece, ...]
    barred: dict[Power, City]
    result: Result | None
    hand_sizes: dict[Power, int]
    hands: dict[Power, tuple[Card, ...]] = {}
    draw_deck: int = 0
    unused_decks: int = 1
    set_aside: tuple[int, ...] = ()
    markers: dict[City, Power] = {}
    questions: dict[City, Power] = {}
    duel: None = None


def view(table: Table, powers: Collection[Power]) -> View:
    """The position as players of these powers may know it."""
    rules, state = table.rules, table.state
    own = tuple(power for power in rules.powers if power in powers)
    return View(
        terms=state.terms,
        powers=own,
        turn=state.turn,
        turns=rules.scenario.turns,
        stage=state.stage,
        phase=state.phase,
        owing=tuple(state.owing),
        decisions=tuple(asked for asked in decisions(table) if asked.power in own),
        pieces=tuple(piece_view(rules.common, state.field, piece, own) for piece, _ in each_piece(state.field.pieces)),
        troops={power: troops_of(rules.common, state.field, power) for power in rules.powers},
        moved=tuple(state.moved),
        barred=dict(state.barred),
        result=state.result,
        hand_sizes=dict.fromkeys(rules.powers, 0),
    )
