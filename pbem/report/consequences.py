"""Consequences of orders as far as a reader knows: combats, supply, possible attacks, open cities, goals.

They are computed from the public map and the reader's views only, so they reveal no more than these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.engine.combat import pairings
from pbem.engine.conquest import control_of, is_protected, opponents_of
from pbem.engine.decisions import March, Pairing
from pbem.engine.field import are_enemies, by_command, pieces_by_city, stack_at
from pbem.engine.march import CityEntry, Column, destinations
from pbem.engine.nouns import City, Piece, Power, Suit
from pbem.engine.supply import assess
from pbem.engine.table import GameRules, Table
from pbem.engine.views import View
from pbem.kit import game_of
from pbem.report import blocks
from pbem.report.blocks import Block, parsed_blocks
from pbem.report.language.templates import TemplateData, template
from pbem.report.telling import fields_data, questions, view_data

TEMPLATE = "consequences.txt.j2"


class Stack(Struct, frozen=True):
    """Generals in one city, and the least and greatest number of troops that they can have."""

    power: Power
    generals: tuple[Piece, ...]
    city: City
    suit: Suit
    least: int
    most: int


class ComingBattle(Struct, frozen=True):
    """A combat that has to be fought in this position."""

    attacker: Stack
    defender: Stack


class Comer(Struct, frozen=True):
    """An enemy stack that could attack, take or enter, and the suits of the cities from which it would attack."""

    stack: Stack
    suits: tuple[Suit, ...] = ()


class Threat(Struct, frozen=True):
    """Pieces in one city that enemies could attack or take on their next march, or a city that they could conquer."""

    pieces: tuple[Piece, ...]
    city: City
    suit: Suit
    comers: tuple[Comer, ...]


class Goal(Struct, frozen=True):
    """Number of goal cities that a power holds after and before its orders, and the number that wins."""

    power: Power
    held: int
    before: int
    needed: int


class Consequences(Struct, frozen=True):
    """Consequences of a change of position. Of possible attacks only those are listed that were not possible before."""

    battles: tuple[ComingBattle, ...]
    cut_off: tuple[Piece, ...]
    tolled: tuple[Piece, ...]
    supplied: tuple[Piece, ...]
    """Generals outside their home country who are supplied without a toll."""
    attackable: tuple[Threat, ...]
    open: tuple[Threat, ...]
    """Unprotected cities of the powers that an enemy could enter."""
    goals: tuple[Goal, ...]


class Outlook:
    """Combats, supply and threats of some powers in a position, as their reader knows it."""

    def __init__(self, table: Table, readers: Collection[Power], powers: Collection[Power]) -> None:
        """Store the position; the reader knows the secrets of `readers`."""
        self.table = table
        self.rules, self.field = table.rules.common, table.state.field
        self.powers = [power for power in table.rules.powers if power in powers]
        self.view: View = game_of(table).view(table, readers)
        self.columns: dict[City, Column] = {}

    def battles(self) -> Iterator[ComingBattle]:
        """The combats of this stage: those to which the moves so far lead, or those that are still to be fought."""
        still_moving = any(isinstance(asked, March) for asked in game_of(self.table).decisions(self.table))
        found: Sequence[Pairing] = self.table.state.battles
        if still_moving:
            found = pairings(self.rules, self.field, self.powers)
        for battle in found:
            yield ComingBattle(self.stack(battle.attacker), self.stack(battle.defender))

    def stack(self, city: City) -> Stack:
        generals = tuple(stack_at(self.rules, self.field, city))
        power = self.rules.pieces[generals[0]].power
        least, most = self.strength(generals)
        return Stack(power, generals, city, self.rules.board.suit[city], least, most)

    def strength(self, generals: Sequence[Piece]) -> tuple[int, int]:
        """Least and greatest number of troops of these generals, by known troops and by their power's total."""
        views = self.view.pieces
        known = sum(views[general].troops or 0 for general in generals)
        unknown = [general for general in generals if views[general].troops is None]
        most = 0
        for power in {self.rules.pieces[general].power for general in unknown}:
            own = [general for general in unknown if self.rules.pieces[general].power == power]
            others = [g for g in self.rules.generals(power) if views[g].city >= 0 and g not in own]
            most += min(len(own) * self.rules.limits.troops, self.view.troops[power] - len(others))
        return known + len(unknown), known + most

    def supply(self) -> tuple[tuple[Piece, ...], tuple[Piece, ...], tuple[Piece, ...]]:
        """Generals outside their home country: cut off, supplied for a toll, supplied without one."""
        lacking: list[Piece] = []
        paying: list[Piece] = []
        free: list[Piece] = []
        for power in self.powers:
            claims, tolled, cut_off = assess(self.rules, self.field, power)
            lacking += cut_off
            paying += [claim.piece for claim in tolled]
            free += [claim.piece for claim in claims]
        return tuple(lacking), tuple(paying), tuple(free)

    def foes(self) -> list[City]:
        """Cities of enemy generals."""
        foes = {foe for power in self.powers for foe in opponents_of(self.rules, self.field, power).foes}
        standing = {self.field.pieces[general].city for foe in foes for general in self.rules.generals(foe)}
        return sorted(city for city in standing if city >= 0)

    def column(self, city: City) -> Column:
        """Column of the stack in a city, as if the stack had to march now."""
        if city not in self.columns:
            self.columns[city] = game_of(self.table).column_of(self.table, stack_at(self.rules, self.field, city))
        return self.columns[city]

    def attackable_pieces(self) -> Iterator[Threat]:
        """Stacks and trains of these powers that enemies could attack or take on their next march."""
        for city, pieces in sorted(pieces_by_city(self.rules, self.field).at.items()):
            own = [piece for piece in pieces if self.rules.pieces[piece].power in self.powers]
            if own and (comers := tuple(self.comers(city, own[0]))):
                yield Threat(tuple(by_command(self.rules, self.field, own)), city, self.rules.board.suit[city], comers)

    def comers(self, city: City, piece: Piece) -> Iterator[Comer]:
        """Enemies who could attack the stack in a city, or take the train there."""
        for start in self.foes():
            column = self.column(start)
            if not are_enemies(self.field, column.power, self.rules.pieces[piece].power):
                continue
            ends = {start, *destinations(column)}
            if not self.rules.is_general(piece):
                if city in ends and column.entry(city) is CityEntry.TRAIN:
                    yield Comer(self.stack(start))
            elif beside := ends.intersection(self.rules.board.near[city]):
                suits = tuple(sorted({self.rules.board.suit[other] for other in beside}))
                yield Comer(self.stack(start), suits)

    def open_cities(self) -> Iterator[Threat]:
        """Cities of these powers that an enemy could conquer on the next march."""
        control = control_of(self.rules, self.field)
        for city, holder in sorted(control.holder.items()):
            if holder in self.powers and (comers := tuple(self.conquerors(city))):
                yield Threat((), city, self.rules.board.suit[city], comers)

    def conquerors(self, city: City) -> Iterator[Comer]:
        """Enemies who could enter a city that is not protected against them."""
        for start in self.foes():
            column = self.column(start)
            usual = column.circumstances
            if city not in opponents_of(self.rules, self.field, column.power).fortresses or city in usual.closed:
                continue
            if city in destinations(column) and not is_protected(self.rules, self.field, city, usual.reach):
                yield Comer(self.stack(start))


