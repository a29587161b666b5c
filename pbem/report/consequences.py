"""Consequences of orders: combats, supply, attacks that are possible, cities that can be conquered, and goals.

They are computed from the public map and from views of the reader, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from pbem.engine.combat import pairings
from pbem.engine.conquest import NOBODY, control_of, is_protected, opponents_of
from pbem.engine.decisions import March, Pairing
from pbem.engine.field import are_enemies, by_command, pieces_by_city, stack_at
from pbem.engine.march import CityEntry, Column, destinations
from pbem.engine.memory import Declaration
from pbem.engine.nouns import City, Piece, Power, Suit, each_piece
from pbem.engine.strengths import TroopLimits, strength_limits
from pbem.engine.supply import assess
from pbem.engine.table import GameRules, Table, View
from pbem.engine.ways import can_march_over
from pbem.kit import game_of, is_before_combat
from pbem.report import blocks
from pbem.report.blocks import Block, parsed_blocks
from pbem.report.language.templates import TemplateData, template
from pbem.report.stacks import MarchingStack, Stack, marching_stack, strengths_to_come
from pbem.report.telling import fields_data, questions, view_data

TEMPLATE = "consequences.txt.j2"


class ComingBattle(Struct, frozen=True):
    """Combat that will take place if nothing changes."""

    attacker: Stack
    defender: Stack


class Comer(Struct, frozen=True):
    """Enemy stack that, on its next march, can attack certain pieces or conquer a certain city. `suits` are the suits
    of the cities from which it would attack."""

    stack: Stack
    suits: tuple[Suit, ...] = ()
    is_hungry: bool = False
    """True if lack of supply is sure to take troops from the stack before it marches. `stack` is without them."""


class Threat(Struct, frozen=True):
    """Pieces in one city that enemies could attack or take on their next march, or a city that they could conquer."""

    pieces: tuple[Piece, ...]
    city: City
    suit: Suit
    comers: tuple[Comer, ...]


class Goal(Struct, frozen=True):
    """Goal cities of one power: their number before its orders, after them, and the number needed to win."""

    power: Power
    held: int
    before: int
    needed: int


class Consequences(Struct, frozen=True):
    """Consequences of orders for some powers. Attacks and conquests are left out if they were possible before."""

    battles: tuple[ComingBattle, ...]
    """Combats that follow from the orders."""
    cut_off: tuple[Piece, ...]
    """Generals outside their home country who are out of supply."""
    tolled: tuple[Piece, ...]
    """Generals outside their home country who are in supply only because a toll is paid."""
    supplied: tuple[Piece, ...]
    """Generals outside their home country who are in supply, and for whom no toll is paid."""
    attackable: tuple[Threat, ...]
    """Stacks and trains that enemies could attack or take."""
    open: tuple[Threat, ...]
    """Cities of the powers that an enemy could conquer because nobody protects them."""
    goals: tuple[Goal, ...]
    """Goals of those powers whose number of goal cities has changed."""


class Prospects:
    """Calculator of combats and threats for some powers. It uses only what the reader knows."""

    def __init__(
        self,
        table: Table,
        readers: Collection[Power],
        powers: Collection[Power],
        declared: Sequence[Declaration] = (),
    ) -> None:
        """Set the table, and `powers`, for which combats and threats are computed. The reader knows the secrets of
        `readers`, and the strengths in `declared`."""
        self.table = table
        self.rules, self.field = table.rules.common, table.state.field
        self.powers = [power for power in table.rules.powers if power in powers]
        self.view: View = game_of(table).view(table, readers)
        self.declared = [*declared, *strengths_to_come(table)]
        self.columns: dict[City, Column] = {}
        self.columns_behind: dict[City, Column] = {}
        self.stacks: dict[City, Stack] = {}
        self.marching: dict[City, MarchingStack] = {}
        self.takeable: dict[City, Collection[City]] = {}
        self.leaving = table.state.retreat.start if table.state.retreat else None

    def battles(self) -> Iterator[ComingBattle]:
        """Yield the combats of the present stage. Before its combats begin, these are the combats that follow from the
        moves so far."""
        found: Sequence[Pairing] = self.table.state.battles
        if is_before_combat(self.table):
            found = pairings(self.rules, self.field, self.powers)
        for battle in found:
            yield ComingBattle(self.stack(battle.attacker), self.stack(battle.defender))

    def stack(self, city: City) -> Stack:
        if city not in self.stacks:
            self.stacks[city] = self.find_stack(city)
        return self.stacks[city]

    def find_stack(self, city: City) -> Stack:
        generals = tuple(stack_at(self.rules, self.field, city))
        power = self.rules.pieces[generals[0]].power
        least, most = self.strength(generals)
        return Stack(power, generals, city, self.rules.board.suit[city], least, most)

    def strength(self, generals: Sequence[Piece]) -> TroopLimits:
        """Return the fewest and the most troops that these generals can have together as far as the reader knows."""
        views = self.view.pieces
        known = sum(views[general].troops or 0 for general in generals)
        unknown = [general for general in generals if views[general].troops is None]
        least, most = strength_limits(self.rules, self.field, unknown, self.declared)
        return TroopLimits(known + least, known + most)

    def in_march(self, city: City) -> MarchingStack:
        """Return the enemy stack in a city as it is when it marches next."""
        if city not in self.marching:
            stack = self.stack(city)
            until_march = self.stages_until_march(stack.power, stack.generals)
            self.marching[city] = marching_stack(self.table, stack, until_march, self.strength)
        return self.marching[city]

    @cached_property
    def foes(self) -> list[City]:
        """Return the cities where enemy generals stand, without the city of a beaten stack that must retreat now."""
        foes = {foe for power in self.powers for foe in opponents_of(self.rules, self.field, power).foes}
        standing = {self.field.pieces[general].city for foe in foes for general in self.rules.generals(foe)}
        return sorted(city for city in standing if city >= 0 and city != self.leaving)

    def retreating(self) -> tuple[Piece, ...]:
        """Return the beaten enemy stack that retreats now, if it can march again before one of `powers` marches."""
        losers = tuple(stack_at(self.rules, self.field, self.leaving)) if self.leaving is not None else ()
        if not losers:
            return ()
        column = game_of(self.table).column_of(self.table, losers)
        foes = (power for power in self.powers if are_enemies(self.field, column.power, power))
        return losers if any(self.marches_first(column, foe) for foe in foes) else ()

    def column(self, city: City) -> Column:
        """Return the stack in a city as a column: pieces that could march together now."""
        if city not in self.columns:
            self.columns[city] = game_of(self.table).column_of(self.table, stack_at(self.rules, self.field, city))
        return self.columns[city]

    def column_behind(self, city: City) -> Column:
        """Return the stack in a city as a column whose way is as free as possible: without the pieces that can march in
        its stage, and without a beaten stack that must retreat now."""
        if city not in self.columns_behind:
            column = self.column(city)
            gone = [piece for there in self.companions(column) if self.can_march(there) for piece in there]
            if self.leaving is not None:
                gone += pieces_by_city(self.rules, self.field).at.get(self.leaving, ())
            self.columns_behind[city] = column.without(gone) if gone else column
        return self.columns_behind[city]

    def companions(self, column: Column) -> list[list[Piece]]:
        """Return the other stacks and trains within a column's reach that march in the same stage as the column."""
        standing = pieces_by_city(self.rules, self.field).at
        found = [standing[city] for city in sorted(column.ground.cities) if city in standing and city != column.start]
        return [there for there in found if self.march_together(column, there)]

    def march_together(self, column: Column, others: Sequence[Piece]) -> bool:
        stage, power = self.field.alliances.stage, self.rules.pieces[others[0]].power
        own = self.stages_until_march(column.power, column.movers)
        return stage[power] == stage[column.power] and self.stages_until_march(power, others) == own

    def can_march(self, pieces: Sequence[Piece]) -> bool:
        return bool(destinations(game_of(self.table).column_of(self.table, pieces)))

    def marches_first(self, column: Column, other: Power) -> bool:
        """True if a column can march before the power `other` marches next. Marches in the present stage are not
        counted."""
        own = self.stages_until_march(column.power, column.movers)
        return own < (self.until_march[other] or self.stages_in_turn)

    def stages_until_march(self, power: Power, pieces: Sequence[Piece]) -> int:
        """Return the number of stages until these pieces of a power march. It is 0 if they can still march in the
        present stage."""
        is_moved = not set(pieces).isdisjoint(self.table.state.moved)
        return self.stages_in_turn if is_moved else self.until_march[power]

    @cached_property
    def stages_in_turn(self) -> int:
        return len(game_of(self.table).stages(self.table.rules, self.table.state.turn))

    @cached_property
    def until_march(self) -> dict[Power, int]:
        """Return the number of stages until each power marches. It is 0 if the power still marches in this stage. If
        the power has left the game, it is the number of stages in a turn."""
        game, rules, state = game_of(self.table), self.table.rules, self.table.state
        stages, phases = game.stages(rules, state.turn), game.phases_of(rules, state.stage)
        ahead = phases[: phases.index("movement")] if "movement" in phases else phases
        asked = {each.power for each in game.decisions(self.table) if isinstance(each, March)}
        found: dict[Power, int] = {}
        for power in rules.powers:
            own = self.field.alliances.stage[power]
            later = (stages.index(own) - stages.index(state.stage)) % len(stages) if own else 0
            is_past = not later and power not in asked and state.phase not in ahead
            found[power] = len(stages) if is_past or not own else later
        return found

    def attackable_pieces(self) -> Iterator[Threat]:
        """Yield the stacks and trains of `powers` that enemies could attack or take on their next march."""
        for city, own in self.own_pieces():
            if comers := tuple(self.comers(city, own[0])):
                yield Threat(tuple(by_command(self.rules, self.field, own)), city, self.rules.board.suit[city], comers)

    def threatened_pieces(self) -> Iterator[Piece]:
        """Yield each piece of `powers` that enemies could attack or take on their next march."""
        for city, pieces in self.own_pieces():
            if any(True for _ in self.comers(city, pieces[0])):
                yield from pieces

    def own_pieces(self) -> Iterator[tuple[City, list[Piece]]]:
        """Yield each city where pieces of `powers` stand, with these pieces. A beaten stack that must retreat now is
        left out."""
        for city, pieces in sorted(pieces_by_city(self.rules, self.field).at.items()):
            own = [piece for piece in pieces if self.rules.pieces[piece].power in self.powers]
            if own and city != self.leaving:
                yield city, own

    def comers(self, city: City, piece: Piece) -> Iterator[Comer]:
        """Yield the enemy stacks that could attack the stack in a city, or take the train `piece` there."""
        is_general, power = self.rules.is_general(piece), self.rules.pieces[piece].power
        wanted = self.rules.board.near[city] if is_general else (city,)
        for start in self.foes:
            # This saves time: the cities that an enemy reaches on an empty map are known at once.
            column = self.column(start)
            is_far = start not in wanted and column.ground.cities.isdisjoint(wanted)
            if is_far or not (are_enemies(self.field, column.power, power) and self.marches_first(column, power)):
                continue
            if not self.in_march(start).stack.most:
                continue
            column = self.column_behind(start)
            ends = destinations(column)
            if not is_general:
                if (city == start or city in ends) and column.entry(city) is CityEntry.TRAIN:
                    yield self.comer(start)
            elif beside := [each for each in wanted if each == start or each in ends]:
                suits = tuple(sorted({self.rules.board.suit[other] for other in beside}))
                yield self.comer(start, suits)

    def comer(self, start: City, suits: tuple[Suit, ...] = ()) -> Comer:
        stack = self.in_march(start).stack
        return Comer(stack, suits, stack != self.stack(start))

    def open_cities(self) -> Iterator[Threat]:
        """Yield the cities of `powers` that an enemy could conquer on its next march."""
        control = control_of(self.rules, self.field)
        for city, holder in sorted(control.holder.items()):
            if holder in self.powers and (comers := tuple(self.conquerors(city, holder))):
                yield Threat((), city, self.rules.board.suit[city], comers)

    def conquerors(self, city: City, holder: Power, is_held: bool = False) -> Iterator[Comer]:
        """Yield the enemy stacks that could conquer a city of `holder`; if `is_held`, only protection prevents it."""
        for start in self.foes:
            column = self.column(start)
            if city not in self.takeable_by(start) or not self.marches_first(column, holder):
                continue
            if is_held != is_protected(self.rules, self.field, city, column.circumstances.reach):
                continue
            if self.in_march(start).may_conquer and can_leave_behind(self.column_behind(start), city):
                yield self.comer(start)

    def takeable_by(self, start: City) -> Collection[City]:
        """Return the cities that the stack in the city `start` could conquer on its next march if nobody protected
        them, and if no piece stood in its way."""
        if start not in self.takeable:
            column, far = self.column(start), self.rules.board.distance(start)
            wanted, closed = opponents_of(self.rules, self.field, column.power).fortresses, column.circumstances.closed
            self.takeable[start] = {city for city in wanted if far[city] < column.ranges.main_roads} - {*closed}
        return self.takeable[start]


