"""Standing of a player's seat: the letters that the player owes, and those already sent.

The standing follows from the newest report and the letters signed since. The player's office, which also sees mails,
stores the standing beside the notes. The office never writes the notes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from pbem.campaign.disk.atomic import PRIVATE, read_whole, write_whole
from pbem.campaign.disk.vault import json_value
from pbem.campaign.letters.letterbox import Request
from pbem.campaign.players.campaign_notes import LARGEST, CampaignNotes, LastReport, folder_of
from pbem.faults.wrong import PbemError

Standing = (
    Request | Literal["refused", "partly", "draft", "refused change", "refused reveal", "reveal lost", "seat lost"]
)
"""Standing of a seat: the request of its newest report, or the state of the answer to it. `refused change`: the orders
are in, and the newest letter for the stage was refused. `reveal lost`: the notes lack
the sealed orders that have to be revealed. `seat lost`: the seat was given to somebody else."""

SEAT_LOST = "seat lost"
"""Value of `ruling` in the moderator's letter to a player who has lost the seat."""

OWED: tuple[Standing, ...] = ("orders", "refused", "partly", "reveal", "refused reveal")
"""Standings in which the player owes a letter."""


class SeatStanding(Struct, frozen=True):
    """Standing of a seat as the player's office stores it, with the newest report and letter."""

    came: LastReport
    standing: Standing
    signed: int = 0
    """Number of the newest letter for a stage in the notes when the office stored this standing."""
    missing: tuple[str, ...] = ()
    """Powers for which the player still has to write orders. If it is empty, orders are missing for all powers in the
    newest report."""
    successor: str = ""
    """Name of the player who has the seat now; empty if the moderator has told no name."""
    why: str = ""
    """Reason why the seat was given to somebody else."""
    is_sure: bool = True
    """False if a later letter cannot be read: the player may then owe more."""
    counting: int = 0
    """Number of the letter whose orders stay valid because the newest letter was refused. It is 0 if the newest was not
    refused, or if the number is unknown."""


def standing_from_notes(notes: CampaignNotes, came: LastReport) -> Standing:
    """Return how a seat stands after its last report, `came`: what is asked of it, `in` or `reveal lost`."""
    signed = notes.signed
    if came.request not in ("orders", "reveal"):
        return came.request
    if signed and (signed.kind, signed.stage) == (came.request, came.stage) and signed.basis in ("", came.basis):
        return "in"
    return "reveal lost" if came.request == "reveal" and not notes.sealed else came.request


def standing_of_seat(key: Path, notes: CampaignNotes) -> SeatStanding | None:
    """Return the standing of a seat, or None before the first report. If nothing was read or signed since the standing
    was stored, return the stored one, otherwise one made from the notes. A lost seat stays lost until a newer report is
    read."""
    told = stored_standing(key, notes)
    came = notes.came
    if told and (came is None or came.entry <= told.came.entry):
        if told.standing == "seat lost" or told.signed == signed_number(notes):
            return told
        came = told.came
    return SeatStanding(came, standing_from_notes(notes, came), signed_number(notes)) if came else None


def signed_number(notes: CampaignNotes) -> int:
    return notes.signed.seq if notes.signed else 0


def path_of(key: Path, notes: CampaignNotes) -> Path:
    """Return the path of the file with the standing of a seat."""
    return folder_of(key) / f"{notes.campaign}.{notes.seat}.standing"


def stored_standing(key: Path, notes: CampaignNotes) -> SeatStanding | None:
    """Return the stored standing of a seat, or None if none can be read."""
    try:
        return json_value(read_whole(path_of(key, notes), LARGEST), SeatStanding, "standing", "E-NOTES-FORM")
    except (PbemError, OSError):
        return None


def seats_with_standing(key: Path) -> list[tuple[str, str]]:
    """Return campaign and seat of each standing that is stored beside a key."""
    found = [path.name.split(".") for path in sorted(folder_of(key).glob("*.*.standing"))]
    return [(name[0], name[1]) for name in found]


def store_standing(key: Path, notes: CampaignNotes, found: SeatStanding) -> None:
    """Store the standing of a seat beside its notes, if it has changed."""
    if found != stored_standing(key, notes):
        write_whole(path_of(key, notes), msgspec.json.encode(found), mode=PRIVATE)
