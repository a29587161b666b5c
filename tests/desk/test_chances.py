"""*How would it go?* at the desk: the drafts are played out in a worker, and nothing that is secret gets there."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from pbem.desk.long_acts import LongAct
from pbem.desk.opening import accept, open_file
from pbem.desk.practice import Practice
from pbem.paper.positions.files import write_position
from pbem.player.tables import FoundTable
from tests.cli.correspondence import Correspondence
from tests.desk.fields import assault, duel, long_duel
from tests.desk.sitting import Sitter
from tests.desk.test_bar import IN_SIGHT
from tests.desk.test_desk import ask, marches, with_ends
from tests.twins import with_other_secrets

FOES = """
for (const asked of state.asked.filter(isMarch)) for (const march of asked.data.marches)
  for (const end of column(march, asked).to) if (end.foes.length) return [march.from, end.city];
"""
"""The first march that leads to an enemy: where it begins and ends."""

IN_THE_WAY = """
window.stops = [];
const note = (list) => stops.push(...list.getEntries().map((each) => each.duration));
new PerformanceObserver(note).observe({type: "longtask"});
"""
"""Notes how long the page stands still, whenever that is more than 50 milliseconds."""


def carried_out(question: Any, worlds: int) -> list[Any]:
    """The answers of a long act, as the worker passes them on."""
    act, answers = LongAct("chances", json.dumps([question, worlds])), []
    while not answers or "far" in answers[-1]:
        answers.append(json.loads(act.go_on()))
    return answers


def attacking(bridge: Bridge) -> Any:
    """Order the first march that leads to an enemy; gives what is shown then."""
    for asked in with_ends(bridge, bridge.desk.settle())["asked"]:
        for march in asked["data"].get("marches", ()):
            for end in march["to"]:
                if end["foes"]:
                    return ask(bridge, "march", asked["power"], march["pieces"], [end["city"]], end["path"])
    raise AssertionError


@pytest.fixture
def bridge() -> Bridge:
    """A desk with a game in which an attack has been ordered."""
    bridge = Bridge("en")
    open_file(bridge.desk, assault(), "game")
    assert not attacking(bridge)["faults"]
    return bridge


def test_figures_come_early_and_grow_and_those_at_the_end_are_of_all_worlds(bridge: Bridge) -> None:
    answers = carried_out(ask(bridge, "question"), 30)
    far = [answer["far"] for answer in answers[:-1]]
    assert [each["played"] for each in far] == [*range(31)]
    assert [each["played"] for each in far if each["told"]] == [10, 25, 30]
    done = answers[-1]["done"]
    assert done == far[-1]
    (fight,) = done["fights"]
    assert sum(fight.values()) == 30
    assert "30 times" in str(done["told"][0])
    assert f"won {fight['won']}" in str(done["told"][1]["items"][0])


def test_orders_that_lead_to_no_battle_say_so() -> None:
    bridge = Bridge("en")
    ask(bridge, "play_now", "maria")
    done = carried_out(ask(bridge, "question"), 10)[-1]["done"]
    assert done["fights"] == []
    told = str(done["told"][1]["items"][0])
    assert "No battle of yours follows; until then nobody is lost" in told


def test_the_figures_are_those_of_the_command(moving: Correspondence) -> None:
    bridge = Bridge("de")
    report = Path(moving.sent("frederick.report.yaml"))
    open_file(bridge.desk, report.read_bytes(), "report")
    accept(bridge.desk)
    march, *_ = marches(with_ends(bridge, bridge.desk.settle()))
    ask(bridge, "march", "prussia", march["pieces"], [march["to"][0]["city"]], march["to"][0]["path"])
    (moving.root / "orders.yaml").write_text(bridge.desk.draft.text, "utf-8")
    told = moving.run("try", str(report), "orders.yaml", "--worlds", "12", "--language", "de").stdout
    done = carried_out(ask(bridge, "question"), 12)[-1]["done"]
    items = ["".join(span["text"] for span in item) for item in done["told"][1]["items"]]
    assert items
    assert "12-mal durchgespielt" in str(done["told"][0])
    plain = " ".join(told.replace("`", "").split())
    for item in items:
        assert " ".join(item.split()) in plain


def test_plans_that_lie_beside_the_orders_fight(bridge: Bridge) -> None:
    """A plan to win wins more battles than one that stops at once."""
    won = {}
    for tactic in ("win", "decline"):
        plans = {"pbem": 1, "kind": "plan", "plans": {"france": [{"for": "battle", "tactic": tactic}]}}
        question = {**ask(bridge, "question"), "plans": json.dumps(plans)}
        won[tactic] = carried_out(question, 30)[-1]["done"]["fights"][0]["won"]
    assert won["win"] > won["decline"]
    ask(bridge, "take_up", "plans")
    assert ask(bridge, "question")["plans"] == ""
    ask(bridge, "plan_add", "france", "battle")
    ask(bridge, "plan_change", "france", 0, "tactic", "decline")
    question = ask(bridge, "question")
    assert "move" in question["orders"]
    assert carried_out(question, 30)[-1]["done"]["fights"][0]["won"] == won["decline"]


def test_the_question_holds_nothing_that_its_player_may_not_know() -> None:
    """A game against bots lies on the desk with all its secrets."""
    questions = []
    for number in range(2):
        bridge = Bridge("en")
        open_file(bridge.desk, assault(), "game")
        opened = bridge.desk.opened
        found = opened.found
        if number:
            other = with_other_secrets(found.table, found.known_to or (), Random("chances"))
            assert write_position(other) != write_position(found.table)
            opened.found = FoundTable(other, found.known_to, memory=found.memory)
        assert isinstance(opened.practice, Practice)
        questions.append(ask(bridge, "question"))
    assert questions[0] == questions[1]


def test_orders_that_would_be_refused_are_refused_in_the_language_of_the_page(bridge: Bridge) -> None:
    question = ask(bridge, "question")
    bad = question["orders"].replace("move:", "march:")
    (answer,) = carried_out({**question, "language": "de", "orders": bad}, 30)
    (fault, *_) = answer["refused"]
    assert fault["code"].startswith("E-")
    assert "march" in fault["message"]


def play_out(sitter: Sitter, tmp_path: Path) -> None:
    """Open the game, order an attack on the board, and ask how it would go."""
    (tmp_path / "game.json").write_bytes(assault())
    sitter.home()
    sitter.find("#file").send_keys(str(tmp_path / "game.json"))
    sitter.until("return Boolean(sitting)")
    start, end = sitter.reader.run(FOES)
    sitter.click_city(start)
    sitter.click_city(end)
    sitter.until("return Boolean(document.querySelector('#imagine-now'))")


def runs(sitter: Sitter, number: int) -> None:
    """Wait until the browser runs so many workers for the page: one that is ended takes a moment."""
    for _ in range(100):
        if (found := workers(sitter)) == number:
            return
        sleep(0.1)
    raise AssertionError(found)


def workers(sitter: Sitter) -> int:
    """Number of workers that the browser runs for the page."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/task/[0-9]*/comm"):
        try:
            found += path.read_text().startswith("DedicatedWorker") and str(path.parents[2]) in renderers(sitter)
        except OSError:
            continue
    return found


