"""Strict reader of YAML. It accepts a small part of the language, without surprises, and reports all faults of a file
at once.

First the text is checked (size, encoding, characters), then the events of the parser. Anchors, aliases, tags, merge
keys and a second document are not allowed; depth and number of values are limited. Every value remains a text: `no`,
`12:30` and `010` become truth values or numbers only if a reader asks for one (see `convert`).

YAML loses two things without a word, which are refused here: a key that is given twice, and text behind a `#`. A
comment behind a value must begin with a hash and a space: `city: city #5` is a fault, `city: Breslau # at last` is
not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

import yaml
from msgspec import Struct, field

from pbem.faults.wrong import Line, Wrong, wrong
from pbem.paper.documents.characters import (
    DASHED_LINE,
    OPENING_QUOTES,
    SINGLE_QUOTES,
    SPACES,
    UNWANTED,
    advice,
    as_utf8,
    character_name,
    clean_text,
    is_printable,
    not_a_hyphen,
    syntax_fault,
    unwanted_characters,
)
from pbem.paper.documents.faults import MOST_FAULTS, Fault, Place, Refused
from pbem.paper.documents.names import as_quoted
from pbem.seal.canonical import Tree

TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
"""Words for yes and no in every document, in small letters."""
PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Fastest YAML parser that is installed."""

_HASH = re.compile(r"(?:(?<=[ \n])|\A)#")


class DocumentLimits(Struct, frozen=True):
    """Limits of a file: its size in bytes, its depth, and the number of its nodes."""

    size: int = 256 * 1024
    depth: int = 20
    flow_depth: int = 6
    nodes: int = 50_000
    takes_spaces: bool = False
    """True if spaces of all kinds are replaced by ordinary spaces. Spaces in quotes are never replaced."""


class Text(Struct, frozen=True, tag=True):
    """Text with its place. `quoted` is true for a text in quotes; so an empty text differs from a key without value."""

    value: str
    line: int
    column: int
    quoted: bool = False

    @property
    def is_nothing(self) -> bool:
        """True if nothing is written, not even empty quotes."""
        return not self.value and not self.quoted


class SequenceNode(Struct, frozen=True, tag=True):
    """List with its place."""

    items: tuple[Node, ...]
    line: int
    column: int


class MappingNode(Struct, frozen=True, tag=True):
    """Mapping: its values and the places of its keys, both keyed as in the document, and its own place."""

    items: dict[str, Node]
    places: dict[str, tuple[int, int]]
    line: int
    column: int


Node: TypeAlias = Text | SequenceNode | MappingNode
"""Part of a document. A struct may have a field of this type, because the three types are tagged."""

KeyPath: TypeAlias = tuple[str | int, ...]
"""Path from a whole document to one of its parts: keys of mappings, and indices of items in lists."""

STANDARD = DocumentLimits()


def read_yaml(content: bytes, source: str, limits: DocumentLimits = STANDARD) -> Node:
    """Parse a document. Raises `Refused` if the document is empty or has faults. Size and encoding are checked first,
    then the characters, then everything else. If one of these checks finds faults, the later ones are not made."""
    came = as_utf8(content, source, limits.size)
    text = SPACES.sub(" ", came) if limits.takes_spaces else came
    if faults := list(unwanted_characters(text)):
        raise Refused(source, faults)
    builder = _Builder(text, limits, came)
    builder.run()
    if builder.faults:
        raise Refused(source, builder.faults[:MOST_FAULTS])
    if builder.root is None:
        raise Refused(source, [Fault.at(1, 1, wrong("E-YAML-EMPTY"))])
    return builder.root


def bare(node: Node) -> Tree:
    """Return a node as plain strings, lists and dicts. Signatures are made over this form."""
    match node:
        case Text():
            return node.value
        case SequenceNode():
            return [bare(item) for item in node.items]
        case MappingNode():
            return plain_mapping(node)


def plain_mapping(node: MappingNode) -> dict[str, Tree]:
    return {key: bare(value) for key, value in node.items.items()}


def with_offset(node: Node, lines: int, columns: int = 0) -> Node:
    """Return a copy of a node with its places in the whole text. The node comes from a part of the text, which begins
    `lines` further down and `columns` further right."""
    line, column = node.line + lines, node.column + columns
    match node:
        case Text():
            return Text(node.value, line, column, node.quoted)
        case SequenceNode():
            return SequenceNode(tuple(with_offset(item, lines, columns) for item in node.items), line, column)
        case MappingNode():
            items = {key: with_offset(value, lines, columns) for key, value in node.items.items()}
            places = {key: (at + lines, beside + columns) for key, (at, beside) in node.places.items()}
            return MappingNode(items, places, line, column)


