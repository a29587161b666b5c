"""Bodies of entries: one type for every kind of entry, its form as plain texts, and public events as values of the
engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, TypeGuard, TypeVar

import msgspec
from msgspec import Meta, Struct

from pbem.campaign.settings import Settings
from pbem.engine.events import Event
from pbem.kit import game_named
from pbem.paper.agreements import Binds
from pbem.seal.canonical import AnyTree, Tree

T = TypeVar("T", bound="Record")

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""SHA-256, or a secret as long, in 64 lower-case hexadecimal digits."""

PROTOCOL = 4
"""Protocol of campaigns that begin now (docs/protocol.md)."""

Status = Literal["final", "draft", "partial"]
"""`partial`: some decision is not answered yet."""


class Record(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Body of an entry. Default values are left out, and unknown keys are refused (docs/protocol.md)."""


class NewRecord(Record, frozen=True):
    """A campaign begins: its settings, the moderator's key, and the commitment to the secret of the deal."""

    settings: Settings
    moderator: str
    secret: Digest
    """The commitment to the moderator's random bytes."""
    program: str
    files: dict[str, Digest] = {}
    """The campaign's own boards and politics files, with their SHA-256."""
    protocol: Annotated[int, Meta(ge=1, le=PROTOCOL)] = 1
    """Protocol of the campaign, which it keeps to its end: older ledgers are judged by the rules of their time."""


class JoinRecord(Record, frozen=True):
    """A player has taken a seat, with a key and random bytes of their own; the signed letter is stored whole."""

    player: str
    key: str
    entropy: Digest
    seq: int
    mark: Digest
    letter: str
    name: str = ""
    language: str = ""


class DealtShuffle(Struct, frozen=True, omit_defaults=True):
    """The public part of a shuffle: a salted hash of the card in every position, the top first."""

    number: int
    hashes: tuple[Digest, ...]


class CardProof(Struct, frozen=True):
    """Proof that a card that was seen is the one that was dealt."""

    shuffle: int
    position: int
    card: int
    salt: Digest


class Next(Struct, frozen=True, omit_defaults=True):
    """Present stage, digest of the public state, players who owe something, and the deadline."""

    stage: str
    phase: str
    digest: Digest
    owing: dict[str, tuple[str, ...]] = {}
    """Players who owe an answer, with those of their powers that are asked."""
    answered: tuple[str, ...] = ()
    """Those of them whose letters in force have an answer already."""
    deadline: str = ""
    over: bool = False


class AdjudicationRecord(Record, frozen=True):
    """Orders were carried out as far as they go; the first adjudication begins the game."""

    version: int
    stage: str
    used: tuple[int, ...]
    """Entries of the letters that were in force."""
    events: tuple[dict[str, AnyTree], ...]
    """Public part of the events (docs/events.md), every value a text."""
    record: Digest
    """Commitment to all answers and events, which is opened when the campaign closes."""
    state: Digest
    """Commitment to the whole position that was reached."""
    next: Next
    dealt: tuple[DealtShuffle, ...] = ()
    openings: tuple[CardProof, ...] = ()
    absent: dict[str, str] = {}
    """Players for whom defaults answered, and the reasons."""
    forced: bool = False
    """True if the moderator went on before the clock allowed it."""
    returned: tuple[str, ...] = ()
    """Players whose orders turned out to be impossible and were sent back."""
    forfeited: dict[str, tuple[str, ...]] = {}
    """Sealed parts that were not revealed in time, by player."""
    drawn: dict[str, str] = {}
    """If seats are drawn, in the first adjudication: for each seat that was joined the one that its player plays."""


class LetterRecord(Record, frozen=True):
    """A letter was accepted; its content stays sealed until the campaign closes."""

    player: str
    kind: str
    mark: Digest
    """Fingerprint of the letter, keyed with the moderator's secret, so that nobody can guess the content."""
    stage: str
    seq: int
    status: Status = "final"
    wait: bool = False
    slots: dict[str, Digest] = {}
    """Commitments of its sealed parts."""
    acted: str = ""
    """Reason why the moderator wrote it in the player's place; empty for the player's own."""
    bot: str = ""
    """Bot that wrote it, standing in for a player who is away."""


class RefusedRecord(Record, frozen=True):
    """A letter, or a text meant as one, was refused. Only its sender is told the reason."""

    mark: Digest
    player: str = ""


class LockRecord(Record, frozen=True):
    """Every commitment is in: sealed parts may not change any more, and players reveal them now (`sealing: reveal`)."""

    stage: str
    letters: tuple[int, ...]
    deadline: str = ""
    forced: bool = False
    """True if the moderator went on before the clock allowed it."""


class RulingRecord(Record, frozen=True):
    """The moderator has ruled on something, in words."""

    words: str
    rule: str = ""


class ExtensionRecord(Record, frozen=True):
    """The deadline was moved by the moderator."""

    until: str
    why: str


class AbsenceRecord(Record, frozen=True):
    """A player is away for some days."""

    player: str
    first: str
    last: str
    why: str = ""
    bot: str = ""
    """Bot that stands in on these days, with its version."""
    key: str = ""
    """Key of the bot."""


Occasion = Literal["before", "deadline", "late"]


class ReminderRecord(Record, frozen=True):
    """Players were reminded of what they owe."""

    players: tuple[str, ...]
    kind: Occasion


class RollbackRecord(Record, frozen=True):
    """The position is again that of an earlier entry; nothing is deleted."""

    to: int
    why: str
    next: Next


NOWHERE = Next("", "", "")
"""`Next` of a game that has not begun."""


class ClockRecord(RollbackRecord, frozen=True):
    """A wrong clock was corrected; the game stands as after the entry `to`.

    It is the one entry that may be older than the one before. If it would turn back letters that were revealed behind a
    lock, it has no `next`, and everything stays but the deadline.
    """

    next: Next = NOWHERE
    deadline: str = ""
    """Deadline behind a lock that stays."""


class SubstituteRecord(Record, frozen=True):
    """Somebody else plays a seat from now on."""

    player: str
    key: str
    why: str
    name: str = ""
    language: str = ""
    bot: str = ""
    """Bot that takes the seat, with its version; empty for a person."""


class KeyChangeRecord(Record, frozen=True):
    """A player signs with another key from now on, by a letter signed with the old one, or by a ruling."""

    player: str
    key: str
    seq: int = 0
    mark: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")] = ""
    letter: str = ""
    why: str = ""


class AgreementRecord(Record, frozen=True):
    """Players have agreed on something, each by a signed letter."""

    powers: tuple[str, ...]
    words: str
    letters: tuple[int, ...]
    binds: Binds = {}
    until: str = ""


class CloseRecord(Record, frozen=True):
    """The campaign is closed: the secret is published, and the file with everything that was sealed is named."""

    secret: Digest
    opened: Digest
    """SHA-256 of the file of opened letters and records."""
    why: str = ""


KINDS: dict[str, type[Record]] = {
    "new": NewRecord,
    "join": JoinRecord,
    "letter": LetterRecord,
    "refused": RefusedRecord,
    "lock": LockRecord,
    "adjudication": AdjudicationRecord,
    "ruling": RulingRecord,
    "extension": ExtensionRecord,
    "absence": AbsenceRecord,
    "reminder": ReminderRecord,
    "rollback": RollbackRecord,
    "clock": ClockRecord,
    "substitute": SubstituteRecord,
    "key-change": KeyChangeRecord,
    "agreement": AgreementRecord,
    "close": CloseRecord,
}
"""Kinds of entries and their bodies."""

NAMES = {body: kind for kind, body in KINDS.items()}

MOVING = ("adjudication", "rollback", "clock")
"""Kinds of entries that can lead to a position."""


def goes_back(record: Record) -> TypeGuard[RollbackRecord]:
    """True if an entry puts the game back to an earlier position; before the game has begun none does."""
    return isinstance(record, RollbackRecord) and record.next != NOWHERE


def is_position(record: Record) -> bool:
    """True if the game can be turned back to the position after this entry."""
    return isinstance(record, AdjudicationRecord) or goes_back(record)


def texts(value: object) -> AnyTree:
    """A value as plain texts, lists and mappings; empty values are left out of mappings."""
    return _TEXTS[type(value)](value)


def _texts_of_dict(value: dict[object, object]) -> AnyTree:
    found: dict[str, AnyTree] = {}
    for key, item in value.items():
        if type(item) is str:  # most are, and a call for each costs as much as all the rest
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
"""Functions that write values of each type that msgspec makes of our structs."""


def as_texts(value: Struct) -> dict[str, Tree]:
    """A struct as plain texts."""
    tree: dict[str, Tree] = texts(msgspec.to_builtins(value, str_keys=True))
    return tree


def says_the_same(one: Struct, other: Struct) -> bool:
    """True if two structs are equal, or written alike."""
    return one == other or as_texts(one) == as_texts(other)


def record_of(kind: str, body: object) -> Record:
    """Typed body of an entry. Raises `msgspec.ValidationError` if it is not valid."""
    return msgspec.convert(body, KINDS[kind], strict=False)


def events_in(game: str, written: Iterable[Mapping[str, AnyTree]]) -> list[Event]:
    """Public events of an adjudication; fields that not everybody may know are empty."""
    kinds = kinds_in(game)
    return [event_of(kinds[tree["type"]], tree) for tree in written]


@cache
def kinds_in(game: str) -> dict[str, type[Event]]:
    """Every kind of event of a game, by name."""
    # Only to load the game: its events are found as subclasses.
    game_named(game)
    return {kind.__name__: kind for kind in kinds_of(Event)}


def kinds_of(kind: type[Event]) -> Iterable[type[Event]]:
    """Every kind of event that is loaded."""
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)


def event_of(kind: type[Event], tree: Mapping[str, object]) -> Event:
    """One event; fields that the ledger left out are empty."""
    fields: dict[str, object] = dict.fromkeys(kind.__struct_fields__)
    # Not strict: in a ledger numbers are texts as well.
    return msgspec.convert({**fields, **tree}, kind, strict=False)
