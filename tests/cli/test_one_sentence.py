"""Bad input has one clear sentence, and no place in a file where there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .correspondence import NAME, Correspondence


@pytest.fixture
def table(tmp_path: Path) -> Correspondence:
    """A campaign to which everybody is invited."""
    found = Correspondence(tmp_path)
    found.begin()
    return found


def test_no_name(table: Correspondence) -> None:
    told = table.run("new", "other", "--name", "", as_="moderator", code=2).output
    assert told.count("--name") == 1
    assert "E-" not in told


def test_no_folder(table: Correspondence) -> None:
    told = table.run("new", "", as_="moderator", code=2).output
    assert "a folder is made here: name it" in told


def test_no_such_file(table: Correspondence) -> None:
    told = table.run("sign", "order.yaml", as_="louis", code=1).output
    assert told == "order.yaml: E-FILE this file cannot be read: there is no such file\n"


def test_no_state_file(table: Correspondence) -> None:
    (table.folder / "state.yaml").unlink()
    told = table.run("verify", NAME, code=1).output
    assert "state.yaml" in told
    assert ":1:1:" not in told


@pytest.mark.parametrize(
    ("command", "german"),
    [
        (("log", NAME, "--player", "zzz"), "(Spieler)"),
        (("log", NAME, "--kind", "zzz"), "(Art von Eintrag)"),
        (("show", "p.yaml", "--as", "zzz"), "(Spieler oder Macht)"),
    ],
)
def test_no_such_name(table: Correspondence, command: tuple[str, ...], german: str) -> None:
    (table.root / "p.yaml").write_text("turn: 2\n")
    assert f"'zzz' ist unbekannt {german}" in table.run(*command, "--language", "de", code=2).output


def test_a_forged_invitation(table: Correspondence) -> None:
    path = Path(table.sent("louis-invitation.invitation.yaml"))
    text = path.read_text()
    forged = table.root / "forged.yaml"
    forged.write_text(text[: text.index("\nbody:")] + "\nbody: none\n")
    told = table.run("join", "forged.yaml", as_="louis", code=1).output
    assert "it is damaged or forged" in told
    assert "Error" not in told


def test_nobody_to_ask_for_a_passphrase(table: Correspondence) -> None:
    (table.root / "words").write_text("abc def\n")
    table.run("key", "new", "--passphrase-file", "words", as_="locked")
    command = [sys.executable, "-m", "pbem", "sign", "x.yaml", "--key", "locked/key"]
    (table.root / "x.yaml").write_bytes(Path(table.sent("louis-invitation.invitation.yaml")).read_bytes())
    done = subprocess.run(
        command, cwd=table.root, stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True
    )
    assert done.returncode == 1
    assert "no terminal on which to ask for the passphrase" in done.stderr
    assert "--passphrase-file" in done.stderr
    assert "Warning" not in done.stderr
