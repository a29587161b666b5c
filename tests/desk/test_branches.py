"""*What if* at the desk: a branch from a report and its drafts, gone through by steps, of which nothing can be sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from pbem.desk.opening import accept, open_file
from pbem.seal.box import pad, seal
from pbem.seal.keys import new_key, save_private
from tests.cli.correspondence import Correspondence
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask, marches, with_ends


@pytest.fixture
def bridge(moving: Correspondence) -> Bridge:
    """A desk with Prussia's report and one march."""
    bridge = Bridge("en")
    open_file(bridge.desk, Path(moving.sent("frederick.report.yaml")).read_bytes(), "report")
    accept(bridge.desk)
    march, *_ = marches(with_ends(bridge, bridge.desk.settle()))
    ask(bridge, "march", "prussia", march["pieces"], [march["to"][0]["city"]], march["to"][0]["path"])
    return bridge


def test_orders_are_carried_out_and_the_next_question_is_asked(bridge: Bridge) -> None:
    before = bridge.desk.table
    found = ask(bridge, "play_on", "sensible")
    assert found["sitting"]["kind"] == "practice"
    assert found["sitting"]["branch"]["report"].startswith("vienna-1741.frederick.")
    assert found["sitting"]["branch"]["has_earlier"]
    assert found["state"]["asked"]
    assert bridge.desk.table.state.turn >= before.state.turn
    told = " ".join(
        span["text"] for step in found["sitting"]["steps"] for b in step["told"] for line in b["lines"] for span in line
    )
    assert "marches" in told


def test_nothing_of_a_branch_can_be_signed_sealed_or_proposed(bridge: Bridge) -> None:
    bridge.desk.key = new_key("")
    ask(bridge, "play_on", "sensible")
    text = bridge.desk.draft.text
    for act in (["sign"], ["seal"], ["take_up", "plans"], ["propose", "draw", "", 3], ["vote", "x", "yes"]):
        try:
            answer = json.loads(bridge.call(act[0], json.dumps(act[1:])))
        except AssertionError:
            continue
        assert act[0] == "take_up" or "refused" in answer, act
    assert "signature" not in bridge.desk.draft.text
    assert "campaign" not in text


def test_steps_lead_back_and_forth_and_the_account_follows(bridge: Bridge) -> None:
    first = ask(bridge, "play_on", "sensible")
    ask(bridge, "close")
    second = ask(bridge, "go_on")
    back = ask(bridge, "branch_back")
    assert back["sitting"]["branch"]["has_later"]
    assert back["state"]["pieces"] == first["state"]["pieces"]
    assert len(back["sitting"]["steps"]) <= len(second["sitting"]["steps"])
    forth = ask(bridge, "branch_forth")
    assert forth["state"]["pieces"] == second["state"]["pieces"]
    assert [each["told"] for each in forth["sitting"]["steps"]] == [each["told"] for each in second["sitting"]["steps"]]
    assert not forth["sitting"]["branch"]["has_later"]


def test_what_comes_otherwise_is_told_otherwise(bridge: Bridge) -> None:
    """After a step back a march leads elsewhere: it is told as in a game that never had the first one."""
    ask(bridge, "play_on", "still")
    for end in (0, -1):
        asked, march = next(
            (asked, march)
            for asked in with_ends(bridge, bridge.desk.settle())["asked"]
            for march in asked["data"].get("marches", ())
            if len(march["to"]) > 1
        )
        ask(bridge, "march", asked["power"], march["pieces"], [march["to"][end]["city"]], march["to"][end]["path"])
        ask(bridge, "close")
        told = ask(bridge, "go_on")["sitting"]["steps"]
        if not end:
            ask(bridge, "branch_back")
    kept, again = ask(bridge, "kept"), Bridge("en")
    assert ask(again, "resume", kept["saved"], kept["drafts"], kept["chosen"])["sitting"]["steps"] == told


