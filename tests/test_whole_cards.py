"""Edition 1.0 executes a political card whole (§17.5); no standard card shows it, so this one is our own."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.engine.rules import IllegalOrder
from pbem.games.maria.rules.decisions import Politics
from pbem.games.maria.rules.game import apply
from pbem.games.maria.rules.politics_data import CardShift, Income, PoliticalCard
from pbem.games.maria.rules.state import Table
from pbem.paper.positions.files import load_position

BOTH = PoliticalCard(3, 1741, "Both", ("austria",), (CardShift("italy", 1),), (Income("austria", 1),))


def selecting(edition: str) -> Table:
    """Austria is about to select a card that has an instruction and an arrow."""
    text = f"""
scenario: advanced
edition: "{edition}"
turn: 2
stage: politics
phase: selecting
hands: {{austria: [♦4]}}
affairs: {{open: [3, 4], display: {{austria: [♠10]}}, order: [austria]}}
begun: yes
owing: [austria]
"""
    table = load_position(text.encode(), "position")
    cards = [BOTH if card.number == BOTH.number else card for card in table.rules.politics.cards]
    rules = replace(table.rules, politics=replace(table.rules.politics, cards=tuple(cards)))
    return Table(rules, table.state, table.dealer)


PARTS = [Politics(3, True, {}), Politics(3, False, {"italy": 1})]


@pytest.mark.parametrize("part", PARTS)
def test_edition_one_refuses_a_part(part: Politics) -> None:
    with pytest.raises(IllegalOrder) as refusal:
        apply(selecting("1.0"), "austria", part)
    assert (refusal.value.code, refusal.value.rule) == ("E-POLITICS-WHOLE", "§17.5")


@pytest.mark.parametrize("answer", [Politics(3, True, {"italy": 1}), Politics(3)])
def test_edition_one_takes_the_whole_or_nothing(answer: Politics) -> None:
    apply(selecting("1.0"), "austria", answer)


@pytest.mark.parametrize("part", PARTS)
def test_later_editions_take_a_part(part: Politics) -> None:
    apply(selecting("2.1"), "austria", part)
