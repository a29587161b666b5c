"""Substitute for the part of the library that the provable deal uses: streams of ChaCha20, and keys by HKDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Chance(Protocol):
    """Functions of the page that make random streams and derive keys; every value but a number is written in
    hexadecimal digits."""

    def chacha20(self, key: str, nonce: str, data: str, counter: int) -> str:
        """Return data encrypted with ChaCha20, beginning with the block `counter`."""

    def hkdf(self, secret: str, salt: str, info: str, size: int) -> str:
        """Return `size` bytes by HKDF with SHA-256."""


class ChaCha20:
    """Stream of bytes: its key, and the nonce and number of the block at which it begins."""

    def __init__(self, key: bytes, nonce: bytes) -> None:
        """Store the key. The first four bytes of the library's nonce are the number of the first block; the nonce
        itself follows."""
        self.key, self.counter, self.nonce = key, int.from_bytes(nonce[:4], "little"), nonce[4:]


class Cipher:
    """Cipher of a stream. It serves as its own encryptor."""

    page: Chance

    def __init__(self, stream: ChaCha20, mode: None) -> None:
        """Store a stream; the library's second argument is None for streams."""
        self.stream = stream

    def encryptor(self) -> Cipher:
        return self

    def update(self, data: bytes) -> bytes:
        """Return locked data."""
        stream = self.stream
        return bytes.fromhex(self.page.chacha20(stream.key.hex(), stream.nonce.hex(), data.hex(), stream.counter))


class SHA256:
    """The hash by which keys are derived."""


class HKDF:
    """Derivation of a key from a secret."""

    page: Chance

    def __init__(self, _hash: SHA256, length: int, salt: bytes, info: bytes) -> None:
        """Store the length of the key, the salt and the context."""
        self.length, self.salt, self.info = length, salt, info

    def derive(self, secret: bytes) -> bytes:
        """Return the key that is derived from a secret."""
        return bytes.fromhex(self.page.hkdf(secret.hex(), self.salt.hex(), self.info.hex(), self.length))


def deal_modules(primitives: str, page: Chance) -> Mapping[str, Mapping[str, object]]:
    """Return substitutes for the parts of the library that the deal needs: the names in each module."""
    Cipher.page = HKDF.page = page
    return {
        f"{primitives}.hashes": {"SHA256": SHA256},
        f"{primitives}.ciphers": {"Cipher": Cipher},
        f"{primitives}.ciphers.algorithms": {"ChaCha20": ChaCha20},
        f"{primitives}.kdf": {},
        f"{primitives}.kdf.hkdf": {"HKDF": HKDF},
    }
