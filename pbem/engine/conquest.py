"""Fortresses: their control, their protection and their conquest (MARIA §3.2, §10.3, §12).

A question mark lies on a fortress that generals have left while it was protected. The fortress falls later in the turn
if the protection is gone by then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from pbem.engine.events import Conquered, Event, HussarRemoved, Questioned, QuestionLifted
from pbem.engine.field import (
    OFF,
    Field,
    PositionCache,
    are_allied,
    are_enemies,
    are_partners,
    closed_lands,
    guard_of,
    mark,
    may_stack,
    unmark,
)
from pbem.engine.nouns import NO_POWER, City, Hussar, Piece, Power, each_piece
from pbem.engine.roads import NO_CITIES
from pbem.engine.rules import Rules

NOBODY: Mapping[Piece, int] = {}
"""Value of the argument `reach` if every piece protects at the usual distance."""


def controller(rules: Rules, field: Field, city: City) -> Power | None:
    """Return the power whose marker lies on a fortress. If there is no marker, return the power that guards the land
    (§3.2). Return None if there is neither."""
    return field.markers.get(city) or guard_of(rules, field, city)


def is_claimed(rules: Rules, field: Field, city: City, power: Power) -> bool:
    """True if the rules let the power conquer this city when an enemy controls it. In a game without objectives this
    holds for every fortress. Otherwise it holds for the power's own objectives, and for all objectives in a land that
    the power guards."""
    if not rules.objectives:
        return rules.board.cities[city].fortress is not None
    owner = rules.objectives.get(city)
    return owner is not None and power in (owner, guard_of(rules, field, city))


class Dealings(Struct, frozen=True):
    """Relations of one power's pieces to all other pieces."""

    foes: frozenset[Power]
    hostile: frozenset[Piece]
    """Pieces of the power's enemies, on the map or off it."""
    rivals: frozenset[Piece]
    """Generals of the power's enemies."""
    prey: frozenset[Piece]
    """Trains of the power's enemies, which its generals may take (§10.1)."""
    welcome: frozenset[Piece]
    """Generals with whom the power's generals may stack (§6)."""


class Stance(PositionCache):
    """Cache of values that depend on the alliances alone."""

    def __init__(self, rules: Rules, field: Field) -> None:
        super().__init__()
        self.alliances = field.alliances
        self.has_neutrals = not all(field.alliances.side.values())
        cities = rules.objectives or rules.board.fortresses
        self.guards: dict[City, Power | None] = {city: guard_of(rules, field, city) for city in cities}

    def dealings(self, rules: Rules, field: Field, power: Power) -> Dealings:
        return self.once(("dealings", power), find_dealings, rules, field, power)

    def closed_cities(self, rules: Rules, field: Field, powers: tuple[Power, ...]) -> frozenset[City]:
        """Return the cities that neutrality closes to pieces of `powers` (§19.4)."""
        return self.once(("closed", powers), find_closed, rules, field, powers) if self.has_neutrals else NO_CITIES


def find_dealings(rules: Rules, field: Field, power: Power) -> Dealings:
    """Compute the relations of a power's pieces to all other pieces."""
    played = field.alliances.player  # a power without a player has no pieces on the map
    foes = frozenset([other for other in field.alliances.side if are_enemies(field, other, power)])
    hostile = frozenset([piece for foe in foes for piece in rules.forces.get(foe, ())])
    friends = [other for other in played if power in played and may_stack(field, other, power)]
    welcome = frozenset([general for friend in friends for general in rules.generals(friend)])
    return Dealings(foes, hostile, hostile & rules.all_generals, hostile - rules.all_generals, welcome)


def find_closed(rules: Rules, field: Field, powers: tuple[Power, ...]) -> frozenset[City]:
    of_land = rules.board.of_land
    return frozenset([city for land in closed_lands(rules, field, powers) for city in of_land.get(land, ())])


class Opponents(Struct, frozen=True):
    """Enemies of a power, and the fortresses that it may conquer from them."""

    foes: frozenset[Power]
    fortresses: frozenset[City]
    """Fortresses that enemies control and the power may conquer."""


