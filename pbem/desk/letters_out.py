"""Letters in a campaign's outbox, as the page lists them: unsent letters, and which to send first."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import unescape
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.proposals import seats_still_to_vote
from pbem.campaign.ledger.records import (
    JoinRecord,
    KeyChangeRecord,
    LetterRecord,
    ProposalRecord,
    RefusedRecord,
    VoteRecord,
)
from pbem.campaign.letters.arrived import LetterAnswer
from pbem.campaign.play.rulings import states_after
from pbem.campaign.settings import Settings
from pbem.moderator.daily import seat_since
from pbem.moderator.mails import INVITATION, RECEIPT, seat_of, write_late_reports
from pbem.moderator.refused_letters import main_fault, reason_to_tell
from pbem.post.boxes import SEALED
from pbem.post.outgoing import recipient_and_subject
from pbem.post.parcels import EVERYBODY, NOBODY

NOTE = ".desk"
"""Name of a file in an outbox. The desk notes in it which letters were sent, and what it remembers of them."""

LETTERS = (".report.yaml", ".invitation.yaml", ".receipt.yaml", ".ruling.yaml", ".agreement.yaml")
"""Endings of file names in an outbox: the moderator's letters, and offered agreements."""

SENT = (".eml", *LETTERS, *(f"{ending}{SEALED}" for ending in LETTERS))
"""Endings of the names of files in an outbox that can be sent. A letter can have several such files: its mail is sent
if there is one, otherwise the letter itself or its box."""


class Refusal(Struct, frozen=True):
    """Refused letter, as the desk remembers it."""

    kind: str
    """Kind of the letter; empty if it could not be read."""
    why: str
    """Reason, in the moderator's language; empty where a moderator who plays may not know it."""


class Memory(Struct):
    """Memory of the desk between two evenings, which lies in the campaign's outbox."""

    sent: set[str] = msgspec.field(default_factory=set)
    """Names of the letters that were sent, as `0005/louis`."""
    numbers: dict[str, int] = msgspec.field(default_factory=dict)
    """Highest number of a letter that came from each player (`Agreement.numbers`)."""
    awaited: dict[str, int] = msgspec.field(default_factory=dict)
    """Refused letters for which a correction is awaited, in the form of `Agreement.awaited`."""
    refusals: dict[str, Refusal] = msgspec.field(default_factory=dict)
    """Refused letters, keyed by the names of their receipts."""
    retold: dict[str, int] = msgspec.field(default_factory=dict)
    """Number of the entry of the last report that was written anew because earlier reports to the seat were not sent,
    keyed by seat."""
    zipped: int = 0
    """Number of the last entry that was saved in a zip outside the browser."""
    is_hot_seat: bool = False
    """True if all players sit at this screen."""

    @classmethod
    def read(cls, outbox: Path) -> Memory:
        path = outbox / NOTE
        return msgspec.json.decode(path.read_bytes(), type=cls) if path.exists() else cls()

    def note_refusal(self, answer: LetterAnswer, settings: Settings, language: str) -> None:
        """Remember a refused letter. A moderator who plays is not told the reason if a rival wrote it."""
        letter, fault = answer.receipt.verdict.letter, main_fault(answer)
        may_tell = fault is not None and not settings.is_rival(answer.receipt.player)
        why = f"{fault.code}: {reason_to_tell(fault).text(language)}" if fault and may_tell else ""
        for path in answer.files:
            name = f"{path.parent.name}/{path.name.partition('.')[0]}"
            self.refusals[name] = Refusal(letter.kind if letter else "", why)

    def write(self, outbox: Path) -> None:
        write_whole(outbox / NOTE, msgspec.json.encode(self, order="sorted"), mode=PRIVATE)


TAKEN_APART = ("join", "key-change", "proposal", "vote")
"""Kinds of letters that are recorded in entries of the same kind. Letters of other kinds are in entries of the kind
`letter`."""

Standing = Literal["refused", "unfinished", "wordless", "open", "own", "spare", "overtaken"]
"""Reason to send a letter in the outbox, or not to send it. A receipt that its reader must act on is `refused` (a
letter was refused), `unfinished` (a letter leaves something open) or `wordless` (a mail had no letter). A letter is
`own` if it goes to a moderator who plays, `spare` if it need not be sent, `overtaken` if a later letter replaces it,
and `open` in all other cases."""


class LetterToSend(Struct, frozen=True):
    """Letter in the outbox, as the page lists it."""

    name: str
    """Number of the entry and name of the letter, as `0005/louis`."""
    seat: str
    address: str
    title: str
    """Title of the letter; empty if the letter is sealed in a box and has no mail."""
    text: str
    file: str
    """Name of the file to send: the mail if there is one, else the signed letter."""
    letter: str
    """Name of the signed letter, or of the box in which it is sealed."""
    save_as: str
    """Name under which the file is saved. No two letters have the same name, even of different campaigns."""
    is_sent: bool
    standing: Standing
    why: str
    """Reason of a refusal; empty if it is not known here."""


