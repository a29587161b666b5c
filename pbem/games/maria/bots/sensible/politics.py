"""Politics of the sensible bot: its answers in the political stage, on peace and alliances, and in the election (§17 to
§19)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import NamedTuple

from pbem.engine.cards import is_reserve, suit_of, value_of
from pbem.engine.conquest import controller
from pbem.engine.decisions import Answer
from pbem.engine.field import troops_of
from pbem.engine.nouns import Card, Power, Suit
from pbem.games.maria.bots.sensible.effects import best_execution, interest, loss_by, shift_worth
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.affairs import AffairsView
from pbem.games.maria.rules.politics_data import Political, PoliticalCard


def affairs_of(outlook: MariaSight) -> AffairsView:
    assert outlook.affairs is not None
    return outlook.affairs


def card_facts(outlook: MariaSight, number: int) -> PoliticalCard:
    return outlook.rules.politics.card_by_number[number]


def name_trump(outlook: MariaSight, decision: d.ChooseTrump, chance: Random) -> Answer:
    """Name the suit in which the player's hands have the most points."""
    hands = [card for hand in outlook.sight.hands.values() for card in hand if not is_reserve(card)]
    return d.NameTrump(
        max(map(Suit, range(4)), key=lambda suit: sum(value_of(card) for card in hands if suit_of(card) == suit))
    )


class Bid(NamedTuple):
    """Chance of a power to get a political card by placing influence now."""

    number: Political
    stake: float
    """Worth of the political card (`stake`)."""
    is_needed: bool
    """False if the power has more influence than every rival already, and no rival can place a card after the power."""
    cost: float
    """Worth of `card`, in cards drawn; 0 without such a card."""
    card: Card | None
    """Lowest card in hand that gives more influence than every rival has; None if no card gives so much."""


def bids(outlook: MariaSight, decision: d.PlaceInfluence) -> list[Bid]:
    """Return the bids of a power for all open political cards, in the sequence of these cards."""
    fitting = cards_of_influence(outlook, decision)
    return [bid_for(outlook, decision.power, number, fitting) for number in affairs_of(outlook).open]


def cards_of_influence(outlook: MariaSight, decision: d.PlaceInfluence) -> list[tuple[int, Card]]:
    """Return the cards in hand that give influence, the lowest first, each with its points."""
    reserve = outlook.rules.politics.reserve
    stays = [card for card in decision.hand if stays_on_display(affairs_of(outlook), card)]
    return sorted((reserve if is_reserve(card) else value_of(card), card) for card in stays)


def bid_for(outlook: MariaSight, power: Power, number: Political, fitting: Sequence[tuple[int, Card]]) -> Bid:
    """Return the bid of a power for a political card; `fitting` are its cards that give influence."""
    rivals = rivals_for(outlook, power, number)
    needed = most_influence(outlook, rivals) - affairs_of(outlook).display[power].influence
    is_needed = needed >= 0 or place_later(outlook, power, rivals)
    points, card = next(((points, card) for points, card in fitting if points > needed), (0, None))
    return Bid(number, stake(outlook, power, number), is_needed, points * outlook.weights.price, card)


def best_bid(outlook: MariaSight, decision: d.PlaceInfluence) -> Bid | None:
    """Return the bid with the greatest gain; None if no bid counts. A bid counts only if rivals make it necessary, if
    the hand has a card for it, and if the stake is worth the cost."""
    least = outlook.weights.worth_a_card
    good = [bid for bid in bids(outlook, decision) if bid.stake >= least and bid.is_needed and bid.card is not None]
    return max((bid for bid in good if bid.cost <= bid.stake), key=lambda bid: bid.stake - bid.cost, default=None)


def place_influence(outlook: MariaSight, decision: d.PlaceInfluence, chance: Random) -> Answer:
    """Place the card of the best bid. If there is none, place a card as a bluff, or no card."""
    best = best_bid(outlook, decision)
    return d.Influence(best.card if best else bluff(outlook, decision, chance))


def rivals_for(outlook: MariaSight, power: Power, number: int) -> list[Power]:
    """Return the powers of other players that may select the political card with this number."""
    arms, own = card_facts(outlook, number).arms, outlook.sight.hands
    return [other for other in arms if other not in own and other in outlook.rules.powers]


def place_later(outlook: MariaSight, power: Power, rivals: Collection[Power]) -> bool:
    """True if any of the rivals places a card after this power, or at the same time (§17.3)."""
    squares = outlook.rules.politics.squares
    at_once = outlook.rules.terms.placing == "simultaneous"
    return any(at_once or squares.index(rival) > squares.index(power) for rival in rivals)


def bluff(outlook: MariaSight, decision: d.PlaceInfluence, chance: Random) -> Card | None:
    """Return a card for a bluff. Return None if chance decides against a bluff (weight `bluff`), or if no card of the
    hand would come back. Such a card gives no influence. Under the optional rule no card comes back, so there is no
    bluff (§25.5)."""
    if not outlook.weights.bluff or outlook.rules.terms.bluffing or chance.random() >= outlook.weights.bluff:
        return None
    back = [card for card in decision.hand if not stays_on_display(affairs_of(outlook), card)]
    return min(back, key=lambda card: (value_of(card), card), default=None)


def stays_on_display(affairs: AffairsView, card: Card) -> bool:
    """True if a card would stay on the display, because it is trump or a Reserve (§17.4)."""
    return is_reserve(card) or suit_of(card) == affairs.trump


