"""Chances of orders, counted in many imagined worlds. Each world has new values for everything that the writer of the
orders cannot know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from random import Random
from statistics import median_low
from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.bots.imagining import KnownFacts, imagine_likely_world
from pbem.bots.plain import hold
from pbem.bots.table import bot_named
from pbem.campaign.letters.reminding import TriedSource
from pbem.engine import events as e
from pbem.engine.conquest import protectors
from pbem.engine.decisions import March
from pbem.engine.field import Field, stack_at, troops_of
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.table import GameRules, Table, stage_of
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.orders.files import Orders, load_orders
from pbem.paper.orders.trial import Source, Step, decisions, play_free_orders, step
from pbem.paper.plans.data import Plan
from pbem.paper.plans.files import load_plans
from pbem.plans.practice import IN_COMBAT, by_tactic
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource
from pbem.player.files import GivenFile
from pbem.player.tables import FoundTable, Outcome, kind_of, powers_shown
from pbem.player.trying import check_powers, try_orders
from pbem.report import blocks
from pbem.report.blocks import Block, parsed_blocks
from pbem.report.consequences import protection_of
from pbem.report.language.templates import template
from pbem.report.telling import fields_data

Far = Literal["stage", "round", "turn"]
"""Point up to which a world is played, unless the game ends earlier: the end of the present stage (`stage`), the next
march of those powers of the writer that march now (`round`), or the end of the turn (`turn`)."""


class Wish(Struct, frozen=True):
    """Number of worlds to play, the level of the bots that play for the other players, and the point at which each
    world ends."""

    worlds: int
    level: str = "sensible"
    far: Far = "stage"


class Spread(Struct, frozen=True):
    """Least, median and greatest of some numbers. If there is an even count of numbers, the median is the lower of the
    two in the middle."""

    least: int
    middle: int
    most: int

    @classmethod
    def of(cls, numbers: Collection[int]) -> Spread:
        return cls(min(numbers), median_low(numbers), max(numbers))


class FightChance(Struct, frozen=True):
    """Results of one combat between the writer of the orders and an enemy. `fought`, `won` and `tied` are numbers of
    worlds."""

    attackers: tuple[Piece, ...]
    defenders: tuple[Piece, ...]
    attacking_city: City
    defending_city: City
    fought: int
    won: int
    tied: int
    losses: Spread
    """Troops that the writer lost."""
    damage: Spread
    """Troops that the enemy lost."""


class PieceChance(Struct, frozen=True):
    """Number of worlds in which a certain thing happened to a piece, such as leaving the map."""

    piece: Piece
    worlds: int


class CityChance(Struct, frozen=True):
    """Number of worlds in which a fortress was taken by another power."""

    city: City
    worlds: int


class HeldChance(Struct, frozen=True):
    """Number of worlds in which a fortress with the writer's question mark stayed with its owner (§10.3)."""

    city: City
    worlds: int
    guards: tuple[Piece, ...]
    """Pieces that protected the fortress at the end in most of these worlds; empty if mostly no piece protected it."""


class Victory(Struct, frozen=True):
    """Number of worlds in which `winner` won. If `winner` is empty, it is the number of worlds that ended without a
    winner."""

    winner: str
    worlds: int


class Chances(Struct, frozen=True):
    """Results of orders in all worlds."""

    worlds: int
    level: str
    far: Far
    fights: tuple[FightChance, ...]
    """Combats in which the writer took part."""
    losses: Spread
    """Troops that the writer lost on the map, those bought on the way among them. The number is below zero if the
    writer gained troops that were not bought."""
    unsupplied: tuple[PieceChance, ...]
    """Generals of the writer who were in supply before the orders, and are out of supply at the end."""
    gone: tuple[PieceChance, ...]
    """Pieces of the writer that left the map."""
    taken: tuple[CityChance, ...]
    """Fortresses that the writer took from others."""
    held: tuple[HeldChance, ...]
    """Fortresses that have a question mark of the writer, old or new, and that the writer did not take."""
    fallen: tuple[CityChance, ...]
    """Fortresses that the writer lost to others."""
    victories: tuple[Victory, ...]
    plays_on: bool = False
    """True if a combat of the writer was in progress when the worlds began, and the writer played on in it without an
    order."""


