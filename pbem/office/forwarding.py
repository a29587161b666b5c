"""Words that players write to us, in place of letters: nobody refuses them, and the moderator gets them once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from sqlite3 import Row

from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.faults.words import words
from pbem.office.doubts import NOTES, OFFICE, Doubts, named
from pbem.office.fetching import WORDS
from pbem.office.settings import OfficeSettings
from pbem.office.store import Store
from pbem.office.unforeseen import is_unforeseen, unforeseen_fault
from pbem.paper.addresses import is_address
from pbem.post.extract import extract
from pbem.post.outgoing import Correspondent, Outgoing, eml, message_id

MOST_LINES = 200
"""So many lines of a mail go on; the mail itself lies in the mailbox."""


def forward(store: Store, doubts: Doubts, now: Callable[[], datetime]) -> None:
    """Queue a mail to the moderator for each message that has come without a letter."""
    rows = store.rows("SELECT * FROM letters JOIN messages USING (mark) WHERE state = ? ORDER BY number", WORDS)
    folder, settings = store.folder / NOTES, doubts.settings
    for row in rows:
        try:
            mail, name = mail_of(row, settings, now())
        except Exception as error:
            if not is_unforeseen(error):
                raise
            sender, subject = named(row["sender"], row["subject"])
            fault = unforeseen_fault(error, "E-OFFICE-BROKEN.mail", sender=sender, subject=subject)
            doubts.fail("", fault, f"words {row['mark']}")
            continue
        folder.mkdir(exist_ok=True, mode=0o700)
        path = folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.eml"
        write_whole(path, mail, mode=PRIVATE)
        with store.step():
            store.do(
                "INSERT OR IGNORE INTO mails (id, campaign, path, address, state, since) VALUES (?, '', ?, ?, ?, ?)",
                *(name, str(path), settings.address, "queued", stamp(now())),
            )
            store.do("UPDATE letters SET state = 'taken', data = NULL WHERE number = ?", row["number"])
    doubts.mend("", "words")


def mail_of(row: Row, settings: OfficeSettings, now: datetime) -> tuple[bytes, str]:
    """What somebody has written, as a mail to the moderator whose answer goes to them, and its name."""
    language, address = settings.language, settings.address
    found = extract(row["data"], row["place"])
    sender, subject = named(row["sender"], row["subject"])
    title = words("office-words", campaign=row["campaign"], sender=sender, subject=subject).told(language)
    lines = found.text.splitlines()[:MOST_LINES]
    name = message_id(address.partition("@")[2], OFFICE, row["mark"])
    mail = Outgoing(
        sender=Correspondent(address, words("office-name").told(language)),
        to=Correspondent(address),
        reply_to=row["sender"] if is_address(row["sender"]) else "",
        subject=title,
        date=now,
        message_id=name,
        text="\n".join([title, "", *(f"> {line}" for line in lines), "", words("office-words-end").told(language)]),
        answers=found.envelope.message_id,
        is_draft=True,
    )
    return eml(mail), name
