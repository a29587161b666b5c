"""The examples of `docs/protocol.md` are what both implementations make of them."""

from __future__ import annotations

import hmac
import re
from pathlib import Path
from textwrap import dedent

import pytest

from pbem.campaign.ledger.entries import check_entry, parse_entry
from pbem.paper.letters import check_signature, letter_id, read_letter, signed_bytes
from pbem.seal.keys import PublicKey
from tests.protocol.second_entries import entry_of
from tests.protocol.second_keys import check
from tests.protocol.second_letters import letter_of
from tests.seal.second import canonical, line, public_of

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
PUBLIC = public_of(bytes(range(32)))
KEY = PublicKey.parse(line(PUBLIC, ""))


def example(number: int) -> str:
    """One of the documents on the page."""
    blocks = re.findall(r"(?m)(?:^    .*\n)+", PAGE)
    return dedent([block for block in blocks if "SIGNATURE" in block][number])


def test_the_letter() -> None:
    letter, other = read_letter(example(0).encode(), "letter"), letter_of(example(0))
    check_signature(letter, KEY)
    check(PUBLIC, other.signed, other.signature)
    assert signed_bytes(letter) == other.signed
    assert f"`{other.signed.decode()}`" in PAGE
    assert letter_id(letter) == other.id
    assert f"`{other.id}`" in PAGE
    assert f"`{hmac.digest(bytes(32), other.id.encode(), 'sha256').hex()}`" in PAGE


@pytest.mark.parametrize(
    ("old", "new"),
    [("\n", "\r\n"), (r"\A", "\ufeff"), ("wait: yes", 'wait: "yes"'), ("train 1: Regensburg", "{train 1: Regensburg}")],
)
def test_the_letter_in_another_layout(old: str, new: str) -> None:
    text = re.sub(old, new, example(0))
    assert text != example(0)
    assert letter_id(read_letter(text.encode(), "letter")) == letter_of(text).id == letter_of(example(0)).id


@pytest.mark.parametrize(("old", "new"), [("Passau", "Linz"), ("seq: 12", "seq: 13"), ("wait: yes", "wait: true")])
def test_another_letter(old: str, new: str) -> None:
    text = example(0).replace(old, new)
    assert letter_id(read_letter(text.encode(), "letter")) == letter_of(text).id != letter_of(example(0)).id


def test_the_entry(tmp_path: Path) -> None:
    name = "0024-ruling.yaml"
    (tmp_path / name).write_text(example(1), "utf-8")
    entry, other = parse_entry(example(1).encode(), name), entry_of(tmp_path / name)
    check_entry(entry, KEY)
    check(PUBLIC, canonical(other.tree).encode(), other.signature)
    assert entry.hash == other.hash
    assert f"`{other.hash}`" in PAGE
