"""A player's notes on campaigns: which orders the player must still send, the deadlines, and the moderator whom the
player follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from pbem.campaign.bundles import ReadBundle, read_bundle
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.entries import LAST_NUMBER, SUCCESSION, Entry
from pbem.campaign.players import campaign_notes
from pbem.campaign.players.campaign_notes import CampaignNotes
from pbem.campaign.players.finding_notes import find_notes, key_places, keys_in_turn, noted_campaigns
from pbem.campaign.players.standing import (
    OWED,
    SeatStanding,
    Standing,
    seats_with_standing,
    standing_of_seat,
    stored_standing,
)
from pbem.campaign.proof.verification import Verification, sound_verification
from pbem.campaign.proof.verifying import Verifier, moderator_keys, walk_through
from pbem.faults.wrong import Gap, Words, Wrong, printable, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.player.files import MOST_OF_LARGE, read_file
from pbem.report.language.templates import GameNames
from pbem.seal.keys import PublicKey


def notes_with_standings(key: Path) -> list[tuple[CampaignNotes, SeatStanding | None]]:
    """Return the notes on all campaigns of a key's folder. Each has the state of the seat: whether it must still
    answer. Campaigns in which the player must still send orders come first, sorted by deadline."""
    noted = with_seats_drawn(key, [present_notes(key, *each) for each in noted_campaigns(key)])
    found = [(notes, standing_of_seat(place, notes)) for place, notes in noted]
    found.sort(key=lambda each: (not powers_owed(each[1]), each[1].came.deadline if each[1] else "", each[0].campaign))
    return found


def with_seats_drawn(key: Path, noted: Sequence[tuple[Path, CampaignNotes]]) -> list[tuple[Path, CampaignNotes]]:
    """Return the pairs in `noted`, each of a file and its notes. If a player joined without a seat and has got one by
    lot since, the notes get this seat. The seat is known from the reports that the player's office has stored."""
    own = {(notes.campaign, notes.seat) for _, notes in noted}
    told = [each for each in seats_with_standing(key) if each not in own]
    found = []
    for place, notes in noted:
        drawn = next((seat for campaign, seat in told if campaign == notes.campaign), "")
        if drawn and notes.is_free and stored_standing(place, notes) is None:
            told.remove((notes.campaign, drawn))
            notes = replace(notes, seat=drawn)
        found.append((place, notes))
    return found


def present_notes(key: Path, campaign: str, seat: str) -> tuple[Path, CampaignNotes]:
    """Return the path of the newest key that the seat's player has, and the notes beside that key."""
    found = keys_in_turn(key_places(key), campaign, seat)
    return found[-1] if found else (key, find_notes(key, campaign, seat))


class FollowedModerator(Struct, frozen=True):
    """Key of the moderator whom the player now follows, and warnings about the ledger in which this key was found."""

    campaign: str
    key: PublicKey
    warnings: tuple[Wrong, ...]


def follow_moderator(key: Path, archive: Path, anyway: bool = False) -> FollowedModerator:
    """Read the present moderator's key in the ledger in `archive` (a folder or a bundle), and note it. Raises `Refused`
    if there are no notes, or if the ledger does not lead from the noted key to the present one. With `anyway`, the
    ledger need not have the player's newest report. It may also be the ledger of the former moderator, although the
    player already follows an heir."""
    if not archive.is_file():
        return follow_ledger(key, archive, anyway)
    bundle = read_bundle(read_file(str(archive), MOST_OF_LARGE), archive.name)
    if (first := bundle.entries[0].number) != 1:
        raise Refused(archive.name, [wrong("E-HEIR-BUNDLE.part", first=first)])
    with unpacked(bundle) as folder:
        return follow_ledger(key, folder, anyway)


