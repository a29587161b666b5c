"""The office that goes on by itself: it stops cleanly, and tells what waits for a person."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.office import running
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import SETTINGS, PostalTable


@pytest.fixture
def table(invited: PostalTable, tmp_path: Path) -> PostalTable:
    """The same in a folder of its own."""
    found = invited.copied(tmp_path / "table")
    assert isinstance(found, PostalTable)
    return found


def test_it_goes_on_until_it_is_told_to_stop(table: PostalTable) -> None:
    words = [sys.executable, "-m", "pbem", "mail", "run", "--settings", "mail.yaml"]
    office = subprocess.Popen(words, cwd=table.root, stdout=subprocess.PIPE, text=True, env={**os.environ})
    assert office.stdout
    assert "mails read: 0" in office.stdout.readline()
    assert "nothing to do" in office.stdout.readline()
    assert "mails sent: 3" in office.stdout.readline()
    # A second one while it runs is told so, and does nothing; how it stands can be asked.
    assert "E-LOCK-HELD" in table.mail("send", code=1)
    assert "mails sent: 3" in table.mail("status")
    office.send_signal(signal.SIGTERM)
    assert office.wait(timeout=20) == 0
    assert "mails sent: 3" in table.mail("status")


def test_a_mailbox_that_is_away_for_a_while(table: PostalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds go on; the moderator is told once."""
    away = (table.root / "inbox").rename(table.root / "elsewhere")
    rests = []

    def rest(office: object, stop: running.Stop, seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 2:
            away.rename(table.root / "inbox")
        if len(rests) == 3:
            stop.told.set()

    monkeypatch.setattr(running, "rest", rest)
    assert "mails sent: 3" in table.mail("run"), "the note went before"
    assert rests == [300.0] * 3
    (note,) = [mail for mail in table.sent_mails() if mail["To"] == "moderator@example.org"]
    assert "W-OFFICE-MAILBOX" in note.get_content()
    assert "W-OFFICE-MAILBOX" not in table.mail("status")


def test_a_folder_of_campaigns_that_is_away_is_no_doubt_about_the_mailbox(
    table: PostalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = table.root / "mail.yaml"
    settings.write_text(settings.read_text().replace("campaigns: .", f"campaigns: {table.root / 'games'}"))
    rests = []

    def rest(office: object, stop: running.Stop, seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 2:
            (table.root / "games").mkdir()
        if len(rests) == 3:
            stop.told.set()

    monkeypatch.setattr(running, "rest", rest)
    table.mail("run")
    (note,) = [mail for mail in table.sent_mails() if mail["To"] == "moderator@example.org"]
    assert "E-OFFICE-FOLDER the folder of campaigns is away: " in note.get_content()
    assert "W-OFFICE-MAILBOX" not in note.get_content()
    assert "E-OFFICE-FOLDER" not in table.mail("status"), "it is there again"


def test_once_is_once(table: PostalTable) -> None:
    assert "mails sent: 3" in table.mail("run", "--once")
    shutil.rmtree(table.root / "inbox")
    assert "E-OFFICE-INBOX" in table.mail("run", "--once", code=1)


def test_a_campaign_in_two_folders_is_served_by_nobody(table: PostalTable) -> None:
    shutil.copytree(table.folder, table.root / "copy")
    told = table.evening()
    assert "W-OFFICE-TWICE" in told
    assert "mails sent: 1" in told, "to the moderator"


def test_a_key_that_others_can_read_is_not_used(table: PostalTable) -> None:
    table.join_by_mail()
    (table.root / "moderator/key").chmod(0o644)
    assert "E-OFFICE-KEY" in table.evening()
    (table.root / "moderator/key").chmod(0o600)
    told = table.evening()
    assert "letters taken: 3" in told
    assert "E-OFFICE-KEY" not in told


def test_a_key_with_a_passphrase_that_a_command_tells(table: PostalTable) -> None:
    (table.root / "mail.yaml").write_text(SETTINGS + "passphrase-command: echo sesame\n")
    table.join_by_mail()
    with_passphrase = ["ssh-keygen", "-q", "-p", "-N", "sesame", "-P", "", "-f", str(table.root / "moderator/key")]
    if not shutil.which("ssh-keygen"):
        pytest.skip("there is no ssh-keygen here")
    subprocess.run(with_passphrase, check=True, stdout=subprocess.DEVNULL)
    assert "letters taken: 3" in table.evening()


def test_letters_behind_the_end_wait_for_a_person(table: PostalTable) -> None:
    table.evening()
    table.moderate("close", "--why", "nobody came")
    told = table.evening()
    assert "reports: 4" in told
    table.now += timedelta(hours=1)
    table.join_by_mail()
    assert "W-OFFICE-CLOSED" in table.evening()
    assert "nothing to do" in table.evening()
    assert "done: 1" in table.mail("drop")
    assert "W-OFFICE-CLOSED" not in table.evening()


def test_a_lock_of_somebody_who_works_is_no_doubt(table: PostalTable) -> None:
    from pbem.campaign.disk.folder import hold_lock

    table.join_by_mail()
    with hold_lock(table.folder, "pbem rule", table.now):
        told = table.evening()
    assert "letters: 3" in told
    assert "waits for a person" not in told
    assert "letters taken: 3" in table.evening()


def test_the_ways_of_the_campaign_are_told_in_every_language(table: PostalTable) -> None:
    for language, words in {"de": "Mails gelesen", "es": "correos leídos", "it": "mail lette"}.items():
        (table.root / "mail.yaml").write_text(SETTINGS + f"language: {language}\n")
        assert words in table.evening()


def test_ten_lines_are_enough(invited: PostalTable, tmp_path: Path) -> None:
    """There may be many campaigns, and much that waits."""
    table = PostalTable(tmp_path)
    (tmp_path / "inbox" / "new").mkdir(parents=True)
    (tmp_path / "mail.yaml").write_text(SETTINGS)
    table.mail("status")
    for number in range(8):
        people = ("--moderator", "M <m@example.org>", "--seat", "louis=L <l@example.org>")
        table.run("new", f"club-{number}", *people, as_="moderator")
        table.run("invite", "-C", f"club-{number}", as_="moderator")
        table.run("rule", "Be kind.", "-C", f"club-{number}", as_="moderator")
    told = table.evening()
    assert len(told.splitlines()) <= 10
    assert "and further campaigns: 4" in told
    assert "mails sent: 25" in told, "and one to the moderator"
    assert len(SEATS) == 3
    assert NAME not in told


def test_a_players_letter_with_no_address_waits(table: PostalTable) -> None:
    (table.root / "louis.yaml").write_text(
        "campaigns: louis/files\nin: {maildir: inbox}\nout: {files: sent}\nkey: louis/key\nstate: louis/state\n"
    )
    told = table.run("mail", "run", "--once", "--as", "louis", "--settings", "louis.yaml").output
    assert "mails read: 0" in told
    files = table.root / "louis/files" / NAME
    files.mkdir(parents=True)
    table.run("join", table.sent("louis-invitation.invitation.yaml"), "-o", str(files / "join.yaml"), as_="louis")
    told = table.run("evening", "--as", "louis", "--settings", "louis.yaml").output
    assert "W-OFFICE-ADDRESS" in told
    assert "mails sent: 0" in told


def test_what_a_player_gets_from_somebody_else_is_not_filed(table: PostalTable) -> None:
    """Neither a report that another has signed, nor is a letter sent to whoever sends a signed one on."""
    table.evening()
    box = table.root / "louis" / "box" / "new"
    box.mkdir(parents=True)
    (table.root / "louis.yaml").write_text(
        "campaigns: louis/files\nin: {maildir: louis/box}\nout: {files: louis/sent}\nkey: louis/key\n"
        "state: louis/state\naddress: louis@example.org\n"
    )

    def desk() -> str:
        return table.run("evening", "--as", "louis", "--settings", "louis.yaml").output

    (invitation,) = [mail for mail in table.sent_mails() if "louis" in mail["To"]]
    (box / "1.invitation").write_bytes(invitation.as_bytes())
    assert f"{NAME}: [vienna-1741] 0001" in desk()
    files = table.root / "louis/files" / NAME
    table.run("join", str(files / "0001/invitation.yaml"), "-o", str(files / "join.yaml"), as_="louis")
    assert "mails sent: 1" in desk()
    moved = invitation.as_bytes().replace(b"moderator@example.org", b"mallory@example.org")
    (box / "2.moved").write_bytes(moved)
    assert "W-OFFICE-MOVED" in desk()
    # Mallory runs a campaign of the same name.
    (table.root / "mallory").mkdir()
    other = PostalTable(table.root / "mallory")
    other.open_office()
    other.moderate("invite")
    other.evening()
    (forged,) = [mail for mail in other.sent_mails() if "louis" in mail["To"]]
    (box / "3.forged").write_bytes(forged.as_bytes())
    before = sorted(files.rglob("*"))
    told = desk()
    assert "E-GUIDE-MODERATOR" in told
    assert sorted(files.rglob("*")) == before


def test_a_campaign_without_an_address_is_told(table: PostalTable) -> None:
    table.run("new", "silent", as_="moderator")
    assert "W-MAIL-SENDER" in table.evening()


def test_an_office_that_has_lost_its_memory_is_the_same_office_where_it_lay(table: PostalTable) -> None:
    for _ in range(2):
        shutil.rmtree(table.root / "state")
        table.now += timedelta(hours=1)
        told = table.evening()
        assert "E-OFFICE-OTHER" not in told
    assert "held: 3" in told
    shutil.move(table.root / "state", table.root / "elsewhere")
    (table.root / "mail.yaml").write_text(SETTINGS.replace("state: state", "state: third"))
    told = table.evening()
    assert "E-OFFICE-OTHER" in told
    assert f"delete {NAME}/outbox/.office" in told


def test_a_copy_without_an_outbox_goes_on(table: PostalTable) -> None:
    """As git restores a campaign: the outbox, and what was received, are not there."""
    table.evening()
    table.join_by_mail()
    for name in ("outbox", "raw"):
        shutil.rmtree(table.folder / name)
    told = table.evening()
    assert "letters taken: 3" in told
    assert "mails sent: 7" in told
