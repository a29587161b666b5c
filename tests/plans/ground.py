"""Combats for the tests of plans: two stacks face to face, with a score, suits and hands as a test wants them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.engine.decisions import Answer, Play, PlayCard, Stop
from pbem.engine.events import BattleTied, BattleWon, CardPlayed, Event
from pbem.paper.documents.writing import write
from pbem.paper.lexicon import SIGNS
from pbem.paper.orders.trial import begin, decisions, step
from pbem.paper.plans.data import Plan
from pbem.paper.plans.files import load_plans
from pbem.paper.positions.files import load_position
from pbem.plans.practice import CombatResult, PracticeWish, play_out, practice_position
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource

OWN = "austria"
START: dict[str, Any] = {}


def empty(game: str) -> Any:
    """A new game, whose rules and powers a ground is made of."""
    if game not in START:
        START[game] = load_position(f"game: {game}\n".encode(), "start")
    return START[game]


def field(
    score: int,
    hand: str,
    enemy_hand: str,
    suit: str = "d",
    enemy_suit: str = "s",
    troops: int | None = None,
    attacks: bool = True,
    game: str = "maria",
) -> tuple[Any, str]:
    """A table where Austria's combat is about to begin, and the power that it fights against."""
    ground = PracticeWish(
        score, SIGNS[suit], SIGNS[enemy_suit], tuple(hand.split()), tuple(enemy_hand.split()), OWN, attacks, troops
    )
    sides, document = practice_position(empty(game), ground)
    assert sides.own == OWN
    table = load_position(write({"game": game, **document}).encode(), "ground", Path())
    return table, sides.enemy


def plans(text: str, power: str = OWN, game: str = "maria") -> dict[str, list[Plan]]:
    """Plans as somebody writes them below the name of a power."""
    lines = "".join(f"    {line}\n" for line in text.strip("\n").splitlines())
    return load_plans(f"plans:\n  {power}:\n{lines}".encode(), "plans", empty(game).rules)


def battle(lines: str) -> str:
    """A plan for a battle from its other lines."""
    return "- for: battle\n" + "".join(f"  {line.strip()}\n" for line in lines.strip().splitlines())


class Fought(Struct):
    """Result of a combat."""

    table: Any
    enemy: str
    played: CombatResult

    @property
    def cards(self) -> list[tuple[str, int]]:
        """Cards that were played: for each `own` or `enemy`, and its value there."""
        return [
            ("own" if event.power == OWN else "enemy", event.value)
            for event in self.played.events
            if isinstance(event, CardPlayed)
        ]

    @property
    def own(self) -> list[int]:
        """Values of one's own cards."""
        return [value for side, value in self.cards if side == "own"]

    @property
    def result(self) -> int | None:
        """By how much Austria has won, below zero lost; None while the combat goes on."""
        for event in self.played.events:
            if isinstance(event, BattleTied):
                return 0
            if isinstance(event, BattleWon):
                return event.score if event.winner == OWN else -event.score
        return None

    @property
    def codes(self) -> list[str]:
        """Codes of the plans' failures."""
        return [fault.code for _, fault in self.played.notes]


def fought(table: Any, enemy: str, own: str, against: str = "tactic: decline", enemy_first: bool = False) -> Fought:
    """Both sides fight by plans that are given without `for: battle`."""
    tally = Tally()
    sources = [PlanSource(table, plans(battle(own)), tally), PlanSource(table, plans(battle(against), enemy), tally)]
    return Fought(table, enemy, play_out(table, sources[::-1] if enemy_first else sources, tally))


def choices(table: Any, sources: list[PlanSource], tally: Tally) -> tuple[list[tuple[str, Answer]], list[Event]]:
    """Fight until plans have no card and no stop any more: what was chosen, and everything that happened."""
    events = begin(table)
    tally.see(events)
    made: list[tuple[str, Answer]] = []
    while isinstance(decisions(table)[0], PlayCard) and (taken := step(table, sources)):
        assert not taken.is_refused
        assert taken.given is not None
        assert isinstance(taken.given.answer, Play | Stop)
        tally.see(taken.events)
        events += taken.events
        made.append((taken.power, taken.given.answer))
    return made, events