@contextmanager
def unpacked(bundle: ReadBundle) -> Iterator[Path]:
    """Unpack a bundle that has the whole ledger into a temporary folder, for the time of the `with` block. If the block
    raises `Refused` about a file in this folder, the fault names the bundle instead."""
    with TemporaryDirectory() as place:
        folder = Path(place) / bundle.entries[0].campaign
        bundle.unpack(folder)
        try:
            yield folder
        except Refused as refused:
            where = bundle.source if refused.source.startswith(place) else refused.source
            raise Refused(where, list(refused.faults)) from None


def moderators_in(bundle: ReadBundle) -> list[PublicKey]:
    """Return the keys of all moderators in a bundle that has the whole ledger, the first moderator first. Raises
    `Refused` if the ledger is not sound."""
    with unpacked(bundle) as folder:
        walk = walk_through(Verifier(open_folder(folder), Verification()))
        sound_verification(folder, walk.found)
        return moderator_keys(walk.entries)


def follow_ledger(key: Path, root: Path, anyway: bool) -> FollowedModerator:
    """Read the present moderator's key in the ledger in the folder `root`, and note it beside the player's key `key`.
    With `anyway`, also accept a ledger without the newest report, and that of a former moderator."""
    walk = walk_through(Verifier(open_folder(root), Verification()))
    campaign, keys = sound_verification(root, walk.found).campaign, moderator_keys(walk.entries)
    now = PublicKey(keys[-1].raw)  # without the comment that may follow the key
    seats = [seat for name, seat in noted_campaigns(key) if name == campaign]
    warnings: list[Wrong] = []
    places = key_places(key)
    turns = [each for seat in seats for each in keys_in_turn(places, campaign, seat)]
    for place, notes in turns or [(key, find_notes(key, campaign))]:
        met = PublicKey.parse(notes.moderator)
        is_back = met not in keys
        if is_back and not any(PublicKey.parse(each) in keys for each in notes.former):
            raise Refused(campaign, [wrong("E-GUIDE-MODERATOR.met", signer=now.fingerprint, met=met.fingerprint)])
        if is_back and not anyway:
            raise Refused(campaign, [wrong("E-HEIR-OTHER.back", signer=now.fingerprint, met=met.fingerprint)])
        if is_back or not holds_report(walk.entries, notes, met == now):
            if not is_back and met != now and not anyway and was_heard(walk.entries, notes):
                lost = wrong("E-HEIR-OTHER", entry=notes.came.entry if notes.came else 0, signer=now.fingerprint)
                raise Refused(campaign, [lost])
            if notes.came and not is_back:
                warnings.append(wrong("W-HEIR-OTHER", entry=notes.came.entry, signer=now.fingerprint))
            # The newest report and letter belong to a history that has been given up, so they are removed from the
            # notes.
            notes.came = notes.signed = None
        if met != now and not is_back and heir_since(walk.entries) <= LAST_NUMBER:
            notes.former.append(met.text)
        notes.moderator = now.text
        campaign_notes.store(place, notes)
    return FollowedModerator(campaign, now, tuple(warnings))


def holds_report(entries: Sequence[Entry], notes: CampaignNotes, is_known: bool) -> bool:
    """Return whether the newest report in the notes is in the ledger; True if the notes have no report. If the ledger
    ends before the report, return whether the present moderator is in the notes already (`is_known`), or an heir took
    over after the report."""
    if notes.came is None:
        return True
    if notes.came.hash and notes.came.entry <= len(entries):
        return notes.came.hash == entries[notes.came.entry - 1].hash
    return is_known or notes.came.entry < heir_since(entries)


def was_heard(entries: Sequence[Entry], notes: CampaignNotes) -> bool:
    """Return False if the notes prove that the moderator was silent for the agreed time before the latest heir took
    over the campaign. Return True in all other cases, also if the notes do not tell."""
    heirs = [entry.time for entry in entries if entry.kind == SUCCESSION]
    part = notes.heirloom
    return not heirs or part is None or not part.last or parse_moment(part.last) + timedelta(days=part.days) > heirs[-1]


