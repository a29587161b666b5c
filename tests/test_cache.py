"""The cache for the next command: nothing that is written depends on it, and nobody else can put anything there."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.bccache import Bucket

from pbem import cache
from pbem.report.language.templates import CompiledTemplates

ROOT = Path(__file__).parents[1]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(cache.OFF, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "pbem"


def made(value: str, name: bytes = b"about") -> str:
    return cache.load_or_make("what", name, str, lambda: value)


def test_a_thing_is_made_once(place: Path) -> None:
    assert made("first") == made("second") == "first"
    assert made("third", b"other") == "third"
    assert place.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in place.iterdir()} == {0o600}


def test_it_can_be_turned_off(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.OFF, "1")
    assert (made("first"), made("second")) == ("first", "second")
    assert not place.exists()


def test_what_was_changed_or_is_of_another_kind_is_made_again(place: Path) -> None:
    made("first")
    (file,) = place.iterdir()
    for data in (b"", file.read_bytes()[:-1], b"x" * 40, file.read_bytes() + b"x"):
        file.write_bytes(data)
        assert made("second") == "second"
        file.unlink()
    cache.store(file.name, b"\xc1")
    assert made("third") == "third"
    cache.keep(cache.name_of("other", b""), 7)
    (place / cache.name_of("other", b"")).rename(file)
    assert made("fourth") == "fourth"


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o755])
def test_a_folder_that_others_can_enter_is_left_alone(place: Path, mode: int) -> None:
    made("first")
    place.chmod(mode)
    assert made("second") == "second"
    assert len(list(place.iterdir())) == 1


def test_a_folder_of_somebody_else_is_left_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made("first")
    monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
    assert made("second") == "second"


def test_links_are_not_followed(place: Path, tmp_path: Path) -> None:
    made("first")
    (file,) = place.iterdir()
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert made("second") == "second"
    place.rename(tmp_path / "moved")
    place.symlink_to(tmp_path / "moved")
    assert made("third") == "third"


def test_it_does_not_grow_for_ever(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 5)
    for number in range(20):
        made("x", str(number).encode())
        assert len(list(place.iterdir())) <= 5


def test_many_of_a_kind_leave_the_others_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 5)
    made("kept")
    for number in range(20):
        cache.load_or_make("whatever", str(number).encode(), str, str)
        assert made("made anew") == "kept"


def test_the_folder_is_listed_again_after_so_many_values(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others store values there, too."""
    listings = []
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: listings.append(path) or listdir(path))
    monkeypatch.setattr(cache, "MOST_UNLISTED", 5)
    for number in range(11):
        made("x", str(number).encode())
    assert listings == [place] * 3


def test_another_program_has_its_own(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made("first")
    monkeypatch.setattr(cache, "sources", lambda: b"other")
    assert made("second") == "second"


@pytest.mark.parametrize("arguments", [["map", "--width", "300", "-o"], ["show"], ["legal"], ["try"]])
def test_all_is_the_same_with_and_without_it(tmp_path: Path, arguments: list[str]) -> None:
    """Three processes: one finds nothing, one what the first has left, one has to do without."""
    environment = {key: value for key, value in os.environ.items() if key != cache.OFF}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "home")
    (tmp_path / "home").mkdir()
    told = []
    for off in ({}, {}, {cache.OFF: "1"}):
        picture = tmp_path / f"{len(told)}.png"
        given = ["examples/first-march.yaml"]
        if arguments[0] == "map":
            given.insert(0, str(picture))
        if arguments[0] == "try":
            given.append("examples/first-march-orders.yaml")
        command = [sys.executable, "-m", "pbem", *arguments, *given]
        done = subprocess.run(command, cwd=ROOT, env=environment | off, capture_output=True, check=False)
        drawn = picture.read_bytes() if picture.exists() else b""
        told.append((done.returncode, done.stdout.replace(str(picture).encode(), b""), done.stderr, drawn))
    assert any((tmp_path / "home" / "pbem").iterdir())
    assert told[0][1] or told[0][2]
    assert told[0] == told[1] == told[2]


def test_a_disk_that_is_full_is_left_as_it_was(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made("first")
    before = sorted(place.iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(cache, "_digest", full)
        assert made("second", b"other") == "second"
    assert sorted(place.iterdir()) == before
    (place / "0123456789abcdef.tmp").write_bytes(b"left by a command that was killed")
    made("third", b"another")
    assert not list(place.glob("*.tmp"))


def full(name: str, data: bytes) -> bytes:
    """No room is left."""
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names on this system")
def test_what_is_too_large_is_not_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.store("thing-1", b"x" * 1000)
    assert cache.fetch("thing-1") == b"x" * 1000
    monkeypatch.setattr(cache, "LARGEST", 1000)
    assert cache.fetch("thing-1") is None


def test_nobody_waits_for_what_is_no_file(place: Path) -> None:
    made("first")
    (file,) = place.iterdir()
    file.unlink()
    os.mkfifo(file)
    assert made("second") == "second"
    with open(os.open(file, os.O_RDWR | os.O_NONBLOCK), "rb+", buffering=0):
        assert made("third") in ("second", "third")


@pytest.mark.usefixtures("place")
def test_code_that_is_none_is_compiled_again() -> None:
    """It bears a hash of itself, and so only its owner can have put it there; a report is written all the same."""
    for data in (b"\xc0", b"\x80", b"("):
        kept = CompiledTemplates("words")
        bucket = Bucket(Environment(), "key", "checksum")
        cache.store(kept.name_of(bucket), data)
        kept.load_bytecode(bucket)
        assert bucket.code is None
