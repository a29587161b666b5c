"""The engine's one way of saying no."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.faults.wrong import Wrong, WrongError


class IllegalOrder(WrongError):
    """An answer the rules do not allow: by which rule, what is wrong, what would be legal, and where in the answer."""

    def __init__(self, wrong: Wrong, where: tuple[str | int, ...] = ()) -> None:
        """Keep what is wrong; `where` is the way into the answer, such as ("path", 2) for its third city."""
        super().__init__(wrong)
        self.where = where

    @property
    def rule(self) -> str:
        """By which § it is not allowed."""
        return self.wrong.section

    def by(self, rule: str) -> IllegalOrder:
        """The same refusal by the § of another book."""
        return IllegalOrder(replace(self.wrong, rule=rule), where=self.where)
