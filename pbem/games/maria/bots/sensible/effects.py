"""Worth of political cards and tracks for one power (§17.5). It follows from the cards, troops, victory markers,
expeditions and allies that they bring to any power."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.engine.conquest import controller
from pbem.engine.field import OFF, are_enemies
from pbem.engine.nouns import NO_POWER, Power
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules.decisions import Politics
from pbem.games.maria.rules.defection import helped_by
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


def interest(outlook: MariaSight, power: Power, winner: Power) -> float:
    """Return the factor by which a gain of the power `winner` counts for the player of `power`."""
    field = outlook.sight.field
    if winner == power:
        return 1.0
    if field.alliances.player[winner] == field.alliances.player[power]:
        return outlook.weights.partner
    return outlook.weights.enemy if are_enemies(field, power, winner) else outlook.weights.rival


def interest_after(outlook: MariaSight, power: Power, winner: Power, status: str) -> float:
    """Return the factor that `interest` would return if Saxony had this status. A gain of Saxony then counts like a
    gain of the power that Saxony helps, but at most like a partner's gain."""
    helped = helped_by(outlook.rules, status)
    if winner != outlook.rules.game.advanced.defection.power or helped is None:
        return interest(outlook, power, winner)
    return min(outlook.weights.partner, interest(outlook, power, helped))


def turns_left(outlook: MariaSight) -> int:
    """Return the number of turns that are left, the present turn included."""
    return max(1, outlook.rules.scenario.turns - outlook.turn + 1)


def lasting_part(outlook: MariaSight) -> float:
    """Return the part of the full worth that a lasting effect still has: 1 in the first half of the game, then less
    with every turn."""
    return min(1.0, 2 * turns_left(outlook) / outlook.rules.scenario.turns)


def marker_worth(outlook: MariaSight, power: Power) -> float:
    """Return the worth of one more victory marker for a power. The worth is the usual one if half of the power's
    markers are in its pool, and grows as the pool gets smaller."""
    assert outlook.affairs is not None
    markers = outlook.affairs.markers.get(power)
    return outlook.weights.marker * (markers.total / (2 * max(1, markers.pool)) if markers else 1.0)


def room_for_troops(outlook: MariaSight, power: Power) -> int:
    """Return the number of troops that a power's generals can take. Generals off the map count, since they may
    re-enter."""
    common, pieces = outlook.sight.common, outlook.sight.field.pieces
    return sum(
        common.limits.troops - max(0, pieces[general].troops)
        for general in common.generals(power)
        if pieces[general].city >= OFF
    )


def box_worth(outlook: MariaSight, power: Power, box: TrackBox) -> float:
    """Return the worth of a box for a power: its gain as long as a track's marker stands in the box."""
    total = 0.0
    for icon in box.icons:
        match icon.kind:
            case "income":
                worth = icon.cards * outlook.weights.lasting * turns_left(outlook)
            case "expedition":
                worth = -outlook.weights.general * lasting_part(outlook)
            case "victory":
                worth = marker_worth(outlook, icon.power)
        total += worth * interest_after(outlook, power, icon.power, box.status)
    if (helped := helped_by(outlook.rules, box.status)) is not None:
        total += outlook.weights.defector * lasting_part(outlook) * interest(outlook, power, helped)
    return total


def announced_box(outlook: MariaSight, track: str) -> int:
    """Return the index of the box that a track's marker reaches by the announced shifts."""
    assert outlook.affairs is not None
    now = outlook.affairs.tracks[track] - 1 + outlook.affairs.shifts.get(track, 0)
    return max(0, min(len(outlook.rules.politics.tracks[track].boxes) - 1, now))


def shift_worth(outlook: MariaSight, power: Power, track: str, steps: int) -> float:
    """Return a power's gain if a track's marker is shifted by `steps`. The gain includes a small part of what further
    shifts in the same direction could bring. Return 0 if the marker would not move."""
    boxes, now = outlook.rules.politics.tracks[track].boxes, announced_box(outlook, track)
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
    """Yield three values for each arrow of a card that Saxony's status allows: the arrow, its steps, and the power's
    gain. If the arrow may be followed in both directions, the direction of greater gain is taken."""
    for arrow in card.shifts:
        if not arrow.while_status or arrow.while_status == status(outlook):
            ways = (arrow.steps, -arrow.steps) if arrow.either else (arrow.steps,)
            steps = max(ways, key=lambda way: shift_worth(outlook, power, arrow.track, way))
            yield arrow, steps, shift_worth(outlook, power, arrow.track, steps)


class Execution(NamedTuple):
    """Card that a power selects, and the answer that says which parts of the card the power executes."""

    power: Power
    card: PoliticalCard
    answer: Politics


