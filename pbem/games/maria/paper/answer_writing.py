"""Writes the answers that only MARIA knows as the orders that lead to them."""

from __future__ import annotations

from pbem.engine.board import SUITS
from pbem.engine.decisions import Answer, Decision
from pbem.engine.field import OFF
from pbem.engine.rules import Rules
from pbem.games.maria.paper.sections import section_of
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.answers import AllowStacking, CancelSubsidy, MakeAgreement, OfferSubsidy
from pbem.games.maria.rules.table import Table
from pbem.paper.lexicon import card_text
from pbem.paper.orders.answer_writing import cards_tree, cities_tree, pieces_tree
from pbem.seal.canonical import Tree


def sections_of(table: Table, power: str, decision: Decision | None, answer: Answer) -> dict[str, Tree]:
    """The sections of a power's orders that lead to an answer."""
    rules = table.rules.common
    match answer:
        case d.HussarPlacement(cities):
            return {"hussars": ["off" if city == OFF else rules.board.cities[city].name for city in cities]}
        case d.GiveSubsidy(give):
            return {"subsidy": flag(give)}
        case d.PayToll(cards, unsupplied):
            toll: dict[str, Tree] = {"pay": cards_tree(cards)}
            return {"toll": toll | ({"unsupplied": pieces_tree(rules, unsupplied)} if unsupplied else {})}
        case d.Consent(yes):
            assert decision is not None
            return {section_of(table.rules, decision): flag(yes)}
        case d.GoTo() if isinstance(decision, d.Relocate):
            return {"relocate": {rules.pieces[decision.piece].name: goal_tree(rules, answer)}}
        case OfferSubsidy() | CancelSubsidy() | AllowStacking() | MakeAgreement():
            return settled_sections(power, answer)
    return political_sections(rules, answer)


def political_sections(rules: Rules, answer: Answer) -> dict[str, Tree]:
    """The sections of the answers in politics and in the election."""
    match answer:
        case d.NameTrump(suit):
            return {"trump": SUITS[suit]}
        case d.Influence(card):
            return {"influence": "none" if card is None else card_text(card, deck=True)}
        case d.Politics():
            return {"politics": politics_tree(answer)}
        case d.Corps(general, cards):
            return {"corps": {"general": rules.pieces[general].name, "pay": cards_tree(cards)}}
        case d.Votes(charles):
            return {"vote": {"charles": str(charles)}}
    raise TypeError(f"{type(answer).__name__} is no answer of MARIA")


def flag(yes: bool) -> str:
    """Yes or no."""
    return "yes" if yes else "no"


def goal_tree(rules: Rules, answer: d.GoTo) -> Tree:
    """Where a piece goes, and who leads there if that is to be said."""
    (city,) = cities_tree(rules, [answer.city])
    return city if answer.commander is None else {"to": city, "commander": rules.pieces[answer.commander].name}


def politics_tree(answer: d.Politics) -> Tree:
    """A political card and what of it is executed, or `conserve`."""
    if answer.card is None:
        return "conserve"
    tree: dict[str, Tree] = {"card": str(answer.card), "instruction": flag(answer.instruction)}
    if answer.shifts:
        tree["shifts"] = {track: str(steps) for track, steps in answer.shifts.items()}
    return tree | ({"for": answer.grantee} if answer.grantee else {})


def settled_sections(
    power: str, answer: OfferSubsidy | CancelSubsidy | AllowStacking | MakeAgreement
) -> dict[str, Tree]:
    """The sections of what powers settle without being asked."""
    match answer:
        case OfferSubsidy(giver, receiver, turns, accept):
            end, other = ("to", receiver) if giver == power else ("from", giver)
            return {"subsidies": [{end: other, "turns": str(turns), "accept": flag(accept)}]}
        case CancelSubsidy(partner):
            return {"subsidies": [{"cancel": partner}]}
        case AllowStacking(yes):
            return {"stacking": flag(yes)}
        case MakeAgreement(powers, words):
            others: list[Tree] = [other for other in powers if other != power]
            return {"agreements": [{"with": others, "words": words}]}
