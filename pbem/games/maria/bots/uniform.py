"""Random answers to decisions that only MARIA asks, or asks in its own way: marches, winter, hussars, politics."""

from __future__ import annotations

from random import Random

from pbem.bots.plain import OneAnswer, pay, pick
from pbem.engine import march
from pbem.engine.cards import points
from pbem.engine.decisions import Answer, Decision, Done, March, Move, Recruit, Recruitment, Reenter
from pbem.engine.field import OFF, pieces_at, pieces_by_city
from pbem.engine.nouns import NO_POWER, City, Piece, Suit
from pbem.engine.table import player_of
from pbem.engine.troops import needs_commander
from pbem.games.maria.bots.holding import toll_payment
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.hussars import unsupplied_groups
from pbem.games.maria.rules.politics import card_facts
from pbem.games.maria.rules.politics_data import Grant
from pbem.games.maria.rules.state import Table

STOPS_MOVING = 0.05
"""Chance that the random bot ends its marches before its next march."""


def place_hussars(table: Table, decision: d.PlaceHussars, chance: Random) -> Answer:
    """Let each hussar stay, leave the board, or go to a random open city."""
    return d.HussarPlacement(tuple(pick(chance, [now, OFF, *decision.cities]) for now in decision.standing))


def give_subsidy(table: Table, decision: d.Subsidy, chance: Random) -> Answer:
    return d.GiveSubsidy(chance.random() < 0.5)


def pay_toll(table: Table, decision: d.Toll, chance: Random) -> Answer:
    """Pay a toll with random cards. If the hand is worth too little, leave random generals unsupplied."""
    rules = table.rules.common
    unsupplied = pick(chance, unsupplied_groups(rules, decision.claims, decision.hand))
    return toll_payment(rules, decision, unsupplied, lambda price: pay(table, decision.hand, price, chance))


def make_march(table: Table, decision: March, chance: Random) -> Answer:
    """March with a random piece or its stack, or bring a random train back. Sometimes end the marches instead
    (`no_more`): by chance, because no piece is left, or because the hand cannot pay for the train."""
    options = [*decision.pieces, *(train for train in decision.trains if train not in decision.pieces)]
    if not options or chance.random() < STOPS_MOVING:
        return no_more(table, decision, chance)
    piece = pick(chance, options)
    cities = decision.trains.get(piece)
    if cities and (piece not in decision.pieces or chance.random() < 0.1):
        hand = table.state.cards.hands[decision.power]
        price = table.rules.common.limits.train_price
        if points(table.rules.common.decks, hand) < price:
            return no_more(table, decision, chance)
        return Reenter(piece, pick(chance, cities), pay(table, hand, price, chance))
    return move_of(table, decision, piece, chance)


def no_more(table: Table, decision: March, chance: Random) -> Answer:
    """End the marches, or march with a piece that has to leave neutral land (§19.3)."""
    return move_of(table, decision, decision.leaving[0], chance) if decision.leaving else Done()


def move_of(table: Table, decision: March, piece: Piece, chance: Random) -> Answer:
    """March with the piece, sometimes with its stack, to a random city in reach. If it cannot move, do as `no_more`
    does."""
    rules, state = table.rules, table.state
    city = state.field.pieces[piece].city
    there = pieces_by_city(rules.common, state.field).at[city]
    movers: tuple[Piece, ...] = (piece,)
    if len(there) > 1:
        mates = tuple(mate for mate in there if may_come_along(table, decision, mate))
        movers = mates if len(mates) > 1 and chance.random() < 0.5 else movers
    column = march.column_of(rules.common, state.field, movers)
    ways = march.destinations(column)
    if not ways:
        return no_more(table, decision, chance)
    path = ways[pick(chance, list(ways))]
    commander = None
    if column.entry(path[-1]) is march.CityEntry.JOIN:
        stack = [*movers, *column.taken[path[-1]]]
        if needs_commander(rules.common, stack):
            commander = pick(chance, stack)
    return Move(movers, path, commander)


def may_come_along(table: Table, decision: March, mate: Piece) -> bool:
    """True if a piece belongs to the deciding player and may still move."""
    state, power = table.state, table.rules.common.pieces[mate].power
    own = player_of(table, power) == player_of(table, decision.power)
    return own and power in state.owing and mate not in state.moved


def recruit(table: Table, decision: Recruit, chance: Random) -> Answer:
    """Recruit a random number of troops for random generals. A general off the map re-enters in a random open fortress,
    if one is still free."""
    price = table.rules.common.limits.troop_price
    room = dict(decision.room)
    affordable = points(table.rules.common.decks, decision.hand) // price
    wanted = chance.randint(0, min(affordable, sum(room.values())))
    troops: dict[Piece, int] = {}
    entries: dict[Piece, City] = {}
    for _ in range(wanted):
        general = pick(chance, [g for g, left in room.items() if left])
        if general in decision.entries and general not in entries:
            free = [city for city in decision.entries[general] if city not in entries.values()]
            if not free or any(pieces_at(table.state.field, city) for city in free):
                continue
            entries[general] = pick(chance, free)
        room[general] -= 1
        troops[general] = troops.get(general, 0) + 1
    total = sum(troops.values())
    return Recruitment(pay(table, decision.hand, total * price, chance), troops, entries) if total else Recruitment()


