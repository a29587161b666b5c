"""Checks of a moderator's office: each ledger must have the entries that the office knows, and the clock must agree
with the times of mails and entries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import json

from pbem.campaign.campaign import LONGEST_SILENCE
from pbem.campaign.clock.clock import local_moment, span, stamp
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.campaign.ledger.public_state import PublicState
from pbem.faults.wrong import Wrong, shell_word, wrong
from pbem.office.doubts import mail_names
from pbem.office.fetching import LONGEST_PAUSE, SEEN, TELLER, clock_doubt, latest_moment, told_apart
from pbem.office.store import Store

SHORTEST_PAUSE = timedelta(days=1)
"""Length of a silence after which the clock is still trusted, even if the stages are shorter. A silence is a time
without a round, a mail or an entry."""

SILENT = "silent"
"""Beginning of a key in the store; the campaign's name follows. While `pause_doubt` finds a fault, the value is the
last moment before the pause that a round or a mail has shown."""


class LedgerMemory:
    """Memory of the last known entry of each ledger. With it the office notices if somebody puts back an older state of
    a campaign's folder."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def learn(self, name: str, path: Path, head: Head) -> None:
        """Store `head`, the last entry of the campaign `name` in the folder `path`. It replaces the entry that was
        stored before."""
        with self.store.step():
            self.store.do("INSERT OR REPLACE INTO campaigns VALUES (?, ?, ?)", name, str(path), head.number)
            self.store.note(f"head {name}", head.hash)

    def contradiction(self, name: str, folder: Folder, head: Head) -> Wrong | None:
        """Return a fault if the ledger that ends with `head` does not contain the entry that was stored as its last.
        Return None if it does."""
        rows = self.store.rows("SELECT entry FROM campaigns WHERE name = ?", name)
        number, known = int(rows[0]["entry"]) if rows else 0, self.store.fact(f"head {name}")
        if number > head.number:
            where, first = shell_word(str(folder.root)), head.number + 1
            return wrong("E-LEDGER-SHORT.office", first=first, entry=number, last=head.number, folder=where)
        if not number:
            return None
        found = head.hash if number == head.number else Ledger(folder.ledger, name).read(number).hash
        # An earlier version of the program stored the entry without its hash.
        if not known:
            with self.store.step():
                self.store.note(f"head {name}", found)
        if not known or known == found:
            return None
        return wrong("E-LEDGER-OTHER.office", entry=number, folder=shell_word(str(folder.root)))


class ClockChecks:
    """Checks of the computer's clock against the times of mails and of entries."""

    def __init__(self, store: Store, now: Callable[[], datetime], is_vouched: Callable[[], bool]) -> None:
        """Store the memory, the clock, and the function `is_vouched`, which returns true if a person says that the
        clock is right."""
        self.store = store
        self.now = now
        self.is_vouched = is_vouched

    def time_doubt(self, longest: timedelta, *moments: str, scope: str = "") -> Wrong | None:
        """Return a fault if the clock is behind the latest known time, or more than `longest` ahead of it. Return None
        if it is not, or if a person says that the clock is right.

        The latest known time is the latest of `moments` and of the time that mails have shown. If `scope` is `/NAME`,
        only mails of the campaign NAME count."""
        seen = self.store.fact(SEEN + scope)
        then, now = None if self.is_vouched() else latest_moment(*moments, seen), self.now()
        if then and then > now and stamp(then) == seen and (teller := self.store.fact(TELLER + scope)):
            sender, subject = mail_names(*json.decode(teller, type=tuple[str, str]))
            told, was = told_apart(now, then)
            return wrong("W-OFFICE-CLOCK.mail", now=told, then=was, sender=sender, subject=subject)
        return clock_doubt(then, now, longest) if then else None

    def campaign_doubt(self, name: str, time: str) -> Wrong | None:
        """Return a fault if the clock contradicts the mails of a campaign, or `time`, the time of its last entry.
        Return None if it does not."""
        if self.store.fact("last"):
            return self.time_doubt(LONGEST_SILENCE, time, scope=f"/{name}")
        return self.time_doubt(LONGEST_PAUSE, time, self.store.fact(SEEN), scope=f"/{name}")

    def pause_doubt(self, public: PublicState) -> Wrong | None:
        """Return a fault if there was no round and no mail for longer than a stage takes, because the clock may be fast
        then. Return None otherwise."""
        name, clock, now = public.settings.campaign, public.settings.clock, self.now()
        # Entries show little about the time: commands that a person runs use the same clock.
        shown = [*map(self.store.fact, ("last", SEEN, f"{SEEN}/{name}", f"{SILENT} {name}"))]
        then = latest_moment(*shown) or latest_moment(public.time)
        # This check is made at a deadline, because a fast clock would end the stage too early.
        is_silent = then is not None and now - then > max(span(clock.next), SHORTEST_PAUSE) and not self.is_vouched()
        with self.store.step():
            self.store.note(f"{SILENT} {name}", stamp(then) if then and is_silent else "")
        if not then or not is_silent:
            return None
        told, was = told_apart(now, then)
        if stamp(now) < public.deadline:
            return wrong("W-OFFICE-CLOCK.ahead", now=told, then=was)
        return wrong("W-OFFICE-CLOCK.deadline", now=told, then=was, deadline=local_moment(public.deadline, clock))

    def is_silent(self, name: str) -> bool:
        """True if the campaign's latest `pause_doubt` returned a fault."""
        return bool(self.store.fact(f"{SILENT} {name}"))

    def is_behind(self, name: str, time: str) -> bool:
        """Return True if the clock is earlier than a campaign's latest mail or than `time`, the time of its last entry.
        Return False if a person says that the clock is right."""
        return not self.is_vouched() and max(time, self.store.fact(f"{SEEN}/{name}")) > stamp(self.now())
