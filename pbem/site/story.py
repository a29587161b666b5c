"""Story of a campaign in stages: the account of each, the map at its end, and its marches.

It is made from the ledger's public events. Stages that a rollback took back are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from pbem.campaign.campaign import opener_of, rules_of
from pbem.campaign.ledger.records import AdjudicationRecord, RollbackRecord, events_in
from pbem.campaign.ledger.replaying import Reading
from pbem.engine import events as e
from pbem.engine.memory import MapState, follow, map_state_of
from pbem.engine.table import GameRules, deep_copy
from pbem.kit import game_named
from pbem.report import blocks
from pbem.report.account import Passage, Voice, chapters, event_groups, events_by_heading, passage
from pbem.report.telling import game_report, told_data
from pbem.seal.deal import ProvableDealer

NO_SECRET = ProvableDealer(bytes(32))
"""Dealer for the public part of a start; its cards are never used."""


class Happening(Struct, frozen=True):
    """An event of the game, and its entry in the ledger."""

    entry: int
    event: e.Event


class ToldPassage(Struct, frozen=True):
    """A passage of the account, with the number of its battle, or 0."""

    passage: Passage
    battle: int = 0


class ToldBattle(Struct, frozen=True):
    """A battle: its place in the story and its data."""

    number: int
    stage: int
    passage: Passage
    data: dict[str, object]


class Stage(Struct, frozen=True):
    """One stage."""

    number: int
    turn: int
    title: str
    """Title with the turn; empty for the time before the first stage."""
    told: tuple[ToldPassage, ...]
    entries: tuple[int, ...]
    """Entries of the ledger that belong to it."""
    happened: tuple[int, ...]
    """Entry of each of its events."""
    on_map: MapState
    moves: tuple[e.Marched | e.Retreated, ...]


class Story(Struct, frozen=True):
    """The whole game."""

    stages: tuple[Stage, ...]
    battles: tuple[ToldBattle, ...]
    result: str
    """Result in words; empty while the game is played."""
    stage_of: dict[int, int]
    """Stage in which an entry of the ledger ended."""


def story_of(reading: Reading, rules: GameRules, language: str) -> Story:
    game = rules.terms.game
    table = opener_of(reading.folder, reading.settings)(rules, NO_SECRET)
    on_map, own = map_state_of(table.state.field), game_named(game).on_map
    stages: list[Stage] = []
    battles: list[ToldBattle] = []
    turn, result = table.state.turn, ""
    for part in in_stages(happenings(reading, game)):
        events = [each.event for each in part]
        follow(on_map, own, rules.common, events)
        turn = next((event.turn for event in events if isinstance(event, e.StageBegan | e.TurnBegan)), turn)
        number = len(stages)
        told, fought, ended = tell_stage(rules, events, language, number, len(battles))
        battles += fought
        result = ended or result
        stages.append(
            Stage(
                number=number,
                turn=turn,
                title=title_of(rules, events, language),
                told=told,
                entries=tuple(dict.fromkeys(each.entry for each in part)),
                happened=tuple(each.entry for each in part),
                on_map=deep_copy(on_map),
                moves=tuple(event for event in events if isinstance(event, e.Marched | e.Retreated)),
            )
        )
    stage_of = {entry: stage.number for stage in stages for entry in stage.entries}
    return Story(tuple(stages), tuple(battles), result, stage_of)


def happenings(reading: Reading, game: str) -> list[Happening]:
    """All public events, without those that were rolled back."""
    found: list[Happening] = []
    for entry, record in reading.entries:
        match record:
            case AdjudicationRecord():
                found += [Happening(entry.number, event) for event in events_in(game, record.events)]
            case RollbackRecord(to):
                # An entry that repairs the clock may name the entry before its own. Then nothing is removed.
                found = [each for each in found if each.entry <= to]
    return found


def in_stages(found: Iterable[Happening]) -> list[list[Happening]]:
    """Events split where stages begin; the heading of a turn goes with its first stage."""
    parts: list[list[Happening]] = []
    opens = True
    for each in found:
        is_heading = isinstance(each.event, e.TurnBegan | e.StageBegan)
        if not parts or (is_heading and not opens):
            parts.append([])
        parts[-1].append(each)
        opens = isinstance(each.event, e.TurnBegan)
    return parts


def title_of(rules: GameRules, events: Sequence[e.Event], language: str) -> str:
    """Title of a stage, with its turn."""
    opening = [event for event in events if isinstance(event, e.StageBegan)]
    return chapters(rules, opening[:1], language)[0].title if opening else ""


def tell_stage(
    rules: GameRules, events: Sequence[e.Event], language: str, stage: int, before: int
) -> tuple[tuple[ToldPassage, ...], list[ToldBattle], str]:
    """Passages of a stage, its battles, and the result if the game ended there."""
    own_report, voice = game_report(rules.terms.game), Voice(rules, language)
    told: list[ToldPassage] = []
    battles: list[ToldBattle] = []
    result = ""
    for _, following in events_by_heading(events):
        for group in event_groups(following, own_report):
            found = passage(voice, group)
            if found is None:
                continue
            first = group[0]
            number = before + len(battles) + 1 if isinstance(first, e.BattleJoined) else 0
            told.append(ToldPassage(found, number))
            if number:
                battles.append(ToldBattle(number, stage, found, told_data(blocks.in_words(rules, language), first)))
            if any(isinstance(event, e.GameEnded) for event in group):
                result = found.text
    return tuple(told), battles, result


def rules_for(reading: Reading) -> GameRules:
    return rules_of(reading.folder, reading.settings, reading.public.protocol)


def time_of(reading: Reading, number: int) -> datetime:
    return reading.entries[number - 1][0].time
