"""Faults for errors of the operating system and for defects of the program."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path

from pbem.faults.wrong import Gap, PbemError, Words, Wrong, words, wrong

REASONS = {
    errno.ENOENT: "no-such-file",
    errno.EISDIR: "is-a-folder",
    errno.ENOTDIR: "path-no-folder",
    errno.EACCES: "not-allowed",
    errno.EPERM: "not-allowed",
    errno.EEXIST: "exists-already",
    errno.ENOSPC: "disk-is-full",
    errno.EROFS: "disk-is-read-only",
}
"""Wordings of the most frequent errors of the operating system. Other errors are told in the system's own text."""


def reason_of(error: OSError) -> Words | str:
    """Return the reason of an operating system's error: our wording, or else the system's text."""
    key = REASONS.get(error.errno or 0)
    return words(key) if key else error.strerror.lower() if error.strerror else words("it-failed")


PROGRAM = Path(__file__).parents[1]


MOST_PLACES = 4


def is_unforeseen(error: Exception) -> bool:
    """True if an error is a defect of the program: no part of the program raises it on purpose."""
    return not isinstance(error, PbemError | OSError)


def places_of(error: Exception) -> tuple[str, ...]:
    """Return the last places in the program through which an error passed, each as `path line`, the innermost first."""
    # The message of the error is left out: it may be secret.
    # `extract_tb` would fail for modules without line numbers, such as the desk's.
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    # In the desk's page the program lies in no folder.
    bases = (PROGRAM, Path(PROGRAM.name))
    ours = [
        f"{path.relative_to(base)} {line or ''}".rstrip()
        for path, line in frames
        for base in bases
        if path.is_relative_to(base)
    ]
    return tuple(reversed(ours[-MOST_PLACES:]))


def unforeseen_fault(error: Exception, wording: str, **gaps: Gap) -> Wrong:
    """Return the fault for a defect of the program, told in the words of the key `wording`."""
    return wrong(wording, "", None, kind=type(error).__name__, places=places_of(error), **gaps)
