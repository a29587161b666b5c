"""Mail servers, reached over TLS: a mailbox by IMAP and a carrier by SMTP. In the mailbox only mails with letters are
marked."""

from __future__ import annotations

import base64
import imaplib
import re
import smtplib
import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Event

from imap_tools.errors import ImapToolsError, MailboxFlagError, MailboxStarttlsError, UnexpectedCommandStatusError
from imap_tools.mailbox import BaseMailBox
from imap_tools.utils import check_command_status

from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import Words, Wrong, printable, wrong
from pbem.office.carriers import CUT_OFF, NotMarked, NotNow, NotTaken, NotThere, QueuedMail, Unreachable
from pbem.office.limits import FOR_A_MAIL, Limits, limited, limited_tls
from pbem.office.settings import Imap, Server, secret_from
from pbem.paper.documents.faults import Refused
from pbem.post.mailbox import MOST_BYTES, RawMessage
from pbem.post.outgoing import as_sent

AT_ONCE = 100
BYTES_AT_ONCE = 4 * 1024 * 1024
"""Limits of one request for mails to the server: the largest number of mails, and the largest number of their bytes."""

SIZES_AT_ONCE = 1000

MOST_OF_IMAP = 20 * 1024 * 1024
"""Largest number of bytes in an answer of an IMAP server, not counting the content of mails. The UIDs of two million
mails fit into it."""

MOST_OF_SMTP = 1024 * 1024
"""Largest number of bytes in an answer of an SMTP server."""

SLICE = 5
"""Seconds of listening to a server after which the office checks whether it should stop."""

TROUBLE = (imaplib.IMAP4.error, ImapToolsError, OSError)

_UID = re.compile(rb"\bUID (\d+)\b")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)\b")


class PlainImap(imaplib.IMAP4):
    """Connection to an IMAP server before TLS is started on it."""

    def __init__(self, server: Imap, limits: Limits) -> None:
        self.limits = limits
        super().__init__(server.host, server.port_used, server.timeout)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        return limited(super()._create_socket(timeout), self.limits)  # type: ignore[misc]


class ImapBox(BaseMailBox):
    """Connection to an IMAP server over TLS. The server's certificate must be valid for its name."""

    def __init__(self, server: Imap, limits: Limits) -> None:
        self.server = server
        self.limits = limits
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        server, safe = self.server, tls_context(self.server, self.limits)
        if server.tls == "tls":
            return imaplib.IMAP4_SSL(server.host, server.port_used, ssl_context=safe, timeout=server.timeout)
        client = PlainImap(server, self.limits)
        check_command_status(client.starttls(safe), MailboxStarttlsError)
        return client


