"""What only the files of FRIEDRICH have."""

from __future__ import annotations

from pbem.games.friedrich.paper import answer_writing, answers, library, plans, position, sections, terms
from pbem.games.friedrich.rules.data import Points
from pbem.paper.game_paper import GamePaper
from pbem.paper.plans.files import read_plans

PART = GamePaper(
    terms=terms.TERMS,
    read_terms=terms.read_terms,
    points=Points,
    terms_document=terms.terms_document,
    load_rules=library.load_friedrich,
    positions=position.POSITIONS,
    keys_of_rules=position.KEYS_OF_RULES,
    last_turn=position.last_turn,
    sections={**sections.SECTIONS, "plans": read_plans},
    section_of=sections.section_of,
    answer=answers.answer,
    sections_of=answer_writing.sections_of,
    plans=plans.PLANS,
    levy=answers.levy,
)
"""Terms, positions and orders of FRIEDRICH."""
