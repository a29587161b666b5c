"""Work that the page keeps in its browser: games against bots, and the drafts of letters that answer reports."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.drafts import Drafts
from pbem.faults.wrong import PbemError


class Kept(Struct, frozen=True):
    """Game or letters, as the browser keeps them."""

    id: str
    """The same for the same game, or for the same report."""
    kind: str
    title: str
    stage: str
    over: bool
    drafts: dict[str, str]
    """Texts of the letters, by name."""
    chosen: str
    """Name of the letter on top."""
    saved: str = ""
    """File of a game against bots."""


def drafts_of(drafts: Drafts) -> dict[str, str]:
    """Texts of all letters on the desk."""
    return {name: draft.text for name, draft in drafts.lying.items()}


def restore(drafts: Drafts, texts: dict[str, str], chosen: str) -> None:
    """Lay letters on the desk as they were; one that cannot be begun any more is left out."""
    for name, text in texts.items():
        try:
            drafts.take_up(name)
        except (PbemError, AssertionError):
            continue
        drafts.top.become(text)
    drafts.take_up(chosen if chosen in drafts.lying else next(iter(drafts.lying)))
