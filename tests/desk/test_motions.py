"""Proposals, votes, the bank of time and open seats at the desk, by clicks alone."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from selenium.webdriver.support.select import Select

from pbem.campaign.ledger.proposal_facts import Proposal
from pbem.campaign.ledger.proposals import SUBJECTS
from pbem.desk.bridge import Bridge
from pbem.desk.motions import topic_of
from pbem.desk.opening import accept, open_file
from pbem.seal.keys import load_private
from pbem.site.archive import SiteWords
from tests.cli.correspondence import NAME, SEATS, Correspondence
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask

PLAN = """\
campaign: vienna-1741
game: maria
scenario: introductory
conduct: {votes: majority}
clock: {delay: 0m, bank: {start: 5d, add: 1d, most: 6d}}
"""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign in which seats vote and have time in a bank."""
    table = Correspondence(tmp_path_factory.mktemp("motions"))
    (table.root / "plan.yaml").write_text(PLAN)
    table.begin("--from", "plan.yaml")
    table.join()
    return table


@pytest.fixture
def table(begun: Correspondence, tmp_path: Path) -> Correspondence:
    return begun.copied(tmp_path / "table")


@pytest.fixture
def phone(sitter: Sitter) -> Iterator[Sitter]:
    sitter.hold_phone()
    yield sitter
    sitter.put_phone_away()


