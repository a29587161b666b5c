"""What happened, told in order: events become sentences, sentences paragraphs, paragraphs the chapters of an account.

Events come as their reader may see them (`engine.events.seen_by`); nothing is added to them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from pbem.engine.events import (
    BattleJoined,
    BattleTied,
    BattleWon,
    CardPlayed,
    CardsDrawn,
    Conquered,
    DeckShuffled,
    Event,
    GeneralEntered,
    GeneralRemoved,
    HussarPlaced,
    HussarRemoved,
    IncomeLost,
    Marched,
    Questioned,
    Recruited,
    Retreated,
    RetreatImpossible,
    Stacked,
    StageBegan,
    SubsidyDecided,
    SupplyLost,
    SupplyRestored,
    SupplyTraced,
    TollPaid,
    TrainReentered,
    TrainTaken,
    TurnBegan,
)
from pbem.engine.table import GameRules

from .language import joined, macro, underlined, wrapped
from .telling import event_data
from .voices import Types, Voice, voice_named

TEMPLATES = ("events.txt.j2", "account.txt.j2")
"""What only this game tells, and what all games tell."""

AFTER_A_MARCH: Types = (Conquered, Questioned, TrainTaken, HussarRemoved, Stacked)
AFTER_AN_ENTRY: Types = (TrainTaken, HussarRemoved, Stacked)
AFTER_A_DEFEAT: Types = (GeneralRemoved, Retreated, RetreatImpossible, HussarRemoved)
IN_BATTLE: Types = (CardPlayed, BattleTied, BattleWon, *AFTER_A_DEFEAT)
DRAWING: Types = (DeckShuffled, CardsDrawn, IncomeLost)

FOLLOWERS: dict[type[Event], Types] = {
    Marched: AFTER_A_MARCH,
    TrainReentered: (HussarRemoved,),
    Recruited: (GeneralEntered, *AFTER_AN_ENTRY),
    GeneralEntered: AFTER_AN_ENTRY,
    HussarPlaced: (HussarPlaced, HussarRemoved),
    HussarRemoved: (HussarPlaced, HussarRemoved),
    **dict.fromkeys((SubsidyDecided, *DRAWING), DRAWING),
    SupplyTraced: (SupplyTraced, SupplyRestored),
    TollPaid: (SupplyTraced, SupplyRestored),
    SupplyLost: (SupplyLost, GeneralRemoved),
    BattleJoined: IN_BATTLE,
    CardPlayed: IN_BATTLE,
    BattleWon: AFTER_A_DEFEAT,
    Retreated: (HussarRemoved,),
    RetreatImpossible: (GeneralRemoved,),
}
"""Which events of every game belong into the paragraph that an event of the first type has begun."""


class Paragraph(Struct, frozen=True):
    """Sentences about one thing: a battle has an opening, a line for every exchange of cards, and an end."""

    text: str
    exchanges: tuple[str, ...] = ()
    end: str = ""


class Chapter(Struct, frozen=True):
    """The paragraphs of one stage; those before the first heading of an account have no title."""

    title: str
    is_turn: bool
    paragraphs: tuple[Paragraph, ...]


def account(rules: GameRules, events: Iterable[Event], language: str = "en") -> str:
    """What happened as plain text of at most 72 columns, with a heading for each turn and each stage."""
    blocks: list[str] = []
    for chapter in chapters(rules, events, language):
        if chapter.title:
            blocks.append(underlined(chapter.title, "=" if chapter.is_turn else "-"))
        blocks += set_out(chapter.paragraphs)
    return joined(blocks) if blocks else ""


def set_out(paragraphs: Sequence[Paragraph]) -> list[str]:
    """Blocks of lines: short paragraphs stand close together, a battle has room around it."""
    blocks: list[str] = []
    close = False
    for paragraph in paragraphs:
        lines = [wrapped(paragraph.text)] if paragraph.text else []
        lines += [wrapped(exchange, indent=4) for exchange in paragraph.exchanges]
        if paragraph.end:
            lines.append(wrapped(paragraph.end, indent=2 if lines else 0, hang=0))
        roomy = len(lines) > 1
        if blocks and close and not roomy:
            blocks[-1] += "\n" + lines[0]
        else:
            blocks.append("\n".join(lines))
        close = not roomy
    return blocks


def chapters(rules: GameRules, events: Iterable[Event], language: str = "en") -> list[Chapter]:
    """What happened, for any dress: a chapter for each turn and each stage."""
    found: list[Chapter] = []
    in_turn = False
    voice = voice_named(rules.terms.game)
    for heading, following in parted(events):
        groups = grouped(following, voice)
        told = tuple(filter(None, (paragraph(rules, group, language) for group in groups)))
        if heading is None:
            if told:
                found.append(Chapter("", False, told))
            continue
        is_turn = isinstance(heading, TurnBegan)
        in_turn = in_turn or is_turn
        data = event_data(rules, heading) | {"in_turn": in_turn}
        found.append(Chapter(macro(language, rules.terms.game, TEMPLATES, type(heading).__name__, data), is_turn, told))
    return found


def parted(events: Iterable[Event]) -> list[tuple[TurnBegan | StageBegan | None, list[Event]]]:
    """Every heading with the events that follow it; the first events may have none."""
    parts: list[tuple[TurnBegan | StageBegan | None, list[Event]]] = [(None, [])]
    for event in events:
        if isinstance(event, TurnBegan | StageBegan):
            parts.append((event, []))
        else:
            parts[-1][1].append(event)
    return parts


def grouped(events: Iterable[Event], voice: Voice) -> list[list[Event]]:
    """Events in the paragraphs they belong to."""
    groups: list[list[Event]] = []
    for event in events:
        first = type(groups[-1][0]) if groups else Event
        if isinstance(event, (*FOLLOWERS.get(first, ()), *voice.followers.get(first, ()))):
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


def paragraph(rules: GameRules, group: Sequence[Event], language: str) -> Paragraph | None:
    """One paragraph; nothing if its events are not for the ears of the reader."""
    opening: list[str] = []
    exchanges: list[str] = []
    end: list[str] = []
    in_battle = isinstance(group[0], BattleJoined)
    for run in runs(group, voice_named(rules.terms.game)):
        told = sentence(rules, run, group[0], language, first=not exchanges)
        if isinstance(run[0], CardPlayed):
            exchanges.append(told)
        elif told:
            (end if exchanges or (opening and in_battle) else opening).append(told)
    if not opening and not exchanges and not end:
        return None
    return Paragraph(" ".join(opening), tuple(exchanges), " ".join(end))


def runs(group: Sequence[Event], voice: Voice) -> list[list[Event]]:
    """Neighbours that make one sentence: the cards of one power in a row, generals in supply, or gone together."""
    found: list[list[Event]] = []
    for event in group:
        if found and goes_with(found[-1][-1], event, voice):
            found[-1].append(event)
        else:
            found.append([event])
    return found


def goes_with(before: Event, event: Event, voice: Voice) -> bool:
    """Whether two neighbouring events make one sentence."""
    match before, event:
        case CardPlayed(), CardPlayed():
            return before.power == event.power
        case GeneralRemoved(), GeneralRemoved():
            return before.city == event.city
    return type(before) is type(event) and isinstance(event, (SupplyTraced, *voice.in_one_sentence))


def sentence(rules: GameRules, run: Sequence[Event], lead: Event, language: str, first: bool = True) -> str:
    """What the macro of the event's type makes of the event and its like, which it finds as `run`."""
    told = [event_data(rules, event) for event in run]
    data: dict[str, Any] = told[0] | {"lead": type(lead).__name__, "run": told, "first": first}
    return macro(language, rules.terms.game, TEMPLATES, type(run[0]).__name__, data)
