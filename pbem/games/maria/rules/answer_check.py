"""First check of answers that only MARIA has: the cities and pieces that they name by number exist."""

from __future__ import annotations

from pbem.engine.answer_check import check_cities, check_names, check_pieces
from pbem.engine.decisions import Answer
from pbem.engine.field import OFF
from pbem.engine.rules import Rules
from pbem.games.maria.rules.decisions import Corps, GoTo, HussarPlacement, PayToll


def check_own_names(rules: Rules, answer: Answer) -> None:
    """Refuse an answer with a city or a piece that does not exist. The rules are not asked here."""
    match answer:
        case HussarPlacement(cities):
            check_cities(rules, (city for city in cities if city != OFF), "cities")
        case PayToll(_, unsupplied):
            check_pieces(rules, unsupplied, "unsupplied")
        case Corps(general, _):
            check_pieces(rules, [general], "general")
        case GoTo(city, commander):
            check_cities(rules, [city], "city")
            check_pieces(rules, [] if commander is None else [commander], "commander")
        case _:
            check_names(rules, answer)
