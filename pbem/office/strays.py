"""Notices about incoming mails: letters for other or unknown campaigns, letters that wait for a person, and parts that
cannot be read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from pbem.faults.wrong import Words, wrong
from pbem.office.doubts import Doubts, mail_names
from pbem.office.forwarding import is_played_at
from pbem.office.incoming import IncomingMail, is_unreadable, named_campaigns, threads_of
from pbem.office.store import Store
from pbem.post.boxes import is_answer_to

UNKNOWN = "unknown"
"""Subject of the doubt about letters for unknown campaigns, and key under which the store keeps the number of these
letters. There is one doubt for all of them, because anybody can send more."""

MOST_ATTACHMENTS = 5
"""Largest number of notices about mails from one sender with files that could not be read. Further mails share one
notice."""

UNREAD = "W-MAIL-ATTACHMENT"
"""Code of the fault for an attached file that was not read."""


class IncomingNotices:
    """Notices and doubts about the mails that come to a moderator's office."""

    def __init__(self, store: Store, doubts: Doubts) -> None:
        self.store = store
        self.doubts = doubts

    def notice_strays(self, incoming: IncomingMail, names: Collection[str]) -> None:
        """Add a notice about a letter that answers a mail of another campaign than the one it names. Also note a doubt
        about a letter for a campaign that this office does not know; this is not done in a shared folder."""
        sender, subject = mail_names(incoming.found.envelope.sender, incoming.found.envelope.subject)
        if incoming.verdict == "letter":
            for other in set(threads_of(incoming.found, names)).difference(incoming.campaigns):
                stray = wrong("W-OFFICE-THREAD", sender=sender, subject=subject, thread=other)
                self.doubts.notice(incoming.campaigns[0], stray, f"thread {other}")
        # A shared folder may have letters for other moderators.
        elif incoming.unknown and not self.doubts.settings.inbox.folder:
            is_first = not self.doubts.subjects("", "W-OFFICE-UNKNOWN")
            count = 1 if is_first else int(self.store.fact(UNKNOWN) or 1) + 1
            with self.store.step():
                self.store.note(UNKNOWN, str(count))
            wording = "W-OFFICE-UNKNOWN" if is_first else "W-OFFICE-UNKNOWN.several"
            unknown = wrong(wording, sender=sender, subject=subject, campaign=incoming.unknown, number=count)
            self.doubts.note("", unknown, UNKNOWN)

    def notice_attachments(
        self, incoming: IncomingMail, names: Collection[str], people: Mapping[str, Collection[str]]
    ) -> None:
        """Add a notice about files that could not be read in a mail, if the mail is from a player or has a letter. The
        files may be orders. After `MOST_ATTACHMENTS` such mails from one sender, only the newest further mail has a
        notice."""
        unread = [each.message for each in incoming.found.faults if each.code == UNREAD]
        files = tuple(part for message in unread for _, part in message.gaps if isinstance(part, Words))
        envelope = incoming.found.envelope
        is_players = bool(incoming.campaigns or people.get(envelope.sender.casefold()))
        # The files may be orders.
        if files and is_players and not envelope.is_automatic:
            sender, subject = mail_names(envelope.sender, envelope.subject)
            told = wrong("W-OFFICE-ATTACHMENT", sender=sender, subject=subject, files=files)
            said_for = [
                *named_campaigns(incoming.found, names),
                *(name for name in names if is_answer_to(incoming.found, name)),
            ]
            campaign, about = next(iter(said_for), ""), f"attachments {envelope.sender}"
            before = [each for each in self.doubts.subjects(campaign, told.code) if each.startswith(f"{about} ")]
            # Somebody who sends many such mails must not fill the list of notices.
            several = len(before) < MOST_ATTACHMENTS
            self.doubts.notice(campaign, told, f"{about} {envelope.message_id}" if several else about)

    def notice_unreadable(self, incoming: IncomingMail, people: Mapping[str, Collection[str]]) -> None:
        """Add a notice about a player's mail that cannot be read and names no campaign. Only the newest such notice is
        kept for each sender."""
        envelope = incoming.found.envelope
        is_left = incoming.verdict == "left" and not envelope.is_automatic and is_unreadable(incoming.found)
        if is_left and people.get(envelope.sender.casefold()):
            sender, subject = mail_names(envelope.sender, envelope.subject)
            told = wrong("W-OFFICE-UNREADABLE", sender=sender, subject=subject)
            self.doubts.notice("", told, f"unreadable {envelope.sender}")

    def is_stray(self, incoming: IncomingMail) -> bool:
        """Return True if a mail is from a player, has no letter that the office could take, and does not answer a mail
        of the office."""
        envelope, settings = incoming.found.envelope, self.doubts.settings
        if incoming.verdict != "left" or envelope.is_automatic or is_unreadable(incoming.found):
            return False
        # In a shared folder the mail may be for another moderator.
        is_ours = settings.inbox.folder or envelope.sender.casefold() == settings.address.casefold()
        return not is_ours and is_played_at(self.store, envelope.sender)

    def notice_words(self, incoming: IncomingMail) -> None:
        """Add a notice about a player's mail that has no letter and does not answer a mail of the office. Only the
        newest such notice is kept for each sender."""
        envelope = incoming.found.envelope
        if self.is_stray(incoming) and not incoming.unknown:
            sender, subject = mail_names(envelope.sender, envelope.subject)
            self.doubts.notice("", wrong("W-OFFICE-STRAY", sender=sender, subject=subject), f"stray {envelope.sender}")

    def doubt_letters(self) -> None:
        """Note a doubt about each letter and each large mail that waits for a person. A large mail leads to a doubt
        only once, and is ignored afterwards."""
        for row in self.store.rows("SELECT number, campaign, place FROM letters WHERE state = 'doubtful'"):
            about = str(row["number"])
            self.doubts.note(row["campaign"], wrong("W-OFFICE-KEY", number=about, sender=row["place"]), about)
        query = "SELECT * FROM letters JOIN messages USING (mark) LEFT JOIN campaigns ON name = campaign"
        for row in self.store.rows(f"{query} WHERE state = 'away'"):
            about = str(row["number"])
            sender, subject = mail_names(row["sender"], row["subject"])
            folder = Path(row["path"] or "")
            wording = "W-OFFICE-AWAY.unserved" if row["path"] and folder.is_dir() else "W-OFFICE-AWAY"
            doubt = wrong(wording, number=about, sender=sender, subject=subject, folder=folder.name)
            self.doubts.note(row["campaign"], doubt, about)
        for row in self.store.rows("SELECT * FROM messages WHERE verdict = 'large'"):
            sender, subject = mail_names(row["sender"], row["subject"])
            self.doubts.note("", wrong("W-OFFICE-LARGE", sender=sender, subject=subject), row["mark"])
            with self.store.step():
                self.store.do("UPDATE messages SET verdict = 'left' WHERE mark = ?", row["mark"])
