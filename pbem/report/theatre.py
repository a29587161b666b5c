"""Theatre of a reader (the parts of the board that concern this reader), as a picture and in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from pbem.engine.events import BattleJoined, BattleTied, BattleWon, Event, Marched, Retreated
from pbem.engine.nouns import City, Power
from pbem.engine.rules import Rules
from pbem.engine.table import View
from pbem.report import blocks
from pbem.report.language.templates import macros_of, squeeze
from pbem.report.picture import Theatre, theatre_around, words_in
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.position import THEATRE
from pbem.report.picture.theme import THEMES
from pbem.report.telling import game_report


class TheatreFacts(Struct, frozen=True):
    """Position as its reader knows it, with facts that decide which part of the board concerns this reader."""

    rules: Rules
    view: View
    powers: tuple[Power, ...]
    """Powers that the reader plays."""
    events: tuple[Event, ...]
    threats: frozenset[City] = frozenset()
    """Cities of enemies who could attack, take or conquer something of the reader's."""


def theatre_of(facts: TheatreFacts) -> Theatre | None:
    """Return the parts of the board with the reader's pieces, the enemies who threaten them, and important points
    nearby. Return None if the reader has no pieces on the board."""
    chart = _chart(facts)
    own = {piece.city for piece in facts.view.pieces if piece.power in facts.powers and piece.city >= 0}
    if not own:
        return None
    matters = {city for city in range(len(chart.at)) if chart.has(city) and _matters(chart, city, facts.powers)}
    matters |= {piece.city for piece in facts.view.pieces if piece.city >= 0}
    matters |= set(chain.from_iterable(map(_places, facts.events)))
    points = [chart.at[city] for city in sorted(matters)]
    return theatre_around([chart.at[city] for city in sorted(own | facts.threats)], points, chart.spacing, chart.view)


def _chart(facts: TheatreFacts) -> Chart:
    """Return a chart of the board, from which the places of cities are read."""
    maps = game_report(facts.view.terms.game).maps(facts.view.terms)
    return chart_of(facts.rules.board.data, None, THEMES["light"], words_in(), Extent(maps=maps))


def _matters(chart: Chart, city: int, powers: tuple[Power, ...]) -> bool:
    """True if a city is a fortress, or is an objective of one of these powers."""
    facts = chart.data.cities[city]
    goal = chart.goals.get(facts.name)
    return facts.fortress is not None or (goal is not None and goal.power in powers)


def _places(event: Event) -> tuple[City, ...]:
    """Return the start and end of a march or a retreat, or both cities of a battle. Other events have none."""
    if isinstance(event, Marched | Retreated):
        return (event.start, *event.path[-1:])
    return (event.attacking_city, event.defending_city) if isinstance(event, BattleJoined) else ()


def theatre_words(facts: TheatreFacts, language: str) -> str:
    """Describe the picture of the reader's theatre in words. Return an empty text if there is no theatre."""
    theatre = theatre_of(facts)
    if theatre is None:
        return ""
    chart, names = _chart(facts), blocks.common_in_words(facts.rules, language)
    ways = [event for event in facts.events if isinstance(event, Marched | Retreated)]
    seen = [way for way in ways if any(theatre.holds(chart.at[city]) for city in _places(way))]
    moves = [_move(names, way) for way in seen]
    fights = [_fight(names, *each) for each in _fights(facts.events) if theatre.holds(chart.at[each[0].defending_city])]
    say = macros_of(language, facts.view.terms.game, THEATRE)
    powers = list(map(words_in(language).power, facts.powers))
    return squeeze(str(say.shows(powers, moves, fights, len(ways) - len(seen))))


def _move(rules: Rules, way: Marched | Retreated) -> dict[str, object]:
    start, end = blocks.city(rules, way.start), blocks.city(rules, way.path[-1])
    via, is_retreat = blocks.cities(rules, way.path[:-1]), isinstance(way, Retreated)
    return {"pieces": blocks.pieces(rules, way.pieces), "start": start, "end": end, "via": via, "back": is_retreat}


def _fights(events: tuple[Event, ...]) -> Iterator[tuple[BattleJoined, BattleWon | BattleTied | None]]:
    """Yield each battle with the event that ended it. If the battle goes on, the second of the pair is None."""
    joined: BattleJoined | None = None
    for event in events:
        if isinstance(event, BattleJoined):
            joined = event
        elif joined and isinstance(event, BattleWon | BattleTied):
            yield joined, event
            joined = None
    if joined:
        yield joined, None


def _fight(rules: Rules, joined: BattleJoined, ended: BattleWon | BattleTied | None) -> dict[str, object]:
    where = blocks.city(rules, joined.defending_city)
    if isinstance(ended, BattleWon):
        return {"city": where, "end": "won", "winner": ended.winner, "loser": ended.loser}
    return {"city": where, "end": "tied" if ended else ""}
