"""Supply trains at the desk: which ones enemies could take, and how lost ones come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.desk.board import DeskBoard
from pbem.desk.bridge import Bridge
from pbem.desk.hauling import haul_words
from pbem.engine.decisions import Move
from pbem.engine.field import OFF, alter
from pbem.engine.march import destinations
from pbem.engine.memory import map_state_of
from pbem.engine.supply import enemy_cities, fed_cities, trace
from pbem.faults.wrong import words
from pbem.kit import game_of
from pbem.paper.documents.writing import Value, write
from pbem.paper.lexicon import Lexicon
from pbem.paper.positions.files import load_position
from pbem.player.names import new_table
from pbem.site.atlas import public_position
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask, marches, opened
from tests.desk.test_hunger import placed

RAIDED = {"Traun": "Passau, 5", "france train 2": "Straubing", "bavaria train 1": "off"}
"""A train of France beside an enemy, and one of Bavaria lost."""

FAR_APART = {"Traun": "Passau, 4", "austria train 2": "Linz", "Neipperg": "Neisse, 5", "austria train 3": "Olmütz"}
"""Two generals of Austria abroad, each with a train."""

RINGS = "return board.marked[1].map((each) => each.city).sort()"

OCCUPIED = "return state.pieces.some((each) => each.city === arguments[0])"


def test_a_train_in_reach_of_enemies_is_named_until_it_has_gone() -> None:
    bridge = Bridge("en")
    state = placed(bridge, "maria", "france", RAIDED)
    (danger,) = (each for each in state["dangers"] if each["pieces"] == ["france train 2"])
    assert danger["says"].startswith("France's train\N{NO-BREAK SPACE}2 in Straubing: in reach of Traun")
    (march,) = (each for each in marches(state) if each["pieces"] == ["france train 2"])
    safe = False
    for end in march["to"]:
        dangers = ask(bridge, "march", "france", ["france train 2"], [end["city"]], end["path"])["dangers"]
        told = " ".join(each["says"] for each in dangers if each["pieces"] == ["france train 2"])
        assert "Straubing" not in told
        safe = safe or not told
        ask(bridge, "undo")
    assert safe


def test_advice_tells_of_trains_that_stay_in_danger() -> None:
    bridge = Bridge("en")
    placed(bridge, "maria", "france", RAIDED)
    train = next(each for each in ask(bridge, "advise", ["france train 2"]) if "move" in each["sections"])
    if not train["sections"]["move"]:
        assert "Straubing" in str(train["dangers"])
    other = next(each for each in ask(bridge, "advise", ["Belle-Isle"]) if "move" in each["sections"])
    plan = {piece for counsel in (train, other) for line in counsel["sections"]["move"] for piece in line}
    assert ("Straubing" in str(other["dangers"])) is ("france train 2" not in plan)


def test_a_lost_train_can_come_back_after_the_last_march_of_its_power() -> None:
    bridge = Bridge("en")
    lost: Value = {"bavaria train 1": "off", "Törring": "Passau, 5"}
    place: Value = {"game": "maria", "turn": 3, "stage": "france", "phase": "movement", "pieces": lost}
    (back,) = opened(bridge, write(place).encode())["state"]["trains_back"]
    state = ask(bridge, "put", "bavaria", {"move": [{"Törring": ["Peuerbach"]}]})
    assert state["trains_back"] == [back]
    (ordered,) = back["ways"].values()
    assert "bavaria" in [each["power"] for each in state["asked"]]
    state = ask(bridge, "put", "bavaria", ordered)
    assert state["faults"] == []
    assert state["trains_back"] == []
    assert "bavaria" not in [each["power"] for each in state["asked"]]


@pytest.mark.parametrize(
    ("game", "stage", "power", "general", "city", "train"),
    [
        ("maria", "france", "bavaria", "Törring", "München", "off"),
        ("friedrich", "prussia", "prussia", "Seydlitz", "Brandenburg", "Potsdam"),
    ],
)
def test_a_train_is_ordered_into_a_city_also_if_its_general_is_ordered_away_after_that(
    game: str, stage: str, power: str, general: str, city: str, train: str
) -> None:
    bridge = Bridge("en")
    pieces: Value = {general: f"{city}, 5", f"{power} train 1": train}
    place: Value = {
        "game": game,
        "turn": 2,
        "stage": stage,
        "phase": "movement",
        "hands": {power: ["♣5"]},
        "pieces": pieces,
    }
    state = opened(bridge, write(place).encode())["state"]
    gone, other = next(each for each in marches(state) if each["pieces"] == [general])["to"][:2]
    state = ask(bridge, "march", power, [general], [gone["city"]], gone["path"])
    ways = next((back["ways"] for back in state["trains_back"]), None)
    state = ask(bridge, "put", power, ways[city] if ways else {"move": [{f"{power} train 1": city}]})
    assert state["faults"] == []
    alone = ask(bridge, "take_back", power, [general])
    assert alone["faults"]
    after = ask(bridge, "march", power, [general], [other["city"]], other["path"])
    assert after["faults"] == []
    assert {each["name"]: each["city"] for each in after["pieces"]}[f"{power} train 1"] == city
    assert ask(bridge, "undo")["text"] == alone["text"], "it is one change"


SAFER = {
    "Belle-Isle": "Prag, 8",
    "Broglie": "Krems, 6",
    "Traun": "Budweis, 5",
    "Khevenhüller": "Linz, 5",
    "Karl von Lothringen": "Steyr, 4",
}
"""Generals whom the bot follows with a train to where Traun could take it. Another place serves them as well."""

RISKED = {
    "Belle-Isle": "Passau, 8",
    "Broglie": "Prag, 6",
    "Traun": "Budweis, 5",
    "Khevenhüller": "Krems, 5",
    "Karl von Lothringen": "Deutsch Brod, 4",
}
"""Generals whom the train can supply only from where Traun could take it."""


@pytest.mark.parametrize(
    ("pieces", "train", "why"),
    [
        (SAFER, "Pilsen", ["in supply then: Belle-Isle", None, "the train stays near its generals"]),
        (
            RISKED,
            "Pisek",
            [
                "in supply then: Belle-Isle and Broglie",
                "it risks the train for the supply of Belle-Isle and Broglie",
            ],
        ),
    ],
    ids=["safer", "risked"],
)
def test_advice_for_a_train_avoids_enemies_where_it_can_and_else_says_that_it_risks_the_train(
    pieces: dict[str, str], train: str, why: list[str | None]
) -> None:
    bridge = Bridge("en")
    placed(bridge, "maria", "france", {**pieces, "france train 2": train})
    counsel = next(each for each in ask(bridge, "advise", ["france train 2"]) if each["power"] == "france")
    assert [*counsel["sections"]["move"][0]] == ["france train 2"]
    assert len(counsel["why"]) == len(why)
    assert all(wanted in (None, told) for wanted, told in zip(why, counsel["why"], strict=True))
    assert bool(counsel["dangers"]) is ("risks" in str(why))


def test_a_train_that_takes_supply_away_is_not_said_to_stay_near_its_generals() -> None:
    pieces: Value = {"Belle-Isle": "Iglau, 8", "france train 2": "Budweis", "Broglie": "off"}
    place: Value = {"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": pieces}
    table = load_position(write(place).encode(), "hauled.yaml")
    game_of(table).advance(table)
    train, (decision, *_) = Lexicon(table.rules).piece("france train 2"), game_of(table).decisions(table)
    told = Counter[tuple[bool, bool]]()
    for path in destinations(game_of(table).column_of(table, [train])).values():
        keys = [each.key for each in haul_words(table, decision, Move((train,), path), [words("why-haul")])]
        told["why-haul-fed" in keys, "why-haul" in keys] += "why-haul-risk" not in keys
    assert told[True, True] > 0
    assert told[False, False] > 0
    assert not told[False, True]


def test_the_march_of_a_train_names_only_those_whom_this_train_supplies() -> None:
    place: Value = {"game": "maria", "turn": 2, "stage": "austria", "phase": "movement", "pieces": {**FAR_APART}}
    table = load_position(write(place).encode(), "apart.yaml")
    game_of(table).advance(table)
    (decision, *_) = game_of(table).decisions(table)
    fed = {}
    for name in ("austria train 2", "austria train 3"):
        train = Lexicon(table.rules).piece(name)
        path = next(iter(destinations(game_of(table).column_of(table, [train])).values()))
        told = haul_words(table, decision, Move((train,), path), [])
        fed[name] = [dict(each.gaps).get("pieces") for each in told if each.key == "why-haul-fed"]
    assert fed == {"austria train 2": [("Traun",)], "austria train 3": [("Neipperg",)]}


def test_supply_past_a_hussar_is_told_with_its_toll_before_a_march_and_after_it() -> None:
    bridge, pieces = Bridge("en"), {"Belle-Isle": "Prag, 8", "france train 2": "Amberg", "Broglie": "off"}
    place: Value = {"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": {**pieces}}
    assert isinstance(place, dict)
    state = opened(bridge, write({**place, "hussars": ["Mies", "Cham"]}).encode())["state"]
    told = state["supply"]["france"]
    assert told == "In supply then, but past a hussar, for about 6 points of cards: Belle-Isle."
    counsel = next(each for each in ask(bridge, "advise", ["Belle-Isle"]) if each["power"] == "france")
    assert counsel["why"][0] == "in supply there only past a hussar, for about 6 points of cards: Belle-Isle"
    assert "hussar" not in str(opened(bridge, write(place).encode())["state"]["supply"])


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
@pytest.mark.parametrize(
    ("game", "stage", "train", "price"), [("maria", "france", "bavaria", 4), ("friedrich", "prussia", "prussia", 6)]
)
def test_how_lost_trains_come_back_is_told_with_their_price(
    language: str, game: str, stage: str, train: str, price: int
) -> None:
    lost = placed(Bridge(language), game, stage, {f"{train} train 1": "off"})["trains_lost"]
    (told,) = lost
    assert f" {price}" in told
    assert train not in told
    assert placed(Bridge(language), game, stage, {})["trains_lost"] == []
    if language == "en" and game == "maria":
        assert told == (
            "Bavaria's train\N{NO-BREAK SPACE}1: lost. A lost train comes back by an order beside the marches of"
            " Bavaria, for cards worth at least 4, in a free major fortress at home."
        )


def test_the_page_tells_both_beside_the_question_and_with_the_train(sitter: Sitter, tmp_path: Path) -> None:
    place: Value = {"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": RAIDED}
    (tmp_path / "raided.yaml").write_bytes(write(place).encode())
    sitter.open(str(tmp_path / "raided.yaml"))
    told = sitter.find("#came").text
    assert "in reach of Traun: a march there takes it" in told.replace("\N{NO-BREAK SPACE}", " ")
    assert "lost. A lost train comes back" in told
    sitter.reader.run("clickCity('Straubing')")
    assert "in reach of Traun" in sitter.find("#chosen").text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_lost_train_comes_back_by_one_click_where_its_power_can_pay() -> None:
    bridge = Bridge("en")
    assert placed(bridge, "maria", "france", {})["trains_back"] == []
    assert opened(bridge, lost_train(hand=["♣3/1"]))["state"]["trains_back"] == []
    state = opened(bridge, lost_train())["state"]
    (back,) = state["trains_back"]
    assert (back["train"], back["cards"]) == ("bavaria train 1", ["♣5/1"])
    assert [*back["ways"]] == ["München"]
    after = ask(bridge, "put", back["power"], back["ways"]["München"])
    assert after["faults"] == []
    assert after["trains_back"] == []
    assert next(each["city"] for each in after["pieces"] if each["name"] == "bavaria train 1") == "München"


def lost_train(hand: Collection[str] = ("♣5/1", "♥8/1")) -> bytes:
    """Position in which Bavaria, with this hand, has lost its train, and France has not."""
    hands: Value = {"bavaria": [*hand], "france": ["♠7/1"]}
    place: Value = {
        "game": "maria",
        "turn": 2,
        "stage": "france",
        "phase": "movement",
        "hands": hands,
        "pieces": {"bavaria train 1": "off"},
    }
    return write(place).encode()


@pytest.mark.parametrize("narrow", [True, False], ids=["phone", "wide"])
def test_the_bar_brings_a_lost_train_back_and_counts_it_as_not_ordered(
    sitter: Sitter, tmp_path: Path, *, narrow: bool
) -> None:
    (tmp_path / "lost.yaml").write_bytes(lost_train())
    if narrow:
        sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "lost.yaml"))
        left = "return Number(document.getElementById('left').textContent.match(/[0-9]+/)[0])"
        before = sitter.reader.run(left)
        assert before == sitter.reader.run("return marchers(() => true).length") + 1
        sitter.find("#done").click()
        assert "Bavaria's train" in sitter.find("#prompt").text
        sitter.find("#stay").click()
        button = sitter.find("#choices .back button")
        words = button.text.replace(" ", " ")
        assert words == "Bring Bavaria's train 1 back in Munich (costs ♣5)"
        button.click()
        place = sitter.reader.run("return state.pieces.find((each) => each.name === 'bavaria train 1').city")
        assert place == "München"
        assert sitter.reader.run(left) == before - 1
        assert not sitter.reader.driver.find_elements("css selector", "#choices .back")
    finally:
        sitter.put_phone_away()


def test_a_lesson_does_not_begin_with_trains_that_were_lost_before(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("learn('maria', Object.values(ask('lessons').maria)[0])")
    assert sitter.reader.run("return state.trains_lost.length") > 0
    assert "lost" not in sitter.find("#came").text


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_advice_beside_a_lost_train_says_how_it_can_come_back(language: str) -> None:
    bridge = Bridge(language)
    opened(bridge, lost_train())
    (counsel,) = (each for each in ask(bridge, "advise", ["Törring"]) if each["power"] == "bavaria")
    (planned,) = counsel["returns"]
    city = {"en": "Munich", "de": "München", "es": "Múnich", "it": "Monaco"}[language]
    assert city in planned
    opened(bridge, lost_train(["♣3/1"]))
    (counsel,) = (each for each in ask(bridge, "advise", ["Törring"]) if each["power"] == "bavaria")
    assert counsel["returns"] == []
    if language == "en":
        assert planned.replace("\N{NO-BREAK SPACE}", " ") == (
            "Bavaria's train 1 is lost, and comes back after that, by this plan: Munich."
        )


def test_the_sheet_of_advice_has_warnings_before_reasons(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "lost.yaml").write_bytes(lost_train())
    sitter.open(str(tmp_path / "lost.yaml"))
    sitter.reader.run("choose(columnsIn(state.pieces.find((each) => each.name === 'Törring').city), 0)")
    sitter.find("#advise").click()
    sitter.until("return document.querySelector('#counsel p')")
    kinds = "return [...document.querySelectorAll('#counsel p')].map((each) => each.className)"
    assert sitter.reader.run(kinds)[:3] == ["", "warning back", "why"]


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
@pytest.mark.parametrize(
    ("game", "stage", "general", "price"),
    [("maria", "france", "Belle-Isle", "4"), ("friedrich", "prussia", "Schwerin", "6")],
)
def test_how_a_general_off_the_map_comes_back_is_told(
    language: str, game: str, stage: str, general: str, price: str
) -> None:
    bridge = Bridge(language)
    (told,) = placed(bridge, game, stage, {general: "off"})["generals_lost"]
    assert told.startswith(f"{general}: ")
    assert price in told
    assert ("§13" if game == "maria" else "§10") in told
    assert placed(bridge, game, stage, {})["generals_lost"] == []


def test_on_a_phone_an_order_is_told_in_one_line_and_an_enemy_about_to_win_stays_named(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "lost.yaml").write_bytes(lost_train())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "lost.yaml"))
        sitter.reader.run(
            "board.show(['Amsterdam']); state.alarms = ['Austria needs only 1 more: 7 of 8. It can happen soon.'];"
            "const first = ask; ask = (name, ...given) => { const found = first(name, ...given);"
            "if (name === 'put') found.alarms = state.alarms; return found; };"
        )
        sitter.find("#choices .back button").click()
        told = sitter.find("#ordered").text.replace("\N{NO-BREAK SPACE}", " ")
        assert told == "Bavaria's train 1 is back in Munich; paid: ♣5."
        assert sitter.find("#came .alarm").text == "Austria needs only 1 more: 7 of 8."
        x, y = sitter.at("München")
        assert 0 < x < 360
        assert 0 < y < 480
        sitter.reader.run("clickCity('Paris')")
        assert not sitter.reader.driver.find_elements("css selector", "#ordered")
    finally:
        sitter.put_phone_away()


def test_in_friedrich_it_is_told_from_the_beginning_when_troops_are_paid_for(sitter: Sitter, tmp_path: Path) -> None:
    place: Value = {
        "game": "friedrich",
        "turn": 2,
        "stage": "prussia",
        "phase": "movement",
        "hands": {"prussia": ["♠9"]},
    }
    (tmp_path / "recruits.yaml").write_bytes(write({**place, "pieces": {"Schwerin": "off"}}).encode())
    sitter.open(str(tmp_path / "recruits.yaml"))
    told = sitter.find("#came").text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Schwerin: off the map. They come back when Prussia recruits" in told
    assert "You are asked after your first march" in told


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_trains_that_look_alike_have_their_numbers_on_the_board_of_now_and_of_then(game: str) -> None:
    table = new_table({"game": game})
    rules, board = table.rules.common, DeskBoard(table, table.rules.powers[:1], "en")
    position = public_position(rules, map_state_of(table.state.field), [], board.words)
    for pieces in (board.scene_of(table).pieces, position.pieces):
        labels = Counter((each.power, each.label) for each in pieces if each.kind == "train")
        assert {label for power, label in labels if len(rules.trains(power)) == 1} == {"T"}
        assert max(labels.values()) == 1


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_train_supplies_the_cities_that_are_marked_and_no_other(game: str) -> None:
    table = new_table({"game": game})
    rules, field = table.rules.common, table.state.field
    sizes = set()
    for power, _ in rules.armies:
        for train in rules.trains(power):
            if field.pieces[train].city < 0:
                continue
            general = next(each for each in rules.generals(power) if train in rules.wagons[each])
            alone = replace(field, pieces=[*field.pieces])
            for other in rules.wagons[general]:
                if other != train:
                    alter(alone, other, city=OFF)
            fed, foes = fed_cities(rules, field, train), enemy_cities(rules, alone, power)
            sizes.add(len(fed))
            for city in range(len(rules.board.cities)):
                if city not in foes:
                    alter(alone, general, city=city)
                    assert (trace(rules, alone, general) is not None) == (city in fed)
    assert min(sizes) > 10
    assert max(sizes) < len(rules.board.cities) // 2


def test_what_a_train_supplies_is_marked_in_place_of_where_it_can_go(sitter: Sitter) -> None:
    sitter.home()
    sitter.find(".play-now[data-game=maria]").click()
    sitter.until("return due().some(isMarch)")
    name, city = sitter.reader.run(
        "const at = state.pieces.find((each) => each.kind === 'train' && columnsIn(each.city).length);"
        "return [at.name, at.city];"
    )
    sitter.reader.run("pickPiece(arguments[0])", name)
    ends = sitter.reader.run(RINGS)
    sitter.find("#feeds").click()
    fed = sitter.reader.run(RINGS)
    assert city in fed
    assert set(fed) == set(sitter.reader.run("return ask('fed', arguments[0])", name))
    assert fed != ends
    assert "Cities it supplies" in sitter.reader.run("return board.meanings.textContent")
    # A click beside them shows the ends again, and nothing marches.
    sitter.click_city(next(each for each in fed if not sitter.reader.run(OCCUPIED, each)))
    assert sitter.reader.run(RINGS) == ends
    assert sitter.reader.run("return state.went.length") == 0
    assert sitter.find("#feeds").get_attribute("aria-pressed") == "false"
    # Another's train is looked at in the same way.
    sitter.reader.run("lookUp([state.pieces.find((each) => each.kind === 'train' && each.power === 'austria')])")
    sitter.find("#feeds").click()
    assert len(sitter.reader.run(RINGS)) > 10
    # A general has no such button.
    sitter.reader.run("pickPiece(state.pieces.find((each) => each.troops && columnsIn(each.city).length).name)")
    assert not sitter.reader.driver.find_elements("css selector", "#feeds")
