"""FRIEDRICH by letter: what is told at every stage, and sheets that are valid as they are, whatever they ask."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.campaign import Campaign
from pbem.paper.letters import sign_letter
from pbem.report.language.templates import WIDTH, languages
from pbem.report.letters.report import report_data
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import letter_text
from tests.trying import IS_LONG

from .campaign_table import OpenTable, before_every_stage
from .test_campaign_report import check_sheet, lines_fit

GAMES = [
    ("four", "no", 34, {"allot", "move", "set aside"}),
    ("four", "yes", 12, {"allot", "move"}),
    ("three", "no", 12, {"allot", "move"}),
    ("three", "yes", 12, {"allot", "move"}),
    ("west", "no", 24, {"allot", "move", "set aside"}),
    ("austria", "no", 24, {"allot", "move"}),
]
"""Scenario, expert game, how many stages are looked at, and sections that are asked for in these."""


class IdleTable(OpenTable):
    """Players who send every second sheet as it came, and otherwise what comes into their heads."""

    sheets = 0

    def write(self, campaign: Campaign, player: str) -> str:
        """Orders in the open."""
        self.sheets += 1
        if self.sheets % 2:
            return super().write(campaign, player)
        bot_player = self.players[player]
        sheet = str(report_data(briefings(campaign)[player])["sheet"])
        bot_player.seq = int(re.findall(r"(?m)^seq: (\d+)$", sheet)[0])
        return sign_letter(sheet, bot_player.key)


@pytest.mark.parametrize(("scenario", "expert", "stages", "asked"), GAMES)
def test_reports_and_sheets_at_every_stage(
    tmp_path: Path, scenario: str, expert: str, stages: int, asked: set[str]
) -> None:
    table = IdleTable(tmp_path, game="friedrich", scenario=scenario, expert=expert)
    table.join()
    sections: set[str] = set()

    def look(campaign: Campaign) -> None:
        sections.update(looked_at(table, campaign))
        campaign.vault.posted = campaign.state.snapshot()

    before_every_stage(table, look, most=stages)
    assert asked <= sections


def looked_at(table: OpenTable, campaign: Campaign) -> set[str]:
    """Look at reports; gives the sections that are asked for, all of which the sheets answer.

    They are those of whoever is asked something, and of one in three others by turns; in the long run, everybody's.
    """
    owing = campaign.public.next.owing if campaign.public.next else {}
    found: set[str] = set()
    for place, (reader, told) in enumerate(briefings(campaign).items()):
        if reader not in owing and (place + campaign.public.entry) % 3 and not IS_LONG:
            continue
        data = report_data(told)
        text = letter_text(data)
        assert lines_fit(text), text
        assert data["sheet"].strip() in text
        assert all(len(line) <= WIDTH for line in data["sheet"].splitlines()), data["sheet"]
        assert bool(data["sheet"]) == (reader in owing)
        if data["sheet"]:
            found.update(each["section"] for each in data["asked"])
            check_sheet(campaign, table, reader, data["sheet"])
            told = re.sub(r"\s*\n\s*#\s*", " ", data["sheet"])
            reached = re.findall(r"([^.;:]+ in [^.;:]+) reach(?:es)?, by the number", told)
            assert len(reached) == len(set(reached)), "a march is listed once"
    return found


COME_BACK = {
    "en": "With new troops, Schwerin (up to 8) and Keith (up to 8) may come back in Berlin.",
    "de": "Mit neuen Truppen können Schwerin (höchstens 8) und Keith (höchstens 8) in Berlin wieder ins Spiel kommen.",
    "es": "Con tropas nuevas, Schwerin (espacio para 8) y Keith (espacio para 8) pueden volver al mapa en Berlín.",
    "it": "Con nuove truppe, Schwerin (fino a 8) e Keith (fino a 8) possono rientrare a Berlino.",
}


RECRUITING = """\
game: friedrich
turn: 2
stage: prussia
phase: movement
pieces: {Schwerin: off, Keith: off%s}
hands: {prussia: [♠7, ♠8]}
"""


def sheet_in_a_mail(folder: Path, position: str, language: str) -> str:
    with SimulatedTable(folder / "campaign", game="friedrich", position=position).begun().open() as campaign:
        data = report_data(in_language(briefings(campaign)["frederick"], language))
    return re.sub(r"\s*\n\s*#\s*", " ", str(data["short_sheet"])).replace("\u00a0", " ")


@pytest.mark.parametrize("language", languages())
def test_the_sheet_in_a_mail_says_who_may_come_back_and_where(tmp_path: Path, language: str) -> None:
    assert COME_BACK[language] in sheet_in_a_mail(tmp_path, RECRUITING % "", language)


ALL_TROOPS = ', Friedrich: "Oschatz, 8", Winterfeldt: "Oschatz, 8", Heinrich: "Berlin, 8", Seydlitz: "Brandenburg, 8"'
NONE_LEFT = {
    "en": "It has all its troops.",
    "de": "Alle Truppen sind im Spiel.",
    "es": "Ya tiene todas sus tropas.",
    "it": "Ha tutte le sue truppe.",
}


@pytest.mark.parametrize("language", languages())
def test_no_general_is_said_to_come_back_if_no_troops_are_left_for_him(tmp_path: Path, language: str) -> None:
    position = RECRUITING % f"{ALL_TROOPS}, Dohna: off, Lehwaldt: off, prussia train 1: off"
    sheet = sheet_in_a_mail(tmp_path, position, language)
    assert NONE_LEFT[language] in sheet
    said = sheet[sheet.index(NONE_LEFT[language]) :]
    assert not [name for name in ("Schwerin", "Keith", "Dohna", "Lehwaldt") if name in said], said
