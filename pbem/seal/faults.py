"""Exceptions of this room: one for each subject, each with a stable code and a sentence for people."""

from __future__ import annotations

from pbem.faults.wrong import WrongError


class SealFault(WrongError):
    """Something that cannot be used. Code and words never contain anything secret."""


class NotCanonical(SealFault):
    """A tree that has no canonical form."""


class KeyFault(SealFault):
    """A key that cannot be read or must not be used."""


class BadSignature(SealFault):
    """A signature that is damaged, of another key, or not over this message."""


class BoxFault(SealFault):
    """Something that cannot be sealed, or a sealed text that cannot be opened."""


class CommitmentFault(SealFault):
    """Something that cannot be committed to."""


class DealFault(SealFault):
    """A secret or a random contribution that the deal cannot use."""
