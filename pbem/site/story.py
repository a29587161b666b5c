"""A campaign as a story in stages: what was told of each, what stood on the map at its end, and who marched.

Made of the ledger's public events; what was turned back by a rollback is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from pbem.campaign.campaign import opener_of, rules_of
from pbem.campaign.ledger.past_events import events_in
from pbem.campaign.ledger.reading import Reading
from pbem.campaign.ledger.records import AdjudicationRecord, RollbackRecord
from pbem.engine import events as e
from pbem.engine.copying import copied
from pbem.engine.map_state import MapState, follow, map_state_of
from pbem.engine.table import GameRules
from pbem.kit import game_named
from pbem.report import naming
from pbem.report.account import Passage, Voice, chapters, grouped, parted, passage
from pbem.report.game_report import game_report
from pbem.report.telling import told_data
from pbem.seal.deal import ProvableDealer

NO_SECRET = ProvableDealer(bytes(32))
"""Sets up what is public of a start; nothing is dealt by it."""


class Happening(Struct, frozen=True):
    """An event of the game, and the entry of the ledger that tells of it."""

    entry: int
    event: e.Event


class ToldPassage(Struct, frozen=True):
    """A passage of the account; a battle has a number."""

    passage: Passage
    battle: int = 0


class ToldBattle(Struct, frozen=True):
    """A battle: where it stands in the story, and between whom it was."""

    number: int
    stage: int
    passage: Passage
    data: dict[str, object]


class Stage(Struct, frozen=True):
    """One stage."""

    number: int
    turn: int
    title: str
    """What it is called, with its turn; nothing for what was before the first one."""
    told: tuple[ToldPassage, ...]
    entries: tuple[int, ...]
    """The entries of the ledger that tell of it."""
    happened: tuple[int, ...]
    """The entry that tells of each of its events."""
    on_map: MapState
    moves: tuple[e.Marched | e.Retreated, ...]


class Story(Struct, frozen=True):
    """Everything that happened in the game."""

    stages: tuple[Stage, ...]
    battles: tuple[ToldBattle, ...]
    result: str
    """How the game ended, told; nothing while it is played."""
    stage_of: dict[int, int]
    """The stage in which an entry of the ledger ended."""


def story_of(reading: Reading, rules: GameRules, language: str) -> Story:
    """The story of a campaign."""
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
        told, fought, ended = told_of(rules, events, language, number, len(battles))
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
                on_map=copied(on_map),
                moves=tuple(event for event in events if isinstance(event, e.Marched | e.Retreated)),
            )
        )
    stage_of = {entry: stage.number for stage in stages for entry in stage.entries}
    return Story(tuple(stages), tuple(battles), result, stage_of)


def happenings(reading: Reading, game: str) -> list[Happening]:
    """All that happened, as everybody may know it, but for what was turned back."""
    found: list[Happening] = []
    for entry, record in reading.entries:
        match record:
            case AdjudicationRecord():
                found += [Happening(entry.number, event) for event in events_in(game, record.events)]
            case RollbackRecord(to):
                # A repaired clock that stays behind a lock names the entry before its own, and so takes nothing away.
                found = [each for each in found if each.entry <= to]
    return found


def in_stages(found: Iterable[Happening]) -> list[list[Happening]]:
    """What happened, parted where stages begin; the heading of a turn goes with its first stage."""
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
    """What a stage is called, the turn named with it."""
    opening = [event for event in events if isinstance(event, e.StageBegan)]
    return chapters(rules, opening[:1], language)[0].title if opening else ""


def told_of(
    rules: GameRules, events: Sequence[e.Event], language: str, stage: int, before: int
) -> tuple[tuple[ToldPassage, ...], list[ToldBattle], str]:
    """What is told of a stage, its battles, and how the game ended if it ended there."""
    own_report, voice = game_report(rules.terms.game), Voice(rules, language)
    told: list[ToldPassage] = []
    battles: list[ToldBattle] = []
    result = ""
    for _, following in parted(events):
        for group in grouped(following, own_report):
            found = passage(voice, group)
            if found is None:
                continue
            first = group[0]
            number = before + len(battles) + 1 if isinstance(first, e.BattleJoined) else 0
            told.append(ToldPassage(found, number))
            if number:
                battles.append(ToldBattle(number, stage, found, told_data(naming.in_words(rules, language), first)))
            if any(isinstance(event, e.GameEnded) for event in group):
                result = found.text
    return tuple(told), battles, result


def rules_for(reading: Reading) -> GameRules:
    """The rules of the campaign's game."""
    return rules_of(reading.folder, reading.settings, reading.public.protocol)


def time_of(reading: Reading, number: int) -> datetime:
    """When an entry was made."""
    return reading.entries[number - 1][0].time
