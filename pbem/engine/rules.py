"""Rules that a game hands to the engine, and the exception for an answer that breaks these rules."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import Literal, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import decisions as d
from pbem.engine.board import Board
from pbem.engine.cards import DeckFacts
from pbem.engine.nouns import NO_POWER, City, Piece, Power, each_piece
from pbem.faults.wrong import Wrong, WrongError, wrong


class IllegalOrder(WrongError):
    """Exception for an answer that the rules do not allow, with the reason, its §, and the place in the answer."""

    others: tuple[IllegalOrder, ...] = ()
    """Further refusals of the same answer, each for another reason."""

    def __init__(self, wrong: Wrong, where: tuple[str | int, ...] = ()) -> None:
        """Store the reason `wrong`. `where` is the path into the answer, such as ("path", 2) for the third city of its
        path."""
        super().__init__(wrong)
        self.where = where

    @property
    def rule(self) -> str:
        """Section of the rules (§) that forbids the answer."""
        return self.wrong.section

    def with_rule(self, rule: str) -> IllegalOrder:
        """Return this refusal with another §, for a game whose rule book numbers the rule differently."""
        return IllegalOrder(replace(self.wrong, rule=rule), where=self.where)


def refuse(refusals: Iterable[IllegalOrder]) -> None:
    """Raise the first of several refusals of one answer, with the others. Raise nothing if there are none."""
    found = [*refusals]
    if found:
        found[0].others += tuple(found[1:])
        raise found[0]


Kind = Literal["general", "train"]


class TrainName(NamedTuple):
    """Name of a train: its power, and its number among the power's trains."""

    power: str
    number: int

    def __str__(self) -> str:
        return f"{self.power} train {self.number}"

    @property
    def own(self) -> str:
        """Name without the power, as orders of the train's own power have it."""
        return f"train {self.number}"

    @classmethod
    def read(cls, name: str) -> Self | None:
        """Parse the name of a train. Return None for other names, such as a general's."""
        power, _, number = name.partition(" train ")
        return cls(power, int(number)) if number.isdecimal() else None


class PieceFacts(Struct, frozen=True):
    """Facts printed on a piece, and the least number of troops of a general at the start (§3.1, §4)."""

    name: str
    power: Power
    kind: Kind
    rank: int = 0
    least: int = 1
    supplied_in: tuple[str, ...] = ()
    """Lands besides home where this general is always in supply (§22)."""
    supplied_by: tuple[Power, ...] = ()
    """Powers whose trains supply the general, besides his own power (§22)."""
    enters_in: tuple[str, ...] = ()
    """Lands besides home where the general may re-enter (§22)."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits and prices of a game, such as the ranges of marches. Each game has its own values."""

    general_march: int
    """Most cities of a general's march by any road."""
    general_march_main: int
    """Most cities of a general's march by main roads only."""
    train_march: int
    train_march_main: int
    forced_march: int
    """Longest forced march; 0 if the game has none."""
    stack: int
    """Most generals in one stack."""
    troops: int
    """Most troops of one general."""
    supply: int
    """Longest supply path."""
    protection: int
    """Greatest distance at which a general protects a fortress."""
    raid: int
    """Greatest distance from a general at which a hussar may be placed."""
    train_price: int
    troop_price: int


