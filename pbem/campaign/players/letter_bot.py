"""Player of a campaign who answers by a policy: reads the moderator's letters and writes signed ones."""

from __future__ import annotations

from pathlib import Path
from random import Random

from pbem.bots.plain import Policy
from pbem.campaign.ledger.public_state import ORDERS_SLOT
from pbem.campaign.players.guidance import Guidance, guidance_of, known_table
from pbem.campaign.players.letters import (
    UNNAMED,
    Invitation,
    LetterContext,
    SealedPart,
    boxed_part,
    decisions_asked,
    join_letter,
    orders_decided,
    orders_letter,
    reveal_letter,
    sealed_part,
    table_to_look_ahead,
)
from pbem.campaign.settings import Newcomer
from pbem.faults.wrong import words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter, sign_letter
from pbem.seal.keys import PublicKey, Signer


class LetterBot:
    """Player whose answers a policy gives. It sends nothing: letters come in as bytes and go out as texts.

    The policy gets a table on which everything that the reader of a report cannot know is made up.
    """

    def __init__(self, policy: Policy, key: Signer, seed: str = "") -> None:
        """Take a policy, the key to sign with, and a seed of the chance that the policy is given."""
        self.policy = policy
        self.key = key
        self.chance = Random(seed or None)  # noqa: S311 - bots need no secrets
        self.moderator: PublicKey | None = None
        """Key of the moderator: that of the first letter, if none is set before; letters of another are refused."""
        self.committed: SealedPart | None = None
        """Orders that only a commitment tells of, until they are revealed."""

    def join(self, invitation: bytes, who: Newcomer = UNNAMED) -> str:
        """Return the letter that takes the seat of an invitation.

        Raises `PbemError` for anything but an invitation to a seat, signed by the moderator whom it names.
        """
        found = self.read(invitation, "invitation")
        if not found.token:
            raise Refused("invitation", [wrong("E-JOIN-TOKEN.other", whom=words("invitation-to-nobody"))])
        return join_letter(Invitation(found.campaign, found.seat, found.deal, found.token), self.key, 1, who)

    def reply(self, report: bytes, folder: Path | None = None) -> str | None:
        """Return the letter that a report asks for; None if it asks the seat for nothing.

        Orders are sealed as the campaign seals: in a box for the moderator, or by a commitment, which a later report
        asks to reveal. `folder` has the files that the campaign's terms name. Raises `PbemError` for anything but a
        report of the moderator of the first letter. A report that was answered before is answered again.
        """
        found = self.read(report, "report")
        occasion = LetterContext(found.campaign, found.seat, found.stage, found.basis)
        if found.locked:
            if self.committed is None:
                return None
            parts, self.committed = {ORDERS_SLOT: self.committed}, None
            return sign_letter(reveal_letter(occasion, found.next_seq, parts), self.key)
        table = known_table(found, "report", folder)
        if not decisions_asked(table, found.seat):
            return None
        part = sealed_part(
            occasion, ORDERS_SLOT, orders_decided(table_to_look_ahead(table), found.seat, self.policy, self.chance)
        )
        if found.sealing == "reveal":
            self.committed = part
        box = boxed_part(part, None if found.sealing == "reveal" else found.moderator)
        return sign_letter(orders_letter(occasion, found.next_seq, {}, {ORDERS_SLOT: box}), self.key)

    def read(self, data: bytes, kind: str) -> Guidance:
        """Return what a letter of this kind says, if the moderator has signed it."""
        found = guidance_of(read_letter(data, kind), kind)
        if found.kind != kind:
            raise Refused(kind, [wrong("E-GUIDE-KIND", kind=found.kind)])
        self.moderator = self.moderator or found.moderator
        if found.moderator != self.moderator:
            signer, met = found.moderator.fingerprint, self.moderator.fingerprint
            raise Refused(kind, [wrong("E-GUIDE-MODERATOR.met", signer=signer, met=met)])
        return found
