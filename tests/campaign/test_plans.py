"""Plans by letter: they answer combats in both games, alone or against each other, and every campaign verifies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.campaign.clock import timing
from pbem.campaign.play import adjudicating, rulings
from pbem.cli.plans import plan_command
from pbem.engine.decisions import Play, Stop
from pbem.engine.events import BattleJoined, CardPlayed
from pbem.faults.wrong import wrong
from pbem.paper.documents.writing import write
from pbem.report.letters.report import report_data
from pbem.report.letters.signed import report_letter
from pbem.seal.canonical import Tree
from pbem.seal.keys import new_key
from tests.campaign.fights import OWN, PLAYER, Fight, battle, begin, cards, results, standing
from tests.campaign.simulated import SimulatedTable, codes
from tests.campaign.test_moderating_carried import COMBAT, LETTER_BY_LETTER, austria, played

GAMES = ("maria", "friedrich")


@pytest.fixture(scope="module", params=GAMES)
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fight:
    """Austria is attacked at zero: who attacks must play."""
    return begin(tmp_path_factory.mktemp("plans") / "campaign", request.param)


@pytest.fixture
def fight(begun: Fight, tmp_path: Path) -> Iterator[Fight]:
    """A combat whose campaign is verified from the published secrets after the test."""
    found = begun.copied(tmp_path / "campaign")
    yield found
    found.close()


@pytest.fixture
def combat(tmp_path: Path) -> Iterator[SimulatedTable]:
    """Prussia is about to march and to attack Austria."""
    table = SimulatedTable(tmp_path / "campaign", position=COMBAT).begun()
    yield table
    table.close("far enough")
    table.assert_verified()


def prussia(*plans: Tree) -> dict[str, Tree]:
    return {"prussia": {"move": [], "plans": list(plans)}, "saxony": {"move": []}}


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
def test_plans_of_both_sides_in_the_orders_of_a_stage_play_a_battle_out_at_once(
    combat: SimulatedTable, tmp_path: Path, sealed: bool
) -> None:
    expected = played(combat.copied(tmp_path / "other"), LETTER_BY_LETTER)
    mine = prussia(battle(play=["♠5", "♠4", "stop"]))
    theirs: dict[str, Tree] = {"austria": {"plans": [battle(play=["♦7", "♦9"])]}}
    for player, orders in (("maria-theresa", theirs), ("frederick", mine)):
        text = combat.letter(player, sealed={"orders": orders}) if sealed else combat.letter(player, orders)
        assert combat.send(text).status == "final"
    assert combat.carried_out().outcome.events == expected


def test_what_orders_say_comes_before_their_plans_and_both_go_on_where_they_stopped(combat: SimulatedTable) -> None:
    orders = prussia(battle(play=["♠3", "♠2"], tactic="decline"))
    orders["prussia"] |= {"play": ["♠5", "♠4"]}  # type: ignore[operator]
    combat.send(combat.letter("frederick", orders))
    first = combat.carried_out()
    combat.send(combat.letter("maria-theresa", austria("♦7")))
    second = combat.carried_out()
    combat.send(combat.letter("maria-theresa", austria("♦9")))
    third = combat.carried_out()
    every = [cards(done.outcome.events) for done in (first, second, third)]
    assert every == [
        [("prussia", 5)],
        [("austria", 7), ("prussia", 4)],
        [("austria", 9), ("prussia", 3), ("prussia", 2)],
    ]
    assert [done.outcome.ordered for done in (first, second, third)] == [{0, 1, 2}, {0, 1}, {0}]


def test_standing_plans_answer_battles_of_later_stages_without_new_letters(tmp_path: Path) -> None:
    for game in GAMES:
        fight = begin(tmp_path / game, game, hand="d7 R", enemy_hand="s7 h2")
        stage = fight.stage
        entries = [fight.plan(player, standing(tactic="tie", else_="stop")).entry for player in (PLAYER, fight.foe)]
        first = fight.table.carried_out()
        assert cards(first.outcome.events) == [(fight.enemy, 7), (OWN, 7)]
        assert results(first.outcome.events) == ["BattleTied"]
        assert first.record.stage == stage != fight.stage
        fight.go_on_to(OWN)
        second = fight.table.carried_out(force=True)
        assert {*entries} <= {*second.record.used}
        assert fought_by(second) == {"orders"}
        fight.close()


def fought_by(done: adjudicating.Adjudication) -> set[str]:
    """Source of each play or stop: the players' own orders, or a default."""
    return {answer.by for answer in done.outcome.answers if isinstance(answer.answer, Play | Stop)}


