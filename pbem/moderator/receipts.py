"""Receipts of letters in the outbox. Each receipt is written at once, and written again if later letters make it
false."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.timing import CampaignTime
from pbem.campaign.letters.arrived import Reply
from pbem.moderator.addresses import mail_addresses, posting_of
from pbem.moderator.mails import write_answers
from pbem.moderator.refused_letters import seats_awaited
from pbem.paper.documents.faults import Refused
from pbem.post.outbox import parcels_of, write_mail
from pbem.post.parcels import NOBODY, Parcel, joint_parcel, offer_parcels, receipt_parcel
from pbem.report.language.own_templates import with_own_templates
from pbem.report.letters.agreed import open_offers
from pbem.report.letters.receipts import outlook


def write_receipt(campaign: Campaign, reply: Reply, held_for: Collection[str] = ()) -> list[Path]:
    """Write the answer to one letter, and return the files. If the writer has no seat, the answer goes to the address
    from which the letter came. `held_for` has the seats that the office waits for, because their letters should be
    corrected."""
    addresses = mail_addresses(campaign)
    if addresses and reply.sender:
        addresses[""] = reply.sender

    def parcels() -> list[Parcel]:
        makers = [(reply.receipt.player or NOBODY, partial(receipt_parcel, campaign, reply, addresses, held_for))]
        return parcels_of(makers, campaign.left_out)

    # A receipt that is written again must be in the same folder and have the same name.
    number = reply.receipt.entry or (reply.taken.entry if reply.taken else 0)
    return write_answers(campaign, parcels, number)


def write_offers(campaign: Campaign) -> list[Path]:
    """Write the new offers of agreements, and return the files. Callers must write all receipts first, because a letter
    can end or change an offer."""
    addresses, outbox = mail_addresses(campaign), campaign.folder.outbox

    def parcels() -> list[Parcel]:
        return [each for each in offer_parcels(campaign, addresses) if not any(outbox.glob(f"*/{each.stem}.txt"))]

    is_offered = any(open_offers(campaign))
    return write_answers(campaign, parcels, campaign.vault.entry) if is_offered else []


def settled(replies: Sequence[Reply]) -> list[Reply]:
    """Return the answers to one player's letters, in the same sequence. The answer to a refused letter is marked as
    settled if a later letter of the same kind was taken."""
    kinds: set[str] = set()
    found: list[Reply] = []
    for each in reversed(replies):
        letter, is_refused = each.receipt.verdict.letter, each.receipt.status == "refused"
        kind = letter.kind if letter else ""
        found.append(replace(each, is_settled=is_refused and kind in kinds))
        kinds |= set() if is_refused or not kind else {kind}
    return found[::-1]


class JointAnswer(Struct, frozen=True):
    """Answer to several letters of one player, of which some were refused and some were taken."""

    refused: tuple[Reply, ...]
    taken: tuple[Reply, ...]
    number: int
    """Number of the entry in whose outbox folder the mail is."""

    @property
    def replies(self) -> tuple[Reply, ...]:
        return (*self.refused, *self.taken)


def write_joint(campaign: Campaign, answer: JointAnswer, held_for: Collection[str] = ()) -> list[Path]:
    """Write one mail to a player that replaces the receipts in `answer`, and return its file in a list. Return an empty
    list if the player has no address or a template fails. `held_for` has the seats that the office waits for, because
    their letters should be corrected."""
    addresses = mail_addresses(campaign)
    if not addresses.get(answer.taken[0].receipt.player):
        return []
    try:
        with with_own_templates(campaign.folder.root):
            parcels = [receipt_parcel(campaign, each, addresses, held_for) for each in answer.replies]
    except Refused:
        # Each letter still has an answer of its own, which may have been written with the program's templates.
        return []
    joint = joint_parcel(campaign, parcels, len(answer.refused))
    return [write_mail(campaign.folder.outbox, joint, posting_of(campaign, answer.number), campaign.disk)]


class RoundOfReceipts:
    """Receipts of the letters that are taken in one round. Each receipt is written at once, so that no letter is left
    without an answer if the command is killed. At the end, `renew` corrects the receipts that have become false. No
    mail is sent before that."""

    def __init__(self, campaign: Campaign, awaited: dict[str, int] | None = None) -> None:
        """Begin a round without receipts. `awaited` has the refused letters that the office wants to have corrected
        (see `note_corrections`), or is None if there is no office."""
        self.campaign = campaign
        self.awaited = {} if awaited is None else awaited
        self.replies: list[Reply] = []
        self.told: list[dict[str, object]] = []
        """Facts about the game that each receipt states (see `outlook`)."""
        self.joint: list[JointAnswer] = []

    def held_for(self) -> tuple[str, ...]:
        public = self.campaign.public
        return seats_awaited(CampaignTime(public, self.campaign.now), self.awaited)

    def write(self, reply: Reply) -> list[Path]:
        self.replies.append(reply)
        files = write_receipt(self.campaign, reply, self.held_for())
        self.told.append(self.outlook(reply))
        return files

    def outlook(self, reply: Reply) -> dict[str, object]:
        assert reply.taken is not None
        return outlook(self.campaign, reply.receipt, reply.taken, self.held_for())

    def join(self, refused: Sequence[Reply], taken: Sequence[Reply]) -> list[Path]:
        """Write one mail that replaces the answers to a player's refused and taken letters. Return the file in a list,
        as `write_joint` does."""
        answer = JointAnswer(tuple(refused), tuple(taken), self.campaign.vault.entry)
        files = write_joint(self.campaign, answer, self.held_for())
        self.joint += [answer] if files else []
        return files

    def renew(self) -> None:
        """Write those receipts and joint mails again that have become false. Then write the new offers of
        agreements."""
        changed = set()
        for number, (reply, told) in enumerate(zip(self.replies, self.told, strict=True)):
            if (now := self.outlook(reply)) != told:
                self.told[number] = now
                changed.add(id(reply.receipt))
                write_receipt(self.campaign, reply, self.held_for())
        for answer in self.joint:
            if any(id(reply.receipt) in changed for reply in answer.replies):
                write_joint(self.campaign, answer, self.held_for())
        write_offers(self.campaign)
