"""Letters that strangers, mail programs and telephones put beside a good one: it counts, and nothing is lost unsaid."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from tests.cli.correspondence import NAME, SEATS, Correspondence

OUTLOOK = "\n\nFrom: Max <max@example.org>\nSent: Monday, 2 November 2026 18:00\nTo: Lou\nSubject: orders\n\n"


def accept(table: Correspondence, text: str, name: str = "page.txt") -> dict[str, Any]:
    """Results of an arriving text."""
    (table.root / name).write_text(text)
    return table.taken(name, "--show")


def signed(table: Correspondence, seat: str) -> str:
    """The sheet of a seat, signed."""
    path = Path(table.sheet(seat, "orders.yaml"))
    table.run("sign", str(path), as_=seat)
    return path.read_text()


def sheet(table: Correspondence, seat: str) -> str:
    """The sheet as the moderator has sent it."""
    return Path(table.sent(f"{seat}.orders.yaml")).read_text()


def codes(answer: dict[str, Any]) -> list[str]:
    """Codes in a receipt."""
    return [fault["code"] for fault in answer["faults"]]


def receipt(table: Correspondence, answer: dict[str, Any]) -> str:
    """The receipt as its reader sees it."""
    return next((table.root / each).read_text() for each in answer["files"] if each.endswith(".txt"))


def head_of(text: str) -> int:
    """The line on which a letter begins."""
    return text.splitlines().index("pbem: 1") + 1


def kinds(table: Correspondence) -> list[str]:
    """The entries of the ledger."""
    return [entry["kind"] for entry in table.json("log", NAME)]


FORGED = {
    "of the same number": ("", ""),
    "of a higher number": ("seq: 2", "seq: 900"),
    "of a lower number": ("seq: 2", "seq: 1"),
    "in a quotation": ("pbem", "> pbem"),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
@pytest.mark.parametrize("is_above", [True, False])
def test_a_stranger_blocks_no_letter_in_a_forum_page(
    begun: Correspondence, change: tuple[str, str], is_above: bool
) -> None:
    mine = signed(begun, "frederick")
    forged = sheet(begun, "frederick").replace("  orders:", "  wait: yes\n  orders:", 1)
    if change[0] == "pbem":
        forged = "".join(f"> {line}\n" for line in forged.splitlines())
    elif change[0]:
        assert change[0] in forged
        forged = forged.replace(*change)
    posts = [f"stranger wrote:\n\n{forged}...\n", f"Fritz wrote:\n\n{mine}"]
    found = accept(begun, "\n\n".join(posts if is_above else posts[::-1]))
    (answer,) = found["letters"]
    assert (answer["player"], answer["status"]) == ("frederick", "final")
    assert "frederick" not in begun.owing()
    assert "refused" not in kinds(begun)


def test_a_letter_quoted_under_a_forged_one_is_taken(begun: Correspondence) -> None:
    """A signed letter of which only a quotation is left, below an unsigned one with a higher number."""
    mine = "".join(f"> {line}\n" for line in signed(begun, "frederick").splitlines())
    found = accept(begun, f"{sheet(begun, 'frederick').replace('seq: 2', 'seq: 77')}...\n\n{mine}")
    assert [answer["status"] for answer in found["letters"]] == ["final"]


def test_what_another_key_has_signed_is_passed_over_and_named(begun: Correspondence) -> None:
    mine = signed(begun, "frederick")
    path = Path(begun.sheet("frederick", "forged.yaml"))
    path.write_text(path.read_text().replace("seq: 2", "seq: 3"))
    begun.run("key", "new", "--no-passphrase", as_="stranger")
    begun.run("sign", str(path), as_="stranger")
    found = accept(begun, f"{path.read_text()}\n\n{mine}")
    assert [answer["status"] for answer in found["letters"]] == ["final"]
    assert [(each["player"], each["line"]) for each in found["passed over"]] == [
        ("frederick", head_of(path.read_text()))
    ]


@pytest.mark.parametrize("between", [OUTLOOK, "\n\n________________________________" + OUTLOOK.strip("\n") + "\n\n"])
def test_an_outlook_reply_above_its_sheet_is_taken(begun: Correspondence, between: str) -> None:
    found = accept(begun, f"{signed(begun, 'louis')}{between}{sheet(begun, 'louis')}")
    (answer,) = found["letters"]
    assert (answer["player"], answer["status"]) == ("louis", "final")


def test_a_letter_that_somebody_forgot_to_sign_is_told_in_the_receipt_of_the_other(begun: Correspondence) -> None:
    plan = sheet(begun, "louis").replace("kind: orders", "kind: plan").replace("seq: 2", "seq: 3")
    (answer,) = accept(begun, f"{signed(begun, 'louis')}\n{plan}")["letters"]
    assert (answer["status"], codes(answer)) == ("final", ["W-LETTER-BESIDE"])
    assert "W-LETTER-BESIDE" in receipt(begun, answer)


def test_of_two_signed_letters_the_one_that_is_not_quoted_counts(begun: Correspondence) -> None:
    one = signed(begun, "louis")
    other = Path(begun.sheet("louis", "two.yaml"))
    # A sheet that is not signed yet would get the next number.
    other.write_text(one.replace("  orders:", "  wait: yes\n  orders:", 1))
    begun.run("sign", str(other), as_="louis")
    two = other.read_text()
    assert two.count("seq: 2") == one.count("seq: 2") == 1
    (answer,) = accept(begun, one + "\n" + "".join(f"> {line}\n" for line in two.splitlines()))["letters"]
    assert answer["status"] == "final"
    assert "wait" not in receipt(begun, answer)


def test_an_unreadable_letter_of_another_player_in_a_page_is_answered(begun: Correspondence) -> None:
    broken = sheet(begun, "louis").replace("  orders:", "  orders: [", 1)
    quoted = "".join(f"> {line}\n" for line in broken.splitlines())
    found = accept(begun, f"{signed(begun, 'frederick')}\n\nlouis wrote:\n{quoted}")
    good, bad = found["letters"]
    assert (good["player"], good["status"]) == ("frederick", "final")
    assert (bad["player"], bad["status"]) == ("louis", "refused")
    grown = accept(begun, (begun.root / "page.txt").read_text() + "\nThanks!\n")
    assert [answer["status"] for answer in grown["letters"]] == ["known"]
    assert kinds(begun).count("refused") == 1


def test_an_unreadable_copy_of_a_letter_that_is_there_is_named(begun: Correspondence) -> None:
    mine = signed(begun, "louis")
    found = accept(
        begun, mine + "\n" + "".join(f"> {line}\n" for line in mine.replace("body:", "body: [").splitlines())
    )
    assert [answer["status"] for answer in found["letters"]] == ["final"]
    assert len(found["passed over"]) == 1


@pytest.fixture(scope="module")
def keyless(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign whose players write without keys; nobody changes it."""
    table = Correspondence(tmp_path_factory.mktemp("keyless"))
    table.begin("--signing", "off")
    for seat in SEATS:
        text = Path(table.sent(f"{seat}-invitation.join.yaml")).read_text()
        text = re.sub(r"(?m)^  key:.*\n", "", text)
        (table.root / f"{seat}.yaml").write_text(re.sub(r"(?m)^  entropy:.*$", f"  entropy: dice of {seat}", text))
    table.accept(*(f"{seat}.yaml" for seat in SEATS))
    table.moderate("adjudicate")
    table.post()
    return table


