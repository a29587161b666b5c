"""Acts of a player at the desk, without a browser: the same Python that the page runs."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Any

import pytest
import yaml

from pbem.bots.table import bot_named
from pbem.desk.bot_games import go_on, practise
from pbem.desk.bridge import Bridge
from pbem.desk.desk import Desk
from pbem.engine.nouns import City
from pbem.kit import copy_of, dump_position, game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.paper.orders.files import sections_of
from pbem.resources import resource
from tests.desk.fields import battlefield, influence, joined, stand_off, toll_beyond

ROOT = Path(__file__).parents[2]
POSITION = ROOT / "examples/first-march.yaml"


@pytest.fixture
def bridge() -> Bridge:
    return Bridge("en")


def ask(bridge: Bridge, name: str, *given: object) -> Any:
    """Answer to the page; a refusal fails the test. Of a new state it has the ends of all marches, which the page asks
    for one by one."""
    answer = json.loads(bridge.call(name, json.dumps(given)))
    assert "refused" not in answer, answer
    return with_ends(bridge, answer["done"])


def with_ends(bridge: Bridge, done: Any) -> Any:
    """An answer to the page; a state in it gets the ends of all marches."""
    laid = done.get("laid", done) if isinstance(done, dict) else {}
    for asked in laid.get("state", laid).get("asked", ()):
        for march in asked["data"].get("marches", ()):
            if "can_march" in march:
                march |= ask(bridge, "reach", march["pieces"], asked["more"])[0]["marches"][0]
    return done


_GIVEN = TemporaryDirectory()


def file_with(data: bytes) -> str:
    """Place of a new file with these bytes, as the worker of the page hands bytes to Python."""
    with NamedTemporaryFile(dir=_GIVEN.name, delete=False) as file:
        file.write(data)
    return file.name


def files_with(files: Mapping[str, bytes]) -> dict[str, str]:
    """Places of new files with these bytes, by the same names."""
    return {name: file_with(data) for name, data in files.items()}


def opened(bridge: Bridge, data: bytes = POSITION.read_bytes()) -> Any:
    return ask(bridge, "open", base64.b64encode(data).decode(), "position.yaml")


def marches(state: Any) -> list[Any]:
    return [march for asked in state["asked"] if asked["data"].get("marches") for march in asked["data"]["marches"]]


def test_a_march_that_is_clicked_stands_in_the_text(bridge: Bridge) -> None:
    state = opened(bridge)["state"]
    asked = next(each for each in state["asked"] if each["data"].get("marches"))
    march = next(each for each in asked["data"]["marches"] if each["to"])
    line = {" + ".join(march["pieces"]): march["to"][0]["city"]}
    after = ask(bridge, "put", asked["power"], {"move": [line]})
    assert yaml.safe_load(after["text"])["orders"] == {asked["power"]: {"move": [line]}}
    assert after["faults"] == []
    assert ask(bridge, "outcome")
    assert after["over"] != state["over"]
    assert {tuple(each["pieces"]) for each in marches(after)} < {tuple(each["pieces"]) for each in marches(state)}


def test_what_is_typed_is_read_and_can_be_taken_back(bridge: Bridge) -> None:
    state = opened(bridge)["state"]
    power = state["asked"][0]["power"]
    typed = f"pbem: 1\nkind: orders\norders:\n  {power}:\n    move:\n      - Nobody: Nowhere\n"
    wrong = ask(bridge, "write", typed)
    assert {fault["line"] for fault in wrong["faults"]} == {6}
    assert ask(bridge, "undo")["text"] == state["text"]
    assert ask(bridge, "redo")["text"] == typed


def test_a_text_that_cannot_be_read_says_so_and_stays(bridge: Bridge) -> None:
    opened(bridge)
    broken = ask(bridge, "write", "orders: [")
    assert broken["text"] == "orders: ["
    assert broken["faults"]


def test_signs_that_no_letter_can_hold_are_refused_in_words(bridge: Bridge) -> None:
    state = opened(bridge)["state"]
    power = state["asked"][0]["power"]
    answer = json.loads(bridge.call("put", json.dumps([power, {"move": [{"Schwerin": "Berl\u202ein"}]}])))
    assert [fault["code"] for fault in answer["refused"]] == ["E-DESK-UNWRITABLE"]
    # Half of a character, which a field of a browser can hold, becomes a question mark.
    assert ask(bridge, "write", "orders: \ud800")["text"] == "orders: ?"


def test_a_section_clicked_where_no_game_lies_says_nothing() -> None:
    assert ask(Bridge("en"), "rule", "§6") == []


def test_a_section_that_would_answer_twice_is_refused_and_nothing_changes(bridge: Bridge) -> None:
    state = opened(bridge, b"game: maria\n")["state"]
    asked = state["asked"][0]
    least = {name: number["least"] for name, number in asked["form"]["input"]["of"].items()}
    left, troops = asked["form"]["input"]["most"] - sum(least.values()), {}
    for name, number in asked["form"]["input"]["of"].items():
        more = min(left, number["most"] - least[name])
        troops[name] = str(least[name] + more)
        left -= more
    before = ask(bridge, "put", asked["power"], {"allot": troops})["text"]
    answer = json.loads(bridge.call("put", json.dumps([asked["power"], {"allot": troops}])))
    assert [fault["code"] for fault in answer["refused"]] == ["E-DESK-TWICE"]
    assert ask(bridge, "undo")["text"] != before


def test_faults_come_in_the_language_of_the_reader() -> None:
    told = set()
    for language in ("en", "de", "es", "it"):
        answer = json.loads(
            Bridge(language).call("open", json.dumps([base64.b64encode(b"game: chess\n").decode(), "x"]))
        )
        told.add(answer["refused"][0]["message"])
    assert len(told) == 4


def test_all_languages_have_the_same_words() -> None:
    words = {path.parent.name: yaml.safe_load(path.read_bytes()) for path in resource("templates").glob("*/desk.yaml")}
    assert set(words) == {"en", "de", "es", "it"}
    assert len({tuple(each) for each in words.values()}) == 1
    assert all(isinstance(word, str) and word for each in words.values() for word in each.values())
    for path in resource("templates").glob("*/desk.yaml"):
        keys = re.findall(r"^([a-z-]+):", path.read_text("utf-8"), re.MULTILINE)
        assert len(keys) == len(set(keys)), path


def test_the_scripts_use_every_word_and_no_other() -> None:
    scripts = "".join(path.read_text("utf-8") for path in (resource("templates") / "desk").glob("*.js"))
    page = (resource("templates") / "desk/page.html.j2").read_text("utf-8")
    words = yaml.safe_load((resource("templates") / "en/desk.yaml").read_bytes())
    unused = [word for word in words if f'"{word}"' not in scripts and f"{{{{ {word} }}}}" not in page]
    families = set(re.findall(r"(?:say|fill)\(`([a-z]+-)\$\{", scripts)) | {
        "about-",
        "bot-",
        "cause-",
        "each-",
        "game-",
        "lesson-",
        "order-",
        "sign-",
    }
    choices = {f"{name}-" for name in re.findall(r'choice\("([a-z]+)"', scripts)}
    assert [word for word in unused if not word.startswith((*families, *choices))] == []


def test_a_game_for_practice_goes_on_to_its_end() -> None:
    """The seat answers as its own bot would, by letters; what it is told never holds another's cards."""
    desk = Desk("en")
    practise(desk, "maria", "introductory", "frederick", "random")
    assert desk.opened.practice
    for turn in range(400):
        if desk.opened.practice.game.is_over:
            break
        assert set(desk.opened.hands(desk.table)["hands"]) <= {*desk.powers}  # type: ignore[call-overload]
        order_like_a_bot(desk, turn)
        go_on(desk)
    assert desk.sitting().over


