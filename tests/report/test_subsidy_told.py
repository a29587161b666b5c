"""The question on a subsidy: whoever decides it for two powers sees the cards of both."""

from __future__ import annotations

from pathlib import Path

from pbem.campaign.briefing import briefings
from pbem.report.letters.report import report_data
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
