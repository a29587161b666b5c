"""Combat from its beginning to its outcome: the duel of cards, losses, and the retreat (MARIA §11.1, §11.2; FRIEDRICH
§7, §8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.board import SUITS
from pbem.engine.cards import RESERVE, Cards, discard, is_reserve, suit_of, value_of
from pbem.engine.conquest import NOBODY, control_of, dealings, is_held_by_enemy, is_protected
from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Fight, Pairing, PlayCard
from pbem.engine.events import CardPlayed
from pbem.engine.field import Field, alter, pieces_by_city, remove, stack_at
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.rules import IllegalOrder, Rules
from pbem.engine.troops import Retreat, RetreatGround
from pbem.faults.wrong import Words, words, wrong

Side = Literal["attacker", "defender"]


class Duel(Struct):
    """Combat in progress, with the score so far and the side that plays next."""

    attacking_city: City
    defending_city: City
    attacker: Power
    defender: Power
    """Power in supreme command of the defending stack. It plays the cards for this stack, as `attacker` does for the
    attacking stack."""
    score: int
    """Score as the attacker counts it; the defender's score is its negative."""
    turn: Side
    """Side that has the right to play."""


def pairings(rules: Rules, field: Field, powers: Sequence[Power]) -> list[Pairing]:
    """Return the attacks that the powers in `powers` must make: each of their stacks attacks each adjacent enemy stack
    (§11.1)."""
    generals = sorted(general for power in powers for general in rules.generals(power))
    ours = {field.pieces[general].city: rules.pieces[general].power for general in generals}
    ours = {city: power for city, power in ours.items() if city >= 0}
    standing = pieces_by_city(rules, field).at
    found = set()
    for city, power in ours.items():
        rivals = dealings(rules, field, power).rivals
        for other in rules.board.near[city]:
            if other in standing and other not in ours and not rivals.isdisjoint(standing[other]):
                found.add((city, other))
    quiet = field.half_active
    if quiet:
        # Nobody fights on the half-active map or across its edge (docs/rulings.md, Silesia Gambit §2.1).
        maps = rules.board.map
        found = {pair for pair in found if quiet not in (maps[pair[0]], maps[pair[1]])}
    return [Pairing(a, d) for a, d in sorted(found)]


def attack_name(rules: Rules, battle: Pairing) -> str:
    """Return the attack as order files name it: `attacking city > defending city`."""
    cities = rules.board.cities
    return f"{cities[battle.attacker].name} > {cities[battle.defender].name}"


def attacks_in_words(rules: Rules, battles: Iterable[Pairing]) -> tuple[Words, ...]:
    """Return the attacks as faults name them. The cities are gaps, so that each is named in the reader's language."""
    named = (rules.board.names((battle.attacker, battle.defender)) for battle in battles)
    return tuple(words("attack-written", attacker=attacker, defender=defender) for attacker, defender in named)


def player(duel: Duel) -> Power:
    """Return the power that has the right to play."""
    return duel.attacker if duel.turn == "attacker" else duel.defender


def own_score(duel: Duel) -> int:
    """Return the score as the power with the right to play counts it: zero or negative."""
    return duel.score if duel.turn == "attacker" else -duel.score


def own_city(duel: Duel) -> City:
    """Return the city whose suit the power with the right to play must follow."""
    return duel.attacking_city if duel.turn == "attacker" else duel.defending_city


def playable(rules: Rules, cards: Cards, duel: Duel) -> list[Card]:
    """Return the cards in the suit of the sector, and Reserves, in the hand of the power with the right to play."""
    suits = (rules.board.suit[own_city(duel)], RESERVE)
    return [card for card in cards.hands[player(duel)] if suit_of(card) in suits]


def choice(rules: Rules, cards: Cards, duel: Duel) -> PlayCard:
    """Return the decision to play a card or to stop, for the power with the right to play. At score zero, a power that
    has a card of the suit may not stop (§11.1)."""
    offered = playable(rules, cards, duel)
    must = own_score(duel) == 0 and not all(is_reserve(card) for card in offered)
    if must and not rules.reserve_for_suit:
        offered = [card for card in offered if not is_reserve(card)]
    # The decision is asked even if no card can be played: its absence would reveal the hand (docs/rulings.md, §11.1).
    return PlayCard(player(duel), own_score(duel), rules.board.suit[own_city(duel)], tuple(offered), must)


