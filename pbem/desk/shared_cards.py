"""Battles of the present stage that need the cards of another battle, or cards that are to be paid."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.engine.cards import RESERVE, suit_of
from pbem.engine.combat import pairings
from pbem.engine.decisions import Move, Recruitment
from pbem.engine.field import stack_at
from pbem.engine.nouns import Power, Suit
from pbem.engine.table import Table
from pbem.faults.wrong import Words, words
from pbem.report import blocks
from pbem.report.consequences import Prospects


def same_cards(named: Table, move: Move, powers: Collection[Power]) -> Iterator[Words]:
    """Yield words on the generals of the marching power who are to fight already, in battles that its hand could decide
    with cards that also fit a battle at the end of a march: those of one suit, or Reserves."""
    rules, power = named.rules.common, named.rules.common.pieces[move.pieces[0]].power
    suits = {suit_of(card) for card in named.state.cards.hands.get(power, ())}
    there = rules.board.suit[move.path[-1]]
    fights = [
        battle.attacker
        for battle in Prospects(named, powers, powers).battles()
        if battle.attacker.power == power and battle.attacker.city != move.path[-1]
    ]
    alike = [each for each in fights if each.suit == there and there in suits]
    others = [each for each in fights if each not in alike] if RESERVE in suits else []
    for key, stacks in (("why-same-cards", alike), ("why-same-reserve", others)):
        generals = [general for stack in stacks for general in stack.generals if general not in move.pieces]
        if generals:
            yield words(key, pieces=tuple(blocks.pieces(rules, generals)))


def paid_away(named: Table, power: Power, levy: Recruitment) -> Iterator[Words]:
    """Yield words on the generals whose battle needs cards that recruits are to be paid with."""
    suits: set[Suit | int] = {suit_of(card) for card in levy.cards}
    rules, field = named.rules.common, named.state.field
    losers = [
        general
        for city in dict.fromkeys(battle.attacker for battle in pairings(rules, field, [power]))
        if not suits.isdisjoint((RESERVE, rules.board.suit[city]))
        for general in stack_at(rules, field, city)
    ]
    if losers:
        yield words("why-pays-battle", pieces=tuple(blocks.pieces(rules, losers)))
