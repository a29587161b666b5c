"""Orders as a source of answers: each decision is met with the part of an order file that speaks of it."""

from __future__ import annotations

from pbem.engine.decisions import (
    Allot,
    Allotment,
    ChooseBattle,
    ChooseRetreat,
    Decision,
    Done,
    Fight,
    GiveSubsidy,
    HussarPlacement,
    March,
    Move,
    Pairing,
    PayToll,
    PlaceHussars,
    Play,
    PlayCard,
    Recruit,
    Recruitment,
    Reenter,
    RetreatAlong,
    Stop,
    Subsidy,
    Toll,
    Transfer,
)
from pbem.engine.duel import listed
from pbem.maria.table import Table
from pbem.paper.answers_politics import political_answer
from pbem.paper.given import Given, Places, Unusable, numbers, pick_cards, places_of
from pbem.paper.orders import BattleOrder, MoveOrder, Named, Orders, PowerOrders, ReenterOrder, Troops


class OrderSource:
    """Hands out the orders of a file, each once, in the order in which they are written."""

    def __init__(self, table: Table, orders: Orders) -> None:
        """Take the table that the orders are for."""
        self.table = table
        self.orders = orders

    def powers(self) -> list[str]:
        """The powers that have orders, as the file has them."""
        return list(self.orders.powers)

    def transfers(self, power: str) -> list[Given]:
        """What stands before everything else: transfers, and what is settled with other powers."""
        orders = self.orders.powers[power]
        taken, orders.transfer = orders.transfer, []
        settled, orders.politics.settle = orders.politics.settle, []
        return [*(transfer_of(troops) for troops in taken), *(Given(answer, node) for answer, node in settled)]

    def answer(self, decision: Decision) -> Given | None:
        """What the file says to a decision, if it says anything; a card that is not in hand is refused here."""
        orders = self.orders.powers.get(decision.power)
        if orders is None:
            return None
        match decision:
            case March():
                return self.march(orders, decision)
            case PlayCard():
                return self.play(orders, decision)
            case ChooseBattle():
                return self.battle(orders, decision)
            case ChooseRetreat():
                return self.retreat(orders)
            case Toll():
                return self.toll(orders, decision)
            case Recruit():
                return self.recruit(orders, decision)
            case Subsidy():
                return subsidy(orders)
            case PlaceHussars():
                return hussars(orders)
            case Allot():
                return allot(orders)
        return political_answer(self.table, orders, decision)

    def march(self, orders: PowerOrders, decision: March) -> Given | None:
        """The next line of the moves; after the last, the end of them."""
        if orders.move is None:
            return None
        if not orders.move:
            orders.move = None
            return Given(Done(), orders.node)
        item = orders.move.pop(0)
        if isinstance(item, Troops):
            return transfer_of(item)
        return move_of(item) if isinstance(item, MoveOrder) else self.reentry(item, decision.power)

    def reentry(self, order: ReenterOrder, power: str) -> Given:
        """The return of a train."""
        places: Places = {("train",): order.train.node, ("city",): order.city.node}
        cards = pick_cards(self.table, power, order.pay, order.node, places)
        answer = Reenter(order.train.number, order.city.number, cards)
        return Given(answer, order.node, places, self.table.rules.common.limits.train_price)

    def play(self, orders: PowerOrders, decision: PlayCard) -> Given | None:
        """The next card of the list."""
        if not orders.play:
            return None
        order = orders.play.pop(0)
        if order.card is None:
            return Given(Stop(), order.node)
        (card,) = pick_cards(self.table, decision.power, [order], order.node, {})
        return Given(Play(card, order.card.value if order.card.is_reserve else 0), order.node)

    def battle(self, orders: PowerOrders, decision: ChooseBattle) -> Given | None:
        """The first attack of the list; attacks that have fallen away are passed over."""
        field = self.table.state.field

        def place(named: Named, order: BattleOrder) -> int:
            return named.number if order.by == "city" else field.pieces[named.number].city

        while orders.battles:
            order = orders.battles.pop(0)
            battle = Pairing(place(order.attacker, order), place(order.defender, order))
            if battle in decision.battles:
                return Given(Fight(battle), order.node)
            if not orders.battles:
                self.check_on_map(order, decision)
                return Given(Fight(battle), order.node)
        return None

    def check_on_map(self, order: BattleOrder, decision: ChooseBattle) -> None:
        """Refuse an attack by or on a general who is not on the map, and so in no city."""
        rules, pieces = self.table.rules.common, self.table.state.field.pieces
        for named in (order.attacker, order.defender):
            if order.by == "piece" and pieces[named.number].city < 0:
                name = rules.pieces[named.number].name
                due = listed(rules, decision.battles)
                raise Unusable(named.node, "§11.1", "E-BATTLE", f"{name} is not on the map", due)

    def retreat(self, orders: PowerOrders) -> Given | None:
        """The next path."""
        if not orders.retreat:
            return None
        order = orders.retreat.pop(0)
        return Given(RetreatAlong(numbers(order.path)), order.node, places_of("path", order.path))

    def toll(self, orders: PowerOrders, decision: Toll) -> Given | None:
        """The payment for supply."""
        order, orders.toll = orders.toll, None
        if order is None:
            return None
        places = places_of("unsupplied", order.unsupplied)
        whole = order.pay is None
        cards = decision.hand if whole else pick_cards(self.table, decision.power, order.pay or (), order.node, places)
        unsupplied = numbers(order.unsupplied)
        price = sum(len(claim.path) for claim in decision.claims if claim.piece not in unsupplied)
        return Given(PayToll(cards, unsupplied), order.node, places, 0 if unsupplied else price)

    def recruit(self, orders: PowerOrders, decision: Recruit) -> Given | None:
        """Winter's orders."""
        order, orders.recruit = orders.recruit, None
        if order is None:
            return None
        places: Places = {("entries", general.number): city.node for general, city in order.enter}
        counts = order.troops.counts if order.troops else ()
        places |= {("troops", general.number): general.node for general, _ in counts}
        cards = pick_cards(self.table, decision.power, order.pay, order.node, places)
        troops = {general.number: count for general, count in counts}
        entries = {general.number: city.number for general, city in order.enter}
        price = sum(troops.values()) * self.table.rules.common.limits.troop_price
        answer = Recruitment(cards, troops, entries, numbers(order.commanders))
        return Given(answer, order.node, places, price)


