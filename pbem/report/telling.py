"""Events, decisions and positions as data, as far as their reader may know them, with names in place of numbers
(docs/events.md). The module also defines the part of reports that each game adds (`GameReport`)."""

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
from pbem.engine.field import OFF
from pbem.engine.memory import Memory
from pbem.engine.nouns import Card, City, Deck, Hussar, Piece, Power, Suit, each_piece
from pbem.engine.rules import Rules
from pbem.engine.table import DuelView, GameRules, PieceView, View
from pbem.kit import AnyTable, part
from pbem.report import blocks
from pbem.report.blocks import Block, parsed_blocks
from pbem.report.language.templates import TemplateData, macro, template
from pbem.report.picture.position import MapMargin, PictureWords
from pbem.report.printed import PoliticalDisplay, PrintedCard, no_display

RulesT = TypeVar("RulesT")
ViewT = TypeVar("ViewT")
TermsT = TypeVar("TermsT")

Types = tuple[type[Event], ...]


def no_data(*given: object) -> dict[str, Any]:
    return {}


class Worth(Struct, frozen=True):
    """Facts that an order sheet needs for a decision: answers that it shows as examples, and data for the question."""

    answers: tuple[Answer, ...] = ()
    """Answers that the sheet shows as its examples. If there are none, the sheet chooses other examples."""
    data: dict[str, object] = {}
    """Data that are needed for the words of the question."""


def no_turn(event: Event) -> bool:
    return False


def no_facts(*given: object) -> Worth:
    return Worth()


def no_items(*given: object) -> tuple[()]:
    return ()


class GameReport(Struct, Generic[RulesT, ViewT, TermsT], frozen=True, kw_only=True):
    """Part of reports that a game adds. Its functions are called with rules and views of the game's own types."""

    followers: Mapping[type[Event], Types] = {}
    """Types of events that this game adds to a passage. The key is the type with which the passage begins."""
    in_one_sentence: Types = ()
    """Types of events that are told in one sentence if events of the same type follow each other."""
    behind_draws: Types = ()
    """Types of events that a short account tells after the drawn cards, because they follow from the draws."""
    turns_war: Callable[[Event], bool] = no_turn
    """Function that returns True if an event makes a power change sides, leave or rejoin the war, or win otherwise."""
    concern_all: Types = ()
    """Types of this game's events that concern every power, even if they name only one."""
    looked_up: Callable[[RulesT, Event | Decision], dict[str, object]] = no_data
    """Function that returns data which readers of an event or a decision would otherwise look up in the rules."""
    asked: Callable[[RulesT, Decision, str], dict[str, object]] = no_data
    """Function that returns data for the question about a decision, in a language. They are needed besides the data of
    the decision itself."""
    worth_knowing: Callable[[AnyTable, Decision], Worth] = no_facts
    """Function that returns the facts that an order sheet needs for a decision."""
    beginning: Callable[[AnyTable, Decision], Answer | None] = lambda table, decision: None
    """Function that returns the answer that a sheet shows in place of the default orders, or None."""
    at_stake: Callable[[AnyTable, Decision, str], tuple[str, ...]] = no_items
    """Function that returns sentences about public facts that are important for a decision, in a language."""
    standing: Callable[[AnyTable, str], tuple[str, ...]] = no_items
    """Function that returns lines about the public markers and tracks of a position, in a language."""
    display: Callable[[AnyTable, str, Mapping[Power, str]], PoliticalDisplay] = no_display
    """Function that returns the political tracks of a position for a drawing, in a language. Its last argument has the
    mark of each power on the board."""
    printed: Callable[[AnyTable, Decision, str], tuple[PrintedCard, ...]] = no_items
    """Function that returns the face-up cards that a decision is about, with their texts in a language."""
    option_words: Callable[[AnyTable, Decision, str], Mapping[str, str]] = no_data
    """Function that returns words, in a language, for options that orders write in short. The key of an option is its
    path in the decision's form: the keys that lead to it and the option itself, joined by `/`. If the option is about
    one card, its path begins with the card."""
    view_data: Callable[[RulesT, ViewT], dict[str, object]]
    """Function that returns data that only positions of this game have."""
    words: Callable[[RulesT, ViewT, str], dict[str, object]] = no_data
    """Function that returns the data, in a language, that only the text of a position needs."""
    counted: Callable[[ViewT], Mapping[str, Mapping[Power, int]]] = no_data
    """Function that returns numbers for the course of the war: the `objectives` of each power, and also `pools` and
    `votes` if the game has them."""
    progress: Callable[[ViewT], Mapping[Power, tuple[int, int]]] = lambda view: {}
    """Function that returns two numbers for each power that can win by fortresses or markers: the number that it has,
    and the number with which it wins."""
    battle_markers: Callable[[RulesT, ViewT], Mapping[Power, int]] = lambda rules, view: {}
    """Function that returns the most markers that each power can still gain by battles."""
    after_conquests: Callable[[AnyTable, Sequence[Event]], object] = no_items
    """Function that makes the changes to markers that follow from conquests."""
    hussars: Callable[[ViewT], tuple[City, ...]] = no_items
    """Function that returns the cities where hussars stand."""
    margin: Callable[[ViewT, PictureWords, str, Path | None], MapMargin]
    """Function that returns all that a picture shows beside the map, in a language. The folder, if given, has the data
    files that the campaign brings itself."""
    maps: Callable[[TermsT], tuple[str, ...]] = no_items
    """Function that returns the maps of the board that a game with these terms uses, or nothing if it uses all."""


