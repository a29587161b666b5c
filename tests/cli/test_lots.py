"""Seats drawn by lot, with nothing but the commands: from `new --seats drawn` to the verified archive."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.correspondence import NAME, Correspondence
from tests.protocol.second import verify as second

CHANCE = 5
"""With bytes like this everywhere nobody plays the seat that they have joined, in either game."""

GAMES = {
    "maria": ("maria-theresa", "frederick", "louis"),
    "friedrich": ("frederick", "elisabeth", "maria-theresa", "pompadour"),
}


class Drawing(Correspondence):
    """People who are called by the seat that they have joined, and their keys too."""

    @property
    def lot(self) -> dict[str, str]:
        """Seats by lot."""
        body = (self.folder / "ledger").joinpath(f"{len(self.seats) + 2:04d}-adjudication.yaml").read_text("utf-8")
        lines = body.partition("  drawn:\n")[2].splitlines()
        return dict(line.strip().split(": ") for line in lines[: len(self.seats)])

    def person(self, seat: str) -> str:
        """Player of a seat."""
        return next(joined for joined, played in self.lot.items() if played == seat)

    def order(self, seat: str) -> str:
        """Sign the sheet as it came, with the key of the seat's player, and send it."""
        person = self.person(seat)
        sheet = self.root / person / "orders.yaml"
        sheet.write_bytes(Path(self.sent(f"{seat}.orders.yaml")).read_bytes())
        self.run("sign", str(sheet), as_=person)
        (answer,) = self.accept(str(sheet))
        assert answer["status"] == "final", answer
        return str(sheet)


