"""A position saved at any moment of any variant reads back to exactly the same position."""

from __future__ import annotations

from random import Random

import pytest

from pbem.bots.plain import choose
from pbem.engine.cards import SeededDealer
from pbem.engine.table import digest
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import AllowStacking, MakeAgreement, OfferSubsidy
from pbem.games.maria.rules.game import apply, decisions, start
from pbem.games.maria.rules.state import Table
from pbem.paper.library import load_rules
from pbem.paper.positions.files import load_position, write_position

VARIANTS = [
    Terms(),
    Terms(players=2, edition="1.0"),
    Terms(scenario="advanced"),
    Terms(scenario="advanced", players=2, placing="simultaneous"),
    Terms(scenario="advanced", edition="1.0"),
    Terms(scenario="advanced", edition="2.0", bluffing=True),
    Terms(scenario="silesia-gambit"),
    Terms(scenario="advanced", rulings=(("ally_income", "1"), ("italy_marker", "on star"), ("unpaid", "keep"))),
]


def check(table: Table) -> None:
    """Save, load, compare."""
    text = write_position(table)
    loaded = load_position(text.encode(), "saved")
    assert digest(loaded.state) == digest(table.state), text
    assert write_position(loaded) == text


@pytest.mark.parametrize("terms", VARIANTS, ids=str)
@pytest.mark.parametrize("seed", [0, 1])
def test_saved_positions_read_back(terms: Terms, seed: int) -> None:
    chance = Random(seed)
    table, _ = start(load_rules(terms), SeededDealer(str(seed)))
    count = 0
    while table.state.phase != "over":
        count += 1
        if count % 19 == 0 or (table.state.tasks and count % 2):
            check(table)
        decision = chance.choice(decisions(table))
        apply(table, decision.power, choose(table, decision, chance))
    check(table)


def test_what_powers_settle_is_saved_too() -> None:
    table, _ = start(load_rules(Terms(scenario="advanced")), SeededDealer("settled"))
    apply(table, "austria", AllowStacking(True))
    apply(table, "pragmatic", OfferSubsidy("pragmatic", "austria", 2))
    apply(table, "france", OfferSubsidy("prussia", "france", 3))
    apply(table, "france", MakeAgreement(("france", "austria"), "No attack on Linz this year."))
    check(table)


def test_leave_to_stack_is_saved_in_the_introductory_game() -> None:
    table, _ = start(load_rules(Terms()), SeededDealer("stacking"))
    apply(table, "austria", AllowStacking(True))
    check(table)
