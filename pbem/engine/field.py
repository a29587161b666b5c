"""Pieces on the map at one moment, their places, and simple facts about them (MARIA §3, §6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import compress, count
from operator import is_not
from typing import Any, ParamSpec, TypedDict, TypeVar, Unpack, cast

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.engine.rules import Rules

OFF = City(-1)
"""The place of a piece that has been removed and may come back, and of a hussar beside the board."""

ASIDE = City(-2)
"""The place of a piece that takes no part: in a box beside the map, or on a map that is not used."""


class PieceState(Struct, frozen=True):
    """State of one piece at one moment. `alter` replaces the object, and never changes it."""

    city: City
    troops: int = 0
    down: bool = False
    """True if the piece is face-down, because it was out of supply (§9)."""
    on_top: bool = False
    """True if the general was chosen as supreme commander over a general of equal rank (§6)."""


class Parts(TypedDict, total=False):
    """New values of a piece's fields, as arguments of `alter`."""

    city: City
    troops: int
    down: bool
    on_top: bool


class Alliances(Struct, frozen=True):
    """Enemies and partners of every power. The object never changes: `alliances_with` makes a new one."""

    side: Mapping[Power, str]
    """Side of each power. Powers of one side are allied, powers of different sides are enemies (§2). The side of a
    neutral power is empty."""
    group: Mapping[Power, str]
    """Group of each power. Powers of one group co-operate: they stack and protect each other's fortresses (§2)."""
    principal: Mapping[Power, Power]
    """The major power whose markers a power uses (§10.3)."""
    home: Mapping[str, Power]
    """Power of each land that is a home country (§3.2)."""
    player: Mapping[Power, str]
    stage: Mapping[Power, str]
    """Stage of the turn in which each power acts (§5)."""
    stacking: tuple[Power, ...] = ()
    """Powers that permit generals of another player's power to stack with their own generals (§10.1)."""


class Field(Struct):
    """Everything that lies on the map, and the alliances of the powers."""

    pieces: list[PieceState]
    alliances: Alliances
    markers: Mapping[City, Power]
    """Fortresses with a victory or elector marker, and the marker's power (§3.2). Changed by `mark` and `unmark`."""
    questions: dict[City, Power]
    """Fortresses with a question mark, and the power that would conquer them (§10.3)."""
    hussars: list[City]
    half_active: str = ""
    """Name of the half-active map (Silesia Gambit §2.1); empty if there is none. On that map pieces do not fight, and
    they do not leave it. Marches end there only in friendly home countries."""


def alter(field: Field, piece: Piece, **parts: Unpack[Parts]) -> None:
    field.pieces[piece] = replace(field.pieces[piece], **parts)


def alliances_with(alliances: Alliances, **parts: Mapping[Power, str] | Mapping[str, Power]) -> Alliances:
    """Return a copy of the alliances with new entries. The arguments in `parts` are named like the fields that change,
    and have the new entries of these fields."""
    return replace(alliances, **{name: getattr(alliances, name) | part for name, part in parts.items()})


def mark(field: Field, city: City, power: Power) -> None:
    """Lay a marker of a power on a fortress."""
    field.markers = {**field.markers, city: power}


def unmark(field: Field, cities: Collection[City]) -> None:
    """Remove the markers from these cities."""
    field.markers = {city: power for city, power in field.markers.items() if city not in cities}


def are_enemies(field: Field, first: Power, second: Power) -> bool:
    """True if two powers are enemies (§2). A neutral power has no side and no enemies (§19.4)."""
    side = field.alliances.side
    return side[first] != side[second] and bool(side[first]) and bool(side[second])


def are_allied(field: Field, first: Power, second: Power) -> bool:
    """True if `first` and `second` are one power or allied (§2). A neutral power has no allies (§19.4)."""
    side = field.alliances.side
    return first == second or (side[first] == side[second] and bool(side[first]))


def are_partners(field: Field, first: Power, second: Power) -> bool:
    """True if `first` and `second` are one power or co-operate (§2)."""
    return field.alliances.group[first] == field.alliances.group[second]


def is_neutral(field: Field, power: Power) -> bool:
    """True if a power takes neither side (§19.4)."""
    return not field.alliances.side[power]


def closed_lands(rules: Rules, field: Field, powers: Iterable[Power]) -> frozenset[str]:
    """Return the lands that neutrality closes to pieces of these powers (§19.4). Pieces of a neutral power may enter
    only its home country. Pieces of other powers may enter no home country of a neutral power."""
    homes = field.alliances.home
    if all(field.alliances.side.values()):
        return frozenset()
    closed: set[str] = set()
    for power in powers:
        closed |= {land for land, home in homes.items() if home != power and is_neutral(field, home)}
        if is_neutral(field, power):
            closed |= {land for land in rules.board.land if homes.get(land) != power}
    return frozenset(closed)


def may_stack(field: Field, first: Power, second: Power) -> bool:
    """True if generals of two powers may stack (§6, §10.1). The powers must be partners. Besides, one player must have
    both powers, or both powers must permit stacking."""
    alliances = field.alliances
    if not are_partners(field, first, second):
        return False
    return alliances.player[first] == alliances.player[second] or {first, second}.issubset(alliances.stacking)


def home_of(rules: Rules, field: Field, city: City) -> Power | None:
    """Return the power in whose home country the city lies; None if it lies in no home country."""
    return field.alliances.home.get(rules.board.land[city])


def guard_of(rules: Rules, field: Field, city: City) -> Power | None:
    """Return the power that `Rules.guards` names for the land of the city. If there is none, return the power whose
    home country the land is. Return None if there is neither."""
    return rules.guards.get(rules.board.land[city]) or home_of(rules, field, city)


