"""A moderator with an office, and players with mail programs, as far as letters between them go."""

from __future__ import annotations

import email
import email.policy
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from typing import Any

from pbem.post.outgoing import Correspondent, Enclosure, OutgoingMail, eml, message_id
from tests.cli.correspondence import NAME, SEATS, Correspondence

ADDRESSES = {who: f"{who}@example.org" for who in ("moderator", *SEATS, "elisabeth", "pompadour")}

READING = email.policy.default.clone(header_factory=lru_cache(maxsize=4096)(HeaderRegistry()))
"""Way of reading mails: each line of a head is taken apart once, which is most of the work."""


def read_mail(data: bytes) -> EmailMessage:
    """The mail in these bytes."""
    mail = email.message_from_bytes(data, policy=READING)
    assert isinstance(mail, EmailMessage)
    return mail


@lru_cache(maxsize=512)
def sent_mail(data: bytes) -> EmailMessage:
    """The same for a mail that was sent, which is looked at again and again; nobody changes it."""
    return read_mail(data)


@lru_cache(maxsize=4096)
def addressee_in(head: bytes) -> str:
    """Return the address to which a mail with this head goes; each head is read again and again."""
    return str(read_mail(head)["To"])


@lru_cache(maxsize=4096)
def answered_in(head: bytes) -> str:
    """Return the name of the mail that a mail with this head answers."""
    return str(read_mail(head)["In-Reply-To"])


SETTINGS = """\
campaigns: .
in: {maildir: inbox}
out: {files: sent}
key: moderator/key
state: state
address: moderator@example.org
"""

PLAIN = SETTINGS + "pictures: no\n"


