"""The reports of TOY: the parts that only its positions and pictures have. The words stand in `templates`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.report import blocks
from pbem.report.language.templates import template
from pbem.report.picture.position import MapMargin, PictureWords
from pbem.report.telling import GameReport
from toy_game.rules.state import Terms, ToyRules
from toy_game.rules.view import View


def view_data(rules: ToyRules, view: View) -> dict[str, object]:
    """Data that only positions of TOY have."""
    result = view.result
    return {
        "terms": {"game": view.terms.game},
        "turns": view.turns,
        "barred": {power: blocks.city(rules.common, city) for power, city in view.barred.items()},
        "result": None if result is None else {"winner": result.winner, "how": result.how},
    }


def margin_of(seen: View, words: PictureWords, language: str, folder: Path | None) -> MapMargin:
    """Text of a picture beside the map: the moment that it shows."""
    say: Any = template(language, seen.terms.game, "picture_game.txt.j2").module
    return MapMargin(caption=str(say.moment(seen.turn, words.power(seen.stage), seen.phase)))


PART: GameReport[ToyRules, View, Terms] = GameReport(view_data=view_data, margin=margin_of)