def press(sitter: Sitter, selector: str) -> None:
    """Click something that may lie out of sight."""
    element = sitter.find(selector)
    sitter.reader.run("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def sent(sitter: Sitter, table: Correspondence, seat: str) -> str:
    """Sign what lies on the desk, and have the moderator take it; gives the letter."""
    letter = sitter.sign(str(table.root / seat / "key"))
    (table.root / "motion.yaml").write_text(letter, "utf-8")
    (answer,) = table.accept("motion.yaml")
    assert answer["status"] == "final", answer
    return letter


def test_a_seat_proposes_and_another_votes(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("louis.report.yaml"))
    assert sitter.find("#bank").text == "Time in your bank: 5 days"
    assert sitter.find("#voting").text == ""
    press(sitter, "#propose summary")
    Select(sitter.find("#motion-subject")).select_by_value("time")
    sitter.find("#motion-time").clear()
    sitter.find("#motion-time").send_keys("2")
    press(sitter, "#propose .take")
    assert sitter.find("#prompt").text == "This letter gives no orders: sign it and send it.\nBack to your orders"
    assert sitter.reader.run("return state.faults") == []
    sitter.find("#done").click()
    told = "Your proposal is written: now sign the letter, then send it.\nBack to your orders"
    assert sitter.find("#prompt").text == told
    letter = sent(sitter, table, "louis")
    report = table.sent("louis.report.yaml")
    table.run("propose", "time", "2", "--days", "7", "--report", report, "-o", "by-command.yaml", as_="louis")
    assert (table.root / "by-command.yaml").read_text("utf-8") == letter
    # The orders lie there as before, and get the next number.
    sitter.reader.run("arguments[0].scrollIntoView({block: 'center'})", sitter.find("#draft-orders"))
    sitter.find("#draft-orders").click()
    assert "kind: orders" in sitter.text()
    sitter.find("#draft-proposal").click()
    assert "kind: proposal" in sitter.text()
    table.post()
    sitter.open(table.sent("louis.report.yaml"))
    assert "kind: orders" in sitter.text(), "what is asked comes before what was proposed"

    sitter.open(table.sent("frederick.report.yaml"))
    assert sitter.find("#voting").text == "To vote on: 1"
    sitter.find("#voting button").click()
    told = sitter.find("#motions li").text
    assert "Louis proposes to move the deadline by 2 days." in told
    assert "For it: Louis. Awaited when this was written: Maria Theresa, Frederick." in told
    assert sitter.reader.run("return document.activeElement.textContent") == "Yes"
    sitter.reader.driver.switch_to.active_element.click()
    assert "says: yes" in sitter.text()
    assert sitter.find("#vote-told").text == "You vote yes on: more time, 2 days (proposed by Louis)."
    at = "return document.getElementById(arguments[0]).getBoundingClientRect().top"
    assert sitter.reader.run(at, "vote-told") < sitter.reader.run(at, "sign"), "it is read before it is signed"
    assert sitter.find("#voting").text == ""
    sitter.find("#done").click()
    told = "Your vote is written: now sign the letter, then send it.\nBack to your orders"
    assert sitter.find("#prompt").text == told
    sent(sitter, table, "frederick")
    assert sitter.find("#prompt").text == "Your letter is signed: now send it.\nBack to your orders"
    sitter.find("#to-orders").click()
    assert "kind: orders" in sitter.text()
    assert sitter.find("#draft-vote").get_dom_attribute("aria-pressed") == "false"
    press(sitter, "#draft-vote")
    piece = "return state.pieces.find((each) => each.power === 'prussia' && each.city !== 'off').city"
    sitter.click_city(sitter.reader.run(piece))
    assert "kind: orders" in sitter.text(), "who chooses a piece goes on with the orders"
    assert "deadline is moved" in table.run("log", NAME).output or "extension" in table.run("log", NAME).output
    assert sitter.reader.complaints() == []


@pytest.mark.parametrize("language", ["de", "en", "es", "it"])
def test_every_subject_has_a_topic(language: str) -> None:
    about = {"seat": "frederick", "silent seat": "frederick", "days": "2", "span": "5d", "": ""}
    words = SiteWords(language, "maria")
    ends = (words.player("frederick"), "days", "Tage", "días", "giorni")
    for subject, facts in SUBJECTS.items():
        proposal = Proposal(7, "7-abc", "louis", subject, about[facts.about], "", {})
        told, by = topic_of(proposal, language, "maria").split(" (")
        assert by.endswith(f"{words.player('louis')})")
        assert not facts.about or told.endswith(ends)


def test_an_agreement_that_is_offered_is_signed_at_the_desk(sitter: Sitter, table: Correspondence) -> None:
    report = table.sent("louis.report.yaml")
    table.run("agree", "frederick", "Leave Saxony alone", "--report", report, "-o", "agreed.yaml", as_="louis")
    table.accept("agreed.yaml")
    (offer,) = table.folder.glob("outbox/*/frederick-offer-*.agreement.yaml")
    sitter.open(table.sent("frederick.report.yaml"))
    sitter.reader.run(
        "openBytes(bytesOf(arguments[0]), 'agreement.yaml')", base64.b64encode(offer.read_bytes()).decode()
    )
    sitter.until("return state.kind === 'agreement'")
    assert sitter.reader.run("return [state.faults, isOfAnotherKind()]") == [[], False]
    assert sitter.find("#draft-agreement").text == "Agreement"
    sent(sitter, table, "frederick")
    assert "kind: agreement" in sorted((table.folder / "ledger").glob("*.yaml"))[-1].read_text()


def test_on_a_phone_a_vote_is_two_taps_from_the_bar_and_what_was_proposed_is_withdrawn(
    phone: Sitter, table: Correspondence
) -> None:
    table.run("propose", "draw", "--report", table.sent("louis.report.yaml"), "-o", "draw.yaml", as_="louis")
    table.accept("draw.yaml")
    table.post()
    phone.open(table.sent("maria-theresa.report.yaml"))
    phone.tap(phone.middle("#voting button"))
    phone.until("return document.getElementById('side').getAnimations().length === 0")
    phone.tap(phone.middle("#motions .says:last-child"))
    phone.until("return state.kind === 'vote'")
    assert "says: no" in phone.text()
    assert phone.find("#vote-told").text == "You vote no on: a draw (proposed by Louis)."
    # What is thrown away leaves the orders.
    press(phone, "#drop")
    phone.until("return state.kind === 'orders'")
    assert phone.find("#vote-told").text == ""
    assert not phone.reader.driver.find_elements("css selector", "#draft-vote")
    phone.open(table.sent("louis.report.yaml"))
    assert phone.find("#voting").text == ""
    phone.raise_sheet()
    press(phone, "#motions .says")
    phone.until("return state.kind === 'vote'")
    assert phone.find("#vote-told").text == "You withdraw your proposal: a draw (proposed by Louis)."
    sent(phone, table, "louis")
    table.post()
    phone.open(table.sent("louis.report.yaml"))
    assert phone.reader.run("return sitting.motions.open") == []
    # The end of the proposal stands in the bar.
    phone.open(table.sent("maria-theresa.report.yaml"))
    assert phone.find("#voting").text == ""
    assert "Louis withdraws" in phone.find("#came").text


def test_a_proposal_on_a_later_report_is_numbered_above_the_one_before(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("louis.report.yaml"))
    # Of this number the next report knows nothing: it tells that of the orders.
    sitter.reader.run("change('propose', 'draw', '', 3); change('write', state.text.replace(/seq: 2/, 'seq: 9'))")
    first = yaml.safe_load(sent(sitter, table, "louis"))["seq"]
    table.post()
    (name,) = [each.name for each in desk_of(table, "frederick").desk.sitting().motions.open]  # type: ignore[union-attr]
    table.run("vote", name, "no", "--report", table.sent("frederick.report.yaml"), "-o", "no.yaml", as_="frederick")
    table.accept("no.yaml")
    table.round()
    # Opened in the same browser as the report before.
    sitter.find("#another").click()
    sitter.find("#file").send_keys(table.sent("louis.report.yaml"))
    sitter.until("return sitting?.stage.includes('hussars')")
    assert "voted no on the proposal" in sitter.find("#came").text
    sitter.find("#done").click()
    assert "now sign the letter" not in sitter.find("#prompt").text, "nothing was written"
    assert yaml.safe_load(sitter.text())["seq"] == first + 1 == 10
    sitter.reader.run("change('propose', 'standing', '', 3); forgetKey()")
    assert yaml.safe_load(sent(sitter, table, "louis"))["seq"] == 10
    # It is remembered when the reports before have been thrown away.
    sitter.reader.run("keptGames().filter((each) => each.id !== ask('kept').id).forEach(discardKept)")
    sitter.reader.driver.refresh()
    sitter.until("return Boolean(window.desk && window.desk.ready && sitting)")
    assert sitter.reader.run("return ask('kept').last_before") == first
    assert sitter.reader.complaints() == []


def desk_of(table: Correspondence, seat: str) -> Bridge:
    """A desk on which the newest report of a seat lies."""
    bridge = Bridge("en")
    open_file(bridge.desk, Path(table.sent(f"{seat}.report.yaml")).read_bytes(), "report")
    accept(bridge.desk)
    bridge.desk.key = load_private((table.root / seat / "key").read_bytes(), None)
    return bridge


def test_a_proposal_is_kept_and_every_letter_gets_a_number_of_its_own(table: Correspondence) -> None:
    bridge = desk_of(table, "louis")
    first: Any = ask(bridge, "propose", "concede", "frederick", 3)
    body = yaml.safe_load(first["text"])["body"]
    assert body == {"subject": "concede", "about": "frederick", "days": 3}
    kept = ask(bridge, "kept")
    seq = yaml.safe_load(ask(bridge, "sign")["text"])["seq"]
    ask(bridge, "propose", "draw", "", 0)
    assert yaml.safe_load(ask(bridge, "sign")["text"])["seq"] == seq + 1
    ask(bridge, "take_up", "orders")
    assert yaml.safe_load(ask(bridge, "sign")["text"])["seq"] == seq + 2
    again = desk_of(table, "louis")
    state = ask(again, "restore", kept["drafts"], kept["chosen"])
    assert state["text"] == first["text"]
    assert state["kind"] == "proposal"
    assert ask(again, "drop")["kind"] == "orders"


BOARD = ("stage", "over", "is_news", "pieces", "went", "fortresses", "hands", "hungry")
"""Parts of the state of the desk that the board shows."""


def test_the_board_stays_as_ordered_while_something_is_proposed(table: Correspondence) -> None:
    bridge = desk_of(table, "louis")
    start = ask(bridge, "close")
    ordered = ask(bridge, "deal")
    proposing = ask(bridge, "propose", "draw", "", 3)
    assert ordered["pieces"] != start["pieces"]
    assert [proposing[part] for part in BOARD] == [ordered[part] for part in BOARD]
    assert (proposing["asked"], proposing["orders"], proposing["draft"]) == ([], {}, "proposal")
    # Of two drafts of orders the one that was seen last stays on the board.
    ask(bridge, "take_up", "second")
    other = ask(bridge, "undo")
    assert other["pieces"] == start["pieces"]
    assert ask(bridge, "take_up", "proposal")["pieces"] == start["pieces"]
    assert ask(bridge, "drop")["pieces"] == ordered["pieces"]


def test_numbers_of_letters_that_may_have_been_sent_outlast_a_reload(table: Correspondence) -> None:
    bridge = desk_of(table, "louis")
    for subject in ("draw", "standing"):
        ask(bridge, "propose", subject, "", 3)
        seq = yaml.safe_load(ask(bridge, "sign")["text"])["seq"]
    ask(bridge, "drop")
    kept = ask(bridge, "kept")
    assert kept["sent"] == [seq - 1, seq]
    again = desk_of(table, "louis")
    ask(again, "restore", kept["drafts"], kept["chosen"], kept["sent"])
    ask(again, "propose", "draw", "", 3)
    assert yaml.safe_load(ask(again, "sign")["text"])["seq"] == seq + 1
    assert ask(again, "kept")["sent"] == [*kept["sent"], seq + 1]


def test_the_page_judges_a_proposal_as_the_moderator_and_says_what_resigning_does(table: Correspondence) -> None:
    bridge = desk_of(table, "louis")
    assert [each["code"] for each in ask(bridge, "propose", "concede", "louis", 7)["faults"]] == ["E-PROPOSAL-ABOUT"]
    assert ask(bridge, "propose", "time", "3", 7)["faults"] == []
    sitting = bridge.desk.sitting()
    assert sitting.motions
    assert "the moderator invites somebody for your seat" in sitting.motions.resigning


def test_nothing_is_offered_on_which_nobody_has_agreed_to_vote(table: Correspondence, tmp_path: Path) -> None:
    other = Correspondence(tmp_path)
    other.begin()
    other.join()
    offered = {}
    for name, each in (("votes", table), ("none", other)):
        motions = desk_of(each, "louis").desk.sitting().motions
        assert motions
        assert motions.subjects.keys() == motions.about.keys()
        offered[name] = set(motions.subjects)
    assert offered["votes"] - offered["none"] == {"time", "replace", "clock"}
    assert offered["none"] == {"draw", "standing", "concede", "resign"}


def test_whoever_is_silent_has_no_vote_on_that(table: Correspondence) -> None:
    table.now += timedelta(days=20)
    report = table.sent("frederick.report.yaml")
    table.run("propose", "replace", "louis", "--report", report, "-o", "replace.yaml", as_="frederick")
    table.accept("replace.yaml")
    table.post()
    found = {seat: desk_of(table, seat).desk.sitting().motions for seat in SEATS}
    assert {seat: motions and [each.votes for each in motions.open] for seat, motions in found.items()} == {
        "louis": [False],
        "frederick": [True],
        "maria-theresa": [True],
    }
    said = ask(desk_of(table, "maria-theresa"), "propose", "clock", "4d", 7)["text"]
    assert yaml.safe_load(said)["body"] == {"subject": "clock", "about": "4d", "days": 7}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Friedrich schlägt vor, das Spiel verloren zu geben und Ludwig gewinnen zu lassen."),
        ("es", "Federico propone dar la partida por ganada a Luis XV."),
        ("it", "Federico propone di dare la partita per vinta a Luigi XV."),
    ],
)
def test_proposals_are_told_in_the_reader_s_language(table: Correspondence, language: str, said: str) -> None:
    table.run(
        "propose", "concede", "louis", "--report", table.sent("frederick.report.yaml"), "-o", "f", as_="frederick"
    )
    table.accept("f")
    table.post()
    bridge = desk_of(table, "louis")
    ask(bridge, "speak", language)
    sitting = bridge.desk.sitting()
    assert sitting.motions
    (told,) = sitting.motions.open
    assert told.told.replace("\xa0", " ") == said
    assert sitting.bank[:1] == "5"
    assert set(sitting.motions.seats) == {*SEATS} - {"louis"}


