"""One standing of a seat, told alike by the office, `pbem status`, and whoever reads its newest report."""

from __future__ import annotations

import re
import shutil
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.paper.letters import sign_letter
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME
from tests.office.post import PLAIN, PostalTable, copied

OWED = "orders are owed for turn 1 (set-up)"


@pytest.fixture
def seated(owing: PostalTable, tmp_path: Path) -> PostalTable:
    """The office of Louis, which has filed the report for 1/setup."""
    return copied(owing, tmp_path / "table")


def bring_all(table: PostalTable, seat: str = "louis") -> str:
    """All mails to a player come, and the player's office has a round."""
    table.bring(seat, *table.mails_to(seat))
    return table.desk(seat)


def status(table: PostalTable, seat: str = "louis") -> str:
    return table.desk(seat, "mail", "status")


def own_status(table: PostalTable, seat: str = "louis") -> str:
    """Words of `pbem status` for a player."""
    return table.run("status", as_=seat).output


def newest(table: PostalTable, name: str = "report.yaml", seat: str = "louis") -> Path:
    return max((table.root / seat / "files" / NAME).glob(f"[0-9]*/{name}"))


def send(table: PostalTable, seat: str = "louis") -> str:
    """A player's office has a round; what it sends reaches the moderator, who has an evening."""
    table.desk(seat)
    for path in sorted((table.root / seat / "sent").glob("*.eml")):
        table.drop(path.read_bytes(), f"{seat}-{path.name}")
        path.unlink()
    return table.evening()


def test_nothing_is_owed_in_a_campaign_that_is_closed(seated: PostalTable) -> None:
    table = seated
    table.moderate("close", "--why", "enough")
    table.evening()
    told = bring_all(table)
    assert "are owed" not in told
    assert "the campaign is closed; nothing is owed any more" in status(table)
    assert "are owed" not in status(table)
    report = newest(table)
    assert not (report.parent / "orders.yaml").exists(), "there is nothing to order"
    assert not (report.parent / "deadline.ics").exists()
    said = table.run(str(report), as_="louis").output
    assert "the campaign is closed" in said
    assert not re.search("awaited|pbem (check|sign)", said)
    assert "the campaign is closed" in own_status(table)
    checked = table.run("check", str(newest(table, "orders.yaml")), "--report", str(report), as_="louis", code=1).output
    assert "E-CAMPAIGN-PHASE" in checked
    assert "owing: {}" in report.read_text()
    assert "deadline:" not in report.read_text()
    assert table.run("verify", NAME, "--report", str(report)).exit_code == 0


def test_a_letter_that_was_taken_and_answers_only_a_part_is_still_owed(table: PostalTable) -> None:
    table.open_desk("frederick")
    bring_all(table, "frederick")
    sheet = newest(table, "orders.yaml", "frederick")
    whole = sheet.read_text()
    last = [*re.finditer(r"(?m)^    (\w+):", whole)][-1]
    sheet.write_text(whole[: last.start()])
    table.run("sign", str(sheet), as_="frederick")
    assert "the orders for turn 1 (set-up) are signed" in status(table, "frederick")
    send(table, "frederick")
    owed = f"was taken, but does not answer everything; orders are still owed for {last[1].capitalize()}"
    assert owed in bring_all(table, "frederick")
    assert owed in status(table, "frederick")
    said = own_status(table, "frederick")
    assert "does not answer everything; the rest is awaited" in said
    receipt = max((table.root / "frederick" / "files").rglob("*receipt*.yaml"))
    assert "does not answer everything" in table.run(str(receipt), as_="frederick").output
    sheet.write_text(whole)
    table.run("sign", "--renumber", str(sheet), as_="frederick")
    assert "your answer is signed" in own_status(table, "frederick")
    assert "the orders for turn 1 (set-up) are signed" in status(table, "frederick")
    send(table, "frederick")
    bring_all(table, "frederick")
    assert "the orders for turn 1 (set-up) are signed" in status(table, "frederick")


