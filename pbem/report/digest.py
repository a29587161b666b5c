"""What happened, in short: a line for the marches of a stage and one for each battle, those about the reader first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import chain

from msgspec import Struct
from msgspec.structs import fields, replace

from pbem.engine import events as e
from pbem.engine.nouns import Piece, Power
from pbem.engine.table import GameRules
from pbem.report.account import TEMPLATES, AnyHeading, Passage, Voice, grouped, parted, passage, sentence
from pbem.report.telling import Types, game_report

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
CHIEF: Types = (e.BattleJoined, e.Conquered, e.TrainTaken, e.GeneralRemoved, e.HussarPlaced)
"""What is told before other things where there is no room for all."""
MOST = 620
"""So many letters, some nine lines: up to three fifths about the reader, and the others with what is left."""


ENDING = 3
"""The weight of how the game ended, which is always told."""
PARTS_OF_BATTLE: Types = (e.CardPlayed, e.Retreated)
"""What a battle in short does without."""


NAMING = (Power, Power | None, Piece, tuple[Piece, ...])
"""The types of fields that name powers."""


class Digest(Struct, frozen=True):
    """Lines about the reader, and all others; `left` counts what only the account tells for want of room."""

    mine: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    left: int = 0


class Item(Struct, frozen=True):
    """One passage in short."""

    line: str
    short: str
    """The same, of a battle without its cards and ways back."""
    stage: int
    is_mine: bool
    weight: int
    """Nothing of what is quiet."""
    has_a_line: bool
    """Whether it stands in a line of its own."""


def digest(
    rules: GameRules, events: Sequence[e.Event], powers: Collection[str], language: str, most: int = MOST
) -> Digest:
    """What somebody who knows the secrets of these powers is told of it in short, in `most` letters or so."""
    voice = Voice(rules, language, SHORT)
    parts = parted(event for event in events if not isinstance(event, LEFT_OUT))
    told = [item for stage, (_, following) in enumerate(parts) for item in items(voice, following, powers, stage)]
    mine = fitting([item for item in told if item.is_mine], most * 3 // 5)
    draws = drawn(events)
    cards = (ended(sentence(voice, draws, draws[0])),) if draws else ()
    room = most - length(mine) - sum(map(len, cards))
    others = fitting([item for item in told if not item.is_mine], room)
    lines = (*in_stages(voice, [heading for heading, _ in parts], others), *cards)
    return Digest(tuple(item.line for item in mine), lines, len(told) - len(mine) - len(others))


def fitting(told: Sequence[Item], room: int) -> Sequence[Item]:
    """What there is room for: nothing that is quiet, then battles in short, then what weighs most, the latest."""
    if length(told) > room:
        told = [item for item in told if item.weight]
    if length(told) > room:
        told = [replace(item, line=item.short) for item in told]
    kept = sorted(range(len(told)), key=lambda place: (told[place].weight, place), reverse=True)
    while kept and length([told[place] for place in kept]) > room and told[kept[-1]].weight < ENDING:
        kept.pop()
    return [told[place] for place in sorted(kept)]


def length(told: Iterable[Item]) -> int:
    """How many letters it takes."""
    return sum(len(item.line) for item in told)


def items(voice: Voice, events: Sequence[e.Event], powers: Collection[str], stage: int) -> list[Item]:
    """What happened in one stage."""
    found: list[Item] = []
    for group in grouped(events, game_report(voice.rules.terms.game)):
        if told := passage(voice, group):
            found.append(
                Item(
                    line=in_a_line(told),
                    short=in_short(voice, group, told),
                    stage=stage,
                    is_mine=concerns(voice.rules, group, powers),
                    weight=weight(group),
                    has_a_line=told.of_battle or isinstance(group[0], e.GameEnded),
                )
            )
    return found


def in_short(voice: Voice, group: Sequence[e.Event], told: Passage) -> str:
    """A battle by who fought and what it cost; all else as it is told anyway."""
    if told.of_battle and (without := [event for event in group if not isinstance(event, PARTS_OF_BATTLE)]):
        told = passage(voice, without) or told
    return in_a_line(told)


def weight(group: Sequence[e.Event]) -> int:
    """How much a passage counts where there is no room for all: nothing where nothing follows from it."""
    if isinstance(group[0], e.GameEnded):
        return ENDING
    if any(isinstance(event, CHIEF) for event in group):
        return 2
    return 0 if all(isinstance(event, QUIET) for event in group) else 1


def in_stages(voice: Voice, headings: Sequence[AnyHeading | None], told: Sequence[Item]) -> list[str]:
    """The lines of what happened elsewhere: one of each stage for marches and the like, one for each battle."""
    found: list[str] = []
    turn = 0
    for number, heading in enumerate(headings):
        if stage := [item for item in told if item.stage == number]:
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
    for name, kind in naming_powers(type(event)):
        value = getattr(event, name)
        if kind == Piece:
            found.append(rules.common.pieces[value].power)
        elif kind == tuple[Piece, ...]:
            found += (rules.common.pieces[each].power for each in value)
        elif value:
            found.append(value)
    return found


@cache
def naming_powers(kind: type[e.Event]) -> list[tuple[str, object]]:
    """The fields of a type of events that name powers, themselves or by their pieces, and their types."""
    return [(each.name, each.type) for each in fields(kind) if each.type in NAMING]
