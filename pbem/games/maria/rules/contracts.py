"""Subsidy contracts, leave to stack, and agreements, all settled between powers at any time (§10.1, §20, §21)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event
from pbem.engine.nouns import Power
from pbem.engine.table import player_of
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.answers import AllowStacking, CancelSubsidy, MakeAgreement, OfferSubsidy
from pbem.games.maria.rules.events import (
    AgreementMade,
    StackingAllowed,
    SubsidyAgreed,
    SubsidyEnded,
    SubsidyOffered,
    SubsidyPaid,
)
from pbem.games.maria.rules.state import Affairs, Agreement, Cancellation, Contract
from pbem.games.maria.rules.table import Table, affairs_of, draw_cards


def between(table: Table, giver: Power, receiver: Power) -> Contract | None:
    """Contract between two powers, in either direction; None if there is none."""
    contracts = affairs_of(table).contracts
    return next((c for c in contracts if {c.giver, c.receiver} == {giver, receiver}), None)


def may_contract(table: Table, giver: Power, receiver: Power) -> bool:
    """True if the giver is a major power and the receiver its ally (§20, §24)."""
    rules, powers = table.rules, table.rules.game.powers
    if giver == receiver or not powers[giver].major or not are_friends(table, giver, receiver):
        return False
    only_minors = rules.scenario.players[rules.terms.players].subsidies_to_minors_only
    return not (only_minors and powers[receiver].major)


def are_friends(table: Table, one: Power, other: Power) -> bool:
    """True if two powers are allied for the purpose of contracts.

    The annexer, neutral for some time, still counts as an ally unless the table rules otherwise; the defector does not
    (§19.1, §19.3, §19.4).
    """
    side = dict(table.state.field.alliances.side)
    annexer = table.rules.game.advanced.annexation.by
    if not side[annexer] and table.rules.edition.neutral_contracts == "stand":
        side[annexer] = table.rules.game.powers[annexer].side
    return side[one] == side[other] and bool(side[one])


def offer(table: Table, power: Power, answer: OfferSubsidy) -> list[Event]:
    """Offer a contract, or accept an offer of the same duration. One's own powers agree at once (§20)."""
    affairs = affairs_of(table)
    giver, receiver = answer.giver, answer.receiver
    other = receiver if power == giver else giver
    if power not in (giver, receiver) or giver not in table.rules.powers or receiver not in table.rules.powers:
        raise IllegalOrder(wrong("E-SUBSIDY-POWER", power=power), where=("receiver",))
    if not may_contract(table, giver, receiver):
        raise IllegalOrder(wrong("E-SUBSIDY-ALLY", giver=giver, receiver=receiver), where=("receiver",))
    if not 1 <= answer.turns <= table.rules.scenario.turns:
        raise IllegalOrder(wrong("E-SUBSIDY-TURNS"), where=("turns",))
    if between(table, giver, receiver):
        raise IllegalOrder(wrong("E-SUBSIDY-PAIR", giver=giver, receiver=receiver))
    same = Contract(giver, receiver, answer.turns)
    waiting = next((c for c in affairs.offers if (c.giver, c.receiver) == (giver, receiver)), None)
    if player_of(table, power) == player_of(table, other):
        return conclude(affairs, same)
    if answer.accept:
        if waiting is None or waiting.turns != answer.turns or offered_by(waiting) == power:
            raise IllegalOrder(wrong("E-SUBSIDY-OFFER", power=power))
        return conclude(affairs, same)
    same.by = power
    affairs.offers = [*(c for c in affairs.offers if c is not waiting), same]
    return [SubsidyOffered(giver, receiver, answer.turns)]


def offered_by(contract: Contract) -> str:
    """Power that has offered a contract: the giver if none is stored."""
    return contract.by or contract.giver


