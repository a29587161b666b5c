"""For what an office waits: what was agreed with the players, and letters in place of those that were refused."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.campaign.faulty import Killed
from tests.cli.correspondence import SEATS
from tests.office.post import PLAIN, PostalTable, copied
from tests.office.test_evening import STRIDE, Steps, ids

DAY = timedelta(days=1)


def order_badly(table: PostalTable, seat: str = "louis") -> None:
    """A player signs orders that deal out more troops than there are, and mails them."""
    sheet = Path(table.sheet(seat))
    text = re.sub(r"(?m)^( +[A-Z][^:]*: )\d+$", r"\g<1>99", sheet.read_text(), count=1)
    assert text != sheet.read_text()
    sheet.write_text(text)
    table.run("sign", "--renumber", str(sheet), as_=seat)
    table.post_letter(seat, f"{seat}/orders.yaml")


def order_again(table: PostalTable, seat: str = "louis") -> None:
    """A player signs the sheet as it came under the next number, and mails it."""
    table.now += timedelta(hours=1)
    table.run("sign", "--renumber", table.sheet(seat), as_=seat)
    table.post_letter(seat, f"{seat}/orders.yaml")


@pytest.fixture
def corrected(table: PostalTable) -> PostalTable:
    """All orders are in, and a correction of louis's is refused."""
    table.order_by_mail("louis")
    table.evening()
    table.now += timedelta(hours=1)
    order_badly(table)
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    return table


def test_a_refused_correction_keeps_the_game_from_going_on_by_the_older_orders(corrected: PostalTable) -> None:
    told = corrected.evening()
    assert "letters taken: 2, refused: 1" in told
    assert "on to" not in told
    assert "to know: vienna-1741: W-OFFICE-CORRECTION all orders are in, but a letter of louis was refused" in told
    assert "nothing to do" in corrected.evening()
    order_again(corrected)
    told = corrected.evening()
    assert "letters taken: 1, on to turn 1 (hussars)" in told
    assert "W-OFFICE-CORRECTION" not in corrected.mail("status")


def test_nobody_is_waited_for_behind_the_deadline(corrected: PostalTable) -> None:
    corrected.evening()
    corrected.now += 4 * DAY
    assert "on to turn 1 (hussars)" in corrected.evening()
    assert "W-OFFICE-CORRECTION" not in corrected.mail("status")


def test_the_moderator_goes_on_without_a_correction(corrected: PostalTable) -> None:
    corrected.evening()
    corrected.moderate("adjudicate")
    corrected.evening()
    assert "W-OFFICE-CORRECTION" not in corrected.mail("status")


def test_a_forged_letter_holds_nothing_back(table: PostalTable) -> None:
    sheet = Path(table.sheet("louis"))
    table.order_by_mail("louis")
    text = sheet.read_text()
    table.now += timedelta(hours=1)
    sheet.write_text(re.sub(r"(?m)^seq: \d+$", "seq: 9", text))
    table.post_letter("louis", "louis/orders.yaml")
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    assert "letters taken: 3, refused: 1, on to turn 1 (hussars)" in table.evening()


def test_orders_on_an_old_sheet_of_the_stage_hold_nothing_back(table: PostalTable) -> None:
    table.order_by_mail("louis")
    table.evening()
    sheet = Path(table.sheet("louis"))
    sheet.write_text(re.sub(r"(?m)^basis: .*$", f"basis: {'0' * 24}", sheet.read_text()))
    table.run("sign", "--renumber", str(sheet), as_="louis")
    table.post_letter("louis", "louis/orders.yaml")
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    told = table.evening()
    assert "letters taken: 2, refused: 1, on to turn 1 (hussars)" in told
    assert "E-LETTER-BASIS" in "".join(str(mail) for mail in table.mails_to("louis"))
    assert "W-OFFICE-CORRECTION" not in told


def test_a_used_number_holds_nobody_back_where_complete_orders_are_in(table: PostalTable) -> None:
    sheet = Path(table.sheet("louis"))
    table.order_by_mail("louis")
    table.evening()
    table.now += timedelta(hours=1)
    # An unsigned letter would get the next number.
    sheet.write_text(sheet.read_text().replace("  orders:", "  wait: yes\n  orders:"))
    table.run("sign", str(sheet), as_="louis")
    table.post_letter("louis", "louis/orders.yaml")
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    told = table.evening()
    assert "letters taken: 2, refused: 1" in told
    assert "E-LETTER-SEQ" in "".join(str(mail) for mail in table.mails_to("louis"))
    assert "on to turn 1 (hussars)" in told


