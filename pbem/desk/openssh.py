"""Private keys in OpenSSH's format, read and written with the ciphers of the page."""

from __future__ import annotations

import secrets
from typing import NamedTuple, Protocol

from msgspec import Struct

from pbem.seal.keys import KIND, Malformed, Unreadable, first, from_armor, pack, to_armor, unpack

LABEL = "OPENSSH PRIVATE KEY"
MAGIC = b"openssh-key-v1\0"
OPEN, CIPHER, KDF = b"none", b"aes256-ctr", b"bcrypt"
ROUNDS = 24
"""Rounds of bcrypt for the files that the page writes, as many as ssh-keygen uses."""

KEY, NONCE, SALT = 32, 16, 16
"""Sizes in bytes of the cipher's key, of its first counter, and of the salt."""

BLOCK = {OPEN: 8, CIPHER: 16}


class UnsupportedAlgorithm(Exception):
    """Exception for a cipher or key derivation that the page does not know."""


class Locks(Protocol):
    """Functions of the page for files with a passphrase; every value is in hexadecimal digits."""

    def bcrypt_key(self, passphrase: str, salt: str, rounds: int, size: int) -> str:
        """Return `size` bytes, derived from a passphrase by bcrypt."""

    def salt_ahead(self, passphrase: str) -> str:
        """Return the salt of a new lock whose key bcrypt has made in advance; empty if there is none."""

    def aes_ctr(self, key: str, nonce: str, data: str) -> str:
        """Return data encrypted with AES in counter mode, or encrypted data decrypted."""


def seed_in(data: bytes, passphrase: bytes | None, locks: Locks) -> bytes:
    """Return the 32 secret bytes of an Ed25519 key. Raises `ValueError` for a damaged file or wrong passphrase, and
    `UnsupportedAlgorithm` for an unknown lock."""
    try:
        content = from_armor(data.decode("ascii", "replace"), LABEL)
        cipher, kdf, settings, rest = file_head(content)
        _public, locked = unpack(rest, 2)
        if cipher == OPEN:
            return seed_of(locked)
        if (cipher, kdf) != (CIPHER, KDF):
            raise UnsupportedAlgorithm
        salt, rounds = first(settings)
        return seed_of(crypt_with(locked, passphrase or b"", salt, int.from_bytes(rounds, "big"), locks))
    except (Unreadable, Malformed):
        raise ValueError from None


class Lock(Struct, frozen=True):
    """Lock of a file: the values that turn its passphrase into a key."""

    salt: str
    """Salt in hexadecimal digits."""
    rounds: int
    """Number of rounds of bcrypt."""
    size: int = KEY + NONCE


def lock_of(data: bytes) -> Lock:
    """Return the lock of a key file; raises `ValueError` for a damaged file."""
    try:
        settings = file_head(from_armor(data.decode("ascii", "replace"), LABEL)).settings
        salt, rounds = first(settings)
    except (Unreadable, Malformed):
        raise ValueError from None
    return Lock(salt.hex(), int.from_bytes(rounds, "big"))


def new_lock() -> Lock:
    """Return a new lock, with a new salt, for a file that is encrypted with the passphrase."""
    return Lock(secrets.token_hex(SALT), ROUNDS)


class FileHead(NamedTuple):
    """Head of a key file, and the bytes behind it."""

    cipher: bytes
    kdf: bytes
    """Derivation of the key from the passphrase."""
    settings: bytes
    """Settings of the derivation."""
    rest: bytes


def file_head(content: bytes) -> FileHead:
    """Return the head of a key file. Raises `Malformed` for another format, and for several keys."""
    if not content.startswith(MAGIC):
        raise Malformed
    cipher, rest = first(content.removeprefix(MAGIC))
    kdf, rest = first(rest)
    settings, rest = first(rest)
    if rest[:4] != (1).to_bytes(4, "big"):
        raise Malformed
    return FileHead(cipher, kdf, settings, rest[4:])


def crypt_with(data: bytes, passphrase: bytes, salt: bytes, rounds: int, locks: Locks) -> bytes:
    """Return data encrypted with a passphrase, or encrypted data decrypted. Both are the same operation."""
    made = locks.bcrypt_key(passphrase.hex(), salt.hex(), rounds, KEY + NONCE)
    return bytes.fromhex(locks.aes_ctr(made[: 2 * KEY], made[2 * KEY :], data.hex()))


def seed_of(content: bytes) -> bytes:
    """Return the secret bytes in a key file's decrypted content. Raises `ValueError` after a wrong passphrase, and for
    other kinds of keys."""
    if content[:4] != content[4:8]:
        raise ValueError
    kind, rest = first(content[8:])
    _public, rest = first(rest)
    secret, _ = first(rest)
    if kind != KIND.encode() or len(secret) != 64:
        raise ValueError
    return secret[:32]


def file_of(seed: bytes, public: bytes, passphrase: bytes | None, locks: Locks) -> bytes:
    """Return a private key's file, locked if there is a passphrase."""
    check = secrets.token_bytes(4)
    content = check + check + pack(KIND.encode(), public, seed + public, b"")
    cipher, kdf, settings = (CIPHER, KDF, b"") if passphrase else (OPEN, OPEN, b"")
    content += bytes(range(1, 1 + -len(content) % BLOCK[cipher]))
    if passphrase:
        salt = bytes.fromhex(locks.salt_ahead(passphrase.hex())) or secrets.token_bytes(SALT)
        settings = pack(salt) + ROUNDS.to_bytes(4, "big")
        content = crypt_with(content, passphrase, salt, ROUNDS, locks)
    head = MAGIC + pack(cipher, kdf, settings) + (1).to_bytes(4, "big")
    return to_armor(head + pack(pack(KIND.encode(), public), content), LABEL).encode()
