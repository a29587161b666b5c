"""The engine's one way of saying no."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.faults.words import Words
from pbem.faults.wrong import Wrong, WrongError


class IllegalOrder(WrongError):
    """An answer the rules do not allow: by which rule, what is wrong, what would be legal, and where in the answer."""

    def __init__(
        self,
        wrong: Wrong | str,
        code: str = "",
        message: Words | str = "",
        legal: Words | str = "",
        where: tuple[str | int, ...] = (),
    ) -> None:
        """Keep what is wrong; `where` is the way into the answer, such as ("path", 2) for its third city.

        Rules whose words do not stand in the table give the §, a code, an English sentence and what would be legal.
        """
        super().__init__(Wrong(code, message, rule=wrong, hint=legal) if isinstance(wrong, str) else wrong)
        self.where = where

    @property
    def rule(self) -> str:
        """By which § it is not allowed."""
        return self.wrong.section

    def by(self, rule: str) -> IllegalOrder:
        """The same refusal by the § of another book."""
        return IllegalOrder(replace(self.wrong, rule=rule), where=self.where)
