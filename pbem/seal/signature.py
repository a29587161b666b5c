"""Signatures in OpenSSH's form SSHSIG, with the namespace `pbem`. The command `ssh-keygen -Y sign -n pbem` makes such
signatures."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.faults.wrong import wrong
from pbem.seal.faults import BadSignature, KeyFault
from pbem.seal.keys import KIND, Malformed, PublicKey, Signer, Unreadable, first, from_armor, pack, to_armor, unpack

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

NAMESPACE = "pbem"
_LABEL = "SSH SIGNATURE"
_MAGIC = b"SSHSIG"
_VERSION = (1).to_bytes(4, "big")
_HASHES = ("sha512", "sha256")
"""Hash algorithms that a signature may use. This program signs with the first."""
_LONGEST = 4000


class _Parsed(Struct, frozen=True):
    """Content of a signature: the key of the signer, the name of the hash algorithm, and the 64 bytes of the Ed25519
    signature."""

    signer: PublicKey
    hash_name: str
    signature: bytes


def sign(key: Signer, message: bytes) -> str:
    """Return the armored signature of a message."""
    made = key.sign(_signed_bytes(message, _HASHES[0]))
    fields = pack(key.public.blob, NAMESPACE.encode(), b"", _HASHES[0].encode(), pack(KIND.encode(), made))
    return to_armor(_MAGIC + _VERSION + fields, _LABEL)


def verify(public: PublicKey, message: bytes, armored: str) -> None:
    """Check that `armored` is a signature of this message by the key `public`. Raises `BadSignature` if it is not."""
    from cryptography.exceptions import InvalidSignature

    parsed = _parse(armored)
    if parsed.signer != public:
        raise BadSignature(wrong("E-SIGNATURE-KEY", signer=parsed.signer.fingerprint, wanted=public.fingerprint))
    try:
        _verify(public.raw, parsed.signature, _signed_bytes(message, parsed.hash_name))
    except InvalidSignature:
        raise BadSignature(wrong("E-SIGNATURE-WRONG")) from None


@lru_cache(maxsize=1024)  # many signatures are checked several times in one command
def _verify(key: bytes, signature: bytes, signed: bytes) -> None:
    """Raise `InvalidSignature` if this key has not signed these bytes."""
    _verifying_key(key).verify(signature, signed)


def signer_of(armored: str) -> PublicKey:
    """Return the key that a signature names. The signature is not verified. Raises `BadSignature` if it cannot be
    read."""
    return _parse(armored).signer


@lru_cache(maxsize=64)  # a campaign has few keys, but thousands of signatures
def _verifying_key(key: bytes) -> Ed25519PublicKey:
    """Return the library's object for verifying with this key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(key)


def _signed_bytes(message: bytes, hash_name: str) -> bytes:
    """Return the bytes to which Ed25519 is applied. They have the namespace, the name of the hash algorithm, and the
    hash of the message."""
    return _MAGIC + pack(NAMESPACE.encode(), b"", hash_name.encode(), hashlib.new(hash_name, message).digest())


@lru_cache(maxsize=256)
def _parse(text: str) -> _Parsed:
    """Return the content of a signature. Raises `BadSignature` if the text is malformed, or if the signature has
    another namespace or a kind that is not supported."""
    signer_blob, namespace, reserved, hash_name, signature = _fields(text)
    if namespace != NAMESPACE.encode():
        said = namespace[:40].decode("ascii", "replace")
        raise BadSignature(wrong("E-SIGNATURE-NAMESPACE", space=repr(said)))
    if reserved:
        raise _malformed_signature()
    name = hash_name[:40].decode("ascii", "replace")
    if name not in _HASHES:
        raise BadSignature(wrong("E-SIGNATURE-HASH", name=repr(name), names=_HASHES))
    return _Parsed(_signer(signer_blob), name, _ed25519(signature))


def _fields(text: str) -> list[bytes]:
    """Return the five fields that follow the first bytes and the version of a signature. Raises `BadSignature` if the
    text is no signature."""
    if len(text) > _LONGEST:
        raise BadSignature(wrong("E-SIGNATURE-ARMOR.long", most=_LONGEST))
    try:
        content = from_armor(text, _LABEL)
    except Unreadable as fault:
        raise BadSignature(wrong("E-SIGNATURE-ARMOR", why=fault.why)) from None
    if not content.startswith(_MAGIC + _VERSION):
        raise BadSignature(wrong("E-SIGNATURE-FORMAT"))
    try:
        return unpack(content.removeprefix(_MAGIC + _VERSION), 5)
    except Malformed:
        raise _malformed_signature() from None


def _signer(blob: bytes) -> PublicKey:
    try:
        return PublicKey.from_blob(blob)
    except KeyFault as fault:
        raise BadSignature(wrong("E-SIGNATURE-SIGNER", why=fault.message)) from None


def _ed25519(signature: bytes) -> bytes:
    try:
        kind, _ = first(signature)
        _, raw = unpack(signature, 2)
    except Malformed:
        raise _malformed_signature() from None
    if kind != KIND.encode() or len(raw) != 64:
        raise _malformed_signature()
    return raw


def _malformed_signature() -> BadSignature:
    return BadSignature(wrong("E-SIGNATURE-FORMAT.parts"))
