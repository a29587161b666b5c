"""First lessons at the desk: small positions against bots, with steps that the program recognises as done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct

from pbem.desk.practice import USUAL, Practice
from pbem.engine.events import BattleWon, CardPlayed, Conquered, Event, Marched, Retreated, SupplyLost
from pbem.engine.memory import map_state_of
from pbem.engine.supply import assess
from pbem.engine.table import Table
from pbem.kit import copy_of
from pbem.paper.documents.convert import convert
from pbem.paper.documents.strict import read_yaml
from pbem.paper.documents.writing import Value, write
from pbem.paper.orders.trial import begin
from pbem.paper.positions.files import load_position, nothing_remembered
from pbem.playing.aims import Aims
from pbem.playing.game import PlayedGame
from pbem.playing.saved import Entry, Setup
from pbem.report import blocks
from pbem.resources import data_of

FILE = "lessons.yaml"
OFF = "off"
TURN = 2
"""Turn in which the lessons take place. The first turn would begin with the set-up."""
SEED = "lesson"
"""Seed of the bots' chance, so that a lesson always goes the same way."""

StepKind = Literal["choose", "goal", "supply", "take", "done", "play", "win", "retreat", "place", "select"]


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """Position of a lesson, and the steps to do in it."""

    seat: str
    general: str
    """General who takes the steps of the lesson, or whose power takes them."""
    steps: tuple[StepKind, ...]
    stage: str
    pieces: dict[str, str]
    """Places and troops of pieces, as in a position file."""
    rules: tuple[str, ...]
    """Sections (§) of the rules that the lesson shows."""
    phase: str = "movement"
    goal: str = ""
    """City to which the general is to march. Empty if the lesson has no such city. The next three fields name a train,
    a fortress and an enemy, and may also be empty."""
    train: str = ""
    fortress: str = ""
    enemy: str = ""
    hands: dict[str, list[str]] = {}
    """Cards of each power, as in a position file."""
    more: str = ""
    """Further keys of the position, as YAML."""
    events: dict[StepKind, str] = {}
    """Type of the event by which the player's power does a step, keyed by step. Only steps that a single game has are
    in it."""

    @property
    def names(self) -> dict[str, str]:
        """Names that fill the placeholders in the lesson's text, keyed by placeholder."""
        found = {key: str(getattr(self, key)) for key in ("general", "goal", "train", "fortress", "enemy")}
        return {key: name for key, name in found.items() if name}


@cache
def lessons(game: str) -> dict[str, Lesson]:
    """Return the lessons of a game, in order; empty if there are none."""
    path = data_of(game) / FILE
    return convert(read_yaml(path.read_bytes(), FILE), dict[str, Lesson], FILE) if path.is_file() else {}


class LessonGame(PlayedGame):
    """Game against bots that begins at a lesson's table."""

    def __init__(self, table: Table, seat: str, is_of_battle: bool) -> None:
        """Begin with bots on all seats but `seat`. With `is_of_battle` the game halts after its first phase."""
        self.first, self.is_of_battle = table, is_of_battle
        others = {other: USUAL for other in table.rules.seats if other != seat}
        super().__init__(table.rules, Setup({}, SEED, seat, others))

    @property
    def is_halted(self) -> bool:
        """True once the lesson's battle has been fought."""
        begun, now = self.first.state, self.table.state
        return self.is_of_battle and (now.stage, now.phase) != (begun.stage, begun.phase)

    def begin(self, entries: Iterable[Entry]) -> None:
        """Begin again at the first table. `entries` must be empty, because lessons are not saved."""
        assert not tuple(entries)
        self.table = copy_of(self.first)
        self.memory = nothing_remembered(self.table)
        self.begun, self.heard, self.aims = map_state_of(self.table.state.field), [], Aims()
        self.entries, self.news, self.firm, self.stage, self.forced = [], [], 0, None, {}
        self.note([*begin(self.table)])


def lesson_table(game: str, lesson: Lesson) -> Table:
    """Return the table of a lesson. Pieces that the lesson does not name are off the map."""
    head: dict[str, Value] = {"game": game, "turn": TURN, "stage": lesson.stage, "phase": lesson.phase}
    usual = position_of(head, lesson)
    off = {
        each.name: OFF
        for each, there in zip(usual.rules.common.pieces, usual.state.field.pieces, strict=True)
        if there.city >= 0
    }
    return position_of({**head, "pieces": {**off, **lesson.pieces}, "hands": dict(lesson.hands)}, lesson)


def position_of(keys: dict[str, Value], lesson: Lesson) -> Table:
    """Return the table of the position that has these keys and the lesson's further keys."""
    return load_position((write(keys) + lesson.more).encode(), FILE)


def begin_lesson(game: str, name: str) -> Practice:
    lesson = lessons(game)[name]
    return Practice(LessonGame(lesson_table(game, lesson), lesson.seat, "retreat" in lesson.steps))


def kinds_done(lesson: Lesson, practice: Practice, tried: Table, events: Sequence[Event]) -> dict[StepKind, bool]:
    """Return for each kind of step whether the game or the tried orders have done it."""
    rules, happened = tried.rules.common, [*practice.game.heard, *events]
    general = next(index for index, each in enumerate(rules.pieces) if each.name == lesson.general)
    power = rules.pieces[general].power
    marches = [each for each in happened if isinstance(each, Marched) and general in each.pieces]
    went_on = bool(practice.game.entries)
    if went_on:
        is_fed = not any(isinstance(each, SupplyLost) and each.piece == general for each in happened)
    else:
        is_fed = bool(marches) and general not in assess(rules, tried.state.field, power)[2]
    found: dict[StepKind, bool] = {
        # The page alone knows which pieces are chosen.
        "choose": bool(marches),
        "goal": any(blocks.city(rules, each.path[-1]) == lesson.goal for each in marches),
        "supply": is_fed,
        "take": any(isinstance(each, Conquered) and each.by == power for each in happened),
        "done": went_on,
        "play": any(isinstance(each, CardPlayed) and each.power == power for each in happened),
        "win": any(isinstance(each, BattleWon) and each.winner == power for each in happened),
        "retreat": any(isinstance(each, Retreated) and general not in each.pieces for each in happened),
    }
    for step, kind in lesson.events.items():
        found[step] = any(type(each).__name__ == kind and getattr(each, "power", "") == power for each in happened)
    return found


def is_lesson_over(lesson: Lesson, practice: Practice, done: Mapping[StepKind, bool]) -> bool:
    """Return whether the lesson is over: orders were carried out, and no step of the lesson still waits for the end of
    its battle or stage."""
    # Bots that move next may begin another battle, with which the lesson has nothing to do.
    is_fought = done["retreat"] or (not done["win"] and practice.game.table.state.duel is None)
    is_in_stage = practice.game.table.state.stage == lesson.stage
    waits = {"win": not is_fought, "select": is_in_stage and not done.get("select")}
    return done["done"] and not any(waits.get(step, False) for step in lesson.steps)
