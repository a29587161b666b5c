"""Who holds a fortress, what protects it, and how it falls (MARIA §3.2, §10.3, §12)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from pbem.engine.events import Conquered, Event, HussarRemoved, Questioned, QuestionLifted
from pbem.engine.field import OFF, Field, allied, closed_lands, enemies, guard_of, mark, may_stack, partners, unmark
from pbem.engine.nouns import NO_POWER, City, Hussar, Piece, Power, each_piece
from pbem.engine.roads import NO_CITIES
from pbem.engine.rules import Rules
from pbem.engine.standing import Kept

NOBODY: Mapping[Piece, int] = {}
"""No piece whose protection reaches farther than that of others."""


def controller(rules: Rules, field: Field, city: City) -> Power | None:
    """The power that controls a fortress: its marker, or else who guards the land it lies in (§3.2)."""
    return field.markers.get(city) or guard_of(rules, field, city)


def is_claimed(rules: Rules, field: Field, city: City, power: Power) -> bool:
    """Whether the power may conquer this city: a fortress of any enemy, or an objective of its own or in its guard."""
    if not rules.objectives:
        return rules.board.cities[city].fortress is not None
    owner = rules.objectives.get(city)
    return owner is not None and power in (owner, guard_of(rules, field, city))


class Dealings(Struct, frozen=True):
    """How the pieces of all others meet those of a power."""

    foes: frozenset[Power]
    """Its enemies (§2)."""
    hostile: tuple[Piece, ...]
    """Their pieces, on the map or off it."""
    prey: frozenset[Piece]
    """Their trains, which its generals may take (§10.1)."""
    welcome: frozenset[Piece]
    """The generals with whom its generals may stack (§6)."""


class Stance(Kept):
    """What follows from the alliances alone: worked out once for as long as they stand."""

    def __init__(self, rules: Rules, field: Field) -> None:
        """Note what it depends on."""
        super().__init__()
        self.alliances = field.alliances
        self.has_neutrals = not all(field.alliances.side.values())
        cities = rules.objectives or rules.board.fortresses
        self.guards: dict[City, Power | None] = {city: guard_of(rules, field, city) for city in cities}

    def dealings(self, rules: Rules, field: Field, power: Power) -> Dealings:
        """How others meet the pieces of a power."""
        return self.once(("dealings", power), find_dealings, rules, field, power)

    def closed(self, rules: Rules, field: Field, powers: tuple[Power, ...]) -> frozenset[City]:
        """The cities of the lands that neutrality closes to pieces of these powers (§19.4)."""
        return self.once(("closed", powers), find_closed, rules, field, powers) if self.has_neutrals else NO_CITIES


def find_dealings(rules: Rules, field: Field, power: Power) -> Dealings:
    """How others meet the pieces of a power: for all at once what `enemies` and `may_stack` say of one."""
    played = field.alliances.player  # who is played by nobody has nobody on the map
    foes = frozenset([other for other in field.alliances.side if enemies(field, other, power)])
    hostile = tuple([piece for foe in foes for piece in (*rules.generals(foe), *rules.trains(foe))])
    friends = [other for other in played if power in played and may_stack(field, other, power)]
    welcome = frozenset([general for friend in friends for general in rules.generals(friend)])
    return Dealings(foes, hostile, frozenset(hostile) - rules.all_generals, welcome)


def find_closed(rules: Rules, field: Field, powers: tuple[Power, ...]) -> frozenset[City]:
    """The cities of closed lands."""
    of_land = rules.board.of_land
    return frozenset([city for land in closed_lands(rules, field, powers) for city in of_land.get(land, ())])


class Against(Struct, frozen=True):
    """What is against a power."""

    foes: frozenset[Power]
    """Its enemies (§2)."""
    fortresses: frozenset[City]
    """The fortresses that they control and it may conquer."""


class Control(Kept):
    """Who holds what, and what follows from that alone: worked out once for as long as markers and alliances stand.

    It says of all fortresses and objectives at once what `controller`, `held_by_enemy` and `friendly` say of one.
    """

    def __init__(self, rules: Rules, field: Field, before: Control | None) -> None:
        """Note what it depends on; where the alliances are as before, only markers differ."""
        super().__init__()
        self.alliances, self.markers = field.alliances, field.markers
        same = before is not None and before.alliances is field.alliances
        self.stance: Stance = before.stance if before is not None and same else Stance(rules, field)
        self.holder: dict[City, Power | None] = {**self.stance.guards, **self.markers}
        """The power that controls each city; markers may lie outside of the maps in play."""

    def against(self, rules: Rules, field: Field, power: Power) -> Against:
        """What is against a power in a position of which this is true."""
        return self.once(("against", power), self.find_against, rules, field, power)

    def find_against(self, rules: Rules, field: Field, power: Power) -> Against:
        """What is against it, all at once."""
        dealings, guards, objectives = self.stance.dealings(rules, field, power), self.stance.guards, rules.objectives
        held = [city for city in guards if self.holder[city] in dealings.foes]
        fortresses = frozenset([c for c in held if not objectives or power in (objectives[c], guards[c])])
        return Against(dealings.foes, fortresses)


def control_of(rules: Rules, field: Field) -> Control:
    """Who holds what in a position: as last time, unless a marker or an alliance has changed since then."""
    latest = rules.worked_out.get("control")
    before = latest if isinstance(latest, Control) else None
    # Markers and alliances are values: whoever changes them puts others in their place.
    if before is not None and before.markers is field.markers and before.alliances is field.alliances:
        return before
    found = rules.worked_out["control"] = Control(rules, field, before)
    return found


def against(rules: Rules, field: Field, power: Power) -> Against:
    """The enemies of a power and what they hold: for all at once what `enemies` and `held_by_enemy` say of one."""
    return control_of(rules, field).against(rules, field, power)


def hostile(rules: Rules, field: Field, power: Power) -> tuple[Piece, ...]:
    """The pieces of the enemies of a power, on the map or off it."""
    return control_of(rules, field).stance.dealings(rules, field, power).hostile


def count_controlled(rules: Rules, field: Field, power: Power, lands: Collection[str]) -> int:
    """How many fortresses in some lands a power controls."""
    board, control = rules.board, control_of(rules, field)

    def count() -> int:
        return sum(control.holder[city] == power and board.land[city] in lands for city in board.fortresses)

    return control.once(("count", power, tuple(lands)), count)


def held_by_enemy(rules: Rules, field: Field, city: City, power: Power) -> bool:
    """Whether an enemy of the power controls the fortress in this city, if there is one that it may conquer."""
    if not is_claimed(rules, field, city, power):
        return False
    holder = controller(rules, field, city)
    return holder is not None and enemies(field, holder, power)


def friendly(rules: Rules, field: Field, city: City, power: Power) -> bool:
    """Whether the power or one of its allies controls the fortress in this city."""
    holder = controller(rules, field, city)
    return holder is not None and allied(field, holder, power)


def protected(rules: Rules, field: Field, city: City, reach: Mapping[Piece, int] = NOBODY) -> bool:
    """Whether a general of the controlling power, or of a partner, stands within reach of the fortress (§10.3).

    `reach` names the pieces that protect farther, or less far, than others.
    """
    holder = controller(rules, field, city)
    if holder is None:
        return False
    far = rules.board.distance(city)
    usual = rules.limits.protection
    return any(
        piece.city >= 0
        and far[piece.city] <= (reach.get(index, usual) if reach else usual)
        and guards(rules, index)
        and partners(field, rules.pieces[index].power, holder)
        for index, piece in each_piece(field.pieces)
    )


def guards(rules: Rules, piece: Piece) -> bool:
    """Whether the piece is of a kind that protects: generals do, and some powers' trains (§10.3; FRIEDRICH §5)."""
    facts = rules.pieces[piece]
    return facts.kind == "general" or facts.power in rules.guarding_trains


