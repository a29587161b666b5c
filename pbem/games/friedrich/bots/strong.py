"""Bots of FRIEDRICH: a random bot, a bot for an absent player, and the strong bot, which gives reasons for its
answers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pbem.bots.plain import OneAnswer, pay, pick, pick_card
from pbem.bots.sensible.reasons import aims_by_level, why_card, why_march, why_retreat, why_troops
from pbem.bots.sensible.valuing import PlaceValues
from pbem.bots.weights import fitted_weights
from pbem.engine import decisions as d
from pbem.engine import march
from pbem.engine.cards import is_reserve, points, value_of
from pbem.engine.decisions import Answer, Decision, March, PlayCard, Recruitment
from pbem.engine.field import OFF, by_command, pieces_by_city
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.faults.wrong import Words
from pbem.games.friedrich.bots import sensible
from pbem.games.friedrich.bots.sensible.answers import FriedrichSight, FriedrichWeights, aims_of, see
from pbem.games.friedrich.rules import decisions as friedrich
from pbem.games.friedrich.rules import movement, recruiting
from pbem.games.friedrich.rules.effects import may_play
from pbem.games.friedrich.rules.state import Table


def hold(table: Table, decision: d.Decision) -> d.Answer:
    """Return the answer for an absent player to a decision that only FRIEDRICH asks, or asks in its own way."""
    match decision:
        case d.March():
            return d.Done()
        case friedrich.Levy():
            return d.Recruitment()
        case friedrich.ReturnCards():
            return friedrich.CardsBack(tuple(cards_by_value(decision.cards)[: decision.count]))
        case d.PlayCard():
            card, most = decision.cards[0], table.rules.common.decks.reserve_most
            return d.Play(card, next(value for value in range(1, most + 1) if may_play(table, card, value)))
        case friedrich.ChooseGeneral():
            return friedrich.NamedGeneral(choose_general(table, decision))
        case friedrich.GiveCard():
            return friedrich.GivenCard(None if decision.may_decline else cards_by_value(decision.cards)[0])
        case friedrich.ShiftPieces():
            return friedrich.Shift(None)
        case friedrich.ChooseCities():
            names = table.rules.common.board.cities
            return friedrich.NamedCities(
                tuple(sorted(decision.cities, key=lambda city: names[city].name)[: decision.count])
            )
    raise NotImplementedError(f"an absent player has no answer to {type(decision).__name__}")


def cards_by_value(cards: Sequence[Card]) -> list[Card]:
    """Return the cards from the least to the highest value, Reserves last."""
    return sorted(cards, key=lambda card: (is_reserve(card), value_of(card), card))


def choose_general(table: Table, decision: friedrich.ChooseGeneral) -> Piece:
    """Return the general whom the bot names. If the general loses a troop, name the general with the most troops; if he
    gains a troop, the general with the fewest. If the general leaves the game, name a general off the map, or else the
    general with the fewest troops."""
    pieces, ranks = table.state.field.pieces, table.rules.common.pieces
    match decision.reason:
        case "loss":
            return max(decision.generals, key=lambda g: (pieces[g].troops, -ranks[g].rank))
        case "gain":
            return min(decision.generals, key=lambda g: (pieces[g].troops, ranks[g].rank))
        case "removal":
            return min(decision.generals, key=lambda g: (pieces[g].city != OFF, pieces[g].troops, -ranks[g].rank))


RECRUITS_EARLY = 0.05
"""Chance that the random bot recruits before its next march."""

STOPS_MOVING = 0.05
"""Chance that the random bot ends its marches before its next march."""


def give_back(table: Table, decision: friedrich.ReturnCards, chance: Random) -> d.Answer:
    """Choose at random the cards that the power sets aside from those just drawn."""
    return friedrich.CardsBack(tuple(chance.sample(decision.cards, decision.count)))


def make_march(table: Table, decision: d.March, chance: Random) -> d.Answer:
    """Return a random march of one piece, of two generals of a stack, or of the whole stack. Sometimes return recruits,
    or the end of the marches."""
    for levy in recruiting.early_levies(table) if chance.random() < RECRUITS_EARLY else ():
        recruits = recruit(table, levy, chance)
        if isinstance(recruits, d.Recruitment) and recruits.cards:
            return recruits
    if not decision.pieces or chance.random() < STOPS_MOVING:
        return d.Done()
    rules, state = table.rules.common, table.state
    piece = pick(chance, decision.pieces)
    movers = [piece]
    if rules.is_general(piece):
        there = pieces_by_city(rules, state.field).at[state.field.pieces[piece].city]
        mates = [mate for mate in there if mate in decision.pieces and rules.is_general(mate)] if len(there) > 1 else []
        if len(mates) > 1 and chance.random() < 0.6:
            mates = by_command(rules, state.field, mates)
            movers = mates if chance.random() < 0.7 else chance.sample(mates, 2)
    if not movement.may_part(table, movers):
        return d.Done()
    ways = march.destinations(movement.column_of(table, movers))
    return d.Move(tuple(movers), ways[pick(chance, list(ways))]) if ways else d.Done()


def recruit(table: Table, decision: friedrich.Levy, chance: Random) -> d.Answer:
    """Return random recruits: troops for generals on the map or off it, and lost trains."""
    affordable = points(table.rules.common.decks, decision.hand) // decision.price
    wanted = chance.randint(0, affordable)
    room = dict(decision.room)
    troops: dict[Piece, int] = {}
    entries: dict[Piece, City] = {}
    taken: set[City] = set()
    options = [*room, *(piece for piece in decision.entries if not table.rules.common.is_general(piece))]
    chance.shuffle(options)
    for piece in options * 3:
        if not wanted:
            break
        is_train = piece not in room
        off = table.state.field.pieces[piece].city < 0 and piece not in entries
        full = not is_train and (not room[piece] or sum(troops.values()) >= decision.most)
        if full or (is_train and piece in entries):
            continue
        if off:
            free = [city for city in decision.entries.get(piece, ()) if city not in taken]
            if not free or (decision.one_city and taken):
                continue
            entries[piece] = pick(chance, free)
            taken.add(entries[piece])
        if not is_train:
            room[piece] -= 1
            troops[piece] = troops.get(piece, 0) + 1
        wanted -= 1
    trains = sum(not table.rules.common.is_general(piece) for piece in entries)
    price = (sum(troops.values()) + trains) * decision.price
    return d.Recruitment(pay(table, decision.hand, price, chance), troops, entries) if price else d.Recruitment()


def play_card(table: Table, decision: d.PlayCard, chance: Random) -> d.Answer:
    """Play a random card that may be played, or stop if that is allowed. A Reserve gets a random value that the Card of
    Fate allows. A card that may be declared at twice its value is sometimes declared so."""
    card = pick_card(decision, chance)
    if card is None:
        return d.Stop()
    most = table.rules.common.decks.reserve_most
    values = [value for value in range(1, most + 1) if may_play(table, card, value)] if is_reserve(card) else [0]
    if not is_reserve(card) and table.state.fate.in_force and may_play(table, card, 2 * value_of(card)):
        values.append(2 * value_of(card))
    return d.Play(card, pick(chance, values))


def name_general(table: Table, decision: friedrich.ChooseGeneral, chance: Random) -> d.Answer:
    return friedrich.NamedGeneral(pick(chance, decision.generals))


def give_card(table: Table, decision: friedrich.GiveCard, chance: Random) -> d.Answer:
    """Give a random card, or no card where the player may decline."""
    return friedrich.GivenCard(pick(chance, [*decision.cards, *([None] if decision.may_decline else [])]))


def shift_pieces(table: Table, decision: friedrich.ShiftPieces, chance: Random) -> d.Answer:
    """Move the pieces to a random city, or let them stay."""
    return friedrich.Shift(pick(chance, [None, *decision.cities]))


def choose_cities(table: Table, decision: friedrich.ChooseCities, chance: Random) -> d.Answer:
    return friedrich.NamedCities(tuple(chance.sample(decision.cities, decision.count)))


CHOICES: dict[type[d.Decision], OneAnswer[Table]] = {
    friedrich.ReturnCards: give_back,
    d.March: make_march,
    friedrich.Levy: recruit,
    d.PlayCard: play_card,
    friedrich.ChooseGeneral: name_general,
    friedrich.GiveCard: give_card,
    friedrich.ShiftPieces: shift_pieces,
    friedrich.ChooseCities: choose_cities,
}
"""Functions that give a random answer to a decision, keyed by the type of the decision. They are for decisions that
other games do not ask, or ask differently."""


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """Return the strong bot's answer. It is the answer of the sensible bot with the weights that games between bots
    have shown to be best."""
    return sensible.choose(table, decision, chance, fitted_weights(table, decision.power, FriedrichWeights))


def sight_of(table: Table, power: Power) -> FriedrichSight:
    """Return the position as the power's player knows it, with the strong bot's weights."""
    return see(table, power, fitted_weights(table, power, FriedrichWeights))


def why(table: Table, decision: Decision, answer: Answer) -> tuple[Words, ...]:
    """Return the reasons for the strong bot's answer. Only marches, cards and recruits have reasons."""
    outlook = sight_of(table, decision.power)
    match decision, answer:
        case March(), _:
            return why_march(judge_of(outlook), decision, answer)
        case d.ChooseRetreat(), _:
            return why_retreat(outlook.sight, decision, answer)
        case PlayCard(), _:
            first = choose(table, decision, Random(0))  # noqa: S311 - a card is chosen without chance
            return why_card(outlook.sight, decision, answer, first)
        case friedrich.Levy(), Recruitment():
            return why_troops(outlook.sight, decision.hand, answer)
    return ()


def judge_of(outlook: FriedrichSight) -> PlaceValues:
    return PlaceValues(outlook.sight, aims_of(outlook))


AIMS = aims_by_level(
    strong=lambda table, power: judge_of(sight_of(table, power)),
    sensible=lambda table, power: judge_of(see(table, power)),
)
"""Functions that return the aim of a march, keyed by the level of the bot that has chosen the march."""
