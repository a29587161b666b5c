"""Plans for all that is not combat: attacks, toll, influence, political cards, troops, cards set aside, things said."""

from __future__ import annotations

import pytest

from pbem.engine.decisions import Allot, Allotment, Fight, Recruitment
from pbem.games.friedrich.rules.decisions import CardsBack
from pbem.games.maria.rules.decisions import Influence, NameTrump, PayToll, Politics, Votes
from pbem.paper.lexicon import card_text
from pbem.paper.orders.trial import decisions

from .test_retreats import answers, planned

ATTACKS = """
turn: 2
stage: prussia
phase: combat
pieces:
  {Friedrich: "Trautenau, 6", Schwerin: "Dresden, 4", Rutowski: off, Neipperg: "Königgrätz, 1", Traun: "Pirna, 6"}
"""

TOLL = """
turn: 2
stage: prussia
phase: supply
begun: yes
owing: [prussia]
hands: {prussia: [♠2, ♥3, ♦4, ♣9, R]}
pieces: {Friedrich: "Trautenau, 6", prussia train 1: Liegnitz}
hussars: [Jauer, off]
tolls: {prussia: {Friedrich: [Landeshut, Jauer, Liegnitz]}}
"""

PLACING = """
scenario: advanced
turn: 2
stage: politics
phase: placing
begun: yes
owing: [prussia]
hands: {prussia: [♠2, ♠6, ♠9, ♥3, ♣9, R]}
affairs: {trump: spades}
"""

SELECTING = """
scenario: advanced
turn: 2
stage: politics
phase: selecting
begun: yes
owing: [austria]
affairs: {trump: spades, order: [austria], display: {austria: [♠5]}, open: [1, 4]}
"""

WINTER = """
turn: 3
stage: winter-prussia
phase: recruiting
begun: yes
owing: [prussia]
hands: {prussia: [♠2, ♥3, ♦4, ♣9, ♥9, R]}
pieces: {Friedrich: "Breslau, 6", Schwerin: "Berlin, 3", Leopold: off}
"""


def cards(numbers: tuple[int, ...]) -> list[str]:
    """Cards as people write them."""
    return [card_text(number) for number in numbers]


@pytest.mark.parametrize(
    ("wish", "by"),
    [("by: strongest", "Friedrich"), ("by: weakest", "Schwerin"), ("order: [Schwerin > Traun]", "Schwerin"),
     ("order: [Karl > Friedrich, Friedrich > Neipperg]", "Friedrich")],
)  # fmt: skip
def test_the_order_of_attacks(wish: str, by: str) -> None:
    table, found, _ = answers(ATTACKS, f"- {{for: attack-order, {wish}}}", "prussia")
    (answer,) = found
    assert isinstance(answer, Fight)
    piece = next(number for number, piece in enumerate(table.rules.common.pieces) if piece.name.startswith(by))
    assert answer.battle.attacker == table.state.field.pieces[piece].city


def test_attacks_that_are_not_due_leave_the_order_to_the_player() -> None:
    _, found, why = answers(ATTACKS, "- {for: attack-order, order: [Karl > Friedrich]}", "prussia")
    assert (found, why) == ([], ["W-PLAN-NONE"])


@pytest.mark.parametrize(
    ("wish", "paid"),
    [("pay: cheapest", ["♥3"]), ("pay: highest", ["♣9"]), ("pay: cheapest, keep: [♥3]", ["♦4"]),
     ("pay: cheapest, keep: [♥3, ♦4]", ["R"])],
)  # fmt: skip
def test_the_toll(wish: str, paid: list[str]) -> None:
    _, found, why = answers(TOLL, f"- {{for: toll, {wish}}}", "prussia")
    assert why == []
    (answer,) = found
    assert isinstance(answer, PayToll)
    assert cards(answer.cards) == paid


def test_who_can_pay_must() -> None:
    _, found, why = answers(TOLL, "- {for: toll, pay: never}", "prussia")
    assert (found, why) == ([], ["W-PLAN-ILLEGAL"])


