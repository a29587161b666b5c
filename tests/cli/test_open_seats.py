"""Open seats: an invitation in public, who gets the seat, and who does not; before the game and while it runs."""

from __future__ import annotations

import re
import shutil
from email import message_from_bytes
from email.policy import default
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
    told = table.moderate("accept", "two.yaml", code=1).stdout.splitlines()[0]
    assert "1:1 E-JOIN-OPEN and 1 more" in told, "the reason, and not the warning that it is a shared key"  # .key
    assert asks(table, "ada") == []


def test_a_full_campaign_offers_no_seat(table: Correspondence) -> None:
    assert "E-JOIN-TAKEN" in table.moderate("invite", "--open", "frederick", code=1).output
    table.moderate("invite", "--open", "louis", "--address", "louis=a@example.org", code=2)


def test_a_seat_of_a_running_game_goes_to_who_asks_first(running: Correspondence, tmp_path: Path) -> None:
    table = running.copied(tmp_path / "table")
    assert "E-INVITE-OPEN" in table.moderate("invite", "--open", "louis", code=1).output  # .why
    table.moderate("invite", "--open", "louis", "--why", "Louis has gone")
    told = Path(table.sent(OFFER.format("louis")).replace(".invitation.yaml", ".txt")).read_text("utf-8")
    assert "The game is already running" in " ".join(told.split())
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


def mailed(table: Correspondence, who: str, *options: str) -> str:
    """A mail with a stranger's letter for Louis."""
    table.run("join", table.sent(OFFER.format("louis")), *options, "-o", f"{who}.yaml", as_=who)
    head = f"From: {who}@example.org\nTo: max@example.org\nMessage-ID: <{who}@example.org>\nSubject: {NAME}\n\n"
    (table.root / f"{who}.eml").write_text(head + (table.root / f"{who}.yaml").read_text("utf-8"), "utf-8")
    return f"{who}.eml"


def answers_to(table: Correspondence, who: str) -> list[str]:
    """Subject, answered mail and body of all mails in the outbox to a stranger, in their order."""
    paths = sorted((table.folder / "outbox").glob("*/*.eml"))
    mails = [message_from_bytes(path.read_bytes(), policy=default) for path in paths]
    mine = [mail for mail in mails if f"{who}@example.org" in mail["To"]]
    bodies = [mail.get_body(("plain",)) for mail in mine]
    return [
        f"{mail['Subject']}\n{mail['In-Reply-To']}\n{body and body.get_content()}"
        for mail, body in zip(mine, bodies, strict=True)
    ]


def asking(table: Correspondence, *options: str) -> list[str]:
    """The mails of two strangers for an offer whose moderator chooses."""
    table.moderate("invite", "--address", "moderator=max@example.org")
    table.moderate("invite", "--open", "louis", "--choose", *options)
    mails = [mailed(table, "ada", "--name", "Ada", "--language", "de"), mailed(table, "ben", "--name", "Ben")]
    assert [letter["status"] for letter in table.accept(*mails)] == ["asked", "asked"]
    return mails


