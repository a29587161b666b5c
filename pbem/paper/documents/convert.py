"""Conversion of nodes to typed structs. The annotations of a struct are the schema, including the limits of numbers and
texts.

After a fault the conversion continues, so that all faults are found at once.

A key without a value is treated as if it were not written. But if the struct needs a list or mapping there, the value
is an empty one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Hashable, Iterable
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any, TypeVar, cast

import msgspec
from msgspec import inspect

from pbem.faults.wrong import Hint, Words, Wrong, words, wrong
from pbem.paper.documents.faults import MOST_FAULTS, Fault, Refused
from pbem.paper.documents.names import as_quoted, did_you_mean
from pbem.paper.documents.strict import TRUTHS, MappingNode, Node, SequenceNode, Text, bare

T = TypeVar("T")

_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_FORGOTTEN_SPACE = re.compile(r"([\w-]+):(\S.*)")
_NODES = (Text, SequenceNode, MappingNode)
_LEAVES = {inspect.FloatType: float, inspect.DateType: date, inspect.DateTimeType: datetime, inspect.TimeType: time}
_LISTS = inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType
_MAPPINGS = inspect.DictType | inspect.StructType


class _Missing:
    """Value that stands for a value that could not be converted."""


_MISSING = _Missing()


def convert(node: Node, kind: type[T], source: str) -> T:
    """Convert a node to a value of the type `kind`, and return it. Raises `Refused` with all faults."""
    value, faults = attempt(node, kind)
    if faults:
        raise Refused(source, faults)
    return cast(T, value)


def attempt(node: Node, kind: type[T]) -> tuple[T | None, list[Fault]]:
    """Convert a node to a value of the type `kind`. Return the value, or None if there was a fault, and the list of all
    faults."""
    faults: list[Fault] = []
    try:
        value = _Converter(faults).value(node, _type_info(cast(Hashable, kind)))
    except _Enough:
        return None, faults
    return (None if faults else value), faults


@lru_cache(maxsize=256)
def _type_info(kind: Hashable) -> inspect.Type:
    """Return the description of a type and its fields. Descriptions are cached."""
    return inspect.type_info(kind)


class _Enough(Exception):
    """Raised to end a conversion in which `MOST_FAULTS` faults were found."""


class _Converter:
    """Converter of one document. It collects the faults. After a fault, its methods return `_MISSING`."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults

    def fault(self, node: Node, wrong: Wrong) -> _Missing:
        self.add(Fault.at(node.line, node.column, wrong))
        return _MISSING

    def add(self, fault: Fault) -> None:
        """Add a fault. Raises `_Enough` when there are `MOST_FAULTS` faults."""
        self.faults.append(fault)
        if len(self.faults) >= MOST_FAULTS:
            raise _Enough

    def value(self, node: Node, kind: inspect.Type) -> Any:
        match kind:
            case inspect.AnyType() | inspect.RawType():
                return bare(node)
            case inspect.Metadata():
                return self.value(node, kind.type)
            case inspect.StructType() if kind.cls in _NODES:
                return self.node_as_written(node, [kind])
            case inspect.UnionType():
                return self.union(node, kind)
            case inspect.StructType():
                return self.struct(node, kind)
            case inspect.DictType():
                return self.mapping(node, kind)
            case inspect.TupleType():
                return self.fixed_list(node, kind)
            case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
                return self.sequence(node, kind)
        return self.scalar(node, kind)

    def node_as_written(self, node: Node, kinds: list[inspect.StructType]) -> object:
        """Return the node itself. This is for fields whose type is one of the types of nodes."""
        if any(isinstance(node, each.cls) for each in kinds):
            return node
        return self.fault(node, wrong("E-VALUE-TYPE", value=_quoted_node(node)))

    def union(self, node: Node, kind: inspect.UnionType) -> object:
        """Convert a node to the first type of a union that its shape allows. A key without a value becomes None if None
        is in the union."""
        kinds = sorted((each for each in kind.types if not isinstance(each, inspect.NoneType)), key=_width)
        if isinstance(node, Text) and node.is_nothing and len(kinds) < len(kind.types):
            return None
        structs = [each for each in kinds if isinstance(each, inspect.StructType)]
        if structs and structs[0].cls in _NODES:
            return self.node_as_written(node, structs)
        if isinstance(node, MappingNode) and len(structs) > 1:
            return self.tagged_struct(node, structs)
        for each in kinds:
            if _suits(node, each):
                return self.value(node, each)
        if len(kinds) == 1:
            return self.value(node, kinds[0])
        hint = words("write-one", names=tuple(_type_name(each) for each in kinds))
        return self.fault(node, wrong("E-VALUE-TYPE", hint=hint, value=_quoted_node(node)))

    def tagged_struct(self, node: MappingNode, kinds: list[inspect.StructType]) -> object:
        """Convert a mapping to the struct that is named by the mapping's tag."""
        key = kinds[0].tag_field or "type"
        tags = {str(each.tag): each for each in kinds}
        tag = node.items.get(key)
        if not isinstance(tag, Text) or tag.is_nothing:
            hint = words("write-key", key=key, names=tuple(tags))
            return self.fault(node, wrong("E-KEY-MISSING", hint=hint, key=repr(key)))
        if tag.value not in tags:
            near = _choices(tag.value, tags)
            return self.fault(tag, wrong("E-VALUE-CHOICE.key", hint=near, key=key, value=as_quoted(tag.value)))
        return self.struct(node, tags[tag.value])

    def struct(self, node: Node, kind: inspect.StructType) -> object:
        """Convert a mapping to a struct. It is a fault if a key is unknown, or if a key without a default is
        missing."""
        if isinstance(node, Text) and node.is_nothing:
            node = MappingNode({}, {}, node.line, node.column)
        if not isinstance(node, MappingNode):
            keys = ", ".join(f"{each.encode_name}: …" for each in kind.fields[:3])
            hint = words("write", what=f"{{{keys}}}")
            return self.fault(node, wrong("E-VALUE-TYPE", hint=hint, value=_quoted_node(node)))
        fields = {each.encode_name: each for each in kind.fields}
        self.unknown_keys(node, [*fields, *([kind.tag_field] if kind.tag_field else [])])
        values: dict[str, object] = {}
        for key, known in fields.items():
            item = node.items.get(key)
            if item is not None and not self.counts_as_unwritten(item, known):
                values[known.name] = self.value(item, known.type)
            elif known.required:
                wording = "E-KEY-MISSING" if item is None else "E-KEY-MISSING.value"
                place = node.places.get(key, (node.line, node.column))
                self.add(Fault.at(*place, wrong(wording, hint="", key=repr(key))))
                values[known.name] = _MISSING
        if _MISSING in values.values():
            return _MISSING
        try:
            return kind.cls(**values)
        except ValueError as error:
            return self.fault(node, wrong("E-VALUE-RANGE", why=str(error)))

    def counts_as_unwritten(self, node: Node, known: inspect.Field) -> bool:
        if not (isinstance(node, Text) and node.is_nothing):
            return False
        kinds = known.type.types if isinstance(known.type, inspect.UnionType) else (known.type,)
        return not any(isinstance(each, _LISTS | inspect.DictType | inspect.AnyType) for each in kinds)

    def unknown_keys(self, node: MappingNode, known: list[str]) -> None:
        for key in node.items:
            if key in known:
                continue
            hint = _choices(key, known)
            if (written := _FORGOTTEN_SPACE.fullmatch(key)) and written[1] in known:
                hint = words("space-behind-colon", line=f"{written[1]}: {written[2][:60]}")
            self.add(Fault.at(*node.places[key], wrong("E-FORM-KEY.here", hint=hint, key=as_quoted(key))))

    def mapping(self, node: Node, kind: inspect.DictType) -> object:
        """Convert a mapping to a dict. The keys get the type of the dict's keys."""
        if isinstance(node, Text) and node.is_nothing:
            return {}
        if not isinstance(node, MappingNode):
            hint = words("write", what="`key: value`")
            return self.fault(node, wrong("E-VALUE-TYPE", hint=hint, value=_quoted_node(node)))
        result: dict[object, object] = {}
        for key, item in node.items.items():
            # The key is marked as quoted, because a key counts as written even if it is empty.
            written = self.value(Text(key, *node.places[key], quoted=True), kind.key_type)
            value = self.value(item, kind.value_type)
            if written is not _MISSING:
                result[written] = value
        return _MISSING if _MISSING in result.values() else result

    def sequence(
        self, node: Node, kind: inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType
    ) -> object:
        """Convert a list to a list, tuple or set. It is a fault if the type does not allow this number of items."""
        if isinstance(node, Text) and node.is_nothing:
            node = SequenceNode((), node.line, node.column)
        if not isinstance(node, SequenceNode):
            return self.fault(node, wrong("E-VALUE-TYPE.list", hint=_as_list(node), value=_quoted_node(node)))
        items = [self.value(item, kind.item_type) for item in node.items]
        if _MISSING in items:
            return _MISSING
        match kind:
            case inspect.VarTupleType():
                made: Collection[object] = tuple(items)
            case inspect.SetType():
                made = set(items)
            case inspect.FrozenSetType():
                made = frozenset(items)
            case _:
                made = items
        least, most = kind.min_length or 0, kind.max_length
        if len(made) < least or (most is not None and len(made) > most):
            at_least = words("at-least", least=least)
            wanted = at_least if most is None else words("from-to", least=least, most=most)
            return self.fault(node, wrong("E-VALUE-RANGE.items", count=len(made), wanted=wanted))
        return made

    def fixed_list(self, node: Node, kind: inspect.TupleType) -> object:
        """Convert a list to a tuple in which each item has a type of its own."""
        count = len(kind.item_types)
        if not isinstance(node, SequenceNode):
            return self.fault(
                node, wrong("E-VALUE-TYPE.items", hint=_as_list(node), value=_quoted_node(node), count=count)
            )
        if len(node.items) != count:
            return self.fault(node, wrong("E-VALUE-RANGE.items", count=len(node.items), wanted=count))
        items = tuple(self.value(item, each) for item, each in zip(node.items, kind.item_types, strict=True))
        return _MISSING if _MISSING in items else items

    def scalar(self, node: Node, kind: inspect.Type) -> object:
        """Convert a text to a single value, such as a word, a number or a date."""
        if not isinstance(node, Text):
            return self.fault(node, wrong("E-VALUE-TYPE.kind", value=_quoted_node(node), kind=_type_name(kind)))
        if node.is_nothing:
            return self.fault(node, wrong("E-VALUE-MISSING", kind=_type_name(kind)))
        match kind:
            case inspect.LiteralType():
                return self.choice(node, {str(each): each for each in kind.values})
            case inspect.EnumType():
                return self.choice(node, {str(each.value): each for each in kind.cls})
            case inspect.BoolType():
                return self.truth(node)
            case inspect.IntType():
                return self.integer(node, kind)
            case inspect.StrType():
                return self.text(node, kind)
        return self.leaf(node, kind)

    def choice(self, node: Text, choices: dict[str, object]) -> object:
        """Return the value that the mapping `choices` has for the word of a node; capitals make no difference. An
        unknown word is a fault."""
        folded = {each.casefold(): value for each, value in choices.items()}
        found = choices.get(node.value, folded.get(node.value.casefold(), _MISSING))
        if found is _MISSING:
            hint = _choices(node.value, choices)
            return self.fault(node, wrong("E-VALUE-CHOICE", hint=hint, value=as_quoted(node.value)))
        return found

    def truth(self, node: Text) -> object:
        word = node.value.casefold()
        if word in TRUTHS:
            return TRUTHS[word]
        return self.fault(node, wrong("E-VALUE-TYPE.truth", value=as_quoted(node.value)))

    def integer(self, node: Text, kind: inspect.IntType) -> object:
        if not _INTEGER.fullmatch(node.value):
            return self.fault(node, wrong("E-VALUE-TYPE.digits", value=as_quoted(node.value)))
        number = int(node.value)
        low = kind.ge if kind.ge is not None else None if kind.gt is None else kind.gt + 1
        high = kind.le if kind.le is not None else None if kind.lt is None else kind.lt - 1
        if (low is not None and number < low) or (high is not None and number > high):
            limits = (*_limit("at-least", low), *_limit("at-most", high))
            return self.fault(node, wrong("E-VALUE-RANGE.number", number=number, limits=limits))
        return number

    def text(self, node: Text, kind: inspect.StrType) -> object:
        length = len(node.value)
        if length < (kind.min_length or 0):
            return self.fault(node, wrong("E-VALUE-RANGE.short", least=kind.min_length or 0))
        if kind.max_length is not None and length > kind.max_length:
            return self.fault(node, wrong("E-VALUE-RANGE.long", length=length, most=kind.max_length))
        if kind.pattern is not None and not re.search(kind.pattern, node.value):
            return self.fault(node, wrong("E-VALUE-RANGE.form", value=as_quoted(node.value)))
        return node.value

    def leaf(self, node: Text, kind: inspect.Type) -> object:
        """Convert a text to a date, a time or a decimal number, with msgspec."""
        try:
            return msgspec.convert(node.value, _LEAVES[type(kind)], strict=False)
        except msgspec.ValidationError as error:
            why = str(error).lower()
            return self.fault(node, wrong("E-VALUE-TYPE.unread", value=as_quoted(node.value), why=why))