@pytest.mark.parametrize(
    ("wish", "placed"),
    [("highest trump at most 6", "♠6"), ("highest trump", "♠9"), ("lowest trump at least 3", "♠6"),
     ("lowest other", "♥3"), ("highest ♣", "♣9"), ("highest card at most 5", "♥3"), ("[♦7, ♠2]", "♠2"), ("R", "R"),
     ("none", None), ("[highest ♦, none]", None)],
)  # fmt: skip
def test_influence(wish: str, placed: str | None) -> None:
    _, found, _ = answers(PLACING, f"- {{for: influence, card: {wish}}}", "prussia")
    (answer,) = found
    assert isinstance(answer, Influence)
    assert (None if answer.card is None else card_text(answer.card)) == placed


LEADING = PLACING.replace("spades}", "spades, open: [1, 4], display: {austria: [♠5], prussia: [♠3], pragmatic: [♠9]}}")


@pytest.mark.parametrize(
    ("wish", "placed"),
    [("card: lowest leading", "♠6"), ("card: [lowest leading at least 7, none]", "♠9"),
     ("card: [highest leading at most 5, none]", None), ("among: [4, 10], card: lowest leading", "♠6"),
     ("among: [8, 10], card: lowest leading", None)],
)  # fmt: skip
def test_influence_to_lead_for_cards_that_lie_open(wish: str, placed: str | None) -> None:
    """Austria's 5 are to be beaten with 3 on the display; the Pragmatic Army is the same player's."""
    _, found, _ = answers(LEADING, f"- {{for: influence, {wish}}}", "prussia")
    assert found == [Influence(None if placed is None else found[0].card)]
    assert (None if placed is None else card_text(found[0].card)) == placed


def test_influence_that_cannot_be_had() -> None:
    plan = "- {for: influence, card: highest trump, keep: [♠2, ♠6, ♠9]}"
    assert answers(PLACING, plan, "prussia")[1:] == ([], ["W-PLAN-NONE"])
    assert answers(PLACING, plan[:-1] + ", else: stop}", "prussia")[1] == [Influence(None)]


@pytest.mark.parametrize(
    ("wish", "chosen"),
    [("conserve", Politics(None)), ("[{card: 9}, {card: 1}]", Politics(1)),
     ("[{card: 1, shifts: {russia: 1}}, {card: 4, shifts: {italy: -1}}]", Politics(4, shifts={"italy": -1})),
     ("[{card: 1, instruction: yes}, conserve]", Politics(None))],
)  # fmt: skip
def test_the_first_political_card_that_may_be_selected(wish: str, chosen: Politics) -> None:
    assert answers(SELECTING, f"- {{for: politics, select: {wish}}}", "austria")[1] == [chosen]


def test_troops_for_the_first_turn() -> None:
    for give in ("even", "[Schwerin, Friedrich]"):
        table, found, _ = answers("seed: x", f"- {{for: allot, give: {give}}}", "prussia")
        (answer,) = found
        decision = next(decision for decision in decisions(table) if decision.power == "prussia")
        assert isinstance(answer, Allotment)
        assert isinstance(decision, Allot)
        assert sum(answer.troops.values()) == decision.troops
        by_name = {table.rules.common.pieces[general].name: troops for general, troops in answer.troops.items()}
        if give == "even":
            assert max(by_name.values()) - min(by_name.values()) <= 1
        else:
            assert by_name["Schwerin"] == decision.most > by_name["Friedrich der Große"]


@pytest.mark.parametrize(
    ("wish", "troops", "paid"),
    [
        ("give: even", {"Schwerin": 4}, None),
        ("give: [Schwerin]", {"Schwerin": 5}, None),
        ("give: [Schwerin], troops: 1", {"Schwerin": 1}, 4),
        ("give: [Schwerin], troops: 1, keep: [♦4]", {"Schwerin": 1}, 5),
        ("give: [Friedrich, Schwerin], keep-points: 23", {"Friedrich der Große": 2, "Schwerin": 1}, 12),
        ("give: [Friedrich], keep-points: 99", {}, 0),
        ("give: [Schwerin], troops: 2", {"Schwerin": 2}, 8),
        ("give: [Schwerin], troops: 2, pay: spare", {"Schwerin": 2}, 9),
        ("give: [Schwerin], troops: 2, pay: spare, keep: [♣9]", {"Schwerin": 2}, 9),
    ],
)
def test_recruits(wish: str, troops: dict[str, int], paid: int | None) -> None:
    table, found, why = answers(WINTER, f"- {{for: recruit, {wish}}}", "prussia")
    (answer,) = found
    assert isinstance(answer, Recruitment)
    names = {table.rules.common.pieces[general].name: count for general, count in answer.troops.items()}
    if paid is not None:
        assert names == troops
        assert sum(8 if card_text(card) == "R" else int(card_text(card)[1:]) for card in answer.cards) == paid
    assert set(names) >= set(troops)
    assert why == []


