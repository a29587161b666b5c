"""A player's office: what it files is signed by the moderator for the seat that is played, in every campaign."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.campaign.players.guidance import guidance_of
from pbem.office import filing, mail_filing
from pbem.office.filing import letters_in
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.post.extract import Extraction, extract
from pbem.post.mime import files_in
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import ADDRESSES, PLAIN, PostalTable, copied
from tests.office.test_offers import agree, offers_to

RIVAL = b"# mine is better\n"


@pytest.fixture
def seated(table: PostalTable) -> PostalTable:
    """The table where Louis has an office of his own, which has read nothing yet."""
    table.open_desk("louis")
    return table


def files(table: PostalTable) -> Path:
    """Folder in which the office of Louis files letters."""
    return table.root / "louis" / "files" / NAME


def with_reports(table: PostalTable, seat: str) -> EmailMessage:
    """The mail with a player's report."""
    return next(mail for mail in table.mails_to(seat) if enclosed(mail, "report.yaml"))


def enclosed(mail: EmailMessage, name: str) -> bytes:
    """An enclosure of a mail; nothing if there is none."""
    found = [part.get_payload(decode=True) for part in mail.iter_attachments() if part.get_filename() == name]
    return bytes(found[0]) if found else b""


def mail_with(sender: str, message_id: str, **enclosures: bytes) -> EmailMessage:
    """A mail that somebody writes to Louis."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, ADDRESSES["louis"], f"[{NAME}] 0099 orders are due"
    mail["Message-ID"], mail["Date"] = message_id, "Sat, 21 Nov 2026 12:00:00 +0000"
    mail.set_content("Please sign the sheet.")
    for name, data in enclosures.items():
        mail.add_attachment(data, maintype="application", subtype="yaml", filename=f"{name}.yaml")
    return mail


def rivals_sheet(table: PostalTable) -> bytes:
    """A sheet of Louis' for the present stage, in which somebody else has written."""
    sheet = enclosed(with_reports(table, "louis"), "orders.yaml")
    assert sheet
    return RIVAL + sheet


def test_one_office_serves_every_campaign_whatever_seat_is_played_there(seated: PostalTable) -> None:
    table = seated
    seats = table.begin_club()
    table.bring("louis", *table.mails_to("louis"))
    told = table.desk("louis")
    assert "left alone: 0" in told
    assert "pbem join louis/files/club/" in told
    club = table.root / "louis" / "files" / "club"
    (invitation,) = club.glob("*/invitation.yaml")
    table.run("join", str(invitation), "-o", str(club / "join.yaml"), as_="louis")
    assert "mails sent: 1" in table.desk("louis")
    for seat, who in seats.items():
        if who != "louis":
            found = table.root.glob(f"club/outbox/*/{seat}-invitation.invitation.yaml")
            table.run("join", str(*found), "-o", f"{who}.join.yaml", as_=who)
            table.post_letter(who, f"{who}.join.yaml")
    (letter,) = (table.root / "louis" / "sent").glob("*.eml")
    table.drop(letter.read_bytes(), "louis.join")
    table.evening()
    reports = [
        mail for mail in table.mails_to("louis") if "[club]" in mail["Subject"] and enclosed(mail, "report.yaml")
    ]
    table.bring("louis", *reports)
    assert "left alone: 0" in table.desk("louis")
    assert "club: orders are owed for turn 1 (set-up)" in table.desk("louis", "mail", "status")
    (sheet,) = club.glob("*/orders.yaml")
    assert "from: frederick" in sheet.read_text()
    table.run("sign", str(sheet), as_="louis")
    assert "mails sent: 1" in table.desk("louis")


