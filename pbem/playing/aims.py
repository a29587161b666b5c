"""Aims of the bots' marches. They are told at the end of a stage, in one sentence for each power that marched."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from pbem.bots.plain import Aim, game_bots
from pbem.engine.decisions import Move
from pbem.engine.events import Event, GameEnded, StageBegan
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import words
from pbem.report.blocks import in_words
from pbem.report.language.templates import capital


class ToldAim(Struct, frozen=True):
    """Aim of a bot's march. `after` is the number of events that the person had seen when the stage ended."""

    after: int
    power: Power
    aim: Aim


class Aims:
    """Aims of all bots: those of the present stage, which are still hidden, and those that may be told."""

    def __init__(self, *, is_told: bool = True) -> None:
        """Begin without aims. If `is_told` is false, no aims are noted."""
        self.is_told = is_told
        self.hidden: dict[Power, Aim] = {}
        """Aim of the most important march in this stage, for each power that has marched."""
        self.told: list[ToldAim] = []

    def see_march(self, before: Table, power: Power, march: Move, level: str) -> None:
        """Note the aim of a bot's march. `before` is the table before the march, which must be legal. For each power,
        only the aim of the most important march is kept. A random march has no aim."""
        aim_by = game_bots(before.rules.terms.game).aims.get(level.partition(":")[0])
        aim = aim_by(before, power, march) if aim_by and self.is_told else None
        if aim and (power not in self.hidden or aim.worth > self.hidden[power].worth):
            self.hidden[power] = aim

    def see_events(self, before: int, seen: Sequence[Event]) -> None:
        """Note new events that the person sees. If an event ends the stage, the aims of this stage may be told from
        then on. `before` is the number of events that the person had seen before."""
        for place, event in enumerate(seen):
            if isinstance(event, StageBegan | GameEnded):
                self.told += [ToldAim(before + place, power, aim) for power, aim in self.hidden.items()]
                self.hidden = {}

    def since(self, count: int) -> list[ToldAim]:
        """Return the aims of those stages that ended when the person had seen at least `count` events."""
        return [each for each in self.told if each.after >= count]


def aim_sentences(rules: GameRules, aims: Collection[ToldAim], language: str) -> Iterator[str]:
    cities = in_words(rules, language).common.board.cities if aims else ()
    for each in aims:
        named = tuple(cities[city].name for city in each.aim.cities)
        yield capital(words(each.aim.key, power=each.power, cities=named).text(language))
