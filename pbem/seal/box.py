"""Sealed boxes. They are age files (age-encryption.org/v1) for the SSH keys of their readers, written as text for
mails.

Without the key, a box shows only the length of its content and the number of keys that open it. `pad` hides small
differences of length.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from pbem.faults.wrong import wrong
from pbem.seal.faults import BoxFault
from pbem.seal.keys import KIND, PrivateKey, PublicKey, Unreadable, from_armor, to_armor

LARGEST = 4 * 1024 * 1024
"""Largest size of the content of a box, in bytes."""

_LABEL = "AGE ENCRYPTED FILE"
_VERSION = b"age-encryption.org/v1\n"
# Base64 makes 4 bytes of every 3. Line feeds and the header of `age` are added.
_LONGEST = LARGEST * 3 // 2
_MOST_RECIPIENTS = 20
_SMALLEST_STEP = 1024
_LARGEST_STEP = 65_536


def seal(recipients: Sequence[PublicKey], plain: bytes) -> str:
    """Return a text in which bytes are sealed: an armored age file that each of these keys opens. Raises `BoxFault` if
    there are too many keys or bytes."""
    import pyrage

    if not 1 <= len(recipients) <= _MOST_RECIPIENTS:
        raise BoxFault(wrong("E-SEAL-RECIPIENTS", most=_MOST_RECIPIENTS, count=len(recipients)))
    if len(plain) > LARGEST:
        raise BoxFault(wrong("E-SEAL-SIZE.plain", length=len(plain), most=LARGEST))
    keys = [pyrage.ssh.Recipient.from_str(PublicKey(key.raw).text) for key in recipients]
    return to_armor(pyrage.encrypt(plain, keys), _LABEL)


def unseal(key: PrivateKey, armored: str) -> bytes:
    """Open a box and return its content. Raises `BoxFault` if the box is for another key, or was changed."""
    import pyrage

    if len(armored) > _LONGEST:
        raise BoxFault(wrong("E-SEAL-SIZE.sealed", most=_LONGEST))
    try:
        content = from_armor(armored, _LABEL)
    except Unreadable as fault:
        raise BoxFault(wrong("E-SEAL-ARMOR", why=fault.why)) from None
    if not content.startswith(_VERSION):
        raise BoxFault(wrong("E-SEAL-FORMAT"))
    # This is checked here because pyrage raises the same error for a wrong key and for a damaged box.
    if not names_key(content, key.public):
        raise BoxFault(wrong("E-SEAL-KEY", key=key.public.fingerprint))
    try:
        plain: bytes = pyrage.decrypt(content, [pyrage.ssh.Identity.from_buffer(key.openssh)])
    except pyrage.DecryptError:
        raise BoxFault(wrong("E-SEAL-DAMAGED")) from None
    return plain


def is_sealed_to(key: PublicKey, armored: str) -> bool:
    """True if a box names this key among those that open it. Even a damaged box can name a key."""
    try:
        return names_key(from_armor(armored, _LABEL), key)
    except Unreadable:
        return False


def names_key(content: bytes, key: PublicKey) -> bool:
    """True if the header of an age file names this key. The header has the first 4 bytes of each key's hash."""
    tag = base64.b64encode(hashlib.sha256(key.blob).digest()[:4]).rstrip(b"=")
    header, _, _ = content.partition(b"\n--- ")
    return f"\n-> {KIND} ".encode() + tag + b" " in header


def seal_for_parts(recipient: str, plain: bytes) -> bytes:
    """Return an age file in which bytes are sealed to a key in parts. `recipient` is the age recipient of this key
    (`shares.recipient_of`). The file has no armor."""
    import pyrage

    return bytes(pyrage.encrypt(plain, [pyrage.x25519.Recipient.from_str(recipient)]))


def unseal_by_parts(key: str, sealed: bytes) -> bytes:
    """Open an age file with a key that was put together from its parts (`shares.joined_key`). Raises `BoxFault` if the
    file is for another key, or was changed."""
    import pyrage

    try:
        return bytes(pyrage.decrypt(sealed, [pyrage.x25519.Identity.from_str(key)]))
    except (pyrage.DecryptError, pyrage.IdentityError):
        raise BoxFault(wrong("E-SEAL-DAMAGED")) from None


def pad(plain: bytes) -> bytes:
    """Return the bytes with a line feed and spaces added, up to the next allowed length. Allowed lengths are powers of
    2 from 1 KiB to 64 KiB, and multiples of 64 KiB."""
    size = len(plain) + 1
    step = _SMALLEST_STEP
    while step < min(size, _LARGEST_STEP):
        step *= 2
    return (plain + b"\n").ljust(-(-size // step) * step, b" ")


def unpad(padded: bytes) -> bytes:
    """Return the bytes that were given to `pad`. Raises `BoxFault` if `pad` cannot have made these bytes."""
    plain, mark, _ = padded.rstrip(b" ").rpartition(b"\n")
    if not mark or pad(plain) != padded:
        raise BoxFault(wrong("E-SEAL-PADDING"))
    return plain