def can_leave_behind(column: Column, city: City) -> bool:
    """True if a column can march through a city, or out of it, without a forced march. Otherwise it cannot conquer the
    city (MARIA §10.3, FRIEDRICH §5)."""
    longest = column.ranges.main_roads
    if city == column.start:
        return any(end != city and len(way) <= longest for end, way in destinations(column).items())
    return can_march_over(column, city, column.rules.board.near[city])


def consequences(
    before: Table,
    after: Table,
    readers: Collection[Power],
    powers: Collection[Power],
    declared: Sequence[Declaration] = (),
) -> Consequences:
    """Return the consequences for `powers` of the change from the table `before` to the table `after`. The reader knows
    the secrets of `readers`, and the strengths in `declared`, which were stated before the change."""
    old, new = Prospects(before, readers, powers), Prospects(after, readers, powers, declared)
    battles = tuple(new.battles())
    fought = {(battle.attacker.city, battle.defender.city) for battle in battles}
    if duel := after.state.duel:
        fought.add((duel.attacking_city, duel.defending_city))
    supplies = [assess(new.rules, new.field, power) for power in new.powers]
    return Consequences(
        battles,
        tuple(piece for each in supplies for piece in each.cut_off),
        tuple(claim.piece for each in supplies for claim in each.tolled),
        tuple(claim.piece for each in supplies for claim in each.free),
        new_threats(old.attackable_pieces(), without_attacked(new.attackable_pieces(), fought)),
        new_threats(old.open_cities(), new.open_cities()),
        tuple(changed_goals(before.rules, old.view, new.view)),
    )


