"""Practice combats: two stacks face each other, and plans play out the combat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Decision, PlayCard
from pbem.engine.field import OFF, Field, are_enemies
from pbem.engine.nouns import NO_POWER, Piece, Power, Suit, each_piece
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.strict import Text
from pbem.paper.documents.writing import Value
from pbem.paper.orders.trial import begin, decisions, step
from pbem.paper.plans.data import BattleWish, Plan, PlanBounds, Tactic
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource

AFTERWARDS = (e.StageBegan, e.TurnBegan, e.SupplyTraced, e.SupplyLost, e.SupplyRestored)

IN_COMBAT = (ChooseBattle, PlayCard, ChooseRetreat)


class CombatResult(Struct):
    """Result of a combat that plans have played."""

    events: list[e.Event] = field(default_factory=list)
    notes: list[tuple[str, Fault]] = field(default_factory=list)
    """Reasons why plans had no answer. Each is a pair: the power that has the plan, and the reason."""
    waiting: tuple[Decision, ...] = ()


def play_out(table: Table, sources: Sequence[PlanSource], tally: Tally) -> CombatResult:
    """Play out the combats on the table, and return the result. This ends when no combat is left, or when no plan has
    an answer. The given table is changed."""
    done = CombatResult(begin(table))
    tally.see(done.events)
    while all(isinstance(decision, IN_COMBAT) for decision in decisions(table)):
        taken = step(table, sources)
        if taken is None or taken.is_refused:
            break
        tally.see(taken.events)
        done.events += taken.events
        done.notes += [(taken.power, fault) for fault in taken.faults]
    # The result has the events of the first combat, up to the first event afterwards. If no combat begins, it starts
    # with the first event.
    events = done.events
    joined = next((place for place, event in enumerate(events) if isinstance(event, e.BattleJoined)), 0)
    end = (place for place, event in enumerate(events) if place > joined and isinstance(event, AFTERWARDS))
    done.events = events[joined : next(end, len(events))]
    done.waiting = tuple(decision for decision in decisions(table) if isinstance(decision, IN_COMBAT))
    for decision in done.waiting:
        for source in sources:
            done.notes += [(decision.power, fault) for fault in source.why_not(decision)]
    return done


def by_tactic(powers: Sequence[Power], tactic: Tactic) -> Mapping[Power, list[Plan]]:
    """Return one plan for each power. The plan uses this tactic in every battle."""
    plan = Plan(1, "battle", BattleWish(tactic=tactic), Text(tactic, 0, 0), standing=True)
    return {power: [plan] for power in powers}


def unbound_plans(plans: Mapping[Power, Sequence[Plan]], power: Power) -> dict[Power, list[Plan]]:
    """Return the plans of the first power in `plans` as standing plans of `power`. Limits to certain generals, cities
    and turns are removed from the plans."""
    first = next(iter(plans.values()), ())
    return {power: [replace(plan, bound=PlanBounds(role=plan.bound.role), standing=True, until=None) for plan in first]}


TURN = 2
"""Turn in which a practice combat takes place: after the set-up and before the first winter."""


class PracticeWish(Struct, frozen=True):
    """Combat to set up for practice, seen from the side whose plan is tried."""

    score: int
    suit: Suit
    enemy_suit: Suit
    hand: tuple[str, ...]
    enemy_hand: tuple[str, ...]
    power: Power = NO_POWER
    """Power of the side whose plan is tried, if the player names one; else `NO_POWER`."""
    attacks: bool = True
    """True if the side whose plan is tried attacks."""
    troops: int | None = None


class Sides(Struct, frozen=True):
    """Powers of the two sides of a practice combat."""

    own: Power
    enemy: Power


def practice_position(table: Table, ground: PracticeWish) -> tuple[Sides, dict[str, Value]]:
    """Return the powers of the two sides, and the content of a position file in which their combat begins. The content
    has no terms."""
    rules, field = table.rules.common, table.state.field
    sides = opponents(rules, field, table.rules.powers, ground)
    own = own_troops(rules, ground)
    cities = neighbours(rules, ground)
    pieces: dict[str, Value] = {
        piece.name: "off" for number, piece in each_piece(rules.pieces) if has_part(field, number)
    }
    for power, troops, city in ((sides.own, own, cities[0]), (sides.enemy, own - ground.score, cities[1])):
        for general, count in zip(army(rules, field, power), spread(rules, troops), strict=False):
            pieces[rules.pieces[general].name] = f"{rules.board.cities[city].name}, {count}"
    attacker = sides.own if ground.attacks else sides.enemy
    return sides, {
        "turn": str(TURN),
        "stage": field.alliances.stage.get(attacker, attacker),
        "phase": "combat",
        "pieces": pieces,
        "hands": {sides.own: list(ground.hand), sides.enemy: list(ground.enemy_hand)},
    }


def own_troops(rules: Rules, ground: PracticeWish) -> int:
    """Return the number of troops on the side whose plan is tried. If the player wishes no number, the weaker side gets
    the troops of one full general. Raises `Refused` if a side's number is not possible."""
    most = rules.limits.stack * rules.limits.troops
    weaker = max(1, min(rules.limits.troops, most - abs(ground.score)))
    own = ground.troops if ground.troops is not None else weaker + max(0, ground.score)
    enemy = own - ground.score
    if not (1 <= own <= most and 1 <= enemy <= most):
        raise Refused("options", [wrong("E-TROOPS-RANGE.practice", own=own, enemy=enemy, most=most)])
    return own


def spread(rules: Rules, troops: int) -> list[int]:
    """Share troops among as few generals as possible. Return the troops of each general."""
    most = rules.limits.troops
    generals = -(-troops // most)
    return [troops // generals + (place < troops % generals) for place in range(generals)]


def has_part(field: Field, piece: Piece) -> bool:
    """True if a piece takes part in the game: it is on the map, or may still enter it."""
    return field.pieces[piece].city >= OFF


def army(rules: Rules, field: Field, power: Power) -> list[Piece]:
    """Return the generals of a power that take part in the game, by rank."""
    return [general for general in rules.generals(power) if has_part(field, general)]


def opponents(rules: Rules, field: Field, powers: Sequence[Power], ground: PracticeWish) -> Sides:
    """Return two powers that are enemies and have enough generals for a full stack. The first is `ground.power` if
    possible."""
    able = [power for power in powers if len(army(rules, field, power)) >= rules.limits.stack]
    able.sort(key=lambda power: power != ground.power)
    return next(Sides(one, other) for one in able for other in able if are_enemies(field, one, other))


def neighbours(rules: Rules, ground: PracticeWish) -> tuple[int, int]:
    """Return two neighbouring cities whose sectors have the wished suits. Raises `Refused` if the board has no such
    cities."""
    board = rules.board
    for city in board.cities:
        if city.suit == ground.suit and board.in_play(city.index):
            for other in board.near[city.index]:
                if board.suit[other] == ground.enemy_suit:
                    return city.index, other
    raise Refused("options", [wrong("E-PLAN-GROUND")])
