"""Exceptions about keys, signatures, boxes and commitments. There is one for each subject."""

from __future__ import annotations

from pbem.faults.wrong import WrongError


class SealFault(WrongError):
    """Base class of the exceptions in `pbem.seal`. Their codes and words never contain anything secret."""


class NotCanonical(SealFault):
    """Exception for a tree that has no canonical form."""


class KeyFault(SealFault):
    """Exception for a key that cannot be read or must not be used."""


class BadSignature(SealFault):
    """Exception for a signature that is damaged, made by another key, or made for another message."""


class BoxFault(SealFault):
    """Exception for bytes that cannot be sealed, and for a sealed text that cannot be opened."""


class CommitmentFault(SealFault):
    """Exception for a salt of the wrong length."""


class DealFault(SealFault):
    """Exception for a secret or a player's random bytes that the deal cannot use."""


class ShareFault(SealFault):
    """Exception for parts from which no key can be put together, and for a faulty point of those that were
    published."""
