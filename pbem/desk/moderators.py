"""Known moderators: the key of each campaign's moderator, and where the player has compared the key.

A report proves which key signed it, but not that the key is the moderator's. So the player must accept the key of a
campaign's first report. A report with another key is refused, unless the ledger leads from the known key to that key.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from pbem.campaign.disk.vault import json_value
from pbem.campaign.players import campaign_notes
from pbem.campaign.players.guidance import KINDS, Guidance
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.player.files import GivenFile
from pbem.player.tables import kind_of, trusted_guide
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

SOURCE = "moderators"
MOST, LARGEST = 500, 262_144
"""Limits of the number of known campaigns, and of the number of bytes of their text."""

Way = Literal["told", "invitation", "notes", "archive"]
"""Source with which a key was compared: the moderator's own word, an invitation, notes of `pbem`, or the ledger."""

NAME = Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}\Z")


class Acquaintance(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Accepted key of a campaign's moderator, with its comparisons and the day of acceptance."""

    key: Annotated[str, Meta(max_length=200)]
    ways: Annotated[tuple[Way, ...], Meta(max_length=4)]
    day: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]
    own: Annotated[str, Meta(max_length=100)] = ""
    """Fingerprint of the key with which the player signed last in this campaign; empty if the page knows none."""

    @property
    def public(self) -> PublicKey:
        """The public key; raises `KeyFault` for a damaged text."""
        return PublicKey.parse(self.key)


Acquaintances = Annotated[dict[Annotated[str, NAME], Acquaintance], Meta(max_length=MOST)]


class Comparison(Struct, frozen=True):
    """Comparison of the waiting letter's key with a key from another source."""

    way: Way
    """Source of the other key."""
    key: str
    """Fingerprint of the other key."""
    same: bool
    """True if both are the same key."""


class Stranger(Struct, frozen=True):
    """Moderator of a waiting letter, whose key the player has not accepted."""

    campaign: str
    kind: str
    """Kind of the waiting letter."""
    host: str
    """Name of the moderator."""
    key: str
    """Fingerprint of the moderator's key."""
    also: tuple[str, ...]
    """Other campaigns whose moderator has the same key."""
    compared: tuple[Comparison, ...]
    """Comparisons of the key so far, the latest of each source."""
    known: str
    """Fingerprint of another key that is known as the key of the campaign's moderator; empty if there is none."""
    acceptable: bool
    """True if the player may accept the key."""


def acquaintances_in(text: str) -> dict[str, Acquaintance]:
    """Return the known moderators in a browser's text, keyed by campaign; raises `Refused` for a damaged text."""
    if not text:
        return {}
    data = text.encode()
    if len(data) > LARGEST:
        raise Refused(SOURCE, [wrong("E-DESK-MODERATORS")])
    try:
        found = json_value(data, Acquaintances, SOURCE, "E-DESK-MODERATORS")
        for each in found.values():
            assert each.public
    except SealFault:
        raise Refused(SOURCE, [wrong("E-DESK-MODERATORS")]) from None
    return found


