"""Writes the answers that only FRIEDRICH knows as the orders that lead to them."""

from __future__ import annotations

from pbem.engine.decisions import Answer, Decision
from pbem.games.friedrich.paper.sections import NONE, RETURN, SIDESTEP, STAY, section_of
from pbem.games.friedrich.rules.decisions import CardsBack
from pbem.games.friedrich.rules.fate_decisions import GivenCard, NamedCities, NamedGeneral, Shift, ShiftPieces
from pbem.games.friedrich.rules.table import Table
from pbem.paper.lexicon import card_text
from pbem.paper.orders.answer_writing import cards_tree, cities_tree
from pbem.seal.canonical import Tree


def sections_of(table: Table, power: str, decision: Decision | None, answer: Answer) -> dict[str, Tree]:
    """The sections of a power's orders that lead to an answer."""
    rules = table.rules.common
    if isinstance(answer, CardsBack):
        return {RETURN: cards_tree(answer.cards)}
    if decision is None:
        raise TypeError(f"{type(answer).__name__} is no answer of FRIEDRICH without a question")
    section = section_of(table.rules, decision)
    match answer:
        case NamedGeneral(general):
            return {section: rules.pieces[general].name}
        case GivenCard(card):
            return {section: NONE if card is None else card_text(card, deck=True)}
        case NamedCities(cities):
            return {section: cities_tree(rules, cities)}
        case Shift(city):
            goal = STAY if city is None else rules.board.cities[city].name
            if isinstance(decision, ShiftPieces) and decision.reason == "sidestep":
                return {SIDESTEP: {rules.board.cities[decision.start].name: goal}}
            return {section: goal}
    raise TypeError(f"{type(answer).__name__} is no answer of FRIEDRICH")