def test_a_report_of_another_seat_is_left_alone_and_tells_no_address(seated: PostalTable) -> None:
    table = seated
    theirs = with_reports(table, "frederick")
    forwarded = mail_with("Eve <eve@example.org>", "<1@eve.example>", report=enclosed(theirs, "report.yaml"))
    resent = theirs.as_bytes().replace(b"moderator@example.org", b"eve@example.org")
    table.bring("louis", forwarded, resent)
    told = table.desk("louis")
    assert "mails read: 2; with letters: 0; left alone: 2" in told
    assert not files(table).exists()
    table.run("message", "all", "Hello", "-o", "louis/files/hello.yaml", "--campaign", NAME, as_="louis")
    assert "W-OFFICE-ADDRESS" in table.desk("louis"), "nobody has told an address yet"
    table.bring("louis", with_reports(table, "louis"))
    table.desk("louis")
    (sent,) = [
        path.read_text()
        for path in (table.root / "louis" / "sent").glob("*.eml")
        if 'filename="hello.yaml"' in path.read_text()
    ]
    assert "moderator@example.org" in sent
    assert "eve@" not in sent


def beside_a_receipt(table: PostalTable) -> EmailMessage:
    """A receipt of Louis', and a sheet."""
    receipt = next(data for mail in table.mails_to("louis") if (data := enclosed(mail, "receipt.yaml")))
    return mail_with("Eve <eve@example.org>", "<2@eve.example>", receipt=receipt, orders=rivals_sheet(table))


def beside_another_report(table: PostalTable) -> EmailMessage:
    """The report of the one who writes, and a sheet."""
    report = enclosed(with_reports(table, "frederick"), "report.yaml")
    return mail_with("Eve <eve@example.org>", "<2@eve.example>", report=report, orders=rivals_sheet(table))


def beside_nothing(table: PostalTable) -> EmailMessage:
    """A mail that bears the name of one of the moderator's, and a sheet."""
    name = with_reports(table, "louis")["Message-ID"]
    return mail_with("Eve <eve@example.org>", name.replace("@", "0@"), orders=rivals_sheet(table))


def beside_a_letter_within(table: PostalTable) -> EmailMessage:
    """One file, in which the signed receipt stands above the sheet."""
    receipt = next(data for mail in table.mails_to("louis") if (data := enclosed(mail, "receipt.yaml")))
    both = receipt + b"\n\n" + rivals_sheet(table)
    return mail_with("Eve <eve@example.org>", "<2@eve.example>", receipt=receipt, orders=both)


@pytest.mark.parametrize(
    "written",
    [beside_a_receipt, beside_another_report, beside_nothing, beside_a_letter_within],
    ids=lambda each: each.__name__,
)
def test_a_rivals_sheet_is_not_filed(seated: PostalTable, written: object) -> None:
    table = seated
    assert callable(written)
    table.bring("louis", written(table))
    table.desk("louis")
    assert not list(files(table).glob("*/*orders*"))
    table.bring("louis", with_reports(table, "louis"))
    table.desk("louis")
    (sheet,) = files(table).glob("*/*orders*")
    assert sheet.read_bytes() == enclosed(with_reports(table, "louis"), "orders.yaml")


def exchanged(table: PostalTable, *, signs_sheets: bool = True) -> EmailMessage:
    """The mail with the report of Louis, on whose way the sheet was exchanged."""
    report = enclosed(with_reports(table, "louis"), "report.yaml")
    if not signs_sheets:
        tree = read_letter(report, "report").tree
        body = {key: value for key, value in dict(tree["body"]).items() if key != "sheets"}  # type: ignore[arg-type]
        head = {key: str(value) for key, value in tree.items() if key not in ("pbem", "body")}
        key = load_private((table.root / "moderator" / "key").read_bytes(), None)
        report = sign_letter(write_letter(head, body), key).encode()
    mail = mail_with("moderator@example.org", "<3@example.org>", report=report, orders=rivals_sheet(table))
    del mail["Subject"]
    mail["Subject"] = "orders"
    return mail


@pytest.mark.parametrize("signs_sheets", [True, False], ids=["a sheet exchanged", "a report of an older version"])
def test_a_sheet_that_the_report_does_not_vouch_for_is_made_anew_of_it(seated: PostalTable, signs_sheets: bool) -> None:
    table = seated
    table.bring("louis", exchanged(table, signs_sheets=signs_sheets))
    told = table.desk("louis")
    assert "W-OFFICE-UNSIGNED orders.yaml in a mail from moderator@example.org was not filed" in told
    (sheet,) = files(table).glob("*/*orders*")
    assert RIVAL not in sheet.read_bytes()
    assert f"orders are owed for turn 1 (set-up): {sheet.relative_to(table.root)}" in told
    written = read_letter(sheet.read_bytes(), "orders", may_lack=True)
    assert (written.sender, written.stage) == ("louis", "1/setup")
    report = sheet.with_name("report.yaml")
    table.run("check", str(sheet), "--report", str(report), as_="louis")
    table.run("sign", str(sheet), as_="louis")
    assert "mails sent: 1" in table.desk("louis")


