"""Runs the catalogue of cases: numbered rule questions with their answers (tests/cases/README.md)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.events import Event
from pbem.engine.table import Table
from pbem.games.friedrich.paper.position import card_name
from pbem.games.friedrich.rules.offensive import held_count
from pbem.games.friedrich.rules.sequence import income_of as income_in_friedrich
from pbem.games.maria.rules.contracts import income_of as income_in_maria
from pbem.games.maria.rules.points import pool
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.strict import MappingNode, Node, SequenceNode, Text, bare, read_yaml
from pbem.paper.lexicon import Lexicon, card_text
from pbem.paper.orders import trial
from pbem.paper.orders.files import read_orders
from pbem.paper.positions.files import read_position
from pbem.paper.positions.shared import piece_text, place_text
from pbem.report.language.templates import NO_BREAK
from pbem.report.telling import told_data

FOLDER = Path(__file__).parent / "cases"
KEYS = {"case", "says", "rule", "position", "orders", "expect"}
ALWAYS = {
    "refused", "section", "says", "warned", "events", "never", "pieces", "markers", "questions", "hands", "hand sizes",
    "stage", "waiting", "winner", "unloadable", "players", "income",
}  # fmt: skip
EXPECTED = {
    "maria": ALWAYS | {
        "hussars", "pools", "battle", "boxes", "markers set aside", "tracks", "sides", "acting", "contracts",
    },
    "friedrich": ALWAYS | {"others", "strokes", "in force", "quit", "eased", "goals", "offensive"},
}  # fmt: skip
"""Keys of expectations in the cases of each game."""


def all_cases() -> list[Any]:
    """Every case of every file."""
    found = []
    for path in sorted(FOLDER.glob("*/*.yaml")):
        document = read_yaml(path.read_bytes(), path.name)
        assert isinstance(document, SequenceNode)
        for node in document.items:
            assert isinstance(node, MappingNode), path
            game = path.parent.name
            found.append(pytest.param(game, node, id=f"{game}-{bare(node.items['case'])}"))
    return found


CASES = all_cases()
DECK = re.compile(r"(?<=[♣♦♥♠R\d])/\db?$")
"""The deck of a card, which cases leave out."""


class Outcome:
    """Result of a case."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.events: list[Event] = trial.begin(table)
        self.faults: list[Fault] = []
        self.waiting = trial.decisions(table)

    def play(self, node: Node) -> None:
        """Run one order file."""
        document = MappingNode({"orders": node}, {"orders": (node.line, node.column)}, node.line, node.column)
        try:
            orders = read_orders(document, "orders", self.table.rules)
        except Refused as refused:
            self.faults += refused.faults
            return
        result = trial.run(self.table, orders)
        self.table, self.waiting = result.table, result.waiting
        self.events += result.events
        self.faults += result.faults

    def codes(self, warnings: bool) -> list[str]:
        """The codes of the refusals, or of the warnings."""
        return [fault.code for fault in self.faults if fault.is_warning is warnings]


def of_game(node: Node, game: str) -> Node:
    """A position that need not name its game, for the folder of its case does."""
    assert isinstance(node, MappingNode)
    place = (node.line, node.column)
    return MappingNode({"game": Text(game, *place), **node.items}, {"game": place, **node.places}, *place)


@pytest.mark.parametrize(("game", "node"), CASES)
def test_case(game: str, node: MappingNode) -> None:
    case = bare(node)
    assert set(case) <= KEYS
    assert {"case", "says", "rule", "position", "expect"} <= set(case)
    expect = case["expect"]
    assert expect, "a case must expect something"
    assert set(expect) <= EXPECTED[game]
    position = of_game(node.items["position"], game)
    if "unloadable" in expect:
        with pytest.raises(Refused) as refused:
            read_position(position, "position")
        assert {fault.code for fault in refused.value.faults} >= set(expect["unloadable"])
        says(expect, list(refused.value.faults))
        return
    outcome = Outcome(read_position(position, "position"))
    orders = node.items.get("orders")
    for part in orders.items if isinstance(orders, SequenceNode) else filter(None, [orders]):
        outcome.play(part)
    judge(expect, outcome)


def judge(expect: dict[str, Any], outcome: Outcome) -> None:
    """Compare what was expected with what came."""
    refusals = [fault for fault in outcome.faults if not fault.is_warning]
    told = "\n".join(fault.message_line("orders") for fault in outcome.faults).replace(NO_BREAK, " ")
    assert sorted({fault.code for fault in refusals}) == sorted(set(expect.get("refused", []))), told
    if "section" in expect:
        assert refusals[0].section == expect["section"], told
    says(expect, refusals)
    assert set(expect.get("warned", [])) <= set(outcome.codes(warnings=True)), told
    judge_events(expect, outcome)
    judge_field(expect, outcome.table)
    judge_cards(expect, outcome.table)
    judge_powers(expect, outcome.table)
    JUDGES[outcome.table.rules.terms.game](expect, outcome.table)
    state = outcome.table.state
    if "stage" in expect:
        assert f"{state.turn}/{state.stage}/{state.phase}" == expect["stage"]
    if "waiting" in expect:
        asked = {decision.power: type(decision).__name__ for decision in outcome.waiting}
        assert asked == ({} if expect["waiting"] == "nobody" else expect["waiting"])
    if "winner" in expect:
        assert state.result is not None
        assert (state.result.winner or "nobody") == expect["winner"]


