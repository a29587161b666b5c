"""Writes any position as a position file that reads back to the very same position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.duel import Duel, named
from pbem.engine.field import ASIDE, OFF, Piece
from pbem.engine.retreat import Retreat
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.paper.documents.writing import Value, write
from pbem.paper.game_paper import game_paper
from pbem.paper.lexicon import card_text
from pbem.paper.terms import terms_document

ALWAYS = ("draw", "unused")
"""What is written even when empty, for leaving it out would mean something else."""


def write_position(table: Table) -> str:
    """The position file of a table."""
    return write(position_document(table))


def position_document(table: Table) -> dict[str, Value]:
    """The position as a document; what is empty is left out."""
    forms = game_paper(table)
    parts = {**moment_of(table), **field_of(table), **cards_of(table), **combat_of(table)}
    parts |= forms.position_document(table)
    written = {key: parts[key] for key in forms.positions if key in parts}
    return head_of(table) | {key: value for key, value in written.items() if value not in ({}, []) or key in ALWAYS}


def without_empty(document: Mapping[str, Value]) -> dict[str, Value]:
    """The entries that say anything."""
    return {key: value for key, value in document.items() if value not in ("", [], {})}


def head_of(table: Table) -> dict[str, Value]:
    """Which game this is, and from what its shuffles follow."""
    head: dict[str, Value] = {"pbem": 1, "kind": "position", **terms_document(table.rules.terms)}
    if isinstance(table.dealer, SeededDealer):
        head["seed"] = table.dealer.seed
    return head


def moment_of(table: Table) -> dict[str, Value]:
    """Where the game stands in the sequence of play."""
    state = table.state
    names = [table.rules.common.pieces[piece].name for piece in state.moved]
    return {
        "turn": state.turn,
        "stage": state.stage,
        "phase": state.phase,
        "begun": "yes" if state.begun else "no",
        "owing": list(state.owing),
        "moved": names,
    }


def field_of(table: Table) -> dict[str, Value]:
    """Pieces, markers and question marks."""
    rules, field = table.rules.common, table.state.field
    pieces = {facts.name: piece_text(table, field.pieces[index]) for index, facts in enumerate(rules.pieces)}
    start = game_of(table).new_state(table.rules).field
    gone = [city for city in start.markers if city not in field.markers]
    markers = by_power(table, field.markers)
    if gone:
        markers["none"] = city_names(table, gone)
    return {"pieces": pieces, "markers": markers, "questions": by_power(table, field.questions)}


def piece_text(table: Table, piece: Piece) -> str:
    """Where a piece is, its troops, and how it lies."""
    parts = [place_text(table, piece.city)]
    if piece.troops:
        parts.append(str(piece.troops))
    if piece.down:
        parts.append("face-down")
    if piece.on_top:
        parts.append("supreme")
    return ", ".join(parts)


def place_text(table: Table, city: int) -> str:
    """A city, or where a piece is that is not on the map."""
    return {OFF: "off", ASIDE: "aside"}.get(city) or table.rules.common.board.cities[city].name


def by_power(table: Table, cities: dict[int, str]) -> dict[str, Value]:
    """Cities with a power's marker, gathered by power."""
    powers = sorted(set(cities.values()))
    return {power: city_names(table, (city for city in sorted(cities) if cities[city] == power)) for power in powers}


def city_names(table: Table, cities: Iterable[int]) -> list[Value]:
    """Cities by name."""
    return [table.rules.common.board.cities[city].name for city in cities]


def cards_of(table: Table) -> dict[str, Value]:
    """Where every card is; nothing before the first shuffle."""
    cards = table.state.cards
    if table.state.stage == "setup" and not table.state.begun:
        return {}
    return {
        "hands": {power: card_list(hand) for power, hand in cards.hands.items()},
        "draw": card_list(reversed(cards.draw)),
        "unused": [deck + 1 for deck in cards.unused],
        "set aside": card_list(card for pile in cards.discards for card in pile),
        "shuffles": cards.shuffles,
    }


def card_list(cards: Iterable[int]) -> list[Value]:
    """Cards with their decks."""
    return [card_text(card, deck=True) for card in cards]


def combat_of(table: Table) -> dict[str, Value]:
    """What is unfinished in this phase, and the result of a finished game."""
    state = table.state
    battles: list[Value] = [named(table.rules.common, battle) for battle in state.battles]
    document: dict[str, Value] = {"battles": battles}
    if state.duel:
        document["duel"] = duel_document(table, state.duel)
    if state.retreat:
        document["retreat"] = retreat_document(table, state.retreat)
    if state.result:
        document["result"] = game_paper(table).result_document(state.result)
    return document


def duel_document(table: Table, duel: Duel) -> dict[str, Value]:
    """A duel in progress."""
    return {
        "attacking city": name(table, duel.attacking_city),
        "defending city": name(table, duel.defending_city),
        "attacker": duel.attacker,
        "defender": duel.defender,
        "score": duel.score,
        "turn": duel.turn,
    }


def retreat_document(table: Table, retreat: Retreat) -> dict[str, Value]:
    """A retreat still to be chosen."""
    return {
        "start": name(table, retreat.start),
        "length": retreat.length,
        "winner": retreat.winner,
        "from city": name(table, retreat.from_city),
    }


def name(table: Table, city: int) -> str:
    """The name of a city."""
    return table.rules.common.board.cities[city].name
