"""The engine's one way of saying no."""

from __future__ import annotations


class IllegalOrder(Exception):
    """An answer the rules do not allow: which rule, what is wrong, what would be legal, and where in the answer."""

    def __init__(self, rule: str, code: str, message: str, legal: str = "", where: tuple[str | int, ...] = ()) -> None:
        """Keep the parts; `where` is the way into the answer, such as ("path", 2) for its third city."""
        super().__init__(f"{message} ({rule})")
        self.rule = rule
        self.code = code
        self.message = message
        self.legal = legal
        self.where = where
