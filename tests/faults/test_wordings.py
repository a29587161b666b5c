"""Wordings of faults that have several, each raised by a document that is wrong in that way alone."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from pbem.campaign.disk.atomic import fault_of
from pbem.engine.decisions import Move
from pbem.engine.field import alter
from pbem.engine.invariants import retreat_problems
from pbem.engine.troops import Retreat
from pbem.faults.wrong import Wrong, WrongError, words
from pbem.games.maria.rules.state import Table
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import begin, run
from pbem.paper.plans.files import load_plans
from pbem.paper.positions.files import load_position
from pbem.player.files import GivenFile
from pbem.player.tables import table_of_knowledge
from pbem.seal.keys import PublicKey

POSITIONS = {
    "E-POSITION.copies": f"hands: {{prussia: [{', '.join(['♠7'] * 9)}]}}",
    "E-POSITION.unused": "hands: {prussia: [♠7/4]}\nunused: [4]",
    "E-POSITION.power": "hands: {pragmatic: [♠7]}",
    "E-POSITION.decks": "turn: 2\nstage: prussia\npile sizes: [0, 0, 0, 0, 0]",
    "E-POSITION.affairs": "affairs: {election: yes}",
    "E-POSITION.hussars": "hussars: [off, off, off]",
    "E-POSITION.subsidy-fixed": "turn: 1\nstage: france\nphase: cards\nbegun: yes\nowing: [france]",
    "E-FORM-MISSING": "turn: 2\nstage: prussia\nphase: combat\nretreat: {start: Prag}",
    "E-FORM-MISSING.agreement": "scenario: advanced\naffairs: {agreements: [{words: x}]}",
    "E-FORM-MISSING.contract": "scenario: advanced\naffairs: {contracts: [{giver: france}]}",
    "E-FORM-MISSING.task": "scenario: advanced\ntasks: [{task: corps}]",
    "E-FORM-TEXT.where": "pieces: {Friedrich: ''}",
    "E-FORM-LIST": "owing: {a: b}",
}


@pytest.mark.parametrize("key", POSITIONS)
def test_positions(key: str) -> None:
    with pytest.raises(Refused) as refused:
        load_position(f"{POSITIONS[key]}\n".encode(), "position")
    assert key in {fault.message.key for fault in refused.value.faults}, refused.value


MOVING = "turn: 2\nstage: prussia\nphase: movement\nbegun: yes\nowing: [prussia]\n"
ADVANCED = f"scenario: advanced\n{MOVING}"
FRIEDRICH = f"game: friedrich\n{MOVING}"
ORDERS = {
    "E-PLAN-EMPTY.politics": (ADVANCED, "orders: {prussia: {plans: [{for: politics}]}}"),
    "E-FORM-MISSING.promise": (ADVANCED, "orders: {prussia: {agreements: [{with: [france]}]}}"),
    "E-FORM-MISSING.subsidy": (ADVANCED, "orders: {prussia: {subsidies: [{to: france}]}}"),
    "E-COMMANDER.fixed": (FRIEDRICH, "orders: {prussia: {move: [{march: Keith, to: [Brieg], commander: Keith}]}}"),
    "E-PLAN-EMPTY.card": (FRIEDRICH, "orders: {prussia: {plans: [{for: set aside}]}}"),
}


def told(position: str, orders: str) -> set[str]:
    """The wordings of what is wrong with orders."""
    table = load_position(position.encode(), "position")
    begin(table)
    try:
        found: list[Wrong] = list(run(table, load_orders(f"{orders}\n".encode(), "orders", table.rules)).faults)
    except Refused as refused:
        found = list(refused.faults)
    return {fault.message.key for fault in found}


@pytest.mark.parametrize("key", ORDERS)
def test_orders(key: str) -> None:
    assert key in told(*ORDERS[key])


def test_plans_of_a_power_that_takes_no_part() -> None:
    rules = load_position(MOVING.encode(), "position").rules
    with pytest.raises(Refused) as refused:
        load_plans(b"plans: {pragmatic: []}\n", "plans", rules)
    assert {fault.message.key for fault in refused.value.faults} == {"E-ORDER-POWER.plans"}


def test_a_train_that_stands_with_a_general_marches_alone_all_the_same() -> None:
    table = load_position(MOVING.encode(), "position")
    rules, pieces = table.rules.common, table.state.field.pieces
    movers = (rules.generals("prussia")[0], rules.trains("prussia")[0])
    alter(table.state.field, movers[1], city=pieces[movers[0]].city)
    with pytest.raises(WrongError) as caught:
        game_of(table).apply(table, "prussia", Move(movers, (0,)))
    assert caught.value.message.key == "E-MARCH-PIECES.train"


@pytest.mark.parametrize(("number", "key"), [
    (errno.EPERM, "E-DISK-DENIED.system"), (errno.EROFS, "E-DISK-DENIED.write"), (errno.EDQUOT, "E-DISK-FULL.user"),
    (errno.EISDIR, "E-DISK-KIND"),
])  # fmt: skip
def test_errors_of_the_disk(number: int, key: str) -> None:
    assert fault_of(OSError(number, "x"), Path("x"), "read").message.key == key


def test_knowledge_of_a_power_that_takes_no_part() -> None:
    with pytest.raises(Refused) as refused:
        table_of_knowledge(GivenFile("knowledge", b"kind: knowledge\ngame: friedrich\npowers: [spain]\n"))
    assert {fault.message.key for fault in refused.value.faults} == {"E-POSITION.reader"}


def test_a_line_too_long_for_a_key() -> None:
    with pytest.raises(WrongError) as caught:
        PublicKey.parse("ssh-ed25519 " + "A" * 100_000)
    assert caught.value.message.key == "E-KEY-SIZE.line"


def test_a_retreat_without_a_way() -> None:
    table = load_position(MOVING.encode(), "position")
    assert isinstance(table, Table)
    rules, field = table.rules.common, table.state.field
    ours, foes = rules.generals("prussia")[0], [*rules.generals("austria"), *rules.trains("austria")]
    here = rules.board.index["Jauer"]
    alter(field, ours, city=here)
    for foe, city in zip(foes, sorted(rules.board.adjacent[here]), strict=False):
        alter(field, foe, city=city)
    retreat = Retreat(here, 1, "austria", min(rules.board.adjacent[here]))
    found = [problem.wrong.message.key for problem in retreat_problems(rules, field, retreat)]
    assert found == ["E-POSITION.retreat-way"]


@pytest.mark.parametrize(
    ("names", "told"),
    [(("Prag",), "Prag"), (("Prag", "Eger"), "Prag and Eger"), (("Prag", "Eger", "Pisek"), "Prag, Eger and Pisek")],
)
def test_only_before_the_last_of_several_names_stands_the_word_that_joins_them(
    names: tuple[str, ...], told: str
) -> None:
    assert words("why-guard", cities=names).text() == f"while it stands there, enemies do not conquer {told}"
