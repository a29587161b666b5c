"""Tactical cards phase: income, and the subsidy from France to Bavaria (§8)."""

from __future__ import annotations

from pbem.engine.conquest import against, control_of
from pbem.engine.events import Event, IncomeLost
from pbem.engine.field import home_of
from pbem.engine.nouns import Power
from pbem.games.maria.rules.contracts import lapse, pay_out
from pbem.games.maria.rules.decisions import GiveSubsidy, Subsidy
from pbem.games.maria.rules.defection import facts as defection_facts
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.effects import income_change
from pbem.games.maria.rules.events import SubsidyDecided
from pbem.games.maria.rules.gambit import lay_aside, to_lay_aside
from pbem.games.maria.rules.table import Table, active, affairs_of, draw_cards


def begin(table: Table) -> list[Event]:
    """Draw cards at once, or wait for the decision of the subsidy's giver."""
    if table.state.affairs is not None:
        return draw_by_contracts(table)
    subsidy = table.rules.game.subsidy
    acting = active(table)
    if subsidy.giver not in acting:
        return [event for power in acting for event in draw_income(table, power, 0)]
    if table.state.turn <= subsidy.fixed_turns:
        # Even if Bavaria is cut off: the subsidy is fixed, so France gives and nobody gets it (docs/rulings.md, §8).
        return draw_with_subsidy(table, given=True)
    if cut_off_from_income(table, subsidy.receiver):
        # France is not asked: nobody would give a card that cannot be received (docs/rulings.md, §8).
        return draw_with_subsidy(table, given=False)
    table.state.owing = [subsidy.giver]
    return []


def draw_by_contracts(table: Table) -> list[Event]:
    """Draw the income of the advanced game: tracks and cards change it, contracts pass some on (§17.5, §20)."""
    affairs = affairs_of(table)
    events: list[Event] = lapse(table)
    cut_off = [power for power in table.rules.powers if cut_off_from_income(table, power)]
    for power in active(table):
        # Saxony can come to act in a later stage of the turn in which it has drawn (§19.3).
        if power in affairs.drawn:
            continue
        affairs.drawn.append(power)
        if power in cut_off:
            events.append(IncomeLost(power))
            continue
        income, paid = pay_out(table, power, income_of(table, power), cut_off)
        events += [*paid, *draw_cards(table, power, income)]
    return events


def income_of(table: Table, power: Power) -> int:
    """Cards that a power draws now, before subsidies."""
    rules = table.rules
    base = rules.game.powers[power].income + rules.scenario.income.get(power, 0)
    if table.state.affairs is None:
        return base
    if power == defection_facts(table).power:
        return rules.edition.ally_income if status(table) == "austrian ally" else base
    return max(0, base + income_change(table, power))


def decision(table: Table, power: Power) -> Subsidy:
    return Subsidy(power, table.rules.game.subsidy.receiver)


def decide(table: Table, decision: Subsidy, answer: GiveSubsidy) -> list[Event]:
    """Draw cards with or without the subsidy."""
    table.state.owing = []
    return [SubsidyDecided(decision.power, decision.receiver, answer.give), *draw_with_subsidy(table, answer.give)]


def draw_with_subsidy(table: Table, given: bool) -> list[Event]:
    """Draw the income of a stage in which one power may give a subsidy to another (§8)."""
    subsidy = table.rules.game.subsidy
    events: list[Event] = []
    for power in active(table):
        passing = {subsidy.giver: -subsidy.cards, subsidy.receiver: subsidy.cards}.get(power, 0)
        events += draw_income(table, power, passing if given else 0)
    return events


def draw_income(table: Table, power: Power, extra: int) -> list[Event]:
    """Draw a power's cards of this turn. A minor power without its major fortress gets none, no subsidy either (§8)."""
    if cut_off_from_income(table, power):
        return [IncomeLost(power)]
    income = income_of(table, power) + extra
    aside = min(income, to_lay_aside(table, power))
    events = draw_cards(table, power, income - aside)
    return [*events, *lay_aside(table, power, aside)] if aside else events


def cut_off_from_income(table: Table, power: Power) -> bool:
    """True if the power is minor and an enemy controls its major fortress."""
    if table.rules.game.powers[power].major:
        return False
    control = control_of(table.rules.common, table.state.field)
    return control.once(("cut off", power), has_lost_its_own, table, power)


def has_lost_its_own(table: Table, power: Power) -> bool:
    """True if an enemy controls a major fortress in the power's home country."""
    rules, field = table.rules.common, table.state.field
    lost = against(rules, field, power).fortresses
    return any(city in lost and home_of(rules, field, city) == power for city in rules.board.major_fortresses)