def says(expect: dict[str, Any], refusals: list[Fault]) -> None:
    """The words that must stand in the refusals."""
    told = "\n".join(f"{fault.message} — {fault.hint}" for fault in refusals).replace(NO_BREAK, " ")
    for words in expect.get("says", []):
        assert words in told, told


def judge_events(expect: dict[str, Any], outcome: Outcome) -> None:
    """The events that must come in order, and those that must not come."""
    happened = [told_data(outcome.table.rules, event) for event in outcome.events]
    shown = "\n".join(map(str, happened))
    rest = iter(happened)
    for wanted in expect.get("events", []):
        assert any(matches(wanted, event) for event in rest), f"{wanted} did not happen (in this order):\n{shown}"
    for unwanted in expect.get("never", []):
        assert not any(matches(unwanted, event) for event in happened), f"{unwanted} happened:\n{shown}"


def matches(wanted: Any, event: dict[str, Any]) -> bool:
    """True if an event is the one described."""
    if isinstance(wanted, str):
        return bool(event["type"] == wanted)
    ((name, fields),) = wanted.items()
    return bool(event["type"] == name) and all(text(event[key]) == text(value) for key, value in fields.items())


def text(value: Any) -> Any:
    """Values as a case file writes them."""
    if isinstance(value, dict):
        return {str(key): text(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [text(item) for item in value]
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return DECK.sub("", str(value))


def judge_field(expect: dict[str, Any], table: Table) -> None:
    """Pieces, markers, question marks and hussars."""
    lexicon, field = Lexicon(table.rules), table.state.field
    for name, where in expect.get("pieces", {}).items():
        assert piece_text(table.rules, field.pieces[lexicon.piece(name)]) == where, name
    for key, stored in (("markers", field.markers), ("questions", field.questions)):
        for city, power in expect.get(key, {}).items():
            assert stored.get(lexicon.city(city), "none") == power, (key, city)
    if "hussars" in expect:
        assert [place_text(table.rules, city) for city in field.hussars] == expect["hussars"]


def judge_cards(expect: dict[str, Any], table: Table) -> None:
    """Hands and their sizes."""
    hands = table.state.cards.hands
    for power, cards in expect.get("hands", {}).items():
        assert sorted(card_text(card) for card in hands[power]) == sorted(cards), power
    for power, size in expect.get("hand sizes", {}).items():
        assert len(hands[power]) == int(size), power


def judge_powers(expect: dict[str, Any], table: Table) -> None:
    """Sides, players and stages of the powers."""
    alliances = table.state.field.alliances
    for power, side in expect.get("sides", {}).items():
        assert (alliances.side[power] or "neutral") == side, power
    for key, stored in (("players", alliances.player), ("acting", alliances.stage)):
        for power, value in expect.get(key, {}).items():
            assert stored[power] == value, (key, power)


def judge_fate(expect: dict[str, Any], table: Any) -> None:
    """Check the effects of the Clock of Fate, incomes, and conquests."""
    fate = table.state.fate
    for power, income in expect.get("income", {}).items():
        assert income_in_friedrich(table, power) == int(income), power
    for power, count in expect.get("goals", {}).items():
        assert held_count(table, power) == int(count), power
    for key, stored in (("quit", fate.quit), ("eased", fate.eased)):
        if key in expect:
            assert stored == expect[key], key
    if "strokes" in expect:
        assert [card_name(table.rules.fate, number) for number in fate.out] == expect["strokes"]
    if "in force" in expect:
        assert [str(entry.card) for entry in fate.in_force if not entry.used] == expect["in force"]
    if "others" in expect:
        assert list(table.state.result.others) == expect["others"]
    if "offensive" in expect:
        option = fate.offensive
        marks = [] if option is None else [name for name in ("declared", "taken", "failed") if getattr(option, name)]
        assert (marks if option else "none") == expect["offensive"]


def judge_affairs(expect: dict[str, Any], table: Any) -> None:
    """Victory markers, tracks, incomes and contracts of the advanced game."""
    affairs = table.state.affairs
    if affairs is None:
        assert not set(expect) & {"pools", "battle", "boxes", "markers set aside", "tracks", "income", "contracts"}
        return
    for power, left in expect.get("pools", {}).items():
        assert pool(table, power) == int(left), power
    for power, income in expect.get("income", {}).items():
        assert income_in_maria(table, power) == int(income), power
    for key, numbers in (("battle", affairs.battle), ("markers set aside", affairs.set_aside)):
        for power, count in expect.get(key, {}).items():
            assert numbers.get(power, 0) == int(count), (key, power)
    for box, power in expect.get("boxes", {}).items():
        assert affairs.special.get(box, "none") == power, box
    for track, box in expect.get("tracks", {}).items():
        assert affairs.tracks[track] + 1 == int(box), track
    if "contracts" in expect:
        assert [f"{c.giver} > {c.receiver}, {c.turns}" for c in affairs.contracts] == expect["contracts"]


JUDGES: dict[str, Callable[[dict[str, Any], Any], None]] = {"maria": judge_affairs, "friedrich": judge_fate}
"""Judges of expectations that only one game's cases have."""


def test_cases_are_numbered_and_many() -> None:
    numbers = [(param.values[0], bare(param.values[1].items["case"])) for param in CASES]
    assert len(numbers) == len(set(numbers))
    assert len(numbers) >= 120
