"""Income, and agreements that powers may make at any time: subsidies, permission to stack, other agreements (§8, §10.1,
§20, §21)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.engine.conquest import control_of, opponents_of
from pbem.engine.events import Event, IncomeLost
from pbem.engine.field import home_of
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import player_of
from pbem.faults.wrong import wrong
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules import events as e
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.defection import facts as defection_facts
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.gambit import count_to_lay_aside, lay_aside
from pbem.games.maria.rules.state import (
    Affairs,
    Agreement,
    Cancellation,
    Contract,
    Table,
    active,
    affairs_of,
    draw_cards,
)
from pbem.games.maria.rules.winter import income_change


def contract_between(table: Table, giver: Power, receiver: Power) -> Contract | None:
    """Return the contract between two powers, whichever of them gives; None if there is none."""
    contracts = affairs_of(table).contracts
    return next((c for c in contracts if {c.giver, c.receiver} == {giver, receiver}), None)


def may_contract(table: Table, giver: Power, receiver: Power) -> bool:
    """True if these powers may make a contract: the giver is a major power, and the receiver is its ally (§20). For
    some numbers of players the receiver must be a minor power (§24)."""
    rules, powers = table.rules, table.rules.game.powers
    if giver == receiver or not powers[giver].major or not are_friends(table, giver, receiver):
        return False
    only_minors = rules.scenario.players[rules.terms.players].subsidies_to_minors_only
    return not (only_minors and powers[receiver].major)


def are_friends(table: Table, first: Power, second: Power) -> bool:
    """True if two powers count as allies for contracts. The power that has annexed Silesia keeps its allies while it is
    neutral, unless a ruling says otherwise (§19.1, §19.4)."""
    side = dict(table.state.field.alliances.side)
    annexer = table.rules.game.advanced.annexation.by
    if not side[annexer] and table.rules.edition.neutral_contracts == "stand":
        side[annexer] = table.rules.game.powers[annexer].side
    return side[first] == side[second] and bool(side[first])


def offer(table: Table, power: Power, answer: d.OfferSubsidy) -> list[Event]:
    """Offer a contract, or accept an offer (§20). Between powers of one player the contract is made at once. Raises
    `IllegalOrder` for a contract that is forbidden or was not offered."""
    affairs = affairs_of(table)
    giver, receiver = answer.giver, answer.receiver
    other = receiver if power == giver else giver
    if power not in (giver, receiver) or giver not in table.rules.powers or receiver not in table.rules.powers:
        raise IllegalOrder(wrong("E-SUBSIDY-POWER", power=power), where=("receiver",))
    if not may_contract(table, giver, receiver):
        raise IllegalOrder(wrong("E-SUBSIDY-ALLY", giver=giver, receiver=receiver), where=("receiver",))
    if not 1 <= answer.turns <= table.rules.scenario.turns:
        raise IllegalOrder(wrong("E-SUBSIDY-TURNS"), where=("turns",))
    if contract_between(table, giver, receiver):
        raise IllegalOrder(wrong("E-SUBSIDY-PAIR", giver=giver, receiver=receiver))
    same = Contract(giver, receiver, answer.turns)
    waiting = next((c for c in affairs.offers if (c.giver, c.receiver) == (giver, receiver)), None)
    if player_of(table, power) == player_of(table, other):
        return conclude(affairs, same)
    if answer.accept:
        if waiting is None or waiting.turns != answer.turns or offering_power(waiting) == power:
            raise IllegalOrder(wrong("E-SUBSIDY-OFFER", power=power))
        return conclude(affairs, same)
    same.by = power
    affairs.offers = [*(c for c in affairs.offers if c is not waiting), same]
    return [e.SubsidyOffered(giver, receiver, answer.turns)]


def offering_power(contract: Contract) -> str:
    """Return the power that has offered a contract. If the contract names none, return the giver."""
    return contract.by or contract.giver


def conclude(affairs: Affairs, contract: Contract) -> list[Event]:
    """Make a contract. Drop all offers, and all wishes to cancel a contract, between the two powers of the contract."""
    pair = {contract.giver, contract.receiver}
    affairs.offers = [c for c in affairs.offers if {c.giver, c.receiver} != pair]
    affairs.cancelling = wishes_without(affairs, pair)
    affairs.contracts.append(contract)
    return [e.SubsidyAgreed(contract.giver, contract.receiver, contract.turns)]


def cancel(table: Table, power: Power, answer: d.CancelSubsidy) -> list[Event]:
    """Cancel a contract if both powers wish it or one player has both. If not, note the wish of this power. Raises
    `IllegalOrder` if there is no contract, and for the contract of the game's start (§20)."""
    affairs = affairs_of(table)
    contract = contract_between(table, power, answer.partner)
    if contract is None:
        raise IllegalOrder(wrong("E-SUBSIDY-NONE", power=power, partner=answer.partner), where=("partner",))
    if contract.fixed:
        raise IllegalOrder(wrong("E-SUBSIDY-FIXED"), where=("partner",))
    same_player = player_of(table, power) == player_of(table, answer.partner)
    if str(Cancellation(answer.partner, power)) not in affairs.cancelling and not same_player:
        affairs.cancelling = sorted({*affairs.cancelling, str(Cancellation(power, answer.partner))})
        return []
    affairs.cancelling = wishes_without(affairs, {power, answer.partner})
    affairs.contracts = [other for other in affairs.contracts if other is not contract]
    return [e.SubsidyEnded(contract.giver, contract.receiver, cancelled=True)]


