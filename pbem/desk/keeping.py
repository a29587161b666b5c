"""Work that the page keeps in its browser: games against bots, and drafts of letters that answer reports."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.drafts import Drafts
from pbem.faults.wrong import PbemError


class KeptWork(Struct, frozen=True):
    """Game or letters, as the browser keeps them."""

    id: str
    """Identity of the game or of the report. In the browser, later work replaces earlier work with the same
    identity."""
    kind: str
    title: str
    stage: str
    over: bool
    drafts: dict[str, str]
    """Texts of the drafts, by name."""
    chosen: str
    """Name of the draft on top."""
    saved: str = ""
    """File of a game against bots; empty for letters."""


def drafts_of(drafts: Drafts) -> dict[str, str]:
    """Return the texts of all drafts, by name."""
    return {name: draft.text for name, draft in drafts.lying.items()}


def restore(drafts: Drafts, texts: dict[str, str], chosen: str) -> None:
    """Restore drafts from their texts, with the chosen one on top; a draft that can no longer be begun is left out."""
    for name, text in texts.items():
        try:
            drafts.lay(name, text)
        except (PbemError, AssertionError):
            continue
    drafts.take_up(chosen if chosen in drafts.lying else next(iter(drafts.lying)))
