"""Files of MARIA: its terms, positions, orders and plans."""

from __future__ import annotations

from pbem.games.maria.paper import library, position, sections, selecting
from pbem.games.maria.rules.data import Edition
from pbem.paper.library import GamePaper

PART = GamePaper(
    terms=library.TERMS,
    read_terms=library.read_terms,
    points=Edition,
    terms_document=library.terms_document,
    load_rules=library.load_maria,
    positions=position.POSITIONS,
    keys_of_rules=position.KEYS_OF_RULES,
    order_of_play=library.order_of_play,
    last_turn=position.last_turn,
    hands=position.hands,
    sections=sections.SECTIONS,
    plans=selecting.PLANS,
)
