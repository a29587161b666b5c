"""Data of all pages of one site, read once from the campaign's folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.campaign.ledger.reading import Reading
from pbem.campaign.ledger.records import CloseRecord
from pbem.campaign.proof.findings import Verification
from pbem.engine.table import GameRules
from pbem.report.course import Figures
from pbem.report.letters.times import when
from pbem.report.picture.theme import ThemeName
from pbem.site.accounts import Accounts
from pbem.site.hands import SealedContents, StageSecrets
from pbem.site.story import Story, time_of
from pbem.site.words import SiteWords

Theme = Literal["auto", "light", "dark"]

THEMES: dict[Theme, tuple[ThemeName, ...]] = {"auto": ("light", "dark"), "light": ("light",), "dark": ("dark",)}
"""Colour themes in which the ground is drawn."""


class Archive(Struct, frozen=True):
    """A campaign and everything derived from it for the site."""

    reading: Reading
    rules: GameRules
    story: Story
    say: SiteWords
    letters: dict[int, str]
    """Files of the public letters, by entry."""
    texts: dict[int, str]
    """Texts of these letters, by entry."""
    opened: tuple[SealedContents, ...]
    secrets: tuple[StageSecrets, ...]
    figures: Mapping[int, Figures]
    """Figures after each adjudication of a closed campaign, by its entry."""
    accounts: Accounts
    """Accounts of each seat, once they are published."""
    verification: Verification
    theme: Theme


def is_closed(reading: Reading) -> bool:
    """True if everything has been published."""
    return isinstance(reading.entries[-1][1], CloseRecord)


def moment_data(archive: Archive, entry: int) -> dict[str, object]:
    """Time of an entry, for people and for programs."""
    time = when(time_of(archive.reading, entry), archive.reading.settings.clock)
    return {"utc": time["utc"], "words": archive.say.moment(time), "day": archive.say.day(time)}
