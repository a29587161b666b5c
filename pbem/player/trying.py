"""Trial of orders on a table: its events, its consequences, and the position afterwards."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.campaign.letters.reminding import run_through
from pbem.engine.events import all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import Trial
from pbem.paper.positions.files import known_document, position_document, remembered_document
from pbem.player.files import GivenFile
from pbem.player.tables import FoundTable, Outcome
from pbem.report.account import Voice, account_blocks, chapters
from pbem.report.blocks import Block
from pbem.report.changes import changes
from pbem.report.consequences import consequences, consequences_blocks, consequences_data
from pbem.report.telling import told_data


def try_orders(found: FoundTable, outcome: Outcome, file: GivenFile) -> Trial:
    """Try an order file on the outcome of the files before it, add the trial to `outcome`, and return it. Orders that
    are refused are faults of the trial. The trial stops before it would show a secret that the program has made up.
    Raises `Refused` if the file is faulty, or has orders for a power whose secrets are unknown."""
    orders = load_orders(file.data, file.source, outcome.after.rules)
    check_powers(found, file, {power: written.node for power, written in orders.powers.items()})
    trial = run_through(outcome.after, orders, is_whole=found.is_whole)
    outcome.add(trial, tuple(orders.powers))
    return trial


def check_powers(found: FoundTable, file: GivenFile, powers: Mapping[Power, Node]) -> None:
    """Raise `Refused` if the position does not tell the secrets of one of `powers`. Each power has its place in the
    file, which the fault names."""
    for power, node in powers.items():
        if found.known_to is not None and power not in found.known_to:
            what = wrong("E-ORDER-FOREIGN.known", power=power)
            raise Refused(file.source, [Fault.at(node.line, node.column, what)])


def document_of(found: FoundTable, table: Table) -> dict[str, Value]:
    """Return the position of a table as a document. Secrets that are made up are left out."""
    return position_document(table) if found.known_to is None else known_document(table, found.known_to)


def remembered_position(found: FoundTable) -> dict[str, Value]:
    """Return the position as a document for those who may read the file. It also has the facts that everybody has seen
    in the game so far."""
    document = document_of(found, found.table)
    if found.memory:
        document["remembered"] = remembered_document(found.table.rules.common, found.memory)
    return document


def outcome_data(outcome: Outcome) -> dict[str, object]:
    """Return an outcome for JSON: the events, the consequences, and how the position has changed."""
    before, after, readers = outcome.before, outcome.after, outcome.readers
    game, rules = game_of(after), after.rules
    return {
        "events": [told_data(rules, event) for event in all_seen_by(outcome.events, readers)],
        "consequences": consequences_data(
            rules, consequences(before, after, readers, outcome.ordering, outcome.declared)
        ),
        "changed": changes(rules, game.view(before, readers), game.view(after, readers)),
        "hidden": outcome.is_hidden,
    }


def account_of(outcome: Outcome, language: str) -> list[Block]:
    """Return the events of an outcome in words."""
    return account_blocks(chapters(Voice(outcome.after.rules, language), all_seen_by(outcome.events, outcome.readers)))


def consequences_of(outcome: Outcome, language: str, asks: bool) -> list[Block]:
    """Return the consequences of an outcome in words. With `asks`, also tell the decisions that are still open."""
    after, readers = outcome.after, outcome.readers
    found = consequences(outcome.before, after, readers, outcome.ordering, outcome.declared)
    asked = game_of(after).view(after, readers) if asks else None
    return consequences_blocks(after.rules, found, language, asked)
