"""A little of what `python -m tests.office` does much of."""

from __future__ import annotations

from pathlib import Path

from tests.office import large


def test_a_full_mailbox(tmp_path: Path) -> None:
    found = large.full_mailbox(tmp_path / "mails", 100)
    assert found["MB"] < 150


def test_an_office_killed_at_any_moment(tmp_path: Path) -> None:
    found = large.killed(tmp_path / "killed", 2)
    assert found["killed"] + found["ended"] == 2