class Control(PositionCache):
    """Cache of the controllers of all fortresses or objectives, and of values that follow from them. It is replaced
    when a marker or an alliance changes."""

    def __init__(self, rules: Rules, field: Field, before: Control | None) -> None:
        """Build the cache of a position. `before` is the cache of an earlier position. Its `stance` is used again if
        the alliances have not changed since."""
        super().__init__()
        self.alliances, self.markers = field.alliances, field.markers
        same = before is not None and before.alliances is field.alliances
        self.stance: Stance = before.stance if before is not None and same else Stance(rules, field)
        self.holder: dict[City, Power | None] = {**self.stance.guards, **self.markers}
        """Power that controls each fortress or objective. Cities with markers on maps that are not in play are
        included."""

    def opponents_of(self, rules: Rules, field: Field, power: Power) -> Opponents:
        """Return the enemies of a power, and the fortresses that it may conquer from them."""
        return self.once(("opponents", power), self.find_opponents, rules, field, power)

    def find_opponents(self, rules: Rules, field: Field, power: Power) -> Opponents:
        """Compute the result of `opponents_of`."""
        dealings, guards, objectives = self.stance.dealings(rules, field, power), self.stance.guards, rules.objectives
        held = [city for city in guards if self.holder[city] in dealings.foes]
        fortresses = frozenset([c for c in held if not objectives or power in (objectives[c], guards[c])])
        return Opponents(dealings.foes, fortresses)


def control_of(rules: Rules, field: Field) -> Control:
    """Return the cache of this position. As long as no marker and no alliance changes, the same cache is returned."""
    latest = rules.cache.get("control")
    before = latest if isinstance(latest, Control) else None
    # Markers and alliances are never changed in place, so comparing identity is enough.
    if before is not None and before.markers is field.markers and before.alliances is field.alliances:
        return before
    found = rules.cache["control"] = Control(rules, field, before)
    return found


def opponents_of(rules: Rules, field: Field, power: Power) -> Opponents:
    """Return the enemies of a power, and the fortresses that it may conquer from them."""
    return control_of(rules, field).opponents_of(rules, field, power)


def held_by_partners(rules: Rules, field: Field, power: Power) -> tuple[City, ...]:
    """Return the fortresses that the power itself or a partner controls."""

    def find() -> tuple[City, ...]:
        holders = ((city, controller(rules, field, city)) for city in rules.board.fortresses)
        return tuple(city for city, holder in holders if holder is not None and are_partners(field, holder, power))

    return control_of(rules, field).once(("held by partners", power), find)


def dealings(rules: Rules, field: Field, power: Power) -> Dealings:
    return control_of(rules, field).stance.dealings(rules, field, power)


def count_controlled(rules: Rules, field: Field, power: Power, lands: Collection[str]) -> int:
    """Return the number of fortresses in `lands` that the power controls."""
    board, control = rules.board, control_of(rules, field)

    def count() -> int:
        return sum(control.holder[city] == power and board.land[city] in lands for city in board.fortresses)

    return control.once(("count", power, tuple(lands)), count)


def is_held_by_enemy(rules: Rules, field: Field, city: City, power: Power) -> bool:
    """True if an enemy of the power controls this city, and the power may conquer it."""
    if not is_claimed(rules, field, city, power):
        return False
    holder = controller(rules, field, city)
    return holder is not None and are_enemies(field, holder, power)


def is_friendly(rules: Rules, field: Field, city: City, power: Power) -> bool:
    """True if the power or an ally controls the fortress in this city."""
    holder = controller(rules, field, city)
    return holder is not None and are_allied(field, holder, power)


def is_protected(rules: Rules, field: Field, city: City, reach: Mapping[Piece, int] = NOBODY) -> bool:
    return next(protectors(rules, field, city, reach), None) is not None


