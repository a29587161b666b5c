"""The ways by which an office gets mails and sends them; what talks to servers is loaded where there is one."""

from __future__ import annotations

from pbem.office.carriers import Carrier, FileCarrier, ProgramCarrier
from pbem.office.settings import Inbox, Outbox, placed
from pbem.office.sources import Files, Maildir, Source


def source_of(inbox: Inbox) -> Source:
    """The mailbox of an office."""
    if inbox.imap:
        from pbem.office.imap import ImapSource

        return ImapSource(inbox.imap)
    if inbox.maildir:
        return Maildir(placed(inbox.maildir))
    return Files(placed(inbox.mbox or inbox.files))


def carrier_of(outbox: Outbox) -> Carrier:
    """Who carries the mails of an office."""
    if outbox.smtp:
        from pbem.office.smtp import SmtpCarrier

        return SmtpCarrier(outbox.smtp)
    if outbox.sendmail:
        return ProgramCarrier(outbox.sendmail)
    return FileCarrier(placed(outbox.files))
