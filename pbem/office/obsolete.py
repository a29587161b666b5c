"""Dropping of queued mails that have become useless to their readers."""

from __future__ import annotations

from pathlib import Path

from pbem.campaign.clock.clock import stamp
from pbem.campaign.ledger.chain import Head
from pbem.campaign.ledger.public_state import PublicState
from pbem.moderator.daily import seat_since
from pbem.office.queue import AT_ONCE, LOST, MailQueue, entry_hash, glob_literal
from pbem.office.store import OFFERED, REFUSED
from pbem.post.parcels import OFFER


def drop_lost(queue: MailQueue, campaign: str, root: Path, head: Head) -> int:
    """Mark the mails about entries that the ledger of a campaign has lost. Drop such mails if they have not been
    delivered, and return the number of dropped mails. `root` is the campaign's folder. `head` is the last entry of the
    ledger."""
    query = "SELECT * FROM mails WHERE campaign = ? AND path GLOB ? AND entry != ?"
    rows = queue.store.rows(query, campaign, f"{glob_literal(str(root / 'outbox'))}/*", LOST)
    lost = [row for row in rows if is_lost(campaign, Path(row["path"]), row["entry"], head)]
    dropped = [row for row in lost if row["state"] in ("queued", "held", "failed")]
    with queue.store.step():
        for row in lost:
            state = "dropped" if row in dropped else row["state"]
            queue.store.do("UPDATE mails SET entry = ?, state = ? WHERE id = ?", LOST, state, row["id"])
    for address in {row["address"] for row in dropped}:
        queue.settle_address(campaign, address)
    return len(dropped)


def is_lost(campaign: str, path: Path, known: str, head: Head) -> bool:
    """Return True if the ledger has lost the entry that a mail is about. `known` is the entry's hash at the time when
    the mail was queued; the entry is lost if it has another hash now. If `known` is empty, the entry is lost if its
    number is higher than that of the last entry."""
    return known != entry_hash(campaign, path) if known else int(path.parent.name) > head.number


def drop_outdated(queue: MailQueue, campaign: str, asked: str) -> None:
    """Drop the queued mails of a campaign whose deadline is over. Also drop mails that are older than `AT_ONCE` and
    name another deadline or stage than `asked`, unless they refuse a letter. Offers of agreements are not dropped
    here."""
    query = """SELECT id FROM mails WHERE campaign = ? AND state = 'queued' AND asked != ''
      AND rank != ? AND (asked <= ? OR asked != ? AND rank != ? AND since < ?)"""
    long_ago = stamp(queue.now() - AT_ONCE)
    for row in queue.store.rows(query, campaign, OFFERED, stamp(queue.now()), asked, REFUSED, long_ago):
        queue.drop(row)


def drop_offers(queue: MailQueue, campaign: str, public: PublicState) -> None:
    """Drop the offers of agreements that wait to be sent although their stage or deadline is over, or their player has
    lost the seat."""
    stage = public.next.stage if public.next and public.phase == "running" else ""
    query = "SELECT * FROM mails WHERE campaign = ? AND rank = ? AND state IN ('queued', 'held')"
    for row in queue.store.rows(query, campaign, OFFERED):
        path = Path(row["path"])
        is_former = int(path.parent.name) < seat_since(public, path.name.partition(OFFER)[0])
        is_late = row["since"] < public.deadline <= stamp(queue.now())
        if is_former or is_late or row["asked"] not in ("", stage):
            queue.drop(row)
