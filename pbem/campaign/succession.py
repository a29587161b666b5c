"""Key in parts by which seats can give a campaign to an heir, and checks of the entries that do so.

The moderator makes an age key, splits it, and seals a part to every seat. All that the moderator alone has goes to
the seats, sealed to that key (`bundles`). As many seats as have been agreed can give an heir their parts, and with them
the campaign (docs/protocol.md, Succession).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TypeAlias

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.disk.vault import KeptHeirloom
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.public_state import SUCCEEDING, PublicState
from pbem.campaign.ledger.records import HeirloomRecord, SuccessionRecord
from pbem.campaign.letters.joining import entry_text
from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.settings import Settings
from pbem.faults.wrong import PbemError, Wrong, wrong
from pbem.paper.documents.strict import Text
from pbem.paper.letters import Letter, check_signature, read_letter
from pbem.seal.box import pad, seal, unpad, unseal
from pbem.seal.faults import ShareFault
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.shares import is_part, new_split_key, recipient_of


class Terms(Struct, frozen=True):
    """Terms on which seats may give a campaign to an heir."""

    seats: int
    """Number of seats that are enough."""
    days: int
    """Days without an entry, after which they may."""


def terms_of(settings: Settings) -> Terms | None:
    """Return the terms of succession; None if nobody agreed on any."""
    agreed = settings.conduct.succession
    if not agreed:
        return None
    seats, _, days = agreed.split(" ")
    return Terms(int(seats), int(days[:-1]))


def holders_now(public: PublicState) -> dict[str, str]:
    """Return the players who should have a part now, with their keys: people with a key, without a moderator who
    plays."""
    own = public.settings.moderator.seat
    return {seat: who.key for seat, who in sorted(public.players.items()) if who.key and not who.bot and seat != own}


def is_heirloom_due(public: PublicState) -> bool:
    """True if a key in parts has to be made: there is none yet, or others have the seats or keys now."""
    terms, holders = terms_of(public.settings), holders_now(public)
    if terms is None or public.protocol < SUCCEEDING or public.phase not in ("running", "over"):
        return False
    return len(holders) >= terms.seats and (public.heirloom is None or public.heirloom.holders != holders)


def renew_heirloom(campaign: Campaign) -> None:
    """Make a new key in parts and enter it, if one is due."""
    public, terms = campaign.public, terms_of(campaign.settings)
    if terms is None or not is_heirloom_due(public):
        return
    holders, kept = holders_now(public), campaign.vault.heirloom
    if not (kept and kept.holders == holders and not kept.sent):
        split = new_split_key(terms.seats)
        sealed = {
            seat: seal([PublicKey.parse(key)], pad(split.part(number).encode()))
            for number, (seat, key) in enumerate(holders.items(), 1)
        }
        campaign.vault.heirloom = kept = KeptHeirloom(split.points, holders, sealed)
        # Before its entry: a command that is killed between goes on with these parts.
        campaign.write_vault()
    campaign.add(HeirloomRecord(kept.points, {seat: number for number, seat in enumerate(kept.parts, 1)}))


SealedShare: TypeAlias = dict[str, str | int | list[str]]
"""Part of a seat as a report has it."""


def sealed_part_of(campaign: Campaign, seat: str) -> SealedShare | None:
    """Return the part of a seat as its report has it, sealed to its player, with all that the player's program checks
    it by. Return None for a seat without a part."""
    kept, known = campaign.vault.heirloom, public_part(campaign.public, seat)
    if kept is None or known is None or list(kept.points) != known["points"]:
        return None
    return {**known, "part": kept.parts[seat]}


def public_part(public: PublicState, seat: str) -> SealedShare | None:
    """Return everything about a seat's part that is public. Return None for a seat whose player has no part."""
    heirloom, terms, player = public.heirloom, terms_of(public.settings), public.players.get(seat)
    if heirloom is None or terms is None or player is None or public.phase == "closed":
        return None
    if heirloom.holders.get(seat) != player.key:
        return None
    points, number = list(heirloom.points), heirloom.numbers[seat]
    return {"entry": heirloom.entry, "number": number, "points": points, "days": terms.days, "last": public.time}


