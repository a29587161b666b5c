"""Part of the library of cryptography that the provable deal uses: streams of ChaCha20, and keys by HKDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Chance(Protocol):
    """Streams and keys as the page has them; every value but numbers is written in hexadecimal digits."""

    def streamed(self, key: str, nonce: str, data: str, counter: int) -> str:
        """ChaCha20 over data, from a block on."""

    def derived(self, secret: str, salt: str, info: str, size: int) -> str:
        """Return `size` bytes by HKDF with SHA-256."""


class ChaCha20:
    """Stream of bytes: its key, and the block and the nonce at which it begins."""

    def __init__(self, key: bytes, nonce: bytes) -> None:
        """Take the key, and the counter with the nonce behind it."""
        self.key, self.counter, self.nonce = key, int.from_bytes(nonce[:4], "little"), nonce[4:]


class Cipher:
    """Data under a stream; it is both what locks and what it gives."""

    page: Chance

    def __init__(self, stream: ChaCha20, mode: None) -> None:
        """Take a stream, which has no mode."""
        self.stream = stream

    def encryptor(self) -> Cipher:
        """The cipher itself, which locks."""
        return self

    def update(self, data: bytes) -> bytes:
        """Data, locked."""
        stream = self.stream
        return bytes.fromhex(self.page.streamed(stream.key.hex(), stream.nonce.hex(), data.hex(), stream.counter))


class SHA256:
    """The hash by which keys are derived."""


class HKDF:
    """Derivation of a key from a secret."""

    page: Chance

    def __init__(self, _hash: SHA256, length: int, salt: bytes, info: bytes) -> None:
        """Take how long it shall be, and what it is bound to."""
        self.length, self.salt, self.info = length, salt, info

    def derive(self, secret: bytes) -> bytes:
        """The key."""
        return bytes.fromhex(self.page.derived(secret.hex(), self.salt.hex(), self.info.hex(), self.length))


def deal_modules(primitives: str, page: Chance) -> Mapping[str, Mapping[str, object]]:
    """The modules that stand for these parts of the library."""
    Cipher.page = HKDF.page = page
    return {
        f"{primitives}.hashes": {"SHA256": SHA256},
        f"{primitives}.ciphers": {"Cipher": Cipher},
        f"{primitives}.ciphers.algorithms": {"ChaCha20": ChaCha20},
        f"{primitives}.kdf": {},
        f"{primitives}.kdf.hkdf": {"HKDF": HKDF},
    }
