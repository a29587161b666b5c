"""Sheets for the set-up: generals who take no part get the least, and what they get is said to be lost."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from pbem.bots.plain import hold
from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.desk.advising import dealings
from pbem.engine.decisions import Allot, Allotment
from pbem.engine.nouns import Piece
from pbem.engine.troops import check_allotment
from pbem.games.maria.report.account import better_beginning, idle_generals
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_texts
from pbem.report.telling import question
from tests.campaign.simulated import SimulatedTable
from tests.report import script
from tests.report.plain import body_text
from tests.setups import troops_in

FRENCH = ("Moritz von Sachsen", "Belle-Isle", "Broglie", "Maillebois", "Noailles")


def begun_for(tmp_path: Path, player: str, scenario: str) -> Briefing:
    """The first report of a player in a campaign that has just begun."""
    with SimulatedTable(tmp_path / "campaign", scenario=scenario).begun().open() as campaign:
        return briefings(campaign)[player]


LOST = {
    "en": "Moritz von Sachsen, Maillebois and Noailles take no part in this game; troops allotted "
    "to them do not come into play: at least 10 of the 26.",
    "de": "Moritz von Sachsen, Maillebois und Noailles nehmen an diesem Spiel nicht teil; ihnen zugeteilte "
    "Truppen kommen nicht ins Spiel: mindestens 10 von 26.",
    "es": "Moritz von Sachsen, Maillebois y Noailles no participan en esta partida; las tropas que "
    "se les asignen no entran en juego: al menos 10 de las 26.",
    "it": "Moritz von Sachsen, Maillebois e Noailles non partecipano a questa partita; le loro "
    "truppe (almeno 10 su 26) non entrano in gioco.",
}


@pytest.mark.parametrize("language", languages())
def test_the_introductory_sheet_says_which_troops_are_lost(tmp_path: Path, language: str) -> None:
    briefing = begun_for(tmp_path, "louis", "introductory")
    assert LOST[language] in " ".join(str(report_data(in_language(briefing, language))["asked"]).split())
    for sheet in sheet_texts(briefing, language)[:2]:
        text = " ".join(sheet.replace("#", " ").split())
        assert LOST[language] in text
        assert text.count(LOST[language][-20:]) == 1, "Bavaria's only general takes part"


def test_in_spanish_the_least_for_one_general_is_told_in_the_singular() -> None:
    first, second, third = script.FRIEDRICH, script.LEOPOLD, script.SCHWERIN
    told = [
        question(script.RULES, Allot("prussia", 12, least, 8), {}, "es").partition("por general")[2]
        for least in ({first: 5}, {first: 5, second: 1}, {first: 5, second: 1, third: 1}, {first: 1, second: 1})
    ]
    assert [each.replace("\u00a0", " ") for each in told] == [
        "; mínimo: Friedrich der Große 5.",
        "; mínimos: Friedrich der Große 5, Erbprinz Leopold 1.",
        "; mínimos: Friedrich der Große 5, los demás 1.",
        " y como mínimo 1.",
    ]


ONLY_HERE = {
    "en": ("Only one answer is possible here;", "unchanged"),
    "de": ("Hier ist nur eine Antwort möglich;", "unverändert, als"),
    "es": ("Aquí solo es posible una respuesta;", "sin cambios"),
    "it": ("Qui è possibile una sola risposta;", "senza cambiarlo"),
}


@pytest.mark.parametrize("language", languages())
def test_beside_a_choice_the_only_answer_of_another_power_is_not_said_to_be_all(tmp_path: Path, language: str) -> None:
    for sheet in sheet_texts(in_language(begun_for(tmp_path, "louis", "advanced"), language), language)[:2]:
        text = " ".join(sheet.replace("#", " ").split())
        said, unchanged = ONLY_HERE[language]
        assert (text.count(said), text.count(unchanged)) == (1, 0)


BY_DEFAULT = {
    "en": "Without orders of yours, default orders give:",
    "de": "Ohne deine Befehle verteilen die Ersatzbefehle:",
    "es": "Sin órdenes tuyas, las órdenes por defecto asignan:",
    "it": "Senza ordini tuoi, gli ordini predefiniti assegnano:",
}


@pytest.mark.parametrize("language", languages())
def test_troops_stand_where_they_serve_and_what_default_orders_would_give_is_said(
    tmp_path: Path, language: str
) -> None:
    briefing = begun_for(tmp_path, "louis", "introductory")
    by_default = f"{BY_DEFAULT[language]} Belle-Isle 6, Broglie 5, Maillebois 4, Noailles 4."
    for sheet in sheet_texts(briefing, language)[:2]:
        text = " ".join(sheet.replace("#", " ").split())
        assert text.count(by_default) == 1, "Bavaria's default orders are those of the sheet"
        assert [troops_in(sheet, each) for each in FRENCH] == [7, 8, 8, 2, 1]


def given(briefing: Briefing) -> list[tuple[Allot, Mapping[Piece, int], Mapping[Piece, int]]]:
    """The allotments that are asked of a reader, each with the troops by the sheet and by the default orders."""
    table = briefing.table_in_play
    return [
        (asked, (better_beginning(table, asked) or by_default).troops, by_default.troops)
        for asked in briefing.orders.asked
        if isinstance(asked, Allot) and isinstance(by_default := hold(table, asked, Random(0)), Allotment)
    ]


@pytest.mark.parametrize("terms", [("introductory", "3"), ("introductory", "2"), ("silesia-gambit", "3")])
def test_in_every_game_with_idle_generals_these_get_what_nobody_else_may_have(
    tmp_path: Path, terms: tuple[str, str]
) -> None:
    scenario, players = terms
    with SimulatedTable(tmp_path / "campaign", scenario=scenario, players=players).begun().open() as campaign:
        told = briefings(campaign)
    rules = next(iter(told.values())).table_in_play.rules
    found = 0
    for asked, troops, _ in chain.from_iterable(map(given, told.values())):
        check_allotment(rules.common, asked, Allotment({**troops}), "§4")
        if idle := idle_generals(rules, asked):
            found += 1
            spare = sum(troops[each] - asked.least[each] for each in idle)
            assert not spare or all(troops[each] == asked.most for each in troops if each not in idle)
    assert found == {"introductory": 3, "silesia-gambit": 1}[scenario]


def test_default_orders_stay_as_they_are_and_the_desk_deals_as_the_sheet_does(tmp_path: Path) -> None:
    briefing = begun_for(tmp_path, "louis", "introductory")
    (_, by_sheet, by_default), _ = given(briefing)
    assert [*by_default.values()] == [7, 6, 5, 4, 4]
    dealt = dealings(briefing.table_in_play, briefing.powers)
    assert [*dealt["france"]["allot"].values()] == [str(troops) for troops in by_sheet.values()]


@pytest.mark.parametrize(
    ("player", "lost", "kept"), [("frederick", "do not come into play: at least 6 of the 22", "Dessauer: 6")]
)
def test_of_the_least_number_nothing_is_added_for_who_takes_no_part(
    tmp_path: Path, player: str, lost: str, kept: str
) -> None:
    sheet = " ".join(sheet_texts(begun_for(tmp_path, player, "introductory"))[0].replace("#", " ").split())
    assert lost in sheet
    assert kept in sheet


def test_a_general_who_may_come_into_play_loses_nothing(tmp_path: Path) -> None:
    """In the advanced game the general in East Prussia comes back."""
    briefing = begun_for(tmp_path, "frederick", "advanced")
    assert any(isinstance(each, Allot) for each in briefing.orders.asked)
    assert "lost" not in sheet_texts(briefing)[0]
    assert BY_DEFAULT["en"] not in sheet_texts(briefing)[0]


@pytest.mark.parametrize("language", languages())
def test_a_report_of_the_set_up_has_the_pieces_of_a_power_that_is_not_asked(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", game="friedrich").begun().open() as campaign:
        told = in_language(briefings(campaign)["elisabeth"], language)
    assert {decision.power for decision in told.orders.asked} == {"russia"}
    body = " ".join(body_text(report_data(told)).split())
    assert "Ehrensvärd 4 Stralsund" in body.replace("\u00a0", " "), body