AnyGameReport: TypeAlias = "GameReport[Any, Any, Any]"
"""Part of reports that a game adds, in code that does not know which game it is."""


def game_report(name: str) -> AnyGameReport:
    return part(name, "report", GameReport)


AnyField: TypeAlias = Any
"""Value of a field. It has the type that the struct declares for the field."""

Namer = Callable[[Rules, AnyField], object]
"""Function that converts values of a type to names, or to data with names."""


def hussar(rules: Rules, value: Hussar) -> int:
    return value + 1


def deck(rules: Rules, value: Deck) -> int:
    return blocks.deck(value)


def card(rules: Rules, value: Card) -> str:
    return blocks.notation(value, with_deck=True)


def cards(rules: Rules, value: Sequence[Card]) -> list[str]:
    return blocks.notations(value, with_deck=True)


def suit(rules: Rules, value: Suit) -> str:
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
"""Functions that convert numbers to names, keyed by the type of the number. Their return types are those that names in
a record have (`record/schema.py`). Several cards are sorted as a hand is shown."""


@cache
def namer_of(kind: object) -> Namer:
    """Return the function that converts values of this type to names."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in NAMERS:
        return NAMERS[kind]
    if origin is tuple:
        item = namer_of(inner[0])
        return lambda rules, values: [item(rules, value) for value in values]
    if origin is dict:
        key, item = map(namer_of, inner)
        return lambda rules, values: {key(rules, each): item(rules, value) for each, value in values.items()}
    if origin in (Union, UnionType):
        (known,) = (each for each in inner if each is not NoneType)
        return namer_of(known)
    return fields_data if isinstance(kind, type) and issubclass(kind, Struct) else lambda rules, value: value


@cache
def namers_of(kind: type[Struct]) -> dict[str, Namer]:
    """Return, for each field of a struct, the function that converts its value. The key is the field's name."""
    return {field.name: namer_of(field.type) for field in fields(kind)}


def told_data(rules: GameRules, struct: e.Event | Decision) -> dict[str, object]:
    """Return an event or a decision as data. They also have facts that a reader would otherwise look up: powers of
    pieces, suits, titles."""
    own_report = game_report(rules.terms.game)
    return {"type": type(struct).__name__} | fields_data(rules.common, struct) | own_report.looked_up(rules, struct)


def fields_data(rules: Rules, struct: Struct) -> dict[str, object]:
    """Return a struct as data. It has names in place of numbers, and also the facts of `facts_looked_up`."""
    named = namers_of(type(struct)).items()
    values = ((field, namer, getattr(struct, field)) for field, namer in named)
    data = {field: None if value is None else namer(rules, value) for field, namer, value in values}
    return data | facts_looked_up(rules, struct)


