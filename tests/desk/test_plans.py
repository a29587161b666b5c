"""Plans at the desk: a form made of their description, and a letter that follows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.desk.bridge import Bridge
from pbem.desk.desk import Desk
from pbem.desk.opening import accept, open_file
from pbem.paper.documents.faults import Refused
from pbem.paper.library import preset_names
from pbem.paper.plans.files import load_plans, plan_keys
from pbem.resources import games
from pbem.seal.keys import load_private
from tests.cli.correspondence import Correspondence
from tests.desk.fields import battlefield
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask
from tests.plans.ground import empty


@pytest.fixture
def bridge(begun: Correspondence) -> Bridge:
    """A desk with a letter of plans on it."""
    bridge = Bridge("en")
    open_file(bridge.desk, Path(begun.sent("louis.report.yaml")).read_bytes(), "report")
    accept(bridge.desk)
    ask(bridge, "take_up", "plans")
    return bridge


def lines(state: Any) -> list[Any]:
    """The plans of France."""
    found: list[Any] = state["plans"]["plans"]["france"]
    return found


def written(state: Any) -> Any:
    return yaml.safe_load(state["text"])["body"]["orders"]["france"]["plans"]


@pytest.mark.parametrize("game", games())
def test_every_word_that_is_offered_may_stand_under_its_key(game: str) -> None:
    rules = empty(game).rules
    power = rules.powers[0]
    for kind, keys in plan_keys(game).items():
        for key in keys:
            for word in key.words:
                document = {"plans": {power: [{"for": kind, key.key: word}]}}
                try:
                    load_plans(yaml.safe_dump(document).encode(), "form", rules)
                except Refused as refused:
                    faults = [fault.code for fault in refused.faults if not fault.code.startswith("E-PLAN-EMPTY")]
                    assert faults == [], (kind, key.key, word)


@pytest.mark.parametrize("preset", preset_names("maria"))
def test_a_preset_stands_in_the_form_with_what_each_line_does(bridge: Bridge, preset: str) -> None:
    state = ask(bridge, "preset", preset)
    assert state["faults"] == []
    assert [line["kind"] for line in lines(state)] == [plan["for"] for plan in written(state)]
    assert all(line["says"] for line in lines(state))


def test_a_line_is_changed_by_its_form_and_by_its_text(bridge: Bridge) -> None:
    state = ask(bridge, "preset", "careful")
    assert lines(state)[0]["entries"]["when"] == {"chance": "30 or more"}
    state = ask(bridge, "plan_change", "france", 0, "when.chance", "40 or more")
    state = ask(bridge, "plan_change", "france", 0, "tactic", "win-cheaply")
    state = ask(bridge, "plan_change", "france", 0, "keep", "[R]")
    state = ask(bridge, "plan_change", "france", 0, "standing", "")
    line = {"for": "battle", "when": {"chance": "40 or more"}, "tactic": "win-cheaply", "keep": ["R"]}
    assert written(state)[0] == line
    assert lines(state)[0]["says"] == ""
    state = ask(bridge, "write", state["text"].replace("tactic: win-cheaply\n", "tactic: hold\n"))
    assert lines(state)[0]["entries"]["tactic"] == "hold"
    state = ask(bridge, "plan_change", "france", 0, "when.chance", "")
    assert "when" not in written(state)[0]
    assert ask(bridge, "plan_change", "france", 0, "tactic", "charge")["faults"]


def test_lines_are_added_moved_and_struck_out(bridge: Bridge) -> None:
    ask(bridge, "plan_add", "france", "battle")
    state = ask(bridge, "plan_add", "france", "retreat")
    assert [line["kind"] for line in lines(state)] == ["battle", "retreat"]
    assert [line["kind"] for line in lines(ask(bridge, "plan_move", "france", 1, 0))] == ["retreat", "battle"]
    assert [line["kind"] for line in lines(ask(bridge, "plan_move", "france", 0, -1))] == ["battle"]


def test_plans_are_tried_in_a_battle(bridge: Bridge) -> None:
    ask(bridge, "preset", "careful")
    wishes = {"score": "-2", "suit": "1", "hand": "♦5 ♦4", "enemy_suit": "3", "enemy_hand": "♠3", "role": "attacker"}
    told = ask(bridge, "plan_try", "france", {**wishes, "against": "win"})
    (battle,) = (block for block in told if block["type"] == "battle")
    assert "♦4" in str(battle) or "♦5" in str(battle)


def test_both_letters_are_signed_with_numbers_of_their_own_and_taken(bridge: Bridge, begun: Correspondence) -> None:
    desk: Desk = bridge.desk
    desk.key = load_private((begun.root / "louis/key").read_bytes(), None)
    ask(bridge, "preset", "away")
    assert ask(bridge, "sign")["signed"]
    plans = desk.draft.text
    ask(bridge, "take_up", "orders")
    deal_out(bridge)
    assert ask(bridge, "sign")["signed"]
    letters = {"plans.yaml": plans, "orders.yaml": desk.draft.text}
    for name, text in letters.items():
        (begun.root / name).write_text(text, "utf-8")
    answers = begun.accept(*letters)
    assert [answer["status"] for answer in answers] == ["final", "final"], answers


def deal_out(bridge: Bridge) -> Any:
    """Deal out the troops that are asked about; gives what is shown then."""
    state: Any = bridge.desk.settle()
    while asked := next((each for each in state["asked"] if "of" in each["form"]["input"]), None):
        state = ask(bridge, "put", asked["power"], {asked["form"]["section"]: dealt(asked["form"]["input"])})
    return state


def dealt(numbers: Any) -> dict[str, str]:
    """Troops as many as there are."""
    found = {name: number["least"] for name, number in numbers["of"].items()}
    for name, number in numbers["of"].items():
        found[name] += min(number["most"] - found[name], numbers["most"] - sum(found.values()))
    return {name: str(count) for name, count in found.items()}


@pytest.fixture
def battle(tmp_path: Path) -> Correspondence:
    """A campaign that begins in a battle, in which France is to play a card."""
    table = Correspondence(tmp_path)
    (table.root / "battle.yaml").write_bytes(battlefield("maria"))
    table.begin("--position", "battle.yaml")
    table.join()
    return table


def test_a_plan_for_the_battle_that_is_fought_answers_its_cards(battle: Correspondence) -> None:
    bridge = Bridge("en")
    open_file(bridge.desk, Path(battle.sent("louis.report.yaml")).read_bytes(), "report")
    accept(bridge.desk)
    (asked,) = bridge.desk.asked(bridge.desk.judgement())
    assert asked.fight
    state = ask(bridge, "plan_battle", "france", asked.fight.own.city)
    assert state["draft"] == "plans"
    assert state["faults"] == []
    assert ask(bridge, "plan_battle", "france", asked.fight.own.city)["text"] == state["text"], "once is enough"
    bridge.desk.key = load_private((battle.root / "louis/key").read_bytes(), None)
    (battle.root / "plans.yaml").write_text(ask(bridge, "sign")["text"], "utf-8")
    assert battle.accept("plans.yaml")[0]["status"] == "final"
    assert "louis" not in battle.owing()
    battle.moderate("adjudicate")
    battle.post()
    assert "Your plans answered: France plays cards" in Path(battle.sent("louis.txt")).read_text("utf-8")


def test_beside_a_card_that_a_report_asks_for_stands_the_way_to_a_plan(sitter: Sitter, battle: Correspondence) -> None:
    sitter.open(str(battle.root / "battle.yaml"))
    assert sitter.reader.run("return due()[0].fight !== null")
    assert sitter.reader.run("return document.getElementById('ahead')") is None, "no mail, no rounds"
    sitter.open(battle.sent("louis.report.yaml"))
    sitter.hold_phone()
    try:
        # The cards, the score and the way to a plan are in sight together.
        low = sitter.reader.run("return document.querySelector('#bar .telling').getBoundingClientRect().bottom")
        for place in ("#ahead", "#choices .pick.card", ".fight .score"):
            assert 0 < sitter.middle(place)[1] < low, place
    finally:
        sitter.put_phone_away()
    sitter.find("#ahead").click()
    assert sitter.reader.run("return [state.draft, state.faults.length, document.activeElement.id]") == [
        "plans",
        0,
        "plan-france-0-tactic",
    ]
    assert sitter.find("#prompt").text.startswith("These plans answer in advance")
    (plan,) = yaml.safe_load(sitter.text())["body"]["orders"]["france"]["plans"]
    assert (plan["for"], plan["tactic"]) == ("battle", "win-cheaply")
