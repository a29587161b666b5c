"""Keys and signatures as `docs/protocol-seal.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from contextlib import suppress
from functools import cache, lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.seal.second import PRIME, D, blob, string

ARMOR = re.compile(r"\s*-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*")


class Unsound(Exception):
    """A key or a signature that is not good."""


def key_of(line: str) -> bytes:
    """The 32 bytes of a public key."""
    kind, _, rest = line.partition(" ")
    code = rest.split(" ")[0]
    try:
        data = base64.b64decode(code, validate=True)
    except (binascii.Error, ValueError):
        raise Unsound("the key is damaged") from None
    raw = data[-32:]
    if kind != "ssh-ed25519" or data != blob(raw) or base64.b64encode(data).decode() != code:
        raise Unsound("this is no ssh-ed25519 key")
    if not is_sound(raw):
        raise Unsound("the key is weak")
    return raw


@cache
def is_sound(raw: bytes) -> bool:
    """True if these bytes are the one encoding of a point that is not of small order."""
    y = int.from_bytes(raw, "little") & (1 << 255) - 1
    if y >= PRIME:
        return False
    top, bottom = (y * y - 1) % PRIME, (D * y * y + 1) % PRIME
    square = top * pow(bottom, -1, PRIME) % PRIME
    if not square or not y or pow(square, (PRIME - 1) // 2, PRIME) != 1:
        return False
    # Doubling three times leads a point of small order, and no other, to the neutral one, whose y is 1.
    for _ in range(3):
        squares = square * y * y % PRIME
        above, below = y * y + square, 1 - D * squares
        y, square = above * pow(below, -1, PRIME) % PRIME, 4 * squares * pow(1 + D * squares, -2, PRIME) % PRIME
    return y != 1


def normal(armor: str) -> str:
    """A signature in lines of 64 characters."""
    found = ARMOR.fullmatch(armor)
    if not found:
        raise Unsound("this is no armored signature")
    code = "".join(found[1].split())
    rows = [code[at : at + 64] for at in range(0, len(code), 64)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *rows, "-----END SSH SIGNATURE-----", ""])


def check_any(key: bytes, messages: list[bytes], armor: str) -> None:
    """Accept the signature as this key's over one of these messages; raises `Unsound`."""
    for message in messages[1:]:
        with suppress(Unsound):
            check(key, message, armor)
            return
    check(key, messages[0], armor)


@lru_cache(maxsize=4096)
def check(key: bytes, message: bytes, armor: str) -> None:
    """Accept the signature as this key's over this message; raises `Unsound`."""
    code = "".join(normal(armor).split("\n")[1:-2])
    try:
        data = base64.b64decode(code, validate=True)
    except (binascii.Error, ValueError):
        raise Unsound("the signature is damaged") from None
    if base64.b64encode(data).decode() != code or len(armor) > 4000:
        raise Unsound("the signature is not written as it should be")
    for name in ("sha512", "sha256"):
        middle = string(b"pbem") + string(b"") + string(name.encode())
        head = b"SSHSIG" + (1).to_bytes(4, "big") + string(blob(key)) + middle
        inner, made = data[len(head) :][: 4 + 4 + 11 + 4], data[-64:]
        if data != head + string(string(b"ssh-ed25519") + string(made)) or not inner:
            continue
        signed = b"SSHSIG" + middle + string(hashlib.new(name, message).digest())
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(made, signed)
        except InvalidSignature:
            raise Unsound("the signature is not over this text") from None
        return
    raise Unsound("the signature is of another key, or of another form")
