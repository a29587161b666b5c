"""Archives made to fill the memory or to take for ever: who verifies or exports them is answered within limits."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.fuzz.offered import SOME, offer


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process in this way")
def test_some_hostile_archives_are_answered_within_limits(tmp_path: Path) -> None:
    assert offer(tmp_path, SOME) > len(SOME)
