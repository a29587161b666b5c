"""Powers that have reached their goal, and powers that are about to win, from public facts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.engine.combat import retreat_choice
from pbem.engine.conquest import conquer
from pbem.engine.field import are_enemies
from pbem.engine.march import Column
from pbem.engine.nouns import City, Power
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import words
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.consequences import Comer, Prospects
from pbem.report.language.templates import capital, macros_of, squeeze
from pbem.report.letters.unsettled import falling_cities
from pbem.report.retreats import retreated
from pbem.report.stacks import Stack
from pbem.report.telling import game_report

TEMPLATE = "aim_words.txt.j2"

NEAR = 3
"""A power counts as about to win if no more than this number of goal cities or markers is missing."""


class NearVictory(Struct, frozen=True):
    """Power that is about to win: the number of goal cities or markers that the power has, and the number needed."""

    power: Power
    held: int
    needed: int
    is_own: bool
    falling: tuple[City, ...] = ()
    """Cities with a question mark of the power, if it has all that it needs once they fall in the present stage."""
    can_win_next: bool = False
    """True if a power of another player, as things stand, could take all that is missing on the next march."""

    def sentence(self, rules: GameRules, language: str) -> str:
        key, missing = "near-victory.own" if self.is_own else "near-victory", self.needed - self.held
        left = aim_words("prizes", missing, rules, language) or missing
        told = [words(key, power=self.power, left=left, held=self.held, needed=self.needed).text(language)]
        if self.falling:
            named = blocks.common_in_words(rules.common, language)
            told.append(words("near-victory-now", cities=tuple(blocks.cities(named, self.falling))).text(language))
        elif self.can_win_next:
            told.append(words("near-victory-next").text(language))
        if self.is_own:
            told.append(aim_words("will_win", self.power, rules, language))
        return capital(" ".join(told).strip())


def near_victory(prospects: Prospects) -> Iterator[NearVictory]:
    """Yield each power that is near to victory. A power is near if it misses no more than `NEAR` goal cities or
    markers. An enemy of the reader is near also if it could conquer all that it misses on its next march."""
    table, powers, alliances = prospects.table, prospects.powers, prospects.field.alliances
    own = [power for power in powers if power in alliances.side]
    for power, (held, needed) in progress(table, powers).items():
        is_own, left = power in powers, needed - held
        # A player can have powers that are enemies of each other.
        is_foreign = power in alliances.side and not is_own
        is_foe = is_foreign and any(are_enemies(prospects.field, each, power) for each in own)
        most = max(NEAR, len(within_reach(prospects, power))) if is_foe else NEAR
        if not 0 < left <= most or not (is_own or is_foreign):
            continue
        questioned = cities_in_question(table, power)
        wins_now = questioned and progress_with(table, powers, questioned)[power][0] >= needed
        falling = tuple(questioned) if wins_now else ()
        if is_own:
            yield NearVictory(power, held, needed, is_own, falling)
            continue
        march = NextMarch(prospects, power, prospects.table, with_battles=left <= NEAR)
        gained = march.most_gained(questioned, held)
        if left <= max(NEAR, gained):
            marches = march.after_retreat()
            can_win = any(left <= each.most_gained(questioned, held) + each.markers_by_battles() for each in marches)
            yield NearVictory(power, held, needed, is_own, falling, can_win)


class NextMarch(Prospects):
    """Calculator of what one power could take on its next march as things stand, whoever marches before.

    If a power misses more than `NEAR`, battles are left out (`with_battles`): that it wins several in one stage and
    takes all cities behind the beaten is possible, but no reason for an alarm."""

    def __init__(self, prospects: Prospects, power: Power, table: Table, with_battles: bool) -> None:
        """Set the power, and the table at which it marches. `prospects` are those of the reader."""
        field = table.state.field
        foes = [each for each in table.rules.powers if each in field.alliances.side and are_enemies(field, each, power)]
        super().__init__(table, prospects.powers, foes, prospects.declared)
        self.power, self.prospects, self.with_battles = power, prospects, with_battles

    def marches_first(self, column: Column, other: Power) -> bool:
        return True

    def conquests(self) -> list[tuple[City, Comer]]:
        """Return the cities that the power or its minor powers could conquer, each with a stack that could conquer it.
        With battles, these are also cities whose protectors must be beaten first."""
        found = [(each.city, comer) for each in self.open_cities() for comer in each.comers]
        if self.with_battles:
            found += ((each.city, comer) for each in falling_cities(self) for comer in each.comers)
        return [(city, comer) for city, comer in found if self.is_of_power(comer.stack.power)]

    def most_gained(self, questioned: Mapping[City, Power], held: int) -> int:
        """Return the most goal cities or markers that the power could gain by conquests. `questioned` has the cities
        with its question marks, and `held` is the number that it has."""
        conquests = self.conquests()
        taken = {**{city: comer.stack.power for city, comer in conquests}, **questioned}

        def gained(cities: Collection[City]) -> int:
            return progress_with(self.table, self.powers, {city: taken[city] for city in cities})[self.power][0] - held

        # Beside the cities themselves, conquests may bring the markers of a box.
        alone = [gained([city]) for city in taken]
        boxes = sum(max(0, each - 1) for each in alone) + max(0, gained(taken) - sum(alone))
        stacks: dict[Stack, set[City]] = {}
        for city, comer in conquests:
            stacks.setdefault(comer.stack, set()).add(city)
        marches = sum(min(len(cities), self.most_on_marches(stack, cities)) for stack, cities in stacks.items())
        return min(gained(taken), marches + len(questioned) + boxes)

    def most_on_marches(self, stack: Stack, cities: Collection[City]) -> int:
        """Return the most cities among `cities` that the generals of a stack could march through or out of if each
        marches alone, and nobody is in their way."""
        board, ranges = self.rules.board, self.column(stack.city).ranges

        def most(city: City, roads: Sequence[Collection[City]], steps: int, left: Collection[City]) -> int:
            if not steps:
                return 0
            then = {*left} - {city}
            return (city in left) + max((most(end, roads, steps - 1, then) for end in roads[city]), default=0)

        ways = ((board.near, ranges.any_road), (board.main, ranges.main_roads))
        return len(stack.generals) * max(most(stack.city, roads, steps, cities) for roads, steps in ways)

    def after_retreat(self) -> Iterator[NextMarch]:
        """Yield this calculator, which leaves out a stack that must retreat. If it is a stack of the power, then yield
        one calculator for each city where the retreat can end."""
        yield self
        retreat = self.table.state.retreat
        asked = retreat_choice(self.rules, self.field, retreat) if retreat else None
        if asked and any(self.is_of_power(self.rules.pieces[each].power) for each in asked.pieces):
            for _, after in retreated(self.table, asked):
                yield NextMarch(self.prospects, self.power, after, self.with_battles)

    def markers_by_battles(self) -> int:
        """Return the most markers that the power could gain by battles, which it can fight only with enemy generals in
        its reach."""
        most = game_report(self.table.rules.terms.game).battle_markers(self.table.rules, self.view).get(self.power, 0)
        fights = (
            self.with_battles
            and most
            and any(
                any(map(self.rules.is_general, each.pieces)) and self.is_of_power(comer.stack.power)
                for each in self.attackable_pieces()
                for comer in each.comers
            )
        )
        return most if fights else 0

    def is_of_power(self, power: Power) -> bool:
        return self.field.alliances.principal[power] == self.power


def within_reach(prospects: Prospects, power: Power) -> set[City]:
    """Return the cities that could fall to an enemy power soon: those with its question marks, and those near enough
    for its next march if nobody protected them."""
    principal = prospects.field.alliances.principal
    starts = [start for start in prospects.foes if principal[prospects.column(start).power] == power]
    return {*cities_in_question(prospects.table, power)}.union(*map(prospects.takeable_by, starts))


def cities_in_question(table: Table, power: Power) -> dict[City, Power]:
    """Return the cities with a question mark of the power or of its minor powers, each with the power of the mark."""
    field = table.state.field
    return {city: by for city, by in sorted(field.questions.items()) if field.alliances.principal[by] == power}


def progress(table: Table, powers: Collection[Power]) -> Mapping[Power, tuple[int, int]]:
    """Return the number of goal cities or markers that each power has, and the number that it needs."""
    return game_report(table.rules.terms.game).progress(game_of(table).view(table, powers))


def progress_with(
    table: Table, powers: Collection[Power], taken: Mapping[City, Power]
) -> Mapping[Power, tuple[int, int]]:
    """Return the progress of each power if the cities in `taken` were conquered by the powers named there."""
    after = copy_of(table)
    fallen = [conquer(after.rules.common, after.state.field, city, by) for city, by in taken.items()]
    game_report(table.rules.terms.game).after_conquests(after, fallen)
    return progress(after, powers)


def goals_reached(table: Table, powers: Collection[Power], language: str) -> Iterator[str]:
    """Yield a sentence for each power that has reached its goal, with the time when it wins by that. The reader plays
    `powers`. When the game is over, other powers are left out."""
    for power, (held, needed) in progress(table, powers).items():
        if held >= needed and (power in powers or table.state.result is None):
            reached = words("goal-reached", power=power, held=held, needed=needed).text(language)
            win = aim_words("wins" if power in powers else "they_win", power, table.rules, language)
            yield capital(f"{reached} {win}".strip())


def aim_words(macro: str, about: Power | int, rules: GameRules, language: str) -> str:
    """Return words of a game on victory: when a power wins, or what is missing with its number. Templates of a
    campaign's own may be older than the macro; then the text is empty."""
    say = getattr(macros_of(language, rules.terms.game, TEMPLATE), macro, None)
    return squeeze(str(say(about, rules))) if say else ""
