"""Mails that ask nothing wait for the hour of deadlines at a seat that wants one mail a day, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.campaign.players.guidance import Guidance, guidance_of
from pbem.campaign.proof.verifying import verify
from pbem.paper.letters import read_letter
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import PLAIN, PostalTable, copied
from tests.office.test_evening import ids, struck_evenings


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """A campaign in which Louis and Frederick want one mail a day, and everybody has sent the orders of the set-up."""
    table = PostalTable(tmp_path_factory.mktemp("daily"))
    table.root.joinpath("plan.yaml").write_text(
        f"campaign: {NAME}\nseats: {{louis: {{news: daily}}, frederick: {{news: daily}}}}\n"
    )
    table.open_office(PLAIN, "--from", "plan.yaml")
    table.moderate("invite")
    table.evening()
    table.join_by_mail()
    assert "reports: 4" in table.evening(), "the first report comes at once"
    table.now += timedelta(hours=1)
    for seat in SEATS:
        table.order_by_mail(seat)
    return table


@pytest.fixture
def table(played: PostalTable, tmp_path: Path) -> PostalTable:
    """The same in a folder of its own."""
    return copied(played, tmp_path / "table")


def reports(table: PostalTable, seat: str) -> list[Guidance]:
    """The reports that were mailed to a player, the oldest first."""
    found = [report for mail in table.mails_to(seat) for report in reports_in(mail)]
    return sorted(found, key=lambda report: report.head.entry if report.head else 0)


def reports_in(mail: EmailMessage) -> list[Guidance]:
    """The report in a mail, if it brings one."""
    files = [part.get_payload(decode=True) for part in mail.iter_attachments() if part.get_filename() == "report.yaml"]
    return [guidance_of(read_letter(file, "report"), "report") for file in files if isinstance(file, bytes)]


def told(reports: list[Guidance]) -> list[object]:
    """The events that reports tell."""
    return [event["type"] for report in reports if report.course for event in report.course.events]


def happened(table: PostalTable) -> list[object]:
    """The events of the ledger."""
    return [event["type"] for entry in table.json("log", NAME, "--events") for event in entry.get("events", ())]


def play(table: PostalTable, *seats: str) -> str:
    """An hour later these have ordered, and the office holds its evening."""
    table.now += timedelta(hours=1)
    for seat in seats:
        table.order_by_mail(seat)
    return table.evening()


def test_what_asks_nothing_goes_once_a_day_and_tells_all(table: PostalTable) -> None:
    assert "on to turn 1 (hussars), reports: 2" in table.evening(), "Maria Theresa's and the moderator's"
    assert "on to turn 1 (stage of France), reports: 3" in play(table, "maria-theresa"), "what asks Louis goes at once"
    assert [len(reports(table, seat)) for seat in SEATS] == [3, 1, 2]
    assert told(reports(table, "louis")) == happened(table), "and carries what has waited"
    table.now = table.now.replace(hour=19, minute=59)
    assert "nothing to do" in table.evening()
    table.now = table.now.replace(hour=20, minute=0)
    assert f"{NAME}: reports: 1" in table.evening()
    (first, daily) = reports(table, "frederick")
    assert told([first, daily]) == happened(table)
    assert table.json("verify", NAME, "--report", str(sent_report(table, "frederick")))["good"]
    assert "nothing to do" in table.evening()
    play(table, "louis")
    assert len(reports(table, "frederick")) == 3, "the next stage is his"
    play(table, "frederick")
    assert len(reports(table, "frederick")) == 3
    table.moderate("close", "--why", "far enough")
    assert "reports: 4" in table.evening(), "the end is told to everybody at once"
    for seat in SEATS:
        assert told(reports(table, seat)) == happened(table), seat
    assert max(ids(table).values()) == 1
    assert verify(table.folder).is_good


def sent_report(table: PostalTable, seat: str) -> Path:
    """The newest report of a player in the outbox."""
    return Path(table.sent(f"{seat}.report.yaml"))


@pytest.mark.parametrize("way", ["rollback", "act", "adjudicate"])
def test_what_takes_back_what_was_asked_goes_at_once(table: PostalTable, way: str) -> None:
    table.evening()
    play(table, "maria-theresa")
    play(table, "louis")
    asked = reports(table, "frederick")[-1]
    assert asked.request == "orders"
    if way == "rollback":
        moves = [entry["entry"] for entry in table.json("log", NAME) if entry["kind"] == "adjudication"]
        table.moderate("rollback", "--to", str(moves[-2]), "--why", "oops")
    elif way == "act":
        table.moderate("act", "frederick", table.sheet("frederick"), "--why", "by telephone")
    else:
        table.moderate("adjudicate", "--force")
    table.evening()
    assert reports(table, "frederick")[-1].request == "nothing"


def test_by_hand_it_waits_as_well(table: PostalTable) -> None:
    table.evening()
    assert "E-POST-NOTHING" in table.moderate("post", code=1).output
    table.now = table.now.replace(hour=20, minute=1)
    assert "2 of them mails" in table.moderate("post", "--no-pictures").output
    assert sent_report(table, "louis").exists()
    assert "E-POST-NOTHING" in table.moderate("post", code=1).output


@pytest.mark.parametrize("hour", [13, 20], ids=["held", "due"])
def test_killed_between_any_two_steps_nothing_is_lost_and_nothing_comes_twice(
    table: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hour: int
) -> None:
    if hour == 20:
        table.evening()
        table.now = table.now.replace(hour=hour)
    for at, struck, clean in struck_evenings(table, tmp_path, monkeypatch):
        assert [len(reports(struck, seat)) for seat in SEATS] == [len(reports(clean, seat)) for seat in SEATS], at


def test_who_moves_to_another_address_gets_what_was_told_last_and_then_the_rest(table: PostalTable) -> None:
    table.evening()
    table.moderate("invite", "--address", "frederick=fritz@example.org")
    table.evening()

    def moved() -> list[Guidance]:
        return [report for mail in table.sent_mails() if "fritz@" in mail["To"] for report in reports_in(mail)]

    assert told(moved()) == told(reports(table, "frederick"))
    assert len(moved()) == 1
    table.now = table.now.replace(hour=20)
    table.evening()
    assert len(moved()) == 2
    assert sorted(map(str, told(moved()))) == sorted(map(str, happened(table)))


def test_what_is_pruned_leaves_these_reports_alone(table: PostalTable) -> None:
    table.evening()
    play(table, "maria-theresa")
    play(table, "louis")
    table.now += timedelta(days=40)
    table.evening()
    before = sorted((table.folder / "outbox").glob("*/frederick.*"))
    first = min((table.folder / "outbox").glob("*/observer.txt")).parent
    table.mail("prune")
    assert not (first / "observer.txt").exists()
    table.mail("again", NAME, str(int(first.name)))
    assert (first / "observer.txt").exists()
    assert sorted((table.folder / "outbox").glob("*/frederick.*")) == before
