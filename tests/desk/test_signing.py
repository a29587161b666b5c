"""Letters that are signed at the desk: their numbers are those that a moderator takes."""

from __future__ import annotations

import base64
import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.desk.bridge import Bridge
from pbem.desk.opening import open_file
from pbem.faults.wrong import wrong
from tests.cli.correspondence import Correspondence
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask
from tests.desk.test_hosting import WITHOUT_MAIL_PROGRAM
from tests.desk.test_motions import desk_of
from tests.desk.test_sealing import begun, begun_with_sealed_reports, ordered


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    return begun(tmp_path_factory.mktemp("signing"))


def refused(bridge: Bridge) -> list[str]:
    """Sign what lies on the desk; gives the codes of what is wrong with it."""
    answer = json.loads(bridge.call("sign", "[]"))
    return [fault["code"] for fault in answer["refused"]]


def test_a_number_that_no_moderator_takes_is_told_and_not_signed(table: Correspondence) -> None:
    bridge, state = ordered(table, "louis")
    far = ask(bridge, "write", state["text"].replace("\nseq: 2\n", "\nseq: 1000000000\n"))
    assert [fault["code"] for fault in far["faults"]] == ["E-LETTER-SEQ"]
    assert refused(bridge) == ["E-LETTER-SEQ"]
    ask(bridge, "undo")
    assert ask(bridge, "sign")["signed"]


def numbers(state: Any) -> tuple[int, list[str]]:
    """Number of the letter on the desk, and the codes of its faults."""
    return yaml.safe_load(state["text"])["seq"], [fault["code"] for fault in state["faults"]]


def taken(table: Correspondence, text: str) -> str:
    """The moderator takes a letter; gives what became of it."""
    (table.root / "letter.yaml").write_text(text, "utf-8")
    (answer,) = table.accept("letter.yaml")
    status: str = answer["status"]
    return status


def test_orders_that_replace_signed_ones_get_the_next_number_and_count(tmp_path: Path) -> None:
    table = begun(tmp_path)
    bridge, before = ordered(table, "louis")
    first = ask(bridge, "sign")
    assert numbers(first) == (2, [])
    assert ask(bridge, "sign")["text"] == first["text"], "a letter that is signed is not signed anew"
    assert taken(table, first["text"]) == "final"
    # One undo takes the signature and the last order away.
    undone = ask(bridge, "undo")
    assert not undone["signed"]
    assert len(undone["orders"]) == len(before["orders"]) - 1
    again = ask(bridge, "redo")
    assert (again["text"], again["signed"]) == (before["text"], "")
    assert numbers(again) == (2, ["W-LETTER-SEQ"])
    changed = before["text"].replace("Maillebois: 1", "Maillebois: 2").replace("Broglie: 8", "Broglie: 7")
    assert numbers(ask(bridge, "write", changed)) == (2, ["W-LETTER-SEQ"])
    second = ask(bridge, "sign")
    assert numbers(second) == (3, [])
    # Nobody attaches one for the other.
    files = (first["file"], second["file"])
    assert files == ("vienna-1741-louis-1-setup-orders-2.yaml", "vienna-1741-louis-1-setup-orders-3.yaml")
    assert ask(bridge, "take_up", "plans")["file"] == "vienna-1741-louis-1-setup-plans-2.yaml"
    ask(bridge, "take_up", "orders")
    kept = ask(bridge, "kept")
    assert kept["sent"] == [2, 3]
    assert taken(table, second["text"]) == "final"
    # After a reload, too, no number is given twice.
    late, _ = ordered(table, "louis")
    ask(late, "restore", kept["drafts"], kept["chosen"], kept["sent"])
    ask(late, "write", before["text"])
    assert numbers(ask(late, "sign")) == (4, [])
    # What came later counts.
    table.round()
    open_file(late.desk, Path(table.sent("louis.report.yaml")).read_bytes(), "report")
    assert {each["name"]: each["troops"] for each in late.desk.state()["pieces"]}["Broglie"] == 7