@pytest.fixture
def certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chance that is always the same."""
    monkeypatch.setattr("secrets.token_bytes", lambda size: bytes([CHANCE]) * size)


def begun(root: Path, game: str, *options: str) -> Drawing:
    """A campaign whose seats are drawn."""
    table = Drawing(root, GAMES[game])
    table.begin("--game", game, "--seats", "drawn", *options)
    table.join()
    return table


@pytest.mark.usefixtures("certain")
@pytest.mark.parametrize("game", GAMES)
def test_from_the_invitation_to_the_archive(tmp_path: Path, game: str) -> None:
    table = begun(tmp_path, game)
    assert "seats: drawn" in (table.folder / "campaign.yaml").read_text("utf-8")
    first = table.seats[0]
    invitation = (table.folder / "outbox/0001" / f"{first}-invitation.txt").read_text("utf-8")
    assert "to join as" in invitation
    assert "Seats are drawn by lot" in invitation
    assert all(joined != played for joined, played in table.lot.items()), "choose another CHANCE"
    report = " ".join(Path(table.sent(f"{table.lot[first]}.txt")).read_text("utf-8").split())
    assert "By lot YOU PLAY" in report
    assert report.count("is played by who joined as") == len(table.seats) - 1
    assert "has drawn" in table.run("log", NAME).output
    for _ in range(4):
        assert table.round()["kind"] == "adjudication"
    for seat in table.seats:
        table.run("verify", NAME, "--report", table.sent(f"{seat}.report.yaml"))
    table.moderate("close", "--why", "enough")
    assert table.json("verify", NAME)["good"]
    assert second(table.folder) == []


@pytest.mark.usefixtures("certain")
def test_the_notes_of_a_player_follow_the_lot(tmp_path: Path) -> None:
    """By the first report, or by the first sheet that is signed or sealed; numbers of letters go on."""
    table = begun(tmp_path, "maria")
    one, two, three = table.seats
    notes = {seat: table.root / seat / "key.campaigns" / f"{NAME}.{table.lot[seat]}.json" for seat in table.seats}
    report = table.sent(f"{table.lot[one]}.report.yaml")
    table.run("message", "all", "here I am", "--report", report, "-o", "message.yaml", as_=one)
    assert f"from: {table.lot[one]}\n" in (table.root / "message.yaml").read_text("utf-8")
    assert [each["status"] for each in table.accept("message.yaml")] == ["final"]
    sheet = table.root / two / "orders.yaml"
    sheet.write_bytes(Path(table.sent(f"{table.lot[two]}.orders.yaml")).read_bytes())
    table.run("seal", str(sheet), as_=two)
    table.run("sign", str(sheet.with_name("orders.sealed.yaml")), as_=two)
    assert [each["status"] for each in table.accept(str(sheet.with_name("orders.sealed.yaml")))] == ["final"]
    for seat in (one, two):
        assert list(notes[seat].parent.iterdir()) == [notes[seat]]
        assert json.loads(notes[seat].read_text("utf-8"))["seat"] == table.lot[seat]
    table.run("message", "all", "and here", "-o", "second.yaml", as_=one)
    assert f"from: {table.lot[one]}\n" in (table.root / "second.yaml").read_text("utf-8")
    refused = table.run("sign", str(sheet), as_=one, code=1)
    assert "E-SIGN-SEAT" in refused.output, "once the lot is known, letters of other seats are not signed"
    assert not notes[three].exists()


@pytest.mark.usefixtures("certain")
def test_a_seat_that_is_taken_over_does_not_replace_the_one_that_was_drawn(tmp_path: Path) -> None:
    """Signing its sheet is all that the player has done for the seat drawn; no report of it was read."""
    table = begun(tmp_path, "maria")
    person, other = table.seats[:2]
    own, further = table.lot[person], table.lot[other]
    table.order(own)
    report = table.sent(f"{further}.report.yaml")
    assert "pbem join" in table.run(report, as_=person).output
    table.run("join", report, as_=person)
    found = {each["seat"]: each["signed"] for each in table.json("status", as_=person)}
    assert found.keys() == {own, further}
    assert found[own]
    assert not found[further]


@pytest.mark.usefixtures("certain")
def test_a_letter_of_the_moderators_moves_no_notes(tmp_path: Path) -> None:
    table = begun(tmp_path, "maria")
    person = table.seats[0]
    before = sorted((table.root / person / "key.campaigns").iterdir())
    table.run("sign", table.sent(f"{table.lot[person]}.report.yaml"), "-o", "x.yaml", as_=person, code=1)
    assert sorted((table.root / person / "key.campaigns").iterdir()) == before


def test_a_plan_may_say_it_too(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    (tmp_path / "plan.yaml").write_text("game: maria\nconduct: {seats: drawn}\n", "utf-8")
    found = table.json("new", NAME, "--from", "plan.yaml", "--name", NAME, as_="moderator")
    assert any(note.startswith("seats: drawn by lot") for note in found["protection"])
    (tmp_path / "plan.yaml").write_text("game: maria\nconduct: {seats: dealt}\n", "utf-8")
    refused = table.run("new", "other", "--from", "plan.yaml", "--name", "other", as_="moderator", code=1)
    assert "E-VALUE-CHOICE" in refused.output
    assert "drawn" in refused.output
    assert not (tmp_path / "other").exists()


@pytest.mark.usefixtures("certain")
@pytest.mark.parametrize(
    ("language", "words", "lot"),
    [
        ("en", "YOU PLAY", "By lot"),
        ("es", "TE CORRESPONDE", "Por sorteo"),
        ("it", "TI TOCCA", "Per sorteggio"),
        ("de", "SPIELST DU", "Durch das Los"),
    ],
)
def test_the_lot_is_told_in_the_readers_language(tmp_path: Path, language: str, words: str, lot: str) -> None:
    table = Drawing(tmp_path, GAMES["maria"])
    table.begin("--game", "maria", "--seats", "drawn")
    for seat in table.seats:
        invitation = table.sent(f"{seat}-invitation.invitation.yaml")
        table.run("join", invitation, "--language", language, as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in table.seats))
    assert "draws the seats and deals" in table.run("status", NAME).output
    table.moderate("adjudicate")
    table.post()
    for seat in table.seats:
        assert words in Path(table.sent(f"{seat}.txt")).read_text("utf-8")
    table.run("export", "site", "-C", NAME, "--language", language)
    assert lot in (tmp_path / "site" / "log.html").read_text("utf-8")