class PostalTable(Correspondence):
    """A table whose moderator runs an office over a maildir, and finds what it sends in a folder."""

    def open_office(self, settings: str = SETTINGS, *options: str) -> None:
        """Set the office up, and begin a campaign whose people have addresses."""
        (self.root / "inbox" / "new").mkdir(parents=True)
        (self.root / "mail.yaml").write_text(settings)
        people = [seat for seat in self.seats if not any(option.startswith(f"{seat}=") for option in options)]
        sitting = [word for seat in people for word in ("--seat", f"{seat}={seat} <{ADDRESSES[seat]}>")]
        host = ("--moderator", "Max <moderator@example.org>")
        self.mail("status")
        self.run("new", NAME, "--delay", "0m", *host, *sitting, *options, as_="moderator")

    def mail(self, *words: str, code: int | None = 0) -> str:
        """A command of the office."""
        return self.run("mail", *words, "--settings", "mail.yaml", code=code).output

    def evening(self, code: int | None = 0) -> str:
        """The office's round."""
        return self.run("evening", "--settings", "mail.yaml", code=code).output

    def drop(self, data: bytes, name: str) -> Path:
        """A mail comes into the moderator's mailbox."""
        path = self.root / "inbox" / "new" / name
        path.write_bytes(data)
        return path

    def write_mail(self, seat: str, file: str, text: str = "Here it is.", **changes: Any) -> bytes:
        """A player's mail with a letter attached."""
        data = (self.root / file).read_bytes()
        mail = OutgoingMail(
            sender=Correspondent(ADDRESSES[seat], seat),
            to=Correspondent(ADDRESSES["moderator"]),
            subject="my letter",
            date=self.now,
            message_id=message_id("example.org", "mua", seat, data.decode(), str(self.now)),
            text=text,
            attachments=(Enclosure("letter.yaml", "application/yaml", data),),
            **changes,
        )
        data = eml(mail).replace(b"Auto-Submitted: auto-generated\r\n", b"")
        return data.replace(b"X-Auto-Response-Suppress: OOF, AutoReply\r\n", b"")

    def post_letter(self, seat: str, file: str) -> bytes:
        """A player's letter goes into the moderator's mailbox."""
        data = self.write_mail(seat, file)
        self.drop(data, f"{self.now.timestamp():.0f}.{seat}-{len(list(self.root.glob('inbox/*/*')))}")
        return data

    def sent_mails(self, to: str = "", answering: str = "") -> list[EmailMessage]:
        """Mails that the office has sent: all, or those to an address, or those that answer a mail."""
        found = []
        for path in sorted((self.root / "sent").glob("*.eml")):
            data = path.read_bytes()
            # Of others nothing but the head is taken apart.
            head, _, _ = data.partition(b"\n\n")
            if (not to or to in addressee_in(head)) and (not answering or answering == answered_in(head)):
                found.append(sent_mail(data))
        return found

    def join_by_mail(self, *seats: str) -> None:
        """These answer the invitation, or everybody."""
        for seat in seats or self.seats:
            self.run("join", self.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
            self.post_letter(seat, f"join-{NAME}-{seat}.yaml")

    def join_all(self) -> str:
        """Everybody is invited and joins, and the first reports go out; what that evening tells."""
        self.moderate("invite")
        self.evening()
        self.join_by_mail()
        return self.evening()

    def open_desk(self, seat: str) -> None:
        """A player sets an office up, with a mailbox that is empty."""
        (self.root / seat / "box" / "new").mkdir(parents=True)
        (self.root / f"{seat}.yaml").write_text(
            f"campaigns: {seat}/files\nin: {{maildir: {seat}/box}}\nout: {{files: {seat}/sent}}\nkey: {seat}/key\n"
            f"state: {seat}/state\naddress: {ADDRESSES[seat]}\n"
        )

    def desk(self, seat: str, *words: str) -> str:
        """A command of a player's office, or its round."""
        return self.run(*(words or ("evening",)), "--as", seat, "--settings", f"{seat}.yaml").output

    def bring(self, seat: str, *mails: EmailMessage | bytes) -> None:
        """Mails come into a player's mailbox."""
        box = self.root / seat / "box" / "new"
        for mail in mails:
            data = mail if isinstance(mail, bytes) else mail.as_bytes()
            (box / f"{len(list(box.parent.glob('*/*'))):04}").write_bytes(data)

    def mails_to(self, seat: str) -> list[EmailMessage]:
        """Mails that the moderator's office has sent to a player."""
        return self.sent_mails(to=ADDRESSES[seat])

    def begin_club(self) -> dict[str, str]:
        """Begin another campaign, in which two players have changed their seats; who sits where."""
        seats = {"maria-theresa": "maria-theresa", "frederick": "louis", "louis": "frederick"}
        people = [f"{seat}=Player {who} <{ADDRESSES[who]}>" for seat, who in seats.items()]
        sitting = [word for each in people for word in ("--seat", each)]
        host = ("--moderator", "Max <moderator@example.org>")
        self.run("new", "club", "--delay", "0m", *host, *sitting, as_="moderator")
        self.run("invite", "-C", "club", as_="moderator")
        self.evening()
        return seats

    def order_by_mail(self, seat: str) -> None:
        """A player signs the sheet as it came, and mails it."""
        self.run("sign", self.sheet(seat), as_=seat)
        self.post_letter(seat, f"{seat}/orders.yaml")


def copied(table: PostalTable, root: Path) -> PostalTable:
    """The same in another place."""
    other = table.copied(root)
    assert isinstance(other, PostalTable)
    return other


def bounce(name: str, address: str) -> bytes:
    """Answer of a server about a mail that it could not deliver."""
    return f"""\
From: MAILER-DAEMON@example.org
To: moderator@example.org
Subject: Undelivered Mail Returned to Sender
Return-Path: <>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
Message-ID: <bounce@example.org>

--b
Content-Type: text/plain

It could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; example.org

Final-Recipient: rfc822; {address}
Original-Recipient: rfc822; {address}
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: {name}
Subject: [vienna-1741] an invitation
--b--
""".encode()
