"""Agreements of the reader about cities that are named beside the example marches of an order sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from pbem.campaign.briefing import Briefing
from pbem.paper.agreements import Deal, holds_in
from pbem.report.letters.agreed import binds_in_words
from pbem.report.letters.in_reach import MarchResults
from pbem.seal.canonical import Tree


class AgreedCities(Struct, frozen=True):
    """Agreement of the reader about cities in the examples of an order sheet: its entry in the ledger, the other
    players in it, and these cities."""

    entry: int
    players: list[str]
    cities: list[str]


def agreed_cities(briefing: Briefing, language: str, marches: Iterable[MarchResults]) -> Iterator[AgreedCities]:
    """Yield the reader's agreements in the present stage, if they are about cities that are named beside the example
    marches. Each has these cities."""
    named = {city for march in marches for city in cities_named(march)}
    for deal, bound in deals_on_cities(briefing, briefing.stage, language):
        if touched := [city for city in bound if city in named]:
            others = [player for player in deal.players if player != briefing.reader]
            yield AgreedCities(deal.entry, others, touched)


def deals_on_cities(briefing: Briefing, stage: str, language: str) -> Iterator[tuple[Deal, list[str]]]:
    """Yield the reader's agreements in a stage that are about cities, each with the names of these cities."""
    for deal in briefing.deals if briefing.table else ():
        if briefing.reader in deal.players and holds_in(deal, stage) and "cities" in deal.binds:
            yield deal, binds_in_words(briefing.table_in_play, language, deal.binds)["cities"]


def is_agreed_march(briefing: Briefing, stage: str, language: str, march: Mapping[str, Tree]) -> bool:
    """True if a march names a city that an agreement of the reader is about. The march is written as an order."""
    named = {city for way in march.values() for city in str(way).split(", ")}
    return any(not named.isdisjoint(bound) for _, bound in deals_on_cities(briefing, stage, language))


def cities_named(march: MarchResults) -> Iterator[str]:
    """Yield the cities that a sheet names beside an example march: the goal of the march, and all other cities in its
    results. The city where the march begins is left out."""
    yield from march.goal.split(", ")
    yield from (*march.takes, *march.open, *march.questions, *march.guarded, *march.trains)
    yield from (march.takes_train, march.enters, march.forced_goal, march.towards)
    for each in march.meets:
        yield from (each.city, each.end)
    yield from (each.city for each in march.fights)
