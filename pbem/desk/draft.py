"""Draft of a letter: its text, the changes that can be undone, and the orders in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from pbem.campaign.letters.heads import jump_faults
from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.letters import LetterContext, orders_letter
from pbem.campaign.settings import MODERATOR
from pbem.engine.table import Table
from pbem.faults.wrong import PbemError, wrong
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import WIDTH, Value, write
from pbem.paper.letter_kinds import MODERATORS
from pbem.paper.letters import Letter, check_signature, sign_letter, write_letter
from pbem.paper.orders.files import merged_orders
from pbem.player.letters import letter_at, with_seq
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.keys import PrivateKey

MOST_BACK = 200
"""Number of changes that can be undone."""

LETTER = "letter"

SIGNATURE = re.compile(r"^signature:.*\n(?:[ \t].*\n)*\Z", re.MULTILINE)
"""Pattern of the signature at the end of a letter's text."""


class Draft:
    """Draft of a letter that answers a report, or of a file for a position."""

    def __init__(self, seen: Guidance | None, text: str) -> None:
        """Begin with a text. `seen` is the report that the letter answers, or None for a file."""
        self.seen, self.text = seen, text
        self._back: list[str] = []
        self._ahead: list[str] = []

    @classmethod
    def of_report(cls, seen: Guidance) -> Draft:
        """Return the draft of a letter without orders, for the stage of a report. If the reader has no seat, the draft
        is empty."""
        occasion = LetterContext(seen.campaign, seen.seat, seen.stage, seen.basis)
        return cls(seen, orders_letter(occasion, seen.next_seq, {}) if seen.seat else "")

    @classmethod
    def of_plans(cls, seen: Guidance | None) -> Draft:
        """Return an empty draft for plans: a letter if there is a report `seen`, else a file."""
        if seen is None:
            return cls(None, write({"pbem": 1, "kind": "plan", "plans": {}}))
        occasion = LetterContext(seen.campaign, seen.seat, seen.stage, seen.basis)
        return cls(seen, orders_letter(occasion, seen.next_seq, {}, kind="plan"))

    @classmethod
    def of_orders(cls) -> Draft:
        """Return the draft of a file without orders."""
        return cls(None, write({"pbem": 1, "kind": "orders", "orders": {}}))

    def copy(self) -> Draft:
        """Return a copy of the draft and of its history."""
        other = Draft(self.seen, self.text)
        other._back, other._ahead = [*self._back], [*self._ahead]
        return other

    @property
    def is_changed(self) -> bool:
        return bool(self._back)

    @property
    def is_taken_back(self) -> bool:
        return bool(self._ahead)

    def put(self, table: Table, answer: Mapping[str, Tree]) -> None:
        """Write an answer into the orders, as a new change. Raises `Refused` if the section has an answer already, or
        if `text_with_orders` refuses the orders."""
        self.become(self.text_with_orders(orders_with_answer(table, self.orders(), answer)))

    def add(self, table: Table, answer: Mapping[str, Tree]) -> None:
        """Write an answer into the orders, as a part of the last change. Raises `Refused` as `put` does."""
        self.text = self.text_with_orders(orders_with_answer(table, self.orders(), answer))

    def become(self, text: str) -> None:
        """Replace the text of the draft, as a new change."""
        if text != self.text:
            self._back = [*self._back, self.unsigned_text()][-MOST_BACK:]
            self._ahead = []
            self.text = text

    def undo(self) -> None:
        """Undo the last change, if there is one. If the letter is signed, also remove the signature, which `redo` does
        not restore."""
        if self._back:
            self._ahead.append(self.unsigned_text())
            self.text = self._back.pop()

    def redo(self) -> None:
        """Make the change again that was undone last, if there is one."""
        if self._ahead:
            self._back.append(self.unsigned_text())
            self.text = self._ahead.pop()

    def unsigned_text(self) -> str:
        return SIGNATURE.sub("", self.text) if self.is_signed else self.text

    def sign(self, key: PrivateKey, taken: Collection[int] = ()) -> None:
        """Sign the letter, as `pbem sign` does. If the letter's number is among `taken`, it gets a higher number first.
        Raises `Refused` if the letter is the moderator's or of another seat, or if its number is too high."""
        letter = self.letter()
        if letter.sender == MODERATOR or letter.kind in MODERATORS:
            raise Refused(LETTER, [wrong("E-SIGN-MODERATOR", kind=letter.kind)])
        if self.seen and letter.sender != self.seen.seat:
            raise Refused(LETTER, [wrong("E-SIGN-SEAT", sender=letter.sender, seats=(self.seen.seat,))])
        if self.seen and (far := jump_faults(letter.seq, self.seen.next_seq - 1)):
            raise Refused(LETTER, far)
        text = with_seq(letter, max(taken) + 1) if letter.seq in taken else self.text
        self.text, self._ahead = sign_letter(text, key), []

    def signature_by(self, key: PrivateKey | None) -> str:
        """Return the fingerprint of a key if it has signed the letter, else an empty text."""
        if key is None or not self.seen:
            return ""
        try:
            check_signature(self.letter(), key.public)
        except PbemError:
            return ""
        return key.public.fingerprint

    @property
    def number(self) -> int:
        """The letter's number; 0 if there is none."""
        try:
            letter = self.letter()
        except Refused:
            return 0
        return 0 if "seq" in letter.missing_keys else letter.seq

    @property
    def is_signed(self) -> bool:
        """Return whether the letter has a signature, by any key."""
        try:
            return bool(self.seen) and bool(self.letter().signature)
        except Refused:
            return False

    @property
    def is_sealed(self) -> bool:
        """True if a part of the letter is sealed."""
        try:
            return bool(self.seen) and entry_of(self.letter().body, "sealed") is not None
        except Refused:
            return False

    @property
    def kind(self) -> str:
        """Kind of the letter, such as `orders`. Empty if the draft is a file, or if its text cannot be read as a
        letter."""
        try:
            return self.letter().kind if self.seen else ""
        except Refused:
            return ""

    def letter(self) -> Letter:
        """Return the letter; raises `Refused` for a text that is no letter."""
        return letter_at(self.text.encode(), LETTER, may_lack=True)

    def document(self) -> strict.MappingNode:
        """Return the text as a YAML mapping; raises `Refused` if it is none."""
        node = strict.read_yaml(self.text.encode(), LETTER)
        if not isinstance(node, strict.MappingNode):
            raise Refused(LETTER, [wrong("E-FORM-MAPPING.orders")])
        return node

    def orders(self) -> dict[str, Tree]:
        """Return the orders, keyed by power. The plans of a file are returned under the section name `plans`. Raises
        `Refused` if the text cannot be read."""
        if self.seen:
            return mapping(bare_of(self.letter().body).get("orders"))
        document = bare_of(self.document())
        if is_plan(document):
            return {power: {"plans": plans} for power, plans in mapping(document.get("plans")).items()}
        return mapping(document.get("orders"))

    def take_away(self, line: int) -> None:
        """Remove the last order (item, section or power) that begins at or above a line, if there is one. Raises
        `Refused` for a text that cannot be read."""
        if path := self.path_at(line):
            self.become(self.text_with_orders(without(self.orders(), path)))

    def path_at(self, line: int) -> strict.KeyPath:
        """Return the path to the last order (item, section or power) that begins at or above a line; an empty path if
        there is none. Raises `Refused` for a text that cannot be read."""
        return order_at(entry_of(self.letter().body if self.seen else self.document(), "orders"), line)

    def text_with_orders(self, orders: Mapping[str, Tree]) -> str:
        """Return the text with other orders. Raises `Refused` for a text that cannot be read, or orders that a letter
        cannot hold."""
        with refusals_of_writing():
            if not self.seen:
                document = bare_of(self.document())
                if is_plan(document):
                    plans: dict[str, Value] = {
                        power: mapping(sections).get("plans", []) for power, sections in orders.items()
                    }
                    return write({**document, "plans": plans})
                return write({**document, "orders": dict(orders)})
            letter = self.letter()
            head = {key: value for key, value in letter.tree.items() if key not in ("pbem", "body")}
            body: dict[str, Value] = {**bare_of(letter.body), "orders": dict(orders)}
            return write_letter({key: str(value) for key, value in head.items()}, body, WIDTH)


