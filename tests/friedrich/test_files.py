"""Positions and orders of FRIEDRICH as files: what is written at any moment of any game is read back the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from pbem.bots.plain import choose
from pbem.engine.decisions import Answer, Decision, Play, Transfer
from pbem.engine.events import CardPlayed
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import digest
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.state import Table
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import read_yaml
from pbem.paper.orders import trial
from pbem.paper.orders.files import read_orders
from pbem.paper.orders.trial import run
from pbem.paper.positions.files import load_position, write_position
from pbem.report.blocks import table_in_words
from pbem.report.language.templates import languages
from tests.friedrich.random_play import EVERY, Player, answers, chance_of, name_of, start
from tests.friedrich.striving import strive
from tests.paper.test_answer_writing import as_orders, read_back, stages

OFTEN_ENOUGH = 12
"""So many answers of one kind are written in each game."""


def check(table: Table) -> None:
    """Save, load, compare."""
    text = write_position(table)
    loaded = load_position(text.encode(), "saved")
    assert digest(loaded.state) == digest(table.state), text
    assert write_position(loaded) == text


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
@pytest.mark.parametrize("player", [choose, strive], ids=["random", "striving"])
def test_saved_positions_read_back(terms: Terms, player: Player) -> None:
    table, _ = start(terms, "saved")
    check(table)
    for count, (power, answer) in enumerate(answers(table, chance_of(terms, "saved"), player)):
        state = table.state
        if count % 37 == 0 or (count % 3 == 0 and (state.tasks or state.drawn or state.retreat or state.duel)):
            check(table)
        game.apply(table, power, answer)
    check(table)


def position(text: str) -> Table:
    """A position of FRIEDRICH as somebody writes it."""
    table: Table = load_position(f"game: friedrich\n{text}".encode(), "position")
    return table


def faults_of(text: str) -> list[str]:
    """The codes of what is wrong with a position, in its order."""
    with pytest.raises(Refused) as refused:
        position(text)
    return [fault.code for fault in refused.value.faults]


def test_what_follows_from_strokes_need_not_be_written() -> None:
    table = position("turn: 9\nstage: austria\nfate: {out: [elisabeth, sweden], deck: [india, 4]}")
    fate, rules = table.state.fate, table.rules.common
    assert fate.quit == ["russia", "sweden"]
    assert fate.deck[-2:] == [4, 17]
    assert sorted([*fate.deck, *fate.out]) == table.rules.fate.numbers()
    assert all(
        table.state.field.pieces[piece].city == -2 for piece in (*rules.generals("russia"), *rules.trains("sweden"))
    )
    lehwaldt = next(i for i, piece in enumerate(rules.pieces) if piece.name == "Lehwaldt")
    assert table.state.field.pieces[lehwaldt].city == -2
    assert table.state.field.alliances.player["imperial"] == "elisabeth"
    assert fate.eased == ["austria", "imperial"]


def test_the_offensive_option_is_open_in_the_expert_game_unless_it_is_given_up() -> None:
    assert position("expert: yes\nturn: 4\n").state.fate.offensive is not None
    assert position("expert: yes\nturn: 4\nfate: {offensive: none}").state.fate.offensive is None
    option = position("expert: yes\nturn: 4\nfate: {offensive: {declared: yes, card: ♠12}}").state.fate.offensive
    assert option is not None
    assert (option.declared, option.card is None, option.taken) == (True, False, False)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("scenario: five", ["E-FORM-WORD"]),
        ("scenario: west\nexpert: yes", ["E-VALUE-RANGE"]),
        ("fate file: nowhere.yaml", ["E-FATE-MISSING"]),
        ("board: theatrum-belli", ["E-BOARD-UNFIT"]),
        ("players: 2", ["E-FORM-KEY"]),
        ("turn: 9\nfate: {out: [19]}", ["E-FORM-WORD"]),
        ("turn: 9\nfate: {out: [13, poems]}", ["E-FORM-TWICE"]),
        ("turn: 9\nfate: {in force: [{card: 4}]}", ["E-FORM-MISSING"]),
        ("turn: 9\nfate: {in force: [{card: 3, suit: hearts, until: 9, settled: [Prag]}]}", ["E-FORM-BATTLE"]),
        ("turn: 9\ntasks: [{task: sidestep, power: prussia}]", ["E-FORM-KEY"]),
        ("turn: 9\ntasks: [{power: prussia}]", ["E-FORM-MISSING"]),
        ("turn: 9\nhanded over: {imperial: somebody}", ["E-FORM-WORD"]),
        ("turn: 2\nstage: france\ndrawn: [♠7]\nphase: cards\nbegun: yes\nowing: [france]", ["E-POSITION"]),
    ],
)
def test_what_is_wrong_with_a_position_is_said(text: str, codes: list[str]) -> None:
    assert faults_of(text) == codes


def test_totals_stand_for_what_is_not_given_one_by_one() -> None:
    table = position("turn: 4\ntroops: {france: 7}\nhand sizes: {france: 3, austria: 0}\nhands: {prussia: [♠7]}")
    pieces, generals = table.state.field.pieces, table.rules.common.generals("france")
    assert [pieces[general].troops for general in generals] == [3, 2, 2]
    assert {power: len(hand) for power, hand in table.state.cards.hands.items() if hand} == {"prussia": 1, "france": 3}
    assert faults_of("turn: 4\ntroops: {france: 25}") == ["E-FORM-NUMBER"]
    assert faults_of("turn: 4\nhand sizes: {nobody: 2}") == ["E-NAME-UNKNOWN"]


def test_a_finished_game_may_have_several_winners() -> None:
    result = "result: {winner: elisabeth, how: goals, held: {russia: 10}, others: [pompadour]}"
    table = position(f"turn: 12\nstage: fate\n{result}")
    assert table.state.result is not None
    assert table.state.result.others == ("pompadour",)
    check(table)


def whole_game(terms: Terms, seed: str) -> Iterator[tuple[Table, str, Decision | None, Answer]]:
    """Every answer of a game and the table before it; a troop transfer answers no decision."""
    table, _ = start(terms, seed)
    for power, answer in answers(table, chance_of(terms, seed), strive):
        yield table, power, None if isinstance(answer, Transfer) else game.decision_of(table, power), answer
        game.apply(table, power, answer)


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_what_is_written_is_read_as_the_same_answer(terms: Terms) -> None:
    kinds: Counter[tuple[str, str, str]] = Counter()
    for seed in ("written", "again"):
        for table, power, decision, answer in whole_game(terms, seed):
            kind = (type(decision).__name__, str(getattr(decision, "reason", "")), type(answer).__name__)
            kinds[kind] += 1
            if kinds[kind] <= OFTEN_ENOUGH or (isinstance(answer, Play) and answer.value > 10):
                assert read_back(table, power, decision, answer) == answer
                shown = table_in_words(table, languages()[kinds[kind] % len(languages())])
                assert read_back(table, power, decision, answer, shown) == answer
    assert len(kinds) > 7


@pytest.mark.parametrize("terms", EVERY[::2], ids=name_of)
def test_the_answers_of_a_stage_fit_into_one_file_and_lead_to_the_same_position(terms: Terms) -> None:
    count = 0
    for before, orders, reached in stages(start(terms, "joined")[0], chance_of(terms, "joined"), strive):
        result = run(before, as_orders(before, orders))
        assert not result.is_refused, result.faults
        assert digest(result.table.state) == reached
        count += 1
    assert count > 20


def tried(text: str, orders: str) -> trial.Trial:
    """Trial of orders on a position, both as somebody writes them."""
    table = position(text)
    trial.begin(table)
    return run(table, read_orders(read_yaml(f"orders: {orders}".encode(), "orders"), "orders", table.rules))


DOUBLED = """
turn: 8
stage: prussia
phase: combat
pieces: {Friedrich: "Berlin, 3", Daun: "Bernau, 8"}
hands: {prussia: [♠11], austria: []}
"""


@pytest.mark.parametrize(
    ("fate", "codes"), [("{}", ["E-CARD-VALUE"]), ("{in force: [{card: 11, suit: spades, until: 8}]}", [])]
)
def test_a_card_counts_more_only_where_the_card_of_fate_says_so(fate: str, codes: list[str]) -> None:
    result = tried(f"{DOUBLED}fate: {fate}", "{prussia: {play: [♠11 as 22]}}")
    assert [fault.code for fault in result.faults] == codes
    played = [event.score for event in result.events if isinstance(event, CardPlayed)]
    assert played == ([] if codes else [18])


def test_cards_set_aside_are_those_just_drawn() -> None:
    text = (
        "turn: 2\nstage: france\nphase: cards\nbegun: yes\nowing: [france]\n"
        "hands: {france: [♠7/1, ♠7/2, ♥3/1]}\ndrawn: [♠7/2, ♥3/1]\n"
    )
    result = tried(text, "{france: {set aside: [♠7]}}")
    assert not result.is_refused, result.faults
    left = result.table.state.cards.hands["france"]
    assert [card & 3 for card in left if card >> 6 == 3] == [0]
    with pytest.raises(IllegalOrder):
        game.decision_of(result.table, "prussia")
