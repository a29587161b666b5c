"""Reasons for a bot's answer, in words. The gains that decided the answer come first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from pbem.bots.plain import Aim
from pbem.bots.sensible.fighting import (
    chance_to_win,
    chosen_card,
    enemy_in_duel,
    hold_at,
    laid_open_at,
    least_chance,
    own_troops,
    unknown_card,
)
from pbem.bots.sensible.sight import Sight
from pbem.bots.sensible.valuing import MarchOption, MarchValues, PlaceValues, enemy_fortresses, may_conquer
from pbem.engine import decisions as d
from pbem.engine.board import SUITS
from pbem.engine.cards import is_reserve, points, suit_of
from pbem.engine.combat import falling_behind, pairings
from pbem.engine.conquest import protectors
from pbem.engine.march import CityEntry, Column
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.roads import Road
from pbem.faults.nouns import SIGN_OF_SUIT
from pbem.faults.wrong import Words, words
from pbem.kit import AnyTable

MOST = 3
"""Greatest number of reasons that are told for one answer."""

LITTLE = 0.5
"""Largest worth of a gain that is too small to be told as a reason."""

WeighedReason = tuple[float, Words]
"""Worth of a gain, and the words for the gain."""


def why_march(judge: PlaceValues, decision: d.March, answer: d.Answer) -> tuple[Words, ...]:
    """Return at most `MOST` reasons, in words, for a march or for staying. For any other answer there are none."""
    if isinstance(answer, d.Done):
        return (*why_guards(judge, decision), words("why-stay"))
    if not isinstance(answer, d.Move):
        return ()
    if not judge.sight.common.is_general(answer.pieces[0]):
        return (words("why-haul"),)
    mission, start, end = MarchValues(judge, answer.pieces), judge.sight.place(answer.pieces[0]), answer.path[-1]
    weighed = weighed_gains(mission, answer)
    # A march that chance alone decided has no gains, and so no reasons.
    weighty = [each for each in weighed if each[0] > LITTLE] or [each for each in weighed[:1] if each[0] > 0]
    # A battle and a lack of supply are always told, so that a person who follows the advice knows of them.
    winning = mission.winning(end)
    battle = () if winning is None else (fight_words(mission, end, winning),)
    lack = (words("why-hungry"),) if mission.hunger(end) > max(0.0, mission.hunger(start)) else ()
    gains = [said for _, said in weighty if said not in battle]
    return (*battle, *gains[: MOST - len(battle) - len(lack)], *lack)


def weighed_gains(mission: MarchValues, answer: d.Move) -> list[WeighedReason]:
    """Return the gains of a march over staying, each with its worth and its words. The greatest gain comes first, and
    the last ones may be negative."""
    start, end = mission.sight.place(answer.pieces[0]), answer.path[-1]
    weighed = [
        *gains_on_the_way(mission, answer),
        *gains_by_standing(mission, start, answer),
        *gains_by_safety(mission, start, end),
    ]
    return sorted(weighed, key=lambda each: each[0], reverse=True)


AIMS = {
    "why-falls": "aim-take",
    "why-goal": "aim-reach",
    "why-at-goal": "aim-reach",
    "why-at-goal.guarded": "aim-reach",
    "why-at-goal-hungry": "aim-reach",
    "why-guard": "aim-guard",
    "why-guard-soon": "aim-guard-soon",
    "why-train": "aim-train",
    "why-chase": "aim-train",
    "why-company": "aim-company",
    "why-fight": "aim-fight",
    "why-fight.lost": "aim-fight",
    "why-no-fight": "aim-safe",
    "why-safe": "aim-safe",
    "why-supply": "aim-supply",
}
"""Dict from the wording that gives the reason for a march in advance, to the wording that tells the aim of the same
march afterwards."""


def aim_of(judge: PlaceValues, answer: d.Move) -> Aim | None:
    """Return the greatest gain of a march; None for trains, and for a gain of `LITTLE` worth or less."""
    sight = judge.sight
    if not sight.common.is_general(answer.pieces[0]):
        return None
    worth, reason = weighed_gains(MarchValues(judge, answer.pieces), answer)[0]
    if worth <= LITTLE:
        return None
    names = [
        name for gap, value in reason.gaps if gap in ("city", "cities") and isinstance(value, tuple) for name in value
    ]
    return Aim(worth, AIMS[reason.key], tuple(sight.common.board.index[str(name)] for name in names))


Judge = Callable[[AnyTable, Power], PlaceValues]
"""Function that returns the values of places for a power at a table."""


def aims_by_level(strong: Judge, sensible: Judge) -> Mapping[str, Callable[[AnyTable, Power, d.Move], Aim | None]]:
    """Return a dict from each level of bots to the function that finds the greatest gain of a march (`GameBots.aims`).
    `strong` and `sensible` return the values of places by the weights of their level."""

    def aims_by(judge: Judge) -> Callable[[AnyTable, Power, d.Move], Aim | None]:
        return lambda table, power, march: aim_of(judge(table, power), march)

    return {"strong": aims_by(strong), "sensible": aims_by(sensible)}


def gains_on_the_way(mission: MarchValues, answer: d.Move) -> Iterator[WeighedReason]:
    """Yield the gains on the way of a march: fortresses that fall, or can fall by the battles of the stage, and trains
    that are taken."""
    judge, sight = mission.judge, mission.sight
    column = sight.marches.column(answer.pieces)
    trains = frozenset(city for city in answer.path if column.entry(city) is CityEntry.TRAIN)
    passed = {column.start, *answer.path[:-1]} if may_conquer(sight, column) else set()
    left = frozenset(city for city in passed & judge.prizes if judge.aims.targets.get(city))
    winning = mission.winning(answer.path[-1]) or 0.0
    if left and (falling := left.difference(held_after(sight, column, answer.path))):
        worth = judge.gains(MarchOption(answer.path, falling), winning)
        yield worth, words("why-falls", cities=city_names(sight, falling))
    if trains:
        yield judge.gains(MarchOption(answer.path, trains=trains), winning), words("why-train")


def held_after(sight: Sight, column: Column, path: Road) -> dict[City, list[Piece]]:
    """Return the enemy fortresses that surely hold out after a march. Each comes with the protectors who are neither
    attacked nor taken, by the march or by marches before it."""
    rules, field, stage = sight.common, sight.field_after(column.movers, path[-1]), sight.field.alliances.stage
    powers = [power for power, each in stage.items() if each == stage[sight.power]]
    beaten = {battle.defender for battle in pairings(rules, field, powers)}.union(path)
    reach = column.circumstances.reach
    standing = {
        city: [each for each in protectors(rules, field, city, reach) if field.pieces[each].city not in beaten]
        for city in enemy_fortresses(sight)
    }
    return {city: guards for city, guards in standing.items() if guards}


def why_guards(judge: PlaceValues, decision: d.March) -> tuple[Words, ...]:
    """Return words for the fortresses that the movers protect where they stand; an empty tuple if there are none."""
    places = {judge.sight.place(piece) for piece in decision.pieces}
    if len(places) != 1 or not judge.sight.common.is_general(decision.pieces[0]):
        return ()
    kept = guarded_from(MarchValues(judge, decision.pieces), *places)
    return (words("why-guard", cities=city_names(judge.sight, kept)),) if kept else ()


def guarded_from(mission: MarchValues, city: City) -> list[City]:
    """Return the fortresses that the movers would protect if they stood in a city, and that no other general
    protects."""
    far = mission.board.distance(city)
    return [each for each in mission.unguarded if far[each] <= mission.sight.common.limits.protection]


def gains_by_standing(mission: MarchValues, start: City, answer: d.Move) -> Iterator[WeighedReason]:
    """Yield the gains of the movers from standing at the end of the march and not at its start."""
    end = answer.path[-1]
    sight, far = mission.sight, mission.board.distance(end)
    if mission.goals:
        goal = max(mission.goals, key=lambda city: mission.goals[city] * mission.draws[far[city]])
        starved = mission.hunger(end) > 0 and not sight.common.down_conquer
        guards = [] if far[goal] else held_after(sight, sight.marches.column(answer.pieces), answer.path).get(goal, [])
        there = "why-at-goal-hungry" if starved else "why-at-goal.guarded" if guards else "why-at-goal"
        city, pieces = city_names(sight, [goal]), tuple(sight.common.names(guards))
        told = words("why-goal" if far[goal] else there, city=city, roads=far[goal], pieces=pieces)
        # A fortress that falls on the way is no goal any more; `gains_on_the_way` tells it.
        if goal not in {start, *answer.path[:-1]}:
            yield mission.approach(end) - mission.approach(start), told
    kept = guarded_from(mission, end)
    told = words("why-guard", cities=city_names(sight, kept)) if kept else words("why-guard-soon")
    yield mission.guard(end) - mission.guard(start), told
    yield mission.chase(end) - mission.chase(start), words("why-chase")
    yield mission.comradeship(end) - mission.comradeship(start), words("why-company")


def gains_by_safety(mission: MarchValues, start: City, end: City) -> Iterator[WeighedReason]:
    """Yield the gains in fights, threats and supply that the movers have at the end of the march, compared with its
    start. A place where the movers fight, or where the enemies near it are stronger than they, is not called safer."""
    winning = mission.winning(end)
    told = words("why-no-fight") if winning is None else fight_words(mission, end, winning)
    yield mission.fight(end) - mission.fight(start), told
    near = mission.enemies_near(end)
    if winning is None and (not near or mission.chance_against(end, near) >= 0.5):
        yield mission.threat(start) - mission.threat(end), words("why-safe")
    yield mission.hunger(start) - mission.hunger(end), words("why-supply")


HOPELESS = 0.05
"""Greatest chance to win at which a battle counts as good as lost."""


def fight_words(mission: MarchValues, city: City, winning: float) -> Words:
    """Return words for the fights of the movers in a city: their troops and the points of the cards that they could
    play there, the probable strength of the enemies in troops and cards, and the probable cost in points of cards.
    `winning` is the chance to win. It is not told: `pbem.player.chances` counts it in played worlds."""
    company = mission.company(city)
    troops = sum(mission.sight.field.pieces[general].troops for general in company)
    sight = mission.sight
    held = points_held(sight, sight.power_of(company[0]), mission.board.suit[city])
    enemies = [enemy for enemy in mission.judge.enemy_troops if enemy in mission.board.adjacent[city]]
    strength = round(mission.enemy_strength(enemies))
    # To win, the hand has to make up for the enemy's lead in troops, and for the cards that he is likely to hold.
    cost = min(held, max(0, strength + 1 - troops))
    key = "why-fight" if winning > HOPELESS else "why-fight.lost"
    return words(key, troops=troops, held=held, enemy=strength, cost=cost)


def points_held(sight: Sight, power: Power, suit: Suit) -> int:
    """Return the points of the cards that a power can play in a suit. A Reserve counts at its highest value."""
    fitting = [card for card in sight.hands[power] if is_reserve(card) or suit_of(card) == suit]
    return points(sight.common.decks, fitting)


def city_names(sight: Sight, cities: Collection[City]) -> tuple[str, ...]:
    return tuple(sorted(sight.common.board.cities[city].name for city in cities))


def why_card(sight: Sight, decision: d.PlayCard, answer: d.Answer, first: d.Answer) -> tuple[Words, ...]:
    """Return words for the cards of both sides in a combat, its suit, and the reason of a bot's answer there. `first`
    is the answer that the bot gave before it tried others. If `answer` is another one, the only reason is that it was
    best in imagined worlds. For some answers there are no words."""
    suit = words("why-suit", suit=SIGN_OF_SUIT[SUITS[decision.suit]])
    # An answer other than the bot's first answer was found in imagined worlds.
    if answer != first:
        return (suit, words("why-imagined"))
    is_fought = chance_to_win(sight, decision) >= least_chance(sight, decision.power)
    # A player without a card to play stops, whatever the chance is.
    if not decision.cards or (is_fought and isinstance(answer, d.Stop)):
        return ()
    chosen = chosen_card(sight, decision)
    # A Card of Fate may forbid the chosen card, or double its value. The answer then differs from the chosen one, and
    # needs another reason.
    troops = own_troops(sight)
    is_all = chosen.why == "why-card.small" and troops <= -decision.score
    why = words("why-card.small-all", troops=troops) if is_all else words(chosen.why)
    told = (why,) if chosen.answer == answer else ()
    held, enemy = points_held(sight, decision.power, decision.suit), enemy_in_duel(sight, decision.power)
    cards = sight.hand_sizes[enemy]
    facts = words("why-cards", held=held, enemy=round(unknown_card(sight.common.decks) * cards), cards=cards)
    if held + decision.score <= 0:
        facts = words("why-no-win" if held + decision.score else "why-tie", held=held)
    if is_fought:
        return (facts, suit, *told)
    if told and chosen.why == "why-card.level":
        return (facts, words("why-give-up.level", troops=min(-decision.score, troops)), suit, *told)
    return (facts, words("why-give-up"), suit, *told)


def why_retreat(sight: Sight, decision: d.ChooseRetreat, answer: d.Answer) -> tuple[Words, ...]:
    """Return words for the good and bad results of a retreat: the fortresses that fall at once, the fortresses that
    would fall if the retreat ended elsewhere, the unprotected fortresses that the beaten generals could enter, the
    fortresses that they protect, and the distance to their nearest train."""
    if not isinstance(answer, d.RetreatAlong):
        return ()
    end = answer.path[-1]
    nearest, guarded = hold_at(sight, decision.pieces, end)
    falling = falling_behind(sight.common, sight.field, decision.pieces, decision.ends)
    now, elsewhere = ([city for city, ends in falling.items() if (end in ends) == here] for here in (True, False))
    told = (
        ("why-retreat-falls", now),
        ("why-retreat-holds", elsewhere),
        ("why-retreat-open", laid_open_at(sight, decision.pieces, end)),
        ("why-retreat-guards", guarded),
    )
    return (
        *(words(key, cities=city_names(sight, cities)) for key, cities in told if cities),
        words("why-retreat.no-train") if nearest is None else words("why-retreat", roads=nearest),
    )


def why_troops(sight: Sight, hand: Sequence[Card], answer: d.Recruitment) -> tuple[Words, ...]:
    """Return words for the points of cards that are spent on troops, and for the points in the hand. If nothing is
    spent, the words say that the bot saves."""
    if not answer.cards:
        return (words("why-save"),)
    decks = sight.common.decks
    return (words("why-spend", paid=points(decks, answer.cards), held=points(decks, hand)),)
