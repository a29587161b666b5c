"""The theatre of a report: arrows since its reader's last orders, and whoever can reach the reader."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.entries import events_in, record_in
from pbem.campaign.ledger.records import AdjudicationRecord
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.settings import OBSERVER
from pbem.engine.events import Event, Marched
from pbem.report.language.templates import macros_of
from pbem.report.letters.dangers import dangers_of
from pbem.report.letters.pictures import picture_facts
from pbem.report.picture.position import THEATRE
from pbem.report.theatre import theatre_of

from .campaign_table import OpenTable

ROUNDS = 14


def events_of(campaign: Campaign, entry: int) -> list[Event]:
    record = record_in(campaign.ledger.read(entry))
    return list(events_in("maria", record.events)) if isinstance(record, AdjudicationRecord) else []


def post(campaign: Campaign) -> dict[str, Briefing]:
    """Everybody's report, after which nothing is new."""
    told = briefings(campaign)
    campaign.vault.posted = campaign.state.snapshot()
    return told


def marches(events: object) -> list[object]:
    assert isinstance(events, list | tuple)
    return [event for event in events if isinstance(event, Marched)]


class Round(NamedTuple):
    """A stage: who owed orders for it, its public events, and the reports that followed."""

    owing: Collection[str]
    events: list[Event]
    told: dict[str, Briefing]


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> list[Round]:
    table = OpenTable(tmp_path_factory.mktemp("theatre"), scenario="introductory")
    table.join()
    found = []
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        post(campaign)
        for _ in range(ROUNDS):
            assert campaign.public.next
            owing, before = campaign.public.next.owing, campaign.vault.entry
            table.round(campaign)
            entries = range(before + 1, campaign.vault.entry + 1)
            events = [event for entry in entries for event in events_of(campaign, entry)]
            found.append(Round(owing, events, post(campaign)))
    return found


def test_arrows_are_all_since_the_readers_own_orders(rounds: list[Round]) -> None:
    again = 0
    for seat in ("maria-theresa", "frederick", "louis"):
        since: list[object] = []
        for owing, events, reports in rounds:
            told = reports[seat]
            since = marches(events) if seat in owing else since + marches(events)
            assert marches((*told.news.earlier, *told.news.events)) == since
            again += bool(marches(told.news.earlier))
            assert reports[OBSERVER].news.earlier == ()
    assert again >= 5


def test_what_was_turned_back_is_no_arrow(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        for _ in range(4):
            post(campaign)
            back = campaign.vault.entry
            table.round(campaign)
        gone = marches(post(campaign)["louis"].news.events)
        rulings.rollback(campaign, back, "the wrong map")
        told = briefings(campaign)
    assert gone
    assert not any(event in marches(each.news.earlier) for each in told.values() for event in gone)


def test_the_theatre_holds_whoever_can_reach_its_reader(rounds: list[Round]) -> None:
    held = 0
    for told in (each for one in rounds for each in one.told.values()):
        dangers = dangers_of(told)
        facts, comers = picture_facts(told, dangers), dangers.cities
        theatre = facts and theatre_of(facts)
        if facts and theatre:
            places = [facts.rules.board.data.cities[city] for city in comers]
            assert all(theatre.holds((place.x, place.y)) for place in places), told.reader
            held += len(comers)
    assert held >= 10


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Traun from Peuerbach by Linz and Passau, back to Peuerbach."),
        ("de", "Traun von Peuerbach über Linz und Passau zurück nach Peuerbach."),
        ("es", "Traun de Peuerbach por Linz y Passau, de vuelta a Peuerbach."),
        ("it", "Traun da Peuerbach via Linz e Passau, di nuovo a Peuerbach."),
    ],
)
def test_a_march_back_to_its_beginning_is_told_by_the_cities_between(language: str, told: str) -> None:
    move = {"pieces": ["Traun"], "start": "Peuerbach", "via": ["Linz", "Passau"], "end": "Peuerbach", "back": False}
    words = macros_of(language, "maria", THEATRE)
    assert told in str(words.shows(["Austria"], [move], [], 0)).replace("\n", "")
