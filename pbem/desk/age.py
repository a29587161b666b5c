"""Reader and writer of age files (version 1) for SSH keys (Ed25519), with the ciphers of the page."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from types import SimpleNamespace
from typing import Protocol

from pbem.desk.openssh import Locks, seed_in
from pbem.seal.keys import KIND, PublicKey, pack
from pbem.seal.shares import BECH32

VERSION = b"age-encryption.org/v1"
LABEL, LABEL_X25519 = VERSION + b"/" + KIND.encode(), VERSION + b"/X25519"
FILE_KEY, NONCE, TAG, CHUNK = 16, 16, 16, 64 * 1024
ONCE = bytes(12)
"""The nonce for a key that locks only one text."""

BASE_POINT = (9).to_bytes(32, "little")


class DecryptError(Exception):
    """Exception for a file that is damaged, is sealed for another key, or is not an age file."""


class Agreement(Protocol):
    """Functions of the page for key agreement and authenticated encryption. Every value is in hexadecimal digits."""

    def hkdf(self, secret: str, salt: str, info: str, size: int) -> str:
        """Return a key of `size` bytes, derived by HKDF with SHA-256."""

    def x25519(self, secret: str, point: str) -> str | None:
        """Return the X25519 secret of a private key and a point; None for a point that gives none."""

    def montgomery_point(self, public: str) -> str:
        """Return a public Ed25519 key as a point for X25519."""

    def chacha_lock(self, key: str, nonce: str, data: str) -> str:
        """Return data locked by ChaCha20-Poly1305."""

    def chacha_open(self, key: str, nonce: str, data: str) -> str | None:
        """Return the unlocked data; None if data, key and nonce do not fit together."""


class Ciphers(Agreement, Locks, Protocol):
    """Functions of the page that age files need."""

    def public(self, seed: str) -> str:
        """Return the public key of a private key."""


def age_modules(page: Ciphers) -> dict[str, dict[str, object]]:
    """Return stand-ins for `pyrage` and its submodules: for each module, a dict from a name to its stand-in."""
    age = Age(page)

    def identity(data: bytes) -> tuple[bytes, bytes]:
        seed = seed_in(data, None, page)
        return seed, bytes.fromhex(page.public(seed.hex()))

    def decrypt(content: bytes, keys: Sequence[tuple[bytes, bytes]]) -> bytes:
        ((seed, public),) = keys
        return age.decrypt(content, seed, public)

    recipient = SimpleNamespace(from_str=lambda text: PublicKey.parse(text).raw)
    ssh = SimpleNamespace(Recipient=recipient, Identity=SimpleNamespace(from_buffer=identity))
    # The page seals for X25519 keys, which are keys in parts, and opens no file with them.
    x25519 = SimpleNamespace(Recipient=SimpleNamespace(from_str=point_named))
    names = {"ssh": ssh, "x25519": x25519, "encrypt": age.encrypt, "decrypt": decrypt, "DecryptError": DecryptError}
    return {"pyrage": names}


class Point(bytes):
    """Public X25519 key, for which age files can be sealed."""


def point_named(recipient: str) -> Point:
    """Return the X25519 key in a text `age1…`. The checksum is not checked."""
    number = reduce(lambda sum_, letter: sum_ * 32 + BECH32.index(letter), recipient[len("age1") : -6], 0)
    return Point((number >> 4).to_bytes(32, "big"))


class Age:
    """Writer and reader of age files, with the ciphers of one page."""

    def __init__(self, page: Agreement) -> None:
        self.page = page

    def encrypt(self, plain: bytes, keys: Sequence[bytes]) -> bytes:
        """Return an age file with this text, sealed for some public Ed25519 keys."""
        secret = secrets.token_bytes(FILE_KEY)
        stanzas = b"".join(self.stanza(key, secret) for key in keys)
        head = VERSION + b"\n" + stanzas + b"---"
        nonce = secrets.token_bytes(NONCE)
        return head + b" " + base64_of(self.mac(secret, head)) + b"\n" + nonce + self.body(secret, nonce, plain)

    def decrypt(self, content: bytes, seed: bytes, public: bytes) -> bytes:
        """Return the content of an age file. Raises `DecryptError` if the file is not sealed for this Ed25519 key."""
        head, mark, rest = content.partition(b"\n--- ")
        mac, end, body = rest.partition(b"\n")
        if not mark or not end or not head.startswith(VERSION + b"\n"):
            raise DecryptError
        secret = self.file_key(head, seed, public)
        if not hmac.compare_digest(base64_of(self.mac(secret, head + b"\n---")), mac):
            raise DecryptError
        return self.plain_text(secret, body[:NONCE], body[NONCE:])

    def stanza(self, public: bytes, secret: bytes) -> bytes:
        """Return the lines of the head that hold the file's key (`secret`), locked for one reader."""
        ours = secrets.token_bytes(32)
        share = self.shared_secret(ours, BASE_POINT)
        if isinstance(public, Point):
            key = self.derived_key(self.shared_secret(ours, public), share + public, LABEL_X25519)
            lines = b" ".join((b"->", b"X25519", base64_of(share))), base64_of(self.locked_data(key, ONCE, secret))
            return b"\n".join((*lines, b""))
        point = bytes.fromhex(self.page.montgomery_point(public.hex()))
        wrapped = self.locked_data(
            self.wrapping_key(public, share, point, self.shared_secret(ours, point)), ONCE, secret
        )
        return b" ".join((b"->", KIND.encode(), tag_of(public), base64_of(share))) + b"\n" + base64_of(wrapped) + b"\n"

    def file_key(self, head: bytes, seed: bytes, public: bytes) -> bytes:
        """Unlock the file's key with a reader's key. Raises `DecryptError` if no stanza fits."""
        own = hashlib.sha512(seed).digest()[:32]
        point = bytes.fromhex(self.page.montgomery_point(public.hex()))
        for share, wrapped in shares(head, tag_of(public)):
            key = self.wrapping_key(public, share, point, self.shared_secret(own, share))
            if (found := self.opened_data(key, ONCE, wrapped)) is not None:
                return found
        raise DecryptError

    def wrapping_key(self, public: bytes, share: bytes, point: bytes, agreed: bytes) -> bytes:
        """Return the key that locks the file's key for one reader."""
        tweak = self.derived_key(b"", pack(KIND.encode(), public), LABEL)
        return self.derived_key(self.shared_secret(tweak, agreed), share + point, LABEL)

    def mac(self, secret: bytes, head: bytes) -> bytes:
        """Return the code that authenticates the head of a file."""
        return hmac.digest(self.derived_key(secret, b"", b"header"), head, "sha256")

    def body(self, secret: bytes, nonce: bytes, plain: bytes) -> bytes:
        """Return the body of a file: the text `plain` in locked pieces."""
        key = self.derived_key(secret, nonce, b"payload")
        return b"".join(self.locked_data(key, at, piece) for at, piece in pieces(plain, CHUNK))

    def plain_text(self, secret: bytes, nonce: bytes, body: bytes) -> bytes:
        """Return the text in a body; raises `DecryptError` for a damaged body."""
        key = self.derived_key(secret, nonce, b"payload")
        found: list[bytes] = []
        for at, piece in pieces(body, CHUNK + TAG):
            if (plain := self.opened_data(key, at, piece)) is None or (found and not plain):
                raise DecryptError
            found.append(plain)
        return b"".join(found)

    def derived_key(self, secret: bytes, salt: bytes, info: bytes) -> bytes:
        return bytes.fromhex(self.page.hkdf(secret.hex(), salt.hex(), info.hex(), 32))

    def shared_secret(self, secret: bytes, point: bytes) -> bytes:
        """Return the shared secret of a private key and a point; raises `DecryptError` if there is none."""
        found = self.page.x25519(secret.hex(), point.hex())
        if found is None:
            raise DecryptError
        return bytes.fromhex(found)

    def locked_data(self, key: bytes, nonce: bytes, data: bytes) -> bytes:
        return bytes.fromhex(self.page.chacha_lock(key.hex(), nonce.hex(), data.hex()))

    def opened_data(self, key: bytes, nonce: bytes, data: bytes) -> bytes | None:
        """Return the unlocked data; None if data, key and nonce do not fit together."""
        found = self.page.chacha_open(key.hex(), nonce.hex(), data.hex())
        return None if found is None else bytes.fromhex(found)


