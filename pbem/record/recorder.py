"""Records of games (docs/record.md): the types of their lines, and functions that write the record of a game or a
campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.bots.table import Score, winners_of
from pbem.campaign.disk.folder import Folder, open_folder
from pbem.campaign.founding import rules_of
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry, events_in, file_name, record_in
from pbem.campaign.ledger.replaying import ReplayedEntry, first_of, refuse_senseless
from pbem.campaign.play.seated_bots import bot_of
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import public_digest
from pbem.campaign.proof.verification import Verification, sound_verification
from pbem.campaign.proof.verifying import Verifier, walk_through
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event, all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, digest, player_of, stage_of, turn_of
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.library import game_paper, terms_document
from pbem.paper.orders.files import form_of, sections_of
from pbem.paper.orders.forms import Form
from pbem.report.telling import told_data
from pbem.seal.canonical import Tree
from pbem.seal.deal import ProvableDealer

FORMAT = 1
"""Version of the format of records. It gets a higher number when the meaning of a line changes."""

Told: TypeAlias = dict[str, object]
"""Data of an event or a decision, as in docs/events.md."""


By: TypeAlias = Literal["player", "default"]
"""Source of an answer. It is `player` if the answer comes from the player's orders, plans or bot, and `default` if the
player's orders are missing and the default orders are taken."""


class RecordedSeat(Struct, frozen=True):
    """A seat at the beginning of the game."""

    powers: tuple[str, ...]
    """Powers with which the seat begins."""
    bot: str = ""
    """Level and version of the bot on the seat; empty for a person."""


class RecordLine(Struct, frozen=True, tag=True):
    """Base of all lines of a record."""


class Begins(RecordLine, frozen=True):
    """First line of a record: the game and its seats. `tells` is `everything` if the later lines contain all
    secrets."""

    format: int
    program: str
    """Version of the program with which the game was begun."""
    name: str
    terms: dict[str, object]
    """Game, scenario and options, under the keys that a position file uses."""
    seats: dict[str, RecordedSeat]
    tells: Literal["everything", "what everybody may know"]


class Happened(RecordLine, frozen=True):
    """Events without a decision of a player, such as the deal. In a public record every line of events has this form.
    It has the events of one adjudication of a campaign, or of one answer in a game without ledger."""

    entry: int
    """Number of the entry in the ledger. 0 for a game without a ledger."""
    stage: str
    """Turn and stage in which the events were adjudicated."""
    events: list[Told]
    digest: str
    """Digest of the public part of the position after the events."""


class Decided(RecordLine, frozen=True, kw_only=True, omit_defaults=True):
    """One decision, with its answer and the events that followed."""

    entry: int
    number: int
    """Number of the decision, counted from the beginning of the game. After a rollback, numbers come again."""
    stage: str
    power: str
    """Power that has made the decision."""
    player: str
    """Player of that power at the time of the decision."""
    by: By
    bot: str = ""
    """Level and version of the bot that answered for its own seat or for an absent player; empty for a person."""
    decision: Told | None
    """Decision as data; null for an answer that the player gave without being asked."""
    form: Form | None
    """Form with all legal answers (docs/orders.md); null for an answer that the player gave without being asked."""
    answer: dict[str, Tree]
    """Sections of an order file with which a player gives this answer."""
    events: list[Told]
    """Events that followed from the answer, with all secrets."""
    digest: str
    """Digest of the whole position after the answer."""


class TurnedBack(RecordLine, frozen=True):
    """A rollback: the lines after entry `to` do not count any more."""

    entry: int
    to: int
    number: int
    """Number of decisions up to the position to which the game goes back. 0 if the record has no secrets."""
    digest: str
    """Digest of the public part of the position to which the game goes back."""