def test_a_kept_branch_goes_on_with_its_draft_and_a_copy_is_another(bridge: Bridge) -> None:
    ask(bridge, "play_on", "still")
    ask(bridge, "close")
    kept = ask(bridge, "kept")
    assert kept["kind"] == "branch"
    other = Bridge("de")
    found = ask(other, "resume", kept["saved"], kept["drafts"], kept["chosen"])
    assert ask(other, "kept")["id"] == kept["id"]
    assert found["state"]["text"] == kept["drafts"]["orders"]
    ask(other, "branch_copy")
    assert ask(other, "kept")["id"] != kept["id"]
    assert ask(other, "kept")["of"] == kept["of"]


def test_orders_that_are_refused_begin_no_branch(bridge: Bridge) -> None:
    ask(bridge, "write", bridge.desk.draft.text.replace("move:", "march:"))
    answer: Any = json.loads(bridge.call("play_on", json.dumps(["sensible"])))
    assert answer["refused"]
    assert bridge.desk.opened.seen


MARCH = """
for (const asked of state.asked.filter(isMarch)) for (const march of asked.data.marches)
  if (march.can_march && columnsIn(march.from)[0].pieces.join() === march.pieces.join()) return true;
return false;
"""


def begun(sitter: Sitter, report: str) -> str:
    """Open a report, order a march, and play on in a branch; gives the letter as it lay there."""
    sitter.open(report)
    sitter.march()
    letter = sitter.text()
    sitter.find("#whatif-now").click()
    sitter.find("#play-on").click()
    sitter.until("return Boolean(sitting.branch)")
    return letter


def test_a_branch_looks_otherwise_and_nothing_of_it_can_be_sent(sitter: Sitter, moving: Correspondence) -> None:
    letter = begun(sitter, moving.sent("frederick.report.yaml"))
    assert sitter.reader.run("return document.title").startswith("What if? · 1")
    strip = sitter.find("#branch-strip")
    assert strip.is_displayed()
    assert sitter.reader.run("return document.querySelector('#branch-strip').getBoundingClientRect().top") == 0
    for selector in (
        "#letter",
        "#signing",
        "#sign",
        "#seal",
        "#copy",
        "#download",
        "#mail",
        "#share",
        "#motions button",
    ):
        assert not any(each.is_displayed() for each in sitter.reader.driver.find_elements("css selector", selector)), (
            selector
        )
    colours = sitter.reader.run(
        "return [...document.querySelectorAll('#bar')].map((bar) => getComputedStyle(bar).backgroundColor)"
    )
    sitter.find("#to-report").click()
    sitter.until("return sitting.kind === 'report'")
    assert sitter.text() == letter
    assert (
        sitter.reader.run(
            "return [...document.querySelectorAll('#bar')].map((bar) => getComputedStyle(bar).backgroundColor)"
        )
        != colours
    )
    assert not sitter.reader.run("return document.title").startswith("What if")


def test_steps_branches_and_names_stay_after_a_reload(sitter: Sitter, moving: Correspondence) -> None:
    begun(sitter, moving.sent("frederick.report.yaml"))
    first = sitter.reader.run("return JSON.stringify(state.pieces)")
    sitter.reader.run("window.before = sitting")
    sitter.answer_like_a_bot()
    sitter.end()
    sitter.until("return sitting !== window.before")
    later = sitter.reader.run("return JSON.stringify(state.pieces)")
    sitter.find("#branch-back").click()
    sitter.until("return sitting.branch.has_later")
    assert sitter.reader.run("return JSON.stringify(state.pieces)") == first
    name = sitter.find("#branch-name")
    sitter.reader.run("arguments[0].value = 'Breslau'; arguments[0].dispatchEvent(new Event('change'))", name)
    sitter.reader.driver.refresh()
    sitter.until("return Boolean(window.desk && window.desk.ready && sitting)")
    assert sitter.reader.run("return document.title").startswith("What if? · Breslau")
    assert sitter.reader.run("return JSON.stringify(state.pieces)") == first
    sitter.find("#branch-forth").click()
    sitter.until("return !sitting.branch.has_later")
    assert sitter.reader.run("return JSON.stringify(state.pieces)") == later
    sitter.reader.run("document.querySelector('#branch-copy').click()")
    sitter.until("return document.title.startsWith('What if? · 1')")
    sitter.find("#to-report").click()
    sitter.until("return sitting.kind === 'report'")
    listed = (
        "return [...document.querySelectorAll('#branches .go-branch')].map((each) => each.textContent).sort().join()"
    )
    assert sitter.reader.run(listed) == "1,Breslau"
    for _ in range(2):
        sitter.reader.run("document.querySelector('#branches .discard').click()")
    assert "," not in sitter.reader.run(listed)
    sitter.home()