def heir_since(entries: Sequence[Entry]) -> int:
    """Return the number of the entry with which the latest heir took over. If there was no heir, return a number above
    that of all entries."""
    return max((entry.number for entry in entries if entry.kind == SUCCESSION), default=LAST_NUMBER + 1)


def notes_data(notes: CampaignNotes, found: SeatStanding | None) -> dict[str, object]:
    """Return the state of a player's seat in a campaign, for JSON."""
    return {
        "campaign": notes.campaign,
        "seat": notes.seat,
        "owes": list(powers_owed(found)),
        "standing": found.standing if found else "",
        "came": to_builtins(found.came) if found else None,
        "signed": to_builtins(notes.signed),
    }


def powers_owed(found: SeatStanding | None) -> tuple[str, ...]:
    """Return the powers whose orders the player must still send."""
    return found.missing or found.came.powers if found and found.standing in OWED else ()


def standing_lines(notes: CampaignNotes, found: SeatStanding | None, now: datetime, names: GameNames) -> list[Words]:
    """Return lines on the state of a player's seat in a campaign."""
    if found is None:
        return [words("mine-nothing-came")]
    came, signed = found.came, notes.signed
    lines = [request_in(found, now, names)]
    if signed:
        # After a lock, orders that are to be revealed still name the position from before the lock as their basis.
        is_of_stage = signed.stage == came.stage and (came.locked or signed.basis in ("", came.basis))
        key = "mine-signed" if is_of_stage or not came.powers else "mine-signed-before"
        about: dict[str, Gap] = {"kind": signed.kind, "seq": signed.seq, "stage": names.stage(signed.stage)}
        if is_of_stage and found.counting:
            key, about = "mine-signed-refused", {**about, "counting": found.counting}
        lines.append(words(key, **about))
    lines += [words("mine-bank", left=" ".join(came.bank))] if came.bank else []
    lines += [] if found.is_sure else [words("mine-unsure")]
    return [*lines, words("mine-came", entry=came.entry)]


ASKED: dict[Standing, str] = {
    "orders": "mine-owes",
    "refused": "mine-refused",
    "partly": "mine-partly",
    "draft": "mine-draft",
    "refused change": "mine-change-refused",
    "reveal": "mine-reveal",
    "refused reveal": "mine-refused.reveal",
    "reveal lost": "mine-reveal.lost",
    "shut out": "mine-shut-out",
    "in": "mine-answered",
}
"""Wording for the state in which a seat's answer to a report can be."""


def request_in(found: SeatStanding, now: datetime, names: GameNames) -> Words:
    """Return a line that says what the player must send, and until when. If the report asks for nothing, the line says
    why."""
    came = found.came
    if found.standing == "seat lost":
        return seat_lost(found.successor, found.why)
    if found.standing == "closed":
        return words("mine-closed")
    if not came.stage:
        return words("mine-idle")
    stage = names.stage(came.stage)
    powers = found.missing or came.powers
    if found.standing not in ASKED or not powers:
        return words("mine-nothing-asked", stage=stage)
    until = (
        words(
            "mine-until",
            deadline=f"{parse_moment(came.deadline).astimezone():%Y-%m-%d %H:%M %Z}",
            left=time_left(came.deadline, now),
        )
        if came.deadline
        else ""
    )
    return words(ASKED[found.standing], stage=stage, powers=names.powers(powers), until=until)


def seat_lost(name: str, why: str) -> Words:
    """Return a line that says who has taken over the player's seat, and why."""
    return words("mine-seat-lost", name=printable(name) or words("somebody-else"), why=printable(why))


def time_left(deadline: str, now: datetime) -> Words:
    """Return the time until a deadline or since then, in words: `in 2 d 3 h`, `5 h 10 min ago`."""
    at = parse_moment(deadline)
    minutes = abs(int((at - now).total_seconds() // 60))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    return words(
        "time-in" if at > now else "time-ago", span=f"{days} d {hours} h" if days else f"{hours} h {minutes} min"
    )
