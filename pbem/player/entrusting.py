"""Letters with which a player gives a campaign to an heir. Each letter has the player's part of the heirloom. The
heirloom is the key with which the heir can carry on the campaign."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from pbem.campaign.bundles import ReadBundle, read_bundle
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import HeirloomRecord
from pbem.campaign.players.campaign_notes import CampaignNotes
from pbem.campaign.players.guidance import ReportedPart
from pbem.campaign.succession import opened_part
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import WIDE, sign_letter, write_letter
from pbem.player.files import GivenFile
from pbem.player.letters import Pen, key_of_part, write_noted
from pbem.player.writing import SeatChoice, WrittenLetter
from pbem.seal.box import pad, seal
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey, PublicKey


class Trust(Struct, frozen=True):
    """Bundle that the heir needs to carry on the campaign, and the heir's key."""

    bundle: GivenFile
    heir: PublicKey


def entrust(trust: Trust, whose: SeatChoice, key: PrivateKey, pen: Pen, now: datetime) -> WrittenLetter:
    """Write the signed letter that gives a campaign to an heir, and note it beside the key. Raises `Refused` if the
    player has no part of the heirloom, if the part and the bundle do not belong together, or if the moderator wrote too
    recently."""
    notes = whose.notes(pen.place)
    bundle, heirloom = read_bundle(trust.bundle.data, trust.bundle.source), notes.heirloom
    last = bundle.entries[-1]
    if heirloom is None:
        raise Refused(notes.campaign, [wrong("E-HEIR-NO-PART")])
    if last.campaign != notes.campaign:
        raise Refused(bundle.source, [wrong("E-LEDGER-CAMPAIGN", theirs=last.campaign, ours=notes.campaign)])
    check_silence(bundle, heirloom, now)
    check_bundle_of_part(bundle, heirloom)
    part = part_to_give(heirloom, notes, key, pen.place)
    check_part(bundle, heirloom, notes.seat)
    seq = notes.seq + 1
    head: dict[str, str | int] = {"kind": "succession", "campaign": notes.campaign, "from": notes.seat, "seq": seq}
    body = {"to": trust.heir.bare.text, "head": last.hash, "part": seal([trust.heir], pad(part.encode()))}
    text = sign_letter(write_letter(head, body, WIDE), key)
    path = write_noted(pen.out, f"succession-{notes.campaign}-{notes.seat}-{seq}.yaml", text, pen.place, notes)
    return WrittenLetter(path, seq, (trust.heir.fingerprint,), (trust.heir.fingerprint,))


def check_silence(bundle: ReadBundle, heirloom: ReportedPart, now: datetime) -> None:
    """Raise `Refused` if the moderator has not been silent for the agreed time."""
    last = bundle.entries[-1]
    # The newest report may be newer than the bundle. The silence begins with the last entry that this player knows of.
    heard = max(last.time, parse_moment(heirloom.last)) if heirloom.last else last.time
    if now < heard + timedelta(days=heirloom.days):
        early = wrong("E-HEIR-EARLY", days=heirloom.days, then=f"{heard:%Y-%m-%d}")
        raise Refused(bundle.source, [early])


def check_bundle_of_part(bundle: ReadBundle, heirloom: ReportedPart) -> None:
    """Raise `Refused` if the player's part does not open this bundle."""
    # Parts open only bundles that were made after the entry that gave out the parts, and before the next such entry.
    made, first = entry_of_parts(bundle), bundle.entries[0].number
    if made != heirloom.entry if made else heirloom.entry >= first:
        raise Refused(bundle.source, [wrong("E-HEIR-OTHER.part", entry=heirloom.entry, theirs=made or first)])


def entry_of_parts(bundle: ReadBundle) -> int:
    """Return the number of the last entry in the bundle that gave out parts of the heirloom, or 0 if there is no such
    entry."""
    return max((entry.number for entry in bundle.entries if entry.kind == "heirloom"), default=0)


def part_to_give(heirloom: ReportedPart, notes: CampaignNotes, key: PrivateKey, place: Path) -> str:
    """Return the text of the player's part, which is opened with `key`. Raises `Refused` if the part is sealed to
    another key, and `SealFault` if the part is damaged."""
    try:
        return opened_part(heirloom.points, heirloom.number, heirloom.part, key)
    except BoxFault as fault:
        if fault.wrong.code != "E-SEAL-KEY":
            raise
        own = key.public.fingerprint
        if sealed := key_of_part(heirloom.part, place, notes, key.public):
            another = wrong("E-HEIR-KEY", entry=heirloom.entry, key=own, sealed=sealed.key.fingerprint)
        else:
            another = wrong("E-HEIR-KEY.unknown", entry=heirloom.entry, key=own)
        raise Refused(notes.campaign, [another]) from None


def check_part(bundle: ReadBundle, heirloom: ReportedPart, seat: str) -> None:
    """Raise `Refused` if the player's part is not the one that the bundle's ledger gave out."""
    made = entry_of_parts(bundle)
    entered = next((record_in(entry) for entry in bundle.entries if entry.number == made), None)
    known = (heirloom.points, heirloom.number)
    if isinstance(entered, HeirloomRecord) and (entered.points, entered.parts.get(seat)) != known:
        raise Refused(bundle.source, [wrong("E-SHARE-PART", number=heirloom.number)])
