"""Exceptions of keys, signatures, boxes and commitments, one for each subject."""

from __future__ import annotations

from pbem.faults.wrong import WrongError


class SealFault(WrongError):
    """Base of the exceptions of `pbem.seal`. The codes and words of these exceptions never contain anything secret."""


class NotCanonical(SealFault):
    """Fault of a tree that has no canonical form."""


class KeyFault(SealFault):
    """Fault of a key that cannot be read or must not be used."""


class BadSignature(SealFault):
    """Fault of a signature that is damaged, made by another key, or made over another message."""


class BoxFault(SealFault):
    """Fault of bytes that cannot be sealed, or of a sealed text that cannot be opened."""


class CommitmentFault(SealFault):
    """Fault of a salt that a commitment cannot use."""


class DealFault(SealFault):
    """Fault of a secret or a random contribution that the deal cannot use."""


class ShareFault(SealFault):
    """Fault of parts that give no key, or of a point by which no part can be checked."""
