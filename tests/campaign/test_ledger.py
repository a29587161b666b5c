"""The ledger: whole entries or none, and every change of it found."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.campaign.disk.atomic import StorageFault, write_whole
from pbem.campaign.disk.folder import FOLDERS, Folder, create, hold_folder
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.campaign.ledger.entries import NOTHING_BEFORE, Entry, EntryHead, build_entry, parse_entry
from pbem.paper.documents.faults import Refused
from pbem.seal.keys import PrivateKey, PublicKey, new_key
from tests.campaign.faulty import KEY, START, Faulty, Killed, full, small_ledger

WHENS = ("before", "half", "behind")
LATER = START + timedelta(days=1)


def found(ledger: Ledger, head: Head | None = None) -> list[tuple[str, str]]:
    """Findings of a check: file and code."""
    return [(each.file, each.fault.code) for each in ledger.check(KEY.public, head=head)]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return small_ledger(tmp_path)


def test_entries_follow_each_other(ledger: Ledger) -> None:
    one, two, three = ledger.entries()
    assert [each.number for each in (one, two, three)] == [1, 2, 3]
    assert (one.before, two.before, three.before) == (NOTHING_BEFORE, one.hash, two.hash)
    assert ledger.head == Head(3, three.hash)
    assert two.body == {"words": "line 2", "list": ["2", "ä"]}
    assert two.time == START + timedelta(hours=2)
    assert ledger.read(2) == two
    assert list(ledger.entries(3)) == [three]
    assert sorted(os.listdir(ledger.folder)) == ["0001-note.yaml", "0002-note.yaml", "0003-note.yaml"]
    assert ledger.check(KEY.public, head=ledger.head) == []


def test_entries_of_some_kinds_are_read_alone(ledger: Ledger) -> None:
    fourth = ledger.append("adjudication", {"stage": "1/prussia"}, LATER, KEY)
    ledger.append("note", "x", LATER, KEY)
    (ledger.folder / "0002-note.yaml").write_text("damaged")
    assert list(ledger.entries(kinds=("rollback", "adjudication"))) == [fourth]
    assert list(ledger.entries(5, ("adjudication",))) == []


def test_behind_an_entry_just_read_the_folder_is_not_listed(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.newest = ledger.read(3)
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "_file_names", lambda ledger: pytest.fail("the folder is listed"))
        four = ledger.append("note", "x", LATER, KEY)
        five = ledger.append("note", "y", LATER, KEY)
    assert (five.number, five.before) == (5, four.hash)
    assert ledger.check(KEY.public, head=Head(5, five.hash)) == []


def test_an_entry_is_plain_yaml(ledger: Ledger) -> None:
    text = (ledger.folder / "0002-note.yaml").read_text("utf-8")
    document = yaml.load(text, Loader=yaml.BaseLoader)
    assert list(document) == ["pbem", "entry", "kind", "campaign", "time", "before", "body", "signature"]
    assert document["time"] == "1741-04-10T10:00:00Z"
    assert f"\nbefore: {ledger.read(1).hash}\n" in text
    assert text.index("list:") < text.index("words:")


@pytest.mark.parametrize("width", [20, 63, 65, 98])
def test_a_signature_stands_in_lines_of_one_length(ledger: Ledger, width: int) -> None:
    path = ledger.folder / "0003-note.yaml"
    data = path.read_text("utf-8")
    begin, code, end = re.split("(?<=BEGIN SSH SIGNATURE-----\n)|(?=  -----END)", data)
    letters = "".join(code.split())
    lines = [f"  {letters[at : at + width]}\n" for at in range(0, len(letters), width)]
    for relaid in ("".join(lines), code.replace("\n", "\n\n", 1)):
        path.write_text(begin + relaid + end, "utf-8")
        assert found(ledger) != []
    path.write_text(data, "utf-8")
    assert found(ledger) == []


def test_entries_that_do_not_follow_from_each_other_are_not_read(ledger: Ledger) -> None:
    path = ledger.folder / "0002-note.yaml"
    path.write_bytes(path.read_bytes().replace(b"10:00:00Z", b"10:00:01Z", 1))
    with pytest.raises(Refused, match="E-LEDGER-CHAIN"):
        list(ledger.entries())
    assert [entry.number for entry in ledger.entries(3)] == [3]


def test_an_empty_ledger(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "vienna")
    assert ledger.head == Head(0, NOTHING_BEFORE)
    assert list(ledger.entries()) == []
    assert ledger.check(KEY.public, head=ledger.head) == []
    with pytest.raises(Refused, match="E-LEDGER-NUMBER there is no entry 1"):
        ledger.read(1)


def test_no_entry_is_older_than_the_one_before(ledger: Ledger) -> None:
    with pytest.raises(Refused, match="E-LEDGER-TIME"):
        ledger.append("note", "x", START, KEY)
    ledger.append("note", "x", START + timedelta(hours=3, microseconds=5), KEY)
    ledger.append("note", "x", START + timedelta(hours=3), KEY)
    assert found(ledger) == []


def test_what_could_not_be_read_is_not_written(ledger: Ledger) -> None:
    for kind, body in (("Note", "x"), ("../note", "x"), ("note", ["x" * 1000] * 3000)):
        with pytest.raises(Refused):
            ledger.append(kind, body, LATER, KEY)
    assert ledger.head.number == 3
    assert len(os.listdir(ledger.folder)) == 3


# --- The worst moments.


def adjudicate(folder: Folder, disk: Faulty) -> None:
    """Write one entry, then the state; a second run completes what is not done yet."""
    with hold_folder(folder, "adjudicate", START, disk):
        ledger = Ledger(folder.ledger, "vienna")
        if ledger.head.number == 1:
            ledger.append("adjudication", {"stage": "1/prussia"}, LATER, KEY, disk)
        write_whole(folder.state, f"head: {ledger.head.number}\n".encode(), disk)


def begun(tmp_path: Path, name: str = "vienna") -> Folder:
    """A campaign with one entry and a state."""
    folder = create(tmp_path / name, Faulty())
    small_ledger(folder.ledger, 1)
    folder.state.write_text("head: 1\n")
    return folder


@pytest.mark.parametrize("when", WHENS)
@pytest.mark.parametrize("error", [Killed, full])
def test_a_command_that_is_stopped_anywhere_can_be_run_again(
    tmp_path: Path, when: str, error: Callable[[], BaseException]
) -> None:
    at, is_done = 0, False
    seen = set()
    while not is_done:
        folder = begun(tmp_path, f"after-{at}")
        ledger = Ledger(folder.ledger, "vienna")
        disk = Faulty(at, when, error)
        try:
            adjudicate(folder, disk)
            is_done = True
        except (Killed, StorageFault):
            number = ledger.head.number
            seen.add((number, folder.state.read_text()))
            assert [code for _, code in found(ledger) if code != "W-LEDGER-LEFT"] == []
            assert number in (1, 2)
            assert folder.state.read_text() in ("head: 1\n", f"head: {number}\n")
        adjudicate(folder, Faulty())
        assert found(ledger) == []
        assert (ledger.head.number, folder.state.read_text()) == (2, "head: 2\n")
        assert sorted(os.listdir(folder.root)) == sorted(
            [".gitattributes", ".gitignore", ".lock", "state.yaml", *FOLDERS]
        )
        at += 1
    assert at > 8
    assert {(1, "head: 1\n"), (2, "head: 1\n"), (2, "head: 2\n")} == seen


def test_what_a_killed_command_left_is_no_damage(ledger: Ledger) -> None:
    with pytest.raises(Killed):
        ledger.append("note", "x", LATER, KEY, Faulty(1))
    assert [code for _, code in found(ledger)] == ["W-LEDGER-LEFT"]
    ledger.append("note", "x", LATER, KEY)
    assert ledger.head.number == 4


APPEND = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.disk.folder import Folder, hold_folder
from pbem.campaign.ledger.chain import Ledger
from pbem.seal.keys import load_private
folder, key = Folder(Path(sys.argv[1])), load_private(sys.stdin.buffer.read(), None)
done = 0
while done < 10:
    try:
        with hold_folder(folder, "append", datetime.now(UTC)):
            Ledger(folder.ledger, "vienna").append("note", {"turn": done}, datetime(1800, 1, 1, tzinfo=UTC), key)
            done += 1
    except StorageFault as fault:
        assert fault.code == "E-LOCK-HELD", fault
        time.sleep(0.002)
"""


