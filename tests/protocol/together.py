"""Verifies an archive in one process and in several, which must tell the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.campaign.proof import verifying
from pbem.campaign.proof.findings import Verification
from pbem.campaign.proof.verifying import verify
from pbem.cli import main

SECONDS = re.compile(r"[0-9.]+ s$|\"seconds\": [0-9.e-]+", re.MULTILINE)


def told(root: Path, *options: str) -> tuple[int, str, str]:
    """All that `pbem verify` says, but how long it took."""
    done = CliRunner().invoke(main, ["verify", str(root), *options])
    return done.exit_code, SECONDS.sub("", done.stdout), SECONDS.sub("", done.stderr)


def verified(root: Path) -> Verification:
    """What the command finds, with which it agrees to the byte if several processes share the work."""
    found: list[Verification] = []

    def kept(folder: Path) -> Verification:
        found.append(verify(folder))
        return found[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifying, "verify", kept)
        alone = told(root)
    assert told(root, "--jobs", "2") == alone
    (only,) = found
    return only
