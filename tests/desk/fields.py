"""Positions to try things on at the desk."""

from __future__ import annotations

from random import Random

from pbem.bots.table import bot_named
from pbem.desk.practice import rules_of, terms_of
from pbem.engine.board import SUITS
from pbem.engine.cards import discard, points
from pbem.engine.decisions import PlayCard
from pbem.engine.table import digest
from pbem.games.friedrich.rules.decisions import Levy
from pbem.games.maria.rules.decisions import SelectPolitics, Toll
from pbem.kit import copy_of
from pbem.paper.documents.writing import write
from pbem.paper.positions.files import write_position
from pbem.plans.practice import PracticeWish, practice_position
from pbem.player.names import new_table
from pbem.playing.game import PlayedGame
from pbem.playing.saved import Setup, saved_data


def battlefield(game: str) -> bytes:
    """A battle in which the attacker is at −3, plays diamonds, and has cards to turn it."""
    suits = [SUITS.index(suit) for suit in ("diamonds", "spades")]
    wish = PracticeWish(-3, suits[0], suits[1], ("♦5", "♦2", "♠7", "R"), ("♠4", "♠2"))
    _, document = practice_position(new_table({"game": game}), wish)
    return write({"game": game, **document}).encode()


def politics() -> bytes:
    """A position of MARIA in which a power has bid highest, and may execute one of its political cards."""
    terms = terms_of("maria", "advanced")
    rules = rules_of(terms)
    bots = dict.fromkeys((seat for seat in rules.seats if seat != "louis"), "random")
    game, chance = PlayedGame(rules, Setup(terms, "a0", "louis", bots)), Random(0)
    while (decision := game.question()) and not (isinstance(decision, SelectPolitics) and decision.may_execute):
        game.take(decision.power, bot_named("random", "maria")(copy_of(game.table), decision, chance))
    return write_position(game.table).encode()


def duel() -> bytes:
    """A saved game of MARIA against bots, in which France is to play a card or to stop."""
    terms = terms_of("maria", "introductory")
    rules = rules_of(terms)
    bots = dict.fromkeys((seat for seat in rules.seats if seat != "louis"), "random")
    game, chance = PlayedGame(rules, Setup(terms, "a0", "louis", bots)), Random(0)
    while (decision := game.question()) and not (isinstance(decision, PlayCard) and not decision.must):
        game.take(decision.power, bot_named("random", "maria")(copy_of(game.table), decision, chance))
    return saved_data(game.setup, game.entries, digest(game.table.state))


def toll() -> bytes:
    """A saved game of MARIA against bots, in which France has to pay a toll and holds many cards."""
    game = tolled()
    return saved_data(game.setup, game.entries, digest(game.table.state))


def toll_beyond(cards: int) -> bytes:
    """A position of MARIA in which France has to pay a toll, and holds only its first cards."""
    table = tolled().table
    power = table.state.owing[0]
    discard(table.state.cards, power, table.state.cards.hands[power][cards:])
    return write_position(table).encode()


def tolled() -> PlayedGame:
    """A game of MARIA in which France has to pay a toll."""
    terms = terms_of("maria", "advanced")
    rules = rules_of(terms)
    bots = dict.fromkeys((seat for seat in rules.seats if seat != "louis"), "random")
    game, chance = PlayedGame(rules, Setup(terms, "a3", "louis", bots)), Random(3)
    while (decision := game.question()) and not isinstance(decision, Toll):
        game.take(decision.power, bot_named("random", "maria")(copy_of(game.table), decision, chance))
    return game


def exile() -> bytes:
    """A position of FRIEDRICH in which a general may come back, with troops that cards pay for."""
    terms = terms_of("friedrich", "")
    rules = rules_of(terms)
    seat, *others = rules.seats
    game, chance = PlayedGame(rules, Setup(terms, "a0", seat, dict.fromkeys(others, "random"))), Random(0)
    while (decision := game.question()) and not (isinstance(decision, Levy) and back(game, decision)):
        game.take(decision.power, bot_named("random", "friedrich")(copy_of(game.table), decision, chance))
    return write_position(game.table).encode()


def back(game: PlayedGame, decision: Levy) -> bool:
    """Return True if a general may come back, and can be paid for."""
    rules = game.table.rules.common
    return (
        any(map(rules.is_general, decision.entries)) and points(rules.decks, decision.hand) >= 6 and not decision.early
    )
