"""The office's round over a maildir: what comes in is answered once, what goes out is sent once, whatever happens."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from pbem.campaign import campaign as campaigns
from pbem.campaign.clock.clock import stamp
from pbem.campaign.players.letters import key_change_letter
from pbem.campaign.proof.verifying import verify
from pbem.office.carriers import FileCarrier, Maildir
from pbem.office.store import Store
from pbem.seal.keys import load_private
from tests.campaign.faulty import Killed
from tests.cli.correspondence import NAME, SEATS
from tests.cli.test_killed import Disk
from tests.office.post import PLAIN, PostalTable, bounce, copied
from tests.setups import with_troops

STRIDE = 17
"""Every so many steps of a round are tried; with `PBEM_STRIDE=1` all of them."""


def ids(table: PostalTable) -> Counter[str]:
    """The mails that were sent, by name."""
    return Counter(str(mail["Message-ID"]) for mail in table.sent_mails())


def kinds(table: PostalTable) -> list[str]:
    """The kinds of the ledger's entries."""
    found = [path.read_text() for path in sorted((table.folder / "ledger").glob("*.yaml"))]
    return [str(re.search(r"(?m)^kind: (\S+)", text)[1]) for text in found]  # type: ignore[index]


def test_an_evening_in_one_command(table: PostalTable) -> None:
    table.now += timedelta(hours=1)
    for seat in SEATS:
        table.order_by_mail(seat)
    table.drop(b"From: aunt@example.org\nSubject: lunch\n\nLunch on Tuesday?\n", "9.aunt")
    told = table.evening()
    assert told.splitlines() == [
        "mails read: 4; with letters: 3; left alone: 1; come back: 0",
        "vienna-1741: letters taken: 3, on to turn 1 (hussars), reports: 4",
        "mails sent: 7; waiting: 0; failed: 0",
    ]
    assert kinds(table)[-4:] == ["letter", "letter", "letter", "adjudication"]
    assert table.evening().splitlines()[1] == "nothing to do"
    assert "left alone: aunt@example.org, lunch" in table.mail("status")
    # Letters are marked as read; the aunt's mail lies where it lay.
    assert [path.name for path in (table.root / "inbox" / "new").iterdir()] == ["9.aunt"]
    assert all(path.name.endswith(":2,S") for path in (table.root / "inbox" / "cur").iterdir())
    assert verify(table.folder).is_good


def test_mails_make_one_thread_and_sort(table: PostalTable) -> None:
    table.now += timedelta(hours=1)
    sent = table.post_letter("louis", f"join-{NAME}-louis.yaml")
    assert f"{NAME}: copies: 1" in table.evening()
    mails = [mail for mail in table.sent_mails() if "louis" in mail["To"]]
    roots = {str(mail["References"]).split()[0] for mail in mails}
    assert len(roots) == 1
    assert {str(mail["List-Id"]) for mail in mails} == {"<vienna-1741.pbem.example.org>"}
    (receipt,) = [mail for mail in mails if mail["Date"].datetime == table.now]
    assert str(receipt["In-Reply-To"]).encode() in sent
    assert sorted(str(mail["Subject"]) for mail in mails)[0] == "[vienna-1741] 0001 an invitation"


def test_what_comes_twice_is_answered_once(table: PostalTable) -> None:
    """By two ways, in another order, under other names, after the office has lost its memory."""
    table.now += timedelta(hours=1)
    for seat in SEATS[:2]:
        table.order_by_mail(seat)
    mails = [path.read_bytes() for path in (table.root / "inbox" / "new").iterdir()]
    for number, data in enumerate(reversed(mails)):
        table.drop(b"Received: by another.way; today\r\n" + data, f"77.{number}")
    assert "letters: 2" in table.evening()
    sent = ids(table)
    for number, data in enumerate(mails):
        table.drop(data.replace(b"\r\n", b"\n"), f"88.{number}")
    assert "letters: 0" in table.evening()
    shutil.rmtree(table.root / "state")
    (table.folder / "outbox" / ".office").unlink()
    told = table.evening()
    assert ids(table) == sent
    assert "mails from before this office, held" in told
    assert kinds(table).count("letter") == 2


