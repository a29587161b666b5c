"""`pbem key` by the real command line: made, shown, taken over, never overwritten, never printed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.seal.keys import PublicKey, load_private
from tests.seal.tools import program, run

PASSPHRASE = "correct horse"


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


def key(*words: str, given: str = "", code: int = 0) -> Result:
    """A command of the group."""
    result = CliRunner().invoke(main, ["key", *words], input=given, catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def test_a_new_key_lies_in_its_place_for_its_owner_only(tmp_path: Path) -> None:
    told = key("new", "--comment", "Lou", given=f"{PASSPHRASE}\n{PASSPHRASE}\n").output
    path = tmp_path / "config/pbem/key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    pair = load_private(path.read_bytes(), PASSPHRASE)
    public = PublicKey.parse(path.with_suffix(".pub").read_text())
    assert pair.public == public
    assert public.comment == "Lou"
    assert public.fingerprint in told
    assert PASSPHRASE not in told
    assert json.loads(key("show", "--json").stdout)["key"] == public.text


def test_a_passphrase_mistyped_is_asked_for_again(tmp_path: Path) -> None:
    key("new", given=f"{PASSPHRASE}\nother\n{PASSPHRASE}\n{PASSPHRASE}\n")
    load_private((tmp_path / "config/pbem/key").read_bytes(), PASSPHRASE)


def test_without_an_answer_no_key_is_made(tmp_path: Path) -> None:
    key("new", given="", code=1)
    assert not (tmp_path / "config/pbem/key").exists()


def test_the_place_where_keys_lie_without_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative/is/ignored")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    key("new", "--no-passphrase")
    assert (tmp_path / "home/.config/pbem/key").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    key("new", "--no-passphrase")
    path = tmp_path / "config/pbem/key"
    before = path.read_bytes()
    assert "E-KEY-EXISTS" in key("new", "--no-passphrase", code=1).output
    (tmp_path / "lone.pub").write_text("x")
    assert "E-KEY-EXISTS" in key("new", "--no-passphrase", "--key", "lone", code=1).output
    os.symlink(tmp_path / "nowhere", tmp_path / "link")
    assert "E-KEY-EXISTS" in key("new", "--no-passphrase", "--key", "link", code=1).output
    assert path.read_bytes() == before
    assert not (tmp_path / "lone").exists()


def test_without_a_key_it_is_said_how_to_make_one() -> None:
    told = key("show", code=1).output
    assert "E-KEY-MISSING" in told
    assert "pbem key new" in told
    key("new", "--no-passphrase", "--passphrase-file", "x", code=2)


@pytest.mark.parametrize(
    "words",
    [
        ("accept", "nowhere.eml", "-C", "x"),
        ("act", "louis", "nowhere.yaml", "--why", "ill", "-C", "x"),
        ("rekey", "louis", "nowhere.pub", "--why", "lost", "-C", "x"),
        ("substitute", "louis", "--new-key", "nowhere.pub", "--why", "gone", "-C", "x"),
        ("rule", "words", "-C", "nowhere"),
        ("key", "change", "nowhere", "--campaign", "x"),
    ],
    ids=lambda words: words[0],
)
def test_nobody_is_asked_for_a_passphrase_before_a_missing_file_is_noticed(words: tuple[str, ...]) -> None:
    key("new", given=f"{PASSPHRASE}\n{PASSPHRASE}\n")
    made = CliRunner().invoke(main, ["new", "x"], input=f"{PASSPHRASE}\n")
    assert made.exit_code == 0, made.output
    notes = Path("config/pbem/key.campaigns")
    notes.mkdir()
    line = Path("config/pbem/key.pub").read_text().strip()
    noted = {"format": 1, "campaign": "x", "seat": "louis", "moderator": line, "sealing": "moderator", "terms": {}}
    (notes / "x.louis.json").write_text(json.dumps(noted))
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == 1
    assert "nowhere" in result.output
    assert "Passphrase" not in result.output


def test_a_key_of_ssh_keygen_is_taken_over_with_its_passphrase(tmp_path: Path) -> None:
    made = tmp_path / "id"
    run(program("ssh-keygen"), "-q", "-t", "ed25519", "-N", PASSPHRASE, "-C", "lou@home", "-f", made)
    assert "E-KEY-PASSPHRASE-WRONG" in key("import", "id", given="wrong\n", code=1).output
    assert not (tmp_path / "config").exists()
    key("import", "id", given=f"{PASSPHRASE}\n")
    taken = tmp_path / "config/pbem/key"
    assert taken.read_bytes() == made.read_bytes()
    assert taken.stat().st_mode & 0o777 == 0o600
    assert taken.with_suffix(".pub").read_text() == made.with_suffix(".pub").read_text()


def test_other_kinds_of_keys_are_refused_with_the_reason(tmp_path: Path) -> None:
    run(program("ssh-keygen"), "-q", "-t", "ecdsa", "-N", "", "-f", tmp_path / "other")
    assert "E-KEY-KIND" in key("import", "other", code=1).output
    (tmp_path / "text").write_text("hello")
    assert "E-KEY-FORMAT" in key("import", "text", code=1).output
    (tmp_path / "empty").write_text("\n")
    key("new", "--passphrase-file", "empty", code=1)


def test_a_key_that_others_can_read_is_warned_of(tmp_path: Path) -> None:
    key("new", "--no-passphrase", "--key", "k")
    (tmp_path / "k").chmod(0o644)
    (tmp_path / "k.pub").unlink()
    assert "W-KEY-MODE" in key("show", "--key", "k").output