def facts_looked_up(rules: Rules, struct: Struct) -> dict[str, object]:
    """Return facts from the rules about a struct's fields, so that readers need not know the board and the pieces."""
    match struct:
        case e.BattleJoined():
            return {
                "attacker": owner(rules, struct.attackers[0]),
                "defender": owner(rules, struct.defenders[0]),
                "attacking_suit": blocks.city_suit(rules, struct.attacking_city),
                "defending_suit": blocks.city_suit(rules, struct.defending_city),
            }
        case e.BattleTied():
            attacker, defender = struct.attackers[0], struct.defenders[0]
            return {"attacker": owner(rules, attacker), "defender": owner(rules, defender)}
        case e.Marched(pieces) | e.Retreated(pieces) | e.RetreatImpossible(pieces):
            return {"power": owner(rules, pieces[0])}
        case (
            e.SupplyTraced(piece) | e.SupplyRestored(piece) | e.SupplyLost(piece)
            | e.GeneralRemoved(piece) | e.GeneralEntered(piece) | e.TrainTaken(piece)
        ):  # fmt: skip
            return {"power": owner(rules, piece)}
        case e.TrainReentered(train):
            return {"power": owner(rules, train), "worth": points(rules.decks, struct.cards)}
        case e.Recruited():
            return {"worth": points(rules.decks, struct.cards)}
        case Claim():
            return {"toll": struct.toll}
    return {}


def owner(rules: Rules, piece: Piece) -> Power:
    return rules.pieces[piece].power


TEMPLATES = ("decisions.txt.j2", "questions.txt.j2")
"""Templates with questions. Those of the game come before those of all games."""

NO_MORE: Mapping[str, object] = {}


def question(
    rules: GameRules,
    decision: Decision,
    places: Mapping[Piece, City],
    language: str = "en",
    more: Mapping[str, object] = NO_MORE,
) -> str:
    """Return the question about a decision, as one paragraph. `places` has the city of each piece. `more` is additional
    data for the template: `brief` replaces a long list of cities by a number, and `short` is for short sheets."""
    game, rules = rules.terms.game, blocks.in_words(rules, language)
    standing = {blocks.piece(rules.common, piece): blocks.city(rules.common, city) for piece, city in places.items()}
    limits = rules.common.limits
    data: dict[str, object] = told_data(rules, decision) | {"places": standing, "brief": False, "short": False}
    data["most_of_reserve"] = rules.common.decks.reserve_most
    data["prices"] = {"train": limits.train_price, "troop": limits.troop_price}
    data |= game_report(game).asked(rules, decision, language) | dict(more)
    return macro(language, game, TEMPLATES, type(decision).__name__, data)


def questions(rules: GameRules, view: View, language: str, more: Mapping[str, object] = NO_MORE) -> list[str]:
    places = {index: piece.city for index, piece in each_piece(view.pieces) if piece.city >= 0}
    beside = {**more, **battle_facts(view)}
    return [question(rules, decision, places, language, beside) for decision in view.decisions]


def battle_facts(view: View) -> dict[str, object]:
    """Return facts that help a player to choose a card in the present combat. Return an empty dict if there is no
    combat. `stake` is the number of troops of the stack that plays next (0 if unknown), and `generals` the number of
    its generals. `foe` is the enemy power, and `foe_cards` the number of its cards."""
    duel = view.duel
    if duel is None:
        return {}
    is_attacker = duel.to_play == duel.attacker
    city, foe = (duel.attacking_city, duel.defender) if is_attacker else (duel.defending_city, duel.attacker)
    troops = [piece.troops for piece in view.pieces if piece.city == city and piece.kind == "general"]
    staked = sum(number or 0 for number in troops) if all(troops) else 0
    return {"stake": staked, "generals": len(troops), "foe": foe, "foe_cards": view.hand_sizes[foe]}


TEMPLATE = "position.txt.j2"


def position_blocks(rules: GameRules, view: View, language: str = "en", memory: Memory | None = None) -> list[Block]:
    """Tell a position in words. The open decisions of its view are told as questions."""
    named = blocks.in_words(rules, language)
    data = view_data(named, view, memory)
    words = game_report(rules.terms.game).words(named, view, language) | {
        "asked": questions(rules, view, language),
        "forces": {power: [piece for piece in data["pieces"] if piece["power"] == power] for power in data["troops"]},
    }
    return parsed_blocks(template(language, rules.terms.game, TEMPLATE).render(data | words))


