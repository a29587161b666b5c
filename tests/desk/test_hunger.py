"""Lack of supply at the desk: what it costs and when, before an order and after it, by the rules of each game."""

from __future__ import annotations

import re
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from pbem.desk.lessons import LessonGame
from pbem.desk.practice import Practice
from pbem.paper.documents.writing import Value, write
from pbem.paper.positions.files import load_position
from tests.desk.fields import starving
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask, marches, opened

BESIDE_PRAGUE = {"Belle-Isle": "Prag, 8", "france train 2": "Nürnberg"}
"""A general of France whom a train can feed by a march to some cities."""


def placed(bridge: Bridge, game: str, stage: str, pieces: dict[str, str]) -> Any:
    """State of a position at the marches of a stage."""
    place = {"game": game, "turn": 2, "stage": stage, "phase": "movement", "pieces": pieces}
    return opened(bridge, write(place).encode())["state"]


def advised(bridge: Bridge, name: str) -> Any:
    """Advice on the march of one general."""
    return next(each for each in ask(bridge, "advise", [name]) if each["sections"].get("move"))


def hungry(state: Any, name: str) -> str:
    """Costs of the lack of supply of one general; nothing for a general in supply."""
    return next((each["costs"] for each in state["hungry"] if each["pieces"] == [name]), "")


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_advice_into_a_lack_of_supply_names_it_and_tells_what_follows(language: str) -> None:
    bridge = Bridge(language)
    opened(bridge, starving())
    counsel = advised(bridge, "Belle-Isle")
    assert counsel["starves"] == ["Belle-Isle"]
    assert hungry(ask(bridge, "put", counsel["power"], counsel["sections"]), "Belle-Isle") == counsel["costs"]
    numbers = re.findall(r"[0-9]+", counsel["costs"])
    assert numbers == ["1", "2"]
    if language == "en":
        assert counsel["why"][-1] == "it goes beyond the reach of its supply for that"
        assert counsel["costs"] == (
            "Belle-Isle is out of supply, lies face-down and loses 1\N{NO-BREAK SPACE}troop. This happens at the"
            " beginning of France's next stage, if nothing changes. If it lasts, a turn later: Belle-Isle is out of"
            " supply, stays face-down and loses 2\N{NO-BREAK SPACE}troops."
        )


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_a_test_of_supply_that_comes_before_the_marches_is_told_for_this_stage(language: str) -> None:
    bridge = Bridge(language)
    place: dict[str, object] = {"game": "maria", "turn": 5, "stage": "france", "phase": "cards"}
    place["pieces"] = {"Broglie": "Linz, 8", "Traun": "Brünn, 5", "france train 2": "off", "bavaria train 1": "off"}
    state = opened(bridge, write(place).encode())["state"]
    (asked,) = state["asked"]
    assert asked["form"]["section"] == "subsidy"
    before = hungry(state, "Broglie")
    after = hungry(ask(bridge, "put", "france", {"subsidy": "yes"}), "Broglie")
    assert (re.findall("[0-9]", before), re.findall("[0-9]", after)) == (["1", "2"], ["2", "2"])
    assert re.sub("[0-9]", "", before) != re.sub("[0-9]", "", after)
    if language == "en":
        assert before.startswith("Broglie is out of supply")
        assert "This happens in this stage of France, before its marches, if nothing changes." in before
        assert "This happens at the beginning of France's next stage, if nothing changes." in after


def test_a_march_by_hand_tells_what_follows_wherever_its_ring_shows_no_supply() -> None:
    bridge, seen = Bridge("en"), set[bool]()
    state = placed(bridge, "maria", "france", {"Belle-Isle": "Bayreuth, 8", "france train 2": "Nürnberg"})
    (march,) = (each for each in marches(state) if each["pieces"] == ["Belle-Isle"])
    for end in march["to"][::2]:
        after = ask(bridge, "march", "france", ["Belle-Isle"], [end["city"]], end["path"])
        assert bool(hungry(after, "Belle-Isle")) is end["starves"]
        seen.add(end["starves"])
        ask(bridge, "undo")
    assert seen == {True, False}


