"""The engine's only exception."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.faults.wrong import Wrong, WrongError


class IllegalOrder(WrongError):
    """An answer that the rules do not allow: the rule, the reason, the legal choices, and the place in the answer."""

    def __init__(self, wrong: Wrong, where: tuple[str | int, ...] = ()) -> None:
        """Store the reason; `where` is the path into the answer, such as ("path", 2) for its third city."""
        super().__init__(wrong)
        self.where = where

    @property
    def rule(self) -> str:
        """§ that forbids it."""
        return self.wrong.section

    def by(self, rule: str) -> IllegalOrder:
        """Return the same refusal with the § of another book."""
        return IllegalOrder(replace(self.wrong, rule=rule), where=self.where)
