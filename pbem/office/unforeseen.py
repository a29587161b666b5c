"""Errors that nobody foresaw: told by their kind and places alone, for what they say may be secret."""

from __future__ import annotations

from pbem.cli.surroundings import fault_of
from pbem.faults.system import places_of
from pbem.faults.words import Gap
from pbem.faults.wrong import Wrong, wrong
from pbem.office.doubts import BROKEN
from pbem.paper.documents.faults import Refused


def is_unforeseen(error: Exception) -> bool:
    """Say whether an error is one that no part of the program raises on purpose."""
    return not isinstance(error, Refused | OSError) and fault_of(error) is None


def unforeseen_fault(error: Exception, wording: str = BROKEN, **gaps: Gap) -> Wrong:
    """The fault that tells of an error."""
    return wrong(wording, "", None, kind=type(error).__name__, places=places_of(error), **gaps)