class ImapSource:
    """Mailbox that is a folder on an IMAP server. The hint of a mail consists of the UIDVALIDITY of the folder and the
    UID of the mail."""

    def __init__(self, server: Imap) -> None:
        self.server = server
        self.name = f"imap://{server.user}@{server.host}:{server.port}/{server.folder}"
        self.secret = ""
        self.limits = Limits(server.timeout, MOST_OF_IMAP)
        with self.trouble():
            self.box = ImapBox(server, self.limits)
            self.enter()
            self.select()
            # After the log-in a server may announce more abilities. The library asks for them only before.
            self.box.client.capabilities = tuple(self.box.client.capability()[1][0].decode().upper().split())
            found = self.box.folder.status(server.folder, ["UIDVALIDITY"])
            self.validity = str(found["UIDVALIDITY"])

    def enter(self) -> None:
        """Log in with the password or token that is printed by the command in the settings."""
        server = self.server
        if server.token_command:
            self.secret = secret_from(server.token_command, "token-command")
            self.box.xoauth2(server.user, self.secret, None)
            return
        self.secret = secret_from(server.password_command, "password-command")
        login = self.box.login if (server.user + self.secret).isascii() else self.box.login_utf8
        login(server.user, self.secret, None)

    def select(self) -> None:
        """Open the folder. If the server allows no changes, open it only for reading."""
        try:
            self.box.folder.set(self.server.folder)
        except imaplib.IMAP4.readonly:
            self.box.folder.set(self.server.folder, readonly=True)

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """Return a context in which an error of the server is raised as `Refused`. The text of the exception does not
        contain the password."""
        try:
            yield
        except TROUBLE as error:
            why = self.limits.over or error_text(error, self.secret)
            raise Refused(self.server.host, [trouble_with(self.server, why)]) from None

    def hints(self) -> list[str]:
        with self.trouble():
            return [f"{self.validity}/{uid}" for uid in self.box.uids(charset=None)]

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield the mails with these hints, each with its hint. The flags of mails are not changed. If a mail is too
        long, only its beginning is fetched."""
        numbers = [hint.partition("/")[2] for hint in hints]
        for some, size in self.portions(numbers):
            with self.limits.contents(size):
                found = self.mail_parts(some, f"(UID BODY.PEEK[]<0.{MOST_BYTES + 1}>)")
            for uid, data in found:
                yield f"{self.validity}/{uid}", RawMessage(data, f"{self.server.folder}/{uid}")

    def portions(self, numbers: list[str]) -> Iterator[tuple[list[str], int]]:
        """Divide the mails with these UIDs into batches. For each batch yield the UIDs of its mails, and the number of
        their bytes."""
        some: list[str] = []
        size = 0
        for at in range(0, len(numbers), SIZES_AT_ONCE):
            for uid, length in self.sizes(numbers[at : at + SIZES_AT_ONCE]):
                if some and (len(some) >= AT_ONCE or size + length > BYTES_AT_ONCE):
                    yield some, size
                    some, size = [], 0
                some.append(uid)
                size += min(length, MOST_BYTES + 1)
        if some:
            yield some, size

    def sizes(self, numbers: list[str]) -> list[tuple[str, int]]:
        """Return the UID and the size in bytes of each mail with one of these UIDs."""
        with self.trouble():
            _, lines = self.box.client.uid("fetch", ",".join(numbers), "(UID RFC822.SIZE)")
        found = [(_UID.search(line), _SIZE.search(line)) for line in lines if isinstance(line, bytes)]
        return [(uid[1].decode(), int(size[1])) for uid, size in found if uid and size]

    def mail_parts(self, numbers: list[str], parts: str) -> list[tuple[str, bytes]]:
        """Fetch a part of each mail with one of these UIDs. `parts` names the part in the words of IMAP. Return the UID
        and the part for each mail."""
        with self.trouble():
            _, answers = self.box.client.uid("fetch", ",".join(numbers), parts)
        found = [(_UID.search(answer[0]), answer[1]) for answer in answers if isinstance(answer, tuple)]
        return [(uid[1].decode(), data) for uid, data in found if uid]

    def settle(self, hint: str) -> None:
        """Mark a mail as read. If the settings name a folder for it and the server can move mails, move it there. Do
        nothing if the server has given new UIDs to all mails. Raises `NotMarked` if the server refuses."""
        validity, _, uid = hint.partition("/")
        if validity != self.validity:
            return
        with self.trouble():
            try:
                # The library's own `flag` would also delete, for good, the mails that the owner has marked as deleted.
                check_command_status(self.box.client.uid("STORE", uid, "+FLAGS", "(\\Seen)"), MailboxFlagError)
                if self.server.done and "MOVE" in self.box.client.capabilities:
                    if not self.box.folder.exists(self.server.done):
                        self.box.folder.create(self.server.done)
                    self.box.move(uid, self.server.done)
            except UnexpectedCommandStatusError as error:
                raise NotMarked(error_text(error, self.secret)) from None

    def wait(self, seconds: float, stop: Event) -> None:
        """Wait until the server announces new mail (IDLE) or `stop` is set, but no longer than `seconds`."""
        with self.trouble():
            while seconds > 0 and not stop.is_set() and not self.box.idle.wait(timeout=min(SLICE, seconds)):
                seconds -= SLICE

    def close(self) -> None:
        with suppress(*TROUBLE):
            self.box.logout()


def tls_context(server: Server, limits: Limits) -> ssl.SSLContext:
    """Return the TLS context for a conversation with these limits. Raises `Refused` if the settings name a file with
    certificates of an authority and it cannot be read."""
    try:
        found = ssl.create_default_context(cafile=server.authority or None)
    except OSError as error:
        raise Refused(server.authority, [wrong("E-FILE.read", why=reason_of(error))]) from None
    found.sslsocket_class = limited_tls(limits)
    return found


def trouble_with(server: Server, why: Words | str) -> Wrong:
    """Return the fault for an error of a server. `why` is the reason, and must not contain the password."""
    return wrong("E-OFFICE-SERVER", host=f"{server.host}:{server.port_used}", why=why)


def error_text(error: Exception, secret: str) -> str:
    """Return the text of an error as one line. If the server has refused a command, this is the server's answer. The
    password is removed from the text."""
    said = str(error)
    if isinstance(error, UnexpectedCommandStatusError):
        answers = [each for each in error.command_result[1] or () if isinstance(each, bytes)]
        said = b" ".join(answers).decode("utf-8", "replace") or said
    why = " ".join(said.split()) or type(error).__name__
    if secret:
        why = why.replace(secret, "…")
    return printable(why)[:300]


LET_IN = 235
GO_ON = 354
"""SMTP code by which a server asks for the content of a mail."""

CLOSING = 421
"""SMTP code by which a server ends the connection."""


CLOSED_DOORS = (
    smtplib.SMTPConnectError,
    smtplib.SMTPHeloError,
    smtplib.SMTPSenderRefused,
    smtplib.SMTPAuthenticationError,
)
"""Exceptions for refusals by an SMTP server that concern all mails and not only one."""


class SmtpTalk(smtplib.SMTP):
    """Connection to an SMTP server that stores the code of the server's last answer."""

    last_code = 0

    def getreply(self) -> tuple[int, bytes]:
        self.last_code, said = super().getreply()
        return self.last_code, said


