"""The stand-in for absent players in FRIEDRICH: always legal, without chance, and as little as the rules allow."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pbem.bots.plain import hold
from pbem.engine.cards import RESERVE, card_of
from pbem.engine.decisions import Answer, Decision, Done, March, Play, PlayCard, Recruitment, Stop
from pbem.engine.events import CardPlayed, Event, Marched, Recruited
from pbem.engine.field import OFF, alter
from pbem.games.friedrich.bots.strong import cards_by_value
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.decisions import (
    ChooseGeneral,
    GiveCard,
    GivenCard,
    Levy,
    NamedGeneral,
    Shift,
    ShiftPieces,
)
from pbem.games.friedrich.rules.sequence import advance
from pbem.games.friedrich.rules.state import InForce, Table
from tests.friedrich.random_play import EVERY, answers, chance_of, name_of, play, start, twin
from tests.friedrich.striving import strive
from tests.no_chance import NoChance


def stand_in(table: Table, decision: Decision, chance: Random) -> Answer:
    """Hold, without any chance."""
    return hold(table, decision, NoChance())


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_a_game_of_nobody_comes_to_an_end(terms: Terms) -> None:
    table, events = play(terms, 1, stand_in, transfers=0)
    assert table.state.result is not None
    assert not [event for event in events if isinstance(event, Marched | Recruited | CardPlayed)]


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_wherever_somebody_is_asked_the_absent_answer_is_legal_and_begins_nothing(terms: Terms) -> None:
    asked: Counter[str] = Counter()
    for seed in range(3):
        table, _ = start(terms, f"absent {seed}")
        for count, (power, answer) in enumerate(answers(table, chance_of(terms, seed), strive)):
            for decision in game.decisions(table) if count % 5 == 0 or table.state.tasks else ():
                asked[type(decision).__name__] += 1
                held = hold(table, decision, NoChance())
                assert held == hold(table, decision, NoChance())
                is_idle(decision, held, game.apply(twin(table), decision.power, held))
            game.apply(table, power, answer)
    assert {"Allot", "March", "Levy", "PlayCard", "ChooseRetreat"} <= set(asked)


def is_idle(decision: Decision, held: Answer, events: list[Event]) -> None:
    """True if an absent player does nothing that can be left."""
    match decision:
        case March():
            assert held == Done()
        case Levy():
            assert held == Recruitment()
        case PlayCard(must=False):
            assert held == Stop()
        case GiveCard(may_decline=True):
            assert held == GivenCard()
        case ShiftPieces():
            assert held == Shift()
    assert not [event for event in events if isinstance(event, Marched | Recruited)]


def table_in_war() -> Table:
    """A table at which all generals have troops."""
    table, _ = start(Terms("four", expert=True), "choices")
    for number, general in enumerate(table.rules.common.generals("prussia")):
        alter(table.state.field, general, troops=1 + number % 3)
    return table


@pytest.mark.parametrize(("reason", "name"), [("loss", "Heinrich"), ("gain", "Friedrich"), ("removal", "Winterfeldt")])
def test_which_general_is_named(reason: str, name: str) -> None:
    table = table_in_war()
    rules, pieces = table.rules.common, table.state.field.pieces
    generals = rules.generals("prussia")
    alter(table.state.field, generals[1], city=OFF, troops=0)
    choice = generals if reason == "removal" else tuple(g for g in generals if pieces[g].city != OFF)
    held = hold(table, ChooseGeneral("prussia", reason, choice), NoChance())  # type: ignore[arg-type]
    assert isinstance(held, NamedGeneral)
    assert rules.pieces[held.general].name == name


def test_cards_of_least_worth_go_first_and_reserves_last() -> None:
    seven, two, reserve = card_of(3, 7, 0), card_of(0, 2, 1), card_of(RESERVE, 1, 0)
    assert cards_by_value([reserve, seven, two]) == [two, seven, reserve]


def test_a_reserve_is_played_at_the_least_value_that_is_allowed() -> None:
    """Card 7: where Friedrich fights, his power's first cards have to bring the score above zero if they can (§11)."""
    table = table_in_war()
    rules, state = table.rules.common, table.state
    friedrich, daun = rules.generals("prussia")[0], rules.generals("austria")[0]
    berlin = rules.board.index["Berlin"]
    for number in range(len(state.field.pieces)):
        alter(state.field, number, city=OFF)
    alter(state.field, friedrich, city=berlin, troops=3)
    alter(state.field, daun, city=rules.board.near[berlin][0], troops=5)
    state.cards.hands["prussia"] = [card_of(RESERVE, 1, 0)]
    state.turn, state.stage, state.phase, state.owing = 8, "prussia", "combat", []
    state.begun = False
    in_suit = next(suit for suit in range(4) if prevails(table, suit))
    state.fate.in_force = [InForce(7, in_suit, 8)]
    advance(table)
    (asked,) = game.decisions(table)
    assert isinstance(asked, PlayCard)
    assert asked.must
    assert hold(table, asked, NoChance()) == Play(state.cards.hands["prussia"][0], 3)


def prevails(table: Table, suit: int) -> bool:
    """True if this version of card 7 is the one about the score."""
    name = ("clubs", "diamonds", "hearts", "spades")[suit]
    return type(table.rules.fate.version(7, name).effect).__name__ == "Prevail"
