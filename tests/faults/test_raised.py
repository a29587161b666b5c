"""Faults that nothing else in the tests comes to: each raised by the function that finds it."""

from __future__ import annotations

import base64
import errno
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pbem.campaign.campaign import check_moderator
from pbem.campaign.disk.atomic import fault_of, write_whole
from pbem.campaign.disk.folder import LARGEST_FILE, Folder
from pbem.campaign.disk.vault import migrated_document
from pbem.campaign.founding import check_files
from pbem.campaign.ledger import chain
from pbem.campaign.ledger.entries import NOTHING_BEFORE, EntryHead, build_entry, parse_entry, record_in
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.players.campaign_notes import CampaignNotes, load
from pbem.campaign.players.finding_notes import find_notes
from pbem.campaign.players.guidance import Guidance, guidance_of
from pbem.campaign.players.known_position import known_table
from pbem.engine.decisions import Move
from pbem.faults.wrong import WrongError
from pbem.games.maria.rules import game
from pbem.games.maria.rules.decisions import NameTrump, OfferSubsidy
from pbem.games.maria.rules.state import Table
from pbem.paper.boards.imports import import_rtt, rtt
from pbem.paper.documents.convert import convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import read_yaml
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.paper.positions.files import load_position
from pbem.post import mime
from pbem.resources import resource
from pbem.seal.keys import load_private, new_key, save_private
from tests.campaign.faulty import KEY, START, small_ledger
from tests.campaign.simulated import SimulatedTable


def raised(run: Callable[[], object]) -> set[str]:
    """The wordings in which something is refused."""
    with pytest.raises((Refused, WrongError)) as caught:
        run()
    refusal = caught.value
    faults = refusal.faults if isinstance(refusal, Refused) else [refusal.wrong]
    return {fault.message.key for fault in faults}


def position(written: str) -> Table:
    """A table of MARIA."""
    found = load_position(f"{written}\n".encode(), "position")
    assert isinstance(found, Table)
    return found


def test_numbers_that_no_board_has() -> None:
    table = position("turn: 2\nstage: prussia\nphase: movement\nbegun: yes\nowing: [prussia]")
    general = table.rules.common.generals("prussia")[0]
    assert raised(lambda: game.apply(table, "prussia", Move((999,), (0,)))) == {"E-NO-PIECE"}
    assert raised(lambda: game.apply(table, "prussia", Move((general,), (9999,)))) == {"E-NO-CITY"}


def test_contracts_of_others() -> None:
    table = position("scenario: advanced\nturn: 2\nstage: prussia\nphase: movement\nbegun: yes\nowing: [prussia]")
    others = OfferSubsidy("france", "bavaria", 1, accept=False)
    assert raised(lambda: game.apply(table, "prussia", others)) == {"E-SUBSIDY-POWER"}


def test_a_trump_that_is_no_suit() -> None:
    written = "scenario: advanced\nturn: 2\nstage: politics\nphase: trump\nbegun: yes\nowing: [prussia]\n"
    table = position(f"{written}affairs: {{victor: frederick}}")
    assert raised(lambda: game.apply(table, "prussia", NameTrump(4))) == {"E-TRUMP-SUIT"}


def test_nothing_where_a_value_belongs() -> None:
    assert raised(lambda: convert(read_yaml(b"a:\n", "file"), dict[str, int], "file")) == {"E-VALUE-MISSING"}


def test_an_error_that_the_system_alone_knows(tmp_path: Path) -> None:
    assert fault_of(OSError(errno.EIO, "Input/output error"), tmp_path, "read").code == "E-DISK-FAILED"


def test_a_mail_that_the_parser_stumbles_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mime, "_leaves", lambda mail, faults: iter([None]))
    assert [fault.code for fault in mime.take_apart(b"From: a@example.org\n\nx").faults] == ["E-MAIL-BROKEN"]


def test_a_ledger_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = small_ledger(tmp_path)
    monkeypatch.setattr(chain, "LAST_NUMBER", 3)
    assert raised(lambda: ledger.append("note", "x", START.replace(year=1742), KEY)) == {"E-LEDGER-FULL"}


def test_entries_that_say_nothing_known(tmp_path: Path) -> None:
    entry = small_ledger(tmp_path).read(1)
    assert raised(lambda: record_in(entry)) == {"E-LEDGER-KIND"}
    assert raised(lambda: record_in(replace(entry, kind="close"))) == {"E-LEDGER-BODY"}


def test_a_format_of_later(tmp_path: Path) -> None:
    assert raised(lambda: migrated_document({"format": 99})) == {"E-VAULT-FORMAT"}
    write_whole(tmp_path / "vienna.louis.json", msgspec.json.encode(CampaignNotes(99, "vienna", "louis", "", "", {})))
    assert raised(lambda: load(tmp_path / "vienna.louis.json")) == {"E-NOTES-FORMAT"}


