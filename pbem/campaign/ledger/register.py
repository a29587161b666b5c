"""The register: what the ledger adds up to, kept beside it with the hash of the last entry that it was made of.

It saves reading every entry again, and is believed only by who asks how things stand: a register that is of another
ledger, of another program, or not as it was written is none. `verify` never looks at it.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec
from msgspec import Struct

from pbem.cache import sources
from pbem.campaign.disk.atomic import StorageFault, read_whole
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.campaign.ledger.public_state import PublicState
from pbem.paper.documents.faults import Refused

LARGEST = 16 * 1024 * 1024
_DIGEST = 32


class Register(Struct, frozen=True):
    """How a campaign stood behind an entry."""

    program: str
    """The fingerprint of the program that wrote this: another one may add up otherwise."""
    head: Head
    public: PublicState


def register_data(public: PublicState, head: Head) -> bytes:
    """The file of how a campaign stands."""
    data = msgspec.json.encode(Register(sources().hex(), head, public))
    return sha256(data).digest() + data


def registered(folder: Folder) -> Register | None:
    """How the campaign in a folder stands, if its register tells that of the present ledger."""
    try:
        data = read_whole(folder.register, LARGEST)
        if sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        found = msgspec.json.decode(data[_DIGEST:], type=Register)
        is_ours = found.program == sources().hex()
        return found if is_ours and Ledger(folder.ledger, "").head == found.head else None
    except (StorageFault, Refused, msgspec.MsgspecError):
        return None
