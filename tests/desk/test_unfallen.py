"""Fortresses that a march has not taken, with the reason, and enemies who are about to win."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.desk.bridge import Bridge
from pbem.engine.conquest import conquer
from pbem.engine.nouns import Power
from pbem.paper.documents.writing import Value, write
from pbem.paper.positions.files import load_position
from pbem.player.names import new_table
from pbem.report.consequences import Prospects
from pbem.report.language.templates import macros_of
from pbem.report.victory import TEMPLATE, goals_reached, near_victory
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask, marches, opened

LEAVES = {"Belle-Isle": "Prag, 7", "Karl von Lothringen": "Saar, 2"}


def field(pieces: dict[str, str]) -> bytes:
    """Position at the marches of France."""
    place: Value = {"game": "maria", "turn": 4, "stage": "france", "phase": "movement", "pieces": pieces}
    return write(place).encode()


def reasons(pieces: dict[str, str], way: list[str], language: str = "en") -> list[str]:
    """Reasons why fortresses have not fallen after a march of Belle-Isle."""
    bridge = Bridge(language)
    opened(bridge, field(pieces))
    after = ask(bridge, "march", "france", ["Belle-Isle"], way[-1:], way)
    assert after["faults"] == []
    return [each["says"] for each in after["unfallen"] if each["city"] == "Prag"]


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_each_reason_why_a_fortress_has_not_fallen_is_told(language: str) -> None:
    lies = LEAVES | {"Belle-Isle": "Prag, 7, face-down"}
    away = LEAVES | {"Karl von Lothringen": "Wien, 2"}
    near = LEAVES | {"Karl von Lothringen": "Böhmisch Brod, 2"}
    (down,) = reasons(lies, ["Beraun"], language)
    (still,) = reasons(near, ["Beraun"], language)
    (stands,) = reasons(away | {"Belle-Isle": "Beraun, 7"}, ["Prag"], language)
    joined = near | {"Belle-Isle": "Beraun, 7", "Broglie": "Prag, 3"}
    (guarded,) = reasons(joined, ["Prag"], language)
    assert reasons(away, ["Beraun"], language) == []
    assert len({down, still, stands, guarded}) == 4
    assert guarded.index("Karl") < guarded.index("(") < guarded.index("Belle-Isle") < guarded.index("Broglie")
    if language == "en":
        assert "still protected by Karl von Lothringen. Once unprotected" in guarded
        assert "face-down, for want of supply" in down
        assert "still protected by Karl von Lothringen. " in still
        assert "by marching on out of it" in stands


def test_the_page_tells_the_reason_at_once_and_warns_of_an_enemy_near_his_goal(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "prague.yaml").write_bytes(field(LEAVES | {"Belle-Isle": "Prag, 7, face-down"}))
    sitter.open(str(tmp_path / "prague.yaml"))
    assert not sitter.reader.driver.find_elements("css selector", "#came .alarm")
    sitter.click_city("Prag")
    sitter.click_city("Beraun")
    assert "Prague has not fallen" in sitter.find("#chosen").text


MORE = ["Budweis", "Iglau"]


def near_goal(taken: int) -> bytes:
    """Position in which Austria marches, and Prussia holds so many fortresses of Austria besides its own."""
    cities = ["Neisse", "Glatz", "Olmütz", "Königgrätz", "Pardubitz", "Leitmeritz", "Tabor", *MORE][:taken]
    place: Value = {"game": "maria", "turn": 4, "stage": "austria", "phase": "movement", "markers": {"prussia": cities}}
    return write(place).encode()


def alarms(position: bytes, power: str, language: str) -> list[str]:
    table = load_position(position, "near")
    near = near_victory(Prospects(table, [Power(power)], [Power(power)]))
    return [each.sentence(table.rules, language) for each in near if not each.is_own]


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_an_enemy_who_needs_three_more_is_told_at_the_beginning_of_the_stage(language: str) -> None:
    told = {taken: alarms(near_goal(taken), "austria", language) for taken in (6, 7, 9)}
    assert told[6] == []
    ((three,), (one,)) = told[7], told[9]
    assert "3" in three
    assert "9" in three
    assert "11" in one
    assert alarms(near_goal(9), "prussia", language) == []
    if language == "en":
        assert three == "Prussia is 3\xa0fortresses short of winning: 9 of 12."


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_a_goal_of_the_readers_is_told_once_it_is_reached(language: str) -> None:
    table, powers = load_position(near_goal(9), "near"), [Power("prussia")]
    assert [*goals_reached(table, powers, language)] == []
    rules = table.rules.common
    conquer(rules, table.state.field, rules.board.index["Brünn"], powers[0])
    (told,) = goals_reached(table, powers, language)
    assert re.findall("[0-9]+", told) == ["12", "12"]
    if language == "en":
        assert told == "Prussia: the goal is reached, 12 of 12."


def last_objective() -> bytes:
    """Position of FRIEDRICH in which a general of Russia stands in the last objective that Russia lacks."""
    cities = ["Colberg", "Neu Stettin", "Stargard", "Ortelsburg", "Königsberg (Ostpreußen)", "Pyritz", "Riesenburg"]
    place: dict[str, Value] = {"game": "friedrich", "turn": 4, "stage": "russia", "phase": "movement"}
    place |= {"pieces": {"Saltikov": "Küstrin, 8"}, "markers": {"russia": [*cities, "Woldenberg", "Rastenburg"]}}
    return write(place).encode()


WINS = {
    "en": "You win at the end of the turn if you hold all of it then.",
    "de": "Du gewinnst am Ende der Runde, wenn du dann alles hältst.",
    "es": "Ganas al final del turno si entonces lo tienes todo.",
    "it": "Vinci alla fine del turno, se allora tieni tutto.",
}


@pytest.mark.parametrize("language", WINS)
def test_the_march_that_takes_the_last_objective_is_told_to_win_by_advice_and_before_done(language: str) -> None:
    bridge = Bridge(language)
    state = opened(bridge, last_objective())["state"]
    assert state["reached"] == []
    counsel = ask(bridge, "advise", ["Saltikov"])[0]
    state = ask(bridge, "put", counsel["power"], counsel["sections"])
    (told,) = state["reached"]
    assert told.endswith(f"10. {WINS[language]}")
    assert counsel["why"][0] == told
    assert marches(state), "more pieces may march"


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ({"game": "friedrich", "scenario": "austria"}, "You win at the end of this stage if you hold all of it"),
        ({"game": "maria", "scenario": "advanced"}, "You win at the end of this stage."),
        ({"game": "maria"}, ""),
    ],
)
def test_a_goal_is_told_to_win_when_the_rules_have_it(terms: dict[str, str], told: str) -> None:
    rules = new_table(terms).rules
    assert str(macros_of("en", terms["game"], TEMPLATE).wins("prussia", rules)).startswith(told)


def test_the_page_tells_of_a_goal_that_is_reached_while_pieces_may_march(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "last.yaml").write_bytes(last_objective())
    sitter.open(str(tmp_path / "last.yaml"))
    assert WINS["en"] not in sitter.text()
    sitter.reader.run("choose(columnsIn('Küstrin'), 0); march(chosen.to[0].city); clickCity(null)")
    assert WINS["en"] in sitter.find("#came").text


def test_the_page_shows_the_warning_for_the_whole_stage_after_an_order_in_one_line(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "near.yaml").write_bytes(near_goal(9))
    sitter.open(str(tmp_path / "near.yaml"))
    sitter.reader.run("state.alarms = ['Prussia is near.']; tellBar();")
    assert sitter.find("#came .alarm").text == "Prussia is near."
    sitter.march()
    sitter.reader.run("state.alarms = ['Prussia is near. It can happen soon.']; tellBar();")
    assert sitter.find("#came .alarm").text == "Prussia is near."
