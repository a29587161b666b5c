"""Handing over of a campaign: a moderator who leaves writes a letter and a bundle, with which a successor carries it
on."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.campaign.bundles import bundle_of
from pbem.campaign.campaign import Campaign, handed_over
from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.campaign.ledger.public_state import SUCCEEDING
from pbem.campaign.letters.joining import MODERATOR
from pbem.campaign.succession import is_same_key
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import WIDE, sign_letter, write_letter
from pbem.seal.keys import PublicKey


class HandOver(Struct, frozen=True):
    """Outcome of handing a campaign over, or of taking it back."""

    files: tuple[Path, ...] = ()
    """Bundle and letter for the other moderator; empty if the key is the moderator's own."""
    is_taken_back: bool = False
    """True if the campaign had been handed over before, and is not any more."""


def hand_over(campaign: Campaign, heir: PublicKey, out: Path) -> HandOver:
    """Write the bundle and the letter with which the owner of the key `heir` can carry the campaign on. From now on no
    entry can be added in this folder.

    If `heir` is the moderator's own key, take the campaign back, without writing files. Raises `Refused` if the
    campaign cannot be handed over now, or was handed over to another key.
    """
    public, name = campaign.public, campaign.settings.campaign
    if public.protocol < SUCCEEDING or public.phase not in ("running", "over"):
        raise Refused(name, [wrong("E-HAND-OVER")])
    is_own = is_same_key(heir.text, campaign.key.public.text)
    if campaign.vault.handed not in ("", heir.text) and not is_own:
        raise Refused(name, [handed_over(campaign)])
    was_handed = bool(campaign.vault.handed)
    # Before the files: a command that is killed leaves no letter behind which something is entered.
    campaign.vault.handed = "" if is_own else heir.text
    campaign.write_vault()
    if is_own:
        return HandOver(is_taken_back=was_handed)
    last, vault = campaign.vault.entry, campaign.vault
    told = {reader: each.public.entry for reader, each in vault.told.items()} | {"": vault.posted.public.entry}
    bundle, letter = out / f"succession-0001-{last:04d}.zip", out / f"succession-{name}-{MODERATOR}.yaml"
    out.mkdir(parents=True, exist_ok=True)
    write_whole(bundle, bundle_of(campaign, list(campaign.ledger.entries()), told, heir), campaign.disk, PRIVATE)
    head: dict[str, str | int] = {"kind": "succession", "campaign": name, "from": MODERATOR, "seq": last}
    body = {"to": heir.bare.text, "head": vault.hash}
    text = sign_letter(write_letter(head, body, WIDE), campaign.key)
    write_whole(letter, text.encode(), campaign.disk, PRIVATE)
    return HandOver((bundle, letter))
