"""Faults that fuzzing has found, one test for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.campaign.disk.vault import unlock
from pbem.campaign.ledger.entries import EntryHead, build_entry, parse_entry
from pbem.campaign.players.campaign_notes import load
from pbem.paper.boards.files import inspect_board
from pbem.paper.boards.imports.vassal import import_vassal
from pbem.paper.documents.faults import MOST_FAULTS, Refused
from pbem.paper.documents.names import NameFault
from pbem.paper.documents.strict import read_yaml
from pbem.paper.lexicon import Lexicon
from pbem.paper.positions.files import load_position
from pbem.post.extract import extract
from pbem.post.mailbox import MOST_BYTES
from pbem.seal.box import LARGEST, pad, seal
from pbem.seal.faults import NotCanonical
from tests.post.copies import LETTERS
from tests.seal.tools import LOUIS

from .documents import orders_tables
from .letters import STRANGER
from .world import NAME, World, signed, tree_of, world

NINES = "9" * 5000


def refusal(call: Callable[..., object], *arguments: Any) -> str:
    """Faults for which a file is refused."""
    with pytest.raises(Refused) as refused:
        call(*arguments)
    return str(refused.value)


@pytest.mark.parametrize("text", [f"turn: 2\nhands: {{austria: [S{NINES}]}}\n", f"turn: {NINES}\n"])
def test_long_words_are_cut_in_faults_of_positions(text: str) -> None:
    assert len(refusal(load_position, text.encode(), "position.yaml")) < 300


def test_long_words_are_cut_in_other_faults() -> None:
    assert len(refusal(read_yaml, f"a: &{NINES} b\n".encode(), "file")) < 300
    assert len(refusal(read_yaml, f"a: *{NINES}\n".encode(), "file")) < 400
    assert all(len(str(fault.message)) < 300 for fault in inspect_board(f"canvas: {NINES}\n".encode(), "board.yaml"))


@pytest.mark.parametrize("number", [NINES, "\u0661", "0", "01"])
def test_what_is_no_number_of_a_train_is_refused(number: str) -> None:
    with pytest.raises(NameFault) as fault:
        Lexicon(orders_tables()[0].rules).piece(f"train {number}", "prussia")
    assert str(fault.value.message).startswith("Prussia has no 'train ")
    assert len(str(fault.value.message)) < 100


def test_a_file_of_unknown_keys_is_left_after_a_hundred_faults() -> None:
    keys = "".join(f"k{number}: v\n" for number in range(5000))
    assert len(inspect_board(keys.encode(), "board.yaml")) == MOST_FAULTS


def test_a_module_of_elements_without_end_is_refused() -> None:
    assert "E-IMPORT-SIZE" in refusal(import_vassal, b"<a>" * 1_000_000)


def test_the_longest_message_that_is_kept_fits_into_its_box() -> None:
    assert len(pad(b"x" * (MOST_BYTES + 1))) <= LARGEST


def test_a_message_that_is_too_long_does_not_stop_the_others(tmp_path: Path) -> None:
    here = World(tmp_path)
    postmark = b"From a\nSubject: x\nTo: b\n\n"
    (tmp_path / "mail.mbox").write_bytes(postmark + b"x\n" * MOST_BYTES + b"\n" + postmark + b"hello\n")
    done = here.run("accept", "mail.mbox", "-C", NAME, as_="moderator")
    assert done.exit_code == 0, done.output
    assert "E-MAIL-SIZE" in done.output
    assert "E-TEXT-NONE" in done.output


@pytest.mark.parametrize("content", [b"[" * 50_000, b'{"content": ' * 5000, b"\xff", b"{}", b"null"])
def test_what_anybody_can_seal_is_no_vault(content: bytes) -> None:
    assert "E-VAULT-FORM" in refusal(unlock, seal([LOUIS.public], pad(content)).encode(), LOUIS)


@pytest.mark.parametrize("content", [b"[" * 50_000, b"{}", b'{"text": 1}', b'{"text": "x"}', b"\xff"])
def test_a_letter_that_anybody_can_seal_is_refused(content: bytes) -> None:
    here = world()
    entry = max((here.table.folder / "ledger").glob("*-letter.yaml"))
    path = here.table.folder / "letters" / f"{entry.name[:4]}.age"
    kept = path.read_bytes()
    try:
        path.write_text(seal([here.moderator.public], pad(content)))
        done = here.run("close", "--why", "x", "-C", NAME, as_="moderator")
        assert done.exit_code == 1, done.output
        assert "E-LE" in done.output
    finally:
        path.write_bytes(kept)


NOTED = {"stage": "1/france", "basis": "", "slot": "a", "salt": "0" * 64, "body": {}}
NOTES: list[dict[str, Any]] = [
    {"terms": {"game": 7}},
    {"terms": []},
    {"seat": "../../../x"},
    {"campaign": "other"},
    {"sealed": {"0": {**NOTED, "salt": "zz"}}},
    {"sealed": {"0": {**NOTED, "salt": "0" * 64 + "\n"}}},
]


@pytest.mark.parametrize("change", NOTES)
def test_notes_that_somebody_has_written_in_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    here = world()
    path = tmp_path / f"{NAME}.{here.seat}.json"
    path.write_bytes(here.notes)
    assert load(path).seat == here.seat
    path.write_bytes(msgspec.json.encode({**msgspec.json.decode(here.notes), **change}))
    assert "E-NOTES-FORM" in refusal(load, path)


@pytest.mark.parametrize("data", [b"[" * 50_000, b'{"format": "\xff"}', b""])
def test_notes_that_are_no_notes_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.b.json").write_bytes(data)
    assert "E-NOTES-FORM" in refusal(load, tmp_path / "a.b.json")


def test_notes_of_a_part_that_no_letter_can_say_are_refused(tmp_path: Path) -> None:
    here = world()
    path = tmp_path / f"{NAME}.{here.seat}.json"
    sealed = {"0": {**NOTED, "body": {"france": 7}}}
    path.write_bytes(msgspec.json.encode({**msgspec.json.decode(here.notes), "sealed": sealed}))
    with pytest.raises(NotCanonical):
        load(path)


REPORTS: list[dict[str, Any]] = [
    {"position": {"powers": [["a"]]}},
    {"position": {"powers": ["sweden"]}},
    {"owing": {"france": "x"}},
    {"terms": {"game": []}},
    {"to": []},
    {"signing": "perhaps"},
]


@pytest.mark.parametrize("change", REPORTS)
def test_a_report_of_a_moderator_who_is_none_is_refused(change: dict[str, Any]) -> None:
    here = world()
    tree = tree_of(here.report)
    position = {**tree["body"]["position"], **change.get("position", {})}
    tree["body"] = {**tree["body"], **change, "position": position, "moderator": STRANGER.public.text}
    (here.root / "hostile.yaml").write_bytes(signed(tree, STRANGER))
    done = here.run("legal", "hostile.yaml")
    assert done.exit_code == 1
    assert "E-GUIDE-" in done.output


@pytest.mark.parametrize(
    ("proof", "told"),
    [
        ({"salt": "zz"}, "E-GUIDE-FORM"),
        ({"salt": "AB" * 32}, "E-GUIDE-FORM"),
        ({"position": "-1"}, "E-VERIFY-CARD"),
        ({"shuffle": "-5"}, "E-VERIFY-CARD"),
    ],
)
def test_false_proofs_of_a_report_are_told(proof: dict[str, str], told: str) -> None:
    here = world()
    tree = tree_of(here.report)
    tree["body"]["proofs"] = [{"shuffle": "0", "position": "0", "card": "3", "salt": "0" * 64, "name": "♠7", **proof}]
    (here.root / "hostile.yaml").write_bytes(signed(tree, here.moderator))
    done = here.run("verify", NAME, "--report", "hostile.yaml")
    assert done.exit_code == 1
    assert told in done.output


@contextmanager
def last_adjudication(here: World, edit: Callable[[Any], Any]) -> Iterator[None]:
    """The campaign with another body of its last adjudication, which its moderator has signed."""
    entries = sorted((here.table.folder / "ledger").iterdir())
    kept = {path: path.read_bytes() for path in entries}
    path = [path for path in entries if "adjudication" in path.name][-1]
    assert path == entries[-1]
    entry = parse_entry(path.read_bytes(), path.name)
    body = edit(entry.body)
    data = build_entry(
        EntryHead(entry.number, entry.kind, entry.campaign, entry.time, entry.before), body, here.moderator
    )
    path.write_bytes(data)
    try:
        yield
    finally:
        for path, data in kept.items():
            path.write_bytes(data)


@pytest.mark.parametrize("deadline", ["x", "2026-99-99T00:00:00Z", "2026-12-01T00:00:00Z\n"])
def test_a_ledger_with_an_impossible_deadline_is_refused(deadline: str) -> None:
    here = world()
    with last_adjudication(here, lambda body: {**body, "next": {**body["next"], "deadline": deadline}}):
        for command in ("status", "log"):
            done = here.run(command, NAME)
            assert done.exit_code == 1
            assert "E-LEDGER-SENSE" in done.output
        assert here.run("verify", NAME).exit_code == 1


@pytest.mark.parametrize(
    "event",
    [{}, {"type": {}}, {"type": "Nothing"}, *({"type": "CardsDrawn", "count": "9" * many} for many in (11, 40, 4400))],
)
def test_a_ledger_with_impossible_events_is_refused(event: dict[str, Any]) -> None:
    here = world()
    with last_adjudication(here, lambda body: {**body, "events": [event]}):
        for words, told in (
            (("log", NAME, "--events"), "E-LEDGER-SENSE"),
            (("log", NAME, "--events", "--json"), "E-LEDGER-SENSE"),
            (("verify", NAME), "E-VERIFY-ENTRY its events"),
            (("export", "site", "-C", NAME), "E-EXPORT-UNSOUND"),
        ):
            done = here.run(*words)
            assert done.exit_code == 1
            assert told in done.output


@pytest.mark.parametrize(
    "words", [("key", "show", "--key", "."), ("key", "import", ""), ("message", "all", "x", "--key", "")]
)
def test_a_key_without_a_name_is_wrong_use(words: tuple[str, ...]) -> None:
    assert world().run(*words).exit_code == 2


def test_only_blanks_before_the_end_of_a_code_block_are_no_line() -> None:
    text = LETTERS["unsigned"].split("body:")[0] + "body:\n  [/code]\n"
    (letter,) = extract(f"[code]{text}".encode()).letters
    assert letter.text.endswith("body:\n")


def test_a_file_with_a_mail_in_it_keeps_to_the_bounds_of_mails() -> None:
    from .limits import mails

    codes = [fault.code for fault in extract(mails()["files in files"]).faults]
    assert "W-MAIL-ATTACHMENT" in codes