def test_recruits_that_cannot_be_had_may_be_none() -> None:
    plan = "- {for: recruit, say: {pay: [♠9], troops: {Schwerin: 1}}}"
    assert answers(WINTER, plan, "prussia")[1:] == ([], ["W-PLAN-ILLEGAL"])
    assert answers(WINTER, plan[:-1] + ", else: stop}", "prussia")[1:] == ([Recruitment()], [])


def test_a_general_comes_back_where_it_is_wished() -> None:
    _, found, _ = answers(WINTER, "- {for: recruit, give: [Leopold], troops: 2}", "prussia")
    assert found == [Recruitment()]
    plan = "- {for: recruit, give: [Leopold], troops: 2, enter: {Leopold: [Breslau, Berlin, Magdeburg]}}"
    table, found, _ = answers(WINTER, plan, "prussia")
    (answer,) = found
    assert isinstance(answer, Recruitment)
    ((general, city),) = answer.entries.items()
    assert answer.troops == {general: 2}
    assert table.rules.common.board.cities[city].name == "Berlin"


@pytest.mark.parametrize(
    ("wish", "absent"),
    [
        ("give: [Leopold], troops: 3, enter: {Leopold: [Berlin]}", ""),
        ("give: even, enter: {Leopold: [Berlin]}, keep-points: 99", "Erbprinz Leopold"),
        ("give: even, enter: {Leopold: [Breslau]}", "Erbprinz Leopold"),
        ("give: even, enter: all", "Erbprinz Leopold"),
        ("give: even, enter: all, keep-points: 99", "Erbprinz Leopold"),
        ("give: even", ""),
        ("say: {}", ""),
    ],
)
def test_a_plan_tells_which_general_does_not_come_back(wish: str, absent: str) -> None:
    _, source, decision = planned(WINTER, f"- {{for: recruit, {wish}}}", "prussia")
    given = source.answer(decision)
    assert given is not None
    told = [warning.sentence("en") for warning in given.warnings]
    assert told == ([f"W-PLAN-AWAY not back on the map by this plan: {absent}"] if absent else [])


SAID = [
    ("scenario: advanced\nturn: 2\nstage: politics\nphase: trump\nbegun: yes\nowing: [austria]\n"
     "affairs: {victor: maria-theresa}",
     "for: trump, say: ♠", NameTrump(3)),
    ("scenario: advanced\nturn: 2\nstage: election\nbegun: yes\nowing: [austria]\naffairs: {election: yes}",
     "for: vote, say: francis", Votes(0)),
]  # fmt: skip


@pytest.mark.parametrize(("position", "plan", "answer"), SAID)
def test_things_said(position: str, plan: str, answer: object) -> None:
    _, found, why = answers(position, f"- {{{plan}}}", "austria")
    assert (found, why) == ([answer], [])


@pytest.mark.parametrize(("wish", "aside"), [("lowest card", "♥3"), ("[♦7, highest ♣]", "♣9"), ("highest card", "♥12")])
def test_cards_that_friedrich_sets_aside(wish: str, aside: str) -> None:
    position = (
        "scenario: four\nturn: 3\nstage: france\nphase: cards\nhands: {france: [♠2, R]}\n"
        "draw: [♣9, ♥3, ♦4, ♥12, ♠2, ♥5, ♣2, ♣3]\n"
    )
    _, found, why = answers(position, f"- {{for: set aside, card: {wish}}}", "france", "friedrich")
    assert why == []
    (answer,) = found
    assert isinstance(answer, CardsBack)
    assert cards(answer.cards) == [aside]
