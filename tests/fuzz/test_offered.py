"""Archives made to fill the memory or to take for ever: who verifies or exports them is answered within limits."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.offered import archives

MOST_MEMORY = 200 * 1024 * 1024
MOST_SECONDS = 30
"""Generous: on a quiet machine each takes less than five, most one."""

LIMITED = (
    f"import resource, sys; limit = ({MOST_MEMORY}, {MOST_MEMORY}); resource.setrlimit(resource.RLIMIT_DATA, limit);"
    "from pbem.cli import main; sys.argv[0] = 'pbem'; main()"
)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process in this way")
def test_hostile_archives_are_answered_within_limits(tmp_path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_DATA)
    count = 0
    for root in archives(tmp_path):
        commands = [("verify", str(root))]
        if root.name.startswith("opened"):
            commands.append(("export", str(tmp_path / "site"), "-C", str(root)))
        if root.name.startswith("0"):
            commands += [("status", str(root)), ("log", str(root))]
        for words in commands:
            done = subprocess.run(
                [sys.executable, "-c", LIMITED, *words],
                capture_output=True,
                text=True,
                timeout=MOST_SECONDS,
                check=False,
            )
            assert done.returncode == 1, (words, done.stdout[-300:], done.stderr[-600:])
            assert "Traceback" not in done.stderr, (words, done.stderr[-600:])
            assert "E-" in done.stdout + done.stderr
            count += 1
    assert count > 40