def test_a_plan_that_is_not_standing_holds_only_in_the_stage_of_its_letter(tmp_path: Path) -> None:
    for game in GAMES:
        fight = begin(tmp_path / game, game, hand="d7 R", enemy_hand="s7 h2")
        for player in (PLAYER, fight.foe):
            fight.plan(player, battle(tactic="tie", else_="stop"))
        assert results(fight.table.carried_out().outcome.events) == ["BattleTied"]
        fight.go_on_to(OWN)
        later = fight.table.carried_out(force=True)
        assert any(isinstance(event, BattleJoined) for event in later.outcome.events)
        assert fought_by(later) == {"default"}
        fight.close()


def test_a_newer_letter_of_plans_takes_the_place_of_the_older(fight: Fight) -> None:
    fight.plan(PLAYER, standing(play=["♦10"], tactic="decline"))
    newer = fight.plan(PLAYER, standing(play=["♦9"], tactic="decline"))
    done = fight.card(fight.foe, "♠7")
    assert cards(done.outcome.events)[:2] == [(fight.enemy, 7), (OWN, 9)]
    assert done.outcome.ordered == {0}
    assert newer.entry in done.record.used
    assert newer.entry - 1 not in done.record.used


def test_a_letter_without_plans_withdraws_them(fight: Fight) -> None:
    fight.plan(PLAYER, standing(play=["♦10"], tactic="decline"))
    fight.plan(PLAYER)
    done = fight.card(fight.foe, "♠7")
    assert cards(done.outcome.events) == [(fight.enemy, 7)]
    assert fight.owing() == {PLAYER: (OWN,)}


def test_who_withdraws_the_plan_that_answered_is_waited_for_again(fight: Fight) -> None:
    assert fight.plan(fight.foe, standing(tactic="win")).status == "final"
    assert fight.owing() == {}
    assert fight.plan(fight.foe).status == "partial"
    assert fight.owing() == {fight.foe: (fight.enemy,)}
    with fight.table.open() as campaign:
        assert not timing.permission(campaign).may
    assert fight.plan(fight.foe, standing(tactic="win")).status == "final"
    assert cards(fight.table.carried_out().outcome.events)


def test_a_plan_completes_the_orders_that_are_in_and_its_withdrawal_opens_them_again(combat: SimulatedTable) -> None:
    assert combat.send(combat.letter("frederick", {"prussia": {"move": []}})).status == "partial"
    with combat.open() as campaign:
        assert not timing.permission(campaign).may
    text = combat.other_letter("frederick", "plan", {"orders": {"prussia": {"plans": [standing(tactic="win")]}}})
    assert combat.send(text).status == "partial"
    assert combat.send(combat.letter("frederick", {"prussia": {"move": []}, "saxony": {"move": []}})).status == "final"
    assert cards(combat.carried_out().outcome.events)[0][0] == "prussia"


def test_a_plan_that_must_ask_waits_for_a_single_card_and_then_goes_on(fight: Fight) -> None:
    plan = standing(play=["♦4", "♦8", "♦10"], tactic="decline")
    fight.plan(PLAYER, plan)
    first = fight.card(fight.foe, "♠5")
    assert cards(first.outcome.events) == [(fight.enemy, 5), (OWN, 4)]
    assert fight.owing() == {PLAYER: (OWN,)}
    assert [(note.player, note.fault.code) for note in first.outcome.notes] == [(PLAYER, "W-PLAN-HAND")]
    second = fight.card(PLAYER, "♦7")
    assert cards(second.outcome.events) == [(OWN, 7)]
    assert fight.owing() == {fight.foe: (fight.enemy,)}
    third = fight.card(fight.foe, "♠10")
    assert [note.fault.code for note in third.outcome.notes] == ["W-PLAN-HAND"], "the same line is next"
    fight.plan(PLAYER, standing(play=["♦10"], tactic="decline"))
    assert cards(fight.table.carried_out().outcome.events) == [(OWN, 10)]


def test_the_tactic_of_a_plan_goes_on_behind_a_card_by_letter(fight: Fight) -> None:
    fight.plan(PLAYER, standing(when={"score": "-5 or more"}, tactic="win"))
    fight.card(fight.foe, "♠7")
    assert fight.owing() == {PLAYER: (OWN,)}
    fight.card(PLAYER, "♦9")
    done = fight.card(fight.foe, "♠5")
    assert cards(done.outcome.events) == [(fight.enemy, 5), (OWN, 4)]


def test_a_plan_that_would_rather_stop_than_ask_ends_the_battle_and_says_why(fight: Fight) -> None:
    fight.plan(PLAYER, standing(play=["♦8"], else_="stop"))
    done = fight.card(fight.foe, "♠7")
    assert cards(done.outcome.events) == [(fight.enemy, 7)]
    assert results(done.outcome.events) == ["BattleWon"]
    notes = [(note.player, note.power, note.fault.code) for note in done.outcome.notes]
    assert notes == [(PLAYER, OWN, "W-PLAN-HAND")]


