"""Records of games: the lines, in the order in which they may come (docs/record.md), and their writers, of a game that
is played once more and of a campaign's folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.bots.table import Score, winners_of
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
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event, all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, digest, player_of, stage_of, turn_of
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.library import game_paper, terms_document
from pbem.paper.orders.files import form_of, sections_of
from pbem.paper.orders.section import Form
from pbem.report.telling import told_data
from pbem.seal.canonical import Tree
from pbem.seal.deal import ProvableDealer

FORMAT = 1
"""Version of these lines. It changes when a line changes its meaning."""

Told: TypeAlias = dict[str, object]
"""An event or a decision as in docs/events.md."""


By: TypeAlias = Literal["player", "default"]
"""Source of an answer: a player (by orders, plans or a bot), or the default orders for the absent."""


class RecordedSeat(Struct, frozen=True):
    """One player."""

    powers: tuple[str, ...]
    """Powers with which the seat begins."""
    bot: str = ""
    """Level of its bot and the version by which it plays; empty for a person."""


class Line(Struct, frozen=True, tag=True):
    """Base of all lines."""


class Begins(Line, frozen=True):
    """The first line: the game, and how much the other lines tell."""

    format: int
    program: str
    """Version of the program that began the game."""
    name: str
    terms: dict[str, object]
    """Game, scenario and options, by the keys of a position file."""
    seats: dict[str, RecordedSeat]
    tells: Literal["everything", "what everybody may know"]


class Happened(Line, frozen=True):
    """Events without a decision that is told: the deal; of a game with secrets, everything."""

    entry: int
    """Entry of the ledger; 0 if there is none."""
    stage: str
    """Turn and stage in which it was adjudicated."""
    events: list[Told]
    digest: str
    """Digest of the public part of the position afterwards."""


class Decided(Line, frozen=True, kw_only=True, omit_defaults=True):
    """One decision."""

    entry: int
    number: int
    """Number of decisions, with this one, since the game began; a rollback lowers it."""
    stage: str
    power: str
    """Power that was asked."""
    player: str
    """Player of that power at the time."""
    by: By
    bot: str = ""
    """Bot that answered, and the version by which it plays: it has the seat, or stood in; empty for a person."""
    decision: Told | None
    """The question; null for an answer given of the player's own accord."""
    form: Form | None
    """The form that could be filled in (docs/orders.md)."""
    answer: dict[str, Tree]
    """Section of an order file that gives this answer."""
    events: list[Told]
    """Events that followed, with all secrets."""
    digest: str
    """Digest of the whole position afterwards."""


class TurnedBack(Line, frozen=True):
    """A rollback: lines after that entry do not count any more."""

    entry: int
    to: int
    number: int
    """Number of decisions up to the position that counts again."""
    digest: str
    """Digest of the public part of that position."""


class Ends(Line, frozen=True):
    """The last line; a record without one is not complete."""

    over: bool
    """True if the game was played to its end."""
    turn: int
    decisions: int = 0
    """Number of decisions that count."""
    winners: list[str] | None = None
    """Winners; null if not everything is told: they stand among the events."""
    points: dict[str, float] | None = None
    """Points of every player, as the arena counts them (docs/bots.md)."""


AnyLine: TypeAlias = Begins | Happened | Decided | TurnedBack | Ends


Put = Callable[[bytes], object]
"""Function that takes the lines, one by one."""


def encode_line(line: AnyLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


class Recorder:
    """Recorder that plays a game on from a position and writes a line for every decision."""

    def __init__(self, table: Table, put: Put) -> None:
        """Take the table, which is changed, and the receiver of the lines."""
        self.put = put
        self.number = 0
        self.score = Score(table.rules)
        self.stand(table)

    def stand(self, table: Table) -> None:
        """Continue at another table."""
        self.table = table
        self.score.see(table)

    def line(self, line: AnyLine) -> None:
        self.put(encode_line(line))

    def write_events(self, entry: int, stage: str, events: Iterable[Event], seen: str) -> None:
        """Write events without a decision, with the digest of the public position."""
        self.line(Happened(entry, stage, self.events_data(events), seen))

    def answer(self, entry: int, power: Power, answer: Answer, by: By = "player", bot: str = "") -> None:
        """Carry a power's answer out and write it. `bot` names the bot that answered."""
        table, asked = self.table, self.decision_answered(power, answer)
        self.number += 1
        found = Decided(
            entry=entry,
            number=self.number,
            stage=stage_of(table),
            power=power,
            player=player_of(table, power),
            by=by,
            bot=bot,
            decision=told_data(table.rules, asked) if asked else None,
            form=form_of(table, asked) if asked else None,
            answer=sections_of(table, power, asked, answer),
            events=self.events_data(game_of(table).apply(table, power, answer)),
            digest=digest(table.state),
        )
        self.score.see(table)
        self.line(found)

    def decision_answered(self, power: Power, answer: Answer) -> Decision | None:
        """Decision that a power answers; None if it answers of its own accord."""
        if any(row.is_free and isinstance(answer, row.gives) for row in game_paper(self.table).sections):
            return None
        return game_of(self.table).decision_of(self.table, power)

    def events_data(self, events: Iterable[Event]) -> list[Told]:
        """Events in the form for programs."""
        return [told_data(self.table.rules, event) for event in events]

    def end(self) -> None:
        """Write the last line."""
        state = self.table.state
        over = state.phase == "over"
        winners = winners_of(self.table) if over else []
        self.line(Ends(over, state.turn, self.number, winners, self.score.points(self.table)))


Next = Callable[[Table], tuple[Power, Answer] | None]
"""Function that returns the next power and its answer; None where the game stops."""


def beginning(rules: GameRules, name: str, bots: Mapping[str, str], is_open: bool) -> Begins:
    """First line of a game in which bots have these seats."""
    levels = {seat: f"{bots[seat]}/{__version__}" if seat in bots else "" for seat in rules.seats}
    return Begins(
        FORMAT,
        __version__,
        name,
        dict(terms_document(rules.terms)),
        {seat: RecordedSeat(powers, levels[seat]) for seat, powers in rules.seats.items()},
        "everything" if is_open else "what everybody may know",
    )


def record_game(rules: GameRules, begins: Begins, seed: str, following: Next, put: Put) -> Recorder:
    """Write the lines of a game with this deal, with all its secrets."""
    table, events = game_named(rules.terms.game).start(rules, SeededDealer(seed))
    recorder = Recorder(table, put)
    recorder.line(begins)
    recorder.write_events(0, stage_of(table), events, public_digest(table))
    while (given := following(table)) is not None:
        player = player_of(recorder.table, given[0])
        recorder.answer(0, *given, bot=begins.seats[player].bot)
    recorder.end()
    return recorder


def record_game_publicly(rules: GameRules, begins: Begins, seed: str, following: Next, put: Put) -> None:
    """Write the public facts of such a game."""
    game = game_named(rules.terms.game)
    table, events = game.start(rules, SeededDealer(seed))
    recorder = Recorder(table, put)
    recorder.line(begins)
    recorder.write_events(0, stage_of(table), all_seen_by(events, ()), public_digest(table))
    while (given := following(table)) is not None:
        stage = stage_of(table)
        events = all_seen_by(game.apply(table, *given), ())
        recorder.write_events(0, stage, events, public_digest(table))
    recorder.line(Ends(table.state.phase == "over", table.state.turn))


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


def beginning_of(folder: Folder, is_open: bool) -> tuple[GameRules, Begins]:
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
        _, line = beginning_of(self.folder, is_open=True)
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
    rules, line = beginning_of(folder, is_open=False)
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
