"""What somebody types in answer to a question, as orders: in short what would stand in the section, or as in a file.

It is only laid out here as an order file has it; the order files' own reader reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from pbem.engine.decisions import Decision
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.kit import copy_of
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.game_paper import readers_of
from pbem.paper.orders.answers import OrderSource, row_of
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.names import NONE
from pbem.paper.orders.trial import step, transfers, unused
from pbem.playing.saved import Entry

SOURCE = "orders"
DONE = "done"
"""What is typed for nothing more."""

NOTHING_MORE = {"lines": "[]", "again": NONE}
"""How orders say that, in sections whose answers join in one of these ways."""

SECTION = re.compile(r"([a-z][a-z ]*?)\s*:\s*(.*)")
TIGHT = re.compile(r":(?=[^\s\d])")
"""A colon without a blank behind it, which YAML takes for a part of the word."""


class Reply(Struct, frozen=True):
    """Answers to one's own questions, in order, and what is strange about them."""

    entries: tuple[Entry, ...]
    warnings: tuple[Fault, ...] = ()


MoreLines = Callable[[], str]
"""Asks for another line; an empty one is the last."""


def replied(table: Table, decision: Decision, powers: tuple[Power, ...], typed: str, more: MoreLines) -> Reply:
    """What was typed as answers, tried out on a copy of the table; raises `Refused` with everything wrong about it."""
    found = SECTION.fullmatch(typed)
    if found and found[1] in ("orders", *readers_of(table.rules)):
        lines = [typed] if found[2] else [typed, *rest_of(more)]
        indent = "" if found[1] == "orders" else "    "
        head = [] if found[1] == "orders" else ["orders:", f"  {decision.power}:"]
        return tried(table, powers, "\n".join([*head, *(indent + line for line in lines)]), is_whole=True)
    return tried(table, powers, laid_out(table, decision, typed), is_whole=False)


def rest_of(more: MoreLines) -> list[str]:
    """The lines below one that opens a section."""
    found: list[str] = []
    while line := more():
        found.append(line)
    return found


def laid_out(table: Table, decision: Decision, typed: str) -> str:
    """What stands in the section that answers a decision, as an order file."""
    row = row_of(table, decision)
    text = TIGHT.sub(": ", typed)
    is_list = row.joins == "lines"
    if text == DONE and row.joins in NOTHING_MORE:
        return f"orders: {{{decision.power}: {{{row.name}: {NOTHING_MORE[row.joins]}}}}}"
    is_record = text.count(": ") > is_list and not text.startswith(("{", "[", '"', "'"))
    dash = "- " if is_list else ""
    return f"orders:\n  {decision.power}:\n    {row.name}:\n      {dash}{f'{{{text}}}' if is_record else text}"


def tried(table: Table, powers: tuple[Power, ...], written: str, is_whole: bool) -> Reply:
    """What orders answer; of a single line, one answer."""
    orders = load_orders(written.encode(), SOURCE, table.rules)
    if strangers := [power for power in orders.powers if power not in powers]:
        raise Refused(SOURCE, [wrong("E-ORDER-FOREIGN.play", power=strangers[0])])
    trial = copy_of(table)
    sources = (OrderSource(trial, orders),)
    entries: list[Entry] = []
    faults: list[Fault] = []
    for passed in transfers(trial, sources):
        faults += passed.faults
        if passed.given and not passed.refused:
            entries.append(Entry(passed.power, passed.given.answer))
    while (is_whole or not entries) and (answered := step(trial, sources)):
        faults += answered.faults
        if answered.given and not answered.refused:
            entries.append(Entry(answered.power, answered.given.answer))
    if is_whole:
        faults += unused(orders)
    if not entries or any(not fault.is_warning for fault in faults):
        raise Refused(SOURCE, faults or [wrong("E-PLAY-NOTHING")])
    return Reply(tuple(entries), tuple(faults))
