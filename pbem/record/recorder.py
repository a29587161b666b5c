"""Writer of the lines of a game that is replayed answer by answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from pbem.bots.points import Score
from pbem.bots.table import winners_of
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event
from pbem.engine.nouns import Power
from pbem.engine.stages import stage_of
from pbem.engine.table import Table, digest, player_of
from pbem.kit import game_of
from pbem.paper.game_paper import game_paper
from pbem.paper.orders.answer_writing import sections_of
from pbem.paper.orders.answers import form_of
from pbem.record.lines import AnyLine, By, Decided, Ends, Happened, Told
from pbem.report.telling import told_data

Put = Callable[[bytes], object]
"""Function that takes the lines, one by one."""


def encode_line(line: AnyLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


class Recorder:
    """Recorder that plays a game on from a position and writes a line for every decision."""

    def __init__(self, table: Table, put: Put) -> None:
        """Take the table, which is changed, and the receiver of the lines."""
        self.put = put
        self.number = 0
        self.score = Score(table.rules)
        self.stand(table)

    def stand(self, table: Table) -> None:
        """Continue at another table."""
        self.table = table
        self.score.see(table)

    def line(self, line: AnyLine) -> None:
        self.put(encode_line(line))

    def write_events(self, entry: int, stage: str, events: Iterable[Event], seen: str) -> None:
        """Write events without a decision, with the digest of the public position."""
        self.line(Happened(entry, stage, self.events_data(events), seen))

    def answer(self, entry: int, power: Power, answer: Answer, by: By = "player", bot: str = "") -> None:
        """Carry a power's answer out and write it. `bot` names the bot that answered."""
        table, asked = self.table, self.decision_answered(power, answer)
        self.number += 1
        found = Decided(
            entry=entry,
            number=self.number,
            stage=stage_of(table),
            power=power,
            player=player_of(table, power),
            by=by,
            bot=bot,
            decision=told_data(table.rules, asked) if asked else None,
            form=form_of(table, asked) if asked else None,
            answer=sections_of(table, power, asked, answer),
            events=self.events_data(game_of(table).apply(table, power, answer)),
            digest=digest(table.state),
        )
        self.score.see(table)
        self.line(found)

    def decision_answered(self, power: Power, answer: Answer) -> Decision | None:
        """Decision that a power answers; None if it answers of its own accord."""
        if any(row.is_free and isinstance(answer, row.gives) for row in game_paper(self.table).sections):
            return None
        return game_of(self.table).decision_of(self.table, power)

    def events_data(self, events: Iterable[Event]) -> list[Told]:
        """Events in the form for programs."""
        return [told_data(self.table.rules, event) for event in events]

    def end(self) -> None:
        """Write the last line."""
        state = self.table.state
        over = state.phase == "over"
        winners = winners_of(self.table) if over else []
        self.line(Ends(over, state.turn, self.number, winners, self.score.points(self.table)))
