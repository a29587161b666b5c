"""Archives made to fill the memory or to take for ever: who verifies or exports them is answered within limits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.offered import archives

LIMITED = """
import json, os, resource, signal, sys
from click.testing import CliRunner
from pbem.cli import main
from tests.fuzz.limits import MOST_MEMORY, MOST_SECONDS
resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
for line in sys.stdin:
    if not (child := os.fork()):
        signal.alarm(int(MOST_SECONDS))
        done = CliRunner().invoke(main, json.loads(line))
        print(json.dumps([done.exit_code, type(done.exception).__name__, done.output]), flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("null", flush=True)
"""
"""A process that has imported all; its children, which are quick to begin, carry out one command line each."""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process in this way")
def test_hostile_archives_are_answered_within_limits(tmp_path: Path) -> None:
    count = 0
    with subprocess.Popen(
        [sys.executable, "-c", LIMITED],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        for root in archives(tmp_path):
            commands = [("verify", str(root))]
            if root.name.startswith("opened"):
                commands.append(("export", str(tmp_path / "site"), "-C", str(root)))
            if root.name.startswith("0"):
                commands += [("status", str(root)), ("log", str(root))]
            for words in commands:
                print(json.dumps(words), file=process.stdin, flush=True)
                answer = json.loads(process.stdout.readline())
                assert answer, f"{words}: the process has died, or it took too long"
                code, how, told = answer
                assert (code, how) == (1, "SystemExit"), (words, how, told[-600:])
                assert "E-" in told
                count += 1
    assert count > 40