@pytest.fixture
def unsigned(keyless: Correspondence, tmp_path: Path) -> Correspondence:
    """The same in a folder of its own."""
    return keyless.copied(tmp_path / "table")


def test_without_signatures_the_last_letter_counts_and_the_receipt_says_so(unsigned: Correspondence) -> None:
    first = sheet(unsigned, "louis").replace("  orders:", "  wait: yes\n  orders:", 1)
    found = accept(unsigned, f"{first}...\n{sheet(unsigned, 'louis')}...\n")
    (answer,) = found["letters"]
    assert (answer["status"], codes(answer)) == ("final", ["W-LETTER-TWICE"])
    assert answer["faults"][0]["line"] == len(first.splitlines()) + 1 + head_of(first)
    assert [each["line"] for each in found["passed over"]] == [head_of(first)]


def test_without_signatures_an_answer_counts_and_not_the_sheet_below_it(unsigned: Correspondence) -> None:
    mine = sheet(unsigned, "louis").replace("  orders:", "  wait: yes\n  orders:", 1)
    (answer,) = accept(unsigned, f"{mine}{OUTLOOK}{sheet(unsigned, 'louis')}")["letters"]
    # The untouched sheet below is no letter, so there is nothing to warn of.
    assert (answer["status"], codes(answer)) == ("final", [])


