"""Heirloom: the key in parts by which seats can give a campaign to an heir, and checks of the entries about it.

The moderator makes an age key, splits it, and seals one part to every seat. The moderator's secrets are sealed to that
key and sent to the seats (`bundles`). If enough seats give their parts to an heir, the heir gets the campaign
(docs/protocol.md, Succession).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TypeAlias

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.clock.timing import CampaignTime, deadline_again
from pbem.campaign.disk.vault import KeptHeirloom
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.public_state import SUCCEEDING, PublicState, players_held_by_lock
from pbem.campaign.ledger.records import HeirloomRecord, SuccessionRecord
from pbem.campaign.letters.joining import entry_text
from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.settings import MODERATOR, Settings
from pbem.faults.wrong import PbemError, Wrong, words, wrong
from pbem.paper.documents.strict import Text
from pbem.paper.letters import Letter, check_signature, read_letter
from pbem.seal.box import pad, seal, unpad, unseal
from pbem.seal.faults import ShareFault
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.shares import is_part, new_split_key, recipient_of


class Terms(Struct, frozen=True):
    """Terms on which the seats may give a campaign to an heir if the moderator is silent."""

    seats: int
    """Number of seats that together may give the campaign to an heir."""
    days: int
    """Days without an entry after which the campaign may be given to an heir."""


def terms_of(settings: Settings) -> Terms | None:
    """Return the terms of succession, or None if the campaign has none."""
    agreed = settings.conduct.succession
    if not agreed:
        return None
    seats, _, days = agreed.split(" ")
    return Terms(int(seats), int(days[:-1]))


def holders_now(public: PublicState) -> dict[str, str]:
    """Return a dict from each seat whose player should now have a part of the heirloom to the player's key. Bots,
    players without a key, and a moderator who plays have no part."""
    own = public.settings.moderator.seat
    return {seat: who.key for seat, who in sorted(public.players.items()) if who.key and not who.bot and seat != own}


def is_heirloom_due(public: PublicState) -> bool:
    """True if a new heirloom has to be made, because there is none, or because the holders or their keys have changed.
    It is false if the campaign has no terms of succession, if there are too few holders, before the game, and after the
    close."""
    terms, holders = terms_of(public.settings), holders_now(public)
    if terms is None or public.protocol < SUCCEEDING or public.phase not in ("running", "over"):
        return False
    is_another = public.heirloom is None or public.heirloom.holders != holders
    return is_another and too_few_holders(public) is None


def too_few_holders(public: PublicState) -> Wrong | None:
    """Return a warning if there are fewer holders than are needed to give the campaign to an heir. Return None if
    there are enough, and always before the game and after the close."""
    terms, count = terms_of(public.settings), len(holders_now(public))
    if terms is None or count >= terms.seats or public.phase not in ("running", "over"):
        return None
    return wrong("W-HEIR-FEW", count=count, wanted=terms.seats)


def renew_heirloom(campaign: Campaign) -> None:
    """Make a new heirloom and enter it in the ledger, if it is due."""
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
        # The vault is written before the entry. If the command is killed in between, the next command goes on with
        # these parts.
        campaign.write_vault()
    campaign.add(HeirloomRecord(kept.points, {seat: number for number, seat in enumerate(kept.parts, 1)}))


SealedShare: TypeAlias = dict[str, str | int | list[str]]
"""A seat's part of the key, as a report has it."""


def sealed_part_of(campaign: Campaign, seat: str) -> SealedShare | None:
    """Return the part of the heirloom for a seat's report, sealed to the player, with everything needed to check it.
    Return None for a seat without a part, and before the heirloom is in the ledger."""
    kept, known = campaign.vault.heirloom, public_part(campaign.public, seat)
    if kept is None or known is None or list(kept.points) != known["points"]:
        return None
    return {**known, "part": kept.parts[seat]}


def public_part(public: PublicState, seat: str) -> SealedShare | None:
    """Return all public facts about a seat's part of the heirloom. Return None if the seat has no part, if there are
    too few holders, or after the close."""
    heirloom, terms, player = public.heirloom, terms_of(public.settings), public.players.get(seat)
    if heirloom is None or terms is None or player is None or public.phase == "closed" or too_few_holders(public):
        return None
    if heirloom.holders.get(seat) != player.key:
        return None
    points, number = list(heirloom.points), heirloom.numbers[seat]
    return {"entry": heirloom.entry, "number": number, "points": points, "days": terms.days, "last": public.time}


def opened_part(points: tuple[str, ...], number: int, box: str, key: PrivateKey) -> str:
    """Open a box with a part of the heirloom, and return the part. Raises `SealFault` if the box cannot be opened, and
    `ShareFault` if the part does not fit the points."""
    part = unpad(unseal(key, box)).decode("ascii", "replace")
    try:
        is_right = is_part(points, number, part)
    except ValueError:
        is_right = False
    if not is_right:
        raise ShareFault(wrong("E-SHARE-PART", number=number))
    return part


