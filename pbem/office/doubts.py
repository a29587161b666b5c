"""Doubts of an office: faults that a person should look at."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.faults.wrong import Words, Wrong, words
from pbem.office.settings import OfficeSettings
from pbem.office.store import Store
from pbem.post.outgoing import Correspondent, OutgoingMail, eml, message_id

NOTES = "notes"
"""Name of the folder with mails to the owner of the office."""

UNTOLD, TOLD, NOTICE = 0, 1, 2
"""States of a doubt: no mail has told it yet, a mail has told it, or it is only a notice, which no mail tells."""

LONGEST_NOTICE = timedelta(days=7)
"""Time after which a notice is forgotten."""

SHORT_NOTICES = {"W-OFFICE-WORDS": timedelta(days=1)}
"""Times after which notices with these codes are forgotten. They are short, because the moderator has got the mail
itself."""

CARRIER = "carrier"
"""Subject of the doubt that mails cannot be sent. This doubt cannot be told by mail."""

MAILBOX = "mailbox"
"""Subject of the doubt that the mailbox cannot be looked into."""

MARKS = "marks"
"""Subject of the doubt that the mailbox does not let mails be marked."""

BROKEN = "E-OFFICE-BROKEN"
"""Code of the fault for an unforeseen error."""

OFFICE = "office"
"""Word in place of a campaign in the message-ids of mails about doubts. No mail of a campaign has it."""


def mail_names(sender: str, subject: str) -> tuple[str | Words, str | Words]:
    """Return sender and subject of a mail for a fault, with words in place of an empty text."""
    return sender or words("office-no-sender"), subject or words("office-no-subject")


class Doubts:
    """Doubts and notices of one office."""

    def __init__(self, store: Store, settings: OfficeSettings, now: Callable[[], datetime]) -> None:
        self.store = store
        self.settings = settings
        self.now = now
        self.broken: set[tuple[str, str]] = set()
        """Campaign and subject of each unforeseen error in this round."""
        self.stopped: set[str] = set()
        """Campaigns that go no further in this round, because of a damaged folder or an error of the disk."""
        self.busy: dict[str, Wrong] = {}
        """Campaigns in which another command is at work in this round, each with the fault that names the command."""

    def note(self, campaign: str, doubt: Wrong, about: str = "", status: int = UNTOLD) -> None:
        """Note a doubt about the subject `about`, with the state `status`: `UNTOLD`, `TOLD` or `NOTICE`. If the
        campaign has a doubt with this code and subject, replace only its text."""
        said = doubt.sentence(self.settings.language)
        with self.store.step():
            self.store.do(
                "INSERT INTO doubts (campaign, code, about, said, since, told) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET said = excluded.said",
                *(campaign, doubt.code, about, said, stamp(self.now()), status),
            )

    def begin_round(self) -> None:
        """Forget the last round's errors, and its stopped and busy campaigns."""
        self.broken.clear()
        self.stopped.clear()
        self.busy.clear()

    def fail(self, campaign: str, fault: Wrong, about: str = "") -> None:
        """Note an unforeseen error as a doubt. `mend` does not end this doubt in the same round."""
        self.broken.add((campaign, about))
        self.note(campaign, fault, about)

    def mend(self, campaign: str, kind: str) -> None:
        """End the doubts about unforeseen errors that did not happen again in this round. Only subjects that begin with
        `kind` count."""
        query = "SELECT about FROM doubts WHERE campaign = ? AND code = ? AND about GLOB ?"
        for row in self.store.rows(query, campaign, BROKEN, f"{kind} *"):
            if (campaign, row["about"]) not in self.broken:
                self.settle_one(campaign, BROKEN, row["about"])

    def notice(self, campaign: str, notice: Wrong, about: str = "") -> None:
        """Store a notice: a fault that needs no decision, and is shown for some days. It replaces a notice or doubt
        with the same code and subject (`about`)."""
        self.settle_one(campaign, notice.code, about)
        self.note(campaign, notice, about, NOTICE)

    def fade(self) -> None:
        """Forget the notices whose time is over."""
        lives = [("*", LONGEST_NOTICE), *SHORT_NOTICES.items()]
        for code, life in lives:
            which, old = "FROM doubts WHERE told = ? AND code GLOB ? AND since < ?", stamp(self.now() - life)
            if self.store.rows(f"SELECT 1 {which}", NOTICE, code, old):
                with self.store.step():
                    self.store.do(f"DELETE {which}", NOTICE, code, old)

    def settle(self, campaign: str, standing: Collection[str] = (), about: str = "") -> None:
        """End a campaign's doubts about `about`, except those with codes in `standing`."""
        query = "SELECT code FROM doubts WHERE campaign = ? AND about = ?"
        found = {str(row["code"]) for row in self.store.rows(query, campaign, about)}.difference(standing)
        if not found:
            return
        for code in found:
            self.settle_one(campaign, code, about)

    def settle_one(self, campaign: str, code: str, about: str) -> None:
        with self.store.step():
            self.store.do("DELETE FROM doubts WHERE campaign = ? AND code = ? AND about = ?", campaign, code, about)

    def subjects(self, campaign: str, code: str) -> list[str]:
        """Return the subjects of a campaign's doubts with this code."""
        rows = self.store.rows("SELECT about FROM doubts WHERE campaign = ? AND code = ?", campaign, code)
        return [row["about"] for row in rows]

    def forget(self) -> int:
        """Forget all doubts, and return their number. A doubt whose cause remains is noted again."""
        count = self.store.count("SELECT count(*) FROM doubts")
        with self.store.step():
            self.store.do("DELETE FROM doubts")
        return count

    def waiting_lines(self) -> list[str]:
        """Return a line on each doubt, the newest first."""
        return self.lines("told != ?")

    def notices(self) -> list[str]:
        """Return a line on each notice, the newest first."""
        return self.lines("told = ?")

    def lines(self, which: str) -> list[str]:
        """Return a line on each doubt and notice that an SQL condition selects, the newest first."""
        query = f"SELECT campaign, said FROM doubts WHERE {which} ORDER BY since DESC, campaign, said"  # noqa: S608
        return [": ".join(filter(None, (row["campaign"], row["said"]))) for row in self.store.rows(query, NOTICE)]

    def tell(self) -> None:
        """Queue a mail to the office's owner about doubts that no mail has told yet. Without an address in the
        settings, do nothing."""
        # The doubt that no mail can be sent is left out: once this mail can be sent, the doubt is over.
        query = "SELECT * FROM doubts WHERE told = ? AND about != ? ORDER BY since, campaign, said"
        untold = self.store.rows(query, UNTOLD, CARRIER)
        if not untold or not self.settings.address:
            return
        lines = [": ".join(filter(None, (row["campaign"], row["said"]))) for row in untold]
        mail, name = self.mail(lines)
        folder = self.store.folder / NOTES
        folder.mkdir(exist_ok=True, mode=0o700)
        path = folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.eml"
        write_whole(path, mail, mode=PRIVATE)
        with self.store.step():
            self.store.do(
                "INSERT OR IGNORE INTO mails (id, campaign, path, address, state, since) VALUES (?, '', ?, ?, ?, ?)",
                *(name, str(path), self.settings.address, "queued", stamp(self.now())),
            )
            for row in untold:
                self.store.do(
                    "UPDATE doubts SET told = ? WHERE campaign = ? AND code = ? AND about = ?",
                    *(TOLD, row["campaign"], row["code"], row["about"]),
                )

    def mail(self, lines: list[str]) -> tuple[bytes, str]:
        """Return a mail with these lines, and its message-id."""
        language, address = self.settings.language, self.settings.address
        text = [words("office-doubts").text(language), "", *(f"- {each}" for each in lines), ""]
        text.append(words("office-doubts-end").text(language))
        name = message_id(address.partition("@")[2], OFFICE, stamp(self.now()), *lines)
        sender = Correspondent(address, words("office-name").text(language))
        subject = words("office-subject", number=len(lines)).text(language)
        mail = OutgoingMail(
            sender=sender,
            to=Correspondent(address),
            subject=subject,
            date=self.now(),
            message_id=name,
            text="\n".join(text),
            is_draft=True,
        )
        return eml(mail), name
