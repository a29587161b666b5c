"""Open seats: an invitation in public, who gets the seat, and who does not; before the game and while it runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.campaign.proof.verifying import verify
from tests.cli.correspondence import NAME, Correspondence
from tests.protocol.second import verify as second

OFFER = "everybody-{}-invitation.invitation.yaml"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign in which two have joined, and strangers who have keys."""
    table = Correspondence(tmp_path_factory.mktemp("open"))
    table.begin()
    for who in ("ada", "ben"):
        table.run("key", "new", "--no-passphrase", as_=who)
    for seat in ("maria-theresa", "frederick"):
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
        table.accept(f"join-{NAME}-{seat}.yaml")
    return table


@pytest.fixture
def table(base: Correspondence, tmp_path: Path) -> Correspondence:
    return base.copied(tmp_path / "table")


@pytest.fixture(scope="module")
def running(base: Correspondence, tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """The same with Louis, in the first stage."""
    table = base.copied(tmp_path_factory.mktemp("running") / "table")
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    table.accept(f"join-{NAME}-louis.yaml")
    table.moderate("adjudicate")
    table.moderate("post")
    return table


def asks(table: Correspondence, who: str, seat: str = "louis") -> list[str]:
    """Codes of what a stranger's letter is refused for, none if it is taken."""
    file = f"{who}-{seat}.yaml"
    table.run("join", table.sent(OFFER.format(seat)), "--name", who.title(), "-o", file, as_=who)
    (letter,) = table.accept(file)
    return [fault["code"] for fault in letter["faults"]] if letter["status"] == "refused" else []


def player_of(table: Correspondence, seat: str) -> str:
    text = (table.folder / "state.yaml").read_text("utf-8")
    return text.partition(f"{seat}:")[2].partition("name: ")[2].partition("\n")[0]


def is_sound(table: Correspondence) -> bool:
    return verify(table.folder).is_good and second(table.folder) == []


def test_the_first_has_the_seat_and_the_second_is_told(table: Correspondence) -> None:
    table.moderate("invite", "--open", "louis")
    offer = table.sent(OFFER.format("louis"))
    assert "anybody may take" in Path(offer.replace(".invitation.yaml", ".txt")).read_text("utf-8").casefold()
    assert "join " in table.run(offer, as_="ada").stdout
    assert asks(table, "ada") == []
    assert player_of(table, "louis") == "Ada"
    assert "E-JOIN-TAKEN" in asks(table, "ben")
    table.moderate("adjudicate")
    table.moderate("close", "--why", "enough")
    assert is_sound(table)


def test_a_withdrawn_offer_is_worth_nothing(table: Correspondence) -> None:
    table.moderate("invite", "--open", "louis")
    shutil.copy(table.sent(OFFER.format("louis")), table.root / "old.yaml")
    assert "louis" in table.moderate("invite", "--withdraw", "louis").stdout
    assert asks(table, "ada") == ["E-JOIN-OPEN"]
    assert "E-INVITE-OPEN" in table.moderate("invite", "--withdraw", "louis", code=1).output  # .none
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    assert table.accept(f"join-{NAME}-louis.yaml")[0]["status"] == "final", "who was invited still is"


def test_nobody_takes_two_seats_with_one_key(table: Correspondence) -> None:
    table.moderate("invite", "--open", "louis")
    table.run("join", table.sent(OFFER.format("louis")), "--name", "F", "-o", "two.yaml", as_="frederick")
    (letter,) = table.accept("two.yaml")
    assert [fault["code"] for fault in letter["faults"] if fault["code"].startswith("E-")] == ["E-JOIN-OPEN"]  # .key
    assert asks(table, "ada") == []


def test_a_full_campaign_offers_no_seat(table: Correspondence) -> None:
    assert "E-JOIN-TAKEN" in table.moderate("invite", "--open", "frederick", code=1).output
    table.moderate("invite", "--open", "louis", "--address", "louis=a@example.org", code=2)


def test_a_seat_of_a_running_game_goes_to_who_asks_first(running: Correspondence, tmp_path: Path) -> None:
    table = running.copied(tmp_path / "table")
    assert "E-INVITE-OPEN" in table.moderate("invite", "--open", "louis", code=1).output  # .why
    table.moderate("invite", "--open", "louis", "--why", "Louis has gone")
    told = Path(table.sent(OFFER.format("louis")).replace(".invitation.yaml", ".txt")).read_text("utf-8")
    assert "The game runs already" in " ".join(told.split())
    assert asks(table, "ada") == []
    assert player_of(table, "louis") == "Ada"
    entries = len(list((table.folder / "ledger").iterdir()))
    assert table.taken("ada-louis.yaml")["seen before"] == 1
    assert len(list((table.folder / "ledger").iterdir())) == entries, "the same letter again does nothing"
    assert "E-JOIN-OPEN" in asks(table, "ben")
    assert player_of(table, "louis") == "Ada"
    table.moderate("post")
    table.run(table.sent("louis.report.yaml"), as_="ada")
    sheet = table.root / "sheet.yaml"
    sheet.write_bytes(Path(table.sent("louis.orders.yaml")).read_bytes())
    table.run("sign", str(sheet), as_="ada")
    assert table.accept(str(sheet))[0]["status"] in ("final", "partial")
    table.moderate("close", "--why", "enough")
    assert is_sound(table)


def test_a_moderator_keeps_their_own_seat(tmp_path: Path) -> None:
    table = Correspondence(tmp_path, seats=())
    table.begin("--moderator-seat", "louis")
    assert "E-INVITE-OPEN" in table.moderate("invite", "--open", "louis", code=1).output  # .moderator


def test_a_taken_seat_is_offered_no_more_when_the_game_begins(table: Correspondence) -> None:
    """The file of an offer is worth nothing once somebody has the seat."""
    table.moderate("invite", "--open", "louis")
    assert asks(table, "ada") == []
    table.moderate("adjudicate")
    assert "E-JOIN-OPEN" in asks(table, "ben")
    assert player_of(table, "louis") == "Ada"


def test_the_newcomer_gets_the_mails_and_the_former_player_is_told(running: Correspondence, tmp_path: Path) -> None:
    table = running.copied(tmp_path / "table")
    addresses = ("moderator=max@example.org", "louis=lou@example.org")
    table.moderate("invite", *(word for each in addresses for word in ("--address", each)))
    table.moderate("invite", "--open", "louis", "--why", "Louis has gone")
    assert "example.org" not in Path(table.sent(OFFER.format("louis"))).read_text("utf-8")
    mails = []
    for who in ("ada", "ben"):
        table.run("join", table.sent(OFFER.format("louis")), "--name", who.title(), "-o", f"{who}.yaml", as_=who)
        head = f"From: {who}@example.org\nTo: max@example.org\nMessage-ID: <{who}@example.org>\nSubject: {NAME}\n\n"
        (table.root / f"{who}.eml").write_text(head + (table.root / f"{who}.yaml").read_text("utf-8"), "utf-8")
        mails.append(f"{who}.eml")
    taken, refused = table.accept(*mails)
    assert (taken["status"], refused["status"]) == ("final", "refused")
    outbox = {path.name: path.read_text("utf-8") for path in (table.folder / "outbox").glob("*/*.eml")}
    to = {name: text.partition("\nTo: ")[2].partition("\n")[0] for name, text in outbox.items()}
    assert {name: each for name, each in to.items() if "ada@" in each}, to
    assert any("lou@example.org" in each and "louis-moved" in name for name, each in to.items()), to
    assert any("ben@example.org" in each for each in to.values()), to
    assert not any("ada@" in to[name] and "E-JOIN" in text for name, text in outbox.items()), "Ada asked for nothing"
    assert table.accept(*mails) == [], "both were answered"
