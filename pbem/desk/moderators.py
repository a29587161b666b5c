"""Known moderators: the key of each campaign's moderator, and the sources with which the player has compared it.

A report proves with which key it was signed, but not that the key is the moderator's. So the first report of a campaign
is opened when the player accepts its key. A report with another key is refused, unless the campaign's ledger leads from
the known key to that other key. The page keeps the accepted keys as a text in its browser.
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
"""Limits: the number of known campaigns, and the bytes of their text."""

Way = Literal["told", "invitation", "notes", "archive"]
"""Sources with which a key was compared: the moderator's own word, an invitation, notes of `pbem`, or the ledger."""

NAME = Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}\Z")


class Acquaintance(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Accepted key of a campaign's moderator, with the sources with which the player has compared it, and the day of
    acceptance."""

    key: Annotated[str, Meta(max_length=200)]
    ways: Annotated[tuple[Way, ...], Meta(max_length=4)]
    day: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]
    own: Annotated[str, Meta(max_length=100)] = ""
    """Fingerprint of the key with which the player signed last in this campaign; empty if the page knows none."""

    @property
    def public(self) -> PublicKey:
        """The public key; raises `KeyFault` if the stored text is no key."""
        return PublicKey.parse(self.key)


Acquaintances = Annotated[dict[Annotated[str, NAME], Acquaintance], Meta(max_length=MOST)]


class Comparison(Struct, frozen=True):
    """Result of comparing two keys: the key of the waiting letter, and a key that the player has from another
    source."""

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
    """The fingerprint of the key."""
    also: tuple[str, ...]
    """Other campaigns whose moderator has the same key."""
    compared: tuple[Comparison, ...]
    """Comparisons of the key so far, the latest of each source."""
    known: str
    """Fingerprint of another key that is known as the key of the campaign's moderator; empty if there is none."""
    acceptable: bool
    """True if the player may accept the key."""


def acquaintances_in(text: str) -> dict[str, Acquaintance]:
    """Return the known moderators in a text from the browser, keyed by campaign; raises `Refused` for a damaged
    text."""
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
    """Known moderators, and the letter that waits until its moderator's key is accepted."""

    def __init__(self) -> None:
        """Begin without known moderators."""
        self.met: dict[str, Acquaintance] = {}
        self.waiting: Guidance | None = None
        self.compared: list[Comparison] = []
        self.ledger: Sequence[PublicKey] = ()
        """The moderator's keys in the ledger of the waiting letter's campaign, in their order."""

    def load(self, text: str) -> None:
        """Load the known moderators from a text of the browser. Raises `Refused` for a damaged text, and then no
        moderator is known."""
        self.met = {}
        self.met = acquaintances_in(text)

    def new_acquaintances(self, text: str) -> dict[str, Acquaintance]:
        """Return the moderators in a text, keyed by campaign, no more than the limit allows to add. Campaigns whose
        moderator is known are left out. Raises `Refused` for a damaged text."""
        found = [(name, met) for name, met in acquaintances_in(text).items() if name not in self.met]
        return dict(found[: MOST - len(self.met)])

    def text(self) -> str:
        """Return the known moderators as the text that the browser keeps."""
        return msgspec.json.encode(self.met).decode()

    def forget(self, campaign: str) -> None:
        self.met.pop(campaign, None)

    def is_met(self, seen: Guidance) -> bool:
        """Return whether a letter is signed with the key that is known as the key of its campaign's moderator."""
        met = self.met.get(seen.campaign)
        return met is not None and met.public == seen.moderator

    def keep_waiting(self, seen: Guidance) -> Stranger:
        """Let a letter wait until the player has accepted its moderator's key; return its moderator."""
        self.waiting, self.compared, self.ledger = seen, [], ()
        return self.stranger()

    def stranger(self) -> Stranger:
        """Return the moderator of the waiting letter, with all that is known about the moderator's key. A letter must
        be waiting."""
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
        """Key that the browser has noted for the campaign, if the waiting letter bears another key; otherwise None."""
        met = self.met.get(self.waiting_letter.campaign)
        return met.public if met and met.public != self.waiting_letter.moderator else None

    def is_acceptable(self, known: PublicKey | None) -> bool:
        """Return whether every comparison found the same key. If the browser has noted another key for this campaign,
        `known`, that key must also be among the moderator's keys in the ledger. The ledger's keys form a chain: each is
        named by an entry that the key before it has signed."""
        return all(each.same for each in self.compared) and (known is None or known in self.ledger)

    def compare(self, data: bytes, source: str) -> None:
        """Compare the key of the waiting letter with the key in `data`, an invitation or notes of `pbem`, and note the
        result. Raises `Refused` for anything else, and for another campaign."""
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
        """Compare the key of the waiting letter with the last of the moderator's keys in a verified ledger, and note
        the result and all these keys. Raises `Refused` if the ledger is of another campaign."""
        self.note_comparison("archive", campaign, keys[-1], "archive")
        self.ledger = keys

    def note_comparison(self, way: Way, campaign: str, key: PublicKey, source: str) -> None:
        """Compare the key of the waiting letter with a key from another source (`way`), and note the result in place of
        an earlier one. Raises `Refused` if `campaign` is not the letter's campaign."""
        seen = self.waiting_letter
        if campaign != seen.campaign:
            raise Refused(source, [wrong("E-DESK-COMPARE.campaign", theirs=campaign, ours=seen.campaign)])
        others = [each for each in self.compared if each.way != way]
        self.compared = [*others, Comparison(way, key.fingerprint, key == seen.moderator)]

    def accept(self) -> Guidance:
        """Note the key of the waiting letter as the moderator's. Raises `Refused` if the key may not be accepted."""
        seen, known = self.waiting_letter, self.other_known_key
        if not self.is_acceptable(known):
            raise Refused(seen.campaign, [self.objection(known)])
        self.note_moderator(seen, *(each.way for each in self.compared))
        return seen

    def objection(self, known: PublicKey | None) -> Wrong:
        """Return the fault that refuses the key of the waiting letter. It names the campaign's known key (`known`), or
        without one the first compared key that differs."""
        met = known.fingerprint if known else next(each.key for each in self.compared if not each.same)
        return wrong("E-GUIDE-MODERATOR.met", signer=self.waiting_letter.moderator.fingerprint, met=met)

    def note_moderator(self, seen: Guidance, *ways: Way) -> None:
        """Note the moderator of a campaign. At the limit, forget the campaign that was noted first. `ways` are the
        sources with which the key was compared; without them, the player trusts the moderator's own word."""
        before = self.met.pop(seen.campaign, None)
        while len(self.met) >= MOST:
            del self.met[next(iter(self.met))]
        day = datetime.now(UTC).date().isoformat()
        own = before.own if before else ""
        self.met[seen.campaign] = Acquaintance(PublicKey(seen.moderator.raw).text, ways or ("told",), day, own)

    def note_own_key(self, campaign: str, key: PublicKey) -> None:
        """Note the key with which the player signs in a campaign, if the campaign's moderator is known."""
        if met := self.met.get(campaign):
            self.met[campaign] = replace(met, own=key.fingerprint)

    def campaigns_of_key(self, key: PublicKey) -> list[str]:
        """Return the campaigns in which the player signed last with this key."""
        return [name for name, met in sorted(self.met.items()) if met.own == key.fingerprint]
