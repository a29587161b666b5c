"""Messages come out of files and folders whole, in order, and one by one."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.post.extract import extract
from pbem.post.mailbox import MOST_BYTES, RawMessage, split_mailbox
from tests.post.copies import LETTERS

FIRST = b"From: a@example.org\nSubject: x\n\nhello\n"
SECOND = b"From: b@example.org\nSubject: y\n\n" + LETTERS["signed"].encode()
POSTMARK = b"From a@example.org Mon Nov  2 18:00:00 2026\n"


def data(source: Path | bytes) -> list[bytes]:
    return [message.data for message in split_mailbox(source)]


def test_a_file_is_one_message(tmp_path: Path) -> None:
    path = tmp_path / "orders.yaml"
    path.write_bytes(SECOND)
    assert list(split_mailbox(path)) == [RawMessage(SECOND, "orders.yaml")]
    assert list(split_mailbox(SECOND)) == [RawMessage(SECOND, "")]
    assert data(b"") == [b""]


def test_an_mbox_is_taken_apart(tmp_path: Path) -> None:
    path = tmp_path / "maria.mbox"
    path.write_bytes(POSTMARK + FIRST + b"\n" + b"From - Mon Nov\r\n" + SECOND + b"\n")
    got = list(split_mailbox(path))
    assert [message.where for message in got] == ["maria.mbox, message 1", "maria.mbox, message 2"]
    assert [message.data.rstrip(b"\n") for message in got] == [FIRST.rstrip(b"\n"), SECOND.rstrip(b"\n")]
    assert extract(got[1].data).letters[0].text == LETTERS["signed"]


def test_a_line_of_text_does_not_begin_a_message() -> None:
    text = FIRST + b"\nFrom Berlin we march.\n\nFrom there to Prague\n"
    assert data(POSTMARK + text) == [text]


def test_marks_that_protected_lines_are_taken_away() -> None:
    assert data(POSTMARK + FIRST + b">From Berlin\n>>From Prague\n") == [FIRST + b"From Berlin\n>From Prague\n"]


@given(st.lists(st.sampled_from([FIRST, SECOND, b"Subject: z\n\nFrom x\n\n\nFrom y\n"]), min_size=1, max_size=6))
def test_every_message_of_an_mbox_comes_out(messages: list[bytes]) -> None:
    got = data(b"".join(POSTMARK + message + b"\n" for message in messages))
    assert [each.rstrip(b"\n") for each in got] == [message.rstrip(b"\n") for message in messages]


@given(st.binary(max_size=300))
def test_what_is_no_mbox_is_given_on_as_it_is(raw: bytes) -> None:
    assert data(b"x" + raw) == [b"x" + raw]
    assert data(POSTMARK + FIRST + b"x" + raw.replace(b"From", b"from")) == [
        FIRST + b"x" + raw.replace(b"From", b"from")
    ]


def test_a_maildir_is_read_in_the_order_of_arrival(tmp_path: Path) -> None:
    for box in ("cur", "new", "tmp"):
        (tmp_path / box).mkdir()
    (tmp_path / "cur" / "20.a:2,S").write_bytes(SECOND)
    (tmp_path / "new" / "10.b").write_bytes(FIRST)
    (tmp_path / "tmp" / "5.c").write_bytes(b"half")
    (tmp_path / "new" / ".hidden").write_bytes(b"x")
    got = list(split_mailbox(tmp_path))
    assert got == [RawMessage(FIRST, "new/10.b"), RawMessage(SECOND, "cur/20.a:2,S")]


def test_a_folder_gives_what_has_the_name_of_a_message(tmp_path: Path) -> None:
    (tmp_path / "b.eml").write_bytes(SECOND)
    (tmp_path / "a.mbox").write_bytes(POSTMARK + FIRST + b"\n" + POSTMARK + FIRST)
    (tmp_path / "c.png").write_bytes(b"x")
    (tmp_path / "d.eml").mkdir()
    (tmp_path / "e.eml").symlink_to(tmp_path / "b.eml")
    os.mkfifo(tmp_path / "f.eml")
    got = [message.where for message in split_mailbox(tmp_path)]
    assert got == ["a.mbox, message 1", "a.mbox, message 2", "b.eml"]


def test_what_is_missing_is_an_error_of_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(split_mailbox(tmp_path / "nothing"))


def test_an_endless_message_is_cut_and_then_refused(tmp_path: Path) -> None:
    path = tmp_path / "endless.mbox"
    path.write_bytes(POSTMARK + FIRST + b"x" * (MOST_BYTES + 100_000) + b"\n\n" + POSTMARK + SECOND)
    got = data(path)
    assert [len(each) > MOST_BYTES for each in got] == [True, False]
    assert [fault.code for fault in extract(got[0]).faults] == ["E-MAIL-SIZE"]
    assert extract(got[1]).letters[0].text == LETTERS["signed"]


def test_many_messages_take_time_in_proportion() -> None:
    start = time.process_time()
    assert len(data((POSTMARK + FIRST + b"\n") * 20_000)) == 20_000
    assert time.process_time() - start < 3