def test_why_a_plan_does_not_answer_is_told_to_its_player_alone(fight: Fight) -> None:
    fight.plan(PLAYER, standing(play=["♦8"]))
    fight.card(fight.foe, "♠7")
    told = {reader: [note.fault.code for note in news.news.plan_notes] for reader, news in fight.news().items()}
    assert told.pop(PLAYER) == told.pop("moderator") == ["W-PLAN-HAND"]
    assert set(map(tuple, told.values())) == {()}
    reports = {reader: report_data(news)["plan_notes"] for reader, news in fight.news().items()}
    (note,) = reports.pop(PLAYER)
    assert (note["player"], note["power"], note["about"], note["code"]) == (PLAYER, OWN, "battle", "W-PLAN-HAND")
    assert reports.pop("moderator") == [note]
    assert all(not notes for notes in reports.values())
    fight.card(PLAYER, "♦9")


def test_a_plan_of_the_orders_that_asks_is_not_passed_over_for_a_standing_one(fight: Fight) -> None:
    fight.plan(PLAYER, standing(tactic="decline"))
    fight.orders(PLAYER, {"plans": [battle(play=["♦8"])]})
    done = fight.card(fight.foe, "♠7")
    assert cards(done.outcome.events) == [(fight.enemy, 7)]
    assert fight.owing() == {PLAYER: (OWN,)}
    assert [note.fault.code for note in done.outcome.notes] == ["W-PLAN-HAND"]


def test_a_plan_for_a_battle_that_never_happens_does_nothing(fight: Fight) -> None:
    other = {"france": "Friedrich", "prussia": "Soubise"}[fight.enemy]
    fight.plan(PLAYER, standing(against=[other], tactic="decline", else_="stop"))
    done = fight.card(fight.foe, "♠7")
    assert cards(done.outcome.events) == [(fight.enemy, 7)]
    assert fight.owing() == {PLAYER: (OWN,)}
    assert done.outcome.notes == []


ORDERS_AFTER = {"en": "next orders", "de": "nächsten Befehlen", "es": "próximas órdenes", "it": "prossimi ordini"}


def test_a_plan_in_orders_that_means_to_stand_is_warned_of(fight: Fight) -> None:
    receipt = fight.orders(fight.foe, {"plans": [standing(tactic="win")]})
    assert codes(receipt) == ["W-PLAN-STANDING"]
    assert receipt.status == "final"
    for language, end in ORDERS_AFTER.items():
        assert end in wrong("W-PLAN-STANDING").sentence(language)


TWO_BATTLES = """\
turn: 2
stage: prussia
phase: movement
begun: yes
owing: [prussia, saxony]
pieces:
  Friedrich: Trautenau, 3
  Neipperg: Königgrätz, 4
  Schwerin: Krakau, 3
  Khevenhüller: Olkusz, 4
hands:
  prussia: [♠5, ♠4, ♥9, ♥2, ♣5, ♣4, ♦3]
  austria: [♦10, ♠10, ♠9, ♥3, ♣9, ♣2]
"""


@pytest.mark.parametrize("first", ["Friedrich", "Schwerin"])
def test_the_attacker_orders_several_battles_and_each_plan_fights_its_own(tmp_path: Path, first: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=TWO_BATTLES).begun()
    second = {"Friedrich": "Schwerin", "Schwerin": "Friedrich"}[first]
    foes = {"Friedrich": "Neipperg", "Schwerin": "Khevenhüller"}
    order: dict[str, Tree] = {
        "for": "attack-order",
        "order": [f"{general} > {foes[general]}" for general in (first, second)],
    }
    for_both: list[Tree] = [battle(of=[general], play=["suit least"], tactic="decline") for general in foes]
    retreat: dict[str, Tree] = {"for": "retreat", "away-from": "home"}
    table.send(table.letter("frederick", prussia(order, retreat, *for_both)))
    table.send(table.letter("maria-theresa", {"austria": {"plans": [battle(tactic="decline", else_="stop")]}}))
    done = table.carried_out()
    with table.open() as campaign:
        assert campaign.state.table is not None
        pieces = campaign.state.table.rules.common.pieces
    fought = [pieces[e.attackers[0]].name.split()[0] for e in done.outcome.events if isinstance(e, BattleJoined)]
    assert fought == [first, second]
    assert len([event for event in done.outcome.events if isinstance(event, CardPlayed)]) >= 2
    assert done.record.next.stage == "2/austria"
    table.close("far enough")
    table.assert_verified()


