"""Settings on which the people of a campaign agree before it begins: the game, the seats, choices about letters and
orders, and the clock."""

from __future__ import annotations

from typing import Annotated, Literal, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType

from pbem.campaign.clock.clock import Clock

Name = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]{0,39}\\Z")]
"""Name of a campaign. It is part of every letter, of file names and of hashes."""

Shown = Annotated[str, Meta(min_length=1, max_length=80)]

BotName = Annotated[str, Meta(pattern=r"^([a-z]{1,20}(:[0-9]{1,4})?(/[0-9A-Za-z.+-]{1,40})?)?\Z")]
"""Level of a bot. It may be followed by a colon and the number of worlds that the bot imagines, and by a slash and the
version of the bot."""

Language = Annotated[str, Meta(pattern="^[a-z]{2}\\Z")]


SuccessionTerms = Annotated[str, Meta(pattern=r"^(([2-9]) after ([1-9][0-9]{0,2})d)?\Z")]
"""Number of seats that together may give the campaign to an heir, and number of days of silence after which they may do
so."""


WebAddress = Annotated[str, Meta(max_length=120, pattern=r"^(https://[!-;=?-~]+)?\Z")]
"""Address of a page. It begins with `https://`, and has no `<`, `>` or blanks."""


class Seat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settings of one seat. The player's address stays private."""

    name: Shown = ""
    address: Annotated[str, Meta(max_length=254)] = ""
    language: Language = "en"
    reports: Literal["plain", "sealed"] = "plain"
    """Form of reports: readable mail, or sealed to the player's key."""
    pictures: Literal["light", "dark"] = "light"
    """Theme of pictures in reports: light for the day, or dark for the night."""
    news: Literal["short", "full", "daily"] = "short"
    """Form of mails that ask nothing of the player. A `short` mail has no picture and no complete page. A `full` mail
    is like all other mails. With `daily`, all mails of a day come in one short mail."""
    bot: BotName = ""
    """Bot that plays the seat; empty for a person."""


class Newcomer(Struct, frozen=True):
    """Name, language and mail address of somebody who takes a seat."""

    name: str = ""
    language: str = ""
    address: str = ""


MODERATOR = "moderator"
"""Name of the moderator as a sender, addressee or reader."""

OBSERVER = "observer"
"""Name of the reader who knows what everybody may know."""

NOBODY = Newcomer()
"""A newcomer without name, language and address."""


class Moderator(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settings of the person who runs the campaign."""

    name: Shown = "the moderator"
    address: Annotated[str, Meta(max_length=254)] = ""
    seat: str = ""
    """Seat of a moderator who also plays. Every report then tells which secrets this moderator could see."""
    desk: WebAddress = ""
    """Address of a page with the desk (docs/desk.md), which invitations, reports and receipts name."""


class Conduct(Struct, frozen=True, forbid_unknown_fields=True):
    """Choices about letters, orders and seats on which the people of a campaign agree."""

    signing: Literal["on", "off"] = "on"
    """Signatures on letters. With `off` unsigned letters are accepted, for example for an evening at a club, and every
    report says so."""
    sealing: Literal["moderator", "reveal"] = "moderator"
    """Reader of sealed parts: the moderator at any time, or everybody, but only after the parts are revealed."""
    misorders: Literal["hold", "return"] = "return"
    """Treatment of an order that turns out to be impossible: it is skipped (`hold`), or sent back to be corrected
    (`return`)."""
    proofs: Literal["at once", "at the close"] = "at once"
    """Time at which everybody gets the proof of a card that was shown. The proof also reveals when the card was dealt,
    and so to which power."""
    # `UNSET` is not written: `campaign.yaml` of an older campaign must keep its bytes.
    seats: Literal["chosen", "drawn"] | UnsetType = UNSET
    """Assignment of seats: people choose them when they join, or a lot decides. Missing in older campaigns."""
    stand_in: BotName | UnsetType = UNSET
    """Bot that may stand in for absent players and play empty seats; empty if no bot may."""
    succession: SuccessionTerms | UnsetType = UNSET
    """Terms on which seats may give the campaign to an heir; empty if they may not."""
    votes: Literal["none", "majority", "two thirds", "all"] | UnsetType = UNSET
    """Share of the seats that must vote for a proposal of more time. With `none`, only the moderator can give more
    time."""
    resigned: Literal["substitute", "bot", "hold"] | UnsetType = UNSET
    """Successor of a player who resigns. It is somebody whom the moderator invites (`substitute`), or the bot that
    stands in (`bot`). With `hold`, nobody waits for the seat and defaults answer for it, until somebody takes it."""
    messages: Literal["deniable", "at the close"] | UnsetType = UNSET
    """Proof of messages: nobody can prove a message (`deniable`), or everybody who has a message can prove it once
    the campaign is closed."""
    masks: Literal["none", "until the close"] | UnsetType = UNSET
    """Names of players: everybody knows them, or only the moderator until the close."""


def conduct_choices() -> dict[str, tuple[str, ...]]:
    """Return the values of each option of `conduct` that has a fixed set of values, the usual value first."""
    found: dict[str, tuple[str, ...]] = {}
    for name, hint in get_type_hints(Conduct).items():
        for literal in (each for each in (hint, *get_args(hint)) if get_origin(each) is Literal):
            values, usual = get_args(literal), getattr(Conduct(), name)
            found[name] = tuple(sorted(values, key=lambda value: value != usual)) if usual in values else values
    return found


class Settings(Struct, frozen=True):
    """A campaign's public settings; addresses are left out."""

    campaign: Name
    terms: dict[str, str | dict[str, str]]
    """Game, scenario and options, under the same keys as in a position file."""
    seats: dict[str, Seat]
    """Every seat of the game, in order."""
    moderator: Moderator
    conduct: Conduct
    clock: Clock
    position: str = ""
    """Name of the position file from which the game begins; empty for the scenario's start."""

    @property
    def is_masked(self) -> bool:
        """True if only the moderator may know who plays which seat, until the close."""
        return self.conduct.masks == "until the close"

    def is_rival(self, player: str) -> bool:
        """True if the moderator plays and this player has another seat: then the moderator should not read the player's
        letters. An unknown player counts as a rival."""
        return bool(self.moderator.seat) and player != self.moderator.seat