def most_influence(outlook: MariaSight, rivals: Iterable[Power]) -> int:
    """Return the greatest influence of any of these powers, with a guess for face-down cards."""
    displays = affairs_of(outlook).display
    shown = [displays[rival] for rival in rivals if rival in displays]
    return max((display.influence + outlook.weights.covered * display.covered for display in shown), default=0)


def stake(outlook: MariaSight, power: Power, number: int) -> float:
    """Return the worth of a political card for a power: the gain by its best execution, and the worth of keeping it
    from rivals. The worth is 0 if the power may not select the card."""
    card = card_facts(outlook, number)
    if power not in card.arms:
        return 0.0
    rivals = rivals_for(outlook, power, number)
    return max(0.0, best_execution(outlook, power, card).gain) + denial_worth(outlook, power, card, rivals)


def denial_worth(outlook: MariaSight, power: Power, card: PoliticalCard, rivals: Iterable[Power]) -> float:
    """Return the worth of keeping a political card from rivals: the greatest loss that a rival of another player can
    cause by executing it, times the weight `denied`."""
    able = [rival for rival in rivals if rival in card.arms and rival not in outlook.sight.hands]
    return outlook.weights.denied * max((loss_by(outlook, power, rival, card) for rival in able), default=0.0)


def select(outlook: MariaSight, decision: d.SelectPolitics, chance: Random) -> Answer:
    """Select the card of greatest worth if it is worth more than the power's influence; else select none. A card whose
    execution gains nothing is only discarded."""
    affairs, power = affairs_of(outlook), decision.power
    best, most = d.Politics(None), outlook.weights.price * affairs.display[power].influence
    for number in decision.cards:
        card = card_facts(outlook, number)
        gain, answer = best_execution(outlook, power, card) if decision.may_execute else (0.0, d.Politics(number))
        worth = gain + denial_worth(outlook, power, card, affairs.order[1:])
        if worth > most:
            best, most = answer, worth
    return best


FEW_ABROAD = 1
"""Greatest number of markers that the bot gives up by an offer of peace."""

NEARLY_WON = 0.6
"""Part of its goal that a power must hold before the bot cedes Silesia to make that power leave."""


def shift_saxony(outlook: MariaSight, decision: d.ShiftSaxony, chance: Random) -> Answer:
    """Let Saxony's marker move if the move does the power no harm."""
    track = outlook.rules.game.advanced.defection.track
    return d.Consent(shift_worth(outlook, decision.power, track, decision.steps) >= 0)


def offer_peace(outlook: MariaSight, decision: d.OfferPeace, chance: Random) -> Answer:
    """Offer peace if few markers would be lost (`FEW_ABROAD`), and if the enemy has at least as many troops as the
    power."""
    power, victim = decision.power, outlook.rules.game.advanced.annexation.victim
    return d.Consent(
        markers_abroad(outlook) <= FEW_ABROAD and troop_total(outlook, power) <= troop_total(outlook, victim)
    )


def accept_peace(outlook: MariaSight, decision: d.AcceptPeace, chance: Random) -> Answer:
    """Accept peace if the enemy has at least as many troops as the power, and would keep enough markers in his pool
    (weight `safe_pool`)."""
    enemy = decision.offered_by
    lost = markers_abroad(outlook)
    # The enemy's pool after the peace: markers abroad come back, half of them, rounded up, are set aside, and one
    # marker goes into the box for Silesia (§19.1). The enemy wins with an empty pool, so a large pool is safe.
    pool = affairs_of(outlook).markers[enemy].pool + lost - (lost + 1) // 2 - 1
    return d.Consent(
        pool >= outlook.weights.safe_pool and troop_total(outlook, decision.power) <= troop_total(outlook, enemy)
    )


def markers_abroad(outlook: MariaSight) -> int:
    """Return the number of markers that the annexing power has in its enemy's country outside the annexed land."""
    annexation = outlook.rules.game.advanced.annexation
    field, land = outlook.sight.field, outlook.sight.common.board.land
    return sum(
        holder == annexation.by
        and land[city] != annexation.land
        and field.alliances.home.get(land[city]) == annexation.victim
        for city, holder in field.markers.items()
    )


def troop_total(outlook: MariaSight, power: Power) -> int:
    """Return the public number of all troops of a power."""
    return troops_of(outlook.sight.common, outlook.sight.field, power)


def reduce_objectives(outlook: MariaSight, decision: d.ReduceObjectives, chance: Random) -> Answer:
    """Agree to give up the fortresses in Core-Austria (§19.2) if there are two or more, in the first half of the
    game."""
    return d.Consent(len(decision.fortresses) > 1 and 2 * outlook.turn <= outlook.rules.scenario.turns)


def vote(outlook: MariaSight, decision: d.Vote, chance: Random) -> Answer:
    """Give all votes to the candidate whose election is better for the power."""
    friends = outlook.rules.game.advanced.prizes.emperor
    worth = {name: interest(outlook, decision.power, friend) for name, friend in friends.items()}
    return d.Votes(decision.votes if worth["charles"] > worth["francis"] else 0)


def cede_silesia(outlook: MariaSight, decision: d.CedeSilesia, chance: Random) -> Answer:
    """Cede Silesia if a power that is near its goal (`NEARLY_WON`) would then leave the war."""
    gambit, sight = outlook.rules.scenario.gambit, outlook.sight
    assert gambit is not None
    for power, goal in outlook.rules.scenario.goals.items():
        cities = [city for city in sight.common.board.fortresses if sight.common.board.land[city] in goal.lands]
        held = sum(controller(sight.common, sight.field, city) == power for city in cities)
        if power in gambit.leaving and held >= NEARLY_WON * goal.fortresses:
            return d.Consent(True)
    return d.Consent(False)