def order_like_a_bot(desk: Desk, turn: int) -> None:
    """Answer one question, if the orders leave one; all that may be left open stays so."""
    tried = desk.judgement()
    open_now = [each for each in game_of(desk.table).decisions(tried.trial.table) if each.power in desk.powers]
    if not open_now:
        return
    decision = open_now[0]
    answer = bot_named("random", "maria")(copy_of(tried.trial.table), decision, Random(turn))
    desk.put(decision.power, sections_of(desk.table, decision.power, decision, answer))
    if any(not fault.is_warning for fault in desk.judgement().faults):
        desk.draft.undo()


def test_the_board_of_a_game_for_practice_is_drawn_once() -> None:
    desk = Desk("en")
    practise(desk, "maria", "introductory", "frederick", "random")
    board = desk.opened.board()
    order_like_a_bot(desk, 0)
    go_on(desk)
    assert desk.opened.board() is board


def test_orders_that_are_refused_leave_a_game_for_practice_as_it_was() -> None:
    desk = Desk("en")
    practise(desk, "maria", "introductory", "frederick", "random")
    assert desk.opened.practice
    before = dump_position(desk.opened.practice.game.table)
    desk.draft.become("pbem: 1\nkind: orders\norders:\n  prussia: {allot: {Schwerin: 99}}\n")
    with pytest.raises(Refused):
        go_on(desk)
    assert dump_position(desk.opened.practice.game.table) == before


