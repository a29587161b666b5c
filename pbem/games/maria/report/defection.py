"""Words for what a defeat and a move of Saxony's marker bring (§16, §19.3)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.combat import outcome
from pbem.engine.decisions import Decision, PlayCard
from pbem.engine.table import deep_copy
from pbem.games.maria.report.politics import shift_words
from pbem.games.maria.rules import combat
from pbem.games.maria.rules.decisions import ShiftSaxony
from pbem.games.maria.rules.defection import facts, leader_of, shift_marker, status
from pbem.games.maria.rules.events import MarkersLost, MarkersWon
from pbem.games.maria.rules.state import ShiftTask, Table, affairs_of
from pbem.kit import with_parts
from pbem.report.language.templates import macro, macros_of, squeeze
from pbem.report.telling import question, told_data


def defeat_lines(table: Table, decision: PlayCard, language: str) -> Iterator[str]:
    """Yield lines on the victory markers that move if the power stops playing now, and on the move of Saxony's marker
    that they allow. The cities of the table are those that the reader sees."""
    duel = table.state.duel
    if duel is None or decision.must or decision.score >= 0:
        return
    after = with_parts(table, state=deep_copy(table.state))
    after.state.tasks = []
    events = combat.defeat(after, outcome(table.rules.common, after.state.field, duel, -decision.score))
    moved = [event for event in events if isinstance(event, MarkersWon | MarkersLost)]
    told = [macro(language, "maria", ("events.txt.j2",), type(e).__name__, told_data(table.rules, e)) for e in moved]
    asked = [ShiftSaxony(task.power, task.steps) for task in after.state.tasks if isinstance(task, ShiftTask)]
    told += [question(table.rules, each, {}, language) for each in asked]
    if told:
        words = macros_of(language, "maria", "affairs_words.txt.j2")
        yield squeeze(str(words.by_stopping(decision.power, told)))
    for each in asked:
        yield from shift_lines(table, each, language)


def shift_lines(table: Table, decision: ShiftSaxony, language: str) -> Iterator[str]:
    """Yield a line on the box that Saxony's marker reaches, and one on the status that Saxony gets by it."""
    after, track = with_parts(table, state=deep_copy(table.state)), facts(table).track
    shift_marker(after, track, decision.steps)
    boxes = affairs_of(after).tracks[track] - affairs_of(table).tracks[track]
    tracks = macros_of(language, "maria", "tracks.txt.j2")
    yield squeeze(str(tracks.ways(track, [shift_words(table, track, boxes, language)])))
    if (now := status(after)) != status(table):
        leader = leader_of(table.rules, now)
        assert leader
        words = macros_of(language, "maria", "affairs_words.txt.j2")
        yield squeeze(str(words.changes_sides(facts(table).power, now, leader, table.rules.player_of(leader))))


def defection_lines(table: Table, decision: Decision, language: str) -> Iterator[str]:
    """Yield the lines on victory markers and on Saxony's marker for a decision that may move them."""
    match decision:
        case PlayCard() if table.state.affairs is not None:
            yield from defeat_lines(table, decision, language)
        case ShiftSaxony():
            yield from shift_lines(table, decision, language)
