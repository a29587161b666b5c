"""The sequence of play and the cards of a turn (§2, §3)."""

from __future__ import annotations

import pytest

from pbem.engine.events import CardsDrawn, StageBegan, TurnBegan
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.decisions import CardsBack, ReturnCards
from pbem.games.friedrich.rules.events import CardsReturned, CardsThrown, FateDrawn
from pbem.games.friedrich.rules.sequence import income_of, returned_of, stages
from tests.friedrich.fate_table import bare, begin
from tests.friedrich.random_play import EVERY, name_of, play
from tests.friedrich.refusals import code_of

ORDER = ["prussia", "hanover", "russia", "sweden", "austria", "imperial", "france", "fate"]


def test_seven_stages_and_the_clock() -> None:
    _, events = play(EVERY[0], 1)
    begun = [event.stage for event in events if isinstance(event, StageBegan) and event.turn <= 5]
    assert begun == ORDER * 5
    assert stages(bare().rules, 1)[0] == "setup"


def test_the_first_card_of_fate_is_read_after_the_sixth_turn() -> None:
    _, events = play(EVERY[0], 1)
    turns = [event.turn for event in events[: next(i for i, e in enumerate(events) if isinstance(e, FateDrawn))]
             if isinstance(event, TurnBegan)]  # fmt: skip
    assert turns[-1] == 6


def test_who_has_left_has_no_stage() -> None:
    table = bare()
    table.state.fate.quit = ["sweden"]
    table.state.turn = 3
    events = begin(table, "russia", "supply")
    assert [event.stage for event in events if isinstance(event, StageBegan)][:1] == ["austria"]


@pytest.mark.parametrize(("scenario", "power", "strokes", "income", "returned"), [
    ("four", "prussia", (), 7, 0), ("four", "prussia", (13,), 5, 0), ("four", "prussia", (13, 14), 4, 0),
    ("four", "prussia", (17, 18), 7, 0),
    ("four", "hanover", (17,), 2, 0), ("four", "hanover", (17, 18), 1, 0),
    ("four", "russia", (13, 14, 17), 4, 0), ("four", "sweden", (15,), 1, 0),
    ("four", "austria", (), 5, 0), ("four", "austria", (18,), 4, 0), ("four", "austria", (17, 18), 4, 0),
    ("four", "imperial", (17, 18), 1, 0), ("four", "france", (), 4, 1), ("four", "france", (17,), 3, 0),
    ("west", "prussia", (), 2, 1), ("west", "prussia", (14,), 1, 0), ("west", "prussia", (13, 14), 1, 0),
    ("west", "hanover", (17,), 2, 0), ("west", "france", (18,), 3, 0),
    ("austria", "prussia", (), 5, 0), ("austria", "prussia", (13,), 4, 0), ("austria", "prussia", (13, 14), 3, 0),
])  # fmt: skip
def test_incomes(scenario: str, power: str, strokes: tuple[int, ...], income: int, returned: int) -> None:
    table = bare(scenario, expert=False)
    table.state.fate.out = list(strokes)
    assert (income_of(table, power), returned_of(table, power)) == (income, returned)


def test_france_sets_one_of_the_cards_just_drawn_aside_unseen() -> None:
    table = bare(expert=False)
    old = table.rules.common.decks.lowest << 2 | 3
    table.state.cards.hands["france"] = [old]
    begin(table, "france", "cards")
    (asked,) = game.decisions(table)
    assert isinstance(asked, ReturnCards)
    assert (len(asked.cards), asked.count) == (4, 1)
    assert code_of(table, "france", CardsBack((old,))) == "E-RETURN-CARD"
    assert code_of(table, "france", CardsBack(asked.cards[:2])) == "E-RETURN-COUNT"
    events = game.apply(table, "france", CardsBack(asked.cards[2:3]))
    assert CardsReturned("france", 1, asked.cards[2:3]) in events
    assert CardsReturned.secrets == ("cards",)
    assert len(table.state.cards.hands["france"]) == 4


def test_with_two_players_five_cards_go_unseen_at_the_end_of_each_turn() -> None:
    for terms in EVERY:
        _, events = play(terms, 2)
        thrown = [event.count for event in events if isinstance(event, CardsThrown)]
        if terms.scenario in ("west", "austria"):
            turns = sum(isinstance(event, TurnBegan) for event in events)
            assert thrown[:turns] == [5] * turns
        else:
            assert not thrown, name_of(terms)


def test_prussia_draws_seven_cards_in_the_first_turn() -> None:
    _, events = play(EVERY[0], 3)
    drawn = [event for event in events if isinstance(event, CardsDrawn)]
    assert [(event.power, event.count) for event in drawn[:7]] == [
        ("prussia", 7), ("hanover", 2), ("russia", 4), ("sweden", 1), ("austria", 5), ("imperial", 1), ("france", 4),
    ]  # fmt: skip
