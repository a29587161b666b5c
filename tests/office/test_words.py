"""Answers to players' mails without a letter: words, wrong files and empty mails."""

from __future__ import annotations

import base64
import re
import time
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.post.boxes import own_words
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import ADDRESSES, PLAIN, PostalTable

TEXT = "Here they are."


def attached(name: str, data: bytes, kind: str) -> str:
    """Return a part of a mail with a file."""
    head = f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"\n'
    return f"{head}Content-Transfer-Encoding: base64\n\n{base64.encodebytes(data).decode()}"


def mail_of(table: PostalTable, text: str, *files: str, head: str = "", who: str = "louis@example.org") -> bytes:
    """Return a mail that answers a mail of the campaign, with these files."""
    lines = [
        f"From: {who}",
        "To: moderator@example.org",
        "Message-ID: <w@x>",
        f"References: {table.sent_mails()[0]['References']}",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="B"',
    ]
    parts = [f"Content-Type: text/plain\n\n{text}\n", *files] if text else files
    return "\n".join([*lines, f"{head}", *(f"--B\n{each}" for each in parts), "--B--", ""]).encode()


def answers(table: PostalTable, name: str = "<w@x>") -> list[EmailMessage]:
    """Return the mails to players that answer a mail."""
    return [each for each in table.sent_mails(answering=name) if "moderator@" not in each["To"]]


def text_of(mail: EmailMessage) -> str:
    """Return the text of a mail on one line."""
    body = mail.get_body(("plain",))
    assert body
    return " ".join(body.get_content().split())


def entries(table: PostalTable) -> int:
    """Return the number of entries of the ledger."""
    return len(list((table.root / NAME / "ledger").iterdir()))


KINDS = ("words", "nothing", "a picture", "a packed file", "a report", "a report in a fresh mail")


def wrong_mail(table: PostalTable, kind: str) -> bytes:
    """Return a mail of Louis that has no letter of his."""
    report = (table.root / table.sent("louis.report.yaml")).read_bytes()
    with_report = attached("report.yaml", report, "application/yaml")
    match kind:
        case "words":
            return mail_of(table, "I march to Prag.")
        case "nothing":
            return mail_of(table, " ")
        case "a picture":
            return mail_of(table, TEXT, attached("map.png", b"\x89PNG", "image/png"))
        case "a packed file":
            return mail_of(table, TEXT, attached("orders.zip", b"PK", "application/zip"))
        case "a report":
            return mail_of(table, TEXT, with_report)
    fresh = mail_of(table, TEXT, with_report).split(b"\n")
    return b"\n".join(line for line in fresh if not line.startswith(b"References"))


