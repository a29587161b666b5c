"""The question on a subsidy: it tells what each power draws, and whoever decides it for two powers sees the cards of
both."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import Subsidy
from pbem.paper.library import load_rules
from pbem.report.letters.report import report_data
from pbem.report.telling import question
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text

POSITION = """\
turn: 4
stage: france
phase: cards
pieces: {Broglie: "Eger, 5"}
hands: {france: [d5, c9], bavaria: [h7], prussia: [s3]}
"""


def test_who_decides_on_a_subsidy_sees_the_cards_of_who_gets_it(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", position=POSITION).begun().open() as campaign:
        told = briefings(campaign)
    body = body_text(report_data(told["louis"]))
    assert "subsidy this turn" in " ".join(body.replace("#", " ").split())
    assert "- France: ♣ 9 · ♦ 5" in body
    assert "- Bavaria: ♥ 7" in body
    for reader in ("maria-theresa", "frederick"):
        assert "♥ 7" not in body_text(report_data(told[reader]))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "de",
            "Mit `yes` zieht Frankreich 2 Karten und Bayern 2, wie in den Runden 1–3; mit `no` zieht Frankreich 3 und",
        ),
        (
            "en",
            "with `yes`, France draws 2 cards and Bavaria 2, as in turns 1–3; with `no`, France draws 3 and Bavaria 1",
        ),
        ("es", "con `yes`, Francia roba 2 cartas y Baviera 2, como en los turnos 1–3; con `no`, Francia roba 3"),
        (
            "it",
            "con `yes`, la Francia pesca 2 carte e la Baviera 2, come nei turni 1–3; con `no`, la Francia pesca 3 e",
        ),
    ],
)
def test_the_question_tells_how_many_cards_each_power_draws(language: str, told: str) -> None:
    rules = load_rules(Terms(scenario="introductory"))
    assert told in question(rules, Subsidy("france", "bavaria"), {}, language).replace("\N{NO-BREAK SPACE}", " ")
