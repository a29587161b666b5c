"""Quick comparison of a ledger with the files beside it: the state file and the file of opened letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.campaign.disk.atomic import StorageFault, read_whole
from pbem.campaign.disk.folder import LARGEST_FILE, Folder, outbox_ahead, sha256_of
from pbem.campaign.founding import compare_rules
from pbem.campaign.ledger.chain import Finding, Head, Ledger, state_text
from pbem.campaign.ledger.entries import changed_ends, check_entry, file_name
from pbem.campaign.ledger.public_state import PublicState
from pbem.faults.wrong import Wrong, wrong
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

LARGEST_OPENED = 64 * 1024 * 1024
"""Most bytes of the file of opened letters."""

STATE_OF = re.compile(rb"(?m)^head:\n  entry: ([1-9][0-9]{0,3})$")
"""Pattern of the lines in a state file that name an entry; the group is the number of the entry."""

DERIVED = "E-VERIFY-DERIVED"
"""Code of the fault for a file whose content differs from the content that the ledger gives for it."""


def entry_of_state(content: bytes) -> int:
    """Return the number of the entry after which a state file was written, or 0 if the file names no entry."""
    found = STATE_OF.search(content)
    return int(found[1]) if found else 0


def compare_opened(folder: Folder, digest: str) -> Wrong | None:
    """Return a fault if the file of opened letters is missing, or if its SHA-256 is not `digest`; else None. `digest`
    is the hash that the entry of the close has."""
    if not folder.opened.exists():
        return wrong("E-VERIFY-OPENED")
    return None if sha256_of(folder.opened, LARGEST_OPENED) == digest else wrong("E-VERIFY-OPENED.other")


def compare_quickly(folder: Folder, public: PublicState, head: Head) -> Iterator[Finding]:
    """Check the last entry's signature and the files beside the ledger, and yield the faults. `public` is the state
    after the last entry, `head` names that entry. Nothing else of the ledger is checked."""
    last = Ledger(folder.ledger, public.settings.campaign).read(head.number)
    body = last.body if isinstance(last.body, dict) else {}
    try:
        if last.kind != "key-change" or body.get("player"):  # a new moderator's key is signed with the key before it
            check_entry(last, PublicKey.parse(public.moderator))
    except SealFault as fault:
        yield Finding(file_name(last.number, last.kind), fault.wrong)
    try:
        yield from compare_rules(folder, public.files)
        data, text = read_whole(folder.state, LARGEST_FILE), state_text(public, head).encode()
        if data != text:
            older = entry_of_state(data)
            behind = wrong("W-VERIFY-BEHIND", entry=older, last=head.number) if 0 < older < head.number else None
            yield Finding("state.yaml", behind or changed_ends(data, text) or wrong(DERIVED))
        if public.phase == "closed" and (damage := compare_opened(folder, str(body.get("opened")))):
            yield Finding("opened.json", damage)
    except StorageFault as error:
        yield Finding(folder.root.name, error.wrong)
    if ahead := outbox_ahead(folder, head.number):
        yield Finding("outbox", ahead)
