"""Events and decisions for programs, with names in place of numbers (docs/events.md), and what one game's reports have
of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Generic, TypeAlias, TypeVar, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from pbem.engine import events as e
from pbem.engine.cards import points
from pbem.engine.decisions import Answer, Claim, Decision
from pbem.engine.events import Event
from pbem.engine.nouns import Card, City, Deck, Hussar, Piece, Power, Suit
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules
from pbem.kit import AnyTable, part
from pbem.report import blocks
from pbem.report.picture.position import Beside, PictureWords

RulesT = TypeVar("RulesT")
ViewT = TypeVar("ViewT")
TermsT = TypeVar("TermsT")

Types = tuple[type[Event], ...]


def nothing(*given: object) -> dict[str, object]:
    """No more than is known anyway."""
    return {}


class Worth(Struct, frozen=True):
    """What is worth knowing before a decision that only one game asks, of what everybody sees."""

    answers: tuple[Answer, ...] = ()
    """Answers to show as examples, before those that its form offers."""
    data: dict[str, object] = {}
    """For the words of the question."""


class PrintedCard(Struct, frozen=True):
    """A card that lies open, in words."""

    write: str
    """What stands in orders for it."""
    title: str
    lines: tuple[str, ...]
    says: str


def no_more(*given: object) -> Worth:
    """Nothing but what is asked."""
    return Worth()


def nothing_counted(*given: object) -> dict[str, dict[Power, int]]:
    """Nothing of any power."""
    return {}


def none(*given: object) -> tuple[()]:
    """None at all."""
    return ()


class GameReport(Struct, Generic[RulesT, ViewT, TermsT], frozen=True, kw_only=True):
    """How one game is told; rules and views are that game's own."""

    followers: Mapping[type[Event], Types] = {}
    """Which events, besides those that every game has, belong into the paragraph that an event has begun."""
    in_one_sentence: Types = ()
    """The types whose events make one sentence wherever they are neighbours."""
    looked_up: Callable[[RulesT, Event | Decision], dict[str, object]] = nothing
    """What follows from an event or a decision and the rules, besides what follows in every game."""
    asked: Callable[[RulesT, Decision, str], dict[str, object]] = nothing
    """What the words of a question need besides its data, in a language."""
    worth_knowing: Callable[[AnyTable, Decision], Worth] = no_more
    """What the order sheet tells of a decision besides; by a table of this game."""
    printed: Callable[[AnyTable, Decision, str], tuple[PrintedCard, ...]] = none
    """The cards that lie open and that a decision is about, in a language; by a table of this game."""
    view_data: Callable[[RulesT, ViewT], dict[str, object]]
    """What only positions of this game have, as data."""
    words: Callable[[RulesT, ViewT, str], dict[str, object]] = nothing
    """What the text of a position needs besides its data, in a language."""
    counted: Callable[[ViewT], Mapping[str, Mapping[Power, int]]] = nothing_counted
    """What tells the course of the war: of each power `objectives`, and `pools` and `votes` where there are such."""
    hussars: Callable[[ViewT], tuple[City, ...]] = none
    """The cities where a view shows hussars."""
    beside: Callable[[ViewT, PictureWords, str, Path | None], Beside]
    """What a picture of a view shows beside the map, in a language; own data files are looked for in a folder."""
    maps: Callable[[TermsT], tuple[str, ...]] = none
    """The maps of the board that a game on these terms uses; none are named where it uses all."""


AnyGameReport: TypeAlias = "GameReport[Any, Any, Any]"
"""What a game brings to the reports, to whoever treats all alike."""


def game_report(name: str) -> AnyGameReport:
    return part(name, "report", GameReport)


AnyField: TypeAlias = Any
"""The value of a field, whose type says what it is."""

Namer = Callable[[Rules, AnyField], object]
"""Tells values of one type."""


def as_it_is(rules: Rules, value: object) -> object:
    """A number, a truth value or a key that says it all itself."""
    return value


def hussar(rules: Rules, value: Hussar) -> int:
    """A hussar as people count."""
    return value + 1