def test_where_nothing_is_kept_the_report_comes_back_with_its_letters(sitter: Sitter, moving: Correspondence) -> None:
    sitter.reader.run(
        "window.setItem = Storage.prototype.setItem;"
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
    )
    try:
        letter = begun(sitter, moving.sent("frederick.report.yaml"))
        sitter.find("#to-report").click()
        sitter.until("return sitting.kind === 'report'")
        assert sitter.text() == letter
    finally:
        sitter.reader.run("Storage.prototype.setItem = window.setItem")
        sitter.home()


def test_on_a_phone_the_strip_stands_above_the_board_and_all_of_it_can_be_touched(
    sitter: Sitter, moving: Correspondence
) -> None:
    sitter.hold_phone()
    try:
        sitter.open(moving.sent("frederick.report.yaml"))
        sitter.raise_sheet()
        sitter.reader.run("document.querySelector('#play-on').scrollIntoView({block: 'center'})")
        sitter.tap(sitter.middle("#play-on"))
        sitter.until("return Boolean(sitting.branch)")
        sitter.until("return document.documentElement.scrollWidth <= 360")
        boxes = sitter.reader.run(
            "return [...document.querySelectorAll('#branch-strip button')].map((each) => each.getBoundingClientRect())"
            ".map((box) => [box.left, box.right, box.height])"
        )
        assert all(left >= 0 and right <= 360 and height >= 35 for left, right, height in boxes)
        sitter.tap(sitter.middle("#to-report"))
        sitter.until("return sitting.kind === 'report'")
    finally:
        sitter.put_phone_away()
        sitter.home()


def test_a_branch_of_a_report_that_came_sealed_is_not_written_down(
    sitter: Sitter, moving: Correspondence, tmp_path: Path
) -> None:
    key = new_key("")
    (tmp_path / "key").write_bytes(save_private(key, None))
    box = seal([key.public], pad(Path(moving.sent("frederick.report.yaml")).read_bytes()))
    (tmp_path / "report.yaml.age").write_text(box, "utf-8")
    sitter.home()
    sitter.find("#file").send_keys(str(tmp_path / "report.yaml.age"))
    sitter.until("return Boolean(document.getElementById('key-file'))")
    sitter.find("#key-file").send_keys(str(tmp_path / "key"))
    sitter.until("return !document.getElementById('sign').disabled")
    sitter.find("#sign").click()
    sitter.until("document.getElementById('accept')?.click(); return Boolean(sitting)")
    sitter.reader.run("document.querySelector('#play-on').click()")
    sitter.until("return Boolean(sitting.branch)")
    assert sitter.reader.run("return branchesOf(sitting.branch.report).length") == 1
    assert not sitter.reader.run("return Object.values({...localStorage}).some((text) => text.includes('hands'))")
    sitter.reader.run("document.querySelector('#to-report').click()")
    sitter.until("return sitting.kind === 'report'")
    assert sitter.reader.run("return document.querySelectorAll('#branches li').length") == 1
    sitter.reader.run("forgetKey?.()")
    sitter.home()
