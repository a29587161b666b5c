"""Letters that are legal and large: what they cost the moderator, counted in steps that are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.paper.documents.faults import MOST_FAULTS
from pbem.paper.documents.names import NameFault, Names
from pbem.paper.letters import read_letter
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.signed import receipt_letter
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable


@pytest.fixture
def marching(tmp_path: Path) -> SimulatedTable:
    """France is asked for its marches."""
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    while stage_of(table) != "1/france":
        table.play(1)
    return table


def stage_of(table: SimulatedTable) -> str:
    with table.open() as campaign:
        return campaign.state.stage


LARGE: dict[str, dict[str, Tree]] = {
    "attacks": {"battles": ["Belle-Isle > Belle-Isle"] * 6000},
    "plans for attacks": {"plans": [{"for": "attack-order", "order": ["Belle-Isle > Belle-Isle"] * 6000}]},
    "plans for a place": {"plans": [{"for": "battle", "tactic": "win", "at": ["prag"] * 9000}]},
}


@pytest.mark.parametrize("case", LARGE)
def test_a_name_that_is_written_ten_thousand_times_is_looked_up_a_few_times(
    marching: SimulatedTable, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = marching.letter("louis", {"france": LARGE[case]})
    taken: list[str] = []
    read = Names._closest_matches

    def counted(self: Names, written: str, folded: str) -> tuple[int, ...]:
        taken.append(written)
        return read(self, written, folded)

    monkeypatch.setattr(Names, "_closest_matches", counted)
    assert marching.send(text).status == "partial"
    assert len(taken) < 40


def test_what_is_remembered_of_a_name_is_what_was_found() -> None:
    names = Names(["Neumarkt", "Neumarkt (Oberpfalz)", "Münster", "Munster", "a", "a"], "city")
    for _ in range(2):
        assert names.find("NEUMARKT") == 0
        assert names.find("münster") == 2
        assert names.find("MÜNSTER") == 2
        assert names.find("Munster") == 3
        for ambiguous in ("MUNSTER", "a", "A", "á"):
            with pytest.raises(NameFault, match="more than one"):
                names.find(ambiguous)
        with pytest.raises(NameFault, match="no city"):
            names.find("Nowhere")


def test_a_receipt_for_five_thousand_faults_can_be_read(marching: SimulatedTable) -> None:
    text = marching.letter("louis", {"france": {"transfer": [{"Belle-Isle": "1"}] * 5000}})
    with marching.open() as campaign:
        from pbem.campaign.play import adjudicating

        receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
        assert len(receipt.verdict.faults) > MOST_FAULTS
        data = receipt_data(campaign, receipt)
        assert len(data["faults"]) == MOST_FAULTS
        assert read_letter(receipt_letter(data, campaign.key).encode(), "receipt").kind == "receipt"
        campaign.save()
