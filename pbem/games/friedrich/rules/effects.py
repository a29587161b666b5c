"""Effects of the Card of Fate in force on marches, recruits, objectives and combat (§7, §11)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from pbem.engine.board import SUITS
from pbem.engine.cards import is_reserve, suit_of, value_of
from pbem.engine.combat import Duel, check_value, own_score, playable, player, remaining_battles, sides, worth_of
from pbem.engine.conquest import dealings
from pbem.engine.decisions import Pairing, PlayCard
from pbem.engine.field import commanding_power, occupants, pieces_by_city, stack_at
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.rules import IllegalOrder, Rules
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules import fate_data as f
from pbem.games.friedrich.rules.state import InForce, SidestepTask, Table


def entry_now(table: Table) -> InForce | None:
    """Return the version of a Card of Fate that is in force now. Return None if there is none, or if it is used up."""
    state = table.state
    for entry in state.fate.in_force:
        if entry.until == state.turn and not entry.used:
            return entry
    return None


def effect_now(table: Table) -> f.Lasting | None:
    """Return the lasting effect of the Card of Fate in force now, or None. A card that is used up has no effect."""
    if not table.state.fate.in_force:
        return None
    entry = entry_now(table)
    return None if entry is None else table.rules.fate.lasting[entry.card, entry.suit]


def general_named(rules: Rules, name: str) -> Piece | None:
    """Return the general of this name, or None if this scenario lacks him."""
    return rules.generals_by_name.get(name)


def general_on_map(table: Table, name: str) -> Piece | None:
    """Return the general of this name, or None if he is not on the map."""
    general = general_named(table.rules.common, name)
    return general if general is not None and table.state.field.pieces[general].city >= 0 else None


def is_among(table: Table, name: str, pieces: Collection[Piece]) -> bool:
    return general_named(table.rules.common, name) in pieces


def faces_enemy(table: Table, power: Power, city: City, only_in: int | None = None) -> bool:
    """True if an enemy general is in a city adjacent to this city. If `only_in` is given, only an enemy general in the
    city `only_in` counts."""
    rules, field = table.rules.common, table.state.field
    near, at = rules.board.adjacent[city], pieces_by_city(rules, field).at
    foes = dealings(rules, field, power).rivals
    places = near if only_in is None else near & {only_in}
    return not all(foes.isdisjoint(at.get(place, ())) for place in places)


def concerns_march(table: Table, effect: f.Lasting | None, pieces: Sequence[Piece]) -> bool:
    """True if the effect can change the path, the end or the conquests of a march of these generals. Effects that
    forbid the generals to leave their city or their stack are not included: see `may_move` and `may_leave_stack`."""
    match effect:
        case f.Range(general) | f.Restrained(general) | f.Differ(_, general):
            return is_among(table, general, pieces)
        case f.Untrained(power):
            return not set(table.rules.common.generals(power)).isdisjoint(pieces)
        case f.Truce() | f.Cover():
            return True
    return False


def general_range(table: Table, pieces: Sequence[Piece], plain: int, plain_main: int) -> tuple[int, int]:
    """Return the distances, in cities, that these generals may march together: by any road, and by main roads only.
    They are `plain` and `plain_main` unless the Card of Fate in force names one of the generals (§4, cards 2, 5, 9,
    12)."""
    match effect_now(table):
        case f.Range(general, any_road, main_road) if is_among(table, general, pieces):
            return any_road, main_road
    return plain, plain_main


def may_move(table: Table, piece: Piece) -> bool:
    """True if the Card of Fate in force lets a piece move from its city (card 2)."""
    match effect_now(table):
        case f.Pinned(general, city) if is_among(table, general, [piece]):
            place = table.rules.common.board.index[city]
            return table.state.field.pieces[piece].city not in table.rules.common.board.cities_within(place, 1)
    return True


def may_stop(table: Table, pieces: Sequence[Piece], city: City) -> bool:
    """True if the Card of Fate in force lets these generals end a march, or re-enter, in the city. It may forbid
    generals to stop beside an enemy (§11)."""
    effect = effect_now(table)
    if not isinstance(effect, f.Restrained | f.Truce | f.Differ | f.Untrained):
        return True
    power = table.rules.common.pieces[pieces[0]].power
    match effect:
        case f.Restrained(general):
            return not (is_among(table, general, pieces) and faces_enemy(table, power, city))
        case f.Truce(name):
            place = table.rules.common.board.index[name]
            return not faces_enemy(table, power, city, only_in=None if city == place else place)
        case f.Untrained(raw):
            recruited = power == raw and not set(pieces).isdisjoint(table.state.reinforced)
            return not (recruited and faces_enemy(table, power, city))
        case f.Differ(_, second):
            entry = entry_now(table)
            same = entry is not None and table.rules.common.board.suit[city] in entry.suits
            return not (same and is_among(table, second, pieces) and faces_enemy(table, power, city))


def may_take_train(table: Table, pieces: Sequence[Piece], city: City) -> bool:
    """True if the Card of Fate in force lets these generals eliminate an enemy train in the city (cards 3, 4, 5, 7)."""
    match effect_now(table):
        case f.Restrained(general):
            return not is_among(table, general, pieces)
        case f.Truce(name):
            return city != table.rules.common.board.index[name]
    return True


def may_leave_stack(table: Table, leaving: Sequence[Piece], staying: Sequence[Piece]) -> bool:
    """True if the Card of Fate in force lets some generals of a stack leave while others stay (card 5)."""
    match effect_now(table):
        case f.Inseparable(general):
            parted = bool(leaving) and bool(staying)
            return not parted or not any(len(s) == 1 and is_among(table, general, s) for s in (leaving, staying))
    return True


def may_receive_troops(table: Table, general: Piece, city: City | None = None) -> bool:
    """True if the Card of Fate in force lets a general get new troops (cards 7, 10). `city` is where he re-enters, if
    he does."""
    rules, field = table.rules.common, table.state.field
    place = field.pieces[general].city if city is None else city
    match effect_now(table):
        case f.Unreinforced(name):
            barred = general_named(rules, name)
            if barred is None or table.rules.points.no_new_troops == "general":
                return general != barred
            return general != barred and (place < 0 or field.pieces[barred].city != place)
        case f.Untrained(power) if rules.pieces[general].power == power:
            return place < 0 or not faces_enemy(table, power, place)
    return True


Worth = tuple[int, int]
"""Lowest and highest worth of a card. The two differ for a Reserve only."""


def can_end_above_zero(score: int, worths: Sequence[Worth]) -> bool:
    """True if cards of these worths, played one by one, can bring a score of zero or less above zero. The score may not
    become exactly zero on the way, because then the other side plays."""
    if any(score + high > 0 for _, high in worths):
        return True
    if score + sum(high for _, high in worths) <= 0:
        return False
    return has_way_above_zero(score, tuple(sorted(worths)), {})


def has_way_above_zero(score: int, worths: tuple[Worth, ...], known: dict[tuple[int, tuple[Worth, ...]], bool]) -> bool:
    """True if some of the cards, played one by one, bring the score above zero without reaching exactly zero on the
    way. `known` caches earlier results."""
    key = (score, worths)
    if key not in known:
        known[key] = any(score + high > 0 for _, high in worths) or any(
            score + worth < 0 and has_way_above_zero(score + worth, worths[:place] + worths[place + 1 :], known)
            for place, (low, high) in enumerate(worths)
            for worth in range(low, high + 1)
        )
    return known[key]


def leads_above(score: int, rest: Sequence[Worth]) -> bool:
    """True if the score is above zero, or is below zero and the remaining cards can bring it above zero."""
    return score > 0 or (score < 0 and can_end_above_zero(score, rest))


def prepare_combat(table: Table) -> None:
    """Change the combats of the present phase as the Card of Fate in force demands.

    The effect `Truce` drops attacks from or on its city. `Differ` notes the suits in which its first general attacks.
    `Prevail` forgets the combats of the phase before. `Sidestep` adds a task for each stack that may step aside.
    """
    state, board = table.state, table.rules.common.board
    match effect_now(table):
        case f.Truce(name):
            state.battles = remaining_battles(state.battles, board.index[name])
        case f.Differ(first, _):
            entry = entry_now(table)
            cities = sorted({battle.attacker for battle in state.battles})
            suits = [board.suit[city] for city in cities if is_among(table, first, stack_in(table, city))]
            if entry is not None:
                entry.suits = sorted({*entry.suits, *suits})
        case f.Prevail() if table.rules.points.first_cards == "each combat":
            # No first cards have been played in the combats of the new phase (card 7).
            for entry in state.fate.in_force:
                entry.settled = []
        case f.Sidestep(power, attacker):
            state.tasks += [SidestepTask(power, city) for city in attacked_cities(table, power, attacker)]


def stack_in(table: Table, city: City) -> list[Piece]:
    """Return the generals in a city, the supreme commander first."""
    return stack_at(table.rules.common, table.state.field, city)


def attacked_cities(table: Table, power: Power, attacker: str) -> list[City]:
    """Return the cities in which stacks of the power are about to be attacked by a stack with the general `attacker`,
    and can step aside."""
    rules, field = table.rules.common, table.state.field
    return sorted(
        battle.defender
        for battle in table.state.battles
        if is_among(table, attacker, stack_in(table, battle.attacker))
        and commanding_power(rules, field, battle.defender) == power
        and free_neighbours(table, battle.defender)
    )


def free_neighbours(table: Table, city: City) -> list[City]:
    taken = occupants(table.state.field)
    return [near for near in table.rules.common.board.near[city] if near not in taken]


def duel_now(table: Table) -> Duel:
    duel = table.state.duel
    assert duel is not None
    return duel


def ceiling(table: Table) -> int | None:
    """Return the highest value that may be played in the combat in progress, or None if there is no limit (card 3)."""
    duel = table.state.duel
    match effect_now(table):
        case f.Ceiling(powers, most) if duel is not None and {duel.attacker, duel.defender} == set(powers):
            return most
    return None


def card_worth(table: Table, card: Card, declared: int = 0) -> int:
    """Return the worth of a card, declared at this value, for the power that has the right to play (cards 4, 10,
    11)."""
    plain = worth_of(card, declared)
    duel = duel_now(table)
    match effect_now(table):
        case f.Bonus(power, points) if player(duel) == power:
            return plain + points
        case f.Worthless(power, general) if is_first_defence(table, duel, power, general):
            return 0
        case f.Double() as double if is_doubled(table, double, card, declared):
            return declared
    return plain


def is_first_defence(table: Table, duel: Duel, power: Power, general: str) -> bool:
    """True if the power is about to play a card for an attacked stack with this general."""
    # Earlier cards need no check: the first card uses up the effect.
    defenders = sides(table.rules.common, table.state.field, duel).defenders
    return duel.turn == "defender" and player(duel) == power and is_among(table, general, defenders)


def is_doubled(table: Table, double: f.Double, card: Card, declared: int) -> bool:
    """True if the power in `double` plays the card in `double` at twice its value (card 11)."""
    named = not is_reserve(card) and SUITS[suit_of(card)] == double.suit and value_of(card) == double.value
    return named and declared == 2 * double.value and player(duel_now(table)) == double.power


def must_go_above(table: Table) -> bool:
    """True if a Card of Fate demands that the power with the right to play bring its score above zero, and its cards
    can do so (card 7). In combats that `InForce.settled` lists, the demand no longer holds."""
    duel = table.state.duel
    effect, entry = effect_now(table), entry_now(table)
    if duel is None or entry is None or not isinstance(effect, f.Prevail) or player(duel) != effect.power:
        return False
    if Pairing(duel.attacking_city, duel.defending_city) in entry.settled:
        return False
    stacks = sides(table.rules.common, table.state.field, duel)
    if not any(is_among(table, effect.general, stack) for stack in stacks):
        return False
    return can_end_above_zero(own_score(duel), worths(table, playable_now(table)))


def playable_now(table: Table) -> list[Card]:
    """Return the cards that might be played now if no Card of Fate were in force."""
    return playable(table.rules.common, table.state.cards, duel_now(table))


def worths(table: Table, cards: Sequence[Card]) -> list[tuple[int, int]]:
    """Return the lowest and the highest worth of each card."""
    most = table.rules.common.decks.reserve_most
    return [(1, most) if is_reserve(card) else (value_of(card), value_of(card)) for card in cards]


def limit_play(table: Table, asked: PlayCard) -> PlayCard:
    """Return the decision with only the cards that the Card of Fate in force allows. A power that must bring its score
    above zero may not stop. A power that may not play high cards may stop if it has only Reserves."""
    most = ceiling(table)
    if most is not None:
        cards = tuple(card for card in asked.cards if is_reserve(card) or value_of(card) <= most)
        suited = any(not is_reserve(card) for card in cards)
        return replace(asked, cards=cards, must=asked.must and suited)
    if must_go_above(table):
        return replace(asked, cards=tuple(card for card in asked.cards if helps(table, card)), must=True)
    return asked


def helps(table: Table, card: Card) -> bool:
    """True if a card, at its best declared value, brings the score above zero. True also if the cards that are then
    left in the hand can do so."""
    ((low, high),) = worths(table, [card])
    return any(leads(table, card, worth) for worth in range(low, high + 1))


def leads(table: Table, card: Card, worth: int) -> bool:
    """True if a card of this worth brings the score above zero. True also if the cards that are then left in the hand
    can do so."""
    rest = playable_now(table)
    rest.remove(card)
    return leads_above(own_score(duel_now(table)) + worth, worths(table, rest))


def check_play(table: Table, card: Card, declared: int) -> None:
    """Raise `IllegalOrder` if the Card of Fate in force, or the general rule for declared values, forbids to play this
    card at the declared value."""
    check_declared(table, card, declared)
    most = ceiling(table)
    if most is not None and worth_of(card, declared) > most:
        raise IllegalOrder(wrong("E-FATE-CEILING", most=most), where=("card",))
    if must_go_above(table) and not leads(table, card, worth_of(card, declared)):
        raise IllegalOrder(wrong("E-FATE-ABOVE"), where=("card",))


def may_play(table: Table, card: Card, declared: int) -> bool:
    """True if the Card of Fate in force allows a card at this declared value."""
    try:
        check_play(table, card, declared)
    except IllegalOrder:
        return False
    return True


def check_declared(table: Table, card: Card, declared: int) -> None:
    """Raise `IllegalOrder` for a wrong declared value. Twice the printed value is allowed only by the Card of Fate in
    force (card 11)."""
    match effect_now(table):
        case f.Double() as double if is_doubled(table, double, card, declared):
            return
    check_value(card, declared)


def check_stop(table: Table) -> None:
    """Raise `IllegalOrder` if a Card of Fate forbids the power to stop playing (card 7)."""
    if must_go_above(table):
        raise IllegalOrder(wrong("E-FATE-ABOVE.stop"))


def note_card(table: Table, power: Power, card: Card, value: int, score: int) -> None:
    """Note for the Card of Fate in force that a power plays a card. The card must still be in hand. An effect that
    changes the worth of a single card is then used up. Under the effect `Prevail` the combat is settled if `score`, the
    power's score after the card, is zero or more."""
    duel, entry = duel_now(table), entry_now(table)
    if entry is None:
        return
    match effect_now(table):
        case f.Bonus(who) if who == power:
            entry.used = True
        case f.Worthless(who, general) if is_first_defence(table, duel, who, general):
            entry.used = True
        case f.Double() as double if is_doubled(table, double, card, value):
            entry.used = True
        case f.Prevail(who, _) if who == power and score >= 0:
            entry.settled.append(Pairing(duel.attacking_city, duel.defending_city))
