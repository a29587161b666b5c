"""Cities of enemies in which the reader's generals have ended a march, so that these have not fallen yet."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.campaign.briefing import Briefing
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.conquest import protectors
from pbem.engine.field import Field, stack_at
from pbem.engine.nouns import City, Piece
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.report import blocks
from pbem.report.letters.aims import is_prize


class EnteredCity(Struct, frozen=True):
    """City of an enemy in which a stack of the reader stands, by name: the stack conquers it by marching on."""

    city: str
    pieces: list[str]
    is_down: bool
    """True if the stack conquers nothing as long as all its generals are face-down."""
    protectors: list[str]
    """Pieces that protect the city as things stand."""
    within: int
    """Distance up to which a general protects a city, in cities."""
    is_questioned: bool
    """True if the city has a question mark already: it falls after the battles of the stage if nobody protects it
    then."""


def entered_cities(briefing: Briefing, language: str) -> list[EnteredCity]:
    """Return the cities that generals of the reader have entered since the reader's last report, and can conquer, now
    or once they are face-up. There are none for observers, for the moderator, and before or after the game."""
    table = briefing.table
    if table is None or briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return []
    rules, field, before = table.rules.common, table.state.field, briefing.news.before
    named = blocks.common_in_words(rules, language)
    found: list[EnteredCity] = []
    for city in dict.fromkeys(cities_held_by_enemies(table, briefing)):
        stack = stack_at(rules, field, city)
        if before is None or any(before.places[piece] != city for piece in stack):
            column = game_of(table).column_of(table, stack)
            near = protectors(rules, field, city, column.circumstances.reach)
            found.append(
                EnteredCity(
                    blocks.city(named, city),
                    blocks.pieces(named, stack),
                    not any(conquers(rules, field, general) for general in stack),
                    blocks.pieces(named, list(near)),
                    rules.limits.protection,
                    city in field.questions,
                )
            )
    return found


def cities_held_by_enemies(table: Table, briefing: Briefing) -> Iterator[City]:
    """Yield the cities of enemies in which generals of the reader stand who may conquer them."""
    rules, field = table.rules.common, table.state.field
    for power in briefing.powers:
        for general in rules.generals(power):
            city = field.pieces[general].city
            if city >= 0 and is_prize(game_of(table).column_of(table, [general]), city):
                yield city


def conquers(rules: Rules, field: Field, general: Piece) -> bool:
    """Return whether a general conquers what he leaves: in most games not while he is face-down."""
    return rules.down_conquer or not field.pieces[general].down
