"""What a campaign agrees on before it begins: the game, the seats, how letters are treated, and the clock."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from pbem.campaign.clock.clock import Clock

Name = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]{0,39}\\Z")]
"""The name of a campaign: it stands in every letter, in file names and in what is hashed."""

Shown = Annotated[str, Meta(min_length=1, max_length=80)]

BotName = Annotated[str, Meta(pattern=r"^([a-z]{1,20}(:[0-9]{1,4})?(/[0-9A-Za-z.+-]{1,40})?)?\Z")]
"""The level of a bot, behind a colon how many worlds it imagines, and behind a stroke the version by which it plays."""

Language = Annotated[str, Meta(pattern="^[a-z]{2}\\Z")]


class Seat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One player's seat; the address is kept private."""

    name: Shown = ""
    address: Annotated[str, Meta(max_length=254)] = ""
    language: Language = "en"
    reports: Literal["plain", "sealed"] = "plain"
    """Whether reports go as readable mail, or sealed to the player's key."""
    pictures: Literal["light", "dark"] = "light"
    """Whether the pictures of reports are as by day or by night."""
    bot: BotName = ""
    """The bot that plays it, if one does."""


class Newcomer(Struct, frozen=True):
    """Who takes a seat: how they are called, and the language of their reports."""

    name: str = ""
    language: str = ""


NOBODY = Newcomer()
"""Somebody of whom neither is said."""


class Moderator(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who runs the campaign."""

    name: Shown = "the moderator"
    address: Annotated[str, Meta(max_length=254)] = ""
    seat: str = ""
    """The seat of a moderator who also plays; every report then says what is not protected."""


class Conduct(Struct, frozen=True, forbid_unknown_fields=True):
    """How letters are treated."""

    signing: Literal["on", "off"] = "on"
    """`off` takes unsigned letters, for a club night; every report says so."""
    sealing: Literal["moderator", "reveal"] = "moderator"
    """Who can open sealed parts: the moderator, or nobody before everybody has sealed."""
    misorders: Literal["hold", "return"] = "return"
    """What becomes of an order that turns out to be impossible: skipped, or sent back to be mended."""
    proofs: Literal["at once", "at the close"] = "at once"
    """When a card that shows is proved to everybody: the proof also tells when it was dealt, and so to whom."""
    # Not a default: `campaign.yaml` of an older campaign must be written to the same bytes as then.
    seats: Literal["chosen", "drawn"] | UnsetType = UNSET
    """Whether people play the seats that they join, or those that a lot gives them; older campaigns do not say it."""
    stand_in: BotName | UnsetType = UNSET
    """The bot that may stand in for the absent and play seats that are empty; left out, none may."""


class Settings(Struct, frozen=True):
    """A campaign's settings, as everybody may read them; addresses are left out."""

    campaign: Name
    terms: dict[str, str | dict[str, str]]
    """Game, scenario and options, by the keys of a position file."""
    seats: dict[str, Seat]
    """Every player of the game, in the order of the seats."""
    moderator: Moderator
    conduct: Conduct
    clock: Clock
    position: str = ""
    """The position file from which the game begins, if it is not the scenario's start."""

    def is_rival(self, player: str) -> bool:
        """Whether a moderator who plays should not read what is this player's, or of nobody knows whom."""
        return bool(self.moderator.seat) and player != self.moderator.seat
