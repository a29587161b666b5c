"""Commitments: a hash now that binds to a choice, and the choice with its salt later.

A commitment belongs to one slot of one power in one stage of one campaign and means nothing anywhere else. The salt
of 32 random bytes hides even a choice among two.
"""

from __future__ import annotations

import secrets

from pbem.faults.wrong import wrong
from pbem.seal.faults import CommitmentFault
from pbem.seal.fields import digest

DOMAIN = "pbem/commit/1"
SALT_SIZE = 32


def new_salt() -> bytes:
    """32 bytes from the system's secure source of chance."""
    return secrets.token_bytes(SALT_SIZE)


def commit(campaign: str, stage: str, power: str, slot: str, salt: bytes, body: bytes) -> str:
    """The commitment of a power to `body` in this slot, as 64 lower-case hexadecimal digits."""
    if len(salt) != SALT_SIZE:
        raise CommitmentFault(wrong("E-COMMIT-SALT", length=len(salt), wanted=SALT_SIZE))
    return digest(DOMAIN, campaign, stage, power, slot, salt, body).hex()


def check(commitment: str, campaign: str, stage: str, power: str, slot: str, salt: bytes, body: bytes) -> bool:
    """Whether this salt and body open the commitment, in exactly this slot."""
    if len(salt) != SALT_SIZE:
        return False
    return commit(campaign, stage, power, slot, salt, body) == commitment