def test_a_city_that_cannot_be_reached_tells_no_more_than_the_board(bridge: Bridge) -> None:
    state = opened(bridge)["state"]
    piece = state["pieces"][0]
    (found,) = ask(bridge, "reach", [piece["name"]])
    assert found["marches"][0]["from"] == piece["city"]


def test_a_march_goes_on_through_a_city_where_it_stands_and_conquers_it(bridge: Bridge) -> None:
    opened(bridge)
    state = ask(bridge, "march", "prussia", ["Schwerin"], ["Steinau"], ["Steinau"])
    going = ask(bridge, "going", "prussia")
    assert (going["pieces"], going["stops"], going["start"]) == (["Schwerin"], ["Steinau"], "Glogau")
    end = going["to"][0]
    after = ask(bridge, "march", "prussia", going["pieces"], [*going["stops"], end["city"]], end["path"])
    line = {"march": "Schwerin", "via": "Steinau", "to": end["city"]}
    assert yaml.safe_load(after["text"])["orders"] == {"prussia": {"move": [line]}}
    assert after["faults"] == []
    assert [went["path"] for went in after["went"]] == [end["path"]]
    assert ask(bridge, "going", "prussia")["stops"] == ["Steinau", end["city"]]
    assert ask(bridge, "undo")["text"] == state["text"]
    assert "Schwerin" not in ask(bridge, "take_back", "prussia")["text"]
    assert ask(bridge, "going", "prussia") is None


def test_generals_of_two_powers_go_on_together(bridge: Bridge) -> None:
    state = opened(bridge, joined())["state"]
    stack = next(march for march in marches(state) if {*march["pieces"]} == {"Broglie", "Törring"})
    power = next(each["power"] for each in state["asked"] if stack in (each["data"].get("marches") or []))
    end = next(each for each in stack["to"] if each["city"] == "Steyr")
    ask(bridge, "march", power, stack["pieces"], ["Steyr"], end["path"])
    going = ask(bridge, "going", power, stack["pieces"])
    assert any("Steyr" in each["conquers"] for each in going["to"])


