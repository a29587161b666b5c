"""Long acts, carried out step by step in a worker, while the page goes on."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import msgspec
from msgspec import Struct

from pbem.bots.imagining import facts_in, facts_text
from pbem.desk.draft import LETTER
from pbem.desk.faults_on_page import fault_on_page
from pbem.engine.nouns import Power
from pbem.faults.wrong import PbemError
from pbem.player.chances import (
    Far,
    Wish,
    chances,
    chances_blocks,
    frequent_fights,
    is_told,
    play_worlds,
    written_in,
)
from pbem.player.files import GivenFile
from pbem.player.notebook import ReadReport, counted, facts_of, notebook_of, read_report
from pbem.player.report_files import reports_until
from pbem.player.tables import table_in, trusted_guide
from pbem.player.telling_notebook import notebook_blocks
from pbem.report.blocks import blocks_data
from pbem.seal.canonical import AnyTree


class Question(Struct, frozen=True):
    """Question of a player about drafts: the position and the drafts from which chances are computed."""

    language: str
    position: str
    """Text of the position, as a YAML file. It has no secrets that the player does not know."""
    own: tuple[Power, ...]
    """Powers of the player."""
    orders: str
    """Text of the orders."""
    plans: str
    """File of plans; empty without plans."""
    facts: str = ""
    """Facts that surely follow from the player's reports, as JSON; empty if none are known."""


class FightResults(Struct, frozen=True):
    """Results of one combat in many worlds: how often the player won, tied and lost. In each world all secrets are
    dealt anew."""

    won: int
    tied: int
    lost: int


class WorldsProgress(Struct, frozen=True):
    """Progress of playing drafts out: the number of played worlds, the number of all worlds, and from time to time the
    chances so far."""

    played: int
    of: int
    told: list[dict[str, object]] | None = None
    """The chances in words; their first items are about the fights, in the order of `fights`."""
    fights: tuple[FightResults, ...] = ()


class ReportFile(Struct, frozen=True):
    """Content of a report, unsealed."""

    name: str
    data: str
    """Content in base 64."""


class ReportsQuestion(Struct, frozen=True):
    """Question for `make_notebook`: the reports of one seat, and the language of the notebook."""

    language: str
    newest: ReportFile
    """Last report that the notebook covers."""
    others: tuple[ReportFile, ...]


class NotebookProgress(Struct, frozen=True):
    """Progress of a notebook: the number of reports that were read, the number of all reports, and at the end the
    notebook."""

    played: int
    of: int
    told: list[dict[str, object]] | None = None
    """The notebook in words."""
    facts: str = ""
    """Facts that surely follow from the reports, as JSON."""
    unread: tuple[dict[str, str | int], ...] = ()
    """Faults of reports that were left out, each with the name of the report's file."""


class LongAct:
    """Long act in progress. Each call of `go_on` carries out one of its steps."""

    def __init__(self, name: str, given: str) -> None:
        """Prepare the act `name`. `given` is a JSON list of the act's arguments; the question comes first."""
        first, *values = msgspec.json.decode(given, type=list[AnyTree])
        kind, act = ACTS[name]
        question = msgspec.convert(first, kind)
        self.language = question.language
        self.steps = act(question, *values)
        self.last: object = None

    def go_on(self) -> str:
        """Carry out the next step. Return JSON with the progress or with faults. If the act is over, return the last
        progress again."""
        told: Mapping[str, object]
        try:
            self.last = next(self.steps)
            told = {"far": self.last}
        except StopIteration:
            told = {"done": self.last}
        except PbemError as error:
            told = {"refused": [fault_on_page(fault, self.language) for fault in error.faults]}
        return msgspec.json.encode(told).decode()


def play_out_drafts(question: Question, worlds: int, far: Far = "stage") -> Iterator[WorldsProgress]:
    """Play the drafts out in many worlds, as `pbem try --worlds` does. Each world is played to the end of the stage,
    round or turn (`far`). Yield the progress before the first world and after each world. Raises `Refused` as that
    command does."""
    found = table_in(GivenFile("position", question.position.encode()))
    if question.facts:
        found = replace(found, facts=facts_in(question.facts))
    written, wish, results = written_in(found, drafts_in(question)), Wish(worlds, far=far), []
    yield WorldsProgress(0, worlds)
    for number, result in enumerate(play_worlds(found, question.own, written, wish), 1):
        results.append(result)
        if not is_told(number, wish):
            yield WorldsProgress(number, worlds)
            continue
        so_far = chances(found, question.own, results, wish, written)
        told = blocks_data(chances_blocks(found.table.rules, so_far, question.language))
        fights = [FightResults(one.won, one.tied, one.fought - one.won - one.tied) for one in frequent_fights(so_far)]
        yield WorldsProgress(so_far.worlds, worlds, told, tuple(fights))


def make_notebook(question: ReportsQuestion) -> Iterator[NotebookProgress]:
    """Read a seat's reports, and yield the progress after each; the last progress has the notebook. Earlier reports
    that cannot be read are left out. Raises `Refused` if the newest report cannot be read."""
    count, others, unread = 1 + len(question.others), [], []
    yield NotebookProgress(0, count)
    newest = report_in(question.newest)
    for number, each in enumerate(question.others, 1):
        yield NotebookProgress(number, count)
        try:
            others.append(report_in(each))
        except PbemError as error:
            unread.append({**fault_on_page(error.faults[0], question.language), "name": each.name})
    found = counted(reports_until(newest, others))
    told = notebook_blocks(newest.table.rules, notebook_of(found), {}, question.language)
    facts = facts_text(facts_of(found))
    yield NotebookProgress(count, count, blocks_data(told), facts, tuple(unread))


def report_in(file: ReportFile) -> ReadReport:
    """Return a report from a file; raises `Refused` unless the moderator whom the report names has signed it."""
    return read_report(trusted_guide(GivenFile(file.name, base64.b64decode(file.data))), file.name)


def drafts_in(question: Question) -> Iterator[GivenFile]:
    """Yield the drafts as files: the orders, and the plans if there are any."""
    yield GivenFile(LETTER, question.orders.encode())
    if question.plans:
        yield GivenFile(LETTER, question.plans.encode())


class ActKind(NamedTuple):
    """Kind of long act: its type of question, and its function."""

    question: type[Question | ReportsQuestion]
    act: Callable[..., Iterator[object]]


ACTS: Mapping[str, ActKind] = {
    "chances": ActKind(Question, play_out_drafts),
    "notebook": ActKind(ReportsQuestion, make_notebook),
}
"""Long acts, keyed by name. The function of an act takes the player's question and further values, and yields its
progress."""
