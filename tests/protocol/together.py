"""Verifies an archive in one process and in several, which must tell the same."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.campaign.proof import sharing
from pbem.campaign.proof.verification import Verification
from pbem.campaign.proof.verifying import verify
from pbem.cli import main
from pbem.player import verifying
from pbem.work.executors import ThisProcess

SECONDS = re.compile(r"[0-9.]+ s$|\"seconds\": [0-9.e-]+", re.MULTILINE)


def told(root: Path, *options: str) -> tuple[int, str, str]:
    """All that `pbem verify` says, but how long it took."""
    done = CliRunner().invoke(main, ["verify", str(root), *options])
    return done.exit_code, SECONDS.sub("", done.stdout), SECONDS.sub("", done.stderr)


def verified(root: Path) -> Verification:
    """Findings of the command, which must be the same to the byte if the work is shared.

    One process does all parts, and finds each fault once, as one process alone would; processes of their own are tried
    in `test_together.py`.
    """

    @cache
    def kept(folder: Path) -> Verification:
        return verify(folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifying, "verify", kept)
        patch.setattr(sharing, "verify", kept)
        patch.setattr(sharing, "executor", lambda jobs: ThisProcess())
        assert told(root, "--jobs", "2") == told(root)
        return kept(root)
