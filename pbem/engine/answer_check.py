"""First check of an answer: every city and piece that it names by number exists. The rules read it afterwards."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine import decisions as d
from pbem.engine.errors import IllegalOrder
from pbem.engine.nouns import City, Piece
from pbem.engine.rules import Rules
from pbem.faults.wrong import wrong


def check_names(rules: Rules, answer: d.Answer) -> None:
    """Refuse an answer with a city or a piece that does not exist. The rules are not asked here."""
    match answer:
        case d.Move(pieces, path, _):
            check_pieces(rules, pieces, "pieces")
            check_cities(rules, path, "path")
        case d.RetreatAlong(path):
            check_cities(rules, path, "path")
        case d.Reenter(train, city, _):
            check_pieces(rules, [train], "train")
            check_cities(rules, [city], "city")
        case d.Fight(battle):
            check_cities(rules, [battle.attacker, battle.defender], "battle")
        case d.Allotment(troops) | d.Transfer(troops):
            check_pieces(rules, troops, "troops")
        case d.Recruitment(_, troops, entries, commanders):
            check_pieces(rules, [*troops, *entries], "troops")
            check_pieces(rules, commanders, "commanders")
            check_cities(rules, entries.values(), "entries")


def check_pieces(rules: Rules, pieces: Iterable[Piece], where: str) -> None:
    """Refuse a number that belongs to no piece."""
    for piece in pieces:
        if not 0 <= piece < len(rules.pieces):
            raise IllegalOrder(wrong("E-NO-PIECE", number=piece), where=(where,))


def check_cities(rules: Rules, cities: Iterable[City], where: str) -> None:
    """Refuse a number that belongs to no city."""
    for city in cities:
        if not 0 <= city < len(rules.board.cities):
            raise IllegalOrder(wrong("E-NO-CITY", number=city), where=(where,))
