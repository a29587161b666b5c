"""The marker of a track changes what a power draws: the account tells it beside the marker's move."""

from __future__ import annotations

import pytest

from pbem.desk.practice import rules_of
from pbem.games.maria.rules.events import TrackShifted
from pbem.report.account import account

LESS = {
    "en": "Austria draws 1 card less each turn from now on.",
    "de": "Österreich zieht von jetzt an jede Runde 1 Karte weniger.",
    "es": "Austria roba desde ahora 1 carta menos cada turno.",
    "it": "L'Austria pesca d'ora in poi 1 carta in meno a ogni turno.",
}


def told(event: TrackShifted, language: str = "en") -> str:
    text = account(rules_of({"game": "maria", "scenario": "advanced"}), [event], language)
    return " ".join(text.replace("\u00a0", " ").split())


@pytest.mark.parametrize("language", LESS)
def test_a_power_draws_less_from_now_on(language: str) -> None:
    assert told(TrackShifted("italy", 2, 1), language).endswith(LESS[language])


@pytest.mark.parametrize(
    ("event", "tail"),
    [
        (TrackShifted("italy", 1, 2), "Austria draws 1 card more each turn from now on."),
        (
            TrackShifted("italy", 1, 5),
            "Austria draws 1 card more each turn from now on. France draws 1 card less each turn from now on.",
        ),
        (TrackShifted("russia", 2, 1), "Prussia draws 1 card more each turn from now on."),
        (TrackShifted("italy", 2, 3), "from box 2 to box 3."),
        (TrackShifted("saxony", 4, 5), "from box 4 to box 5."),
    ],
)
def test_every_change_of_income_is_told(event: TrackShifted, tail: str) -> None:
    assert told(event).endswith(tail)
