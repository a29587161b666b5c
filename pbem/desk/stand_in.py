"""Cryptography in the page: substitutes for the library of `pbem.seal`, which has no version for browsers.

The substitutes call an audited library of the page, under the names that `pbem.seal` imports.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Protocol

from pbem.desk.age import Agreement, age_modules
from pbem.desk.openssh import Locks, UnsupportedAlgorithm, file_of, seed_in

BASE = "cryptography"
PRIMITIVES = f"{BASE}.hazmat.primitives"


class Chance(Protocol):
    """Functions of the page for random streams and derived keys; every value but a number is in hexadecimal digits."""

    def chacha20(self, key: str, nonce: str, data: str, counter: int) -> str:
        """Return data encrypted with ChaCha20, from the block `counter` on."""

    def hkdf(self, secret: str, salt: str, info: str, size: int) -> str:
        """Return `size` bytes, derived by HKDF with SHA-256."""


class Primitives(Agreement, Locks, Chance, Protocol):
    """Functions of the page for signatures, locks, boxes and chance; every value is in hexadecimal digits."""

    def public(self, seed: str) -> str:
        """Return the public key that belongs to the private key `seed`."""

    def sign(self, seed: str, data: str) -> str:
        """Return the Ed25519 signature of `data`."""

    def verify(self, public: str, signature: str, data: str) -> bool:
        """Return whether a public key has signed data."""


class InvalidSignature(Exception):
    """Exception for a signature of another key, or over other data."""


class InvalidTag(Exception):
    """Exception for locked data that was changed. Nothing raises it, but `pbem.seal` imports it."""


class Passphrase:
    def __init__(self, passphrase: bytes | None = None) -> None:
        """Store a passphrase; None leaves a file unlocked."""
        self.passphrase = passphrase


class Ed25519PublicKey:
    """Public key, which checks signatures."""

    page: Primitives

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    @classmethod
    def from_public_bytes(cls, data: bytes) -> Ed25519PublicKey:
        return cls(data)

    def public_bytes_raw(self) -> bytes:
        return self.raw

    def verify(self, signature: bytes, data: bytes) -> None:
        """Raise `InvalidSignature` unless this key has signed the data."""
        if not self.page.verify(self.raw.hex(), signature.hex(), data.hex()):
            raise InvalidSignature


class Ed25519PrivateKey:
    """Private key, which makes signatures."""

    page: Primitives

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    @classmethod
    def generate(cls) -> Ed25519PrivateKey:
        """Return a new key from the browser's secure random source."""
        return cls(secrets.token_bytes(32))

    @classmethod
    def from_private_bytes(cls, data: bytes) -> Ed25519PrivateKey:
        return cls(data)

    def private_bytes_raw(self) -> bytes:
        return self.seed

    def private_bytes(self, _encoding: object, _form: object, locked: Passphrase) -> bytes:
        """Return the key's file in OpenSSH's format."""
        return file_of(self.seed, self.public_key().raw, locked.passphrase, self.page)

    def public_key(self) -> Ed25519PublicKey:
        return Ed25519PublicKey(bytes.fromhex(self.page.public(self.seed.hex())))

    def sign(self, data: bytes) -> bytes:
        """Return the Ed25519 signature of `data`."""
        return bytes.fromhex(self.page.sign(self.seed.hex(), data.hex()))


def load_ssh_private_key(data: bytes, password: bytes | None) -> Ed25519PrivateKey:
    """Return the key in an OpenSSH file; raises as `seed_in` does."""
    return Ed25519PrivateKey(seed_in(data, password, Ed25519PrivateKey.page))


def stand_in(page: Primitives) -> None:
    """Put the substitutes in place of the libraries for all later imports, and replace `os.link` if it is missing."""
    Ed25519PublicKey.page = Ed25519PrivateKey.page = page
    if not hasattr(os, "link"):
        vars(os)["link"] = copy_file
    for name, held in {**library_modules(), **deal_modules(PRIMITIVES, page), **age_modules(page)}.items():
        made = ModuleType(name)
        made.__dict__.update(held)
        sys.modules[name] = made


def copy_file(path: str, target: str, *, follow_symlinks: bool) -> None:
    """Copy a file to a free name, in place of a hard link."""
    with open(path, "rb") as old, open(target, "xb") as new:
        new.write(old.read())


def library_modules() -> Mapping[str, Mapping[str, object]]:
    """Return the substitutes for the library, keyed by module and by name."""
    serialization = {
        "Encoding": SimpleNamespace(PEM="PEM"),
        "PrivateFormat": SimpleNamespace(OpenSSH="OpenSSH"),
        "NoEncryption": Passphrase,
        "BestAvailableEncryption": Passphrase,
        "load_ssh_private_key": load_ssh_private_key,
    }
    faults = {"InvalidSignature": InvalidSignature, "InvalidTag": InvalidTag}
    return {
        BASE: {},
        f"{BASE}.hazmat": {},
        f"{BASE}.exceptions": {**faults, "UnsupportedAlgorithm": UnsupportedAlgorithm},
        PRIMITIVES: {"serialization": SimpleNamespace(**serialization)},
        f"{PRIMITIVES}.serialization": serialization,
        f"{PRIMITIVES}.asymmetric": {},
        f"{PRIMITIVES}.asymmetric.ed25519": {
            "Ed25519PublicKey": Ed25519PublicKey,
            "Ed25519PrivateKey": Ed25519PrivateKey,
        },
    }


class ChaCha20:
    """Stream of bytes: its key, nonce and first block."""

    def __init__(self, key: bytes, nonce: bytes) -> None:
        """Store the key. The library's nonce begins with four bytes for the number of the first block."""
        self.key, self.counter, self.nonce = key, int.from_bytes(nonce[:4], "little"), nonce[4:]


class Cipher:
    """Cipher of a stream, which is its own encryptor."""

    page: Chance

    def __init__(self, stream: ChaCha20, mode: None) -> None:
        """Store a stream; the second argument is always None."""
        self.stream = stream

    def encryptor(self) -> Cipher:
        return self

    def update(self, data: bytes) -> bytes:
        """Return `data` encrypted, from the first block of the stream on."""
        stream = self.stream
        return bytes.fromhex(self.page.chacha20(stream.key.hex(), stream.nonce.hex(), data.hex(), stream.counter))


class SHA256:
    """Marker for SHA-256."""


class HKDF:
    """Derivation of a key from a secret."""

    page: Chance

    def __init__(self, _hash: SHA256, length: int, salt: bytes, info: bytes) -> None:
        """Store the length of the key, the salt and the context."""
        self.length, self.salt, self.info = length, salt, info

    def derive(self, secret: bytes) -> bytes:
        return bytes.fromhex(self.page.hkdf(secret.hex(), self.salt.hex(), self.info.hex(), self.length))


def deal_modules(primitives: str, page: Chance) -> Mapping[str, Mapping[str, object]]:
    """Return the substitutes that are needed for dealing cards, keyed by module and by name."""
    Cipher.page = HKDF.page = page
    return {
        f"{primitives}.hashes": {"SHA256": SHA256},
        f"{primitives}.ciphers": {"Cipher": Cipher},
        f"{primitives}.ciphers.algorithms": {"ChaCha20": ChaCha20},
        f"{primitives}.kdf": {},
        f"{primitives}.kdf.hkdf": {"HKDF": HKDF},
    }
