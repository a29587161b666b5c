"""A seat's notebook, together with the player's own notes, as data and in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.engine.cards import deck_of
from pbem.engine.nouns import Card
from pbem.engine.table import GameRules
from pbem.player.notebook import SeatNotebook
from pbem.report import blocks
from pbem.report.blocks import Block, parsed_blocks
from pbem.report.language.templates import template
from pbem.report.telling import fields_data


def notebook_data(rules: GameRules, found: SeatNotebook, notes: Mapping[str, str]) -> dict[str, object]:
    """Convert a notebook to JSON data. Pieces, cities and powers are given by name, not by number
    (docs/notebook.md)."""
    return {**fields_data(rules.common, found), "notes": dict(notes)}


def notebook_blocks(rules: GameRules, found: SeatNotebook, notes: Mapping[str, str], language: str) -> list[Block]:
    """Return a notebook in words, in the given language."""
    named = blocks.in_words(rules, language)
    rows = {
        "fresh": row(found.draw.fresh),
        "seen": [row(each.card for each in deck.seen) for deck in found.decks],
        "hidden": [row(deck.hidden) for deck in found.decks],
        "known": {each.power: row(each.known) for each in found.powers},
        "spent": {each.power: row(each.spent) for each in found.powers},
    }
    data = {**notebook_data(named, found, notes), "rows": rows}
    return parsed_blocks(template(language, rules.terms.game, "notebook.txt.j2").render(data))


def row(cards: Iterable[Card]) -> str:
    """Return cards as one line, sorted by suit, such as `♠ 2 5 · ♥ 7 · R ×2`. If there are several decks, each card's
    deck stands behind it."""
    found = tuple(cards)
    has_decks = len({deck_of(card) for card in found}) > 1
    by_suit: dict[str, list[str]] = {}
    for name in blocks.notations(found, with_deck=True):
        face, _, deck = name.partition("/")
        by_suit.setdefault(face[0], []).append(face[1:] + (f"/{deck}" if has_decks else ""))
    return " · ".join(f"{sign} {behind_sign(names)}" for sign, names in by_suit.items())


def behind_sign(names: Sequence[str]) -> str:
    """Return the text behind the sign of one suit. `names` has a text for each card, and they are joined by blanks. If
    these texts are empty, as for Reserves, return the number of cards, such as `×2`."""
    return " ".join(names) if all(names) else f"×{len(names)}"
