"""Orders of a letter are read once, though it is judged and carried out, and again if other parts of it are open."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.letters.letterbox import MOST_READ, OpenedPart, OrdersCache
from pbem.paper.letters import Letter, read_letter, write_letter
from tests.campaign.simulated import SimulatedTable


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> OrdersCache:
    with SimulatedTable(tmp_path_factory.mktemp("read") / "campaign").open() as campaign:
        return campaign.state.said


def letter(seq: int = 1) -> Letter:
    head: dict[str, str | int] = {"kind": "orders", "campaign": "x", "from": "frederick", "stage": "1/prussia"}
    return read_letter(write_letter({**head, "basis": "0" * 16, "seq": seq}, {"orders": {}}).encode(), "letter")


def test_the_same_letter_is_read_once(said: OrdersCache) -> None:
    one, part = letter(), OpenedPart("00" * 32, {"prussia": {"move": []}})
    found = said.orders(one, {})
    assert said.orders(one, {}) is found
    opened = said.orders(one, {"orders": part})
    assert list(opened.powers) == ["prussia"] != list(found.powers)
    assert said.orders(one, {"orders": replace(part)}) is opened


def test_a_letter_that_stands_elsewhere_is_read_anew(said: OrdersCache) -> None:
    one, part = letter(), {"orders": OpenedPart("00" * 32, {"prussia": {"move": []}})}
    there, here = said.orders(one, part).powers, said.orders(one.with_offset(3), part).powers
    lines = [node.line for each in (*there.values(), *here.values()) if (node := each.node)]
    assert lines[1] == lines[0] + 3


def test_no_more_letters_are_kept_than_some(said: OrdersCache, tmp_path: Path) -> None:
    for seq in range(1, 2 * MOST_READ):
        said.orders(letter(seq), {})
    assert len(said.known) <= MOST_READ
