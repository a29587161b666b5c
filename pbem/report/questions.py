"""What a power has to decide, in words, with what is legal."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.decisions import Decision
from pbem.engine.nouns import City, Piece
from pbem.engine.table import GameRules
from pbem.report import naming
from pbem.report.game_report import game_report
from pbem.report.language.templates import macro
from pbem.report.telling import told_data

TEMPLATES = ("decisions.txt.j2", "questions.txt.j2")
"""What only this game asks, and what all games ask."""

NO_MORE: Mapping[str, object] = {}


def question(
    rules: GameRules,
    decision: Decision,
    places: Mapping[Piece, City],
    language: str = "en",
    more: Mapping[str, object] = NO_MORE,
) -> str:
    """A decision as one paragraph; `places` gives the city of every piece that stands on the map.

    `more` is what the words have besides the data of the decision; with `brief` they count the cities of a long list,
    with `short` they leave out what the whole order sheet tells.
    """
    game, rules = rules.terms.game, naming.in_words(rules, language)
    standing = {naming.piece(rules.common, piece): naming.city(rules.common, city) for piece, city in places.items()}
    data: dict[str, object] = told_data(rules, decision) | {"places": standing, "brief": False, "short": False}
    data |= game_report(game).asked(rules, decision, language) | dict(more)
    return macro(language, game, TEMPLATES, type(decision).__name__, data)
