"""Costs of a lack of supply: losses of generals who stay out of supply, and when."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.engine.events import Event
from pbem.engine.field import alter
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.supply import assess, fed_cities
from pbem.engine.table import Table
from pbem.faults.wrong import Words, words
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.account import Voice, passage
from pbem.report.blocks import table_in_words
from pbem.report.letters.supply_ahead import next_test
from pbem.site.archive import bare_text, capital


class Hunger(Struct, frozen=True):
    """Generals of one power in one city who are out of supply, with their losses."""

    pieces: tuple[str, ...]
    costs: str
    """Sentences on what the generals lose if they stay out of supply, and when; empty in a game without a supply
    phase."""


def hungers(table: Table, powers: Collection[Power], language: str) -> Iterator[Hunger]:
    """Yield these powers' generals who are out of supply now, one city after the other."""
    rules = table.rules.common
    for power in powers:
        if lacking := assess(rules, table.state.field, power)[2]:
            for city in dict.fromkeys(table.state.field.pieces[each].city for each in lacking):
                there = [each for each in lacking if table.state.field.pieces[each].city == city]
                yield Hunger(tuple(blocks.pieces(rules, there)), costs(table, there, city, language))


def recovering(table: Table, powers: Collection[Power]) -> list[str]:
    """Return the names of these powers' face-down generals who are in supply now: at the next test they turn
    face-up."""
    rules, field = table.rules.common, table.state.field
    down = [each for power in powers for each in rules.generals(power) if field.pieces[each].down]
    hungry = {each for power in powers for each in assess(rules, field, power)[2]}
    return blocks.pieces(rules, [each for each in down if each not in hungry and field.pieces[each].city >= 0])


def supply_words(named: Table, power: Power, train: Piece | None = None) -> Iterator[Words]:
    """Yield words on a power's generals away from home: which are supplied by trains or, if a train is given, by this
    train; which of them only past a hussar; and which generals are not supplied."""
    rules, field = named.rules.common, named.state.field
    free, tolled, hungry = assess(rules, field, power)
    near = fed_cities(rules, field, train) if train is not None else None
    for key, every in (("why-haul-fed", free), ("why-haul-tolled", tolled)):
        claims = [each for each in every if near is None or field.pieces[each.piece].city in near]
        if fed := tuple(blocks.pieces(rules, sorted(claim.piece for claim in claims))):
            yield words(key, pieces=fed, points=sum(claim.toll for claim in claims))
    if hungry:
        yield words("why-haul-hungry", pieces=tuple(blocks.pieces(rules, hungry)))


def supplies(table: Table, powers: Collection[Power], language: str) -> Mapping[Power, str]:
    """Return a sentence for each power with generals away from home: which are supplied by trains, and which not."""
    named = table_in_words(table, language)
    told = ((power, "; ".join(each.text(language) for each in supply_words(named, power))) for power in powers)
    return {power: f"{capital(text)}." for power, text in told if text}


def costs(table: Table, generals: Sequence[Piece], city: City, language: str) -> str:
    """Return sentences on the losses of one power's generals in the next two tests of supply; empty if they lose
    nothing."""
    tried, power = copy_of(table), table.rules.common.pieces[generals[0]].power
    for general in generals:
        alter(tried.state.field, general, city=city)
    when = next_test(table, power)
    told = [text for _ in range(2) if when and (text := told_loss(tried, generals, language))]
    if not told:
        return ""
    later = words("hunger-lasts", loses=told[1]).text(language) if len(told) > 1 else ""
    first = words(when, power=power, loses=told[0]).text(language)
    return f"{first} {later}".strip()


def told_loss(table: Table, generals: Collection[Piece], language: str) -> str:
    """Let the generals on the map fail one more test of supply, and return the results in words; empty if nothing
    happens."""
    left = [each for each in generals if table.state.field.pieces[each].city >= 0]
    if not left:
        return ""
    power = table.rules.common.pieces[left[0]].power
    events: list[Event] = [*game_of(table).shortage(table, power, left)]
    told = passage(Voice(table.rules, language), events) if events else None
    return bare_text(told.text) if told else ""
