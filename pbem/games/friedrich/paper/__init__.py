"""What only the files of FRIEDRICH have."""

from __future__ import annotations

from pbem.games.friedrich.paper import library, plans, position, sections, terms
from pbem.games.friedrich.rules.data import Points
from pbem.paper.game_paper import GamePaper

PART = GamePaper(
    terms=terms.TERMS,
    read_terms=terms.read_terms,
    points=Points,
    terms_document=terms.terms_document,
    load_rules=library.load_friedrich,
    positions=position.POSITIONS,
    keys_of_rules=position.KEYS_OF_RULES,
    last_turn=position.last_turn,
    sections=sections.SECTIONS,
    plans=plans.PLANS,
)
"""Terms, positions and orders of FRIEDRICH."""
