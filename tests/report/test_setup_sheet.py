"""Sheets for the set-up: what generals who take no part get is lost, and said to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.engine.decisions import Allot
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_texts
from tests.campaign.simulated import SimulatedTable


def begun_for(tmp_path: Path, player: str, scenario: str) -> Briefing:
    """The first report of a player in a campaign that has just begun."""
    with SimulatedTable(tmp_path / "campaign", scenario=scenario).begun().open() as campaign:
        return briefings(campaign)[player]


LOST = {
    "en": "Moritz von Sachsen, Maillebois and Noailles take no part in this game: troops given there are lost, "
    "at least 10 of the 26.",
    "de": "Moritz von Sachsen, Maillebois und Noailles nehmen an diesem Spiel nicht teil: Truppen dort sind "
    "verloren, mindestens 10 der 26.",
    "es": "Moritz von Sachsen, Maillebois y Noailles no participan en esta partida: las tropas asignadas ahí se "
    "pierden, al menos 10 de las 26.",
    "it": "Moritz von Sachsen, Maillebois e Noailles non partecipano a questa partita: le truppe assegnate lì "
    "sono perse, almeno 10 delle 26.",
}


@pytest.mark.parametrize("language", languages())
def test_the_introductory_sheet_says_which_troops_are_lost(tmp_path: Path, language: str) -> None:
    briefing = begun_for(tmp_path, "louis", "introductory")
    assert LOST[language] in " ".join(str(report_data(in_language(briefing, language))["asked"]).split())
    for sheet in sheet_texts(briefing, language):
        text = " ".join(sheet.replace("#", " ").split())
        assert LOST[language] in text
        assert text.count(LOST[language][-20:]) == 1, "Bavaria's only general takes part"


@pytest.mark.parametrize(("player", "lost", "kept"), [("frederick", "lost, at least 6 of the 22", "Dessauer: 6")])
def test_of_the_least_number_nothing_is_added_for_who_takes_no_part(
    tmp_path: Path, player: str, lost: str, kept: str
) -> None:
    sheet = " ".join(sheet_texts(begun_for(tmp_path, player, "introductory"))[0].replace("#", " ").split())
    assert lost in sheet
    assert kept in sheet


def test_a_general_who_may_come_into_play_loses_nothing(tmp_path: Path) -> None:
    """In the advanced game the general in East Prussia comes back."""
    briefing = begun_for(tmp_path, "frederick", "advanced")
    assert any(isinstance(each, Allot) for each in briefing.orders.asked)
    assert "lost" not in sheet_texts(briefing)[0]
