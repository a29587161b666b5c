"""Nothing is lost: what the page keeps in its browser, and one file with all of it."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from pbem.desk.draft import Draft
from pbem.desk.drafts import ORDERS, PROPOSAL, REVEAL, VOTE, Drafts
from pbem.desk.keeping import restore
from pbem.desk.opening import accept, open_file
from pbem.paper.documents.faults import Refused
from pbem.playing.saved import GameFile
from pbem.seal.keys import load_private
from tests.cli.correspondence import Correspondence
from tests.desk.fields import attacks
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask

LEAVING = """
const event = new Event('beforeunload', {cancelable: true});
dispatchEvent(event);
return event.defaultPrevented;
"""
"""Tells if the page asks before it is closed."""


def marched(bridge: Bridge, state: Any) -> Any:
    """The first march that is open, written."""
    asked = next(each for each in state["asked"] if each["data"].get("marches"))
    march = next(each for each in asked["data"]["marches"] if each["to"])
    line = {" + ".join(march["pieces"]): march["to"][0]["city"]}
    return ask(bridge, "put", asked["power"], {asked["form"]["section"]: [line]})


def test_a_game_goes_on_from_what_was_kept(tmp_path: Path) -> None:
    bridge = Bridge("en")
    before = marched(bridge, ask(bridge, "play_now", "maria")["state"])
    kept = ask(bridge, "kept")
    other = Bridge("de")
    after = ask(other, "resume", kept["saved"], kept["drafts"], kept["chosen"])
    assert after["state"]["text"] == before["text"]
    assert after["state"]["pieces"] == before["pieces"]
    assert ask(other, "kept")["id"] == kept["id"]
    # It is the file of `pbem play`, and no other.
    (tmp_path / "maria.play").write_text(kept["saved"])
    setup, entries, _ = GameFile(tmp_path / "maria.play").load()
    assert setup.seat == "louis"
    assert entries


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda saved: saved[:-9], "E-PLAY-FILE"),
        (lambda saved: saved.replace('"digest":"', '"digest":"0'), "E-PLAY-VERSION"),
        (lambda saved: saved.replace('"game":"maria"', '"game":"maria","board":"none"'), "E-PLAY-FILE.terms"),
    ],
)
def test_a_game_that_somebody_has_altered_is_refused(damage: Any, code: str) -> None:
    bridge = Bridge("en")
    ask(bridge, "play_now", "maria")
    saved = damage(ask(bridge, "kept")["saved"])
    answer = json.loads(bridge.call("resume", json.dumps([saved, {}, "orders"])))
    assert [fault["code"] for fault in answer["refused"]] == [code.partition(".")[0]]


def test_letters_of_a_report_are_laid_out_again(table: Correspondence) -> None:
    bridge = Bridge("en")
    open_file(bridge.desk, Path(table.sent("frederick.report.yaml")).read_bytes(), "report")
    accept(bridge.desk)
    ask(bridge, "take_up", "plans")
    ask(bridge, "preset", "bold")
    ask(bridge, "take_up", "orders")
    ask(bridge, "deal")
    kept = ask(bridge, "kept")
    open_file(bridge.desk, Path(table.sent("frederick.report.yaml")).read_bytes(), "report")
    assert ask(bridge, "kept")["id"] == kept["id"]
    state = ask(bridge, "restore", kept["drafts"], kept["chosen"])
    assert "allot" in state["text"]
    assert {name: ask(bridge, "take_up", name)["text"] for name in kept["drafts"]} == kept["drafts"]


@pytest.mark.parametrize("name", [PROPOSAL, VOTE, REVEAL, "rubbish"])
def test_a_draft_that_only_a_player_writes_is_left_out_for_another_reader(name: str) -> None:
    drafts = Drafts(Draft.of_orders(), None)
    with pytest.raises(Refused, match="E-DESK-SEATLESS"):
        drafts.lay(name, "pbem 1\n")
    restore(drafts, {name: "pbem 1\n", ORDERS: "# mine\n"}, name)
    assert list(drafts.lying) == [ORDERS]
    assert drafts.top.text == "# mine\n"


def begin(sitter: Sitter) -> str:
    """A game with a march in the letter; return the letter."""
    sitter.home()
    sitter.find(".play-now[data-game=maria]").click()
    sitter.until("return Boolean(sitting)")
    sitter.march()
    return sitter.text()


def test_a_step_back_from_a_form_leads_to_the_start_page(sitter: Sitter) -> None:
    sitter.home()
    sitter.find("#table-new").click()
    sitter.until("return Boolean(document.getElementById('table-name'))")
    sitter.reader.driver.back()
    sitter.until("return Boolean(document.getElementById('table-new'))")
    # Nothing is left of the form: the next step back leaves a game for the start page, as ever.
    begin(sitter)
    sitter.reader.driver.back()
    sitter.until("return !sitting && Boolean(document.getElementById('table-new'))")


def test_the_way_home_says_that_the_game_stays_and_one_tap_on_a_phone_goes_on_with_it(
    sitter: Sitter, tmp_path: Path
) -> None:
    def told() -> set[str]:
        texts: list[str] = sitter.reader.run(
            "const button = document.getElementById('another');"
            "return [button.title, button.querySelector('.spoken').textContent];"
        )
        return {*texts}

    text = begin(sitter)
    assert told() == {"Start page. Your game stays, and you can go on with it from there"}
    sitter.hold_phone(360, 640)
    try:
        sitter.tap(sitter.middle("#another"))
        sitter.until("return !sitting && Boolean(document.querySelector('.go-on-with'))")
        assert (
            sitter.reader.run("return document.querySelector('.go-on-with, .play-now').className") == "take go-on-with"
        )
        assert sitter.reader.run("return document.querySelector('.go-on-with').getBoundingClientRect().bottom") < 640
        sitter.tap(sitter.middle(".go-on-with"))
        sitter.until("return Boolean(sitting)")
        assert sitter.text() == text
    finally:
        sitter.put_phone_away()
    # Of a position nothing is kept.
    (tmp_path / "field.yaml").write_bytes(attacks())
    sitter.open(str(tmp_path / "field.yaml"))
    assert told() == {"Start page"}


def test_a_game_goes_on_as_before_when_a_lesson_was_looked_at(sitter: Sitter) -> None:
    begin(sitter)
    asked = sitter.find("#prompt").text
    sitter.find("#another").click()
    sitter.find("[data-lesson]").click()
    sitter.until("return Boolean(sitting && learning)")
    sitter.find("#another").click()
    sitter.find(".go-on-with").click()
    sitter.until("return Boolean(sitting) && !learning")
    assert sitter.find("#prompt").text == asked
    assert sitter.find("#aim-show").is_displayed()
    assert sitter.reader.complaints() == []


def test_a_game_is_there_after_back_reload_and_a_new_tab(sitter: Sitter) -> None:
    driver = sitter.reader.driver
    text = begin(sitter)
    driver.back()
    sitter.until("return !sitting && Boolean(document.querySelector('.go-on-with'))")
    driver.forward()
    sitter.until("return Boolean(sitting)")
    assert sitter.text() == text
    driver.refresh()
    sitter.until("return Boolean(window.desk && window.desk.ready && sitting)")
    assert sitter.text() == text
    sitter.find("#another").click()
    assert "Turn 1" in sitter.find(".kept").text
    driver.get("about:blank")
    driver.get(sitter.page.as_uri())
    sitter.until("return Boolean(window.desk && window.desk.ready)")
    sitter.find(".go-on-with").click()
    sitter.until("return Boolean(sitting)")
    assert sitter.text() == text
    assert sitter.reader.complaints() == []


def test_a_tab_never_overwrites_what_another_has_kept_later(sitter: Sitter) -> None:
    sitter.home()
    sitter.find(".play-now[data-game=maria]").click()
    sitter.until("return Boolean(sitting)")
    text, name = sitter.text(), sitter.reader.run("return KEPT + entered")
    note = json.loads(sitter.reader.run("return localStorage.getItem(arguments[0])", name))
    sitter.march()
    newer = json.dumps(note | {"time": note["time"] + 10**6})
    sitter.reader.run("localStorage.setItem(arguments[0], arguments[1])", name, newer)
    sitter.find("#undo").click()
    assert sitter.reader.run("return localStorage.getItem(arguments[0])", name) == newer
    sitter.find("#elsewhere button").click()
    sitter.until("return !document.getElementById('elsewhere')")
    assert sitter.text() == text
    sitter.march()
    assert sitter.reader.driver.find_elements("css selector", "#elsewhere") == []


def test_another_language_on_the_first_page_stays_there(sitter: Sitter) -> None:
    begin(sitter)
    sitter.find("#another").click()
    sitter.choose(".languages", "de")
    assert sitter.reader.run("return page.className") == "welcome"
    assert sitter.find(".play-now").text == "Jetzt spielen"
    sitter.choose(".languages", "en")


def test_a_game_is_thrown_away_on_the_second_click(sitter: Sitter) -> None:
    begin(sitter)
    sitter.find("#another").click()
    sitter.find(".discard").click()
    assert sitter.find(".go-on-with")
    sitter.find(".discard").click()
    assert sitter.reader.run("return document.querySelectorAll('.go-on-with').length") == 0


def test_the_letter_to_a_report_is_there_when_it_is_opened_again(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("frederick.report.yaml"))
    before = sitter.text()
    sitter.reader.run("change('deal')")
    text = sitter.text()
    assert text != before
    sitter.find("#another").click()
    sitter.find("#file").send_keys(table.sent("frederick.report.yaml"))
    sitter.until("return Boolean(sitting)")
    assert sitter.text() == text
    sitter.find("#undo").click()
    assert sitter.text() == before


def test_another_report_of_the_same_length_in_the_page_is_opened_by_a_reload(
    sitter: Sitter, table: Correspondence, tmp_path: Path
) -> None:
    driver, page = sitter.reader.driver, tmp_path / "page.html"
    reports = [Path(table.sent(f"{seat}.report.yaml")).read_bytes() for seat in ("frederick", "louis")]
    longest = max(map(len, reports)) + 2
    for report, seat in zip(reports, ("frederick", "louis"), strict=True):
        padded = b"#" + b"-" * (longest - len(report) - 2) + b"\n" + report
        place = re.search(rb'id="enclosed" data-name="">', whole := sitter.page.read_bytes())
        assert place
        page.write_bytes(whole[: place.end()] + base64.b64encode(padded) + whole[place.end() :])
        if seat == "frederick":
            driver.get(page.as_uri())
        else:
            driver.refresh()
        sitter.until(
            "if (!window.desk || !window.desk.ready) return false;"
            "document.getElementById('accept')?.click(); return Boolean(sitting);"
        )
        assert sitter.reader.run("return sitting.seat") == seat
    driver.get(sitter.page.as_uri())
    sitter.until("return Boolean(window.desk && window.desk.ready)")


def test_one_file_takes_everything_to_another_browser(sitter: Sitter, table: Correspondence, tmp_path: Path) -> None:
    text = begin(sitter)
    sitter.find("#another").click()
    sitter.find("#file").send_keys(table.sent("frederick.report.yaml"))
    sitter.until("document.getElementById('accept')?.click(); return Boolean(sitting)")
    sitter.find("#key-file").send_keys(str(table.root / "frederick/key"))
    sitter.until("return !document.getElementById('sign').disabled")
    sitter.find("#key-keeping summary").click()
    sitter.find("#keeping-passphrase").send_keys("Rossbach 1757\n")
    sitter.until("return storedBelow(KEYS).length === 1")
    sitter.reader.run("window.files = []; window.before = save; save = (text) => files.push(text);")
    sitter.find("#another").click()
    sitter.find("#keeping summary").click()
    sitter.find("#export").click()
    (everything,) = sitter.reader.run("save = before; return files")
    key = load_private((table.root / "frederick/key").read_bytes(), None)
    (kept,) = json.loads(everything)["keys"].values()
    assert load_private(kept.encode(), "Rossbach 1757").public == key.public
    # The key is nowhere without its passphrase.
    assert key.seed.hex() not in everything
    assert (table.root / "frederick/key").read_text().splitlines()[2] not in everything
    (tmp_path / "pbem-desk.json").write_text(everything)
    sitter.home()
    assert sitter.reader.run("return Object.keys(localStorage)") == []
    sitter.find("#file").send_keys(str(tmp_path / "pbem-desk.json"))
    sitter.until("return Boolean(document.getElementById('import-take'))")
    assert "vienna-1741" in sitter.find(".open").text
    assert sitter.reader.run("return storedBelow(KEPT).length") == 0
    sitter.find("#import-take").click()
    assert sitter.reader.run("return document.querySelectorAll('.go-on-with').length") == 2
    assert sitter.find("#known")
    sitter.reader.run(
        "[...document.querySelectorAll('.go-on-with')].find((each) => each.textContent.includes('MARIA')).click()"
    )
    sitter.until("return Boolean(sitting)")
    assert sitter.text() == text


def test_what_somebody_else_wrote_into_the_storage_harms_nothing(sitter: Sitter) -> None:
    sitter.home()
    for damaged in ("{", "[]", '"x"', '{"id": "x", "kind": "game", "time": 1e99}', '{"id": 1, "drafts": null}'):
        sitter.reader.run("localStorage.setItem('pbem-kept x', arguments[0]); welcome()", damaged)
        assert sitter.find(".play-now")
        assert sitter.reader.run("return document.querySelectorAll('.go-on-with').length") == 0
    sitter.home()


def test_a_browser_that_keeps_nothing_says_so_before_a_game_is_lost(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; welcome()"
    )
    try:
        sitter.find("#keeping summary").click()
        assert sitter.find("#keeping [role=alert]").text
        sitter.find(".play-now[data-game=maria]").click()
        sitter.until("return Boolean(sitting)")
        sitter.march()
        assert sitter.reader.run(LEAVING)
        assert sitter.find("#kept-not").text
    finally:
        sitter.reader.run("safe = keeps = true")
        sitter.reader.driver.get("about:blank")
        sitter.reader.driver.get(sitter.page.as_uri())
        sitter.until("return Boolean(window.desk && window.desk.ready)")