def test_a_number_of_a_letter_of_another_kind_is_no_news(tmp_path: Path) -> None:
    table = begun(tmp_path)
    bridge, _ = ordered(table, "louis")
    ask(bridge, "propose", "draw", "", 3)
    assert numbers(ask(bridge, "sign")) == (2, [])
    # The orders have that number, too: they get the next one by themselves.
    assert numbers(ask(bridge, "take_up", "orders")) == (2, [])
    kept = ask(bridge, "kept")
    late, _ = ordered(table, "louis")
    assert numbers(ask(late, "restore", kept["drafts"], kept["chosen"], kept["sent"])) == (2, [])
    assert numbers(ask(late, "sign")) == (3, [])
    # Orders of which others may have been sent are to be sent again, and the page says so.
    ask(late, "undo")
    again = ask(late, "redo")
    assert numbers(again) == (3, ["W-LETTER-SEQ"])
    (fault,) = again["faults"]
    assert "with number 3" in fault["message"]
    assert "sign this one and send it, too: it gets number 4" in fault["message"]
    assert not fault["hint"]


def test_nothing_is_asked_of_the_next_stage_in_which_the_letter_would_not_count(tmp_path: Path) -> None:
    table = begun(tmp_path)
    for _ in range(4):
        table.round()
    bridge = desk_of(table, "maria-theresa")
    state: Any = bridge.desk.settle()
    assert [each["form"]["section"] for each in state["asked"]] == ["move"]
    ended = ask(bridge, "close")
    assert "Turn 2" in ended["stage"], "nobody else has anything to do"
    assert [each["form"]["section"] for each in ended["asked"] if not each["more"]] == []


def told(table: Correspondence, bridge: Bridge, name: str) -> list[dict[str, Any]]:
    """Faults that the page tells of the newest file of a name that the moderator has sent."""
    data = base64.b64encode(Path(table.sent(name)).read_bytes()).decode()
    found: list[dict[str, Any]] = json.loads(bridge.call("open", json.dumps([data, "file"])))["refused"]
    return found


def test_a_receipt_of_a_refused_letter_says_so_and_why(tmp_path: Path) -> None:
    table = begun_with_sealed_reports(tmp_path)
    bridge, before = ordered(table, "frederick")
    assert taken(table, ask(bridge, "sign")["text"]) == "final"
    name = "frederick-receipt-*.receipt.yaml"
    assert [each["message"] for each in told(table, bridge, name)] == [wrong("E-DESK-FILE.receipt").data()["message"]]
    ask(bridge, "write", re.sub(r"Schwerin: \d", "Schwerin: 9", before["text"]))
    assert taken(table, ask(bridge, "sign")["text"]) == "refused"
    said, *why = told(table, bridge, name)
    assert said["code"] == "E-DESK-FILE"
    assert "the letter was refused" in said["message"]
    assert "send it once more" in said["hint"]
    assert [(each["code"], each["message"], each["rule"]) for each in why] == [
        ("E-TROOPS-RANGE", "Schwerin cannot begin with 9", "§4")
    ]


def test_a_number_that_was_used_on_another_device_is_answered_by_signing_once_more(tmp_path: Path) -> None:
    table = begun_with_sealed_reports(tmp_path)
    here, before = ordered(table, "frederick")
    elsewhere, _ = ordered(table, "frederick")
    assert taken(table, ask(here, "sign")["text"]) == "final"
    ask(elsewhere, "write", before["text"].replace("Schwerin: 4", "Schwerin: 5").replace("Dessauer: 6", "Dessauer: 5"))
    assert taken(table, ask(elsewhere, "sign")["text"]) == "refused"
    said, why = told(table, elsewhere, "frederick-receipt-*.receipt.yaml")
    assert (said["code"], why["code"]) == ("E-DESK-FILE", "E-LETTER-SEQ")
    assert "take its signature back with ↶, sign it once more" in said["hint"]
    ask(elsewhere, "undo")
    again = ask(elsewhere, "sign")
    assert numbers(again) == (3, [])
    assert taken(table, again["text"]) != "refused"