class LettersOut:
    """Reader of a campaign's outbox, which lists the letters with their standings."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign, self.public, self.settings = campaign, campaign.public, campaign.settings
        self.outbox = campaign.folder.outbox
        self.memory = Memory.read(self.outbox)
        self.names = {f"{path.parent.name}/{path.name}" for path in self.outbox.glob("[0-9]*/*")}
        self.newest: dict[str, int] = {}
        """Number of the entry of the newest report to each reader, and of the newest invitation to each seat."""
        for name in self.names:
            number, _, file = name.partition("/")
            stem, _, ending = file.partition(".")
            if ending == "txt":
                self.newest[stem] = max(self.newest.get(stem, 0), int(number))
        self.refused: set[int] = set()
        """Numbers of the entries of letters that were refused in the present stage."""
        self.taken: dict[int, tuple[str, str]] = {}
        """Seat and kind of each letter that was taken in the present stage, keyed by the number of the letter's
        entry."""
        self.unfinished: dict[str, int] = {}
        """Number of the entry of a seat's last orders in the present stage, keyed by seat. Only orders that leave
        something open are in it."""
        for entry in campaign.ledger.entries(max(1, self.public.since), ("refused", "letter", *TAKEN_APART)):
            record = record_in(entry)
            if isinstance(record, RefusedRecord):
                self.refused.add(entry.number)
            elif isinstance(record, JoinRecord | KeyChangeRecord | ProposalRecord | VoteRecord):
                self.taken[entry.number] = record.player, entry.kind
            elif isinstance(record, LetterRecord):
                self.taken[entry.number] = record.player, record.kind
                if record.kind == "orders":
                    self.unfinished.pop(record.player, None)
                    if record.status != "final":
                        self.unfinished[record.player] = entry.number

    def letters(self, offered: Collection[str]) -> Iterator[LetterToSend]:
        """Yield the letters in the outbox, the oldest entry first, and the public invitation to each seat in `offered`.
        Letters to bots are left out. If the moderator plays, letters to rivals have no text."""
        people = [NOBODY, *(seat for seat, who in self.settings.seats.items() if not who.bot)]
        of_everybody = {f"{EVERYBODY}-{seat}": seat for seat in offered}
        for text_file in sorted(name for name in self.names if name.endswith(".txt")):
            name, path = text_file.removesuffix(".txt"), self.outbox / text_file
            there = [f"{name}{ending}" for ending in SENT if f"{name}{ending}" in self.names]
            seat = of_everybody.get(seat_of(path), seat_of(path))
            if seat not in people or not there:
                continue
            address = ""
            titled = titled_text(path.read_text("utf-8"))
            title = titled.title
            if there[0].endswith(".eml"):
                address, subject = recipient_and_subject((self.outbox / there[0]).read_bytes())
                is_covered = there[-1].endswith(SEALED)
                title = title if titled.is_underlined and not is_covered else self.without_campaign(subject)
            elif there[-1].endswith(SEALED):
                title = ""
            elif not titled.is_underlined and f"{name}.html" in self.names:
                head = (self.outbox / f"{name}.html").read_text("utf-8").partition("</title>")[0]
                title = self.without_campaign(unescape(head.partition("<title>")[2])) or title
            # A moderator who plays reads no rival's letter, even if the rivals agreed to unsealed letters.
            text = "" if self.settings.is_rival(seat) else titled.text
            refusal = self.memory.refusals.get(name)
            yield LetterToSend(
                name=name,
                seat=seat,
                address=address,
                title=title,
                text=text,
                file=there[0],
                letter=there[-1],
                save_as=f"{self.settings.campaign}-{path.stem}-{path.parent.name}{there[0].removeprefix(name)}",
                is_sent=name in self.memory.sent,
                standing=self.standing_of(name, seat),
                why=refusal.why if refusal else "",
            )

    def without_campaign(self, subject: str) -> str:
        return subject.removeprefix(f"[{self.settings.campaign}] ")

    def standing_of(self, name: str, seat: str) -> Standing:
        """Return the standing of the letter `name` to a seat, or to a writer without a seat."""
        number, stem = int(name.partition("/")[0]), name.partition("/")[2]
        is_own = seat == self.settings.moderator.seat
        if RECEIPT in stem:
            return "overtaken" if is_own else self.standing_of_receipt(name, seat, number)
        if stem.endswith(INVITATION):
            is_for_nothing = seat in self.public.players and not stem.startswith(EVERYBODY)
            is_last = not is_for_nothing and number == self.newest[stem]
        elif stem == seat:
            is_last = number == self.newest[stem]
        else:  # a reminder, or an agreement that is offered
            is_last = number >= max(self.public.since, self.newest.get(seat, 0))
        return "overtaken" if not is_last else "own" if is_own else "open"

    def standing_of_receipt(self, name: str, seat: str, number: int) -> Standing:
        """Return the standing of a receipt. The receipt's name may end with the number of the answered letter's
        entry."""
        found = ENTRY.search(name)
        if seat == NOBODY:
            return "open"
        if not found:
            return "wordless" if number >= self.public.since else "overtaken"
        entry = int(found[1])
        if entry in self.refused and not found[2]:
            refusal = self.memory.refusals.get(name)
            settling = (seat, refusal.kind if refusal else "")
            is_settled = any(each == settling for later, each in self.taken.items() if later > entry)
            # A player who has taken the seat, even before the present stage, need not take it again.
            has_seat = settling == (seat, "join") and seat in self.public.players
            return "overtaken" if is_settled or has_seat else "refused"
        if self.unfinished.get(seat) == entry:
            return "unfinished"
        return "overtaken" if number < self.newest.get(seat, 0) else "spare"


def retell_unsent(campaign: Campaign, memory: Memory) -> None:
    """Write the newest report anew for each seat to which earlier reports were not sent. The new text tells all that
    happened since the last sent report."""
    told: dict[tuple[int, int], list[str]] = {}
    for seat, who in campaign.settings.seats.items():
        entries = reports_to(campaign, seat)
        sent = [entry for entry in entries if f"{entry:04d}/{seat}" in memory.sent]
        # If no report was sent to a seat, nothing shows what its player has read.
        if who.bot or not sent or len(entries) - entries.index(sent[-1]) <= AT_MOST_NEXT:
            continue
        if memory.retold.get(seat) != entries[-1]:
            told.setdefault((entries[-1], sent[-1]), []).append(seat)
    for (newest, since), seats in told.items():
        write_late_reports(campaign, newest, since, seats)
        memory.retold |= dict.fromkeys(seats, newest)


def retell_votes(campaign: Campaign, memory: Memory) -> None:
    """Write the newest report anew for each seat whose newest report asks for a vote that is no longer awaited. Reports
    that were sent are not written anew, except the moderator's own."""
    if campaign.public.phase != "running":
        return
    voted = [entry.number for entry in campaign.ledger.entries(max(1, campaign.public.since), ("vote",))]
    awaited, asking = seats_still_to_vote(campaign.public), dict[str, list[int]]()
    for seat, who in campaign.settings.seats.items():
        entries = reports_to(campaign, seat)
        is_fixed = seat != campaign.settings.moderator.seat and f"{entries[-1]:04d}/{seat}" in memory.sent
        if not who.bot and seat not in awaited and not is_fixed and any(each > entries[-1] for each in voted):
            asking[seat] = entries
    then = states_after(campaign, {entries[-1] for entries in asking.values()}) if asking else {}
    told: dict[int, list[str]] = {}
    for seat, entries in asking.items():
        if seat in seats_still_to_vote(then[entries[-1]].public):
            sent = [entry for entry in entries[:-1] if f"{entry:04d}/{seat}" in memory.sent]
            told.setdefault((sent or entries[-2:-1] or [1])[-1], []).append(seat)
    for since, seats in told.items():
        write_late_reports(campaign, campaign.vault.entry, since, seats)