def test_two_processes_take_turns(tmp_path: Path) -> None:
    from pbem.seal.keys import save_private

    folder = begun(tmp_path)
    command = [sys.executable, "-c", APPEND, str(folder.root)]
    writers = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(2)]
    for writer in writers:
        assert writer.stdin
        writer.stdin.write(save_private(KEY, None))
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0, 0]
    ledger = Ledger(folder.ledger, "vienna")
    assert ledger.head.number == 21
    assert found(ledger) == []


# --- Tampering.


def test_every_byte_is_vouched_for(tmp_path: Path) -> None:
    ledger = small_ledger(tmp_path, 2)
    for path in sorted(tmp_path.iterdir()):
        data = path.read_bytes()
        for at in range(len(data)):
            changed = bytearray(data)
            changed[at] ^= 1
            path.write_bytes(changed)
            assert path.name in [file for file, _ in found(ledger)], (path.name, at)
        path.write_bytes(data)
    assert found(ledger) == []


LAST = build_entry(
    EntryHead(1, "note", "vienna", START, NOTHING_BEFORE), {"b": "x y", "a": ["1", "2"], "c": "one\ntwo\n"}, KEY
)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LAST)), st.integers(0, 9), st.one_of(st.binary(max_size=5), st.sampled_from([b" ", b"\n"])))
def test_nothing_can_be_put_in_or_taken_from_an_entry(at: int, length: int, instead: bytes) -> None:
    data = LAST[:at] + instead + LAST[at + length :]
    if data == LAST:
        return
    try:
        entry = parse_entry(data, "0001-note.yaml")
    except Refused:
        return
    assert entry.tree != parse_entry(LAST, "0001-note.yaml").tree or entry.signature not in LAST.decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"body:\n", b"body:  \n"),
        (b"body:\n", b"# a comment\nbody:\n"),
        (b"b: x y\n", b'b: "x y"\n'),
        (b"b: x y\n", b"b: !!str x y\n"),
        (b"b: x y\n", b"b: &a x y\n"),
        (b"b: x y\n", b"b: z\n  b: x y\n"),
        (b"entry: 1\nkind: note\n", b"kind: note\nentry: 1\n"),
        (b"  a: [1, 2]\n  b: x y\n", b"  b: x y\n  a: [1, 2]\n"),
        (b"\n", b"\r\n"),
        (b"pbem", b"\xef\xbb\xbfpbem"),
        (b"[1, 2]", b"[1,2]"),
        (b"pbem: 1\n", b"---\npbem: 1\n"),
    ],
)
def test_the_layout_of_an_entry_cannot_be_changed(old: bytes, new: bytes) -> None:
    assert old in LAST
    with pytest.raises(Refused):
        parse_entry(LAST.replace(old, new, 1), "0001-note.yaml")


