"""Politics of the sensible bot: the worth of political cards and tracks, its answers in the political stage, and its
consents (§17 to §19)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from pbem.engine.cards import is_reserve, suit_of, value_of
from pbem.engine.conquest import controller
from pbem.engine.decisions import Answer
from pbem.engine.field import are_enemies, troops_of
from pbem.engine.nouns import NO_POWER, Card, Power, Suit
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.affairs import AffairsView
from pbem.games.maria.rules.decisions import Politics
from pbem.games.maria.rules.politics_data import (
    Ally,
    CardShift,
    Effects,
    Expedition,
    Grant,
    Income,
    PoliticalCard,
    Seize,
    TrackBox,
)


def interest(outlook: MariaSight, power: Power, other: Power) -> float:
    """Return the factor by which a gain of the power `other` counts for the player of `power`."""
    sight = outlook.sight
    if other == power:
        return 1.0
    if power in sight.hands and other in sight.hands:
        return outlook.weights.partner
    return outlook.weights.enemy if are_enemies(sight.field, power, other) else outlook.weights.rival


def turns_left(outlook: MariaSight) -> int:
    """Return the number of turns that are left, the present turn included."""
    return max(1, outlook.rules.scenario.turns - outlook.turn + 1)


def box_worth(outlook: MariaSight, power: Power, box: TrackBox) -> float:
    """Return the worth of a box of a political track for a power, if the track's marker stands there."""
    defection = outlook.rules.game.advanced.defection
    total = 0.0
    for icon in box.icons:
        worth = {
            "income": icon.cards * outlook.weights.lasting * turns_left(outlook),
            "expedition": -outlook.weights.general,
            "victory": outlook.weights.marker,
        }[icon.kind]
        total += worth * interest(outlook, power, icon.power)
    if box.status == "prussian ally":
        total += outlook.weights.defector * interest(outlook, power, defection.patron)
    elif box.status == "austrian ally":
        total += outlook.weights.defector * interest(outlook, power, defection.suitor)
    return total


def boxes_of(outlook: MariaSight, track: str) -> tuple[tuple[TrackBox, ...], int]:
    """Return the boxes of a track, and the index of the box where its marker will stand once the announced shifts are
    carried out."""
    assert outlook.affairs is not None
    boxes = outlook.rules.politics.tracks[track].boxes
    now = outlook.affairs.tracks[track] - 1 + outlook.affairs.shifts.get(track, 0)
    return boxes, max(0, min(len(boxes) - 1, now))


def shift_worth(outlook: MariaSight, power: Power, track: str, steps: int) -> float:
    """Return a power's gain if a track's marker is shifted by `steps`, with a small part of what further shifts in this
    direction may bring."""
    boxes, now = boxes_of(outlook, track)
    end = max(0, min(len(boxes) - 1, now + steps))
    beyond = len(boxes) - 1 if steps > 0 else 0
    direction = box_worth(outlook, power, boxes[beyond]) - box_worth(outlook, power, boxes[now])
    gain = box_worth(outlook, power, boxes[end]) - box_worth(outlook, power, boxes[now])
    return gain + (direction - gain) / len(boxes) if end != now else 0.0


def status(outlook: MariaSight) -> str:
    """Return the status of Saxony, the power that may change sides: an ally of one side, or neutral."""
    assert outlook.affairs is not None
    track = outlook.rules.game.advanced.defection.track
    return outlook.rules.politics.tracks[track].boxes[outlook.affairs.tracks[track] - 1].status


def shifts_of(outlook: MariaSight, power: Power, card: PoliticalCard) -> Iterator[tuple[CardShift, int, float]]:
    """Yield each arrow of a card that may be followed now, with its steps and the gain. If the arrow may be followed in
    both directions, the steps are those with the greater gain."""
    for arrow in card.shifts:
        if not arrow.while_status or arrow.while_status == status(outlook):
            ways = (arrow.steps, -arrow.steps) if arrow.either else (arrow.steps,)
            steps = max(ways, key=lambda way: shift_worth(outlook, power, arrow.track, way))
            yield arrow, steps, shift_worth(outlook, power, arrow.track, steps)


