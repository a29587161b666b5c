"""`pbem log`: the entries of a campaign's ledger in words, as anybody may read them, without any key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.options import as_json, folder_argument, gathered, language_option
from pbem.console.printing import on_terminal, print_json
from pbem.console.refusals import refusing_in_words
from pbem.console.surroundings import time_now
from pbem.faults.wrong import Words, words
from pbem.player.names import meant

if TYPE_CHECKING:
    from pbem.campaign.ledger.entries import Entry
    from pbem.campaign.ledger.records import AdjudicationRecord, Record
    from pbem.campaign.ledger.replaying import Reading
    from pbem.engine.events import Event
    from pbem.engine.table import GameRules
    from pbem.report.blocks import Block


MOST = 2000
"""What people wrote is cut behind so many characters; `--json` has all of it."""


@dataclass(frozen=True)
class EntryFilter:
    """Which entries somebody wants to read; of what is empty there are all."""

    first: int
    kinds: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()


@click.command("log")
@folder_argument
@click.option("--from", "first", type=click.IntRange(1), default=1, show_default=True, help="The first entry to tell.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only entries of this kind.")
@click.option("--player", "players", multiple=True, metavar="SEAT", help="Only entries of or about this player.")
@click.option("--turn", "turns", type=click.IntRange(1), multiple=True, help="Only entries of this turn.")
@click.option("--events", is_flag=True, help="Also tell what happened in the game, as everybody may know it.")
@language_option
@as_json
@gathered("choice", EntryFilter)
def log_command(folder: Path, choice: EntryFilter, events: bool, language: str, json_wanted: bool) -> None:
    """Tell the entries of the ledger, one in a line."""
    from pbem.campaign.ledger.replaying import read_folder

    with refusing_in_words(json_wanted):
        reading = read_folder(folder, time_now())
        chosen = wanted(reading, choice)
        words = words_of(reading, [record for _, record in chosen], language)
        if json_wanted:
            print_json([entry_data(reading, *each, said, events) for each, said in zip(chosen, words, strict=True)])
            return
        for (entry, record), said in zip(chosen, words, strict=True):
            tell_entry(entry, said, account_of(reading, entry, record, language) if events else [])


def wanted(reading: Reading, choice: EntryFilter) -> list[tuple[Entry, Record]]:
    """The entries that are wanted; a kind or a player that there is not is wrong use."""
    from pbem.campaign.ledger.records import KINDS
    from pbem.report.letters.entries import seats_of

    kinds = named(choice.kinds, KINDS, words("kind-of-entry"), "--kind")
    players = named(choice.players, reading.settings.seats, words("player"), "--player")
    found: list[tuple[Entry, Record]] = []
    turn = 0
    for entry, record in reading.entries:
        turn, before = turn_after(record, turn), turn
        if entry.number < choice.first or (kinds and entry.kind not in kinds):
            continue
        if players and not players & set(seats_of(record)):
            continue
        if not choice.turns or (before or turn) in choice.turns:
            found.append((entry, record))
    return found


def named(written: Iterable[str], known: Iterable[str], what: Words, option: str) -> set[str]:
    """The names that are meant by what is written in an option."""
    return {meant(each, known, what, option) for each in written}


def turn_after(record: Record, turn: int) -> int:
    """The turn in which the game stands after an entry."""
    from pbem.campaign.ledger.records import AdjudicationRecord, RollbackRecord
    from pbem.engine.table import turn_of

    if not isinstance(record, AdjudicationRecord | RollbackRecord):
        return turn
    return turn_of(record.next.stage) or turn


def words_of(reading: Reading, records: Iterable[Record], language: str) -> list[str]:
    """Every entry in a few words of a language."""
    from pbem.paper.terms import game_of_terms
    from pbem.report.letters.entries import Teller, facts_of

    teller = Teller(language, game_of_terms(reading.settings.terms))
    return [teller.line(facts_of(record, reading.settings.clock)) for record in records]


def tell_entry(entry: Entry, said: str, happened: list[Block]) -> None:
    """Say what an entry is about, and what happened; words of people stay in their line, whatever they hold."""
    from pbem.report.formats.escaping import one_line

    time, words = f"{entry.time:%Y-%m-%d %H:%M}", one_line(said, MOST)
    if on_terminal():
        from pbem.console.terminal import show_entry

        show_entry(entry.number, time, entry.kind, words, happened)
        return
    click.echo(f"{entry.number:4} {time} {entry.kind:<12} {words}".rstrip())
    if happened:
        from pbem.report.formats.pages import text

        click.echo("\n".join(f"     {each}".rstrip() for each in text(happened).splitlines()))


def entry_data(reading: Reading, entry: Entry, record: Record, said: str, events: bool) -> dict[str, object]:
    """An entry for programs."""
    from pbem.campaign.ledger.records import AdjudicationRecord
    from pbem.campaign.ledger.replaying import making_sense, name_of
    from pbem.report.telling import told_data

    found = {"entry": entry.number, "time": f"{entry.time:%Y-%m-%dT%H:%M:%SZ}", "kind": entry.kind, "hash": entry.hash}
    found["words"] = said
    if events and isinstance(record, AdjudicationRecord):
        with making_sense(name_of(entry)):
            rules, happened = retold_events(reading, record)
            return found | {"events": [told_data(rules, event) for event in happened]}
    return found


def retold_events(reading: Reading, record: AdjudicationRecord) -> tuple[GameRules, list[Event]]:
    """The events of an adjudication, and the rules that have their names."""
    from pbem.campaign.campaign import rules_of
    from pbem.campaign.ledger.records import events_in

    rules = rules_of(reading.folder, reading.settings, reading.public.protocol)
    return rules, events_in(rules.terms.game, record.events)


def account_of(reading: Reading, entry: Entry, record: Record, language: str) -> list[Block]:
    """What an adjudication brought, told."""
    from pbem.campaign.ledger.records import AdjudicationRecord
    from pbem.campaign.ledger.replaying import making_sense, name_of
    from pbem.report.account import account_blocks, chapters

    if not isinstance(record, AdjudicationRecord) or not record.events:
        return []
    with making_sense(name_of(entry)):
        rules, happened = retold_events(reading, record)
        return account_blocks(chapters(rules, happened, language))