def check_play(rules: Rules, duel: Duel, hand: Sequence[Card], card: Card, declared: int) -> None:
    """Raise `IllegalOrder` for a card not in hand or of the wrong suit, and for a Reserve declared at a value out of
    range."""
    if card not in hand:
        raise IllegalOrder(wrong("E-CARD-HAND"), where=("card",))
    city = own_city(duel)
    if is_reserve(card):
        most = rules.decks.reserve_most
        if not 1 <= declared <= most:
            wording = "E-RESERVE-VALUE" if declared else "E-RESERVE-VALUE.none"
            raise IllegalOrder(wrong(wording, value=declared, most=most), where=("value",))
    elif suit_of(card) != rules.board.suit[city]:
        played, suit = SUITS[suit_of(card)], SUITS[rules.board.suit[city]]
        place = rules.board.cities[city].name
        raise IllegalOrder(wrong("E-CARD-SUIT", card=played, city=place, suit=suit), where=("card",))


def check_stop(decision: PlayCard) -> None:
    """Raise `IllegalOrder` if a power stops at score zero although it has a card of the suit in hand (§11.1)."""
    if decision.must:
        raise IllegalOrder(wrong("E-DUEL-MUST", suit=SUITS[decision.suit]))


def check_must(decision: PlayCard, card: Card) -> None:
    """Raise `IllegalOrder` if a Reserve is played although the rules demand a card of the suit (§11.1)."""
    if decision.must and card not in decision.cards:
        raise IllegalOrder(wrong("E-DUEL-MUST.suit", suit=SUITS[decision.suit]), where=("card",))


def check_value(card: Card, declared: int) -> None:
    """Raise `IllegalOrder` if a suited card is declared at another value than the printed value (§8)."""
    if not is_reserve(card) and declared not in (0, value_of(card)):
        raise IllegalOrder(wrong("E-CARD-VALUE", printed=value_of(card), value=declared), where=("value",))


def worth_of(card: Card, declared: int) -> int:
    """Return the value of a card in the duel: as printed, or for a Reserve as declared (§8)."""
    return declared if is_reserve(card) else value_of(card)


def play(cards: Cards, duel: Duel, card: Card, worth: int) -> CardPlayed:
    """Set the card aside, and add its worth to the score of its side. If the score of this side is then zero or more,
    the right to play passes to the other side (§11.1)."""
    power = player(duel)
    discard(cards, power, [card])
    duel.score += worth if duel.turn == "attacker" else -worth
    event = CardPlayed(power, card, worth, own_score(duel))
    if own_score(duel) >= 0:
        duel.turn = "defender" if duel.turn == "attacker" else "attacker"
    return event


class Sides(NamedTuple):
    """Generals of the two stacks in a combat."""

    attackers: tuple[Piece, ...]
    defenders: tuple[Piece, ...]


def sides(rules: Rules, field: Field, duel: Duel) -> Sides:
    attackers, defenders = (tuple(stack_at(rules, field, at)) for at in (duel.attacking_city, duel.defending_city))
    return Sides(attackers, defenders)


class Outcome(Struct, frozen=True):
    """Result of a decided combat, before losses and retreat are carried out."""

    winners: tuple[Piece, ...]
    losers: tuple[Piece, ...]
    winner: Power
    loser: Power
    start: City
    """City of the losers."""
    from_city: City
    """City of the winners."""
    score: int
    """Margin of the defeat."""
    lost: int
    """Troops that the losers lose."""
    strength: int
    """Troops that the losers had."""

    @property
    def event(self) -> e.BattleWon:
        return e.BattleWon(self.winners, self.losers, self.winner, self.loser, self.score, self.lost)


def check_due(rules: Rules, decision: ChooseBattle, answer: Fight, rule: str) -> None:
    """Raise `IllegalOrder` for an attack that is not offered. `rule` is the § that the refusal names."""
    if answer.battle not in decision.battles:
        attack, due = attacks_in_words(rules, [answer.battle]), attacks_in_words(rules, decision.battles)
        raise IllegalOrder(wrong("E-BATTLE", rule=rule, attack=attack, due=due), where=("battle",))


