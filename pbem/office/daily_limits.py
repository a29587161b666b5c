"""Limits of the number of mails that an office sends to one address in a day."""

from __future__ import annotations

from collections import Counter
from sqlite3 import Row

from msgspec import Struct, field

from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.office.queue import DAY, FORUM, MailQueue
from pbem.office.store import COPIED, OFFERED, REFUSED, REPLIED, SAID, STRANGE

MOST_OF_RANK = {REFUSED: 3, COPIED: 3, STRANGE: 3}
"""Largest number of mails to one address in a day, for each rank of mails that anybody can cause."""

MOST_OF_SHARE = {REPLIED: 4, SAID: 2, STRANGE: 1}
"""Largest number of mails in a day that belong to one share, for each rank. So nobody who writes in a player's name can
hold up the words of others, or the player's own answers."""

OFFERERS = 5
"""Number of players whose offers share the mails to one address in a day. No player's offers get more than this
fraction of the mails, so that nobody can hold up the offers of others."""


class DailyLimit(Struct, frozen=True):
    """Daily limit that is reached: its largest number of mails, and the moment from which the next of them may be
    sent."""

    most: int
    until: str


class HeldBack(Struct):
    """Mails that wait because of one kind of daily limit: the number of waiting mails for each address, and the moment
    from which the first of them may be sent."""

    until: str
    addresses: Counter[str] = field(default_factory=Counter)


class DailyLimits:
    """Limits of an office that sends at most `per_day` mails to one address in a day."""

    def __init__(self, queue: MailQueue, per_day: int) -> None:
        self.queue = queue
        self.per_day = per_day

    def reached(self, row: Row) -> DailyLimit | None:
        """Return the limit that forbids to send a mail now: the address has got as many mails of this rank as are
        allowed in a day, or the share of the mail is used up. Return None if there is none. There is no such limit for
        posts to a forum."""
        if row["address"] == FORUM:
            return None
        rank, most = row["rank"], self.per_day
        limits = [self.limit(row, min(MOST_OF_RANK.get(rank, most), most))]
        if row["share"]:
            of_share = max(1, most // OFFERERS) if rank == OFFERED else MOST_OF_SHARE.get(rank, most)
            limits.append(self.limit(row, of_share, row["share"]))
        return max(filter(None, limits), key=lambda limit: limit.until, default=None)

    def limit(self, row: Row, most: int, share: str = "") -> DailyLimit | None:
        """Return the limit `most` on the mails to the address of a mail, if it is reached now, else None. It counts the
        mails of the same rank within a day, or only those of the share `share` if one is given."""
        query = """SELECT since FROM mails WHERE address = ? AND state IN ('sent', 'returned') AND since > ?
          AND rank = ? AND ? IN ('', share) ORDER BY since DESC LIMIT 1 OFFSET ?"""
        yesterday = stamp(self.queue.now() - DAY)
        found = self.queue.store.rows(query, row["address"], yesterday, row["rank"], share, most - 1)
        return DailyLimit(most, stamp(parse_moment(found[0]["since"]) + DAY)) if found else None

    def held_back(self) -> dict[int, HeldBack]:
        """Return the mails that wait because of a limit, by its largest number, the largest first."""
        found: dict[int, HeldBack] = {}
        for row in self.queue.waiting():
            if limit := self.reached(row):
                held = found.setdefault(limit.most, HeldBack(limit.until))
                held.until = min(held.until, limit.until)
                held.addresses[row["address"]] += 1
        return dict(sorted(found.items(), reverse=True))