def effect_worth(outlook: MariaSight, power: Power, effect: Effects, grantee: Power) -> float:
    """Return a power's gain by an instruction of a card. `grantee` is the power chosen to receive a gift, if the
    instruction offers a choice."""
    match effect:
        case Grant(to, cards, troops):
            receiver = grantee if len(to) > 1 else to[0]
            receiver = power if receiver == "executing" else receiver
            return (cards + outlook.weights.troop * troops) * interest(outlook, power, receiver)
        case Income(who, cards, lasting):
            turns = outlook.weights.lasting * turns_left(outlook) if lasting else 1
            return cards * turns * interest(outlook, power, who)
        case Seize(city, who):
            common, field = outlook.sight.common, outlook.sight.field
            loser = controller(common, field, common.board.index[city])
            lost = interest(outlook, power, loser) if loser else 0.0
            return 0.0 if loser == who else outlook.weights.marker / 2 * (interest(outlook, power, who) - lost)
        case Ally(wanted):
            boxes, now = boxes_of(outlook, outlook.rules.game.advanced.defection.track)
            end = next(box for box in boxes if box.status == wanted)
            return box_worth(outlook, power, end) - box_worth(outlook, power, boxes[now])
        case Expedition(who):
            return -outlook.weights.general * interest(outlook, power, who)


def best_execution(outlook: MariaSight, power: Power, card: PoliticalCard) -> tuple[float, Politics]:
    """Return the gain of the best execution of a card, and that execution. If no execution gains anything, return zero
    and an answer that only discards the card."""
    choices = [effect.to for effect in card.effects if isinstance(effect, Grant) and len(effect.to) > 1]
    grantee = max(choices[0], key=lambda to: interest(outlook, power, to)) if choices else NO_POWER
    orders = sum(effect_worth(outlook, power, effect, grantee) for effect in card.effects)
    arrows = {arrow.track: (steps, worth) for arrow, steps, worth in shifts_of(outlook, power, card)}
    good = {track: way for track, way in arrows.items() if way[1] > 0}
    instruction = bool(card.effects) and orders > 0
    if not outlook.rules.edition.partial_execution:
        instruction = bool(card.effects)
        if len(card.shifts) == 1:
            good = arrows
            if len(arrows) < len(card.shifts):
                return 0.0, Politics(card.number)
    gain = sum(worth for _, worth in good.values()) + (orders if instruction else 0.0)
    if gain <= 0:
        return 0.0, Politics(card.number)
    shifts = {track: steps for track, (steps, _) in good.items()}
    return gain, Politics(card.number, instruction, shifts, grantee if instruction else NO_POWER)


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


def place_influence(outlook: MariaSight, decision: d.PlaceInfluence, chance: Random) -> Answer:
    """Place the lowest card that gives the power more influence than every other player has, if the political cards are
    worth its cost. Otherwise place no card, or by chance a card that gives no influence (`bluff`)."""
    affairs, power = affairs_of(outlook), decision.power
    at_stake = max((stake(outlook, power, number) for number in affairs.open), default=0.0)
    if at_stake < outlook.weights.worth_a_card:
        return d.Influence(bluff(outlook, decision, chance))
    needed = most_influence(outlook, power) - affairs.display[power].influence
    reserve = outlook.rules.politics.reserve
    fitting = sorted(
        (reserve if is_reserve(card) else value_of(card), card)
        for card in decision.hand
        if stays_on_display(affairs, card)
    )
    enough = [
        (points, card) for points, card in fitting if points > needed and points * outlook.weights.price <= at_stake
    ]
    return d.Influence(enough[0][1] if enough else bluff(outlook, decision, chance))


def bluff(outlook: MariaSight, decision: d.PlaceInfluence, chance: Random) -> Card | None:
    """Return, by chance with the weight `bluff`, a card that gives no influence and comes back to the hand; otherwise
    None. Others must reckon with a placed card until it is turned up. With the optional rule such cards stay placed
    (§25.5), so the result is None."""
    if not outlook.weights.bluff or outlook.rules.terms.bluffing or chance.random() >= outlook.weights.bluff:
        return None
    back = [card for card in decision.hand if not stays_on_display(affairs_of(outlook), card)]
    return min(back, key=lambda card: (value_of(card), card), default=None)


def stays_on_display(affairs: AffairsView, card: Card) -> bool:
    """True if a card would stay on the display. A card that is neither trump nor a Reserve would go back to the hand
    (§17.4)."""
    return is_reserve(card) or suit_of(card) == affairs.trump


