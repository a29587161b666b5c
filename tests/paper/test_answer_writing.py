"""Answers written as orders: read again they are the same answers, one by one and whole stages together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import TypeVar

import pytest

from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Arrange, Decision, March, Transfer
from pbem.engine.table import Table as AnyTable
from pbem.engine.table import digest
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import AllowStacking, CancelSubsidy, MakeAgreement, OfferSubsidy
from pbem.games.maria.rules.state import Table
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import read_yaml
from pbem.paper.documents.writing import Value, write
from pbem.paper.library import load_rules
from pbem.paper.orders import trial
from pbem.paper.orders.files import Orders, OrderSource, merged_orders, orders_tree, read_orders
from pbem.report.blocks import table_in_words
from pbem.report.language.templates import languages
from pbem.seal.canonical import Tree
from tests.play import EVERY, answers, chance_of, name_of, start
from tests.raider import raid

TableT = TypeVar("TableT", bound=AnyTable)

OFTEN_ENOUGH = 12
"""So many answers of one kind are written in each game."""


def as_orders(table: AnyTable, tree: dict[str, Tree]) -> Orders:
    """The orders that a tree becomes by way of a file."""
    document: dict[str, Value] = {"orders": dict(tree)}
    return read_orders(read_yaml(write(document).encode(), "orders"), "orders", table.rules)


def read_back(
    table: AnyTable, power: str, decision: Decision | None, answer: Answer, shown: AnyTable | None = None
) -> Answer:
    """An answer after writing, perhaps with the names of a language, and reading."""
    source = OrderSource(table, as_orders(table, orders_tree(shown or table, power, decision, answer)))
    assert decision is None or source.speaks_of(decision)
    given = source.answer(decision) if decision else source.take_free_orders(power)[0]
    assert decision is None or not source.speaks_of(decision) or isinstance(decision, March)
    assert given is not None
    return given.answer


def whole_game(terms: Terms, seed: str) -> Iterator[tuple[Table, str, Decision | None, Answer]]:
    """Every answer of a game and the table before it; a troop transfer answers no decision."""
    table, _ = start(terms, seed)
    for power, answer in answers(table, chance_of(terms, seed), raid):
        yield table, power, None if isinstance(answer, Transfer) else game_of(table).decision_of(table, power), answer
        game_of(table).apply(table, power, answer)


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_what_is_written_is_read_as_the_same_answer(terms: Terms) -> None:
    kinds: Counter[tuple[type, ...]] = Counter()
    for table, power, decision, answer in whole_game(terms, "written"):
        kind = (type(decision), type(answer))
        kinds[kind] += 1
        if kinds[kind] <= OFTEN_ENOUGH:
            assert read_back(table, power, decision, answer) == answer
            shown = table_in_words(table, languages()[kinds[kind] % len(languages())])
            assert read_back(table, power, decision, answer, shown) == answer
    assert len(kinds) > 8


SETTLED: list[tuple[str, Answer]] = [
    ("austria", AllowStacking(True)),
    ("pragmatic", OfferSubsidy("pragmatic", "austria", 2)),
    ("france", OfferSubsidy("prussia", "france", 3, accept=True)),
    ("france", CancelSubsidy("bavaria")),
    ("france", MakeAgreement(("france", "austria"), "No attack on Linz: neither this year, nor the next.")),
]


@pytest.mark.parametrize(("power", "answer"), SETTLED, ids=lambda value: type(value).__name__)
def test_what_is_settled_is_read_back_too(power: str, answer: Answer) -> None:
    table, _ = start(Terms("advanced"), "settled")
    assert read_back(table, power, None, answer) == answer


def stages(
    table: TableT, chance: Random, player: Callable[[TableT, Decision, Random], Answer]
) -> Iterator[tuple[TableT, dict[str, Tree], str]]:
    """Whole stages of a game: the table before it, the orders of all, and the digest at the end."""
    game = game_of(table)
    while table.state.phase != "over":
        before, moment, parts = copy_of(table), (table.state.turn, table.state.stage), []
        while (table.state.turn, table.state.stage) == moment and table.state.phase != "over":
            decision = game.decisions(table)[0]
            answer = player(table, decision, chance)
            parts.append(orders_tree(table, decision.power, decision, answer))
            game.apply(table, decision.power, answer)
        try:
            orders = merged_orders(table, parts)
        except ValueError:
            continue
        yield before, {power: orders[power] for power in table.rules.powers if power in orders}, digest(table.state)


def after(before: Table, orders: dict[str, Tree], cuts: bool) -> str:
    """The digest after orders; with `cuts` they are read anew after every answer, and go on where they stopped."""
    table = copy_of(before)
    table.dealer = SeededDealer(before.dealer.seed)
    moment = (table.state.turn, table.state.stage)
    sources = [OrderSource(table, as_orders(table, orders))]
    assert not [step for step in trial.play_free_orders(table, sources) if step.is_refused]
    while (table.state.turn, table.state.stage) == moment and (step := trial.step(table, sources)):
        assert not step.is_refused, step.faults
        if cuts:
            sources = [OrderSource(table, as_orders(table, orders), sources[0].remains())]
    return digest(table.state)


@pytest.mark.parametrize("terms", EVERY[::3], ids=name_of)
def test_the_answers_of_a_stage_fit_into_one_file_and_lead_to_the_same_position(terms: Terms) -> None:
    count = 0
    for before, orders, reached in stages(start(terms, "joined")[0], chance_of(terms, "joined"), raid):
        assert after(before, orders, cuts=False) == reached
        if count < 5:
            assert after(before, orders, cuts=True) == reached
        count += 1
    assert count > 10


def test_a_section_answers_once() -> None:
    with pytest.raises(ValueError, match="`peace`"):
        merged_orders(start(Terms(), "once")[0], [{"austria": {"peace": "yes"}}, {"austria": {"peace": "no"}}])


def test_troops_given_out_twice_stand_in_a_list() -> None:
    once: dict[str, Tree] = {"troops": {"Rutowski": "2"}}
    paid: dict[str, Tree] = {"troops": {"Rutowski": "1"}, "pay": ["♠4/1"]}
    whole = merged_orders(start(Terms(), "twice")[0], [{"saxony": {"recruit": part}} for part in (once, paid, {})])
    assert whole == {"saxony": {"recruit": [once, paid, {}]}}


def test_parts_are_left_as_they_are_when_joined() -> None:
    parts: list[dict[str, Tree]] = [
        {"prussia": {"move": [{"Schwerin": ["Jauer"]}]}},
        {"prussia": {"transfer": [{"Schwerin": "1"}]}},
        {"prussia": {"move": []}, "saxony": {"move": []}},
    ]
    whole = merged_orders(start(Terms(), "parts")[0], parts)
    assert whole["prussia"] == {"move": [{"Schwerin": ["Jauer"]}, {"transfer": {"Schwerin": "1"}}]}
    assert parts[0] == {"prussia": {"move": [{"Schwerin": ["Jauer"]}]}}


def test_an_answer_of_no_game_is_refused() -> None:
    table, _ = start(Terms(), "none")
    with pytest.raises(TypeError, match="Arrange"):
        orders_tree(table, "austria", None, Arrange("austria", ()))  # type: ignore[arg-type]


def test_orders_tell_what_they_have_left() -> None:
    table = copy_of(start(Terms(), "left")[0])
    orders = as_orders(table, {"prussia": {"move": [{"Schwerin": ["Jauer"]}], "play": ["stop", "stop"], "retreat": []}})
    assert orders.remains() == {"prussia": {"move": 2, "play": 2, "retreat": 0}}
    source = OrderSource(table, orders, {"prussia": {"move": 1, "play": 0, "gone": 3}, "saxony": {"move": 1}})
    assert source.remains() == {"prussia": {"move": 1, "play": 0, "retreat": 0}}


def test_names_that_are_unknown_are_refused_before_anything_is_answered() -> None:
    with pytest.raises(Refused):
        as_orders(start(Terms(), 1)[0], {"prussia": {"move": [{"Nobody": ["Jauer"]}]}})
    assert load_rules(Terms()).terms.game == "maria"
