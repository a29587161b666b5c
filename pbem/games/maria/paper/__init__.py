"""What only the files of MARIA have."""

from __future__ import annotations

from pbem.games.maria.paper import library, plans, position, sections, terms
from pbem.games.maria.rules.data import Edition
from pbem.paper.game_paper import GamePaper

PART = GamePaper(
    terms=terms.TERMS,
    read_terms=terms.read_terms,
    points=Edition,
    terms_document=terms.terms_document,
    load_rules=library.load_maria,
    positions=position.POSITIONS,
    keys_of_rules=position.KEYS_OF_RULES,
    last_turn=position.last_turn,
    hands=position.hands,
    sections=sections.SECTIONS,
    plans=plans.PLANS,
)
"""Terms, positions and orders of MARIA."""