def test_a_change_of_layout_is_told_with_its_line() -> None:
    with pytest.raises(Refused, match=r"^0001-note\.yaml:9:1: E-LEDGER-LAYOUT") as refused:
        parse_entry(LAST.replace(b"b: x y\n", b"b: 'x y'\n"), "0001-note.yaml")
    assert len(refused.value.faults) == 1


def test_an_entry_that_is_missing(ledger: Ledger) -> None:
    (ledger.folder / "0002-note.yaml").unlink()
    assert found(ledger) == [("0002-….yaml", "E-LEDGER-GAP")]
    for use in (lambda: ledger.head, lambda: list(ledger.entries()), lambda: ledger.append("note", "", LATER, KEY)):
        with pytest.raises(Refused, match="entry 2 is missing"):
            use()


def test_entries_missing_at_the_end_are_told_by_a_head_from_elsewhere(ledger: Ledger) -> None:
    head = ledger.head
    (ledger.folder / "0003-note.yaml").unlink()
    assert found(ledger) == []
    assert found(ledger, head) == [("0003-….yaml", "E-LEDGER-HEAD")]
    ledger.append("note", "another", LATER, KEY)
    assert found(ledger, head) == [("0003-note.yaml", "E-LEDGER-HEAD")]


def test_a_history_that_was_written_anew_by_its_moderator(ledger: Ledger) -> None:
    last = ledger.read(3)
    time = START + timedelta(hours=2)
    data = build_entry(EntryHead(2, "note", "vienna", time, ledger.read(1).hash), "something else", KEY)
    (ledger.folder / "0002-note.yaml").write_bytes(data)
    assert found(ledger) == [("0003-note.yaml", "E-LEDGER-CHAIN")]
    assert found(ledger, Head(3, last.hash)) == [("0003-note.yaml", "E-LEDGER-CHAIN")]


def forged(ledger: Ledger, name: str, key: PrivateKey = KEY, **changes: object) -> None:
    """The third entry again with another head, well signed, under this name."""
    third = ledger.read(3)
    values: dict[str, object] = {
        "number": 3,
        "kind": "note",
        "campaign": "vienna",
        "time": third.time,
        "before": third.before,
        **changes,
    }
    (ledger.folder / "0003-note.yaml").unlink()
    (ledger.folder / name).write_bytes(build_entry(EntryHead(**values), "x", key))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"number": 4}, "E-LEDGER-NAME"),
        ({"kind": "ruling"}, "E-LEDGER-NAME"),
        ({"campaign": "prague"}, "E-LEDGER-CAMPAIGN"),
        ({"time": START}, "E-LEDGER-TIME"),
        ({"before": "a" * 64}, "E-LEDGER-CHAIN"),
        ({"key": new_key("somebody")}, "E-SIGNATURE-KEY"),
    ],
)
def test_an_entry_that_does_not_belong_where_it_stands(ledger: Ledger, changes: dict[str, object], code: str) -> None:
    forged(ledger, "0003-note.yaml", **changes)
    assert found(ledger) == [("0003-note.yaml", code)]