def renderers(sitter: Sitter) -> set[str]:
    """Processes that belong to the browser."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parents[path.name] = (path / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
    own, root = set(), str(sitter.reader.driver.service.process.pid)
    for pid in parents:
        above = pid
        while above in parents and above != root:
            above = parents[above]
        if above == root:
            own.add(f"/proc/{pid}")
    return own


def test_how_it_would_go_stands_beside_the_letter_and_changes_nothing_of_it(sitter: Sitter, tmp_path: Path) -> None:
    play_out(sitter, tmp_path)
    before = sitter.text()
    sitter.reader.run(IN_THE_WAY)
    sitter.find("#imagine-now").click()
    sitter.until("return imagined.ended")
    told = sitter.find("#imagined").text
    assert "Played out 100 times, until the same powers march again" in told
    bar, *_ = sitter.reader.run(
        "return [...document.querySelectorAll('#imagined li .odds')].map((each) => each.ariaLabel)"
    )
    won = int(bar.partition("won ")[2].partition(",")[0])
    assert f"won {won}" in told.partition("Battle:")[2]
    assert sitter.reader.run("return document.querySelectorAll('#imagined textarea, #imagined a').length") == 0
    assert sitter.text() == before
    assert sitter.reader.run("return stops.filter((each) => each > 1000)") == []
    # More worlds come at once: the worker has waited.
    runs(sitter, 1)
    sitter.find("#imagine").click()
    sitter.until("return imagined.ended && imagined.far.of === 400")
    assert "Played out 400 times" in sitter.find("#imagined").text
    # Other orders have other chances.
    sitter.find("#undo").click()
    sitter.until("return !imagined")
    assert not sitter.reader.driver.find_elements("css selector", "#imagined .odds")
    sitter.reader.run("takenWorker().terminate()")
    runs(sitter, 0)
    assert sitter.reader.complaints() == []


def test_in_a_battle_the_chances_of_a_stop_stand_beside_those_of_playing_on(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.open(str(tmp_path / "duel.yaml"))
    before = sitter.text()
    sitter.find("#imagine").click()
    sitter.until("return imagined?.ended === 'done'")
    assert "Battle, if you play on now:" in sitter.find("#figures").text
    sitter.find("#imagine-stopping").click()
    sitter.until("return imagined?.ended === 'done' && imagined.answer.length === 2")
    told = sitter.find("#figures").text
    assert told.startswith("If you stop now, you lose by 5:")
    assert "if you play on now" not in told
    first = sitter.reader.run("return document.querySelector('#figures .odds').ariaLabel")
    assert first == "lost 100"
    # More worlds are of the same answer, and playing on begins with few again.
    words = [sitter.find(each).text for each in ("#imagine-stopping", "#imagine")]
    assert words == ["400 times, if you stop now", "Play it out 100 times"]
    assert sitter.text() == before


@pytest.mark.parametrize("is_first", [True, False])
def test_on_a_phone_the_chances_of_a_battle_are_in_sight_beside_its_cards(
    sitter: Sitter, tmp_path: Path, is_first: bool
) -> None:
    (tmp_path / "duel.yaml").write_bytes(long_duel())
    sitter.hold_phone(360, 740)
    try:
        sitter.open(str(tmp_path / "duel.yaml"))
        # The line on cards stands there until somebody has once played one.
        parts = ["#choices .chips .pick", "#imagine-now"]
        if not is_first:
            sitter.reader.run("document.querySelector('.plays .at-first').remove()")
            parts.append("#choices .pick.card")
        for part in parts:
            assert sitter.reader.run(IN_SIGHT, part), part
        sitter.tap(sitter.middle("#imagine-now"))
        sitter.until("return imagined?.ended === 'done'")
        assert "Battle, if you play on now:" in sitter.find("#figures").text
    finally:
        sitter.put_phone_away()


def test_it_is_stopped_midway_and_keeps_the_figures_so_far(sitter: Sitter, tmp_path: Path) -> None:
    play_out(sitter, tmp_path)
    sitter.reader.run("imagine(1600)")
    sitter.until("return Boolean(imagined?.told) && imagined.far.played < 1600")
    sitter.find("#imagine-stop").click()
    played = sitter.reader.run("return imagined.far.played")
    assert 10 <= played < 1600
    assert "Stopped before the end." in sitter.find("#imagined").text
    assert sitter.find("#imagined .odds")
    end = """
    const [done] = arguments;
    setTimeout(() => done(imagined.far.played), 1500);
    """
    assert sitter.reader.driver.execute_async_script(end) == played
    runs(sitter, 0)
    # It can be begun again; and whoever leaves the table ends it.
    sitter.find("#imagine").click()
    sitter.until("return imagined.far.played > 0")
    sitter.home()
    runs(sitter, 0)
    assert sitter.reader.complaints() == []


def test_orders_that_are_wrong_are_not_played_out(sitter: Sitter, tmp_path: Path) -> None:
    play_out(sitter, tmp_path)
    assert sitter.find("#imagined").is_displayed()
    sitter.type(sitter.text().replace("move:", "march:"))
    assert not sitter.find("#imagined").is_displayed()
    assert not sitter.reader.driver.find_elements("css selector", "#imagine-now")


def test_advice_and_how_it_would_go_are_never_open_together(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "assault.yaml").write_bytes(assault())
    sitter.hold_phone(390, 844)
    try:
        sitter.open(str(tmp_path / "assault.yaml"))
        sitter.reader.run(
            "hideAim(); const asked = due().find(isMarch);"
            "const march = column(asked.data.marches.find((each) => each.can_march), asked);"
            "change('march', asked.power, march.pieces, [march.to[0].city], march.to[0].path)"
        )
        advice = "return Boolean(document.querySelector('#counsel p'))"
        sitter.find("#advise").click()
        sitter.until(advice)
        sitter.find("#imagine-now").click()
        assert sitter.reader.run("return page.classList.contains('up')")
        assert not sitter.reader.run(advice)
        sitter.find("#advise").click()
        sitter.until(advice)
        assert not sitter.reader.run("return page.classList.contains('up')")
        assert sitter.find("#counsel").is_displayed()
    finally:
        sitter.put_phone_away()
