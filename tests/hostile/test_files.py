"""Files of somebody else's: what their names and their insides do to a terminal, and who may read what is written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pbem.cli import main
from pbem.console import printing
from pbem.faults.wrong import printable, wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.player.files import write_file
from pbem.seal.box import pad, seal
from pbem.seal.keys import new_key, save_private
from tests.campaign.simulated import SimulatedTable
from tests.cli.correspondence import Correspondence
from tests.cli.test_commands import pbem
from tests.cli.test_report import join

COMMANDS = "\x1b]0;mine\x07\x1b[2J\u202egpj\n"
"""Characters that change a window's title, clear it, and turn the line around."""


def harmless(told: str) -> bool:
    """True if nothing in the output commands a terminal."""
    return all(line.isprintable() for line in told.split("\n"))


def test_a_name_of_a_file_commands_no_terminal(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign").begun()
    (table.root / "ledger" / f"0099-{COMMANDS}.yaml").touch()
    for words in (["verify", "campaign"], ["export", "site", "-C", "campaign"]):
        done = pbem(*words, cwd=tmp_path)
        assert done.returncode == 1
        assert "E-LEDGER-EXTRA" in done.stderr
        assert harmless(done.stderr)
        assert r"\u{1b}]0;mine" in done.stderr
    (tmp_path / COMMANDS).mkdir()
    done = pbem("status", COMMANDS, cwd=tmp_path)
    assert (done.returncode, harmless(done.stderr)) == (1, True)


def test_a_mail_with_such_a_name_is_answered_in_one_line(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    box = tmp_path / "mail" / "new"
    box.mkdir(parents=True)
    (box / COMMANDS).write_text("nothing that could be read\n")
    told = table.moderate("accept", "mail").stdout
    assert harmless(told)
    assert len(told.splitlines()) == 1


def test_a_fault_is_one_line() -> None:
    told = Fault.at(1, 2, wrong("E-NAME-UNKNOWN.train", power=COMMANDS, written="", names=(COMMANDS,))).message_line(
        COMMANDS
    )
    assert told.isprintable()
    assert printable("Königgrätz – “♠7” → §11.2") == "Königgrätz – “♠7” → §11.2"


def test_what_is_sealed_to_somebody_commands_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = new_key("louis")
    (tmp_path / "key").write_bytes(save_private(key, None))
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "box.age").write_text(seal([key.public], pad(f"hello {COMMANDS}bye".encode())))
    monkeypatch.setattr(printing, "on_terminal", lambda: True)
    main(["open", str(tmp_path / "box.age"), "--key", str(tmp_path / "key")], standalone_mode=False)
    shown = capsys.readouterr().out
    assert harmless(shown)
    assert r"hello \u{1b}]0;mine" in shown
    assert shown.splitlines()[1] == "bye"


def test_nothing_is_written_through_what_lies_there(tmp_path: Path) -> None:
    """Somebody who may write to the same folder leads no file elsewhere, whatever name they guess."""
    target = tmp_path / "target"
    target.write_text("mine")
    for name in ("report.txt", f".report.txt.{os.getpid()}.tmp"):
        (tmp_path / name).symlink_to(target)
    write_file(tmp_path / "report.txt", b"a report")
    assert target.read_text() == "mine"
    assert not (tmp_path / "report.txt").is_symlink()
    assert (tmp_path / "report.txt").read_bytes() == b"a report"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".pbem-")]


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "report.txt").mkdir()
    with pytest.raises(Refused):
        write_file(tmp_path / "report.txt", b"a report")
    assert os.listdir(tmp_path) == ["report.txt"]


def modes(folder: Path) -> dict[str, int]:
    """Modes of every file."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in files}


def test_only_its_owner_reads_what_is_secret(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        table = Correspondence(tmp_path)
        table.begin()
        join(table)
        table.moderate("report", "louis", "--no-picture", "--out", "louis.txt")
        table.run("check", table.sheet("louis"), as_="louis")
    finally:
        os.umask(before)
    found = modes(tmp_path)
    secret = [
        name
        for name in found
        if name == "louis.txt"
        or name.endswith(("/key", "secret.age", ".notes.json"))
        or "key.campaigns/" in name
        or ("/outbox/" in name and not Path(name).name.startswith("forum."))
    ]
    assert len(secret) > 20
    assert {found[name] for name in secret} == {0o600}
    public = [name for name in found if "/ledger/" in name or name.endswith(("state.yaml", "campaign.yaml", ".pub"))]
    assert {found[name] for name in public} == {0o644}
