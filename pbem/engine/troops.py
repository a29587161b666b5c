"""Stacks: their troops, their commander, and the retreat of a beaten stack (MARIA §4, §6, §11.2; FRIEDRICH §1, §6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from pbem.engine.conquest import control_of, sweep_hussars
from pbem.engine.decisions import Allot, Allotment, Arrange
from pbem.engine.events import Event, GeneralRemoved, Retreated, Stacked, TroopsMoved
from pbem.engine.field import Field, alter, by_command, pieces_by_city, release_command, remove, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.roads import Road
from pbem.engine.rules import IllegalOrder, Rules
from pbem.faults.wrong import words, wrong


def check_allotment(rules: Rules, decision: Allot, answer: Allotment, rule: str) -> None:
    """Raise `IllegalOrder` for a wrong allotment: a general is missing or does not belong to it, a general gets too few
    or too many troops, or the total is wrong. `rule` is the § that the refusal names."""
    for general, count in answer.troops.items():
        name = rules.pieces[general].name
        if general not in decision.least:
            fault = wrong("E-TROOPS-POWER.game", rule=rule, general=name, power=decision.power)
            raise IllegalOrder(fault, where=(general,))
        if not decision.least[general] <= count <= decision.most:
            least, most = decision.least[general], decision.most
            fault = wrong("E-TROOPS-RANGE.begin", rule=rule, general=name, count=count, least=least, most=most)
            raise IllegalOrder(fault, where=(general,))
    missing = [general for general in decision.least if general not in answer.troops]
    if missing:
        raise IllegalOrder(wrong("E-TROOPS-MISSING", rule=rule, generals=rules.names(missing)))
    total = sum(answer.troops.values())
    if total != decision.troops:
        fault = wrong("E-TROOPS-SUM.power", rule=rule, power=decision.power, troops=decision.troops, total=total)
        raise IllegalOrder(fault)


def lose(
    rules: Rules, field: Field, generals: Sequence[Piece], losses: int, hit: Collection[Piece] = ()
) -> list[Event]:
    """Take `losses` troops from generals in one stack, and return the events (§6). Generals without troops are removed,
    the general lowest in command first. If `hit` is given, only generals in `hit` may be removed."""
    unhit = [general for general in generals if hit and general not in hit]
    order = sorted(by_command(rules, field, generals), key=lambda general: general not in unhit)
    left = max(sum(field.pieces[general].troops for general in generals) - losses, len(unhit))
    staying = order[:left]
    spare = left - len(staying)
    events: list[Event] = []
    for general in order:
        piece = field.pieces[general]
        if general in staying:
            more = min(spare, max(0, piece.troops - 1))
            alter(field, general, troops=1 + more)
            spare -= more
        else:
            city = piece.city
            events.append(GeneralRemoved(general, city))
            remove(field, general)
            release_command(rules, field, city)
    return events


def check_transfer(rules: Rules, field: Field, power: Power, troops: Mapping[Piece, int]) -> None:
    """Raise `IllegalOrder` for an illegal new allotment of troops within one stack (§6). `troops` has the new number of
    each general of the power."""
    generals = list(troops)
    for general in generals:
        facts = rules.pieces[general]
        if facts.power != power or facts.kind != "general":
            raise IllegalOrder(wrong("E-TROOPS-POWER", general=facts.name, power=power), where=(general,))
        if field.pieces[general].city < 0:
            raise IllegalOrder(wrong("E-TROOPS-OFF", general=facts.name), where=(general,))
    cities = {field.pieces[general].city for general in generals}
    if len(cities) != 1 or len(generals) < 2:
        names = rules.names(generals) or (words("nobody"),)
        raise IllegalOrder(wrong("E-TROOPS-STACK", generals=names))
    for general, count in troops.items():
        if not 1 <= count <= rules.limits.troops:
            name, most = rules.pieces[general].name, rules.limits.troops
            raise IllegalOrder(wrong("E-TROOPS-RANGE", general=name, count=count, most=most), where=(general,))
    have = sum(field.pieces[general].troops for general in generals)
    if sum(troops.values()) != have:
        raise IllegalOrder(wrong("E-TROOPS-SUM", troops=have, total=sum(troops.values())))


def transfer(rules: Rules, field: Field, power: Power, troops: Mapping[Piece, int]) -> list[Event]:
    """Carry out a new allotment of the troops in a stack. Raises `IllegalOrder` if the allotment is not allowed
    (`check_transfer`)."""
    check_transfer(rules, field, power, troops)
    for general, count in troops.items():
        alter(field, general, troops=count)
    return [TroopsMoved(power, dict(troops))]


def stacks_of(rules: Rules, field: Field, power: Power) -> list[tuple[Piece, ...]]:
    """Return the groups of stacked generals of one power, who may pass troops to each other."""
    pieces = field.pieces
    cities = [pieces[general].city for general in rules.generals(power)]
    shared = {city for city in cities if city >= 0 and cities.count(city) > 1}
    return [tuple(g for g in stack_at(rules, field, city) if rules.pieces[g].power == power) for city in sorted(shared)]


def arrangements(rules: Rules, field: Field, powers: Iterable[Power]) -> tuple[Arrange, ...]:
    """Return a decision for each power with stacked generals, who may pass troops to each other at any time (§6)."""
    stacks = {power: tuple(stacks_of(rules, field, power)) for power in powers}
    return tuple(Arrange(power, there) for power, there in stacks.items() if there)


class Retreat(Struct):
    """Retreat that a beaten stack still has to make."""

    start: City
    length: int
    winner: Power
    """Power that chooses the path."""
    from_city: City
    """City of the winning general, from whom the retreat leads away."""


class RetreatGround:
    """Finder of the cities and roads that are open to a beaten stack on its retreat."""

    def __init__(self, rules: Rules, field: Field, retreat: Retreat, losers: Sequence[Piece]) -> None:
        self.rules = rules
        self.start = retreat.start
        self.length = retreat.length
        # Distances are counted by road, and pieces do not block them (docs/rulings.md, §11.2).
        self.far = rules.board.distance(retreat.from_city)
        self.taken = pieces_by_city(rules, field).at
        powers = tuple(sorted({rules.pieces[loser].power for loser in losers}))
        self.crosses = rules.crossing.issuperset(powers)
        self.closed = control_of(rules, field).stance.closed_cities(rules, field, powers)
        self.onwards: dict[City, list[City]] = {}
        """Results of `onward` for the cities asked for so far."""

    def onward(self, here: City) -> list[City]:
        """Return the neighbours of a city that the losers may enter."""
        if here not in self.onwards:
            board = self.rules.board
            self.onwards[here] = [
                city
                for city in board.near[here]
                if city not in self.taken
                and (self.crosses or board.map[city] == board.map[here])
                and city not in self.closed
            ]
        return self.onwards[here]

    @cached_property
    def ends(self) -> dict[City, Road]:
        """Cities where the retreat may end, each with a path of exactly the length of the retreat. Of the cities in
        reach, these are the farthest from the winner."""
        near = sorted(city for city in self.steps_from(self.start) if city != self.start)
        for distance in sorted({self.far[city] for city in near}, reverse=True):
            found = {city: path for city in near if self.far[city] == distance and (path := path_to(self, city))}
            if found:
                return found
        return {}

    def steps_from(self, start: City) -> dict[City, int]:
        """Return the number of steps from the start to each city that the losers can reach on their retreat."""
        steps = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if steps[here] == self.length:
                continue
            for city in self.onward(here):
                if city not in steps:
                    steps[city] = steps[here] + 1
                    queue.append(city)
        return steps


def path_to(way: RetreatGround, goal: City) -> Road | None:
    """Return a path to the goal that has exactly the length of the retreat and enters no city twice; None if there is
    none."""
    return next(paths_to(way, goal), None)


def paths_to(way: RetreatGround, goal: City) -> Iterator[Road]:
    """Yield the paths to the goal that have exactly the length of the retreat and enter no city twice."""
    steps = way.steps_from(goal)
    path: list[City] = []
    # The starting city counts as entered: the path may not come back to it (docs/rulings.md, §11.2).
    entered = {way.start}

    def search(here: City) -> Iterator[Road]:
        left = way.length - len(path)
        if left == 0:
            if here == goal:
                yield tuple(path)
            return
        for city in sorted(way.onward(here), key=lambda c: (-steps.get(c, way.length + 1), c)):
            if city in entered or steps.get(city, way.length + 1) > left - 1 or (city == goal and left > 1):
                continue
            entered.add(city)
            path.append(city)
            yield from search(city)
            path.pop()
            entered.discard(city)

    return search(way.start)


def check(way: RetreatGround, ends: Sequence[City], path: Road) -> None:
    """Raise `IllegalOrder` with the first fault of a retreat along `path` (§11.2). `ends` are the cities where the
    retreat may end."""
    cities, allowed = way.rules.board.cities, way.rules.board.names(ends)

    def whole(*some: City) -> tuple[str, ...]:
        return next((way.rules.board.names(found) for end in some if (found := path_to(way, end))), ())

    if len(path) != way.length:
        if path and len(path) < way.length and path[-1] in ends and (wanted := whole(path[-1])):
            fault = wrong("E-RETREAT-LENGTH.goal", length=way.length, path=wanted)
            raise IllegalOrder(fault, where=("path",))
        fault = wrong("E-RETREAT-LENGTH", length=way.length, path=len(path), ends=allowed, whole=whole(*ends))
        raise IllegalOrder(fault, where=("path",))
    entered = [way.start]
    for place, city in enumerate(path):
        where = ("path", place)
        name = cities[city].name
        if city in entered:
            raise IllegalOrder(wrong("E-RETREAT-TWICE", city=name, ends=allowed), where=where)
        if city in way.taken:
            pieces = way.rules.names(way.taken[city])
            raise IllegalOrder(wrong("E-RETREAT-BLOCKED", pieces=pieces, city=name, ends=allowed), where=where)
        if city in way.closed:
            raise IllegalOrder(wrong("E-RETREAT-BLOCKED.neutral", city=name, ends=allowed), where=where)
        if city not in way.onward(entered[-1]):
            near = way.rules.board.names(other for other in way.onward(entered[-1]) if other not in entered)
            here = cities[entered[-1]].name
            raise IllegalOrder(wrong("E-RETREAT-ROAD", here=here, city=name, near=near), where=where)
        entered.append(city)
    if path[-1] not in ends:
        fault = wrong("E-RETREAT-FARTHEST", city=cities[path[-1]].name, ends=allowed, whole=whole(*ends))
        raise IllegalOrder(fault, where=("path", len(path) - 1))


def go(field: Field, losers: Sequence[Piece], start: City, path: Road) -> list[Event]:
    """Move the beaten stack along `path`, and remove the hussars in the cities of the path (§7)."""
    events: list[Event] = [Retreated(tuple(losers), start, path)]
    for city in path:
        events += sweep_hussars(field, city)
    for loser in losers:
        alter(field, loser, city=path[-1])
    return events


def highest_of(rules: Rules, generals: Sequence[Piece]) -> list[Piece]:
    """Return the generals who have the highest rank. `generals` must be sorted by rank."""
    return [general for general in generals if rules.pieces[general].rank == rules.pieces[generals[0]].rank]


def needs_commander(rules: Rules, generals: Sequence[Piece]) -> bool:
    """True if the owner must choose the supreme commander, because the first two generals have equal ranks (§6).
    `generals` must be sorted by rank."""
    return len(generals) > 1 and rules.pieces[generals[0]].rank == rules.pieces[generals[1]].rank


def check_commander(rules: Rules, field: Field, generals: Sequence[Piece], commander: Piece | None) -> None:
    """Raise `IllegalOrder` if the chosen commander does not have the highest rank. Raise it also if nobody is chosen
    although several generals have the highest rank (§6)."""
    order = by_command(rules, field, generals)
    highest = highest_of(rules, order)
    if commander in highest:
        return
    if commander in order or (commander is not None and not needs_commander(rules, order)):
        raise IllegalOrder(wrong("E-COMMANDER.rank", generals=rules.names(highest)), where=("commander",))
    if needs_commander(rules, order):
        raise IllegalOrder(wrong("E-COMMANDER", generals=rules.names(highest)), where=("commander",))


def stack_up(rules: Rules, field: Field, city: City, commander: Piece | None) -> list[Event]:
    """Form a stack of all generals in a city. `commander` is the general whom the owner chose among equal ranks; None
    if he chose nobody. In some games one face-down general turns all others face-down."""
    generals = stack_at(rules, field, city)
    for general in generals:
        alter(field, general, on_top=needs_commander(rules, generals) and general == commander)
    if rules.facing_spreads and any(field.pieces[general].down for general in generals):
        for general in generals:
            alter(field, general, down=True)
    return [Stacked(city, stack_at(rules, field, city)[0])]