class WorldResult(Struct, frozen=True):
    """Position after the orders in one world, and all events on the way to it."""

    after: Table
    events: list[e.Event]


class Written(Struct, frozen=True):
    """Orders and plans to be tried. `orders` are in the sequence of their files; `plans` are keyed by power."""

    orders: list[Orders] = []
    plans: dict[Power, list[Plan]] = {}

    @property
    def has_answers(self) -> bool:
        """True if there is any plan, or an order of any power."""
        return bool(self.plans) or any(each.powers for each in self.orders)

    def add_orders(self, found: FoundTable, file: GivenFile) -> None:
        """Add the orders in a file. The caller must have tried the orders before, and found no fault."""
        self.orders.append(load_orders(file.data, file.source, found.table.rules))

    def add_plans(self, found: FoundTable, file: GivenFile) -> None:
        """Add the plans in a file. They replace earlier plans of the same powers. Raises `Refused` if the file is
        faulty, or has plans for a power whose secrets the position does not tell."""
        plans = load_plans(file.data, file.source, found.table.rules)
        check_powers(found, file, {power: own[0].node for power, own in plans.items() if own})
        self.plans.update(plans)


def written_in(found: FoundTable, files: Iterable[GivenFile]) -> Written:
    """Return the orders and plans in files. Each file of orders is tried on the outcome of the files before it. Raises
    `Refused` for a faulty order or plan."""
    written = Written(orders=[], plans={})
    outcome = Outcome(found.table, found.table, [], powers_shown(found, None), memory=found.memory)
    for file in files:
        if kind_of(file.data) == "plan":
            written.add_plans(found, file)
            continue
        faults = [fault for fault in try_orders(found, outcome, file).faults if not fault.is_warning]
        if faults:
            raise Refused(file.source, faults)
        written.add_orders(found, file)
    return written


def play_worlds(found: FoundTable, own: Collection[Power], written: Written, wish: Wish) -> Iterator[WorldResult]:
    """Carry out orders in imagined worlds, and yield each world's result. No world contradicts what the player of the
    powers `own` knows."""
    known = found.facts or KnownFacts(found.memory.declared if found.memory else ())
    for number in range(wish.worlds):
        world = imagine_likely_world(found.table, own, f"world {number}", known)
        chance = Random(number)  # noqa: S311 - no secret depends on it
        yield WorldResult(world, play_out(world, own, written, wish, chance))


class WrittenAnswers:
    """Orders and plans as a source of answers. The answers are carried out one by one in one world."""

    def __init__(self, world: Table, written: Written, fighting_on: Collection[Power] = ()) -> None:
        """Begin with all orders and plans unused. In the combat with which the world begins, the powers `fighting_on`
        play cards to win until the enemy plays, where orders and plans give no answer."""
        self.world, self.tally = world, Tally()
        self.orders = [TriedSource(world, each.copy(), self.tally) for each in written.orders]
        self.sources: list[Source] = [*self.orders, PlanSource(world, written.plans, self.tally)]
        # A player in a combat knows what a stop costs. The question is where it leads to play on now.
        self.fighting_on = PlanSource(world, by_tactic([*fighting_on], "win-cheaply"), self.tally)

    def carry_out_first(self) -> Iterator[Step]:
        """Carry out the orders that answer no decision, such as transfers of troops. Yield the steps that were not
        refused."""
        for passed in play_free_orders(self.world, self.orders):
            if not passed.is_refused:
                yield passed

    def carry_out_next(self) -> Step | None:
        """Carry out the next answer that the orders and plans give, and return the step. Return None if they give no
        more answers, or if the rules refuse the answer."""
        is_own_turn = self.tally.battle == 0 and self.tally.cards.keys() <= {*self.fighting_on.powers()}
        taken = step(self.world, [*self.sources, self.fighting_on] if is_own_turn else self.sources)
        return None if taken is None or taken.is_refused else taken

    def see(self, events: Sequence[e.Event]) -> None:
        """Count the cards played in these events. Some plans depend on the counts."""
        self.tally.see(events)


