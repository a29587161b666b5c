"""Messages that can be proved once the campaign is closed: who gets the proof, what it proves to both verifiers, and
what it does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import LetterRecord
from pbem.campaign.letters.provable import ShownMessage, messages_name, read_messages, write_messages
from pbem.campaign.play import rulings
from pbem.campaign.settings import Conduct, Newcomer
from pbem.cli import main
from pbem.post.reports import report_parcels
from pbem.seal.keys import new_key
from tests.campaign.simulated import NAME, SimulatedTable
from tests.protocol import second_close
from tests.protocol.second import Campaign
from tests.protocol.second import verify as second
from tests.protocol.second_entries import entries_of
from tests.protocol.together import verified

SAID = {
    ("louis", "frederick"): "Saxony is yours",
    ("louis", "maria-theresa, moderator"): "no",
    ("frederick", "all"): "Good day to all",
}
"""Text of each message, by sender and addressees."""


def told(table: SimulatedTable) -> dict[str, Briefing]:
    with table.open() as campaign:
        return briefings(campaign)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A campaign in which messages can be proved, with some of them."""
    root = tmp_path_factory.mktemp("messages") / "campaign"
    conduct = Conduct(messages="at the close")
    table = SimulatedTable(root, conduct=conduct, scenario="introductory").begun()
    for number, ((sender, to), text) in enumerate(SAID.items(), 5):
        assert table.send(table.other_letter(sender, "message", {"to": to, "text": text}, number)).entry
    return table


