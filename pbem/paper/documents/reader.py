"""Reading our own documents field by field: every fault is noted with its place, and the reading goes on."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import TypeVar

from pbem.paper.documents.faults import MOST_FAULTS, Fault, Refused
from pbem.paper.documents.names import NameFault, Names, as_quoted
from pbem.paper.documents.strict import Mapping, Node, Sequence, Text

T = TypeVar("T")


class Reader:
    """One reading of one document."""

    def __init__(self, source: str) -> None:
        """Start without faults."""
        self.source = source
        self.faults: list[Fault] = []

    def note(self, node: Node, code: str, message: str, hint: str = "", rule: str = "") -> None:
        """Note a fault at the place of a node."""
        self.add(Fault(code, message, node.line, node.column, rule, hint))

    def add(self, fault: Fault) -> None:
        """Note a fault; with too many of them the reading ends."""
        self.faults.append(fault)
        if len(self.faults) >= MOST_FAULTS:
            self.refuse()

    def is_first(self, node: Node, found: T, before: Container[T], message: str) -> bool:
        """Whether something is named here for the first time; noted if it is not."""
        if found in before:
            self.note(node, "E-FORM-TWICE", message, "keep one of them")
        return found not in before

    def refuse(self) -> None:
        """Raise all faults noted so far, if there are any."""
        if any(not fault.is_warning for fault in self.faults):
            raise Refused(self.source, self.faults)

    def mapping(self, node: Node, what: str) -> Mapping | None:
        """The mapping, an empty one where nothing is written, or none and a fault."""
        if isinstance(node, Mapping):
            return node
        if isinstance(node, Text) and node.is_nothing:
            return Mapping({}, {}, node.line, node.column)
        self.note(node, "E-FORM-MAPPING", f"{what} must be written as `key: value` lines")
        return None

    def pairs(self, node: Node, what: str) -> list[tuple[Text, Node]]:
        """The entries of a mapping whose keys are names, each key as a node of its own."""
        mapping = self.mapping(node, what)
        return [(Text(key, *mapping.places[key]), value) for key, value in mapping.items.items()] if mapping else []

    def known(self, node: Mapping, keys: Iterable[str], what: str) -> dict[str, Node]:
        """The entries of a mapping, with a fault for every key that does not belong there."""
        allowed = list(keys)
        entries = {}
        for key, value in node.items.items():
            if key in allowed:
                entries[key] = value
                continue
            try:
                hint = f"did you mean {allowed[Names(allowed).find(key)]}?"
            except NameFault as fault:
                hint = fault.hint or f"known: {', '.join(allowed)}"
            line, column = node.places[key]
            self.add(Fault("E-FORM-KEY", f"{what} has no {as_quoted(key)}", line, column, hint=hint))
        return entries

    def items(self, node: Node, what: str) -> list[Node]:
        """The node as a list; one text is split at its commas."""
        if isinstance(node, Sequence):
            return list(node.items)
        if isinstance(node, Text):
            return split(node)
        self.note(node, "E-FORM-LIST", f"{what} must be a list")
        return []

    def text(self, node: Node, what: str) -> str | None:
        """The text, or none and a fault; `what` begins the sentence of that fault."""
        if isinstance(node, Text) and not node.is_nothing:
            return node.value
        self.note(node, "E-FORM-TEXT", f"{what} must be one word or text")
        return None

    def number(self, node: Node, what: str, least: int, most: int) -> int | None:
        """The node as a whole number within limits."""
        written = node.value if isinstance(node, Text) else ""
        digits = written.removeprefix("-")
        is_number = digits.isascii() and digits.isdecimal()
        if is_number and len(digits) < 10 and least <= int(written) <= most:
            return int(written)
        hint = f"{least} to {most}" if most > least else f"write {least}"
        said = f"cannot be {written[:20]}" if is_number else "must be a whole number"
        self.note(node, "E-FORM-NUMBER", f"{what} {said}", hint)
        return None

    def truth(self, node: Node, what: str) -> bool | None:
        """The node as yes or no."""
        return self.word(node, what, {"yes": True, "no": False})

    def word(self, node: Node, what: str, words: dict[str, T]) -> T | None:
        """What one of some words stands for, in capitals or not, or none and a fault."""
        if isinstance(node, Text) and node.value.casefold() in words:
            return words[node.value.casefold()]
        instead = f" not {as_quoted(node.value)}" if isinstance(node, Text) else ""
        self.note(node, "E-FORM-WORD", f"{what} must be {' or '.join(words)},{instead}".rstrip(","))
        return None

    def name(self, node: Node, what: str, find: Callable[[str], T]) -> T | None:
        """The node looked up among names."""
        written = self.text(node, what)
        if written is None:
            return None
        try:
            return find(written)
        except NameFault as fault:
            self.note(node, fault.code, fault.message, fault.hint)
            return None

    def names(self, node: Node, what: str, find: Callable[[str], T]) -> list[T]:
        """The node as a list of names; those that are not found are noted and left out."""
        found = [self.name(item, what, find) for item in self.items(node, what)]
        return [one for one in found if one is not None]


def split(node: Text, mark: str = ",") -> list[Node]:
    """The parts of a text between commas, each with its own place (exact where the text stands on one plain line)."""
    parts: list[Node] = []
    at = node.column + (1 if node.quoted else 0)
    for part in node.value.split(mark):
        lead = len(part) - len(part.lstrip())
        if part.strip():
            parts.append(Text(part.strip(), node.line, at + lead))
        at += len(part) + len(mark)
    return parts