@contextmanager
def refusals_of_writing() -> Iterator[None]:
    """Raise `Refused` in place of the `ValueError` for a text that no letter can hold, such as invisible characters."""
    try:
        yield
    except ValueError as error:
        raise Refused(LETTER, [wrong("E-DESK-UNWRITABLE", why=str(error))]) from None


def orders_with_answer(table: Table, before: Mapping[str, Tree], more: Mapping[str, Tree]) -> dict[str, Tree]:
    """Return the orders `before` with the answer `more`. Raises `Refused` if the section has an answer already."""
    try:
        return merged_orders(table, [before, more])
    except ValueError:
        ((power, sections),) = more.items()
        raise Refused(LETTER, [wrong("E-DESK-TWICE", section=", ".join(mapping(sections)), power=power)]) from None


def order_at(orders: strict.Node | None, line: int) -> strict.KeyPath:
    """Return the path to the last power, section or item that begins at or above a line. Return an empty path if there
    is none."""
    found: list[tuple[int, strict.KeyPath]] = []

    def note(node: strict.Node | None, path: strict.KeyPath) -> None:
        if isinstance(node, strict.MappingNode) and len(path) < 2:
            for key, value in node.items.items():
                found.append((node.places[key][0], (*path, key)))
                note(value, (*path, key))
        elif isinstance(node, strict.SequenceNode) and len(path) == 2:
            found.extend((item.line, (*path, at)) for at, item in enumerate(node.items))

    note(orders, ())
    above = [path for begin, path in found if begin <= line]
    return above[-1] if above else ()


def without(orders: Mapping[str, Tree], path: strict.KeyPath) -> dict[str, Tree]:
    """Return orders without the part under a path. Sections and powers that have become empty are left out, too."""
    left: dict[str, Tree] = {}
    for power, sections in orders.items():
        kept = mapping(sections)
        if path[:1] == (power,):
            section = str(path[1]) if len(path) > 1 else ""
            lines = kept.get(section)
            if len(path) == 1:
                kept = {}
            elif len(path) == 3 and isinstance(lines, list) and len(lines) > 1:
                kept[section] = [line for at, line in enumerate(lines) if at != path[2]]
            else:
                kept.pop(section)
        if kept:
            left[power] = kept
    return left


def is_plan(document: Mapping[str, AnyTree]) -> bool:
    return document.get("kind") == "plan"


def mapping(tree: Tree | None) -> dict[str, Tree]:
    """Return a tree as a mapping; an empty mapping for any other tree."""
    return dict(tree) if isinstance(tree, Mapping) else {}


def bare_of(node: strict.Node) -> dict[str, AnyTree]:
    """Return the values of a parsed YAML document, without their positions in the text; empty if the document is no
    mapping."""
    found: AnyTree = strict.bare(node)
    return dict(found) if isinstance(found, Mapping) else {}