def test_a_signature_of_another_entry(ledger: Ledger) -> None:
    path = ledger.folder / "0003-note.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace(ledger.read(3).signature.split("\n")[3], ledger.read(2).signature.split("\n")[3]))
    assert [file for file, _ in found(ledger)] == ["0003-note.yaml"]


def test_what_does_not_belong_into_the_folder(ledger: Ledger) -> None:
    folder = ledger.folder
    (folder / "notes.txt").write_text("x")
    (folder / "0002-Note.yaml").write_text("x")
    (folder / "0000-note.yaml").write_text("x")
    (folder / "sub").mkdir()
    names = ("0000-note.yaml", "0002-Note.yaml", "notes.txt", "sub")
    assert found(ledger) == [(name, "E-LEDGER-EXTRA") for name in names]
    assert ledger.head.number == 3


def test_two_entries_of_one_number(ledger: Ledger) -> None:
    forged(ledger, "0003-ruling.yaml", kind="ruling")
    (ledger.folder / "0003-truth.yaml").write_bytes(b"x")
    assert found(ledger) == [("0003-truth.yaml", "E-LEDGER-TWICE")]


def test_links_are_not_followed(ledger: Ledger, tmp_path: Path) -> None:
    path = ledger.folder / "0003-note.yaml"
    path.rename(tmp_path / "elsewhere.yaml")
    path.symlink_to(tmp_path / "elsewhere.yaml")
    assert ("0003-note.yaml", "E-LEDGER-LINK") in found(ledger)
    with pytest.raises(Refused, match="E-LEDGER-LINK"):
        list(ledger.entries())
    (tmp_path / "link").symlink_to(ledger.folder)
    with pytest.raises(StorageFault, match="symbolic link"):
        _ = Ledger(tmp_path / "link", "vienna").head


def test_a_pipe_and_a_folder_are_no_entries(ledger: Ledger) -> None:
    os.mkfifo(ledger.folder / "0004-note.yaml")
    (ledger.folder / "0005-note.yaml").mkdir()
    assert [code for _, code in found(ledger)] == ["E-LEDGER-LINK", "E-LEDGER-LINK"]


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 100,
        bytes(range(256)),
        b"[" * 200_000,
        b"- " * 50_000,
        b"{a: " * 50_000,
        b"? " * 5_000,
        BOMB.encode(),
        BOMB.encode("utf-16"),
        LAST.decode().encode("utf-16"),
        b"[a]: b\n",
        b"!!python/object/apply:os.system [echo]\n",
        b"<<: {a: b}\n",
        LAST + LAST,
        LAST + b"...\n",
        LAST.replace(b"x y", b"x\\ty"),
        LAST.replace(b"x y", '"x\u200by"'.encode()),
        LAST.replace(b"body:", b"bodies:"),
        LAST.replace(b"T08:00:00Z", b"T28:00:00Z"),
        LAST.replace(b"1741-04-10", b"1741-04-31"),
        LAST.replace(b"x y", b"x" * 3_000_000),
        b"x: y\n",
        b"pbem: [1]\nentry: {a: b}\nkind: []\ncampaign: []\ntime: []\nbefore: []\nbody: []\nsignature: []\n",
    ],
)
def test_hostile_files_are_found_and_named(ledger: Ledger, data: bytes) -> None:
    (ledger.folder / "0002-note.yaml").write_bytes(data)
    files = [file for file, _ in found(ledger)]
    assert files
    assert set(files) <= {"0002-note.yaml", "0003-note.yaml"}
    assert files[0] == "0002-note.yaml"
    with pytest.raises((Refused, StorageFault)):
        ledger.read(2)


def test_a_moderator_may_change_the_key(ledger: Ledger) -> None:
    new = new_key("moderator, later")
    ledger.append("key-change", {"key": new.public.text}, LATER, KEY)
    ledger.append("note", "x", LATER, new)
    seen = []

    def next_key(key: PublicKey, entry: Entry) -> PublicKey:
        seen.append(entry.number)
        body = entry.body
        return PublicKey.parse(str(body["key"])) if entry.kind == "key-change" and isinstance(body, dict) else key

    assert ledger.check(KEY.public, next_key) == []
    assert seen == [1, 2, 3, 4, 5]
    assert found(ledger) == [("0005-note.yaml", "E-SIGNATURE-KEY")]


def test_a_key_is_not_taken_from_an_entry_that_is_not_sound(ledger: Ledger) -> None:
    thief = new_key("thief")
    forged(ledger, "0003-note.yaml", key=thief)
    ledger.append("note", "x", LATER, thief)
    findings = ledger.check(KEY.public, lambda key, entry: thief.public if entry.number == 3 else key)
    assert [each.file for each in findings] == ["0003-note.yaml", "0004-note.yaml"]
    assert {each.fault.code for each in findings} == {"E-SIGNATURE-KEY"}
