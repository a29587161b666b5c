"""Imagined worlds: copies of the table in which everything that one player knows is unchanged, and all other secrets
are dealt anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import exp, prod
from random import Random

import msgspec
from msgspec import Struct

from pbem.bots.plain import game_bots, pick
from pbem.engine.cards import RESERVE, SeededDealer, deck_of, suit_of
from pbem.engine.decisions import Pairing
from pbem.engine.field import ASIDE, Field, alter, stack_at, troops_at
from pbem.engine.memory import Declaration
from pbem.engine.nouns import Card, City, Deck, Piece, Power, Suit
from pbem.engine.rules import Rules
from pbem.engine.strengths import TroopLimits
from pbem.engine.table import Table
from pbem.kit import copy_of


class KnownFacts(Struct, frozen=True):
    """Facts that a player knows from the past of the game, besides the position."""

    declared: Collection[Declaration] = ()
    """Strengths that stacks declared in earlier combats."""
    aside: frozenset[Card] = frozenset()
    """Cards that are known to be set aside."""
    held: Mapping[Card, Power] = {}
    """Dict from each card that is surely in a hand to the power that has it."""
    shuffled: tuple[Deck, ...] = ()
    """Decks that are known to supply all cards of the draw deck; empty if this is not known."""
    are_piles_made_up: bool = False
    """True if the program has invented the cards in the table's piles. Then these cards are dealt anew as well."""


NO_FACTS = KnownFacts()


def facts_text(facts: KnownFacts) -> str:
    """Return facts as JSON. Equal facts give equal texts."""
    return msgspec.json.encode(msgspec.to_builtins(facts, str_keys=True, order="deterministic")).decode()


def facts_in(text: str) -> KnownFacts:
    """Return the facts in a text that `facts_text` has made. Raises `msgspec.MsgspecError` for any other text."""
    return msgspec.json.decode(text, type=KnownFacts)


def imagine_world(table: Table, own: Collection[Power], seed: str, known: KnownFacts = NO_FACTS) -> Table:
    """Return a copy of the table in which everything that the player of the powers `own` does not know is drawn by
    chance."""
    return drawn_world(table, own, seed, known, is_likely=False)


def drawn_world(table: Table, own: Collection[Power], seed: str, known: KnownFacts, *, is_likely: bool) -> Table:
    """Return a world as `imagine_world` does. If `is_likely` is true, the hands of other powers mostly have the cards
    that a bot would have kept."""
    chance = Random(seed)  # noqa: S311 - bots need no secrets
    world = copy_of(table, SeededDealer(seed))
    strangers = [power for power in table.rules.powers if power not in own]
    deal(world, strangers, chance, known)
    if is_likely:
        exchange_cards(world, strangers, Random(f"{seed} kept"), known)  # noqa: S311 - as above
    stated = {**declared_strengths(known.declared), **stated_strengths(world)}
    for power in strangers:
        share_troops(world.rules.common, world.state.field, power, stated, chance)
    game_bots(world.rules.terms.game).redraw(world, own, chance)
    return world


EXCHANGES = 3
"""Number of exchanges that are tried for every card in an imagined hand."""


def exchange_cards(world: Table, strangers: Sequence[Power], chance: Random, known: KnownFacts) -> None:
    """Exchange cards at random between the hands of `strangers` and the draw deck, so that likely hands are frequent
    (Metropolis algorithm)."""
    cards, keeping = world.state.cards, game_bots(world.rules.terms.game).keeping
    places = [cards.hands[power] for power in strangers]
    wishes = [kept_suits(world, power) for power in strangers]
    held = [(place, number) for place, hand in enumerate(places) for number in range(len(hand))]
    places.append(cards.draw)
    wishes.append({})
    slots = [*held, *((len(strangers), number) for number in range(len(cards.draw)))]
    sure, shuffled, deck = known.held, known.shuffled, len(strangers)
    for _ in range(EXCHANGES * len(held)):
        (here, one), (there, other) = pick(chance, held), pick(chance, slots)
        card, offered = places[here][one], places[there][other]
        if card in sure or offered in sure:
            continue
        if there == deck and shuffled and deck_of(card) not in shuffled:
            continue  # The draw deck can have only cards of the latest shuffle.
        suit, new, mine, theirs = suit_of(card), suit_of(offered), wishes[here], wishes[there]
        gain = mine.get(new, 0) + theirs.get(suit, 0) - mine.get(suit, 0) - theirs.get(new, 0)
        if gain >= 0 or chance.random() < exp(keeping * gain):
            places[here][one], places[there][other] = offered, card
    for power in strangers:
        cards.hands[power].sort()


