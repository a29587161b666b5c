"""One command at a time, told who is at work, and never held by a process that is gone."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.campaign.disk import folder
from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.disk.folder import hold_lock

NOW = datetime(1741, 4, 10, 12, 30, tzinfo=UTC)
HOLD = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from pbem.campaign.disk.folder import hold_lock
with hold_lock(Path(sys.argv[1]), "pbem adjudicate", datetime(1741, 4, 10, tzinfo=UTC)):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_command_is_told_who_is_at_work(tmp_path: Path) -> None:
    with (
        hold_lock(tmp_path, "pbem adjudicate", NOW),
        pytest.raises(StorageFault, match=r"`pbem adjudicate`, since 1741-04-10 12:30:00 UTC \(process \d+\)") as told,
        hold_lock(tmp_path, "pbem receive", NOW),
    ):
        pytest.fail("two commands at once")
    assert told.value.code == "E-LOCK-HELD"
    with hold_lock(tmp_path, "pbem receive", NOW):
        assert "pbem receive" in (tmp_path / ".lock").read_text()


def test_the_lock_is_given_back_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), hold_lock(tmp_path, "pbem adjudicate", NOW):
        raise RuntimeError
    with hold_lock(tmp_path, "pbem adjudicate", NOW):
        assert (tmp_path / ".lock").exists()


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StorageFault, match=f"process {holder.pid}"), hold_lock(tmp_path, "pbem receive", NOW):
            pytest.fail("two commands at once")
        holder.kill()
        holder.wait()
        with hold_lock(tmp_path, "pbem receive", NOW):
            assert "pbem receive" in (tmp_path / ".lock").read_text()


def test_what_a_lock_says_is_not_trusted(tmp_path: Path) -> None:
    with hold_lock(tmp_path, "pbem adjudicate", NOW):
        (tmp_path / ".lock").write_bytes(b"\x1b[31m evil \n" * 1000)
        with pytest.raises(StorageFault, match="it has not told its name"), hold_lock(tmp_path, "pbem receive", NOW):
            pytest.fail("two commands at once")


def test_a_lock_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("text")
    (tmp_path / ".lock").symlink_to(tmp_path / "precious")
    with pytest.raises(StorageFault) as told, hold_lock(tmp_path, "pbem adjudicate", NOW):
        pytest.fail("a link was followed")
    assert told.value.code == "E-DISK-LINK"
    assert (tmp_path / "precious").read_text() == "text"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageFault) as told, hold_lock(tmp_path / "none", "pbem adjudicate", NOW):
        pytest.fail("nothing to lock")
    assert told.value.code == "E-DISK-MISSING"


def test_a_system_without_locks_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "fcntl", None)
    with pytest.raises(StorageFault) as told, hold_lock(tmp_path, "pbem adjudicate", NOW):
        pytest.fail("nothing was locked")
    assert told.value.code == "E-LOCK-SYSTEM"
