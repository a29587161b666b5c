"""The tactical cards phase: income, and the subsidy from France to Bavaria (§8)."""

from __future__ import annotations

from pbem.engine.conquest import held_by_enemy
from pbem.engine.decisions import GiveSubsidy, Subsidy
from pbem.engine.events import Event, IncomeLost, SubsidyDecided

from .table import Table, draw_cards


def begin(table: Table) -> list[Event]:
    """Draw cards at once, or wait for the giver of the subsidy to decide."""
    subsidy = table.rules.game.subsidy
    active = table.rules.active(table.state.stage)
    if subsidy.giver not in active:
        return [event for power in active for event in draw_income(table, power, 0)]
    if table.state.turn <= subsidy.fixed_turns:
        return draw_with_subsidy(table, given=True)
    if cut_off_from_income(table, subsidy.receiver):
        return draw_with_subsidy(table, given=False)
    table.state.owing = [subsidy.giver]
    return []


def decision(table: Table, power: str) -> Subsidy:
    """The choice of the giver."""
    return Subsidy(power, table.rules.game.subsidy.receiver)


def decide(table: Table, decision: Subsidy, answer: GiveSubsidy) -> list[Event]:
    """Draw cards with or without the subsidy."""
    table.state.owing = []
    return [SubsidyDecided(decision.power, decision.receiver, answer.give), *draw_with_subsidy(table, answer.give)]


def draw_with_subsidy(table: Table, given: bool) -> list[Event]:
    """The income of a stage in which a subsidy may pass: one power gives of its income, the other receives (§8)."""
    subsidy = table.rules.game.subsidy
    events: list[Event] = []
    for power in table.rules.active(table.state.stage):
        passing = {subsidy.giver: -subsidy.cards, subsidy.receiver: subsidy.cards}.get(power, 0)
        events += draw_income(table, power, passing if given else 0)
    return events


def draw_income(table: Table, power: str, extra: int) -> list[Event]:
    """A power's cards of this turn; a minor power without its major fortress gets none, not even subsidies (§8)."""
    rules = table.rules
    if cut_off_from_income(table, power):
        return [IncomeLost(power)]
    income = rules.game.powers[power].income + rules.scenario.income.get(power, 0)
    return draw_cards(table, power, income + extra)


def cut_off_from_income(table: Table, power: str) -> bool:
    """Whether the power is minor and an enemy controls its major fortress."""
    rules, field = table.rules, table.state.field
    if rules.game.powers[power].major:
        return False
    lands = [land for land, home in field.alliances.home.items() if home == power]
    return any(
        held_by_enemy(rules.common, field, city, power)
        for city in rules.common.board.fortresses
        if rules.common.board.cities[city].fortress == "major" and rules.common.board.land[city] in lands
    )
