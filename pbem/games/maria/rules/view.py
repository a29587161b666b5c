"""View of a position by a player or an observer: built by naming all that is shown, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.conquest import control_of
from pbem.engine.decisions import Decision
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.view_parts import DuelView, PieceView, duel_view, piece_views
from pbem.games.maria.rules import gambit
from pbem.games.maria.rules.affairs import AffairsView, affairs_shown, in_order
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.game import decisions
from pbem.games.maria.rules.sequence import held_count, is_ceded
from pbem.games.maria.rules.state import Phase, Result, Table


class Allegiance(Struct, frozen=True):
    """Player, action stage and side of a power."""

    player: str
    stage: str
    """Action stage in which it acts; empty once it has left the game."""
    side: str
    """Side of the power: equal ones are allied; empty for a neutral power."""
    group: str
    """Group of the power: equal ones co-operate."""


class GoalView(Struct, frozen=True):
    """Goal after peace in the Silesia Gambit."""

    power: Power
    needed: int
    held: int
    lands: tuple[str, ...]


class GambitView(Struct, frozen=True):
    """Public facts of a Silesia Gambit."""

    ceded: bool
    laid_aside: dict[Power, int]
    """Number of cards that each power has laid aside."""
    goals: tuple[GoalView, ...]
    """Goals after peace; empty before."""


class View(Struct, frozen=True):
    """A position as some powers may know it."""

    terms: Terms
    powers: tuple[Power, ...]
    """Powers whose secrets are included; none for an observer."""
    turn: int
    last_turn: int
    """Last turn of the game as things stand."""
    stage: str
    phase: Phase
    allegiances: dict[Power, Allegiance]
    stacking: tuple[Power, ...]
    """Powers that let generals of another player's power stack with theirs."""
    pieces: tuple[PieceView, ...]
    troops: dict[Power, int]
    """Troop total of every power, which is public (§6)."""
    markers: Mapping[City, Power]
    questions: dict[City, Power]
    hussars: tuple[City, ...]
    hand_sizes: dict[Power, int]
    hands: dict[Power, tuple[Card, ...]]
    draw_deck: int
    unused_decks: int
    set_aside: tuple[int, ...]
    moved: tuple[Piece, ...]
    owing: tuple[Power, ...]
    goals: dict[Power, tuple[int, int]]
    """Powers that can win by fortresses: number of their goal that they control, and number needed (§14)."""
    duel: DuelView | None
    decisions: tuple[Decision, ...]
    """Decisions that these powers have to take now."""
    result: Result | None
    affairs: AffairsView | None
    gambit: GambitView | None


def view(table: Table, powers: Collection[Power]) -> View:
    """The position as players of these powers may know it."""
    rules, state = table.rules, table.state
    own = tuple([power for power in rules.powers if power in powers])
    open_now = decisions(table)
    control = control_of(rules.common, state.field)
    pieces, troops = piece_views(rules.common, state.field, own, rules.powers)
    return View(
        terms=state.terms,
        powers=own,
        turn=state.turn,
        last_turn=gambit.last_turn(table),
        stage=state.stage,
        phase=state.phase,
        allegiances=control.once("allegiances", allegiances, table),
        stacking=state.field.alliances.stacking,
        pieces=pieces,
        troops=troops,
        markers=state.field.markers,
        questions=dict(state.field.questions),
        hussars=tuple(state.field.hussars),
        hand_sizes={power: len(hand) for power, hand in state.cards.hands.items()},
        hands={power: tuple(state.cards.hands[power]) for power in own},
        draw_deck=len(state.cards.draw),
        unused_decks=len(state.cards.unused),
        set_aside=tuple(map(len, state.cards.discards)),
        moved=tuple(state.moved),
        owing=tuple(dict.fromkeys([decision.power for decision in open_now])),
        goals={} if is_ceded(table) else control.once("goals", goals, table),
        duel=duel_view(state.duel),
        decisions=tuple([decision for decision in open_now if decision.power in own]),
        result=replace(state.result, held=in_order(table, state.result.held)) if state.result else None,
        affairs=affairs_shown(table, own) if state.affairs else None,
        gambit=gambit_view(table) if state.gambit else None,
    )


def goals(table: Table) -> dict[Power, tuple[int, int]]:
    """Goals by fortresses, which hold while no peace has replaced them."""
    return {power: (held_count(table, power), goal.fortresses) for power, goal in table.rules.scenario.goals.items()}


def allegiances(table: Table) -> dict[Power, Allegiance]:
    """Player, stage and side of each power."""
    now = table.state.field.alliances
    return {p: Allegiance(now.player[p], now.stage[p], now.side[p], now.group[p]) for p in table.rules.powers}


def gambit_view(table: Table) -> GambitView:
    """Public facts of a Silesia Gambit: only the number of cards laid aside is shown."""
    facts, now = gambit.facts(table), gambit.gambit_of(table)
    numbers = gambit.goal_numbers(table) if now.ceded else []
    return GambitView(
        ceded=now.ceded,
        laid_aside={power: len(now.laid_aside[power]) for power in table.rules.powers if power in now.laid_aside},
        goals=tuple(
            GoalView(power, needed, count, goal.lands)
            for goal, (power, needed, count) in zip(facts.goals, numbers, strict=False)
        ),
    )
