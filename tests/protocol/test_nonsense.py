"""Signed nonsense of each kind of entry: some of it in the suite, much of it by `python -m tests.protocol.nonsense`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.simulated import SimulatedTable
from tests.protocol.forging import Draft, rewritten
from tests.protocol.nonsense import KINDS, archives, failures
from tests.protocol.second import verify as second
from tests.protocol.together import verified


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SimulatedTable]:
    """A closed campaign for each kind."""
    return archives(tmp_path_factory.mktemp("nonsense"))


@pytest.mark.parametrize("kind", KINDS)
def test_both_verifiers_agree_on_what_makes_no_sense(
    tables: dict[str, SimulatedTable], tmp_path: Path, kind: str
) -> None:
    assert (verified(tables[kind].root).findings, second(tables[kind].root)) == ([], [])
    found = list(failures({kind: tables[kind]}, tmp_path, 1741, 6))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("key-change", {"key": "louis"}),
        ("key-change", {"key": ""}),
        ("substitute", {"key": "ssh-ed25519 AAAA"}),
        ("key-change by letter", {"why": "lost"}),
        ("key-change by letter", {"mark": None}),
        ("key-change by letter", {"seq": None}),
    ],
)
def test_a_key_that_is_none_and_a_letter_without_a_number_are_found_by_both(
    tables: dict[str, SimulatedTable], tmp_path: Path, kind: str, said: dict[str, str | None]
) -> None:
    def change(draft: Draft) -> None:
        its, time, body = draft.entries[-2]
        draft.entries[-2] = (its, time, {key: word for key, word in (body | said).items() if word is not None})

    table = tables[kind].copied(tmp_path / "copy")
    rewritten(table.root, table.moderator, change)
    assert not verified(table.root).is_good
    assert second(table.root)