def test_a_march_with_others_behind_it_goes_on_and_is_taken_back(bridge: Bridge) -> None:
    opened(bridge)
    state = ask(bridge, "march", "prussia", ["Schwerin"], ["Steinau"], ["Steinau"])
    other = next(march for march in marches(state) if march["to"])
    ask(bridge, "march", "prussia", other["pieces"], [other["to"][0]["city"]], other["to"][0]["path"])
    going = ask(bridge, "going", "prussia", ["Schwerin"])
    assert (going["pieces"], going["stops"]) == (["Schwerin"], ["Steinau"])
    end = next(end for end in going["to"] if end["city"] != other["to"][0]["city"])
    after = ask(bridge, "march", "prussia", ["Schwerin"], ["Steinau", end["city"]], end["path"])
    assert after["faults"] == []
    first, second = yaml.safe_load(after["text"])["orders"]["prussia"]["move"]
    assert first == {"march": "Schwerin", "via": "Steinau", "to": end["city"]}
    assert second == {" + ".join(other["pieces"]): other["to"][0]["city"]}
    left = ask(bridge, "take_back", "prussia", ["Schwerin"])
    assert yaml.safe_load(left["text"])["orders"] == {"prussia": {"move": [second]}}
    assert ask(bridge, "going", "prussia", ["Schwerin"]) is None


def test_a_march_behind_a_refused_one_is_taken_back(bridge: Bridge) -> None:
    opened(bridge)
    state = ask(bridge, "march", "prussia", ["Schwerin"], ["Steinau"], ["Steinau"])
    refused = next(march["pieces"] for march in marches(state) if march["pieces"] != ["Schwerin"])
    text = yaml.safe_load(state["text"])
    text["orders"]["prussia"]["move"].insert(0, {" + ".join(refused): "Vienna"})
    assert ask(bridge, "write", yaml.safe_dump(text, sort_keys=False))["faults"]
    assert ask(bridge, "going", "prussia", ["Schwerin"]) is None
    left = ask(bridge, "take_back", "prussia", ["Schwerin"])
    assert yaml.safe_load(left["text"])["orders"]["prussia"]["move"] == text["orders"]["prussia"]["move"][:1]


def test_a_ring_names_what_is_left_behind_and_not_where_it_ends(bridge: Bridge) -> None:
    """Nothing comes of ending in Breslau, which the enemy holds and protects; who marches on makes it questionable."""
    opened(bridge)
    ask(bridge, "march", "prussia", ["Schwerin"], ["Steinau", "Neumarkt"], ["Steinau", "Neumarkt"])
    (breslau,) = [end for end in ask(bridge, "going", "prussia")["to"] if end["city"] == "Breslau"]
    assert (breslau["aim"], breslau["conquers"]) == (True, [])
    assert breslau["questions"] == []
    ask(bridge, "march", "prussia", ["Schwerin"], ["Steinau", "Neumarkt", "Breslau"], breslau["path"])
    onward = ask(bridge, "going", "prussia")["to"]
    assert onward
    assert all(end["questions"] == ["Breslau"] for end in onward)
    stops = ["Steinau", "Neumarkt", "Breslau", onward[0]["city"]]
    ask(bridge, "march", "prussia", ["Schwerin"], stops, onward[0]["path"])
    told = str(ask(bridge, "outcome"))
    assert "Breslau is still protected: Prussia conquers it if nobody protects it after the battles" in told


def test_arrows_are_news_until_an_order_draws_others(bridge: Bridge) -> None:
    state = ask(bridge, "play_now", "friedrich", "elisabeth")["state"]
    assert "march" in state["over"]["over"]
    assert state["is_news"]
    march = marches(state)[0]
    end = march["to"][0]
    after = ask(bridge, "march", "russia", march["pieces"], [end["city"]], end["path"])
    assert not after["is_news"]
    assert ask(bridge, "undo")["is_news"]


