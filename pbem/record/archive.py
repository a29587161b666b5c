"""Record of a campaign from its folder: verified, and if it is closed replayed with all its secrets."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.campaign.campaign import rules_of
from pbem.campaign.disk.folder import Folder, open_folder
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.records import events_in
from pbem.campaign.ledger.replaying import ReplayedEntry, first_of, making_sense, name_of, record_in
from pbem.campaign.play.seated_bots import bot_of
from pbem.campaign.play.secret_state import SecretState, public_digest
from pbem.campaign.proof.judging_again import Verification, sound
from pbem.campaign.proof.verifying import Verifier, walk_through
from pbem.engine.table import GameRules, Table, player_of, stage_of, turn_of
from pbem.kit import copy_of
from pbem.record.recorder import (
    FORMAT,
    Begins,
    By,
    Ends,
    Happened,
    Put,
    RecordedSeat,
    Recorder,
    TurnedBack,
    encode_line,
)
from pbem.report.telling import told_data
from pbem.seal.deal import ProvableDealer


def record_campaign(root: Path, put: Put) -> Verification:
    """Write the lines of the campaign in a folder. Raises `Refused` if anything in it is wrong.

    The fault may be found after lines have been written: without the last line they are no valid record.
    """
    folder = open_folder(root)
    watcher = ArchiveRecorder(folder, put)
    walk = walk_through(Verifier(folder, Verification(), watcher.take))
    found = sound(root, walk.found)
    if watcher.recorder:
        watcher.recorder.end()
    else:
        record_publicly(folder, walk.entries, put)
    return found


def beginning(folder: Folder, is_open: bool) -> tuple[GameRules, Begins]:
    """Rules of a campaign, and its first line."""
    _, founded = first_of(folder)
    settings = founded.settings
    rules = rules_of(folder, settings, founded.protocol)
    return rules, Begins(
        FORMAT,
        founded.program,
        settings.campaign,
        dict(settings.terms),
        {seat: RecordedSeat(powers, settings.seats[seat].bot) for seat, powers in rules.seats.items()},
        "everything" if is_open else "what everybody may know",
    )


class Moment(Struct, frozen=True):
    """State of the record after an entry."""

    number: int
    best: dict[str, float]


class ArchiveRecorder:
    """Recorder that follows the entries of a closed campaign while they are carried out again."""

    def __init__(self, folder: Folder, put: Put) -> None:
        self.folder = folder
        self.put = put
        self.recorder: Recorder | None = None
        self.moments: dict[int, Moment] = {}
        self.bots: dict[int, str] = {}
        """Bots that have written letters, by entry."""
        self.force: dict[str, int] = {}
        """Entry of each player's letter with orders in force."""

    def take(self, played: ReplayedEntry) -> None:
        """Write the lines of an entry that has just been carried out."""
        entry, record, state = played.entry.number, played.record, played.state
        if isinstance(record, r.AdjudicationRecord):
            recorder = self.recorder or self.begin(entry, state)
            outcome = state.news[-1].outcome
            for number, answered in enumerate(outcome.answers):
                by: By = "player" if answered.by == "orders" else "default"
                letter = self.force.get(player_of(recorder.table, answered.power), 0)
                bot = self.bots.get(letter, "") if number in outcome.ordered else ""
                recorder.answer(entry, answered.power, answered.answer, by, bot)
        elif isinstance(record, r.LetterRecord) and not record.acted:
            if bot := record.bot or bot_of(state, record.player):
                self.bots[entry] = bot
        elif r.goes_back(record) and self.recorder:
            back = self.moments[max(number for number in self.moments if number <= record.to)]
            self.recorder.number, self.recorder.score.best = back.number, dict(back.best)
            self.recorder.stand(table_of(state))
            seen = public_digest(self.recorder.table)
            self.recorder.line(TurnedBack(entry, record.to, back.number, seen))
        if r.is_position(record) and self.recorder:
            self.moments[entry] = Moment(self.recorder.number, dict(self.recorder.score.best))
        state.news.clear()
        self.force = {player: letter.entry for player, letter in state.orders_in_force.items()}

    def begin(self, entry: int, state: SecretState) -> Recorder:
        """Write the lines before the first decision."""
        _, line = beginning(self.folder, is_open=True)
        table = table_of(state)
        self.recorder = Recorder(table, self.put)
        self.recorder.line(line)
        self.recorder.write_events(entry, stage_of(table), state.news[-1].events, public_digest(table))
        return self.recorder


def table_of(state: SecretState) -> Table:
    """Independent table that continues as the campaign did."""
    assert state.table is not None
    found: Table = copy_of(state.table, ProvableDealer(state.root))
    return found


def record_publicly(folder: Folder, entries: list[Entry], put: Put) -> None:
    """Write the public facts of a campaign that is not closed."""
    rules, line = beginning(folder, is_open=False)
    put(encode_line(line))
    following = r.NOWHERE
    for entry in entries:
        record = record_in(entry)
        with making_sense(name_of(entry)):
            if isinstance(record, r.AdjudicationRecord):
                events = events_in(rules.terms.game, record.events)
                following = record.next
                told = [told_data(rules, event) for event in events]
                put(encode_line(Happened(entry.number, record.stage or following.stage, told, following.digest)))
            elif r.goes_back(record):
                following = record.next
                put(encode_line(TurnedBack(entry.number, record.to, 0, following.digest)))
    put(encode_line(Ends(following.over, turn_of(following.stage))))
