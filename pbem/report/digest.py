"""What happened, in short: a line for the marches of a stage and one for each battle, those about the reader first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import fields, replace

from pbem.engine import events as e
from pbem.engine.nouns import Piece, Power
from pbem.engine.table import GameRules
from pbem.report import blocks as b
from pbem.report.account import TEMPLATES, Passage, grouped, heading_words, parted, passage, sentence
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


class Digest(Struct, frozen=True):
    """Lines about the reader, and all others."""

    mine: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def digest_blocks(lines: Sequence[str]) -> list[b.Block]:
    """Lines that stand close together."""
    return [b.Paragraph(tuple(b.line_of(b.theirs(line)) for line in lines))] if lines else []


def digest(rules: GameRules, events: Sequence[e.Event], powers: Collection[str], language: str) -> Digest:
    """What somebody who knows the secrets of these powers is told of it in short."""
    mine: list[str] = []
    others: list[str] = []
    turn = 0
    for heading, following in parted(event for event in events if not isinstance(event, LEFT_OUT)):
        title = heading_words(rules, heading, language, in_turn=turn == heading.turn) if heading else ""
        rest: list[Passage] = []
        ends: list[str] = []
        for group in grouped(following, game_report(rules.terms.game)):
            if told := passage(rules, group, language, SHORT):
                if isinstance(group[0], e.GameEnded):
                    ends.append(in_a_line(told))
                elif concerns(rules, group, powers):
                    mine.append(in_a_line(told))
                else:
                    rest.append(told)
        if rest:
            others += under(title, rest)
            turn = heading.turn if heading else 0
        others += ends
    if draws := drawn(events):
        others.append(ended(sentence(rules, draws, draws[0], language, SHORT)))
    return Digest(tuple(mine), tuple(others))


def under(title: str, told: Sequence[Passage]) -> list[str]:
    """The lines of a stage: one for all marches and the like, one for each battle."""
    small = " ".join(in_a_line(each) for each in told if not each.of_battle)
    lines = [*([small] if small else []), *(in_a_line(each) for each in told if each.of_battle)]
    return [f"{title}: {lines[0]}" if title else lines[0], *lines[1:]]


def in_a_line(told: Passage) -> str:
    """A passage as sentences of one line."""
    parts = (told.text, " · ".join(told.exchanges), told.end)
    return " ".join(ended(part) for part in parts if part).replace(" ,", ",").replace(" ;", ";")


def ended(sentence: str) -> str:
    """A sentence with what ends it."""
    return sentence if sentence.endswith((".", ":", "!", "?", "”", "“", "»")) else sentence + "."


def drawn(events: Iterable[e.Event]) -> list[e.Event]:
    """What each power has drawn, all its draws together."""
    found: dict[Power, e.CardsDrawn] = {}
    for event in events:
        if isinstance(event, e.CardsDrawn) and event.count:
            before = found.get(event.power)
            known = None if event.cards is None else (*(before.cards or () if before else ()), *event.cards)
            found[event.power] = replace(event, count=event.count + (before.count if before else 0), cards=known)
    return list(found.values())


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
