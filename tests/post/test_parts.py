"""Mails that lie apart are, put together, the same bytes as those that were never apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from pbem.paper.documents.faults import Refused
from pbem.post.outgoing import Enclosure, eml, put_together, split_mail
from tests.post.test_outgoing import FULL


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=400), min_size=1, max_size=3), st.integers(0, 7), st.text(max_size=80))
def test_a_mail_put_together_is_the_mail(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes], lying: int, text: str
) -> None:
    folder = tmp_path_factory.getbasetemp() / "parts"
    folder.mkdir(exist_ok=True)
    files = tuple(Enclosure(f"{number}.bin", "application/octet-stream", data) for number, data in enumerate(contents))
    letter = structs.replace(FULL, attachments=files, text=text, is_draft=True)
    beside = {"map.png": "map.en.png"} | {
        each.name: f"x.{each.name}" for at, each in enumerate(files) if lying >> at & 1
    }
    for each in (*letter.pictures, *files):
        if each.name in beside:
            (folder / beside[each.name]).write_bytes(each.data)
    apart = split_mail(letter, beside)
    assert put_together(apart, folder) == eml(letter)
    assert put_together(eml(letter), folder) == eml(letter)


def test_a_part_that_is_gone_is_told(tmp_path: Path) -> None:
    apart = split_mail(FULL, {"map.png": "map.en.png"})
    with pytest.raises(Refused, match="E-MAIL-PART the file map"):
        put_together(apart, tmp_path)


def test_no_way_leads_out_of_the_folder(tmp_path: Path) -> None:
    """A header that we have not written is no place of a file."""
    data = b"X-Pbem-Part: 3 ../secret\r\nFrom: x\r\n"
    assert put_together(data, tmp_path) == data
