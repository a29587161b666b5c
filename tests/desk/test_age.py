"""age files of the page, held to the vectors of the real age: what one of them seals the other opens."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pbem.seal.box import seal, seal_for_parts, unseal, unseal_by_parts
from pbem.seal.faults import BoxFault
from pbem.seal.shares import joined_key, new_split_key, recipient_of
from tests.desk.lent import in_the_page
from tests.seal.test_box import PAIRS, VECTORS
from tests.seal.tools import LOUIS, MARIA

PLAINS = [b"", b"Schwerin marches at dawn.", bytes(64 * 1024), bytes(64 * 1024 + 1), bytes(128 * 1024)]


@pytest.mark.parametrize("vector", VECTORS["boxes"], ids=lambda vector: vector["name"])
def test_boxes_of_age_are_opened_in_the_page(vector: Any) -> None:
    with in_the_page():
        for name, pair in PAIRS.items():
            if name in vector["recipients"]:
                assert unseal(pair, vector["sealed"]) == bytes.fromhex(vector["plain"])
            else:
                with pytest.raises(BoxFault) as refused:
                    unseal(pair, vector["sealed"])
                assert refused.value.code == "E-SEAL-KEY"


@pytest.mark.parametrize("plain", PLAINS, ids=len)
def test_what_one_seals_the_other_opens(plain: bytes) -> None:
    with in_the_page():
        sealed = seal([MARIA.public, LOUIS.public], plain)
        assert unseal(LOUIS, sealed) == plain
    assert unseal(LOUIS, sealed) == unseal(MARIA, sealed) == plain
    usual = seal([LOUIS.public], plain)
    with in_the_page():
        assert unseal(LOUIS, usual) == plain
    assert len(usual) - len(seal([LOUIS.public], plain)) < 300


def test_every_change_of_a_byte_and_every_cut_is_refused_in_the_page() -> None:
    lines = seal([LOUIS.public], b"secret").splitlines()
    content = base64.b64decode("".join(lines[1:-1]))
    with in_the_page():
        changed = [content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in range(0, len(content), 3)]
        for other in [*changed, *(content[:-size] for size in (1, 16, 17, 30))]:
            text = base64.b64encode(other).decode()
            rows = [text[at : at + 64] for at in range(0, len(text), 64)]
            with pytest.raises(BoxFault):
                unseal(LOUIS, "\n".join([lines[0], *rows, lines[-1], ""]))


def test_the_page_seals_for_a_key_in_parts() -> None:
    split = new_split_key(2)
    recipient, key = recipient_of(split.points), joined_key(split.points, {1: split.part(1), 2: split.part(2)})
    with in_the_page():
        sealed = seal_for_parts(recipient, b"the deck")
    assert unseal_by_parts(key, sealed) == b"the deck"
