"""Cryptography in the page: the few functions that `pbem.seal` takes from a library which no browser has.

The page brings an audited library of its own; here it gets the names under which `pbem.seal` asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Protocol

BASE = "cryptography"


class Curve(Protocol):
    """Ed25519 as the page has it; every value is written in hexadecimal digits."""

    def public(self, seed: str) -> str:
        """The public half of 32 secret bytes."""

    def sign(self, seed: str, data: str) -> str:
        """A signature."""

    def verify(self, public: str, signature: str, data: str) -> bool:
        """Whether this is the signature of that key over these bytes."""


class InvalidSignature(Exception):
    """A signature that is another's, or over something else."""


class Ed25519PublicKey:
    """A public key."""

    curve: Curve

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
        if not self.curve.verify(self.raw.hex(), signature.hex(), data.hex()):
            raise InvalidSignature


class Ed25519PrivateKey:
    """A private key."""

    curve: Curve

    def __init__(self, seed: bytes) -> None:
        """Take its 32 secret bytes."""
        self.seed = seed

    @classmethod
    def from_private_bytes(cls, data: bytes) -> Ed25519PrivateKey:
        """The key of 32 secret bytes."""
        return cls(data)

    def private_bytes_raw(self) -> bytes:
        """Its 32 secret bytes."""
        return self.seed

    def public_key(self) -> Ed25519PublicKey:
        """The public half."""
        return Ed25519PublicKey(bytes.fromhex(self.curve.public(self.seed.hex())))

    def sign(self, data: bytes) -> bytes:
        """The signature over these bytes."""
        return bytes.fromhex(self.curve.sign(self.seed.hex(), data.hex()))


def stand_in(curve: Curve) -> None:
    """Let whoever imports the library find these."""
    Ed25519PublicKey.curve = Ed25519PrivateKey.curve = curve
    for name, held in modules().items():
        made = ModuleType(name)
        made.__dict__.update(held)
        sys.modules[name] = made


def modules() -> Mapping[str, Mapping[str, Callable[..., object]]]:
    """The modules that stand for the library, and what is in each."""
    keys: dict[str, Callable[..., object]] = {
        "Ed25519PublicKey": Ed25519PublicKey, "Ed25519PrivateKey": Ed25519PrivateKey
    }  # fmt: skip
    above = ("", ".hazmat", ".hazmat.primitives", ".hazmat.primitives.asymmetric")
    return {
        **{f"{BASE}{name}": {} for name in above},
        f"{BASE}.exceptions": {"InvalidSignature": InvalidSignature},
        f"{BASE}.hazmat.primitives.asymmetric.ed25519": keys,
    }
