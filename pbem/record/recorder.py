"""Records of games: the lines, in the order in which they may come (docs/record.md), and the writer of a game that is
played once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.bots.table import Score, winners_of
from pbem.campaign.play.secret_state import public_digest
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event, all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, digest, player_of, stage_of
from pbem.kit import game_named, game_of
from pbem.paper.library import game_paper
from pbem.paper.orders.files import form_of, sections_of
from pbem.paper.orders.section import Form
from pbem.paper.terms import terms_document
from pbem.report.telling import told_data
from pbem.seal.canonical import Tree

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