class TlsSmtp(SmtpTalk, smtplib.SMTP_SSL):
    """Connection to an SMTP server over TLS."""


class PlainSmtp(SmtpTalk):
    """Connection to an SMTP server before TLS is started on it."""

    def __init__(self, server: Server, limits: Limits) -> None:
        self.limits = limits
        super().__init__(server.host, server.port_used, timeout=server.timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return limited(super()._get_socket(host, port, timeout), self.limits)  # type: ignore[misc]


class SmtpCarrier:
    """Carrier that is an SMTP server. Many mails are sent over one connection."""

    def __init__(self, server: Server) -> None:
        """Store the settings of the server. The connection is made when the first mail is sent."""
        self.server = server
        self.talk: SmtpTalk | None = None
        self.limits = Limits(server.timeout, MOST_OF_SMTP)
        self.secret = ""

    def carry(self, letter: QueuedMail) -> None:
        try:
            self.talk = self.talk or self.connection()
            self.talk.sendmail(letter.sender, [letter.address], as_sent(letter.data))
            self.limits.prolong(FOR_A_MAIL)
        except smtplib.SMTPRecipientsRefused as error:
            ((code, said),) = error.recipients.values()
            raise self.error_of(code, said) from None
        except CLOSED_DOORS as error:
            raise self.end(self.answer_line(error.smtp_code, error.smtp_error)) from None
        except smtplib.SMTPResponseException as error:
            raise self.error_of(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError) as error:
            why = self.limits.over or error_text(error, self.secret)
            if self.talk and self.talk.last_code == GO_ON:
                self.close()
                raise NotTaken(f"{self.server.host}:{self.server.port_used}: {why}", CUT_OFF) from None
            raise self.end(trouble_with(self.server, why).message) from None

    def connection(self) -> SmtpTalk:
        """Connect to the SMTP server over TLS. Log in if the settings have a command for a password or a token."""
        server = self.server
        self.limits = Limits(server.timeout, MOST_OF_SMTP)
        safe = tls_context(server, self.limits)
        if server.tls == "starttls":
            talk: SmtpTalk = PlainSmtp(server, self.limits)
            talk.starttls(context=safe)
        else:
            talk = TlsSmtp(server.host, server.port_used, timeout=server.timeout, context=safe)
        talk.ehlo()
        if server.token_command:
            self.secret = secret_from(server.token_command, "token-command")
            talk.user = server.user
            talk.auth("XOAUTH2", self.token)
        elif server.password_command:
            self.secret = secret_from(server.password_command, "password-command")
            self.log_in(talk)
        return talk

    def log_in(self, talk: smtplib.SMTP) -> None:
        """Log in with name and password. Raises `SMTPAuthenticationError` if the server refuses."""
        user = self.server.user
        if (user + self.secret).isascii():
            talk.login(user, self.secret)
            return
        # The name and the password are encoded here, because smtplib accepts only ASCII in them.
        said = base64.b64encode(f"\0{user}\0{self.secret}".encode()).decode()
        code, answer = talk.docmd("AUTH", f"PLAIN {said}")
        if code != LET_IN:
            raise smtplib.SMTPAuthenticationError(code, answer)

    def token(self, challenge: bytes | None = None) -> str:
        """Return the access token in the form that the server expects (XOAUTH2). A server that has refused the token
        sends a `challenge`. In this case return an empty text."""
        return "" if challenge else f"user={self.server.user}\1auth=Bearer {self.secret}\1\1"

    def error_of(self, code: int, said: bytes | str) -> Exception:
        """Return the exception for a server's answer to one mail. If the server ends the connection with this answer,
        close it."""
        why = self.answer_line(code, said)
        if code == CLOSING:
            return self.end(why)
        return NotThere(why) if code >= 500 else NotNow(why)

    def answer_line(self, code: int, said: bytes | str) -> str:
        """Return the code and the text of a server's answer as one line."""
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        return " ".join(f"{code} {text}".split())[:300]

    def end(self, why: Words | str) -> Unreachable:
        """Close the connection. Return an exception with the reason `why`, which the caller must raise."""
        self.close()
        return Unreachable(why)

    def close(self) -> None:
        if self.talk:
            with suppress(smtplib.SMTPException, OSError):
                self.talk.quit()
        self.talk = None
