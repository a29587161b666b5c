"""An older state of a campaign's folder beneath an office that has worked with a newer one."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.correspondence import NAME, SEATS
from tests.office.post import PostalTable


@pytest.fixture
def older(table: PostalTable) -> PostalTable:
    """The office has taken two letters, and the folder is as it was before; the newer one lies in `newer`."""
    shutil.copytree(table.folder, table.root / "kept" / "older")
    for seat in ("louis", "frederick"):
        table.order_by_mail(seat)
    assert "letters taken: 2" in table.evening()
    shutil.move(table.folder, table.root / "kept" / "newer")
    shutil.copytree(table.root / "kept" / "older", table.folder)
    return table


def entries(table: PostalTable) -> list[str]:
    return sorted(path.name for path in (table.folder / "ledger").iterdir())


def put_back(table: PostalTable, which: str) -> None:
    shutil.rmtree(table.folder)
    shutil.copytree(table.root / "kept" / which, table.folder)


def test_nothing_is_entered_where_the_ledger_ends_before_what_the_office_knows(older: PostalTable) -> None:
    before = entries(older)
    older.order_by_mail("maria-theresa")
    for _ in range(2):
        told = older.evening(code=1)
        assert "E-LEDGER-SHORT an older state of the folder lies here" in told
        assert "entries 6 to 7 are gone" in told
        assert entries(older) == before
    assert "E-LEDGER-SHORT" in older.mail("status")


def test_the_newer_folder_put_back_goes_on(older: PostalTable) -> None:
    older.order_by_mail("maria-theresa")
    older.evening(code=1)
    put_back(older, "newer")
    assert "letters taken: 1, on to turn 1 (hussars)" in older.evening()
    assert "E-LEDGER-SHORT" not in older.mail("status")


def test_a_person_goes_on_without_the_entries_that_are_lost(older: PostalTable) -> None:
    older.evening(code=1)
    older.order_by_mail("maria-theresa")
    told = older.run("evening", "--ledger-is-right", NAME, "--settings", "mail.yaml").output
    assert "letters taken: 1" in told
    older.post_letter("louis", "louis/orders.yaml")
    assert "letters taken: 1" in older.evening()
    assert "E-LEDGER-SHORT" not in older.mail("status")


def vouch(table: PostalTable, code: int = 0) -> str:
    """An evening in which a person vouches for the ledger."""
    return table.run("evening", "--ledger-is-right", NAME, "--settings", "mail.yaml", code=code).output


def parts(table: PostalTable) -> Counter[tuple[str, str]]:
    """Count the mails to players by kind and reader."""
    found = [mail for mail in table.sent_mails() if mail["X-Pbem-Kind"]]
    return Counter((str(mail["X-Pbem-Kind"]), str(mail["To"]).partition(" ")[0]) for mail in found)


def played(table: PostalTable, *, is_backwards: bool = False) -> str:
    """An evening for which all players have mailed their orders."""
    for seat in SEATS[::-1] if is_backwards else SEATS:
        table.order_by_mail(seat)
        table.now += timedelta(minutes=1)
    return table.evening()


@pytest.mark.parametrize("is_known", [True, False])
def test_mails_of_other_entries_with_numbers_of_lost_ones_are_sent(table: PostalTable, *, is_known: bool) -> None:
    with (table.root / "mail.yaml").open("a") as file:
        file.write(f"post-command: {sys.executable} post.py\n")
    note = "import os; open('posts', 'a').write(os.environ['PBEM_POST'] + '\\n')"
    (table.root / "post.py").write_text(note)
    shutil.copytree(table.folder, table.root / "kept" / "older")
    before = parts(table)
    assert "on to turn 1 (hussars), reports: 4" in played(table)
    first = parts(table) - before
    assert first[("report", "louis")] == first[("receipt", "louis")] == 1
    if not is_known:
        # An office of an earlier version has queued them.
        with sqlite3.connect(table.root / "state" / "office.sqlite") as base:
            base.execute("UPDATE mails SET entry = ''")
    put_back(table, "older")
    assert "E-LEDGER-SHORT" in table.evening(code=1)
    assert "E-LEDGER" not in vouch(table)
    table.now += timedelta(hours=1)
    assert "on to turn 1 (hussars), reports: 4" in played(table, is_backwards=True)
    assert parts(table) - before == first + first
    assert all(count == 1 for count in Counter(str(mail["Message-ID"]) for mail in table.sent_mails()).values())
    posts = (table.root / "posts").read_text().split("\n")[:-1]
    assert len(posts) == len(set(posts)) == 2
    table.evening()
    table.now += timedelta(hours=3)
    table.evening()
    assert parts(table) - before == first + first, "each once"


def test_mails_of_lost_entries_that_wait_are_dropped_and_told(table: PostalTable) -> None:
    settings = table.root / "mail.yaml"
    before = settings.read_text()
    shutil.copytree(table.folder, table.root / "kept" / "older")
    settings.write_text(before + "per-day: 1\n")
    assert "waiting: 7" in played(table)
    settings.write_text(before)
    put_back(table, "older")
    sent = parts(table)
    told = table.evening(code=1)
    assert "waiting: 7; failed: 0" in told, "nothing is known to be lost yet"
    told = vouch(table)
    assert "W-OFFICE-LOST mails of entries that are gone were not sent any more: 7" in told
    assert "waiting: 0; failed: 0" in told
    assert "W-OFFICE-FAILED" not in told
    assert parts(table) == sent
    assert "W-OFFICE-LOST" in table.mail("status")


def test_mails_that_wait_are_sent_if_the_newer_folder_is_put_back(table: PostalTable) -> None:
    settings = table.root / "mail.yaml"
    before = settings.read_text()
    shutil.copytree(table.folder, table.root / "kept" / "older")
    settings.write_text(before + "per-day: 1\n")
    assert "waiting: 7" in played(table)
    settings.write_text(before)
    shutil.copytree(table.folder, table.root / "kept" / "newer")
    put_back(table, "older")
    table.evening(code=1)
    table.mail("send", code=None)
    put_back(table, "newer")
    assert "mails sent: 7; waiting: 0; failed: 0" in table.evening()


def test_a_person_vouches_for_the_ledger_of_one_campaign(older: PostalTable) -> None:
    told = older.evening(code=1)
    assert f"`pbem evening --ledger-is-right {NAME}`" in " ".join(told.split())
    host = ("--moderator", "Max <moderator@example.org>")
    older.run("new", "club", "--delay", "0m", *host, "--seat", "louis=Louis <louis@example.org>", as_="moderator")
    older.run("evening", "--settings", "mail.yaml", code=1)
    before = entries(older)
    older.order_by_mail("maria-theresa")
    told = older.run("evening", "--ledger-is-right", "club", "--settings", "mail.yaml", code=1).output
    assert "E-LEDGER-SHORT" in told
    assert entries(older) == before, "for this ledger nobody vouches"
    told = older.run("evening", "--ledger-is-right", "inbox", "--settings", "mail.yaml", code=1).output
    assert "E-OFFICE-LEDGER no campaign of this office lies in inbox" in told
    assert entries(older) == before


def test_another_entry_in_place_of_the_one_that_the_office_knows_is_told(older: PostalTable) -> None:
    for _ in range(3):
        older.moderate("extend", "12h", "--why", "a holiday")
    before, sent = entries(older), len(older.sent_mails())
    told = older.evening(code=1)
    assert "E-LEDGER-OTHER the office has worked with another entry 7" in told
    older.mail("send", code=1)
    assert entries(older) == before
    assert all("holiday" not in mail.as_string() for mail in older.sent_mails()[sent:])


def test_no_command_enters_anything_before_letters_of_later_entries(table: PostalTable) -> None:
    before = entries(table)
    later: Path = table.folder / "outbox" / "0007"
    later.mkdir()
    (later / "louis.txt").write_text("a report")
    words = ("extend", "12h", "--why", "a holiday", "-C", NAME, "--key", "moderator/key")
    told = table.run(*words, code=1).output
    assert "E-LEDGER-SHORT an older state of the folder lies here: the ledger ends with 5" in told
    assert "E-LEDGER-SHORT" in table.run("status", NAME, code=None).output
    assert entries(table) == before
    shutil.move(later, table.root / "kept")
    table.moderate("extend", "12h", "--why", "a holiday")
    assert entries(table) != before


@pytest.mark.parametrize("is_renamed", [True, False])
def test_a_campaign_without_its_settings_is_told_and_the_others_go_on(table: PostalTable, *, is_renamed: bool) -> None:
    host = ("--moderator", "Max <moderator@example.org>")
    table.run("new", "club", "--delay", "0m", *host, "--seat", "louis=Louis <louis@example.org>", as_="moderator")
    table.evening()
    settings = table.root / "club" / "campaign.yaml"
    kept = table.root / "club" / "campaign.yml" if is_renamed else table.root / "kept.yaml"
    shutil.move(settings, kept)
    table.order_by_mail("louis")
    told = " ".join(table.evening(code=1).split())
    assert "vienna-1741: letters taken: 1" in told
    assert "club: E-OFFICE-SETTINGS its folder club has no campaign.yaml" in told
    assert "put the file back under its name" in told
    assert len([mail for mail in table.mails_to("moderator") if "E-OFFICE-SETTINGS" in str(mail)]) == 1
    shutil.move(kept, settings)
    assert "E-OFFICE-SETTINGS" not in table.evening() + table.mail("status")


def test_settings_that_are_gone_are_told_where_an_office_serves_one_campaign(table: PostalTable) -> None:
    settings = table.root / "mail.yaml"
    settings.write_text(settings.read_text().replace("campaigns: .", f"campaigns: {NAME}"))
    (table.folder / "campaign.yaml").unlink()
    assert f"{NAME}: E-OFFICE-SETTINGS" in table.evening(code=1)