def by_telephone(text: str) -> str:
    """A letter as a telephone spells it: large letters at the beginning of lines, spaces that do not break."""
    lines = [re.sub(r"^( *)([a-z])", lambda at: at[1] + at[2].upper(), line) for line in text.splitlines()]
    small = [line if "x: " in line or line.startswith("#") else line.replace(" ", "\xa0") for line in lines]
    return "\n".join(small) + "\n"


def test_a_letter_typed_on_a_telephone_is_understood(unsigned: Correspondence) -> None:
    text = "\n".join(line for line in sheet(unsigned, "louis").splitlines() if not line.lstrip().startswith("#")) + "\n"
    typed = by_telephone(re.sub(r"(?m)^(seq|basis):.*\n", "", text))
    assert "Pbem:\xa01" in typed
    assert "Orders:" in typed
    (answer,) = accept(unsigned, typed)["letters"]
    assert (answer["player"], answer["status"]) == ("louis", "final")
    assert "louis" not in unsigned.owing()
    for _ in SEATS:
        for seat in unsigned.owing():
            assert accept(unsigned, sheet(unsigned, seat), f"{seat}.txt")["letters"][0]["status"] == "final"
    unsigned.now += timedelta(hours=1)
    unsigned.moderate("adjudicate")
    unsigned.moderate("close", "--why", "enough")
    assert unsigned.json("verify", NAME)["good"]


def test_a_letter_without_number_on_a_growing_page_is_taken_once(unsigned: Correspondence) -> None:
    page = "louis wrote:\n" + re.sub(r"(?m)^(seq|basis):.*\n", "", sheet(unsigned, "louis")) + "...\n"
    assert [answer["status"] for answer in accept(unsigned, page)["letters"]] == ["final"]
    before = kinds(unsigned)
    assert [answer["status"] for answer in accept(unsigned, f"{page}\nNice!\n")["letters"]] == ["known"]
    for seat in unsigned.owing():
        accept(unsigned, sheet(unsigned, seat), f"{seat}.txt")
    unsigned.now += timedelta(hours=1)
    unsigned.moderate("adjudicate")
    assert [answer["status"] for answer in accept(unsigned, f"{page}\nVery nice!\n")["letters"]] == ["known"]
    assert kinds(unsigned)[: len(before)] == before
    assert "refused" not in kinds(unsigned)


def test_a_signed_campaign_wants_number_and_basis(begun: Correspondence) -> None:
    (answer,) = accept(begun, re.sub(r"(?m)^seq:.*\n", "", sheet(begun, "louis")))["letters"]
    assert (answer["player"], codes(answer)) == ("louis", ["E-LETTER-MISSING"])


@pytest.mark.parametrize(
    ("change", "code"), [(("    france", "\tfrance"), "E-YAML-CHARACTER"), (("  orders", "orders"), "E-LETTER-KEY")]
)
def test_what_cannot_be_mended_is_refused_to_its_seat(
    unsigned: Correspondence, change: tuple[str, str], code: str
) -> None:
    text = sheet(unsigned, "louis")
    assert change[0] in text
    (answer,) = accept(unsigned, f"Code: Select all\n{text.replace(*change, 1)}")["letters"]
    assert (answer["player"], answer["status"]) == ("louis", "refused")
    assert code in codes(answer)
    line = text.splitlines().index(next(each for each in text.splitlines() if each.startswith(change[0]))) + 2
    assert line in [fault["line"] for fault in answer["faults"]]


