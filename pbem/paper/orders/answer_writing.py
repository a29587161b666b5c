"""Writes answers as the orders that lead to them, so that whoever only decides can send letters.

Reading what is written here gives the same answer again: every piece, city and card stands under its full name, cards
with their decks. All values are texts, as everything in a letter is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine import decisions as d
from pbem.engine.cards import is_reserve
from pbem.engine.duel import named
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.paper.game_paper import game_paper
from pbem.paper.lexicon import card_text
from pbem.seal.canonical import Tree


def orders_tree(table: Table, power: str, decision: d.Decision | None, answer: d.Answer) -> dict[str, Tree]:
    """The orders of a power that lead to an answer: `{power: {section: …}}`, to stand below `orders`.

    What is settled without being asked for has no decision.
    """
    return {power: dict(sections_of(table, power, decision, answer))}


def sections_of(table: Table, power: str, decision: d.Decision | None, answer: d.Answer) -> dict[str, Tree]:
    """The sections of a power's orders that lead to an answer."""
    rules = table.rules.common
    match answer:
        case d.Allotment(troops):
            return {"allot": troops_tree(rules, troops)}
        case d.Transfer(troops):
            return {"transfer": troops_tree(rules, troops)}
        case d.Move():
            return {"move": [move_tree(rules, answer)]}
        case d.Reenter(train, city, cards):
            where = rules.board.cities[city].name
            return {"move": [{"re-enter": rules.pieces[train].name, "at": where, "pay": cards_tree(cards)}]}
        case d.Done():
            return {"move": []}
        case d.Fight(battle):
            return {"battles": [named(rules, battle)]}
        case d.Play(card, value):
            return {"play": [played(card, value)]}
        case d.Stop():
            return {"play": ["stop"]}
        case d.RetreatAlong(path):
            return {"retreat": [cities_tree(rules, path)]}
        case d.Recruitment():
            written: Tree = recruitment_tree(rules, answer)
            return {"move": [{"recruit": written}]} if isinstance(decision, d.March) else {"recruit": written}
    return game_paper(table).sections_of(table, power, decision, answer)


def move_tree(rules: Rules, answer: d.Move) -> dict[str, Tree]:
    """One line of the moves; with the keys of its parts where a commander is named."""
    path = cities_tree(rules, answer.path)
    if answer.commander is None:
        return {rules.names_of(answer.pieces, " + "): path}
    commander = rules.pieces[answer.commander].name
    return {"march": pieces_tree(rules, answer.pieces), "to": path, "commander": commander}


def recruitment_tree(rules: Rules, answer: d.Recruitment) -> dict[str, Tree]:
    """What is paid, who gets the troops, who comes back, and who leads."""
    pieces, cities = rules.pieces, rules.board.cities
    entries: dict[str, Tree] = {pieces[general].name: cities[city].name for general, city in answer.entries.items()}
    parts: dict[str, Tree] = {
        "pay": cards_tree(answer.cards),
        "troops": troops_tree(rules, answer.troops),
        "enter": entries,
        "commander": pieces_tree(rules, answer.commanders),
    }
    return {key: part for key, part in parts.items() if part}


def troops_tree(rules: Rules, troops: Mapping[int, int]) -> dict[str, Tree]:
    """Troops of generals."""
    return {rules.pieces[general].name: str(count) for general, count in troops.items()}


def cities_tree(rules: Rules, cities: Iterable[int]) -> list[Tree]:
    """Cities by name."""
    return [rules.board.cities[city].name for city in cities]


def pieces_tree(rules: Rules, pieces: Iterable[int]) -> list[Tree]:
    """Pieces by name."""
    return [rules.pieces[piece].name for piece in pieces]


def cards_tree(cards: Iterable[int]) -> list[Tree]:
    """Cards with their decks."""
    return [card_text(card, deck=True) for card in cards]


def played(card: int, value: int) -> str:
    """A card that is played, a Reserve as what it is declared to be: `R5/2`; another with its worth: `♠11/2 as 22`."""
    written = card_text(card, deck=True)
    if is_reserve(card):
        return written.replace("R", f"R{value}", 1)
    return f"{written} as {value}" if value else written


def joined(parts: Iterable[Mapping[str, Tree]]) -> dict[str, Tree]:
    """The orders of several answers, in the order in which they were given, as those of one file.

    Troops that pass between generals after a move stand behind it. Raises `ValueError` if a section would have to
    answer two questions, which no file can.
    """
    whole: dict[str, dict[str, Tree]] = {}
    for part in parts:
        for power, sections in part.items():
            assert isinstance(sections, dict)
            for section, content in sections.items():
                add(whole.setdefault(power, {}), section, content)
    return dict(whole)


def add(sections: dict[str, Tree], section: str, content: Tree) -> None:
    """Put one more answer into the orders of a power."""
    moves = sections.get("move")
    if section == "transfer" and isinstance(moves, list):
        sections["move"] = [*moves, {"transfer": content}]
        return
    match sections.get(section), [content] if section == "transfer" else content:
        case None, first:
            sections[section] = first
        case list() as before, list() as more if section not in WHOLE:
            sections[section] = [*before, *more]
        case dict() as before, dict() as more if section in REPEATED:
            sections[section] = [before, more]
        case list() as before, dict() as more if section in REPEATED:
            sections[section] = [*before, more]
        case dict() as before, dict() as more if section in BY_NAME and not before.keys() & more.keys():
            sections[section] = {**before, **more}
        case _:
            raise ValueError(f"`{section}` would have to answer twice")


WHOLE = ("hussars", "set aside", "blockade", "garrison")
"""Lists that are one answer as they stand."""

REPEATED = ("recruit",)
"""Mappings that are one answer each, and stand in a list where there are several."""

BY_NAME = ("relocate", "sidestep")
"""Mappings whose every line is an answer."""