def test_whoever_has_no_troops_left_then_is_told_to_leave_the_map() -> None:
    off = dict.fromkeys(("france train 2", "bavaria train 1"), "off")
    state = placed(Bridge("en"), "maria", "france", {"Broglie": "Linz, 1", "Traun": "Brünn, 5", **off})
    costs = hungry(state, "Broglie")
    assert "loses 1\N{NO-BREAK SPACE}troop. Broglie has no troops left and leaves the map. This happens at" in costs


def test_in_friedrich_a_general_turns_face_down_first_and_is_lost_the_second_time() -> None:
    off = dict.fromkeys(("prussia train 1", "prussia train 2"), "off")
    assert hungry(placed(Bridge("en"), "friedrich", "prussia", {"Schwerin": "Kolin, 8", **off}), "Schwerin") == (
        "Schwerin is out of supply and lies face-down. This happens at the end of Prussia's stage, if nothing changes."
        " If it lasts, a turn later: Schwerin in Kolin is still out of supply: 8\N{NO-BREAK SPACE}troops are lost."
        " Schwerin has no troops left and leaves the map."
    )


def test_recruits_of_an_answer_whose_end_is_hidden_count_in_losses_and_stand_on_the_board() -> None:
    bridge, off = Bridge("en"), dict.fromkeys(("prussia train 1", "prussia train 2", "Heinrich"), "off")
    place: dict[str, object] = {"game": "friedrich", "turn": 3, "stage": "prussia", "phase": "recruiting"}
    place |= {"pieces": {"Schwerin": "Kolin, 2, face-down", **off}, "hands": {"prussia": ["♥12", "♥11"]}}
    table = load_position(write(place).encode(), "starving.yaml")
    bridge.desk.lay_out_practice(Practice(LessonGame(table, "frederick", is_of_battle=False)))
    recruits = {"troops": {"Schwerin": 2, "Heinrich": 1}, "enter": {"Heinrich": "Berlin"}, "pay": ["♥12", "♥11"]}
    after = ask(bridge, "put", "prussia", {"recruit": recruits})
    assert after["hidden"]
    assert ": 4\N{NO-BREAK SPACE}troops are lost." in hungry(after, "Schwerin")
    stand = {each["name"]: (each["city"], each["troops"]) for each in after["pieces"]}
    assert (stand["Schwerin"], stand["Heinrich"]) == (("Kolin", 4), ("Berlin", 1))
    assert "Heinrich" not in str(after["generals_lost"])
    assert after["hands"]["hands"]["prussia"] == []


def test_supply_that_a_later_march_of_the_plan_brings_is_told_as_that() -> None:
    bridge = Bridge("en")
    placed(bridge, "friedrich", "france", {})
    counsel = advised(bridge, "Richelieu")
    assert counsel["first"][0] == (
        "Its supply comes only with the march of France's train\N{NO-BREAK SPACE}2, which is to follow at once."
    )
    assert (counsel["starves"], counsel["costs"]) == ([], ""), "nothing is lost, so no loss is told"


def test_a_step_names_those_whose_general_is_out_of_supply() -> None:
    bridge, found = Bridge("en"), list[Any]()
    table = load_position(starving(), "starving.yaml")
    sitting = bridge.desk.lay_out_practice(Practice(LessonGame(table, "louis", is_of_battle=False)))
    assert not any(step.lost for step in sitting.steps)
    for _ in range(60):
        for counsel in ask(bridge, "advise"):
            if "move" not in counsel["sections"]:
                ask(bridge, "put", counsel["power"], counsel["sections"])
        ask(bridge, "close")
        found += [step for step in ask(bridge, "go_on")["sitting"]["steps"] if step["is_new"] and step["lost"]]
        if any("france" in step["lost"] for step in found):
            break
    step = next(step for step in found if "france" in step["lost"])
    assert "france" in step["weakened"]
    assert not step["traces"]
    assert "Broglie" in str(step["told"])


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_the_order_of_a_train_says_whom_it_feeds_and_whom_it_starves(language: str) -> None:
    bridge, told = Bridge(language), dict[bool, str]()
    state = placed(bridge, "maria", "france", BESIDE_PRAGUE)
    (march,) = (each for each in marches(state) if each["pieces"] == ["france train 2"])
    for end in march["to"]:
        after = ask(bridge, "march", "france", ["france train 2"], [end["city"]], end["path"])
        told[bool(hungry(after, "Belle-Isle"))] = after["supply"]["france"]
        ask(bridge, "undo")
    assert told[True] != told[False]
    if language == "en":
        assert told[False] == "In supply then: Belle-Isle and Broglie."
        assert told[True] == "In supply then: Broglie; out of supply then, if nothing else marches: Belle-Isle."