def mail(table: Correspondence, name: str, text: str, **headers: str) -> EmailMessage:
    """A mail in the moderator's box."""
    message = EmailMessage()
    given = {"From": "stranger@example.org", "To": "max@example.org", "Subject": "hello"} | headers
    for key, value in {**given, "Message-ID": f"<{name}@example.org>"}.items():
        message[key.replace("_", "-")] = value
    message.set_content(text)
    (table.root / "mail").mkdir(exist_ok=True)
    write(table, name, message)
    return message


def write(table: Correspondence, name: str, message: EmailMessage) -> None:
    (table.root / "mail" / f"{name}.eml").write_bytes(message.as_bytes())


@pytest.fixture
def by_mail(tmp_path: Path) -> Correspondence:
    """A campaign in which everybody has an address."""
    table = Correspondence(tmp_path)
    table.begin()
    addresses = [f"{seat}={seat}@example.org" for seat in (*SEATS, "moderator")]
    table.moderate("invite", *(word for each in addresses for word in ("--address", each)))
    table.join()
    return table


def box(table: Correspondence) -> dict[str, Any]:
    return table.taken("mail", "--show")


ALONE: dict[str, dict[str, str]] = {
    "a stranger": {},
    "a player who talks": {"From": "louis@example.org"},
    "a note of absence": {"From": "louis@example.org", "Subject": f"Re: [{NAME}]", "Auto_Submitted": "auto-replied"},
    "the moderator": {"From": "moderator@example.org", "Subject": f"Re: [{NAME}] your orders"},
}


@pytest.mark.parametrize("headers", ALONE.values(), ids=ALONE)
def test_what_is_no_letter_is_nobodys_business(by_mail: Correspondence, headers: dict[str, str]) -> None:
    mail(by_mail, "lunch", "lunch on Tuesday?", **headers)
    before = by_mail.files()
    found = box(by_mail)
    assert found["letters"] == []
    assert [each["where"] for each in found["left alone"]] == ["lunch.eml"]
    after = by_mail.files()
    assert {name for name in after if after[name] != before.get(name)} <= {"secret.age"}
    told = by_mail.moderate("accept", "mail").stdout
    assert told == "without a letter, left alone (1): lunch.eml (E-TEXT-NONE)\n"


def test_who_answers_one_of_ours_is_answered_once_and_without_an_entry(by_mail: Correspondence) -> None:
    sent = Path(by_mail.sent("louis.eml")).read_text()
    ours = re.search(r"(?mi)^message-id: *(?:\r?\n )?(\S+)", sent)
    assert ours
    mail(by_mail, "thread", "I shall write tomorrow.", In_Reply_To=ours[1])
    mail(by_mail, "subject", "Here it is.", Subject=f"AW: [{NAME}] 1/setup: your orders, please")
    mail(by_mail, "quoted", f"Yes!\n\n> # {NAME}: your orders\n> and so on\n")
    mail(by_mail, "empty", "", From="louis@example.org")
    mail(by_mail, "other", "hello", In_Reply_To="<pbem.berlin.0123@example.org>")
    wrapped = mail(by_mail, "wrapped", "see the file", From="Frederick@example.org")
    wrapped.add_attachment(b"x", maintype="application", subtype="ms-tnef", filename="winmail.dat")
    write(by_mail, "wrapped", wrapped)
    before = kinds(by_mail)
    found = box(by_mail)
    answered = {answer["where"]: (answer["player"], answer["entry"]) for answer in found["letters"]}
    assert answered == {
        "empty.eml": ("louis", 0),
        "quoted.eml": ("", 0),
        "subject.eml": ("", 0),
        "thread.eml": ("", 0),
        "wrapped.eml": ("frederick", 0),
    }
    assert [each["where"] for each in found["left alone"]] == ["other.eml"]
    text = receipt(by_mail, found["letters"][-1])
    assert "winmail.dat" in text
    assert "No entry; proof: receipt.yaml" in text
    assert kinds(by_mail) == before
    again = box(by_mail)
    assert (again["letters"], again["seen before"]) == ([], 5)


