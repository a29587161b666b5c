"""Signatures: OpenSSH's SSHSIG under the namespace `pbem`, the same that `ssh-keygen -Y sign -n pbem` makes."""

from __future__ import annotations

import hashlib

from msgspec import Struct

from pbem.seal.armor import Unreadable, from_armor, to_armor
from pbem.seal.faults import BadSignature, KeyFault
from pbem.seal.keys import KIND, PrivateKey, PublicKey
from pbem.seal.wire import Malformed, first, packed, unpacked

NAMESPACE = "pbem"
_LABEL = "SSH SIGNATURE"
_MAGIC = b"SSHSIG"
_VERSION = (1).to_bytes(4, "big")
_HASHES = ("sha512", "sha256")
"""The hash algorithms of the format; we sign with the first."""
_LONGEST = 4000


class _Parsed(Struct, frozen=True):
    """What a signature says: who signed, how the message was hashed, and the 64 bytes of Ed25519."""

    signer: PublicKey
    hash_name: str
    signature: bytes


def sign(key: PrivateKey, message: bytes) -> str:
    """The armored signature of the message."""
    # Loaded where it is used, here and in all of this room: commands that need no key start without it.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    made = Ed25519PrivateKey.from_private_bytes(key.seed).sign(_signed(message, _HASHES[0]))
    fields = packed(key.public.blob, NAMESPACE.encode(), b"", _HASHES[0].encode(), packed(KIND.encode(), made))
    return to_armor(_MAGIC + _VERSION + fields, _LABEL)


def verify(public: PublicKey, message: bytes, armored: str) -> None:
    """Return if `public` has signed exactly this message; raises `BadSignature`."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    parsed = _parsed(armored)
    if parsed.signer != public:
        says = f"the signature is of the key {parsed.signer.fingerprint}, not of {public.fingerprint}"
        raise BadSignature("E-SIGNATURE-KEY", says)
    try:
        Ed25519PublicKey.from_public_bytes(public.raw).verify(parsed.signature, _signed(message, parsed.hash_name))
    except InvalidSignature:
        raise BadSignature("E-SIGNATURE-WRONG", "the text was changed after it was signed") from None


def _signed(message: bytes, hash_name: str) -> bytes:
    """What Ed25519 signs: the hash of the message under the namespace."""
    return _MAGIC + packed(NAMESPACE.encode(), b"", hash_name.encode(), hashlib.new(hash_name, message).digest())


def _parsed(text: str) -> _Parsed:
    """The signature, if it is well-formed, of our namespace and of a kind we use."""
    signer_blob, namespace, reserved, hash_name, signature = _fields(text)
    if namespace != NAMESPACE.encode():
        said = namespace[:40].decode("ascii", "replace")
        message = f"the signature is for the namespace {said!r}; sign with `ssh-keygen -Y sign -n {NAMESPACE}`"
        raise BadSignature("E-SIGNATURE-NAMESPACE", message)
    if reserved:
        raise _malformed()
    name = hash_name[:40].decode("ascii", "replace")
    if name not in _HASHES:
        message = f"the signature uses the hash algorithm {name!r}; known are {' and '.join(_HASHES)}"
        raise BadSignature("E-SIGNATURE-HASH", message)
    return _Parsed(_signer(signer_blob), name, _ed25519(signature))


def _fields(text: str) -> list[bytes]:
    """The five fields behind magic and version."""
    if len(text) > _LONGEST:
        raise BadSignature("E-SIGNATURE-ARMOR", f"a signature has at most {_LONGEST} characters")
    try:
        content = from_armor(text, _LABEL)
    except Unreadable as fault:
        raise BadSignature("E-SIGNATURE-ARMOR", f"the signature is damaged: {fault}") from None
    if not content.startswith(_MAGIC + _VERSION):
        raise BadSignature("E-SIGNATURE-FORMAT", "this is no SSH signature of version 1")
    try:
        return unpacked(content.removeprefix(_MAGIC + _VERSION), 5)
    except Malformed:
        raise _malformed() from None


def _signer(blob: bytes) -> PublicKey:
    try:
        return PublicKey.from_blob(blob)
    except KeyFault as fault:
        raise BadSignature(
            "E-SIGNATURE-SIGNER", f"the signature is of a key that is not used here: {fault.message}"
        ) from None


def _ed25519(signature: bytes) -> bytes:
    try:
        kind, _ = first(signature)
        _, raw = unpacked(signature, 2)
    except Malformed:
        raise _malformed() from None
    if kind != KIND.encode() or len(raw) != 64:
        raise _malformed()
    return raw


def _malformed() -> BadSignature:
    return BadSignature("E-SIGNATURE-FORMAT", "the signature is damaged: its parts are not those of an SSH signature")
