"""A reader's own theatre: its place on the board, and its picture described in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from pbem.engine.events import BattleJoined, BattleTied, BattleWon, Event, Marched, Retreated
from pbem.engine.nouns import City, Power
from pbem.engine.rules import Rules
from pbem.engine.views import View
from pbem.report import blocks
from pbem.report.language.templates import macros_of, squeeze
from pbem.report.picture import Theatre, theatre_around, words_in
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.position import THEATRE
from pbem.report.picture.theme import THEMES
from pbem.report.telling import game_report


class Told(Struct, frozen=True):
    """Data of a reader's picture."""

    rules: Rules
    view: View
    powers: tuple[Power, ...]
    """The reader's own powers."""
    events: tuple[Event, ...]


def theatre_of(told: Told) -> Theatre | None:
    """Parts of the board with the reader's pieces and important points near them; None if the reader has no piece
    there."""
    chart = _chart(told)
    own = {piece.city for piece in told.view.pieces if piece.power in told.powers and piece.city >= 0}
    matters = {city for city in range(len(chart.at)) if chart.has(city) and _matters(chart, city, told.powers)}
    matters |= {piece.city for piece in told.view.pieces if piece.city >= 0}
    matters |= set(chain.from_iterable(map(_places, told.events)))
    points = [chart.at[city] for city in sorted(matters)]
    return theatre_around([chart.at[city] for city in sorted(own)], points, chart.spacing, chart.view)


def _chart(told: Told) -> Chart:
    """Chart of the board, used only to look up places."""
    maps = game_report(told.view.terms.game).maps(told.view.terms)
    return chart_of(told.rules.board.data, None, THEMES["light"], words_in(), Extent(maps=maps))


def _matters(chart: Chart, city: int, powers: tuple[Power, ...]) -> bool:
    """True if a city is a fortress, or an objective of these powers."""
    facts = chart.data.cities[city]
    goal = chart.goals.get(facts.name)
    return facts.fortress is not None or (goal is not None and goal.power in powers)


def _places(event: Event) -> tuple[City, ...]:
    """Start and end of a march or a retreat, or the cities of a battle."""
    if isinstance(event, Marched | Retreated):
        return (event.start, *event.path[-1:])
    return (event.attacking_city, event.defending_city) if isinstance(event, BattleJoined) else ()


def title_of(told: Told, language: str) -> str:
    """Title of the picture: the reader's powers."""
    return " · ".join(map(words_in(language).power, told.powers))


def words_of(told: Told, language: str) -> str:
    """Description of the picture in words, for readers who cannot see it; empty without a theatre."""
    theatre = theatre_of(told)
    if theatre is None:
        return ""
    chart, names = _chart(told), blocks.common_in_words(told.rules, language)
    ways = [event for event in told.events if isinstance(event, Marched | Retreated)]
    seen = [way for way in ways if any(theatre.holds(chart.at[city]) for city in _places(way))]
    moves = [_move(names, way) for way in seen]
    fights = [_fight(names, *each) for each in _fights(told.events) if theatre.holds(chart.at[each[0].defending_city])]
    say = macros_of(language, told.view.terms.game, THEATRE)
    powers = list(map(words_in(language).power, told.powers))
    return squeeze(str(say.shows(powers, moves, fights, len(ways) - len(seen))))


def _move(rules: Rules, way: Marched | Retreated) -> dict[str, object]:
    start, end = blocks.city(rules, way.start), blocks.city(rules, way.path[-1])
    return {"pieces": blocks.pieces(rules, way.pieces), "start": start, "end": end, "back": isinstance(way, Retreated)}


def _fights(events: tuple[Event, ...]) -> Iterator[tuple[BattleJoined, BattleWon | BattleTied | None]]:
    """Every battle, with its result if it is over."""
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