def test_another_way_that_would_do_something_else_is_named_and_one_click_away(bridge: Bridge) -> None:
    state = ask(bridge, "learn", "maria", "fortress")["laid"]["state"]
    (schwerin,) = [march for march in marches(state) if march["pieces"] == ["Schwerin"]]
    ends = {end["city"]: end["path"] for end in schwerin["to"]}
    ask(bridge, "march", "prussia", ["Schwerin"], ["Strehlen"], ends["Strehlen"])
    going = ask(bridge, "going", "prussia")
    (other,) = going["others"]
    assert going["path"] == ["Schweidnitz", "Frankenstein", "Strehlen"]
    assert going["does"] == [["Schweidnitz"], [], [], []]
    assert (other["by"], other["does"]) == (["Breslau"], [["Schweidnitz", "Breslau"], [], [], []])
    after = ask(bridge, "march", "prussia", ["Schwerin"], other["path"], other["path"])
    assert after["faults"] == []
    assert [each["path"] for each in after["went"]] == [["Schweidnitz", "Breslau", "Strehlen"]]
    ask(bridge, "take_back", "prussia")
    ask(bridge, "march", "prussia", ["Schwerin"], ["Liegnitz"], ends["Liegnitz"])
    (longer,) = ask(bridge, "going", "prussia")["others"]
    assert longer["path"] == ["Schweidnitz", "Jauer", "Liegnitz"], "it is longer, and takes a fortress"
    assert longer["does"] == [["Schweidnitz"], [], [], []]
    after = ask(bridge, "march", "prussia", ["Schwerin"], longer["path"], longer["path"])
    assert [each["path"] for each in after["went"]] == [longer["path"]]
    assert ask(bridge, "going", "prussia")["others"] == [], "no way to Liegnitz takes more"


def test_a_game_begins_in_the_seat_that_is_chosen_and_tells_how_far_each_rival_is(bridge: Bridge) -> None:
    start = ask(bridge, "starts")["maria"]
    assert {"maria-theresa", "frederick", "louis"} == {*start["seats"]}
    found = ask(bridge, "play_now", "maria", "frederick")
    assert found["sitting"]["powers"][0] == "prussia"
    (camp,) = ask(bridge, "outlook")["camps"]
    progress = {each["power"]: each["progress"] for each in (*camp["own"], *camp["allies"], *camp["enemies"])}
    assert re.fullmatch(r"\d+/12", progress["prussia"])
    assert re.fullmatch(r"\d+/9", progress["france"])
    assert progress["saxony"] == ""
    # Fortresses of a minor power count for its great power.
    by = {each["power"]: each["counts_for"] for each in (*camp["own"], *camp["allies"], *camp["enemies"])}
    assert by == {"prussia": "", "saxony": "P", "france": "", "bavaria": "F", "austria": ""}


def test_how_far_everybody_is_counts_the_orders_wherever_it_is_told(bridge: Bridge) -> None:
    before = ask(bridge, "learn", "maria", "fortress")["laid"]["state"]
    (schwerin,) = [march for march in marches(before) if march["pieces"] == ["Schwerin"]]
    taken = next(end for end in schwerin["to"] if end["conquers"])
    after = ask(bridge, "march", "prussia", ["Schwerin"], [taken["city"]], taken["path"])
    (camp,) = ask(bridge, "outlook_now")["camps"]
    (prussia,) = [each for each in (*camp["own"], *camp["allies"]) if each["power"] == "prussia"]
    own, counted = (next(count for count in each["counts"] if count.startswith("P")) for each in (before, after))
    assert counted == f"P\u00a0{prussia['progress']}" != own


def test_a_fortress_tells_who_holds_protects_and_could_take_it(bridge: Bridge) -> None:
    found = opened(bridge)["state"]["fortresses"]
    allies = ["france", "bavaria", "prussia", "saxony"]
    neipperg = {"pieces": ["Neipperg"], "city": "Neisse", "by": 1}
    assert found["Breslau"] == {"holder": "austria", "guards": [neipperg], "far": 3, "takers": allies}
    assert found["Pilsen"] == {"holder": "austria", "guards": [], "far": 3, "takers": allies}
    assert (found["Liegnitz"]["holder"], found["Liegnitz"]["takers"]) == ("prussia", ["austria"])
    after = ask(bridge, "put", "prussia", {"move": [{"Friedrich der Große": "Frankenstein"}]})
    assert "Friedrich der Große" not in guards_of(after["fortresses"]["Crossen"])
    assert [each["foes"] for each in after["went"]] == [["Neisse"]]


