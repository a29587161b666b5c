"""Events and decisions for programs: the same facts with names in place of numbers (documented in docs/events.md).

What a field holds is said by its type: a `City` is told by its name, in every event and every decision. A secret field
that the reader may not know is null.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from pbem.engine import events as e
from pbem.engine.cards import points
from pbem.engine.decisions import Claim, Decision
from pbem.engine.nouns import Card, City, Deck, Hussar, Piece, Power, Suit
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules
from pbem.report import naming
from pbem.report.game_report import game_report

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
    return naming.deck(value)


def card(rules: Rules, value: Card) -> str:
    """A card with its deck."""
    return naming.notation(value, with_deck=True)


def cards(rules: Rules, value: Sequence[Card]) -> list[str]:
    """Cards with their decks, as one holds them."""
    return naming.notations(value, with_deck=True)


def suit(rules: Rules, value: Suit) -> str:
    """The sign of a suit."""
    return naming.suit(value)


NAMERS: dict[object, Namer] = {
    City: naming.place,
    Piece: naming.piece,
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
                "attacking_suit": naming.city_suit(rules, told.attacking_city),
                "defending_suit": naming.city_suit(rules, told.defending_city),
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
