"""Orders as a source of answers: each decision is met with the part of an order file that speaks of it."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import decisions as d
from pbem.engine.duel import listed
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.game_paper import game_paper
from pbem.paper.orders.files import Orders, cut
from pbem.paper.orders.given import Given, Places, Unusable, numbers, pick_cards, places_of
from pbem.paper.orders.sections import (
    BattleOrder,
    EndOfMoves,
    MoveOrder,
    Named,
    PlayOrder,
    PowerOrders,
    RecruitOrder,
    ReenterOrder,
    RetreatOrder,
    Troops,
)


class OrderSource:
    """Hands out the orders of a file, each once, in the order in which they are written."""

    def __init__(self, table: Table, orders: Orders, remains: Mapping[str, Mapping[str, int]] | None = None) -> None:
        """Take the table that the orders are for, and what an earlier source has left of them (`remains`)."""
        self.table = table
        self.orders = orders
        self.forms = game_paper(table)
        self.compared = {power for power, sections in (remains or {}).items() if "battles" in sections}
        """The powers whose attacks have been compared with those that are due."""
        cut(orders, remains or {})

    def powers(self) -> list[str]:
        """The powers that have orders, as the file has them."""
        return list(self.orders.powers)

    def remains(self) -> dict[str, dict[str, int]]:
        """How much of each section is not used up: for a source that goes on where this one stops."""
        return self.orders.remains()

    def transfers(self, power: str) -> list[Given]:
        """What stands before everything else: transfers, and what is settled with other powers."""
        orders = self.orders.powers.get(power)
        if orders is None:
            return []
        return [*(transfer_of(troops) for troops in orders.take_all("transfer")), *self.forms.settled(orders)]

    def speaks_of(self, decision: d.Decision) -> bool:
        """Whether the file says anything to a decision; it is not used up."""
        orders = self.orders.powers.get(decision.power)
        return orders is not None and bool(orders.sections.get(section_of(self.table, decision)))

    def answer(self, decision: d.Decision) -> Given | None:
        """What the file says to a decision, if it says anything; a card that is not in hand is refused here."""
        orders = self.orders.powers.get(decision.power)
        if orders is None:
            return None
        match decision:
            case d.March():
                return self.march(orders, decision)
            case d.PlayCard():
                return self.play(orders, decision)
            case d.ChooseBattle():
                return self.battle(orders, decision)
            case d.ChooseRetreat():
                return retreat(orders)
            case d.Recruit():
                return recruit(self.table, orders, decision)
            case d.Allot():
                return allot(orders)
        return self.forms.answer(self.table, orders, decision)

    def march(self, orders: PowerOrders, decision: d.March) -> Given | None:
        """The next line of the moves; after the last, the end of them."""
        match orders.take("move"):
            case EndOfMoves(node):
                return Given(d.Done(), node)
            case Troops() as troops:
                return transfer_of(troops)
            case MoveOrder() as order:
                return move_of(order)
            case ReenterOrder() as order:
                return self.reentry(order, decision.power)
            case RecruitOrder() as order if self.forms.levy:
                return self.forms.levy(self.table, order, decision.power)
        return None

    def reentry(self, order: ReenterOrder, power: str) -> Given:
        """The return of a train."""
        places: Places = {("train",): order.train.node, ("city",): order.city.node}
        cards = pick_cards(self.table, power, order.pay, places)
        answer = d.Reenter(order.train.number, order.city.number, cards)
        return Given(answer, order.node, places, self.table.rules.common.limits.train_price)

    def play(self, orders: PowerOrders, decision: d.PlayCard) -> Given | None:
        """The next card of the list."""
        order: PlayOrder | None = orders.take("play")
        if order is None:
            return None
        if order.card is None:
            return Given(d.Stop(), order.node)
        (card,) = pick_cards(self.table, decision.power, [order], {})
        return Given(d.Play(card, order.card.declared), order.node)

    def battle(self, orders: PowerOrders, decision: d.ChooseBattle) -> Given | None:
        """The first attack of the list; attacks that have fallen away are passed over."""
        warnings = self.never_due(orders, decision)
        while order := orders.take("battles"):
            battle = self.pairing(order)
            is_last = not orders.sections["battles"]
            if battle not in decision.battles and not is_last:
                continue
            if battle not in decision.battles:
                self.check_on_map(order, decision)
            return Given(d.Fight(battle), order.node, warnings=warnings)
        return None

    def pairing(self, order: BattleOrder) -> d.Pairing:
        """The cities of an attack, which may be named by its generals."""
        field = self.table.state.field

        def place(named: Named) -> int:
            return named.number if order.by == "city" else field.pieces[named.number].city

        return d.Pairing(place(order.attacker), place(order.defender))

    def never_due(self, orders: PowerOrders, decision: d.ChooseBattle) -> tuple[Fault, ...]:
        """A warning for every attack, before one that is due, that is not due when the power is asked for the first.

        The last line of the list is not passed over but refused, and needs no warning.
        """
        if orders.power in self.compared:
            return ()
        self.compared.add(orders.power)
        due = {*decision.battles, *self.table.state.battles}
        strange = [order for order in orders.sections.get("battles", [])[:-1] if self.pairing(order) not in due]
        hint = listed(self.table.rules.common, decision.battles)
        message, rule = "this attack is not due, and is passed over", game_of(self.table).cited.battles
        return tuple(
            Fault("W-BATTLE", message, order.node.line, order.node.column, rule=rule, hint=hint) for order in strange
        )

    def check_on_map(self, order: BattleOrder, decision: d.ChooseBattle) -> None:
        """Refuse an attack by or on a general who is not on the map, and so in no city."""
        rules, pieces = self.table.rules.common, self.table.state.field.pieces
        for named in (order.attacker, order.defender):
            if order.by == "piece" and pieces[named.number].city < 0:
                name = rules.pieces[named.number].name
                due = listed(rules, decision.battles)
                raise Unusable(
                    named.node, game_of(self.table).cited.battles, "E-BATTLE", f"{name} is not on the map", due
                )


SECTIONS: dict[type[d.Decision], str] = {
    d.Allot: "allot",
    d.March: "move",
    d.ChooseBattle: "battles",
    d.PlayCard: "play",
    d.ChooseRetreat: "retreat",
    d.Recruit: "recruit",
}
"""The section that answers each kind of decision of every game."""


def section_of(table: Table, decision: d.Decision) -> str:
    """The section of the orders that answers a decision."""
    return SECTIONS.get(type(decision)) or game_paper(table).section_of(table.rules, decision)


def retreat(orders: PowerOrders) -> Given | None:
    """The next retreat of the orders, whichever stack was beaten."""
    order: RetreatOrder | None = orders.take("retreat")
    if order is None:
        return None
    return Given(d.RetreatAlong(numbers(order.path)), order.node, places_of("path", order.path))


def recruit(table: Table, orders: PowerOrders, decision: d.Recruit) -> Given | None:
    """All recruits of a winter at once, with what they cost."""
    order: RecruitOrder | None = orders.take("recruit")
    if order is None:
        return None
    answer, places = recruitment(table, order, decision.power)
    price = sum(answer.troops.values()) * table.rules.common.limits.troop_price
    return Given(answer, order.node, places, price)


def recruitment(table: Table, order: RecruitOrder, power: str) -> tuple[d.Recruitment, Places]:
    """Troops, returns and commanders as an answer, and where each part of it stands."""
    places: Places = {("entries", general.number): city.node for general, city in order.enter}
    counts = order.troops.counts if order.troops else ()
    places |= {("troops", general.number): general.node for general, _ in counts}
    cards = pick_cards(table, power, order.pay, places)
    troops = {general.number: count for general, count in counts}
    entries = {general.number: city.number for general, city in order.enter}
    return d.Recruitment(cards, troops, entries, numbers(order.commanders)), places


def allot(orders: PowerOrders) -> Given | None:
    """The first allotment."""
    troops: Troops | None = orders.take("allot")
    if troops is None:
        return None
    places: Places = {(general.number,): general.node for general, _ in troops.counts}
    return Given(d.Allotment({general.number: count for general, count in troops.counts}), troops.node, places)


def transfer_of(troops: Troops) -> Given:
    """A new allotment within a stack."""
    places: Places = {(general.number,): general.node for general, _ in troops.counts}
    return Given(d.Transfer({general.number: count for general, count in troops.counts}), troops.node, places)


def move_of(order: MoveOrder) -> Given:
    places = places_of("pieces", order.pieces) | places_of("path", order.path)
    if order.commander:
        places["commander",] = order.commander.node
    commander = order.commander.number if order.commander else None
    return Given(d.Move(numbers(order.pieces), numbers(order.path), commander), order.node, places)