def test_notes_on_nothing_or_on_several(tmp_path: Path) -> None:
    notes = tmp_path / "key.campaigns"
    notes.mkdir()
    assert raised(lambda: find_notes(tmp_path / "key")) == {"E-NOTES-WHICH.none"}
    for name in ("vienna.louis", "vienna.frederick"):
        (notes / f"{name}.json").write_text("{}")
    assert raised(lambda: find_notes(tmp_path / "key", "vienna")) == {"E-NOTES-WHICH.several"}


def test_files_of_a_campaign_that_lie_elsewhere(tmp_path: Path) -> None:
    assert raised(lambda: check_files(Folder(tmp_path), {"../board.yaml": "0" * 64})) == {"E-VERIFY-NAME"}


def test_what_is_no_report() -> None:
    head: dict[str, str | int] = {
        "kind": "message",
        "campaign": "x",
        "from": "louis",
        "stage": "1/setup",
        "basis": "01234567",
        "seq": 1,
    }
    letter = read_letter(write_letter(head, {"to": "all", "text": "x"}).encode(), "letter")
    assert raised(lambda: guidance_of(letter, "letter")) == {"E-GUIDE-KIND"}


PLANS = {
    "E-NEW-SEAT": "campaign: x\ngame: maria\nseats: {fritz: {name: F}}\n",
    "E-NEW-SEAT.name": "campaign: x\ngame: maria\nseats: {louis: {name: Max}, frederick: {name: Мах}}\n",
    "E-NEW-SEAT.moderator": "campaign: x\ngame: maria\nmoderator: {seat: fritz}\n",
    "E-NEW-TERMS": "campaign: x\ngame: maria\nscenario: advanced\nposition: position.yaml\n",
    "E-NEW-FILE.large": "campaign: x\ngame: maria\nposition: large.yaml\n",
    "E-NEW-FILE.unread": "campaign: x\ngame: maria\nposition: none.yaml\n",
}


@pytest.mark.parametrize("key", PLANS)
def test_plans_of_campaigns_that_do_not_fit(tmp_path: Path, key: str) -> None:
    (tmp_path / "boards").mkdir()
    board = resource("rules") / "maria/boards/theatrum-belli.yaml"
    (tmp_path / "boards/own-board.yaml").write_bytes(board.read_bytes())
    with (tmp_path / "large.yaml").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    (tmp_path / "own.yaml").write_text("board: boards/own-board.yaml\n")

    def plan() -> None:
        complete_plan(read_plan(PLANS[key].encode(), "campaign.yaml", tmp_path, {}), "campaign.yaml", "test")

    assert raised(plan) == {key}


ENTRY = build_entry(EntryHead(1, "note", "vienna", START, NOTHING_BEFORE), "x", KEY)


@pytest.mark.parametrize(("old", "new", "wordings"), [
    (b"body:", b"bodies:", {"E-LEDGER-KEY", "E-LEDGER-MISSING"}),
    (b"T08:", b"T28:", {"E-LEDGER-VALUE"}),
    (ENTRY, b"- a\n", {"E-LEDGER-FORM"}),
])  # fmt: skip
def test_entries_that_cannot_be_read(old: bytes, new: bytes, wordings: set[str]) -> None:
    assert raised(lambda: parse_entry(ENTRY.replace(old, new), "0001-note.yaml")) == wordings


def test_a_key_behind_an_unknown_cipher() -> None:
    first, *lines, last, _ = save_private(KEY, "x").split(b"\n")
    content = base64.b64decode(b"".join(lines)).replace(b"aes256-ctr", b"aes999-ctr")
    data = b"\n".join([first, base64.b64encode(content), last, b""])
    assert raised(lambda: load_private(data, "x")) == {"E-KEY-CIPHER"}


def test_a_report_that_says_nothing_of_a_position() -> None:
    head: dict[str, str | int] = {"kind": "report", "campaign": "x", "from": "moderator"}
    letter = write_letter(head | {"stage": "1/setup", "basis": "01234567", "seq": 1}, {"to": "louis"})
    read = read_letter(sign_letter(letter, KEY).encode(), "report")
    assert raised(lambda: guidance_of(read, "report")) == {"E-GUIDE-FORM"}
    known = Guidance("report", "x", KEY.public, "on", "moderator", {})
    assert raised(lambda: known_table(known, "report")) == {"E-GUIDE-POSITION"}
    unread = replace(known, position={"turn": "\ud800"})
    assert raised(lambda: known_table(unread, "report")) == {"E-GUIDE-POSITION.unread"}


def test_boards_of_others_that_are_too_large() -> None:
    names, numbers = (",".join([each] * 20_001) for each in ('"a"', "1"))
    many = f"const data = {{cities: {{name: [{names}], x: [{numbers}], y: [{numbers}]}}}}\n"
    assert raised(lambda: import_rtt(many, "data.js", "own")) == {"E-IMPORT-SIZE.cities"}
    assert raised(lambda: import_rtt(" " * (rtt.LARGEST + 1), "data.js", "own")) == {"E-IMPORT-SIZE.characters"}


def test_a_key_that_is_not_the_moderators(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    with table.open() as campaign:
        public = campaign.public
    assert raised(lambda: check_moderator(public, new_key("somebody"))) == {"E-KEY-OTHER.campaign"}
