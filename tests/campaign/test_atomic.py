"""Files are whole or not there, also when the process dies or the disk is full at the worst moment."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pbem.campaign.disk.atomic import PRIVATE, Disk, StorageFault, read_whole, sweep, write_new, write_whole
from tests.campaign.faulty import Faulty, Killed, full

WHENS = ("before", "half", "behind")


def operations(write: object, path: Path) -> int:
    """Number of operations of one writing."""
    disk = Faulty()
    write(path, b"x", disk)  # type: ignore[operator]
    path.unlink()
    return disk.count


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize("when", WHENS)
def test_a_killed_writing_leaves_the_old_file_or_the_new_one(tmp_path: Path, when: str) -> None:
    path = tmp_path / "state.yaml"
    for at in range(operations(write_whole, path)):
        path.write_bytes(b"the old one")
        with pytest.raises(Killed):
            write_whole(path, b"the new, longer one", Faulty(at, when))
        assert path.read_bytes() in (b"the old one", b"the new, longer one")
        sweep(tmp_path)
        assert names(tmp_path) == ["state.yaml"]


@pytest.mark.parametrize("when", WHENS)
def test_a_killed_first_writing_leaves_nothing_or_the_whole(tmp_path: Path, when: str) -> None:
    path = tmp_path / "0001-new.yaml"
    seen = set()
    for at in range(operations(write_new, path)):
        with pytest.raises(Killed):
            write_new(path, b"whole", Faulty(at, when))
        seen.add(path.exists())
        assert not path.exists() or path.read_bytes() == b"whole"
        sweep(tmp_path)
        assert names(tmp_path) in ([], ["0001-new.yaml"])
        assert not path.exists() or path.read_bytes() == b"whole"
        path.unlink(missing_ok=True)
    assert seen == {True, False}


@pytest.mark.parametrize("write", [write_whole, write_new])
@pytest.mark.parametrize("when", WHENS)
def test_a_full_disk_is_told_and_leaves_no_litter(tmp_path: Path, write: object, when: str) -> None:
    path = tmp_path / "secret.age"
    for at in range(operations(write, path)):
        with pytest.raises(StorageFault, match=r"cannot write .*/secret.age: the disk is full") as told:
            write(path, b"data", Faulty(at, when, full))  # type: ignore[operator]
        assert told.value.code == "E-DISK-FULL"
        assert names(tmp_path) in ([], ["secret.age"])
        path.unlink(missing_ok=True)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "state.yaml"
    path.write_bytes(b"old")
    with pytest.raises(StorageFault):
        write_whole(path, b"new", Faulty(0, "half", full))
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["state.yaml"]


def test_a_file_is_not_on_the_disk_before_it_bears_its_name(tmp_path: Path) -> None:
    """The bytes are forced out before the name is given, and the name afterwards."""
    order: list[str] = []

    class Noting(Disk):
        def write(self, path: Path, data: bytes, mode: int) -> None:
            order.append("write")
            super().write(path, data, mode)

        def sync(self, path: Path) -> None:
            order.append("sync folder" if path == tmp_path else "sync file")
            super().sync(path)

        def rename(self, path: Path, target: Path) -> None:
            order.append("rename")
            super().rename(path, target)

    write_whole(tmp_path / "a", b"data", Noting())
    assert order == ["write", "sync file", "rename", "sync folder"]


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "0001-new.yaml"
    write_new(path, b"first")
    with pytest.raises(StorageFault, match="not overwritten") as told:
        write_new(path, b"second")
    assert told.value.code == "E-DISK-EXISTS"
    assert path.read_bytes() == b"first"
    assert names(tmp_path) == ["0001-new.yaml"]


def test_what_is_private_is_private(tmp_path: Path) -> None:
    write_new(tmp_path / "key", b"secret", mode=PRIVATE)
    write_whole(tmp_path / "other", b"secret", mode=PRIVATE)
    for name in ("key", "other"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_writing_replaces_a_link_and_does_not_follow_it(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"precious")
    link = tmp_path / "state.yaml"
    link.symlink_to(tmp_path / "elsewhere")
    write_whole(link, b"new")
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"
    assert not link.is_symlink()
    assert link.read_bytes() == b"new"


def test_only_ordinary_files_of_a_limited_size_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_whole(tmp_path / "file", 5) == b"12345"
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    for name, most, code in (
        ("file", 4, "E-DISK-SIZE"),
        ("link", 9, "E-DISK-LINK"),
        ("pipe", 9, "E-DISK-KIND"),
        (".", 9, "E-DISK-KIND"),
        ("none", 9, "E-DISK-MISSING"),
        ("file/none", 9, "E-DISK-MISSING"),
    ):
        with pytest.raises(StorageFault) as told:
            read_whole(tmp_path / name, most)
        assert told.value.code == code, name


def test_a_file_that_grows_while_it_is_read_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    measured = os.fstat

    def grown(handle: int) -> os.stat_result:
        about = measured(handle)
        file.write_bytes(b"1234567")
        return about

    monkeypatch.setattr(os, "fstat", grown)
    file.write_bytes(b"123")
    assert read_whole(file, 7) == b"1234567"
    file.write_bytes(b"123")
    with pytest.raises(StorageFault) as told:
        read_whole(file, 6)
    assert told.value.code == "E-DISK-SIZE"


def test_sweeping_takes_only_what_was_left(tmp_path: Path) -> None:
    for name in (".pbem-0123456789abcdef.tmp", ".pbem-notes.tmp", "a.tmp", "0001-new.yaml"):
        (tmp_path / name).write_bytes(b"")
    assert sweep(tmp_path) == [".pbem-0123456789abcdef.tmp"]
    assert names(tmp_path) == [".pbem-notes.tmp", "0001-new.yaml", "a.tmp"]


def test_a_message_tells_no_more_of_a_path_than_its_end(tmp_path: Path) -> None:
    with pytest.raises(StorageFault) as told:
        read_whole(tmp_path / "campaign" / "none", 9)
    assert "campaign/none" in str(told.value.message)
    assert str(tmp_path) not in str(told.value)
