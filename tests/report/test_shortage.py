"""Generals out of supply as things stand: told in the body before they lose troops, with what follows and when."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.bots.table import bot_named
from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.desk.practice import rules_of, terms_of
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.field import OFF, alter
from pbem.engine.memory import map_state_of
from pbem.engine.nouns import each_piece
from pbem.engine.supply import assess
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.letters import sign_letter
from pbem.report.language.templates import languages, macros_of, squeeze
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_text
from pbem.report.letters.shortages import field_ahead, shortages, toll_payers
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
    (
        "maria",
        "en",
    ): "- Out of supply if nothing changes: When the next stage of Prussia begins, Schwerin loses 2 troops"
    ", and Erbprinz Leopold is turned face-down and loses 1 troop.",
    ("maria", "de"): "- Unversorgt, wenn sich nichts ändert: Zu Beginn des nächsten Zuges Preußens verliert Schwerin"
    " 2 Truppen, und Erbprinz Leopold wird verdeckt und verliert 1 Truppe.",
    ("maria", "es"): "- Sin suministro, si nada cambia: al empezar la próxima etapa de Prusia, Schwerin pierde 2"
    " tropas, y Erbprinz Leopold queda bocabajo y pierde 1 tropa.",
    (
        "maria",
        "it",
    ): "- Senza rifornimento, se nulla cambia: all'inizio della prossima fase della Prussia, Schwerin perde"
    " 2 truppe, ed Erbprinz Leopold viene girato a faccia in giù e perde 1 truppa.",
    ("friedrich", "en"): "- Out of supply if nothing changes: When the next stage of Prussia ends, Schwerin and"
    " Keith are turned face-down.",
    ("friedrich", "de"): "- Unversorgt, wenn sich nichts ändert: Am Ende des nächsten Zuges Preußens werden"
    " Schwerin und Keith verdeckt.",
    (
        "friedrich",
        "es",
    ): "- Sin suministro, si nada cambia: al acabar la próxima etapa de Prusia, Schwerin y Keith quedan bocabajo.",
    (
        "friedrich",
        "it",
    ): "- Senza rifornimento, se nulla cambia: alla fine della prossima fase della Prussia, Schwerin e"
    " Keith vengono girati a faccia in giù.",
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
    assert not any(each.is_last for each in shortages(after, "en"))
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


LOST = {
    "en": "When the next stage of Prussia ends, Keith is removed with all troops.",
    "de": "Am Ende des nächsten Zuges Preußens wird Keith vom Spielplan genommen.",
    "es": "al acabar la próxima etapa de Prusia, Keith abandona el mapa.",
    "it": "alla fine della prossima fase della Prussia, Keith lascia la mappa con tutte le truppe.",
}
STARVING = """\
game: friedrich
turn: 2
stage: prussia
phase: movement
pieces: {Keith: "Brünn, 4", Daun: Prag}
"""


def test_who_was_turned_face_down_is_told_what_comes_next(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=STARVING).begun()
    with table.open() as campaign:
        campaign.vault.posted = campaign.state.snapshot()
        campaign.save()
    table.send(table.letter("frederick", {"prussia": {"move": [], "recruit": "none"}}))
    table.carried_out()
    with table.open() as campaign:
        told = briefings(campaign)["frederick"]
    for language in languages():
        data = report_data(in_language(told, language))
        short = " ".join(body_text(data | {"is_short": True, "is_asked": False}).split())
        assert LOST[language] in short, short


def test_a_mate_who_is_face_up_leaves_the_map_with_the_stack_of_who_is_face_down(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=STARVING).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    table = told.table_in_play
    rules, field = table.rules.common, table.state.field
    keith, mate = (
        next(at for at in rules.all_generals if rules.pieces[at].name == name) for name in ("Keith", "Dohna")
    )
    alter(field, keith, down=True)
    alter(field, mate, city=field.pieces[keith].city)
    found = {each.piece: (each.is_down, each.is_last) for each in shortages(told, "en")}
    assert found == {"Keith": (True, True), "Dohna": (False, True)}
    wanted = "Keith and Dohna are removed with all troops."
    assert wanted in " ".join(body_text(report_data(told)).split())


BEATEN = """\
game: friedrich
turn: 2
stage: prussia
phase: combat
begun: yes
pieces: {Keith: "Proßnitz, 4", Schwerin: "Trebitsch, 3", Daun: "Olmütz, 8"}
duel: {attacker: prussia, defender: austria, attacking city: Proßnitz, defending city: Olmütz, score: -4,
  turn: attacker}
