"""Refusals that nobody meets who uses the program as it is meant: of letters, folders, positions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.folder import Folder
from pbem.campaign.founding import opener_of, rules_of
from pbem.campaign.ledger.entries import EntryHead, build_entry, record_in
from pbem.campaign.ledger.records import CloseRecord, RollbackRecord
from pbem.campaign.ledger.replaying import first_public_state, read_folder
from pbem.campaign.letters.judging import judge
from pbem.campaign.play.snapshot import Disagreement
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.proof.kept_report import ReportCheck
from pbem.campaign.proof.verification import Verification
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.seal.deal import ProvableDealer
from pbem.seal.keys import new_key
from tests.campaign.simulated import NAME, SimulatedTable, codes


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    return SimulatedTable(tmp_path_factory.mktemp("refused") / "campaign", scenario="introductory").begun()


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return begun.copied(tmp_path / "campaign")


def refused(run: Callable[[], object]) -> set[str]:
    """The codes with which something is refused."""
    with pytest.raises(Refused) as caught:
        run()
    return {fault.code for fault in caught.value.faults}


def test_only_orders_are_given_for_somebody_else(table: SimulatedTable) -> None:
    letter = table.other_letter("louis", "message", {"to": "all", "text": "x"}, key=table.moderator)
    assert "E-ACT-KIND" in codes(table.send(letter, acted="by telephone"))


def test_nobody_joins_a_game_that_runs(table: SimulatedTable) -> None:
    letter = table.other_letter("louis", "join", {"key": "x"})
    with table.open() as campaign:
        del campaign.public.players["louis"]
        verdict = judge(campaign.state, read_letter(letter.encode(), "letter"), campaign.open_box)
    assert "E-JOIN-LATE" in {fault.code for fault in verdict.faults}


def test_half_a_character_is_not_entered(table: SimulatedTable) -> None:
    with table.open() as campaign:
        record = CloseRecord("0" * 64, "0" * 64, "\ud800")
        assert refused(lambda: campaign.add(record)) == {"E-TEXT-CHARACTER"}


def opened(table: SimulatedTable) -> None:
    """Open the campaign, and look at all letters."""
    with table.open() as campaign:
        look(campaign)


def look(campaign: Campaign) -> None:
    """Read every letter again."""
    for number in campaign.public.letters.values():
        campaign.held_letter(number)


def test_a_ledger_that_is_shorter_than_before(table: SimulatedTable) -> None:
    *_, before, last = sorted((table.root / "ledger").iterdir())
    last.unlink()
    before.unlink()
    assert refused(lambda: opened(table)) == {"E-LEDGER-SHORT"}


def test_letters_that_changed_places(table: SimulatedTable) -> None:
    one, other, *_ = sorted((table.root / "letters").iterdir())
    other.write_bytes(one.read_bytes())
    assert refused(lambda: opened(table)) == {"E-LETTER-OTHER"}


def test_a_position_of_another_game(tmp_path: Path) -> None:
    position = "scenario: advanced\nturn: 2\nstage: prussia\n"
    assert refused(lambda: SimulatedTable(tmp_path / "campaign", position=position, scenario="introductory")) == {
        "E-CAMPAIGN-POSITION"
    }


def test_an_entry_in_place_of_another(table: SimulatedTable) -> None:
    with table.open() as campaign:
        ledger, entry = campaign.ledger, campaign.ledger.read(campaign.ledger.head.number)
    again = build_entry(
        EntryHead(entry.number, entry.kind, NAME, entry.time, entry.before), entry.body, new_key("somebody")
    )
    next(ledger.folder.glob(f"{entry.number:04d}-*")).write_bytes(again)
    assert refused(lambda: opened(table)) == {"E-LEDGER-OTHER"}


def test_what_does_not_follow_from_the_ledger(table: SimulatedTable) -> None:
    with table.open() as campaign:
        record = RollbackRecord(1, "x", replace(campaign.state.next_awaited(), digest="0" * 64))
        with pytest.raises(Disagreement) as found:
            campaign.state.check_next(9, record)
    (fault,) = found.value.faults
    assert fault.sentence("de").startswith("E-LEDGER-DISAGREES Eintrag 9: worauf das Spiel wartet, ist nicht das, was")


def test_cards_that_older_reports_do_not_prove(tmp_path: Path) -> None:
    with patch("pbem.campaign.ledger.records.PROTOCOL", 1):
        table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    found = Verification()
    report = Guidance("report", NAME, table.moderator.public, "on", "moderator", {})
    ReportCheck(read_folder(table.root, table.now), report, "report", found).note_unproved("prussia", ["♠7/1"])
    assert [finding.fault.code for finding in found.findings] == ["W-VERIFY-UNPROVED"]


def test_a_report_of_another_campaign(table: SimulatedTable) -> None:
    found = Verification()
    for name in ("prague", NAME):
        report = Guidance("report", name, table.moderator.public, "on", "moderator", {})
        ReportCheck(read_folder(table.root, table.now), report, "report", found).check()
    keys = [finding.fault.message.key for finding in found.findings]
    assert keys == ["E-VERIFY-REPORT.campaign", "E-VERIFY-REPORT.head"]


def test_plans_before_the_game(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    table.join()
    head: dict[str, str | int] = {"kind": "plan", "campaign": NAME, "from": "louis", "stage": "1/setup"}
    letter = write_letter(head | {"basis": "0" * 12, "seq": 2}, {"orders": {}})
    verdict = table.send(sign_letter(letter, table.players["louis"].key)).verdict
    assert "E-LETTER-STAGE.phase" in {fault.message.key for fault in verdict.faults}


def test_a_ledger_that_begins_with_something_else(table: SimulatedTable) -> None:
    with table.open() as campaign:
        entry = campaign.ledger.read(2)
    with pytest.raises(Refused) as caught:
        first_public_state(entry, record_in(entry))
    assert {fault.message.key for fault in caught.value.faults} == {"E-LEDGER-FORM.new"}


def test_a_list_in_place_of_a_line(table: SimulatedTable) -> None:
    verdict = table.send(table.other_letter("louis", "message", {"to": ["all"], "text": "x"})).verdict
    assert "E-FORM-TEXT.line" in {fault.message.key for fault in verdict.faults}


def test_nobody_has_joined(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    with pytest.raises(Refused) as caught:
        table.adjudicate()
    assert {fault.message.key for fault in caught.value.faults} == {"E-CAMPAIGN-WAITING.joining"}


def test_a_position_that_lies_elsewhere(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    folder, settings = Folder(table.root), replace(table.settings, position="../position.yaml")
    with pytest.raises(Refused) as caught:
        opener_of(folder, settings)(rules_of(folder, settings), ProvableDealer(bytes(32)))
    assert {fault.message.key for fault in caught.value.faults} == {"E-VERIFY-NAME.position"}