def test_who_will_have_to_fight_where_he_stands_is_told_while_pieces_march(bridge: Bridge) -> None:
    assert opened(bridge)["state"]["coming"] == []
    after = ask(bridge, "put", "prussia", {"move": [{"Friedrich der Große": "Frankenstein"}]})
    assert after["coming"] == [{"pieces": ["Friedrich der Große"], "foes": ["Neipperg"]}]
    # Whoever stands there already is told without an order.
    state = opened(bridge, stand_off())["state"]
    assert state["coming"] == [{"pieces": ["Schwerin"], "foes": ["Neipperg"]}]
    assert opened(bridge, battlefield("maria"))["state"]["coming"] == []
    # Nor is a fight forgotten whose power has marched with all it has, while its partner has marches left.
    pieces = {"Törring": "Wittingau, 4", "bavaria train 1": "Passau", "Belle-Isle": "Bayreuth, 8", "Traun": "Zwettl, 5"}
    place = {"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": pieces}
    opened(bridge, write(place).encode())
    after = ask(bridge, "put", "bavaria", {"move": [{"bavaria train 1": "Peuerbach"}, {"Törring": "Gmünd"}]})
    assert {each["power"] for each in after["asked"]} == {"france"}
    assert after["coming"] == [{"pieces": ["Törring"], "foes": ["Traun"]}]


def guards_of(fortress: Any) -> list[str]:
    return [piece for guard in fortress["guards"] for piece in guard["pieces"]]


def test_each_protector_of_a_fortress_is_told_by_how_much_it_must_be_beaten(bridge: Bridge) -> None:
    state = ask(bridge, "play_now", "maria", "frederick")["state"]
    places = {piece["name"]: piece["city"] for piece in state["pieces"]}
    board = bridge.desk.opened.table.rules.common.board
    numbers = {city.name: number for number, city in enumerate(board.cities)}
    several = 0
    for city, fort in state["fortresses"].items():
        away = {name: board.distance(City(numbers[city]))[number] for name, number in numbers.items()}
        for guard in fort["guards"]:
            assert {places[piece] for piece in guard["pieces"]} == {guard["city"]}
            assert guard["by"] == fort["far"] + 1 - away[guard["city"]]
        far = [away[guard["city"]] for guard in fort["guards"]]
        assert far == sorted(far)
        several += len({guard["by"] for guard in fort["guards"]}) > 1
    assert several


@pytest.mark.parametrize(
    ("language", "trump"),
    [("en", "Trump is ♣."), ("de", "Trumpf ist ♣."), ("es", "El triunfo es ♣."), ("it", "Il seme dominante è ♣.")],
)
def test_the_trump_is_told_beside_the_cards_of_influence(language: str, trump: str) -> None:
    (asked,) = opened(Bridge(language), influence())["state"]["asked"]
    assert trump in asked["question"]
    # What is on the political cards is printed beside the question.
    assert asked["printed"]
    assert len(asked["question"]) < 170


def test_pieces_that_shut_a_train_in_are_named(bridge: Bridge) -> None:
    found = {"".join(march["pieces"]): march["blocked"] for march in marches(opened(bridge)["state"])}
    assert found["prussia train 1"] == {"Glogau": ["Schwerin"]}
    assert found["saxony train 1"] == {"Dresden": ["Rutowski"]}


def test_what_may_stay_without_orders_is_closed_in_one_step(bridge: Bridge) -> None:
    state = opened(bridge)["state"]
    marching = [each["power"] for each in state["asked"] if "marches" in each["data"]]
    assert len(marching) > 1
    closed = ask(bridge, "close")
    assert yaml.safe_load(closed["text"])["orders"] == {power: {"move": []} for power in marching}
    assert ask(bridge, "undo")["text"] == state["text"]


