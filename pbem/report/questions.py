"""What a power has to decide, in words, with what is legal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.decisions import Decision, SelectPolitics
from pbem.maria.data import MariaRules

from . import naming
from .language import macro
from .politics import offer_in_words
from .telling import decision_data

TEMPLATE = "questions.txt.j2"


def question(rules: MariaRules, decision: Decision, places: Mapping[int, int], language: str = "en") -> str:
    """A decision as one paragraph; `places` gives the city of every piece that stands on the map."""
    standing = {naming.piece(rules.common, piece): naming.city(rules.common, city) for piece, city in places.items()}
    data: dict[str, Any] = decision_data(rules, decision) | {"places": standing}
    if isinstance(decision, SelectPolitics):
        data["offers"] = [offer_in_words(rules.politics, number, language) for number in decision.cards]
    return macro(language, TEMPLATE, type(decision).__name__, data)
