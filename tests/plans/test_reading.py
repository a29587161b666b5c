"""Plans are read with every fault at its place, and written back as they stood."""

from __future__ import annotations

import pytest
import yaml

from pbem.paper.documents.faults import Refused
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.lexicon import Lexicon
from pbem.paper.orders.names import PowerOrders, SectionReader
from pbem.paper.plans.data import BattleWish, PlanEnd, Span, WrittenAnswer
from pbem.paper.plans.files import load_plans, read_plans

from .ground import empty, plans

FAULTS = [
    ("- for: batle", "E-NAME-UNKNOWN", 3, "battle"),
    ("- {for: batalla, tactic: win}", "E-NAME-UNKNOWN", 3, "`battle`"),
    ("- {for: Rückzug, towards: Wien}", "E-NAME-UNKNOWN", 3, "`retreat`"),
    ("- tactic: win", "E-PLAN-FOR", 3, "battle"),
    ("- for: battle", "E-PLAN-EMPTY", 3, ""),
    ("- {for: battle, tactic: wni}", "E-NAME-UNKNOWN", 3, "win"),
    ("- {for: battle, tactic: gewinnen}", "E-NAME-UNKNOWN", 3, "write win, win-cheaply, "),
    ("- {for: everything, tactic: win}", "E-NAME-UNKNOWN", 3, "retreat"),
    ("- {for: battle, tactc: win}", "E-FORM-KEY", 3, "tactic"),
    ("- {for: battle, play: [R]}", "E-PLAN-RESERVE", 3, "R least"),
    ("- {for: battle, play: [R9]}", "E-PLAN-RESERVE", 3, "R1 to R8"),
    ("- {for: battle, play: [♠11]}", "E-CARD-UNKNOWN", 3, ""),
    ("- {for: battle, play: [suit at least]}", "E-CARD-UNKNOWN", 3, ""),
    ("- {for: battle, tactic: win, of: [Fredrich]}", "E-NAME-UNKNOWN", 3, "Friedrich"),
    ("- {for: battle, tactic: win, at: Pragg}", "E-NAME-UNKNOWN", 3, "Prag"),
    ("- {for: battle, tactic: win, when: {score: much}}", "E-PLAN-SPAN", 3, "3 or more"),
    ("- {for: battle, tactic: win, when: {score: 5 to 2}}", "E-PLAN-SPAN", 3, "3 or more"),
    ("- {for: retreat, towards: Wien, when: {score: 2}}", "E-FORM-KEY", 3, "turn"),
    ("- {for: battle, tactic: win, until: 5/prusia}", "E-PLAN-UNTIL", 3, "prussia"),
    ("- {for: battle, tactic: win, until: soon}", "E-PLAN-UNTIL", 3, "5/prussia"),
    ("- {for: battle, tactic: win, spend: many}", "E-FORM-NUMBER", 3, ""),
    ("- {for: battle, tactic: win, stop: {ahed: 3}}", "E-FORM-KEY", 3, "ahead"),
    ("- {for: battle, tactic: win, else: retreat}", "E-NAME-UNKNOWN", 3, "ask"),
    ("- {for: retreat, towards: Wien, else: stop}", "E-PLAN-ELSE", 3, "ask"),
    ("- {for: retreat}", "E-PLAN-EMPTY", 3, "towards"),
    ("- {for: retreat, say: Wien, towards: Wien}", "E-PLAN-SAID", 3, ""),
    ("- {for: toll}", "E-PLAN-EMPTY", 3, "cheapest"),
    ("- {for: trump}", "E-PLAN-EMPTY", 3, "section"),
    ("- {for: trump, say: spads}", "E-FORM-WORD", 3, ""),
    ("- {for: move, say: []}", "E-NAME-UNKNOWN", 3, "battle"),
    ("- {for: influence, card: highest spads}", "E-NAME-UNKNOWN", 3, "spades"),
    ("- {for: attack-order}", "E-PLAN-EMPTY", 3, ""),
    ("- {for: recruit}", "E-PLAN-EMPTY", 3, "even"),
    ("- just fight", "E-FORM-MAPPING", 3, ""),
]


def refused(text: str) -> Refused:
    """Faults of a file."""
    with pytest.raises(Refused) as refusal:
        load_plans(text.encode(), "plans", empty("maria").rules)
    return refusal.value


@pytest.mark.parametrize(("line", "code", "at", "hint"), FAULTS)
def test_a_fault_has_its_place_and_a_hint(line: str, code: str, at: int, hint: str) -> None:
    (fault,) = refused(f"plans:\n  austria:\n    {line}\n").faults
    assert (fault.code, fault.line) == (code, at)
    assert fault.column > 5
    assert hint in str(fault.hint)


def test_all_faults_are_told_at_once() -> None:
    lines = "\n".join(f"    {line}" for line, *_ in FAULTS)
    told = refused(f"plans:\n  austria:\n{lines}\n")
    assert [fault.code for fault in told.faults] == [code for _, code, _, _ in FAULTS]
    assert [fault.line for fault in told.faults] == list(range(3, 3 + len(FAULTS)))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("kind: plan\n", "E-FORM-MISSING"),
        ("plans: {atlantis: []}\n", "E-NAME-UNKNOWN"),
        ("plans: {austria: [], Austria: []}\n", "E-FORM-TWICE"),
        ("plan: {austria: []}\n", "E-FORM-KEY"),
    ],
)
def test_a_file_of_plans_names_powers(text: str, code: str) -> None:
    assert code in {fault.code for fault in refused(text).faults}


