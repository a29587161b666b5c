"""Checks of a moderator's office: no ledger lacks a known entry, and the clock agrees with mails and entries."""

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
"""Time without a round, a mail or an entry after which the clock is still trusted, however short the stages are."""

SILENT = "silent"
"""Beginning of a key of the store; the campaign's name follows. If `pause_doubt` has found a fault, the key keeps the
last moment that a round or a mail has shown before the pause."""


class LedgerMemory:
    """Memory of the last known entry of each ledger. It shows when somebody puts back an older state of a campaign's
    folder."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def learn(self, name: str, path: Path, head: Head) -> None:
        """Note the last entry of a campaign, in place of the earlier note."""
        with self.store.step():
            self.store.do("INSERT OR REPLACE INTO campaigns VALUES (?, ?, ?)", name, str(path), head.number)
            self.store.note(f"head {name}", head.hash)

    def contradiction(self, name: str, folder: Folder, head: Head) -> Wrong | None:
        """Return a fault if the ledger that ends with `head` lacks the noted last entry; else None."""
        rows = self.store.rows("SELECT entry FROM campaigns WHERE name = ?", name)
        number, known = int(rows[0]["entry"]) if rows else 0, self.store.fact(f"head {name}")
        if number > head.number:
            where, first = shell_word(str(folder.root)), head.number + 1
            return wrong("E-LEDGER-SHORT.office", first=first, entry=number, last=head.number, folder=where)
        if not number:
            return None
        found = head.hash if number == head.number else Ledger(folder.ledger, name).read(number).hash
        # An earlier version has noted the entry without its hash.
        if not known:
            with self.store.step():
                self.store.note(f"head {name}", found)
        if not known or known == found:
            return None
        return wrong("E-LEDGER-OTHER.office", entry=number, folder=shell_word(str(folder.root)))


class ClockChecks:
    """Checks of the computer's clock by the times of mails and of entries."""

    def __init__(self, store: Store, now: Callable[[], datetime], is_vouched: Callable[[], bool]) -> None:
        """Store the memory, the clock, and the function `is_vouched`, which tells if a person vouches for the clock."""
        self.store = store
        self.now = now
        self.is_vouched = is_vouched

    def time_doubt(self, longest: timedelta, *moments: str, scope: str = "") -> Wrong | None:
        """Return a fault if the clock is behind the latest known time, or ahead of it by more than `longest`. Return
        None if all is well, or if a person vouches for the clock. The latest known time is the latest of `moments` and
        of the times that mails have shown. If `scope` is `/NAME`, only mails of the campaign NAME count."""
        seen = self.store.fact(SEEN + scope)
        then, now = None if self.is_vouched() else latest_moment(*moments, seen), self.now()
        if then and then > now and stamp(then) == seen and (teller := self.store.fact(TELLER + scope)):
            sender, subject = mail_names(*json.decode(teller, type=tuple[str, str]))
            told, was = told_apart(now, then)
            return wrong("W-OFFICE-CLOCK.mail", now=told, then=was, sender=sender, subject=subject)
        return clock_doubt(then, now, longest) if then else None

    def campaign_doubt(self, name: str, time: str) -> Wrong | None:
        """Return a fault if the clock contradicts a campaign's mails, or the `time` of its last entry; else None."""
        if self.store.fact("last"):
            return self.time_doubt(LONGEST_SILENCE, time, scope=f"/{name}")
        return self.time_doubt(LONGEST_PAUSE, time, self.store.fact(SEEN), scope=f"/{name}")

    def pause_doubt(self, public: PublicState) -> Wrong | None:
        """Return a fault if no round was held and no mail came for longer than a stage takes; else None. The clock may
        then be fast."""
        name, clock, now = public.settings.campaign, public.settings.clock, self.now()
        # Entries of the ledger hardly show the time: commands by hand use the same clock.
        shown = [*map(self.store.fact, ("last", SEEN, f"{SEEN}/{name}", f"{SILENT} {name}"))]
        then = latest_moment(*shown) or latest_moment(public.time)
        # This is checked at a deadline: a clock that is fast would end the stage too early.
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
        """True if the campaign's latest `pause_doubt` was a fault."""
        return bool(self.store.fact(f"{SILENT} {name}"))

    def is_behind(self, name: str, time: str) -> bool:
        """Return whether the clock is earlier than a campaign's latest mail or last entry (`time`). If a person vouches
        for the clock, return False."""
        return not self.is_vouched() and max(time, self.store.fact(f"{SEEN}/{name}")) > stamp(self.now())