def place_of(node: Node | None, path: KeyPath) -> Place:
    """Return the place of the value at this path. If it is not written, return the place of the nearest value around
    it. For a mapping or list under a key, return the place of the key."""
    place = Place(0, 0) if node is None else Place(node.line, node.column)
    for step in path:
        if isinstance(node, MappingNode) and isinstance(step, str) and step in node.items:
            key, node = node.places[step], node.items[step]
            place = Place(node.line, node.column) if isinstance(node, Text) else Place(*key)
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            place = Place(node.line, node.column)
        else:
            break
    return place


def _span(event: yaml.Event) -> tuple[int, int]:
    assert event.start_mark
    assert event.end_mark
    return event.start_mark.index, event.end_mark.index


def _events(text: str) -> Iterator[yaml.Event]:
    """Yield the events of the parser. If brackets are nested too deeply for libyaml, continue with the slower parser in
    Python."""
    count = 0
    loader = PARSER(text)
    try:
        for event in iter(loader.get_event, None):
            yield event
            count += 1
    except yaml.MarkedYAMLError as error:
        # Newer versions of libyaml refuse 1,000 nested brackets while they look ahead for a key. At that moment the
        # events of the first brackets, which would show where there are too many, have not come yet.
        if "nesting depth" not in (error.problem or ""):
            raise
        yield from islice(yaml.parse(text, Loader=yaml.SafeLoader), count, None)
    finally:
        loader.dispose()


class _Open(Struct):
    """List or mapping whose end has not come yet."""

    is_mapping: bool
    is_flow: bool
    line: int
    column: int
    items: list[Node] = field(default_factory=list)
    keys: list[Text | None] = field(default_factory=list)


