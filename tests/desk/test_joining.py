"""The page of an invitation: its letter is kept as letters that answer reports are, with what was typed beside it."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from pbem.desk.bridge import Bridge
from tests.cli.correspondence import Correspondence
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask

OFFERED = "return Boolean(document.querySelector('form.join'))"
READY = "return Boolean(window.desk && window.desk.ready)"
IN_LIST = ".kept .go-on-with"
STATE = "#join-state"


def invitation(table: Correspondence, seat: str = "louis") -> str:
    return table.sent(f"{seat}-invitation.invitation.yaml")


def reload(sitter: Sitter) -> None:
    """Load the page anew; the key is forgotten by that."""
    sitter.reader.driver.refresh()
    sitter.until(READY)
    sitter.until(OFFERED)


def write_letter(sitter: Sitter, table: Correspondence, called: str) -> str:
    """Write the letter that takes the seat; gives its text."""
    for choice in sitter.reader.driver.find_elements("css selector", "#key-file"):
        choice.send_keys(str(table.root / "louis/key"))
    sitter.until("return !document.getElementById('sign').disabled")
    sitter.find("#name").send_keys(called)
    sitter.find("#sign").click()
    sitter.until("return !document.querySelector('#text').hidden")
    return sitter.text()


def test_an_invitation_tells_which_letter_takes_its_seat(table: Correspondence) -> None:
    bridge = Bridge("en")
    files = {seat: Path(invitation(table, seat)).read_bytes() for seat in ("louis", "frederick")}
    labels = {
        seat: ask(bridge, "open", base64.b64encode(data).decode(), "it")["invited"]["label"]
        for seat, data in files.items()
    }
    assert labels["louis"].startswith("vienna-1741.louis.join.")
    assert labels["louis"].rpartition(".")[2] != labels["frederick"].rpartition(".")[2]


def test_the_name_and_the_letter_are_there_after_a_reload(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(invitation(table), OFFERED)
    sitter.find("#name").send_keys("Lou le Bien-Aimé")
    sitter.choose("form.join select", "it")
    reload(sitter)
    assert sitter.reader.run("return document.getElementById('name').value") == "Lou le Bien-Aimé"
    assert sitter.reader.run("return document.querySelector('form.join select').value") == "it"
    assert not sitter.find("#text").is_displayed()
    assert not sitter.find(STATE).is_displayed()
    letter = write_letter(sitter, table, " XV")
    assert "name: Lou le Bien-Aimé XV\n" in letter
    reload(sitter)
    assert sitter.text() == letter
    assert sitter.find("#text").is_displayed()
    assert "send it" in sitter.find(STATE).text
    # In another language it is the same page.
    sitter.choose(".languages", "de")
    assert sitter.text() == letter
    assert "schicke ihn" in sitter.find(STATE).text
    sitter.choose(".languages", "en")
    assert sitter.reader.complaints() == []


def test_the_first_page_leads_to_a_letter_that_was_not_sent(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(invitation(table), OFFERED)
    letter = write_letter(sitter, table, "Louis")
    sitter.find("#join-sent").click()
    sitter.find("#join-sent").click()
    sitter.find(".welcome > .buttons button").click()
    assert sitter.find(IN_LIST).text == "vienna-1741: Louis"
    assert "not sent yet" in sitter.find(".kept li:has(.go-on-with) .note").text
    sitter.find(IN_LIST).click()
    sitter.until(OFFERED)
    assert sitter.text() == letter
    assert "send it" in sitter.find(STATE).text
    sitter.find("#join-sent").click()
    assert "send it" not in sitter.find(STATE).text
    sitter.find(".welcome > .buttons button").click()
    assert "sent" in sitter.find(".kept li:has(.go-on-with) .note").text
    assert "not sent yet" not in sitter.find(".kept li:has(.go-on-with) .note").text
    # The invitation itself leads there, too.
    sitter.find("#file").send_keys(invitation(table))
    sitter.until(OFFERED)
    assert sitter.text() == letter
    assert sitter.find("#join-sent").is_selected()
    assert "the moderator sends you the first report" in sitter.find(STATE).text
    # Another letter has not been sent.
    letter = write_letter(sitter, table, " XV")
    assert not sitter.find("#join-sent").is_selected()
    assert "name: Louis XV\n" in letter


def test_the_letter_is_put_away_once_a_report_comes_for_its_seat(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(invitation(table), OFFERED)
    write_letter(sitter, table, "Louis")
    sitter.find(".welcome > .buttons button").click()
    sitter.find("#file").send_keys(invitation(table, "frederick"))
    sitter.until(OFFERED)
    sitter.find("#name").send_keys("Fritz")
    sitter.find(".welcome > .buttons button").click()
    sitter.find("#file").send_keys(table.sent("louis.report.yaml"))
    sitter.until("return Boolean(sitting)")
    sitter.find("#another").click()
    found = sitter.reader.run("return keptGames().map((each) => [each.kind, each.title])")
    assert found == [["report", "vienna-1741: Louis"], ["join", "vienna-1741: Frederick"]]


@pytest.mark.parametrize("damage", [{"file": 1}, {"called": None}, {"drafts": {"join": 2}}, {"is_sent": "yes"}])
def test_a_damaged_note_of_a_letter_is_none(sitter: Sitter, table: Correspondence, damage: dict[str, object]) -> None:
    sitter.open(invitation(table), OFFERED)
    sitter.find("#name").send_keys("Lou")
    sitter.reader.run(
        "const [name] = storedBelow(KEPT), note = JSON.parse(stored(name));"
        "store(name, JSON.stringify({...note, ...JSON.parse(arguments[0])}));",
        json.dumps(damage),
    )
    sitter.find(".welcome > .buttons button").click()
    assert sitter.reader.run("return document.querySelectorAll('.go-on-with').length") == 0