def kept_suits(world: Table, power: Power) -> dict[Suit, int]:
    """Return how much a power likes to keep cards of each suit: the number of its generals in sectors of the suit, plus
    the number of attacks on its stacks there. Reserves fit every suit, and get the greatest of these numbers."""
    rules, field = world.rules.common, world.state.field
    places = [field.pieces[general].city for general in rules.generals(power)]
    for battle in battles_of(world):
        stack = stack_at(rules, field, battle.defender)
        places += [battle.defender] if stack and rules.pieces[stack[0]].power == power else []
    counts = Counter(rules.board.suit[city] for city in places if city >= 0)
    return {**counts, RESERVE: max(counts.values(), default=0)}


TRIES = 16
"""Largest number of worlds from which one is chosen, if other players attack."""

OTHER_REASONS = 2.5
"""Spread, on the bots' scale, of all reasons for a march other than its fight. The number was fitted to 5,619 attacks
by sensible bots in both games."""


def imagine_likely_world(table: Table, own: Collection[Power], seed: str, known: KnownFacts = NO_FACTS) -> Table:
    """Return a world in which other players mostly have cards that bots would have kept. If other players have marched
    to attacks, their cards in this world probably fit these attacks."""
    attacks = attacks_of_others(table, own)
    if not attacks:
        return drawn_world(table, own, seed, known, is_likely=True)
    chance = Random(seed)  # noqa: S311 - bots need no secrets
    worlds, shares = [], []
    for number in range(TRIES):
        worlds.append(drawn_world(table, own, f"{seed} again {number}" if number else seed, known, is_likely=True))
        shares.append(prod(attack_likelihood(worlds[-1], *attack) for attack in attacks))
        if chance.random() < shares[-1]:
            return worlds[-1]
    return chance.choices(worlds, shares)[0]


def attacks_of_others(table: Table, own: Collection[Power]) -> list[tuple[Power, Pairing]]:
    """Return one attack for each stack that attacks in the present stage, together with the power that commands the
    stack. Attacks of the powers in `own` are left out."""
    rules, field = table.rules.common, table.state.field
    found: dict[City, tuple[Power, Pairing]] = {}
    for battle in battles_of(table):
        if stack := stack_at(rules, field, battle.attacker):
            found.setdefault(battle.attacker, (rules.pieces[stack[0]].power, battle))
    return [attack for attack in found.values() if attack[0] not in own]


def battles_of(table: Table) -> list[Pairing]:
    """Return the attack that is being fought, and all attacks still to be fought in the present stage."""
    duel = table.state.duel
    fought = [Pairing(duel.attacking_city, duel.defending_city)] if duel else []
    return list(dict.fromkeys([*fought, *table.state.battles]))


def attack_likelihood(world: Table, power: Power, battle: Pairing) -> float:
    """Return the likelihood, from 0 to 1, that a power with its hand in this world would have marched to the attack
    `battle`."""
    rules, field, duel, gained = world.rules.common, world.state.field, world.state.duel, 0
    if duel and duel.attacking_city == battle.attacker:
        # The score began as the difference of the troops. Cards have changed it since.
        gained = (
            duel.score - troops_at(rules, field, duel.attacking_city) + troops_at(rules, field, duel.defending_city)
        )
    worth = game_bots(world.rules.terms.game).attack_worth(world, power, battle, gained)
    return 1 / (1 + exp(-worth / OTHER_REASONS))


Strengths = dict[tuple[Piece, ...], TroopLimits]
"""Dict from a group of generals to the fewest and the most troops that they can have together."""


def declared_strengths(declared: Collection[Declaration]) -> Strengths:
    """Return the limits of each group's declared strength. The upper limit includes troops that the group may have
    gained unseen. Groups that may have given troops away are left out."""
    return {
        each.generals: TroopLimits(each.strength, each.strength + each.most_gained)
        for each in declared
        if each.most_gained is not None
    }


def stated_strengths(world: Table) -> Strengths:
    """Return the strength of each stack that takes part in the present combat (§11.1). A stack with generals of two
    powers is left out."""
    duel, rules, field = world.state.duel, world.rules.common, world.state.field
    cities = (duel.attacking_city, duel.defending_city) if duel else ()
    stacks = [tuple(sorted(stack_at(rules, field, city))) for city in cities]
    troops = {stack: sum(field.pieces[general].troops for general in stack) for stack in stacks}
    return {
        stack: TroopLimits(strength, strength)
        for stack, strength in troops.items()
        if len({rules.pieces[general].power for general in stack}) == 1
    }