class Ends(RecordLine, frozen=True):
    """Last line of a record. A record without this line is not complete."""

    over: bool
    """True if the game was played to its end, or if the seats agreed to end it (`how`)."""
    turn: int
    decisions: int = 0
    """Number of decisions that were not turned back. 0 if the record has no secrets."""
    winners: list[str] | None = None
    """Seats that have won. It is null if the record has no secrets and the seats did not agree to end the game; the
    winners are then in the events."""
    points: dict[str, float] | None = None
    """Points of each player, as the arena counts them (docs/bots.md). It is null if the record has no secrets."""
    how: str = ""
    """Agreement with which the seats ended the game: `draw`, `standing` or `concede`. Empty if there was none."""


AnyLine: TypeAlias = Begins | Happened | Decided | TurnedBack | Ends


Put = Callable[[bytes], object]
"""Function that is called with each line of a record, as bytes."""


def encode_line(line: AnyLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


class Recorder:
    """Recorder of a game. It carries out answers, and writes a line for each of them."""

    def __init__(self, table: Table, put: Put) -> None:
        """Store the table, which the recorder changes, and the function `put`, to which it passes each line."""
        self.put = put
        self.number = 0
        self.score = Score(table.rules)
        self.set_table(table)

    def set_table(self, table: Table) -> None:
        """Replace the position from which the record goes on. This is necessary after a rollback."""
        self.table = table
        self.score.see(table)

    def line(self, line: AnyLine) -> None:
        self.put(encode_line(line))

    def write_events(self, entry: int, stage: str, events: Iterable[Event], seen: str) -> None:
        """Write a line with events that no decision has caused. `entry` is the number of the entry in the ledger, and
        `seen` the digest of the public part of the position."""
        self.line(Happened(entry, stage, self.events_data(events), seen))

    def answer(self, entry: int, power: Power, answer: Answer, source: By = "player", bot: str = "") -> None:
        """Carry out a power's answer, and write a line with the decision. `bot` is the level and version of the bot
        that has answered; it is empty if a person has answered."""
        table, asked = self.table, self.decision_answered(power, answer)
        self.number += 1
        found = Decided(
            entry=entry,
            number=self.number,
            stage=stage_of(table),
            power=power,
            player=player_of(table, power),
            by=source,
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
        """Return the decision to which a power's answer belongs. Return None if the player gave the answer without
        being asked."""
        if any(row.is_free and isinstance(answer, row.gives) for row in game_paper(self.table).sections):
            return None
        return game_of(self.table).decision_of(self.table, power)

    def events_data(self, events: Iterable[Event]) -> list[Told]:
        return [told_data(self.table.rules, event) for event in events]

    def end(self, agreed: r.EndRecord | None = None) -> None:
        """Write the last line of the record. If the seats agreed to end the game, `agreed` is the entry with this
        agreement."""
        state = self.table.state
        over = state.phase == "over" or agreed is not None
        winners = winners_agreed(agreed) if agreed else winners_of(self.table) if over else []
        how = agreed.how if agreed else ""
        self.line(Ends(over, state.turn, self.number, winners, self.score.points_with(winners), how))


def winners_agreed(agreed: r.EndRecord) -> list[str]:
    """Return the winners of a game that the seats agreed to end. For a draw, return `nobody`, as for a draw in a game
    that is played to its end."""
    return ["nobody"] if agreed.how == "draw" else list(agreed.winners)


Next = Callable[[Table], tuple[Power, Answer] | None]
"""Function that returns the power that decides next, and the power's answer. It returns None at the end of the game."""


def first_line(rules: GameRules, name: str, bots: Mapping[str, str], is_open: bool) -> Begins:
    """Return the first line of a game's record. With `is_open`, the record will have all secrets. `bots` has the level
    of the bot on each seat that a bot plays."""
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
    """Play a game in which `seed` determines the cards, and write its record with all secrets. Return the recorder."""
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
    """Play a game in which `seed` determines the cards, and write its record without secrets."""
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


MakeRecorder = Callable[[Table, Put], Recorder]
"""Function that makes a recorder for a table. The recorder passes each line to the function that is given."""


def record_campaign(root: Path, put: Put, make: MakeRecorder = Recorder) -> Verification:
    """Verify the campaign in a folder, and write its record with a recorder that `make` has made. Return the result of
    the verification. Raises `Refused` if anything is wrong. Some lines may already be written then, but without a last
    line they are no valid record."""
    folder = open_folder(root)
    watcher = ArchiveRecorder(folder, put, make)
    walk = walk_through(Verifier(folder, Verification(), watcher.take))
    found = sound_verification(root, walk.found)
    if watcher.recorder:
        watcher.recorder.end(walk.public.ended if walk.public else None)
    else:
        record_publicly(folder, walk.entries, put)
    return found


def rules_and_first_line(folder: Folder, is_open: bool) -> tuple[GameRules, Begins]:
    """Return the rules of a campaign, and the first line of its record. With `is_open`, the record will have all
    secrets."""
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


class RecordState(Struct, frozen=True):
    """Values after an entry of the ledger: the number of decisions, and the best score of each player. If the game goes
    back to this entry, the record goes on with these values."""

    number: int
    best: dict[str, float]


class ArchiveRecorder:
    """Recorder of a closed campaign. A verifier carries out the entries of the ledger again, and calls it after
    each."""

    def __init__(self, folder: Folder, put: Put, make: MakeRecorder) -> None:
        self.folder = folder
        self.put = put
        self.make = make
        self.recorder: Recorder | None = None
        self.moments: dict[int, RecordState] = {}
        self.bots: dict[int, str] = {}
        """Level and version of the bot that wrote a letter, for each letter of a bot. The key is the number of the
        letter's entry."""
        self.force: dict[str, int] = {}
        """For each player, the number of the entry with the orders that now apply."""

    def take(self, played: ReplayedEntry) -> None:
        """Write the lines for an entry that was just verified. Only adjudications and rollbacks have lines; from other
        entries, values for later lines are noted. The list `news` of the verifier's state is cleared at the end."""
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
            self.recorder.set_table(table_of(state))
            seen = public_digest(self.recorder.table, state.public.protocol)
            self.recorder.line(TurnedBack(entry, record.to, back.number, seen))
        if r.is_position(record) and self.recorder:
            self.moments[entry] = RecordState(self.recorder.number, dict(self.recorder.score.best))
        state.news.clear()
        self.force = {player: letter.entry for player, letter in state.orders_in_force.items()}

    def begin(self, entry: int, state: SecretState) -> Recorder:
        """Make the recorder. Write the first line of the record, and the line with the deal."""
        _, line = rules_and_first_line(self.folder, is_open=True)
        table = table_of(state)
        self.recorder = self.make(table, self.put)
        self.recorder.line(line)
        self.recorder.write_events(
            entry, stage_of(table), state.news[-1].events, public_digest(table, state.public.protocol)
        )
        return self.recorder


def table_of(state: SecretState) -> Table:
    """Return a copy of a campaign's table. From the copy, the same cards are dealt as in the campaign."""
    assert state.table is not None
    found: Table = copy_of(state.table, ProvableDealer(state.root))
    return found


def record_publicly(folder: Folder, entries: list[Entry], put: Put) -> None:
    """Write the record of a campaign that is not closed. It has the public events of each adjudication, the rollbacks,
    and a last line that says whether the game is over."""
    rules, line = rules_and_first_line(folder, is_open=False)
    put(encode_line(line))
    following, agreed = r.NOWHERE, None
    for entry in entries:
        record = record_in(entry)
        with refuse_senseless(file_name(entry.number, entry.kind)):
            if isinstance(record, r.AdjudicationRecord):
                events = events_in(rules.terms.game, record.events)
                following = record.next
                told = [told_data(rules, event) for event in events]
                put(encode_line(Happened(entry.number, record.stage or following.stage, told, following.digest)))
            elif r.goes_back(record):
                following, agreed = record.next, None
                put(encode_line(TurnedBack(entry.number, record.to, 0, following.digest)))
            elif isinstance(record, r.EndRecord):
                agreed = record
    is_over, turn = following.over or agreed is not None, turn_of(following.stage)
    winners = winners_agreed(agreed) if agreed else None
    put(encode_line(Ends(is_over, turn, winners=winners, how=agreed.how if agreed else "")))
