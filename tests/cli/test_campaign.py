"""A campaign by the real command line: three players, files to and fro, from its beginning to its close."""

from __future__ import annotations

import json
import re
import shutil
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.campaign.disk.atomic import StorageFault
from pbem.faults.wrong import wrong

from .correspondence import NAME, SEATS, Correspondence


def test_a_campaign_goes_from_new_over_many_adjudications_to_its_close(begun: Correspondence) -> None:
    stages = [begun.round()["stage"] for _ in range(6)]
    assert stages[0] == "1/hussars"
    assert len(set(stages)) == 6
    report = begun.sent("louis.report.yaml")
    assert begun.json("verify", NAME, "--report", report)["good"]
    begun.moderate("close", code=1)
    begun.moderate("close", "--why", "enough")
    found = begun.json("verify", NAME, "--report", report)
    assert found["good"]
    assert found["phase"] == "closed"
    assert found["figures"]["adjudications"] == 7
    assert found["figures"]["letters"] >= 3 + 6


def test_new_tells_what_is_protected_and_plainly_what_is_not(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    options = ("--moderator-seat", "louis", "--signing", "off", "--sealing", "moderator")
    notes = table.json("new", NAME, *options, as_="moderator")["protection"]
    assert any("letters are NOT signed" in note for note in notes)
    assert any("sealed orders are NOT secret from the moderator" in note for note in notes)
    assert any("plays louis and can look" in note for note in notes)
    told = table.run("new", "other", as_="moderator").output
    assert "NOT" not in told
    assert "SHA256:" in told


def test_a_plan_in_a_file_with_a_board_and_a_position_of_its_own(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    board = Path(__file__).parents[2] / "rules/maria/boards/theatrum-belli.yaml"
    (tmp_path / "own.yaml").write_bytes(board.read_bytes())
    (tmp_path / "start.yaml").write_text("board: own.yaml\nscenario: introductory\nturn: 2\n")
    (tmp_path / "plan.yaml").write_text(
        "campaign: berlin\nposition: start.yaml\nseats:\n  louis: {name: Lou, address: lou@example.org, language: de}\n"
        "moderator: {name: Max, address: max@example.org}\nclock: {next: 1w, zone: Europe/Madrid}\n"
    )
    table.run("new", "b", "--from", "plan.yaml", "--next", "48h", as_="moderator")
    settings = (tmp_path / "b/campaign.yaml").read_text()
    assert "next: 48h" in settings
    assert "zone: Europe/Madrid" in settings
    assert "board: own.yaml" in settings
    assert "lou@example.org" not in settings
    assert (tmp_path / "b/rules/own.yaml").read_bytes() == board.read_bytes()
    assert table.json("verify", "b")["good"]
    told = table.run("invite", "-C", "b", as_="moderator").output
    assert "louis-invitation.eml" in told


def test_own_files_from_several_folders(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    rules = Path(__file__).parents[2] / "rules/maria"
    for folder, source in (("a", "boards/theatrum-belli.yaml"), ("b", "politics.yaml")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.yaml").write_bytes((rules / source).read_bytes())
    options = ("--scenario", "advanced", "--board", "a/mine.yaml", "--politics", "b/mine.yaml")
    assert "two files" in table.run("new", NAME, *options, as_="moderator", code=1).output
    (tmp_path / "b/mine.yaml").rename(tmp_path / "b/other.yaml")
    table.run("new", NAME, *options[:-1], "b/other.yaml", as_="moderator")
    assert sorted(path.name for path in (table.folder / "rules").iterdir()) == ["mine.yaml", "other.yaml"]
    assert table.json("verify", NAME)["good"]


def test_a_campaign_cannot_be_called_anything(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    assert "E-NEW-NAME" in table.run("new", "Wien 1741", as_="moderator", code=1).output
    assert not (tmp_path / "Wien 1741").exists()
    table.run("new", "Wien 1741", "--name", "wien-1741", as_="moderator")
    assert table.json("status", "Wien 1741")["campaign"] == "wien-1741"


def test_every_fault_of_a_plan_is_told_and_nothing_is_begun(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    (tmp_path / "plan.yaml").write_text(
        "campaign: berlin\nscenario: introductry\nseats: {louis: {nme: Lou}}\nclock: {next: soon}\n"
        "conduct: {signing: maybe}\n"
    )
    told = table.run("new", "b", "--from", "plan.yaml", as_="moderator", code=1).output
    for place in ("plan.yaml:2:", "plan.yaml:3:", "plan.yaml:4:", "plan.yaml:5:"):
        assert place in told
    assert not (tmp_path / "b").exists()


def test_status_and_log_are_read_without_a_key(begun: Correspondence) -> None:
    begun.order("louis")
    data = begun.json("status", NAME)
    states = {row["player"]: row["orders"] for row in data["table"]}
    assert states == {"maria-theresa": "none yet", "frederick": "none yet", "louis": "final"}
    assert data["next"] == "wait for Prussia, Saxony, Austria"
    assert data["left"] == "in 3 d 8 h"
    lines = begun.run("log", NAME, "--from", "5").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["5", "6"]
    assert "orders of louis for 1/setup, seq 2, final" in lines[1]
    events = begun.json("log", NAME, "--events")[4]["events"]
    assert events[0]["type"] == "DeckShuffled"
    drawn = [event for event in events if event["type"] == "CardsDrawn"]
    assert len(drawn) == 5
    assert all(event["cards"] is None for event in drawn)


def test_a_letter_sent_twice_does_no_harm_and_a_mailbox_can_be_given_again(begun: Correspondence) -> None:
    sheet = begun.order("louis")
    copy = begun.root / "copy.yaml"
    copy.write_text("# once more\n" + Path(sheet).read_text())
    (answer,) = begun.accept(str(copy))
    assert answer["status"] == "known"
    before = sorted(path for path in begun.files() if path.startswith(("ledger", "outbox", "raw")))
    assert begun.accept(str(copy), sheet) == []
    assert sorted(path for path in begun.files() if path.startswith(("ledger", "outbox", "raw"))) == before


def test_mails_are_answered_once_and_what_is_no_letter_is_left_alone(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    mails = begun.root / "mails"
    mails.mkdir()
    for name, text, subject, by in (
        ("a", f"Dear Max,\n\n{Path(sheet).read_text()}\n\nLou", "orders", "no"),
        ("b", "When do we play?", "orders", "no"),
        ("c", "I am away until Monday.", f"Re: [{NAME}] 0005 report", "auto-replied"),
    ):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "Lou <lou@example.org>", "max@example.org", subject
        mail["Message-ID"], mail["Auto-Submitted"] = f"<{name}@example.org>", by
        mail.set_content(text)
        (mails / f"{name}.eml").write_bytes(mail.as_bytes())
    before = [entry["kind"] for entry in begun.json("log", NAME)]
    found = begun.json("accept", str(mails), "-C", NAME, as_="moderator")
    (letter,) = found["letters"]
    assert (letter["player"], letter["status"]) == ("louis", "final")
    assert letter["files"]
    left = [{"where": f"{name}.eml", "from": "lou@example.org", "codes": ["E-TEXT-NONE"]} for name in "bc"]
    assert found["left alone"] == left
    again = begun.json("accept", str(mails), "-C", NAME, as_="moderator")
    assert (again["letters"], again["seen before"], again["left alone"]) == ([], 1, left)
    assert [entry["kind"] for entry in begun.json("log", NAME)] == [*before, "letter"]


def test_the_address_of_who_joins_by_mail_is_noted_and_kept_from_the_public(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--moderator", "Max <max@example.org>")
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    mail = EmailMessage()
    mail["From"] = "lou@example.org"
    mail.set_content((tmp_path / f"join-{NAME}-louis.yaml").read_text())
    (tmp_path / "join.eml").write_bytes(mail.as_bytes())
    (answer,) = table.accept("join.eml")
    assert answer["notes"] == ["letters to louis go to lou@example.org"]
    assert any(path.endswith(".eml") for path in answer["files"])
    public = b"".join(data for name, data in table.files().items() if not name.startswith("outbox"))
    assert b"lou@example.org" not in public
    assert b"max@example.org" not in public


def test_two_different_letters_of_one_number_are_both_refused(begun: Correspondence) -> None:
    one, two = begun.sheet("louis", "one.yaml"), begun.sheet("louis", "two.yaml")
    begun.run("sign", one, as_="louis")
    # An unsigned letter would get the next number.
    Path(two).write_text(Path(one).read_text().replace("  orders:", "  wait: yes\n  orders:"))
    begun.run("sign", two, as_="louis")
    both = begun.root / "both.txt"
    both.write_text(f"{Path(one).read_text()}\n\n{Path(two).read_text()}")
    (answer,) = begun.accept(str(both))
    assert answer["faults"][0]["code"] == "E-LETTER-TWICE"
    assert "louis" in begun.owing()


def test_the_moderator_acts_for_a_player_and_everybody_can_see_it(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    begun.moderate("act", "louis", sheet, "--why", "lost his computer")
    assert "louis" not in begun.owing()
    assert "written by the moderator: lost his computer" in begun.run("log", NAME).stdout
    begun.round()
    assert "lost his computer" in Path(begun.sent("louis.txt")).read_text()
    assert begun.json("verify", NAME)["good"]
    bad = begun.root / "bad.yaml"
    bad.write_text("orders: {austria: {move: [Neipperg: Wien]}}\n")
    assert "E-ORDER-FOREIGN" in begun.moderate("act", "louis", str(bad), "--why", "x", code=1).output


def test_rollback_goes_back_and_old_letters_do_not_come_into_force_again(begun: Correspondence) -> None:
    begun.round()
    austria = begun.order("maria-theresa")
    begun.now += timedelta(hours=1)
    begun.moderate("adjudicate")
    status = begun.json("status", NAME)
    begun.moderate("rollback", "--to", "9", "--why", "a rule was wrong")
    back = begun.json("status", NAME)
    assert back["stage"] == "1/hussars"
    assert status["stage"] != back["stage"]
    assert begun.owing() == ["maria-theresa"]
    copy = begun.root / "again.yaml"
    copy.write_text("# again\n" + Path(austria).read_text())
    (answer,) = begun.accept(str(copy))
    assert answer["faults"][0]["code"] == "E-LETTER-OLD"
    begun.run("sign", austria, "--renumber", as_="maria-theresa")
    (answer,) = begun.accept(austria)
    assert answer["faults"][0]["code"] == "E-LETTER-BASIS"
    begun.moderate("post")
    begun.order("maria-theresa")
    begun.now += timedelta(hours=1)
    begun.moderate("adjudicate")
    assert begun.json("status", NAME)["stage"] == status["stage"]
    begun.moderate("close", "--why", "enough")
    assert begun.json("verify", NAME)["good"]


def test_a_substitute_plays_on_and_the_old_key_is_no_good_any_more(begun: Correspondence) -> None:
    begun.run("key", "new", "--no-passphrase", as_="marie")
    told = begun.moderate("substitute", "louis", "--why", "gone", code=1).output
    assert "E-KEY-MISSING" in told
    begun.moderate("substitute", "louis", "--new-key", "marie/key.pub", "--name", "Marie", "--why", "Lou is gone")
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    (answer,) = begun.accept(sheet)
    assert answer["faults"][0]["code"] == "E-SIGNATURE-KEY"
    begun.run("sign", sheet, as_="marie")
    (answer,) = begun.accept(sheet)
    assert answer["status"] == "final"
    begun.post()
    assert "Marie" in Path(begun.sent("frederick.txt")).read_text()


def test_a_player_changes_the_key_by_letter_and_the_moderator_by_ruling(begun: Correspondence) -> None:
    begun.run("key", "new", "--no-passphrase", "--key", str(begun.root / "louis/second"))
    begun.run("key", "change", "louis/second", "--out", "change.yaml", as_="louis")
    (answer,) = begun.accept("change.yaml")
    assert answer["status"] == "final"
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, "--renumber", "--key", str(begun.root / "louis/second"))
    (answer,) = begun.accept(sheet)
    assert answer["status"] == "final"
    begun.run("key", "new", "--no-passphrase", as_="third")
    told = begun.moderate("rekey", "louis", "third/key.pub", "--why", "both keys lost").stdout
    fingerprint = begun.json("key", "show", as_="third")["fingerprint"]
    assert f"signs with another key, {fingerprint}: both keys lost" in told
    words = begun.json("log", NAME)[-1]["words"]
    assert words == f"louis signs with another key, {fingerprint}: both keys lost"
    assert begun.json("verify", NAME)["good"]


def test_the_letter_that_names_a_key_needs_both(begun: Correspondence) -> None:
    told = begun.run("key", "change", "nowhere/key", as_="louis", code=1).output
    assert "nowhere/key: E-KEY-MISSING" in told
    (begun.root / "louis/alone").write_bytes((begun.root / "frederick/key.pub").read_bytes())
    begun.run("key", "change", "louis/alone", "--out", "change.yaml", as_="louis", code=1)
    (begun.root / "new.pass").write_text("a secret\n")
    new = ("--key", str(begun.root / "louis/second"), "--passphrase-file", "new.pass")
    begun.run("key", "new", *new)
    begun.run("key", "change", "louis/second", "--new-passphrase-file", "new.pass", "-o", "change.yaml", as_="louis")
    (answer,) = begun.accept("change.yaml")
    assert answer["status"] == "final"


def test_two_seats_with_one_key_are_told_to_everybody(begun: Correspondence) -> None:
    begun.run("key", "change", "frederick/key", "--out", "change.yaml", as_="louis")
    told = begun.moderate("accept", "change.yaml").output
    assert "W-KEY-SHARED louis signs with the same key as frederick" in told
    assert "W-KEY-SHARED" in Path(begun.sent("louis-receipt-0006.txt")).read_text()
    (shared,) = begun.json("status", NAME)["shared_keys"]
    assert shared["players"] == ["frederick", "louis"]
    assert f"frederick and louis sign with one and the same key, {shared['key']}" in begun.run("status", NAME).output
    begun.post()
    assert "sign with one and the same key" in " ".join(Path(begun.sent("maria-theresa.txt")).read_text().split())
    told = begun.moderate("rekey", "maria-theresa", "frederick/key.pub", "--why", "so be it").stderr
    assert "maria-theresa signs with the same key as frederick, louis" in told
    begun.run("key", "new", "--no-passphrase", as_="third")
    for seat in ("louis", "maria-theresa"):
        begun.run("key", "new", "--no-passphrase", as_=f"other-{seat}")
        quiet = begun.moderate("rekey", seat, f"other-{seat}/key.pub", "--why", "so be it").stderr
    assert "W-KEY-SHARED" not in quiet
    assert begun.json("status", NAME)["shared_keys"] == []
    assert (
        "W-KEY-SHARED"
        in begun.moderate("substitute", "louis", "--new-key", "frederick/key.pub", "--why", "gone").stderr
    )


def test_clock_rulings_extend_excuse_and_remind(begun: Correspondence) -> None:
    begun.moderate("extend", "24h", "--why", "holidays")
    assert begun.json("status", NAME)["deadline"].startswith("Wed 2026-11-25 20:00")
    begun.moderate("extend", "2026-11-27", "--why", "more holidays")
    begun.moderate("absent", "louis", "2026-11-26", "2026-11-28", "--why", "a wedding")
    assert begun.json("status", NAME)["deadline"].startswith("Sun 2026-11-29 20:00")
    assert begun.json("remind", "-C", NAME, as_="moderator")["reminders"] == []
    begun.now += timedelta(days=7, hours=9)
    due = begun.json("remind", "-C", NAME, as_="moderator")
    assert {each["player"] for each in due["reminders"]} == set(SEATS)
    assert due["files"]
    assert begun.json("remind", "-C", NAME, as_="moderator")["reminders"] == []
    begun.moderate("rule", "Wien counts as a fortress here", "--cite", "§9")
    kinds = [entry["kind"] for entry in begun.json("log", NAME)][-6:]
    assert kinds == ["extension", "extension", "absence", "extension", "reminder", "ruling"]


def test_nobody_else_speaks_in_the_name_of_the_moderator(begun: Correspondence) -> None:
    begun.moderate("rule", "Saxony is neutral")
    begun.moderate("rule", "and so is Poland")
    entry = max(begun.folder.glob("ledger/*-ruling.yaml"), key=lambda path: "neutral" in path.read_text("utf-8"))
    written = entry.read_text("utf-8")
    entry.write_text(written.replace("neutral", "hostile"), "utf-8")
    told = begun.moderate("post", code=1).output
    assert "E-LEDGER-CHAIN" in told
    assert "put both files back from a copy of the archive" in told
    entry.write_text(written, "utf-8")
    begun.moderate("post")
    assert "Saxony is neutral" in Path(begun.sent("observer.txt")).read_text("utf-8")


def test_force_goes_on_with_defaults(begun: Correspondence) -> None:
    told = begun.moderate("adjudicate", code=1).output
    assert "E-CAMPAIGN-WAITING" in told
    told = begun.moderate("adjudicate", "--force").output
    assert "defaults for louis (the moderator went on)" in told
    assert begun.json("status", NAME)["stage"] == "1/hussars"


def test_messages_reach_whom_they_are_for_and_agreements_all_signers(begun: Correspondence) -> None:
    begun.run("message", "frederick", "Shall we share Silesia?", "--out", "m.yaml", as_="louis")
    begun.accept("m.yaml")
    for seat, partner in (("louis", "frederick"), ("frederick", "louis")):
        report = begun.sent(f"{seat}.report.yaml")
        begun.run("agree", partner, "Saxony stays neutral", "--report", report, "-o", f"{seat}.yaml", as_=seat)
        begun.accept(f"{seat}.yaml")
    assert begun.json("log", NAME)[-1]["words"] == "frederick, louis: Saxony stays neutral"
    begun.post()
    assert "Shall we share Silesia?" in Path(begun.sent("frederick.txt")).read_text()
    assert "Silesia?" not in Path(begun.sent("maria-theresa.txt")).read_text()
    assert "Saxony stays neutral" in Path(begun.sent("maria-theresa.txt")).read_text()


def test_an_end_is_proposed_told_voted_on_and_stands_in_all_that_tells(begun: Correspondence) -> None:
    report = begun.sent("frederick.report.yaml")
    begun.run("propose", "concede", "louis", "--days", "9", "--report", report, "-o", "p.yaml", as_="frederick")
    none = begun.run("vote", "7", "yes", "--report", report, as_="frederick", code=1).output
    assert "none is open now" in none
    begun.accept("p.yaml")
    receipt = Path(begun.sent("frederick-receipt-0006.txt")).read_text()
    assert "You propose to concede the game to Louis, open for 9 days." in " ".join(receipt.split())
    assert "subject:" not in receipt, receipt
    begun.post()
    told = Path(begun.sent("louis.txt")).read_text()
    assert "proposes to concede the game to" in told
    (name,) = re.findall(r"pbem vote (\S+) yes --report report.yaml", told)
    assert "pbem vote" not in Path(begun.sent("frederick.txt")).read_text()
    report = begun.sent("maria-theresa.report.yaml")
    assert begun.json("verify", NAME, "--report", report)["findings"] == []
    refused = begun.json("vote", "7", "yes", "--report", report, as_="maria-theresa", code=1)["refused"]
    assert refused[0]["code"] == "E-VOTE-PROPOSAL"
    for seat, called in (("maria-theresa", name.partition("-")[0]), ("louis", name)):
        report = begun.sent(f"{seat}.report.yaml")
        begun.run("vote", called, "yes", "--report", report, "-o", f"{seat}.yaml", as_=seat)
        begun.accept(f"{seat}.yaml")
    assert begun.json("status", NAME)["phase"] == "over"
    begun.post()
    for seat in begun.seats:
        told = " ".join(Path(begun.sent(f"{seat}.txt")).read_text().split())
        assert "The game is over by agreement" in told
        assert "then everything that was sealed is published" in told
        assert begun.json("verify", NAME, "--report", begun.sent(f"{seat}.report.yaml"))["findings"] == []
    begun.moderate("close")
    assert begun.json("verify", NAME)["findings"] == []
    assert '"how":"concede"' in begun.run("record", NAME).stdout.splitlines()[-1]


def test_verify_finds_what_was_changed_and_by_a_report_what_was_taken_away(begun: Correspondence) -> None:
    report = begun.root / "kept.yaml"
    begun.round()
    shutil.copy(begun.sent("louis.report.yaml"), report)
    copy = begun.root / "copy"
    shutil.copytree(begun.folder, copy)
    entry = copy / "ledger/0009-adjudication.yaml"
    entry.write_text(entry.read_text().replace("1/hussars", "1/prussia"))
    told = begun.run("verify", "copy", code=1)
    assert "0009-adjudication.yaml" in told.output
    assert "NOT what it should be" in told.output
    shutil.rmtree(copy)
    earlier = begun.root / "earlier"
    begun.run("verify", NAME, "--report", str(report))
    shutil.copytree(begun.folder, earlier)
    for path in (earlier / "ledger").glob("000[6-9]*"):
        path.unlink()
    found = begun.json("verify", "earlier", "--report", str(report), code=1)
    assert {"E-VERIFY-DERIVED", "E-VERIFY-SHORT"} <= {fault["code"] for fault in found["findings"]}
    bad = begun.root / "bad.yaml"
    bad.write_text(report.read_text().replace("name: D", "name: E", 1))
    if bad.read_text() != report.read_text():
        assert "E-SIGNATURE-WRONG" in begun.run("verify", NAME, "--report", str(bad), code=1).output


REFUSED = {
    "another key": (("adjudicate", "-C", NAME), "louis", "E-KEY-OTHER"),
    "no campaign": (("status", "."), "", "E-FOLDER-NONE"),
    "too early": (("adjudicate", "-C", NAME), "moderator", "E-CAMPAIGN-WAITING"),
    "nothing new": (("post", "-C", NAME), "moderator", "E-POST-NOTHING"),
    "earlier deadline": (("extend", "2026-11-22", "--why", "x", "-C", NAME), "moderator", "E-DEADLINE-EARLIER"),
    "no moment": (("extend", "tomorrow", "--why", "x", "-C", NAME), "moderator", "E-CLOCK-FORM"),
    "no day": (("absent", "louis", "tomorrow", "-C", NAME), "moderator", "E-CLOCK-FORM"),
    "too long away": (("absent", "louis", "2026-12-01", "2027-02-01", "-C", NAME), "moderator", "E-ABSENCE-ALLOWANCE"),
    "nobody": (("act", "napoleon", "louis/key.pub", "--why", "x", "-C", NAME), "moderator", "E-PLAYER-UNKNOWN"),
    "no such entry": (("rollback", "--to", "99", "--why", "x", "-C", NAME), "moderator", "E-ROLLBACK-ENTRY"),
    "before the start": (("rollback", "--to", "2", "--why", "x", "-C", NAME), "moderator", "E-ROLLBACK-START"),
    "not over": (("close", "-C", NAME), "moderator", "E-CAMPAIGN-PHASE"),
    "all seats taken": (("invite", "-C", NAME), "moderator", "E-INVITE-FULL"),
    "folder in use": (("new", NAME), "moderator", "E-FOLDER-TAKEN"),
    "no file": (("accept", "nothing.eml", "-C", NAME), "moderator", "E-FILE"),
    "no public key": (("rekey", "louis", "louis/key", "--why", "x", "-C", NAME), "moderator", "E-KEY-PRIVATE"),
}


def test_every_refusal_is_one_clear_answer_and_changes_nothing(begun: Correspondence) -> None:
    (begun.root / "x.yaml").write_text("orders: {}\n")
    before = begun.files()
    for words, who, code in REFUSED.values():
        told = begun.run(*words, as_=who, code=1).output
        assert code in told, (words, told)
        assert len(told.splitlines()) == 1, told
        answer = json.loads(begun.run(*words, "--json", as_=who, code=1).stdout)
        assert answer["refused"][0]["code"] == code
    assert begun.files() == before


def test_a_closed_campaign_takes_nothing_more(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    begun.moderate("close", "--why", "enough")
    before = begun.files()
    for words in (("accept", sheet), ("rule", "x"), ("close",), ("extend", "48h", "--why", "x"), ("adjudicate",)):
        begun.moderate(*words, code=1)
    assert begun.files() == before


def test_a_letter_taken_by_a_command_that_could_not_answer_is_answered_by_the_next(
    begun: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")

    def full(*_: object) -> None:
        raise StorageFault(wrong("E-DISK-FULL", cannot="letter.yaml cannot be written"))

    with monkeypatch.context() as broken:
        broken.setattr("pbem.moderator.receipts.write_receipt", full)
        assert "E-DISK-FULL" in begun.moderate("accept", sheet, code=1).output
    assert "louis" not in begun.owing()
    (answer,) = begun.accept(sheet)
    assert answer["status"] == "known"
    assert any(path.endswith("receipt.yaml") for path in answer["files"])
    assert begun.accept(sheet) == []


def test_letters_of_one_mailbox_are_taken_by_their_numbers(begun: Correspondence) -> None:
    sheet = begun.sheet("louis", "z.yaml")
    begun.run("sign", sheet, as_="louis")
    begun.run("message", "all", "Good day", "-o", "louis/a.yaml", as_="louis")
    first, second = begun.accept("louis/a.yaml", "louis/z.yaml")
    assert [first["status"], second["status"]] == ["final", "final"]
    assert first["where"].endswith("z.yaml")


@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 1000, b"\xff\xfe" * 50, b"pbem: 1\n" * 200, b"[" * 5000, b"- " * 9999]
)
def test_garbage_is_answered_everywhere_and_entered_nowhere(begun: Correspondence, content: bytes) -> None:
    (begun.root / "garbage").write_bytes(content)
    report = begun.sent("louis.report.yaml")
    for words in (("sign", "garbage"), ("check", "garbage"), ("seal", "garbage"), ("reveal", "garbage")):
        assert "E-" in begun.run(*words, as_="louis", code=1).output
    for words in (
        ("join", "garbage", "--seat", "louis"),
        ("open", "garbage"),
        ("agree", "x", "y", "--report", "garbage"),
    ):
        assert "E-" in begun.run(*words, as_="louis", code=1).output
    assert "E-" in begun.run("verify", NAME, "--report", "garbage", code=1).output
    assert "E-" in begun.run("check", report, "--report", "garbage", as_="louis", code=1).output
    found = begun.json("accept", "garbage", "-C", NAME, as_="moderator")
    assert found["letters"] == []
    assert [left["where"] for left in found["left alone"]] == ["garbage"]
    assert "E-" in begun.moderate("act", "louis", "garbage", "--why", "x", code=1).output
    assert "E-" in begun.run("new", "other", "--from", "garbage", as_="moderator", code=1).output
    assert not (begun.root / "other").exists()


def test_acting_takes_no_sheet_of_another_stage_and_enters_nothing_that_is_refused(begun: Correspondence) -> None:
    sheet = (begun.root / begun.sent("louis.orders.yaml")).read_text()
    before = begun.files().keys()
    for old, new, code in (
        ("stage: 1/setup", "stage: 2/france", "E-LETTER-STAGE"),
        ("basis: ", "basis: ff", "E-LETTER-BASIS"),
    ):
        assert old in sheet
        (begun.root / "stale.yaml").write_text(sheet.replace(old, new, 1))
        assert code in begun.moderate("act", "louis", "stale.yaml", "--why", "he is ill", code=1).output
    (begun.root / "stale.yaml").unlink()
    assert begun.files().keys() == before
    (begun.root / "sheet.yaml").write_text(sheet)
    assert "louis" in begun.moderate("act", "louis", "sheet.yaml", "--why", "he is ill").output


def test_a_clock_that_is_wrong_is_noticed_and_repaired_for_all_to_see(begun: Correspondence) -> None:
    report = begun.sent("louis.report.yaml")
    today, begun.now = begun.now, begun.now + timedelta(days=999)
    for words in (("rule", "x"), ("remind",), ("adjudicate", "--force"), ("accept", report), ("close",)):
        assert "E-CLOCK-AHEAD" in begun.moderate(*words, code=1).output
    begun.moderate("adjudicate", "--force", "--clock-is-right")
    begun.now = today + timedelta(hours=1)
    refused = begun.moderate("rule", "x", code=1).output
    assert "E-LEDGER-TIME" in refused
    assert "`pbem repair-clock`" in refused
    before = begun.files()
    told = begun.moderate("repair-clock", "--why", "a flat battery", code=1).output
    assert "E-CLOCK-REPAIR" in told
    assert "as after entry 5" in told
    assert begun.files() == before
    begun.moderate("repair-clock", "--why", "a flat battery", "--clock-is-right")
    assert "wrong behind entry 5" in begun.run("log", NAME).stdout
    words = {
        "en": "a wrong clock",
        "es": "un reloj equivocado",
        "it": "un orologio sbagliato",
        "de": "falsch gehenden Uhr",
    }
    for language, said in words.items():
        report = " ".join(begun.moderate("report", "observer", "--language", language).stdout.split())
        assert said in report
        assert "a flat battery" in report
    begun.post()
    begun.round()
    assert "nothing is wrong" in begun.run("verify", NAME).stdout