def leave(
    rules: Rules, field: Field, generals: Iterable[Piece], city: City, reach: Mapping[Piece, int] = NOBODY
) -> list[Event]:
    """What the fortress in a city suffers when generals move out of it (§10.3): it falls, or is put in question."""
    able = [general for general in generals if rules.down_conquer or not field.pieces[general].down]
    if not able:
        return []
    # Of a mixed stack whoever leads it, or the first who is face-up (docs/rulings.md, §10.3).
    power = rules.pieces[able[0]].power
    if not held_by_enemy(rules, field, city, power):
        return []
    if not protected(rules, field, city, reach):
        return [conquer(rules, field, city, power)]
    # One fortress, one mark: where two powers leave it, that of the first stays (docs/rulings.md, §10.3).
    if city in field.questions:
        return []
    field.questions[city] = power
    return [Questioned(city, power)]


def conquer(rules: Rules, field: Field, city: City, power: Power, retroactive: bool = False) -> Conquered:
    """Change the control of a fortress and lay the markers that §10.3 asks for."""
    loser = controller(rules, field, city)
    marker = marker_after(rules, field, city, power)
    if marker is None:
        unmark(field, [city])
    else:
        mark(field, city, marker)
    field.questions.pop(city, None)
    return Conquered(city, power, loser or NO_POWER, marker, retroactive)


def marker_after(rules: Rules, field: Field, city: City, power: Power) -> Power | None:
    """Whose marker lies on a fortress once the power has conquered it (§10.3)."""
    principal = field.alliances.principal[power]
    home = guard_of(rules, field, city)
    land = rules.board.land[city]
    friendly_major_home = (
        home is not None and not enemies(field, home, power) and field.alliances.principal[home] == home
    )
    if friendly_major_home and land not in rules.always_marked:
        return None
    return principal


def settle_questions(rules: Rules, field: Field, reach: Mapping[Piece, int] = NOBODY) -> list[Event]:
    """The retroactive conquest phase: every fortress with a question mark falls or holds (§10.3, §12)."""
    events = lift_questions(rules, field)
    for city, power in sorted(field.questions.items()):
        if protected(rules, field, city, reach):
            events.append(QuestionLifted(city, power))
        else:
            events.append(conquer(rules, field, city, power, retroactive=True))
    field.questions.clear()
    return events


def lift_questions(rules: Rules, field: Field) -> list[Event]:
    """Take away question marks of powers that are no enemies of the controller any more (§10.3, §19.3)."""
    void = [(c, p) for c, p in sorted(field.questions.items()) if not held_by_enemy(rules, field, c, p)]
    for city, _ in void:
        del field.questions[city]
    return [QuestionLifted(city, power) for city, power in void]


def sweep_hussars(field: Field, city: City) -> list[Event]:
    """Take the hussars off a city that a piece has entered (§7)."""
    swept = [Hussar(hussar) for hussar, place in enumerate(field.hussars) if place == city]
    for hussar in swept:
        field.hussars[hussar] = OFF
    return [HussarRemoved(hussar, city) for hussar in swept]
