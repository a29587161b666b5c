"""Bodies of entries: one type for each kind of entry, and functions that tell entries apart."""

from __future__ import annotations

from typing import Annotated, Literal, TypeGuard, TypeVar

from msgspec import Meta, Struct

from pbem.campaign.settings import Settings
from pbem.paper.agreements import Binds
from pbem.seal.canonical import AnyTree

T = TypeVar("T", bound="Record")

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""Text of 64 lower-case hexadecimal digits: a SHA-256, or a secret of 32 bytes."""

PROTOCOL = 7
"""Number of the protocol that new campaigns keep to (docs/protocol.md)."""

Status = Literal["final", "draft", "partial"]
"""Status of orders: `final`; `draft` if the player may still change them; `partial` if they leave some decision without
an answer."""


class Record(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Body of an entry. Default values are not written, and unknown keys are refused."""


class NewRecord(Record, frozen=True):
    """Entry that begins a campaign."""

    settings: Settings
    moderator: str
    secret: Digest
    """Commitment to the moderator's random bytes."""
    program: str
    files: dict[str, Digest] = {}
    """Dict from the name of each of the campaign's own board, politics and position files to its SHA-256."""
    protocol: Annotated[int, Meta(ge=1, le=PROTOCOL)] = 1
    """Protocol of the campaign, which it keeps to its end: older ledgers are judged by the rules of their time."""


class JoinRecord(Record, frozen=True):
    """Entry of a player who takes a seat, with the player's key and random bytes. The signed letter is stored whole. If
    players are masked, the letter stays sealed until the close, and the key has no comment."""

    player: str
    key: str
    entropy: Digest
    seq: int
    mark: Digest
    letter: str = ""
    name: str = ""
    language: str = ""


class DealtShuffle(Struct, frozen=True, omit_defaults=True):
    """The public part of a shuffle: a salted hash of the card in every position, the top first."""

    number: int
    hashes: tuple[Digest, ...]


class CardProof(Struct, frozen=True):
    """Proof that a shown card is the card that was dealt. `position` 0 is on top. `salt` is the salt of the published
    hash."""

    shuffle: int
    position: int
    card: int
    salt: Digest


class Next(Struct, frozen=True, omit_defaults=True):
    """Public facts on a position: its stage and digest, the players who owe answers, and the deadline."""

    stage: str
    phase: str
    digest: Digest
    owing: dict[str, tuple[str, ...]] = {}
    """Dict from each player who owes an answer to those powers of the player that have decisions."""
    answered: tuple[str, ...] = ()
    """Players in `owing` whose valid letters answer all that is asked of them."""
    deadline: str = ""
    over: bool = False


class AdjudicationRecord(Record, frozen=True):
    """Entry of an adjudication, which carries orders out as far as they go and reaches a new position. The first
    adjudication begins the game."""

    version: int
    """Number of this adjudication, counted from 1 over the whole campaign."""
    stage: str
    used: tuple[int, ...]
    """Entries of the letters from which answers could be taken."""
    events: tuple[dict[str, AnyTree], ...]
    """Public part of the events (docs/events.md). All values are written as texts."""
    record: Digest
    """Commitment to all answers and events, which is opened when the campaign closes."""
    state: Digest
    """Commitment to the whole position that was reached."""
    next: Next
    dealt: tuple[DealtShuffle, ...] = ()
    openings: tuple[CardProof, ...] = ()
    absent: dict[str, str] = {}
    """Dict from each player for whom defaults answered to the reason."""
    forced: bool = False
    """True if the moderator went on before the clock allowed it."""
    returned: tuple[str, ...] = ()
    """Players whose orders turned out to be impossible and were sent back."""
    forfeited: dict[str, tuple[str, ...]] = {}
    """Dict from each player who did not reveal in time to the names of the sealed parts that were not revealed."""
    drawn: dict[str, str] = {}
    """Dict from each seat that a player joined to the seat that the lot gives this player. It is empty except in the
    first adjudication of a campaign with a lot."""