FOUND = {
    "words": "E-TEXT-NONE there is no letter in the message",
    "nothing": "E-TEXT-EMPTY the message is empty",
    "a picture": "there is no letter in the message; pictures are not read",
    "a packed file": "the attachment 'orders.zip' was not read",
    "a report": "the message brings `report.yaml`, a letter of the moderator's, and none of yours",
    "a report in a fresh mail": "the message brings `report.yaml`, a letter of the moderator's, and none of yours",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_player_who_sends_no_letter_is_told_so_once(table: PostalTable, kind: str) -> None:
    before = entries(table)
    table.drop(wrong_mail(table, kind), "1.wrong")
    told = table.evening()
    assert f"{NAME}: answered, without a letter: 1" in told
    assert "refused" not in told
    assert "to know: vienna-1741: W-OFFICE-WORDS louis wrote without a letter (" in told
    (answer,) = answers(table)
    assert answer["To"].addresses[0].addr_spec == ADDRESSES["louis"]
    assert answer["Subject"] == f"[{NAME}] 0005 no letter in your mail (Turn 1, set-up)"
    assert answer["Auto-Submitted"] == "auto-replied"
    said = text_of(answer)
    assert FOUND[kind] in said
    assert "nothing is entered. Orders count only as a letter: fill in the sheet `orders.yaml`" in said
    assert "pbem sign orders.yaml" in said
    assert entries(table) == before
    sent = len(table.sent_mails())
    assert "answered" not in table.evening()
    table.drop(b"Received: again\n" + wrong_mail(table, kind), "2.wrong")
    table.evening()
    assert len(table.sent_mails()) == sent, "the same mail is answered once"


@pytest.mark.parametrize(
    "text",
    [
        "On Mon, 3 Feb 2025, Max wrote:\n> Turn 1, set-up: your move\n> Reply by Monday",
        "Am 03.02.2025 um 20:00 schrieb Max:\n\n> Zug 1",
        "-------- Forwarded Message --------\nSubject: report\n\nTurn 1, set-up",
        "> Turn 1, set-up: your move\n\n-- \nLouis, Paris",
    ],
)
def test_a_mail_without_words_of_its_own_is_told_so(table: PostalTable, text: str) -> None:
    table.drop(mail_of(table, text), "1.quoted")
    table.evening()
    (answer,) = answers(table)
    said = text_of(answer)
    assert "the message has no words of yours: only a quotation, a forwarded mail or a signature" in said
    assert "nothing is entered. Orders count only as a letter" in said
    assert "what you wrote" not in said, "there is nothing that the moderator could read"
    assert "pbem message" not in said
    assert own_words(f"When is it my turn?\n{text}")


@pytest.mark.parametrize("line", [f"On {'x ' * 98}", "schrieb " * 20, "wrote " * 30, f"{'-' * 120}a", " " * 200])
def test_lines_like_those_above_quotations_are_read_in_time(line: str) -> None:
    begun = time.process_time()
    own_words(f"{line}\n" * 20_000)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("head", "who"),
    [
        ("List-Id: <club.example.org>\n", "louis@example.org"),
        ("Precedence: list\n", "louis@example.org"),
        ("Auto-Submitted: auto-replied\n", "louis@example.org"),
        ("Return-Path: <>\n", "louis@example.org"),
        ("Precedence: bulk\n", "louis@example.org"),
        ("Precedence: junk\n", "louis@example.org"),
        ("X-Auto-Response-Suppress: All\n", "louis@example.org"),
        ("X-Auto-Response-Suppress: DR, OOF, AutoReply\n", "louis@example.org"),
        ("", "eve@example.net"),
        ("", "moderator@example.org"),
        ("", "louis@example.org, frederick@example.org"),
    ],
)
def test_lists_programs_and_strangers_get_no_answer(table: PostalTable, head: str, who: str) -> None:
    table.drop(mail_of(table, "I march to Prag.", head=head, who=who), "1.words")
    told = table.evening()
    assert "answered, without a letter" not in told
    assert "W-OFFICE-AGAIN" not in told
    assert not answers(table)


@pytest.mark.parametrize("head", ["X-Auto-Response-Suppress: DR, RN, NRN", "X-Auto-Response-Suppress: None"])
def test_a_mail_that_wants_no_reports_of_delivery_is_answered(table: PostalTable, head: str) -> None:
    table.drop(mail_of(table, "I march to Prag.", head=f"{head}\n"), "1.words")
    table.evening()
    assert len(answers(table)) == 1


def test_two_programs_do_not_answer_each_other_for_ever(table: PostalTable) -> None:
    table.drop(mail_of(table, "I am away."), "1.away")
    table.evening()
    (answer,) = answers(table)
    again = mail_of(table, "I am away.", head=f"In-Reply-To: {answer['Message-ID']}\n")
    table.drop(again.replace(b"<w@x>", b"<again@x>"), "2.away")
    assert "answered, without a letter" not in table.evening()
    assert not answers(table, "<again@x>")


def fresh(text: str, name: str = "w", who: str = "louis@example.org", head: str = "") -> bytes:
    """Return a mail that answers no mail of the office."""
    lines = f"From: {who}\nTo: moderator@example.org\nSubject: hello\nMessage-ID: <{name}@x>\n{head}"
    return f"{lines}\n{text}\n".encode()