def order_twice(table: PostalTable, stage: str = "") -> None:
    """Louis signs two different letters with one number, and mails them together."""
    sheet = Path(table.sheet("louis"))
    text = re.sub(r"(?m)^stage: .*$", f"stage: {stage}", sheet.read_text()) if stage else sheet.read_text()
    text = re.sub(r"(?m)^seq: \d+$", "seq: 7", text)
    one, two = (table.root / "louis" / f"{name}.yaml" for name in ("one", "two"))
    one.write_text(text)
    table.run("sign", str(one), as_="louis")
    # An unsigned letter would get the next number.
    two.write_text(one.read_text().replace("  orders:", "  wait: yes\n  orders:"))
    table.run("sign", str(two), as_="louis")
    both = "\n\n".join((one.read_text(), two.read_text()))
    (table.root / "louis" / "both.yaml").write_text(both)
    table.post_letter("louis", "louis/both.yaml")


@pytest.mark.parametrize(("stage", "is_awaited"), [("", True), ("0/setup", False)], ids=["now", "over"])
def test_two_signed_letters_of_one_number_are_waited_for_like_other_refused_ones(
    table: PostalTable, stage: str, *, is_awaited: bool
) -> None:
    table.order_by_mail("louis")
    table.evening()
    table.now += timedelta(hours=1)
    order_twice(table, stage)
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    told = table.evening()
    assert "letters taken: 2, refused: 1" in told
    assert ("W-OFFICE-CORRECTION" in told, "on to turn 1 (hussars)" in told) == (is_awaited, not is_awaited)
    (answer,) = [str(mail) for mail in table.mails_to("louis") if "E-LETTER-TWICE" in str(mail)]
    assert "different letters with one number" in " ".join(answer.split())
    assert "no letter could be read" not in answer