def _suits(node: Node, kind: inspect.Type) -> bool:
    """True if a node can probably be converted to this type. The shape of the node decides, and for some types its
    text."""
    if isinstance(kind, inspect.AnyType):
        return True
    if isinstance(node, MappingNode):
        return isinstance(kind, _MAPPINGS)
    if isinstance(node, SequenceNode):
        return isinstance(kind, _LISTS | inspect.TupleType)
    match kind:
        case inspect.IntType():
            return bool(_INTEGER.fullmatch(node.value))
        case inspect.BoolType():
            return node.value.casefold() in TRUTHS
        case inspect.LiteralType():
            return node.value.casefold() in [str(each).casefold() for each in kind.values]
        case inspect.EnumType():
            return node.value.casefold() in [str(each.value).casefold() for each in kind.cls]
    return not isinstance(kind, _MAPPINGS | _LISTS | inspect.TupleType)


def _width(kind: inspect.Type) -> int:
    """Return a rank for a type in a union; types with a lower rank are tried first. Texts have rank 2, because any word
    is a text. Truth values have rank 1, all other types 0."""
    return 2 if isinstance(kind, inspect.StrType) else 1 if isinstance(kind, inspect.BoolType) else 0


def _limit(key: str, limit: int | None) -> tuple[Words, ...]:
    return () if limit is None else (words(key, least=limit),)


