"""Entries of the ledger: one file each, signed by the moderator and tied to the bytes of the entry before.

An entry can be written in one form only: its head in the order of `_KEYS`, all keys of its body in canonical order, in
lines of 100 characters. An entry that is read must give the same bytes when it is written again. So the signature
covers every byte, although the signed text is made of the parsed tree.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import yaml
from msgspec import Struct

from pbem.campaign.clock.clock import is_moment, parse_moment, stamp
from pbem.campaign.ledger.records import KINDS, Record
from pbem.engine.events import Event
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.kit import game_named
from pbem.paper.documents.characters import clean_text
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import PARSER, DocumentLimits, bare, read_yaml
from pbem.paper.documents.writing import Value, write
from pbem.paper.letters import normal_armor
from pbem.seal.canonical import AnyTree, Tree, canonical, utf16_order

if TYPE_CHECKING:
    from pbem.seal.keys import PrivateKey, PublicKey

ENTRY = DocumentLimits(size=2 * 1024 * 1024, depth=32, nodes=200_000)
"""Limits of an entry's size, depth and number of nodes."""

NOTHING_BEFORE = "0" * 64
"""Hash that the first entry gives in place of the hash of a previous entry."""

LAST_NUMBER = 9999
SUCCESSION = "succession"
"""Kind of the entry that makes an heir the moderator. Only this entry is signed with the new key that it names. The
letters in it prove that this key may sign (docs/protocol.md)."""

FILE_NAME = re.compile(r"([0-9]{4})-([a-z]+(?:-[a-z]+)*)\.yaml")

_MOST_EVENTS = 2 * ENTRY.nodes
"""Most parser events that are read from one file. A list or mapping has two events. The fault of a file with more
events is found by the strict reader (`strict.read_yaml`)."""

_SMALL = 16 * 1024
"""Most bytes of an entry that is cached. Ordinary entries are smaller. The limit prevents an attacker's huge entries
from filling the memory."""

_WIDTH = 100
"""Longest line in characters. It is longer than the lines of a letter, because an entry is not mailed. So a hash stays
in one piece, and can be searched for."""

_FORMS: dict[str, tuple[Callable[[str], object], Words]] = {
    "pbem": (re.compile("1").fullmatch, words("entry-format")),
    "entry": (re.compile("[1-9][0-9]{0,3}").fullmatch, words("entry-number", most=LAST_NUMBER)),
    "kind": (re.compile("[a-z]+(?:-[a-z]+)*").fullmatch, words("a-word")),
    "campaign": (re.compile("[a-z0-9][a-z0-9-]{0,39}").fullmatch, words("entry-campaign")),
    "time": (is_moment, words("entry-time")),
    "before": (re.compile("[0-9a-f]{64}").fullmatch, words("entry-hash")),
    "signature": (
        re.compile(
            r"-----BEGIN SSH SIGNATURE-----\n(?:[^-\s]{64}\n)*[^-\s]{1,64}\n-----END SSH SIGNATURE-----\n"
        ).fullmatch,
        words("entry-signature"),
    ),
}
_KEYS = ("pbem", "entry", "kind", "campaign", "time", "before", "body", "signature")
"""All keys of an entry, in the order in which they are written."""


class Entry(Struct, frozen=True):
    """An entry that could be read. `Ledger.check` checks its signature and its place in the ledger."""

    number: int
    kind: str
    campaign: str
    time: datetime
    before: str
    """SHA-256 of the bytes of the preceding entry."""
    body: Tree
    signature: str
    tree: dict[str, Tree]
    """The signed content: everything but the signature, as plain texts."""
    hash: str
    """SHA-256 of this entry's own bytes."""


def file_name(number: int, kind: str) -> str:
    return f"{number:04d}-{kind}.yaml"


class EntryHead(NamedTuple):
    """Head of an entry that is yet to be signed. `before` is the hash of the preceding entry."""

    number: int
    kind: str
    campaign: str
    time: datetime
    before: str


def build_entry(head: EntryHead, body: Value, key: PrivateKey) -> bytes:
    """Return the bytes of a new entry. Raises `Refused` for an entry that could not be read again."""
    from pbem.seal.signature import sign

    assert head.time.tzinfo, "the time of an entry is that of a zone"
    tree: dict[str, Tree] = {
        "pbem": "1",
        "entry": str(head.number),
        "kind": head.kind,
        "campaign": head.campaign,
        "time": stamp(head.time),
        "before": head.before,
        "body": _as_read(body),
    }
    # The text is written before it is signed, so that a forbidden character raises a fault of its own.
    written = _text_of(tree, _KEYS[:-1])
    signed = _text_of({"signature": normal_armor(sign(key, canonical(tree)))}, _KEYS[-1:])
    data = (written + signed).encode("utf-8")
    parse_entry(data, file_name(head.number, head.kind))
    return data


