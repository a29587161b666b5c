"""Parts of a position that only FRIEDRICH has, as its viewer may know them: goals, incomes, the Clock of Fate."""

from __future__ import annotations

from pbem.engine.nouns import Power
from pbem.games.friedrich.report.telling import fate_card
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.state import InForce
from pbem.games.friedrich.rules.view import FateView, OffensiveView, View
from pbem.report import naming


def view_data(rules: FriedrichRules, view: View) -> dict[str, object]:
    """Parts of a position that only FRIEDRICH has, as plain data."""
    terms, result = view.terms, view.result
    return {
        "terms": {
            "game": terms.game,
            "scenario": terms.scenario,
            "title": rules.scenario.title,
            "expert": rules.expert,
            "fate_order": terms.fate_order,
            "board": terms.board,
            "fate_file": terms.fate,
            "decks": terms.decks,
            "east_prussia": terms.east_prussia,
            "rulings": dict(terms.rulings),
        },
        "allegiances": {
            power: {"player": now.player, "side": now.side, "has_quit": now.has_quit}
            for power, now in view.allegiances.items()
        },
        "goals": {
            power: {"held": held, "needed": needed, "eased": power in view.fate.eased}
            for power, (held, needed) in view.goals.items()
        },
        "most_troops": dict(view.most_troops),
        "income": {power: {"cards": cards, "returned": back} for power, (cards, back) in view.income.items()},
        "cut_off": list(view.cut_off),
        "fate": fate_data(rules, view.fate),
        "result": None if result is None else {
            "winner": result.winner, "others": list(result.others), "how": result.how, "held": result.held,
        },
    }  # fmt: skip


def fate_data(rules: FriedrichRules, seen: FateView) -> dict[str, object]:
    """Public facts of the Clock of Fate."""
    titles = {stroke.number: stroke.title for stroke in rules.fate.strokes}
    latest = None
    if seen.drawn is not None:
        suit = None if seen.version is None else naming.suit(seen.version)
        latest = {"card": seen.drawn, "suit": suit, **fate_card(rules.fate, seen.drawn, seen.version)}
    return {
        "left": seen.left,
        "strokes": [{"card": number, "title": titles[number]} for number in seen.out],
        "in_force": [in_force_data(rules, entry) for entry in seen.in_force],
        "quit": list(seen.quit),
        "eased": list(seen.eased),
        "victor": None if seen.winner is None else naming.piece(rules.common, seen.winner),
        "latest": latest,
        "offensive": offensive_data(rules, seen.offensive) if seen.offensive else None,
    }


def in_force_data(rules: FriedrichRules, entry: InForce) -> dict[str, object]:
    """Version that is in force for some time."""
    suit = {"card": entry.card, "suit": naming.suit(entry.suit), "until": entry.until, "used": entry.used}
    return {**suit, **fate_card(rules.fate, entry.card, entry.suit)}


def offensive_data(rules: FriedrichRules, seen: OffensiveView) -> dict[str, object]:
    """State of the Offensive Option."""
    return {
        "power": rules.fate.offensive.power,
        "against": rules.fate.offensive.against,
        "turn": rules.fate.offensive.turn,
        "declared": seen.declared,
        "card": None if seen.card is None else naming.notation(seen.card, with_deck=True),
        "taken": seen.taken,
        "failed": seen.failed,
        "held": seen.held,
        "needed": seen.needed,
        "claimed": seen.claimed,
    }


def counts_by_power(view: View) -> dict[str, dict[Power, int]]:
    """Objectives that each power holds."""
    return {"objectives": {power: held for power, (held, _) in view.goals.items()}}