def play_out(world: Table, own: Collection[Power], written: Written, wish: Wish, chance: Random) -> list[e.Event]:
    """Carry out orders in `world` until the point `wish.far` or the end of the game. Return all events. `chance` is the
    source of the bots' random choices."""
    game, is_played = game_of(world), end_of_world(world, own, wish.far)
    answers, policy = WrittenAnswers(world, written, own), bot_named(wish.level, world.rules.terms.game)
    events = [event for passed in answers.carry_out_first() for event in passed.events]
    while world.state.phase != "over" and not is_played():
        if taken := answers.carry_out_next():
            happened = taken.events
        else:
            decision = decisions(world)[0]
            choose = policy if decision.power not in own or isinstance(decision, IN_COMBAT) else hold
            happened = game.apply(world, decision.power, choose(world, decision, chance))
        answers.see(happened)
        events += happened
    return events


def end_of_world(world: Table, own: Collection[Power], far: Far) -> Callable[[], bool]:
    """Return a function that tells whether the world has reached the point `far`."""
    start, state = stage_of(world), world.state
    turn, acting = state.turn, [power for power in own if state.field.alliances.stage.get(power) == state.stage] or own

    def is_played() -> bool:
        if stage_of(world) == start:
            return False
        if far != "round":
            return far == "stage" or world.state.turn != turn
        is_late = world.state.turn > turn + 1  # A power that leaves the game does not march again.
        return is_late or any(isinstance(asked, March) and asked.power in acting for asked in decisions(world))

    return is_played


