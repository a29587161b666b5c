"""Puzzles at the desk: every one is told in all languages, and its answers are orders that can be tried."""

from __future__ import annotations

import pytest

from pbem.desk.bridge import Bridge
from pbem.desk.puzzles import puzzles
from pbem.resources import resource
from tests.desk.test_desk import ask

NAMES = [name for found in puzzles("en").values() for name in found]


def test_every_puzzle_is_told_in_every_language() -> None:
    files = {path.name.partition(".")[0] for path in resource("puzzles").iterdir()}
    assert sorted(NAMES) == sorted(files)
    told = [[(game, *found) for game, found in puzzles(language).items()] for language in ("en", "de", "es", "it")]
    assert all(each == told[0] for each in told)
    assert len({puzzles(language)["maria"]["hussars"].asks for language in ("en", "de", "es", "it")}) == 4


@pytest.mark.parametrize("name", NAMES)
def test_the_answers_of_a_puzzle_can_be_tried(name: str) -> None:
    bridge = Bridge("en")
    posed = ask(bridge, "pose", name)
    told = []
    for part in ("tempting", "solution"):
        state = ask(bridge, "answer", name, part)
        assert [fault for fault in state["faults"] if fault["code"].startswith("E-")] == []
        assert "#" not in state["text"]
        told.append(ask(bridge, "outcome"))
    assert all(told)
    assert told[0] != told[1]
    assert posed["sitting"]["kind"] == "position"


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_section_is_told_by_the_short_rules(language: str) -> None:
    bridge = Bridge(language)
    ask(bridge, "pose", "hussars")
    said = ask(bridge, "rule", "§9")
    assert "§9" in str(said)
    assert ask(bridge, "rule", "§99") == []
