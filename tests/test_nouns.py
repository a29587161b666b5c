"""Fields of events, decisions and answers that hold a city, a piece, a card or a power have its type, in every game.

How a field is told follows from its type (`pbem/report/telling.py`), so that a bare number would be told as it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import pytest
from msgspec import Struct
from msgspec.structs import fields

from pbem.bots.plain import choose
from pbem.engine.cards import SeededDealer, deck_cards
from pbem.engine.decisions import Answer, Claim, Decision, Pairing
from pbem.engine.events import Event
from pbem.engine.field import ASIDE, OFF
from pbem.engine.nouns import Card, City, Deck, Hussar, Piece, Power, Suit
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.politics_data import Political
from pbem.kit import game_named
from pbem.paper.library import load_rules
from pbem.report.telling import told_data
from pbem.resources import games

sys.path.append(str(Path(__file__).parent / "toy_game"))

from toy_game.rules.state import Terms as ToyTerms

for game in games():
    game_named(game)

KINDS: list[type[Struct]] = [
    *(each for kind in (Event, Decision, Answer) for each in kind.__subclasses__()),
    Claim,
    Pairing,
]
NOUNS = (City, Piece, Hussar, Card, Deck, Suit, Political, Power)
PLAIN = {
    *("allotment", "attacking_troops", "box", "change", "charles", "count", "defending_troops", "end", "fate"),
    *("francis", "held", "least", "length", "lost", "most", "number", "owed", "player", "players"),
    *("points", "price", "room", "score", "scores", "set_aside", "shifts", "stage", "steps", "toll", "track"),
    *("troops", "turn", "turns", "value", "votes", "words"),
    *("DeckShuffled.cards", "FateShuffled.cards", "GameEnded.winner", "TrackShifted.start"),
}
"""Fields with a number or a word that says it all itself; with their type where others of that name hold a noun."""


def leaves(kind: Any) -> Iterator[Any]:
    """The types of what a value of a type holds in the end."""
    inner = get_args(kind)
    if kind in NOUNS or not inner:
        yield kind
        return
    for each in inner:
        if each not in (..., NoneType):
            yield from leaves(each)


def bare() -> Iterator[tuple[str, str]]:
    """The fields with a number or a word of no further type."""
    for kind in KINDS:
        for field in fields(kind):
            if {int, str} & {leaf for leaf in leaves(field.type) if isinstance(leaf, type)}:
                yield kind.__name__, field.name


def test_what_is_no_noun_is_known() -> None:
    typed = {field.name for kind in KINDS for field in fields(kind) if set(leaves(field.type)) <= set(NOUNS)}
    found = {f"{kind}.{name}" if name in typed else name for kind, name in bare()}
    assert found == PLAIN


def held(kind: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """The nouns in a value of a type, each with what stands there."""
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    match value:
        case None:
            pass
        case Struct():
            for field in fields(value):
                yield from held(field.type, getattr(value, field.name))
        case tuple():
            for each in value:
                yield from held(get_args(kind)[0], each)
        case dict():
            for key, item in value.items():
                yield from (*held(get_args(kind)[0], key), *held(get_args(kind)[1], item))
        case _ if kind in NOUNS:
            yield kind, value


def known(rules: Any) -> dict[Any, set[Any]]:
    """All that a noun can stand for in a game."""
    common = rules.common
    return {
        City: {*range(len(common.board.cities)), OFF, ASIDE},
        Piece: set(range(len(common.pieces))),
        Hussar: set(range(8)),
        Card: {card for deck in range(common.decks.decks) for card in deck_cards(common.decks, deck)},
        Deck: set(range(common.decks.decks)),
        Suit: set(range(4)),
        Political: {card.number for card in rules.politics.cards} if hasattr(rules, "politics") else set(),
        # A card can be set aside for nobody, and nobody be named as who gets what a political card gives.
        Power: {*rules.powers, ""},
    }


NAMED = {City, Piece, Card, Suit}
"""Types with a name or a sign."""


def holds_numbers(data: object) -> bool:
    """True if there is a number in the text."""
    inner = [*data, *data.values()] if isinstance(data, dict) else data if isinstance(data, list) else []
    return isinstance(data, int) or any(map(holds_numbers, inner))


def untold(data: Mapping[str, object], kind: type[Struct]) -> list[str]:
    """The fields that should hold names alone, and do not."""
    named = [field.name for field in fields(kind) if set(leaves(field.type)) <= NAMED]
    return [name for name in named if holds_numbers(data[name])]


GAMES = [Terms("advanced"), Terms("silesia-gambit"), FriedrichTerms("four", True), ToyTerms("toy", "race", "ring")]


@pytest.mark.parametrize("terms", GAMES, ids=lambda terms: f"{terms.game}-{terms.scenario}")
def test_what_stands_in_a_field_is_of_its_noun_and_told_by_name(terms: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if terms.game == "toy":
        monkeypatch.setitem(games(), "toy", "toy_game")
    rules = load_rules(terms)
    game, chance, nouns = game_named(terms.game), Random("nouns"), known(rules)
    table, events = game.start(rules, SeededDealer("nouns"))
    while table.state.phase != "over" and chance.random() < 0.999:
        asked = chance.choice(game.decisions(table))
        answer = choose(table, asked, chance)
        for each in (*events, *game.decisions(table), answer):
            assert [(noun, what) for noun, what in held(type(each), each) if what not in nouns[noun]] == [], each
            data = told_data(rules, each)
            assert json.loads(json.dumps(data)) == data
            assert untold(data, type(each)) == [], data
        events = game.apply(table, asked.power, answer)