def effect_worth(outlook: MariaSight, power: Power, effect: Effects, execution: Execution) -> float:
    """Return the worth of one instruction of a card for a power. `execution` tells who executes the card, and how."""
    match effect:
        case Grant(to, cards, troops):
            receiver = execution.answer.grantee if len(to) > 1 else to[0]
            receiver = execution.power if receiver == "executing" else receiver
            useful = min(troops, room_for_troops(outlook, receiver))
            joined = next((other.status for other in execution.card.effects if isinstance(other, Ally)), "")
            return (cards + outlook.weights.troop * useful) * interest_after(outlook, power, receiver, joined)
        case Income(who, cards, lasting):
            assert outlook.affairs is not None
            now = outlook.affairs.income.get(who, 0)
            turns = outlook.weights.lasting * turns_left(outlook) if lasting else 1
            return (max(0, now + cards) - now) * turns * interest(outlook, power, who)
        case Seize(city, who):
            common, field = outlook.sight.common, outlook.sight.field
            loser = controller(common, field, common.board.index[city])
            if loser == who:
                return 0.0
            gained = marker_worth(outlook, who) * interest(outlook, power, who)
            return (gained - (marker_worth(outlook, loser) * interest(outlook, power, loser) if loser else 0.0)) / 2
        case Ally(wanted):
            track = outlook.rules.game.advanced.defection.track
            boxes = outlook.rules.politics.tracks[track].boxes
            end = next(box for box in boxes if box.status == wanted)
            return box_worth(outlook, power, end) - box_worth(outlook, power, boxes[announced_box(outlook, track)])
        case Expedition(who):
            return -outlook.weights.general * lasting_part(outlook) * interest(outlook, power, who)


def execution_worth(outlook: MariaSight, power: Power, execution: Execution) -> float:
    """Return the worth of a card's execution to `power`, which may be another power than the one that executes the
    card."""
    total = sum(shift_worth(outlook, power, track, steps) for track, steps in execution.answer.shifts.items())
    return total + orders_worth(outlook, power, execution) * execution.answer.instruction


def orders_worth(outlook: MariaSight, power: Power, execution: Execution) -> float:
    """Return the worth of all instructions of a card together for a power."""
    return sum(effect_worth(outlook, power, effect, execution) for effect in execution.card.effects)


class ValuedAnswer(NamedTuple):
    """Answer that uses a political card, with the gain that it brings."""

    gain: float
    answer: Politics


def best_instruction(outlook: MariaSight, power: Power, card: PoliticalCard) -> ValuedAnswer:
    """Return the answer that executes all instructions of a card, but none of its arrows. If the card's grant may go to
    several powers, the best receiver is named."""
    choices = [effect.to for effect in card.effects if isinstance(effect, Grant) and len(effect.to) > 1]
    answers = [Politics(card.number, True, {}, grantee) for grantee in (choices[0] if choices else (NO_POWER,))]
    best = max(answers, key=lambda answer: orders_worth(outlook, power, Execution(power, card, answer)))
    return ValuedAnswer(orders_worth(outlook, power, Execution(power, card, best)), best)


def best_execution(outlook: MariaSight, power: Power, card: PoliticalCard) -> ValuedAnswer:
    """Return the best execution of a card. If no execution gains anything, return an answer that only discards the
    card."""
    orders, answer = best_instruction(outlook, power, card)
    arrows = {arrow.track: (steps, worth) for arrow, steps, worth in shifts_of(outlook, power, card)}
    good = {track: way for track, way in arrows.items() if way[1] > 0}
    instruction = bool(card.effects) and orders > 0
    if not outlook.rules.edition.partial_execution:
        instruction = bool(card.effects)
        if len(card.shifts) == 1:
            good = arrows
            if len(arrows) < len(card.shifts):
                return ValuedAnswer(0.0, Politics(card.number))
    gain = sum(worth for _, worth in good.values()) + (orders if instruction else 0.0)
    if gain <= 0:
        return ValuedAnswer(0.0, Politics(card.number))
    shifts = {track: steps for track, (steps, _) in good.items()}
    grantee = answer.grantee if instruction else NO_POWER
    return ValuedAnswer(gain, Politics(card.number, instruction, shifts, grantee))


def loss_by(outlook: MariaSight, power: Power, rival: Power, card: PoliticalCard) -> float:
    """Return the loss of a power, in cards, if a rival executes a card as is best for the rival."""
    gain, answer = best_execution(outlook, rival, card)
    return max(0.0, -execution_worth(outlook, power, Execution(rival, card, answer))) if gain > 0 else 0.0