def _type_name(kind: inspect.Type) -> Words:
    match kind:
        case inspect.IntType():
            return words("a-number")
        case inspect.BoolType():
            return words("true-or-false")
        case inspect.StrType():
            return words("a-word")
        case inspect.LiteralType():
            return words("one-of", names=tuple(str(each) for each in kind.values))
        case inspect.EnumType():
            return words("one-of", names=tuple(str(each.value) for each in kind.cls))
        case inspect.DictType() | inspect.StructType():
            return words("a-mapping")
    return words("a-list") if isinstance(kind, _LISTS | inspect.TupleType) else words("a-value")


def _quoted_node(node: Node) -> Words | str:
    """Return the words by which a fault quotes a node. A long text is cut."""
    if isinstance(node, MappingNode):
        return words("a-mapping")
    if isinstance(node, SequenceNode):
        return words("a-list")
    return repr(node.value if len(node.value) <= 40 else node.value[:39] + "…") if node.value else words("nothing")


def _as_list(node: Node) -> Words:
    if isinstance(node, Text) and len(node.value) <= 40:
        return words("write", what=f"[{node.value}]")
    return words("write-list")


def _choices(written: str, known: Iterable[str]) -> Hint:
    """Return a hint with the known words that are most similar to `written`. If none is similar, the hint has the first
    twelve known words."""
    every = list(known)
    folded = {word.casefold(): word for word in every}
    near = difflib.get_close_matches(written.casefold(), folded, n=2, cutoff=0.6)
    if near:
        return did_you_mean(folded[each] for each in near)
    return words("possible", names=(*every[:12], *["…"] * (len(every) > 12))) if every else ""
