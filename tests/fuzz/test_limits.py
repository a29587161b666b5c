"""Files made to fill the memory or to take for ever: all of them are answered within 200 MB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process in this way")
def test_some_hostile_files_are_answered_within_limits() -> None:
    root = Path(__file__).parents[2]
    words = [sys.executable, "-m", "tests.fuzz.limits", "--some"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
