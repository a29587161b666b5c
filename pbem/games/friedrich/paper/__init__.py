"""Files of FRIEDRICH: its terms, positions, orders and plans."""

from __future__ import annotations

from pbem.games.friedrich.paper import library, position, sections
from pbem.games.friedrich.rules.data import Points
from pbem.paper.library import GamePaper

PART = GamePaper(
    terms=library.TERMS,
    read_terms=library.read_terms,
    points=Points,
    terms_document=library.terms_document,
    load_rules=library.load_friedrich,
    positions=position.POSITIONS,
    keys_of_rules=position.KEYS_OF_RULES,
    order_of_play=library.order_of_play,
    last_turn=position.last_turn,
    sections=sections.SECTIONS,
    plans=sections.PLANS,
)