class LetterRecord(Record, frozen=True):
    """Entry of an accepted letter. The letter stays sealed until the campaign closes."""

    player: str
    kind: str
    mark: Digest
    """Fingerprint of the letter, keyed with the moderator's secret, so that nobody can guess the content."""
    stage: str
    seq: int
    status: Status = "final"
    wait: bool = False
    """True if the player asks not to go on before the deadline."""
    slots: dict[str, Digest] = {}
    """Dict from the name of each sealed part of the letter to the commitment to this part."""
    acted: str = ""
    """Reason for which the moderator wrote the letter in the player's place; empty for the player's own letter."""
    bot: str = ""
    """Bot that wrote the letter, standing in for a player who is away."""


class RefusedRecord(Record, frozen=True):
    """Entry of a refused letter or text. `player` is the seat named as sender, if any. Only the sender is told the
    reason."""

    mark: Digest
    player: str = ""


class LockRecord(Record, frozen=True):
    """Entry of a lock: players now reveal their sealed parts, and may not change them any more (`sealing: reveal`)."""

    stage: str
    letters: tuple[int, ...]
    """Entries of the letters whose orders or plans the lock fixes."""
    deadline: str = ""
    forced: bool = False
    """True if the moderator went on before the clock allowed it."""


class RulingRecord(Record, frozen=True):
    """Entry of a ruling by the moderator, in words. `rule` is the rule that it cites, if any."""

    words: str
    rule: str = ""


class ExtensionRecord(Record, frozen=True):
    """Entry of a later deadline, set by the moderator, by a vote, or because a player is away."""

    until: str
    why: str
    proposal: int = 0
    """Entry of the proposal that this entry carries out; 0 for a ruling."""


class AbsenceRecord(Record, frozen=True):
    """Entry of an absence: days on which a player is away."""

    player: str
    first: str
    last: str
    why: str = ""
    bot: str = ""
    """Bot that stands in on these days, with its version."""
    key: str = ""


Occasion = Literal["before", "deadline", "late"]


class ReminderRecord(Record, frozen=True):
    """Entry of a reminder to players who owe something. `kind` tells when it was due: before the deadline, at the
    deadline, or daily after it (`late`)."""

    players: tuple[str, ...]
    kind: Occasion


class RollbackRecord(Record, frozen=True):
    """Entry of a return to the position of an earlier entry. Nothing is deleted."""

    to: int
    why: str
    next: Next


NOWHERE = Next("", "", "")
"""`Next` of a game that has not begun."""


class ClockRecord(RollbackRecord, frozen=True):
    """Entry that corrects a wrong clock: the game goes back to the position after the entry `to`. Only this entry may
    be dated before the preceding entry. If revealed letters forbid the return, the entry has no `next` and only sets
    the deadline."""

    next: Next = NOWHERE
    deadline: str = ""
    """New deadline if the game stays locked."""


class SubstituteRecord(Record, frozen=True):
    """Entry that gives a seat to another player, or to a bot."""

    player: str
    key: str
    why: str
    name: str = ""
    language: str = ""
    bot: str = ""
    """Bot that takes the seat, with its version; empty for a person."""
    proposal: int = 0
    """Entry of the proposal that this entry carries out; 0 for a ruling."""


class KeyChangeRecord(Record, frozen=True):
    """Entry of a new key. It follows from a player's letter that the old key has signed, or from a ruling. If `player`
    is empty, the new key is the moderator's."""

    player: str
    key: str
    seq: int = 0
    mark: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")] = ""
    letter: str = ""
    why: str = ""


class AgreementRecord(Record, frozen=True):
    """Entry of an agreement, for which each party has sent a signed letter."""

    powers: tuple[str, ...]
    words: str
    letters: tuple[int, ...]
    """Entries of the letters that sign the agreement."""
    binds: Binds = {}
    until: str = ""