class Moderators:
    """Known moderators, and a letter that waits until its moderator's key is accepted."""

    def __init__(self) -> None:
        self.met: dict[str, Acquaintance] = {}
        self.waiting: Guidance | None = None
        self.compared: list[Comparison] = []
        self.ledger: Sequence[PublicKey] = ()
        """The moderator's keys, in the order of the ledger of the waiting letter's campaign."""

    def load(self, text: str) -> None:
        """Load the known moderators from a browser's text. Raises `Refused` for a damaged text; then no moderator is
        known."""
        self.met = {}
        self.met = acquaintances_in(text)

    def new_acquaintances(self, text: str) -> dict[str, Acquaintance]:
        """Return the moderators of unknown campaigns in a text, keyed by campaign, up to the limit. Raises `Refused`
        for a damaged text."""
        found = [(name, met) for name, met in acquaintances_in(text).items() if name not in self.met]
        return dict(found[: MOST - len(self.met)])

    def text(self) -> str:
        """Return the known moderators as a text that the browser should store."""
        return msgspec.json.encode(self.met).decode()

    def forget(self, campaign: str) -> None:
        self.met.pop(campaign, None)

    def is_met(self, seen: Guidance) -> bool:
        """Return whether a letter is signed by the known moderator of the letter's campaign."""
        met = self.met.get(seen.campaign)
        return met is not None and met.public == seen.moderator

    def keep_waiting(self, seen: Guidance) -> Stranger:
        """Keep a letter until its moderator's key is accepted; return the moderator."""
        self.waiting, self.compared, self.ledger = seen, [], ()
        return self.stranger()

    def stranger(self) -> Stranger:
        """Return the waiting letter's moderator, with the comparisons of the key. A letter must be waiting."""
        seen, known = self.waiting_letter, self.other_known_key
        also = [name for name, met in self.met.items() if name != seen.campaign and met.public == seen.moderator]
        return Stranger(
            seen.campaign,
            seen.kind,
            seen.host,
            seen.moderator.fingerprint,
            tuple(sorted(also)),
            tuple(self.compared),
            known.fingerprint if known else "",
            self.is_acceptable(known),
        )

    @property
    def waiting_letter(self) -> Guidance:
        assert self.waiting, "no letter waits"
        return self.waiting

    @property
    def other_known_key(self) -> PublicKey | None:
        """The campaign's known key, if the waiting letter bears another key, else None."""
        met = self.met.get(self.waiting_letter.campaign)
        return met.public if met and met.public != self.waiting_letter.moderator else None

    def is_acceptable(self, known: PublicKey | None) -> bool:
        """Return whether the waiting letter's key may be accepted. All comparisons must have found this key. If another
        key `known` was noted for the campaign, it must be among the keys of the compared ledger."""
        # The ledger's keys form a chain: each is named by an entry that the key before it has signed.
        return all(each.same for each in self.compared) and (known is None or known in self.ledger)

    def compare(self, data: bytes, source: str) -> None:
        """Compare the waiting letter's key with the key in an invitation or in notes, and note the result. Raises
        `Refused` for any other file, and for a file of another campaign."""
        if kind_of(data) in KINDS:
            found = trusted_guide(GivenFile(source, data))
            if found.kind != "invitation":
                raise Refused(source, [wrong("E-DESK-COMPARE.kind")])
            self.note_comparison("invitation", found.campaign, found.moderator, source)
        elif data.lstrip().startswith(b"{"):
            notes = campaign_notes.read(data, source)
            self.note_comparison("notes", notes.campaign, PublicKey.parse(notes.moderator), source)
        else:
            raise Refused(source, [wrong("E-DESK-COMPARE.kind")])

    def compare_ledger(self, campaign: str, keys: Sequence[PublicKey]) -> None:
        """Compare the waiting letter's key with the last of `keys`, and note the result and all keys. `keys` are the
        moderator's keys in a verified ledger. Raises `Refused` for another campaign."""
        self.note_comparison("archive", campaign, keys[-1], "archive")
        self.ledger = keys

    def note_comparison(self, way: Way, campaign: str, key: PublicKey, source: str) -> None:
        """Compare the waiting letter's key with a key from another source (`way`), and note the result. Raises
        `Refused` for another campaign."""
        seen = self.waiting_letter
        if campaign != seen.campaign:
            raise Refused(source, [wrong("E-DESK-COMPARE.campaign", theirs=campaign, ours=seen.campaign)])
        others = [each for each in self.compared if each.way != way]
        self.compared = [*others, Comparison(way, key.fingerprint, key == seen.moderator)]

    def accept(self) -> Guidance:
        """Accept the waiting letter's key as the moderator's. Raises `Refused` if that is not allowed."""
        seen, known = self.waiting_letter, self.other_known_key
        if not self.is_acceptable(known):
            raise Refused(seen.campaign, [self.objection(known)])
        self.note_moderator(seen, *(each.way for each in self.compared))
        return seen

    def objection(self, known: PublicKey | None) -> Wrong:
        """Return the fault that refuses the waiting letter's key. The fault names the known key, or else the first
        compared key that differs."""
        met = known.fingerprint if known else next(each.key for each in self.compared if not each.same)
        return wrong("E-GUIDE-MODERATOR.met", signer=self.waiting_letter.moderator.fingerprint, met=met)

    def note_moderator(self, seen: Guidance, *ways: Way) -> None:
        """Note the moderator of a letter's campaign, and the sources (`ways`) that confirmed the key. Without a source,
        note `told`: the player trusts the moderator's word. If too many campaigns are known, forget the campaign noted
        first."""
        before = self.met.pop(seen.campaign, None)
        while len(self.met) >= MOST:
            del self.met[next(iter(self.met))]
        day = datetime.now(UTC).date().isoformat()
        own = before.own if before else ""
        self.met[seen.campaign] = Acquaintance(PublicKey(seen.moderator.raw).text, ways or ("told",), day, own)

    def note_own_key(self, campaign: str, key: PublicKey) -> None:
        """Note the player's own key in a campaign whose moderator is known."""
        if met := self.met.get(campaign):
            self.met[campaign] = replace(met, own=key.fingerprint)

    def campaigns_of_key(self, key: PublicKey) -> list[str]:
        """Return the campaigns in which the player last signed with this key."""
        return [name for name, met in sorted(self.met.items()) if met.own == key.fingerprint]
