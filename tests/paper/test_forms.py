"""Forms for machines: every decision has one, and what is filled in by it alone is read back and accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from pbem.engine.decisions import Answer, Arrange, ChooseRetreat, Decision, RetreatAlong
from pbem.engine.nouns import City
from pbem.engine.roads import Road
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.library import game_paper_named
from pbem.paper.orders.files import OrderSource, form_of
from pbem.paper.orders.forms import Input, Number, Numbers, Option, Part, Payment, Record, has_payable, only_value
from pbem.paper.orders.section import GivenAnswer
from pbem.seal.canonical import Tree
from tests import play
from tests.friedrich import random_play
from tests.friedrich.striving import strive
from tests.paper.test_answer_writing import as_orders
from tests.raider import raid

OFTEN_ENOUGH = 25
"""So many decisions of one kind are answered in each game."""


class Dear(Exception):
    """The chosen options cost more than the cards are worth."""


def filled(form: Any, chance: Random) -> tuple[Tree, int]:
    """Something that fits into an input, at random, and what it costs; the input is plain data, as a page gets it."""
    match form["kind"]:
        case "choice" | "path":
            option = chance.choice(form["options"] if form["kind"] == "choice" else form["ways"])
            return option["write"], option.get("price", 0)
        case "several":
            options = chance.sample(form["options"], chance.randint(form["least"], form["most"]))
            return [option["write"] for option in options], 0
        case "number":
            number = chance.randint(form["least"], form["most"])
            return str(number), number * form.get("price", 0)
        case "numbers":
            return numbers(form, chance)
        case "each":
            return [filled(one, chance)[0] for one in form["inputs"]], 0
        case "either":
            return filled(chance.choice(form["ways"]), chance)
        case "lines":
            if not form["least"] and (form["of"].get("ways") == [] or chance.random() < 0.1):
                return [], 0
            line, price = filled(form["of"], chance)
            return [line], price
        case "record":
            return record(form, chance)
    raise AssertionError(form)


def numbers(form: Any, chance: Random) -> tuple[Tree, int]:
    """Numbers within their ranges and the total."""
    total = chance.randint(form["least"], min(form["most"], sum(one["most"] for one in form["of"].values())))
    found = {name: one["least"] for name, one in form["of"].items()} if form.get("all") else {}
    while sum(found.values()) < total:
        name = chance.choice([n for n, one in form["of"].items() if found.get(n, 0) < one["most"]])
        found[name] = max(found.get(name, 0) + 1, form["of"][name]["least"])
    price = sum(count * form["of"][name].get("price", 0) for name, count in found.items())
    return {name: str(count) for name, count in found.items()}, price


def record(form: Any, chance: Random) -> tuple[Tree, int]:
    """The parts that have to be there and some of the others; what they cost is paid with cards of the same record."""
    found: dict[str, Tree] = {}
    paying = [(key, part) for key, part in form["parts"].items() if part["input"]["kind"] == "payment"]
    cost: int = sum(part.get("price", 0) for _, part in paying)
    for key, part in form["parts"].items():
        if part["input"]["kind"] == "payment" or (part.get("optional") and chance.random() < 0.5):
            continue
        found[key], price = filled(part["input"], chance)
        cost += price + part.get("price", 0)
    for one, other in form.get("together", ()):
        if (at(found, one) is None) != (at(found, other) is None):
            raise Dear
    for key, part in paying if cost else ():
        found[key] = pay(part["input"]["options"], cost, chance)
    return found, 0 if paying else cost


def at(tree: Tree, path: tuple[str, ...]) -> Tree | None:
    """Value at a place of a record."""
    for key in path:
        if not isinstance(tree, dict) or key not in tree:
            return None
        tree = tree[key]
    return tree


def pay(options: list[Any], price: int, chance: Random) -> Tree:
    """Cards at random until the price is paid."""
    cards: list[Tree] = []
    worth = 0
    for option in chance.sample(options, len(options)):
        if worth < price:
            cards.append(option["write"])
            worth += option["worth"]
    if worth < price:
        raise Dear
    return cards


def answer_to(table: Table, decision: Decision, form: Any, chance: Random) -> GivenAnswer:
    """An answer made of nothing but the form, read back from a file."""
    for _ in range(200):
        try:
            written, _ = filled(form["input"], chance)
        except Dear:
            continue
        orders = as_orders(table, {decision.power: {form["section"]: written}})
        assert_refused_without(table, decision, form, written)
        source = OrderSource(table, orders)
        given = source.take_free_orders(decision.power)[0] if isinstance(decision, Arrange) else source.answer(decision)
        assert given is not None
        return given
    raise AssertionError(f"nothing to be filled in: {form}")


def assert_refused_without(table: Table, decision: Decision, form: Any, written: Tree) -> None:
    """A field that a form requires is missed by the reader of the file."""
    if form["input"]["kind"] != "record" or not isinstance(written, dict):
        return
    for key, part in form["input"]["parts"].items():
        if key in written and len(written) > 1 and not part.get("optional"):
            rest = {name: value for name, value in written.items() if name != key}
            with pytest.raises(Refused):
                as_orders(table, {decision.power: {form["section"]: rest}})


def asked(table: Table) -> list[Decision]:
    """Open decisions, and those that may be answered at any time."""
    game = game_of(table)
    return [*game.decisions(table), *game.anytime(table)]


def tables(module: Any, terms: Any, player: Any, most: int) -> Iterator[Table]:
    """The positions of a game at random."""
    table, _ = module.start(terms, "forms")
    for (power, answer), _ in zip(
        module.answers(table, module.chance_of(terms, "forms"), player), range(most), strict=False
    ):
        yield table
        game_of(table).apply(table, power, answer)


def refusal_of(table: Table, decision: Decision, answer: Answer) -> IllegalOrder | None:
    """Refusal of an answer by the rules; the table is left as it is."""
    trial = copy_of(table)
    try:
        game_of(trial).apply(trial, decision.power, answer)
    except IllegalOrder as refusal:
        return refusal
    return None


def check(tables: Iterator[Table], chance: Random) -> None:
    """Every decision has a form, and what it leads to is accepted, or refused for a reason that it names."""
    kinds: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for table in tables:
        for decision in asked(table):
            kinds[type(decision).__name__] += 1
            if kinds[type(decision).__name__] > OFTEN_ENOUGH:
                continue
            form = msgspec.json.decode(msgspec.json.encode(form_of(table, decision)))
            assert form["rule"]
            given = answer_to(table, decision, form, chance)
            if refusal := refusal_of(table, decision, given.answer):
                assert refusal.code in form["beyond"], (form["section"], refusal.message, given.answer)
                refused[refusal.code] += 1
    assert len(kinds) >= 5
    assert sum(refused.values()) * 10 < sum(min(count, OFTEN_ENOUGH) for count in kinds.values()), refused


@pytest.mark.parametrize("terms", play.EVERY, ids=play.name_of)
def test_what_a_form_of_maria_offers_is_accepted(terms: Any) -> None:
    check(tables(play, terms, raid, play.LONGEST), Random(play.name_of(terms)))


@pytest.mark.parametrize("terms", random_play.EVERY, ids=random_play.name_of)
def test_what_a_form_of_friedrich_offers_is_accepted(terms: Any) -> None:
    check(tables(random_play, terms, strive, 3000), Random(random_play.name_of(terms)))


def simple_ways(table: Table, start: City, length: int) -> Iterator[Road]:
    """All ways of so many steps that enter no city twice, occupied or not."""
    ways: list[Road] = [(start,)]
    for _ in range(length):
        ways = [(*way, city) for way in ways for city in table.rules.common.board.near[way[-1]] if city not in way]
    return (way[1:] for way in ways)


def test_a_retreat_of_which_the_rules_allow_one_way_says_so() -> None:
    seen: Counter[bool] = Counter()
    for terms in play.EVERY:
        for table in tables(play, terms, raid, play.LONGEST):
            for decision in game_of(table).decisions(table):
                if not isinstance(decision, ChooseRetreat) or decision.length > 4:
                    continue
                form = form_of(table, decision).input
                allowed = [
                    way
                    for way in simple_ways(table, decision.start, decision.length)
                    if not refusal_of(table, decision, RetreatAlong(way))
                ]
                assert (only_value(form) is not None) is (len(allowed) == 1)
                seen[len(allowed) == 1] += 1
        if min(seen[True], seen[False]) >= 3:
            return
    raise AssertionError(seen)


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_whatever_is_asked_has_a_form(game: str) -> None:
    for row in game_paper_named(game).sections:
        assert (row.form is not None) == bool(row.asks), row.name


def test_the_page_of_orders_has_a_row_for_every_kind_of_input() -> None:
    page = (Path(__file__).parents[2] / "docs/orders.md").read_text("utf-8")
    for kind in get_args(Input):
        assert f"\n| `{kind.__struct_config__.tag}` |" in page


@pytest.mark.parametrize(("worth", "most", "is_payable"), [(5, 2, False), (6, 2, True), (6, 0, False)])
def test_a_form_offers_what_the_cards_can_pay(worth: int, most: int, is_payable: bool) -> None:
    troops = Numbers({"Lehwaldt": Number(0, most, price=6)}, 0, most)
    pay = Payment((Option("\N{BLACK SPADE SUIT}2", worth=2), Option("\N{BLACK HEART SUIT}4", worth=worth - 2)))
    assert has_payable(Record({"troops": Part(troops), "pay": Part(pay, optional=True)})) is is_payable
    assert not has_payable(troops)
