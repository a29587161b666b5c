"""Long acts, which a worker of the page carries out step by step while the page goes on. Nothing but JSON goes in and
out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec
from msgspec import Struct

from pbem.desk.draft import LETTER
from pbem.desk.faults_on_page import fault_on_page
from pbem.engine.nouns import Power
from pbem.faults.wrong import PbemError
from pbem.paper.documents.faults import Refused
from pbem.player.chances import (
    Chances,
    Wish,
    Written,
    chances,
    chances_blocks,
    frequent_fights,
    is_told,
    play_worlds,
)
from pbem.player.files import GivenFile
from pbem.player.tables import FoundTable, Outcome, table_in
from pbem.player.trying import try_orders
from pbem.report.letters.report import blocks_data
from pbem.seal.canonical import AnyTree


class Question(Struct, frozen=True):
    """Question of a player: the chances of the drafts at the table as the player knows it."""

    language: str
    position: str
    """Document of the position, with nothing that the player may not know."""
    own: tuple[Power, ...]
    """Powers of the player."""
    orders: str
    plans: str
    """File of plans; empty without plans."""


class Fight(Struct, frozen=True):
    """Numbers of worlds in which the player won, tied and lost a combat."""

    won: int
    tied: int
    lost: int


class Progress(Struct, frozen=True):
    """Progress of an act: the number of worlds that have been played, the number of all worlds, and from time to time
    the chances so far."""

    played: int
    of: int
    told: list[dict[str, object]] | None = None
    """The chances in words; their first items are about the fights, in the same order."""
    fights: tuple[Fight, ...] = ()


class LongAct:
    """Long act that goes on step by step."""

    def __init__(self, name: str, given: str) -> None:
        """Prepare the act of a name, with a JSON list of values. Nothing is carried out yet."""
        first, *values = msgspec.json.decode(given, type=list[AnyTree])
        self.question = msgspec.convert(first, Question)
        self.steps = ACTS[name](self.question, *values)
        self.last: object = None

    def go_on(self) -> str:
        """Carry out the next step. Return JSON: the progress under `far`; at the end the last progress under `done`, or
        the faults under `refused`."""
        told: Mapping[str, object]
        try:
            self.last = next(self.steps)
            told = {"far": self.last}
        except StopIteration:
            told = {"done": self.last}
        except PbemError as error:
            told = {"refused": [fault_on_page(fault, self.question.language) for fault in error.faults]}
        return msgspec.json.encode(told).decode()


def play_out_drafts(question: Question, worlds: int) -> Iterator[Progress]:
    """Carry out the drafts in many worlds, and yield the progress after each. Raises `Refused`, as `pbem try
    --worlds` does."""
    found = table_in(GivenFile("position", question.position.encode()))
    written, wish, results = drafts_in(question, found), Wish(worlds), []
    yield Progress(0, worlds)
    for number, result in enumerate(play_worlds(found, question.own, written, wish), 1):
        results.append(result)
        if is_told(number, wish):
            yield progress_with(found, chances(found, question.own, results, wish), wish, question.language)
        else:
            yield Progress(number, worlds)


def progress_with(found: FoundTable, counted: Chances, wish: Wish, language: str) -> Progress:
    """Return the progress with the chances so far."""
    fights = tuple(Fight(each.won, each.tied, each.fought - each.won - each.tied) for each in frequent_fights(counted))
    told = blocks_data(chances_blocks(found.table.rules, counted, language))
    return Progress(counted.worlds, wish.worlds, told, fights)


def drafts_in(question: Question, found: FoundTable) -> Written:
    """Return the contents of the drafts; raises `Refused` if an order or plan has a fault."""
    written, outcome = Written(orders=[], plans={}), Outcome(found.table, found.table, [], question.own)
    orders = GivenFile(LETTER, question.orders.encode())
    faults = [fault for fault in try_orders(found, outcome, orders).faults if not fault.is_warning]
    if faults:
        raise Refused(LETTER, faults)
    written.add_orders(found, orders)
    if question.plans:
        written.add_plans(found, GivenFile(LETTER, question.plans.encode()))
    return written


ACTS: Mapping[str, Callable[..., Iterator[object]]] = {"chances": play_out_drafts}
"""Long acts by name. Each takes the question of a player and further values, and yields its progress."""