def opened_part(points: tuple[str, ...], number: int, box: str, key: PrivateKey) -> str:
    """Open a part. Raises `SealFault`, also for a part that does not belong to the points."""
    part = unpad(unseal(key, box)).decode("ascii", "replace")
    try:
        is_right = is_part(points, number, part)
    except ValueError:
        is_right = False
    if not is_right:
        raise ShareFault(wrong("E-SHARE-PART", number=number))
    return part


def wrong_with_heirloom(public: PublicState, record: HeirloomRecord) -> Iterator[Wrong]:
    """Yield the faults of an entry with a key in parts. `public` is the state before it."""
    terms = terms_of(public.settings)
    holders = holders_now(public)
    is_agreed = terms is not None and public.protocol >= SUCCEEDING and len(record.points) == terms.seats
    numbers = {seat: number for number, seat in enumerate(holders, 1)}
    if not is_agreed or record.parts != numbers or not is_heirloom_due(public):
        yield wrong("E-VERIFY-HEIRLOOM")
    try:
        # A point that is none is found whatever the part.
        is_part(record.points, 1, "00" * 32)
        recipient_of(record.points)
    except PbemError as fault:
        yield from fault.faults


def wrong_with_succession(public: PublicState, entry: Entry, record: SuccessionRecord) -> Iterator[Wrong]:
    """Yield the faults of an entry by which an heir carries the campaign on. `public` is the state before it."""
    terms, heirloom = terms_of(public.settings), public.heirloom
    if terms is None or heirloom is None or public.phase not in ("running", "over"):
        yield wrong("E-VERIFY-HEIR.agreed")
        return
    if len(record.letters) < terms.seats:
        yield wrong("E-VERIFY-HEIR.few", count=len(record.letters), wanted=terms.seats)
    if entry.time < parse_moment(public.time) + timedelta(days=terms.days):
        yield wrong("E-VERIFY-HEIR.early", days=terms.days)
    own = next((seat for seat, who in public.players.items() if is_same_key(who.key, record.key)), "")
    if (own or record.seat) != record.seat or (record.seat and record.seat not in public.players):
        yield wrong("E-VERIFY-HEIR.seat", seat=record.seat or own)
    for seat, text in record.letters.items():
        yield from wrong_with_letter(public, entry.before, record.key, seat, text)


def is_same_key(one: str, other: str) -> bool:
    """True if two texts are the same public key, whatever stands behind it."""
    return bool(one) and one.split(" ")[:2] == other.split(" ")[:2]


def wrong_with_letter(public: PublicState, head: str, key: str, seat: str, text: str) -> Iterator[Wrong]:
    """Yield the faults of a letter that gives the campaign to an heir. `head` is the hash of the last entry before the
    heir's, and `key` the heir's key."""
    try:
        letter = read_letter(text.encode(), seat)
    except PbemError as fault:
        yield from fault.faults
        return
    heirloom, player = public.heirloom, public.players.get(seat)
    is_of_seat = (letter.kind, letter.campaign, letter.sender) == ("succession", public.settings.campaign, seat)
    if heirloom is None or player is None or seat not in heirloom.numbers or not is_of_seat:
        yield wrong("E-VERIFY-HEIR.letter", seat=seat)
        return
    if entry_text(letter) != text or text_in(letter, "head") != head or not is_same_key(text_in(letter, "to"), key):
        yield wrong("E-VERIFY-HEIR.letter", seat=seat)
    try:
        check_signature(letter, PublicKey.parse(player.key))
    except PbemError as fault:
        yield from fault.faults


def text_in(letter: Letter, key: str) -> str:
    """Return the text under a key of a letter's body, or an empty text without one."""
    found = entry_of(letter.body, key)
    return found.value if isinstance(found, Text) else ""