def name_trump(table: Table, decision: d.ChooseTrump, chance: Random) -> Answer:
    return d.NameTrump(Suit(chance.randrange(4)))


def place_influence(table: Table, decision: d.PlaceInfluence, chance: Random) -> Answer:
    """Place a random card of the hand, or no card."""
    return d.Influence(pick(chance, [None, *decision.hand]))


def select_politics(table: Table, decision: d.SelectPolitics, chance: Random) -> Answer:
    """Keep the influence, discard a random card, or execute random parts of a card as the edition allows."""
    number = pick(chance, [None, *decision.cards])
    if number is None or not decision.may_execute or chance.random() < 0.2:
        return d.Politics(number)
    card = card_facts(table, number)
    whole = not table.rules.edition.partial_execution
    legal = [arrow for arrow in card.shifts if not arrow.while_status or arrow.while_status == status(table)]
    optional = len(card.shifts) > 1 or not whole
    chosen = [arrow for arrow in legal if not optional or chance.random() < 0.7]
    if whole and len(card.shifts) == 1 and not chosen:
        return d.Politics(number)
    shifts = {a.track: a.steps if not a.either or chance.random() < 0.5 else -a.steps for a in chosen}
    instruction = bool(card.effects) and (whole or chance.random() < 0.8)
    grants = [effect for effect in card.effects if isinstance(effect, Grant) and len(effect.to) > 1]
    grantees = [power for effect in grants for power in effect.to] if instruction else []
    return d.Politics(number, instruction, shifts, pick(chance, grantees) if grantees else NO_POWER)


def send_corps(table: Table, decision: d.SendCorps, chance: Random) -> Answer:
    """Send a random general to the off-map box. If he first needs troops, pay for them with random cards."""
    general = pick(chance, decision.generals)
    price = table.rules.game.advanced.corps_price if general in decision.recruits else 0
    return d.Corps(general, pay(table, decision.hand, price, chance))


def reinforce(table: Table, decision: d.Reinforce, chance: Random) -> Answer:
    """Give free troops to random generals who have room for them. Generals off the map may re-enter in random empty
    cities."""
    room = {general: left for general, left in decision.room.items() if general not in decision.entries}
    troops: dict[Piece, int] = {}
    entries: dict[Piece, City] = {}
    for general, cities in decision.entries.items():
        free = [city for city in cities if not pieces_at(table.state.field, city) and city not in entries.values()]
        if free and (sum(room.values()) < decision.troops or chance.random() < 0.5):
            entries[general], room[general] = pick(chance, free), decision.room[general]
    for _ in range(min(decision.troops, sum(room.values()))):
        general = pick(chance, [g for g, left in room.items() if left])
        room[general] -= 1
        troops[general] = troops.get(general, 0) + 1
    return Recruitment((), troops, {general: city for general, city in entries.items() if general in troops})


def relocate(table: Table, decision: d.Relocate, chance: Random) -> Answer:
    """Move the piece to a random city that the decision allows. In a stack of equal ranks the piece takes command."""
    city = pick(chance, decision.cities)
    stack = [p for p in pieces_at(table.state.field, city) if table.rules.common.is_general(p)]
    needs = bool(stack) and needs_commander(table.rules.common, [*stack, decision.piece])
    return d.GoTo(city, decision.piece if needs else None)


def consent(table: Table, decision: Decision, chance: Random) -> Answer:
    return d.Consent(chance.random() < 0.5)


def vote(table: Table, decision: d.Vote, chance: Random) -> Answer:
    """Give a random number of votes to Charles, and the rest to Francis Stephen."""
    return d.Votes(chance.randint(0, decision.votes))


CHOICES: dict[type[Decision], OneAnswer[Table]] = {
    d.PlaceHussars: place_hussars,
    d.Subsidy: give_subsidy,
    d.Toll: pay_toll,
    March: make_march,
    Recruit: recruit,
    d.ChooseTrump: name_trump,
    d.PlaceInfluence: place_influence,
    d.SelectPolitics: select_politics,
    d.SendCorps: send_corps,
    d.Reinforce: reinforce,
    d.Relocate: relocate,
    d.ShiftSaxony: consent,
    d.OfferPeace: consent,
    d.AcceptPeace: consent,
    d.ReduceObjectives: consent,
    d.Vote: vote,
    d.CedeSilesia: consent,
}
"""Functions that give a random answer to a decision, keyed by the type of the decision. They are for decisions that
other games do not ask, or ask differently."""
