"""Standing plans for what is chosen besides cards in combat, in both games: they answer, and nobody sees which."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.campaign.disk.atomic import DISK
from pbem.campaign.players.letters import sealed_part
from pbem.engine.decisions import Allotment, Answer, Recruitment, RetreatAlong
from pbem.games.friedrich.rules.decisions import CardsBack, GivenCard
from pbem.games.maria.rules.decisions import Influence, NameTrump, PayToll, Politics, Votes
from pbem.seal.canonical import Tree
from tests.campaign.simulated import BEGIN, SimulatedTable, codes
from tests.campaign.test_leaks import assert_alike
from tests.plans.test_other_choices import PLACING, SELECTING, TOLL, WINTER
from tests.protocol.archives import powers_of

RETREAT = """
scenario: introductory
turn: 2
stage: austria
phase: combat
begun: yes
pieces: {Neipperg: "Königgrätz, 4", Friedrich: "Trautenau, 3", prussia train 1: Breslau, saxony train 1: off}
retreat: {start: Trautenau, length: 3, winner: austria, from city: Königgrätz}
"""

TRUMP = """
scenario: advanced
turn: 2
stage: politics
phase: trump
begun: yes
owing: [austria]
affairs: {victor: maria-theresa}
"""

ELECTION = """
scenario: advanced
turn: 2
stage: election
begun: yes
owing: [austria]
affairs: {election: yes}
"""

OFFENSIVE = """
game: friedrich
expert: yes
turn: 3
stage: prussia
phase: cards
draw: [♠12, ♥10, ♦4, ♣2, ♣3, ♣4, ♣5]
"""

ASIDE = """
game: friedrich
scenario: four
turn: 3
stage: france
phase: cards
hands: {france: [♠2, R]}
draw: [♣9, ♥3, ♦4, ♥12, ♠2, ♥5, ♣2, ♣3]
"""

LEVY = """
game: friedrich
turn: 2
stage: prussia
phase: recruiting
begun: yes
owing: [prussia]
pieces: {Friedrich: "Oschatz, 2"}
hands: {prussia: [♠5, ♠4, ♥9, ♥2, ♣5]}
"""


class Choice(NamedTuple):
    """A position in which a player has to choose, and two plans that choose otherwise."""

    position: str
    player: str
    power: str
    plans: tuple[dict[str, Tree], dict[str, Tree]]
    answer: type[Answer]


CHOICES = {
    "retreat": Choice(
        RETREAT, "maria-theresa", "austria",
        ({"for": "retreat", "towards": "Breslau"}, {"for": "retreat", "away-from": "Breslau"}), RetreatAlong,
    ),
    "toll": Choice(
        TOLL, "frederick", "prussia",
        ({"for": "toll", "pay": "cheapest"}, {"for": "toll", "pay": "highest"}), PayToll,
    ),
    "influence": Choice(
        PLACING, "frederick", "prussia",
        ({"for": "influence", "card": "lowest trump"}, {"for": "influence", "card": ["highest ♥", "none"]}), Influence,
    ),
    "politics": Choice(
        SELECTING, "maria-theresa", "austria",
        ({"for": "politics", "select": ["conserve"]}, {"for": "politics", "select": [{"card": "4"}]}), Politics,
    ),
    "trump": Choice(
        TRUMP, "maria-theresa", "austria", ({"for": "trump", "say": "♠"}, {"for": "trump", "say": "♥"}), NameTrump,
    ),
    "vote": Choice(
        ELECTION, "maria-theresa", "austria",
        ({"for": "vote", "say": "francis"}, {"for": "vote", "say": "charles"}), Votes,
    ),
    "winter": Choice(
        WINTER, "frederick", "prussia",
        ({"for": "recruit", "give": "even", "troops": "2"}, {"for": "recruit", "give": ["Schwerin"], "keep": ["R"]}),
        Recruitment,
    ),
    "offensive": Choice(
        OFFENSIVE, "frederick", "prussia",
        ({"for": "offensive", "card": "highest ♠"}, {"for": "offensive", "card": "none"}), GivenCard,
    ),
    "set aside": Choice(
        ASIDE, "pompadour", "france",
        ({"for": "set aside", "card": "lowest card"}, {"for": "set aside", "card": "highest card"}), CardsBack,
    ),
    "levy": Choice(
        LEVY, "frederick", "prussia",
        ({"for": "recruit", "give": "even", "troops": "1"}, {"for": "recruit", "give": "even", "keep-points": "20"}),
        Recruitment,
    ),
}  # fmt: skip


def begun(root: Path, position: str) -> SimulatedTable:
    """A campaign that begins with a choice."""
    terms = dict(re.findall(r"(?m)^(game|scenario|expert): (.*)$", position))
    return SimulatedTable(root, 1, None, DISK, None, position, BEGIN, **terms).begun()


def planned(table: SimulatedTable, choice: Choice, plan: dict[str, Tree]) -> None:
    """A sealed letter with one standing plan comes in, and answers."""
    orders: dict[str, Tree] = {choice.power: {"plans": [{**plan, "standing": "yes"}]}}
    part = sealed_part(table.occasion(choice.player), "plans", orders)
    text = table.other_letter(choice.player, "plan", {"sealed": {"plans": table.boxed(part)}})
    with table.open() as campaign:
        campaign.keep_raw(text.encode())
        campaign.save()
    receipt = table.send(text)
    assert (receipt.status, codes(receipt)) == ("final", [])


@pytest.mark.parametrize("name", CHOICES)
def test_plans_choose_and_before_they_do_nobody_can_tell_one_from_another(tmp_path: Path, name: str) -> None:
    choice = CHOICES[name]
    one = begun(tmp_path / "one", choice.position)
    other = one.copied(tmp_path / "other")
    for table, plan in zip((one, other), choice.plans, strict=True):
        planned(table, choice, plan)
    assert_alike(one, other, choice.player)
    made = []
    for table in (one, other):
        done = table.carried_out()
        made.append(next(each.answer for each in done.outcome.answers if isinstance(each.answer, choice.answer)))
        assert {each.by for each in done.outcome.answers if each.power == choice.power} == {"orders"}
        table.close("far enough")
        table.assert_verified()
    assert made[0] != made[1]


def allotting(table: SimulatedTable, player: str, give: Tree) -> None:
    """A player's sealed plan for the set-up comes in, and answers."""
    orders: dict[str, Tree] = {
        power: {"plans": [{"for": "allot", "give": give if power == "prussia" else "even"}]}
        for power in powers_of(table, player)
    }
    part = sealed_part(table.occasion(player), "plans", orders)
    receipt = table.send(table.other_letter(player, "plan", {"sealed": {"plans": table.boxed(part)}}))
    assert (receipt.status, codes(receipt)) == ("final", [])


def test_troops_are_allotted_by_plans_that_differ_and_nobody_sees_it_afterwards_either(tmp_path: Path) -> None:
    one = SimulatedTable(tmp_path / "one", scenario="introductory").begun()
    for player in ("louis", "maria-theresa"):
        allotting(one, player, "even")
    other = one.copied(tmp_path / "other")
    for table, general in ((one, "Schwerin"), (other, "Leopold")):
        allotting(table, "frederick", [general])
    assert_alike(one, other, "frederick")
    allotted = []
    for table in (one, other):
        done = table.carried_out()
        assert {each.by for each in done.outcome.answers} == {"orders"}
        allotted.append([each.answer for each in done.outcome.answers if isinstance(each.answer, Allotment)])
    assert allotted[0] != allotted[1]
    assert_alike(one, other, "frederick")