@pytest.fixture(scope="module")
def closed(begun: SimulatedTable, tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """The same behind a rollback and a substitute, closed."""
    table = begun.copied(tmp_path_factory.mktemp("closed") / "campaign")
    with table.open() as campaign:
        back = next(entry.number for entry in campaign.ledger.entries() if entry.kind == "adjudication")
        rulings.rollback(campaign, back, "again")
        campaign.save()
    with table.open() as campaign:
        rulings.substitute(campaign, "louis", new_key("other").public.text, "gone", Newcomer("Ada"))
        campaign.save()
    table.close("enough")
    return table


@pytest.fixture(scope="module")
def shown(begun: SimulatedTable) -> tuple[ShownMessage, ...]:
    """All messages, with what proves them."""
    found = {each.entry: each for briefing in told(begun).values() for each in briefing.news.proofs_of_messages}
    return tuple(found[entry] for entry in sorted(found))


def test_sender_and_readers_alone_get_the_proof(begun: SimulatedTable) -> None:
    known = {reader: [each.text for each in each.news.proofs_of_messages] for reader, each in told(begun).items()}
    promise, no, all_ = SAID.values()
    assert known == {
        "louis": [promise, no, all_],
        "frederick": [promise, all_],
        "maria-theresa": [no, all_],
        "moderator": [no, all_],
        "observer": [all_],
    }
    assert [each.text for each in told(begun)["louis"].news.messages] == [all_], "nobody is told their own words again"


def test_the_report_brings_the_file(begun: SimulatedTable) -> None:
    with begun.open() as campaign:
        (parcel,) = report_parcels(campaign, {}, with_pictures=False, only=["frederick"])
        name = messages_name(campaign.vault.entry)
        again = [each.data for each in report_parcels(campaign, {}, with_pictures=False, only=["frederick"])[0].files]
    (file,) = [each for each in parcel.files if each.name == name]
    campaign_name, messages = read_messages(file.data, name)
    assert (campaign_name, [each.to for each in messages]) == (NAME, ["frederick", "all"])
    assert file.data in again, "made again it is the same"


def test_the_entry_says_no_more_than_that_there_is_a_message(begun: SimulatedTable) -> None:
    records = [record_in(entry) for entry in Ledger(begun.root / "ledger", NAME).entries(kinds=["letter"])]
    slots = [record.slots for record in records if isinstance(record, LetterRecord)]
    assert [set(each) for each in slots] == [{"message"}] * len(SAID)
    assert len({each["message"] for each in slots}) == len(SAID)


def test_before_the_close_the_salt_proves_nothing(begun: SimulatedTable, shown: tuple[ShownMessage, ...]) -> None:
    """Without the moderator's secret nobody can tell a true message from an invented one."""
    ledger = Ledger(begun.root / "ledger", NAME)
    for each in shown:
        entry = ledger.read(each.entry)
        assert each.commitment(NAME).decode() not in str(entry.body)


def proves(root: Path, file: Path) -> tuple[int, list[str], list[str]]:
    """Exit code of `verify --message`, texts proved, and codes of faults."""
    done = CliRunner().invoke(main, ["verify", str(root), "--message", str(file), "--json"])
    found = json.loads(done.stdout)
    return done.exit_code, [each["text"] for each in found["messages"]], [each["code"] for each in found["findings"]]


def false_ones(true: ShownMessage, other: ShownMessage) -> Iterator[ShownMessage]:
    """Messages that are not as they were written."""
    yield replace(true, text=true.text + "!")
    yield replace(true, to="maria-theresa")
    yield replace(true, sender="frederick")
    yield replace(true, salt=other.salt)
    yield replace(true, entry=other.entry)
    yield replace(true, entry=1)
    yield replace(true, entry=9999)


def test_both_verifiers_prove_what_was_written_and_nothing_else(
    closed: SimulatedTable, shown: tuple[ShownMessage, ...], tmp_path: Path
) -> None:
    assert verified(closed.root).is_good
    assert second(closed.root) == []
    file = tmp_path / "messages.yaml"
    false = [*false_ones(shown[0], shown[1])]
    file.write_text(write_messages(NAME, [*shown, *false]), "utf-8")
    assert proves(closed.root, file) == (1, [*SAID.values()], ["E-VERIFY-MESSAGE"] * len(false))
    file.write_text(write_messages(NAME, shown), "utf-8")
    assert proves(closed.root, file) == (0, [*SAID.values()], [])
    said = CliRunner().invoke(main, ["verify", str(closed.root), "--message", str(file)]).stdout
    assert f"entry {shown[0].entry}" in said
    assert "louis to frederick" in said
    assert "verify FOLDER --message" in CliRunner().invoke(main, [str(file)]).stdout

    entries, _ = entries_of(closed.root / "ledger")
    theirs = Campaign(entries[0])
    for entry in entries[1:]:
        theirs.take(entry)
    bare = [{"from": each.sender, "to": each.to, "text": each.text, "salt": each.salt} for each in (*shown, *false)]
    numbers = [each.entry for each in (*shown, *false)]
    found = [second_close.holds(theirs, {**each, "entry": str(n)}) for each, n in zip(bare, numbers, strict=True)]
    assert found == [True] * len(shown) + [False] * len(false)


def test_what_is_shown_too_early_or_of_another_campaign_proves_nothing(
    begun: SimulatedTable, closed: SimulatedTable, shown: tuple[ShownMessage, ...], tmp_path: Path
) -> None:
    file = tmp_path / "messages.yaml"
    file.write_text(write_messages(NAME, shown), "utf-8")
    assert proves(begun.root, file) == (1, [], ["E-VERIFY-MESSAGE"])  # .early
    file.write_text(write_messages("another", shown), "utf-8")
    assert proves(closed.root, file) == (1, [], ["E-VERIFY-MESSAGE"])  # .campaign
    file.write_text("pbem: 1\nkind: messages\ncampaign: x\n", "utf-8")
    done = CliRunner().invoke(main, ["verify", str(closed.root), "--message", str(file)])
    assert (done.exit_code, "no file with messages" in done.output) == (1, True)


def test_a_substitute_gets_no_proof_of_what_the_former_player_wrote(begun: SimulatedTable, tmp_path: Path) -> None:
    table = begun.copied(tmp_path / "campaign")
    with table.open() as campaign:
        rulings.substitute(campaign, "louis", new_key("other").public.text, "gone", Newcomer("Ada"))
        campaign.save()
    assert [each.sender for each in told(table)["louis"].news.proofs_of_messages] == ["frederick"]


def test_messages_stay_deniable_where_nothing_was_agreed(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    table.send(table.other_letter("louis", "message", {"to": "all", "text": "Good day"}))
    assert not any(each.news.proofs_of_messages for each in told(table).values())
    table.close("enough")
    assert second(table.root) == []
    file = tmp_path / "messages.yaml"
    file.write_text(write_messages(NAME, [ShownMessage(5, "louis", "all", "Good day", "0" * 64)]), "utf-8")
    assert proves(table.root, file) == (1, [], ["E-VERIFY-MESSAGE"])  # .agreed
