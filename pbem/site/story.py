"""Story of a campaign for its site. It has the stages, each with its account, its battles and the public position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec import Struct

from pbem.campaign.founding import opener_of, rules_of
from pbem.campaign.ledger.entries import events_in, file_name
from pbem.campaign.ledger.records import NAMES, AdjudicationRecord, RollbackRecord
from pbem.campaign.ledger.replaying import Reading, refuse_senseless
from pbem.engine import events as e
from pbem.engine.memory import MapState, follow, map_state_of
from pbem.engine.table import GameRules, deep_copy
from pbem.kit import game_named
from pbem.report import blocks
from pbem.report.account import Passage, Voice, chapters, event_groups, events_by_heading, passage
from pbem.report.telling import game_report, told_data
from pbem.seal.deal import ProvableDealer

NO_SECRET = ProvableDealer(bytes(32))
"""Dealer for a game of which only the public events are followed. The cards that it deals are never used."""


class Happening(Struct, frozen=True):
    """Event of the game, and the number of its ledger entry."""

    entry: int
    event: e.Event


class ToldPassage(Struct, frozen=True):
    """Passage of the account. If it is about a battle, it has the number of the battle, else 0."""

    passage: Passage
    battle: int = 0


class ToldBattle(Struct, frozen=True):
    """Battle in the form that the site needs: its number, its stage, its passage, and the data of its first event."""

    number: int
    stage: int
    passage: Passage
    data: dict[str, object]


class Stage(Struct, frozen=True):
    """Stage of the game. It has its account, and the map at its end."""

    number: int
    turn: int
    title: str
    """Name of the stage, with its turn. Empty for the time before the first stage."""
    told: tuple[ToldPassage, ...]
    entries: tuple[int, ...]
    """Numbers of the ledger entries that belong to the stage."""
    happened: tuple[int, ...]
    """Number of the ledger entry for each event of the stage."""
    on_map: MapState
    moves: tuple[e.Marched | e.Retreated, ...]


class Story(Struct, frozen=True):
    """Whole game in the form that the site needs: its stages and battles."""

    stages: tuple[Stage, ...]
    battles: tuple[ToldBattle, ...]
    result: str
    """Result in words. Empty if the game has not ended."""
    stage_of: dict[int, int]
    """Number of the last stage to which events of an entry belong. The key is the number of the entry."""


def story_of(reading: Reading, rules: GameRules, language: str) -> Story:
    game = rules.terms.game
    table = opener_of(reading.folder, reading.settings)(rules, NO_SECRET)
    on_map, own = map_state_of(table.state.field), game_named(game).on_map
    stages: list[Stage] = []
    battles: list[ToldBattle] = []
    turn, result = table.state.turn, ""
    for part in events_by_stage(happenings(reading, game)):
        # While a game is running, the verification has checked only the form of its events.
        with refuse_senseless(file_name(part[0].entry, NAMES[AdjudicationRecord])):
            events = [each.event for each in part]
            follow(on_map, own, rules.common, events)
            turn = next((event.turn for event in events if isinstance(event, e.StageBegan | e.TurnBegan)), turn)
            number = len(stages)
            told = tell_stage(rules, events, language, number, len(battles))
            battles += told.battles
            result = told.result or result
            stages.append(
                Stage(
                    number=number,
                    turn=turn,
                    title=title_of(rules, events, language),
                    told=told.passages,
                    entries=tuple(dict.fromkeys(each.entry for each in part)),
                    happened=tuple(each.entry for each in part),
                    on_map=deep_copy(on_map),
                    moves=tuple(event for event in events if isinstance(event, e.Marched | e.Retreated)),
                )
            )
    stage_of = {entry: stage.number for stage in stages for entry in stage.entries}
    return Story(tuple(stages), tuple(battles), result, stage_of)


def happenings(reading: Reading, game: str) -> list[Happening]:
    """Return all public events in order. Events that were rolled back are left out."""
    found: list[Happening] = []
    for entry, record in reading.entries:
        match record:
            case AdjudicationRecord():
                found += [Happening(entry.number, event) for event in events_in(game, record.events)]
            case RollbackRecord(to):
                # An entry that repairs the clock may go back to the entry directly before it. Then no events are
                # removed.
                found = [each for each in found if each.entry <= to]
    return found


def events_by_stage(found: Iterable[Happening]) -> list[list[Happening]]:
    """Split events by stage. The event that begins a turn comes to the first stage of the turn."""
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
    """Return the title of a stage, with its turn. Return an empty text if no event begins a stage."""
    opening = [event for event in events if isinstance(event, e.StageBegan)]
    return chapters(Voice(rules, language), opening[:1])[0].title if opening else ""


class ToldStage(NamedTuple):
    """Account of a stage."""

    passages: tuple[ToldPassage, ...]
    battles: list[ToldBattle]
    result: str
    """Result of the game, if it ended in this stage."""


def tell_stage(
    rules: GameRules, events: Sequence[e.Event], language: str, stage: int = 0, earlier_battles: int = 0
) -> ToldStage:
    """Return the account of a stage. `stage` is its number, and `earlier_battles` the number of battles before it."""
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
            number = earlier_battles + len(battles) + 1 if isinstance(first, e.BattleJoined) else 0
            told.append(ToldPassage(found, number))
            if number:
                battles.append(ToldBattle(number, stage, found, told_data(blocks.in_words(rules, language), first)))
            if any(isinstance(event, e.GameEnded) for event in group):
                result = found.text
    return ToldStage(tuple(told), battles, result)


def rules_for(reading: Reading) -> GameRules:
    return rules_of(reading.folder, reading.settings, reading.public.protocol)


def time_of(reading: Reading, number: int) -> datetime:
    return reading.entries[number - 1][0].time
