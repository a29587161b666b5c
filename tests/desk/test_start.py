"""Begin at the desk: a game at once, troops dealt by a bot, and a bot's advice on what is asked."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from pbem.desk.advising import starving
from pbem.desk.bot_games import advice, deal
from pbem.desk.bridge import Bridge
from pbem.desk.desk import Desk
from pbem.desk.opening import accept, open_file
from pbem.desk.page import HEIGHT, WIDTH, pictures_of
from pbem.engine.decisions import Done, Move
from pbem.resources import games
from tests.cli.correspondence import Correspondence
from tests.desk.test_desk import ask, marches

ERRORS = "E-"


def errors(state: Any) -> list[Any]:
    return [fault for fault in state["faults"] if fault["code"].startswith(ERRORS)]


@pytest.mark.parametrize("game", games())
def test_a_game_that_is_begun_at_once_asks_for_a_march_first(game: str) -> None:
    bridge = Bridge("en")
    begun = ask(bridge, "play_now", game)
    assert begun["state"]["asked"][0]["data"]["marches"]
    assert begun["sitting"]["kind"] == "practice"
    # Nobody has moved, and every general of the seat has troops.
    own = [each for each in begun["state"]["pieces"] if each["power"] in begun["sitting"]["powers"]]
    assert all(each["troops"] for each in own if each["kind"] == "general")
    asked = next(each for each in begun["state"]["asked"] if each["data"].get("marches"))
    march = next(each for each in asked["data"]["marches"] if each["to"])
    line = {" + ".join(march["pieces"]): march["to"][0]["city"]}
    assert errors(ask(bridge, "put", asked["power"], {asked["form"]["section"]: [line]})) == []


@pytest.mark.parametrize("game", games())
def test_troops_are_dealt_into_the_letter(game: str) -> None:
    bridge = Bridge("en")
    scenario = ask(bridge, "starts")[game]["scenario"]
    ask(bridge, "practise", game, scenario, next(iter(ask(bridge, "seats", game, scenario))), "sensible")
    state = ask(bridge, "deal")
    orders = yaml.safe_load(state["text"])["orders"]
    assert all(sum(map(int, each["allot"].values())) for each in orders.values())
    assert errors(state) == []
    assert ask(bridge, "undo")["orders"] == {}
    assert ask(bridge, "deal")["text"] == state["text"]


@pytest.mark.parametrize("game", games())
def test_advice_can_be_written_and_gives_its_reason(game: str) -> None:
    bridge = Bridge("en")
    ask(bridge, "play_now", game)
    found = ask(bridge, "advise")
    assert found[0]["why"]
    for each in found:
        assert errors(ask(bridge, "put", each["power"], each["sections"])) == []
    assert ask(Bridge("de"), "play_now", game)
    german = Bridge("de")
    ask(german, "play_now", game)
    assert ask(german, "advise")[0]["why"] != found[0]["why"]


def test_advice_is_for_the_piece_that_is_named_and_tells_why_it_stays() -> None:
    bridge = Bridge("en")
    ask(bridge, "play_now", "maria")
    stayed = 0
    for name in ("Broglie", "Belle-Isle", "france train 2"):
        found = next(each for each in ask(bridge, "advise", [name]) if each["power"] == "france")
        lines = found["sections"]["move"]
        assert all(name in pieces.split(" + ") for line in lines for pieces in line)
        assert found["why"]
        stayed += not lines
    assert 1 <= stayed <= 2


def test_advice_says_that_a_general_would_be_out_of_supply() -> None:
    """Every march that the rings show as out of supply, and no other."""
    bridge = Bridge("en")
    state, desk = ask(bridge, "play_now", "maria", "frederick")["state"], bridge.desk
    rules, counts = desk.table.rules.common, Counter[bool]()
    number = {city.name: n for n, city in enumerate(rules.board.cities)}
    for march in marches(state):
        pieces = tuple(n for n, piece in enumerate(rules.pieces) if piece.name in march["pieces"])
        for end in march["to"]:
            path = tuple(number[city] for city in end["path"])
            found = starving(desk.table, Move(pieces, path))
            assert bool(found) is end["starves"]
            assert {*found} <= {*march["pieces"]}
            counts[end["starves"]] += 1
    assert counts[True]
    assert counts[False]
    assert starving(desk.table, Done()) == ()


@pytest.mark.parametrize(("language", "title"), [("en", "The introductory game"), ("es", "El juego introductorio")])
def test_the_first_page_says_which_scenario_is_played_now(language: str, title: str) -> None:
    assert ask(Bridge(language), "starts")["maria"]["title"].startswith(title)


def test_advice_goes_on_with_pieces_that_have_not_marched() -> None:
    bridge = Bridge("en")
    ask(bridge, "play_now", "friedrich")
    marched = []
    for _ in range(3):
        found = next(each for each in ask(bridge, "advise") if each["power"] == "prussia")
        (line,) = found["sections"]["move"]
        marched += line
        assert errors(ask(bridge, "put", "prussia", found["sections"])) == []
    assert len({*marched}) == 3


def test_advice_on_a_report_needs_nothing_that_its_reader_does_not_know(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    table.join()
    desk = Desk("en")
    open_file(desk, Path(table.sent("frederick.report.yaml")).read_bytes(), "report")
    accept(desk)
    deal(desk)
    assert "allot" in desk.draft.text
    assert [fault for fault in desk.judgement().faults if not fault.is_warning] == []
    assert all(each.power in desk.powers for each in advice(desk))


@pytest.mark.parametrize("game", games())
def test_every_board_has_a_small_picture_by_day_and_by_night(game: str) -> None:
    found = pictures_of(game, "en")
    assert {*found} == {"light", "dark"}
    assert sum(map(len, found.values())) < 50_000
    for data in found.values():
        assert Image.open(BytesIO(data)).size == (WIDTH, HEIGHT)
