"""The register: what a ledger adds up to, kept in the user's own folder with the hash of its last entry.

It saves reading every entry again, and is believed only by who asks how things stand. It does not lie beside the
ledger: nobody who sends an archive can send one with it. `verify` never looks at it.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.cache import keep, load_value, name_of
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.campaign.ledger.public_state import PublicState
from pbem.paper.documents.faults import Refused
from pbem.seal.canonical import in_order


class Register(Struct, frozen=True):
    """How a campaign stood behind an entry."""

    head: Head
    public: PublicState


def place_of(folder: Folder) -> str:
    """Under which name it is kept: one for each folder, and none that another program has written."""
    return name_of("register", str(folder.root.resolve()).encode())


def note_register(folder: Folder, public: PublicState, head: Head) -> None:
    """Keep how a campaign stands, with seats and who owes orders in the order in which entries tell them."""
    seats = {seat: public.settings.seats[seat] for seat in in_order(public.settings.seats)}
    public = replace(public, settings=replace(public.settings, seats=seats))
    if public.next:
        owing = {player: public.next.owing[player] for player in in_order(public.next.owing)}
        public = replace(public, next=replace(public.next, owing=owing))
    keep(place_of(folder), Register(head, public))


def registered(folder: Folder) -> Register | None:
    """How the campaign in a folder stands, if its register tells that of the present ledger."""
    found = load_value(place_of(folder), Register)
    try:
        return found if found and Ledger(folder.ledger, "").head == found.head else None
    except Refused:
        return None
