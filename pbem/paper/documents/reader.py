"""Reading of the program's own documents, field by field. After a fault the reading continues."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import TypeVar

from pbem.faults.wrong import Gap, Words, Wrong, words, wrong
from pbem.paper.documents.faults import MOST_FAULTS, Fault, Refused
from pbem.paper.documents.names import NameFault, Names, as_quoted, is_bare
from pbem.paper.documents.strict import TRUTHS, MappingNode, Node, SequenceNode, Text
from pbem.seal.canonical import Tree


def node_of(tree: Tree, line: int = 0, column: int = 0) -> Node:
    """Return a document made of plain strings, lists and dicts. All its parts have the place that is given by `line`
    and `column`. If the line is 0, they have no place."""
    match tree:
        case str():
            return Text(tree, line, column)
        case list():
            return SequenceNode(tuple(node_of(item, line, column) for item in tree), line, column)
    items = {key: node_of(item, line, column) for key, item in tree.items()}
    return MappingNode(items, dict.fromkeys(items, (line, column)), line, column)


T = TypeVar("T")


class Reader:
    """Reader of one document. It collects the faults. After a fault, its methods return None or leave out the faulty
    part. Their parameter `label` is the name of the value in faults."""

    def __init__(self, source: str, *, names_paths: bool = False, guesses: bool = False) -> None:
        """Begin without faults. `source` is the name of the document in faults.

        A value may name only files in the folder of the document. If `names_paths` is true, it may name any path, as
        options of commands may.

        If `guesses` is true and only one known name is like a misspelt one, the misspelt name is read as this name. It
        is still a fault."""
        self.source = source
        self.names_paths = names_paths
        self.guesses = guesses
        self.faults: list[Wrong] = []
        self.gaps = 0
        """Number of faulty parts that were left out. A misspelt name that was guessed is not counted."""
        self.named: dict[tuple[int, int], tuple[str, str]] = {}
        """Names of cities and generals in orders: from line and column to the name as written and as understood."""

    def note(self, node: Node, wrong: Wrong) -> None:
        self.add(Fault.at(node.line, node.column, wrong))

    def add(self, fault: Wrong) -> None:
        """Add a fault. When there are `MOST_FAULTS` faults, `Refused` is raised, unless all of them are warnings."""
        self.faults.append(fault)
        self.gaps += not fault.is_warning
        if len(self.faults) >= MOST_FAULTS:
            self.refuse()

    def check_first(self, node: Node, found: T, before: Container[T], message: Words) -> bool:
        """Return True if `found` is not among the earlier values, `before`. If it is, add a fault and return False."""
        if found in before:
            self.note(node, wrong("E-FORM-TWICE", message=message))
        return found not in before

    def refuse(self) -> None:
        """Raise `Refused` if a fault was found that is not a warning."""
        if any(not fault.is_warning for fault in self.faults):
            raise Refused(self.source, self.faults)

    def faults_again(self, earlier: Iterable[Wrong]) -> list[Wrong]:
        """Return the faults of an earlier reading, each as this reading tells it."""

        def name_refused(fault: Wrong) -> tuple[str, str, Gap]:
            return fault.place, fault.code, dict(fault.message.gaps).get("written", "")

        now = {name_refused(fault): fault for fault in self.faults}
        return [now.get(name_refused(fault), fault) for fault in earlier]

    def mapping(self, node: Node, label: Words | str) -> MappingNode | None:
        """Return the node if it is a mapping. Return an empty mapping for a key without value. For any other node, add
        a fault and return None."""
        if isinstance(node, MappingNode):
            return node
        if isinstance(node, Text) and node.is_nothing:
            return MappingNode({}, {}, node.line, node.column)
        self.note(node, wrong("E-FORM-MAPPING", what=label))
        return None

    def pairs(self, node: Node, label: Words | str) -> list[tuple[Text, Node]]:
        """Return the entries of a mapping as pairs of two nodes: the key and its value."""
        mapping = self.mapping(node, label)
        return [(Text(key, *mapping.places[key]), value) for key, value in mapping.items.items()] if mapping else []

    def known_entries(self, node: MappingNode, keys: Iterable[str], label: Words | str) -> dict[str, Node]:
        """Return a dict from each key of a mapping to its value. If a key is not in `keys`, add a fault and leave it
        out."""
        allowed = list(keys)
        entries = {}
        for key, value in node.items.items():
            if key in allowed:
                entries[key] = value
                continue
            hint = Names(allowed).suggestion(key) or words("known", names=tuple(allowed))
            self.add(Fault.at(*node.places[key], wrong("E-FORM-KEY", hint=hint, what=label, key=as_quoted(key))))
        return entries

    def items(self, node: Node, label: Words | str) -> list[Node]:
        """Return the items of a list. A text is divided at its commas. For a mapping, add a fault and return no
        items."""
        if isinstance(node, SequenceNode):
            return list(node.items)
        if isinstance(node, Text):
            return split(node)
        self.note(node, wrong("E-FORM-LIST", what=label))
        return []

    def text(self, node: Node, label: Words | str) -> str | None:
        """Return the text of a node. For a key without value, or any other node, add a fault and return None."""
        if isinstance(node, Text) and not node.is_nothing:
            return node.value
        self.note(node, wrong("E-FORM-TEXT", what=label))
        return None

    def file_name(self, node: Node, label: Words | str) -> str | None:
        """Return the name of a file in the folder of the document, or of a shipped file. If `names_paths` is true, any
        text is allowed. For anything else, add a fault and return None."""
        name = self.text(node, label)
        if name is None or self.names_paths or is_bare(name):
            return name
        self.note(node, wrong("E-FILE-NAME", what=label, name=as_quoted(name)))
        return None

    def number(self, node: Node, label: Words | str, least: int, most: int) -> int | None:
        """Return the node as a whole number from `least` to `most`. For anything else, add a fault and return None."""
        written = node.value if isinstance(node, Text) else ""
        digits = written.removeprefix("-")
        is_number = digits.isascii() and digits.isdecimal()
        if is_number and len(digits) < 10 and least <= int(written) <= most:
            return int(written)
        hint = words("from-to", least=least, most=most) if most > least else words("write", what=least)
        if is_number:
            self.note(node, wrong("E-FORM-NUMBER.range", hint=hint, what=label, number=written[:20]))
        else:
            self.note(node, wrong("E-FORM-NUMBER.digits", hint=hint, what=label))
        return None

    def truth(self, node: Node, label: Words | str) -> bool | None:
        """Return True for `yes` and False for `no`. For anything else, add a fault and return None."""
        found = TRUTHS.get(node.value.casefold()) if isinstance(node, Text) else None
        return self.word(node, label, {"yes": True, "no": False}) if found is None else found

    def word(self, node: Node, label: Words | str, known: dict[str, T]) -> T | None:
        """Return the value that the mapping `known` has for the word of a node; capitals make no difference. For
        anything else, add a fault and return None."""
        if not isinstance(node, Text):
            self.note(node, wrong("E-FORM-WORD.shape", what=label, words=tuple(known)))
        elif node.value.casefold() in known:
            return known[node.value.casefold()]
        else:
            self.note(node, wrong("E-FORM-WORD", what=label, words=tuple(known), written=as_quoted(node.value)))
        return None

    def name(self, node: Node, label: Words | str, find: Callable[[str], T]) -> T | None:
        """Return the value that the function `find` returns for the text of a node. If the node has no text, or `find`
        raises `NameFault`, add a fault and return None. If `guesses` is true, a misspelt name is a fault too, but the
        value of the guessed name is returned."""
        written = self.text(node, label)
        if written is None:
            return None
        try:
            return find(written)
        except NameFault as fault:
            self.note(node, fault.wrong)
            if not (self.guesses and fault.guess):
                return None
            self.gaps -= 1
            return find(fault.guess)

    def names(self, node: Node, label: Words | str, find: Callable[[str], T]) -> list[T]:
        """Return the value that the function `find` returns for each name in a list. If `find` raises `NameFault` for a
        name, add a fault and leave the name out."""
        found = [self.name(item, label, find) for item in self.items(node, label)]
        return [one for one in found if one is not None]


def guess_of(node: Node, find: Callable[[str], T]) -> T | None:
    """Return the value that `find` returns for the only known name that is like the misspelt text of a node. Return
    None if there is no such name."""
    try:
        return find(node.value) if isinstance(node, Text) else None
    except NameFault as fault:
        return find(fault.guess) if fault.guess else None


def split(node: Text, mark: str = ",") -> list[Node]:
    """Divide a text at each `mark` into nodes. Blank parts are left out. The places of the nodes are exact only if the
    text has no quotes and is on one line."""
    parts: list[Node] = []
    at = node.column + (1 if node.quoted else 0)
    for part in node.value.split(mark):
        lead = len(part) - len(part.lstrip())
        if part.strip():
            parts.append(Text(part.strip(), node.line, at + lead))
        at += len(part) + len(mark)
    return parts