@pytest.mark.parametrize("name", ["orders.txt", "Orders.YAML"])
def test_a_signed_letter_goes_out_whatever_its_file_is_called(seated: PostalTable, name: str) -> None:
    table = seated
    sheet = newest(table, "orders.yaml")
    letter = sheet.rename(sheet.with_name(name))
    table.run("sign", str(letter), as_="louis")
    assert "mails sent: 1" in table.desk("louis")
    assert "the orders for turn 1 (set-up) are signed" in status(table)


def test_status_follows_the_reports_that_the_office_files(seated: PostalTable) -> None:
    table = seated
    assert "your orders are awaited, until" in own_status(table)
    assert "entry 5" in own_status(table)
    sheet = newest(table, "orders.yaml")
    table.run("sign", str(sheet), as_="louis")
    assert "your answer is signed" in own_status(table)
    for seat in ("maria-theresa", "frederick"):
        table.order_by_mail(seat)
    send(table)
    told = bring_all(table)
    assert "are owed" not in told
    assert "nothing is asked of you" in own_status(table)
    assert "entry 9" in own_status(table)


def test_a_report_that_comes_again_for_what_is_signed_owes_nothing(seated: PostalTable) -> None:
    table = seated
    table.run("sign", str(newest(table, "orders.yaml")), as_="louis")
    table.desk("louis")
    table.moderate("extend", "1d", "--why", "a feast")
    table.evening()
    told = bring_all(table)
    assert "0006" in told
    assert "are owed" not in told


