"""Cards of a battle: those that another battle or a payment of the stage needs too, and the last one that fits."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.engine.cards import RESERVE, suit_of
from pbem.engine.decisions import Answer, Move, Play, PlayCard, Recruitment
from pbem.engine.field import stack_at
from pbem.engine.nouns import Power, Suit
from pbem.engine.table import Table
from pbem.faults.wrong import Words, words
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.report.stacks import Stack


def same_cards(named: Table, move: Move, powers: Collection[Power]) -> Iterator[Words]:
    """Yield words on generals of the marching power who already have to fight elsewhere, in battles that need the cards
    of a battle at the end of this march. The cards are those of one suit, or Reserves."""
    rules, power = named.rules.common, named.rules.common.pieces[move.pieces[0]].power
    suits = {suit_of(card) for card in named.state.cards.hands.get(power, ())}
    there = rules.board.suit[move.path[-1]]
    fights = [each for each in attackers(named, power, powers) if each.city != move.path[-1]]
    alike = [each for each in fights if each.suit == there and there in suits]
    others = [each for each in fights if each not in alike] if RESERVE in suits else []
    for key, stacks in (("why-same-cards", alike), ("why-same-reserve", others)):
        named_once = dict.fromkeys(general for stack in stacks for general in stack.generals)
        generals = [general for general in named_once if general not in move.pieces]
        if generals:
            yield words(key, pieces=tuple(blocks.pieces(rules, generals)))


def needed_later(named: Table, battle: PlayCard) -> Iterator[Words]:
    """Yield words on the generals of the power who are to fight after this battle and need cards of the same suit."""
    rules, state = named.rules.common, named.state
    cities = {city for each in state.battles for city in (each.attacker, each.defender)}
    alike = [city for city in sorted(cities) if rules.board.suit[city] == battle.suit]
    stacks = [piece for city in alike for piece in stack_at(rules, state.field, city)]
    if own := [piece for piece in stacks if rules.pieces[piece].power == battle.power]:
        yield words("why-needed-later", pieces=tuple(blocks.pieces(rules, own)))


def last_card(battle: PlayCard, answer: Answer) -> Iterator[Words]:
    """Yield words if the answer plays the last card that can be played in this battle."""
    if isinstance(answer, Play) and len(battle.cards) == 1:
        yield words("why-last-card")


def paid_away(named: Table, power: Power, levy: Recruitment, powers: Collection[Power]) -> Iterator[Words]:
    """Yield words on the generals whose battle needs cards that recruits are to be paid with."""
    suits: set[Suit | int] = {suit_of(card) for card in levy.cards}
    needing = [each for each in attackers(named, power, powers) if not suits.isdisjoint((RESERVE, each.suit))]
    losers = dict.fromkeys(general for stack in needing for general in stack.generals)
    if losers:
        yield words("why-pays-battle", pieces=tuple(blocks.pieces(named.rules.common, losers)))


def attackers(table: Table, power: Power, powers: Collection[Power]) -> list[Stack]:
    """Return the stacks of a power that are to attack in the present stage, once for each attack."""
    battles = Prospects(table, powers, powers).battles()
    return [battle.attacker for battle in battles if battle.attacker.power == power]
