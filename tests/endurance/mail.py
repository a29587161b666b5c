"""Mails on their way to the moderator, and what must become of the letters in them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter
from pbem.post.mailbox import RawMessage

Fate = Literal["taken", "refused", "either"]
"""Fate of a letter; late ones may be taken or not."""


class Mail(Struct):
    """One mail with one letter, or with something that is none."""

    number: int
    player: str
    due: datetime
    text: str
    manner: str
    fate: Fate

    @property
    def data(self) -> bytes:
        """The bytes that come in."""
        head = f"From: {self.player} <{self.player}@example.org>\nMessage-ID: <{self.number}@example.org>\n"
        kind = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"
        return f"{head}Subject: a letter\nMIME-Version: 1.0\n{kind}\n{self.text}".encode()

    @property
    def message(self) -> RawMessage:
        """The same as a mailbox gives it."""
        return RawMessage(self.data, f"mail {self.number}")

    def entry_in(self, campaign: Campaign) -> int:
        """The entry by which the letter was taken; 0 if it was not."""
        try:
            letter = read_letter(self.text.encode(), "letter")
        except Refused:
            return 0
        return campaign.public.letters.get(campaign.state.mark(letter), 0)


class Postman(Struct):
    """All mails that were ever sent, and those of them that have come in."""

    sent: list[Mail] = []
    delivered: list[Mail] = []

    def send(self, player: str, text: str, due: datetime, manner: str, fate: Fate) -> None:
        """A mail is sent off."""
        self.sent.append(Mail(len(self.sent) + 1, player, due, text, manner, fate))

    def arriving(self, now: datetime) -> Iterator[Mail]:
        """Mails that have come in by now and were not there before."""
        for mail in self.sent:
            if mail.due <= now and mail not in self.delivered:
                yield mail