STRAY = "W-OFFICE-STRAY a mail from louis@example.org (hello) has no letter and answers no mail of ours"


def test_words_that_answer_no_mail_are_answered_once_a_day_and_noticed(table: PostalTable) -> None:
    before = entries(table)
    for number in range(3):
        table.drop(fresh("I march to Prag.", f"w{number}"), f"{number}.fresh")
        told = table.evening()
        assert ("answered, without a letter: 1" in told) == (number == 0)
        assert "left alone: 1" in told
        assert "forwarded" not in told
        assert told.count(STRAY) == 1, "one notice for each sender"
    assert answered(table) == [0]
    (answer,) = answers(table, "<w0@x>")
    assert "nothing is entered. Orders count only as a letter" in text_of(answer)
    assert "The moderator can read what you wrote." in text_of(answer)
    assert len(list((table.root / "inbox" / "new").iterdir())) == 3, "they lie unread where a person finds them"
    assert "march" not in table.mail("status")
    assert entries(table) == before
    table.now += timedelta(days=8)
    table.evening()
    assert "W-OFFICE-STRAY" not in table.mail("status")


def test_words_of_a_player_in_two_campaigns_are_answered_in_one(table: PostalTable) -> None:
    table.begin_club()
    table.drop(fresh("Lunch on Sunday?"), "1.fresh")
    told = table.evening()
    assert STRAY in told
    assert told.count("answered, without a letter: 1") == 1
    assert len(answers(table)) == 1


def test_an_answer_to_a_persons_mail_is_noticed_and_gets_no_answer(table: PostalTable) -> None:
    table.drop(fresh("Lunch on Sunday.", head="In-Reply-To: <lunch@example.net>\n"), "1.fresh")
    assert STRAY in table.evening()
    assert not answers(table)


@pytest.mark.parametrize(
    ("head", "who"),
    [
        ("Auto-Submitted: auto-replied\n", "louis@example.org"),
        ("", "eve@example.net"),
        ("", "moderator@example.org"),
    ],
)
def test_words_of_others_that_answer_no_mail_lie_where_they_lay(table: PostalTable, head: str, who: str) -> None:
    table.drop(fresh("Lunch?", who=who, head=head), "1.fresh")
    told = table.evening()
    assert "W-OFFICE-STRAY" not in told
    assert not answers(table)


def test_a_letter_for_an_unknown_campaign_is_told_to_its_writer_without_a_signature_too(table: PostalTable) -> None:
    letter = Path(table.sheet("louis")).read_text().replace(NAME, "vienna-1714")
    table.drop(fresh(letter), "1.fresh")
    told = table.evening()
    assert "W-OFFICE-UNKNOWN a letter from louis@example.org (hello) is for vienna-1714" in told
    (answer,) = answers(table)
    assert "Your letter does not name this campaign. Nothing of it counts." in text_of(answer)
    assert f"the letter is for the campaign 'vienna-1714', not for {NAME}" in text_of(answer)


def newest_mail(table: PostalTable, seat: str = "louis") -> str:
    """Return the message-id of the newest report that the office has sent to a seat."""
    return [str(mail["Message-ID"]) for mail in table.mails_to(seat) if mail["X-Pbem-Kind"] == "report"][-1]


def drop_words(table: PostalTable, *, start: int, count: int, who: str = "louis@example.org", to: str = "") -> None:
    """Mails without a letter come in: words number so and so, which answer the mail `to`."""
    for number in range(start, start + count):
        head = f"In-Reply-To: {to}\n" if to else ""
        mail = mail_of(table, f"I march to Prag, {number}.", head=head, who=who)
        table.drop(mail.replace(b"<w@x>", f"<w{number}@x>".encode()), f"1.{number:02}")


def answered(table: PostalTable) -> list[int]:
    """Return the numbers of the words that were answered."""
    return [number for number in range(60) if answers(table, f"<w{number}@x>")]