def deal(world: Table, strangers: Sequence[Power], chance: Random, known: KnownFacts) -> None:
    """Deal anew all cards that the player has not seen, except those that are surely in a hand of `strangers`."""
    cards = world.state.cards
    places = [*(cards.hands[power] for power in strangers), *game_bots(world.rules.terms.game).unseen(world, strangers)]
    made_up = cards.discards if known.are_piles_made_up else []
    pool = sorted([*cards.draw, *(card for place in (*places, *made_up) for card in place)])
    chance.shuffle(pool)
    # The cards that are surely in a hand. There are never more of them than the hand has cards.
    kept = {
        power: [card for card in pool if known.held.get(card) == power][: len(cards.hands[power])]
        for power in strangers
    }
    taken = {card for hand in kept.values() for card in hand}
    pool = [card for card in pool if card not in taken]
    for deck, pile in enumerate(made_up):
        pool = fill_pile(pile, [card for card in pool if deck_of(card) == deck], pool, known)
    # In this case all cards of other decks are in hands.
    if known.shuffled:
        pool.sort(key=lambda card: deck_of(card) not in known.shuffled)
    size = len(cards.draw)
    cards.draw[:], pool = pool[:size], pool[size:]
    if known.shuffled:
        chance.shuffle(pool)
    for place, hand in zip(places, [*kept.values(), *([] for _ in places[len(kept) :])], strict=True):
        place[:] = sorted([*hand, *(pool.pop() for _ in range(len(place) - len(hand)))])


def fill_pile(pile: list[Card], own: Sequence[Card], pool: Sequence[Card], known: KnownFacts) -> list[Card]:
    """Replace all cards of a pile by the same number of cards from `own`. `own` has those cards of `pool` that come
    from the pile's deck. Cards that are known to be set aside are taken first. Return the pool without the cards that
    were taken."""
    found = sorted(own, key=lambda card: card not in known.aside)[: len(pile)]
    pile[:] = sorted(found)
    return [card for card in pool if card not in found]


def share_troops(rules: Rules, field: Field, power: Power, stated: Strengths, chance: Random) -> None:
    """Share a power's troops among its generals by chance. The generals of a group in `stated` together get a number of
    troops within the group's limits."""
    left = [general for general in rules.generals(power) if field.pieces[general].city >= 0]
    total = sum(field.pieces[general].troops for general in left)
    if total < len(left):
        return  # the troops have not been allotted yet
    shares: list[tuple[tuple[Piece, ...], int]] = []
    loose: Strengths = {}
    for generals, (least, most) in stated.items():
        if not set(generals) <= set(left):
            continue
        if least < most:
            loose[generals] = TroopLimits(least, most)
            continue
        shares.append((generals, most))
        left = [general for general in left if general not in generals]
    shares.append((tuple(left), total - sum(strength for _, strength in shares)))
    for generals, strength in sorted(shares):
        within = {group: limits for group, limits in loose.items() if set(group) <= set(generals)}
        for general, count in shared_troops(rules, generals, strength, within, chance).items():
            alter(field, general, troops=count)
    for general in rules.generals(power):
        if field.pieces[general].city == ASIDE and field.pieces[general].troops:
            alter(field, general, troops=chance.randint(1, rules.limits.troops))


def shared_troops(
    rules: Rules, generals: Sequence[Piece], strength: int, within: Strengths, chance: Random
) -> dict[Piece, int]:
    """Share `strength` troops among generals by chance, and return the troops of each. Each group in `within` first
    gets its fewest troops, and then no more than its most, as long as others have room."""
    troops, most = dict.fromkeys(generals, 1), rules.limits.troops

    def give(count: int, group: Sequence[Piece], closed: Collection[Piece] = ()) -> None:
        for _ in range(count):
            room = [general for general in group if troops[general] < most]
            if not room:
                return
            open_to = [general for general in room if general not in closed] or room
            troops[open_to[int(chance.random() * len(open_to))]] += 1

    for group, limits in within.items():
        give(limits.least - len(group), group)
    for _ in range(strength - sum(troops.values())):
        full = [group for group, limits in within.items() if sum(troops[each] for each in group) >= limits.most]
        give(1, generals, [general for group in full for general in group])
    return troops