def wrong_with_heirloom(public: PublicState, record: HeirloomRecord) -> Iterator[Wrong]:
    """Yield the faults of an entry with a new heirloom. `public` is the state before the entry."""
    terms = terms_of(public.settings)
    holders = holders_now(public)
    is_agreed = terms is not None and public.protocol >= SUCCEEDING and len(record.points) == terms.seats
    numbers = {seat: number for number, seat in enumerate(holders, 1)}
    if not is_agreed or record.parts != numbers or not is_heirloom_due(public):
        yield wrong("E-VERIFY-HEIRLOOM")
    try:
        # With any part, `is_part` raises an error for a value that is no point.
        is_part(record.points, 1, "00" * 32)
        recipient_of(record.points)
    except PbemError as fault:
        yield from fault.faults


def wrong_with_succession(public: PublicState, entry: Entry, record: SuccessionRecord) -> Iterator[Wrong]:
    """Yield the faults of an entry that makes an heir the moderator. `public` is the state before the entry."""
    terms, is_handed_over = terms_of(public.settings), set(record.letters) == {MODERATOR}
    is_agreed = is_handed_over or (terms is not None and public.heirloom is not None)
    if not is_agreed or public.protocol < SUCCEEDING or public.phase not in ("running", "over"):
        yield wrong("E-VERIFY-HEIR.agreed")
        return
    if terms and not is_handed_over:
        if len(record.letters) < terms.seats:
            yield wrong("E-VERIFY-HEIR.few", count=len(record.letters), wanted=terms.seats)
        if entry.time < parse_moment(public.time) + timedelta(days=terms.days):
            yield wrong("E-VERIFY-HEIR.early", days=terms.days)
    if fault := wrong_with_seat(public, record):
        yield fault
    if record.deadline != (right := deadline_for_heir(public, entry.time)):
        yield wrong("E-VERIFY-DEADLINE", right=right or words("no-deadline"), said=record.deadline)
    holders = public.heirloom.numbers if public.heirloom else {}
    signers = (
        {seat: public.players[seat].key for seat in holders} if not is_handed_over else {MODERATOR: public.moderator}
    )
    for writer, text in record.letters.items():
        yield from wrong_with_letter(text, Giving(public.settings.campaign, writer, entry.before, record.key), signers)


def wrong_with_seat(public: PublicState, record: SuccessionRecord) -> Wrong | None:
    """Return a fault if the entry of an heir names a wrong seat, else None. If a seat has the heir's key, the entry
    must name this seat. Otherwise it may name no seat, or a seat whose player has no key."""
    own = next((seat for seat, who in public.players.items() if is_same_key(who.key, record.key)), "")
    if own != record.seat and own:
        return wrong("E-VERIFY-HEIR.seat", seat=own)
    if record.seat and not own:
        player = public.players.get(record.seat)
        if player is None:
            return wrong("E-VERIFY-HEIR.nobody", seat=record.seat)
        return wrong("E-VERIFY-HEIR.other", seat=record.seat) if player.key else None
    return None


def deadline_for_heir(public: PublicState, now: datetime) -> str:
    """Return the deadline after an heir has taken over, as if the stage began now, but never earlier than the present
    deadline. Return an empty text if nobody owes anything."""
    if public.phase != "running" or public.next is None:
        return ""
    asked = players_held_by_lock(public) if public.locked else public.next.owing
    return deadline_again(CampaignTime(public, now), asked, public.deadline)


def is_same_key(first: str, second: str) -> bool:
    """True if two texts are the same public key, comments aside."""
    return bool(first) and first.split(" ")[:2] == second.split(" ")[:2]


class Giving(Struct, frozen=True):
    """Facts that a letter must state to give a campaign to an heir."""

    campaign: str
    writer: str
    """Seat, or `moderator`."""
    head: str
    """Hash of the last entry before the entry that makes the heir the moderator."""
    key: str
    """The heir's key."""


def wrong_with_letter(text: str, wanted: Giving, signers: Mapping[str, str]) -> Iterator[Wrong]:
    """Yield the faults of a letter that gives a campaign to an heir. `wanted` is what the letter must state. `signers`
    has the keys of all who may have written it: seats or `moderator`."""
    try:
        letter = read_letter(text.encode(), wanted.writer)
    except PbemError as fault:
        yield from fault.faults
        return
    is_theirs = (letter.kind, letter.campaign, letter.sender) == ("succession", wanted.campaign, wanted.writer)
    if wanted.writer not in signers or not is_theirs:
        yield wrong("E-VERIFY-HEIR.letter", seat=wanted.writer)
        return
    is_for_heir = text_in(letter, "head") == wanted.head and is_same_key(text_in(letter, "to"), wanted.key)
    if entry_text(letter) != text or not is_for_heir:
        yield wrong("E-VERIFY-HEIR.letter", seat=wanted.writer)
    try:
        check_signature(letter, PublicKey.parse(signers[wanted.writer]))
    except PbemError as fault:
        yield from fault.faults


def text_in(letter: Letter, key: str) -> str:
    """Return the text under a key of a letter's body, or an empty text without the key."""
    found = entry_of(letter.body, key)
    return found.value if isinstance(found, Text) else ""
