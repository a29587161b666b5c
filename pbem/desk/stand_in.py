"""Cryptography in the page: substitutes for the few functions that `pbem.seal` takes from a library without a version
for browsers.

The page brings an audited library of its own. This module offers it under the names under which `pbem.seal` imports the
other library.
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
    """Functions of the page that make random streams and derive keys; every value but a number is written in
    hexadecimal digits."""

    def chacha20(self, key: str, nonce: str, data: str, counter: int) -> str:
        """Return data encrypted with ChaCha20, beginning with the block `counter`."""

    def hkdf(self, secret: str, salt: str, info: str, size: int) -> str:
        """Return `size` bytes, derived from a secret by HKDF with SHA-256."""


class Primitives(Agreement, Locks, Chance, Protocol):
    """Functions for signatures, locks, boxes and chance in the page; every value is written in hexadecimal digits."""

    def public(self, seed: str) -> str:
        """Return the public half of 32 secret bytes."""

    def sign(self, seed: str, data: str) -> str:
        """Return the Ed25519 signature of `data`."""

    def verify(self, public: str, signature: str, data: str) -> bool:
        """Return whether a signature over data is that of a public key."""


class InvalidSignature(Exception):
    """Exception for a signature of another key, or over other data."""


class InvalidTag(Exception):
    """Exception for locked data that was changed. Nothing in the page raises it, but `pbem.seal` imports it."""


class Passphrase:
    """Passphrase that locks a key's file."""

    def __init__(self, passphrase: bytes | None = None) -> None:
        """Store a passphrase. With None, a file is written unlocked."""
        self.passphrase = passphrase


class Ed25519PublicKey:
    """Public key, with which signatures are checked."""

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
    """Private key, with which signatures are made."""

    page: Primitives

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    @classmethod
    def generate(cls) -> Ed25519PrivateKey:
        """Return a new key from the browser's secure source of chance."""
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
    """Put the substitutes in the place of the libraries, and of `os.link` if it is missing, for all later imports."""
    Ed25519PublicKey.page = Ed25519PrivateKey.page = page
    if not hasattr(os, "link"):
        vars(os)["link"] = copy_file
    for name, held in {**library_modules(), **deal_modules(PRIMITIVES, page), **age_modules(page)}.items():
        made = ModuleType(name)
        made.__dict__.update(held)
        sys.modules[name] = made


def copy_file(path: str, target: str, *, follow_symlinks: bool) -> None:
    """Copy a file to a free name, in place of `os.link`: the page's file system has no hard links."""
    with open(path, "rb") as old, open(target, "xb") as new:
        new.write(old.read())


def library_modules() -> Mapping[str, Mapping[str, object]]:
    """Return the substitutes for the library, keyed by module and by the name in the module."""
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
    """Parameters of a stream of bytes: its key, its nonce, and the number of its first block."""

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
        """Return `data` encrypted. Each call begins again at the first block of the stream."""
        stream = self.stream
        return bytes.fromhex(self.page.chacha20(stream.key.hex(), stream.nonce.hex(), data.hex(), stream.counter))


class SHA256:
    """Marker for the hash with which keys are derived."""


class HKDF:
    """Derivation of a key from a secret."""

    page: Chance

    def __init__(self, _hash: SHA256, length: int, salt: bytes, info: bytes) -> None:
        """Store the length of the key, the salt and the context."""
        self.length, self.salt, self.info = length, salt, info

    def derive(self, secret: bytes) -> bytes:
        return bytes.fromhex(self.page.hkdf(secret.hex(), self.salt.hex(), self.info.hex(), self.length))


def deal_modules(primitives: str, page: Chance) -> Mapping[str, Mapping[str, object]]:
    """Return the substitutes for the parts of the library that the deal needs, keyed by module and by the name in the
    module."""
    Cipher.page = HKDF.page = page
    return {
        f"{primitives}.hashes": {"SHA256": SHA256},
        f"{primitives}.ciphers": {"Cipher": Cipher},
        f"{primitives}.ciphers.algorithms": {"ChaCha20": ChaCha20},
        f"{primitives}.kdf": {},
        f"{primitives}.kdf.hkdf": {"HKDF": HKDF},
    }