def test_refused_orders_are_settled_by_corrected_ones_of_the_same_evening(table: PostalTable) -> None:
    order_badly(table)
    order_again(table)
    told = table.evening()
    assert "refused: 1" in told
    mails = [mail for mail in table.sent_mails() if "louis" in str(mail["To"]) and mail["In-Reply-To"]]
    (joint,) = [mail for mail in mails if "1 taken, 1 refused" in str(mail["Subject"])]
    text = " ".join(joint.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert "settled by your newer letter" in text
    assert "send it again" not in text


def test_a_plan_taken_and_orders_refused_are_answered_in_one_mail(table: PostalTable) -> None:
    plan = table.root / "louis" / "plan.yaml"
    table.run("plan", "preset", "careful", "--report", table.sent("louis.report.yaml"), "-o", str(plan))
    table.run("sign", "--renumber", str(plan), as_="louis")
    table.post_letter("louis", "louis/plan.yaml")
    order_badly(table)
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    told = table.evening()
    assert "letters taken: 3, refused: 1" in told
    assert "on to" not in told
    mails = [mail for mail in table.sent_mails() if "louis" in str(mail["To"]) and mail["In-Reply-To"]]
    (joint,) = [mail for mail in mails if "1 taken, 1 refused" in str(mail["Subject"])]
    assert len([mail for mail in mails if mail["Date"].datetime == table.now]) <= 2, "the join's receipt, and this one"
    text = " ".join(joint.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    # His plans answer all that is asked, so there is no grace for him.
    assert text.count("The stage waits for that letter, until Tuesday, 24 November 2026, 20:00 (UTC) at most.") == 1
    assert "until the deadline" not in text
    assert text.index("E-TROOPS-RANGE") < text.index("Accepted: standing plans"), "what is refused comes first"
    receipts = [part.get_filename() for part in joint.iter_attachments()]
    assert {"1-receipt.yaml", "2-receipt.yaml"} <= set(receipts)
    order_again(table)
    assert "on to turn 1 (hussars)" in table.evening()
    ids = [str(mail["Message-ID"]) for mail in table.sent_mails()]
    assert len(set(ids)) == len(ids)
    for days in (1, 2, 3):
        table.moderate("extend", f"{days}d", "--why", "a feast")
    table.now += 40 * DAY
    table.mail("prune")
    assert not list((table.folder / "outbox").glob("*/*+*")), "it is thrown away like other receipts"


def test_killed_between_any_two_steps_a_refused_letter_is_told_once_and_awaited(
    corrected: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = corrected.root / "louis" / "plan.yaml"
    corrected.run("plan", "preset", "careful", "--report", corrected.sent("louis.report.yaml"), "-o", str(plan))
    corrected.run("sign", "--renumber", str(plan), as_="louis")
    corrected.post_letter("louis", "louis/plan.yaml")
    counted = Steps(monkeypatch)
    counted.run(copied(corrected, tmp_path / "clean"))
    for at in range(0, counted.count, int(os.environ.get("PBEM_STRIDE", STRIDE))):
        struck = copied(corrected, tmp_path / f"{at}")
        with pytest.raises(Killed):
            Steps(monkeypatch, at).run(struck)
        struck.evening()
        assert max(ids(struck).values()) == 1, at
        assert "hussars" not in "".join(str(mail["Subject"]) for mail in struck.sent_mails()), at
        mails = [mail for mail in struck.sent_mails() if "louis" in str(mail["To"])]
        answers = [str(mail["Subject"]) for mail in mails if mail["Date"].datetime == struck.now]
        (joint, apart) = ([each for each in answers if ("1 refused" in each) == so] for so in (True, False))
        assert (len(joint), len(apart)) in ((1, 0), (0, 2)), (at, answers)


@pytest.mark.parametrize(
    ("agreed", "policy", "said"),
    [
        (
            "wait",
            "deadline",
            "in this campaign `at_deadline: wait` was agreed, which goes before `adjudicate: deadline`",
        ),
        (
            "hold",
            "all in",
            "; with `adjudicate: all in` this office leaves that",
        ),
        ("hold", "deadline", ""),
        ("wait", "all in", ""),
        ("hold", "by hand", ""),
    ],
)
def test_an_evening_says_why_it_waits(tmp_path: Path, agreed: str, policy: str, said: str) -> None:
    table = PostalTable(tmp_path)
    table.open_office(f"{PLAIN}adjudicate: {policy}\n", "--at-deadline", agreed)
    table.join_all()
    if policy == "by hand":
        table.moderate("adjudicate")
        table.moderate("post", "--no-pictures")
    for seat in SEATS[::2]:
        table.order_by_mail(seat)
    table.evening()
    table.now += 3 * DAY
    table.evening()
    table.now += 2 * DAY
    told = table.evening()
    assert ("W-OFFICE-WAITS" in told) == bool(said)
    assert said in " ".join(told.split())
    assert ("on to turn 1 (hussars)" in told) == ((agreed, policy) == ("hold", "deadline"))
    assert told.count("W-OFFICE-WAITS") == table.mail("status").count("W-OFFICE-WAITS")
    if said:
        table.evening()
        assert len([mail for mail in table.sent_mails() if "W-OFFICE-WAITS" in str(mail)]) == 1, "it is told once"
        table.order_by_mail("frederick")
        assert "on to turn 1 (hussars)" in table.evening()
        assert "W-OFFICE-WAITS" not in table.mail("status")


def test_what_an_office_waited_for_by_a_wrong_clock_is_told_no_longer(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN, "--at-deadline", "hold")
    table.join_all()
    right = table.now
    table.now += 5 * DAY
    assert "W-OFFICE-WAITS" in table.evening()
    table.now = right + timedelta(hours=1)
    table.moderate("repair-clock", "--why", "a wrong clock", "--clock-is-right", code=None)
    for words in ((), ("--clock-is-right",)):
        assert "W-OFFICE-WAITS" not in table.run("evening", *words, "--settings", "mail.yaml").output


def test_receipts_say_that_the_stage_is_held_for_a_correction_and_not_for_whose(corrected: PostalTable) -> None:
    before = {seat: {*map(body_of, corrected.mails_to(seat))} for seat in SEATS}
    corrected.evening()
    said = {seat: " ".join({*map(body_of, corrected.mails_to(seat))} - before[seat]) for seat in SEATS}
    assert "the stage waits for a letter that somebody has to correct" in said["frederick"]
    assert "adjudicated next" not in said["frederick"]
    assert "louis" not in said["frederick"].casefold()
    assert "Correct it and send it again. The stage waits for that letter, until " in said["louis"]
    assert "; to end the wait with what you sent before, send that once more, with a higher seq." in said["louis"]


def test_of_a_refused_letter_nothing_is_told_to_others_who_owe_orders_as_well(table: PostalTable) -> None:
    before = {*map(body_of, table.mails_to("frederick"))}
    order_badly(table)
    table.order_by_mail("frederick")
    table.evening()
    said = " ".join({*map(body_of, table.mails_to("frederick"))} - before)
    assert "These orders are complete and count." in said
    for unfit in ("All orders are in", "has to correct"):
        assert unfit not in said


def body_of(mail: EmailMessage) -> str:
    """The text of a mail, on one line."""
    part = mail.get_body(("plain",))
    assert part is not None
    return " ".join(part.get_content().split())
