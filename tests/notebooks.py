"""Reports of a table that is played by bots, for the tests of the notebook."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import Struct

from pbem.bots.table import bot_named
from pbem.campaign.ledger.entries import as_texts
from pbem.campaign.players.guidance import Guidance, ReportedHead, ToldCourse
from pbem.campaign.proof.kept_report import plain_texts
from pbem.engine.cards import SeededDealer
from pbem.engine.events import Event, all_seen_by
from pbem.engine.memory import Memory, follow, map_state_of, remember
from pbem.engine.table import Table, deep_copy, player_of, powers_of_player, stage_of
from pbem.kit import game_named, game_of
from pbem.paper.positions.files import known_document, map_document, remembered_document
from pbem.player.names import new_table
from pbem.player.notebook import ReadReport, read_report
from pbem.report.letters.report import MOST_EVENTS
from pbem.seal.keys import key_of

KEY = key_of(bytes(range(32)), "").public


class Reporter(Struct):
    """The moderator of a table that is played in the open, who writes reports to one seat."""

    table: Any
    memory: Memory
    seat: str
    on_map: Any
    events: list[Event]
    entry: int = 1
    since: int = 0
    turned_back: int = 0

    def see(self, events: list[Event]) -> None:
        """Add what happened."""
        self.entry += 1
        self.events += all_seen_by(events, powers_of_player(self.table, self.seat))
        remember(self.memory, game_of(self.table).on_map, self.table.rules.common, events)

    def guide(self) -> Guidance:
        """The report as it stands."""
        table, powers = self.table, powers_of_player(self.table, self.seat)
        rules = table.rules.common
        on_map, earlier = deep_copy(self.on_map), self.events[:-MOST_EVENTS]
        follow(on_map, game_of(table).on_map, rules, earlier)
        told = tuple(as_texts(event) for event in self.events[-MOST_EVENTS:])
        return Guidance(
            kind="report",
            campaign="table",
            moderator=KEY,
            signing="on",
            sealing="moderator",
            terms={"game": table.rules.terms.game},
            seat=self.seat,
            stage=stage_of(table),
            head=ReportedHead(self.entry, f"{self.entry}"),
            powers=powers,
            **plain_texts(
                {"position": known_document(table, powers), "remembered": remembered_document(rules, self.memory)}
            ),
            course=ToldCourse(map_document(on_map), told) if told else None,  # type: ignore[arg-type]
            since=self.since,
            turned_back=self.turned_back,
        )

    def post(self) -> ReadReport:
        """The report, which is sent."""
        found = read_report(self.guide(), f"{self.entry}.yaml")
        self.since, self.events, self.on_map = self.entry, [], deep_copy(self.memory.on_map)
        return found


def reporter(terms: dict[str, str], seat: str, seed: str) -> Reporter:
    """The moderator of a table at which the cards have just been dealt."""
    rules = new_table(terms).rules
    table, events = game_named(rules.terms.game).start(rules, SeededDealer(seed))
    memory = Memory(map_state_of(game_named(rules.terms.game).new_state(rules).field))
    found = Reporter(table, memory, seat, deep_copy(memory.on_map), [])
    found.see(events)
    return found


def played(who: Reporter, level: str, seed: str, most: int) -> Iterator[Table]:
    """Play on, and yield the table after each answer."""
    table, chance = who.table, Random(seed)
    policy = bot_named(level, table.rules.terms.game)
    for _ in range(most):
        if table.state.phase == "over":
            return
        decision = game_of(table).decisions(table)[0]
        who.see(game_of(table).apply(table, decision.power, policy(table, decision, chance)))
        yield table


def is_asked(who: Reporter) -> bool:
    """True if the seat of the reports has something to decide."""
    return any(player_of(who.table, asked.power) == who.seat for asked in game_of(who.table).decisions(who.table))