@pytest.mark.parametrize("stage", ["prussia", "france"])
def test_a_lack_of_supply_is_told_only_in_the_stage_of_its_power(stage: str) -> None:
    state = placed(Bridge("en"), "maria", stage, {"Schwerin": "Brünn, 5", "prussia train 1": "off"})
    assert (["Schwerin"] in [each["pieces"] for each in state["hungry"]]) is (stage == "prussia")
    assert ("prussia" in state["supply"]) is (stage == "prussia")


@pytest.mark.parametrize("narrow", [True, False], ids=["phone", "wide"])
def test_the_page_tells_and_marks_a_lack_of_supply_with_the_train_and_after_not_yet(
    sitter: Sitter, tmp_path: Path, *, narrow: bool
) -> None:
    run, place = sitter.reader.run, {"game": "maria", "turn": 2, "stage": "france", "phase": "movement"}
    (tmp_path / "prague.yaml").write_bytes(write({**place, "pieces": BESIDE_PRAGUE}).encode())
    marked = "return [...document.querySelectorAll('.marks .hungry')].map((each) => each.dataset.city)"
    if narrow:
        sitter.hold_phone(390, 844)
    try:
        sitter.open(str(tmp_path / "prague.yaml"))
        assert run(marked) == []
        run("clickCity('Nürnberg')")
        run("march('Ansbach')")
        assert sitter.find("#chosen .supply").text.startswith("In supply then")
        assert run(marked) == ["Prag"]
        run("clickCity(null)")
        assert run(marked) == []
        sitter.find("#done").click()
        assert run(marked) == ["Prag"]
        sitter.find("#stay").click()
        assert run(marked) == ["Prag"]
        assert "Belle-Isle (F2): out of supply here" in sitter.find("#came .hunger").text
        told = "out of supply here, with the trains where they are now"
        assert run("return board.meanings.textContent").count(told) == 1
        run("pickPiece('Belle-Isle')")
        shown = sitter.reader.driver.find_elements("css selector", "#bar .hunger")
        assert [each.is_displayed() for each in shown].count(True) == 1
        assert run("imagined = null; tellImagined(); return document.querySelector('#imagined .hunger').textContent")
    finally:
        sitter.put_phone_away()


def test_a_lack_of_supply_is_told_and_marked_with_whoever_has_joined_and_beside_a_picture_of_then_as_of_now(
    sitter: Sitter, tmp_path: Path
) -> None:
    place = {"game": "maria", "turn": 2, "stage": "france", "phase": "movement"}
    pieces = {"Broglie": "Linz, 8, face-down", "Törring": "Passau, 3", "france train 2": "off"}
    (tmp_path / "starving.yaml").write_bytes(write({**place, "pieces": pieces}).encode())
    sitter.open(str(tmp_path / "starving.yaml"))
    run = sitter.reader.run
    run("choose(columnsIn('Passau'), 0); march('Linz')")
    assert "Broglie" not in run("return chosen.pieces.join()")
    assert "Broglie (F3): out of supply here" in sitter.find("#chosen .hunger").text
    assert "Linz" in run("return board.hungry")
    now = "return getComputedStyle(document.querySelector('#imagined .hunger > .of-now')).display"
    run("imagined = null; tellImagined()")
    assert run("return document.querySelector('#imagined .of-now').textContent") == "Now: "
    assert run(now) == "none"
    run("document.getElementById('steps').classList.add('past')")
    assert run(now) == "inline"


