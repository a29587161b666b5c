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
"""Name of the folder with the mails that are written to the owner of the office."""

UNTOLD, TOLD, NOTICE = 0, 1, 2
"""States of a doubt. The owner has not been told by mail (`UNTOLD`), or has been told (`TOLD`). A `NOTICE` is never
told by mail."""

LONGEST_NOTICE = timedelta(days=7)
"""Time after which a notice is forgotten."""

SHORT_NOTICES = {"W-OFFICE-WORDS": timedelta(days=1)}
"""Dict from the codes of some notices to the time after which they are forgotten. The time is short, because the
moderator has got the mail itself."""

CARRIER = "carrier"
"""Subject of the doubt that mails cannot be sent. The owner cannot be told of it by mail."""

MAILBOX = "mailbox"
"""Subject of the doubt that the mailbox cannot be read."""

MARKS = "marks"
"""Subject of the doubt that mails in the mailbox cannot be marked."""

BROKEN = "E-OFFICE-BROKEN"
"""Code of the fault for an unforeseen error."""

OFFICE = "office"
"""Word that stands for the campaign in the message-ids of mails about doubts. No mail of a campaign has it in this
place."""


def mail_names(sender: str, subject: str) -> tuple[str | Words, str | Words]:
    """Return sender and subject of a mail as a fault gives them. Words replace a text that is empty."""
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
        """Campaigns whose work has stopped in this round, because a folder is damaged or the disk has an error."""
        self.busy: dict[str, Wrong] = {}
        """Campaigns on which another command is working in this round. The value is the fault that names this
        command."""

    def note(self, campaign: str, doubt: Wrong, about: str = "", status: int = UNTOLD) -> None:
        """Note a doubt with the subject `about` and the state `status`, which is `UNTOLD`, `TOLD` or `NOTICE`. If the
        campaign already has a doubt with this code and subject, only its text is replaced."""
        said = doubt.sentence(self.settings.language)
        with self.store.step():
            self.store.do(
                "INSERT INTO doubts (campaign, code, about, said, since, told) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET said = excluded.said",
                *(campaign, doubt.code, about, said, stamp(self.now()), status),
            )

    def begin_round(self) -> None:
        """Forget the errors of the last round, and its stopped and busy campaigns."""
        self.broken.clear()
        self.stopped.clear()
        self.busy.clear()

    def fail(self, campaign: str, fault: Wrong, about: str = "") -> None:
        """Note an unforeseen error as a doubt. This doubt is not ended by `mend` in the same round."""
        self.broken.add((campaign, about))
        self.note(campaign, fault, about)

    def mend(self, campaign: str, kind: str) -> None:
        """End the doubts about unforeseen errors that have not happened again in this round. Only doubts whose subject
        begins with `kind` are ended."""
        query = "SELECT about FROM doubts WHERE campaign = ? AND code = ? AND about GLOB ?"
        for row in self.store.rows(query, campaign, BROKEN, f"{kind} *"):
            if (campaign, row["about"]) not in self.broken:
                self.settle_one(campaign, BROKEN, row["about"])

    def notice(self, campaign: str, notice: Wrong, about: str = "") -> None:
        """Note a fault that needs no decision, and is shown only for some days. It replaces a doubt or notice that has
        the same code and the subject `about`."""
        self.settle_one(campaign, notice.code, about)
        self.note(campaign, notice, about, NOTICE)

    def fade(self) -> None:
        """Forget the notices whose time to be shown is over."""
        lives = [("*", LONGEST_NOTICE), *SHORT_NOTICES.items()]
        for code, life in lives:
            which, old = "FROM doubts WHERE told = ? AND code GLOB ? AND since < ?", stamp(self.now() - life)
            if self.store.rows(f"SELECT 1 {which}", NOTICE, code, old):
                with self.store.step():
                    self.store.do(f"DELETE {which}", NOTICE, code, old)

    def settle(self, campaign: str, standing: Collection[str] = (), about: str = "") -> None:
        """End a campaign's doubts with the subject `about`. Doubts whose code is in `standing` are not ended."""
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
        """Forget all doubts, and return their number. If the cause of a doubt is still there, it is noted again
        later."""
        count = self.store.count("SELECT count(*) FROM doubts")
        with self.store.step():
            self.store.do("DELETE FROM doubts")
        return count

    def waiting_lines(self) -> list[str]:
        """Return a line about each doubt, the newest first."""
        return self.lines("told != ?")

    def notices(self) -> list[str]:
        """Return a line about each notice, the newest first."""
        return self.lines("told = ?")

    def lines(self, which: str) -> list[str]:
        """Return a line about each doubt or notice that the SQL condition `which` selects, the newest first."""
        query = f"SELECT campaign, said FROM doubts WHERE {which} ORDER BY since DESC, campaign, said"  # noqa: S608
        return [": ".join(filter(None, (row["campaign"], row["said"]))) for row in self.store.rows(query, NOTICE)]

    def tell(self) -> None:
        """Queue a mail to the office's owner about the doubts that no mail has mentioned yet. Do nothing if the
        settings have no address of the owner."""
        # The doubt that mails cannot be sent is left out, because it is over as soon as this mail is sent.
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
        """Return a mail to the owner with these lines, and the mail's message-id."""
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
