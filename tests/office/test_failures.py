"""Errors that nobody foresaw, and addresses that nobody can write to: each is told, and everything else goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.campaign import opened_by_moderator
from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.letters import arrivals
from pbem.faults.wrong import wrong
from pbem.moderator import receipts
from pbem.office import carriers, evenings, filing, forwarding, moderator_office, sending
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import ADDRESSES, PLAIN, SETTINGS, PostalTable

STRANGE = "=?utf-8?q?=C3=BC?=@example.org"
SECRET = "the hand is ♠13"


def failing(whole: Callable[..., Any], when: Callable[..., bool]) -> Callable[..., Any]:
    """A function that fails where this is so."""

    def act(*values: Any, **named: Any) -> Any:
        if when(*values):
            raise KeyError(SECRET)
        return whole(*values, **named)

    return act


@pytest.fixture
def two(tmp_path: Path) -> PostalTable:
    """Two campaigns that wait for joins: `club` and the usual one."""
    table = PostalTable(tmp_path)
    table.open_office(PLAIN)
    people = [word for seat in SEATS for word in ("--seat", f"{seat}={seat} <{ADDRESSES[seat]}>")]
    table.run("new", "club", "--delay", "0m", "--moderator", "M <moderator@example.org>", *people, as_="moderator")
    for name in ("club", NAME):
        table.run("invite", "-C", name, as_="moderator")
    table.evening()
    return table


def test_who_joins_from_an_address_that_cannot_be_written_to_has_none(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN)
    people = ("--moderator", "M <moderator@example.org>", "--seat", "louis=Louis")
    table.run("new", "club", *people, as_="moderator")
    for name in ("club", NAME):
        table.run("invite", "-C", name, as_="moderator")
    invitation = table.root / "club" / "outbox" / "0001" / "louis-invitation.invitation.yaml"
    table.run("join", str(invitation), "-o", "join.yaml", as_="louis")
    mail = table.write_mail("louis", "join.yaml").replace(b"louis@example.org", STRANGE.encode())
    assert f"From: louis <{STRANGE}>".encode() in mail
    table.drop(mail, "1.join")
    table.join_by_mail()
    told = table.evening()
    assert "club: letters taken: 1" in told
    assert "club: W-OFFICE-SEATS no mails go to maria-theresa, frederick, louis" in told
    assert f"{NAME}: letters taken: 3, on to turn 1 (set-up), reports: 4" in told
    assert "nothing to do" in table.evening()
    table.run("invite", "-C", "club", "--address", "louis=louis@example.org", as_="moderator")
    assert "no mails go to maria-theresa, frederick:" in table.evening(), "what is told is what is so"


def test_an_address_that_0_2_has_kept_is_told_and_left_out(table: PostalTable) -> None:
    key = load_private((table.root / "moderator" / "key").read_bytes(), None)
    with opened_by_moderator(table.folder, key, "0.2", table.now) as campaign:
        campaign.vault.addresses["louis"] = STRANGE
        campaign.save()
    for seat in SEATS:
        table.order_by_mail(seat)
    told = table.evening()
    assert "letters taken: 3, on to turn 1 (hussars), reports: 3" in told
    assert f"W-MAIL-ADDRESS no mail can be written to these addresses: louis '{STRANGE}'" in told
    table.moderate("extend", "1d", "--why", "a feast")
    assert f"these addresses: louis '{STRANGE}'" in table.moderate("post").output
    table.post_letter("louis", f"join-{NAME}-louis.yaml")
    table.evening()
    table.moderate("invite", "--address", "louis=louis@example.org")
    assert "W-MAIL-ADDRESS" not in table.evening()


@pytest.mark.parametrize("address", [STRANGE, "ü@example.org", "a b@example.org"])
def test_no_address_is_kept_that_cannot_be_written_to(table: PostalTable, address: str) -> None:
    assert "is no plain e-mail address" in table.moderate("invite", "--address", f"louis={address}", code=2).output
    for option in (f"--seat=louis=L <{address}>", f"--moderator=M <{address}>"):
        assert "E-MAIL-ADDRESS" in table.run("new", "other", option, as_="moderator", code=1).output
    assert not (table.root / "other").exists()
    for line in (f'address: "{address}"', f'moderators: {{club: "{address}"}}'):
        (table.root / "mail.yaml").write_text(PLAIN.replace("address: moderator@example.org", line))
        assert "E-MAIL-ADDRESS" in table.evening(code=1)


def test_one_campaign_that_fails_does_not_stop_the_others(two: PostalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    two.join_by_mail()
    with monkeypatch.context() as patched:
        broken = failing(evenings.evening_of, lambda campaign, *_: campaign.settings.campaign == "club")
        patched.setattr(evenings, "evening_of", broken)
        invitation = two.root / "club" / "outbox" / "0001" / "louis-invitation.invitation.yaml"
        two.run("join", str(invitation), "-o", "join.yaml", as_="louis")
        two.post_letter("louis", "join.yaml")
        told = two.evening(code=1)
        assert f"{NAME}: letters taken: 3, on to turn 1 (set-up), reports: 4" in told
        assert "club: E-OFFICE-BROKEN something failed" in told
        assert "KeyError (office/evenings.py" in told
        assert SECRET not in told
        two.mail("run", "--once", code=1)
        assert "E-OFFICE-BROKEN" in two.mail("status")
    assert len([mail for mail in two.sent_mails() if "E-OFFICE-BROKEN" in str(mail)]) == 1, "it is told once"
    assert "club: letters taken: 1" in two.evening()
    assert "E-OFFICE-BROKEN" not in two.mail("status")


def test_one_letter_that_fails_does_not_stop_the_others(table: PostalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    for seat in SEATS:
        table.order_by_mail(seat)
    judge = failing(arrivals.adjudicating.judge, lambda state, letter, *_: letter.sender == "frederick")
    with monkeypatch.context() as patched:
        patched.setattr(arrivals.adjudicating, "judge", judge)
        told = table.evening(code=1)
        assert "letters taken: 2" in told
        assert "E-OFFICE-BROKEN the letter of frederick@example.org (my letter) cannot be taken: KeyError" in told
        assert "letters taken" not in table.evening(code=1)
        assert table.mail("status").count("E-OFFICE-BROKEN") == 1
    told = table.evening()
    assert "letters taken: 1, on to turn 1 (hussars)" in told
    assert "E-OFFICE-BROKEN" not in told
    names = [str(mail["Message-ID"]) for mail in table.sent_mails()]
    assert len(set(names)) == len(names)


def test_a_letter_that_fails_behind_its_entry_is_taken_once(
    table: PostalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seat in SEATS:
        table.order_by_mail(seat)
    answer = failing(receipts.write_receipt, lambda campaign, reply: reply.receipt.player == "frederick")
    with monkeypatch.context() as patched:
        patched.setattr(receipts, "write_receipt", answer)
        assert "E-OFFICE-BROKEN the letter of frederick@example.org" in table.evening(code=1)
    table.evening()
    letters = [path.read_text() for path in (table.folder / "ledger").glob("*.yaml")]
    assert sum("kind: letter\n" in text for text in letters) == 3
    assert any("1/hussars" in text for text in letters)


def test_a_letter_that_fails_can_be_dropped(table: PostalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table.order_by_mail("frederick")
    monkeypatch.setattr(arrivals.adjudicating, "judge", failing(arrivals.adjudicating.judge, lambda *_: True))
    told = table.evening(code=1)
    number = told.partition("pbem mail drop ")[2].partition("`")[0]
    assert "done: 1" in table.mail("drop", number)
    assert "nothing to do" in table.evening()
    assert "E-OFFICE-BROKEN" not in table.mail("status")


def test_one_mail_that_cannot_be_looked_at_does_not_stop_the_others(
    table: PostalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seat in SEATS:
        table.order_by_mail(seat)
    look = failing(moderator_office.incoming_of, lambda message, *_: b"louis@example.org" in message.data)
    with monkeypatch.context() as patched:
        patched.setattr(moderator_office, "incoming_of", look)
        told = table.evening(code=1)
        assert "letters taken: 2" in told
        assert "E-OFFICE-BROKEN a mail of louis@example.org (my letter) cannot be looked into: KeyError" in told
        assert "E-OFFICE-BROKEN" in table.mail("fetch", code=1) + table.mail("status")
    told = table.evening()
    assert "letters taken: 1, on to turn 1 (hussars)" in told
    assert "E-OFFICE-BROKEN" not in told


def test_words_and_mails_that_fail_do_not_stop_the_others(table: PostalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = str(table.sent_mails()[0]["References"])
    for number in (1, 2):
        head = f"From: louis@example.org\nMessage-ID: <{number}@x>\nSubject: words {number}\nReferences: {thread}"
        table.drop(f"{head}\n\nHello {number}\n".encode(), f"{number}.words")
    table.order_by_mail("louis")
    words = failing(forwarding.mail_of, lambda row, *_: row["subject"] == "words 1")
    whole = failing(sending.put_together, lambda data, _: b"\nTo: louis" in data)
    with monkeypatch.context() as patched:
        patched.setattr(forwarding, "mail_of", words)
        patched.setattr(sending, "put_together", whole)
        told = table.evening(code=1)
        assert "a mail to louis@example.org cannot be sent: KeyError" in told
        assert "words 2" in str([mail["Subject"] for mail in table.sent_mails()])
    # Louis's receipt, one answer that his words are no letter, the words, and a note of what had failed.
    assert "mails sent: 4" in table.evening()
    assert "E-OFFICE-BROKEN" not in table.mail("status")
    assert "words 1" in str([mail["Subject"] for mail in table.sent_mails()])


def test_a_players_office_files_what_failed_in_the_next_round(
    table: PostalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table.root / "louis" / "box" / "new").mkdir(parents=True)
    settings = SETTINGS.replace("campaigns: .", "campaigns: louis/files").replace("inbox", "louis/box")
    settings = settings.replace("files: sent", "files: louis/sent").replace("moderator", "louis")
    (table.root / "louis.yaml").write_text(settings.replace("state: state", "state: louis/state"))
    (mail,) = [mail for mail in table.sent_mails() if "louis" in mail["To"] and "your move" in mail["Subject"]]
    (table.root / "louis" / "box" / "new" / "1").write_bytes(mail.as_bytes())
    words = ("evening", "--as", "louis", "--settings", "louis.yaml")
    with monkeypatch.context() as patched:
        patched.setattr(filing, "boxes_in", failing(filing.boxes_in, lambda *_: True))
        told = table.run(*words, code=1).output
        assert f"{NAME}: E-OFFICE-BROKEN something failed" in told
        assert "KeyError (office/filing.py" in told
    told = table.run(*words).output
    assert f"{NAME}: orders are owed for turn 1 (set-up)" in told
    assert "E-OFFICE-BROKEN" not in told


def test_a_round_that_cannot_send_tells_what_it_did(table: PostalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table.order_by_mail("louis")

    def write(*values: Any, **named: Any) -> None:
        raise StorageFault(wrong("E-DISK-FULL", cannot="to-send"))

    with monkeypatch.context() as patched:
        patched.setattr(carriers, "write_whole", write)
        told = table.evening()
    assert "letters taken: 1" in told
    assert "mails sent: 0; waiting: 1" in told
    assert "W-OFFICE-CARRIER nothing can be sent: to-send: the disk is full" in told
    told = table.evening()
    assert "mails sent: 1; waiting: 0" in told
    assert "W-OFFICE-CARRIER" not in told


def test_a_full_disk_that_stops_a_campaign_is_told_by_the_exit_code(
    table: PostalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.order_by_mail("louis")

    def take(*values: Any, **named: Any) -> None:
        raise StorageFault(wrong("E-DISK-FULL", cannot="ledger"))

    with monkeypatch.context() as patched:
        patched.setattr(evenings, "evening_of", take)
        assert f"{NAME}: E-DISK-FULL" in table.evening(code=1)
    assert "letters taken: 1" in table.evening(code=0)


def test_what_the_moderator_cannot_be_told_hides_nothing(table: PostalTable) -> None:
    table.order_by_mail("louis")
    (table.root / "mail.yaml").write_text(f"{PLAIN}policies: {{nowhere: by hand}}\n")
    (table.root / "state" / "notes").write_text("no folder")
    told = table.evening(code=1)
    assert "letters taken: 1" in told
    assert "W-OFFICE-POLICY" in told
    assert "E-FILE" in told


def test_the_folder_of_mails_may_be_a_link_to_one(table: PostalTable) -> None:
    (table.root / "sent").rename(table.root / "elsewhere")
    (table.root / "sent").symlink_to(table.root / "elsewhere", target_is_directory=True)
    table.order_by_mail("louis")
    assert "mails sent: 1; waiting: 0" in table.evening()
    assert len(table.mails_to("louis")) == 4


def test_a_file_in_place_of_the_folder_of_mails_is_named(table: PostalTable) -> None:
    (table.root / "mail.yaml").write_text(PLAIN.replace("{files: sent}", "{files: moderator/key}"))
    table.order_by_mail("louis")
    told = table.evening()
    assert "letters taken: 1" in told
    assert "W-OFFICE-CARRIER nothing can be sent: moderator/key is no folder" in told