def test_on_a_phone_the_stage_ends_only_once_all_that_is_lost_has_been_in_sight(sitter: Sitter, tmp_path: Path) -> None:
    cities = ("Eger", "Kolin", "Leitmeritz", "Pilsen")
    generals = dict(zip(("Schwerin", "Keith", "Seydlitz", "Winterfeldt"), cities, strict=True))
    pieces = {name: f"{city}, 5, face-down" for name, city in generals.items()}
    pieces |= dict.fromkeys(("prussia train 1", "prussia train 2"), "off")
    place = {"game": "friedrich", "turn": 2, "stage": "prussia", "phase": "movement", "pieces": pieces}
    (tmp_path / "lost.yaml").write_bytes(write(place).encode())
    in_sight = (
        "const telling = document.querySelector('#bar .telling').getBoundingClientRect();"
        "return [...document.querySelectorAll('#prompt .hunger')].map((each) => each.getBoundingClientRect())"
        ".map((box, at) => box.top > telling.top - 10 && box.bottom < telling.bottom + 10 ? at : -1)"
    )
    run, seen, is_ended = sitter.reader.run, set[int](), "return !asksOnce"
    sitter.hold_phone(390, 844)
    try:
        sitter.open(str(tmp_path / "lost.yaml"))
        sitter.find("#done").click()
        assert sitter.find("#done").text == "Read on"
        for _ in range(12):
            seen |= {*run(in_sight)}
            sitter.find("#done").click()
            if run(is_ended):
                break
        assert seen >= {*range(5)}
    finally:
        sitter.put_phone_away()


def test_on_a_phone_a_warning_longer_than_the_bar_is_read_to_its_end(sitter: Sitter, tmp_path: Path) -> None:
    pieces = {"Schwerin": "Kolin, 5, face-down", "Keith": "Kolin, 5, face-down", "Seydlitz": "Kolin, 5, face-down"}
    pieces |= dict.fromkeys(("prussia train 1", "prussia train 2"), "off")
    place = {"game": "friedrich", "turn": 2, "stage": "prussia", "phase": "movement", "pieces": pieces}
    (tmp_path / "lost.yaml").write_bytes(write(place).encode())
    run, told = sitter.reader.run, "document.querySelector('#bar .telling')"
    sitter.hold_phone(360, 740)
    try:
        sitter.open(str(tmp_path / "lost.yaml"))
        run(f"{told}.style.maxHeight = '4.5rem'")
        sitter.find("#done").click()
        places = [run(f"return {told}.scrollTop")]
        while sitter.find("#done").text == "Read on":
            sitter.find("#done").click()
            sleep(0.2)
            places.append(run(f"return {told}.scrollTop"))
            assert places[-1] > places[-2]
        assert len(places) > 2
        assert sitter.find("#done").text == "End anyway"
    finally:
        sitter.put_phone_away()


WARNED = """
const {top, bottom} = document.querySelector('#bar .telling').getBoundingClientRect();
const boxes = [...document.querySelectorAll('#chosen .comes')].map((each) => each.getBoundingClientRect());
return [boxes.length, boxes.filter((box) => box.top < top || box.bottom > bottom).length];
"""


def test_on_a_phone_losses_of_whoever_is_chosen_are_in_sight_above_all_else(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "starving.yaml").write_bytes(starving("Linz, 8, face-down", "Freistadt, 5"))
    sitter.hold_phone(390, 844)
    try:
        sitter.open(str(tmp_path / "starving.yaml"))
        sitter.reader.run("hideAim(); choose(columnsIn('Linz'), 0)")
        first = sitter.reader.run("return document.getElementById('chosen').children[1].className")
        assert first == "comes hunger"
        number, away = sitter.reader.run(WARNED)
        assert number > 0
        assert away == 0
    finally:
        sitter.put_phone_away()


@pytest.mark.parametrize(("city", "is_fed"), [("Güstrow", False), ("Berlin", True)])
def test_a_face_down_general_in_supply_is_known_to_turn_up(city: str, *, is_fed: bool) -> None:
    pieces: Value = {"Heinrich": f"{city}, 4, face-down", "prussia train 1": "off", "prussia train 2": "off"}
    place: Value = {"game": "friedrich", "turn": 3, "stage": "prussia", "phase": "movement", "pieces": pieces}
    state = opened(Bridge("en"), write(place).encode())["state"]
    assert state["recovering"] == (["Heinrich"] if is_fed else [])