def join(rules: Rules, field: Field, battle: Pairing) -> tuple[Duel, e.BattleJoined]:
    """Return a new duel of two stacks, and the event in which both sides state their troops. The weaker side has the
    right to play first. If both sides are equally strong, the attacker plays first (§11.1)."""
    cities = (battle.attacker, battle.defender)
    attackers, defenders = stacks = [tuple(stack_at(rules, field, city)) for city in cities]
    attacker, defender = (rules.pieces[stack[0]].power for stack in stacks)
    ours, theirs = (sum(field.pieces[general].troops for general in stack) for stack in stacks)
    duel = Duel(*cities, attacker, defender, ours - theirs, "attacker" if ours <= theirs else "defender")
    return duel, e.BattleJoined(attackers, defenders, *cities, ours, theirs, duel.score)


def tie(rules: Rules, field: Field, duel: Duel) -> e.BattleTied:
    """Return the event of a combat that ends at score zero."""
    return e.BattleTied(*sides(rules, field, duel))


def outcome(rules: Rules, field: Field, duel: Duel, score: int) -> Outcome:
    """Return the outcome of a combat in which the power with the right to play stops. `score` is the margin by which
    this power's side loses."""
    attackers, defenders = sides(rules, field, duel)
    attacker_lost = duel.turn == "attacker"
    losers, winners = (attackers, defenders) if attacker_lost else (defenders, attackers)
    cities = (duel.attacking_city, duel.defending_city)
    start, from_city = cities if attacker_lost else cities[::-1]
    winner = duel.defender if attacker_lost else duel.attacker
    strength = sum(field.pieces[general].troops for general in losers)
    lost = min(score, strength)
    return Outcome(winners, losers, winner, player(duel), start, from_city, score, lost, strength)


def retreat_ground(rules: Rules, field: Field, retreat: Retreat) -> RetreatGround:
    """Return the cities and roads that are open to the beaten stack on its retreat."""
    losers = stack_at(rules, field, retreat.start)
    key = ("way", retreat.start, retreat.length, retreat.from_city, control_of(rules, field).stance)
    return pieces_by_city(rules, field).once(key, RetreatGround, rules, field, retreat, losers)


def retreat_choice(rules: Rules, field: Field, retreat: Retreat) -> ChooseRetreat:
    """Return the decision in which the winner chooses the path of the beaten stack."""
    losers = tuple(stack_at(rules, field, retreat.start))
    ends = tuple(sorted(retreat_ground(rules, field, retreat).ends))
    return ChooseRetreat(retreat.winner, losers, retreat.start, retreat.length, ends)


def destroy(rules: Rules, field: Field, city: City) -> list[e.Event]:
    """Remove the beaten stack in `city` with all its troops, and return the events."""
    losers = stack_at(rules, field, city)
    troops = sum(field.pieces[general].troops for general in losers)
    events: list[e.Event] = [e.RetreatImpossible(tuple(losers), city, troops)]
    for general in losers:
        remove(field, general)
        events.append(e.GeneralRemoved(general, city))
    return events


def remaining_battles(battles: Iterable[Pairing], city: City) -> list[Pairing]:
    """Return the attacks in which the stack in this city has no part."""
    return [battle for battle in battles if city not in (battle.attacker, battle.defender)]


def falling_behind(
    rules: Rules, field: Field, losers: Collection[Piece], ends: Iterable[City], reach: Mapping[Piece, int] = NOBODY
) -> dict[City, list[City]]:
    """Return the fortresses with a question mark that lose their protection if the losers retreat. Each fortress comes
    with those ends of the retreat at which it loses its protection. `reach` has the distance at which a piece protects,
    for pieces whose distance is not the usual one."""
    found: dict[City, list[City]] = {}
    after = replace(field, pieces=list(field.pieces))
    for end in ends:
        for loser in losers:
            alter(after, loser, city=end)
        for city, power in sorted(after.questions.items()):
            if is_held_by_enemy(rules, after, city, power) and not is_protected(rules, after, city, reach):
                found.setdefault(city, []).append(end)
    return found