def test_who_has_no_room_for_troops_is_asked_nothing_and_who_wants_none_is_done(bridge: Bridge) -> None:
    winter = b"turn: 3\nstage: winter-france\npieces:\n  Broglie: Pilsen, 8\n  Belle-Isle: Cham, 8\n"
    state = opened(bridge, winter)["state"]
    assert [asked["power"] for asked in state["asked"]] == ["bavaria"]
    assert [each["write"] for each in state["given"]] == ["none"]
    closed = ask(bridge, "close")
    assert closed["faults"] == []
    assert yaml.safe_load(closed["text"])["orders"] == {"france": {"recruit": "none"}, "bavaria": {"recruit": "none"}}


@pytest.mark.parametrize("cards", [0, 1])
def test_a_toll_beyond_the_hand_is_answered_where_one_general_alone_can_go_without(bridge: Bridge, cards: int) -> None:
    state = opened(bridge, toll_beyond(cards))["state"]
    assert not [asked for asked in state["asked"] if asked["data"]["type"] == "Toll"]
    (given,) = [each["write"] for each in state["given"] if "pay" in each["write"]]
    assert len(given["pay"]) == cards
    assert given["unsupplied"]
    assert not [each for each in state["faults"] if each["code"].startswith("E-")]


def test_nothing_is_asked_of_a_power_whose_pieces_have_all_been_ordered(bridge: Bridge) -> None:
    state = opened(bridge)["state"]
    while found := [(asked, march) for asked in state["asked"] for march in asked["data"].get("marches", ())]:
        asked, march = next(each for each in found if each[1]["to"])
        line = {" + ".join(march["pieces"]): march["to"][0]["city"]}
        state = ask(bridge, "put", asked["power"], {"move": [line]})
    assert state["faults"] == []
    assert not [asked for asked in state["asked"] if asked["form"]["section"] == "move"]


def test_a_question_mark_has_the_power_whose_marker_would_lie_there(bridge: Bridge) -> None:
    pieces = {"Friedrich": "Neumarkt, 4", "Rutowski": "Steinau, 5", "Schwerin": "Brieg, 5", "Neipperg": "Oppeln, 3"}
    position = {"game": "maria", "turn": "2", "stage": "prussia", "phase": "movement", "pieces": pieces}
    opened(bridge, yaml.safe_dump(position).encode())
    # Saxony, which lays Prussia's markers, leaves a protected fortress first.
    march = {"march": "Rutowski", "via": ["Trebnitz", "Breslau"], "to": "Strehlen"}
    assert ask(bridge, "put", "saxony", {"move": [march]})["faults"] == []
    table = bridge.desk.judgement().trial.table
    assert [*table.state.field.questions.values()] == ["saxony"]
    assert [*bridge.desk.opened.board().scene_of(table).questions.values()] == ["prussia"]


STACK = b"""game: friedrich
turn: 4
stage: prussia
phase: movement
pieces:
  Schwerin: Waldenburg, 4
  Keith: Waldenburg, 4
  Daun: Nachod, 4
"""


def test_an_answer_that_is_refused_does_not_stay_in_the_orders(bridge: Bridge) -> None:
    state = opened(bridge, STACK)["state"]
    too_few = {"transfer": [{"Schwerin": "1", "Keith": "1"}]}
    answer = json.loads(bridge.call("put", json.dumps(["prussia", too_few])))
    assert [fault["rule"] for fault in answer["refused"]] == ["§6"]
    after = ask(bridge, "put", "prussia", {"transfer": [{"Schwerin": "5", "Keith": "3"}]})
    assert after["faults"] == []
    assert yaml.safe_load(after["text"])["orders"] == {"prussia": {"transfer": [{"Schwerin": 5, "Keith": 3}]}}
    assert ask(bridge, "undo")["text"] == state["text"]


