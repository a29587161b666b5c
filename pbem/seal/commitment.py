"""Commitments: first a hash that binds to a choice, later the choice with its salt.

A commitment belongs to one slot of one power in one stage of one campaign and means nothing elsewhere. The salt of 32
random bytes hides even a choice among two.
"""

from __future__ import annotations

import secrets

from msgspec import Struct

from pbem.faults.wrong import wrong
from pbem.seal.faults import CommitmentFault
from pbem.seal.fields import digest

DOMAIN = "pbem/commit/1"
SALT_SIZE = 32


def new_salt() -> bytes:
    """32 bytes from the system's secure random source."""
    return secrets.token_bytes(SALT_SIZE)


class Slot(Struct, frozen=True):
    """Subject of a commitment: one choice of one power in one stage of one campaign."""

    campaign: str
    stage: str
    power: str
    name: str


def commit(slot: Slot, salt: bytes, body: bytes) -> str:
    """Commitment to `body` in this slot, as 64 lower-case hexadecimal digits."""
    if len(salt) != SALT_SIZE:
        raise CommitmentFault(wrong("E-COMMIT-SALT", length=len(salt), wanted=SALT_SIZE))
    return digest(DOMAIN, slot.campaign, slot.stage, slot.power, slot.name, salt, body).hex()


def check(commitment: str, slot: Slot, salt: bytes, body: bytes) -> bool:
    """True if this salt and body open the commitment in exactly this slot."""
    if len(salt) != SALT_SIZE:
        return False
    return commit(slot, salt, body) == commitment