def test_a_letter_that_cannot_be_read_is_answered_and_spam_is_not(table: PostalTable) -> None:
    thread = str(table.sent_mails()[0]["References"])
    head = b"From: louis@example.org\nTo: moderator@example.org\nMessage-ID: <q@example.org>\n"
    broken = f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: louis\norders: {{\n"
    table.drop(head + f"References: {thread}\nSubject: Re: orders\n\n{broken}".encode(), "1.q")
    table.drop(b"From: x@example.org\nSubject: pbem: 1\n\nWin a campaign!\n", "1.spam")
    assert "letters: 1; left alone: 1" in table.evening()
    (answer,) = [mail for mail in table.sent_mails() if mail["In-Reply-To"] == "<q@example.org>"]
    assert answer["Auto-Submitted"] == "auto-replied"
    assert kinds(table)[5:] == ["refused"]
    # To what a program writes nobody answers, and it stays unread.
    vacation = head.replace(b"<q@", b"<r@") + f"Auto-Submitted: auto-replied\nReferences: {thread}\n\nAway!\n".encode()
    table.drop(vacation, "1.away")
    assert "left alone: 1" in table.evening()
    assert (table.root / "inbox" / "new" / "1.away").exists()


def test_a_letter_whose_campaign_is_away_waits_for_its_folder(table: PostalTable) -> None:
    table.now += timedelta(hours=1)
    table.order_by_mail("louis")
    away = table.folder.rename(table.root.parent / "away")
    for _ in range(2):
        told = table.evening()
        assert "louis@example.org (my letter), but its folder" in told
        assert len(list((table.root / "inbox" / "new").iterdir())) == 1
    away.rename(table.folder)
    told = table.evening()
    assert "letters taken: 1" in told
    assert "W-OFFICE-AWAY" not in told
    assert not list((table.root / "inbox" / "new").iterdir())


def test_a_letter_for_a_damaged_campaign_waits_and_the_exit_code_tells(table: PostalTable) -> None:
    table.now += timedelta(hours=1)
    table.order_by_mail("louis")
    last = max((table.folder / "ledger").iterdir())
    whole = last.read_bytes()
    last.write_bytes(whole[:-40])
    told = table.evening(code=1)
    assert f"its folder {NAME} is damaged or there twice" in told
    assert "no longer where" not in told, "it is there, though damaged"
    last.write_bytes(whole)
    assert "letters taken: 1" in table.evening()


def test_what_may_be_a_letter_and_is_too_large_waits_for_a_person(table: PostalTable) -> None:
    large = b"x" * 70 + b"\n"
    head = b"To: moderator@example.org\nSubject: orders"
    table.drop(b"From: Louis <louis@example.org>\n" + head + b"\n\n" + large * 60_000, "1.large")
    table.drop(b"From: aunt@example.org\n\n" + large * 60_000, "2.photo")
    told = table.evening()
    assert "left alone: 1" in told
    assert "a mail from louis@example.org (orders) may be a letter" in told
    assert "left alone: aunt@example.org, (no subject)" in table.mail("status")
    assert len(list((table.root / "inbox" / "new").iterdir())) == 2
    assert "W-OFFICE-LARGE" in table.evening()
    table.mail("drop")
    assert "W-OFFICE-LARGE" not in table.evening()


def test_a_mail_that_came_back_is_told_and_is_no_absence(table: PostalTable) -> None:
    sent = next(mail for mail in table.sent_mails() if "louis" in str(mail["To"]))
    table.drop(bounce(str(sent["Message-ID"]), "louis@example.org"), "1.bounce")
    assert "come back: 1" in table.evening()
    assert "came back: louis@example.org (vienna-1741)" in table.mail("status")
    assert kinds(table)[-1] == "adjudication"


def test_a_new_key_waits_for_a_person(table: PostalTable) -> None:
    table.run("key", "new", "--no-passphrase", as_="other")
    table.run("key", "change", "other/key", "--campaign", NAME, "-o", "change.yaml", as_="louis")
    table.post_letter("louis", "change.yaml")
    told = table.evening()
    assert "W-OFFICE-KEY" in told
    assert "letters taken" not in told
    (note,) = [
        mail for mail in table.sent_mails() if mail["To"] == "moderator@example.org" and "waits" in mail["Subject"]
    ]
    assert "W-OFFICE-KEY" in note.get_content()
    assert "W-OFFICE-KEY" in table.mail("status")
    number = re.search(r"mail release (\d+)", told)
    assert number
    assert "E-OFFICE-NUMBER" in table.mail("release", number[1], "99", code=1)
    assert "done: 1" in table.mail("release", number[1])
    assert "E-OFFICE-NUMBER nothing waits under this number" in table.mail("release", number[1], code=1), "once"
    assert "letters taken: 1" in table.evening()
    assert kinds(table)[-1] == "key-change"
    assert "W-OFFICE-KEY" not in table.mail("status")


def post_change(table: PostalTable, seq: int, new: str, old: str) -> None:
    """Somebody brings a new key for the seat of Louis, in a letter that an old one has signed."""
    keys = [load_private((table.root / who / "key").read_bytes(), None) for who in (new, old)]
    (table.root / "change.yaml").write_text(key_change_letter(NAME, "louis", seq, *keys))
    table.post_letter("louis", "change.yaml")


def test_a_new_key_that_somebody_else_has_signed_is_told_as_a_refused_letter(table: PostalTable) -> None:
    for who in ("eve", "other"):
        table.run("key", "new", "--no-passphrase", as_=who)
    post_change(table, 2, "eve", "eve")
    told = table.evening()
    assert "W-OFFICE-KEY" not in told + table.mail("status")
    assert "W-OFFICE-TURNED refused, from louis: another key" in told
    assert not [mail for mail in table.sent_mails() if "waits" in mail["Subject"]]
    assert "key-change" not in kinds(table)


def test_a_new_key_signed_by_one_that_waits_waits_too(table: PostalTable) -> None:
    for who in ("eve", "other"):
        table.run("key", "new", "--no-passphrase", as_=who)
    post_change(table, 3, "eve", "other")
    post_change(table, 2, "other", "louis")
    assert table.evening().count("W-OFFICE-KEY") == 2
    assert "key-change" not in kinds(table)


def test_a_folder_that_is_whole_again_is_complained_of_no_longer(table: PostalTable) -> None:
    ledger = table.root / NAME / "ledger"
    *_, last = sorted(ledger.iterdir())
    data = last.read_bytes()
    last.unlink()
    table.order_by_mail("louis")
    assert "E-LEDGER-SHORT" in table.evening(code=1)
    table.mail("drop", "4")
    assert "E-LEDGER-SHORT" in table.mail("status")
    last.write_bytes(data)
    assert "E-LEDGER-SHORT" not in table.evening()
    assert "E-LEDGER-SHORT" not in table.mail("status")


def test_letters_refused_again_and_again_are_told(table: PostalTable) -> None:
    for text in ("orders.yaml", "again.yaml"):
        sheet = table.sheet("louis", text)
        Path(sheet).write_text(Path(sheet).read_text() + f"# {text}\n")
        table.post_letter("louis", f"louis/{text}")
    told = table.evening()
    assert "refused: 2" in told
    assert "W-OFFICE-REFUSED" in told
    assert "W-OFFICE-TURNED refused, from louis: orders (E-LETTER-" in told
    table.now += timedelta(hours=1)
    table.order_by_mail("louis")
    assert "W-OFFICE-REFUSED" not in table.evening()


def test_a_letter_taken_between_two_refused_ones_ends_the_count(table: PostalTable) -> None:
    """Also where it comes in one round with the second."""
    sheet = Path(table.sheet("louis"))
    right = sheet.read_text()
    sheet.write_text(with_troops(right, Noailles=9))
    table.run("sign", str(sheet), as_="louis")
    table.post_letter("louis", "louis/orders.yaml")
    assert "refused: 1" in table.evening()
    table.now += timedelta(minutes=1)
    table.order_by_mail("louis")
    table.now += timedelta(minutes=1)
    sheet.write_text(with_troops(right, Noailles=8))
    table.run("sign", str(sheet), "--renumber", as_="louis")
    table.post_letter("louis", "louis/orders.yaml")
    told = table.evening()
    assert "letters taken: 1" in told
    assert "refused: 1" in told
    assert "W-OFFICE-REFUSED" not in told


def test_one_letter_refused_in_several_mails_is_not_refused_again_and_again(table: PostalTable) -> None:
    sheet = Path(table.sheet("louis"))
    right = sheet.read_text()
    for troops, is_told in ((9, False), (9, False), (8, True)):
        sheet.write_text(with_troops(right, Noailles=troops))
        table.run("sign", str(sheet), *(("--renumber",) if is_told else ()), as_="louis")
        table.now += timedelta(minutes=1)
        table.post_letter("louis", "louis/orders.yaml")
        told = table.evening()
        assert "refused: 1" in told
        assert ("W-OFFICE-REFUSED the last letters of louis were all refused" in told) == is_told


def test_a_clock_that_jumps_is_noticed_before_an_entry_is_written(table: PostalTable) -> None:
    table.order_by_mail("louis")
    right = table.now
    table.now += timedelta(days=60)
    assert "W-OFFICE-CLOCK" in table.evening()
    assert kinds(table)[-1] == "adjudication"
    table.now = right - timedelta(days=1)
    assert "W-OFFICE-CLOCK" in table.evening()
    table.now = right + timedelta(minutes=5)
    told = table.evening()
    assert "letters taken: 1" in told
    assert "W-OFFICE-CLOCK" not in told


@pytest.mark.parametrize(("policy", "goes"), [("by hand", False), ("all in", True)])
def test_the_office_goes_on_as_agreed(table: PostalTable, policy: str, goes: bool) -> None:
    with (table.root / "mail.yaml").open("a") as file:
        file.write(f"policies: {{{NAME}: {policy}}}\n")
    for seat in SEATS:
        table.order_by_mail(seat)
    assert ("on to" in table.evening()) == goes
    text = (table.root / "mail.yaml").read_text()
    (table.root / "mail.yaml").write_text(text.replace(f"{{{NAME}:", "{vienna-1714:"))
    assert "W-OFFICE-POLICY" in table.evening()
    (table.root / "mail.yaml").write_text(text)
    assert "W-OFFICE-POLICY" not in table.evening()


def test_reminders_and_the_deadline(table: PostalTable) -> None:
    table.now += timedelta(days=3)
    assert "reminded: louis, frederick, maria-theresa" in table.evening()
    assert "nothing to do" in table.evening()
    assert len([mail for mail in table.sent_mails() if "reminder" in mail["Subject"]]) == 3


def test_mails_from_before_the_office_are_held(settled: PostalTable, tmp_path: Path) -> None:
    table = copied(settled, tmp_path / "table")
    shutil.rmtree(table.root / "state")
    shutil.rmtree(table.root / "sent")
    (table.folder / "outbox" / ".office").unlink()
    table.now += timedelta(hours=1)
    assert "held: 10" in table.evening()
    assert not (table.root / "sent").exists()
    other = copied(table, tmp_path / "other")
    other.mail("drop", "--held")
    assert "mails sent: 0" in other.mail("send")
    table.mail("release", "--held")
    assert "mails sent: 10" in table.mail("send")


def test_two_offices_do_not_send_for_one_campaign(table: PostalTable) -> None:
    (table.root / "mail.yaml").write_text(PLAIN.replace("state: state", "state: elsewhere"))
    table.order_by_mail("louis")
    assert "E-OFFICE-OTHER" in table.evening()


def test_an_office_is_opened_once_at_a_time(table: PostalTable) -> None:
    from pbem.campaign.disk.folder import hold_lock

    with hold_lock(table.root / "state", "pbem mail run", table.now):
        assert "E-LOCK-HELD" in table.evening(code=1)
    assert "nothing to do" in table.evening()


def test_a_command_at_work_in_the_campaign_is_told_and_loses_nothing(table: PostalTable) -> None:
    from pbem.campaign.disk.folder import hold_lock

    table.order_by_mail("louis")
    with hold_lock(table.folder, "pbem accept", table.now):
        told = table.evening()
        assert f"{NAME}: E-LOCK-HELD another command is at work in this folder: `pbem accept`" in told
        assert "nothing to do" not in told
        assert "E-LOCK-HELD" in table.run("accept", "inbox", "-C", NAME, as_="moderator", code=1).output
    told = table.evening()
    assert "letters taken: 1" in told
    assert "E-LOCK-HELD" not in told


def test_a_command_that_takes_the_same_letters_at_the_same_time(table: PostalTable) -> None:
    """Each is taken and answered once, by the one that comes first."""
    for seat in SEATS:
        table.order_by_mail(seat)
    office = (sys.executable, "-m", "pbem", "evening", "--settings", "mail.yaml", "--clock-is-right")
    person = (sys.executable, "-m", "pbem", "accept", "inbox", "-C", NAME, "--key", "moderator/key", "--clock-is-right")
    both = [
        subprocess.Popen(words, cwd=table.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for words in (office, person)
    ]
    told = [each.communicate(timeout=120)[0] for each in both]
    assert not any("Traceback" in each for each in told)
    table.now = datetime.now(UTC)
    table.evening()
    table.evening()
    entries = [path.name for path in (table.folder / "ledger").glob("*-letter.yaml")]
    assert len(entries) == len(SEATS)
    receipts = [str(mail["To"]) for mail in table.sent_mails() if mail["X-Pbem-Kind"] == "receipt"]
    assert {seat: sum(f"<{seat}@" in each for each in receipts) for seat in SEATS} == dict.fromkeys(SEATS, 2), told
    assert "nothing is wrong" in table.run("verify", NAME).output


def test_one_address_gets_so_many_mails_a_day(table: PostalTable) -> None:
    with (table.root / "mail.yaml").open("a") as file:
        file.write("per-day: 3\n")
    for seat in SEATS:
        table.order_by_mail(seat)
    # An invitation, a receipt and a report each have gone out today.
    first = table.now
    told = table.evening()
    assert "sent: 1; waiting: 6" in told
    ways = "at most 3 such mails go to an address in a day; the next goes from"
    readers = "frederick@example.org (2), louis@example.org (2), maria-theresa@example.org (2)"
    for said in (told, table.mail("status")):
        assert said.count(ways) == 1
        assert f"waiting for {readers}: {ways} {stamp(first + timedelta(days=1))} on" in said
    table.now += timedelta(days=1, minutes=1)
    told = table.evening()
    assert "waiting: 0" in told
    assert ways not in told


def test_reports_that_ask_for_orders_go_before_receipts(table: PostalTable) -> None:
    with (table.root / "mail.yaml").open("a") as file:
        file.write("per-day: 4\n")
    for seat in SEATS:
        table.order_by_mail(seat)
    assert "waiting: 3" in table.evening()
    for seat in SEATS:
        kinds = Counter(str(mail["X-Pbem-Kind"]) for mail in table.mails_to(seat))
        assert kinds == {"invitation": 1, "receipt": 1, "report": 2}, seat


def test_refusals_of_what_nobody_signed_take_no_room_from_others(table: PostalTable) -> None:
    with (table.root / "mail.yaml").open("a") as file:
        file.write("per-day: 5\n")
    for number in range(5):
        letter = f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: louis\nbroken {number}\n"
        table.drop(f"From: louis@example.org\nMessage-ID: <{number}@x>\n\n{letter}".encode(), f"0.{number}")
    for seat in SEATS:
        table.order_by_mail(seat)
    told = table.evening()
    assert "letters taken: 3, refused: 5" in told
    # And a note to the moderator, that louis may need help.
    assert "mails sent: 11; waiting: 2" in told
    table.now += timedelta(days=1, minutes=1)
    assert "waiting: 0" in table.evening()


def test_strangers_letters_are_told_once(table: PostalTable) -> None:
    def forge(number: int) -> None:
        letter = f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: louis\nbroken {number}\n"
        table.drop(f"From: mallory@example.org\nMessage-ID: <{number}@x>\n\n{letter}".encode(), f"{number}.forged")

    for number in (1, 2):
        forge(number)
    told = table.evening()
    assert "W-OFFICE-REFUSED letters in the name of louis are refused again and again, and louis has not signed" in told
    table.order_by_mail("louis")
    assert "W-OFFICE-REFUSED" not in table.evening()
    for number in (3, 4, 5, 6):
        table.now += timedelta(hours=1)
        forge(number)
        assert "refused: 1" in (told := table.evening())
        assert "W-OFFICE-REFUSED" not in told
    notes = [mail for mail in table.sent_mails() if "W-OFFICE-REFUSED" in str(mail)]
    assert len(notes) == 1


def test_copies_of_a_letter_do_not_silence_refusals(table: PostalTable) -> None:
    copy = table.write_mail("louis", f"join-{NAME}-louis.yaml")
    for number in range(40):
        table.drop(copy.replace(b"Message-ID: <", f"Message-ID: <{number}.".encode()), f"0.{number:02}")
    told = table.evening()
    assert "copies: 40" in told
    letter = f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: louis\nbroken\n"
    table.drop(f"From: louis@example.org\nMessage-ID: <r@x>\n\n{letter}".encode(), "1.broken")
    assert "refused: 1" in table.evening()
    answers = [str(mail["In-Reply-To"]) for mail in table.mails_to("louis")]
    assert "<r@x>" in answers
    assert sum(f".{NAME}" not in each and re.match(r"<\d+\.", each) is not None for each in answers) <= 3
    assert "waiting: 0" in table.mail("send")


def test_a_memory_of_before_keeps_what_it_knows_of_refusals(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.step():
        for column in ("rank", "share", "asked"):
            store.do(f"ALTER TABLE mails DROP COLUMN {column}")
        store.do("CREATE TABLE refusals (path TEXT PRIMARY KEY) WITHOUT ROWID")
        store.do("INSERT INTO refusals VALUES ('b')")
        for name in "ab":
            store.do(
                "INSERT INTO mails (id, campaign, path, address, state, since) VALUES (?, '', ?, '', '', '')",
                *(name, name),
            )
    store.close()
    for _ in range(2):
        store = Store(tmp_path)
        found = store.rows("SELECT id, rank, share, asked FROM mails ORDER BY id")
        assert [tuple(row) for row in found] == [("a", 0, "", ""), ("b", 1, "", "")]
        store.close()


def test_status_and_rounds_for_programs(table: PostalTable) -> None:
    table.order_by_mail("louis")
    done = json.loads(table.run("evening", "--settings", "mail.yaml", "--json").output)
    assert done["campaigns"][NAME]["taken"] == 1
    assert done["waits"] == []
    assert json.loads(table.mail("status", "--json"))["mails"] == {"sent": 11}
    assert json.loads(table.mail("fetch", "--json"))["fetched"]["read"] == 0


class Steps:
    """Counts what an office does, and kills it at one step: before it, or behind it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int = -1, stride: int = 1) -> None:
        self.at, self.count, self.stride = at, 0, stride
        self.patch = monkeypatch

    def run(self, table: PostalTable) -> None:
        """A round with this fate."""
        with self.patch.context() as patched:
            for owner, name in ((FileCarrier, "carry"), (Maildir, "settle"), (Store, "commit")):
                patched.setattr(owner, name, self.struck(getattr(owner, name)))
            disk = StruckDisk(self)
            patched.setattr(campaigns, "opened_by_moderator", partial(campaigns.opened_by_moderator, disk=disk))
            table.evening()

    def struck(self, whole: object) -> object:
        """A step that may be the last."""

        def step(*values: object) -> object:
            self.tick()
            result = whole(*values)  # type: ignore[operator]
            self.tick()
            return result

        return step

    def tick(self) -> None:
        """Perhaps the end."""
        self.count += 1
        if self.count - 1 == self.at:
            raise Killed


class StruckDisk(Disk):
    """The disk of a campaign, of whose operations every some are counted."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self.steps = steps

    def rename(self, path: Path, target: Path) -> None:
        super().rename(path, target)
        self.steps.tick()


def struck_evenings(
    table: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[int, PostalTable, PostalTable]]:
    """An evening that was killed at a step and held again, beside the same one undisturbed: each mail goes once."""
    clean = copied(table, tmp_path / "clean")
    counted = Steps(monkeypatch)
    counted.run(clean)
    wanted = ids(clean)
    assert max(wanted.values()) == 1
    for at in range(0, counted.count, int(os.environ.get("PBEM_STRIDE", STRIDE))):
        struck = copied(table, tmp_path / f"{at}")
        with pytest.raises(Killed):
            Steps(monkeypatch, at).run(struck)
        struck.evening()
        assert ids(struck) == wanted, at
        yield at, struck, clean
        shutil.rmtree(struck.root)


def test_killed_between_any_two_steps_nothing_is_lost_and_nothing_happens_twice(
    table: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.now += timedelta(hours=1)
    for seat in SEATS:
        table.order_by_mail(seat)
    words = (
        f"From: louis@example.org\nMessage-ID: <w@x>\nReferences: {table.sent_mails()[0]['References']}\n\nThanks!\n"
    )
    table.drop(words.encode(), "8.words")
    table.drop(b"From: aunt@example.org\nSubject: lunch\n\nLunch?\n", "9.aunt")
    for at, struck, clean in struck_evenings(table, tmp_path, monkeypatch):
        assert kinds(struck) == kinds(clean), at
        assert {path.name for path in (struck.root / "inbox" / "new").iterdir()} == {"9.aunt"}, at
        assert "nothing to do" in struck.evening(), at
    assert verify(clean.folder).is_good


def test_what_is_large_lies_once_and_is_sent_whole(table: PostalTable) -> None:
    with (table.root / "mail.yaml").open("a") as file:
        file.write("pictures: yes\n")
    (table.root / "mail.yaml").write_text((table.root / "mail.yaml").read_text().replace("pictures: no\n", ""))
    table.now += timedelta(hours=1)
    for seat in SEATS:
        table.order_by_mail(seat)
    assert "reports: 4" in table.evening()
    folder = max((table.folder / "outbox").glob("*/observer.txt")).parent
    board = folder / "map.en.png"
    own = {seat: path for seat in SEATS if (path := folder / f"{seat}.map.png").exists()}
    assert own, "those who are asked have a picture of their own"
    assert sorted(folder.glob("*.png")) == sorted([board, *own.values()])
    assert len({path.read_bytes() for path in own.values()} | {board.read_bytes()}) == len(own) + 1
    for mail in table.sent_mails():
        assert mail["X-Pbem-Part"] is None
        assert mail["X-Unsent"] == "1", "it is sent by hand here"
        pictures = [part.get_content() for part in mail.walk() if part.get_content_type() == "image/png"]
        # Each player's shows what this one alone knows.
        who = str(mail["To"]).partition(" ")[0]
        assert pictures in ([], [own.get(who, board).read_bytes()])
        yaml = [part for part in mail.iter_attachments() if part.get_content_type() == "application/yaml"]
        assert all(part.get_content() for part in yaml)
    assert any(part.get_content_type() == "image/png" for mail in table.sent_mails() for part in mail.walk())


def test_an_old_campaign_that_needs_nobody_is_left_in_peace(table: PostalTable) -> None:
    table.moderate("close", "--why", "far enough")
    table.evening()
    for folder in ("state", "inbox/cur"):
        shutil.rmtree(table.root / folder)
    (table.folder / "outbox" / ".office").unlink()
    table.now += timedelta(days=500)
    told = table.evening()
    assert "nothing to do" in told
    assert "W-" not in told


def test_an_agreement_that_one_party_signs_is_offered_to_the_others_alone(table: PostalTable) -> None:
    before = ids(table)
    report, terms = table.sent("louis.report.yaml"), ("--until", "2", "--cities", "Prague")
    table.run(
        "agree", "frederick", "Saxony stays neutral", *terms, "--report", report, "-o", "louis/a.yaml", as_="louis"
    )
    table.post_letter("louis", "louis/a.yaml")
    assert "letters taken: 1" in table.evening()
    assert table.evening().splitlines()[1] == "nothing to do"
    new = [mail for mail in table.sent_mails() if str(mail["Message-ID"]) not in before]
    (offer,) = [mail for mail in new if "frederick" in str(mail["To"])]
    assert sorted(str(mail["To"]) for mail in new if mail is not offer) == ["louis <louis@example.org>"]
    body = offer.get_body(("plain",)).get_content()
    assert "an agreement is offered to you" in str(offer["Subject"])
    assert "Saxony stays neutral" in body
    (letter,) = [part.get_content() for part in offer.iter_attachments() if part.get_filename() == "agreement.yaml"]
    # Whoever only quotes the mail agrees to nothing; the file alone, once it is signed, does.
    table.root.joinpath("frederick/answer.yaml").write_text("".join(f"> {line}\n" for line in body.splitlines()))
    table.post_letter("frederick", "frederick/answer.yaml")
    assert "agreement" not in kinds(table)
    table.evening()
    table.root.joinpath("frederick/agreement.yaml").write_bytes(letter)
    table.run("sign", "frederick/agreement.yaml", as_="frederick")
    table.post_letter("frederick", "frederick/agreement.yaml")
    assert "letters taken: 1, reports: 4" in table.evening()
    assert kinds(table)[-1] == "agreement"


@pytest.mark.parametrize("is_one_mail", [True, False])
def test_an_offer_is_sent_although_another_letter_of_its_writer_is_refused(
    table: PostalTable, *, is_one_mail: bool
) -> None:
    before, report = ids(table), table.sent("louis.report.yaml")
    table.run("agree", "frederick", "Saxony stays neutral", "--report", report, "-o", "louis/a.yaml", as_="louis")
    wrong = Path(table.root / table.sheet("louis"))
    wrong.write_text(with_troops(wrong.read_text(), Noailles=9))
    table.run("sign", str(wrong), as_="louis")
    if is_one_mail:
        both = [table.root.joinpath("louis", name).read_text() for name in ("a.yaml", "orders.yaml")]
        table.root.joinpath("louis/both.yaml").write_text("\n---\n".join(both))
        table.post_letter("louis", "louis/both.yaml")
    else:
        table.post_letter("louis", "louis/a.yaml")
        table.post_letter("louis", "louis/orders.yaml")
    assert "letters taken: 1, refused: 1" in table.evening()
    new = [mail for mail in table.sent_mails() if str(mail["Message-ID"]) not in before]
    assert sorted((str(mail["X-Pbem-Kind"]), str(mail["To"]).partition(" ")[0]) for mail in new) == [
        ("offer", "frederick"),
        ("receipt", "louis"),
    ]


def test_an_agreement_is_told_at_once(table: PostalTable) -> None:
    for seat, partner in (("louis", "frederick"), ("frederick", "louis")):
        report = table.sent(f"{seat}.report.yaml")
        table.run("agree", partner, "Saxony stays neutral", "--report", report, "-o", f"{seat}/a.yaml", as_=seat)
        table.post_letter(seat, f"{seat}/a.yaml")
    assert "letters taken: 2, reports: 4" in table.evening()
    assert "letters taken" not in table.evening()