def test_behind_a_lot_the_office_goes_over_to_the_seat_that_was_drawn(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN, "--seats", "drawn")
    table.join_all()
    reports = {who: enclosed(with_reports(table, who), "report.yaml") for who in SEATS}
    drawn = {who: guidance_of(read_letter(data, "report"), "report").seat for who, data in reports.items()}
    # Once in six times everybody plays where they joined.
    who = max(SEATS, key=lambda each: drawn[each] != each)
    table.open_desk(who)
    table.bring(who, *table.mails_to(who))
    assert f"{NAME}: orders are owed for turn 1 (set-up)" in table.desk(who)
    (sheet,) = (table.root / who / "files").glob("*/*/orders.yaml")
    table.run("sign", str(sheet), as_=who)
    assert "mails sent: 1" in table.desk(who)
    theirs = next(data for other, data in reports.items() if other != who)
    table.bring(who, mail_with("Eve <eve@example.org>", "<5@eve.example>", report=theirs))
    assert "left alone: 1" in table.desk(who)


def test_a_report_is_filed_under_the_entry_that_it_is_of(seated: PostalTable) -> None:
    """Nobody makes an old one the newest by another subject."""
    table = seated
    report = enclosed(with_reports(table, "louis"), "report.yaml")
    table.bring("louis", mail_with("moderator@example.org", "<4@example.org>", report=report))
    table.desk("louis")
    (found,) = files(table).glob("*/report.yaml")
    assert int(found.parent.name) == read_letter(report, "report").seq < 99


def all_sheets(table: PostalTable) -> Iterator[tuple[bytes, str, bytes]]:
    """Every letter of the moderator's that comes with sheets, and these."""
    for mail in [mail for seat in SEATS for mail in table.mails_to(seat)]:
        for letter, names in (("report.yaml", ("orders.yaml", "plan.yaml")), ("invitation.yaml", ("join.yaml",))):
            if signed := enclosed(mail, letter):
                yield from ((signed, name, data) for name in names if (data := enclosed(mail, name)))


def test_every_sheet_is_vouched_for_by_the_letter_beside_it(table: PostalTable) -> None:
    found = list(all_sheets(table))
    assert len(found) > 2 * len(SEATS)
    for letter, name, data in found:
        signed = guidance_of(read_letter(letter, "letter"), "letter")
        assert signed.sheets[name] == hashlib.sha256(data).hexdigest()


def played_on(table: PostalTable) -> dict[str, EmailMessage]:
    """Louis's mails with reports, by their stage: he owes orders for the first and the last of three."""
    for _ in range(2):
        for seat in SEATS:
            table.order_by_mail(seat)
        table.evening()
    reports = {
        read_letter(data, "report").stage: mail
        for mail in table.mails_to("louis")
        if (data := enclosed(mail, "report.yaml"))
    }
    assert sorted(reports) == ["1/france", "1/hussars", "1/setup"]
    return reports


