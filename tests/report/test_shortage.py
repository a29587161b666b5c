"""Generals out of supply as things stand: told in the body before they lose troops, with what follows and when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.engine.memory import map_state_of
from pbem.kit import copy_of
from pbem.paper.letters import sign_letter
from pbem.report.language.templates import languages, macros_of
from pbem.report.letters.dangers import shortages, toll_payers
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_text
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text

MARIA = """\
scenario: introductory
turn: 2
stage: austria
phase: movement
pieces: {Friedrich: Berlin, Leopold: "Brünn, 4", Schwerin: "Brünn, 3, face-down", Karl: "Schönberg, 4",
  prussia train 1: Olmütz}
"""
FRIEDRICH = """\
game: friedrich
turn: 2
stage: austria
phase: movement
pieces: {Daun: Prag, Keith: "Brünn, 4", Schwerin: "Brünn, 3", prussia train 1: Olmütz, Laudon: "Sternberg, 6"}
"""
TAKING = {"maria": (MARIA, "Karl: Olmütz"), "friedrich": (FRIEDRICH, "Laudon: Olmütz")}

NEWS = {
    ("maria", "en"): "- If nothing changes, out of supply when their next stage begins: "
    "Schwerin −2, Erbprinz Leopold −1.",
    ("maria", "de"): "- Wenn sich nichts ändert, unversorgt zu Beginn ihres nächsten Zuges: Schwerin −2, Erbprinz "
    "Leopold −1.",
    ("maria", "es"): "- Si nada cambia, por falta de suministro se pierden tropas al empezar su "
    "próxima etapa: Schwerin −2, Erbprinz Leopold −1.",
    ("maria", "it"): "- Senza rifornimento, se nulla cambia, all'inizio della propria prossima fase: Schwerin −2, "
    "Erbprinz Leopold −1.",
    ("friedrich", "en"): "- If nothing changes, out of supply when their stage ends: Schwerin and Keith face-down.",
    ("friedrich", "de"): "- Wenn sich nichts ändert, unversorgt am Ende ihres Zuges: Schwerin und Keith verdeckt.",
    ("friedrich", "es"): "- Si nada cambia, por falta de suministro al acabar su etapa quedan bocabajo "
    "Schwerin y Keith.",
    ("friedrich", "it"): "- Senza rifornimento, se nulla cambia, alla fine della propria fase: Schwerin e Keith a "
    "faccia in giù.",
}


def after_the_train_is_taken(folder: Path, game: str) -> tuple[Briefing, Briefing]:
    """The briefings of the power whose train is taken: before that, and once it is out of supply."""
    position, march = TAKING[game]
    table = SimulatedTable(
        folder, game=game, position=position, **({"scenario": "introductory"} if game == "maria" else {})
    )
    table.begun()
    with table.open() as campaign:
        before = briefings(campaign)
        campaign.vault.posted = campaign.state.snapshot()
        campaign.save()
    sheet = sheet_text(before["maria-theresa"]).replace("\n      move:\n", f"\n      move:\n        - {march}\n", 1)
    assert march in sheet
    table.send(sign_letter(sheet, table.players["maria-theresa"].key))
    table.carried_out()
    with table.open() as campaign:
        return before["frederick"], briefings(campaign)["frederick"]


@pytest.mark.parametrize("game", TAKING)
def test_who_is_cut_off_is_told_at_once_and_beside_what_is_asked(tmp_path: Path, game: str) -> None:
    before, after = after_the_train_is_taken(tmp_path / "campaign", game)
    assert not shortages(before, "en")
    assert [each.is_new for each in shortages(after, "en")] == [True, True]
    for language in languages():
        data = report_data(in_language(after, language))
        wanted = NEWS[game, language]
        short = body_text(data | {"is_short": True, "is_asked": False})
        assert wanted in " ".join(short.split()), short
        known = [each | {"is_new": False} for each in data["unsupplied"]]
        quiet = body_text(data | {"is_short": True, "is_asked": False, "unsupplied": known})
        assert wanted[2:] not in " ".join(quiet.split()), "what has not changed is no news"
        some = [each | {"is_new": each is data["unsupplied"][0]} for each in data["unsupplied"]]
        mixed = body_text(data | {"is_short": True, "is_asked": False, "unsupplied": some})
        assert wanted in " ".join(mixed.split()), "beside one who is new, all are named"
        asked = " ".join(body_text(data | {"is_short": False, "is_asked": True, "unsupplied": known}).split())
        assert asked.count(wanted[2:]) == 1, "beside the pieces, and in no news"


MOVED = """\
scenario: introductory
turn: 2
stage: prussia
phase: movement
pieces: {Friedrich: Berlin, Schwerin: "Prerau, 3, face-down", Leopold: "Brünn, 4", Karl: "Hradisch, 4"}
"""


def test_who_stays_cut_off_is_told_again_once_he_has_moved(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", position=MOVED, scenario="introductory").begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    common, field = told.table_in_play.rules.common, told.table_in_play.state.field
    leopold = next(each for each in common.all_generals if common.pieces[each].name == "Erbprinz Leopold")
    now = map_state_of(field)
    elsewhere = next(iter(common.board.near[now.places[leopold]]))
    before = replace(now, places=[elsewhere if at == leopold else city for at, city in enumerate(now.places)])
    after = replace(told, news=replace(told.news, before=before))
    found = {each.piece: each.is_new for each in shortages(after, "en")}
    assert found == {"Erbprinz Leopold": True, "Schwerin": False}


TOLLED = {
    "en": "Supplied only for a toll as things stand: Schwerin and Erbprinz Leopold.",
    "de": "Nach jetzigem Stand nur gegen Abgabe versorgt: Schwerin und Erbprinz Leopold.",
    "es": "Con suministro solo pagando peaje, tal como están las cosas: Schwerin y Erbprinz Leopold.",
    "it": "Riforniti solo pagando un pedaggio, se nulla cambia: Schwerin ed Erbprinz Leopold.",
}
RAIDERS = {
    "en": "Enemy hussars, who levy a toll on supply: ",
    "de": "Feindliche Husaren (Versorgung kostet dort eine Abgabe) stehen in ",
    "es": "Húsares enemigos, que cobran peaje por el suministro: ",
    "it": "Ussari nemici, che esigono un pedaggio sui rifornimenti: ",
}


def test_who_is_supplied_only_for_a_toll_is_told_when_hussars_come_and_where_they_stand(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=MARIA, scenario="introductory").begun()
    with table.open() as campaign:
        told = briefings(campaign)["frederick"]
    assert not toll_payers(told, "en")
    raided = copy_of(told.table_in_play)
    common, field = raided.rules.common, raided.state.field
    leopold = next(general for general in common.all_generals if common.pieces[general].name == "Erbprinz Leopold")
    news = replace(told.news, before=map_state_of(field), events=())
    # More hussars than there are: no way without a toll is left.
    field.hussars = list(common.board.near[field.pieces[leopold].city])
    after = replace(told, table=raided, news=news)
    found = toll_payers(after, "en")
    assert "Erbprinz Leopold" in [each.piece for each in found]
    assert all(each.is_new for each in found)
    for language in languages():
        data = report_data(in_language(after, language))
        short, asked = (
            " ".join(body_text(data | {"is_short": is_short, "is_asked": not is_short}).split())
            for is_short in (True, False)
        )
        assert f"- {TOLLED[language]}" in short
        assert TOLLED[language] in asked
        assert RAIDERS[language] in asked
        assert RAIDERS[language] not in " ".join(body_text(report_data(in_language(told, language))).split())


NEAR = {
    "en": "holds {} of the 12",
    "de": "kontrolliert {} der 12",
    "es": "controla {} de las 12",
    "it": "controlla {} delle 12",
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seat", ["louis", "maria-theresa"])
def test_whoever_is_asked_reads_which_power_lacks_no_more_than_two_cities(
    tmp_path: Path, language: str, seat: str
) -> None:
    table, data = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun(), dict[str, Any]()
    while not data or not data["asked"] or not data["asked"][0]["is_on_map"]:
        table.carried_out(force=True)
        with table.open() as campaign:
            data = report_data(in_language(briefings(campaign)[seat], language))
    goal, told = data["position"]["data"]["goals"]["prussia"], {}
    for held in (9, 10):
        goal["held"] = held
        told[held] = NEAR[language].format(held) in " ".join(body_text(data).split())
    assert told == {9: False, 10: True}


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_the_stage_of_one_general_is_his(game: str) -> None:
    words = macros_of("en", game, "supply_words.txt.j2")
    some = [{"piece": name, "is_down": False, "is_now": False} for name in ("Karl", "Daun")]
    assert [whose in str(words.what_follows(some[:1])) for whose in ("his", "their")] == [True, False]
    assert [whose in str(words.what_follows(some)) for whose in ("his", "their")] == [False, True]
