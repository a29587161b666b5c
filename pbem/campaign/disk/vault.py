"""The moderator's vault, a file sealed to the moderator's key: the secret of the deal, the whole position, and
addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.play.snapshot import Snapshot
from pbem.campaign.settings import Newcomer
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.seal.box import pad, seal, unpad, unseal
from pbem.seal.keys import PrivateKey
from pbem.seal.signature import sign, verify

T = TypeVar("T")


def json_value(content: bytes, kind: type[T], source: str, wording: str) -> T:
    """Read a value of type `kind` from JSON. Raises `Refused` with the fault `wording` about the file `source`."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(source, [wrong(wording, why=" ".join(str(error).split())[:200])]) from None


FORMAT = 1
"""Present format of the vault; older formats are migrated on reading."""

DOMAIN = b"pbem/vault/1\n"
"""Prefix of the signed content, so that the signature cannot be used for anything else."""

MIGRATIONS: dict[int, Callable[[dict[str, object]], dict[str, object]]] = {}
"""Dict from each older format to a function that converts the vault's JSON content to the next format."""


class Intent(Struct, frozen=True):
    """Note of a running command. It exists from before the command's first entry until the command ends."""

    command: str
    """Fingerprint of the complete command line."""
    entry: int
    """Last entry of the ledger before the command's own entries."""
    address: str = ""
    """Mail address of the person to whom the command gives a seat."""
    name: str = ""
    language: str = ""


class FormerAddress(Struct, frozen=True):
    """Former mail address of a seat, to which a mail about the change has still to be sent."""

    seat: str
    address: str
    now: str
    """Address that replaced the former one; empty if the seat has no address now."""
    entry: int
    """Last entry of the ledger when the address changed. If the seat was given to somebody else, it is the entry by
    which that person got the seat."""
    is_lost: bool = False
    """True if the seat was given to somebody else."""
    key: str = ""
    """Key of the player who lost the seat."""
    language: str = ""
    """Language of the player who lost the seat; empty if nobody did."""


class Asker(Struct, frozen=True):
    """Person who has asked for an open seat, and the letter that asks. The moderator chooses one of these persons."""

    number: int
    """Number among all who have asked for the seat, from 1. It never changes."""
    since: str
    """Moment at which the letter came."""
    letter: str
    identity: str
    """Fingerprint of the letter."""
    key: str
    raw: str = ""
    """SHA-256 of the message that contained the letter."""
    content: str = ""
    """Text by which the letter is recognised if it is refused and comes again."""
    address: str = ""
    message_id: str = ""
    entry: int = 0
    """Entry by which the person got the seat; 0 for all who did not get it."""


class Offer(Struct, frozen=True):
    """Offer of a seat to everybody."""

    entry: int
    """Last entry of the ledger when the seat was offered. The token of the offer is computed from it."""
    why: str = ""
    """Reason why the seat of a running game is given away."""
    is_choice: bool = False
    """True if the moderator chooses among those who ask; false if the first who asks gets the seat."""
    askers: tuple[Asker, ...] = ()
    chosen: int = 0
    """Number of the asker whom the moderator has chosen; 0 for nobody."""

    def ended(self, key: str = "", entry: int = 0) -> list[Asker]:
        """Return all askers of an offer that is over, so that they can be answered. `key` is the key of the player who
        got the seat by the entry `entry`. If the chosen asker has this key, the asker's `entry` is set to that number;
        all other askers get 0."""
        return [
            replace(each, entry=entry if each.number == self.chosen and each.key == key else 0) for each in self.askers
        ]


class KeptHeirloom(Struct, frozen=True):
    """Parts of the heirloom (the key for an heir), and notes of the last bundle sent."""

    points: tuple[str, ...]
    """Points by which everybody can check a part (`records.HeirloomRecord`)."""
    holders: dict[str, str]
    """Dict from each seat that has a part to its player's public key."""
    parts: dict[str, str]
    """Dict from each seat in `holders` to its part of the heirloom, sealed to its player's key."""
    sent: int = 0
    """Last entry in the bundles that were sent; 0 before the first bundle."""
    turn: int = 0
    """Turn in which the last bundle was made."""