@pytest.mark.parametrize("way", ["file", "link"])
def test_an_open_seat_is_taken_from_its_public_file(sitter: Sitter, tmp_path: Path, way: str) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    for seat in ("maria-theresa", "frederick"):
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
        table.accept(f"join-{NAME}-{seat}.yaml")
    table.moderate("invite", "--open", "louis")
    offer = table.sent("everybody-louis-invitation.invitation.yaml")
    if way == "file":
        sitter.open(offer, "return Boolean(document.querySelector('#name'))")
    else:
        sitter.home()
        press_down = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = press_down.compress(Path(offer).read_bytes()) + press_down.flush()
        sitter.reader.run("location.hash = arguments[0]", f"#i={base64.urlsafe_b64encode(packed).decode().rstrip('=')}")
        sitter.until("return Boolean(document.querySelector('#name'))")
    assert sitter.find("#open-seat").text == "Anybody may take this seat: whoever asks first has it."
    sitter.find("#key-file").send_keys(str(tmp_path / "louis/key"))
    sitter.until("return !document.getElementById('sign').disabled")
    sitter.find("#name").send_keys("Ada")
    sitter.find("#sign").click()
    (tmp_path / "join.yaml").write_text(sitter.text(), "utf-8")
    (answer,) = table.accept("join.yaml")
    assert answer["status"] in ("final", "taken"), answer
    assert "name: Ada" in (table.folder / "state.yaml").read_text("utf-8")