class Rules(Struct, frozen=True, dict=True):
    """Everything about a game that never changes while it is played."""

    board: Board
    pieces: tuple[PieceFacts, ...]
    limits: Limits
    decks: DeckFacts
    crossing: frozenset[Power]
    """Powers whose pieces may go from one map to the other (§10.1)."""
    always_marked: frozenset[str]
    """Lands whose fortresses always carry a victory marker (§10.3)."""
    raiders: Power = NO_POWER
    """Power whose hussars levy a toll on enemy supply (§9); empty if the game has none."""
    retreated_fight: Literal["neither", "attack"] = "neither"
    """Combats that a general may still fight after a retreat in the same phase: `neither` attack nor defence, or
    `attack` only (§11.1, edition 1.0)."""
    unpaid: Literal["pay all", "keep"] = "pay all"
    """Rule for a power whose hand cannot pay a toll in full (§9): it pays all cards (`pay all`), or keeps the cards
    that the payment does not need (`keep`, edition 1.0)."""
    reserve_for_suit: bool = True
    """True if a Reserve may take the place of a suited card that has to be played (§11.1)."""
    ways: Literal["found", "written"] = "found"
    """Rule for a march whose order leaves cities out: the program finds the path (`found`), or the order is refused,
    because it must name every city (`written`, docs/orders.md)."""
    sequence: Literal["any", "of play"] = "any"
    """Sequence of the orders of powers that act together: any sequence in which all are legal (`any`), or the sequence
    of play (`of play`, §10.1)."""
    objectives: Mapping[City, Power] = {}
    """The only power that may conquer an objective from its guard, keyed by objective. Only the guard may reconquer the
    objective (FRIEDRICH §5)."""
    guards: Mapping[str, Power] = {}
    """Power that defends a land although the land is the home country of another power, keyed by land (FRIEDRICH
    §5)."""
    guarding_trains: frozenset[Power] = frozenset()
    """Powers whose trains protect objectives as generals do (FRIEDRICH §5)."""
    depots: Mapping[Power, tuple[City, ...]] = {}
    """Cities where a power's pieces come back and its generals are in supply, keyed by power (FRIEDRICH §9, §10)."""
    trains_stop: bool = False
    """True if a march ends in the city of the train that it takes (FRIEDRICH §9)."""
    down_conquer: bool = False
    """True if face-down generals conquer like others (FRIEDRICH §9)."""
    facing_spreads: bool = False
    """True if generals who stack with a face-down general turn face-down (FRIEDRICH §9)."""

    @cached_property
    def cache(self) -> dict[Hashable, object]:
        """Values derived from the latest position. Check that a value still holds before you use it."""
        return {}

    @cached_property
    def armies(self) -> dict[tuple[Power, Kind], tuple[Piece, ...]]:
        """Pieces, keyed by their power and kind."""
        found: dict[tuple[Power, Kind], tuple[Piece, ...]] = {}
        for index, piece in each_piece(self.pieces):
            found[piece.power, piece.kind] = (*found.get((piece.power, piece.kind), ()), index)
        return found

    @cached_property
    def forces(self) -> dict[Power, tuple[Piece, ...]]:
        """Pieces of every power, generals before trains."""
        return {power: self.generals(power) + self.trains(power) for power, _ in self.armies}

    @cached_property
    def wagons(self) -> list[tuple[Piece, ...]]:
        """Trains that supply a piece, indexed by piece. They belong to the piece's own power or to other powers
        (§22)."""
        suppliers = [(piece.power, *piece.supplied_by) for piece in self.pieces]
        return [tuple(train for power in powers for train in self.trains(power)) for powers in suppliers]

    @cached_property
    def conquerable(self) -> frozenset[City]:
        """Cities that some power may conquer: all objectives, or all fortresses in a game without objectives (§10.3;
        FRIEDRICH §5)."""
        return frozenset(self.objectives or [city.index for city in self.board.cities if city.fortress])

    @cached_property
    def all_generals(self) -> frozenset[Piece]:
        return frozenset(index for index, piece in each_piece(self.pieces) if piece.kind == "general")

    @cached_property
    def generals_by_name(self) -> dict[str, Piece]:
        return {piece.name: index for index, piece in each_piece(self.pieces) if piece.kind == "general"}

    def generals(self, power: Power) -> tuple[Piece, ...]:
        """Return the generals of a power, by rank."""
        return self.armies.get((power, "general"), ())

    def trains(self, power: Power) -> tuple[Piece, ...]:
        return self.armies.get((power, "train"), ())

    def is_general(self, piece: Piece) -> bool:
        """True for a general; all other pieces are supply trains."""
        return self.pieces[piece].kind == "general"

    def names(self, pieces: Iterable[Piece]) -> tuple[str, ...]:
        return tuple(self.pieces[piece].name for piece in pieces)


def check_names(rules: Rules, answer: d.Answer) -> None:
    """Raise `IllegalOrder` for an answer with a city or a piece that does not exist. Nothing else is checked."""
    match answer:
        case d.Move(pieces, path, _):
            check_pieces(rules, pieces, "pieces")
            check_cities(rules, path, "path")
        case d.RetreatAlong(path):
            check_cities(rules, path, "path")
        case d.Reenter(train, city, _):
            check_pieces(rules, [train], "train")
            check_cities(rules, [city], "city")
        case d.Fight(battle):
            check_cities(rules, [battle.attacker, battle.defender], "battle")
        case d.Allotment(troops) | d.Transfer(troops):
            check_pieces(rules, troops, "troops")
        case d.Recruitment(_, troops, entries, commanders):
            check_pieces(rules, [*troops, *entries], "troops")
            check_pieces(rules, commanders, "commanders")
            check_cities(rules, entries.values(), "entries")


def check_pieces(rules: Rules, pieces: Iterable[Piece], where: str) -> None:
    """Raise `IllegalOrder` for a number that belongs to no piece."""
    for piece in pieces:
        if not 0 <= piece < len(rules.pieces):
            raise IllegalOrder(wrong("E-NO-PIECE", number=piece), where=(where,))


def check_cities(rules: Rules, cities: Iterable[City], where: str) -> None:
    """Raise `IllegalOrder` for a number that belongs to no city."""
    for city in cities:
        if not 0 <= city < len(rules.board.cities):
            raise IllegalOrder(wrong("E-NO-CITY", number=city), where=(where,))