def view_data(rules: GameRules, view: View, memory: Memory | None = None) -> TemplateData:
    """Return a position as data, with names in place of numbers. Values that the reader may not know are null or left
    out. If `memory` is given, pieces have the path on which they came and the strength that they stated."""
    common = rules.common
    marked = {city: power for city, power in sorted(view.markers.items()) if common.board.in_play(city)}
    return {
        "powers": list(view.powers),
        "turn": view.turn,
        "stage": view.stage,
        "phase": view.phase,
        "owing": list(view.owing),
        "decisions": [told_data(rules, decision) for decision in view.decisions],
        "pieces": [piece_data(rules, view, index, memory) for index, _ in each_piece(view.pieces)],
        "moved": blocks.pieces(common, view.moved),
        "troops": dict(view.troops),
        "markers": {blocks.city(common, city): power for city, power in marked.items()},
        "questions": {blocks.city(common, city): power for city, power in sorted(view.questions.items())},
        "hand_sizes": {power: view.hand_sizes[power] for power in rules.powers},
        "hands": {power: blocks.notations(hand, with_deck=True) for power, hand in view.hands.items()},
        "draw_deck": view.draw_deck,
        "unused_decks": view.unused_decks,
        "set_aside": list(view.set_aside),
        "duel": duel_data(rules, view, view.duel) if view.duel else None,
        **game_report(rules.terms.game).view_data(rules, view),
    }


def piece_data(rules: GameRules, view: View, index: Piece, memory: Memory | None) -> TemplateData:
    """Return the data of one piece, such as its city, the path on which it came, its troops if they are known, and the
    strength that it stated."""
    piece = view.pieces[index]
    on_map = piece.city >= 0
    return {
        "name": blocks.piece(rules.common, index),
        "power": piece.power,
        "kind": piece.kind,
        "rank": piece.rank or None,
        "place": "map" if on_map else "removed" if piece.city == OFF else "aside",
        "city": blocks.place(rules.common, piece.city),
        "suit": blocks.city_suit(rules.common, piece.city) if on_map else None,
        "face_down": piece.down,
        "troops": piece.troops,
        "commands": blocks.pieces(rules.common, commanded_generals(view, index)),
        "came": blocks.cities(rules.common, memory.ways.get(index, ()) if memory else ()),
        "declared": declared_by(rules.common, index, memory) if memory else None,
    }


def declared_by(rules: Rules, index: Piece, memory: Memory) -> TemplateData | None:
    """Return the strength that a general stated, alone or together with others. If there are others, only the general
    of the highest rank has it."""
    for each in memory.declared:
        first, *others = sorted(each.generals, key=lambda general: (rules.pieces[general].rank, general))
        if first == index:
            return {"troops": each.strength, "sure": each.is_exact, "with": blocks.pieces(rules, others)}
    return None


def commanded_generals(view: View, index: Piece) -> list[Piece]:
    """Return the other generals in a stack if this piece is their supreme commander. Else return none (§6)."""

    def seniority(general: Piece) -> tuple[int, bool, int]:
        piece = view.pieces[general]
        return piece.rank, not piece.on_top, general

    own = view.pieces[index]
    if not are_stacked(own, own):
        return []
    stack = sorted((g for g, piece in each_piece(view.pieces) if are_stacked(piece, own)), key=seniority)
    return stack[1:] if stack[0] == index else []


def are_stacked(first: PieceView, second: PieceView) -> bool:
    """True if both pieces are generals in the same city. A general on the map counts as stacked with himself."""
    return first.city == second.city >= 0 and first.kind == second.kind == "general"


def duel_data(rules: GameRules, view: View, duel: DuelView) -> dict[str, object]:
    """Return the data of a combat in progress. The defender's score is the attacker's score with the opposite sign."""
    sides = (("attacker", duel.attacker, duel.attacking_city, 1), ("defender", duel.defender, duel.defending_city, -1))
    return {
        **{
            side: {
                "power": power,
                "generals": generals_in(rules, view, city),
                "city": blocks.city(rules.common, city),
                "suit": blocks.city_suit(rules.common, city),
                "score": duel.score * sign,
            }
            for side, power, city, sign in sides
        },
        "to_play": duel.to_play,
    }


def generals_in(rules: GameRules, view: View, city: City) -> list[str]:
    """Return the names of the generals in a city, the supreme commander first."""
    there = [index for index, piece in each_piece(view.pieces) if piece.city == city and piece.kind == "general"]
    return blocks.pieces(rules.common, sorted(there, key=lambda index: not commanded_generals(view, index)))
