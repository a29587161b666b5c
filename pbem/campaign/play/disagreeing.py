"""That the ledger says something else than what follows from letters and secret, and where it does."""

from __future__ import annotations

from pbem.faults.words import Words


class Disagreement(Exception):
    """An entry of the ledger does not say what the letters and the secret lead to."""

    def __init__(self, entry: int, what: Words | str) -> None:
        """Say which entry, and what of it."""
        self.entry = entry
        self.what = what
        super().__init__(entry, what)


def difference(expected: object, found: object, at: str = "it") -> str:
    """The first place at which two bare trees differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted({*expected, *found}):
            if expected.get(key) != found.get(key):
                return difference(expected.get(key), found.get(key), f"{at}.{key}" if at != "it" else key)
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            if one != other:
                return difference(one, other, f"{at}.{place}")
    return f"`{at}`"
