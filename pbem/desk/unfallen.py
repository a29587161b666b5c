"""Enemy fortresses that have not fallen although the reader's generals stand in them or marched through them. Each
comes with the reason."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.desk.opened import OpenedTable
from pbem.engine.conquest import protectors
from pbem.engine.events import Marched
from pbem.engine.nouns import City, Piece
from pbem.faults.wrong import words
from pbem.kit import game_of
from pbem.paper.orders.trial import Trial
from pbem.report import blocks
from pbem.report.letters.routes import is_prize
from pbem.report.letters.unsettled import conquers


class Unfallen(Struct, frozen=True):
    """Fortress that a march of the reader has not taken."""

    city: str
    pieces: tuple[str, ...]
    """Generals, as orders name them: those of the march, or if it ended in the fortress, those who stand there."""
    says: str
    """Sentence with the reason."""


def unfallen(opened: OpenedTable, trial: Trial, language: str) -> Iterator[Unfallen]:
    """Yield the fortresses that the reader's marches touched, and that an enemy still holds after a trial. The
    reader's marches are those of the trial. If it has none, they are the marches that the board shows."""
    table, powers, ordered = trial.table, opened.powers, opened.seen_events(trial)
    events = ordered if any(isinstance(event, Marched) for event in ordered) else (*opened.marches_shown, *ordered)
    rules, field = table.rules.common, table.state.field
    named, touched = blocks.common_in_words(rules, language), dict[City, tuple[tuple[Piece, ...], bool]]()
    for event in events:
        if isinstance(event, Marched) and rules.pieces[event.pieces[0]].power in powers:
            generals = tuple(piece for piece in event.pieces if rules.is_general(piece))
            touched |= {city: (generals, city == event.path[-1]) for city in (event.start, *event.path) if generals}
    for city, (generals, ends_there) in touched.items():
        column = game_of(table).column_of(table, generals)
        if not is_prize(column, city):
            continue
        own = (general for power in powers for general in rules.generals(power) if field.pieces[general].city == city)
        inside = [general for general in own if ends_there and conquers(rules, field, general)]
        concerned = inside or [*generals]
        names, place = tuple(blocks.pieces(named, concerned)), blocks.city(named, city)
        guards = tuple(blocks.pieces(named, list(protectors(rules, field, city, column.circumstances.reach))))
        if city in field.questions:
            told = words("not-fallen.questioned", city=place, guards=guards) if guards else None
        elif inside:
            key = "not-fallen.in-it.guarded" if guards else "not-fallen.in-it"
            told = words(key, city=place, pieces=names, guards=guards)
        elif not any(conquers(rules, field, general) for general in generals):
            told = words("not-fallen.down", city=place, pieces=names)
        else:
            told = words("not-fallen.saved", city=place, guards=guards) if guards else None
        if told:
            yield Unfallen(blocks.city(rules, city), tuple(blocks.pieces(rules, concerned)), told.text(language))