hands: {prussia: [♠2/1, ♥2/1, ♦2/1, ♣2/1], austria: [♠3/1]}
"""


@pytest.mark.parametrize(("score", "turn", "hungry"), [(-4, "attacker", []), (4, "defender", ["Keith"])])
def test_who_is_beaten_by_a_stop_is_not_told_to_be_out_of_supply(
    tmp_path: Path, score: int, turn: str, hungry: list[str]
) -> None:
    position = BEATEN.replace("-4", str(score)).replace("turn: attacker", f"turn: {turn}")
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    assert {each.piece for each in shortages(told, "en")} == {"Schwerin", *hungry}, "who wins stays"


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
    "de": "hält {} der 12",
    "es": "controla {} de las 12",
    "it": "ha {} delle 12",
}


@pytest.mark.parametrize("language", languages())
def test_whoever_is_asked_reads_which_ally_lacks_no_more_than_two_cities(tmp_path: Path, language: str) -> None:
    table, data = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun(), dict[str, Any]()
    while not data or not data["asked"] or not data["asked"][0]["is_on_map"]:
        table.carried_out(force=True)
        with table.open() as campaign:
            data = report_data(in_language(briefings(campaign)["louis"], language))
    goal, told = data["position"]["data"]["goals"]["prussia"], {}
    for held in (9, 10):
        goal["held"] = held
        told[held] = NEAR[language].format(held) in " ".join(body_text(data).split())
    assert told == {9: False, 10: True}


LOST_BY_STAGE = {
    ("maria", "de"): "zu Beginn des nächsten Zuges Preußens verliert Schwerin alle Truppen und wird vom"
    " Spielplan genommen; zu Beginn des nächsten Zuges Sachsens wird Rutowski verdeckt und verliert 1\xa0Truppe",
    (
        "maria",
        "en",
    ): "when the next stage of Prussia begins, Schwerin loses all troops and is removed from the map;"
    " when the next stage of Saxony begins, Rutowski is turned face-down and loses 1\xa0troop",
    (
        "maria",
        "es",
    ): "al empezar la próxima etapa de Prusia, Schwerin pierde todas sus tropas y abandona el mapa;"
    " al empezar la próxima etapa de Sajonia, Rutowski queda bocabajo y pierde 1\xa0tropa",
    ("maria", "it"): "all'inizio della prossima fase della Prussia, Schwerin perde tutte le truppe e lascia la mappa;"
    " all'inizio della prossima fase della Sassonia, Rutowski viene girato a faccia in giù e perde 1\xa0truppa",
    (
        "friedrich",
        "de",
    ): "am Ende des nächsten Zuges Preußens wird Schwerin vom Spielplan genommen; am Ende des nächsten Zuges Sachsens"
    " wird Rutowski verdeckt",
    (
        "friedrich",
        "en",
    ): "when the next stage of Prussia ends, Schwerin is removed with all troops; when the next stage of Saxony"
    " ends, Rutowski is turned face-down",
    (
        "friedrich",
        "es",
    ): "al acabar la próxima etapa de Prusia, Schwerin abandona el mapa; al acabar la próxima etapa de Sajonia,"
    " Rutowski queda bocabajo",
    (
        "friedrich",
        "it",
    ): "alla fine della prossima fase della Prussia, Schwerin lascia la mappa con tutte le truppe; alla fine della"
    " prossima fase della Sassonia, Rutowski viene girato a faccia in giù",
}


LEFT = {
    "en": "France has 11 of 11 markers left.",
    "de": "Frankreich hat 11 von 11 Markern übrig.",
    "es": "A Francia le quedan 11 de 11 marcadores.",
    "it": "Alla Francia restano 11 degli 11 segnalini.",
}
MARKED = [
    {"type": "MarkersWon", "power": "france", "box": "battle", "count": 1},
    {"type": "MarkersLost", "power": "france", "box": "battle", "count": 1},
    {"type": "Conquered", "by": "austria", "loser": "france", "marker": "austria", "city": "Sedan"},
]


@pytest.mark.parametrize("language", languages())
def test_how_many_markers_are_left_is_told_after_each_change_of_their_number(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="advanced").begun().open() as campaign:
        found = briefings(campaign)
    own, other = (report_data(in_language(found[reader], language)) for reader in ("louis", "maria-theresa"))
    told = [body_text(own | {"events": events}) for events in ([], *([each] for each in MARKED))]
    assert [LEFT[language] in " ".join(each.split()) for each in told] == [False, True, True, True]
    assert LEFT[language] not in " ".join(body_text(other | {"events": MARKED}).split())


@pytest.mark.parametrize(("game", "language"), LOST_BY_STAGE)
def test_losses_are_told_by_the_stage_of_the_power_and_with_who_leaves_the_map(game: str, language: str) -> None:
    words = macros_of(language, game, "supply_words.txt.j2")
    gone = {"piece": "Schwerin", "is_down": True, "is_now": False, "stage": "prussia", "is_last": True}
    hit = {"piece": "Rutowski", "is_down": False, "is_now": False, "stage": "saxony", "is_last": False}
    assert squeeze(str(words.what_follows([hit, gone]))) == LOST_BY_STAGE[game, language]


GONE_FIRST = {
    ("maria", "de"): "zu Beginn des nächsten Zuges Preußens verliert Schwerin alle Truppen und wird vom Spielplan"
    " genommen, und Keith wird verdeckt und verliert 1\xa0Truppe",
    ("maria", "en"): "when the next stage of Prussia begins, Schwerin loses all troops and is removed from the map"
    ", and Keith is turned face-down and loses 1\xa0troop",
    ("maria", "es"): "al empezar la próxima etapa de Prusia, Schwerin pierde todas sus tropas y abandona el mapa"
    ", y Keith queda bocabajo y pierde 1\xa0tropa",
    ("maria", "it"): "all'inizio della prossima fase della Prussia, Schwerin perde tutte le truppe e lascia la mappa"
    ", e Keith viene girato a faccia in giù e perde 1\xa0truppa",
    ("friedrich", "de"): "am Ende des nächsten Zuges Preußens wird Schwerin vom Spielplan genommen und wird Keith"
    " verdeckt",
    ("friedrich", "en"): "when the next stage of Prussia ends, Schwerin is removed with all troops, and Keith is"
    " turned face-down",
    ("friedrich", "es"): "al acabar la próxima etapa de Prusia, Schwerin abandona el mapa, y Keith queda bocabajo",
    (
        "friedrich",
        "it",
    ): "alla fine della prossima fase della Prussia, Schwerin lascia la mappa con tutte le truppe, e Keith viene girato"
    " a faccia in giù",
}


@pytest.mark.parametrize(("game", "language"), GONE_FIRST)
def test_generals_who_leave_the_map_are_told_before_those_who_lose_troops(game: str, language: str) -> None:
    words = macros_of(language, game, "supply_words.txt.j2")
    hit = {"piece": "Keith", "is_down": False, "is_now": False, "stage": "prussia", "is_last": False}
    gone = {"piece": "Schwerin", "is_down": True, "is_now": False, "stage": "prussia", "is_last": True}
    assert squeeze(str(words.what_follows([hit, gone]))) == GONE_FIRST[game, language]


def test_what_another_power_of_the_reader_has_taken_is_counted_too(tmp_path: Path) -> None:
    position = "game: friedrich\nturn: 2\nstage: imperial\nphase: movement\n"
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        data: dict[str, Any] = report_data(briefings(campaign)["maria-theresa"])
    taken = {"type": "Conquered", "by": "austria", "loser": "prussia", "marker": "", "city": "Glatz"}
    told = [" ".join(body_text(data | {"events": events}).split()) for events in ([], [taken])]
    assert ["Austria holds 0 of the 16 objectives" in each for each in told] == [False, True]
    # A mail that asks nothing tells it, too, and of the powers of others.
    told = [data | {"events": [taken], "is_short": True, "is_asked": False, "asked": []}]
    told += [each | {"reader": "elisabeth", "powers": ["russia", "sweden"]} for each in told]
    assert all("Austria holds 0 of the 16 objectives" in " ".join(body_text(each).split()) for each in told)


@pytest.mark.parametrize(("game", "language"), LOST_BY_STAGE)
def test_losses_of_the_present_stage_are_told_before_those_of_later_ones(game: str, language: str) -> None:
    words = macros_of(language, game, "supply_words.txt.j2")
    later = {"piece": "Keith", "is_down": True, "is_now": False, "stage": "austria", "is_last": True}
    now = later | {"piece": "Schwerin", "is_now": True, "stage": "prussia"}
    told = squeeze(str(words.what_follows([later, now])))
    assert told.index("Schwerin") < told.index("Keith")


TAKEN_BACK = {"en": "victory marker", "de": "Siegmarker", "es": "marcador de victoria", "it": "segnalino vittoria"}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("won", [0, 1])
def test_a_general_whose_removal_costs_a_victory_marker_is_told_with_it(
    tmp_path: Path, won: int, language: str
) -> None:
    position = """\
scenario: advanced
turn: 2
stage: france
phase: movement
pieces: {Moritz: "Znaim, 1, face-down", france train 1: off,
  france train 2: off}
"""
    position += f"affairs: {{battle: {{france: {won}}}}}\n"
    with SimulatedTable(tmp_path / "campaign", scenario="advanced", position=position).begun().open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    found = {each.piece: each for each in shortages(told, language)}
    assert (found["Moritz von Sachsen"].is_last, found["Moritz von Sachsen"].sets_back) == (True, won == 1)
    assert (f"(−1 {TAKEN_BACK[language]})" in " ".join(body_text(report_data(told)).split())) == (won == 1)


SHARED_LOSS = {
    "en": "Traun and Karl von Lothringen lose 2 troops each",
    "de": "verlieren Traun und Karl von Lothringen je 2 Truppen",
    "es": "Traun y Karl von Lothringen pierden 2 tropas cada uno",
    "it": "Traun e Karl von Lothringen perdono 2 truppe ciascuno",
}


@pytest.mark.parametrize("language", languages())
def test_the_same_loss_of_several_generals_is_told_once(language: str) -> None:
    words = macros_of(language, "maria", "supply_words.txt.j2")
    lost = [
        {"piece": piece, "is_down": True, "is_now": False, "stage": "austria", "is_last": False}
        for piece in ("Traun", "Karl von Lothringen")
    ]
    assert SHARED_LOSS[language] in squeeze(str(words.what_follows(lost))).replace("\N{NO-BREAK SPACE}", " ")


def test_the_beaten_who_must_still_retreat_cut_nobody_off() -> None:
    """In the mail that asks where they go, they stand on the road to a train: it is free as soon as they have gone."""
    table, _ = game_named("friedrich").start(rules_of(terms_of("friedrich", "")), SeededDealer("cut 2"))
    chance, bot, freed = Random(2), bot_named("sensible", "friedrich"), 0
    while decisions := game_of(table).decisions(table):
        decision, field, ahead = decisions[0], table.state.field, field_ahead(table)
        if isinstance(decision, ChooseRetreat):
            gone = [at for at, piece in each_piece(ahead.pieces) if piece != field.pieces[at]]
            assert gone == sorted(decision.pieces)
            assert {ahead.pieces[piece].city for piece in gone} == {OFF}
            for power in table.rules.powers:
                before, after = (assess(table.rules.common, each, power)[2] for each in (field, ahead))
                freed += len({*before} - {*after} - {*gone})
        else:
            assert ahead is field
        game_of(table).apply(table, decision.power, bot(copy_of(table), decision, chance))
    assert freed