def at_home(rules: Rules, field: Field, piece: Piece) -> bool:
    """True if the piece stands in its power's home country, in a depot of its power, or in another land where it is
    always in supply (§9, §22)."""
    city, facts = field.pieces[piece].city, rules.pieces[piece]
    if home_of(rules, field, city) == facts.power or city in rules.depots.get(facts.power, ()):
        return True
    return rules.board.land[city] in facts.supplied_in


def occupants(field: Field) -> dict[City, list[Piece]]:
    """Return the pieces on the map, keyed by city. Only occupied cities are in the dict."""
    taken: dict[City, list[Piece]] = {}
    for index, piece in each_piece(field.pieces):
        city = piece.city
        if city >= 0:
            if city in taken:
                taken[city].append(index)
            else:
                taken[city] = [index]
    return taken


def pieces_at(field: Field, city: City) -> list[Piece]:
    return [index for index, piece in each_piece(field.pieces) if piece.city == city]


def by_command(rules: Rules, field: Field, generals: Iterable[Piece]) -> list[Piece]:
    """Return generals sorted by rank, the highest first. Of two generals of equal rank, the general whom the owner has
    chosen (`on_top`) comes first. The first general of a stack is its supreme commander (§6)."""
    return sorted(generals, key=lambda g: (rules.pieces[g].rank, not field.pieces[g].on_top, g))


def stack_at(rules: Rules, field: Field, city: City) -> list[Piece]:
    """Return the generals in a city, the supreme commander first."""
    return by_command(rules, field, (p for p in pieces_at(field, city) if rules.is_general(p)))


def commanding_power(rules: Rules, field: Field, city: City) -> Power:
    return rules.pieces[stack_at(rules, field, city)[0]].power


def troops_at(rules: Rules, field: Field, city: City) -> int:
    return sum(field.pieces[general].troops for general in stack_at(rules, field, city))


def troops_of(rules: Rules, field: Field, power: Power) -> int:
    """Return the troop total of a power, which anybody may ask for (§6). Only generals on the map count."""
    pieces = field.pieces
    return sum([pieces[g].troops for g in rules.generals(power) if pieces[g].city >= 0])


def remove(field: Field, piece: Piece, place: City = OFF) -> None:
    """Take a piece off the map. It loses its troops and is turned face-up. It may come back later if `place` is `OFF`,
    but not if `place` is `ASIDE`."""
    field.pieces[piece] = PieceState(place)


def release_command(rules: Rules, field: Field, city: City) -> None:
    """Remove the choice of supreme commander in a city where only one general is left (§6)."""
    commanders = [index for index, piece in each_piece(field.pieces) if piece.on_top and piece.city == city]
    if commanders and len(stack_at(rules, field, city)) == 1:
        alter(field, commanders[0], on_top=False)


P = ParamSpec("P")
T = TypeVar("T")


class PositionCache:
    """Cache of values that depend on one part of the position. It is replaced when that part changes."""

    def __init__(self) -> None:
        self.found: dict[Hashable, Any] = {}  # the value of each key has another type

    def once(self, key: Hashable, make: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Return the value cached under `key`; at the first use, `make` computes the value. Besides the position, the
        value may depend only on the key."""
        try:
            found: T = self.found[key]
        except KeyError:
            found = self.found[key] = make(*given, **named)
        return found


def changed_pieces(now: Sequence[PieceState], then: Sequence[PieceState]) -> list[Piece]:
    """Return the pieces whose states in `now` and `then` are not the same object."""
    return cast("list[Piece]", list(compress(count(), map(is_not, now, then))))


def pieces_aside(field: Field) -> list[Piece]:
    """Return the pieces that take no part in the game (`ASIDE`)."""
    return [index for index, piece in each_piece(field.pieces) if piece.city == ASIDE]


class PiecesByCity(PositionCache):
    """Cache of the pieces in every occupied city, and of the pieces that take no part."""

    def __init__(self, field: Field, before: PiecesByCity | None) -> None:
        """Build the cache of a position. This is quicker if `before`, the cache of an earlier position, is given."""
        super().__init__()
        self.pieces = list(field.pieces)
        if before is None or len(before.pieces) != len(self.pieces):
            self.at, self.aside = occupants(field), pieces_aside(field)
            return
        self.at, self.aside = dict(before.at), before.aside
        for index in changed_pieces(self.pieces, before.pieces):
            start, end = before.pieces[index].city, self.pieces[index].city
            if start != end:
                self.move(index, start, end)
                if ASIDE in (start, end):
                    self.aside = pieces_aside(field)

    def move(self, piece: Piece, start: City, end: City) -> None:
        """Move a piece to another city."""
        # Other caches may hold these lists, so they are replaced and never changed.
        there = self.at.pop(start, ())
        if len(there) > 1:
            self.at[start] = [other for other in there if other != piece]
        if end >= 0:
            others = self.at.get(end)
            self.at[end] = sorted([*others, piece]) if others else [piece]


def pieces_by_city(rules: Rules, field: Field) -> PiecesByCity:
    """Return the cache of the pieces by city. The latest cache is returned again if no piece has changed since."""
    latest = rules.cache.get("standing")
    before = latest if isinstance(latest, PiecesByCity) else None
    # Fast: states of pieces are shared values, so comparing lists mostly compares identity.
    if before is not None and before.pieces == field.pieces:
        return before
    found = rules.cache["standing"] = PiecesByCity(field, before)
    return found
