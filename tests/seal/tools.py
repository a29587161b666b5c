"""Helpers of the tests of this room: vectors, two fixed keys, and the real programs where they are installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pbem.seal.keys import PrivateKey, PublicKey
from tests.seal import second

VECTORS = Path(__file__).parent / "vectors"


def vectors(name: str) -> Any:
    """The vectors of one subject."""
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


def key_of(seed: bytes, comment: str = "") -> PrivateKey:
    """The pair of a seed, its public half reckoned by the second implementation."""
    return PrivateKey(seed, PublicKey(second.public_of(seed), comment))


LOUIS = key_of(bytes(range(32)), "louis")
MARIA = key_of(bytes(range(32, 64)), "maria")


def program(name: str) -> str:
    """The path of a program; without it the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*command: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end."""
    return subprocess.run([str(word) for word in command], input=given, capture_output=True, check=False, timeout=60)


def write_private(path: Path, data: bytes) -> Path:
    """A private key file as ssh-keygen wants it: for its owner only."""
    path.write_bytes(data)
    path.chmod(0o600)
    return path