def pieces(data: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield the nonce and the data of each piece of a body. A nonce consists of the number of the piece, and of a byte
    that is 1 for the last piece."""
    starts = range(0, max(len(data), 1), size)
    for count, at in enumerate(starts):
        yield count.to_bytes(11, "big") + bytes([at == starts[-1]]), data[at : at + size]


def shares(head: bytes, tag: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the sender's point and the locked key of each stanza with this tag."""
    lines = head.split(b"\n")
    for line, body in pairwise(lines):
        words = line.split(b" ")
        if words[:3] == [b"->", KIND.encode(), tag] and len(words) == 4:
            yield bytes_of_base64(words[3]), bytes_of_base64(body)


def tag_of(public: bytes) -> bytes:
    """Return the tag that marks the stanzas for a public key."""
    return base64_of(hashlib.sha256(pack(KIND.encode(), public)).digest()[:4])


def base64_of(data: bytes) -> bytes:
    """Return data in base 64 without padding."""
    return base64.b64encode(data).rstrip(b"=")


def bytes_of_base64(text: bytes) -> bytes:
    """Return the bytes of a text that `base64_of` has written; raises `DecryptError` for any other text."""
    try:
        found = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except ValueError:
        raise DecryptError from None
    if base64_of(found) != text:
        raise DecryptError
    return found
