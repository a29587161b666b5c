"""What is true of every position on the map, of every set of cards and of every combat, whatever has been played.

The engine never makes such a problem; a position that somebody wrote by hand may have them, so each says in words
what is wrong, where, and by which rule. The § are those of MARIA, or handed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from pbem.engine.battle import way_of
from pbem.engine.cards import Cards, DeckFacts, deck_cards, deck_of
from pbem.engine.conquest import controller, held_by_enemy, marker_after
from pbem.engine.decisions import Pairing
from pbem.engine.duel import Duel
from pbem.engine.field import ASIDE, OFF, Field, commanding_power, enemies, occupants, partners, stack_at
from pbem.engine.march import needs_commander
from pbem.engine.nouns import Card, City, Piece, Power, each_piece
from pbem.engine.retreat import Retreat, best_ends
from pbem.engine.rules import Rules


class Problem(Struct, frozen=True):
    """Something that cannot be: the rule it offends, what it is, and the piece and the city it is about."""

    rule: str
    message: str
    piece: Piece | None = None
    city: City | None = None


def number_problems(rules: Rules, field: Field) -> list[Problem]:
    """Numbers and names that mean nothing; with any of these no other question makes sense."""
    if len(field.pieces) != len(rules.pieces):
        return [Problem("§3.1", f"there are {len(rules.pieces)} pieces, not {len(field.pieces)}")]
    found: list[Problem] = []
    cities = range(len(rules.board.cities))
    for index, piece in each_piece(field.pieces):
        if piece.city not in cities and piece.city not in (OFF, ASIDE):
            found.append(Problem("§3.1", f"{rules.pieces[index].name} is in no city", index))
    if any(city not in cities for city in (*field.markers, *field.questions)):
        found.append(Problem("§3.2", "a marker lies in no city"))
    if any(city not in cities and city != OFF for city in field.hussars):
        found.append(Problem("§7", "a hussar is in no city"))
    powers = {facts.power for facts in rules.pieces}
    for power in {*field.markers.values(), *field.questions.values()} - powers:
        found.append(Problem("§3.2", f"a marker of {power}, which is no power"))
    known = field.alliances
    if any(powers - set(table) for table in (known.side, known.group, known.principal)):
        found.append(Problem("§2", "the alliances leave a power out"))
    return found


def field_problems(
    rules: Rules,
    field: Field,
    without_troops: Collection[Power] = (),
    ordinary: Collection[str] = (),
    parting: Collection[Piece] = (),
) -> list[Problem]:
    """Everything wrong on the map.

    Powers without troops have not allotted theirs yet; the fortresses of ordinary lands are none any more; parting
    pieces are about to be moved out of their stacks.
    """
    found = number_problems(rules, field)
    if found:
        return found
    return [
        *piece_problems(rules, field, without_troops),
        *crowding_problems(rules, field, parting),
        *command_problems(rules, field),
        *marker_problems(rules, field, ordinary),
        *question_problems(rules, field),
    ]


def piece_problems(rules: Rules, field: Field, without_troops: Collection[Power]) -> Iterator[Problem]:
    """Pieces one by one: their place, their troops, their facing (§6, §9, §14)."""
    board, most = rules.board, rules.limits.troops
    for index, piece in each_piece(field.pieces):
        facts, city = rules.pieces[index], piece.city
        name = facts.name
        if city >= 0 and not board.in_play(city):
            yield Problem("§14", f"{name} in {board.cities[city].name}, on a map that is not used", index, city)
        if (city == OFF and piece.down) or (city < 0 and piece.on_top):
            yield Problem("§6", f"{name} is off the map, and yet face-down or in command of a stack", index)
        if facts.kind == "train":
            if piece.troops or piece.down or piece.on_top:
                yield Problem("§6", f"{name} is a supply train: no troops, no facing, no command", index)
        elif city >= 0 and facts.power in without_troops:
            if piece.troops:
                yield Problem("§4", f"{name} has troops before {facts.power} has allotted them", index, city)
        elif city >= 0 and not 1 <= piece.troops <= most:
            yield Problem("§6", f"{name} commands {piece.troops} troops, not 1 to {most}", index, city)
        elif city == OFF and piece.troops:
            yield Problem("§6", f"{name} has been removed, and yet commands {piece.troops} troops", index)
        elif city == ASIDE and not 0 <= piece.troops <= most:
            yield Problem("§6", f"{name} commands {piece.troops} troops, not 1 to {most}", index)


def crowding_problems(rules: Rules, field: Field, parting: Collection[Piece]) -> Iterator[Problem]:
    """Cities with more than one piece that is no legal stack (§6)."""
    for city, pieces in sorted(occupants(field).items()):
        if len(pieces) == 1:
            continue
        place, names = rules.board.cities[city].name, rules.names_of(pieces)
        if not all(rules.is_general(piece) for piece in pieces):
            yield Problem("§6", f"{names} in {place}: a supply train stands alone", pieces[0], city)
        elif len(pieces) > rules.limits.stack:
            yield Problem("§6", f"{names} in {place}: a stack has {rules.limits.stack} generals", pieces[0], city)
        elif not all(
            partners(field, rules.pieces[a].power, rules.pieces[b].power)
            for a, b in combinations([piece for piece in pieces if piece not in parting], 2)
        ):
            yield Problem("§6", f"{names} in {place}: their powers do not co-operate", pieces[0], city)


def command_problems(rules: Rules, field: Field) -> Iterator[Problem]:
    """Stacks of equal ranks without one supreme commander, and commanders where ranks decide or nobody obeys (§6)."""
    for city, pieces in sorted(occupants(field).items()):
        generals = [piece for piece in pieces if rules.is_general(piece)]
        chosen = [general for general in generals if field.pieces[general].on_top]
        place = rules.board.cities[city].name
        if needs_commander(rules, generals):
            if len(chosen) != 1:
                names = rules.names_of(generals, " or ")
                yield Problem("§6", f"either {names} has to be supreme commander in {place}", generals[0], city)
        elif chosen:
            names = rules.names_of(chosen)
            yield Problem("§6", f"{names} in {place} is chosen as supreme commander, but no equal rank is there",
                          chosen[0], city)  # fmt: skip


def marker_problems(rules: Rules, field: Field, ordinary: Collection[str]) -> Iterator[Problem]:
    """Markers that lie where §10.3 lays none, and fortresses that nobody would control without one (§3.2)."""
    board, principal = rules.board, field.alliances.principal
    for city, power in sorted(field.markers.items()):
        place = board.cities[city].name
        if not board.cities[city].fortress or board.land[city] in ordinary:
            yield Problem("§3.2", f"a marker of {power} in {place}, which is no fortress", city=city)
        elif principal[power] != power:
            yield Problem("§10.3", f"a marker of {power} in {place}: {principal[power]} lays its markers", city=city)
        elif marker_after(rules, field, city, power) != power:
            yield Problem("§10.3", f"a marker of {power} in {place}: none is laid in a friendly major power's home",
                          city=city)  # fmt: skip
    for city in (c for c in board.fortresses if board.land[c] not in ordinary):
        place = board.cities[city].name
        if board.land[city] in rules.always_marked and city not in field.markers:
            yield Problem("§10.3", f"no marker in {place}: fortresses in {board.land[city]} always have one", city=city)
        elif controller(rules, field, city) is None:
            yield Problem("§3.2", f"nobody controls {place}: it is nobody's home country and has no marker", city=city)


def question_problems(rules: Rules, field: Field) -> Iterator[Problem]:
    """Question marks on what that power cannot conquer (§10.3)."""
    board = rules.board
    for city, power in sorted(field.questions.items()):
        place = board.cities[city].name
        if not board.cities[city].fortress or not board.in_play(city):
            yield Problem("§10.3", f"a question mark in {place}, which is no fortress in play", city=city)
        elif not held_by_enemy(rules, field, city, power):
            yield Problem("§10.3", f"a question mark in {place}, which no enemy of {power} controls", city=city)


def card_problems(
    facts: DeckFacts, cards: Cards, elsewhere: Iterable[Card] = (), other_shuffles: bool = False
) -> list[Problem]:
    """Cards that are missing, doubled, unknown, out of order, or in the wrong place (§8).

    `elsewhere` are cards that lie neither in hands nor with the decks, such as on a political display;
    `other_shuffles` says that not only tactical decks are shuffled in this game.
    """
    found = deck_problems(facts, cards, other_shuffles)
    if found:
        return found
    in_use = [card for deck in range(facts.decks) if deck not in cards.unused for card in deck_cards(facts, deck)]
    there = Counter(card for pile in (*piles(cards), elsewhere) for card in pile)
    missing = sum((Counter(in_use) - there).values())
    if missing:
        found.append(Problem("§8", f"{missing} tactical cards are nowhere"))
    extra = sum((there - Counter(in_use)).values())
    if extra:
        found.append(Problem("§8", f"{extra} tactical cards are there twice, of a deck not in use, or unknown"))
    for power, hand in cards.hands.items():
        if hand != sorted(hand):
            found.append(Problem("§8", f"the hand of {power} is not in order"))
    for deck, pile in enumerate(cards.discards):
        if any(deck_of(card) != deck for card in pile):
            found.append(Problem("§8", f"the cards set aside of deck {deck + 1} are not all of that deck"))
        if pile != sorted(pile):
            found.append(Problem("§8", f"the cards set aside of deck {deck + 1} are not in order"))
    return found


def deck_problems(facts: DeckFacts, cards: Cards, other_shuffles: bool) -> list[Problem]:
    """Decks that do not exist, and counts of shuffles that cannot be."""
    decks = range(facts.decks)
    if len(cards.discards) != facts.decks:
        return [Problem("§8", f"there are {facts.decks} decks, not {len(cards.discards)}")]
    if cards.unused != list(decks)[facts.decks - len(cards.unused) :]:
        return [Problem("§8", "the unused decks are not the last ones in order")]
    used = facts.decks - len(cards.unused)
    if cards.shuffles < used or (cards.unused and cards.shuffles != used and not other_shuffles):
        return [Problem("§8", f"{used} decks in use after {cards.shuffles} shuffles")]
    return []


def piles(cards: Cards) -> Iterable[Sequence[Card]]:
    """Everywhere a card may be but in an unused deck."""
    return [cards.draw, *cards.discards, *cards.hands.values()]


def attack_problems(
    rules: Rules, field: Field, attack: Pairing, attacking: Collection[Power], rule: str
) -> Iterator[Problem]:
    """An attack by nobody, on nobody, by a power that may not attack now, between friends or from afar."""
    cities = rules.board.cities
    if not all(0 <= city < len(cities) for city in (attack.attacker, attack.defender)):
        yield Problem(rule, "an attack from or on no city")
        return
    named = f"the attack from {cities[attack.attacker].name} on {cities[attack.defender].name}"
    attackers, defenders = (stack_at(rules, field, city) for city in (attack.attacker, attack.defender))
    if not attackers or not defenders:
        yield Problem(rule, f"{named}: no general on one side", city=attack.attacker)
        return
    power, other = (rules.pieces[stack[0]].power for stack in (attackers, defenders))
    if attack.defender not in rules.board.adjacent[attack.attacker]:
        yield Problem(rule, f"{named}: the cities are not adjacent", attackers[0], attack.attacker)
    elif not enemies(field, power, other):
        yield Problem(rule, f"{named}: {power} and {other} are no enemies", attackers[0], attack.attacker)
    elif power not in attacking:
        yield Problem(rule, f"{named}: {power} is not active", attackers[0], attack.attacker)


def duel_problems(
    rules: Rules, field: Field, duel: Duel, due: Collection[Pairing], attacking: Collection[Power], rule: str
) -> Iterator[Problem]:
    """A duel about an attack that cannot be, of the wrong powers, with the wrong side to play, or still due."""
    attack = Pairing(duel.attacking_city, duel.defending_city)
    wrong = list(attack_problems(rules, field, attack, attacking, rule))
    if wrong:
        yield from wrong
        return
    attacker, defender = (commanding_power(rules, field, city) for city in (attack.attacker, attack.defender))
    if (duel.attacker, duel.defender) != (attacker, defender):
        yield Problem(rule, f"the duel is between {attacker} and {defender}, who are in supreme command")
    if (duel.turn == "attacker" and duel.score > 0) or (duel.turn == "defender" and duel.score < 0):
        yield Problem(rule, "the side with the better score has the right to play")
    if attack in due:
        yield Problem(rule, "the attack being resolved is still due")


def retreat_problems(rules: Rules, field: Field, retreat: Retreat, rule: str, turncoat: str = "") -> Iterator[Problem]:
    """A retreat of nobody, from nobody, or without a way; `turncoat` may have changed sides since the combat."""
    if not all(0 <= city < len(rules.board.cities) for city in (retreat.start, retreat.from_city)):
        yield Problem(rule, "a retreat from no city")
        return
    losers, winners = (stack_at(rules, field, city) for city in (retreat.start, retreat.from_city))
    if not losers or not winners:
        yield Problem(rule, "a retreat of nobody, or from nobody", city=retreat.start)
        return
    powers = [rules.pieces[stack[0]].power for stack in (winners, losers)]
    friends = not enemies(field, *powers) and turncoat not in powers
    if friends or retreat.from_city not in rules.board.adjacent[retreat.start]:
        yield Problem(rule, f"{rules.names_of(losers)} cannot have been beaten", losers[0], retreat.start)
    elif powers[0] != retreat.winner:
        yield Problem(rule, f"{retreat.winner} is not in supreme command of the winners", winners[0])
    elif not 1 <= retreat.length < rules.limits.stack * rules.limits.troops:
        yield Problem(rule, f"a retreat of {retreat.length} cities", losers[0], retreat.start)
    elif not best_ends(way_of(rules, field, retreat)):
        yield Problem(rule, f"{rules.names_of(losers)} have no way to retreat, and are removed", losers[0])