def reports_to(campaign: Campaign, seat: str) -> list[int]:
    """Return the entry numbers of the reports in the outbox to a seat's present player. If there are none, return
    `[1]`, the first entry of the campaign."""
    paths = campaign.folder.outbox.glob(f"[0-9]*/{seat}.txt")
    return sorted(entry for entry in map(entry_of, paths) if entry >= seat_since(campaign.public, seat)) or [1]


AT_MOST_NEXT = 2
"""Largest number of reports, counted from the last sent one to the newest, for which the newest report is not written
anew. With two reports, nothing lies between them, so the newest tells all that its reader has missed."""


def entry_of(path: Path) -> int:
    return int(path.parent.name)


ENTRY = re.compile(rf"{RECEIPT}(\d{{4,9}})(-\d+)?$")
"""End of a receipt's name: the number of the letter's entry, and a further number if the letter has several receipts.
If a letter has no entry, its receipt is named by a longer hexadecimal number."""


class TitledText(NamedTuple):
    """Title and text of a letter. If the title is not underlined (`is_underlined`), it is the first line of the
    text."""

    title: str
    text: str
    is_underlined: bool


def titled_text(text: str) -> TitledText:
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines[:LONGEST_TITLE]) if line and not line.strip("=")), 0)
    if not end:
        return TitledText(lines[0], text, is_underlined=False)
    return TitledText(" ".join(lines[:end]), "\n".join(lines[end + 1 :]), is_underlined=True)


LONGEST_TITLE = 4
"""Number of lines of the longest title, with the line that underlines it."""
