"""Worth of political cards and tracks to a power, in cards of income."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.conquest import controller
from pbem.engine.field import are_enemies
from pbem.engine.nouns import NO_POWER, Power
from pbem.games.maria.bots.sensible.sight import MariaSight
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
    """Worth of another power's gain to a power's player, as a factor."""
    sight = outlook.sight
    if other == power:
        return 1.0
    if power in sight.hands and other in sight.hands:
        return outlook.weights.partner
    return outlook.weights.enemy if are_enemies(sight.field, power, other) else outlook.weights.rival


def turns_left(outlook: MariaSight) -> int:
    """Turns left, this one included."""
    return max(1, outlook.rules.scenario.turns - outlook.turn + 1)


def box_worth(outlook: MariaSight, power: Power, box: TrackBox) -> float:
    """Worth to a power of a track's marker in a box."""
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
    """Boxes of a track, and the one where its marker will stand after the announced shifts."""
    assert outlook.affairs is not None
    boxes = outlook.rules.politics.tracks[track].boxes
    now = outlook.affairs.tracks[track] - 1 + outlook.affairs.shifts.get(track, 0)
    return boxes, max(0, min(len(boxes) - 1, now))


def shift_worth(outlook: MariaSight, power: Power, track: str, steps: int) -> float:
    """Gain of a shift, with a small part of the gain at the end of the track for steps without effect yet."""
    boxes, now = boxes_of(outlook, track)
    end = max(0, min(len(boxes) - 1, now + steps))
    beyond = len(boxes) - 1 if steps > 0 else 0
    direction = box_worth(outlook, power, boxes[beyond]) - box_worth(outlook, power, boxes[now])
    gain = box_worth(outlook, power, boxes[end]) - box_worth(outlook, power, boxes[now])
    return gain + (direction - gain) / len(boxes) if end != now else 0.0


def status(outlook: MariaSight) -> str:
    """Status of the power that may change sides."""
    assert outlook.affairs is not None
    track = outlook.rules.game.advanced.defection.track
    return outlook.rules.politics.tracks[track].boxes[outlook.affairs.tracks[track] - 1].status


def shifts_of(outlook: MariaSight, power: Power, card: PoliticalCard) -> Iterator[tuple[CardShift, int, float]]:
    """Arrows of a card that may be followed now, each in its better direction, with their gain."""
    for arrow in card.shifts:
        if not arrow.while_status or arrow.while_status == status(outlook):
            ways = (arrow.steps, -arrow.steps) if arrow.either else (arrow.steps,)
            steps = max(ways, key=lambda way: shift_worth(outlook, power, arrow.track, way))
            yield arrow, steps, shift_worth(outlook, power, arrow.track, steps)


def effect_worth(outlook: MariaSight, power: Power, effect: Effects, grantee: Power) -> float:
    """Gain of an instruction."""
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
    """Gain and choice of the best execution of a card; nothing is executed if all of it does harm."""
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