class Vault(Struct):
    """Content of the moderator's vault: secret states of the campaign, mail addresses, and notes of work in
    progress."""

    format: int
    entry: int
    """Last entry of the ledger that the state `kept` includes."""
    hash: str
    """SHA-256 of that entry."""
    kept: Snapshot
    posted: Snapshot
    """State when reports were last written; the next reports tell what has happened since."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Dict from each seat, and from `moderator`, to the mail address."""
    former: list[FormerAddress] = field(default_factory=list)
    """Former addresses to which no mail about the change was sent yet."""
    intent: Intent | None = None
    """Note of a command that has begun to write entries, and has not ended yet."""
    heirloom: KeptHeirloom | None = None
    handed: str = ""
    """Public key of the person to whom the moderator has handed the campaign over; empty if there is none."""
    told: dict[str, Snapshot] = field(default_factory=dict)
    """Dict from each reader who gets one mail a day to the state at the last report, if it differs from `posted`."""

    offers: dict[str, Offer] = field(default_factory=dict)
    """Dict from each open seat to its offer."""
    answers: list[Asker] = field(default_factory=list)
    """People who asked for a seat whose offer has ended, and who have not been answered yet."""
    people: dict[str, Newcomer] = field(default_factory=dict)
    """Dict from each seat to the name and language of its player, or of the person invited to it, if players are
    masked."""

    def told_to(self, reader: str) -> Snapshot:
        """Return the state at the last report to a reader."""
        return self.told.get(reader, self.posted)


class Signed(Struct, frozen=True):
    """Content of the vault with the moderator's signature. The seal alone proves nothing, because anybody can seal a
    file to a public key."""

    signature: str
    content: msgspec.Raw


class _AnyFormat(Struct, frozen=True):
    """Format number of a vault, which is read before everything else."""

    format: object


def lock_up(vault: Vault, key: PrivateKey) -> bytes:
    """Sign a vault, pad it to one of a few lengths, and seal it to the moderator alone. Return the bytes of
    `secret.age`."""
    content = msgspec.json.encode(vault)
    signed = Signed(sign(key, DOMAIN + content), msgspec.Raw(content))
    return seal([key.public], pad(msgspec.json.encode(signed))).encode()


def unlock(encrypted: bytes, key: PrivateKey) -> Vault:
    """Return the vault in the bytes of `secret.age`. Raises `SealFault` for the wrong key or a false signature, and
    `Refused` for a damaged file."""
    plain = unpad(unseal(key, encrypted.decode("ascii", "replace")))
    signed = json_value(plain, Signed, "secret.age", "E-VAULT-FORM")
    content = bytes(signed.content)
    verify(key.public, DOMAIN + content, signed.signature)
    try:
        # The content of a vault in another format need not fit the type `Vault`.
        if msgspec.json.decode(content, type=_AnyFormat).format != FORMAT:
            return msgspec.convert(migrated_document(msgspec.json.decode(content)), Vault)
        return msgspec.json.decode(content, type=Vault)
    except (msgspec.MsgspecError, KeyError, TypeError) as error:
        raise Refused("secret.age", [wrong("E-VAULT-FORM", why=str(error))]) from None


def migrated_document(document: dict[str, object]) -> dict[str, object]:
    """Return the JSON content of an older vault, converted to the present format. Raises `Refused` for an unknown
    format."""
    while (form := document["format"]) != FORMAT:
        if not isinstance(form, int) or form not in MIGRATIONS:
            raise Refused("secret.age", [wrong("E-VAULT-FORMAT", format=str(form))])
        document = MIGRATIONS[form](document)
    return document
