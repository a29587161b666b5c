"""age files, version 1, to and for SSH keys (Ed25519), as the page seals and opens them; ciphers are the page's own."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Protocol

from pbem.desk.openssh import Locks, seed_in
from pbem.seal.keys import KIND, PublicKey, pack

VERSION = b"age-encryption.org/v1"
LABEL = VERSION + b"/" + KIND.encode()
FILE_KEY, NONCE, TAG, CHUNK = 16, 16, 16, 64 * 1024
ONCE = bytes(12)
"""The nonce of a key that locks one thing only."""

BASE_POINT = (9).to_bytes(32, "little")


class DecryptError(Exception):
    """A file that is for another key, or was changed."""


class Agreement(Protocol):
    """Key agreement and authenticated encryption that age needs; every value is written in hexadecimal digits."""

    def derived(self, secret: str, salt: str, info: str, size: int) -> str:
        """A key made of a secret by HKDF with SHA-256."""

    def agreed(self, secret: str, point: str) -> str | None:
        """X25519; nothing for a point that shares nothing."""

    def on_montgomery(self, public: str) -> str:
        """An Ed25519 key as a point for X25519."""

    def locked(self, key: str, nonce: str, data: str) -> str:
        """Bytes under ChaCha20-Poly1305."""

    def unlocked(self, key: str, nonce: str, data: str) -> str | None:
        """The bytes again; nothing if they were locked otherwise."""


class Ciphers(Agreement, Locks, Protocol):
    """Functions of the page that reading and writing age files needs."""

    def public(self, seed: str) -> str:
        """The public half of 32 secret bytes."""


def age_modules(page: Ciphers) -> dict[str, dict[str, object]]:
    """The module that stands for `pyrage`, and what is in it."""
    age = Age(page)

    def identity(data: bytes) -> tuple[bytes, bytes]:
        seed = seed_in(data, None, page)
        return seed, bytes.fromhex(page.public(seed.hex()))

    def decrypt(content: bytes, keys: Sequence[tuple[bytes, bytes]]) -> bytes:
        ((seed, public),) = keys
        return age.decrypt(content, seed, public)

    recipient = SimpleNamespace(from_str=lambda text: PublicKey.parse(text).raw)
    ssh = SimpleNamespace(Recipient=recipient, Identity=SimpleNamespace(from_buffer=identity))
    return {"pyrage": {"ssh": ssh, "encrypt": age.encrypt, "decrypt": decrypt, "DecryptError": DecryptError}}


class Age:
    """age with the ciphers of one page."""

    def __init__(self, page: Agreement) -> None:
        """Take the page's ciphers."""
        self.page = page

    def encrypt(self, plain: bytes, keys: Sequence[bytes]) -> bytes:
        """The age file for these Ed25519 keys."""
        secret = secrets.token_bytes(FILE_KEY)
        stanzas = b"".join(self.stanza(key, secret) for key in keys)
        head = VERSION + b"\n" + stanzas + b"---"
        nonce = secrets.token_bytes(NONCE)
        return head + b" " + base64_of(self.mac(secret, head)) + b"\n" + nonce + self.stream(secret, nonce, plain)

    def decrypt(self, content: bytes, seed: bytes, public: bytes) -> bytes:
        """Return the content of an age file for an Ed25519 key; raises `DecryptError`."""
        head, mark, rest = content.partition(b"\n--- ")
        mac, end, body = rest.partition(b"\n")
        if not mark or not end or not head.startswith(VERSION + b"\n"):
            raise DecryptError
        secret = self.file_key(head, seed, public)
        if not hmac.compare_digest(base64_of(self.mac(secret, head + b"\n---")), mac):
            raise DecryptError
        return self.unstream(secret, body[:NONCE], body[NONCE:])

    def stanza(self, public: bytes, secret: bytes) -> bytes:
        """Line of the head in which the file's key is locked for one key."""
        ours = secrets.token_bytes(32)
        share = self.agreed(ours, BASE_POINT)
        point = bytes.fromhex(self.page.on_montgomery(public.hex()))
        wrapped = self.locked(self.wrapping(public, share, point, self.agreed(ours, point)), ONCE, secret)
        return b" ".join((b"->", KIND.encode(), tag_of(public), base64_of(share))) + b"\n" + base64_of(wrapped) + b"\n"

    def file_key(self, head: bytes, seed: bytes, public: bytes) -> bytes:
        """The key of a file, out of the stanza for this one."""
        own = hashlib.sha512(seed).digest()[:32]
        point = bytes.fromhex(self.page.on_montgomery(public.hex()))
        for share, wrapped in shares(head, tag_of(public)):
            key = self.wrapping(public, share, point, self.agreed(own, share))
            if (found := self.unlocked(key, ONCE, wrapped)) is not None:
                return found
        raise DecryptError

    def wrapping(self, public: bytes, share: bytes, point: bytes, agreed: bytes) -> bytes:
        """The key under which a file's key lies in a stanza."""
        tweak = self.derived(b"", pack(KIND.encode(), public), LABEL)
        return self.derived(self.agreed(tweak, agreed), share + point, LABEL)

    def mac(self, secret: bytes, head: bytes) -> bytes:
        """Authentication code of a head."""
        return hmac.digest(self.derived(secret, b"", b"header"), head, "sha256")

    def stream(self, secret: bytes, nonce: bytes, plain: bytes) -> bytes:
        """The body of a file, piece by piece."""
        key = self.derived(secret, nonce, b"payload")
        return b"".join(self.locked(key, at, piece) for at, piece in pieces(plain, CHUNK))

    def unstream(self, secret: bytes, nonce: bytes, body: bytes) -> bytes:
        """Return the plain text of a body; raises `DecryptError`."""
        key = self.derived(secret, nonce, b"payload")
        found: list[bytes] = []
        for at, piece in pieces(body, CHUNK + TAG):
            if (plain := self.unlocked(key, at, piece)) is None or (found and not plain):
                raise DecryptError
            found.append(plain)
        return b"".join(found)

    def derived(self, secret: bytes, salt: bytes, info: bytes) -> bytes:
        """A key of 32 bytes."""
        return bytes.fromhex(self.page.derived(secret.hex(), salt.hex(), info.hex(), 32))

    def agreed(self, secret: bytes, point: bytes) -> bytes:
        """Secret that two halves share; raises `DecryptError` for a point that shares nothing."""
        found = self.page.agreed(secret.hex(), point.hex())
        if found is None:
            raise DecryptError
        return bytes.fromhex(found)

    def locked(self, key: bytes, nonce: bytes, data: bytes) -> bytes:
        """Bytes locked."""
        return bytes.fromhex(self.page.locked(key.hex(), nonce.hex(), data.hex()))

    def unlocked(self, key: bytes, nonce: bytes, data: bytes) -> bytes | None:
        """Bytes opened again."""
        found = self.page.unlocked(key.hex(), nonce.hex(), data.hex())
        return None if found is None else bytes.fromhex(found)


def pieces(data: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
    """The pieces of a body, each with its nonce: a count, and whether it is the last."""
    starts = range(0, max(len(data), 1), size)
    for count, at in enumerate(starts):
        yield count.to_bytes(11, "big") + bytes([at == starts[-1]]), data[at : at + size]


def shares(head: bytes, tag: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The stanzas of a head for a key: the sender's half, and what is locked."""
    lines = head.split(b"\n")
    for line, body in pairwise(lines):
        words = line.split(b" ")
        if words[:3] == [b"->", KIND.encode(), tag] and len(words) == 4:
            yield bytes_of_base64(words[3]), bytes_of_base64(body)


def tag_of(public: bytes) -> bytes:
    """By what a stanza tells for which key it is."""
    return base64_of(hashlib.sha256(pack(KIND.encode(), public)).digest()[:4])


def base64_of(data: bytes) -> bytes:
    """Base 64 without padding."""
    return base64.b64encode(data).rstrip(b"=")


def bytes_of_base64(text: bytes) -> bytes:
    """The bytes of such letters, written in the one way; raises `DecryptError`."""
    try:
        found = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except ValueError:
        raise DecryptError from None
    if base64_of(found) != text:
        raise DecryptError
    return found