class HeirloomRecord(Record, frozen=True):
    """Entry of a new heirloom: the moderator's key, split into parts from which an heir can restore it. As many
    parts are needed as there are `points`."""

    points: Annotated[tuple[Digest, ...], Meta(min_length=2, max_length=9)]
    """Points by which everybody can check a part (docs/protocol-seal.md)."""
    parts: dict[str, Annotated[int, Meta(ge=1, le=9)]]
    """Dict from each player to the number of the player's part of the key. Players without a part are left out."""


class SuccessionRecord(Record, frozen=True):
    """Entry by which an heir carries the campaign on, signed with the heir's key."""

    key: str
    letters: dict[str, str]
    """Signed letters that give the campaign to the heir, each under the seat of its writer. If the former moderator
    gives the campaign away, there is only one letter, under `moderator`."""
    name: str = ""
    seat: str = ""
    """Seat of an heir who also plays."""
    deadline: str = ""
    """Deadline of the present stage from now on; empty if nobody owes anything."""


SubjectName = Literal["draw", "standing", "concede", "resign", "time", "replace", "clock"]
"""Subject of a proposal (`proposals.SUBJECTS`)."""

Ending = Literal["draw", "standing", "concede"]
"""Subject of a proposal that ends the game."""

Resolved = Literal["replace", "clock"]
"""Subject of a proposal that a `ResolutionRecord` carries out."""

Says = Literal["yes", "no"]


class ProposalRecord(Record, frozen=True):
    """Entry of a proposal on which the seats vote. The signed letter is stored whole."""

    player: str
    subject: SubjectName
    seq: int
    mark: Digest
    letter: str
    about: str = ""
    """Seat or other text that the subject is about."""
    days: Annotated[int, Meta(ge=1, le=60)] = 7
    """Days after which the proposal lapses."""


class VoteRecord(Record, frozen=True):
    """Entry of a vote on a proposal. The signed letter is stored whole."""

    player: str
    proposal: int
    """Number of the proposal's entry."""
    says: Says
    seq: int
    mark: Digest
    letter: str


class EndRecord(Record, frozen=True):
    """Entry that ends the game because the seats have agreed on it."""

    proposal: int
    """Number of the proposal's entry."""
    how: Ending
    winners: tuple[str, ...] = ()
    """Seats that have won; empty for none."""


class ResolutionRecord(Record, frozen=True):
    """Entry that carries out a vote: a player loses the seat, or the time for each stage changes. Proposals on other
    subjects have entries of other kinds."""

    proposal: int
    """Number of the proposal's entry."""
    subject: Resolved
    about: str
    """Seat that is given up, or time for each stage from now on."""


class CloseRecord(Record, frozen=True):
    """Entry that closes the campaign: the secret is published, and the file of opened letters is named."""

    secret: Digest
    opened: Digest
    """SHA-256 of the file of opened letters."""
    why: str = ""
    people: dict[str, Annotated[str, Meta(min_length=1)]] = {}
    """Dict from each seat whose player was masked until now to the player's name. Players without a name are left
    out."""


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
    "heirloom": HeirloomRecord,
    "succession": SuccessionRecord,
    "proposal": ProposalRecord,
    "vote": VoteRecord,
    "end": EndRecord,
    "resolution": ResolutionRecord,
    "close": CloseRecord,
}
"""Dict from each kind of entry to the type of its body."""

NAMES = {body: kind for kind, body in KINDS.items()}

MOVING = ("adjudication", "rollback", "clock")
"""Kinds of entries that can lead to a position."""


def keeps_letter(record: Record) -> TypeGuard[LetterRecord | JoinRecord | KeyChangeRecord]:
    """True if an entry accepts a letter that the moderator keeps sealed until the close."""
    if isinstance(record, JoinRecord | KeyChangeRecord):
        return bool(record.mark) and not record.letter
    return isinstance(record, LetterRecord)


def goes_back(record: Record) -> TypeGuard[RollbackRecord]:
    """True for a rollback, and for a correction of the clock that puts the game back to an earlier position."""
    return isinstance(record, RollbackRecord) and record.next != NOWHERE


def is_position(record: Record) -> bool:
    """True if the game can go back to the position after this entry."""
    return isinstance(record, AdjudicationRecord) or goes_back(record)
