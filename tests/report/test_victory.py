"""Powers that are about to win, or have all they need: what readers are told of them, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.campaign.settings import OBSERVER
from pbem.engine.decisions import PlayCard
from pbem.engine.field import OFF, alter
from pbem.engine.nouns import Power
from pbem.engine.table import powers_of_player
from pbem.games.maria.rules.decisions import Vote
from pbem.kit import game_of
from pbem.paper.documents.writing import Value, write
from pbem.paper.positions.files import load_position
from pbem.report.consequences import Prospects
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.victory import goals_reached, near_victory, progress_with
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import letter_text
from tests.test_picture_scenes import played

OBJECTIVES = ["Colberg", "Neu Stettin", "Stargard", "Ortelsburg", "Königsberg (Ostpreußen)", "Pyritz", "Riesenburg"]
OBJECTIVES += ["Woldenberg", "Rastenburg", "Küstrin"]
AWAY = dict.fromkeys(["Fermor", "Apraxin", "Tottleben", "Friedrich", "Winterfeldt", "Schwerin"], "off")


def near_goal(
    missing: int = 1,
    stage: str = "prussia",
    pieces: dict[str, str] | None = None,
    questions: dict[str, Value] | None = None,
    phase: str = "movement",
) -> str:
    """Position of FRIEDRICH in which Russia lacks Küstrin and some of the objectives before it in the list."""
    place: dict[str, Value] = {"game": "friedrich", "turn": 6, "stage": stage, "phase": phase}
    place["pieces"] = AWAY | {"Saltikov": "Landsberg, 8", "Heinrich": "Berlin, 3"} | (pieces or {})
    place["markers"] = {"russia": [*OBJECTIVES[: len(OBJECTIVES) - missing]]}
    return write(place | ({"questions": questions} if questions else {}))


def told(folder: Path, position: str, reader: str) -> Briefing:
    with SimulatedTable(folder / "campaign", game="friedrich", position=position).begun().open() as campaign:
        return briefings(campaign)[reader]


def said(briefing: Briefing, language: str = "en") -> str:
    return " ".join(letter_text(report_data(in_language(briefing, language))).split())


def objectives(missing: int) -> str:
    return f"{missing}\xa0objective{'s' if missing > 1 else ''}"


@pytest.mark.parametrize(
    ("missing", "pieces", "can_be_next"),
    [
        (1, {}, True),
        (1, {"Heinrich": "Groß Neuendorf, 3"}, True),
        (1, {"Saltikov": "Ortelsburg, 8"}, False),
        (2, {}, False),
        (3, {}, False),
    ],
)
def test_an_enemy_is_said_to_win_next_only_if_he_can_take_all_that_is_missing(
    missing: int, pieces: dict[str, str], can_be_next: bool
) -> None:
    table, powers = load_position(near_goal(missing, pieces=pieces).encode(), "near"), [Power("prussia")]
    (near,) = near_victory(Prospects(table, powers, powers))
    assert near.can_win_next is can_be_next
    told = near.sentence(table.rules, "en")
    assert told.startswith(f"Russia is {objectives(missing)} short of winning: {10 - missing} of 10.")
    assert told.endswith(" It could win in its next stage.") is can_be_next


@pytest.mark.parametrize(
    ("missing", "start", "winner", "can_be_next"),
    [
        (1, "Freienwalde", "Eberswalde", True),
        (2, "Freienwalde", "Eberswalde", False),
        (1, "Ortelsburg", "Johannisburg", False),
    ],
)
def test_an_enemy_who_must_retreat_can_win_next_only_from_where_the_retreat_can_end(
    missing: int, start: str, winner: str, can_be_next: bool
) -> None:
    place = near_goal(missing, phase="combat", pieces={"Saltikov": f"{start}, 7", "Heinrich": f"{winner}, 3"})
    place += f"retreat: {{start: {start}, length: 1, winner: prussia, from city: {winner}}}\nbegun: true\n"
    table, powers = load_position(place.encode(), "near"), [Power("prussia")]
    (near,) = near_victory(Prospects(table, powers, powers))
    assert near.can_win_next is can_be_next


def test_a_power_of_the_reader_is_no_enemy_of_another_one() -> None:
    """One player has Prussia and the Pragmatic Army. Prussia lacks four fortresses, and could take them."""
    table, _ = played("gambit", 4)
    powers = powers_of_player(table, "frederick")
    assert [*near_victory(Prospects(table, powers, powers))] == []
    assert [*near_victory(Prospects(table, [Power("austria")], [Power("austria")]))] == [], "not without battles"
    for general in table.rules.common.generals(Power("austria")):
        alter(table.state.field, general, city=OFF)
    (enemy,) = near_victory(Prospects(table, [Power("austria")], [Power("austria")]))
    assert (enemy.power, enemy.needed - enemy.held, enemy.can_win_next) == ("prussia", 4, True)
    assert [*near_victory(Prospects(table, powers, powers))] == []


@pytest.mark.parametrize(("missing", "can_be_next"), [(1, True), (2, False)])
def test_a_partner_about_to_win_is_told_to_partners_too(missing: int, can_be_next: bool) -> None:
    table, powers = load_position(near_goal(missing).encode(), "near"), [Power("austria")]
    (near,) = near_victory(Prospects(table, powers, powers))
    told = near.sentence(table.rules, "en")
    assert told.startswith(f"Russia is {objectives(missing)} short of winning: {10 - missing} of 10.")
    assert told.endswith(" It could win in its next stage.") is can_be_next


PRUSSIAN = ["Brieg", "Neisse", "Cosel", "Glogau", "Liegnitz", "Schweidnitz", "Breslau", "Glatz", "Olmütz", "Königgrätz"]
PRUSSIAN += ["Prag"]


def near_markers(missing: int, battle: int, pieces: dict[str, str] | None = None) -> str:
    """Position of MARIA at the marches of Austria. Prussia lacks some markers, has others in battle boxes, and only
    Friedrich is on the map for it, beside Traun, without an enemy fortress in his reach."""
    laid: Value = {"prussia": PRUSSIAN[: 13 - missing - battle]}
    place: dict[str, Value] = {"scenario": "advanced", "turn": 4, "stage": "austria", "phase": "movement"}
    off = ["Schwerin", "Rutowski", "Erbprinz Leopold", "Karl", "Neipperg", "Khevenhüller", "Batthyány"]
    off += ["prussia train 1", "George II", "Cumberland", "Earl of Stair", "Arenberg"]
    place["pieces"] = (
        dict.fromkeys(off, "off") | {"Friedrich": "Grottkau, 8", "Traun": "Frankenstein, 4"} | (pieces or {})
    )
    return write(place | {"markers": laid, "affairs": {"battle": {"prussia": battle}}})


@pytest.mark.parametrize("reader", ["austria", "france"])
@pytest.mark.parametrize(
    ("missing", "battle", "pieces", "can_be_next"),
    [
        (2, 0, {}, True),
        (1, 1, {}, True),
        (2, 1, {}, False),
        (1, 2, {}, False),
        (1, 1, {"Traun": "Wien, 4"}, False),
        (1, 2, {"Traun": "off", "Friedrich": "Znaim, 8", "prussia train 1": "Nikolsburg"}, True),
        (1, 2, {"Traun": "off", "Friedrich": "Znaim, 8"}, False),
        # Four fortresses are in his reach, but no march leads through three of them.
        (2, 2, {"Traun": "off", "Friedrich": "Iglau, 8", "prussia train 1": "Nikolsburg"}, True),
        (3, 2, {"Traun": "off", "Friedrich": "Iglau, 8", "prussia train 1": "Nikolsburg"}, False),
    ],
)
def test_an_enemy_can_win_by_battles_as_far_as_boxes_are_free_and_by_conquests_of_generals_in_supply(
    reader: str, missing: int, battle: int, pieces: dict[str, str], can_be_next: bool
) -> None:
    table, powers = load_position(near_markers(missing, battle, pieces).encode(), "near"), [Power(reader)]
    (near,) = near_victory(Prospects(table, powers, powers))
    assert (near.power, near.needed - near.held) == ("prussia", missing)
    assert near.can_win_next is can_be_next


@pytest.mark.parametrize(("city", "can_be_next"), [("Köln", True), ("Osnabrück", False)])
def test_a_conquest_that_brings_the_box_of_the_electors_counts(city: str, can_be_next: bool) -> None:
    """Köln is the third elector of the Pragmatic Army and its partner, which lack one marker."""
    off = dict.fromkeys(
        ["Moritz", "Noailles", "Belle-Isle", "Broglie", "Cumberland", "Earl of Stair", "Arenberg"], "off"
    )
    place: dict[str, Value] = {"scenario": "advanced", "turn": 4, "stage": "france", "phase": "movement"}
    place["pieces"] = off | {"George II": f"{city}, 8", "pragmatic train 1": "Gummersbach"}
    place["markers"] = {"pragmatic": ["Lille", "Dunkerque", "Cambrai", "Valenciennes", "Maubeuge"]}
    place["affairs"] = {"battle": {"pragmatic": 2}}
    table, powers = load_position(write(place).encode(), "near"), [Power("france")]
    near = {each.power: each for each in near_victory(Prospects(table, powers, powers))}["pragmatic"]
    assert (near.held, near.needed, near.can_win_next) == (7, 8, can_be_next)


OWN = {
    "de": "Russland: du brauchst noch 1 Zielstadt bis zum Sieg (jetzt 9 von 10). "
    "Du gewinnst am Ende der Runde, wenn du dann alles hältst.",
    "en": "With Russia you are 1 objective short of winning: 9 of 10. "
    "You win at the end of the turn if you hold all of it then.",
    "es": "Rusia: estás a 1 objetivo de ganar (tienes 9 de 10). Ganas al final del turno si entonces lo tienes todo.",
    "it": "Con la Russia sei a 1 obiettivo dalla vittoria (9 su 10). Vinci alla fine del turno, se allora tieni tutto.",
}


@pytest.mark.parametrize("language", languages())
def test_a_player_is_told_to_be_about_to_win_and_when(tmp_path: Path, language: str) -> None:
    text = said(told(tmp_path, near_goal(stage="russia"), "elisabeth"), language)
    assert text.count(OWN[language]) == 1


REACHED = {
    "de": "Russland: Das Ziel ist erreicht, 10 von 10. Russland gewinnt am Ende der Runde, wenn dann noch nichts davon "
    "verloren ist.",
    "en": "Russia: the goal is reached, 10 of 10. Russia wins at the end of the turn if it still holds all of it then.",
    "es": "Rusia: el objetivo está alcanzado, 10 de 10. Rusia gana al final del turno si entonces aún lo tiene todo.",
    "it": "Russia: l'obiettivo è raggiunto, 10 su 10. La Russia vince alla fine del turno, se allora tiene ancora "
    "tutto.",
}


@pytest.mark.parametrize("language", languages())
def test_all_are_told_that_a_power_has_all_it_needs_until_the_turn_ends(tmp_path: Path, language: str) -> None:
    position = near_goal(0, "sweden")
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        every = briefings(campaign)
    for reader in ("frederick", "pompadour", OBSERVER):
        assert said(every[reader], language).count(REACHED[language]) == 1, reader
    own = said(every["elisabeth"], language)
    assert REACHED[language] not in own
    assert REACHED[language].partition(" 10 ")[0] in own


FALLING = {
    "de": "Russland: noch 1 Zielstadt bis zum Sieg (jetzt 9 von 10). "
    "Durch den Fall von Küstrin kann das in diesem Zug gelingen.",
    "en": "Russia is 1 objective short of winning: 9 of 10. By the fall of Küstrin it can happen in this stage.",
    "es": "Rusia está a 1 objetivo de ganar (tiene 9 de 10). Con la caída de Küstrin, se puede ganar en esta etapa.",
    "it": "La Russia è a 1 obiettivo dalla vittoria (9 su 10). "
    "Con la caduta di Küstrin la vittoria può arrivare in questa fase.",
}


@pytest.mark.parametrize("language", languages())
def test_a_letter_that_asks_for_cards_tells_that_the_battle_can_lose_the_game(tmp_path: Path, language: str) -> None:
    beside = {"Saltikov": "Neudamm, 8", "Heinrich": "Groß Neuendorf, 3"}
    asked = told(tmp_path, near_goal(1, "russia", beside, {"russia": ["Küstrin"]}, "combat"), "frederick")
    assert [type(each) for each in asked.orders.asked] == [PlayCard]
    text = said(asked, language)
    assert text.count(FALLING[language]) == 1


def test_the_goal_of_another_is_not_told_to_win_once_the_game_is_over() -> None:
    table, _ = played("introductory", 6)
    assert table.state.result is not None
    assert [*goals_reached(table, [Power("austria")], "en")] == []
    assert [*goals_reached(table, [Power("prussia")], "en")] == ["Prussia: the goal is reached, 13 of 12."]


def test_cities_for_which_a_power_has_voted_can_be_imagined_as_taken(tmp_path: Path) -> None:
    position = write({"scenario": "advanced", "turn": 4, "stage": "election", "affairs": {"election": True}})
    with SimulatedTable(tmp_path / "campaign", scenario="advanced", position=position).begun().open() as campaign:
        table = briefings(campaign)["frederick"].table_in_play
    common, (asked,) = table.rules.common, game_of(table).decisions(table)
    assert asked == Vote(Power("prussia"), 1)
    electors = [city for city in common.board.fortresses if common.board.cities[city].elector]
    (before, needed), (after, _) = (
        progress_with(table, ["prussia"], dict.fromkeys(cities, Power("prussia")))["prussia"]
        for cities in ([], electors)
    )
    assert before < after <= needed
