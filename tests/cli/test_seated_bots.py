"""Campaigns in which bots have seats, with nothing but the commands, and with the post office."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from pbem.campaign.proof.verifying import verify
from tests.cli.correspondence import NAME, Correspondence
from tests.office.post import SETTINGS, PostalTable

BOTS = ("--bot", "frederick=sensible", "--bot", "maria-theresa=random")


def test_one_person_plays_against_bots(tmp_path: Path) -> None:
    table = Correspondence(tmp_path, ("louis",))
    table.begin(*BOTS)
    invitation = Path(table.root / table.sent("louis-invitation.txt")).read_text()
    told = " ".join(invitation.split())
    assert "(Bot sensible), taken" in told
    assert "What is called a bot here is one" in told
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    table.accept(f"join-{NAME}-louis.yaml")
    table.moderate("adjudicate")
    assert table.owing() == ["louis"]
    table.moderate("post", "--no-pictures")
    table.order("louis")
    table.now += timedelta(hours=1)
    table.moderate("adjudicate")
    assert "Bot sensible" in (table.folder / "state.yaml").read_text()
    table.moderate("close", "--why", "far enough")
    found = verify(table.folder)
    assert found.findings == []


def test_what_no_bot_can_play(tmp_path: Path) -> None:
    table = Correspondence(tmp_path, ())
    for options in (
        ("--bot", "louis=wise"),
        ("--bot", "louis=sensible/0.1"),
        ("--bot", "louis=sensible", "--seats", "drawn"),
        ("--bot", "louis=sensible", "--seat", "louis=Lou <lou@example.org>"),
    ):
        said = table.run("new", NAME, *options, as_="moderator", code=1)
        assert "E-NEW-BOT" in said.output
    playing = ("--bot", "louis=sensible", "--moderator", "Max", "--moderator-seat", "louis")
    assert "E-NEW-BOT" in table.run("new", NAME, *playing, as_="moderator", code=1).output
    assert not (tmp_path / NAME).exists()


def test_the_post_office_lets_bots_play(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(SETTINGS + "pictures: no\n", *BOTS)
    table.moderate("invite")
    table.evening()
    table.join_by_mail("louis")
    assert "on to 1/setup" in table.evening()
    table.now += timedelta(hours=1)
    table.order_by_mail("louis")
    assert "vienna-1741: letters taken: 1, on to 1/" in table.evening()
    assert verify(table.folder).is_good
