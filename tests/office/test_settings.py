"""The settings of an office, what is wrong with them, and what `setup` makes of options."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.campaign.disk.atomic import StorageFault
from pbem.cli import main
from pbem.office.servers import trouble_with
from pbem.office.settings import Imap, Server, read_settings, secret_from, standard_settings
from pbem.office.store import NAME, Store
from pbem.paper.documents.faults import Refused
from tests.office.post import SETTINGS, PostalTable

USUAL = [(Imap, "tls", 993), (Imap, "starttls", 143), (Server, "tls", 465), (Server, "starttls", 587)]


@pytest.mark.parametrize(("kind", "tls", "port"), USUAL)
def test_without_a_port_the_usual_one_is_used_and_told(kind: type[Server], tls: Any, port: int) -> None:
    for given, used in ((0, port), (2525, 2525)):
        server = kind("localhost", port=given, tls=tls)
        assert server.port_used == used
        assert f"localhost:{used} " in str(trouble_with(server, "it is closed").message)


GOOD = "campaigns: .\nin: {maildir: box}\nout: {files: sent}\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("in: {maildir: x}\nout: {files: y}\n", "E-OFFICE-CAMPAIGNS"),
        ("campaigns: .\nout: {files: y}\n", "E-OFFICE-WAY"),
        ("campaigns: .\nin: {maildir: x, mbox: z}\nout: {files: y}\n", "E-OFFICE-WAY"),
        (GOOD + "poll: now\n", "E-OFFICE-POLL"),
        (GOOD + "password: sesame\n", "E-FORM-KEY"),
        (GOOD + "adjudicate: always\n", "E-VALUE-CHOICE"),
        ("campaigns: .\nin: {imap: {host: 'imaps://me:sesame@host'}}\nout: {files: y}\n", "E-OFFICE-HOST"),
        ("campaigns: .\nin: {imap: {user: x}}\nout: {files: y}\n", "E-KEY-MISSING"),
    ],
)
def test_settings_that_are_wrong(tmp_path: Path, text: str, code: str) -> None:
    path = tmp_path / "mail.yaml"
    path.write_text(text)
    with pytest.raises(Refused) as refused:
        read_settings(path)
    assert [fault.code for fault in refused.value.faults] == [code]
    assert "sesame" not in str(refused.value).replace("`password: sesame`", "")


def test_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        result = CliRunner().invoke(main, [*words, "--settings", "mail.yaml"], catch_exceptions=False)
        assert result.exit_code == 1, result.output
        return result.output

    assert "E-OFFICE-NONE" in run("evening")
    Path("mail.yaml").write_text(SETTINGS)
    assert "E-OFFICE-INBOX" in run("evening")
    Path("inbox/new").mkdir(parents=True)
    Path("mail.yaml").write_text(SETTINGS.replace("campaigns: .", "campaigns: nowhere"))
    assert "E-OFFICE-FOLDER" in run("evening")
    assert "E-OFFICE-EXISTS" in run("mail", "setup", "--maildir", "inbox")


def test_setup_writes_settings_and_tries_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (Path("box") / "cur").mkdir(parents=True)
    words = ["mail", "setup", "--maildir", "box", "--into", "sent", "--campaigns", ".", "--language", "de"]
    told = CliRunner().invoke(main, words, catch_exceptions=False)
    assert told.exit_code == 0, told.output
    assert "Postfach: Nachrichten: 0" in told.output
    path = standard_settings()
    assert path == tmp_path / "config" / "pbem" / "mail.yaml"
    assert path.stat().st_mode & 0o077 == 0
    assert read_settings(path).inbox.maildir == str(tmp_path / "box")
    assert (tmp_path / "state" / "pbem" / NAME).stat().st_mode & 0o077 == 0


def test_servers_are_written_with_a_command_for_the_secret(tmp_path: Path) -> None:
    path = tmp_path / "mail.yaml"
    words = ["--imap", "max@example.org@mail.example.org:994", "--smtp", "max@example.org@mail.example.org"]
    CliRunner().invoke(main, ["mail", "setup", *words, "--campaigns", str(tmp_path), "--settings", str(path)])
    found = read_settings(path)
    assert found.inbox.imap
    assert (found.inbox.imap.user, found.inbox.imap.host, found.inbox.imap.port) == (
        "max@example.org",
        "mail.example.org",
        994,
    )
    assert found.outbox.smtp
    assert found.outbox.smtp.password_command == "pass show mail.example.org"


@pytest.mark.parametrize("way", ["--imap", "--smtp"])
@pytest.mark.parametrize("written", ["imaps://me:sesame@host", "me:sesame@host", "me@host:sesame", "me@host:99999"])
def test_a_password_in_the_name_of_a_server_is_written_nowhere(tmp_path: Path, way: str, written: str) -> None:
    path = tmp_path / "mail.yaml"
    others = ["--into" if way == "--imap" else "--maildir", str(tmp_path), "--campaigns", str(tmp_path)]
    done = CliRunner().invoke(main, ["mail", "setup", way, written, *others, "--settings", str(path)])
    assert done.exit_code == 1
    assert "sesame" not in done.output
    assert not list(tmp_path.iterdir())


def test_secrets_are_told_by_commands(tmp_path: Path) -> None:
    assert secret_from("printf 'sesame\\nuser: x\\n'", "password-command") == "sesame"
    for command in ("false", "true", "/no/such/thing --password hidden", ""):
        with pytest.raises(Refused) as refused:
            secret_from(command, "password-command")
        assert [fault.code for fault in refused.value.faults] == ["E-OFFICE-COMMAND"]
        assert "hidden" not in str(refused.value)


def test_a_memory_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"no base of data, but long enough to be looked at" * 100)
    with pytest.raises(Refused, match="E-OFFICE-STATE"):
        Store(tmp_path)
    (tmp_path / NAME).unlink()
    store = Store(tmp_path)
    store.base.execute("PRAGMA user_version = 9")
    store.close()
    with pytest.raises(Refused, match="another version"):
        Store(tmp_path)


def test_a_full_disk_and_a_damaged_memory_are_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.base.execute(f"PRAGMA max_page_count = {store.count('PRAGMA page_count')}")
    with pytest.raises(StorageFault, match="E-DISK-FULL"), store.step():
        store.note("much", "x" * 100_000)
    with store.step():
        store.note("little", "x")
    store.close()
    path = tmp_path / NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\x55" * (len(whole) - 4096))
    with pytest.raises(Refused, match="E-OFFICE-STATE") as refused:
        Store(tmp_path).fact("little")
    assert str(path) in str(refused.value)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_the_units_for_systemd_are_sound(tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "examples" / "office"
    for name in ("pbem-office.service", "pbem-round.timer", "pbem-round.service"):
        text = (folder / name).read_text().replace("%h/.local/bin/pbem", "/bin/true")
        (tmp_path / name).write_text(text)
    units = [str(path) for path in sorted(tmp_path.iterdir())]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    words = ["systemd-analyze", "verify", "--user", *units]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_mbox_is_as_many_mails_as_it_has(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office()
    mail = "From a@b Sat Nov 21 12:00:00 2026\nFrom: a@b\nMessage-ID: <{}@b>\n\nHello\n\n"
    mails = "".join(map(mail.format, "xyz"))
    (table.root / "mails.mbox").write_text(mails)
    settings = table.root / "mail.yaml"
    settings.write_text(settings.read_text().replace("{maildir: inbox}", "{mbox: mails.mbox}"))
    assert "mailbox: 3 messages" in table.mail("setup")
