"""Caches that make the tests of reports quick."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
import pytest

from pbem.engine.memory import Memory
from pbem.engine.table import GameRules, View
from pbem.report.blocks import Block
from pbem.report.letters import reader
from pbem.report.telling import position_blocks


@pytest.fixture(scope="module", autouse=True)
def _equal_positions_told_once(monkeypatch_module: pytest.MonkeyPatch) -> None:
    """Cache of words about equal views: the same moment is reported many times, to twins and in letters.

    Any difference lies in the view or in the memory; `test_position.py` and `test_secrets.py` make each anew.
    """

    @lru_cache(maxsize=64)
    def told(seen: bytes, language: str) -> list[Block]:
        rules, view, memory = latest
        return position_blocks(rules, view, language, memory)

    latest: tuple[Any, Any, Any] = (None, None, None)

    def kept(rules: GameRules, view: View, language: str = "en", memory: Memory | None = None) -> list[Block]:
        nonlocal latest
        latest = rules, view, memory
        return told(msgspec.json.encode([rules.terms, view, memory]), language)

    monkeypatch_module.setattr(reader, "position_blocks", kept)


@pytest.fixture(scope="module")
def monkeypatch_module() -> Any:
    """Changes that are taken back after a module."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch
