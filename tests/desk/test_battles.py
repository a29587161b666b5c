"""Battles at the desk: what a card leads to, and the cards that are printed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.desk.asking import Fighter, OpenBattle, stop_of, told_defeat
from pbem.desk.bot_games import go_on
from pbem.desk.bridge import Bridge
from pbem.desk.desk import Desk
from pbem.desk.lessons import LessonGame
from pbem.desk.numbers_then import own_troops, troops_before
from pbem.desk.opening import open_file
from pbem.desk.practice import Practice
from pbem.desk.steps import ForcedStop
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.events import (
    BattleWon,
    GeneralRemoved,
    Recruited,
    RetreatImpossible,
    SupplyLost,
    TroopsMoved,
)
from pbem.games.maria.rules.decisions import ChooseTrump, SelectPolitics
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.positions.files import load_position
from pbem.player.names import new_table
from pbem.report.language.templates import lead_in_words
from pbem.report.retreats import reaching
from pbem.report.telling import game_report
from tests.desk.fields import at_pirna, battlefield, forced_retreat, influence, retreat
from tests.desk.test_desk import ask


@pytest.fixture(params=["maria", "friedrich"])
def fought(request: pytest.FixtureRequest) -> tuple[Desk, Any]:
    """A desk with a battle on it, and what is asked there."""
    desk = Desk("en")
    open_file(desk, battlefield(request.param), "battle.yaml")
    (asked,) = (each for each in desk.asked(desk.judgement()) if not each.free)
    return desk, asked


def test_a_city_is_called_as_in_the_language_of_the_page() -> None:
    desk = Desk("en")
    open_file(desk, battlefield("maria"), "battle.yaml")
    fights = [asked.fight for asked in desk.asked(desk.judgement()) if asked.fight]
    assert [(fight.foe.city, fight.foe.called) for fight in fights] == [("Krakau", "Cracow")]


def test_the_score_behind_each_card_is_the_one_that_it_leads_to(fought: tuple[Desk, Any]) -> None:
    desk, asked = fought
    assert asked.fight.score == -3
    assert asked.fight.own.suit == "♦"
    assert asked.fight.foe.suit == "♠"
    assert asked.fight.foe.troops - asked.fight.own.troops == 3
    written = {option.write for option in asked.form.input.of.options}
    assert written - {"stop"} == set(asked.fight.after)
    for card, score in asked.fight.after.items():
        before = desk.draft.text
        desk.put(asked.power, {"play": [card]})
        duel = desk.judgement().trial.table.state.duel
        assert abs(duel.score) == abs(score)
        desk.draft.undo()
        assert desk.draft.text == before


@pytest.mark.parametrize(("cards", "plays_on"), [(("♦5",), True), ((), False)], ids=["must play", "must stop"])
def test_what_is_played_by_itself_tells_whether_the_battle_goes_on(cards: tuple[str, ...], *, plays_on: bool) -> None:
    desk = Desk("en")
    open_file(desk, battlefield("maria", 0, cards), "battle.yaml")
    given: Any = desk.settle()["given"]
    assert given[0]["plays_on"] is plays_on


@pytest.mark.parametrize(("score", "troops"), [(-3, 3), (0, 0)])
def test_what_is_stopped_by_itself_tells_what_the_engine_does_then(score: int, troops: int) -> None:
    desk = Desk("en")
    open_file(desk, battlefield("maria", score, ("♠7",)), "battle.yaml")
    given: Any = desk.settle()["given"]
    then = "A retreat of 3 cities follows, by a way that Austria chooses." if score else ""
    assert given[0]["stopped"] == ForcedStop("Cracow", "♦", -score, troops, then)
    ends = [event for event in desk.judgement().trial.events if isinstance(event, BattleWon)]
    assert [(each.score, each.troops) for each in ends] == ([(3, 3)] if score else [])


def test_a_stack_loses_no_more_than_it_has() -> None:
    own, foe = (Fighter("france", "Linz", "Linz", "♦", troops, 2) for troops in (2, 9))
    assert stop_of(OpenBattle(-7, own, foe, {}, "", at="Enns")) == ForcedStop("Enns", "♦", 7, 2)


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_stop_tells_the_troops_and_the_generals_who_are_lost_by_it(game: str) -> None:
    for score, is_lost in ((-3, False), (-8, True)):
        desk = Desk("en")
        open_file(desk, battlefield(game, score), "battle.yaml")
        (fight,) = (asked.fight for asked in desk.asked(desk.judgement()) if asked.fight)
        assert bool(fight.lost) is is_lost is (fight.costs == fight.own.troops)
        assert fight.costs == -score


def test_a_stop_without_a_way_to_retreat_loses_the_whole_stack() -> None:
    desk, field = Desk("en"), battlefield("maria").decode()
    for train, city in (("france train 2", "Czenstochau"), ("bavaria train 1", "Gleiwitz")):
        field = field.replace(f"{train}: off", f"{train}: {city}")
    open_file(desk, field.encode(), "battle.yaml")
    (fight,) = (asked.fight for asked in desk.asked(desk.judgement()) if asked.fight)
    assert (fight.score, fight.costs, fight.lost) == (-3, 8, ("Belle-Isle",))


RETREATS = {
    "en": "A retreat of 3 cities follows, by a way that Austria chooses.",
    "de": "Danach folgt ein Rückzug um 3 Städte, auf einem Weg, den Österreich wählt.",
    "es": "Sigue una retirada de 3 ciudades, por un camino que elige Austria.",
    "it": "Segue una ritirata di 3 città, per una via che sceglie l'Austria.",
}


@pytest.mark.parametrize("language", RETREATS)
def test_the_outcome_of_stopping_has_the_retreat_that_follows(language: str) -> None:
    desk = Desk(language)
    open_file(desk, battlefield("maria"), "battle.yaml")
    assert RETREATS[language] in str(desk.account_of_answer("france", {"play": ["stop"]}))
    assert RETREATS[language] not in str(desk.account_of_answer("france", {"play": ["♦5"]}))


LOST = {
    "en": (
        "Wherever the retreat ends, there is no supply. Lost with all troops: Friedrich. This happens at the end of"
        " Prussia's stage, if nothing changes."
    ),
    "de": (
        "Wo der Rückzug auch endet, dort fehlt die Versorgung. Mit allen Truppen verloren: Friedrich. Das geschieht am"
        " Ende des Zuges (Preußen), wenn sich nichts ändert."
    ),
    "es": (
        "Termine donde termine la retirada, allí no hay suministro. Perdidos con todas las tropas: Friedrich. Eso"
        " ocurre al final de la etapa de Prusia, si nada cambia."
    ),
    "it": (
        "Ovunque finisca la ritirata, lì manca il rifornimento. Perduti con tutte le truppe: Friedrich. Accade alla"
        " fine della fase della Prussia, se nulla cambia."
    ),
}


@pytest.mark.parametrize("language", LOST)
def test_the_outcome_of_stopping_has_the_generals_who_are_lost_where_the_retreat_leaves_them(language: str) -> None:
    field = battlefield("friedrich").decode().replace("Pirna", "Kuttenberg")
    # Face-down he is lost by the next want of supply; else he only lies face-down then.
    for troops, is_lost in (("8, face-down", True), ("8", False)):
        desk = Desk(language)
        open_file(
            desk, field.replace("Dresden, 8", f"Kolin, {troops}").replace("Pirna", "Kuttenberg").encode(), "b.yaml"
        )
        told = str(desk.account_of_answer("prussia", {"play": ["stop"]}))
        assert (LOST[language] in told) is is_lost


FALLS = {
    "en": "Wherever the retreat ends, it leaves Zittau unprotected and lost, as things stand.",
    "de": "Wo der Rückzug auch endet, kostet er mangels Schutz nach jetzigem Stand Zittau.",
    "es": "Termine donde termine, la retirada cuesta Zittau por falta de protección, tal como están las cosas.",
    "it": "Ovunque finisca, la ritirata costa Zittau per mancanza di protezione, per come stanno le cose.",
}
MAY_FALL = {
    "en": "Depending on where the retreat ends, it may leave Zittau unprotected and lost.",
    "de": "Je nachdem, wo der Rückzug endet, kostet er mangels Schutz Zittau.",
    "es": "Según dónde termine, la retirada puede costar Zittau por falta de protección.",
    "it": "A seconda di dove finisce, la ritirata può costare Zittau per mancanza di protezione.",
}
DESTROYED = {
    "en": "The loss of the beaten leaves Zittau unprotected and lost, as things stand.",
    "de": "Der Verlust der Geschlagenen kostet mangels Schutz nach jetzigem Stand auch Zittau.",
    "es": "La pérdida de los vencidos cuesta también Zittau por falta de protección, tal como están las cosas.",
    "it": "La perdita degli sconfitti costa anche Zittau per mancanza di protezione, per come stanno le cose.",
}


@pytest.mark.parametrize("language", DESTROYED)
def test_the_outcome_of_stopping_has_the_fortresses_that_fall_by_the_loss_of_the_stack(language: str) -> None:
    field = at_pirna(8).decode()
    for name, place in (("Keith", "Glogau, 2"), ("Laudon", "Neusalz, 5")):
        field = field.replace(f"{name}: off", f"{name}: {place}")
    for last in (False, True):
        desk = Desk(language)
        open_file(desk, at_pirna(8) if last else field.encode(), "battle.yaml")
        if not last:
            desk.put("austria", {"battles": ["Tetschen > Pirna"]})
        # After the last battle of a stage, the account has the conquests.
        assert (DESTROYED[language] in str(desk.account_of_answer("prussia", {"play": ["stop"]}))) is not last
    desk = Desk(language)
    open_file(desk, re.sub(r"\[♦5, .*R\]", "[♦5]", field).encode(), "battle.yaml")
    desk.put("austria", {"battles": ["Tetschen > Pirna"]})
    given: Any = desk.settle()["given"]
    assert given[0]["stopped"].then.endswith(DESTROYED[language])


@pytest.mark.parametrize("language", FALLS)
def test_the_outcome_of_stopping_has_the_fortresses_that_fall_by_the_retreat(language: str) -> None:
    # By three cities the retreat may end where Friedrich still protects Zittau.
    for behind, told, other in ((1, FALLS, MAY_FALL), (3, MAY_FALL, FALLS)):
        desk = Desk(language)
        open_file(desk, at_pirna(behind), "battle.yaml")
        outcome = str(desk.account_of_answer("prussia", {"play": ["stop"]}))
        assert told[language] in outcome
        assert other[language] not in outcome


def test_a_stack_without_troops_is_told_to_leave_the_map_and_one_without_a_way_to_be_lost() -> None:
    desk = Desk("en")
    open_file(desk, battlefield("maria", -9, ("♠7",)), "battle.yaml")
    given: Any = desk.settle()["given"]
    assert given[0]["stopped"].then == "Belle-Isle has no troops left and leaves the map."
    won = BattleWon((17,), (1,), "austria", "france", 3, 3)
    events = (won, RetreatImpossible((1,), 29, 4), GeneralRemoved(1, 29))
    told = told_defeat(load_position(battlefield("maria"), "battle.yaml"), events, ("france",), "en")
    assert told.startswith("There is no way back of that length from Olkusz: Belle-Isle is lost with 4\xa0troops.")


def test_a_retreat_that_leaves_no_choice_is_given_and_told() -> None:
    desk = Desk("en")
    open_file(desk, forced_retreat(), "retreat.yaml")
    given: Any = desk.settle()["given"]
    assert given[0]["write"] == [["Gorinchem", "Utrecht"]]
    assert "It ends in Utrecht" in given[0]["question"]
    assert not any(asked.form.section == "retreat" for asked in desk.asked(desk.judgement()))


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_each_end_of_a_retreat_has_a_sentence_on_who_can_attack_there(language: str) -> None:
    desk = Desk(language)
    open_file(desk, retreat(), "retreat.yaml")
    desk.settle()
    (asked,) = (each for each in desk.asked(desk.judgement()) if each.form.section == "retreat")
    decision = game_of(desk.table).decisions(desk.table)[0]
    assert isinstance(decision, ChooseRetreat)
    assert {desk.table.rules.common.board.cities[end].name for end in decision.ends} == {*asked.ends}
    foes = {foe for each in reaching(desk.table, decision).values() for foe in each}
    told = [" ".join(each) for each in asked.ends.values()]
    assert all(told)
    names = [desk.table.rules.common.pieces[foe].name for foe in foes]
    assert any(any(name in each for name in names) for each in told) is bool(names)


def test_a_board_of_then_shows_the_troops_of_ones_own_that_battles_have_changed_since() -> None:
    rules = new_table({"game": "maria"}).rules.common
    one, two, foe = (*rules.generals("france")[:2], rules.generals("austria")[0])
    ended = BattleWon((foe,), (one,), "austria", "france", 3, 3)
    assert troops_before(rules, {one: 4, two: 5}, [ended]) == {one: 7, two: 5}
    assert troops_before(rules, {one: 4, two: 5}, [SupplyLost(two, 1)]) == {one: 4, two: 6}
    together = BattleWon((foe,), (one, two), "austria", "france", 3, 3)
    assert troops_before(rules, {one: 4, two: 5}, [together, SupplyLost(two, 1)]) == {}
    assert troops_before(rules, {one: 4, two: 5}, [TroopsMoved("france", {one: 4, two: 5})]) == {}
    assert troops_before(rules, {one: 4, two: 5}, [Recruited("france", 2, (), None)]) == {}


def test_the_board_after_a_battle_has_the_troops_that_are_left() -> None:
    table = load_position(battlefield("maria", cards=("♠7",)), "battle.yaml")
    desk = Desk("en")
    sitting = desk.lay_out_practice(Practice(LessonGame(table, "louis", is_of_battle=False)))
    (ended,) = (at for at, step in enumerate(sitting.steps) if step.is_new and step.fought)
    walk = desk.opened.walk
    assert walk
    (troops,) = own_troops(desk.table, desk.powers).values()
    # A general out of supply has lost one more since.
    picture: Any = walk.picture(ended, desk.opened.board(), desk.table, False)
    assert f">{troops + 1}<" in picture.over


def test_what_would_come_of_a_card_changes_nothing(fought: tuple[Desk, Any]) -> None:
    desk, asked = fought
    before = desk.state()
    first, *_ = asked.fight.after
    assert desk.account_of_answer(asked.power, {"play": [first]})
    with pytest.raises(Refused):
        desk.account_of_answer(asked.power, {"play": ["♣2"]})
    assert desk.state() == before


def test_political_cards_are_shown_where_a_decision_is_about_them() -> None:
    table = new_table({"game": "maria", "scenario": "advanced"})
    printed = game_report("maria").printed
    (card,) = printed(table, SelectPolitics(table.rules.powers[0], (8,), True), "de")
    assert card.write == "8"
    assert card.title
    assert all(line and not line.endswith(("~", "°", "?")) for line in card.lines)
    assert printed(table, ChooseTrump(table.rules.powers[0]), "en") == ()
    assert game_report("friedrich").printed(table, SelectPolitics(table.rules.powers[0], (8,), True), "en") == ()


def test_the_cards_played_so_far_are_told_in_the_words_of_the_account(fought: tuple[Desk, Any]) -> None:
    desk, asked = fought
    assert asked.fight.told == ""  # a position does not say how it came about
    card, score = next(each for each in asked.fight.after.items() if each[0].startswith("♦"))
    desk.put(asked.power, {asked.form.section: [card]})
    (later,) = (each.fight for each in desk.asked(desk.judgement()) if each.fight)
    assert card.partition("/")[0] in later.told
    assert f"({lead_in_words(score, 'en')})" in later.told


def test_a_battle_without_a_card_to_play_is_told_as_a_whole_before_anything_else_is_asked() -> None:
    """France is behind, and holds no card of the suit: there is nothing to choose."""
    table = load_position(battlefield("maria", cards=("♠7",)), "battle.yaml")
    sitting = Desk("en").lay_out_practice(Practice(LessonGame(table, "louis", is_of_battle=False)))
    (ended,) = (step for step in sitting.steps if step.is_new and step.fought)
    assert "france" in ended.fought
    told = str(ended.told)
    assert told.index("Battle") < told.index("France stops 3")
    assert ended.stopped == ForcedStop("Cracow", "♦", 3, 3)
    assert ended.musts == ()
    assert re.search(r"Belle-Isle loses 3\W+\w*troops", told)


MUSTS = {
    "en": "♦5 had to be played: at 0 one plays a card of the suit, and there was no other.",
    "de": "♦5 musste gespielt werden: Bei 0 wird eine Karte der Farbe gespielt, und eine andere gab es nicht.",
    "es": "Hubo que jugar ♦5: con 0 se juega una carta del palo, y no había otra.",
    "it": "Si doveva giocare ♦5: a 0 si gioca una carta del seme, e non ce n'era un'altra.",
}


@pytest.mark.parametrize("language", MUSTS)
def test_the_only_card_that_can_be_played_at_zero_is_told_to_be_that(language: str) -> None:
    table = load_position(battlefield("maria", 0, ("♦5",)), "battle.yaml")
    desk = Desk(language)
    desk.lay_out_practice(Practice(LessonGame(table, "louis", is_of_battle=False)))
    desk.settle()
    sitting = go_on(desk)
    assert [step.musts for step in sitting.steps if step.musts] == [(MUSTS[language],)]


def test_a_printed_card_is_told_in_words_with_what_its_arrows_mean() -> None:
    desk = Desk("en")
    open_file(desk, influence(), "influence.yaml")
    cards = [card for asked in desk.asked(desk.judgement()) for card in asked.printed]
    assert cards
    for card in cards:
        assert card.title in card.told
        shifts = any(arrow in line for line in card.lines for arrow in "\N{LEFTWARDS ARROW}\N{RIGHTWARDS ARROW}")
        assert (re.search(r"to box\s\d", card.told) is not None) is shifts


def test_of_an_enemy_beside_a_march_only_the_limits_are_told_that_everybody_knows() -> None:
    bridge = Bridge("en")
    foes = ask(bridge, "practise", "maria", "introductory", "louis", "sensible")["state"]["foes"]
    practice = bridge.desk.opened.practice
    assert practice
    table = practice.game.table
    field, rules = table.state.field, table.rules.common
    austria = [piece for piece in rules.generals("austria") if field.pieces[piece].city >= 0]
    cities = {rules.board.cities[field.pieces[piece].city].name for piece in austria}
    assert {*foes} == cities
    assert all(1 <= least < most for least, most in foes.values())


def test_a_card_of_influence_leaves_the_hand_although_its_effect_is_hidden() -> None:
    bridge, table = Bridge("en"), load_position(influence(), "influence.yaml")
    bridge.desk.lay_out_practice(Practice(LessonGame(table, "maria-theresa", is_of_battle=False)))
    before: Any = bridge.desk.state()
    (card, *rest) = before["hands"]["hands"]["austria"]
    after = ask(bridge, "put", "austria", {"influence": card})
    assert after["hidden"]
    assert after["hands"]["hands"]["austria"] == rest