@pytest.mark.parametrize("phase", ["joining", "running"])
def test_the_moderator_chooses_among_those_who_ask_and_each_is_answered_once(
    table: Correspondence, running: Correspondence, tmp_path: Path, phase: str
) -> None:
    if phase == "running":
        table = running.copied(tmp_path / "running")
    mails = asking(table, *(("--why", "Louis has gone") if phase == "running" else ()))
    told = Path(table.sent(OFFER.format("louis")).replace(".invitation.yaml", ".txt")).read_text("utf-8")
    assert "the moderator chooses among those who ask" in " ".join(told.split())
    assert player_of(table, "louis") not in ("Ada", "Ben")
    entries = len(list((table.folder / "ledger").iterdir()))
    listed = table.json("choose", "louis", "-C", NAME, as_="moderator")["askers"]
    assert [(each["number"], each["name"], each["language"]) for each in listed] == [(1, "Ada", "de"), (2, "Ben", "en")]
    assert {each["since"] for each in listed} == {"2026-11-21T12:00:00Z"}
    assert "2. Ben, since 2026-11-21" in table.moderate("choose", "louis").stdout
    assert (len(answers_to(table, "ada")), len(answers_to(table, "ben"))) == (1, 1)
    assert "Bewerbung um einen Platz" in answers_to(table, "ada")[0]
    assert table.accept(*mails) == [], "the same mailbox asks no second time"
    assert len(list((table.folder / "ledger").iterdir())) == entries, "nobody is named in the ledger"
    given = table.json("choose", "louis", "ben", "-C", NAME, as_="moderator")
    assert (given["seat"], given["name"]) == ("louis", "Ben")
    assert player_of(table, "louis") == "Ben"
    (_, declined), (_, chosen) = answers_to(table, "ada"), answers_to(table, "ben")
    assert "Platz nicht bekommen" in declined
    assert "<ada@example.org>" in declined
    assert "letter taken" in chosen
    assert "Ben" not in declined, "who has the seat is told by the reports"
    entries = len(list((table.folder / "ledger").iterdir()))
    assert table.accept(*mails) == []
    assert len(list((table.folder / "ledger").iterdir())) == entries
    assert "E-CHOOSE-SEAT" in table.moderate("choose", "louis", "ada", code=1).output
    if phase == "joining":
        table.moderate("adjudicate")
    table.moderate("close", "--why", "enough")
    assert is_sound(table)


def test_who_is_not_among_them_is_not_chosen(table: Correspondence) -> None:
    assert "E-CHOOSE-SEAT" in table.moderate("choose", "louis", code=1).output
    table.moderate("invite", "--choose", code=2)
    asking(table)
    before = table.files()
    for name, key in (("ada-two", "Ada"), ("cid", "Ben")):
        table.run("key", "new", "--no-passphrase", as_=name)
        table.accept(mailed(table, name, "--name", key))
    assert "E-CHOOSE-NAME" in table.moderate("choose", "louis", "Zoe", code=1).output
    assert "several who have asked" in table.moderate("choose", "louis", "Ada", code=1).output
    assert before.keys() <= table.files().keys()
    assert "E-INVITE-OPEN" in table.moderate("invite", "--open", "louis", code=1).output  # .otherwise
    table.run("join", table.sent(OFFER.format("louis")), "--name", "Adele", "-o", "again.yaml", as_="ada")
    (letter,) = table.accept("again.yaml")
    assert [fault["code"] for fault in letter["faults"]] == ["E-JOIN-OPEN"]  # .asked
    assert table.json("choose", "louis", "1", "-C", NAME, as_="moderator")["name"] == "Ada"
    for who in ("ben", "ada-two", "cid"):
        assert len(answers_to(table, who)) == 2, who


