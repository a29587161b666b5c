"""Consequences of a retreat for fortresses and for the stack itself, as far as everybody can see them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, islice, takewhile

from pbem.engine.cards import SeededDealer
from pbem.engine.combat import falling_behind, own_city
from pbem.engine.conquest import is_protected
from pbem.engine.decisions import ChooseRetreat, Decision, PlayCard, Stop
from pbem.engine.events import BattleWon, Event, GeneralRemoved, RetreatImpossible
from pbem.engine.field import OFF, alter, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.supply import assess
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.engine.troops import Retreat, RetreatGround, paths_to
from pbem.faults.wrong import words
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.consequences import Comer, Prospects, protection_of
from pbem.report.letters.supply_ahead import lost_at_next_test, next_test


def falling_at(table: Table, asked: ChooseRetreat) -> dict[City, list[City]]:
    """Return the fortresses that may fall by a retreat, each with those ends of the retreat at which it loses its
    protection."""
    return falling_behind(table.rules.common, table.state.field, asked.pieces, asked.ends, protection_of(table))


def told_falls(table: Table, losers: Collection[Piece], ends: Sequence[City], language: str) -> str:
    """Return sentences on the fortresses that lose the protection of beaten generals and fall: wherever their retreat
    ends, or only at some of its ends. `OFF` as the only end is for generals who leave the map. Return an empty text if
    no fortress falls."""
    rules, field, reach = table.rules.common, table.state.field, protection_of(table)
    behind = falling_behind(rules, field, losers, ends, reach)
    falling = [city for city in behind if is_protected(rules, field, city, reach)]
    sure = [city for city in falling if len(behind[city]) == len(ends)]
    key = "beaten-falls.destroyed" if OFF in ends else "beaten-falls"
    kinds = ((key, sure), ("beaten-falls.some", [city for city in falling if city not in sure]))
    named = blocks.common_in_words(rules, language)
    return " ".join(
        words(key, cities=tuple(blocks.cities(named, cities))).text(language) for key, cities in kinds if cities
    )


def told_retreat(table: Table, events: Iterable[Event], powers: Collection[Power], language: str) -> str:
    """Return sentences on the stack that was beaten in `events`: on its retreat, on fortresses that fall by the retreat
    or by the loss of its generals, and on generals of `powers` who are lost by the retreat for want of supply. The
    winner chooses the way of this retreat at `table`. Return an empty text if no stack was beaten."""
    ended = losses(events)
    if not ended:
        return ""
    before, gone = copy_of(table), {each.piece: each.city for each in ended if isinstance(each, GeneralRemoved)}
    for general, city in gone.items():
        alter(before.state.field, general, city=city)
    told, choice = [told_falls(before, gone, [OFF], language)], next(retreats_asked(table), None)
    if choice:
        key = "beaten-retreat" if choice.length > 1 else "beaten-retreat.one"
        told.append(words(key, cities=choice.length, power=choice.power).text(language))
        told.append(told_losses(table, choice, powers, language))
    return " ".join(filter(None, told))


def losses(events: Iterable[Event]) -> list[Event]:
    """Return the end of the first battle won in `events`, with the generals who are lost at once by it; empty without
    such a battle."""
    since = dropwhile(lambda event: not isinstance(event, BattleWon), events)
    won = next(since, None)
    lost = takewhile(lambda event: isinstance(event, RetreatImpossible | GeneralRemoved), since)
    return [won, *lost] if won else []


def told_stop(table: Table, asked: PlayCard, language: str) -> str:
    """Return sentences on what happens if the power stops now: generals who are lost at once, unless its score costs
    all troops of the stack; fortresses that fall by the retreat or loss of the stack; and generals of the player who
    are lost on the retreat for want of supply. Return an empty text if generals of other players are in the stack,
    because their secret troops decide about the retreat."""
    rules, duel = table.rules.common, table.state.duel
    if duel is None or asked.must or asked.score >= 0:
        return ""
    start, own = own_city(duel), powers_of_player(table, player_of(table, asked.power))
    stack = stack_at(rules, table.state.field, start)
    if any(rules.pieces[piece].power not in own for piece in stack):
        return ""
    tried = copy_of(table, SeededDealer("nothing is dealt for a question"))
    game_of(tried).apply(tried, asked.power, Stop())
    # Behind a lost stack, a battle without cards to play may be over too. Its retreat would tell of others' hands.
    choice = next((each for each in retreats_asked(tried) if each.start == start), None)
    gone = [piece for piece in stack if tried.state.field.pieces[piece].city < 0]
    named = tuple(blocks.pieces(blocks.common_in_words(rules, language), gone))
    is_all = sum(table.state.field.pieces[piece].troops for piece in stack) <= -asked.score
    removed = words("stop-loses", pieces=named).text(language) if gone and not is_all else ""
    fallen = told_falls(table, gone, [OFF], language)
    told = removed, fallen, told_losses(tried, choice, own, language) if choice else ""
    return " ".join(filter(None, told))


def retreats_asked(table: Table) -> Iterator[ChooseRetreat]:
    return (each for each in game_of(table).decisions(table) if isinstance(each, ChooseRetreat))


def told_losses(table: Table, asked: ChooseRetreat, powers: Collection[Power], language: str) -> str:
    """Return sentences on fortresses that fall by a retreat, and on generals of `powers` who are lost by it."""
    told = (told_falls(table, asked.pieces, asked.ends, language), lost_by_retreat(table, asked, powers, language))
    return " ".join(filter(None, told))


def lost_by_retreat(table: Table, retreat: ChooseRetreat, powers: Collection[Power], language: str) -> str:
    """Return sentences on the generals of these powers who are lost at the next test of supply where the retreat ends,
    and on the time of this test; empty if none is lost."""
    rules = table.rules.common
    told: list[str] = []
    for power in powers:
        beaten = [piece for piece in retreat.pieces if rules.pieces[piece].power == power]
        when = next_test(table, power) if beaten else ""
        lost = [lost_after_retreat(table, beaten, end) for end in retreat.ends] if when else []
        if any(lost):
            key = "retreat-starves" if all(lost) else "retreat-starves.some"
            pieces = [piece for piece in beaten if any(piece in each for each in lost)]
            loses = words(key, pieces=tuple(blocks.pieces(blocks.common_in_words(rules, language), pieces)))
            told.append(words(when, power=power, loses=loses.text(language)).text(language))
    return " ".join(told)


def lost_after_retreat(table: Table, beaten: Sequence[Piece], end: City) -> list[Piece]:
    """Return the beaten generals of one power who are out of supply in the city where their retreat ends, and leave
    the map at the next test of supply."""
    rules, tried = table.rules.common, copy_of(table)
    for general in beaten:
        alter(tried.state.field, general, city=end)
    hungry = assess(rules, tried.state.field, rules.pieces[beaten[0]].power)[2]
    cut_off = [general for general in beaten if general in hungry]
    return lost_at_next_test(tried, cut_off, end) if cut_off else []


def retreated(table: Table, asked: ChooseRetreat) -> Iterator[tuple[City, Table]]:
    """Yield each end of a retreat with a copy of the table on which the beaten stack stands there. The copy is the same
    each time."""
    after = copy_of(table)
    for end in asked.ends:
        for loser in asked.pieces:
            alter(after.state.field, loser, city=end)
        yield end, after


def reaching(table: Table, asked: ChooseRetreat) -> dict[City, tuple[Piece, ...]]:
    """Return, for each end of a retreat, the enemy generals who could attack the beaten stack there before it
    marches."""
    power = table.rules.common.pieces[asked.pieces[0]].power
    found: dict[City, tuple[Piece, ...]] = {}
    for end, after in retreated(table, asked):
        prospects = Prospects(after, [power], [power])
        found[end] = tuple(foe for comer in prospects.comers(end, asked.pieces[0]) for foe in comer.stack.generals)
    return found


def cutting_off(table: Table, asked: ChooseRetreat) -> dict[City, tuple[Piece, ...]]:
    """Return, for each end of a retreat, the generals of the deciding player whom the beaten stack cuts off there from
    their supply."""
    rules, own = table.rules.common, powers_of_player(table, player_of(table, asked.power))

    def hungry(there: Table) -> set[Piece]:
        return {piece for power in own for piece in assess(rules, there.state.field, power)[2]} - {*asked.pieces}

    before = hungry(table)
    return {end: tuple(sorted(hungry(after) - before)) for end, after in retreated(table, asked)}


def open_to_beaten(table: Table, asked: ChooseRetreat) -> dict[City, tuple[list[City], list[Piece]]]:
    """Return, for each end of a retreat, the cities and the trains of the deciding player that the beaten stack could
    take from there on its next march."""
    rules, own = table.rules.common, powers_of_player(table, player_of(table, asked.power))
    trains, found = [train for power in own for train in rules.trains(power)], {}
    for end, after in retreated(table, asked):
        prospects, pieces = Prospects(after, own, own), after.state.field.pieces
        cities = [each.city for each in prospects.open_cities() if comes_from(each.comers, end)]
        taken = [each for each in trains if pieces[each].city >= 0]
        found[end] = cities, [each for each in taken if comes_from(prospects.comers(pieces[each].city, each), end)]
    return found


def comes_from(comers: Iterable[Comer], city: City) -> bool:
    return any(comer.stack.city == city for comer in comers)


def ends_without_supply(table: Table, asked: ChooseRetreat) -> list[City]:
    """Return the ends of a retreat where a general of the beaten stack would be out of supply."""
    rules = table.rules.common
    powers = {rules.pieces[piece].power for piece in asked.pieces}
    return [
        end
        for end, after in retreated(table, asked)
        if any(not set(assess(rules, after.state.field, power).cut_off).isdisjoint(asked.pieces) for power in powers)
    ]


def hussars_in_the_way(table: Table, asked: ChooseRetreat) -> list[City]:
    """Return the cities with hussars that the beaten stack can enter on its retreat, and so sweep off the map (§7)."""
    rules, field = table.rules.common, table.state.field
    way = RetreatGround(rules, field, Retreat(asked.start, asked.length, asked.power, asked.start), asked.pieces)
    return [
        city
        for city in sorted({*field.hussars} - {OFF})
        if any(city in path for end in asked.ends for path in islice(paths_to(way, end), MOST_PATHS))
    ]


MOST_PATHS = 100
"""Greatest number of paths to one end that are searched for hussars."""


def retreat_ends(table: Table, decision: Decision, language: str) -> dict[str, tuple[str, ...]]:
    """Return sentences about each city where a retreat can end. The key is the city's name in orders. Return an empty
    dict if the decision is not about a retreat."""
    if not isinstance(decision, ChooseRetreat):
        return {}
    rules, falling = table.rules.common, falling_at(table, decision)
    named, found = blocks.common_in_words(rules, language), dict[str, tuple[str, ...]]()
    cuts, prey = cutting_off(table, decision), open_to_beaten(table, decision)
    for end, foes in reaching(table, decision).items():
        attack = words("retreat-open", foes=tuple(blocks.pieces(named, foes))) if foes else words("retreat-safe")
        fallen = tuple(blocks.city(named, city) for city, ends in falling.items() if end in ends)
        cut = (words("retreat-cuts", pieces=tuple(blocks.pieces(named, cuts[end]))),) if cuts[end] else ()
        taken, trains = prey[end]
        told = (
            *cut,
            *([words("retreat-falls", cities=fallen)] if fallen else ()),
            *([words("retreat-takes", cities=tuple(blocks.cities(named, taken)))] if taken else ()),
            *([words("retreat-takes-trains", pieces=tuple(blocks.pieces(named, trains)))] if trains else ()),
            attack,
        )
        found[blocks.city(rules, end)] = tuple(each.text(language) for each in told)
    return found


def retreat_facts(table: Table, decision: Decision, language: str) -> dict[str, object]:
    """Return facts about the cities where a retreat can end. Return an empty dict if the decision is neither about a
    retreat nor about a card in a battle. For a card, the only fact is `stopped`, which is the result of `told_stop`.

    `falls` lists the fortresses that may lose their protection, each with those ends of the retreat that cause it. If
    all ends cause it, this list of ends is empty. `reached` lists ends, each with the names of enemies who could attack
    the stack there. `cuts` lists ends, each with the names of own generals who are cut off from supply there. `unfed`
    lists the ends where the beaten are out of supply, `sweeps` the cities with hussars through which a way of the
    retreat can lead.
    """
    if isinstance(decision, PlayCard):
        return {"stopped": told_stop(table, decision, language)}
    if not isinstance(decision, ChooseRetreat):
        return {}
    named = blocks.common_in_words(table.rules.common, language)
    falls = [
        {"city": blocks.city(named, city), "ends": blocks.cities(named, ends) if len(ends) < len(decision.ends) else []}
        for city, ends in falling_at(table, decision).items()
    ]

    def by_pieces(found: Mapping[City, tuple[Piece, ...]], key: str) -> list[dict[str, object]]:
        """Group the ends of the retreat at which the same pieces are affected. `found` maps each end to these pieces,
        `key` is the name that they get in the result."""
        alike: dict[tuple[Piece, ...], list[City]] = {}
        for end, pieces in found.items():
            alike.setdefault(pieces, []).append(end)
        return [
            {"ends": blocks.cities(named, ends), key: blocks.pieces(named, pieces)}
            for pieces, ends in alike.items()
            if pieces
        ]

    return {
        "falls": falls,
        "reached": by_pieces(reaching(table, decision), "foes"),
        "cuts": by_pieces(cutting_off(table, decision), "pieces"),
        "unfed": blocks.cities(named, ends_without_supply(table, decision)),
        "sweeps": blocks.cities(named, hussars_in_the_way(table, decision)),
    }