def without_attacked(reaches: Iterator[Threat], fought: Collection[tuple[City, City]]) -> Iterator[Threat]:
    """Yield the threats, but leave out enemies that the threatened stack must itself attack. If no other enemies are
    left, leave out the threat."""
    for each in reaches:
        comers = tuple(comer for comer in each.comers if (each.city, comer.stack.city) not in fought)
        if comers:
            yield Threat(each.pieces, each.city, each.suit, comers)


def new_threats(old: Iterator[Threat], new: Iterator[Threat]) -> tuple[Threat, ...]:
    """Return the threats, but leave out enemies that already threatened the same pieces or city before. If no other
    enemies are left, leave out the threat."""
    known = {(each.city, each.pieces, comer.stack.generals) for each in old for comer in each.comers}
    found: list[Threat] = []
    for each in new:
        comers = tuple(comer for comer in each.comers if (each.city, each.pieces, comer.stack.generals) not in known)
        if comers:
            found.append(Threat(each.pieces, each.city, each.suit, comers))
    return tuple(found)


def changed_goals(rules: GameRules, old: View, new: View) -> Iterator[Goal]:
    """Yield the goals of powers whose number of goal cities has changed. If the game has none, yield nothing."""
    before, after = (goals_of(rules, view) for view in (old, new))
    for power, (held, needed) in after.items():
        if power in before and before[power][0] != held:
            yield Goal(power, held, before[power][0], needed)


