"""What this room refuses: one exception a subject, each with a stable code and a sentence for people."""

from __future__ import annotations


class SealFault(Exception):
    """Something that cannot be used; neither its code nor its message ever holds anything secret."""

    def __init__(self, code: str, message: str) -> None:
        """Refuse with a stable code (`E-…`) and what is wrong, and where it helps what would be right."""
        self.code = code
        self.message = message
        super().__init__(code, message)

    def __str__(self) -> str:
        return f"{self.code} {self.message}"


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
