"""All targets by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from .arguments import arguments
from .documents import documents
from .folders import folders
from .letters import letters
from .seals import seals
from .watching import Target

Maker = Callable[[], Iterator[Target]]

NAMES: dict[Maker, tuple[str, ...]] = {
    documents: ("strict", "position", "known", "orders", "plans", "settings", "board", "rtt", "vassal"),
    letters: ("mail", "letter", "intake", "report", "true report", "invitation", "notes"),
    seals: ("signature", "message", "box", "padded", "public key", "private key", "vault"),
    folders: ("folder",),
    arguments: ("arguments",),
}
"""The targets that each module makes."""

EVERY = tuple(name for names in NAMES.values() for name in names)


@cache
def made_by(maker: Maker) -> dict[str, Target]:
    """The targets of one module, made once in every process."""
    return {target.name: target for target in maker()}


def target_named(name: str) -> Target:
    """A target, for which only its own module is set to work."""
    maker = next(maker for maker, names in NAMES.items() if name in names)
    return made_by(maker)[name]
