"""Verifies an archive in one process and in several, which must tell the same."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from pbem.campaign.proof.findings import Verification
from pbem.campaign.proof.verifying import verify
from pbem.cli import main

SECONDS = re.compile(r"[0-9.]+ s$|\"seconds\": [0-9.e-]+", re.MULTILINE)


def told(root: Path, *options: str) -> tuple[int, str, str]:
    """All that `pbem verify` says, but how long it took."""
    done = CliRunner().invoke(main, ["verify", str(root), *options])
    return done.exit_code, SECONDS.sub("", done.stdout), SECONDS.sub("", done.stderr)


def verified(root: Path) -> Verification:
    """What is found, with which the command with any number of processes agrees to the byte."""
    assert told(root, "--jobs", "2") == told(root)
    return verify(root)
