"""Writes the Clock of Fate for position files."""

from __future__ import annotations

from pbem.engine.board import SUITS
from pbem.engine.duel import named
from pbem.games.friedrich.paper.fate import card_name
from pbem.games.friedrich.rules.state import InForce, Offensive
from pbem.games.friedrich.rules.table import Table
from pbem.paper.documents.writing import Value
from pbem.paper.lexicon import card_text
from pbem.paper.positions.writing import without_empty


def fate_document(table: Table) -> dict[str, Value]:
    """Everything about the clock; before the first shuffle its deck is in order, and nothing is written."""
    state, rules = table.state, table.rules
    if state.stage == "setup" and not state.begun:
        return {}
    fate, facts, pieces = state.fate, rules.fate, rules.common.pieces
    written: dict[str, Value] = {
        "deck": [card_name(facts, number) for number in reversed(fate.deck)],
        "out": [card_name(facts, number) for number in fate.out],
        "in force": [in_force_document(table, entry) for entry in fate.in_force],
        "quit": list(fate.quit),
        "eased": list(fate.eased),
        "victor": "" if fate.winner is None else pieces[fate.winner].name,
        "drawn": "" if fate.drawn is None else card_name(facts, fate.drawn),
        "version": "" if fate.version is None else SUITS[fate.version],
        "beaten": [pieces[general].name for general in fate.beaten],
        "offensive": "none" if fate.offensive is None and rules.expert else offensive_document(fate.offensive),
    }
    return without_empty(written)


def in_force_document(table: Table, entry: InForce) -> dict[str, Value]:
    """A version that holds for some time."""
    document: dict[str, Value] = {
        "card": card_name(table.rules.fate, entry.card),
        "suit": SUITS[entry.suit],
        "until": entry.until,
    }
    if entry.used:
        document["used"] = "yes"
    if entry.suits:
        document["suits"] = [SUITS[suit] for suit in entry.suits]
    if entry.settled:
        document["settled"] = [named(table.rules.common, combat) for combat in entry.settled]
    return document


def offensive_document(option: Offensive | None) -> dict[str, Value]:
    """What has become of the Offensive Option; nothing while it is open."""
    if option is None:
        return {}
    document: dict[str, Value] = {name: "yes" for name in ("declared", "taken", "failed") if getattr(option, name)}
    return document | ({} if option.card is None else {"card": card_text(option.card, deck=True)})
