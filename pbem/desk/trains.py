"""Supply trains in danger, and the return of lost trains and generals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from pbem.engine.cards import cheapest
from pbem.engine.decisions import March, Reenter
from pbem.engine.field import OFF
from pbem.engine.nouns import Piece, Power
from pbem.engine.supply import fed_cities
from pbem.engine.table import Table
from pbem.faults.wrong import words
from pbem.kit import game_of
from pbem.paper.orders.files import sections_of
from pbem.paper.orders.names import SectionWriter
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.report.language.options import asked_pieces
from pbem.report.telling import view_data
from pbem.seal.canonical import Tree
from pbem.site.archive import SiteWords


class TrainDanger(Struct, frozen=True):
    """Train that enemies could take on their next march."""

    pieces: tuple[str, ...]
    """Name of the train as orders write it, in a tuple of one item."""
    says: str
    """Sentence that names the train, its city and the enemies."""


class TrainReturn(Struct, frozen=True):
    """Lost train that can come back now, and the cities where it can come back."""

    power: Power
    train: str
    """Name of the train in orders."""
    cards: Tree
    """List of the cards that pay for the return, as orders write them: the cards with the smallest sum."""
    ways: Mapping[str, Tree]
    """Order that brings the train back, as sections of the power's orders, keyed by the name of the city where the
    train comes back."""


def train_returns(table: Table, powers: Collection[Power]) -> Iterator[TrainReturn]:
    """Yield the lost trains that these powers can pay to bring back now."""
    rules = table.rules.common
    for decision in game_of(table).decisions(table):
        if not isinstance(decision, March) or decision.power not in powers:
            continue
        power = decision.power
        paid = tuple(cheapest(rules.decks, table.state.cards.hands[power], rules.limits.train_price) or ())
        for train, cities in decision.trains.items() if paid else ():
            if cities and table.state.field.pieces[train].city == OFF:
                ways = {
                    blocks.city(rules, city): sections_of(table, power, decision, Reenter(train, city, paid))
                    for city in cities
                }
                cards = [*SectionWriter(rules, power).cards(paid)]
                yield TrainReturn(power, rules.pieces[train].name, cards, ways)


def train_dangers(table: Table, powers: Collection[Power], language: str) -> Iterator[TrainDanger]:
    """Yield the trains of these powers that enemies could take on their next march, if nothing changes before."""
    rules, named = table.rules.common, blocks.common_in_words(table.rules.common, language)
    prospects = Prospects(table, powers, powers)
    for train in trains_of(table, powers):
        city = table.state.field.pieces[train].city
        if city < 0 or city == prospects.leaving:
            continue
        if foes := takers(prospects, train):
            piece, where = blocks.piece(named, train), blocks.city(named, city)
            told = words("train-danger", piece=piece, city=where, foes=tuple(blocks.pieces(named, foes)))
            yield TrainDanger((rules.pieces[train].name,), told.text(language))


def cities_fed(table: Table, powers: Collection[Power], name: str) -> list[str]:
    """Return the names of the cities that a train on the map supplies where it stands."""
    (train,) = asked_pieces(table, powers, [name])
    rules = table.rules.common
    return blocks.cities(rules, sorted(fed_cities(rules, table.state.field, train)))


def takers(prospects: Prospects, train: Piece) -> list[Piece]:
    """Return the enemy generals who could take a train on the map on their next march."""
    city = prospects.field.pieces[train].city
    return [general for comer in prospects.comers(city, train) for general in comer.stack.generals]


def trains_lost(table: Table, powers: Collection[Power], language: str) -> Iterator[str]:
    """Yield a sentence for each power with lost trains: how, when and at which price they come back."""
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


def generals_lost(table: Table, powers: Collection[Power], language: str) -> Iterator[str]:
    """Yield a sentence for each power with lost generals: how, when and at which price they come back. Powers without
    new troops before the end of the game are left out."""
    rules, game = table.rules.common, game_of(table)
    off = {
        power: [each for each in rules.generals(power) if table.state.field.pieces[each].city == OFF]
        for power in powers
    }
    if not any(off.values()):
        return
    named, spoken, now = (
        blocks.common_in_words(rules, language),
        SiteWords(language, table.rules.terms.game),
        table.state.turn,
    )
    last = view_data(table.rules, game.view(table, tuple(powers))).get("last_turn", now)
    recruiting = {
        stage
        for turn in range(now, last + 1)
        for stage in game.stages(table.rules, turn)
        if "recruiting" in game.phases_of(table.rules, stage)
    }
    for power, lost in off.items():
        at_once = table.state.field.alliances.stage.get(power) in recruiting
        if lost and recruiting:
            told = words(
                "general-back.recruits" if at_once else "general-back",
                pieces=tuple(blocks.pieces(named, lost)),
                power=spoken.power(power),
                price=rules.limits.troop_price,
            )
            yield told.text(language)


def trains_of(table: Table, powers: Collection[Power]) -> list[Piece]:
    return [train for power in powers for train in table.rules.common.trains(power)]
