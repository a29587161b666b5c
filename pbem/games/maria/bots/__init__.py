"""Bots of MARIA."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from pbem.bots.plain import GameBots
from pbem.bots.sensible.marching import attack_worth
from pbem.engine.nouns import Card, Power
from pbem.games.maria.bots import holding, sensible, strong, uniform
from pbem.games.maria.bots.sensible.sight import see
from pbem.games.maria.rules.gambit import cards_laid_aside
from pbem.games.maria.rules.sequence import nearness
from pbem.games.maria.rules.state import Cancellation, Table


def unseen(table: Table, strangers: Collection[Power]) -> list[list[Card]]:
    """Return lists of cards that a bot's player cannot see: cards that a power has laid aside, and cards just placed
    face-down by a power in `strangers` (§25.5). `strangers` are the powers of other players."""
    affairs, found = table.state.affairs, cards_laid_aside(table)
    if affairs and table.state.phase == "placing":
        found += [cards for power, cards in affairs.covered.items() if power in strangers]
    return found


def redraw(table: Table, own: Collection[Power], chance: Random) -> None:
    """Guess what the player of the powers in `own` does not know. The political cards in the deck are shuffled within
    each year. Winter scores are set to 0. Wishes of other powers to cancel contracts among themselves are removed."""
    affairs = table.state.affairs
    if affairs is None:
        return
    years = {card.number: card.year for card in table.rules.politics.cards}
    affairs.deck = sorted(sorted(affairs.deck), key=lambda card: (-years[card], chance.random()))
    wishes = [(wish, Cancellation.read(wish)) for wish in affairs.cancelling]
    affairs.cancelling = [wish for wish, read in wishes if read.power in own or read.partner in own]
    affairs.scores = [dict.fromkeys(scores, 0) for scores in affairs.scores]


PART = GameBots(
    hold=holding.hold,
    uniform=uniform.CHOICES,
    sensible=sensible.choose,
    strong=strong.choose,
    why=strong.why,
    aims=strong.AIMS,
    unasked=holding.accept_offers,
    unseen=unseen,
    redraw=redraw,
    attack_worth=lambda table, power, battle, gained: attack_worth(see(table, power).sight, battle, gained),
    keeping=0.066,
    card_point=0.12,
    nearness=nearness,
)
