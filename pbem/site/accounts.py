"""Accounts of a closed campaign: every stage as each seat's own reports told it.

A seat reads what everybody reads, except for the cards, troops and events of its own powers. So a page needs, besides
the public account, only the passages that differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from pbem.campaign.play.secret_state import StageNews
from pbem.engine.events import Event, seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.report.account import Passage
from pbem.site.story import Stage, Story, ToldPassage, tell_stage


class FullNews(Struct, frozen=True):
    """Events of one adjudication with all secrets, and the player of each power at that time."""

    events: tuple[Event, ...]
    players: dict[Power, str]


class ReadPassage(Struct, frozen=True):
    """A passage of a stage's account and its readers: all but the seats in `without`, or one seat alone."""

    told: ToldPassage
    seat: str = ""
    without: tuple[str, ...] = ()


Accounts = Mapping[int, Mapping[str, tuple[Passage, ...]]]
"""Passages for each seat of each stage, by its number."""


def full_news(news: StageNews) -> FullNews:
    return FullNews(tuple(news.events), news.players)


def accounts_of(rules: GameRules, story: Story, news: Mapping[int, FullNews], language: str) -> Accounts:
    """Account of every stage for each seat; empty before the close, when `news` is empty."""
    if not news:
        return {}
    left = {entry: list(each.events) for entry, each in news.items()}
    found: dict[int, dict[str, tuple[Passage, ...]]] = {}
    for stage in story.stages:
        happened = list(in_full(stage, left))
        found[stage.number] = {
            seat: passages_for(rules, seat, [(news[entry], event) for entry, event in happened], language)
            for seat in rules.seats
        }
    return found


def in_full(stage: Stage, left: dict[int, list[Event]]) -> Iterator[tuple[int, Event]]:
    """Events of a stage with all secrets. Events that nobody else was told go with the public event before them."""
    for entry in stage.happened:
        events = left[entry]
        public = next(at for at, event in enumerate(events) if seen_by(event, ()) is not None)
        following = (at for at, event in enumerate(events) if at > public and seen_by(event, ()) is not None)
        end = next(following, len(events))
        yield from ((entry, event) for event in events[:end])
        del events[:end]


def passages_for(
    rules: GameRules, seat: str, happened: list[tuple[FullNews, Event]], language: str
) -> tuple[Passage, ...]:
    """Passages that tell a seat these events."""
    seen = [seen_by(event, [p for p, player in news.players.items() if player == seat]) for news, event in happened]
    told, _, _ = tell_stage(rules, [event for event in seen if event is not None], language, 0, 0)
    return tuple(each.passage for each in told)


def read_by_all(told: Sequence[ToldPassage], accounts: Mapping[str, Sequence[Passage]]) -> list[ReadPassage]:
    """Public account of a stage, with the passages that seats read instead in their places."""
    public = [each.passage for each in told]
    others: dict[str, set[int]] = {seat: set() for seat in accounts}
    own: dict[int, list[ReadPassage]] = {}
    for seat, passages in accounts.items():
        for kind, first, end, start, stop in SequenceMatcher(None, public, passages, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            others[seat] |= set(range(first, end))
            battle = max((each.battle for each in told[first:end]), default=0)
            own.setdefault(first, []).extend(
                ReadPassage(ToldPassage(passage, battle if passage.of_battle else 0), seat)
                for passage in passages[start:stop]
            )
    found: list[ReadPassage] = []
    for place, each in enumerate(told):
        without = tuple(seat for seat, places in others.items() if place in places)
        found += [*own.get(place, ()), ReadPassage(each, without=without)]
    return [*found, *own.get(len(told), ())]
