"""Exceptions of keys, signatures, boxes and commitments, one for each subject."""

from __future__ import annotations

from pbem.faults.wrong import WrongError


class SealFault(WrongError):
    """Base of the exceptions of `pbem.seal`. The codes and words of these exceptions never contain anything secret."""


class NotCanonical(SealFault):
    """A tree that has no canonical form."""


class KeyFault(SealFault):
    """A key that cannot be read or must not be used."""


class BadSignature(SealFault):
    """A signature that is damaged, made by another key, or made over another message."""


class BoxFault(SealFault):
    """Bytes that cannot be sealed, or a sealed text that cannot be opened."""


class CommitmentFault(SealFault):
    """A salt that a commitment cannot use."""


class DealFault(SealFault):
    """A secret or a random contribution that the deal cannot use."""


class ShareFault(SealFault):
    """Parts that give no key, or a point by which no part can be checked."""
