"""Cryptography in the page: the few functions that `pbem.seal` takes from a library which no browser has.

The page brings an audited library of its own; here it gets the names under which `pbem.seal` asks for it.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Protocol

from pbem.desk.age import Agreement, age_modules
from pbem.desk.openssh import Locks, UnsupportedAlgorithm, file_of, seed_in
from pbem.desk.stand_in_deal import Chance, deal_modules

BASE = "cryptography"
PRIMITIVES = f"{BASE}.hazmat.primitives"


class Primitives(Agreement, Locks, Chance, Protocol):
    """Ed25519, locks, boxes and chance as the page has them; every value is written in hexadecimal digits."""

    def public(self, seed: str) -> str:
        """The public half of 32 secret bytes."""

    def sign(self, seed: str, data: str) -> str:
        """A signature."""

    def verify(self, public: str, signature: str, data: str) -> bool:
        """Return whether a signature is that of a key over these bytes."""


class InvalidSignature(Exception):
    """A signature that is another's, or over something else."""


class InvalidTag(Exception):
    """A lock that nothing here has."""


class Passphrase:
    """Lock of a key."""

    def __init__(self, passphrase: bytes | None = None) -> None:
        """Take a passphrase; none leaves it open."""
        self.passphrase = passphrase


class Ed25519PublicKey:
    """A public key."""

    page: Primitives

    def __init__(self, raw: bytes) -> None:
        """Take its 32 bytes."""
        self.raw = raw

    @classmethod
    def from_public_bytes(cls, data: bytes) -> Ed25519PublicKey:
        """The key of 32 bytes."""
        return cls(data)

    def public_bytes_raw(self) -> bytes:
        """Its 32 bytes."""
        return self.raw

    def verify(self, signature: bytes, data: bytes) -> None:
        """Return if the signature is this key's over these bytes."""
        if not self.page.verify(self.raw.hex(), signature.hex(), data.hex()):
            raise InvalidSignature


class Ed25519PrivateKey:
    """A private key."""

    page: Primitives

    def __init__(self, seed: bytes) -> None:
        """Take its 32 secret bytes."""
        self.seed = seed

    @classmethod
    def generate(cls) -> Ed25519PrivateKey:
        """Return a new key, from the browser's secure source of chance."""
        return cls(secrets.token_bytes(32))

    @classmethod
    def from_private_bytes(cls, data: bytes) -> Ed25519PrivateKey:
        """The key of 32 secret bytes."""
        return cls(data)

    def private_bytes_raw(self) -> bytes:
        """Its 32 secret bytes."""
        return self.seed

    def private_bytes(self, _encoding: object, _form: object, locked: Passphrase) -> bytes:
        """Its file as OpenSSH has it."""
        return file_of(self.seed, self.public_key().raw, locked.passphrase, self.page)

    def public_key(self) -> Ed25519PublicKey:
        """The public half."""
        return Ed25519PublicKey(bytes.fromhex(self.page.public(self.seed.hex())))

    def sign(self, data: bytes) -> bytes:
        """The signature over these bytes."""
        return bytes.fromhex(self.page.sign(self.seed.hex(), data.hex()))


def load_ssh_private_key(data: bytes, password: bytes | None) -> Ed25519PrivateKey:
    """The key in a file of OpenSSH's."""
    return Ed25519PrivateKey(seed_in(data, password, Ed25519PrivateKey.page))


def stand_in(page: Primitives) -> None:
    """Let whoever imports the library find these."""
    Ed25519PublicKey.page = Ed25519PrivateKey.page = page
    for name, held in {**modules(), **deal_modules(PRIMITIVES, page), **age_modules(page)}.items():
        made = ModuleType(name)
        made.__dict__.update(held)
        sys.modules[name] = made


def modules() -> Mapping[str, Mapping[str, object]]:
    """The modules that stand for the library, and what is in each."""
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