PAINTED = "return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true))))"

PLACES = """
return ['copy', 'download', 'mail'].map((id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return [box.left, box.top];
});
"""


def assert_in_place(sitter: Sitter, before: list[list[float]]) -> None:
    """Assert that the buttons stand where they stood, up to the one pixel by which a column can be scrolled."""
    now = sitter.reader.run(PLACES)
    assert list(chain(*now)) == pytest.approx(list(chain(*before)), rel=0, abs=1)


def test_the_buttons_that_send_stay_when_a_message_goes_and_when_one_says_copied(
    sitter: Sitter, table: Correspondence
) -> None:
    sitter.open(table.sent("louis.report.yaml"))
    sitter.sign(str(table.root / "louis" / "key"))
    sitter.until(PAINTED)
    sitter.reader.run("document.getElementById('mail').scrollIntoView({block: 'end'})")
    sitter.until(PAINTED)
    before = sitter.reader.run(PLACES)
    height = sitter.reader.run(
        "notify(h('p', {}, 'A long message. '.repeat(30))); return document.getElementById('bar').offsetHeight"
    )
    sitter.until(PAINTED)
    assert_in_place(sitter, before)
    sitter.reader.run("notify()")
    sitter.until(f"return document.getElementById('bar').offsetHeight < {height}")
    sitter.until(PAINTED)
    assert_in_place(sitter, before)
    sitter.find("#copy").click()
    sitter.until("return document.getElementById('copy').textContent === 'Copied.'")
    assert_in_place(sitter, before)
    sitter.find("#download").click()
    told = sitter.find("#mail-to").text
    assert re.fullmatch(
        r"vienna-1741-louis-\S+\.yaml is in this browser's downloads\. It is not sent yet\. .*", told
    ), told
    seen = sitter.reader.run("return document.getElementById('mail-to').getBoundingClientRect().bottom <= innerHeight")
    assert seen, "all of it is in sight"


LINE = ".kept li:has(.go-on-with)"


def test_orders_that_are_marked_as_sent_stay_so_until_they_are_changed(sitter: Sitter, table: Correspondence) -> None:
    report = table.sent("frederick.report.yaml")
    sitter.open(report)
    sitter.find("#deal").click()
    sitter.until("return !document.getElementById('letter-sent').checkVisibility()")
    sitter.sign(str(table.root / "frederick" / "key"))
    assert "now send it" in sitter.find("#prompt").text
    sitter.until(PAINTED)
    before = sitter.reader.run(PLACES)
    sitter.find("#letter-sent").click()
    assert sitter.find("#prompt").text == "Your letter is marked as sent. Now wait for the next report."
    sitter.until(PAINTED)
    assert_in_place(sitter, before)
    sitter.reader.run("home()")
    sitter.until(f"return document.querySelector('{LINE}')")
    assert " · sent · " in sitter.find(f"{LINE} .note").text
    sitter.find(f"{LINE} .go-on-with").click()
    sitter.until("return document.getElementById('letter-sent')")
    assert sitter.find("#letter-sent").is_selected()
    # Another text is another letter, and it has not gone.
    sitter.find("#undo").click()
    assert not sitter.reader.run("return isSent()")
    sitter.reader.run("home()")
    sitter.until(f"return document.querySelector('{LINE}')")
    assert " · sent · " not in sitter.find(f"{LINE} .note").text
    assert sitter.reader.complaints() == []