def test_a_substitute_is_not_bound_by_the_plans_of_who_went(fight: Fight) -> None:
    entry = fight.plan(fight.foe, standing(tactic="win")).entry
    assert fight.owing() == {}
    with fight.table.open() as campaign:
        rulings.substitute(campaign, fight.foe, new_key("somebody").public.text, "ill")
        campaign.save()
    assert fight.owing() == {fight.foe: (fight.enemy,)}
    with fight.table.open() as campaign:
        assert fight.foe not in campaign.state.plans
        assert campaign.public.players[fight.foe].since > entry
        assert not timing.permission(campaign).may


def test_copies_of_letters_of_who_went_are_not_taken_for_letters_in_force(fight: Fight) -> None:
    plans = fight.plan_text(fight.foe, standing(tactic="win"))
    orders = fight.orders_text(fight.foe, {"play": ["♠7"]})
    message = fight.table.other_letter(fight.foe, "message", {"to": "all", "text": "Good-bye."})
    for text in (plans, orders, message):
        assert fight.table.send(text).verdict.faults == []
        assert fight.table.send(text).status == "known"
    with fight.table.open() as campaign:
        rulings.substitute(campaign, fight.foe, new_key("somebody").public.text, "ill")
        campaign.save()
    assert [codes(fight.table.send(text)) for text in (plans, orders)] == [["E-LETTER-OLD"]] * 2
    assert fight.table.send(message).status == "known", "what was said stays said"
    assert fight.owing() == {fight.foe: (fight.enemy,)}


def test_a_rollback_brings_back_the_plans_that_stood_then(fight: Fight) -> None:
    kept = fight.plan(PLAYER, standing(play=["♦9"], tactic="decline")).entry
    with fight.table.open() as campaign:
        began = campaign.public.since
    done = fight.card(fight.foe, "♠7")
    assert cards(done.outcome.events)[:2] == [(fight.enemy, 7), (OWN, 9)]
    lost = fight.plan_text(PLAYER, standing(tactic="decline"))
    fight.table.send(lost)
    with fight.table.open() as campaign:
        assert campaign.state.plans[PLAYER].entry > kept
        rulings.rollback(campaign, done.entry, "the second plan was a mistake")
        campaign.save()
        assert campaign.state.plans[PLAYER].entry == kept
    receipt = fight.table.send(lost)
    assert codes(receipt) == ["E-LETTER-OLD"]
    with fight.table.open() as campaign:
        rulings.rollback(campaign, began, "from the beginning")
        campaign.save()
        assert campaign.state.plans == {}
    again = fight.card(fight.foe, "♠7")
    assert cards(again.outcome.events) == [(fight.enemy, 7)]


def test_a_rollback_does_not_bind_a_substitute_to_the_plans_that_stood_then(fight: Fight) -> None:
    fight.plan(PLAYER, standing(play=["♦9"], tactic="decline"))
    done = fight.card(fight.foe, "♠7")
    with fight.table.open() as campaign:
        rulings.substitute(campaign, PLAYER, new_key("somebody").public.text, "ill")
        rulings.rollback(campaign, done.entry, "the substitute asks for it")
        campaign.save()
        assert campaign.state.plans == {}


def test_plans_answer_for_who_is_absent_before_defaults_do(fight: Fight) -> None:
    fight.plan(PLAYER, standing(play=["♦9"], tactic="decline"))
    done = fight.table.carried_out(force=True)
    assert set(done.record.absent) == {fight.foe}
    assert [(answer.power, answer.by) for answer in done.outcome.answers[:2]] == [
        (fight.enemy, "default"),
        (OWN, "orders"),
    ]


def test_a_plan_is_tried_in_the_report_of_a_combat_against_the_hand_that_is_feared(
    fight: Fight, tmp_path: Path
) -> None:
    fight.card(fight.foe, "♠7")
    news = fight.news()
    plan, report = tmp_path / "plan.yaml", tmp_path / "report.yaml"
    plan.write_text(write({"plans": {OWN: [battle(tactic="win")]}}))

    def tried(reader: str, *words: str) -> Result:
        report.write_text(report_letter(report_data(news[reader]), fight.table.moderator))
        return CliRunner().invoke(plan_command, ["try", str(plan), "--position", str(report), *words])

    done = tried(PLAYER, "--enemy-hand", "♠5 ♠2 ♥9", "--json")
    events = json.loads(done.output)["events"]
    fate = [(event["power"], event["card"][:3].rstrip("/")) for event in events if event["type"] == "CardPlayed"]
    assert fate[:3] == [(OWN, "♦9"), (fight.enemy, "♠5"), (OWN, "♦4")]
    assert "--enemy-hand" in tried(PLAYER).output
    other = next(player for player in news if player not in (PLAYER, fight.foe, "moderator", "observer"))
    assert "E-PLAN-GROUND" in tried(other, "--enemy-hand", "♠5").output
