"""Mails go to an SMTP server, behind TLS; what it has taken with its 250 is sent."""

from __future__ import annotations

import base64
import smtplib
from contextlib import suppress

from pbem.office.carriers import Letter, NotNow, NotThere, Unreachable
from pbem.office.imap import trouble_with, trusting
from pbem.office.secrets import told_by
from pbem.office.settings import Server
from pbem.post.outgoing import as_sent

LET_IN = 235
CLOSING = 421
"""With this a server ends the conversation, whatever it was about."""


class SmtpCarrier:
    """A server, to which one conversation serves for many mails."""

    def __init__(self, server: Server) -> None:
        """Nothing is said before there is something to send."""
        self.server = server
        self.talk: smtplib.SMTP | None = None
        self.secret = ""

    def carry(self, letter: Letter) -> None:
        """Hand over one mail."""
        try:
            self.talk = self.talk or self.connected()
            self.talk.sendmail(letter.sender, [letter.address], as_sent(letter.data))
        except smtplib.SMTPRecipientsRefused as error:
            ((code, said),) = error.recipients.values()
            raise self.meant(code, said) from None
        except (smtplib.SMTPSenderRefused, smtplib.SMTPAuthenticationError) as error:
            raise self.end(self.told(error.smtp_code, error.smtp_error)) from None
        except smtplib.SMTPResponseException as error:
            raise self.meant(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError) as error:
            raise self.end(str(trouble_with(self.server, error, self.secret).message)) from None

    def connected(self) -> smtplib.SMTP:
        """The server, after it has let us in."""
        server, safe = self.server, trusting(self.server)
        if server.tls == "starttls":
            talk = smtplib.SMTP(server.host, server.port or 587, timeout=server.timeout)
            talk.starttls(context=safe)
        else:
            talk = smtplib.SMTP_SSL(server.host, server.port or 465, timeout=server.timeout, context=safe)
        talk.ehlo()
        if server.token_command:
            self.secret = told_by(server.token_command, "token-command")
            talk.user = server.user
            talk.auth("XOAUTH2", self.token)
        elif server.password_command:
            self.secret = told_by(server.password_command, "password-command")
            self.log_in(talk)
        return talk

    def log_in(self, talk: smtplib.SMTP) -> None:
        """Tell name and password; the library takes none with letters beyond ASCII."""
        user = self.server.user
        if (user + self.secret).isascii():
            talk.login(user, self.secret)
            return
        said = base64.b64encode(f"\0{user}\0{self.secret}".encode()).decode()
        code, answer = talk.docmd("AUTH", f"PLAIN {said}")
        if code != LET_IN:
            raise smtplib.SMTPAuthenticationError(code, answer)

    def token(self, challenge: bytes | None = None) -> str:
        """What XOAUTH2 says; to a refusal it says nothing more."""
        return "" if challenge else f"user={self.server.user}\1auth=Bearer {self.secret}\1\1"

    def meant(self, code: int, said: bytes | str) -> Exception:
        """What an answer of the server means for one mail."""
        why = self.told(code, said)
        if code == CLOSING:
            return self.end(why)
        return NotThere(why) if code >= 500 else NotNow(why)

    def told(self, code: int, said: bytes | str) -> str:
        """What the server has said."""
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        return " ".join(f"{code} {text}".split())[:300]

    def end(self, why: str) -> Unreachable:
        """The conversation is over."""
        self.close()
        return Unreachable(why)

    def close(self) -> None:
        """Take leave."""
        if self.talk:
            with suppress(smtplib.SMTPException, OSError):
                self.talk.quit()
        self.talk = None