def _as_read(value: Value) -> Tree:
    """Return the tree that comes out if a value is written and read again."""
    if isinstance(value, Mapping):
        return {clean_text(key): _as_read(item) for key, item in value.items()}
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else [_as_read(item) for item in value]


def parse_entry(content: bytes, name: str) -> Entry:
    """Return the entry in a file. Raises `Refused` for faults of the keys or the head, and for a file that is not
    exactly as this program writes it. Callers must not change the entry, which may be cached."""
    return _cached_entry(content, name) if len(content) <= _SMALL else _parse(content, name)


@lru_cache(maxsize=1024)
def _cached_entry(content: bytes, name: str) -> Entry:
    return _parse(content, name)


def _parse(content: bytes, name: str) -> Entry:
    tree = _tree(content, name)
    if faults := _faults(tree):
        raise Refused(name, faults)
    try:
        written = _bytes_of(tree)
    except ValueError:
        read_yaml(content, name, ENTRY)
        # If the strict reader finds a fault, it has raised it with its place in the file.
        raise _no_entry(name) from None
    if written != content:
        raise Refused(name, [_layout_fault(content, written)])
    head: AnyTree = tree
    return Entry(
        number=int(head["entry"]),
        kind=head["kind"],
        campaign=head["campaign"],
        time=parse_moment(head["time"]),
        before=head["before"],
        body=tree["body"],
        signature=head["signature"],
        tree={key: value for key, value in tree.items() if key != "signature"},
        hash=hashlib.sha256(content).hexdigest(),
    )


def check_entry(entry: Entry, public: PublicKey) -> None:
    """Check that an entry is signed with the moderator's key `public`. An entry that makes an heir the moderator must
    be signed with the heir's key. Raises `SealFault` otherwise."""
    from pbem.seal.signature import verify

    verify(key_after(entry, public) if entry.kind == SUCCESSION else public, canonical(entry.tree), entry.signature)


def key_after(entry: Entry, before: PublicKey) -> PublicKey:
    """Return the moderator's key that is valid after this entry: a new key that the entry names, else `before`. Raises
    `SealFault` if the new key is unreadable."""
    from pbem.seal.keys import PublicKey

    body = entry.body if isinstance(entry.body, dict) else {}
    is_new = entry.kind == SUCCESSION or (entry.kind == "key-change" and not body.get("player"))
    return PublicKey.parse(str(body.get("key", ""))) if is_new else before


def _tree(content: bytes, name: str) -> dict[str, Tree]:
    """Return the tree in an entry's YAML. Raises `Refused` for faulty YAML."""
    if len(content) > ENTRY.size:
        read_yaml(content, name, ENTRY)
    try:
        events = islice(yaml.parse(content, Loader=PARSER), _MOST_EVENTS)
        next(events), next(events)  # the beginning of the stream, and of the document
        tree = _value(next(events), events, ENTRY.depth)
        if type(next(events)) is yaml.DocumentEndEvent and type(next(events)) is yaml.StreamEndEvent:
            return _mapping(tree, name)
    except (yaml.YAMLError, StopIteration):
        pass
    return _mapping(bare(read_yaml(content, name, ENTRY)), name)


def _value(event: object, events: Iterator[object], depth: int) -> Tree:
    """Return the value that begins with `event`. The rest of the value is taken from `events`, the events of the parser
    that follow. Raises `YAMLError` for YAML that entries never have, and for values nested deeper than `depth`."""
    kind = type(event)
    if getattr(event, "anchor", None) is not None:
        raise yaml.YAMLError
    if isinstance(event, yaml.ScalarEvent):
        return str(event.value)
    if not depth or kind not in (yaml.SequenceStartEvent, yaml.MappingStartEvent):
        raise yaml.YAMLError
    if kind is yaml.SequenceStartEvent:
        items: list[Tree] = []
        while type(event := next(events)) is not yaml.SequenceEndEvent:
            items.append(_value(event, events, depth - 1))
        return items
    entries: dict[str, Tree] = {}
    while type(event := next(events)) is not yaml.MappingEndEvent:
        # Depth 0: a key can be nothing but a text.
        key = _value(event, events, 0)
        assert isinstance(key, str)
        entries[key] = _value(next(events), events, depth - 1)
    return entries


def _mapping(tree: Tree, name: str) -> dict[str, Tree]:
    if not isinstance(tree, dict):
        raise _no_entry(name)
    return tree


def _faults(tree: dict[str, Tree]) -> list[Wrong]:
    """Return the faults of an entry's keys, and of the values in its head."""
    faults = []
    if unknown := [key for key in tree if key not in _KEYS]:
        faults.append(wrong("E-LEDGER-KEY", key=as_quoted(unknown[0])))
    if missing := [key for key in _KEYS if key not in tree]:
        faults.append(wrong("E-LEDGER-MISSING", keys=tuple(missing)))
    for key, (form, wanted) in _FORMS.items():
        value = tree.get(key, "")
        if key in tree and not (isinstance(value, str) and form(value)):
            faults.append(wrong("E-LEDGER-VALUE", key=key, wanted=wanted))
    return faults