@pytest.mark.parametrize("called", ["1", "#1", "1.", "fingerprint", "bare fingerprint"])
def test_nobody_s_name_keeps_another_from_being_chosen(
    table: Correspondence, called: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ledgers and vaults of earlier programs may know such names.
    monkeypatch.setattr("pbem.campaign.letters.joining.wrong_with_name", lambda name, others: None)
    monkeypatch.setattr("pbem.player.writing.wrong_with_name", lambda name, others: None)
    asking(table)
    (ada, *_) = table.json("choose", "louis", "-C", NAME, as_="moderator")["askers"]
    fingerprint = ada["key"]
    for number, name in enumerate(("1", "#1", "1.", "Ada", fingerprint, fingerprint.partition(":")[2])):
        who = f"rival{number}"
        table.run("key", "new", "--no-passphrase", as_=who)
        table.accept(mailed(table, who, "--name", name))
    chosen = {"fingerprint": fingerprint, "bare fingerprint": fingerprint.partition(":")[2]}.get(called, called)
    given = table.json("choose", "louis", chosen, "-C", NAME, as_="moderator")
    assert given["name"] == "Ada"
    key = (table.root / "ada" / "key.pub").read_text("utf-8").split()[1]
    state = (table.folder / "state.yaml").read_text("utf-8")
    assert key in state.replace("\\\n      ", ""), "the key may be broken into lines"
    assert is_sound(table)


def test_a_number_is_never_taken_for_a_name(table: Correspondence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.campaign.letters.joining.wrong_with_name", lambda name, others: None)
    monkeypatch.setattr("pbem.player.writing.wrong_with_name", lambda name, others: None)
    asking(table)
    table.run("key", "new", "--no-passphrase", as_="cid")
    table.accept(mailed(table, "cid", "--name", "7"))
    assert "E-CHOOSE-NAME" in table.moderate("choose", "louis", "7", code=1).output


def test_who_has_another_seat_meanwhile_cannot_be_chosen(running: Correspondence, tmp_path: Path) -> None:
    table = running.copied(tmp_path / "table")
    asking(table, "--why", "Louis has gone")
    table.moderate("substitute", "frederick", "--new-key", "ada/key.pub", "--why", "gone")
    before = table.files()
    assert "E-JOIN-OPEN" in table.moderate("choose", "louis", "1", code=1).output  # .key
    after = table.files()
    assert {name for name in after if after[name] != before.get(name)} <= {"secret.age", "state.yaml"}
    table.moderate("choose", "louis", "2")
    assert player_of(table, "louis") == "Ben"
    assert is_sound(table)


def test_a_withdrawn_choice_is_told_to_all_who_asked(table: Correspondence) -> None:
    mails = asking(table)
    table.moderate("invite", "--withdraw", "louis")
    assert [len(answers_to(table, who)) for who in ("ada", "ben")] == [2, 2]
    assert "you have not got the seat" in answers_to(table, "ben")[1]
    assert table.accept(*mails) == [], "they were answered"


def test_who_was_left_without_an_answer_gets_it_by_the_next_command(
    table: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails = asking(table)
    with monkeypatch.context() as killed:
        killed.setattr("pbem.moderator.open_seats.answer_askers", lambda campaign: [])
        table.moderate("invite", "--withdraw", "louis")
    assert [len(answers_to(table, who)) for who in ("ada", "ben")] == [1, 1]
    assert table.accept(*mails) == []
    assert "you have not got the seat" in answers_to(table, "ben")[1]
    assert [len(answers_to(table, who)) for who in ("ada", "ben")] == [2, 2]


def test_who_was_invited_in_person_ends_the_choice(table: Correspondence) -> None:
    asking(table)
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    table.accept(f"join-{NAME}-louis.yaml")
    assert "you have not got the seat" in answers_to(table, "ben")[1]
    assert "E-CHOOSE-SEAT" in table.moderate("choose", "louis", "1", code=1).output


def test_no_more_people_can_ask_than_a_moderator_reads(table: Correspondence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.campaign.play.open_seats.MOST_ASKERS", 2)
    asking(table)
    table.run("key", "new", "--no-passphrase", as_="cid")
    assert asks(table, "cid") == ["E-JOIN-OPEN"]  # .many


@pytest.mark.parametrize("phase", ["joining", "running"])
def test_behind_masks_a_choice_names_nobody(tmp_path: Path, phase: str) -> None:
    table = Correspondence(tmp_path)
    table.begin("--masks", "until the close")
    for who in ("ada", "ben"):
        table.run("key", "new", "--no-passphrase", "--comment", f"{who}s key", as_=who)
    seats = ("maria-theresa", "frederick", *(("louis",) if phase == "running" else ()))
    for seat in seats:
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
        table.accept(f"join-{NAME}-{seat}.yaml")
    if phase == "running":
        table.moderate("adjudicate")
    asking(table, *(("--why", "Louis has gone") if phase == "running" else ()))
    assert table.json("choose", "louis", "Ben", "-C", NAME, as_="moderator")["name"] == "Ben"
    assert [len(answers_to(table, who)) for who in ("ada", "ben")] == [2, 2]
    assert "letter taken" in answers_to(table, "ben")[1]
    public = b" ".join(path.read_bytes() for path in (table.folder / "ledger").iterdir())
    # Whole words: three letters occur in a signature by chance.
    assert not re.findall(rb"\b(?:Ada|Ben|adas key|bens key|example\.org)\b", public)
    if phase == "joining":
        table.moderate("adjudicate")
    table.moderate("close", "--why", "enough")
    assert is_sound(table)