@pytest.fixture(scope="module")
def played(settled: PostalTable, tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """The office of Louis, which has the last report but one, by which nothing is owed."""
    table = copied(settled, tmp_path_factory.mktemp("played") / "table")
    table.open_desk("louis")
    reports = played_on(table)
    table.bring("louis", reports["1/hussars"], reports["1/setup"])
    table.desk("louis")
    assert "nothing is owed for turn 1 (hussars)" in table.desk("louis", "mail", "status")
    return table


@pytest.fixture
def reported(played: PostalTable, tmp_path: Path) -> PostalTable:
    """The same in a folder of its own."""
    return copied(played, tmp_path / "table")


def report_for(table: PostalTable, stage: str) -> EmailMessage:
    """The mail with Louis's report for a stage."""
    mails = [mail for mail in table.mails_to("louis") if enclosed(mail, "report.yaml")]
    return next(mail for mail in mails if read_letter(enclosed(mail, "report.yaml"), "report").stage == stage)


@pytest.mark.parametrize("damage", ["empty", "half", "changed", "other", "folder"])
def test_a_damaged_report_is_named_and_the_newest_sound_one_counts(reported: PostalTable, damage: str) -> None:
    table = reported
    table.bring("louis", report_for(table, "1/france"))
    assert "orders are owed for turn 1 (stage of France)" in table.desk("louis")
    path = files(table) / "0011" / "report.yaml"
    whole = path.read_bytes()
    broken = {"empty": b"", "half": whole[: len(whole) // 2], "changed": whole.replace(b"1/france", b"2/france")}
    if damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(broken.get(damage, b"\xff\x00 no letter at all\n"))
    invitation = table.root / "louis" / "files" / "club" / "0001" / "invitation.yaml"
    invitation.parent.mkdir(parents=True)
    invitation.write_bytes(b"")
    name = str(path.relative_to(table.root))
    told = table.desk("louis", "mail", "status")
    assert f"{NAME}: {name} is gone, empty, damaged or changed" in told
    assert "nothing was owed for turn 1 (hussars), but what came later is damaged" in told
    assert "nothing is owed" not in told
    assert "pbem join louis/files/club" in told, "other campaigns are told as ever"
    assert f"W-OFFICE-DAMAGED {name}" in table.desk("louis", "mail", "run", "--once")
    assert table.desk("louis", "mail", "status").count(name) == 1
    if damage == "folder":
        path.rmdir()
    again = deepcopy(report_for(table, "1/france"))
    again.replace_header("Message-ID", "<again@example.org>")
    table.bring("louis", again)
    assert "W-OFFICE-DAMAGED" not in table.desk("louis")
    assert path.read_bytes() == whole
    assert "orders are owed for turn 1 (stage of France)" in table.desk("louis", "mail", "status")


@pytest.fixture
def sealed(tmp_path: Path) -> PostalTable:
    """A table where the reports to Louis are sealed, and his office has read nothing yet."""
    table = PostalTable(tmp_path)
    (tmp_path / "plan.yaml").write_text(f"campaign: {NAME}\ngame: maria\nseats: {{louis: {{reports: sealed}}}}\n")
    table.open_office(PLAIN, "--from", "plan.yaml")
    table.join_all()
    table.open_desk("louis")
    return table


def test_an_offer_of_an_agreement_that_comes_sealed_is_filed(sealed: PostalTable) -> None:
    agree(sealed, "frederick", "louis", "Leave Saxony alone")
    sealed.evening()
    (mail,) = offers_to(sealed, ADDRESSES["louis"])
    assert "Saxony" not in mail.as_string()
    assert not enclosed(mail, "offer.yaml")
    sealed.bring("louis", *sealed.mails_to("louis"))
    assert "Frederick offers you an agreement" in sealed.desk("louis")
    (letter,) = files(sealed).glob("*/agreement.yaml")
    assert "Leave Saxony alone" in letter.read_text()


@pytest.mark.parametrize("damage", ["cut off", "garbled", "no box"])
def test_nothing_is_never_said_to_be_owed_while_a_sealed_mail_is_damaged(sealed: PostalTable, damage: str) -> None:
    table = sealed
    table.bring("louis", *table.mails_to("louis"))
    table.desk("louis")
    (sheet,) = files(table).glob("*/orders.yaml")
    table.run("sign", str(sheet), as_="louis")
    table.post_letter("louis", str(sheet.relative_to(table.root)))
    for _ in range(2):
        for seat in set(SEATS) - {"louis"}:
            table.order_by_mail(seat)
        table.evening()
    reports = [mail for mail in table.mails_to("louis") if enclosed(mail, "report.yaml.age")]
    *_, hussars, france = sorted(reports, key=lambda mail: str(mail["Subject"]))
    table.bring("louis", hussars)
    table.desk("louis")
    assert "nothing is owed for turn 1 (hussars)" in table.desk("louis", "mail", "status")
    whole = france.as_bytes()
    at = whole.index(b'"report.yaml.age"')
    begin = whole.index(b"\n\n", at) + 2
    broken = {
        "cut off": whole[: begin + 300],
        "garbled": whole[: begin + 300] + whole[begin + 400 :],
        "no box": whole[:begin] + whole[begin + 100 :],
    }
    table.bring("louis", broken[damage])
    assert "W-OFFICE-CUT" in table.desk("louis")
    told = table.desk("louis", "mail", "status")
    assert "nothing was owed for turn 1 (hussars), but what came later is damaged" in told
    assert "nothing is owed" not in told
    table.bring("louis", france)
    assert "orders are owed for turn 1 (stage of France)" in table.desk("louis")
    assert "W-OFFICE-CUT" not in table.desk("louis", "mail", "status")


def test_an_archive_that_is_whole_again_is_complained_of_no_longer(
    reported: PostalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = reported
    copy = table.root / "copy"
    shutil.copytree(table.root / NAME, copy, ignore=shutil.ignore_patterns("secret*", "outbox", "raw", "letters"))
    with (table.root / "louis.yaml").open("a") as file:
        file.write(f"archives: {{{NAME}: copy}}\n")
    last = sorted((copy / "ledger").iterdir())[-1]
    data = last.read_bytes()
    last.unlink()
    table.bring("louis", report_for(table, "1/france"))
    told = table.desk("louis")
    assert "E-VERIFY-SHORT" in told
    with monkeypatch.context() as patched:
        patched.setattr(mail_filing, "verify", lambda folder: pytest.fail("nothing has changed in it"))
        assert "E-VERIFY-SHORT" in table.desk("louis"), "it is as short as it was"
    last.write_bytes(data)
    assert "E-VERIFY" not in table.desk("louis")
    assert "E-VERIFY" not in table.desk("louis", "mail", "status")


def test_a_stranger_who_writes_as_the_moderator_fills_no_mailbox_and_is_forgotten(reported: PostalTable) -> None:
    table = reported
    table.desk("louis")
    for number in range(9):
        forged = f"From: moderator@example.org\nMessage-ID: <{number}@x>\nSubject: [{NAME}] 9999 Turn 9\n\nHello\n"
        table.bring("louis", forged.encode())
        table.desk("louis")
    told = [path.read_text() for path in (table.root / "louis" / "sent").glob("*.eml")]
    assert 1 <= sum("W-OFFICE-CUT" in mail for mail in told) <= 3
    table.now += timedelta(days=9)
    table.bring("louis", report_for(table, "1/france"))
    table.desk("louis", "evening", "--clock-is-right")
    assert "W-OFFICE-CUT" not in table.desk("louis", "mail", "status")


def cut_off(mail: EmailMessage, share: float) -> bytes:
    """The beginning of a mail: so much of what there is up to the end of its report."""
    whole = mail.as_bytes()
    end = whole.index(b"--=_pbem", whole.index(b'"report.yaml"'))
    return whole[: int(end * share)]


def cut_off_unsigned(mail: EmailMessage) -> bytes:
    """The beginning of a mail in which the report is still read, without its signature."""
    whole = cut_off(mail, 1.0)
    ends = range(len(whole) - 1, 0, -1)
    return next(whole[:end] for end in ends if holds_unsigned(whole[:end]))


def holds_unsigned(data: bytes) -> bool:
    """Return whether a moderator's letter without its signature is read in a mail."""
    files = [(name, content) for name, content in files_in(data, ".yaml") if b"SSH SIGNATURE" not in content]
    return any(letters_in(content, name, NAME) for name, content in files)


@pytest.mark.parametrize("share", [0.99, 0.6, 0.1])
@pytest.mark.parametrize("settled_by", ["the whole mail", "the next report"])
def test_a_report_that_came_cut_off_is_told_until_it_comes_whole(
    seated: PostalTable, share: float, settled_by: str
) -> None:
    table = seated
    reports = played_on(table)
    table.bring("louis", reports["1/setup"], cut_off(reports["1/hussars"], share))
    told = table.desk("louis")
    assert "W-OFFICE-CUT a mail from moderator@example.org came incomplete or damaged" in told
    assert not (files(table) / "0009").exists()
    assert "W-OFFICE-CUT" in table.desk("louis", "mail", "status")
    table.bring("louis", reports["1/hussars" if settled_by == "the whole mail" else "1/france"])
    assert "W-OFFICE-CUT" not in table.desk("louis")
    table.bring("louis", cut_off(reports["1/hussars"], share - 0.05))
    assert "W-OFFICE-CUT" not in table.desk("louis"), "a newer report says what is owed"


@pytest.mark.parametrize("cut", [lambda mail: cut_off(mail, 0.5), cut_off_unsigned])
def test_nothing_is_never_said_to_be_owed_while_a_mail_is_damaged(
    reported: PostalTable, cut: Callable[[EmailMessage], bytes]
) -> None:
    table = reported
    whole = report_for(table, "1/france")
    table.bring("louis", cut(whole))
    table.desk("louis")
    told = table.desk("louis", "mail", "status")
    assert "nothing was owed for turn 1 (hussars), but what came later is damaged" in told
    assert "nothing is owed" not in told
    table.bring("louis", whole)
    assert "orders are owed for turn 1 (stage of France)" in table.desk("louis")
    assert "W-OFFICE-CUT" not in table.desk("louis", "mail", "status")


def test_a_report_that_comes_twice_is_filed_once_and_owes_nothing_once_it_is_old(reported: PostalTable) -> None:
    table = reported
    sheet = files(table) / "0005" / "orders.yaml"
    sheet.write_text("mine\n")
    before = sorted(files(table).rglob("*"))
    again = deepcopy(report_for(table, "1/setup"))
    again.replace_header("Message-ID", "<again@example.org>")
    table.bring("louis", again)
    told = table.desk("louis")
    assert "mails read: 1; with letters: 1" in told
    assert "orders are owed" not in told
    assert sorted(files(table).rglob("*")) == before
    assert sheet.read_text() == "mine\n"


@pytest.mark.parametrize("stages", [("1/hussars", "1/setup"), ("1/setup", "1/hussars")], ids=" ".join)
def test_only_the_newest_report_owes_in_whatever_order_they_come(seated: PostalTable, stages: tuple[str, str]) -> None:
    reports = played_on(seated)
    seated.bring("louis", *(reports[stage] for stage in stages))
    told = seated.desk("louis")
    assert f"{NAME}/0005" in told
    assert "orders are owed" not in told


@pytest.mark.parametrize("is_late", [False, True], ids=["together", "behind the first join"])
def test_two_invitations_to_one_person_are_named_until_both_are_taken(tmp_path: Path, is_late: bool) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN, "--seat", f"frederick=Fritz <{ADDRESSES['louis']}>")
    table.open_desk("louis")
    table.moderate("invite")
    table.evening()
    first, second = [mail for mail in table.mails_to("louis") if "invitation" in str(mail["Subject"])]
    table.bring("louis", *((first,) if is_late else (first, second)))
    told = table.desk("louis")
    if is_late:
        table.run(*join_commands(told)[0].split(), as_="louis")
        table.bring("louis", second)
        told = table.desk("louis")
    else:
        one, other = join_commands(told)
        assert join_commands(table.desk("louis", "mail", "status")) == [one, other]
        assert told.count("/0001\n") == 1, "each lies in a folder of its own"
        table.run(*one.split(), as_="louis")
    (other,) = join_commands(table.desk("louis", "mail", "status"))
    table.run(*other.split(), as_="louis")
    table.desk("louis")
    assert not join_commands(table.desk("louis", "mail", "status"))
    for path in sorted((table.root / "louis" / "sent").glob("*.eml")):
        table.drop(path.read_bytes(), path.name)
    assert "letters taken: 2" in table.evening()


def join_commands(told: str) -> list[str]:
    return re.findall("`pbem (join [^`]*)`", told)


def test_a_filed_report_is_taken_apart_once_in_a_round(
    owing: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, read = copied(owing, tmp_path / "table"), Counter[str]()

    def counted(data: bytes, name: str) -> Extraction:
        read[name] += 1
        return extract(data, name)

    monkeypatch.setattr(filing, "extract", counted)
    report = max(files(table).glob("*/report.yaml"))
    report.write_bytes(report.read_bytes() + b"\n")
    assert "orders are owed" in table.desk("louis", "mail", "status")
    assert read["report.yaml"] == 1
