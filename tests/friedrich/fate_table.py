"""A table for tests of the Clock of Fate and the expert game: an empty board, and what a test puts on it."""

from __future__ import annotations

from typing import Any

from pbem.engine.board import SUITS
from pbem.engine.cards import RESERVE, SeededDealer, card_of
from pbem.engine.events import Event
from pbem.engine.field import OFF, alter
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules import fate, game
from pbem.games.friedrich.rules.data import Points, Terms
from pbem.games.friedrich.rules.opening import decision as allotment
from pbem.games.friedrich.rules.sequence import advance
from pbem.games.friedrich.rules.state import InForce, Phase, Table

SIGNS = {"c": 0, "d": 1, "h": 2, "s": 3}


def bare(scenario: str = "four", expert: bool = True, turn: int = 7, **options: Any) -> Table:
    """A game under way with nothing on the board and no card in any hand; options are further terms, or rulings."""
    rulings = {name: options.pop(name) for name in Points.__struct_fields__ if name in options}
    terms = Terms(scenario=scenario, expert=expert, rulings=tuple(sorted(rulings.items())), **options)
    table, _ = game.start(load_friedrich(terms), SeededDealer("fate"))
    state = table.state
    for power in list(state.owing):
        troops = allotment(table, power).least
        for general in troops:
            alter(state.field, general, troops=1)
    for number, piece in enumerate(state.field.pieces):
        if piece.city >= 0:
            alter(state.field, number, city=OFF, troops=0)
    for hand in state.cards.hands.values():
        hand.clear()
    state.owing, state.tasks = [], []
    state.turn, state.stage, state.phase, state.begun = turn, "fate", "clock", True
    return table


def city(table: Table, name: str) -> int:
    """The number of a city."""
    return table.rules.common.board.index[name]


def general(table: Table, name: str) -> int:
    """The number of a general."""
    return next(i for i, facts in enumerate(table.rules.common.pieces) if facts.name == name)


def place(table: Table, name: str, where: str | int, troops: int = 1, down: bool = False) -> int:
    """Put a general or a train on the board."""
    number = general(table, name)
    there = city(table, where) if isinstance(where, str) else where
    troops = 0 if name.split()[-2:-1] == ["train"] else troops
    alter(table.state.field, number, city=there, troops=troops, down=down)
    return number


def troops(table: Table, name: str) -> int:
    """The troops of a general."""
    return table.state.field.pieces[general(table, name)].troops


def at(table: Table, name: str) -> int:
    """City of a piece."""
    return table.state.field.pieces[general(table, name)].city


def card(text: str, deck: int = 0) -> int:
    """A card as one writes it: `11s`, or `R` for a Reserve."""
    return card_of(RESERVE, 1, deck) if text == "R" else card_of(SIGNS[text[-1]], int(text[:-1]), deck)


def deal(table: Table, power: str, *texts: str) -> list[int]:
    """Put cards into a hand."""
    cards = [card(text) for text in texts]
    table.state.cards.hands[power] = sorted([*table.state.cards.hands[power], *cards])
    return cards


def read(table: Table, number: int, suit: str) -> list[Event]:
    """Read a version of a card at the end of this turn."""
    return fate.carry_out(table, number, SUITS.index(suit))


def hold(table: Table, number: int, suit: str) -> None:
    """Let a version that was read in the turn before hold in this one."""
    table.state.fate.in_force = [InForce(number, SUITS.index(suit), until=table.state.turn)]


def strike(table: Table, number: int) -> list[Event]:
    """Let the Clock of Fate read this card next."""
    deck = table.state.fate.deck
    deck.remove(number)
    deck.append(number)
    return fate.clock(table)


def begin(table: Table, power: str, phase: Phase) -> list[Event]:
    """Go to a phase of a power's stage, and on until somebody must decide."""
    state = table.state
    state.stage, state.phase, state.begun = power, phase, False
    state.owing, state.moved, state.battles, state.duel, state.retreat = [], [], [], None, None
    return advance(table)


def neighbours(table: Table, where: str | int) -> tuple[int, ...]:
    """The cities beside a city."""
    number = city(table, where) if isinstance(where, str) else where
    return table.rules.common.board.near[number]