def subsidy(orders: PowerOrders) -> Given | None:
    """Whether the subsidy is given."""
    choice, orders.subsidy = orders.subsidy, None
    return None if choice is None else Given(GiveSubsidy(choice), orders.subsidy_node or orders.node)


def hussars(orders: PowerOrders) -> Given | None:
    """Where the hussars go."""
    places, orders.hussars = orders.hussars, None
    if places is None:
        return None
    return Given(HussarPlacement(numbers(places)), orders.hussars_node or orders.node, places_of("cities", places))


def allot(orders: PowerOrders) -> Given | None:
    """The first allotment."""
    troops, orders.allot = orders.allot, None
    if troops is None:
        return None
    places: Places = {(general.number,): general.node for general, _ in troops.counts}
    return Given(Allotment({general.number: count for general, count in troops.counts}), troops.node, places)


def transfer_of(troops: Troops) -> Given:
    """A new allotment within a stack."""
    places: Places = {(general.number,): general.node for general, _ in troops.counts}
    return Given(Transfer({general.number: count for general, count in troops.counts}), troops.node, places)


def move_of(order: MoveOrder) -> Given:
    """A march."""
    places = places_of("pieces", order.pieces) | places_of("path", order.path)
    if order.commander:
        places["commander",] = order.commander.node
    commander = order.commander.number if order.commander else None
    return Given(Move(numbers(order.pieces), numbers(order.path), commander), order.node, places)