def test_attachments_that_were_not_read_are_named_beside_a_letter(by_mail: Correspondence) -> None:
    message = mail(by_mail, "orders", signed(by_mail, "louis"), From="louis@example.org")
    message.add_attachment(b"PK", maintype="application", subtype="zip", filename="orders.zip")
    message.add_attachment(b"pbem: 1", maintype="application", subtype="octet-stream")
    write(by_mail, "orders", message)
    (answer,) = box(by_mail)["letters"]
    assert (answer["status"], codes(answer)) == ("final", ["W-MAIL-ATTACHMENT"] * 2)
    assert "orders.zip" in answer["faults"][0]["message"]
    assert "without a name" in answer["faults"][1]["message"]


def test_a_letter_for_another_campaign_is_answered_if_a_player_signed_it(by_mail: Correspondence) -> None:
    path = Path(by_mail.sheet("louis"))
    path.write_text(path.read_text().replace(f"campaign: {NAME}", "campaign: berlin"))
    unsigned = path.read_text()
    by_mail.run("sign", str(path), as_="louis")
    found = accept(by_mail, path.read_text())
    assert [(answer["player"], answer["entry"], codes(answer)) for answer in found["letters"]] == [
        ("louis", 0, ["E-LETTER-CAMPAIGN"])
    ]
    assert accept(by_mail, unsigned, "unsigned.txt")["letters"] == []
    assert "refused" not in kinds(by_mail)


def test_the_moderator_is_told_codes_and_places_only(begun: Correspondence) -> None:
    path = Path(begun.sheet("louis"))
    text = path.read_text().replace("Törring: 5", "Törring: 4")
    assert text != path.read_text()
    path.write_text(text)
    begun.run("sign", str(path), as_="louis")
    told = begun.moderate("accept", str(path), code=1).stdout
    assert re.search(r"refused \(entry \d+\): \d+:\d+ E-[A-Z-]+(?: and \d+ more)?$", told.splitlines()[0]), told
    assert "cannot begin with" not in told
    path.write_text(f"# again\n{path.read_text()}")
    (answer,) = begun.accept(str(path))
    assert all(set(fault) == {"file", "line", "column", "code"} for fault in answer["faults"])
    path.write_text(f"# and again\n{path.read_text()}")
    assert "cannot begin with" in begun.moderate("accept", str(path), "--show", code=1).stdout


def test_check_and_the_receipt_name_the_same_line(begun: Correspondence) -> None:
    path = Path(begun.sheet("louis"))
    path.write_text("# my orders\n#\n#   as we said\n\n" + path.read_text().replace("allot:", "alot:", 1))
    begun.run("sign", str(path), as_="louis")
    told = begun.json("check", str(path), "--report", begun.sent("louis.report.yaml"), as_="louis", code=1)
    (answer,) = begun.accept(str(path))
    places = [(fault["line"], fault["column"], fault["code"]) for fault in answer["faults"]]
    assert places == [(fault["line"], fault["column"], fault["code"]) for fault in told["refused"]]
    assert "alot" in path.read_text().splitlines()[places[0][0] - 1]


def test_scraps_and_copies_take_no_room_from_a_letter(begun: Correspondence) -> None:
    """Texts that only begin like a letter, and a letter that a long thread repeats in every post."""
    louis, anna = signed(begun, "louis"), signed(begun, "maria-theresa")
    scraps = "".join(f"pbem: 1\n\nlol {number}\n" for number in range(700))
    copies = f"{louis}\nwhat he said:\n" * 600
    found = accept(begun, f"{scraps}{copies}{anna}")
    assert [(each["player"], each["status"]) for each in found["letters"]] == [
        ("louis", "final"),
        ("maria-theresa", "final"),
    ]
    assert found["not read to the end"] == []


