"""Why the computer would not do something with a file, in words of the table."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path

from pbem.faults.words import Words, words

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
"""The reasons that people meet; of all others the computer itself is quoted."""


def reason_of(error: OSError) -> Words | str:
    """Why it failed."""
    key = REASONS.get(error.errno or 0)
    return words(key) if key else error.strerror.lower() if error.strerror else words("it-failed")


PROGRAM = Path(__file__).parents[1]

MOST_PLACES = 4


def places_of(error: Exception) -> tuple[str, ...]:
    """Return the last lines of the program that an error went through, the last first; what it says may be secret."""
    frames = [(Path(each.filename), each.lineno) for each in traceback.extract_tb(error.__traceback__)]
    ours = [f"{path.relative_to(PROGRAM)} {line}" for path, line in frames if path.is_relative_to(PROGRAM)]
    return tuple(reversed(ours[-MOST_PLACES:]))
