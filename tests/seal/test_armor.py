"""Text armor and SSH's fields: back and forth, and one spelling for the same bytes."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.seal.keys import Malformed, Unreadable, first, from_armor, pack, to_armor, unpack
from tests.seal import second

LABEL = "SSH SIGNATURE"


def in_armor(*rows: str) -> str:
    return "\n".join([f"-----BEGIN {LABEL}-----", *rows, f"-----END {LABEL}-----"])


@given(st.binary(max_size=300))
def test_there_and_back(data: bytes) -> None:
    assert to_armor(data, LABEL) == second.armored(data, LABEL) or not data
    assert from_armor(to_armor(data, LABEL), LABEL) == data


@pytest.mark.parametrize("data", [b"a", b"ab", b"abc", b""])
def test_bytes_have_one_spelling(data: bytes) -> None:
    written = base64.b64encode(data).decode()
    letters = written.rstrip("=")
    others = {
        letters,
        letters + "=",
        letters + "==",
        letters + "===",
        letters + "====",
        "=" + letters,
        written + "AA==",
    }
    others |= {letters[:-1] + last + "=" * written.count("=") for last in "BCDFJKLMRYZ" if letters}
    assert from_armor(in_armor(written), LABEL) == data
    for other in others - {written}:
        try:
            found = from_armor(in_armor(other), LABEL)
        except Unreadable:
            continue
        assert found != data, other
        assert base64.b64encode(found).decode() == other


@pytest.mark.parametrize("row", ["AA AA", "AA\tAA", "AAA\u00a0", "AA\u2028AA", "A", "AA.A", "# AA", "> AAAA", "ÄÖÜA"])
def test_rows_that_are_no_base64(row: str) -> None:
    with pytest.raises(Unreadable):
        from_armor(in_armor(row), LABEL)


@given(st.lists(st.binary(max_size=9), max_size=4))
def test_fields_there_and_back(fields: list[bytes]) -> None:
    data = pack(*fields)
    assert data == b"".join(map(second.string, fields))
    assert unpack(data, len(fields)) == fields
    for wrong in (data + b"\0", data[:-1]) if data else (b"\0",):
        with pytest.raises(Malformed):
            unpack(wrong, len(fields))


@pytest.mark.parametrize("data", [b"", b"\0\0\0", b"\0\0\0\1", b"\xff\xff\xff\xffabc"])
def test_fields_beyond_the_end(data: bytes) -> None:
    with pytest.raises(Malformed):
        first(data)
