"""Extractors of secret facts, one for each kind of artefact."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from pbem.engine.cards import RESERVE, card_of
from pbem.paper.lexicon import SUIT_SIGNS
from tests.leaks.artefacts import Artefact, text_of
from tests.leaks.knowledge import Facts, cards_in
from tests.leaks.roles import BREAK

CARD = re.compile(r"([♠♣♥♦])(\d{1,2})/(\d)")
RESERVES = re.compile(r"(?<![\w/])R/(\d)(b?)")
TAG = re.compile(r"<[^<>]*>")
CODE = re.compile(r"[A-Za-z0-9+/=]{40,}(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/=]+(?=[ \t]*\r?$))*", re.MULTILINE)
"""Keys, signatures, boxes, pictures, with their short last lines: in which anything may stand by accident."""


def said_in_words(artefact: Artefact, names: list[str]) -> Facts:
    """Cards with their decks, and generals with their troops, wherever a text has them. A range such as 1–8 is no
    number of troops: that it tells no more than its reader knows, twin worlds show (`test_twins`)."""
    text = CODE.sub("", TAG.sub("  ", BREAK.sub("", text_of(artefact))))
    general = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in names)
    lists = re.findall(rf"(?<!\w)({general})(?::\s|\s)\s*(\d{{1,2}})(?![\d.:/–]| {{2,}}\S)", text)
    rows = re.findall(rf"(?m)^\s+\d?\s+({general})\s{{2,}}.*\s{{2,}}(\d+) troops?", text)
    troops = {(" ".join(name.split()), int(count)) for name, count in [*lists, *rows]}
    return Facts(cards_named(text), reserves_named(text), troops)


def cards_named(text: str) -> set[int]:
    """The cards that a text names with their decks."""
    suited = {SUIT_SIGNS.index(sign) * 64 + int(value) * 4 + int(deck) - 1 for sign, value, deck in CARD.findall(text)}
    return suited | {card_of(RESERVE, 2, int(deck) - 1) for deck, second in RESERVES.findall(text) if second}


def reserves_named(text: str) -> set[int]:
    """The decks whose Reserves a text names without their letter: either of the two may be meant (`naming.held`)."""
    return {int(deck) - 1 for deck, second in RESERVES.findall(text) if not second}


def said_in_numbers(artefact: Artefact, names: list[str]) -> Facts:
    """The same of a document for programs, where cards are numbers too."""
    found = said_in_words(artefact, names)
    tree = yaml.load(text_of(artefact), getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    found.cards |= cards_in(numbers(tree))
    return found


def numbers(tree: Any) -> Any:
    """A tree with numbers where its texts are decimal ones."""
    if isinstance(tree, dict):
        is_other_deck = "shuffle" in tree and int(tree["shuffle"]) >= OTHER_DECKS
        return {key: numbers(value) for key, value in tree.items() if key != "card" or not is_other_deck}
    if isinstance(tree, list):
        return [numbers(value) for value in tree]
    return int(tree) if isinstance(tree, str) and tree.isdecimal() else tree


def nothing(artefact: Artefact, names: list[str]) -> Facts:
    """No facts: sealed files and pictures, which twins check (`test_twins.py`)."""
    return Facts()


OTHER_DECKS = 1000
"""The number of the first shuffle of cards that are no tactical ones (docs/protocol.md)."""

Extractor = Callable[[Artefact, list[str]], Facts]

EXTRACTORS: tuple[tuple[str, Extractor], ...] = (
    (r"ledger/.*\.yaml", said_in_numbers),
    (r"(state|campaign)\.yaml", said_in_numbers),
    (r"rules/.*", said_in_words),
    (r"\.gitignore|\.gitattributes|\.lock", said_in_words),
    (r"(letters|raw)/.*\.age|secret\.age", nothing),
    (r"outbox/.*\.age", nothing),
    (r"outbox/.*!opened", said_in_words),
    (r"outbox/.*(report|receipt|invitation)\.yaml", said_in_numbers),
    (r"outbox/.*(orders|plan|join)\.yaml", said_in_words),
    (r"outbox/.*\.(txt|md|html)", said_in_words),
    (r"outbox/.*\.png", nothing),
    (r"outbox/.*\.eml![\d.]+(head|body)", said_in_words),
    (r"site/.*", said_in_words),
)
"""Extractors by kind of artefact; an artefact of another kind fails the test."""


def extractor_of(name: str) -> Extractor:
    """The extractor of an artefact, by its name."""
    for pattern, extractor in EXTRACTORS:
        if re.fullmatch(pattern, name):
            return extractor
    raise AssertionError(f"no artefact is called {name}")


def said(name: str, artefact: Artefact, names: list[str]) -> Facts:
    """Facts in an artefact."""
    return extractor_of(name)(artefact, names)


def leaves(tree: Any) -> Iterator[str]:
    """The texts in a sealed part that are long enough to be known again."""
    if isinstance(tree, dict):
        for value in tree.values():
            yield from leaves(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from leaves(value)
    elif isinstance(tree, str):
        yield tree