def test_the_order_that_is_refused_is_taken_out_and_the_others_stay(bridge: Bridge) -> None:
    state = opened(bridge, STACK)["state"]
    march = next(each for each in marches(state) if each["pieces"] == ["Keith"])
    line = {"Keith": march["to"][0]["city"]}
    orders = {"prussia": {"transfer": [{"Schwerin": 1, "Keith": 1}], "move": [line]}}
    typed = yaml.safe_dump({"pbem": 1, "kind": "orders", "orders": orders}, sort_keys=False, allow_unicode=True)
    wrong = ask(bridge, "write", typed)
    assert [fault["rule"] for fault in wrong["faults"] if fault["code"].startswith("E-")] == ["§6"]
    assert wrong["mends"]
    mended = ask(bridge, "mend")
    assert not mended["mends"]
    assert yaml.safe_load(mended["text"])["orders"] == {"prussia": {"move": [line]}}
    assert ask(bridge, "undo")["text"] == typed


def test_a_mistake_outside_the_orders_is_not_offered_to_be_taken_away(bridge: Bridge) -> None:
    opened(bridge, STACK)
    assert not ask(bridge, "write", "orders: [")["mends"]
    assert not ask(bridge, "write", "pbem: 1\nkind: orders\nsnow: 1\norders: {}\n")["mends"]
    assert ask(bridge, "mend")["text"].endswith("orders: {}\n")


def test_a_march_comes_back_to_its_start_or_to_a_city_it_has_entered_if_it_takes_a_fortress(bridge: Bridge) -> None:
    place = {"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": {"Törring": "Wels, 4"}}
    state = opened(bridge, write(place).encode())["state"]
    (march,) = [each for each in marches(state) if each["pieces"] == ["Törring"]]

    def on(march: Any, *stops: str) -> Any:
        (end,) = [each for each in march["to"] if each["city"] == stops[-1]]
        faults = ask(bridge, "march", "bavaria", ["Törring"], stops, end["path"])["faults"]
        assert not [fault for fault in faults if fault["code"].startswith("E-")]
        return ask(bridge, "going", "bavaria", ["Törring"])

    gone = on(march, "Linz")
    assert [(end["city"], end["conquers"]) for end in gone["to"] if end["city"] == "Wels"] == [("Wels", ["Linz"])]
    over = on(gone, "Linz", "Krumau")
    back = on(over, "Linz", "Krumau", "Linz")
    assert back["path"] == ["Linz", "Krumau", "Linz"]
    ask(bridge, "undo")
    ask(bridge, "undo")
    home = on(gone, "Linz", "Wels")
    assert home["path"] == ["Linz", "Wels"]
    assert on(home, "Linz", "Wels", "Ried")["path"] == ["Linz", "Wels", "Ried"]
    ask(bridge, "undo")
    # Without a fortress on the way nobody comes back.
    ask(bridge, "undo")
    ask(bridge, "undo")
    assert "Wels" not in {end["city"] for end in on(march, "Ried")["to"]}


@pytest.mark.parametrize(("game", "stage"), [("maria", "austria"), ("friedrich", "prussia")])
def test_the_stage_of_marches_is_told_as_long_as_a_piece_can_march(game: str, stage: str, bridge: Bridge) -> None:
    """Also where the next stage would begin if nobody marched on."""
    place = {"game": game, "turn": 2, "stage": stage, "phase": "movement", "pieces": {}}
    state = opened(bridge, write(place).encode())["state"]
    march = next(each for each in marches(state) if each["to"] and not each["to"][0]["meets"])
    end = march["to"][0]
    after = ask(bridge, "march", stage, march["pieces"], [end["city"]], end["path"])
    assert after["asked"][0]["more"]
    assert after["marching"] == state["stage"] != after["stage"]
