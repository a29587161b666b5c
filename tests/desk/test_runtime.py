"""The page's runtime is fetched whole or not at all, and no other file is taken for it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from pbem.desk import runtime
from pbem.desk.runtime import Part, archives, part_data
from pbem.paper.documents.faults import Refused

GOOD = b"the archive"


def part(*command: str) -> Part:
    return Part("some.tgz", sha256(GOOD).hexdigest(), command, "MIT")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(runtime, "store", lambda: tmp_path / "store")
    return tmp_path / "store"


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [fault.message.key for fault in refused.value.faults]


def test_a_part_is_fetched_once(store: Path) -> None:
    assert part_data(part("sh", "-c", "printf 'the archive' > some.tgz")) == GOOD
    assert part_data(part("sh", "-c", "exit 1")) == GOOD
    assert [path.name for path in store.iterdir()] == ["some.tgz"]


def test_another_file_than_the_one_that_is_known_is_refused_and_not_kept(store: Path) -> None:
    with pytest.raises(Refused) as refused:
        part_data(part("sh", "-c", "echo strange > some.tgz"))
    assert codes(refused) == ["E-DESK-RUNTIME.other"]
    assert list(store.iterdir()) == []


def test_what_was_changed_in_the_store_is_fetched_anew(store: Path) -> None:
    store.mkdir()
    (store / "some.tgz").write_bytes(b"changed")
    assert part_data(part("sh", "-c", "printf 'the archive' > some.tgz")) == GOOD


def test_a_program_that_fails_or_is_not_there_is_told(store: Path) -> None:
    with pytest.raises(Refused) as refused:
        part_data(part("sh", "-c", "echo no network >&2; exit 3"))
    assert codes(refused) == ["E-DESK-FETCH"]
    assert "no network" in str(refused.value)
    with pytest.raises(Refused) as refused:
        part_data(part("no-such-program"))
    assert codes(refused) == ["E-DESK-PROGRAM"]


def test_a_folder_that_lacks_a_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        archives(tmp_path)
    assert codes(refused) == ["E-DESK-RUNTIME.missing"]