def protection_of(table: Table) -> Mapping[Piece, int]:
    """Return the distance up to which a piece protects fortresses, in cities. Only pieces with an unusual distance are
    in the result."""
    general = next(
        (
            n
            for n, piece in each_piece(table.state.field.pieces)
            if piece.city >= 0 and table.rules.common.is_general(n)
        ),
        None,
    )
    return NOBODY if general is None else game_of(table).column_of(table, [general]).circumstances.reach


def goals_of(rules: GameRules, view: View) -> dict[Power, tuple[int, int]]:
    """Return two numbers for each power: of the goal cities that it has, and of the goal cities that it needs to
    win."""
    goals: Mapping[Power, TemplateData] = view_data(rules, view).get("goals", {})
    return {power: (goal["held"], goal["needed"]) for power, goal in goals.items()}


def consequences_data(rules: GameRules, found: Consequences) -> dict[str, object]:
    """Convert consequences to data. Cities, pieces and powers are given by name, not by number (docs/orders.md)."""
    return fields_data(rules.common, found)


def consequences_blocks(rules: GameRules, found: Consequences, language: str, asked: View | None = None) -> list[Block]:
    """Tell consequences in words. If `asked` is given, also tell which decisions the player with this view has to
    make."""
    rules = blocks.in_words(rules, language)
    data: TemplateData = consequences_data(rules, found) | {
        "asked": questions(rules, asked, language, {"brief": True}) if asked else ()
    }
    return parsed_blocks(template(language, rules.terms.game, TEMPLATE).render(data))