def test_signed_letters_are_read_before_unsigned_ones(begun: Correspondence) -> None:
    crowd = "".join(
        f"pbem: 1\nkind: message\ncampaign: {NAME}\nfrom: louis\nseq: {seq}\nbody: {{to: all, text: x}}\n...\n"
        for seq in range(1, 600)
    )
    (begun.root / "page.txt").write_text(crowd + signed(begun, "louis"))
    told = begun.moderate("accept", "page.txt", code=1).stdout
    assert "louis, seq 2: final" in told
    assert re.search(r"page\.txt:\d+:1: E-TEXT-MANY .*not read to the end, there may be letters behind line \d+", told)
    assert "without a letter" not in told
    assert "refused" not in kinds(begun)


def test_of_letters_that_nobody_can_vouch_for_one_is_refused_for_a_seat(begun: Correspondence) -> None:
    broken = sheet(begun, "louis").replace("body:", "body: [", 1)
    page = "".join(broken.replace("seq: 2", f"seq: {seq}") + "...\n" for seq in range(3, 20))
    found = accept(begun, page + sheet(begun, "louis") + "...\n" + sheet(begun, "louis").replace("louis", "nobody"))
    assert sorted((each["player"], each["status"]) for each in found["letters"]) == [
        ("", "refused"),
        ("louis", "refused"),
    ]
    assert len(found["passed over"]) == 17
    assert kinds(begun).count("refused") == 2


@pytest.mark.parametrize("seq", ["seq: 2", "seq: 77"])
def test_an_unreadable_letter_beside_a_signed_one_is_passed_over(begun: Correspondence, seq: str) -> None:
    forged = sheet(begun, "louis").replace("body:", "body: [", 1).replace("seq: 2", seq)
    found = accept(begun, f"{forged}...\n{signed(begun, 'louis')}")
    (answer,) = found["letters"]
    assert (answer["status"], codes(answer)) == ("final", ["W-LETTER-BESIDE"] if seq == "seq: 77" else [])
    ((why, line),) = [(each["why"], each["line"]) for each in found["passed over"]]
    assert why.startswith("it is not signed")
    assert line == head_of(forged)
    assert "refused" not in kinds(begun)


@pytest.mark.parametrize("change", [("", ""), ("seq: 1", "seq: 3")])
def test_a_copied_letter_that_takes_a_seat_denies_nobody_theirs(tmp_path: Path, change: tuple[str, str]) -> None:
    """Below a letter that takes a seat, one with its token and another key."""
    table = Correspondence(tmp_path)
    table.begin()
    invitation = table.sent("louis-invitation.invitation.yaml")
    table.run("join", invitation, "-o", "mine.yaml", as_="louis")
    table.run("key", "new", "--no-passphrase", as_="stranger")
    table.run("join", invitation, "-o", "copied.yaml", as_="stranger")
    mine, copied = [(tmp_path / name).read_text() for name in ("mine.yaml", "copied.yaml")]
    path = tmp_path / "mine.yaml"
    path.write_text(mine.replace(*change) if change[0] else mine)
    table.run("sign", str(path), as_="louis")
    found = accept(table, f"Lou wrote:\n\n{path.read_text()}\n\nstranger wrote:\n\n{copied}")
    (answer,) = found["letters"]
    assert (answer["player"], answer["status"], codes(answer)) == ("louis", "final", ["W-JOIN-TWICE"])
    assert any("W-JOIN-TWICE" in note for note in answer["notes"])
    assert [each["why"] for each in found["passed over"]] == ["the first one that takes this seat counts"]
    assert "refused" not in kinds(table)


def test_a_page_beside_a_damaged_text_holds_the_letter(by_mail: Correspondence) -> None:
    """Two parts of one mail say the same, and one of them lost something on its way."""
    mine = signed(by_mail, "louis")
    for number, text in enumerate((mine.replace("ö", "?"), re.sub(r"(?m)^ +", "", mine))):
        assert text != mine
        message = mail(by_mail, f"mail{number}", text, From="louis@example.org")
        message.add_alternative(f"<html><body><pre>{html.escape(mine)}</pre></body></html>", subtype="html")
        write(by_mail, f"mail{number}", message)
    found = box(by_mail)
    assert [answer["status"] for answer in found["letters"]] == ["final", "known"]
    assert len(found["passed over"]) == 2
    assert "refused" not in kinds(by_mail)


