"""Refusals: they say for whom the game waits, and show what would be right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.briefing import briefings
from pbem.campaign.campaign import Campaign
from pbem.campaign.play import adjudicating
from pbem.paper.letters import read_letter, sign_letter
from pbem.report.language.templates import languages
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.report import report_data
from tests.report.plain import letter_text

from .campaign_table import OpenTable


@pytest.fixture
def table(tmp_path: Path) -> OpenTable:
    """A campaign in which all three players are to allot their troops."""
    found = OpenTable(tmp_path, scenario="introductory")
    found.join()
    with found.open() as campaign:
        adjudicating.adjudicate(campaign)
        campaign.save()
    return found


def sheet_of(campaign: Campaign, player: str) -> str:
    return str(report_data(briefings(campaign)[player])["sheet"])


def receipt_of(table: OpenTable, campaign: Campaign, text: str, player: str, *held_for: str) -> dict[str, Any]:
    """Return the data of the receipt of a signed letter. The stage waits for corrections of the players `held_for`."""
    letter = read_letter(sign_letter(text, table.players[player].key).encode(), "letter")
    receipt = adjudicating.take_letter(campaign, letter, adjudicating.Delivery("ab" * 32))
    return receipt_data(campaign, receipt, held_for=held_for)


def told(data: dict[str, Any], language: str) -> str:
    return " ".join(letter_text(data | {"language": language}).split())


def with_too_many_troops(sheet: str) -> str:
    return re.sub(r"(?m)^( +[A-Z][^:#]*: )\d+$", r"\g<1>99", sheet, count=1)


WAITING = {
    "de": ("Gewartet wird auf Friedrich, Ludwig und Maria Theresia.", "Gewartet wird auf Ludwig."),
    "en": ("Waiting for Frederick, Louis and Maria Theresa.", "Waiting for Louis."),
    "es": ("Se espera a Federico, Luis XV y María Teresa.", "Se espera a Luis XV."),
    "it": ("La partita attende Federico, Luigi XV e Maria Teresa.", "La partita attende Luigi XV."),
}


@pytest.mark.parametrize("language", languages())
def test_a_refusal_names_all_for_whom_the_stage_waits(table: OpenTable, language: str) -> None:
    everybody, louis = WAITING[language]
    with table.open() as campaign:
        sheet = sheet_of(campaign, "louis")
        wrong = with_too_many_troops(sheet)
        assert everybody in told(receipt_of(table, campaign, wrong, "louis"), language)
        for player in ("frederick", "maria-theresa"):
            receipt_of(table, campaign, sheet_of(campaign, player), player)
        assert louis in told(receipt_of(table, campaign, wrong, "louis"), language)
        receipt_of(table, campaign, sheet, "louis")
        assert louis in told(
            receipt_of(table, campaign, re.sub("seq: .*", "seq: 7", wrong), "louis", "louis"), language
        )
        other = receipt_of(table, campaign, re.sub("seq: .*", "seq: 7", sheet), "louis")
        assert not other["waited_for"]