def wishes_without(affairs: Affairs, pair: set[Power]) -> list[str]:
    """Return all wishes to cancel a contract, except the wishes of these two powers about their contract."""
    return [wish for wish in affairs.cancelling if set(Cancellation.read(wish)) != pair]


def lapse(table: Table) -> list[Event]:
    """End contracts and offers between powers that may no longer make them. The contract of the game's start stays
    (§20)."""
    affairs = affairs_of(table)
    void = [c for c in affairs.contracts if not c.fixed and not may_contract(table, c.giver, c.receiver)]
    affairs.contracts = [c for c in affairs.contracts if c not in void]
    affairs.offers = [c for c in affairs.offers if may_contract(table, c.giver, c.receiver)]
    return [e.SubsidyEnded(c.giver, c.receiver, cancelled=False) for c in void]


def pay_out(table: Table, giver: Power, income: int, cut_off: list[Power]) -> list[Event]:
    """Pay a giver's subsidies (§20): each receiver draws one card, until the giver's income is used up. Receivers in
    `cut_off` get none."""
    affairs = affairs_of(table)
    events: list[Event] = []
    for paid, contract in enumerate([c for c in affairs.contracts if c.giver == giver]):
        contract.turns -= 1
        if paid < income and contract.receiver not in cut_off:
            events += [e.SubsidyPaid(giver, contract.receiver), *draw_cards(table, contract.receiver, 1)]
        if contract.turns == 0:
            affairs.contracts = [c for c in affairs.contracts if c is not contract]
            events.append(e.SubsidyEnded(giver, contract.receiver, cancelled=False))
    return events


def allow_stacking(table: Table, power: Power, answer: d.AllowStacking) -> list[Event]:
    """Let the power's partners stack with its generals, or withdraw this permission (§10.1)."""
    field = table.state.field
    others = [other for other in field.alliances.stacking if other != power]
    stacking = tuple(sorted([*others, power]) if answer.yes else others)
    field.alliances = replace(field.alliances, stacking=stacking)
    return [e.StackingAllowed(power, answer.yes)]


def agree(table: Table, power: Power, answer: d.MakeAgreement) -> list[Event]:
    """Note an agreement (§21). The caller must have checked that all powers named in it consent. Raises `IllegalOrder`
    for an agreement that has no words, names an unknown power, or does not name `power` itself."""
    known = all(name in table.rules.powers for name in answer.powers)
    if not known or power not in answer.powers or not answer.words.strip():
        raise IllegalOrder(wrong("E-AGREEMENT"))
    affairs_of(table).agreements.append(Agreement(tuple(answer.powers), answer.words, table.state.turn))
    return [e.AgreementMade(tuple(answer.powers), answer.words)]