def test_the_section_of_orders_is_the_same_list() -> None:
    text = "orders:\n  austria:\n    move: [Neipperg: nowhere]\n    plans:\n      - {for: battle, tactic: win}\n"
    found = load_plans(text.encode(), "orders", empty("maria").rules)
    assert [plan.kind for plan in found["austria"]] == ["battle"]
    reader = Reader("orders")
    orders = PowerOrders("austria", read_yaml(b"x: y", "orders"))
    section = SectionReader(reader, Lexicon(empty("maria").rules), "austria")
    read_plans(section, orders, read_yaml(b"- {for: battle, tactic: win}", "orders"))
    assert [plan.wish for plan in orders.sections["plans"]] == [plan.wish for plan in found["austria"]]


def test_everything_that_is_written_is_kept() -> None:
    (plan,) = plans(
        "- for: battle\n"
        "  of: Neipperg, Karl\n"
        "  against: [Friedrich]\n"
        "  at: Königgrätz\n"
        "  role: defender\n"
        "  when: {score: -5 to -1, shown: 2 or more, theirs: 7 or less, turn: 3}\n"
        "  until: 5/prussia\n"
        "  play: [♠7, R5, R to +1, suit least, any most, stop]\n"
        "  tactic: hold\n"
        "  keep: ♠10, R\n"
        "  spend: 3\n"
        "  points: 20\n"
        "  accept: 2\n"
        "  stop: {behind: 9, ahead: 4}\n"
        "  else: stop\n"
    )["austria"]
    names = [piece.name for piece in empty("maria").rules.common.pieces]
    assert [names[general] for general in plan.bound.of] == ["Neipperg", "Karl von Lothringen"]
    assert plan.bound.role == "defender"
    assert dict(plan.when) == {
        "score": Span(-5, -1), "shown": Span(2, None), "theirs": Span(None, 7), "turn": Span(3, 3),
    }  # fmt: skip
    assert (plan.standing, plan.until, plan.otherwise) == (True, PlanEnd(5, "prussia"), "stop")
    wish = plan.wish
    assert isinstance(wish, BattleWish)
    assert [(line.what, line.goal, line.score) for line in wish.play] == [
        ("card", "", 0), ("card", "", 0), ("reserve", "to", 1), ("suit", "least", 0), ("any", "most", 0),
        ("stop", "", 0),
    ]  # fmt: skip
    assert (wish.tactic, wish.spend, wish.points, wish.accept, wish.behind, wish.ahead) == ("hold", 3, 20, 2, 9, 4)
    assert [card.value for card in wish.keep] == [10, 0]


@pytest.mark.parametrize(
    ("kind", "said"),
    [("trump", "spades"), ("vote", "charles"), ("subsidy", "yes"), ("corps", "Karl"), ("hussars", "[off, off]"),
     ("relocate", "{Karl: Wien}"), ("retreat", "[[Wien]]"), ("peace", "no"), ("shift", "yes"), ("reduce", "no")],
)  # fmt: skip
def test_any_section_of_orders_may_be_said(kind: str, said: str) -> None:
    (plan,) = plans(f"- {{for: {kind}, say: {said}}}")["austria"]
    assert isinstance(plan.wish, WrittenAnswer)
    assert all(section.startswith(kind) and entries for section, entries in plan.wish.sections.items())


@pytest.mark.parametrize("kind", ["gain", "removal", "sidestep", "blockade", "advance"])
def test_friedrich_has_choices_of_its_own(kind: str) -> None:
    said = {"gain": "Daun", "removal": "Daun", "sidestep": "{Prag: stay}", "blockade": "Prag", "advance": "stay"}[kind]
    (plan,) = plans(f"- {{for: {kind}, say: {said}}}", game="friedrich")["austria"]
    assert isinstance(plan.wish, WrittenAnswer)
    with pytest.raises(Refused):
        plans("- {for: influence, card: none}", game="friedrich")


def test_plans_are_written_back_as_they_stood() -> None:
    text = (
        "- for: battle\n  play: [♠7, R to +1]\n  tactic: win-cheaply\n  standing: yes\n"
        "- {for: retreat, towards: Prag, away-from: trains}\n"
        "- {for: influence, card: [highest trump at most 6, none]}\n"
    )
    found = plans(text)["austria"]
    tree = [bare(plan.node) for plan in found]
    again = plans(yaml.safe_dump(tree, allow_unicode=True, default_style="'"))["austria"]
    assert [bare(plan.node) for plan in again] == tree
    assert [(plan.kind, plan.standing, plan.bound) for plan in again] == [
        (plan.kind, plan.standing, plan.bound) for plan in found
    ]
    assert tree[1] == {"for": "retreat", "towards": "Prag", "away-from": "trains"}
