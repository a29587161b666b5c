"""What one player, or somebody who only watches, may know of a position: built by naming what is shown, no more."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from pbem.engine.decisions import Decision
from pbem.engine.field import troops_of

from .data import Terms
from .game import decisions
from .state import Phase, Result
from .table import Table
from .victory import held


class PieceView(Struct, frozen=True, omit_defaults=True):
    """One piece on or off the map; troops only of one's own generals."""

    name: str
    power: str
    kind: str
    rank: int
    city: int
    down: bool = False
    on_top: bool = False
    troops: int | None = None


class DuelView(Struct, frozen=True):
    """A combat in progress, as both sides see it."""

    attacking_city: int
    defending_city: int
    attacker: str
    defender: str
    score: int
    to_play: str


class View(Struct, frozen=True):
    """A position as seen with the knowledge of some powers."""

    terms: Terms
    powers: tuple[str, ...]
    """The powers whose secrets are in here; none for an observer."""
    turn: int
    stage: str
    phase: Phase
    pieces: tuple[PieceView, ...]
    troops: dict[str, int]
    """The total of every power, which is public (§6)."""
    markers: dict[int, str]
    questions: dict[int, str]
    hussars: tuple[int, ...]
    hand_sizes: dict[str, int]
    hands: dict[str, tuple[int, ...]]
    draw_deck: int
    unused_decks: int
    set_aside: tuple[int, ...]
    moved: tuple[int, ...]
    owing: tuple[str, ...]
    goals: dict[str, tuple[int, int]]
    """The powers that can win by fortresses: how many of their goal they control, and how many they need (§14)."""
    duel: DuelView | None
    decisions: tuple[Decision, ...]
    """What these powers have to decide now."""
    result: Result | None


def view(table: Table, powers: Collection[str]) -> View:
    """The position as players of these powers may know it."""
    rules, state = table.rules, table.state
    own = tuple(power for power in rules.powers if power in powers)
    open_now = decisions(table)
    return View(
        terms=state.terms,
        powers=own,
        turn=state.turn,
        stage=state.stage,
        phase=state.phase,
        pieces=tuple(piece_view(table, piece, own) for piece in range(len(state.field.pieces))),
        troops={power: troops_of(rules.common, state.field, power) for power in rules.powers},
        markers=dict(state.field.markers),
        questions=dict(state.field.questions),
        hussars=tuple(state.field.hussars),
        hand_sizes={power: len(hand) for power, hand in state.cards.hands.items()},
        hands={power: tuple(state.cards.hands[power]) for power in own},
        draw_deck=len(state.cards.draw),
        unused_decks=len(state.cards.unused),
        set_aside=tuple(len(pile) for pile in state.cards.discards),
        moved=tuple(state.moved),
        owing=tuple(dict.fromkeys(decision.power for decision in open_now)),
        goals={power: (held(table, power), goal.fortresses) for power, goal in rules.scenario.goals.items()},
        duel=duel_view(table),
        decisions=tuple(decision for decision in open_now if decision.power in own),
        result=state.result,
    )


def piece_view(table: Table, piece: int, own: Collection[str]) -> PieceView:
    """One piece, with its troops if they are one's own."""
    facts, now = table.rules.common.pieces[piece], table.state.field.pieces[piece]
    troops = now.troops if facts.power in own and facts.kind == "general" else None
    return PieceView(facts.name, facts.power, facts.kind, facts.rank, now.city, now.down, now.on_top, troops)


def duel_view(table: Table) -> DuelView | None:
    """The open facts of a combat in progress."""
    duel = table.state.duel
    if duel is None:
        return None
    to_play = duel.attacker if duel.turn == "attacker" else duel.defender
    return DuelView(duel.attacking_city, duel.defending_city, duel.attacker, duel.defender, duel.score, to_play)
