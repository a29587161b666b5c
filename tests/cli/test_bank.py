"""A bank of time as people meet it: agreed in a file, told in invitation, reminder, report and status, and verified."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.campaign import briefing
from pbem.campaign.clock.bank import Account
from tests.cli.correspondence import NAME, Correspondence
from tests.protocol import second

PLAN = """\
campaign: vienna-1741
game: maria
scenario: introductory
clock: {delay: 0m, at_deadline: hold, bank: {start: 5d, add: 1d, most: 6d}}
"""


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign in which Louis was late, and reminded while he was."""
    table = Correspondence(tmp_path_factory.mktemp("bank"))
    (table.root / "plan.yaml").write_text(PLAN)
    table.run("new", NAME, "--from", "plan.yaml", as_="moderator")
    table.moderate("invite")
    table.join()
    for seat in ("frederick", "maria-theresa"):
        table.order(seat)
    # The deadline is on the 24th at 20:00.
    table.now += timedelta(days=4, hours=8)
    table.moderate("remind")
    table.now += timedelta(days=1, hours=3)
    table.order("louis")
    table.moderate("adjudicate")
    table.post()
    return table


def test_an_invitation_tells_the_terms(late: Correspondence) -> None:
    said = Path(late.sent("louis-invitation.txt")).read_text()
    assert "Each seat has a bank of time: 5 days at the beginning." in " ".join(said.split())


def test_a_reminder_tells_how_much_is_left(late: Correspondence) -> None:
    said = " ".join(Path(late.sent("louis-reminder.txt")).read_text().split())
    assert "time is drawn from your bank: 4 days left" in said


def test_reports_tell_the_own_account_and_who_was_late_and_status_tells_all(late: Correspondence) -> None:
    said = " ".join(Path(late.sent("frederick.txt")).read_text().split())
    louis = "Louis: 2 days and 21 hours; late in 1 of 1 stage, by 2 days and 3 hours in all"
    assert f"Time in your bank: 6 days. Time in the bank of {louis}." in said
    assert "Maria Theresa: 6 days" not in said, "the body has what is new, and the reader's own"
    every = late.run("report", "moderator", "--as", "html", "-C", NAME, as_="moderator").output
    assert all(each in " ".join(every.split()) for each in (louis, "Frederick: 6 days", "Maria Theresa: 6 days"))
    assert "in the bank: frederick 6d, louis 2d 21h, maria-theresa 6d" in late.run("status", NAME).output


def test_a_player_is_told_the_own_account(late: Correspondence, tmp_path: Path) -> None:
    table = late.copied(tmp_path / "table")
    table.run(table.sent("louis.report.yaml"), as_="louis")
    assert "the time in your bank: 2d 21h" in table.run("status", as_="louis").output


def test_the_site_tells_all_accounts(late: Correspondence, tmp_path: Path) -> None:
    table = late.copied(tmp_path / "table")
    table.run("export", "site", "-C", NAME)
    said = " ".join((table.root / "site" / "index.html").read_text("utf-8").split())
    assert "Time in the bank: Frederick 6 days; Louis 2 days and 21 hours; Maria Theresa 6 days." in said


def test_options_agree_on_the_same_bank_as_a_file(tmp_path: Path) -> None:
    table = Correspondence(tmp_path, seats=())
    (table.root / "plan.yaml").write_text(PLAN)
    table.run("new", NAME, "--from", "plan.yaml", as_="moderator")
    options = ("--scenario", "introductory", "--delay", "0m", "--at-deadline", "hold")
    table.run("new", "other", "--name", NAME, *options, "--bank", "5d add 1d most 6d", as_="moderator")
    agreed = [(table.root / name / "ledger" / "0001-new.yaml").read_text("utf-8") for name in (NAME, "other")]
    clocks = {text.partition("clock:")[2].partition("conduct:")[0] for text in agreed}
    assert len(clocks) == 1
    assert "start: 5d" in clocks.pop()
    table.run("new", "third", "--from", "plan.yaml", "--name", "third", "--bank", "2d add 6h most 3d", as_="moderator")
    assert "start: 2d" in (table.root / "third" / "ledger" / "0001-new.yaml").read_text("utf-8")


@pytest.mark.parametrize(("terms", "code"), [("10d", 2), ("", 2), ("x add 1d most 2d", 1), ("9d add 1d most 2d", 1)])
def test_a_bank_that_makes_no_sense_founds_no_campaign(tmp_path: Path, terms: str, code: int) -> None:
    table = Correspondence(tmp_path, seats=())
    table.run("new", NAME, "--bank", terms, as_="moderator", code=code)
    assert not table.folder.exists()


@pytest.mark.parametrize("language", ["de", "es", "it"])
def test_it_is_told_in_every_language(late: Correspondence, language: str) -> None:
    said = late.run("report", "louis", "--language", language, "-C", NAME, as_="moderator").output
    own = {"de": "Auf deinem Zeitkonto: ", "es": "Tiempo en tu reserva: ", "it": "Tempo nella tua riserva: "}
    assert own[language] in said


def test_a_report_with_other_accounts_is_not_true(
    late: Correspondence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert late.json("verify", NAME, "--report", late.sent("louis.report.yaml"))["good"]
    table = late.copied(tmp_path / "table")
    for seat in table.owing():
        table.order(seat)
    table.moderate("adjudicate")
    with monkeypatch.context() as patched:
        patched.setattr(briefing, "accounts", lambda public: {"louis": Account(7, 0, 1, 0)})
        table.post()
    said = table.run("verify", NAME, "--report", table.sent("louis.report.yaml"), code=1).output
    assert "E-VERIFY-REPORT" in said
    assert "bank" in said
    table.moderate("close", "--why", "far enough")
    table.run("verify", NAME)
    assert second.verify(table.folder) == []