def forwarded_numbers(table: PostalTable) -> set[int]:
    """Return the numbers of the words that the moderator was sent."""
    mails = [mail.get_content() for mail in table.mails_to("moderator") if not mail.is_multipart()]
    return {int(number) for mail in mails for number in re.findall(r"> I march to Prag, (\d+)\.", mail)}


def test_one_answer_a_day_to_fresh_mails(table: PostalTable) -> None:
    drop_words(table, start=0, count=2)
    assert "answered, without a letter: 1" in table.evening()
    drop_words(table, start=2, count=1)
    told = table.evening()
    assert "answered, without a letter" not in told
    assert "W-OFFICE-AGAIN mails without a letter that were not answered" in told
    assert answered(table) == [0]
    assert "W-OFFICE-REFUSED" not in table.mail("status"), "words are no forged letters"
    table.now += timedelta(days=1, minutes=1)
    drop_words(table, start=3, count=1)
    assert "answered, without a letter: 1" in table.evening()
    assert answered(table) == [0, 3]
    table.order_by_mail("louis")
    assert "letters taken: 1" in table.evening()
    assert "W-OFFICE-WORDS" not in table.mail("status"), "a good letter ends the notice"


def test_each_reply_to_a_report_is_answered_up_to_three_a_day(table: PostalTable) -> None:
    """A person who replies twice hears twice; a program that answers every mail is answered no more in the end."""
    for number in range(5):
        drop_words(table, start=number, count=1, to=newest_mail(table))
        told = table.evening()
        assert ("answered, without a letter: 1" in told) == (number < 3)
        assert ("W-OFFICE-AGAIN" in told) == (number >= 3)
    assert answered(table) == [0, 1, 2]
    table.now += timedelta(days=1, minutes=1)
    drop_words(table, start=10, count=1, to=newest_mail(table))
    table.evening()
    assert answered(table) == [0, 1, 2, 10]


def test_the_notice_of_a_mail_without_a_letter_is_forgotten_after_a_day(table: PostalTable) -> None:
    drop_words(table, start=0, count=1)
    table.evening()
    assert "W-OFFICE-WORDS" in table.mail("status")
    table.now += timedelta(days=1, minutes=1)
    table.evening()
    assert "W-OFFICE-WORDS" not in table.mail("status")


@pytest.mark.parametrize("is_known", [False, True], ids=["by address", "by a mail that was seen"])
def test_a_flood_in_the_name_of_one_seat_is_not_answered_and_delays_no_other(
    table: PostalTable, *, is_known: bool
) -> None:
    drop_words(table, start=0, count=48, to=newest_mail(table) if is_known else "")
    told = " ".join(table.evening().split())
    assert "answered, without a letter" not in told
    assert answered(table) == []
    sent = len(forwarded_numbers(table))
    assert sent == (4 if is_known else 2)
    assert f"{NAME}: W-OFFICE-MANY {48 - sent} more mails without a letter have come from louis@example.org" in told
    drop_words(table, start=50, count=1, who="frederick@example.org")
    drop_words(table, start=51, count=1, who="maria-theresa@example.org", to=newest_mail(table, "maria-theresa"))
    assert "answered, without a letter: 2" in table.evening()
    assert answered(table) == [50, 51]
    assert {50, 51} <= forwarded_numbers(table), "at once"
    assert len([mail for mail in table.mails_to("moderator") if "W-OFFICE-MANY" in str(mail)]) == 1, "told once"
    table.now += timedelta(days=1, minutes=1)
    table.evening()
    assert len(forwarded_numbers(table)) == 2 * sent + 2, "the others follow day by day"


def test_words_that_answer_a_mail_come_beside_a_flood_in_that_name(table: PostalTable) -> None:
    drop_words(table, start=0, count=20)
    table.evening()
    drop_words(table, start=50, count=1, to=newest_mail(table))
    assert "answered, without a letter: 1" in table.evening()
    assert answered(table) == [50]
    assert 50 in forwarded_numbers(table)