@pytest.fixture(scope="module")
def before_lock(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """A table with sealed orders that are revealed: Louis has an office, and all but Louis have sealed."""
    table = PostalTable(tmp_path_factory.mktemp("locked"))
    table.open_office(PLAIN, "--sealing", "reveal")
    table.join_all()
    table.open_desk("louis")
    bring_all(table)
    for seat in ("maria-theresa", "frederick"):
        sheet = table.sheet(seat)
        table.run("seal", sheet, "-o", f"{seat}/sealed.yaml", "--report", table.sent(f"{seat}.report.yaml"), as_=seat)
        table.run("sign", f"{seat}/sealed.yaml", as_=seat)
        table.post_letter(seat, f"{seat}/sealed.yaml")
    return table


def test_behind_a_lock_every_word_asks_for_the_reveal(before_lock: PostalTable, tmp_path: Path) -> None:
    table = copied(before_lock, tmp_path / "table")
    sheet = newest(table, "orders.yaml")
    first = newest(table)
    sealed = sheet.with_name("sealed.yaml")
    table.run("seal", str(sheet), "-o", str(sealed), "--report", str(first), as_="louis")
    table.run("sign", str(sealed), as_="louis")
    send(table)
    told = bring_all(table)
    report = newest(table)
    assert report != first
    assert "what you have sealed for turn 1 (set-up) is to be revealed" in told
    assert "orders.yaml" not in status(table)
    (command,) = re.findall("`pbem (reveal [^`]*)`", status(table))
    assert "is to be revealed" in own_status(table)
    assert "another stage" not in own_status(table)
    other = sheet.with_name("other.yaml")
    other.write_text(re.sub("(?m)^seq: .*$", "seq: 9", sheet.read_text()))
    for _ in ("unsigned", "signed"):
        said = table.run("check", str(other), "--report", str(report), as_="louis", code=1).output
        assert "E-LETTER-LOCKED" in said
        assert "W-LETTER-LOCKED" in table.run("sign", str(other), as_="louis").output
    said = table.run("seal", str(other), "-o", "x.yaml", "--report", str(report), as_="louis", code=1).output
    assert "E-LETTER-LOCKED" in said
    send(table)
    bring_all(table)
    assert "is to be revealed" in status(table), "the orders that were refused are no answer"
    assert "came too late" not in table.mail("status")
    other.unlink()
    table.run(*command.split(), as_="louis")
    assert "the orders for turn 1 (set-up) are signed" in status(table)
    assert "your answer is signed" in own_status(table)
    send(table)
    bring_all(table)
    assert "are owed" not in status(table)


def test_a_substitute_behind_a_lock_is_told_who_can_reveal(before_lock: PostalTable, tmp_path: Path) -> None:
    table = copied(before_lock, tmp_path / "table")
    sealed = newest(table, "orders.yaml").with_name("sealed.yaml")
    table.run(
        *("seal", str(newest(table, "orders.yaml")), "-o", str(sealed), "--report", str(newest(table))), as_="louis"
    )
    table.run("sign", str(sealed), as_="louis")
    send(table)
    table.run("key", "new", "--no-passphrase", as_="eve")
    new = ("--new-key", "eve/key.pub", "--name", "Eve", "--address", "eve@example.org", "--why", "gone")
    table.moderate("substitute", "louis", *new)
    table.evening()
    (mail,) = [mail for mail in mails_to_eve(table) if "report.yaml" in str(mail)]
    assert "reveal what was sealed before you" in mail["Subject"]
    text = " ".join(mail.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert "The player who had your seat before you sealed these orders, and nobody else can reveal them." in text
    assert "what you have sealed" not in text
    table.now += timedelta(days=2, hours=20)
    table.evening()
    (reminder,) = [mail for mail in mails_to_eve(table) if mail["X-Pbem-Kind"] == "reminder"]
    text = " ".join(reminder.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert "The letter that reveals what was sealed before you (" in text
    theirs = [mail for mail in table.mails_to("frederick") if "reveal what you sealed" in mail["Subject"]][-1]
    assert "Reveal what you have sealed by" in str(theirs.get_body(("plain",)))


def test_plans_of_a_seat_that_is_not_asked_lack_nothing(seated: PostalTable) -> None:
    """The receipt says so to people and to programs."""
    table = seated
    table.run("sign", str(newest(table, "orders.yaml")), as_="louis")
    for seat in ("maria-theresa", "frederick"):
        table.order_by_mail(seat)
    send(table)
    bring_all(table)
    assert "nothing is owed" in status(table)
    plan = newest(table).with_name("plan.yaml")
    basis = re.search("(?m)^basis: .*$", newest(table).read_text())
    assert basis
    text = Path(table.sent("louis.plan.yaml")).read_text().replace("stage: 1/setup", "stage: 1/hussars")
    plan.write_text(re.sub("(?m)^basis: .*$", basis[0], re.sub("(?m)^seq: .*$", "seq: 9", text)))
    table.run("sign", str(plan), as_="louis")
    told = send(table)
    assert "letters taken: 1" in told
    (mail,) = [mail for mail in table.mails_to("louis") if " 0010 " in mail["Subject"]]
    assert "letter taken (Turn 1, hussars)" in mail["Subject"]
    assert "does not answer everything" not in str(mail.get_body(("plain",)))
    bring_all(table)
    receipt = max(
        (table.root / "louis" / "files" / NAME).rglob("*receipt*.yaml"), key=lambda path: path.stat().st_mtime
    )
    assert "does not answer everything" not in table.run(str(receipt), as_="louis").output


def test_a_letter_that_another_key_has_signed_is_told(seated: PostalTable) -> None:
    table = seated
    sheet = newest(table, "orders.yaml")
    data = sheet.read_bytes()
    sign_with(table, sheet, "maria-theresa")
    told = table.desk("louis")
    assert "mails sent: 0" in told
    assert "W-OFFICE-FOREIGN" in told
    assert "is signed with a key that is not yours, and is not sent" in told
    assert OWED in status(table)
    sheet.write_bytes(data)
    table.run("sign", str(sheet), as_="louis")
    told = table.desk("louis")
    assert "W-OFFICE-FOREIGN" not in told
    assert "mails sent: 1" in told


def sign_with(table: PostalTable, path: Path, who: str) -> None:
    """Sign a letter with a key that is not its seat's."""
    key = load_private((table.root / who / "key").read_bytes(), None)
    path.write_text(sign_letter(path.read_text(), key))


def test_one_key_under_two_names_is_told(seated: PostalTable) -> None:
    table = seated
    other = (table.root / "louis.yaml").read_text()
    (table.root / "other.yaml").write_text(other)
    words = ("evening", "--as", "elisabeth", "--settings", "other.yaml")
    table.now += timedelta(hours=1)
    told = table.run(*words).output
    assert "W-OFFICE-NAMES" not in told, "the first one has not worked since"
    told = table.desk("louis")
    assert "another office of this key serves these folders, under the name elisabeth" in told
    table.now += timedelta(hours=1)
    told = table.run(*words).output
    assert "under the name louis" in told
    assert "W-OFFICE-NAMES" in table.run("mail", "status", *words[1:]).output
    (table.root / "other.yaml").write_text(other.replace("key: louis", "key: frederick"))
    assert "W-OFFICE-NAMES" not in table.run(*words).output, "somebody else on the same computer"


def mail_by_hand(table: PostalTable, name: str, seat: str = "louis") -> str:
    """A player signs a letter that does not lie among the office's files, and mails it; the receipt is filed. Return
    what the player's office says."""
    table.run("sign", f"{seat}/{name}", as_=seat)
    table.post_letter(seat, f"{seat}/{name}")
    table.evening()
    return bring_all(table, seat)


def test_a_letter_that_was_sent_by_hand_counts_by_its_receipt(before_lock: PostalTable, tmp_path: Path) -> None:
    table = copied(before_lock, tmp_path / "table")
    table.evening()
    bring_all(table)
    report = newest(table)
    shutil.copy(newest(table, "orders.yaml"), table.root / "louis" / "by-hand.yaml")
    sealing = ("seal", "louis/by-hand.yaml", "-o", "louis/sealed.yaml", "--report", str(report))
    table.run(*sealing, as_="louis")
    draft = copied(table, tmp_path / "draft")
    assert OWED in status(table)
    told = mail_by_hand(table, "sealed.yaml")
    assert "is to be revealed" in told, "all are in, and a lock asks for the reveal"
    report = newest(table)
    table.run("reveal", "louis/sealed.yaml", "-o", "louis/reveal.yaml", "--report", str(report), as_="louis")
    told = mail_by_hand(table, "reveal.yaml")
    for said in (told, status(table)):
        assert "are owed" not in said
        assert "to be revealed" not in said
    assert "your answer is signed" in own_status(table)
    assert "your answer is signed" in table.run(str(report), as_="louis").output
    # While others owe theirs, there is the receipt alone.
    table = draft
    for each in ("maria-theresa", "frederick"):
        (table.root / each / "draft.yaml").write_text(
            re.sub("(?m)^seq: .*$", "seq: 3", (table.root / each / "orders.yaml").read_text()) + "  final: no\n"
        )
        table.run("sign", f"{each}/draft.yaml", as_=each)
        table.post_letter(each, f"{each}/draft.yaml")
    told = mail_by_hand(table, "sealed.yaml")
    for said in (told, status(table)):
        assert "are owed" not in said
    assert "the orders for turn 1 (set-up) are signed" in status(table)
    assert "your answer is signed" in own_status(table)
    assert "your answer is signed" in table.run(str(newest(table)), as_="louis").output


def test_who_is_shut_out_by_a_lock_owes_nothing(before_lock: PostalTable, tmp_path: Path) -> None:
    table = copied(before_lock, tmp_path / "table")
    table.evening()
    table.moderate("adjudicate", "--force")
    table.evening()
    told = bring_all(table)
    assert "are owed" not in told
    assert "nothing of yours is in: the default orders answer" in status(table)
    assert "nothing of yours is in: the default orders answer" in own_status(table)
    assert "pbem reveal" not in table.run(str(newest(table)), as_="louis").output


@pytest.mark.parametrize("address", [("--address", "eve@example.org"), ()], ids=["with address", "without"])
def test_who_lost_the_seat_is_told_so_once_and_owes_nothing(seated: PostalTable, address: tuple[str, ...]) -> None:
    table = seated
    table.run("key", "new", "--no-passphrase", as_="eve")
    new = ("--new-key", "eve/key.pub", "--name", "Eve", *address, "--why", "he has gone to sea")
    table.moderate("substitute", "louis", *new)
    table.evening()
    table.evening()
    (told,) = [mail for mail in table.mails_to("louis") if "played by somebody else" in str(mail["Subject"])]
    assert not any("letters go elsewhere" in str(mail["Subject"]) for mail in table.mails_to("louis"))
    body = told.get_body(("plain",))
    assert body
    assert "to Eve (entry 6): he has gone to sea" in " ".join(body.get_content().split())
    before = own_status(table)
    assert "awaited" in before
    assert "are owed" not in bring_all(table)
    for said in (status(table), own_status(table), table.run(str(newest(table, "ruling.yaml")), as_="louis").output):
        assert "Eve" in said
        assert "he has gone to sea" in said
        assert "awaited" not in said
    data = next(
        path.read_bytes() for path in (table.root / "sent").glob("*.eml") if b"ruling.yaml" in path.read_bytes()
    )
    table.bring("louis", data.replace(str(told["Message-ID"]).encode(), b"<again@example.org>"))
    assert "played by somebody else" not in table.desk("louis"), "the same ruling again is no news"
    table.moderate(
        "substitute", "louis", "--new-key", "louis/key.pub", "--address", "louis@example.org", "--why", "back"
    )
    table.evening()
    assert OWED in bring_all(table), "the seat is his again"


@pytest.mark.parametrize("reports", ["plain", "sealed"])
def test_a_substitute_has_an_office_like_any_player(tmp_path: Path, reports: str) -> None:
    table = PostalTable(tmp_path)
    (tmp_path / "plan.yaml").write_text(f"campaign: {NAME}\ngame: maria\nseats: {{louis: {{reports: {reports}}}}}\n")
    table.open_office(PLAIN, "--from", "plan.yaml")
    table.join_all()
    table.run("key", "new", "--no-passphrase", as_="eve")
    assert "no notes lie beside your key" in table.run("status", as_="eve", code=1).output
    new = ("--new-key", "eve/key.pub", "--name", "Eve", "--address", "eve@example.org", "--why", "gone")
    table.moderate("substitute", "louis", *new)
    table.evening()
    open_desk_of_eve(table)
    told = bring_to_eve(table)
    (command,) = re.findall("`pbem (join [^`]*)`", told)
    assert command in eves(table, "mail", "status")
    table.run(*command.split(), as_="eve")
    eves(table, "evening")
    assert OWED in eves(table, "mail", "status")
    assert "your orders are awaited" in own_status(table, "eve")
    table.run("sign", str(newest(table, "orders.yaml", "eve")), as_="eve")
    assert "mails sent: 1" in eves(table, "evening")
    (letter,) = (table.root / "eve" / "sent").glob("*.eml")
    table.drop(letter.read_bytes(), "eve")
    assert "letters taken: 1" in table.evening()
    bring_to_eve(table)
    assert [*(table.root / "eve" / "files").rglob("receipt.yaml")], "the receipt is filed"
    assert "the orders for turn 1 (set-up) are signed" in eves(table, "mail", "status")


@pytest.mark.parametrize("sent_by_hand", [False, True], ids=["by the office", "also by hand"])
def test_a_substitutes_letters_wait_until_the_seat_is_taken_over(tmp_path: Path, sent_by_hand: bool) -> None:
    table = PostalTable(tmp_path)
    table.run("key", "new", "--no-passphrase", as_="eve")
    give_seat_to_eve(table)
    open_desk_of_eve(table)
    bring_to_eve(table)
    (sheet,) = (table.root / "eve" / "files").rglob("orders.yaml")
    sheet.write_text(re.sub(r"\n  \w+:.*", "\n  prussia: {}\n", sheet.read_text(), flags=re.DOTALL))
    table.run("sign", str(sheet), as_="eve")
    told = eves(table, "evening")
    assert "W-OFFICE-JOIN" in told
    assert not letters_of_eve(table)
    assert "W-OFFICE-JOIN" in eves(table, "mail", "status")
    if sent_by_hand:
        table.post_letter("louis", str(sheet.relative_to(table.root)))
        table.evening()
        bring_to_eve(table)
    (command,) = re.findall("`pbem (join [^`]*)`", eves(table, "mail", "status"))
    assert "letters to moderator@example.org" in eves(table, "mail", "status")
    table.run(*command.split(), as_="eve")
    assert "W-OFFICE-JOIN" not in eves(table, "evening")
    (letter,) = letters_of_eve(table)
    table.drop(letter, "eve")
    table.evening()
    bring_to_eve(table)
    assert "refused" in eves(table, "mail", "status")
    assert "your orders are awaited" in own_status(table, "eve")


@pytest.mark.parametrize("has_round", [True, False], ids=["in two rounds", "in one"])
def test_who_loses_the_seat_before_taking_it_over_is_not_asked_to_join(tmp_path: Path, *, has_round: bool) -> None:
    table = PostalTable(tmp_path)
    table.run("key", "new", "--no-passphrase", as_="eve")
    give_seat_to_eve(table)
    open_desk_of_eve(table)
    if has_round:
        bring_to_eve(table)
    table.moderate("substitute", "louis", "--new-key", "louis/key.pub", "--name", "Lou", "--why", "he is back")
    table.evening()
    told = bring_to_eve(table)
    assert "played by somebody else" in told
    for said in (told, eves(table, "mail", "status")):
        assert "pbem join" not in said
    (report,) = (table.root / "eve" / "files").rglob("join-*/report.yaml")
    table.run("join", str(report), as_="eve")
    eves(table, "evening")
    for said in (eves(table, "mail", "status"), own_status(table, "eve")):
        assert "Lou" in said
        assert "he is back" in said
        assert "owed for" not in said
        assert "awaited" not in said


def test_a_strangers_farewell_takes_no_invitation_away(tmp_path: Path) -> None:
    table, theirs = tables_of_two_moderators(tmp_path)
    theirs.moderate("substitute", "louis", "--new-key", "louis/key.pub", "--why", "back")
    theirs.evening()
    open_desk_of_eve(table)
    bring_to_eve(table)
    table.bring("eve", *[mail for mail in mails_to_eve(theirs) if "played by somebody else" in str(mail["Subject"])])
    eves(table, "evening")
    (command,) = re.findall("`pbem (join [^`]*)`", eves(table, "mail", "status"))
    table.run(*command.split(), as_="eve")
    eves(table, "evening")
    assert OWED in eves(table, "mail", "status")


def test_strangers_reports_do_not_tell_a_substitute_where_letters_go(tmp_path: Path) -> None:
    table, theirs = tables_of_two_moderators(tmp_path)
    table.moderate("extend", "1d", "--why", "a feast")
    open_desk_of_eve(table)
    for mail in mails_to_eve(theirs):
        table.bring("eve", mail.as_bytes().replace(b"moderator@example.org", b"mal@evil.example"))
    bring_to_eve(table)
    table.evening()
    bring_to_eve(table)
    told = eves(table, "mail", "status")
    assert told.count("a report for louis") == 2, "of each moderator the newest"
    (line,) = [each for each in told.splitlines() if "letters to moderator@example.org" in each]
    assert "letters to mal@evil.example" in told
    (command,) = re.findall("`pbem (join [^`]*)`", line)
    table.run(*command.split(), as_="eve")
    table.run("message", "all", "Hello", "-o", "eve/files/hello.yaml", "--campaign", NAME, as_="eve")
    eves(table, "evening")
    (sent,) = letters_of_eve(table)
    assert b"To: moderator@example.org" in sent


def tables_of_two_moderators(root: Path) -> tuple[PostalTable, PostalTable]:
    """Two campaigns of one name, under different moderators, who both give the seat of Louis to Eve."""
    for name in ("true", "false"):
        (root / name).mkdir()
    table, theirs = PostalTable(root / "true"), PostalTable(root / "false")
    table.run("key", "new", "--no-passphrase", as_="eve")
    (theirs.root / "eve").mkdir()
    (theirs.root / "eve" / "key.pub").write_bytes((table.root / "eve" / "key.pub").read_bytes())
    for each in (theirs, table):
        give_seat_to_eve(each)
    return table, theirs


def give_seat_to_eve(table: PostalTable) -> None:
    """The players join a campaign, and the seat of Louis goes to Eve."""
    table.open_office(PLAIN)
    table.join_all()
    new = ("--new-key", "eve/key.pub", "--name", "Eve", "--address", "eve@example.org", "--why", "gone")
    table.moderate("substitute", "louis", *new)
    table.evening()


def open_desk_of_eve(table: PostalTable) -> None:
    """Eve, who takes over the seat of Louis, sets an office up."""
    (table.root / "eve" / "box" / "new").mkdir(parents=True)
    (table.root / "eve.yaml").write_text(
        "campaigns: eve/files\nin: {maildir: eve/box}\nout: {files: eve/sent}\nkey: eve/key\n"
        "state: eve/state\naddress: eve@example.org\n"
    )


def eves(table: PostalTable, *words: str) -> str:
    """A command of Eve's office."""
    return table.run(*words, "--as", "louis", "--settings", "eve.yaml").output


def letters_of_eve(table: PostalTable) -> list[bytes]:
    """Mails with letters that Eve's office has sent."""
    sent = [path.read_bytes() for path in (table.root / "eve" / "sent").glob("*.eml")]
    return [mail for mail in sent if b"filename=" in mail]


def mails_to_eve(table: PostalTable) -> list[EmailMessage]:
    return [mail for mail in table.sent_mails() if "eve@example.org" in str(mail["To"])]


def bring_to_eve(table: PostalTable) -> str:
    """All mails to Eve come, and her office has a round."""
    table.bring("eve", *mails_to_eve(table))
    return eves(table, "evening")


def test_one_person_in_two_seats_is_told_of_both(table: PostalTable) -> None:
    table.open_desk("frederick")
    bring_all(table, "frederick")
    new = ("--new-key", "frederick/key.pub", "--name", "Fritz", "--address", "frederick@example.org", "--why", "gone")
    assert "W-KEY-SHARED" in table.moderate("substitute", "louis", *new).stderr
    table.evening()
    told = bring_all(table, "frederick")
    (command,) = re.findall("`pbem (join [^`]*)`", told)
    assert command in status(table, "frederick")
    told = table.run(command.removeprefix("join "), as_="frederick").output
    assert "pbem join" in told, "reading the report takes no seat"
    table.run(*command.split(), as_="frederick")
    table.desk("frederick")
    for seat in ("louis", "frederick"):
        assert f"vienna-1741, {seat}: {OWED}" in status(table, "frederick")
    assert own_status(table, "frederick").count("your orders are awaited") == 2
    assert "join-" not in status(table, "frederick")
    (sheet,) = (table.root / "frederick" / "files" / NAME).glob("*-louis/orders.yaml")
    table.run("sign", str(sheet), as_="frederick")
    assert "letters taken: 1" in send(table, "frederick")
    bring_all(table, "frederick")
    assert "vienna-1741, louis: waits for the next report; the orders for turn 1 (set-up) are signed" in status(
        table, "frederick"
    )
    assert f"vienna-1741, frederick: {OWED}" in status(table, "frederick"), "the one receipt answers the one seat"
    said = own_status(table, "frederick")
    assert (said.count("your answer is signed"), said.count("your orders are awaited")) == (1, 1)
    table.moderate("extend", "1d", "--why", "a feast")
    table.evening()
    told = bring_all(table, "frederick")
    assert f"vienna-1741, frederick: {OWED}" in told
    assert "vienna-1741, louis: orders" not in told
    names = [path.parent.name for path in (table.root / "frederick" / "files" / NAME).glob("*/report.yaml")]
    assert {"0008-louis", "0008-frederick"} <= {*names}, names
    assert table.run("verify", NAME, "--report", str(newest(table, seat="frederick"))).exit_code == 0


def test_who_loses_a_second_seat_before_taking_it_over_keeps_the_first(table: PostalTable) -> None:
    table.open_desk("frederick")
    bring_all(table, "frederick")
    new = ("--new-key", "frederick/key.pub", "--name", "Fritz", "--address", "frederick@example.org", "--why", "gone")
    table.moderate("substitute", "louis", *new)
    table.evening()
    (command,) = re.findall("`pbem (join [^`]*)`", bring_all(table, "frederick"))
    table.moderate("substitute", "louis", "--new-key", "louis/key.pub", "--name", "Lou", "--why", "he is back")
    table.evening()
    farewells = [mail for mail in table.mails_to("frederick") if "played by somebody else" in str(mail["Subject"])]
    table.bring("frederick", *farewells)
    assert "pbem join" not in table.desk("frederick")
    assert "pbem join" not in status(table, "frederick")
    assert f"vienna-1741: {OWED}" in status(table, "frederick"), "this seat is not lost"
    bring_all(table, "frederick")
    table.run(*command.split(), as_="frederick")
    table.desk("frederick")
    assert "vienna-1741, louis: somebody else plays your seat now (Lou)" in status(table, "frederick")
    assert f"vienna-1741, frederick: {OWED}" in status(table, "frederick")


def test_a_report_for_another_players_seat_is_left_alone(seated: PostalTable) -> None:
    seated.bring("louis", *seated.mails_to("frederick"))
    told = seated.desk("louis")
    assert "pbem join" not in told
    assert not [*(seated.root / "louis" / "files").rglob("join-*/report.yaml")]


SWAPS = {
    "farewell first": lambda mails: mails,
    "report first": lambda mails: mails[::-1],
    "a round between": lambda mails: mails,
}


@pytest.mark.parametrize("order", SWAPS)
def test_who_loses_a_seat_and_is_given_another_is_told_of_each(seated: PostalTable, order: str) -> None:
    table = seated
    table.run("key", "new", "--no-passphrase", as_="eve")
    eve = ("--new-key", "eve/key.pub", "--name", "Eve", "--address", "eve@example.org", "--why", "gone")
    lou = ("--new-key", "louis/key.pub", "--name", "Lou", "--address", "louis@example.org", "--why", "gone")
    table.moderate("substitute", "louis", *eve)
    table.evening()
    table.moderate("substitute", "maria-theresa", *lou)
    table.evening()
    fresh = [mail for mail in table.mails_to("louis") if re.search("000[67]", str(mail["Subject"]))]
    assert len(fresh) == 2, [str(mail["Subject"]) for mail in fresh]
    told = ""
    for mails in [[each] for each in fresh] if order == "a round between" else [SWAPS[order](fresh)]:
        table.bring("louis", *mails)
        told += table.desk("louis")
    for said in (told, status(table)):
        (command,) = set(re.findall("`pbem (join [^`]*)`", said))
    assert "somebody else plays your seat now (Eve)" in status(table)
    table.run(*command.split(), as_="louis")
    assert f"vienna-1741, maria-theresa: {OWED}" in table.desk("louis") + status(table)
    assert "vienna-1741, louis: somebody else plays your seat now (Eve)" in status(table)
    said = own_status(table)
    assert (said.count("somebody else plays this seat"), said.count("your orders are awaited")) == (1, 1)
    (sheet,) = (table.root / "louis" / "files" / NAME).glob("*-maria-theresa/orders.yaml")
    table.run("sign", str(sheet), as_="louis")
    assert "letters taken: 1" in send(table)
    bring_all(table)
    assert "vienna-1741, maria-theresa: waits for the next report; the orders" in status(table)


def test_a_lost_seat_keeps_no_doubt_about_mails_to_another_one(seated: PostalTable) -> None:
    table = seated
    table.run("key", "new", "--no-passphrase", as_="eve")
    table.moderate("substitute", "louis", "--new-key", "eve/key.pub", "--name", "Eve", "--why", "gone")
    table.evening()
    lou = ("--new-key", "louis/key.pub", "--name", "Lou", "--address", "louis@example.org", "--why", "gone")
    table.moderate("substitute", "maria-theresa", *lou)
    table.evening()
    (command,) = re.findall("`pbem (join [^`]*)`", bring_all(table))
    table.run(*command.split(), as_="louis")
    table.desk("louis")
    (report,) = [mail for mail in table.mails_to("louis") if "] 0007 " in str(mail["Subject"])]
    data = report.as_bytes()
    table.bring("louis", data.replace(str(report["Message-ID"]).encode(), b"<cut@example.org>")[: len(data) // 3])
    assert "W-OFFICE-CUT" not in table.desk("louis"), "its report is filed"
