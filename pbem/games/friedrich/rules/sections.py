"""Sections of FRIEDRICH's rule book for refusals and problems in which the engine cites MARIA's."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.engine.errors import IllegalOrder
from pbem.engine.invariants import Problem

REFUSALS: dict[str, str] = {
    "E-NO-PIECE": "§1", "E-NO-CITY": "§1",
    "E-CARD-HAND": "§3", "E-RESERVE-VALUE": "§3", "E-CARD-VALUE": "§3",
    "E-MARCH-EMPTY": "§4", "E-MARCH-ROAD": "§4", "E-MARCH-LENGTH": "§4", "E-MARCH-BLOCKED": "§4",
    "E-MARCH-JOINED": "§4", "E-STACK-FULL": "§4", "E-COMMANDER": "§4",
    "E-CARD-SUIT": "§7", "E-DUEL-MUST": "§7",
    "E-RETREAT-LENGTH": "§8", "E-RETREAT-TWICE": "§8", "E-RETREAT-BLOCKED": "§8", "E-RETREAT-ROAD": "§8",
    "E-RETREAT-FARTHEST": "§8",
    "E-MARCH-TRAIN": "§9",
}  # fmt: skip
"""Section for each refusal of the engine in this game, by its code."""

PROBLEMS: dict[str, str] = {
    "§2": "§1",
    "§3.1": "§1",
    "§3.2": "§5",
    "§4": "§1",
    "§8": "§3",
    "§11.1": "§7",
    "§11.2": "§8",
}
"""Section for each problem that the engine finds in a position, by MARIA's section; others agree."""


def cite_own_book(refusal: IllegalOrder) -> IllegalOrder:
    """Refusal with the section of this game's rule book."""
    return refusal.by(REFUSALS[refusal.code]) if refusal.code in REFUSALS else refusal


def cite_own_book_in(problem: Problem) -> Problem:
    """Problem with the section of this game's rule book."""
    return replace(problem, wrong=replace(problem.wrong, rule=PROBLEMS.get(problem.rule, problem.rule)))
