"""`pbem log`: the entries of a campaign's ledger in words, as anybody may read them, without any key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import as_json, counted, gathered, language_option, on_terminal, print_json
from pbem.cli.read import folder_argument
from pbem.cli.surroundings import answered, time_now
from pbem.paper.documents.names import NameFault, Names

if TYPE_CHECKING:
    from pbem.campaign.ledger.entries import Entry
    from pbem.campaign.ledger.reading import Reading
    from pbem.campaign.ledger.records import AdjudicationRecord, Record
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
    from pbem.campaign.ledger.reading import read_folder

    with answered(json_wanted):
        reading = read_folder(folder, time_now())
        chosen = wanted(reading, choice)
        if json_wanted:
            print_json([entry_data(reading, entry, record, events) for entry, record in chosen])
            return
        for entry, record in chosen:
            tell_entry(entry, record, account_of(reading, entry, record, language) if events else [])


def wanted(reading: Reading, choice: EntryFilter) -> list[tuple[Entry, Record]]:
    """The entries that are wanted; a kind or a player that there is not is wrong use."""
    from pbem.campaign.ledger.records import KINDS

    kinds = named(choice.kinds, KINDS, "kind of entry", "--kind")
    players = named(choice.players, reading.settings.seats, "player", "--player")
    found: list[tuple[Entry, Record]] = []
    turn = 0
    for entry, record in reading.entries:
        turn, before = turn_after(record, turn), turn
        if entry.number < choice.first or (kinds and entry.kind not in kinds):
            continue
        if players and not players & set(players_in(record)):
            continue
        if not choice.turns or (before or turn) in choice.turns:
            found.append((entry, record))
    return found


def named(written: Iterable[str], known: Iterable[str], what: str, option: str) -> set[str]:
    """The names that are meant by what is written in an option."""
    names = Names(list(known), what)
    try:
        return {names.names[names.find(each)] for each in written}
    except NameFault as fault:
        hint = f"; {fault.hint}" if fault.hint else ""
        raise click.BadParameter(f"{fault.message}{hint}", param_hint=option) from None


def turn_after(record: Record, turn: int) -> int:
    """The turn in which the game stands after an entry."""
    from pbem.campaign.ledger.records import AdjudicationRecord, RollbackRecord

    if not isinstance(record, AdjudicationRecord | RollbackRecord):
        return turn
    written = record.next.stage.partition("/")[0]
    return int(written) if written.isdigit() else turn


def players_in(record: Record) -> tuple[str, ...]:
    """The players whose entry it is, or whom it is about."""
    from pbem.campaign.ledger import records as r

    match record:
        case r.AdjudicationRecord():
            return (*record.absent, *record.returned, *record.forfeited)
        case r.AgreementRecord():
            return record.powers
        case r.ReminderRecord():
            return record.players
        case (
            r.JoinRecord()
            | r.LetterRecord()
            | r.RefusedRecord()
            | r.AbsenceRecord()
            | r.SubstituteRecord()
            | r.KeyChangeRecord()
        ):
            return (record.player,)
    return ()


def tell_entry(entry: Entry, record: Record, happened: list[Block]) -> None:
    """Say what an entry is about, and what happened; words of people stay in their line, whatever they hold."""
    from pbem.report.formats.escaping import one_line

    time, words = f"{entry.time:%Y-%m-%d %H:%M}", one_line(words_of(record), MOST)
    if on_terminal():
        from pbem.cli.terminal import show_entry

        show_entry(entry.number, time, entry.kind, words, happened)
        return
    click.echo(f"{entry.number:4} {time} {entry.kind:<12} {words}".rstrip())
    if happened:
        from pbem.report.formats.text import text

        click.echo("\n".join(f"     {each}".rstrip() for each in text(happened).splitlines()))


def entry_data(reading: Reading, entry: Entry, record: Record, events: bool) -> dict[str, object]:
    """An entry for programs."""
    from pbem.campaign.ledger.records import AdjudicationRecord
    from pbem.campaign.ledger.replaying import making_sense, name_of
    from pbem.report.telling import event_data

    found = {"entry": entry.number, "time": f"{entry.time:%Y-%m-%dT%H:%M:%SZ}", "kind": entry.kind, "hash": entry.hash}
    found["words"] = words_of(record)
    if events and isinstance(record, AdjudicationRecord):
        with making_sense(name_of(entry)):
            rules, happened = retold_events(reading, record)
            return found | {"events": [event_data(rules, event) for event in happened]}
    return found


def retold_events(reading: Reading, record: AdjudicationRecord) -> tuple[GameRules, list[Event]]:
    """The events of an adjudication, and the rules that have their names."""
    from pbem.campaign.campaign import rules_of
    from pbem.campaign.ledger.past_events import events_in

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


def words_of(record: Record) -> str:
    """An entry in a few words."""
    from pbem.campaign.ledger import records as r

    match record:
        case r.NewRecord():
            return f"{record.settings.campaign}: {', '.join(record.settings.seats)}"
        case r.JoinRecord():
            return f"{record.name or 'somebody'} plays {record.player}"
        case r.LetterRecord():
            acted = f", written by the moderator: {record.acted}" if record.acted else ""
            stage = f" for {record.stage}" if record.stage else ""
            return f"{record.kind} of {record.player}{stage}, seq {record.seq}, {record.status}{acted}"
        case r.RefusedRecord():
            return f"from {record.player or 'somebody'}"
        case r.LockRecord():
            who = "the moderator went on: what is sealed is fixed" if record.forced else "everybody has sealed"
            return f"{who} for {record.stage}; now all reveal"
        case r.AdjudicationRecord():
            return adjudication_words(record)
        case _:
            return ruling_words(record)


def adjudication_words(record: AdjudicationRecord) -> str:
    """An adjudication in a few words."""
    stages = [each for each in (record.stage, record.next.stage) if each]
    found = [" → ".join(dict.fromkeys(stages)), counted(len(record.events), "public event")]
    found += [f"who joined as {joined} has drawn {played}" for joined, played in record.drawn.items()]
    found += [f"defaults for {player} ({why})" for player, why in record.absent.items()]
    found += [f"the letter of {player} went back" for player in record.returned]
    found += [f"{player} forfeits {', '.join(slots)}" for player, slots in record.forfeited.items()]
    found += ["the moderator went on before the clock allowed it"] if record.forced else []
    return ", ".join([*found, *(["the game is over"] if record.next.over else [])])


def ruling_words(record: Record) -> str:
    """What else the moderator has entered, in a few words."""
    from pbem.campaign.ledger import records as r

    match record:
        case r.RulingRecord():
            return f"{record.words}{f' ({record.rule})' if record.rule else ''}"
        case r.ExtensionRecord():
            return f"until {record.until}: {record.why}"
        case r.AbsenceRecord():
            return f"{record.player} from {record.first} to {record.last}{f': {record.why}' if record.why else ''}"
        case r.ReminderRecord():
            return f"{', '.join(record.players)} ({record.kind})"
        case r.ClockRecord():
            if record.deadline:
                return f"the clock was wrong; what was shown behind the lock stays: {record.why}"
            stage = f", {record.next.stage}" if r.goes_back(record) else ""
            return f"the clock was wrong behind entry {record.to}; all stands as then{stage}: {record.why}"
        case r.RollbackRecord():
            return f"to entry {record.to}, {record.next.stage}: {record.why}"
        case r.SubstituteRecord():
            return f"{record.name or 'somebody else'} plays {record.player}: {record.why}"
        case r.KeyChangeRecord():
            return f"{record.player} has another key{f': {record.why}' if record.why else ''}"
        case r.AgreementRecord():
            return f"{', '.join(record.powers)}: {record.words}"
        case r.CloseRecord():
            return f"the secrets are published{f': {record.why}' if record.why else ''}"
    return ""
