"""Supply trains of the reader: dangers to those on the map, and the return of lost ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from pbem.engine.field import OFF
from pbem.engine.nouns import Piece, Power
from pbem.engine.table import Table
from pbem.faults.wrong import words
from pbem.kit import game_of
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.site.archive import SiteWords


class TrainDanger(Struct, frozen=True):
    """A train that enemies could take on their next march."""

    pieces: tuple[str, ...]
    """Name of the train in orders, as the only member."""
    says: str
    """Sentence that names the train, its city and the enemies."""


def train_dangers(table: Table, powers: Collection[Power], language: str) -> Iterator[TrainDanger]:
    """Yield the trains of these powers that enemies could take on their next march, if nothing else changes. Positions
    of pieces alone decide that, and everybody sees these."""
    rules, named = table.rules.common, blocks.common_in_words(table.rules.common, language)
    prospects = Prospects(table, powers, powers)
    for train in trains_of(table, powers):
        city = table.state.field.pieces[train].city
        if city < 0 or city == prospects.leaving:
            continue
        foes = [general for comer in prospects.comers(city, train) for general in comer.stack.generals]
        if foes:
            piece, where = blocks.piece(named, train), blocks.city(named, city)
            told = words("train-danger", piece=piece, city=where, foes=tuple(blocks.pieces(named, foes)))
            yield TrainDanger((rules.pieces[train].name,), told.text(language))


def trains_lost(table: Table, powers: Collection[Power], language: str) -> Iterator[str]:
    """Yield a sentence for each of these powers that has lost trains: how they come back, when, and at which price."""
    named, game = blocks.common_in_words(table.rules.common, language), game_of(table)
    spoken = SiteWords(language, table.rules.terms.game)
    for power in powers:
        lost = [train for train in trains_of(table, [power]) if table.state.field.pieces[train].city == OFF]
        stage = table.state.field.alliances.stage.get(power)
        if lost and stage:
            recruits = "recruiting" in game.phases_of(table.rules, stage)
            names, price = tuple(blocks.pieces(named, lost)), table.rules.common.limits.train_price
            told = words(
                "train-back.recruits" if recruits else "train-back",
                pieces=names,
                power=spoken.power(power),
                price=price,
            )
            yield told.text(language)


def trains_of(table: Table, powers: Collection[Power]) -> list[Piece]:
    return [train for power in powers for train in table.rules.common.trains(power)]
