"""The sequence of orders of powers that act together: whatever makes all legal is found, and always the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations
from random import Random
from time import process_time

import pytest

from pbem.bots import plain
from pbem.engine.decisions import Answer, Done, March, Move
from pbem.engine.march import destinations
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import digest
from pbem.faults.wrong import Words
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.movement import column_of
from pbem.games.maria.rules.state import Table
from pbem.kit import copy_of
from pbem.paper.documents.strict import Text
from pbem.paper.orders import sequence
from pbem.paper.orders.files import Orders, OrderSource, load_orders
from pbem.paper.orders.names import PowerOrders, WrittenOrder
from pbem.paper.orders.sequence import Moment, legal_sequence, sequence_of
from pbem.paper.orders.trial import Trial, run, run_known
from pbem.paper.positions.files import load_position
from tests.play import moments
from tests.play import position as played

POSITION = """
turn: 2
stage: france
phase: movement
begun: yes
owing: [france, bavaria]
pieces: {Törring: "Passau, 3", Belle-Isle: "Straubing, 5"}
"""
LEAVES_AND_ENTERS = "orders: {france: {move: [Belle-Isle: Passau]}, bavaria: {move: [Törring: Linz]}}"
NODE = Text("", 1, 1)

Lists = Mapping[Power, Sequence[Answer]]


def tried(orders: str, position: str = POSITION) -> Trial:
    table: Table = load_position(position.encode(), "position")
    return run(table, load_orders(orders.encode(), "orders", table.rules))


def marchers(trial: Trial) -> list[str]:
    """Powers that marched, in order."""
    pieces = trial.table.rules.common.pieces
    return [
        pieces[event.pieces[0]].name for event in trial.events if hasattr(event, "path") and hasattr(event, "forced")
    ]


def codes(trial: Trial) -> list[str]:
    return [fault.code for fault in trial.faults]


def test_one_power_leaves_a_city_and_another_of_the_same_file_enters_it() -> None:
    done = tried(LEAVES_AND_ENTERS)
    assert codes(done) == []
    assert marchers(done) == ["Törring", "Belle-Isle"]


def test_what_is_legal_as_it_stands_goes_as_the_file_has_it() -> None:
    lines = ["france: {move: [Belle-Isle: Deggendorf]}", "bavaria: {move: [Törring: Linz]}"]
    assert marchers(tried(f"orders: {{{lines[0]}, {lines[1]}}}")) == ["Belle-Isle", "Törring"]
    assert marchers(tried(f"orders: {{{lines[1]}, {lines[0]}}}")) == ["Törring", "Belle-Isle"]


def test_where_no_sequence_is_legal_it_is_told_as_of_one_after_the_other() -> None:
    done = tried("orders: {france: {move: [Belle-Isle: Passau]}, bavaria: {move: [Törring: Straubing]}}")
    assert codes(done) == ["E-MARCH-TWICE"]


def test_a_fault_of_one_order_makes_no_other_fail() -> None:
    wrong = LEAVES_AND_ENTERS.replace("[Belle-Isle", "[Broglie: Wien, Belle-Isle")
    done = tried(wrong, POSITION.replace('5"', '5", Broglie: "Regensburg, 3"'))
    assert codes(done) == ["E-MARCH-LENGTH"]
    assert marchers(done) == ["Törring", "Belle-Isle"]


TRAIN_THERE = POSITION.replace('Belle-Isle: "Straubing, 5"', "france train 2: Straubing")
BEHIND = {
    "E-MARCH-TWICE": ("Belle-Isle: Passau", "Törring: Linz"),
    "E-MARCH-BLOCKED.moved": ("france train 2: Deggendorf", "Törring: 'Vilshofen, Deggendorf, Straubing'"),
    "E-MARCH-JOINED.moved": ("Belle-Isle: Deggendorf", "Törring: 'Vilshofen, Deggendorf, Straubing'"),
}


@pytest.mark.parametrize("wording", BEHIND)
def test_no_march_is_to_be_ordered_above_one_of_another_power(wording: str) -> None:
    first, then = BEHIND[wording]
    position = TRAIN_THERE if "train" in first else POSITION
    orders = f"orders: {{france: {{move: [{first}]}}, bavaria: {{move: [{then}]}}}}"
    (fault,) = tried(orders, position + "rulings: {sequence: of play}\n").faults
    assert fault.message.key == wording
    assert isinstance(fault.hint, Words)
    assert dict(fault.hint.gaps)["powers"] == ("france",)
    assert ("march of France" if wording == "E-MARCH-TWICE" else "marches of France go first") in fault.hint.text("en")


def test_a_table_may_rule_that_powers_go_one_after_the_other() -> None:
    assert codes(tried(LEAVES_AND_ENTERS, POSITION + "rulings: {sequence: of play}\n")) == ["E-MARCH-TWICE"]


def movements(count: int) -> Iterator[tuple[Table, Random]]:
    """Positions in which a player marches with several powers, and what is thrown for them."""
    found = seed = 0
    while found < count:
        seed += 1
        terms = Terms("advanced", 2 + seed % 2) if seed % 3 else Terms(players=2 + seed % 2)
        chance = Random(f"sequence {seed}")
        table = played(terms, seed, chance.randint(20, 400))
        for _ in range(200):
            if table.state.phase == "over" or len(own(table)) > 1:
                break
            decision = game.decisions(table)[0]
            game.apply(table, decision.power, plain.choose(table, decision, chance))
        if table.state.phase != "over" and len(own(table)) > 1:
            found += 1
            yield table, chance


def own(table: Table) -> list[March]:
    """Decisions of one player, of those who march."""
    asked = [decision for decision in game.decisions(table) if isinstance(decision, March)]
    player = table.state.field.alliances.player
    return [decision for decision in asked if player[decision.power] == player[asked[0].power]]


def mixed(table: Table, chance: Random, most: int) -> dict[Power, list[Answer]]:
    """Orders of several powers that some sequence makes legal: they march by turns, rather to where others were."""
    now = copy_of(table)
    found: dict[Power, list[Answer]] = {decision.power: [] for decision in own(table)}
    vacated: dict[int, Power] = {}
    for _ in range(most):
        decision = chance.choice(own(now))
        ways = [
            (piece, way) for piece in decision.pieces for way in destinations(column_of(now, [piece])).values() if way
        ]
        wanted = [(piece, way) for piece, way in ways if vacated.get(way[-1], decision.power) != decision.power]
        piece, way = chance.choice(wanted or ways or [(-1, ())])
        start = now.state.field.pieces[piece].city
        try:
            game.apply(now, decision.power, Move((piece,), way))
        except IllegalOrder:
            continue
        found[decision.power].append(Move((piece,), way))
        vacated[start] = decision.power
    return {power: [*answers, Done()] for power, answers in found.items()}


def orders_of(lists: Lists) -> Orders:
    powers = {
        power: PowerOrders(power, NODE, {"move": [WrittenOrder(answer, NODE) for answer in answers]})
        for power, answers in lists.items()
    }
    return Orders("orders", None, powers)


def sequences(lists: Lists) -> Iterator[tuple[Power, ...]]:
    """Every sequence that keeps what each power has written in order, by the order of the powers."""
    if not any(lists.values()):
        yield ()
    for power, answers in lists.items():
        if answers:
            for rest in sequences({**lists, power: answers[1:]}):
                yield (power, *rest)


def outcome(table: Table, lists: Lists, sequence: Sequence[Power]) -> str:
    """The fingerprint of what comes of a sequence; empty if something in it is refused."""
    now, left = copy_of(table), {power: list(answers) for power, answers in lists.items()}
    for power in sequence:
        try:
            game.apply(now, power, left[power].pop(0))
        except IllegalOrder:
            return ""
    return digest(now.state)


def alternating(lists: Lists) -> tuple[Power, ...]:
    """One of each, the last power first."""
    left, found = {power: len(answers) for power, answers in lists.items()}, []
    while any(left.values()):
        able = [power for power in lists if left[power]]
        power = min(reversed(able), key=found.count)
        left[power] -= 1
        found.append(power)
    return tuple(found)


def test_whatever_sequence_is_legal_is_found_and_the_first_of_them_is_taken() -> None:
    """Against all sequences, one by one."""
    needed = refused = 0
    for table, chance in movements(40):
        lists = mixed(table, chance, 5)
        if chance.random() < 0.3:  # something in the wrong order: often no sequence is left
            power = max(lists, key=lambda each: len(lists[each]))
            lists[power] = [*reversed(lists[power][:-1]), Done()]
        every = [*islice(sequences(lists), 200)]
        if len(every) == 200:
            continue
        legal = [sequence for sequence in every if outcome(table, lists, sequence)]
        plain, by_turns = every[0], alternating(lists)
        wanted = plain if plain in legal else by_turns if by_turns in legal else next(iter(legal), None)
        source = OrderSource(table, orders_of(lists))
        assert legal_sequence(Moment.of(table, [source], list(lists))) == wanted
        done = run(table, orders_of(lists))
        assert done.is_refused == (wanted is None)
        if wanted is not None:
            assert digest(done.table.state) == outcome(table, lists, wanted)
        needed += wanted not in (None, plain)
        refused += wanted is None
    assert needed > 5
    assert refused


def test_reports_find_the_same_as_positions() -> None:
    table: Table = load_position(POSITION.encode(), "position")
    orders = load_orders(LEAVES_AND_ENTERS.encode(), "orders", table.rules)
    assert run_known(table, orders.copy()).events[:2] == run(table, orders).events[:2]


def shuttled(count: int) -> str:
    """Orders that can be mixed in every way, of which the last lines are impossible."""
    shuttle = ", ".join(
        f"transfer: {{Belle-Isle: {1 + place % 2}, Broglie: {7 - place % 2}}}" for place in range(count)
    )
    shuffle = ", ".join(["Törring: Wien"] * (count - 1))
    return f"orders: {{france: {{move: [{shuttle}, Belle-Isle: Wien]}}, bavaria: {{move: [Törring: Linz, {shuffle}]}}}}"


@pytest.mark.parametrize("count", [45, 3000])
def test_a_hostile_file_costs_little(count: int) -> None:
    stack = POSITION.replace('Belle-Isle: "Straubing, 5"', 'Belle-Isle: "Straubing, 5", Broglie: "Straubing, 3"')
    table: Table = load_position(stack.encode(), "position")
    orders = load_orders(shuttled(count).encode(), "orders", table.rules)
    begun = process_time()
    source = OrderSource(table, orders)
    assert sequence_of(table, [source], ["france", "bavaria"]) == ("france",) * (count + 2) + ("bavaria",) * (count + 1)
    assert process_time() - begun < 5


def test_the_search_ends_after_so_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Table = load_position(POSITION.encode(), "position")
    source = OrderSource(table, load_orders(LEAVES_AND_ENTERS.encode(), "orders", table.rules))
    start = Moment.of(table, [source], ["france", "bavaria"])
    found = ("bavaria", "france", "france", "bavaria")
    monkeypatch.setattr(sequence, "choose_least_active", sequence.choose_first_power)
    assert legal_sequence(start) == found
    for limit in ("MOST_LINES", "MOST_TRIED"):
        with monkeypatch.context() as tight:
            tight.setattr(sequence, limit, 3)
            assert legal_sequence(start) is None


def test_recruits_of_several_powers_do_not_hang_on_the_sequence() -> None:
    """Each has a purse and fortresses of its own: whoever is asked first, all stay legal and come to the same."""

    def is_wanted(table: Table) -> bool:
        return table.state.phase == "recruiting" and len(table.state.owing) > 1 and not table.state.tasks

    for seed, table in enumerate(moments(Terms("advanced", edition="2.0"), is_wanted, 20)):
        chance = Random(f"recruits {seed}")
        given = {asked.power: plain.choose(table, asked, chance) for asked in game.decisions(table)}
        tables = [copy_of(table) for _ in permutations(given)]
        for now, powers in zip(tables, permutations(given), strict=True):
            for power in powers:
                game.apply(now, power, given[power])
        assert len({str(now.state.field) for now in tables}) == 1