def deck(rules: Rules, value: Deck) -> int:
    """A deck as people count."""
    return blocks.deck(value)


def card(rules: Rules, value: Card) -> str:
    """A card with its deck."""
    return blocks.notation(value, with_deck=True)


def cards(rules: Rules, value: Sequence[Card]) -> list[str]:
    """Cards with their decks, as one holds them."""
    return blocks.notations(value, with_deck=True)


def suit(rules: Rules, value: Suit) -> str:
    """The sign of a suit."""
    return blocks.suit(value)


NAMERS: dict[object, Namer] = {
    City: blocks.place,
    Piece: blocks.piece,
    Hussar: hussar,
    Deck: deck,
    Suit: suit,
    Card: card,
    tuple[Card, ...]: cards,
}
"""What is told instead of a number, by what it stands for."""


@cache
def namer_of(kind: object) -> Namer:
    """How values of a type are told."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in NAMERS:
        return NAMERS[kind]
    if origin is tuple:
        return list_namer(namer_of(inner[0]))
    if origin is dict:
        return dict_namer(namer_of(inner[0]), namer_of(inner[1]))
    if origin in (Union, UnionType):
        (known,) = (each for each in inner if each is not NoneType)
        return namer_of(known)
    return fields_data if isinstance(kind, type) and issubclass(kind, Struct) else as_it_is


def list_namer(item: Namer) -> Namer:
    """Several such items, all of one type."""
    return lambda rules, values: [item(rules, value) for value in values]


def dict_namer(key: Namer, item: Namer) -> Namer:
    """Such items by such keys."""
    return lambda rules, values: {key(rules, each): item(rules, value) for each, value in values.items()}


@cache
def namers_of(kind: type[Struct]) -> dict[str, Namer]:
    """How the fields of a struct are told."""
    return {field.name: namer_of(field.type) for field in fields(kind)}


def told_data(rules: GameRules, told: e.Event | Decision) -> dict[str, object]:
    """An event or a decision as plain data, with what a reader would otherwise look up: whose pieces, suits, titles."""
    own_report = game_report(rules.terms.game)
    return {"type": type(told).__name__} | fields_data(rules.common, told) | own_report.looked_up(rules, told)


def fields_data(rules: Rules, told: Struct) -> dict[str, object]:
    """The fields, with names, and what follows from them."""
    named = namers_of(type(told)).items()
    values = ((field, namer, getattr(told, field)) for field, namer in named)
    data = {field: None if value is None else namer(rules, value) for field, namer, value in values}
    return data | looked_up(rules, told)


def looked_up(rules: Rules, told: Struct) -> dict[str, object]:
    """What follows from the fields and the rules, so that no reader has to know the board and the pieces."""
    match told:
        case e.BattleJoined():
            return {
                "attacker": owner(rules, told.attackers[0]),
                "defender": owner(rules, told.defenders[0]),
                "attacking_suit": blocks.city_suit(rules, told.attacking_city),
                "defending_suit": blocks.city_suit(rules, told.defending_city),
            }
        case e.BattleTied():
            return {"attacker": owner(rules, told.attackers[0]), "defender": owner(rules, told.defenders[0])}
        case e.Marched(pieces) | e.Retreated(pieces) | e.RetreatImpossible(pieces):
            return {"power": owner(rules, pieces[0])}
        case e.SupplyTraced(piece) | e.SupplyRestored(piece) | e.SupplyLost(piece):
            return {"power": owner(rules, piece)}
        case e.GeneralRemoved(piece) | e.GeneralEntered(piece):
            return {"power": owner(rules, piece)}
        case e.TrainReentered(train):
            return {"power": owner(rules, train), "worth": points(rules.decks, told.cards)}
        case e.TrainTaken(train):
            return {"power": owner(rules, train)}
        case e.Recruited():
            return {"worth": points(rules.decks, told.cards)}
        case Claim():
            return {"toll": told.toll}
    return {}


def owner(rules: Rules, piece: Piece) -> Power:
    """The power whose piece it is."""
    return rules.pieces[piece].power
