"""Errors that nobody foresaw: told by their kind and places alone, for what they say may be secret."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

from pbem.cli.surroundings import fault_of
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.faults import Refused

PROGRAM = Path(__file__).parents[1]

MOST_PLACES = 4
"""So many lines of the program are named, the last first."""


def is_unforeseen(error: Exception) -> bool:
    """Whether an error is one that no part of the program raises on purpose."""
    return not isinstance(error, Refused | OSError) and fault_of(error) is None


def unforeseen_fault(error: Exception, wording: str = "E-OFFICE-BROKEN", **gaps: Any) -> Wrong:
    """The fault that tells of an error."""
    frames = [(Path(each.filename), each.lineno) for each in traceback.extract_tb(error.__traceback__)]
    ours = [f"{path.relative_to(PROGRAM)} {line}" for path, line in frames if path.is_relative_to(PROGRAM)]
    places = tuple(reversed(ours[-MOST_PLACES:]))
    return wrong(wording, kind=type(error).__name__, places=places, **gaps)
