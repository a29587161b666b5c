"""Why the computer would not do something with a file, in words of the table."""

from __future__ import annotations

import errno

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
