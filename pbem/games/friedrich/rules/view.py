"""View of a position by a player or an observer: built by naming all that is shown, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from pbem.engine.conquest import Control, control_of
from pbem.engine.decisions import Decision
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.table import deep_copy, player_of
from pbem.engine.view_parts import DuelView, PieceView, duel_view, piece_views
from pbem.games.friedrich.rules import offensive
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.game import decisions
from pbem.games.friedrich.rules.income import income_of, returned_of
from pbem.games.friedrich.rules.offensive import contenders, held_count, needed_objectives
from pbem.games.friedrich.rules.recruiting import all_cut_off
from pbem.games.friedrich.rules.state import Fate, InForce, Phase, Result, Table, plays_on


class Allegiance(Struct, frozen=True):
    """Player and side of a power."""

    player: str
    side: str
    has_quit: bool


class OffensiveView(Struct, frozen=True):
    """Public facts of the Offensive Option (§13)."""

    declared: bool
    card: Card | None
    taken: bool
    failed: bool
    held: int
    """Number of its objectives that the power holds."""
    needed: int
    claimed: int
    """Objectives that the rival may count without holding them."""


class FateView(Struct, frozen=True):
    """Public facts of the Clock of Fate; the order of its cards stays hidden."""

    left: int
    """Number of cards in the deck."""
    out: tuple[int, ...]
    """Strokes of fate so far."""
    in_force: tuple[InForce, ...]
    quit: tuple[Power, ...]
    eased: tuple[Power, ...]
    winner: Piece | None
    """General who commanded the winners of the latest decided combat."""
    drawn: int | None
    """Latest card."""
    version: Suit | None
    offensive: OffensiveView | None


class Settled(Struct, frozen=True):
    """Cached parts of a view that depend only on control and on the Clock of Fate: marches rarely change them."""

    control: Control
    fate: Fate
    allegiances: dict[Power, Allegiance]
    most_troops: dict[Power, int]
    income: dict[Power, tuple[int, int]]
    goals: dict[Power, tuple[int, int]]
    view: FateView


class View(Struct, frozen=True):
    """A position as some powers may know it."""

    terms: Terms
    powers: tuple[Power, ...]
    """Powers whose secrets are included; none for an observer."""
    turn: int
    stage: str
    phase: Phase
    allegiances: dict[Power, Allegiance]
    pieces: tuple[PieceView, ...]
    troops: dict[Power, int]
    """Troop total of every power, which is public (§6)."""
    most_troops: dict[Power, int]
    """Most troops that each power can have (§6)."""
    markers: Mapping[City, Power]
    questions: dict[City, Power]
    hand_sizes: dict[Power, int]
    hands: dict[Power, tuple[Card, ...]]
    income: dict[Power, tuple[int, int]]
    """Cards that each power draws a turn as things stand, and those of them that it sets aside at once."""
    cut_off: tuple[Power, ...]
    """Powers with enemies in all of their depots."""
    draw_deck: int
    unused_decks: int
    set_aside: tuple[int, ...]
    moved: tuple[Piece, ...]
    owing: tuple[Power, ...]
    goals: dict[Power, tuple[int, int]]
    """Objectives that each power holds and needs, of the powers that can win by them (§12)."""
    duel: DuelView | None
    decisions: tuple[Decision, ...]
    """Decisions that these powers have to take now."""
    result: Result | None
    fate: FateView


def view(table: Table, powers: Collection[Power]) -> View:
    """Position as players of these powers may know it."""
    rules, state = table.rules, table.state
    own = tuple([power for power in rules.powers if power in powers])
    open_now, settled = decisions(table), settled_now(table)
    pieces, troops = piece_views(rules.common, state.field, own, rules.powers)
    return View(
        terms=state.terms,
        powers=own,
        turn=state.turn,
        stage=state.stage,
        phase=state.phase,
        allegiances=settled.allegiances,
        pieces=pieces,
        troops=troops,
        most_troops=settled.most_troops,
        markers=state.field.markers,
        questions=dict(state.field.questions),
        hand_sizes={power: len(state.cards.hands[power]) for power in rules.powers},
        hands={power: tuple(state.cards.hands[power]) for power in own},
        income=settled.income,
        cut_off=tuple([power for power in all_cut_off(table) if plays_on(table, power)]),
        draw_deck=len(state.cards.draw),
        unused_decks=len(state.cards.unused),
        set_aside=tuple(map(len, state.cards.discards)),
        moved=tuple(state.moved),
        owing=tuple(dict.fromkeys([decision.power for decision in open_now])),
        goals=settled.goals,
        duel=duel_view(state.duel),
        decisions=tuple([decision for decision in open_now if decision.power in own]),
        result=state.result,
        fate=settled.view,
    )


def settled_now(table: Table) -> Settled:
    """Settled parts of the view. The latest value is returned while control and fate have not changed."""
    kept, fate = table.rules.common.cache, table.state.fate
    control = control_of(table.rules.common, table.state.field)
    latest = kept.get("settled")
    if not isinstance(latest, Settled) or latest.control is not control or latest.fate != fate:
        stands, most = control.once(("allegiances", *fate.quit), allegiances, table), most_troops(table)
        income, eased = control.once(("income", *fate.out), incomes, table), (*fate.eased, None, *fate.quit)
        numbers = control.once(("goals", eased), goals, table)
        latest = kept["settled"] = Settled(control, deep_copy(fate), stands, most, income, numbers, fate_view(table))
    return latest


def goals(table: Table) -> dict[Power, tuple[int, int]]:
    """Objectives held and needed. Fate can ease the needed ones, and take powers out of the game."""
    return {power: (held_count(table, power), len(needed_objectives(table, power))) for power in contenders(table)}


def most_troops(table: Table) -> dict[Power, int]:
    return {power: table.rules.troops(power) for power in table.rules.powers}


def incomes(table: Table) -> dict[Power, tuple[int, int]]:
    """Cards that every power draws a turn and sets aside of them; only strokes of fate change these."""
    return {power: (income_of(table, power), returned_of(table, power)) for power in table.rules.powers}


def allegiances(table: Table) -> dict[Power, Allegiance]:
    """Player and side of each power."""
    side, gone = table.state.field.alliances.side, table.state.fate.quit
    return {power: Allegiance(player_of(table, power), side[power], power in gone) for power in table.rules.powers}


def fate_view(table: Table) -> FateView:
    """Public facts of the Clock of Fate."""
    fate = table.state.fate
    out, eased, in_force = tuple(fate.out), tuple(fate.eased), tuple(map(deep_copy, fate.in_force))
    gone, option = tuple([power for power in table.rules.powers if power in fate.quit]), offensive_view(table)
    return FateView(len(fate.deck), out, in_force, gone, eased, fate.winner, fate.drawn, fate.version, option)


def offensive_view(table: Table) -> OffensiveView | None:
    """Public facts of the Offensive Option, while there is one."""
    option, facts = table.state.fate.offensive, table.rules.fate.offensive
    if option is None:
        return None
    now, wanted = held_count(table, facts.power), len(needed_objectives(table, facts.power))
    claimed = offensive.claimed_count(table, facts.against)
    return OffensiveView(option.declared, option.card, option.taken, option.failed, now, wanted, claimed)
