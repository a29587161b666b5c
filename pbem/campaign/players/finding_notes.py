"""Search for notes beside the player's keys, and notes made or updated from the moderator's letters."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pbem.campaign.ledger.public_state import seq_key
from pbem.campaign.ledger.seats import by_seats_drawn
from pbem.campaign.players.campaign_notes import (
    FORMAT,
    CampaignNotes,
    NewestLetter,
    folder_of,
    last_number,
    load,
    note_report,
    path_of,
    store,
)
from pbem.campaign.players.guidance import Guidance
from pbem.faults.wrong import PbemError, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.seal.keys import PublicKey

_NAME = re.compile(r"([a-z0-9][a-z0-9-]{0,39})\.([a-z0-9][a-z0-9-]{0,39})\.json")


def noted_campaigns(key: Path) -> list[tuple[str, str]]:
    """Return campaign and seat of each file of notes beside a key."""
    folder = folder_of(key)
    if not folder.is_dir():
        return []
    found = [_NAME.fullmatch(name) for name in sorted(os.listdir(folder))]
    return [(match[1], match[2]) for match in found if match]


def find_notes(key: Path, campaign: str = "", seat: str = "") -> CampaignNotes:
    """Return the notes on this campaign and seat. Either name may be empty, if only one file fits. Notes from before a
    lot are moved to the seat that the lot gave. Raises `Refused` if no file fits, or more than one."""
    there = noted_campaigns(key)
    fits = [each for each in there if campaign in ("", each[0]) and seat in ("", each[1])]
    if not fits and campaign and seat and (notes := notes_before_lot(key, campaign, seat, may_correct=True)):
        return moved_to_seat(key, notes, seat)
    if len(fits) == 1:
        return with_key_before(load(folder_of(key) / f"{fits[0][0]}.{fits[0][1]}.json"))
    hint = None if there else words("join-makes-notes")
    there_are = tuple(words("campaign-as", campaign=each[0], seat=each[1]) for each in there)
    if fits:
        raise Refused("notes", [wrong("E-NOTES-WHICH.several", there=there_are)])
    both = words("campaign-as", campaign=campaign, seat=seat) if campaign and seat else ""
    what = both or campaign or seat or words("your-campaign")
    raise Refused("notes", [wrong("E-NOTES-WHICH.none", what=what, there=there_are, hint=hint)])


def with_key_before(notes: CampaignNotes) -> CampaignNotes:
    """Copy everything that is newer in the notes beside the player's former key into these notes, and return these.
    Former notes that cannot be read are ignored."""
    if not notes.key_before:
        return notes
    try:
        before = load(path_of(Path(notes.key_before), notes))
    except (PbemError, OSError):
        return notes
    notes.sealed, notes.plans = before.sealed | notes.sealed, before.plans | notes.plans
    for series, each in before.newest.items():
        if each.seq > notes.newest.get(series, NewestLetter(-1, "")).seq:
            notes.newest[series] = each
    if before.seq > notes.seq:
        notes.seq, notes.letter = before.seq, before.letter
    if before.moderator != notes.moderator:
        return notes
    if before.signed and (notes.signed is None or before.signed.seq > notes.signed.seq):
        notes.signed = before.signed
    if before.came and (notes.came is None or before.came.entry > notes.came.entry):
        notes.came = before.came
    return notes


def key_places(key: Path) -> list[Path]:
    """Return the absolute paths of a key, and of all keys that its player had before or has changed to."""
    found = [key.absolute()]
    for place in found:
        for campaign, seat in noted_campaigns(place):
            with suppress(PbemError, OSError):
                notes = load(folder_of(place) / f"{campaign}.{seat}.json")
                linked = [notes.key_before, notes.next_key.place if notes.next_key else ""]
                found += [path for each in linked if each and (path := Path(each)) not in found]
    return found


def keys_in_turn(places: Sequence[Path], campaign: str, seat: str) -> list[tuple[Path, CampaignNotes]]:
    """Return the keys that a player has had for a seat, the first key first, each with its notes. `places` has the
    files of all keys that are searched."""
    noted = {place: notes for place in places if (notes := find_known_notes(place, campaign, seat))}
    named = {Path(notes.next_key.place) for notes in noted.values() if notes.next_key}
    found = [place for place in noted if place not in named][:1] or [*noted][:1]
    for place in found:
        after = noted[place].next_key
        if after and Path(after.place) in noted and Path(after.place) not in found:
            found.append(Path(after.place))
    return [(place, noted[place]) for place in found]


def find_known_notes(key: Path, campaign: str, seat: str) -> CampaignNotes | None:
    return find_notes(key, campaign, seat) if (campaign, seat) in noted_campaigns(key) else None


def has_notes(key: Path, campaign: str, seat: str) -> bool:
    """True if there are notes on a seat beside the key in the file `key`. Notes from before a lot that may belong to
    the seat count, too."""
    return (campaign, seat) in noted_campaigns(key) or notes_before_lot(key, campaign, seat) is not None


def notes_before_lot(key: Path, campaign: str, seat: str, *, may_correct: bool = False) -> CampaignNotes | None:
    """Return notes from before a lot that may belong to this seat. Return None if there are none. If `may_correct` is
    true, also accept notes that were already moved to another seat, if no report has named that seat and there are no
    other notes on the campaign."""
    there = [load(folder_of(key) / f"{name}.{each}.json") for name, each in noted_campaigns(key) if name == campaign]
    if any(notes.seat == seat for notes in there):
        return None
    found = [notes for notes in there if notes.is_free or (may_correct and notes.awaits_lot and not there[1:])]
    return found[0] if found else None


def moved_to_seat(key: Path, notes: CampaignNotes, seat: str) -> CampaignNotes:
    """Move notes to the file of the seat that a lot has given, and return them."""
    before, joined = path_of(key, notes), notes.seat
    if seat == joined:
        return notes
    notes.newest = by_seats_drawn(notes.newest, {joined: seat})
    notes.seat, notes.is_moved = seat, True
    store(key, notes)
    before.unlink()
    return notes


def notes_with(key: Path, guide: Guidance, seat: str = "") -> CampaignNotes:
    """Return the notes on a campaign, updated from a letter of the moderator. If there are none, make new ones. The
    notes are not stored, unless a lot moves them to another seat. Raises `Refused` for a letter of another
    moderator."""
    seat = seat or guide.seat
    has_begun = guide.kind == "report" and bool(guide.stage)
    notes = find_known_notes(key, guide.campaign, seat) or (
        notes_before_lot(key, guide.campaign, seat) if has_begun else None
    )
    if notes is None:
        notes = CampaignNotes(FORMAT, guide.campaign, seat, guide.moderator.text, guide.sealing, guide.terms)
        notes.awaits_lot = guide.has_lot
    if PublicKey.parse(notes.moderator) != guide.moderator:
        met = PublicKey.parse(notes.moderator).fingerprint
        stranger = wrong("E-GUIDE-MODERATOR.met", signer=guide.moderator.fingerprint, met=met)
        raise Refused(guide.campaign, [stranger])
    if has_begun:
        notes.awaits_lot = False
        notes = moved_to_seat(key, notes, seat)
    notes.sealing, notes.terms = guide.sealing, guide.terms
    notes.language = guide.language or notes.language
    notes.players, notes.powers = guide.players or notes.players, guide.all_powers or notes.powers
    notes.host = guide.host or notes.host
    note_report(notes, guide)
    reported = guide.next_seq - 1
    if guide.seat == seat and reported > last_number(notes, reported, "orders"):
        notes.newest[seq_key(seat, "orders")] = NewestLetter(reported, "")
    if guide.seat == seat and reported > last_number(notes, reported):
        notes.seq, notes.letter = reported, ""
    return notes