def test_a_report_that_still_asks_for_the_letter_takes_the_mark_away(sitter: Sitter, tmp_path: Path) -> None:
    table = begun(tmp_path)
    sitter.open(table.sent("frederick.report.yaml"))
    sitter.find("#deal").click()
    sitter.sign(str(table.root / "frederick" / "key"))
    sitter.find("#letter-sent").click()
    assert sitter.reader.run("return isSent()")
    table.moderate("extend", "72h", "--why", "the letter of Frederick has not come")
    table.post()
    sitter.find("#another").click()
    sitter.find("#file").send_keys(table.sent("frederick.report.yaml"))
    sitter.until("return Boolean(sitting) && newer === null && !isSent()")
    assert "now send it" in sitter.find("#prompt").text
    told = sitter.find("#moved").text
    assert told.startswith("It was moved: the letter of Frederick has not come. Before, it was ")
    # It stands there after a reload, and goes with the next stage.
    sitter.reader.driver.refresh()
    sitter.until("return Boolean(window.desk && window.desk.ready && sitting)")
    assert sitter.find("#moved").text == told
    table.round()
    sitter.find("#another").click()
    sitter.find("#file").send_keys(table.sent("frederick.report.yaml"))
    sitter.until("return !document.getElementById('moved') && Boolean(document.querySelector('.who time'))")


def test_numbers_of_other_reports_leave_letters_that_have_gone_and_are_ignored_if_too_high(
    table: Correspondence,
) -> None:
    bridge, before = ordered(table, "louis")
    text = {"orders": before["text"]}
    ask(bridge, "restore", text, "orders")
    assert numbers(ask(bridge, "number_from", 5, ["orders"]))[0] == 2
    assert numbers(ask(bridge, "propose", "draw", "", 3))[0] == 6
    other, _ = ordered(table, "louis")
    ask(other, "restore", text, "orders")
    assert numbers(ask(other, "number_from", 5))[0] == 6
    for last, number in ((1001, 2), (1000, 1001)):
        high, _ = ordered(table, "louis")
        ask(high, "restore", text, "orders")
        assert numbers(ask(high, "number_from", last))[0] == number


def test_a_key_is_warned_of_only_if_it_is_not_the_seats(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("louis.report.yaml"))
    sitter.sign(str(table.root / "louis" / "key"))
    own = sitter.reader.run("return key")
    assert sitter.find("#key > p").text == f"Your key: {own}"
    assert not sitter.reader.driver.find_elements("css selector", "#key > p:not(:first-child)")
    sitter.find("#key-other").click()
    sitter.find("#key-file").send_keys(str(table.root / "frederick" / "key"))
    sitter.until("return Boolean(document.querySelector('#key [role=alert]'))")
    told = sitter.find("#key [role=alert]").text
    assert told.startswith("This report names another key as your seat's")
    assert told.endswith(own)
    # An older report names no key.
    sitter.reader.run("sitting.seat_key = ''; showKey(key)")
    assert sitter.find("#key .note").text.startswith("The report does not say which key is your seat's.")


def test_on_a_phone_the_page_of_an_invitation_stays_where_its_letter_is_mailed(sitter: Sitter, tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    sitter.hold_phone(360, 760)
    try:
        sitter.open(
            table.sent("louis-invitation.invitation.yaml"), "return Boolean(document.querySelector('form.join'))"
        )
        sitter.find("#key-file").send_keys(str(table.root / "louis" / "key"))
        sitter.until("return !document.getElementById('sign').disabled")
        sitter.find("#name").send_keys("Louis")
        sitter.find("#sign").click()
        sitter.until("return !document.querySelector('#text').hidden")
        sitter.reader.run(WITHOUT_MAIL_PROGRAM)
        sitter.reader.run("document.getElementById('mail').scrollIntoView({block: 'center'})")
        sitter.tap(sitter.middle("#mail"))
        sitter.until("return Boolean(window.handed)")
        told = sitter.find("#mail-to").text
        assert told.startswith("Your mail program begins a mail") or "is in this browser's downloads" in told
        top, bottom, height = sitter.reader.run(
            "return [document.getElementById('mail').getBoundingClientRect().top,"
            " document.getElementById('mail-to').getBoundingClientRect().bottom, innerHeight]"
        )
        assert 0 < top < bottom <= height, "the button is still in sight, and below it the next step"
    finally:
        sitter.put_phone_away()