BATCHES = (10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
"""Numbers of played worlds at which chances are printed, before all worlds are played."""


def is_told(played: int, wish: Wish) -> bool:
    """Return whether chances are printed after `played` worlds. They are printed at the numbers in `BATCHES`, and at
    the end."""
    return played == wish.worlds or played in BATCHES


def chances(
    found: FoundTable, own: Sequence[Power], results: Iterable[WorldResult], wish: Wish, written: Written
) -> Chances:
    """Count the chances from the results of all worlds in which `written` was tried, for the player of the powers
    `own`."""
    rules, before, duel = found.table.rules.common, found.table.state.field, found.table.state.duel
    pieces = [piece for power in own for piece in (*rules.generals(power), *rules.trains(power))]
    unsupplied, gone = Counter[Piece](), Counter[Piece]()
    taken, fallen, victories = Counter[City](), Counter[City](), Counter[str]()
    held: dict[City, Counter[tuple[Piece, ...]]] = {}
    losses, told = [], []
    for result in results:
        told.append(result.events)
        after = result.after.state.field
        bought = sum(each.troops for each in result.events if isinstance(each, e.Recruited) and each.power in own)
        losses.append(bought + sum(troops_of(rules, before, each) - troops_of(rules, after, each) for each in own))
        unsupplied.update(each for each in pieces if after.pieces[each].down and not before.pieces[each].down)
        gone.update(each for each in pieces if before.pieces[each].city >= 0 > after.pieces[each].city)
        conquests = holders_of(result.events)
        taken.update(city for city, (first, last) in conquests.items() if last in own and first not in own)
        for city in questioned(before, own, result.events):
            if city not in conquests:
                held.setdefault(city, Counter())[guards_of(result.after, city)] += 1
        fallen.update(city for city, (first, last) in conquests.items() if first in own and last not in own)
        victories.update(event.winner or "" for event in result.events if isinstance(event, e.GameEnded))
    return Chances(
        len(told),
        wish.level,
        wish.far,
        tuple(fight_chances(found.table, own, told)),
        Spread.of(losses),
        tuple(PieceChance(piece, worlds) for piece, worlds in unsupplied.most_common()),
        tuple(PieceChance(piece, worlds) for piece, worlds in gone.most_common()),
        tuple(CityChance(city, worlds) for city, worlds in taken.most_common()),
        tuple(
            HeldChance(city, guards.total(), guards.most_common(1)[0][0])
            for city, guards in sorted(held.items(), key=lambda each: (-each[1].total(), each[0]))
        ),
        tuple(CityChance(city, worlds) for city, worlds in fallen.most_common()),
        tuple(Victory(winner, worlds) for winner, worlds in victories.most_common()),
        bool(duel and {duel.attacker, duel.defender} & {*own}) and not written.has_answers,
    )


def holders_of(events: Iterable[e.Event]) -> dict[City, tuple[Power, Power]]:
    """Return the first loser and the last winner of each fortress that was taken."""
    found: dict[City, tuple[Power, Power]] = {}
    for event in events:
        if isinstance(event, e.Conquered):
            found[event.city] = (found[event.city][0] if event.city in found else event.loser, event.by)
    return found


def questioned(before: Field, own: Collection[Power], events: Iterable[e.Event]) -> set[City]:
    """Return the fortresses with a question mark of the powers `own`: those that had one in `before`, and those that
    got one by `events`."""
    asked = {event.city for event in events if isinstance(event, e.Questioned) and event.by in own}
    return asked | {city for city, power in before.questions.items() if power in own}


def guards_of(table: Table, city: City) -> tuple[Piece, ...]:
    """Return the pieces that protect a fortress."""
    return tuple(protectors(table.rules.common, table.state.field, city, protection_of(table)))


class FightResult(Struct):
    """Result of one combat in one world."""

    sign: int
    """1 if the writer won, -1 if the enemy won, 0 for a tie."""
    troops: int
    """Troops that the loser lost."""


Fight: TypeAlias = tuple[tuple[Piece, ...], tuple[Piece, ...], City, City]
"""Attackers, defenders, and the cities of both."""


def fight_chances(table: Table, own: Collection[Power], worlds: Iterable[Sequence[e.Event]]) -> Iterator[FightChance]:
    """Yield the results of all combats in which the powers `own` took part: the most frequent first, of equals the
    earliest. `worlds` has the events that followed on `table` in each world. A combat in progress on the table is among
    them."""
    rules, duel = table.rules.common, table.state.duel
    found: dict[Fight, list[FightResult]] = {}

    def begin(fight: Fight) -> FightResult:
        result = FightResult(0, 0)
        if any(rules.pieces[piece].power in own for piece in (*fight[0], *fight[1])):
            found.setdefault(fight, []).append(result)
        return result

    for events in worlds:
        result = FightResult(0, 0)
        if duel:
            cities = duel.attacking_city, duel.defending_city
            attackers, defenders = (tuple(stack_at(rules, table.state.field, city)) for city in cities)
            result = begin((attackers, defenders, *cities))
        for event in events:
            match event:
                case e.BattleJoined(attackers, defenders, attacking_city, defending_city):
                    result = begin((attackers, defenders, attacking_city, defending_city))
                case e.BattleWon(winner=winner, troops=troops):
                    result.sign, result.troops = 1 if winner in own else -1, troops
                case e.RetreatImpossible(troops=troops):
                    result.troops += troops
    for fight, results in sorted(found.items(), key=lambda each: -len(each[1])):
        signs = Counter(result.sign for result in results)
        losses, damage = ([each.troops if each.sign == sign else 0 for each in results] for sign in (-1, 1))
        yield FightChance(*fight, len(results), signs[1], signs[0], Spread.of(losses), Spread.of(damage))


def frequent_fights(found: Chances) -> tuple[FightChance, ...]:
    """Return the combats that are frequent enough to be told in words. They took place in at least one world of 20."""
    return tuple(each for each in found.fights if 20 * each.fought >= found.worlds)


def chances_data(rules: GameRules, found: Chances) -> dict[str, object]:
    """Convert chances to JSON data. Pieces and cities are given by name, not by number (docs/orders.md)."""
    return fields_data(rules.common, found)


def chances_blocks(rules: GameRules, found: Chances, language: str) -> list[Block]:
    """Return the chances in words, in the given language."""
    data = chances_data(blocks.in_words(rules, language), found)
    data["told"] = len(frequent_fights(found))
    return parsed_blocks(template(language, rules.terms.game, "chances.txt.j2").render(data))