def test_a_player_who_writes_from_elsewhere_has_the_share_of_the_seat(table: PostalTable) -> None:
    """Strangers use up no player's share, nor players that of a stranger."""
    for number in range(10):
        drop_words(table, start=number, count=1, who=f"eve{number}@example.net")
    table.evening()
    assert len(forwarded_numbers(table)) == 3
    drop_words(table, start=50, count=1, who="louis@work.example", to=newest_mail(table))
    table.evening()
    assert 50 in forwarded_numbers(table)
    assert answered(table) == []


def test_one_stranger_does_not_use_up_the_share_of_all(table: PostalTable) -> None:
    drop_words(table, start=0, count=9, who="eve@example.net")
    drop_words(table, start=50, count=1, who="adam@example.net")
    table.evening()
    assert len(forwarded_numbers(table)) == 2
    assert 50 in forwarded_numbers(table)


def close_way(table: PostalTable, *, is_closed: bool) -> None:
    """The office can send nothing, or again."""
    settings = table.root / "mail.yaml"
    way = ("{files: sent}", "{sendmail: /nowhere/sendmail}")
    settings.write_text(settings.read_text().replace(*(way if is_closed else way[::-1])))


@pytest.mark.parametrize("state", ["present", "moved", "past", "gone on"])
def test_an_answer_that_waited_is_sent_only_as_long_as_its_deadline_is_to_come(table: PostalTable, state: str) -> None:
    drop_words(table, start=0, count=1)
    close_way(table, is_closed=True)
    assert "answered, without a letter: 1" in table.evening()
    if state == "moved":
        table.moderate("extend", "240h", "--why", "a move")
    elif state == "gone on":
        for seat in SEATS:
            table.order_by_mail(seat)
        assert "on to turn 1 (hussars)" in table.evening()
    for _ in range(4 if state == "past" else 1):
        table.now += timedelta(days=1)
        table.evening()
    close_way(table, is_closed=False)
    table.evening()
    assert answered(table) == ([0] if state == "present" else [])
    assert "waiting: 0; failed: 0" in table.mail("status")


def test_an_answer_to_words_behind_the_deadline_is_sent(table: PostalTable) -> None:
    for _ in range(3):
        table.now += timedelta(days=1, hours=3)
        table.evening()
    drop_words(table, start=0, count=1)
    table.evening()
    assert answered(table) == [0]


def test_an_answer_comes_also_where_words_are_not_forwarded(table: PostalTable) -> None:
    settings = table.root / "mail.yaml"
    settings.write_text(settings.read_text().replace("address: moderator@example.org\n", ""))
    table.drop(mail_of(table, "I march to Prag."), "1.words")
    told = table.evening()
    assert "answered, without a letter: 1" in told
    assert "forwarded" not in told
    assert (table.root / "inbox" / "new" / "1.words").exists(), "a person reads the words there"
    assert len(answers(table)) == 1


