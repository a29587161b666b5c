"""The board under real pointers, fingers and keys: who is chosen, where rings stand, what clicks write."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.desk.sitting import Sitter

POSITION = Path(__file__).parents[2] / "examples/first-march.yaml"


@pytest.fixture
def board(sitter: Sitter) -> Iterator[Sitter]:
    """Somebody before a first march; afterwards through the usual window again."""
    sitter.reader.look()
    sitter.open(str(POSITION))
    yield sitter
    assert sitter.reader.complaints() == []
    sitter.reader.look()


def orders(sitter: Sitter) -> Any:
    return yaml.safe_load(sitter.text())["orders"]


def rings(sitter: Sitter) -> list[str]:
    """Cities in rings."""
    found: list[str] = sitter.reader.run(
        "return [...document.querySelectorAll('.marks .end')].map((each) => each.dataset.city)"
    )
    return found


def test_clicks_go_on_through_cities_and_the_token_takes_the_march_back(board: Sitter) -> None:
    board.click_city("Glogau")
    assert "Steinau" in rings(board)
    board.click_city("Steinau")
    assert orders(board) == {"prussia": {"move": [{"Schwerin": "Steinau"}]}}
    assert "Neumarkt" in rings(board)
    board.click_city("Neumarkt")
    board.click_city("Breslau")
    assert orders(board) == {
        "prussia": {"move": [{"march": "Schwerin", "via": ["Steinau", "Neumarkt"], "to": "Breslau"}]}
    }
    board.click_city("Breslau")
    assert orders(board) == {}
    assert rings(board) == []


def test_who_has_marched_shows_no_rings_once_another_has_marched_behind_him(board: Sitter) -> None:
    first, second = board.march(), board.march()
    board.click_city(first["to"])
    assert rings(board) == []
    assert first["pieces"] in board.find("#chosen").text
    before = orders(board)
    board.click_city(second["to"])
    assert orders(board) == before