def test_a_seat_with_a_key_is_told_to_sign_where_nobody_must(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--signing", "off")
    table.join()
    text = sheet(table, "louis")
    read = " ".join(text.replace("#", " ").split())
    assert "pbem sign" in read
    assert "without a signature" not in read
    (answer,) = accept(table, text)["letters"]
    assert codes(answer) == ["E-LETTER-UNSIGNED"]


def test_what_was_refused_before_is_told_again_if_it_is_asked_for(begun: Correspondence) -> None:
    text = sheet(begun, "louis")
    (begun.root / "page.txt").write_text(text + "...\n" + sheet(begun, "frederick").replace("body:", "body: [", 1))
    begun.moderate("accept", "page.txt", code=1)
    before = kinds(begun)
    assert begun.moderate("accept", "page.txt").stdout == "seen before: 2\n"
    told = begun.moderate("accept", "page.txt", "--show").stdout
    assert re.search(
        rf"louis.*: refused before \(entry \d+\): {head_of(text)}:1 E-LETTER-UNSIGNED the letter has no", told
    )
    assert re.search(r"frederick: refused before \(entry \d+\): \d+:\d+ E-YAML-\S+ .*bracket", told)
    assert kinds(begun) == before


def test_a_fault_of_a_whole_letter_points_to_where_it_begins(begun: Correspondence) -> None:
    text = f"Hello!\n\n{signed(begun, 'louis').replace('Törring: 5', 'Törring: 4')}"
    (answer,) = accept(begun, text)["letters"]
    ((code, line, column),) = [(fault["code"], fault["line"], fault["column"]) for fault in answer["faults"]]
    assert (code, line, column) == ("E-SIGNATURE-WRONG", head_of(text), 1)


def test_the_words_of_a_fault_count_lines_like_its_place(begun: Correspondence) -> None:
    text = "Hello!\n" * 30 + sheet(begun, "louis").replace("body:", "body: [", 1)
    (answer,) = accept(begun, text)["letters"]
    opened = re.search(r"opened on line (\d+)", answer["faults"][0]["message"])
    assert opened
    assert text.splitlines()[int(opened[1]) - 1].startswith("body: [")


def test_capitals_of_a_telephone_in_the_head_are_understood(unsigned: Correspondence) -> None:
    text = sheet(unsigned, "louis").replace(f"campaign: {NAME}", f"Campaign: {NAME.upper()}")
    (answer,) = accept(unsigned, text.replace("from: louis", "From: Louis"))["letters"]
    assert (answer["player"], answer["status"]) == ("louis", "final")


def test_a_page_that_is_too_long_is_not_told_to_be_without_a_letter(begun: Correspondence) -> None:
    (begun.root / "page.txt").write_text("x\n" * 200_000 + signed(begun, "louis"))
    told = begun.moderate("accept", "page.txt", code=1).stdout
    assert "E-TEXT-SIZE" in told
    assert "without a letter" not in told


def test_a_strangers_long_mail_is_no_error(by_mail: Correspondence) -> None:
    message = mail(by_mail, "news", "", Subject="news")
    message.set_content("<p>news</p>" * 60_000, subtype="html")
    write(by_mail, "news", message)
    found = box(by_mail)
    assert [each["where"] for each in found["left alone"]] == ["news.eml"]
    assert found["not read to the end"] == []


def test_a_saved_page_that_is_not_read_to_its_end_is_told_so(begun: Correspondence) -> None:
    found = accept(begun, "<html>" + "<p>news</p>" * 60_000 + "</html>", "page.html")
    assert [each["code"] for each in found["not read to the end"]] == ["E-TEXT-MANY"]
    assert found["left alone"] == []
