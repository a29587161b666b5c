"""Exceptions about keys, signatures, boxes and commitments, one for each subject."""

from __future__ import annotations

from pbem.faults.wrong import WrongError


class SealFault(WrongError):
    """Base of the exceptions of `pbem.seal`. Their codes and words never contain anything secret."""


class NotCanonical(SealFault):
    """Exception for a tree that has no canonical form."""


class KeyFault(SealFault):
    """Exception for a key that cannot be read or must not be used."""


class BadSignature(SealFault):
    """Exception for a signature that is damaged, made by another key, or made for another message."""


class BoxFault(SealFault):
    """Exception for bytes that cannot be sealed, or a sealed text that cannot be opened."""


class CommitmentFault(SealFault):
    """Exception for a salt of the wrong length."""


class DealFault(SealFault):
    """Exception for a secret or a player's random bytes that the deal cannot use."""


class ShareFault(SealFault):
    """Exception for parts that cannot be put together to a key, or for a published point that is faulty."""