def protectors(rules: Rules, field: Field, city: City, reach: Mapping[Piece, int] = NOBODY) -> Iterator[Piece]:
    """Yield the pieces that protect a fortress (§10.3): generals, and in some games trains, of its controller and of
    partners. `reach` has the distance at which a piece protects, for pieces whose distance is not the usual one."""
    holder = controller(rules, field, city)
    if holder is None:
        return
    board, usual = rules.board, rules.limits.protection
    near = board.cities_within(city, usual)
    for index, piece in each_piece(field.pieces):
        if (
            (piece.city in near if index not in reach else piece.city in board.cities_within(city, reach[index]))
            and ((facts := rules.pieces[index]).kind == "general" or facts.power in rules.guarding_trains)
            and are_partners(field, facts.power, holder)
        ):
            yield index


def leave(
    rules: Rules, field: Field, generals: Iterable[Piece], city: City, reach: Mapping[Piece, int] = NOBODY
) -> list[Event]:
    """Conquer the enemy fortress in a city that generals leave. A protected fortress gets a question mark instead
    (§10.3). `reach` is as in `protectors`."""
    able = [general for general in generals if rules.down_conquer or not field.pieces[general].down]
    if not able:
        return []
    # A mixed stack conquers for the power of its first general who may conquer (docs/rulings.md, §10.3).
    power = rules.pieces[able[0]].power
    if not is_held_by_enemy(rules, field, city, power):
        return []
    if not is_protected(rules, field, city, reach):
        return [conquer(rules, field, city, power)]
    # A fortress has one question mark: if two powers leave it, the mark of the first stays (docs/rulings.md, §10.3).
    if city in field.questions:
        return []
    field.questions[city] = power
    return [Questioned(city, power)]


def conquer(rules: Rules, field: Field, city: City, power: Power, retroactive: bool = False) -> Conquered:
    """Give a fortress to `power`: change its marker (§10.3), remove its question mark, and return the event.
    `retroactive` is true if the fortress falls after the general has left it."""
    loser = controller(rules, field, city)
    marker = marker_after(rules, field, city, power)
    if marker is None:
        unmark(field, [city])
    else:
        mark(field, city, marker)
    field.questions.pop(city, None)
    return Conquered(city, power, loser or NO_POWER, marker, retroactive)


def marker_after(rules: Rules, field: Field, city: City, power: Power) -> Power | None:
    """Return the power whose marker lies on a fortress after `power` has conquered it (§10.3); None if no marker is
    needed there."""
    principal = field.alliances.principal[power]
    home = guard_of(rules, field, city)
    land = rules.board.land[city]
    friendly_major_home = (
        home is not None and not are_enemies(field, home, power) and field.alliances.principal[home] == home
    )
    if friendly_major_home and land not in rules.always_marked:
        return None
    return principal


def settle_questions(rules: Rules, field: Field, reach: Mapping[Piece, int] = NOBODY) -> list[Event]:
    """Settle all question marks in the retroactive conquest phase (§10.3, §12), and return the events. A fortress falls
    if it is unprotected, and if the power of the question mark may still conquer it."""
    events = lift_questions(rules, field)
    for city, power in sorted(field.questions.items()):
        if is_protected(rules, field, city, reach):
            events.append(QuestionLifted(city, power))
        else:
            events.append(conquer(rules, field, city, power, retroactive=True))
    field.questions.clear()
    return events


def lift_questions(rules: Rules, field: Field) -> list[Event]:
    """Remove each question mark whose power may no longer conquer the fortress (§10.3, §19.3)."""
    void = [(c, p) for c, p in sorted(field.questions.items()) if not is_held_by_enemy(rules, field, c, p)]
    for city, _ in void:
        del field.questions[city]
    return [QuestionLifted(city, power) for city, power in void]


def sweep_hussars(field: Field, city: City) -> list[Event]:
    """Remove the hussars from a city that a piece has entered (§7)."""
    swept = [Hussar(hussar) for hussar, place in enumerate(field.hussars) if place == city]
    for hussar in swept:
        field.hussars[hussar] = OFF
    return [HussarRemoved(hussar, city) for hussar in swept]
