"""Strengths of enemies in letters and checks: all that declarations and totals tell for sure, and nothing untrue."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings
from pbem.engine.memory import Declaration, Memory, map_state_of
from pbem.engine.table import powers_of_player
from pbem.paper.lexicon import Lexicon
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import run_known
from pbem.player.tables import Outcome
from pbem.player.trying import outcome_data
from pbem.report.consequences import Prospects
from pbem.report.language.templates import languages
from pbem.report.letters.dangers import dangers_of
from pbem.report.letters.sheet import sheet_texts
from tests.campaign.simulated import SimulatedTable
from tests.notebooks import played, reporter
from tests.report.test_sheet_examples import BESIDE


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Briefing:
    """The news of Prussia, whose general stands beside Browne."""
    root = tmp_path_factory.mktemp("strengths") / "campaign"
    with SimulatedTable(root, game="friedrich", position=BESIDE).begun().open() as campaign:
        return briefings(campaign)["frederick"]


def stated(told: Briefing, **troops: int) -> Briefing:
    """The same news to who remembers that these generals declared so many troops."""
    rules = told.table_in_play.rules
    said = [Declaration((Lexicon(rules).piece(name),), number) for name, number in troops.items()]
    return replace(told, memory=Memory(map_state_of(told.table_in_play.state.field), said))


TROOPS = {"en": "troops", "de": "Truppen", "es": "tropas", "it": "truppe"}


@pytest.mark.parametrize("language", languages())
def test_a_strength_that_was_declared_is_told_again(told: Briefing, language: str) -> None:
    for briefing, strength in ((told, "1–5"), (stated(told, Browne=5), "5")):
        for sheet in sheet_texts(briefing, language)[:2]:
            words = " ".join(sheet.replace("#", " ").split())
            assert f"Browne ({strength} {TROOPS[language]}, ♥)" in words, words
        stacks = {each.stack for threat in dangers_of(briefing).pieces for each in threat.comers}
        names = Lexicon(briefing.table_in_play.rules)
        (browne,) = (each for each in stacks if names.piece("Browne") in each.generals)
        # Of dangers, the largest number has troops that Austria can recruit before the battle.
        assert browne.least == (5 if strength == "5" else 1)
        assert browne.most == 8


def test_check_and_trial_tell_it_too_until_it_changes(told: Briefing) -> None:
    table, memory = told.table_in_play, stated(told, Browne=5).memory
    trial = run_known(table, load_orders(b"orders: {prussia: {move: []}}", "orders", table.rules))
    outcome = Outcome(table, table, [], told.powers, memory=memory)
    outcome.add(trial, told.powers)
    assert "'least': 5, 'most': 5" in str(outcome_data(outcome))
    assert "'least': 5" not in str(outcome_data(Outcome(table, trial.table, [], told.powers, {*told.powers})))


def test_the_rest_of_a_power_follows_from_its_total(told: Briefing) -> None:
    table = told.table_in_play
    common, pieces = table.rules.common, table.state.field.pieces
    *others, last = (general for general in common.generals("austria") if pieces[general].city >= 0)
    said = [Declaration((general,), pieces[general].troops) for general in others]
    assert others
    assert Prospects(table, told.powers, told.powers).strength([last]) != (pieces[last].troops,) * 2
    assert Prospects(table, told.powers, told.powers, said).strength([last]) == (pieces[last].troops,) * 2


@pytest.mark.parametrize(
    ("terms", "seat"),
    [
        ({"game": "maria", "scenario": "advanced"}, "maria-theresa"),
        ({"game": "friedrich", "scenario": "four", "expert": "yes"}, "frederick"),
    ],
    ids=["maria", "friedrich"],
)
def test_every_stack_has_as_many_troops_as_is_said_to_be_sure(terms: dict[str, str], seat: str) -> None:
    who = reporter(terms, seat, "strengths")
    sure = 0
    for number, table in enumerate(played(who, "sensible", "strengths", 700)):
        if number % 5 or table.state.phase == "allotment":
            continue
        readers = powers_of_player(table, seat)
        prospects = Prospects(table, readers, readers, who.memory.declared)
        for city in prospects.foes:
            stack = prospects.stack(city)
            troops = sum(table.state.field.pieces[general].troops for general in stack.generals)
            assert stack.least <= troops <= stack.most, stack
            sure += stack.least == stack.most and stack.most < 8 * len(stack.generals)
    assert sure
