"""Checks of a position that apply to every game: of the map, the cards and combats.

Only a position written by hand can fail these checks. The § are those of MARIA unless the caller passes others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from pbem.engine.cards import Cards, DeckFacts, deck_cards, deck_of
from pbem.engine.combat import Duel, retreat_ground
from pbem.engine.conquest import controller, is_held_by_enemy, marker_after
from pbem.engine.decisions import Pairing
from pbem.engine.field import ASIDE, OFF, Field, are_enemies, are_partners, commanding_power, occupants, stack_at
from pbem.engine.nouns import Card, City, Piece, Power, each_piece
from pbem.engine.rules import Rules
from pbem.engine.troops import Retreat, needs_commander
from pbem.faults.wrong import Gap, Wrong, words, wrong


class Problem(Struct, frozen=True):
    """Impossible fact of a position, with the piece and the city that it concerns, if any."""

    wrong: Wrong
    piece: Piece | None = None
    city: City | None = None

    @property
    def rule(self) -> str:
        """§ that the position violates."""
        return self.wrong.section


def impossible(
    wording: str, piece: Piece | None = None, city: City | None = None, /, rule: str = "", **gaps: Gap
) -> Problem:
    """Return a problem of a position. `wording` is the key of its text in the templates, and `gaps` has the values for
    the gaps of this text. `rule` replaces the § of the wording."""
    return Problem(wrong(wording, rule, None, **gaps), piece, city)


def number_problems(rules: Rules, field: Field) -> list[Problem]:
    """Return the problem of a wrong number of pieces. If the number is right, return the problems of unknown cities and
    powers. All other checks assume that there are no such problems."""
    if len(field.pieces) != len(rules.pieces):
        return [impossible("E-POSITION.pieces", wanted=len(rules.pieces), count=len(field.pieces))]
    found: list[Problem] = []
    cities = range(len(rules.board.cities))
    for index, piece in each_piece(field.pieces):
        if piece.city not in cities and piece.city not in (OFF, ASIDE):
            found.append(impossible("E-POSITION.nowhere", index, piece=rules.pieces[index].name))
    if any(city not in cities for city in (*field.markers, *field.questions)):
        found.append(impossible("E-POSITION.marker-nowhere"))
    if any(city not in cities and city != OFF for city in field.hussars):
        found.append(impossible("E-POSITION.hussar-nowhere"))
    powers = {facts.power for facts in rules.pieces}
    for power in {*field.markers.values(), *field.questions.values()} - powers:
        found.append(impossible("E-POSITION.marker-power", power=power))
    known = field.alliances
    if any(powers - set(table) for table in (known.side, known.group, known.principal)):
        found.append(impossible("E-POSITION.alliances"))
    return found


def field_problems(
    rules: Rules,
    field: Field,
    without_troops: Collection[Power] = (),
    ordinary: Collection[str] = (),
    parting: Collection[Piece] = (),
) -> list[Problem]:
    """Return all problems on the map. If `number_problems` finds any, return only those. `without_troops` are powers
    that have not allotted their troops. `ordinary` are lands whose fortresses have become ordinary cities. `parting`
    are pieces about to leave their stacks."""
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
    """Yield the problems of single pieces: place, troops, facing (§6, §9, §14)."""
    board, most = rules.board, rules.limits.troops
    for index, piece in each_piece(field.pieces):
        facts, city = rules.pieces[index], piece.city
        name = facts.name
        if city >= 0 and not board.in_play(city):
            yield impossible("E-POSITION.map", index, city, piece=name, city=board.cities[city].name)
        if (city == OFF and piece.down) or (city < 0 and piece.on_top):
            yield impossible("E-POSITION.off", index, piece=name)
        if facts.kind == "train":
            if piece.troops or piece.down or piece.on_top:
                yield impossible("E-POSITION.train", index, piece=name)
        elif city >= 0 and facts.power in without_troops:
            if piece.troops:
                yield impossible("E-POSITION.early-troops", index, city, piece=name, power=facts.power)
        elif city >= 0 and not 1 <= piece.troops <= most:
            yield impossible("E-POSITION.troops", index, city, piece=name, troops=piece.troops, most=most)
        elif city == OFF and piece.troops:
            yield impossible("E-POSITION.removed", index, piece=name, troops=piece.troops)
        elif city == ASIDE and not 0 <= piece.troops <= most:
            yield impossible("E-POSITION.troops", index, piece=name, troops=piece.troops, most=most)


def crowding_problems(rules: Rules, field: Field, parting: Collection[Piece]) -> Iterator[Problem]:
    """Yield a problem for each city whose pieces form no legal stack (§6). Pieces in `parting`, which are about to
    leave, may stand with any power."""
    for city, pieces in sorted(occupants(field).items()):
        if len(pieces) == 1:
            continue
        place, names = rules.board.cities[city].name, rules.names(pieces)
        if not all(rules.is_general(piece) for piece in pieces):
            yield impossible("E-POSITION.train-stacked", pieces[0], city, pieces=names, city=place)
        elif len(pieces) > rules.limits.stack:
            yield impossible("E-POSITION.stack", pieces[0], city, pieces=names, city=place, most=rules.limits.stack)
        elif not all(
            are_partners(field, rules.pieces[a].power, rules.pieces[b].power)
            for a, b in combinations([piece for piece in pieces if piece not in parting], 2)
        ):
            yield impossible("E-POSITION.strangers", pieces[0], city, pieces=names, city=place)


def command_problems(rules: Rules, field: Field) -> Iterator[Problem]:
    """Yield a problem for each wrong choice of supreme commander (§6). If several generals have the highest rank,
    exactly one of them must be chosen; otherwise nobody may be chosen."""
    for city, pieces in sorted(occupants(field).items()):
        generals = [piece for piece in pieces if rules.is_general(piece)]
        chosen = [general for general in generals if field.pieces[general].on_top]
        place = rules.board.cities[city].name
        if needs_commander(rules, generals):
            if len(chosen) != 1:
                names = rules.names(generals)
                yield impossible("E-POSITION.commander", generals[0], city, generals=names, city=place)
        elif chosen:
            names = rules.names(chosen)
            yield impossible("E-POSITION.commander-rank", chosen[0], city, generals=names, city=place)


def marker_problems(rules: Rules, field: Field, ordinary: Collection[str]) -> Iterator[Problem]:
    """Yield a problem for each marker that may not be where it is (§10.3), and for each fortress without a controller
    because its marker is missing (§3.2). `ordinary` are the lands whose fortresses have become ordinary cities."""
    board, principal = rules.board, field.alliances.principal
    for city, power in sorted(field.markers.items()):
        place = board.cities[city].name
        if not board.cities[city].fortress or board.land[city] in ordinary:
            yield impossible("E-POSITION.marker-fortress", None, city, power=power, city=place)
        elif principal[power] != power:
            by = principal[power]
            yield impossible("E-POSITION.marker-principal", None, city, power=power, city=place, principal=by)
        elif marker_after(rules, field, city, power) != power:
            yield impossible("E-POSITION.marker-home", None, city, power=power, city=place)
    for city in (c for c in board.fortresses if board.land[c] not in ordinary):
        place, land = board.cities[city].name, board.land[city]
        if land in rules.always_marked and city not in field.markers:
            yield impossible("E-POSITION.marker-always", None, city, city=place, land=land)
        elif controller(rules, field, city) is None:
            yield impossible("E-POSITION.uncontrolled", None, city, city=place)


def question_problems(rules: Rules, field: Field) -> Iterator[Problem]:
    """Yield a problem for each question mark on a city that its power cannot conquer (§10.3)."""
    board = rules.board
    for city, power in sorted(field.questions.items()):
        place = board.cities[city].name
        if not board.cities[city].fortress or not board.in_play(city):
            yield impossible("E-POSITION.question-fortress", None, city, city=place)
        elif not is_held_by_enemy(rules, field, city, power):
            yield impossible("E-POSITION.question-enemy", None, city, city=place, power=power)


def card_problems(facts: DeckFacts, cards: Cards, elsewhere: Iterable[Card]) -> list[Problem]:
    """Return the problems of missing, doubled, unknown, unsorted and misplaced cards (§8). `elsewhere` are cards
    outside of hands and decks. `deck_problems` must have found nothing."""
    found: list[Problem] = []
    in_use = [card for deck in range(facts.decks) if deck not in cards.unused for card in deck_cards(facts, deck)]
    there = Counter(card for pile in (*piles(cards), elsewhere) for card in pile)
    missing = sum((Counter(in_use) - there).values())
    if missing:
        found.append(impossible("E-POSITION.cards-missing", count=missing))
    extra = sum((there - Counter(in_use)).values())
    if extra:
        found.append(impossible("E-POSITION.cards-extra", count=extra))
    for power, hand in cards.hands.items():
        if hand != sorted(hand):
            found.append(impossible("E-POSITION.hand-order", power=power))
    for deck, pile in enumerate(cards.discards):
        if any(deck_of(card) != deck for card in pile):
            found.append(impossible("E-POSITION.pile-deck", deck=deck + 1))
        if pile != sorted(pile):
            found.append(impossible("E-POSITION.pile-order", deck=deck + 1))
    return found


def deck_problems(facts: DeckFacts, cards: Cards, other_shuffles: bool) -> list[Problem]:
    """Return the first problem of the piles, the unused decks and the shuffles; an empty list if there is none.
    `other_shuffles` is true if the game also shuffles other cards."""
    decks = range(facts.decks)
    if len(cards.discards) != facts.decks:
        return [impossible("E-POSITION.deck-count", wanted=facts.decks, count=len(cards.discards))]
    if cards.unused != list(decks)[facts.decks - len(cards.unused) :]:
        return [impossible("E-POSITION.unused-order")]
    used = facts.decks - len(cards.unused)
    if cards.shuffles < used or (cards.unused and cards.shuffles != used and not other_shuffles):
        return [impossible("E-POSITION.shuffles", used=used, shuffles=cards.shuffles)]
    return []


def piles(cards: Cards) -> Iterable[Sequence[Card]]:
    """Return all lists of cards except the unused decks: the draw deck, the piles and the hands."""
    return [cards.draw, *cards.discards, *cards.hands.values()]


def attack_problems(rules: Rules, field: Field, attack: Pairing, attacking: Collection[Power]) -> Iterator[Problem]:
    """Yield the first problem of an attack, such as stacks that are not adjacent or not enemies. `attacking` are the
    powers that may attack now."""
    cities = rules.board.cities
    if not all(0 <= city < len(cities) for city in (attack.attacker, attack.defender)):
        yield impossible("E-POSITION.attack-nowhere")
        return
    named = words("attack-named", here=cities[attack.attacker].name, city=cities[attack.defender].name)
    attackers, defenders = (stack_at(rules, field, city) for city in (attack.attacker, attack.defender))
    if not attackers or not defenders:
        yield impossible("E-POSITION.attack-nobody", None, attack.attacker, attack=named)
        return
    power, other = (rules.pieces[stack[0]].power for stack in (attackers, defenders))
    if attack.defender not in rules.board.adjacent[attack.attacker]:
        yield impossible("E-POSITION.attack-far", attackers[0], attack.attacker, attack=named)
    elif not are_enemies(field, power, other):
        names = (power, other)
        yield impossible("E-POSITION.attack-friends", attackers[0], attack.attacker, attack=named, powers=names)
    elif power not in attacking:
        yield impossible("E-POSITION.attack-active", attackers[0], attack.attacker, attack=named, power=power)


def duel_problems(
    rules: Rules, field: Field, duel: Duel, due: Collection[Pairing], attacking: Collection[Power]
) -> Iterator[Problem]:
    """Yield the problems of the attack that is fought out in a combat. If there are none, yield those of the combat
    itself: wrong powers, the wrong side to play, or an attack that is also listed in `due`. `due` has the attacks still
    to come, and `attacking` the powers that may attack now."""
    attack = Pairing(duel.attacking_city, duel.defending_city)
    found = list(attack_problems(rules, field, attack, attacking))
    if found:
        yield from found
        return
    attacker, defender = (commanding_power(rules, field, city) for city in (attack.attacker, attack.defender))
    if (duel.attacker, duel.defender) != (attacker, defender):
        yield impossible("E-POSITION.duel-sides", powers=(attacker, defender))
    if (duel.turn == "attacker" and duel.score > 0) or (duel.turn == "defender" and duel.score < 0):
        yield impossible("E-POSITION.duel-turn")
    if attack in due:
        yield impossible("E-POSITION.duel-due")


def retreat_problems(rules: Rules, field: Field, retreat: Retreat, turncoat: str = "") -> Iterator[Problem]:
    """Yield the first problem of a retreat, such as wrong stacks, or no city where the retreat can end. The power
    `turncoat` may have changed sides since the combat."""
    if not all(0 <= city < len(rules.board.cities) for city in (retreat.start, retreat.from_city)):
        yield impossible("E-POSITION.retreat-nowhere")
        return
    losers, winners = (stack_at(rules, field, city) for city in (retreat.start, retreat.from_city))
    if not losers or not winners:
        yield impossible("E-POSITION.retreat-nobody", None, retreat.start)
        return
    powers = [rules.pieces[stack[0]].power for stack in (winners, losers)]
    names = rules.names(losers)
    friends = not are_enemies(field, *powers) and turncoat not in powers
    if friends or retreat.from_city not in rules.board.adjacent[retreat.start]:
        yield impossible("E-POSITION.unbeaten", losers[0], retreat.start, generals=names)
    elif powers[0] != retreat.winner:
        yield impossible("E-POSITION.retreat-winner", winners[0], power=retreat.winner)
    elif not 1 <= retreat.length < rules.limits.stack * rules.limits.troops:
        yield impossible("E-POSITION.retreat-length", losers[0], retreat.start, count=retreat.length)
    elif not retreat_ground(rules, field, retreat).ends:
        yield impossible("E-POSITION.retreat-way", losers[0], generals=names)
