"""Campaigns in which bots have seats, with nothing but the commands, and with the post office."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from pbem.campaign.proof.verifying import verify
from tests.cli.correspondence import NAME, Correspondence
from tests.office.post import SETTINGS, PostalTable

BOTS = ("--bot", "frederick=sensible", "--bot", "maria-theresa=strong:2")


def test_one_person_plays_against_bots(tmp_path: Path) -> None:
    table = Correspondence(tmp_path, ("louis",))
    table.begin(*BOTS)
    invitation = Path(table.root / table.sent("louis-invitation.txt")).read_text()
    told = " ".join(invitation.split())
    assert "(Bot sensible), taken" in told
    assert "Seats marked as bots are played by pbem" in told
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
        ("--bot", "louis=sensible:8"),
        ("--bot", "louis=strong:65"),
        ("--bot", "louis=strong:08"),
        ("--bot", "louis=sensible", "--seats", "drawn"),
        ("--bot", "louis=sensible", "--seat", "louis=Lou <lou@example.org>"),
    ):
        said = table.run("new", NAME, *options, as_="moderator", code=1)
        assert "E-NEW-BOT" in said.output
    for options, told in (
        (("--bot", "louis=sensible", "--bot", "louis=random"), "louis is named twice"),
        (("--seat", "louis=Lou", "--seat", "louis=Luis"), "louis is named twice"),
        (("--bot", "louis"), "SEAT=LEVEL"),
        (("--bot", "louis="), "SEAT=LEVEL"),
        (("--stand-in", ""), "LEVEL"),
    ):
        assert told in table.run("new", NAME, *options, as_="moderator", code=2).output
    playing = ("--bot", "louis=sensible", "--moderator", "Max", "--moderator-seat", "louis")
    assert "E-NEW-BOT" in table.run("new", NAME, *playing, as_="moderator", code=1).output
    assert not (tmp_path / NAME).exists()


def test_the_post_office_lets_bots_play(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(SETTINGS + "pictures: no\n", *BOTS)
    table.moderate("invite")
    table.evening()
    table.join_by_mail("louis")
    assert "on to turn 1 (set-up)" in table.evening()
    table.now += timedelta(hours=1)
    table.order_by_mail("louis")
    told = table.evening()
    assert "vienna-1741: letters taken: 1, on to turn 1 (" in told
    assert "no mails go to" not in told
    assert verify(table.folder).is_good


def test_a_bot_follows_who_resigns_who_is_told_so(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    people = ("--seat", "louis=Lou <lou@example.org>", "--moderator", "Max <max@example.org>")
    table.begin("--stand-in", "random", "--resigned", "bot", *people)
    table.join()
    report = table.sent("louis.report.yaml")
    table.run("propose", "resign", "--report", report, "-o", "resigned.yaml", as_="louis")
    table.accept("resigned.yaml")
    assert [row["kind"] for row in table.json("log", NAME)[-2:]] == ["proposal", "substitute"]
    entry = table.json("log", NAME)[-1]["entry"]
    assert "louis, carrying out the proposal to give the seat up" in table.run("log", NAME).output
    assert "nach dem Vorschlag" in table.run("log", NAME, "--language", "de").output
    (mail,) = (table.folder / "outbox").glob(f"{entry:04d}/*.eml")
    assert "lou@example.org" in mail.read_text("utf-8", "replace")
    table.moderate("adjudicate", "--force")
    assert table.json("verify", NAME)["findings"] == []


def test_a_bot_stands_in_and_takes_a_seat_by_agreement(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--stand-in", "strong:2", "--sealing", "moderator")
    told = " ".join(Path(table.root / table.sent("louis-invitation.txt")).read_text().split())
    assert "the bot “strong:2” of pbem" in told
    table.join()
    for nobody in ("random", "strong", "strong:4", ""):
        assert "E-BOT-AGREED" in absent(table, nobody, code=1)
    assert "meanwhile the bot strong:2 orders" in absent(table, "strong:2")
    (letter,) = [each for each in log(table, "letter") if "frederick" in each]
    assert "written by the bot strong:2 that stands in" in letter
    (noted,) = log(table, "absence")
    assert "meanwhile the bot strong:2 orders" in noted
    wrong = table.moderate("substitute", "louis", "--bot", "strong:2", "--name", "Lou", "--why", "so", code=2)
    assert "--bot is for a bot" in wrong.output
    assert "E-BOT-AGREED" in table.moderate("substitute", "louis", "--bot", "", "--why", "gone", code=1).output
    table.moderate("substitute", "louis", "--bot", "strong:2", "--why", "gone")
    assert table.owing() == ["maria-theresa"]
    assert (
        "E-BOT-AGREED"
        in table.moderate("substitute", "louis", "--bot", "strong:2", "--why", "once more", code=1).output
    )
    table.moderate("close", "--why", "far enough")
    assert verify(table.folder).findings == []


def test_no_bot_stands_in_where_the_moderator_plays(tmp_path: Path) -> None:
    table = Correspondence(tmp_path, ())
    for bot, *more in (("wise",), ("strong:0",), ("sensible", "--moderator-seat", "louis")):
        assert "E-NEW-BOT" in table.run("new", NAME, "--stand-in", bot, *more, as_="moderator", code=1).output
    assert not (tmp_path / NAME).exists()


def absent(table: Correspondence, level: str, code: int = 0) -> str:
    """Output of `pbem absent` of one player."""
    day = f"{table.now:%Y-%m-%d}"
    return str(table.moderate("absent", "frederick", day, day, "--bot", level, code=code).output)


def log(table: Correspondence, kind: str) -> list[str]:
    """The entries of a kind, as `pbem log` tells them."""
    return table.run("log", NAME, "--kind", kind).output.splitlines()
