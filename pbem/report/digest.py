"""What happened, in short: a line for the marches of a stage and one for each battle, those about the reader first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import fields, replace

from pbem.engine import events as e
from pbem.engine.nouns import Piece, Power
from pbem.engine.table import GameRules
from pbem.report.account import TEMPLATES, AnyHeading, Passage, Voice, grouped, parted, passage, sentence
from pbem.report.game_report import Types, game_report

SHORT = ("digest.txt.j2", *TEMPLATES)
"""What is told in another way than in the account, and what is told alike."""

LEFT_OUT: Types = (
    e.CardsDrawn,
    e.DeckShuffled,
    e.SupplyTraced,
    e.SupplyRestored,
    e.Stacked,
    e.Questioned,
    e.QuestionLifted,
)
"""What only the account tells; the cards that were drawn stand together in the last line."""
QUIET: Types = (e.Marched, e.Recruited, e.GeneralEntered, e.TrainReentered)
"""What is left to the account where more happened than a letter has room for, unless something follows from it."""
MOST = 1500
"""So many letters, some twenty-five lines, and all marches are told."""


class Digest(Struct, frozen=True):
    """Lines about the reader, and all others; `quiet` counts what only the account tells for want of room."""

    mine: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    quiet: int = 0


class Item(Struct, frozen=True):
    """One passage in short."""

    line: str
    is_mine: bool
    is_quiet: bool
    has_a_line: bool
    """Whether it stands in a line of its own."""


Stage = tuple[AnyHeading | None, list[Item]]


def digest(rules: GameRules, events: Sequence[e.Event], powers: Collection[str], language: str) -> Digest:
    """What somebody who knows the secrets of these powers is told of it in short."""
    voice = Voice(rules, language, SHORT)
    parts = parted(event for event in events if not isinstance(event, LEFT_OUT))
    stages = [(heading, items(voice, following, powers)) for heading, following in parts]
    told = [item for _, stage in stages for item in stage]
    mine = tuple(item.line for item in told if item.is_mine)
    rest = [(heading, [item for item in stage if not item.is_mine]) for heading, stage in stages]
    quiet = 0
    if sum(len(item.line) for item in told) > MOST:
        quiet = sum(item.is_quiet for _, stage in rest for item in stage)
        rest = [(heading, [item for item in stage if not item.is_quiet]) for heading, stage in rest]
    others = in_stages(voice, rest)
    if draws := drawn(events):
        others.append(ended(sentence(voice, draws, draws[0])))
    return Digest(mine, tuple(others), quiet)


def items(voice: Voice, events: Sequence[e.Event], powers: Collection[str]) -> list[Item]:
    """What happened in one stage."""
    found: list[Item] = []
    for group in grouped(events, game_report(voice.rules.terms.game)):
        if told := passage(voice, group):
            is_quiet = all(isinstance(event, QUIET) for event in group)
            has_a_line = told.of_battle or isinstance(group[0], e.GameEnded)
            found.append(Item(in_a_line(told), concerns(voice.rules, group, powers), is_quiet, has_a_line))
    return found


def in_stages(voice: Voice, stages: Sequence[Stage]) -> list[str]:
    """The lines of what happened elsewhere: one of each stage for marches and the like, one for each battle."""
    found: list[str] = []
    turn = 0
    for heading, stage in stages:
        if stage:
            small = " ".join(item.line for item in stage if not item.has_a_line)
            lines = [*([small] if small else []), *(item.line for item in stage if item.has_a_line)]
            title = voice.heading(heading, in_turn=turn == heading.turn) + ": " if heading else ""
            found += [title + lines[0], *lines[1:]]
            turn = heading.turn if heading else 0
    return found


def in_a_line(told: Passage) -> str:
    """A passage as sentences of one line."""
    parts = (told.text, " · ".join(told.exchanges), told.end)
    return " ".join(ended(part) for part in parts if part).replace(". ,", ",")


def ended(sentence: str) -> str:
    """A sentence with what ends it."""
    return sentence if sentence.endswith((".", ":", "!", "?", "”", "“", "»")) else sentence + "."


def drawn(events: Iterable[e.Event]) -> list[e.Event]:
    """What each power has drawn, all its draws together."""
    found: dict[Power, list[e.CardsDrawn]] = {}
    for event in events:
        if isinstance(event, e.CardsDrawn) and event.count:
            found.setdefault(event.power, []).append(event)
    return [together(draws) for draws in found.values()]


def together(draws: Sequence[e.CardsDrawn]) -> e.CardsDrawn:
    """Several draws of one power as one; which cards, only if all of them are known."""
    known = [draw.cards for draw in draws if draw.cards is not None]
    cards = tuple(chain.from_iterable(known)) if len(known) == len(draws) else None
    return replace(draws[0], count=sum(draw.count for draw in draws), cards=cards)


def concerns(rules: GameRules, group: Sequence[e.Event], powers: Collection[str]) -> bool:
    """Whether a passage is about the reader: a fight of theirs, or what somebody else did to them."""
    touched = [owners(rules, event) for event in group]
    if isinstance(group[0], e.BattleJoined | e.CardPlayed | e.BattleWon | e.BattleTied | e.Retreated):
        return any(set(each) & set(powers) for each in touched)
    return bool(touched[0]) and touched[0][0] not in powers and any(set(each) & set(powers) for each in touched)


def owners(rules: GameRules, event: e.Event) -> list[str]:
    """The powers that an event names, itself or by their pieces, who acts first."""
    found: list[str] = []
    for field in fields(type(event)):
        value = getattr(event, field.name)
        if field.type in (Power, Power | None) and value:
            found.append(value)
        elif field.type == Piece:
            found.append(rules.common.pieces[value].power)
        elif field.type == tuple[Piece, ...]:
            found += (rules.common.pieces[each].power for each in value)
    return found
