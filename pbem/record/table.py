"""Record of a game played at one table, without letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem import __version__
from pbem.campaign.play.secret_state import public_digest
from pbem.engine.decisions import Answer
from pbem.engine.events import all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.stages import stage_of
from pbem.engine.stream import SeededDealer
from pbem.engine.table import GameRules, Table, player_of
from pbem.kit import game_named
from pbem.paper.terms import terms_document
from pbem.record.lines import FORMAT, Begins, Ends, RecordedSeat
from pbem.record.recorder import Put, Recorder

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