STANDING_OUT = (
    "return [...document.querySelectorAll('#bar .take:not(.later)')].map((each) => each.id || each.textContent)"
)


def test_only_what_goes_on_stands_out(sitter: Sitter, table: Correspondence) -> None:
    table.round()
    ordering = table.owing()[0]
    idle = next(seat for seat in SEATS if seat not in table.owing())
    sitter.open(table.sent(f"{idle}.report.yaml"))
    assert sitter.reader.run("return due().length") == 0
    assert sitter.reader.run(STANDING_OUT) == []
    sitter.open(table.sent(f"{ordering}.report.yaml"))
    sitter.answer_like_a_bot()
    sitter.end()
    assert sitter.reader.run("return [due().filter(isOpen).length, Object.keys(state.orders).length > 0]") == [0, True]
    assert sitter.reader.run(STANDING_OUT) == ["done"]
    table.run("propose", "standing", "--report", table.sent(f"{ordering}.report.yaml"), "-o", "more.yaml", as_=ordering)
    table.accept("more.yaml")
    table.post()
    sitter.open(table.sent(f"{idle}.report.yaml"))
    assert sitter.reader.run(STANDING_OUT) == [sitter.find("#voting").text]
    assert sitter.find("#done").value_of_css_property("background-color") == sitter.find("#bar").value_of_css_property(
        "background-color"
    )