class _Builder:
    """Builder that makes the node of a document from the events of the parser."""

    def __init__(self, text: str, limits: DocumentLimits, came: str) -> None:
        self.text = text
        self.came = came
        self.asks = "?" in text
        self.limits = limits
        self.faults: list[Fault] = []
        self.root: Node | None = None
        self.open: list[_Open] = []
        self.count = 0
        self.lines = text.count("\n") + 1
        self.documents = 0
        self.event: yaml.Event | None = None
        self.quoted: list[tuple[int, int]] = []
        self.stopped = False

    def run(self) -> None:
        try:
            for event in _events(self.text):
                self._take(event)
                if self.stopped or len(self.faults) >= MOST_FAULTS:
                    return
        except yaml.MarkedYAMLError as error:
            self.faults.append(syntax_fault(error, self.text))
        except yaml.YAMLError:
            self._fault(wrong("E-YAML-SYNTAX.file"), (0, 0))
        self.faults.extend(islice(self._swallowed_comments(), MOST_FAULTS))

    def _fault(self, wrong: Wrong, place: tuple[int, int]) -> None:
        self.faults.append(Fault.at(*place, wrong))

    def _take(self, event: yaml.Event) -> None:
        self.event, mark = event, event.start_mark
        assert mark
        place = mark.line + 1, mark.column + 1
        if isinstance(event, yaml.ScalarEvent):
            if event.anchor is not None or event.tag is not None:
                self._check_properties(event, place)
            self._add(self._scalar(event, place), place)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._check_properties(event, place)
            self._begin(isinstance(event, yaml.MappingStartEvent), bool(event.flow_style), place)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()
        elif isinstance(event, yaml.AliasEvent):
            self._fault(wrong("E-YAML-ALIAS", alias=as_quoted(f"*{event.anchor}")), place)
            self._add(Text("", *place, quoted=True), place)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._document(event, place)

    def _document(self, event: yaml.DocumentStartEvent, place: tuple[int, int]) -> None:
        self.documents += 1
        if event.version or event.tags:
            self._fault(wrong("E-YAML-DIRECTIVE"), place)
        if self.documents > 1:
            self._fault(wrong("E-YAML-DOCUMENTS"), place)
            self.stopped = True

    def _check_properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, place: tuple[int, int]) -> None:
        if event.anchor is not None:
            self._fault(wrong("E-YAML-ANCHOR", anchor=as_quoted(f"&{event.anchor}")), place)
        if event.tag is not None:
            self._fault(wrong("E-YAML-TAG"), place)

    def _scalar(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> Text:
        value, style = event.value, event.style
        is_ascii = value.isascii()
        if not is_ascii:
            value = clean_text(value)
        if style:
            self.quoted.append(_span(event))
            self._check_spaces(event, place)
        elif value and not is_ascii:
            self._check_typography(event, value, place)
        # The characters of the file itself have been checked already. In quotes, more can be written with backslashes.
        if (style == '"' or not is_ascii) and not is_printable(value) and (hidden := UNWANTED.search(value)):
            character = hidden.group()
            self._fault(
                wrong("E-YAML-CHARACTER.escaped", hint=advice(character), character=character_name(character)), place
            )
        if place[0] > self.lines:
            place = (self.lines, len(self.text) - self.text.rfind("\n"))
        return Text(value, place[0], place[1], bool(style))

    def _check_spaces(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        """Add a fault for an unusual space in quotes. It is not replaced, because it may be intended."""
        begin, end = _span(event)
        if self.came is not self.text and event.style in ("'", '"') and (found := SPACES.search(self.came, begin, end)):
            line = self.text.count("\n", 0, found.start()) + 1
            column = found.start() - self.text.rfind("\n", 0, found.start())
            space = found.group()
            self._fault(
                wrong("E-YAML-CHARACTER.quoted", hint=advice(space), character=character_name(space)), (line, column)
            )

    def _check_typography(self, event: yaml.ScalarEvent, value: str, place: tuple[int, int]) -> None:
        """Add a fault if a line of a value begins with a dash that is not a hyphen, or if the value begins with a
        typographic quotation mark."""
        begin, end = _span(event)
        for number, line in enumerate(self.text[begin:end].split("\n")):
            if dash := DASHED_LINE.match(line):
                column = dash.start(1) + (1 if number else place[1])
                self.faults.append(not_a_hyphen(dash.group(1), place[0] + number, column))
                return
        single = len(value) > 1 and value[0] in SINGLE_QUOTES and value[-1] in SINGLE_QUOTES
        if value[0] in OPENING_QUOTES or single:
            self._fault(wrong("E-YAML-QUOTE", character=character_name(value[0])), place)

    def _begin(self, is_mapping: bool, is_flow: bool, place: tuple[int, int]) -> None:
        self.open.append(_Open(is_mapping, is_flow, *place))
        if len(self.open) > self.limits.depth:
            self._fault(wrong("E-YAML-DEPTH.lists", most=self.limits.depth), place)
            self.stopped = True
        elif is_flow and sum(each.is_flow for each in self.open) > self.limits.flow_depth:
            self._fault(wrong("E-YAML-DEPTH.brackets", most=self.limits.flow_depth), place)
            self.stopped = True

    def _end(self) -> None:
        top = self.open.pop()
        place = (top.line, top.column)
        self._add(self._mapping(top) if top.is_mapping else SequenceNode(tuple(top.items), *place), place)

    def _mapping(self, top: _Open) -> MappingNode:
        items: dict[str, Node] = {}
        places: dict[str, tuple[int, int]] = {}
        for key, value in zip(top.keys, top.items, strict=True):
            if key is None:
                continue
            here = (key.line, key.column)
            if key.value in items:
                first, second = Line(places[key.value][0]), Line(here[0])
                self._fault(wrong("E-YAML-DUPLICATE", key=as_quoted(key.value), first=first, second=second), here)
                continue
            items[key.value], places[key.value] = value, here
        return MappingNode(items, places, top.line, top.column)

    def _add(self, node: Node, place: tuple[int, int]) -> None:
        """Put a finished node into the list or mapping that is open. If none is open, the node is the document."""
        self.count += 1
        if self.count > self.limits.nodes:
            self._fault(wrong("E-YAML-NODES", most=self.limits.nodes), place)
            self.stopped = True
        if not self.open:
            self.root = node
            return
        top = self.open[-1]
        if top.is_mapping and len(top.keys) == len(top.items):
            top.keys.append(self._key(node, place))
            if self.asks:
                self._check_question(place)
        else:
            top.items.append(node)

    def _check_question(self, place: tuple[int, int]) -> None:
        """Add a fault for a question mark before a key. The parser itself ignores the mark."""
        assert self.event
        begun, _ = _span(self.event)
        before = self.text[max(0, begun - 80) : begun]
        if before.rstrip(" ").endswith("?"):
            spot = (place[0], place[1] - 1 - len(before) + len(before.rstrip(" ")))
            self._fault(wrong("E-YAML-KEY.question"), spot)

    def _key(self, node: Node, place: tuple[int, int]) -> Text | None:
        if not isinstance(node, Text):
            self._fault(wrong("E-YAML-KEY.list"), place)
            return None
        if node.is_nothing:
            self._fault(wrong("E-YAML-KEY.none"), place)
            return None
        if node.value == "<<" and not node.quoted:
            self._fault(wrong("E-YAML-MERGE"), place)
            return None
        return node

    def _swallowed_comments(self) -> Iterator[Fault]:
        """Yield a fault for each `#` behind a value that is not followed by a space. YAML would ignore the rest of the
        line."""
        if "#" not in self.text:
            return
        starts = [start for start, _ in self.quoted]
        reached = _span(self.event)[1] if self.event else 0
        at = 0
        while (match := _HASH.search(self.text, at)) and match.start() <= reached:
            at = match.start()
            before = bisect_right(starts, at) - 1
            if before >= 0 and at < self.quoted[before][1]:
                at = self.quoted[before][1]
                continue
            begin = self.text.rfind("\n", 0, at) + 1
            if self.text[begin:at].strip() and self.text[at + 1 : at + 2] not in ("", " ", "\n", "#"):
                line = self.text.count("\n", 0, at) + 1
                yield Fault.at(line, at - begin + 1, wrong("E-YAML-COMMENT"))
            at = self.text.find("\n", at)
            if at < 0:
                return