def begin(table: Table) -> list[Event]:
    """Draw the cards of the active powers. If a power may choose to give a subsidy, ask that power first, and draw
    nothing yet."""
    if table.state.affairs is not None:
        return draw_by_contracts(table)
    subsidy = table.rules.game.subsidy
    acting = active(table)
    if subsidy.giver not in acting:
        return [event for power in acting for event in draw_income(table, power, 0)]
    if table.state.turn <= subsidy.fixed_turns:
        # Even if Bavaria is cut off: the subsidy is fixed, so France gives and nobody gets it (docs/rulings.md, §8).
        return draw_with_subsidy(table, is_given=True)
    if cut_off_from_income(table, subsidy.receiver):
        # France is not asked: nobody would give a card that cannot be received (docs/rulings.md, §8).
        return draw_with_subsidy(table, is_given=False)
    table.state.owing = [subsidy.giver]
    return []


def draw_by_contracts(table: Table) -> list[Event]:
    """End contracts between powers no longer allied, then draw the income of the active powers in the advanced game
    (§17.5, §20). A power draws once in a turn, and nothing if it is cut off from income."""
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
        income = income_of(table, power)
        # Even if nobody gets the card of a contract, its giver does not draw it either (docs/rulings.md, §20).
        left = max(0, income - sum(contract.giver == power for contract in affairs.contracts))
        events += [*pay_out(table, power, income, cut_off), *draw_cards(table, power, left)]
    return events


def income_of(table: Table, power: Power) -> int:
    """Return the number of cards that a power would draw now if there were no subsidies. In the advanced game tracks
    and political cards change the number. Saxony's number depends only on its status."""
    rules = table.rules
    base = base_income(rules, power)
    if table.state.affairs is None:
        return base
    if power == defection_facts(table).power:
        return rules.edition.ally_income if status(table) == "austrian ally" else base
    return max(0, base + income_change(table, power))


def base_income(rules: MariaRules, power: Power) -> int:
    """Return the number of cards that a power draws in a scenario. Changes by subsidies, tracks and political cards are
    not included."""
    return rules.game.powers[power].income + rules.scenario.income.get(power, 0)


def decision(table: Table, power: Power) -> d.Subsidy:
    return d.Subsidy(power, table.rules.game.subsidy.receiver)


def decide(table: Table, decision: d.Subsidy, answer: d.GiveSubsidy) -> list[Event]:
    """Carry out the giver's answer: draw the cards of the present stage, with the subsidy or without it."""
    table.state.owing = []
    return [e.SubsidyDecided(decision.power, decision.receiver, answer.give), *draw_with_subsidy(table, answer.give)]


def draw_with_subsidy(table: Table, is_given: bool) -> list[Event]:
    """Draw the cards of a stage. If `is_given`, the subsidy passes from the giver's income to the receiver's (§8)."""
    subsidy = table.rules.game.subsidy
    events: list[Event] = []
    for power in active(table):
        passing = {subsidy.giver: -subsidy.cards, subsidy.receiver: subsidy.cards}.get(power, 0)
        events += draw_income(table, power, passing if is_given else 0)
    return events


def draw_income(table: Table, power: Power, extra: int) -> list[Event]:
    """Draw the cards of a power's income, and `extra` cards more; a negative `extra` means fewer. Some of the cards may
    have to be laid aside (Silesia Gambit §2.1). A power that is cut off from its income draws none (§8)."""
    if cut_off_from_income(table, power):
        return [IncomeLost(power)]
    income = income_of(table, power) + extra
    aside = min(income, count_to_lay_aside(table, power))
    events = draw_cards(table, power, income - aside)
    return [*events, *lay_aside(table, power, aside)] if aside else events


def cut_off_from_income(table: Table, power: Power) -> bool:
    """True if the power is minor, and an enemy controls its major fortress (§8)."""
    if table.rules.game.powers[power].major:
        return False
    control = control_of(table.rules.common, table.state.field)
    return control.once(("cut off", power), has_lost_major_fortress, table, power)


def has_lost_major_fortress(table: Table, power: Power) -> bool:
    """True if an enemy controls a major fortress in the power's home country."""
    rules, field = table.rules.common, table.state.field
    lost = opponents_of(rules, field, power).fortresses
    return any(city in lost and home_of(rules, field, city) == power for city in rules.board.major_fortresses)
