"""Effects of the Card of Fate in force on combat: attacks that are made, cards that count, and their worth."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.engine.battle import remaining_battles
from pbem.engine.board import SUITS
from pbem.engine.cards import is_reserve, suit_of, value_of
from pbem.engine.decisions import Pairing, PlayCard
from pbem.engine.duel import Duel, check_value, own_score, playable, player, sides, worth_of
from pbem.engine.errors import IllegalOrder
from pbem.engine.field import commanding_power, occupants, stack_at
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules.effects import effect_now, entry_now, is_among
from pbem.games.friedrich.rules.fate_data import Bonus, Ceiling, Differ, Double, Prevail, Sidestep, Truce, Worthless
from pbem.games.friedrich.rules.prevail import can_come_out_above, leads_above
from pbem.games.friedrich.rules.state import SidestepTask
from pbem.games.friedrich.rules.table import Table


def before_combat(table: Table) -> None:
    """Apply the effect to the attacks of a phase: drop those under a truce, store suits, let stacks step aside.

    Every attack occurs once in a phase. So at the start of a phase no combat has had its first cards yet (card 7).
    """
    state, board = table.state, table.rules.common.board
    match effect_now(table):
        case Truce(name):
            state.battles = remaining_battles(state.battles, board.index[name])
        case Differ(first, _):
            entry = entry_now(table)
            cities = sorted({battle.attacker for battle in state.battles})
            suits = [board.suit[city] for city in cities if is_among(table, first, stack_in(table, city))]
            if entry is not None:
                entry.suits = sorted({*entry.suits, *suits})
        case Prevail() if table.rules.points.first_cards == "each combat":
            for entry in state.fate.in_force:
                entry.settled = []
        case Sidestep(power, attacker):
            state.tasks += [SidestepTask(power, city) for city in attacked_by(table, power, attacker)]


def stack_in(table: Table, city: City) -> list[Piece]:
    """The generals in a city, the supreme commander first."""
    return stack_at(table.rules.common, table.state.field, city)


def attacked_by(table: Table, power: Power, attacker: Power) -> list[City]:
    """Cities of a power's stacks that this general is about to attack, and that have a free neighbour."""
    rules, field = table.rules.common, table.state.field
    return sorted(
        battle.defender
        for battle in table.state.battles
        if is_among(table, attacker, stack_in(table, battle.attacker))
        and commanding_power(rules, field, battle.defender) == power
        and free_neighbours(table, battle.defender)
    )


def free_neighbours(table: Table, city: City) -> list[City]:
    """Adjacent cities without a piece."""
    taken = occupants(table.state.field)
    return [near for near in table.rules.common.board.near[city] if near not in taken]


def duel_now(table: Table) -> Duel:
    """The combat in progress."""
    duel = table.state.duel
    assert duel is not None
    return duel


def ceiling(table: Table) -> int | None:
    """Highest value that may be played in the combat in progress; None without limit (card 3)."""
    duel = table.state.duel
    match effect_now(table):
        case Ceiling(powers, most) if duel is not None and {duel.attacker, duel.defender} == set(powers):
            return most
    return None


def card_worth(table: Table, card: Card, value: int = 0) -> int:
    """Worth of a card played now by the power with the right to play (cards 4, 10, 11)."""
    plain = worth_of(card, value)
    duel = duel_now(table)
    match effect_now(table):
        case Bonus(power, points) if player(duel) == power:
            return plain + points
        case Worthless(power, general) if is_first_defence(table, duel, power, general):
            return 0
        case Double() as double if is_doubled(table, double, card, value):
            return value
    return plain


def is_first_defence(table: Table, duel: Duel, power: Power, general: str) -> bool:
    """True if a power is about to play in defence of this general."""
    _, defenders = sides(table.rules.common, table.state.field, duel)
    return duel.turn == "defender" and player(duel) == power and is_among(table, general, defenders)


def is_doubled(table: Table, double: Double, card: Card, value: int) -> bool:
    """True if the named card is declared at twice its value (card 11)."""
    named = not is_reserve(card) and SUITS[suit_of(card)] == double.suit and value_of(card) == double.value
    return named and value == 2 * double.value and player(duel_now(table)) == double.power


