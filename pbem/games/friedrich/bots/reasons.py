"""Reasons of the strong bot's answers in FRIEDRICH."""

from __future__ import annotations

from random import Random

from pbem.bots.sensible.reasons import why_card, why_march, why_troops
from pbem.bots.sensible.valuing import PlaceValues
from pbem.engine.decisions import Answer, Decision, March, PlayCard, Recruitment
from pbem.faults.words import Words
from pbem.games.friedrich.bots.sensible.aims import aims_of
from pbem.games.friedrich.bots.strong import choose, sight_of
from pbem.games.friedrich.rules.decisions import Levy
from pbem.games.friedrich.rules.table import Table


def why(table: Table, decision: Decision, answer: Answer) -> tuple[Words, ...]:
    """Reasons of an answer: what was weighed, and what decided; empty if there was nothing to weigh."""
    outlook = sight_of(table, decision.power)
    match decision, answer:
        case March(), _:
            return why_march(PlaceValues(outlook.sight, aims_of(outlook)), decision, answer)
        case PlayCard(), _:
            first = choose(table, decision, Random(0))  # noqa: S311 - a card is chosen without chance
            return why_card(outlook.sight, decision, answer, first)
        case Levy(), Recruitment():
            return why_troops(outlook.sight, decision.hand, answer)
    return ()
