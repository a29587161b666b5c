"""The tasks of a position of FRIEDRICH: what must be decided before play goes on (§11, §13)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.board import SUITS
from pbem.games.friedrich.paper.fate import card_name, take_card, take_suit
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.state import DeclareTask, GarrisonTask, RemovalTask, SidestepTask, Tasks, VersionTask
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.lexicon import card_text
from pbem.paper.orders.names import AnyEntry
from pbem.paper.positions.cards import CardReader

KINDS: dict[str, type[Tasks]] = {
    "version": VersionTask,
    "removal": RemovalTask,
    "garrison": GarrisonTask,
    "sidestep": SidestepTask,
    "declare": DeclareTask,
}


def read_task(cards: CardReader, node: Node) -> Tasks | None:
    """One task."""
    reader = cards.reader
    mapping = reader.mapping(node, "a task")
    entries = reader.known(mapping, ("task", *FIELDS), "a task") if mapping else {}
    if "task" not in entries:
        reader.note(node, "E-FORM-MISSING", f"a task names its kind: {', '.join(KINDS)}")
        return None
    kind = reader.word(entries["task"], "a task", KINDS)
    values: dict[str, AnyEntry] = {
        name: FIELDS[name](cards, value) for name, value in entries.items() if name != "task"
    }
    if kind is None or None in values.values():
        return None
    fields = kind.__struct_fields__
    needed = fields[: len(fields) - len(kind.__struct_defaults__)]
    if not set(needed) <= set(values) <= set(fields):
        reader.note(node, "E-FORM-KEY", f"this is no complete task; it has {', '.join(fields)}")
        return None
    return kind(**values)


def take_power(cards: CardReader, node: Node) -> str | None:
    return cards.reader.name(node, "a power", cards.lexicon.power)


def take_city(cards: CardReader, node: Node) -> int | None:
    return cards.reader.name(node, "a city", cards.lexicon.city)


def take_step(cards: CardReader, node: Node) -> int | None:
    """Which question of a version is asked."""
    return cards.reader.number(node, "step", 0, 1)


def take_laid(cards: CardReader, node: Node) -> int | None:
    """The tactical card laid out, which is still in the hand that it comes from."""
    written = cards.reader.name(node, "a card", cards.lexicon.card)
    return None if written is None else cards.lexicon.copies(written)[0]


FIELDS: dict[str, Callable[[CardReader, Node], object]] = {
    "power": take_power,
    "card": take_card,
    "suit": take_suit,
    "step": take_step,
    "laid": take_laid,
    "city": take_city,
}
"""How each field of a task is read."""


def task_document(rules: FriedrichRules, task: Tasks) -> dict[str, Value]:
    """One task as it is written."""
    kind = next(name for name, each in KINDS.items() if isinstance(task, each))
    document: dict[str, Value] = {"task": kind, "power": task.power}
    match task:
        case VersionTask(_, card, suit, step, laid):
            document |= {"card": card_name(rules.fate, card), "suit": SUITS[suit]}
            document |= {"step": step} if step else {}
            document |= {} if laid is None else {"laid": card_text(laid, deck=True)}
        case SidestepTask(_, city):
            document["city"] = rules.common.board.cities[city].name
    return document
