"""Answers for an absent player to decisions that only MARIA asks, or asks in its own way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pbem.bots.plain import first_named, level_troops
from pbem.engine.cards import DeckFacts, cheapest
from pbem.engine.decisions import Answer, Decision, Done, March, Move, Recruit, Recruitment
from pbem.engine.field import are_allied, by_command, pieces_at
from pbem.engine.march import destinations
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.rules import Rules
from pbem.engine.supply import loss_of
from pbem.engine.troops import needs_commander
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.contracts import may_contract, offering_power
from pbem.games.maria.rules.decisions import OfferSubsidy
from pbem.games.maria.rules.hussars import total_toll, unsupplied_groups
from pbem.games.maria.rules.movement import column_of
from pbem.games.maria.rules.state import Table


def accept_offers(table: Table, powers: Collection[Power]) -> list[tuple[Power, Answer]]:
    """Return the answers by which these powers accept the subsidies that were offered to them. Offers that the rules no
    longer allow are left out."""
    offers = table.state.affairs.offers if table.state.affairs else []
    return [
        (each.receiver, OfferSubsidy(each.giver, each.receiver, each.turns, accept=True))
        for each in offers
        if each.receiver in powers
        and offering_power(each) != each.receiver
        and may_contract(table, each.giver, each.receiver)
    ]


def hold(table: Table, decision: Decision) -> Answer:
    """Return an absent player's answer to a decision that only MARIA asks, or asks in its own way."""
    match decision:
        case March():
            return march_out(table, decision)
        case d.PlaceHussars():
            return d.HussarPlacement(decision.standing)
        case d.Subsidy():
            return d.GiveSubsidy(False)
        case d.Toll():
            return pay_toll(table, decision)
        case Recruit():
            return Recruitment()
        case d.Reinforce():
            return reinforce(table, decision)
        case d.ChooseTrump():
            return d.NameTrump(Suit(0))
        case d.PlaceInfluence():
            return d.Influence(None)
        case d.SelectPolitics():
            return d.Politics(None)
        case d.SendCorps():
            return send_corps(table, decision)
        case d.Relocate():
            return relocate(table, decision)
        case d.Vote():
            return vote(table, decision)
        case d.ShiftSaxony() | d.OfferPeace() | d.AcceptPeace() | d.ReduceObjectives() | d.CedeSilesia():
            return d.Consent(False)
    raise NotImplementedError(f"an absent player has no answer to {type(decision).__name__}")


def march_out(table: Table, decision: March) -> Move | Done:
    """Return a march of a piece that must leave neutral land (§19.3). It ends in one of the nearest cities outside of
    that land, if possible in an empty city. If no piece must leave, return the end of the moves."""
    if not decision.leaving:
        return Done()
    piece = decision.leaving[0]
    ways = destinations(column_of(table, [piece]))
    shortest = {city: way for city, way in ways.items() if len(way) == min(map(len, ways.values()))}
    end = end_of_way(table, piece, tuple(shortest))
    return Move((piece,), ways[end.city], end.commander)


def end_of_way(table: Table, piece: Piece, cities: Sequence[City]) -> d.GoTo:
    """Return the answer that sends a piece to one of these cities, if possible to an empty city. If several cities are
    equally good, the first in the alphabet is chosen. Where generals of equal rank stack, the present commander is
    named."""
    rules, field = table.rules.common, table.state.field
    city = first_named(table, [city for city in cities if not pieces_at(field, city)] or cities)
    mates = [other for other in pieces_at(field, city) if other != piece and rules.is_general(other)]
    stack = by_command(rules, field, [*mates, piece])
    return d.GoTo(city, by_command(rules, field, mates)[0] if mates and needs_commander(rules, stack) else None)


def cheapest_payment(decks: DeckFacts, hand: Sequence[Card], price: int) -> tuple[Card, ...]:
    """Return the cheapest cards of the hand that pay a price. The hand must be worth at least the price."""
    cards = cheapest(decks, hand, price)
    assert cards is not None
    return cards


def pay_toll(table: Table, decision: d.Toll) -> d.PayToll:
    """Pay a toll with the cheapest cards. If the hand is worth too little, the generals who go unsupplied are chosen so
    that the fewest troops are lost (§9)."""
    rules, pieces = table.rules.common, table.state.field.pieces

    def lost(group: Sequence[Piece]) -> int:
        return sum(loss_of(pieces[general]) for general in group)

    unsupplied = min(unsupplied_groups(rules, decision.claims, decision.hand), key=lost)
    return toll_payment(rules, decision, unsupplied, lambda price: cheapest_payment(rules.decks, decision.hand, price))


def toll_payment(
    rules: Rules, decision: d.Toll, unsupplied: tuple[Piece, ...], cards_for: Callable[[int], tuple[Card, ...]]
) -> d.PayToll:
    """Return the payment that leaves these generals unsupplied. It is the whole hand if the rules demand that, else the
    cards that pay for all other generals. `cards_for` returns the cards that pay a price."""
    if unsupplied and rules.unpaid == "pay all":
        return d.PayToll(decision.hand, unsupplied)
    return d.PayToll(cards_for(total_toll(decision.claims, unsupplied)), unsupplied)


def reinforce(table: Table, decision: d.Reinforce) -> Recruitment:
    """Give free troops to generals on the map, as evenly as possible (§17.5)."""
    pieces = table.state.field.pieces
    before = {general: pieces[general].troops for general in decision.room if general not in decision.entries}
    gift = min(decision.troops, sum(decision.room[general] for general in before))
    after = level_troops(before, sum(before.values()) + gift, table.rules.common.limits.troops)
    return Recruitment((), {general: after[general] - had for general, had in before.items() if after[general] > had})


def send_corps(table: Table, decision: d.SendCorps) -> d.Corps:
    """Send the general with the fewest troops, and among equals the lowest in rank. Generals on the map are preferred,
    because they cost nothing (§17.5)."""
    rules, pieces = table.rules.common, table.state.field.pieces
    at_hand = [general for general in decision.generals if general not in decision.recruits]
    general = min(at_hand or decision.recruits, key=lambda g: (pieces[g].troops, -rules.pieces[g].rank, g))
    price = 0 if at_hand else table.rules.game.advanced.corps_price
    return d.Corps(general, cheapest_payment(rules.decks, decision.hand, price))


def relocate(table: Table, decision: d.Relocate) -> d.GoTo:
    return end_of_way(table, decision.piece, decision.cities)


def vote(table: Table, decision: d.Vote) -> d.Votes:
    """Give all votes to Charles if the power itself or an ally profits from his election, else to Francis Stephen. No
    power may abstain (§18)."""
    friend = table.rules.game.advanced.prizes.emperor["charles"]
    return d.Votes(decision.votes if are_allied(table.state.field, decision.power, friend) else 0)
