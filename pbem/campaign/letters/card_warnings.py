"""Warnings about cards that orders name: cards that are not in hand, that cannot be played in a battle, or that cannot
pay for what is ordered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from pbem.engine.cards import points
from pbem.engine.decisions import Play, PlayCard, Recruitment, Reenter, Stop
from pbem.engine.events import BattleWon, CardPlayed, Event, RetreatImpossible
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import StageName, Table, player_of
from pbem.faults.wrong import wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.lexicon import Lexicon, from_hand
from pbem.paper.orders.files import Orders
from pbem.paper.orders.section import NotInHand, fault_of
from pbem.paper.orders.trial import run_known
from pbem.paper.plans.ahead import section_orders, stage_in
from pbem.paper.plans.data import Plan, StageOrders


def missing_card_warnings(table: Table, power: Power, block: Plan) -> Iterator[Fault]:
    """Yield a warning for every card of a block that the power does not hold now."""
    assert isinstance(block.wish, StageOrders)
    hand = table.state.cards.hands[power]
    for written in chain.from_iterable(section_orders(block, section) for section in block.wish.sections):
        for named in written.cards:
            if from_hand(hand, named.card) is None:
                yield Fault.at(named.node.line, named.node.column, wrong("W-AHEAD-CARD", stage=stage_in(block)))


def unpaid_warnings(table: Table, power: Power, block: Plan) -> Iterator[Fault]:
    """Yield a warning for every order of a block whose price is higher than the worth of the cards that it names. The
    price is the lowest that is possible."""
    assert isinstance(block.wish, StageOrders)
    rules, lexicon, stage = table.rules.common, Lexicon(table.rules), stage_in(block)
    for written in chain.from_iterable(section_orders(block, section) for section in block.wish.sections):
        price = least_price(table, stage, written.said)
        paid = points(rules.decks, [copy for named in written.cards for copy in lexicon.copies(named.card)[:1]])
        if paid < price:
            rule = game_of(table).cited.payments
            what = wrong("W-AHEAD-PRICE", rule=rule, stage=stage, price=price, paid=paid)
            yield Fault.at(written.node.line, written.node.column, what)


def least_price(table: Table, stage: str, order: object) -> int:
    """Return the lowest possible price of an order for a stage, in points of cards. Troops in a stage without
    recruiting may be free."""
    rules, found = table.rules.common, StageName.read(stage)
    match order:
        case Reenter():
            return rules.limits.train_price
        case Recruitment() if found and "recruiting" in game_of(table).phases_of(table.rules, found.stage):
            trains = sum(not rules.is_general(piece) for piece in order.entries)
            return sum(order.troops.values()) * rules.limits.troop_price + trains * rules.limits.train_price
    return 0


def unplayable_card_warnings(table: Table, player: str, orders: Orders) -> Iterator[Fault]:
    """Yield a warning for each card that cannot be played in the present battle: it has the wrong suit, or is not in
    the hand after the cards above it in the list. The first card of a list is left out, because it is judged with the
    orders."""
    game, codes = game_of(table), {"E-CARD-SUIT": "W-CARD-SUIT", "E-CARD-HAND.often": "W-CARD-HAND"}
    for asked in game.decisions(table):
        own = orders.powers.get(asked.power) if player_of(table, asked.power) == player else None
        listed = own.sections.get("play", []) if own and isinstance(asked, PlayCard) else []
        hand = list(table.state.cards.hands[asked.power])
        for named in chain.from_iterable(written.cards for written in listed):
            try:
                if (card := from_hand(hand, named.card)) is None:
                    raise NotInHand(table, asked.power, named.node, hand)
                hand.remove(card)
                game.apply(copy_of(table), asked.power, Play(card))
            except IllegalOrder as refusal:
                fault = fault_of(refusal, named.node, table.rules)
                if named not in listed[0].cards and (code := codes.get(fault.message.key)):
                    yield replace(fault, code=code, message=replace(fault.message, key=code))


def vain_card_warnings(table: Table, player: str, orders: Orders) -> Iterator[Fault]:
    """Yield a warning for cards that are played in vain: their list ends with `stop`, and the power then loses as many
    troops as if it had stopped at once."""
    game = game_of(table)
    for asked in game.decisions(table):
        own = orders.powers.get(asked.power) if player_of(table, asked.power) == player else None
        cards = [named for written in own.sections.get("play", []) for named in written.cards] if own else []
        if not cards or not isinstance(asked, PlayCard) or asked.score >= 0:
            continue
        played = run_known(table, orders.copy()).events
        is_alone = all(event.power == asked.power for event in played if isinstance(event, CardPlayed))
        if is_alone and (lost := troops_lost(game.apply(copy_of(table), asked.power, Stop()))) == troops_lost(played):
            what = wrong("W-CARD-VAIN", rule=game.cited.battles, power=asked.power, troops=lost)
            yield Fault.at(cards[0].node.line, cards[0].node.column, what)


def troops_lost(events: Iterable[Event]) -> int:
    return sum(event.troops for event in events if isinstance(event, BattleWon | RetreatImpossible))
