"""Positions to try things on at the desk."""

from __future__ import annotations

from pbem.engine.board import SUITS
from pbem.paper.documents.writing import write
from pbem.plans.practice import PracticeWish, practice_position
from pbem.player.names import new_table


def battlefield(game: str) -> bytes:
    """A battle in which the attacker is at −3, plays diamonds, and has cards to turn it."""
    suits = [SUITS.index(suit) for suit in ("diamonds", "spades")]
    wish = PracticeWish(-3, suits[0], suits[1], ("♦5", "♦2", "♠7", "R"), ("♠4", "♠2"))
    _, document = practice_position(new_table({"game": game}), wish)
    return write({"game": game, **document}).encode()
