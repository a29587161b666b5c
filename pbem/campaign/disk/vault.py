"""The moderator's vault: the secret, the whole position and addresses, sealed to the moderator's key; and a reader of
JSON files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Struct, field

from pbem.campaign.play.snapshot import Snapshot
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.seal.box import pad, seal, unpad, unseal
from pbem.seal.keys import PrivateKey
from pbem.seal.signature import sign, verify

T = TypeVar("T")


def json_value(data: bytes, kind: type[T], source: str, wording: str) -> T:
    """Return the value in the JSON file called `source`. Raises `Refused`, also for endless nesting."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(source, [wrong(wording, why=" ".join(str(error).split())[:200])]) from None


FORMAT = 1
"""Present format of the sealed file; older formats are migrated on reading."""

DOMAIN = b"pbem/vault/1\n"
"""Prefix of the signed content, so that the signature cannot be used for anything else."""

MIGRATIONS: dict[int, Callable[[dict[str, object]], dict[str, object]]] = {}
"""For every older format, the function that makes a document of the next format."""


class Intent(Struct, frozen=True):
    """Note of a running command: written before its first entry, removed when the command has ended."""

    command: str
    """Fingerprint of the whole command line."""
    entry: int
    """The last entry before those of the command."""


class FormerAddress(Struct, frozen=True):
    """Former address of a seat, to which a note of the change is still owed."""

    seat: str
    address: str
    now: str
    """The address that took its place; empty for none."""
    entry: int
    """Last entry at that time. If the seat was given to somebody else, it is the entry that says so."""
    is_lost: bool = False
    """True if the seat was given to somebody else."""


class Vault(Struct):
    """Content of the sealed file."""

    format: int
    entry: int
    """Last entry of the ledger that this state includes."""
    hash: str
    """SHA-256 of that entry."""
    kept: Snapshot
    posted: Snapshot
    """State when reports were last written; the next reports begin there."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Mail addresses of players."""
    former: list[FormerAddress] = field(default_factory=list)
    """Former addresses that have not been told of the change yet."""
    intent: Intent | None = None
    """Note of a command that has begun to write entries, and has not ended yet."""


class Signed(Struct, frozen=True):
    """The content with the moderator's signature. Without a signature anybody could make such a file, because the key
    to which it is sealed is public."""

    signature: str
    content: msgspec.Raw


def lock_up(vault: Vault, key: PrivateKey) -> bytes:
    """Return the bytes of `secret.age`: signed, padded to one of a few lengths, and sealed to the moderator alone."""
    content = msgspec.json.encode(vault)
    signed = Signed(sign(key, DOMAIN + content), msgspec.Raw(content))
    return seal([key.public], pad(msgspec.json.encode(signed))).encode()


def unlock(data: bytes, key: PrivateKey) -> Vault:
    """Return the content of the sealed file. Raises `SealFault` for the wrong key and `Refused` for a damaged file."""
    plain = unpad(unseal(key, data.decode("ascii", "replace")))
    signed = json_value(plain, Signed, "secret.age", "E-VAULT-FORM")
    content = bytes(signed.content)
    verify(key.public, DOMAIN + content, signed.signature)
    try:
        # Untyped first, for its format: a document of another one need not fit the type.
        document = msgspec.json.decode(content)
        return (
            msgspec.convert(migrated_document(document), Vault)
            if document["format"] != FORMAT
            else msgspec.json.decode(content, type=Vault)
        )
    except (msgspec.MsgspecError, KeyError, TypeError) as error:
        raise Refused("secret.age", [wrong("E-VAULT-FORM", why=str(error))]) from None


def migrated_document(document: dict[str, object]) -> dict[str, object]:
    """Return a document in the present format, migrated step by step. Raises `Refused` for an unknown format."""
    while (form := document["format"]) != FORMAT:
        if not isinstance(form, int) or form not in MIGRATIONS:
            raise Refused("secret.age", [wrong("E-VAULT-FORMAT", format=str(form))])
        document = MIGRATIONS[form](document)
    return document
