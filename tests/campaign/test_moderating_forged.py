"""Archives that were changed, and moderators who cheat: what anybody finds who verifies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.chain import Head, state_text
from pbem.campaign.ledger.entries import as_texts, record_in
from pbem.campaign.ledger.entry_effects import add_entry
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.letters import joining
from pbem.campaign.letters.joining import entry_text
from pbem.campaign.letters.letterbox import HeldLetter
from pbem.campaign.play.snapshot import LetterInForce
from pbem.campaign.proof.opened_letters import OpenedFile
from pbem.campaign.proof.verifying import verify
from pbem.paper.documents.faults import Refused
from pbem.seal.box import pad, seal, unpad, unseal
from tests.campaign.simulated import SimulatedTable
from tests.campaign.test_moderating_carried import COMBAT


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    root = tmp_path_factory.mktemp("closed") / "campaign"
    table = SimulatedTable(root, position=COMBAT, scenario="introductory").begun()
    table.play(3)
    table.close("far enough")
    table.assert_verified()
    return table


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """Everybody has sent two letters for the set-up; the second of each counts."""
    table = SimulatedTable(tmp_path_factory.mktemp("running") / "campaign", scenario="introductory").begun()
    table.ordered(*table.players, *table.players)
    return table


CHANGED = ["ledger/*-new.yaml", "ledger/*-join.yaml", "ledger/*-letter.yaml", "ledger/*-adjudication.yaml"]
CHANGED += ["ledger/*-close.yaml", "state.yaml", "campaign.yaml", "opened.json", "rules/position.yaml"]


@pytest.mark.parametrize("pattern", CHANGED)
def test_a_file_that_was_changed_is_found_and_named(closed: SimulatedTable, tmp_path: Path, pattern: str) -> None:
    table = closed.copied(tmp_path / "campaign")
    path = sorted(table.root.glob(pattern))[0]
    data = path.read_bytes()
    places = range(0, len(data), max(1, len(data) // 12))
    for place in places:
        path.write_bytes(data[:place] + bytes([data[place] ^ 2]) + data[place + 1 :])
        found = verify(table.root)
        assert not found.is_good, place
        assert any(path.name in finding.file for finding in found.findings), (place, found.findings)
    if pattern.startswith("rules/"):
        assert "E-VERIFY-FILE" in {finding.fault.code for finding in found.findings}


@pytest.mark.parametrize("pattern", CHANGED)
def test_a_file_that_was_cut_or_taken_away_is_found(closed: SimulatedTable, tmp_path: Path, pattern: str) -> None:
    table = closed.copied(tmp_path / "campaign")
    path = sorted(table.root.glob(pattern))[0]
    data = path.read_bytes()
    for rest in (b"", data[: len(data) // 2]):
        path.write_bytes(rest)
        assert not verify(table.root).is_good
    path.unlink()
    if pattern == "campaign.yaml":
        with pytest.raises(StorageFault, match="E-FOLDER-NONE"):
            verify(table.root)
    else:
        assert not verify(table.root).is_good


def test_entries_that_were_exchanged_or_added_are_found(closed: SimulatedTable, tmp_path: Path) -> None:
    table = closed.copied(tmp_path / "campaign")
    first, second = sorted(table.root.glob("ledger/*-letter.yaml"))[:2]
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    assert not verify(table.root).is_good
    first.write_bytes(one)
    second.write_bytes(other)
    table.assert_verified()
    (table.root / "ledger" / "0099-ruling.yaml").write_bytes(one)
    assert not verify(table.root).is_good


Forgery = Callable[[Campaign], list[r.Record]]


def honest(campaign: Campaign) -> r.AdjudicationRecord:
    """Correct content of the next adjudication."""
    record, _ = campaign.state.adjudication(campaign.ledger.head.number + 1, {}, {})
    return replace(record, next=replace(record.next, deadline=campaign.public.deadline))


def without(campaign: Campaign, player: str, absent: bool = True) -> r.AdjudicationRecord:
    """An adjudication that leaves a letter out."""
    campaign.state.orders_in_force.pop(player)
    number = campaign.ledger.head.number + 1
    record, _ = campaign.state.adjudication(number, {player: "no orders by the deadline"} if absent else {}, {})
    return record


def with_older(campaign: Campaign) -> r.AdjudicationRecord:
    """An adjudication by the first letter of Louis, not by his second."""
    campaign.state.orders_in_force["louis"] = LetterInForce(letters_of(campaign)[0][0])
    return honest(campaign)


def other_events(campaign: Campaign) -> r.AdjudicationRecord:
    record = honest(campaign)
    return replace(record, events=record.events[:-1])


def other_deal(campaign: Campaign) -> r.AdjudicationRecord:
    """Another root for all cards to come, chosen by the moderator."""
    campaign.state.root = bytes(32)
    return honest(campaign)


def other_next(campaign: Campaign) -> r.AdjudicationRecord:
    record = honest(campaign)
    return replace(record, next=replace(record.next, digest="0" * 64))


def other_state(campaign: Campaign) -> r.AdjudicationRecord:
    return replace(honest(campaign), state="0" * 64)


def letters_of(campaign: Campaign, player: str = "louis") -> list[tuple[int, r.LetterRecord]]:
    """The letters of a player, with their entries."""
    records = [(entry.number, record_in(entry)) for entry in campaign.ledger.entries()]
    return [
        (number, record) for number, record in records if isinstance(record, r.LetterRecord) and record.player == player
    ]


def entered_again(campaign: Campaign, which: int, **changes: Any) -> list[r.Record]:
    """A letter of Louis is entered once more, with changes."""
    number, record = letters_of(campaign)[which]
    return with_letter(campaign, replace(record, **changes), campaign.held_letter(number))


def with_letter(campaign: Campaign, record: r.LetterRecord, held: HeldLetter) -> list[r.Record]:
    """A letter is kept for an entry to come."""
    sealed = seal([campaign.key.public], pad(msgspec.json.encode(held)))
    campaign.folder.letter(campaign.ledger.head.number + 1).write_text(sealed)
    return [record]


def invented(campaign: Campaign) -> list[r.Record]:
    """A letter that Louis never signed."""
    number, record = letters_of(campaign)[-1]
    held = campaign.held_letter(number)
    text = held.text.partition("signature:")[0].replace(f"seq: {record.seq}", f"seq: {record.seq + 5}")
    false = HeldLetter(text, held.opened)
    return with_letter(campaign, replace(record, seq=record.seq + 5, mark=campaign.state.mark(false.letter)), false)


FORGERIES: dict[str, Forgery] = {
    "a letter is left out": lambda campaign: [without(campaign, "louis")],
    "a letter is left out and its player not called absent": lambda campaign: [without(campaign, "louis", False)],
    "an older letter is carried out": lambda campaign: [with_older(campaign)],
    "something else is told": lambda campaign: [other_events(campaign)],
    "other cards are dealt": lambda campaign: [other_deal(campaign)],
    "other is waited for": lambda campaign: [other_next(campaign)],
    "another position is committed to": lambda campaign: [other_state(campaign)],
    "an older letter is entered again": lambda campaign: entered_again(campaign, 0),
    "a letter is entered twice": lambda campaign: entered_again(campaign, -1),
    "a letter is entered under a number of the moderator's": lambda campaign: entered_again(campaign, 0, seq=90),
    "a letter is entered as another's": lambda campaign: entered_again(campaign, -1, player="frederick", seq=90),
    "a letter is entered as that of a stranger": lambda campaign: entered_again(campaign, -1, player="fritz", seq=90),
    "a letter is entered for another stage": lambda campaign: entered_again(campaign, -1, stage="1/france", seq=90),
    "a letter is invented": invented,
    "a player with a good letter is called absent": lambda campaign: [
        replace(honest(campaign), absent={"louis": "no orders by the deadline"})
    ],
    "a part that was never committed to is called forfeited": lambda campaign: [
        replace(honest(campaign), forfeited={"louis": ("battle",)})
    ],
    "an agreement is invented": lambda campaign: [
        r.AgreementRecord(("frederick", "louis"), "Louis gives up Bohemia.", (6, 7))
    ],
    "a rollback to another position": lambda campaign: [
        r.RollbackRecord(5, "a slip", replace(campaign.state.next_awaited(), digest="0" * 64))
    ],
    "a rollback to before the game": lambda campaign: [r.RollbackRecord(2, "a slip", campaign.state.next_awaited())],
}


def enter_falsely(table: SimulatedTable, forgery: Forgery) -> list[str]:
    """The moderator enters something with another program, closes, and publishes everything; gives the files."""
    with table.open() as campaign:
        records = forgery(campaign)
        public = msgspec.json.decode(msgspec.json.encode(campaign.public), type=PublicState)
        names = [append(campaign, public, record) for record in records]
        data = msgspec.json.encode(opened_by_another_program(campaign))
        campaign.folder.opened.write_bytes(data)
        append(campaign, public, r.CloseRecord(campaign.state.secret, hashlib.sha256(data).hexdigest(), "far enough"))
        head = Head(campaign.ledger.head.number, campaign.ledger.head.hash)
        campaign.folder.state.write_text(state_text(public, head))
    return names


def opened_by_another_program(campaign: Campaign) -> OpenedFile:
    """Every letter as it lies in the folder, whether or not it is the one that came in."""
    letters = {}
    for path in sorted(campaign.folder.letters.iterdir()):
        if record_in(campaign.ledger.read(int(path.stem))).__class__ is r.LetterRecord:
            plain = unpad(unseal(campaign.key, path.read_text()))
            letters[int(path.stem)] = msgspec.json.decode(plain, type=HeldLetter)
    return OpenedFile(campaign.settings.campaign, letters)


def append(campaign: Campaign, public: PublicState, record: r.Record) -> str:
    """Enter a record that nobody checks."""
    entry = campaign.ledger.append(r.NAMES[type(record)], as_texts(record), campaign.now, campaign.key)
    add_entry(public, entry.number, stamp(entry.time), record_in(entry))
    return f"{entry.number:04d}-{entry.kind}.yaml"


@pytest.mark.parametrize("name", FORGERIES)
def test_a_moderator_who_cheats_is_found_out_when_the_campaign_is_closed(
    running: SimulatedTable, tmp_path: Path, name: str
) -> None:
    table = running.copied(tmp_path / "campaign")
    (false,) = enter_falsely(table, FORGERIES[name])
    found = verify(table.root)
    assert not found.is_good
    assert found.findings[0].file in (false, "rollback"), found.findings
    if name == "a rollback to before the game":
        assert found.findings[0].fault.code == "E-VERIFY-ENTRY"


def test_a_campaign_closed_by_such_a_moderator_without_a_false_entry_is_good(
    running: SimulatedTable, tmp_path: Path
) -> None:
    table = running.copied(tmp_path / "campaign")
    enter_falsely(table, lambda campaign: [honest(campaign)])
    table.assert_verified()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("absence", {"player": "louis", "first": "2026-1-1", "last": "2026-01-02"}),
        ("absence", {"player": "louis", "first": "x", "last": "x"}),
        ("absence", {"player": "louis", "first": "2026-01-02", "last": "2026-01-01"}),
        ("absence", {"player": "louis", "first": "20260101", "last": "2026-W01-5"}),
        ("reminder", {"players": ["louis"], "kind": "foo"}),
    ],
)
def test_entries_that_make_no_sense_are_found_by_whoever_reads(
    running: SimulatedTable, tmp_path: Path, kind: str, body: dict[str, Any]
) -> None:
    table = running.copied(tmp_path / "campaign")
    with table.open() as campaign:
        campaign.ledger.append(kind, body, campaign.now, table.moderator)
    assert not verify(table.root).is_good
    with pytest.raises(Refused, match=rf"{kind}\.yaml: E-LEDGER"):
        read_folder(table.root, table.now)


def test_nobody_else_writes_between_the_lines_of_a_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    with monkeypatch.context() as forging:
        forging.setattr(joining, "entry_text", lambda letter: f"# I owe the moderator 100 ducats\n{entry_text(letter)}")
        table.join()
    assert {finding.fault.code for finding in verify(table.root).findings} == {"E-VERIFY-LETTER"}