def conclude(affairs: Affairs, contract: Contract) -> list[Event]:
    """Make a contract and forget all offers and wishes to cancel between its two powers."""
    pair = {contract.giver, contract.receiver}
    affairs.offers = [c for c in affairs.offers if {c.giver, c.receiver} != pair]
    affairs.cancelling = others_wishes(affairs, pair)
    affairs.contracts.append(contract)
    return [SubsidyAgreed(contract.giver, contract.receiver, contract.turns)]


def cancel(table: Table, power: Power, answer: CancelSubsidy) -> list[Event]:
    """Cancel a contract. Both powers must want it; the first contract cannot be cancelled (§20)."""
    affairs = affairs_of(table)
    contract = between(table, power, answer.partner)
    if contract is None:
        raise IllegalOrder(wrong("E-SUBSIDY-NONE", power=power, partner=answer.partner), where=("partner",))
    if contract.fixed:
        raise IllegalOrder(wrong("E-SUBSIDY-FIXED"), where=("partner",))
    same_player = player_of(table, power) == player_of(table, answer.partner)
    if str(Cancellation(answer.partner, power)) not in affairs.cancelling and not same_player:
        affairs.cancelling = sorted({*affairs.cancelling, str(Cancellation(power, answer.partner))})
        return []
    affairs.cancelling = others_wishes(affairs, {power, answer.partner})
    affairs.contracts = [other for other in affairs.contracts if other is not contract]
    return [SubsidyEnded(contract.giver, contract.receiver, cancelled=True)]


def others_wishes(affairs: Affairs, pair: set[Power]) -> list[str]:
    """Wishes to cancel without those between these two powers."""
    return [wish for wish in affairs.cancelling if set(Cancellation.read(wish)) != pair]


def lapse(table: Table) -> list[Event]:
    """End contracts whose powers are no longer allied (§20)."""
    affairs = affairs_of(table)
    void = [c for c in affairs.contracts if not c.fixed and not may_contract(table, c.giver, c.receiver)]
    affairs.contracts = [c for c in affairs.contracts if c not in void]
    affairs.offers = [c for c in affairs.offers if may_contract(table, c.giver, c.receiver)]
    return [SubsidyEnded(c.giver, c.receiver, cancelled=False) for c in void]


def pay_out(table: Table, giver: Power, income: int, cut_off: list[Power]) -> tuple[int, list[Event]]:
    """Give the receiver of every contract a card of the income, unseen by the giver, and return the rest (§20).

    A contract counts turns: a turn in which nothing can be given or received is lost.
    """
    affairs = affairs_of(table)
    events: list[Event] = []
    for contract in [c for c in affairs.contracts if c.giver == giver]:
        contract.turns -= 1
        if income > 0 and contract.receiver not in cut_off:
            events += [SubsidyPaid(giver, contract.receiver), *draw_cards(table, contract.receiver, 1)]
        # Even if nobody gets the card, its giver does not draw it either (docs/rulings.md, §20).
        income = max(0, income - 1)
        if contract.turns == 0:
            affairs.contracts = [c for c in affairs.contracts if c is not contract]
            events.append(SubsidyEnded(giver, contract.receiver, cancelled=False))
    return income, events


def allow_stacking(table: Table, power: Power, answer: AllowStacking) -> list[Event]:
    """Let a partner's generals stack with one's own, or no longer (§10.1)."""
    field = table.state.field
    others = [other for other in field.alliances.stacking if other != power]
    stacking = tuple(sorted([*others, power]) if answer.yes else others)
    field.alliances = replace(field.alliances, stacking=stacking)
    return [StackingAllowed(power, answer.yes)]


def agree(table: Table, power: Power, answer: MakeAgreement) -> list[Event]:
    """Record a promise (§21). The consent of all powers named must be checked by whoever takes their letters."""
    known = all(name in table.rules.powers for name in answer.powers)
    if not known or power not in answer.powers or not answer.words.strip():
        raise IllegalOrder(wrong("E-AGREEMENT"))
    affairs_of(table).agreements.append(Agreement(tuple(answer.powers), answer.words, table.state.turn))
    return [AgreementMade(tuple(answer.powers), answer.words)]
