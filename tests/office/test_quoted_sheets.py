"""Words above a sheet that a mail program has quoted: the sheet counts only if something was filled in."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.campaign.proof.verifying import verify
from tests.cli.correspondence import NAME
from tests.office.post import ADDRESSES, PLAIN, PostalTable, copied
from tests.setups import with_more

ASKED = "Can I have one more day?"


def quoted_text(mail: EmailMessage) -> str:
    """Return the text of a mail as mail programs quote it."""
    body = mail.get_body(("plain",))
    assert body
    return "".join(f"> {line}".rstrip() + "\n" for line in body.get_content().splitlines())


def answer_to(table: PostalTable, mail: EmailMessage, name: str, quoted: str, text: str = ASKED) -> bytes:
    """Return a mail in which Louis answers a mail of the office, with these words above the quotation."""
    lines = [
        f"From: {ADDRESSES['louis']}",
        "To: moderator@example.org",
        f"Subject: Re: {mail['Subject']}",
        f"Message-ID: <{name}@x>",
        f"In-Reply-To: {mail['Message-ID']}",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "",
        text,
        "",
        f"On {table.now:%a, %d %b %Y}, Max wrote:",
        quoted,
    ]
    return "\n".join(lines).encode()


def keyless_table(root: Path, votes: str = "none") -> PostalTable:
    """Return a campaign without signatures that waits for the first orders of people without keys."""
    table = PostalTable(root)
    (table.root / "plan.yaml").write_text(f"campaign: {NAME}\nconduct: {{signing: off, votes: {votes}}}\n")
    table.open_office(PLAIN, "--from", "plan.yaml")
    table.moderate("invite")
    table.evening()
    for seat in table.seats:
        sheet = (table.root / table.sent(f"{seat}-invitation.join.yaml")).read_text()
        letter = sheet.replace("  entropy:", f"  entropy: {seat} throws dice for a long while, 4 2 6 1 3 5 5 2 1")
        mail = f"From: {ADDRESSES[seat]}\nMessage-ID: <join.{seat}@x>\n\n{letter}"
        table.drop(mail.encode(), f"0.{seat}")
    assert "letters taken: 3, on to turn 1 (set-up)" in table.evening()
    return table


def newest(table: PostalTable, kind: str) -> EmailMessage:
    """Return the newest mail of a kind to Louis."""
    mails = (mail for mail in table.mails_to("louis") if mail["X-Pbem-Kind"] == kind)
    return max(mails, key=lambda mail: str(mail["Subject"]))


def to_the_moderator(table: PostalTable) -> list[str]:
    """Return the texts of the mails by which words were forwarded."""
    return [mail.get_content() for mail in table.sent_mails(to="moderator@") if "writes" in mail["Subject"]]


def assert_words(table: PostalTable, told: str, forwarded: int = 1) -> None:
    """Assert that the office took a mail for words: they went to the moderator, and their writer was told."""
    assert f"{NAME}: answered, without a letter: 1" in told
    assert "letters taken" not in told
    assert "refused" not in told
    assert len([text for text in to_the_moderator(table) if ASKED in text]) == forwarded
    (answer,) = [mail for mail in table.mails_to("louis") if mail["In-Reply-To"] in ("<asked@x>", "<gladly@x>")]
    body = answer.get_body(("plain",))
    assert body
    said = " ".join(body.get_content().split())
    assert "a quoted sheet in which nothing was filled in is none" in said
    assert "what you wrote above it is not read as orders: put it into the sheet" in said


@pytest.mark.parametrize("kind", ["report", "reminder"])
def test_a_question_above_a_quoted_mail_is_no_orders_where_nobody_signs(tmp_path: Path, kind: str) -> None:
    table = keyless_table(tmp_path)
    table.now += timedelta(days=2, hours=12)
    assert "reminded: louis, frederick, maria-theresa" in table.evening()
    mail = newest(table, kind)
    quoted = quoted_text(mail)
    assert "> kind: orders" in quoted
    table.drop(answer_to(table, mail, "asked", quoted), "1.asked")
    assert_words(table, table.evening())
    filled = with_more(quoted, Maillebois=-1, Noailles=1)
    assert filled != quoted
    table.drop(answer_to(table, mail, "filled", filled, "Törring gets what is left over."), "2.filled")
    assert "letters taken: 1" in table.evening()
    (answer,) = table.sent_mails(answering="<filled@x>")
    assert "are not read as orders, and reach nobody" in " ".join(answer.get_body(("plain",)).get_content().split())


def test_a_question_above_a_quoted_reminder_is_no_letter_without_a_signature(table: PostalTable) -> None:
    table.now += timedelta(days=2, hours=12)
    assert "reminded: louis, frederick, maria-theresa" in table.evening()
    mail = newest(table, "reminder")
    quoted = quoted_text(mail)
    assert "> kind: orders" in quoted
    table.drop(answer_to(table, mail, "asked", quoted), "1.asked")
    assert_words(table, table.evening())
    filled = with_more(quoted, Maillebois=-1, Noailles=1)
    table.drop(answer_to(table, mail, "filled", filled), "2.filled")
    assert "refused: 1" in table.evening(), "orders that were not signed are told so"


def test_the_sheet_as_it_is_orders_nothing_and_whoever_only_writes_so_is_told(tmp_path: Path) -> None:
    table = keyless_table(tmp_path)
    while table.owing() != ["louis"]:
        table.moderate("adjudicate", "--force")
        table.evening()
    mail = newest(table, "report")
    body = quoted_text(mail)
    assert "If you order nothing, send the file orders.yaml as it is." in " ".join(body.replace("> #", "").split())
    table.drop(answer_to(table, mail, "asked", body, f"{ASKED} I move nothing."), "1.asked")
    assert_words(table, table.evening())
    (answer,) = [each for each in table.mails_to("louis") if each["In-Reply-To"] == "<asked@x>"]
    said = " ".join(answer.get_body(("plain",)).get_content().split())
    assert "send that file; unchanged, it orders what stands in it without a `#`" in said
    assert "pbem propose" not in said, "nobody agreed on votes"
    (sheet,) = [part for part in mail.iter_attachments() if part.get_filename() == "orders.yaml"]
    reply = EmailMessage()
    reply["From"], reply["To"] = ADDRESSES["louis"], "moderator@example.org"
    reply["Message-ID"], reply["In-Reply-To"] = "<nothing@x>", str(mail["Message-ID"])
    reply.set_content(f"I move nothing.\n\n{body}")
    reply.add_attachment(sheet.get_content(), maintype="application", subtype="yaml", filename="orders.yaml")
    table.drop(reply.as_bytes(), "2.nothing")
    assert "letters taken: 1" in table.evening()


@pytest.mark.parametrize("signing", ["on", "off"])
def test_words_above_a_quoted_invitation_are_no_letter(tmp_path: Path, signing: str) -> None:
    table = PostalTable(tmp_path)
    (table.root / "plan.yaml").write_text(f"campaign: {NAME}\nconduct: {{signing: {signing}}}\n")
    table.open_office(PLAIN, "--from", "plan.yaml")
    table.moderate("invite")
    table.evening()
    mail = newest(table, "invitation")
    quoted = quoted_text(mail)
    assert "> kind: join" in quoted
    table.drop(answer_to(table, mail, "gladly", quoted), "1.gladly")
    assert_words(table, table.evening())


@pytest.mark.parametrize("is_message", [True, False])
def test_a_quoted_sheet_does_not_count_where_letters_are_taken_by_hand(tmp_path: Path, *, is_message: bool) -> None:
    table = keyless_table(tmp_path)
    mail = newest(table, "report")
    said = f"pbem: 1\nkind: message\ncampaign: {NAME}\nfrom: louis\nbody:\n  to: all\n  text: {ASKED}\n"
    above = said if is_message else ASKED
    path = table.root / "answer.eml"
    path.write_bytes(answer_to(table, mail, "asked", quoted_text(mail), above))
    told = table.moderate("accept", str(path), code=None).output.splitlines()
    said = "a message of louis, seq 1: final (entry 6)" if is_message else "louis: refused (no entry): E-TEXT-NONE"
    assert [line for line in told if "louis" in line] == [f"{path}: {said}"]


def test_an_offer_that_is_only_forwarded_agrees_to_nothing_where_nobody_signs(tmp_path: Path) -> None:
    table = keyless_table(tmp_path)
    sheet = Path(table.sent("frederick.orders.yaml")).read_text()
    head = [line for line in sheet.splitlines() if line.partition(":")[0] in ("campaign", "from", "stage", "basis")]
    said = ["pbem: 1", "kind: agreement", *head, "seq: 9", "body:", "  with: louis", "  words: Leave Saxony alone"]
    mail = f"From: {ADDRESSES['frederick']}\nMessage-ID: <agreed@x>\n\n" + "\n".join(said) + "\n"
    table.drop(mail.encode(), "1.agreed")
    assert "letters taken: 1" in table.evening()
    offer = newest(table, "offer")
    forwarded = EmailMessage()
    forwarded["From"], forwarded["To"] = ADDRESSES["louis"], "moderator@example.org"
    forwarded["Message-ID"], forwarded["In-Reply-To"] = "<asked@x>", str(offer["Message-ID"])
    forwarded["Subject"] = f"Fwd: {offer['Subject']}"
    forwarded.set_content(ASKED)
    forwarded.add_attachment(offer)
    table.drop(forwarded.as_bytes(), "2.asked")
    assert_words(table, table.evening())
    (letter,) = [part for part in offer.iter_attachments() if part.get_filename() == "agreement.yaml"]
    # Most programs forward text and files, not the mail as a whole.
    inline = EmailMessage()
    inline["From"], inline["To"] = ADDRESSES["louis"], "moderator@example.org"
    inline["Message-ID"], inline["Subject"] = "<inline@x>", f"WG: {offer['Subject']}"
    inline.set_content(f"I do not agree to this.\n\n{offer.get_body(('plain',)).get_content()}")
    inline.add_attachment(letter.get_content(), maintype="application", subtype="yaml", filename="agreement.yaml")
    table.drop(inline.as_bytes(), "3.inline")
    assert "letters taken" not in table.evening()
    (table.root / "agreement.yaml").write_bytes(letter.get_content())
    table.post_letter("louis", "agreement.yaml")
    assert "letters taken: 1, reports: 4" in table.evening()


def test_a_proposal_without_a_basis_has_that_of_its_stage(tmp_path: Path) -> None:
    table = keyless_table(tmp_path)
    table.moderate("adjudicate", "--force")
    lines = [
        "pbem: 1",
        "kind: proposal",
        f"campaign: {NAME}",
        "from: louis",
        "stage: 1/setup",
        "body:",
        "  subject: draw",
    ]
    mail = f"From: {ADDRESSES['louis']}\nMessage-ID: <proposed@x>\n\n" + "\n".join(lines) + "\n"
    table.drop(mail.encode(), "1.proposed")
    assert "letters taken: 1" in table.evening()
    (entry,) = (table.root / NAME / "ledger").glob("*-proposal.yaml")
    sheet = (table.root / table.sent("louis.orders.yaml")).read_text()
    assert "stage: 1/setup" in sheet
    (basis,) = re.findall(r"(?m)^basis: (\w+)", sheet)
    assert f"basis: {basis}" in entry.read_text()
    assert not verify(table.root / NAME).findings


def unsigned_letter(kind: str, seat: str, body: str, occasion: str = "") -> str:
    """Return the text of a letter that nobody has signed."""
    return f"pbem: 1\nkind: {kind}\ncampaign: {NAME}\nfrom: {seat}\n{occasion}seq: 2\nbody: {{{body}}}\n"


def voting_table(root: Path) -> tuple[PostalTable, str]:
    """Return a table where nobody signs, and the name of a proposal on which Louis has to vote."""
    table = keyless_table(root, votes="majority")
    (occasion,) = re.findall(r"stage: .*\nbasis: .*\n", quoted_text(newest(table, "report")).replace("> ", ""))
    proposal = unsigned_letter("proposal", "frederick", "subject: time, about: 2", occasion)
    table.drop(f"From: {ADDRESSES['frederick']}\nMessage-ID: <time@x>\n\n{proposal}".encode(), "1.time")
    assert "letters taken: 1" in table.evening()
    mail = newest(table, "report")
    (name,) = set(re.findall(r"proposal: ([\w-]+)", mail.as_string()))
    return table, name


def test_a_vote_in_a_quotation_is_none_where_nobody_signs(tmp_path: Path) -> None:
    table, name = voting_table(tmp_path)
    mail = newest(table, "report")
    yes = unsigned_letter("vote", "louis", f"proposal: {name}, says: yes")
    quoted = "".join(f"> {line}\n" for line in yes.splitlines())
    table.drop(answer_to(table, mail, "no", quoted, "No, I vote no."), "2.no")
    told = table.evening()
    assert "refused: 1" in told
    assert "E-VOTE-QUOTED" in told
    assert "letters taken" not in told
    (answer,) = [mail for mail in table.mails_to("louis") if mail["In-Reply-To"] == "<no@x>"]
    body = answer.get_body(("plain",))
    assert body
    said = " ".join(body.get_content().split())
    assert "Your vote does not count, because it stands in a quotation." in said
    assert "no letter could be read" not in said
    assert "is still asked until" in said
    assert f"proposal: {name}, says: yes/no" in said
    assert "the vote stands in a quotation — write its lines anew" in said
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <yes@x>\n\n{yes}".encode(), "3.yes")
    assert "letters taken: 1" in table.evening()


def test_a_vote_in_another_word_is_refused_with_the_lines_to_send(tmp_path: Path) -> None:
    table, name = voting_table(tmp_path)
    vote = unsigned_letter("vote", "louis", f"proposal: {name}, says: sí")
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <v@x>\n\n{vote}".encode(), "2.vote")
    assert "E-VOTE-SAYS" in table.evening()
    (answer,) = [mail for mail in table.mails_to("louis") if mail["In-Reply-To"] == "<v@x>"]
    said = " ".join(answer.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert "is still asked until" in said
    assert f"proposal: {name}, says: yes/no" in said


def shown_lines(text: str) -> str:
    """Return the lines of the first letter that a mail shows, to be copied; an example of a message counts as none."""
    shown = [line.strip() for line in text.splitlines() if re.match("    [a-z]+: ", line)]
    letters = ["pbem: " + letter for letter in "\n".join(shown).split("pbem: ")[1:]]
    return next(letter.rstrip() for letter in letters if "kind: message" not in letter)


def test_the_lines_of_a_vote_without_a_choice_are_told_so(tmp_path: Path) -> None:
    table, _ = voting_table(tmp_path)
    mail = newest(table, "report")
    shown = shown_lines(mail.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    table.drop(answer_to(table, mail, "v", "", f"I vote:\n\n{shown}"), "2.vote")
    assert "letters taken" not in table.evening()
    (answer,) = [mail for mail in table.mails_to("louis") if mail["In-Reply-To"] == "<v@x>"]
    said = " ".join(answer.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert "the lines of a vote still have `yes/no`: keep one of the two words. Nothing is entered" in said
    assert "In your mail there is no letter" not in said
    assert "still say `yes/no`: write `yes` or `no` in its place" in said
    assert "body: {proposal: " in said, "the lines stand there again"


def test_a_receipt_names_faults_in_the_sequence_of_the_lines_as_they_were_sent(tmp_path: Path) -> None:
    table = keyless_table(tmp_path)
    (stage,) = re.findall(r"stage: .*\n", quoted_text(newest(table, "report")).replace("> ", ""))
    orders = "{Törring: 4}\n    # the others\n    france:\n      allot:\n        Moritz von Sachsen: 30\n"
    head = f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: louis\n{stage}body:\n"
    letter = f"{head}  final: yes\n  orders:\n    bavaria:\n      allot: {orders}"
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <o@x>\n\n{letter}".encode(), "1.orders")
    table.evening()
    (answer,) = [mail for mail in table.mails_to("louis") if mail["In-Reply-To"] == "<o@x>"]
    said = answer.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert re.findall(r"(?m)^- (\d+):\d+ “(.+?)”: E-", said) == [
        ("10", "allot: {Törring: 4}"),
        ("14", "Moritz von Sachsen: 30"),
    ]


def test_whoever_asks_for_more_time_in_words_gets_the_lines_that_propose_it(tmp_path: Path) -> None:
    table = keyless_table(tmp_path, votes="majority")
    mail = newest(table, "report")
    table.drop(answer_to(table, mail, "more", "", "May I have more time?"), "1.more")
    table.evening()
    (answer,) = [mail for mail in table.mails_to("louis") if mail["In-Reply-To"] == "<more@x>"]
    shown = shown_lines(answer.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    assert "kind: proposal" in shown
    quoted = answer.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    table.drop(answer_to(table, answer, "quoted", "", f"Thanks!\n\n{quoted}"), "2.a-quotation-without-marks")
    assert "letters taken" not in table.evening()
    assert all(mail["In-Reply-To"] != "<quoted@x>" for mail in table.mails_to("louis")), "`DAYS` proposes nothing"
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <as@x>\n\n{shown}\n".encode(), "2.as-it-is")
    assert "letters taken" not in table.evening()
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <3@x>\n\n{shown.replace('DAYS', '3')}\n".encode(), "3.days")
    assert "letters taken: 1" in table.evening()
    assert "move the deadline by 3 days" in " ".join(newest(table, "report").as_string().split())


FAREWELLS = {
    "Best, Lou": True,
    "Viele Grüße\nLou": True,
    "\n\nBest,\n\nLou": True,
    "No, wait: no": False,
    "seq: 3": True,
}


@pytest.mark.parametrize("farewell", FAREWELLS)
def test_words_of_farewell_below_a_vote_do_not_matter(tmp_path: Path, farewell: str) -> None:
    """Words that may be about the vote do; the refusal then repeats the lines to send."""
    table, name = voting_table(tmp_path)
    lines = ("pbem: 1", "kind: vote", f"campaign: {NAME}", "from: louis", f"body: {{proposal: {name}, says: yes}}")
    text = "\n".join([*lines, farewell, ""])
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <v@x>\n\n{text}".encode(), "3.yes")
    told = table.evening()
    is_taken = FAREWELLS[farewell]
    assert ("letters taken: 1" in told) == is_taken
    (answer,) = [mail for mail in table.mails_to("louis") if mail["In-Reply-To"] == "<v@x>"]
    body = answer.get_body(("plain",))
    assert body
    said = " ".join(body.get_content().split())
    assert (" ".join(lines).replace("yes}", "yes/no}") in said) != is_taken
    if not is_taken:
        assert "E-TEXT-STRAY" in said


def test_where_nobody_signs_refused_letters_raise_no_question_of_keys(tmp_path: Path) -> None:
    table = keyless_table(tmp_path, votes="majority")
    for number in (1, 2):
        broken = f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: louis\nbroken {number}\n"
        table.drop(f"From: mallory@example.org\nMessage-ID: <{number}@x>\n\n{broken}".encode(), f"{number}.broken")
    told = table.evening()
    (doubt,) = [line for line in told.splitlines() if "W-OFFICE-REFUSED" in line]
    assert "for nobody signs here" in told
    assert "key" not in doubt


WORDS = "Please tell Frederick that I leave Saxony alone."
FOOTERS = "Sent from my phone\n-- \nLouis, King of France and Navarre\n"


@pytest.fixture(scope="module")
def keyless(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """Return a table without signatures that waits for the first orders."""
    return keyless_table(tmp_path_factory.mktemp("keyless"))


@pytest.mark.parametrize(
    ("above", "below", "is_told"),
    [
        (WORDS, "", True),
        ("", f"...\n\n{WORDS}", True),
        ("Hi Max,\nhere they are.\nMy letter is attached: orders.yaml.", f"...\nCheers, Louis\n\n{FOOTERS}", False),
        ("", f"...\n> {WORDS}", False),
        ("", "...\n_______________________________________________\nThe list of all players of this game", False),
        ("", f"...\nFrom: Max\nSent: Monday\n\n{WORDS}", False),
    ],
    ids=["above", "below", "greetings", "a quotation", "a list", "an answered mail"],
)
def test_words_beside_a_letter_reach_nobody_and_their_writer_is_told(
    keyless: PostalTable, tmp_path: Path, above: str, below: str, *, is_told: bool
) -> None:
    table = copied(keyless, tmp_path / "table")
    sheet = Path(table.sent("louis.orders.yaml")).read_text().removesuffix("...\n")
    mail = f"From: {ADDRESSES['louis']}\nMessage-ID: <beside@x>\n\n{above}\n\n{sheet}\n{below}\n"
    table.drop(mail.encode(), "1.beside")
    assert "letters taken: 1" in table.evening()
    (answer,) = table.sent_mails(answering="<beside@x>")
    said = " ".join(answer.get_body(("plain",)).get_content().split())
    assert (
        "W-MAIL-WORDS words that stand beside the letter are not read as orders, and reach nobody" in said
    ) == is_told


def test_orders_for_a_power_of_another_seat_are_told_whose_it_is_and_which_are_ones_own(
    keyless: PostalTable, tmp_path: Path
) -> None:
    table = copied(keyless, tmp_path / "table")
    sheet = Path(table.sent("louis.orders.yaml")).read_text().replace("    bavaria:\n", "    prussia:\n")
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <foreign@x>\n\n{sheet}\n".encode(), "1.foreign")
    table.evening()
    (answer,) = table.sent_mails(answering="<foreign@x>")
    said = " ".join(answer.get_body(("plain",)).get_content().split())
    assert "Prussia is played by frederick, not by louis" in said
    assert "louis orders France and Bavaria" in said


BEGINNINGS = {"a power": "    bavaria:\n", "the orders": "  orders:\n", "the body": "body:\n"}


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_orders_without_a_head_are_told_its_lines_with_which_they_are_taken(
    keyless: PostalTable, tmp_path: Path, beginning: str
) -> None:
    table = copied(keyless, tmp_path / "table")
    start = BEGINNINGS[beginning]
    sheet = Path(table.sent("louis.orders.yaml")).read_text().removesuffix("...\n")
    orders = textwrap.dedent(start + sheet.partition(start)[2])
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <bare@x>\n\nHi Max,\n\n{orders}".encode(), "1.bare")
    told = table.evening()
    assert "refused: 1" in told
    (answer,) = table.sent_mails(answering="<bare@x>")
    said = answer.get_body(("plain",)).get_content().replace("\r\n", "\n")  # type: ignore[union-attr]
    assert "here stand orders without these lines: " in " ".join(said.split())
    assert "copy them from the sheet" not in " ".join(said.split())
    (shown,) = re.findall(r"(?s)    pbem: 1\n.*?    ORDERS\n", said)
    head = f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: louis\nstage: 1/setup\nbody:\n  orders:\n"
    assert textwrap.dedent(shown) == f"{head}    ORDERS\n"
    quoted = f"From: {ADDRESSES['louis']}\nMessage-ID: <thanks@x>\n\nThanks!\n\n{said}"
    table.drop(quoted.encode(), "2.a-quotation-without-marks")
    table.evening()
    (answer,) = table.sent_mails(answering="<thanks@x>")
    assert "no letter in your mail" in answer["Subject"]
    powers = sheet.partition("  orders:\n")[2]
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <whole@x>\n\n{head}{powers}".encode(), "3.whole")
    assert "letters taken: 1" in table.evening()


def test_orders_among_quoted_lines_without_a_head_are_told_its_lines(keyless: PostalTable, tmp_path: Path) -> None:
    table = copied(keyless, tmp_path / "table")
    sheet = Path(table.sent("louis.orders.yaml")).read_text().removesuffix("...\n")
    lines = [line for line in sheet.partition("  orders:\n")[2].splitlines() if "#" not in line]
    quoted = "".join(line + "\n" if number == len(lines) - 1 else f"> {line}\n" for number, line in enumerate(lines))
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <bare@x>\n\nHi Max,\n\n{quoted}".encode(), "1.bare")
    assert "refused: 1" in table.evening()
    (answer,) = table.sent_mails(answering="<bare@x>")
    said = answer.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert "Nothing of it counts" in said
    assert "    pbem: 1\n    kind: orders\n" in said.replace("\r\n", "\n")


def test_the_head_of_signed_orders_has_basis_and_number(settled: PostalTable, tmp_path: Path) -> None:
    table = copied(settled, tmp_path / "table")
    sheet = (table.root / table.sheet("louis")).read_text()
    orders = textwrap.dedent("    bavaria:\n" + sheet.partition("    bavaria:\n")[2])
    table.drop(f"From: {ADDRESSES['louis']}\nMessage-ID: <bare@x>\n\n{textwrap.indent(orders, ' ')}".encode(), "1")
    table.evening()
    (answer,) = table.sent_mails(answering="<bare@x>")
    said = answer.get_body(("plain",)).get_content().replace("\r\n", "\n")  # type: ignore[union-attr]
    for line in re.findall(r"(?m)^(?:stage|basis|seq): .*$", sheet):
        assert f"    {line}\n" in said
    assert "pbem sign" in said


def as_answer(text: str, *, kind: str = "text/plain; charset=utf-8", subject: str = "", end: str = "\n") -> bytes:
    """Return a mail of Louis with this text, which is no answer by its thread."""
    lines = [
        f"From: {ADDRESSES['louis']}",
        "Message-ID: <way@x>",
        f"Subject: {subject or 'my orders'}",
        "MIME-Version: 1.0",
        f"Content-Type: {kind}",
        "Content-Transfer-Encoding: 8bit",
        "",
    ]
    return end.join([*lines, *text.split("\n")]).encode()


def with_orders_attached(sheet: str) -> bytes:
    """Return a mail of Louis with an attached sheet."""
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = ADDRESSES["louis"], "<way@x>"
    mail.set_content("Here they are.")
    mail.add_attachment(sheet.encode(), maintype="application", subtype="octet-stream", filename="orders.yaml")
    return mail.as_bytes()


def in_page(sheet: str) -> str:
    """Return a sheet as web mailers write it."""
    lines = (line.replace("  ", "&nbsp; ") or "<br>" for line in sheet.splitlines())
    return f"<html><body>{''.join(f'<div>{line}</div>' for line in lines)}</body></html>"


def marked(sheet: str) -> str:
    """Return a sheet as a quotation."""
    return "".join(f"> {line}\n" for line in sheet.splitlines())


PHONE = "\nSent from my phone"
TAKEN, REFUSED, NO_LETTER = "letters taken: 1", "refused: 1", "answered, without a letter: 1"

WAYS: dict[str, tuple[Callable[[str], bytes], str, str]] = {
    "filled in a quotation": (lambda it: as_answer(f"On Monday, Max wrote:\n{marked(it)}"), TAKEN, ""),
    "above a quotation": (lambda it: as_answer(f"{it}\nOn Monday, Max wrote:\n> What now?\n"), TAKEN, ""),
    "a page alone": (
        lambda it: as_answer(in_page(it), kind="text/html; charset=utf-8"),
        REFUSED,
        "send it as plain text, or as an attached .yaml file",
    ),
    "a file": (with_orders_attached, TAKEN, ""),
    "a signature": (lambda it: as_answer(f"{it}\n-- \nLouis\nVersailles\n"), TAKEN, ""),
    "a phone": (lambda it: as_answer(f"{it}...\n{PHONE}\n"), TAKEN, ""),
    "a phone without an end": (lambda it: as_answer(f"{it}{PHONE}\n"), REFUSED, "this line"),
    "no-break spaces": (lambda it: as_answer(it.replace("  ", "\u00a0 ")), TAKEN, ""),
    "tabs": (lambda it: as_answer(it.replace("    ", "\t")), REFUSED, "tab"),
    "curly quotes": (lambda it: as_answer(it.replace("1/setup", "“1/setup”")), REFUSED, "none at all"),
    "capitals": (lambda it: as_answer(it.replace("bavaria:", "BAVARIA:")), TAKEN, ""),
    "without remarks": (lambda it: as_answer(re.sub(r"(?m)^ *#.*\n", "", it)), TAKEN, ""),
    "another subject": (lambda it: as_answer(it, subject="[club] 0003 your move"), TAKEN, ""),
    "half filled": (lambda it: as_answer(it.partition("    bavaria:")[0]), TAKEN, "Missing: Bavaria"),
    "an old sheet": (lambda it: as_answer(it.replace("1/setup", "1/hussars")), REFUSED, "E-LETTER-STAGE"),
    "twice": (lambda it: as_answer(f"{it}...\n{it}"), TAKEN, ""),
    "two that differ": (
        lambda it: as_answer(f"{with_more(it, Maillebois=-1, Noailles=1)}...\n{it}"),
        TAKEN,
        "W-LETTER-TWICE",
    ),
    "words around it": (lambda it: as_answer(f"Hi Max,\nhere.\n\n{it}...\nCheers, Lou\n"), TAKEN, ""),
    "nothing": (lambda it: as_answer(""), NO_LETTER, "the message is empty"),
    "CRLF": (lambda it: as_answer(it, end="\r\n"), TAKEN, ""),
    "flowed": (lambda it: as_answer(it, kind="text/plain; charset=utf-8; format=flowed"), TAKEN, ""),
}
"""Ways in which a player without a program answers: the mail, what the office does, and what its answer says."""


@pytest.mark.parametrize("way", WAYS)
def test_each_way_of_answering_is_taken_or_told_what_to_do(keyless: PostalTable, tmp_path: Path, way: str) -> None:
    table = copied(keyless, tmp_path / "table")
    sheet = Path(table.sent("louis.orders.yaml")).read_text().removesuffix("...\n")
    write, done, said = WAYS[way]
    table.drop(write(with_more(sheet, Maillebois=-1, Noailles=1)), "1.way")
    told = table.evening()
    (answer,) = table.sent_mails(answering="<way@x>")
    text = " ".join(answer.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert done in told, text
    assert said in text, text