LANGUAGES = {
    "de": (
        "Einladung",
        "kein Brief in deiner Mail (Runde 1, Aufstellung)",
        "Deinen Platz",
        "also ist nichts eingetragen",
    ),
    "es": (
        "invitación",
        "ningún envío en tu correo (Turno 1, despliegue inicial)",
        "Tu puesto",
        "no se ha anotado nada",
    ),
    "it": (
        "invito",
        "nessuna lettera nella tua mail (Turno 1, preparazione)",
        "Il tuo posto",
        "non è stato registrato",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_answered_in_the_language_of_the_seat(tmp_path: Path, language: str) -> None:
    invited, title, seat, told = LANGUAGES[language]
    table = PostalTable(tmp_path)
    (table.root / "plan.yaml").write_text(f"campaign: {NAME}\nseats: {{louis: {{language: {language}}}}}\n")
    table.open_office(PLAIN, "--from", "plan.yaml")
    table.moderate("invite")
    table.evening()
    (invitation,) = table.mails_to("louis")
    assert invited in invitation["Subject"]
    table.drop(mail_of(table, "I would like to play."), "1.early")
    table.evening()
    (early,) = answers(table)
    assert seat in text_of(early), "an invited person who has not joined"
    assert told in text_of(early)
    table.join_by_mail()
    table.evening()
    table.now += timedelta(days=1, minutes=1)
    table.drop(mail_of(table, "I march to Prag.").replace(b"<w@x>", b"<late@x>"), "2.late")
    table.evening()
    (late,) = answers(table, "<late@x>")
    assert late["Subject"].endswith(title)
    assert told in text_of(late)


def test_a_word_in_place_of_a_vote_is_told_how_to_vote(table: PostalTable) -> None:
    """Also where nothing else is asked, and only until the vote is in."""
    table.order_by_mail("louis")
    report = table.sent("frederick.report.yaml")
    table.run("propose", "draw", "--report", report, "-o", "frederick/draw.yaml", as_="frederick")
    table.post_letter("frederick", "frederick/draw.yaml")
    assert "letters taken: 2" in table.evening()
    (name,) = re.findall(r"pbem vote (\S+) yes", (table.root / table.sent("louis.txt")).read_text())
    table.drop(mail_of(table, "No"), "1.no")
    table.evening()
    (answer,) = answers(table)
    said = text_of(answer)
    assert "is still asked until " in said
    assert f"`pbem vote {name} no`" in said
    assert "Nothing is asked of you now" not in said


def test_a_word_in_place_of_a_letter_is_told_how_to_answer_an_offer(table: PostalTable) -> None:
    report = table.sent("frederick.report.yaml")
    table.run("agree", "louis", "Peace.", "--report", report, "-o", "frederick/a.yaml", as_="frederick")
    table.post_letter("frederick", "frederick/a.yaml")
    assert "letters taken: 1" in table.evening()
    table.drop(mail_of(table, "No, thank you"), "1.no")
    table.evening()
    (answer,) = answers(table)
    said = text_of(answer)
    assert "An offer of Frederick is open" in said
    assert '`pbem message frederick "words"`' in said
    assert "Peace." not in said


SHEET = "pbem 1\nkind: orders\nbody: {orders: {france: {allot: {Broglie: 8}}}}"


def forwarded(table: PostalTable) -> str:
    """Return the text of the newest mail to the moderator that tells the words of somebody."""
    return text_of([each for each in table.mails_to("moderator") if "[pbem]" in str(each["Subject"])][-1])


def host_playing(root: Path) -> PostalTable:
    """Return a table whose moderator plays Prussia."""
    table = PostalTable(root)
    table.open_office(PLAIN, "--moderator-seat", "frederick")
    table.moderate("invite")
    table.evening()
    return table


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        (SHEET, False),
        ("> " + SHEET.replace("\n", "\n> "), False),
        ("- orders: Broglie 8", False),
        ("-----BEGIN AGE ENCRYPTED FILE-----\nBroglie", False),
        ("I am in Broglie until Monday.", True),
    ],
)
def test_a_moderator_who_plays_is_shown_nothing_that_may_be_orders(
    tmp_path: Path, text: str, *, is_shown: bool
) -> None:
    table = host_playing(tmp_path)
    table.drop(mail_of(table, text), "1")
    table.evening()
    assert ("Broglie" in forwarded(table), "not shown here" in forwarded(table)) == (is_shown, not is_shown)


def test_a_moderator_who_does_not_play_is_shown_the_text(table: PostalTable) -> None:
    table.drop(mail_of(table, SHEET), "1")
    table.evening()
    assert "Broglie" in forwarded(table)


@pytest.mark.parametrize("who", ["louis@work.example", "louis@example.org"])
def test_the_moderator_is_told_of_an_answer_only_where_there_was_one(table: PostalTable, who: str) -> None:
    table.drop(mail_of(table, "I am ill.", who=who), "1")
    table.evening()
    assert ("its writer is told so, three times a day at most" in forwarded(table)) == bool(answers(table))
    assert ("nobody has answered" in forwarded(table)) != bool(answers(table))
