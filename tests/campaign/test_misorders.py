"""Orders that turn out to be impossible when they are carried out: sent back, or skipped, as was agreed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.play import secret_state
from pbem.campaign.play.accounts import written
from pbem.campaign.play.mishaps import FailedOrder
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Conduct
from pbem.engine.events import BattleWon, CardPlayed
from pbem.engine.nouns import Power
from pbem.faults.wrong import words, wrong
from pbem.paper.documents.faults import Fault
from pbem.report.language.templates import languages
from pbem.report.letters.plan_words import mishap_data
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_text
from pbem.seal.canonical import Tree
from tests.campaign.fights import begin
from tests.campaign.simulated import SimulatedTable, codes
from tests.campaign.test_moderating_carried import COMBAT, HOLD, austria, prussia
from tests.report.plain import body_text

FLANDERS = """\
scenario: advanced
turn: 4
stage: austria
phase: movement
begun: yes
owing: [austria, pragmatic]
pieces: {Arenberg: "Löwen, 4", George: "Gent, 3"}
"""


def table_with(root: Path, misorders: Literal["hold", "return"], position: str = COMBAT) -> SimulatedTable:
    conduct = Conduct(misorders=misorders)
    scenario = "advanced" if position is FLANDERS else "introductory"
    return SimulatedTable(root / misorders, conduct=conduct, position=position, scenario=scenario).begun()


def in_combat(root: Path, misorders: Literal["hold", "return"], *cards: str) -> SimulatedTable:
    """Prussia has marched and its card is due, but its plan is wrong in a way that only shows now."""
    table = table_with(root, misorders)
    plan: dict[str, Tree] = {"prussia": {"move": [], "play": list(cards)}, "saxony": {"move": []}}
    assert table.send(table.letter("frederick", plan)).status == "final"
    return table


@pytest.mark.parametrize(("card", "code"), [("♥2", "E-CARD-SUIT"), ("♠10", "E-CARD-HAND")])
def test_with_return_the_rest_of_the_letter_comes_back_and_the_player_owes_again(
    tmp_path: Path, card: str, code: str
) -> None:
    table = in_combat(tmp_path, "return", card, "♠5")
    done = table.carried_out()
    assert [slip.fault.code for slip in done.outcome.slips] == [code]
    assert [(answer.power, answer.by) for answer in done.outcome.answers] == [
        ("prussia", "orders"),
        ("saxony", "orders"),
    ]
    assert done.record.returned == ("frederick",)
    assert done.record.next.owing == {"frederick": ("prussia",)}
    with table.open() as campaign:
        assert campaign.state.orders_in_force == {}
        assert campaign.public.pending == {}
        told = briefings(campaign)
    assert [slip.fault.code for slip in told["frederick"].news.slips] == [code]
    assert told["maria-theresa"].news.slips == told["observer"].news.slips == ()
    for reader, whose in (("frederick", "Your orders"), ("maria-theresa", "Orders of Frederick")):
        body = " ".join(body_text(report_data(told[reader])).split())
        assert f"{whose} that could not be carried out in turn" in body
    assert table.send(table.letter("frederick", prussia("♠5"))).status == "final"
    assert table.carried_out().outcome.slips == []
    table.close("far enough")
    table.assert_verified()


def test_with_hold_only_that_line_is_skipped(tmp_path: Path) -> None:
    table = in_combat(tmp_path, "hold", "♥2", "♠5")
    done = table.carried_out()
    assert [slip.fault.code for slip in done.outcome.slips] == ["E-CARD-SUIT"]
    assert done.record.returned == ()
    assert [event.value for event in done.outcome.events if isinstance(event, CardPlayed)] == [5]
    assert done.record.next.owing == {"maria-theresa": ("austria",)}
    table.close("far enough")
    table.assert_verified()


@pytest.mark.parametrize(("code", "is_sound"), [("E-MARCH-ROAD", True), ("E-NOTHING", False)])
def test_an_archive_verifies_whichever_fault_of_an_order_its_version_has_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, *, is_sound: bool
) -> None:
    table = in_combat(tmp_path, "hold", "♥2", "♠5")
    monkeypatch.setattr(secret_state, "account_of", lambda outcome: written(outcome, [code]))
    table.carried_out()
    monkeypatch.undo()
    table.close("far enough")
    found = [finding.fault.code for finding in verify(table.root).findings]
    assert found == ([] if is_sound else ["E-VERIFY-GAME"])


def test_with_hold_the_default_answers_if_nothing_is_left(tmp_path: Path) -> None:
    table = in_combat(tmp_path, "hold", "♥2")
    done = table.carried_out()
    assert [(answer.power, answer.by) for answer in done.outcome.answers][2:] == [("prussia", "default")]
    assert any(isinstance(event, BattleWon) for event in done.outcome.events)
    table.close("far enough")
    table.assert_verified()


def test_with_hold_a_skipped_line_is_no_reason_to_answer_what_is_asked_later(tmp_path: Path) -> None:
    table = in_combat(tmp_path, "hold", "♥2", "♠5")
    table.send(table.letter("maria-theresa", austria("♦7")))
    done = table.carried_out()
    cards = [(event.power, event.value) for event in done.outcome.events if isinstance(event, CardPlayed)]
    assert cards == [("prussia", 5), ("austria", 7)]
    assert done.record.next.owing == {"frederick": ("prussia",)}
    assert {answer.by for answer in done.outcome.answers} == {"orders"}


def test_what_is_impossible_already_when_it_comes_in_is_refused_at_once(tmp_path: Path) -> None:
    table = table_with(tmp_path, "return")
    table.send(table.letter("frederick", HOLD))
    table.adjudicate()
    receipt = table.send(table.letter("frederick", prussia("♥2")))
    assert receipt.status == "refused"
    (fault,) = receipt.verdict.faults
    assert (fault.code, fault.section) == ("E-CARD-SUIT", "§11.1")
    assert fault.hint


def test_a_later_card_of_a_list_that_cannot_be_played_in_the_battle_is_warned_of_at_once(tmp_path: Path) -> None:
    table = table_with(tmp_path, "return")
    table.send(table.letter("frederick", HOLD))
    table.adjudicate()
    receipt = table.send(table.letter("frederick", prussia("♠5", "♥2", "stop")))
    assert receipt.status != "refused"
    (fault,) = receipt.verdict.faults
    assert (fault.code, fault.section) == ("W-CARD-SUIT", "§11.1")
    assert fault.hint


def test_a_later_card_of_a_list_that_is_not_in_hand_is_warned_of_at_once(tmp_path: Path) -> None:
    table = table_with(tmp_path, "return")
    table.send(table.letter("frederick", HOLD))
    table.adjudicate()
    receipt = table.send(table.letter("frederick", prussia("♠5", "♠10", "♠5")))
    assert receipt.status != "refused"
    assert [(fault.code, fault.section) for fault in receipt.verdict.faults] == [("W-CARD-HAND", "§8")] * 2
    assert all(fault.hint for fault in receipt.verdict.faults)


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_cards_before_a_stop_that_save_no_troops_are_warned_of(tmp_path: Path, game: str) -> None:
    """Six troops are lost by a score of −10 as by −7."""
    fight = begin(tmp_path / "campaign", game, score=-10)
    cases = {"♦3 stop": ["W-CARD-VAIN"], "♦4 ♦3 stop": [], "♦10 stop": [], "♦3": [], "stop": []}
    for plays, found in cases.items():
        receipt = fight.copied(tmp_path / plays).orders("maria-theresa", {"play": plays.split()})
        assert codes(receipt) == found, plays


@pytest.mark.parametrize("misorders", ["return", "hold"])
def test_two_who_want_the_same_city_cannot_both_have_it(tmp_path: Path, misorders: Literal["hold", "return"]) -> None:
    table = table_with(tmp_path, misorders, FLANDERS)
    table.send(table.letter("maria-theresa", {"austria": {"move": [{"Arenberg": ["Brüssel"]}]}}))
    table.send(table.letter("frederick", {"pragmatic": {"move": [{"George": ["Brüssel"]}]}}))
    done = table.carried_out()
    assert [(slip.player, slip.fault.code) for slip in done.outcome.slips] == [("frederick", "E-STACK-CONSENT")]
    assert done.record.returned == (("frederick",) if misorders == "return" else ())
    assert (done.record.next.stage == "4/austria") == (misorders == "return")
    assert (done.record.next.owing == {"frederick": ("pragmatic",)}) == (misorders == "return")
    table.close("far enough")
    table.assert_verified()


def test_a_march_that_came_back_is_not_to_be_ordered_above_one_that_was_carried_out(tmp_path: Path) -> None:
    at = Fault.at(1, 1, wrong("E-MARCH-JOINED.moved", city="Tabor", pieces=("Khevenhüller",)))
    with table_with(tmp_path, "return").open() as campaign:
        table = briefings(campaign)["observer"].table_in_play
    for language in languages():
        data = mishap_data(table, FailedOrder("maria-theresa", Power("austria"), at), language)
        assert data["hint"] == words("march-done-joined", city="Tabor").text(language)


LINE = {"de": "Zeile", "en": "line", "es": "línea", "it": "riga"}


def test_a_march_that_came_back_is_named_with_its_goal(tmp_path: Path) -> None:
    table = table_with(tmp_path, "return", FLANDERS)
    table.send(table.letter("maria-theresa", {"austria": {"move": [{"Arenberg": ["Brüssel"]}]}}))
    table.send(table.letter("frederick", {"pragmatic": {"move": [{"George": ["Brüssel"]}]}}))
    table.carried_out()
    with table.open() as campaign:
        told = briefings(campaign)["frederick"]
    for language in languages():
        text = " ".join(body_text(report_data(in_language(told, language))).split())
        assert re.search(rf"{LINE[language]} \d+ \([^()]* → (Brüssel|Brussels|Bruselas|Bruxelles)\): ", text), text


@pytest.mark.parametrize("cards", [["♥2"], ["♥2", "♠5"]])
def test_other_orders_are_told_to_have_come_back_only_if_there_were_any(tmp_path: Path, cards: list[str]) -> None:
    table = in_combat(tmp_path, "return", *cards)
    (slip,) = table.carried_out().outcome.slips
    assert slip.brings_back_others is bool(cards[1:])
    with table.open() as campaign:
        text = " ".join(body_text(report_data(briefings(campaign)["frederick"])).split())
    assert ("came back with it" in text) is bool(cards[1:])


COMES_BACK = {"de": "kommt zurück", "en": "comes back", "es": "se te devuelve", "it": "torna indietro"}
IS_SKIPPED = {"de": "wird übergangen", "en": "is skipped", "es": "se omite", "it": "si salta"}


@pytest.mark.parametrize(("misorders", "told"), [("return", COMES_BACK), ("hold", IS_SKIPPED)])
def test_the_first_sheet_says_how_much_of_a_letter_counts_if_an_order_fails(
    tmp_path: Path, misorders: Literal["hold", "return"], told: dict[str, str]
) -> None:
    with table_with(tmp_path, misorders, FLANDERS).open() as campaign:
        report = briefings(campaign)["frederick"]
    for language in languages():
        sheet = " ".join(sheet_text(report, language).replace("\n# ", " ").split())
        assert told[language] in sheet
