"""Letters that a player's office counts as an answer to the newest report, and letters that it tells of instead."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.correspondence import NAME, SEATS
from tests.office.post import PostalTable, copied
from tests.setups import with_more

ORDERED = "waits for the next report; the orders for turn 1 (set-up) are signed"
OWED = "orders are owed for turn 1 (set-up)"
REFUSED = "the letter with orders for turn 1 (set-up) was refused, and they are still owed"
CHANGE_REFUSED = "the newest letter for turn 1 (set-up) was refused; if no other comes, what was taken before counts"


@pytest.fixture
def seated(owing: PostalTable, tmp_path: Path) -> PostalTable:
    """The office of Louis, which has filed the report for 1/setup."""
    return copied(owing, tmp_path / "table")


def bring_all(table: PostalTable) -> str:
    """All mails to Louis come, and his office has a round."""
    table.bring("louis", *table.mails_to("louis"))
    return table.desk("louis")


def status(table: PostalTable) -> str:
    return table.desk("louis", "mail", "status")


def sheet_of(table: PostalTable) -> Path:
    """The newest sheet of Louis."""
    return max((table.root / "louis" / "files" / NAME).glob("*/orders.yaml"))


def change(sheet: Path, before: str, after: str) -> None:
    """Somebody edits a file."""
    text = sheet.read_text()
    assert before in text
    sheet.write_text(text.replace(before, after, 1))


def give_more(sheet: Path, **more: int) -> None:
    """Somebody gives so many more troops to some generals."""
    sheet.write_text(with_more(sheet.read_text(), **more))


def send(table: PostalTable) -> None:
    """The office of Louis has a round; what it sends reaches the moderator, who has an evening."""
    table.desk("louis")
    for path in sorted((table.root / "louis" / "sent").glob("*.eml")):
        table.drop(path.read_bytes(), path.name)
        path.unlink()
    table.evening()


def sign(table: PostalTable, *words: str) -> None:
    table.run("sign", str(sheet_of(table)), *words, as_="louis")


def test_after_a_rollback_the_letter_of_before_answers_nothing(seated: PostalTable) -> None:
    table = seated
    sign(table)
    assert ORDERED in status(table)
    send(table)
    for seat in SEATS[:2]:
        table.order_by_mail(seat)
    table.evening()
    table.moderate("rollback", "--to", "5", "--why", "a mistake")
    table.evening()
    bring_all(table)
    assert OWED in status(table)
    assert "are signed" not in status(table)
    sign(table)
    assert ORDERED in status(table)


def test_a_refused_letter_is_no_answer_until_another_one_is_signed(seated: PostalTable) -> None:
    table = seated
    give_more(sheet_of(table), Noailles=8)
    sign(table)
    assert ORDERED in status(table), "nobody has refused it yet"
    send(table)
    bring_all(table)
    assert REFUSED in status(table)
    give_more(sheet_of(table), Noailles=-8)
    sign(table, "--renumber")
    assert ORDERED in status(table)
    send(table)
    bring_all(table)
    assert ORDERED in status(table)


@pytest.mark.parametrize("file", ["other.yaml", "orders.yaml"])
def test_a_letter_taken_stays_the_answer_when_a_later_one_is_refused(seated: PostalTable, file: str) -> None:
    """The change stands in a file of its own, or in the one of the letter that was taken."""
    table = seated
    sign(table)
    send(table)
    other = sheet_of(table).with_name(file)
    if not other.exists():
        shutil.copy(sheet_of(table), other)
    give_more(other, Noailles=8)
    table.run("sign", str(other), "--renumber", as_="louis")
    send(table)
    bring_all(table)
    assert f"{NAME}: {CHANGE_REFUSED}" in status(table)
    assert REFUSED not in status(table)
    report = str(sheet_of(table).with_name("report.yaml"))
    for told in (table.run("status", as_="louis").output, table.run(report, as_="louis").output):
        assert "your newest letter was refused; if no other comes, what was taken before counts" in told
    assert "signed here: orders, number 3, Turn 1, set-up; number 2 counts" in table.run("status", as_="louis").output


@pytest.mark.parametrize("file", ["other.yaml", "orders.yaml"])
@pytest.mark.parametrize("number", [1, 2])
def test_who_signs_with_an_old_number_learns_which_letter_counts(seated: PostalTable, file: str, number: int) -> None:
    table = seated
    if number == 2:
        sign(table)
        send(table)
        bring_all(table)
        sign(table, "--renumber")
    else:
        sign(table)
    counts = number + 1
    send(table)
    other = sheet_of(table).with_name(file)
    if not other.exists():
        shutil.copy(sheet_of(table), other)
    give_more(other, Maillebois=-1, Noailles=1)
    change(other, f"seq: {counts}", f"seq: {number}")
    table.run("sign", str(other), as_="louis")
    send(table)
    bring_all(table)
    assert f"{NAME}: {CHANGE_REFUSED}" in status(table)
    told = table.run("status", as_="louis").output
    assert "your newest letter was refused; if no other comes, what was taken before counts" in told
    assert f"signed here: orders, number {number}, Turn 1, set-up; number {counts} counts" in told
    table.run("sign", str(other), "--renumber", as_="louis")
    send(table)
    bring_all(table)
    assert f"{NAME}: {ORDERED}" in status(table)
    assert f"signed here: orders, number {counts + 1}, Turn 1, set-up\n" in table.run("status", as_="louis").output


def test_an_older_letter_that_comes_behind_a_newer_one_turns_nothing(seated: PostalTable) -> None:
    """Mails overtake one another."""
    table = seated
    sign(table)
    table.desk("louis")
    (late,) = (table.root / "louis" / "sent").glob("*.eml")
    late = late.rename(table.root / "late.eml")
    other = sheet_of(table).with_name("other.yaml")
    shutil.copy(sheet_of(table), other)
    give_more(other, Maillebois=-1, Noailles=1)
    table.run("sign", str(other), "--renumber", as_="louis")
    send(table)
    table.drop(late.read_bytes(), "late")
    assert "refused: 1" in table.evening()
    bring_all(table)
    assert f"{NAME}: {ORDERED}" in status(table)
    assert "number 3, Turn 1, set-up\n" in table.run("status", as_="louis").output


def test_receipts_of_several_letters_in_one_mail_are_all_filed(seated: PostalTable) -> None:
    table = seated
    give_more(sheet_of(table), Noailles=8)
    sign(table)
    message = table.root / "louis" / "files" / NAME / "message.yaml"
    table.run("message", "all", "Hello", "-o", str(message), "--campaign", NAME, as_="louis")
    send(table)
    bring_all(table)
    receipts = list((table.root / "louis" / "files" / NAME).rglob("*receipt*.yaml"))
    found = sorted("status: refused" in path.read_text() for path in receipts)
    assert (found[0], found[-1]) == (False, True)
    assert len({path.read_text() for path in receipts}) == len(found)
    assert REFUSED in status(table)


def test_a_letter_counts_for_the_campaign_that_it_names(seated: PostalTable) -> None:
    """Of two campaigns, the letter of one lies in the folder of the other."""
    table = seated
    host = ("--moderator", "Max <moderator@example.org>")
    people = [word for seat in SEATS for word in ("--seat", f"{seat}={seat} <{seat}@example.org>")]
    table.run("new", "club", "--delay", "0m", *host, *people, as_="moderator")
    table.run("invite", "-C", "club", as_="moderator")
    for seat in SEATS:
        found = max(table.root.glob(f"club/outbox/*/{seat}-invitation.invitation.yaml"))
        table.run("join", str(found), "-o", f"{seat}.join.yaml", as_=seat)
        table.post_letter(seat, f"{seat}.join.yaml")
    table.evening()
    bring_all(table)
    club = max((table.root / "louis" / "files" / "club").glob("*/orders.yaml"))
    assert "club: orders are owed for turn 1 (set-up)" in status(table)
    sheet = sheet_of(table)
    sign(table)
    sheet.rename(club.with_name("mine.yaml"))
    told = status(table)
    assert "club: orders are owed for turn 1 (set-up)" in told
    assert f"{NAME}: {ORDERED}" in told
    told = table.desk("louis")
    assert f"W-OFFICE-ASTRAY {club.with_name('mine.yaml').relative_to(table.root)} is a letter of {NAME}" in told
    assert "mails sent: 1" in told
    club.with_name("mine.yaml").rename(sheet)
    assert "W-OFFICE-ASTRAY" not in table.desk("louis")


@pytest.mark.parametrize("is_sent", [False, True], ids=["before it is sent", "after it was sent"])
def test_a_letter_that_was_changed_after_it_was_signed_is_told(seated: PostalTable, *, is_sent: bool) -> None:
    table = seated
    sign(table)
    if is_sent:
        table.desk("louis")
    sheet = sheet_of(table)
    give_more(sheet, Noailles=1)
    told = table.desk("louis")
    name = sheet.relative_to(table.root)
    assert f"W-OFFICE-EDITED {name} was changed after it was signed" in told
    assert f"pbem sign --renumber --key {table.root}/louis/key {name}" in told
    assert "W-OFFICE-EDITED" in status(table)
    assert OWED in status(table)
    give_more(sheet, Noailles=-1)
    sign(table, "--renumber")
    told = table.desk("louis")
    assert "mails sent: 1" in told
    assert "W-OFFICE-EDITED" not in told
    assert ORDERED in status(table)


@pytest.mark.parametrize("is_answered", [True, False], ids=["answered", "not answered"])
@pytest.mark.parametrize("damage", ["changed", "deleted"])
def test_nobody_knows_what_is_owed_once_a_newer_report_is_damaged(
    seated: PostalTable, damage: str, *, is_answered: bool
) -> None:
    table = seated
    if is_answered:
        table.order_by_mail("louis")
        for seat in SEATS[:2]:
            table.order_by_mail(seat)
    else:
        table.moderate("adjudicate", "--force")
    table.evening()
    bring_all(table)
    newest = max((table.root / "louis" / "files" / NAME).glob("*/report.yaml"))
    if damage == "changed":
        newest.write_text("")
    else:
        newest.unlink()
    told = status(table)
    assert "but what came later is damaged: nobody knows whether orders are owed now" in told
    assert "the orders for turn 1 (set-up) are signed, but" in told or not is_answered
    assert OWED not in told
