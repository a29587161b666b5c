"""Answers that plans give to decisions of MARIA alone: hussars, tolls, politics, corps, displaced pieces (§7, §9, §17,
§19)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.cards import cheapest
from pbem.engine.field import OFF, by_command, pieces_at
from pbem.engine.nouns import Card, City, Piece
from pbem.engine.supply import loss_of
from pbem.games.maria.bots.sensible.marching import raid
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.hussars import total_toll, unsupplied_groups
from pbem.paper.plans.data import CardsWish, CorpsWish, GoWish, PoliticsWish, RaidWish, TollWish
from pbem.plans.choices import cards_for, highest, places, road
from pbem.plans.fighting import cards_kept_back
from pbem.plans.sight import PlanSight


def place_hussars(sight: PlanSight, decision: d.PlaceHussars, wish: RaidWish) -> tuple[d.HussarPlacement, ...]:
    """Return the placement of hussars that the wish names: the placement most costly for the enemy, the present
    placement, or all hussars off the board."""
    match wish.raid:
        case "costliest":
            return (raid(sight.rules.common, sight.field, decision),)
        case "stay":
            return (d.HussarPlacement(decision.standing),)
        case "off":
            return (d.HussarPlacement((OFF,) * len(decision.standing)),)


def pay(sight: PlanSight, decision: d.Toll, wish: TollWish) -> tuple[d.PayToll, ...]:
    """Return the payments of a toll that the wish allows, the most wanted first. If the hand cannot pay for all
    generals, those whom the wish names go unsupplied first, then those who lose the fewest troops."""
    rules = sight.rules.common
    held = cards_kept_back(sight.hand, wish.keep)
    purse = [card for card in decision.hand if card not in held]
    first = [general.number for general in wish.unsupplied]

    def rank(group: Sequence[Piece]) -> tuple[int, int, tuple[int, ...]]:
        spared = sum(general not in group for general in first)
        lost = sum(loss_of(sight.field.pieces[general]) for general in group)
        return spared, lost, tuple(group)

    found: list[d.PayToll] = []
    for unsupplied in sorted(unsupplied_groups(rules, decision.claims, decision.hand), key=rank):
        price = total_toll(decision.claims, unsupplied)
        if wish.pay == "never":
            cards: tuple[Card, ...] | None = ()
        elif unsupplied and rules.unpaid == "pay all":
            cards = None if held else decision.hand
        else:
            cards = (cheapest if wish.pay == "cheapest" else highest)(rules.decks, purse, price)
        if cards is not None:
            found.append(d.PayToll(cards, unsupplied))
    return tuple(found)


COVERED = 6
"""Influence that plans assume for each face-down card."""


def place_influence(sight: PlanSight, decision: d.PlaceInfluence, wish: CardsWish) -> tuple[d.Influence, ...]:
    """Return the answers that place a card of the wish, the most wanted first. If no political card named in the wish
    is open, the only answer places no card."""
    affairs = sight.view.affairs
    if wish.among and not wish.among & set(affairs.open):
        return (d.Influence(None),)
    own = affairs.display[decision.power].influence
    others = [display for power, display in affairs.display.items() if power not in sight.view.hands]
    lead = max((display.influence + COVERED * display.covered for display in others), default=0) - own
    return tuple(d.Influence(card) for card in cards_for(wish, decision.hand, affairs.trump, lead))


def select(sight: PlanSight, decision: d.SelectPolitics, wish: PoliticsWish) -> tuple[d.Politics, ...]:
    """Return the answers of the wish that are legal now. Answers that execute a card are left out if the player may
    execute no more cards in the present turn (§24)."""
    return tuple(
        choice
        for choice in wish.choices
        if choice.card is None or choice.card in decision.cards
        if decision.may_execute or not (choice.instruction or choice.shifts)
    )


def send(sight: PlanSight, decision: d.SendCorps, wish: CorpsWish) -> tuple[d.Corps, ...]:
    """Return an answer for each general of the wish who can be sent and paid for. If the wish names no generals, all
    are meant: first those on the map, then those off the map, both in the order of their troops, the fewest first."""
    rules, pieces = sight.rules, sight.field.pieces
    assert isinstance(rules, MariaRules)

    def rank(general: Piece) -> tuple[bool, int, int, Piece]:
        return general in decision.recruits, pieces[general].troops, -rules.common.pieces[general].rank, general

    found: list[d.Corps] = []
    for general in wish.send or sorted({*decision.generals, *decision.recruits}, key=rank):
        price = rules.game.advanced.corps_price if general in decision.recruits else 0
        cards = cheapest(rules.common.decks, decision.hand, price)
        if cards is not None and general in (*decision.generals, *decision.recruits):
            found.append(d.Corps(general, cards))
    return tuple(found)


def relocate(sight: PlanSight, decision: d.Relocate, wish: GoWish) -> tuple[d.GoTo, ...]:
    """Return the answers that move the piece to a city of the decision, the most wanted city first. Where the city has
    a stack, a second answer names the stack's present commander (§6)."""
    rules, field = sight.rules.common, sight.field
    goals = [(one, places(sight, decision.power, one.goals)) for one in wish.preferences]

    def rank(city: City) -> tuple[list[int], str, int]:
        return [road(sight, one, city, there) for one, there in goals], rules.board.cities[city].name, city

    found: list[d.GoTo] = []
    for city in sorted(decision.cities, key=rank):
        mates = by_command(rules, field, [piece for piece in pieces_at(field, city) if piece != decision.piece])
        found += [d.GoTo(city), *(d.GoTo(city, mate) for mate in mates[:1])]
    return tuple(found)