def most_influence(outlook: MariaSight, power: Power) -> int:
    """Return the greatest influence of any power of another player, with a guess for face-down cards."""
    displays, own = affairs_of(outlook).display, outlook.sight.hands
    others = (display for other, display in displays.items() if other not in own)
    return max((display.influence + outlook.weights.covered * display.covered for display in others), default=0)


def stake(outlook: MariaSight, power: Power, number: int) -> float:
    """Return the worth of a political card for a power, with the worth of keeping the card from enemies; 0 if the power
    may not select the card."""
    card = card_facts(outlook, number)
    if power not in card.arms:
        return 0.0
    rivals = [other for other in card.arms if other in outlook.rules.powers]
    return max(0.0, best_execution(outlook, power, card)[0]) + denial_worth(outlook, power, card, rivals)


def denial_worth(outlook: MariaSight, power: Power, card: PoliticalCard, rivals: Sequence[Power]) -> float:
    """Return the worth of keeping a political card from these rivals. Only enemies of the power count."""
    field, own = outlook.sight.field, outlook.sight.hands
    gains = (
        best_execution(outlook, other, card)[0]
        for other in rivals
        if other in card.arms and other not in own and are_enemies(field, other, power)
    )
    return outlook.weights.denied * max(0.0, max(gains, default=0.0))


def select(outlook: MariaSight, decision: d.SelectPolitics, chance: Random) -> Answer:
    """Select the card of greatest worth if that exceeds the cost of the influence, else none. A card that only keeps a
    gain from others is discarded."""
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
    """Let Saxony's marker move if this does the power no harm."""
    track = outlook.rules.game.advanced.defection.track
    return d.Consent(shift_worth(outlook, decision.power, track, decision.steps) >= 0)


def offer_peace(outlook: MariaSight, decision: d.OfferPeace, chance: Random) -> Answer:
    """Offer peace if few markers would be lost and the enemy has at least as many troops."""
    power, victim = decision.power, outlook.rules.game.advanced.annexation.victim
    return d.Consent(
        markers_abroad(outlook) <= FEW_ABROAD and troop_total(outlook, power) <= troop_total(outlook, victim)
    )


def accept_peace(outlook: MariaSight, decision: d.AcceptPeace, chance: Random) -> Answer:
    """Accept peace with an enemy who has at least as many troops, unless the peace would bring him near victory."""
    enemy = decision.offered_by
    lost = markers_abroad(outlook)
    # The enemy's pool after such a peace: markers abroad come back, half of them, rounded up, are set aside, and one
    # goes into the box for Silesia (§19.1). An empty pool wins, so a large one is safe.
    pool = affairs_of(outlook).markers[enemy].pool + lost - (lost + 1) // 2 - 1
    return d.Consent(
        pool >= outlook.weights.safe_pool and troop_total(outlook, decision.power) <= troop_total(outlook, enemy)
    )


def markers_abroad(outlook: MariaSight) -> int:
    """Return the number of markers of the annexing power in its enemy's country, outside the land that it would
    annex."""
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
    """Give fortresses up if the power would give up at least two, and only in the first half of the game."""
    return d.Consent(decision.fortresses > 1 and 2 * outlook.turn <= outlook.rules.scenario.turns)


def vote(outlook: MariaSight, decision: d.Vote, chance: Random) -> Answer:
    """Give all votes to the candidate whose election is better for the power."""
    friends = outlook.rules.game.advanced.prizes.emperor
    worth = {name: interest(outlook, decision.power, friend) for name, friend in friends.items()}
    return d.Votes(decision.votes if worth["charles"] > worth["francis"] else 0)


def cede_silesia(outlook: MariaSight, decision: d.CedeSilesia, chance: Random) -> Answer:
    """Cede Silesia if one of the powers that would then leave the war is near its goal."""
    gambit, sight = outlook.rules.scenario.gambit, outlook.sight
    assert gambit is not None
    for power, goal in outlook.rules.scenario.goals.items():
        cities = [city for city in sight.common.board.fortresses if sight.common.board.land[city] in goal.lands]
        held = sum(controller(sight.common, sight.field, city) == power for city in cities)
        if power in gambit.leaving and held >= NEARLY_WON * goal.fortresses:
            return d.Consent(True)
    return d.Consent(False)