def _bytes_of(tree: dict[str, Tree]) -> bytes:
    return _text_of(tree, _KEYS).encode("utf-8")


def _text_of(tree: dict[str, Tree], keys: tuple[str, ...]) -> str:
    """Return the lines of YAML for these keys of an entry."""
    return write({key: _ordered_tree(tree[key]) for key in keys}, _WIDTH)


def _ordered_tree(tree: Tree) -> Tree:
    """Return the tree with the keys of all mappings in canonical order."""
    match tree:
        case dict():
            return {key: _ordered_tree(tree[key]) for key in utf16_order(tree)}
        case list():
            return [_ordered_tree(item) for item in tree]
    return tree


def _no_entry(name: str) -> Refused:
    return Refused(name, [wrong("E-LEDGER-FORM")])


def _layout_fault(content: bytes, right: bytes) -> Wrong:
    """Return the fault of a file that differs from `right`, the bytes that the program would write. The fault names the
    first line that differs."""
    if fault := changed_ends(content, right):
        return fault
    pairs = zip(content.split(b"\n"), right.split(b"\n"), strict=False)
    line = next((number for number, (ours, theirs) in enumerate(pairs, 1) if ours != theirs), 1)
    return Fault.at(line, 1, wrong("E-LEDGER-LAYOUT"))


def changed_ends(content: bytes, right: bytes) -> Wrong | None:
    """Return a fault if a file differs from `right`, its correct content, only in line ends. Return None otherwise."""
    if content == right or content.replace(b"\r\n", b"\n") != right:
        return None
    return wrong("E-LINE-ENDS")


def texts(value: object) -> AnyTree:
    """Return a value as nested lists and mappings of texts, without None in mappings."""
    return _TEXTS[type(value)](value)


def _texts_of_dict(value: dict[object, object]) -> AnyTree:
    found: dict[str, AnyTree] = {}
    for key, item in value.items():
        if type(item) is str:  # most items are texts, and a call for each would take half of the time
            found[str(key)] = item
        elif item is not None:
            found[str(key)] = _TEXTS[type(item)](item)
    return found


def _texts_of_list(value: Sequence[object]) -> AnyTree:
    return [item if type(item) is str else _TEXTS[type(item)](item) for item in value]


_TEXTS: dict[type, Callable[[Any], AnyTree]] = {
    str: str,
    int: str,
    bool: lambda value: "true" if value else "false",
    dict: _texts_of_dict,
    list: _texts_of_list,
    tuple: _texts_of_list,
    NoneType: lambda value: "",
}
"""Dict from each type of value to the function that turns such a value into plain texts."""


def as_texts(value: Struct) -> dict[str, Tree]:
    """Return the fields of a struct as nested lists and mappings of texts."""
    tree: dict[str, Tree] = texts(msgspec.to_builtins(value, str_keys=True))
    return tree


def says_the_same(first: Struct, second: Struct) -> bool:
    """True if two structs are equal, or equal when written as texts."""
    return first == second or as_texts(first) == as_texts(second)


def record_of(kind: str, body: object) -> Record:
    """Return the typed body of an entry. Raises `msgspec.ValidationError` for a faulty body, and `KeyError` for an
    unknown kind."""
    return msgspec.convert(body, KINDS[kind], strict=False)


def record_in(entry: Entry) -> Record:
    """Return the typed body of an entry. Raises `Refused` for a faulty body or an unknown kind."""
    try:
        return record_of(entry.kind, entry.body)
    except KeyError:
        raise Refused(file_name(entry.number, entry.kind), [wrong("E-LEDGER-KIND", kind=entry.kind)]) from None
    except msgspec.ValidationError as error:
        raise Refused(file_name(entry.number, entry.kind), [wrong("E-LEDGER-BODY", why=str(error))]) from None


def events_in(game: str, written: Iterable[Mapping[str, AnyTree]]) -> list[Event]:
    """Return the public events of an adjudication's entry. Secret fields are None."""
    kinds = kinds_in(game)
    return [event_of(kinds[tree["type"]], tree) for tree in written]


@cache
def kinds_in(game: str) -> dict[str, type[Event]]:
    """Return the types of events of a game. The keys are the names of these types in entries."""
    # This loads the game: its events are found as subclasses.
    game_named(game)
    return {kind.__name__: kind for kind in kinds_of(Event)}


def kinds_of(kind: type[Event]) -> Iterable[type[Event]]:
    """Yield all loaded kinds of event derived from `kind`."""
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)


def event_of(kind: type[Event], tree: Mapping[str, object]) -> Event:
    """Return the event that `tree` describes in an entry. Fields missing in the entry are None."""
    fields: dict[str, object] = dict.fromkeys(kind.__struct_fields__)
    # Not strict: in a ledger numbers are texts as well.
    return msgspec.convert({**fields, **tree}, kind, strict=False)
