"""What the reports of one game have that those of another have not: its events, its questions, its part of a position.

What all games tell alike stands once in this room; what is a game's own stands in a folder of its own, which gives one
`GameReport`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event
from pbem.engine.nouns import City, Power
from pbem.kit import AnyTable, part
from pbem.report.picture.position import Beside, PictureWords

RulesT = TypeVar("RulesT")
ViewT = TypeVar("ViewT")
TermsT = TypeVar("TermsT")

Types = tuple[type[Event], ...]


def nothing(*given: object) -> dict[str, object]:
    """No more than is known anyway."""
    return {}


class Worth(Struct, frozen=True):
    """What is worth knowing before a decision that only one game asks, of what everybody sees."""

    answers: tuple[Answer, ...] = ()
    """Answers to show as examples, before those that its form offers."""
    data: dict[str, object] = {}
    """For the words of the question."""


class PrintedCard(Struct, frozen=True):
    """A card that lies open, in words."""

    write: str
    """What stands in orders for it."""
    title: str
    lines: tuple[str, ...]
    says: str


def no_more(*given: object) -> Worth:
    """Nothing but what is asked."""
    return Worth()


def nothing_counted(*given: object) -> dict[str, dict[Power, int]]:
    """Nothing of any power."""
    return {}


def none(*given: object) -> tuple[()]:
    """None at all."""
    return ()


class GameReport(Struct, Generic[RulesT, ViewT, TermsT], frozen=True, kw_only=True):
    """How one game is told; rules and views are that game's own."""

    followers: Mapping[type[Event], Types] = {}
    """Which events, besides those that every game has, belong into the paragraph that an event has begun."""
    in_one_sentence: Types = ()
    """The types whose events make one sentence wherever they are neighbours."""
    looked_up: Callable[[RulesT, Event | Decision], dict[str, object]] = nothing
    """What follows from an event or a decision and the rules, besides what follows in every game."""
    asked: Callable[[RulesT, Decision, str], dict[str, object]] = nothing
    """What the words of a question need besides its data, in a language."""
    worth_knowing: Callable[[AnyTable, Decision], Worth] = no_more
    """What the order sheet tells of a decision besides; by a table of this game."""
    printed: Callable[[AnyTable, Decision, str], tuple[PrintedCard, ...]] = none
    """The cards that lie open and that a decision is about, in a language; by a table of this game."""
    view_data: Callable[[RulesT, ViewT], dict[str, object]]
    """What only positions of this game have, as data."""
    words: Callable[[RulesT, ViewT, str], dict[str, object]] = nothing
    """What the text of a position needs besides its data, in a language."""
    counted: Callable[[ViewT], Mapping[str, Mapping[Power, int]]] = nothing_counted
    """What tells the course of the war: of each power `objectives`, and `pools` and `votes` where there are such."""
    hussars: Callable[[ViewT], tuple[City, ...]] = none
    """The cities where a view shows hussars."""
    beside: Callable[[ViewT, PictureWords, str, Path | None], Beside]
    """What a picture of a view shows beside the map, in a language; own data files are looked for in a folder."""
    maps: Callable[[TermsT], tuple[str, ...]] = none
    """The maps of the board that a game on these terms uses; none are named where it uses all."""


AnyGameReport: TypeAlias = "GameReport[Any, Any, Any]"
"""What a game brings to the reports, to whoever treats all alike."""


def game_report(name: str) -> AnyGameReport:
    return part(name, "report", GameReport)
