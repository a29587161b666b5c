"""Positions and open decisions as their reader may know them, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.decisions import Decision
from pbem.engine.field import OFF
from pbem.engine.memory import Memory
from pbem.engine.nouns import City, Piece, each_piece
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules
from pbem.engine.views import DuelView, PieceView, View
from pbem.report import blocks
from pbem.report.blocks import Block, parsed_blocks
from pbem.report.language.templates import TemplateData, macro, template
from pbem.report.telling import game_report, told_data

TEMPLATES = ("decisions.txt.j2", "questions.txt.j2")
"""Templates with the questions: those of the game, then those of all games."""

NO_MORE: Mapping[str, object] = {}


def question(
    rules: GameRules,
    decision: Decision,
    places: Mapping[Piece, City],
    language: str = "en",
    more: Mapping[str, object] = NO_MORE,
) -> str:
    """A decision as one paragraph; `places` has the city of every piece on the map.

    `more` is added to the data of the decision: with `brief` a long list of cities is counted instead of named, with
    `short` everything is left out that the complete order sheet has.
    """
    game, rules = rules.terms.game, blocks.in_words(rules, language)
    standing = {blocks.piece(rules.common, piece): blocks.city(rules.common, city) for piece, city in places.items()}
    data: dict[str, object] = told_data(rules, decision) | {"places": standing, "brief": False, "short": False}
    data |= game_report(game).asked(rules, decision, language) | dict(more)
    return macro(language, game, TEMPLATES, type(decision).__name__, data)


TEMPLATE = "position.txt.j2"


def position_blocks(rules: GameRules, view: View, language: str = "en", memory: Memory | None = None) -> list[Block]:
    """A position in words, with the open decisions of its view as questions."""
    named = blocks.in_words(rules, language)
    data = view_data(named, view, memory)
    places = {index: piece.city for index, piece in each_piece(view.pieces) if piece.city >= 0}
    asked = [question(rules, decision, places, language) for decision in view.decisions]
    words = game_report(rules.terms.game).words(named, view, language) | {
        "asked": asked,
        "forces": {power: [piece for piece in data["pieces"] if piece["power"] == power] for power in data["troops"]},
    }
    return parsed_blocks(template(language, rules.terms.game, TEMPLATE).render(data | words))


def view_data(rules: GameRules, view: View, memory: Memory | None = None) -> TemplateData:
    """The position as plain data, with names instead of numbers; hidden values are null or left out."""
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
    """One piece: its city and the way there, its troops if they are known, and its declaration."""
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
    """Strength that some generals have declared, listed only for the highest in rank; None for all others."""
    for each in memory.declared:
        first, *others = sorted(each.generals, key=lambda general: (rules.pieces[general].rank, general))
        if first == index:
            return {"troops": each.strength, "sure": each.sure, "with": blocks.pieces(rules, others)}
    return None


def commanded_generals(view: View, index: Piece) -> list[Piece]:
    """Other generals of a stack, for the supreme commander; empty for all others (§6)."""

    def seniority(general: Piece) -> tuple[int, bool, int]:
        piece = view.pieces[general]
        return piece.rank, not piece.on_top, general

    own = view.pieces[index]
    if not stacks(own, own):
        return []
    stack = sorted((g for g, piece in each_piece(view.pieces) if stacks(piece, own)), key=seniority)
    return stack[1:] if stack[0] == index else []


def stacks(one: PieceView, other: PieceView) -> bool:
    """True if two pieces are generals in one city; of a piece and itself, if it is a general on the map."""
    return one.city == other.city >= 0 and one.kind == other.kind == "general"


def duel_data(rules: GameRules, view: View, duel: DuelView) -> dict[str, object]:
    """A combat in progress, with each side's score as that side counts it."""
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
    """Generals in a city, the supreme commander first."""
    there = [index for index, piece in each_piece(view.pieces) if piece.city == city and piece.kind == "general"]
    return blocks.pieces(rules.common, sorted(there, key=lambda index: not commanded_generals(view, index)))
