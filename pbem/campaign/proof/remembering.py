"""What everybody remembers of the game, as the ledger tells it: counted entry by entry, or from all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.past_events import events_in
from pbem.engine.map_state import map_state_of
from pbem.engine.memory import Memory, remember
from pbem.engine.table import GameRules, Table
from pbem.kit import game_named
from pbem.seal.canonical import AnyTree
from pbem.seal.deal import ProvableDealer

SetUp = Callable[[GameRules, ProvableDealer], Table]
"""Sets the game up at a table, at its first decision not yet asked."""


def begun_with(set_up: SetUp, rules: GameRules) -> Memory:
    """At the start of a game: nobody has come from anywhere or declared anything."""
    return Memory(map_state_of(set_up(rules, ProvableDealer(bytes(32))).state.field))


def follow(memory: Memory, rules: GameRules, written: Iterable[Mapping[str, AnyTree]]) -> None:
    """Let it follow the public events of one adjudication."""
    game = rules.terms.game
    remember(memory, game_named(game).on_map, rules.common, events_in(game, written))


def remembered(entries: Sequence[tuple[Entry, r.Record]], set_up: SetUp, rules: GameRules) -> Memory:
    """What is remembered after these entries, the first of a ledger."""
    memory = begun_with(set_up, rules)
    for each in adjudications(entries):
        follow(memory, rules, each.events)
    return memory


def adjudications(entries: Sequence[tuple[Entry, r.Record]]) -> list[r.AdjudicationRecord]:
    """The adjudications among these entries, the first of a ledger; what was turned back did not happen."""
    found: list[tuple[int, r.AdjudicationRecord]] = []
    for entry, record in entries:
        if isinstance(record, r.AdjudicationRecord):
            found.append((entry.number, record))
        elif r.goes_back(record):
            found = [(number, each) for number, each in found if number <= record.to]
    return [each for _, each in found]