def must_go_above(table: Table) -> bool:
    """True if the power with the right to play has to bring its score above zero, and can (card 7)."""
    duel = table.state.duel
    effect, entry = effect_now(table), entry_now(table)
    if duel is None or entry is None or not isinstance(effect, Prevail) or player(duel) != effect.power:
        return False
    if Pairing(duel.attacking_city, duel.defending_city) in entry.settled:
        return False
    stacks = sides(table.rules.common, table.state.field, duel)
    if not any(is_among(table, effect.general, stack) for stack in stacks):
        return False
    return can_come_out_above(own_score(duel), worths(table, playable_now(table)))


def playable_now(table: Table) -> list[Card]:
    """Cards that may be played now, apart from the card in force."""
    return playable(table.rules.common, table.state.cards, duel_now(table))


def worths(table: Table, cards: Sequence[Card]) -> list[tuple[int, int]]:
    """Lowest and highest worth of each card."""
    most = table.rules.common.decks.reserve_most
    return [(1, most) if is_reserve(card) else (value_of(card), value_of(card)) for card in cards]


def limit_play(table: Table, asked: PlayCard) -> PlayCard:
    """Decision without the cards that the card in force forbids."""
    most = ceiling(table)
    if most is not None:
        cards = tuple(card for card in asked.cards if is_reserve(card) or value_of(card) <= most)
        suited = any(not is_reserve(card) for card in cards)
        return replace(asked, cards=cards, must=asked.must and suited)
    if must_go_above(table):
        return replace(asked, cards=tuple(card for card in asked.cards if helps(table, card)), must=True)
    return asked


def helps(table: Table, card: Card) -> bool:
    """True if a card, declared in some way, brings its power above zero or on the way there."""
    ((low, high),) = worths(table, [card])
    return any(leads(table, card, worth) for worth in range(low, high + 1))


def leads(table: Table, card: Card, worth: int) -> bool:
    """True if a card of this worth brings its power above zero, or leaves it able to get there."""
    rest = playable_now(table)
    rest.remove(card)
    return leads_above(own_score(duel_now(table)) + worth, worths(table, rest))


def check_play(table: Table, card: Card, value: int) -> None:
    """Refuse a card, or a value declared for it, that the card in force does not allow."""
    check_declared(table, card, value)
    most = ceiling(table)
    if most is not None and worth_of(card, value) > most:
        raise IllegalOrder(wrong("E-FATE-CEILING", most=most), where=("card",))
    if must_go_above(table) and not leads(table, card, worth_of(card, value)):
        raise IllegalOrder(wrong("E-FATE-ABOVE"), where=("card",))


def may_play(table: Table, card: Card, value: int) -> bool:
    """True if the card in force allows a card, declared so."""
    try:
        check_play(table, card, value)
    except IllegalOrder:
        return False
    return True


def check_declared(table: Table, card: Card, value: int) -> None:
    """Refuse a value for a suited card other than the printed one, or once twice that (card 11)."""
    match effect_now(table):
        case Double() as double if is_doubled(table, double, card, value):
            return
    check_value(card, value)


def check_stop(table: Table) -> None:
    """Refuse a stop while the first cards of this combat still have to bring the score above zero (card 7)."""
    if must_go_above(table):
        raise IllegalOrder(wrong("E-FATE-ABOVE.stop"))


def card_played(table: Table, power: Power, card: Card, value: int, score: int) -> None:
    """Store what a card has used up. To be called before it leaves the hand, with the score that it leads to."""
    duel, entry = duel_now(table), entry_now(table)
    if entry is None:
        return
    match effect_now(table):
        case Bonus(who) if who == power:
            entry.used = True
        case Worthless(who, general) if is_first_defence(table, duel, who, general):
            entry.used = True
        case Double() as double if is_doubled(table, double, card, value):
            entry.used = True
        case Prevail(who, _) if who == power and score >= 0:
            entry.settled.append(Pairing(duel.attacking_city, duel.defending_city))