def consequences(before: Table, after: Table, readers: Collection[Power], powers: Collection[Power]) -> Consequences:
    """Consequences for `powers` of a change of position. The reader knows the secrets of `readers`."""
    old, new = Outlook(before, readers, powers), Outlook(after, readers, powers)
    battles = tuple(new.battles())
    fought = {(battle.attacker.city, battle.defender.city) for battle in battles}
    if duel := after.state.duel:
        fought.add((duel.attacking_city, duel.defending_city))
    cut_off, tolled, supplied = new.supply()
    return Consequences(
        battles,
        cut_off,
        tolled,
        supplied,
        new_threats(old.attackable_pieces(), without_attacked(new.attackable_pieces(), fought)),
        new_threats(old.open_cities(), new.open_cities()),
        tuple(changed_goals(before.rules, old.view, new.view)),
    )


def without_attacked(reaches: Iterator[Threat], fought: Collection[tuple[City, City]]) -> Iterator[Threat]:
    """Threats without the enemy stacks that the threatened stack itself has to attack."""
    for each in reaches:
        comers = tuple(comer for comer in each.comers if (each.city, comer.stack.city) not in fought)
        if comers:
            yield Threat(each.pieces, each.city, each.suit, comers)


def new_threats(old: Iterator[Threat], new: Iterator[Threat]) -> tuple[Threat, ...]:
    """Threats by stacks that did not threaten the same pieces in the same city before the orders."""
    known = {(each.city, each.pieces, comer.stack.generals) for each in old for comer in each.comers}
    found: list[Threat] = []
    for each in new:
        comers = tuple(comer for comer in each.comers if (each.city, each.pieces, comer.stack.generals) not in known)
        if comers:
            found.append(Threat(each.pieces, each.city, each.suit, comers))
    return tuple(found)


def changed_goals(rules: GameRules, old: View, new: View) -> Iterator[Goal]:
    """Goals of powers whose number of cities has changed; nothing in a game without such goals."""
    before, after = (goals_of(rules, view) for view in (old, new))
    for power, (held, needed) in after.items():
        if power in before and before[power][0] != held:
            yield Goal(power, held, before[power][0], needed)


def goals_of(rules: GameRules, view: View) -> dict[Power, tuple[int, int]]:
    """For each power, the number of goal cities that it holds, and the number that it needs."""
    goals: Mapping[Power, TemplateData] = view_data(rules, view).get("goals", {})
    return {power: (goal["held"], goal["needed"]) for power, goal in goals.items()}


def consequences_data(rules: GameRules, found: Consequences) -> dict[str, object]:
    """Consequences for programs, with names in place of numbers (docs/orders.md)."""
    return fields_data(rules.common, found)


def consequences_blocks(rules: GameRules, found: Consequences, language: str, asked: View | None = None) -> list[Block]:
    """Consequences in words; with the view `asked`, also the decisions that its reader is asked for."""
    rules = blocks.in_words(rules, language)
    data: TemplateData = consequences_data(rules, found) | {
        "asked": questions(rules, asked, language, {"brief": True}) if asked else ()
    }
    return parsed_blocks(template(language, rules.terms.game, TEMPLATE).render(data))


def changes(rules: GameRules, old: View, new: View) -> dict[str, object]:
    """Differences between two positions in the form of `pbem show --json`, pieces by name; null for values that are
    gone."""
    return differences(by_name(view_data(rules, old)), by_name(view_data(rules, new)))


def by_name(position: TemplateData) -> TemplateData:
    """A position with its pieces under their names."""
    return position | {"pieces": {piece["name"]: piece for piece in position["pieces"]}}


def differences(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    """The keys whose values differ, with the new values; of mappings, only the keys that differ within."""
    found: dict[str, object] = {}
    for key in {**old, **new}:
        was, now = old.get(key), new.get(key)
        if was != now:
            found[key] = differences(was, now) if isinstance(was, dict) and isinstance(now, dict) else now
    return found
