"""The office of a player: files, opens and checks what the moderator sends, and sends what was signed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from msgspec import field

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.players import notebook
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.proof.kept_report import check_report
from pbem.campaign.proof.verifying import verify
from pbem.faults.wrong import Words, shell_word, words, wrong
from pbem.office.counter import Counter, Round
from pbem.office.doubts import LONGEST_NOTICE, NOTICE, UNTOLD, mail_names
from pbem.office.fetching import Fetched
from pbem.office.filing import (
    SHEET,
    Came,
    Signed,
    addressee,
    filing_of,
    folder_of,
    guidance_in,
    is_letter_of,
    is_of_another,
    is_sound,
    is_to_hold_report,
    letter_mail,
    letters_in,
    signed_letters,
    whole_letter,
)
from pbem.office.incoming import Incoming
from pbem.office.settings import user_path
from pbem.paper.found import is_address
from pbem.paper.letters import MODERATORS, Letter
from pbem.post.boxes import SEALED, boxes_in, boxes_in_text, unsealed_content
from pbem.post.extract import Extraction, extract
from pbem.post.mailbox import RawMessage
from pbem.post.mime import Envelope, files_in, is_cut_off
from pbem.post.outgoing import campaign_of_id
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PublicKey

_BARE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

_SUBJECT = re.compile(r"\[([a-z0-9-]{1,80})\] \d{4} ")

TEXT = "mail.txt"
"""The file of what a mail says."""

DAMAGED = "W-OFFICE-DAMAGED"
"""The code of doubts about reports that are no longer as they were filed."""

CUT = "W-OFFICE-CUT"
"""The code of doubts about mails that came damaged: about the number in their subject, and their name."""

MOST_CUT = 3
"""So many of these doubts in a campaign are told by mail."""

ARCHIVE = "archive"
"""Beginning of the subject of doubts about the public folder."""

TO_SEND = ".to-send"
"""The folder of mails that are queued."""


class PlayerRound(Round):
    """Result of one round of a player's office."""

    filed: list[Words] = field(default_factory=list)


class PlayerOffice(Counter):
    """The office of a player, in all campaigns of which there are notes beside the key, whatever seat is played."""

    @property
    def root(self) -> Path:
        """Folder of the campaigns' files."""
        return user_path(self.settings.campaigns)

    def seats(self) -> dict[str, str]:
        """Return the seat played in each campaign: of several, the one by which the office is called, or the first."""
        found: dict[str, str] = {}
        for campaign, seat in notebook.all_of(self.key_place):
            if campaign not in found or seat == self.settings.seat:
                found[campaign] = seat
        return found

    def names(self) -> list[str]:
        """Return the campaigns that are played."""
        return [*self.seats()]

    def is_mine(self, campaign: str, seat: str) -> bool:
        """Return whether a seat is the one that is played; before a lot is known that gives one out, each may be."""
        own = self.seats().get(campaign, seat)
        return seat == own or self.awaits_lot(campaign)

    def awaits_lot(self, campaign: str) -> bool:
        """Return whether a lot gives out the seats, and nothing that was signed here has told which one is played."""
        own = self.seats().get(campaign)
        notes = notebook.find(self.key_place, campaign, own) if own else None
        return notes is not None and notes.awaits_lot and notes.signed is None

    def is_for_me(self, letter: Letter) -> bool:
        """Return whether a letter of a moderator is for the seat that is played: others may send theirs on."""
        seat = addressee(letter)
        if letter.kind == "invitation":
            return bool(seat) and seat in (self.settings.seat, self.seats().get(letter.campaign, seat))
        # Receipts of what bears no seat bear none either.
        is_for_mine = self.is_mine(letter.campaign, seat) or (letter.kind == "receipt" and not seat)
        return letter.campaign in self.seats() and is_for_mine

    def incoming(self, message: RawMessage, names: Collection[str]) -> Incoming:
        """Judgement of a message: a moderator's, or none for us."""
        found = extract(message.data, message.where)
        kinds = [each.letter for each in found.letters if each.letter and each.letter.kind in MODERATORS]
        claimed = [each.campaign for each in kinds if self.is_for_me(each)]
        named = self.thread_of(found.envelope, names)
        if named and kinds and not claimed:
            known = self.moderator_of(named)
            # One that came whole is for another seat.
            named = "" if any(is_letter_of(each, known, message.where) for each in kinds) else named
        campaigns = tuple(dict.fromkeys([*claimed, *filter(None, [named])]))
        return Incoming("letter" if campaigns else "left", found, campaigns)

    def thread_of(self, head: Envelope, names: Collection[str]) -> str:
        """Return the campaign of whose moderator a mail is, by its name, or by sender and subject; nothing if of none.

        Mail programs give a mail that is sent by hand a name of their own.
        """
        if named := campaign_of_id(head.message_id, names):
            return named
        name = found[1] if (found := _SUBJECT.match(head.subject)) else ""
        is_theirs = name in names and head.own_address.casefold() == self.address_of(name).casefold() != ""
        return name if is_theirs else ""

    def address_of(self, campaign: str) -> str:
        """Return where letters to the moderator go; nothing if that is not known."""
        return self.settings.moderators.get(campaign, self.store.fact(f"moderator {campaign}"))

    def look(self) -> Fetched:
        """Look into the mailbox."""
        names = self.names()
        for name in names:
            self.inspect(name)
        return self.look_into(lambda message: self.incoming(message, names))

    def round(self, hurry: bool = True) -> PlayerRound:
        """Fetch, file, send."""
        done = PlayerRound()
        self.doubts.broken.clear()
        done.fetched = self.look()
        for row in self.store.rows("SELECT DISTINCT campaign FROM letters WHERE state = 'waiting' ORDER BY campaign"):
            done.filed += self.file_all(row["campaign"])
        for name in self.names():
            self.inspect(name)
            path, _ = self.last_report(name)
            doubted = self.archive_doubts(name)
            if path and doubted and not self.is_doubted_archive(name, path):
                self.verified(name, guidance_in(path), path)
        self.collect()
        self.doubts.fade()
        done.sent = self.send(hurry=hurry)
        with self.store.step():
            self.store.note("last", stamp(self.now()))
        return done

    def awaited(self) -> list[Words]:
        """Return lines on everything for which this office waits, campaign by campaign."""
        names = self.names()
        found = [each for name in names for each in self.awaited_of(name)]
        invitations = sorted(self.root.glob("*/[0-9]*/invitation.yaml"))
        new = [path for path in invitations if path.parent.parent.name not in names]
        return [*found, *map(invitation_advice, new)] or [words("office-no-campaign")]

    def awaited_of(self, campaign: str) -> list[Words]:
        """Lines on orders that the last report asks for, and on their signature."""
        path, damaged = self.last_report(campaign)
        noted = self.about(campaign, DAMAGED)
        told = [
            words("office-damaged", campaign=campaign, file=str(each)) for each in damaged if str(each) not in noted
        ]
        if path is None:
            return told if damaged else [words("office-begins", campaign=campaign)]
        found = guidance_in(path)
        if found.seat not in found.owing:
            is_known = not damaged and not self.about(campaign, CUT)
            told.append(words("office-awaits" if is_known else "office-unsure", campaign=campaign, stage=found.stage))
            return told
        signed = signed_letters(self.root / campaign, self.is_mine, self.key.public)
        if any(each.kind == "orders" and each.stage == found.stage for each in signed):
            return [*told, words("office-ordered", campaign=campaign, stage=found.stage)]
        return [*told, *self.asked(campaign, found, path)]

    def last_report(self, campaign: str) -> tuple[Path | None, list[Path]]:
        """Return the newest report of a campaign that is sound, and the files of newer ones that are not."""
        damaged: list[Path] = []
        folder = self.root / campaign
        paths = set(folder.glob("[0-9]*/report.yaml"))
        # A report that is gone is missed; of a campaign that was put away as a whole none is.
        if (filed := self.store.fact(f"filed {campaign}")) and folder.is_dir():
            paths.add(folder / filed / "report.yaml")
        for path in sorted(paths, reverse=True):
            if is_sound(path, campaign):
                return path, damaged
            damaged.append(path)
        return None, damaged

    def inspect(self, campaign: str) -> None:
        """Doubt reports that were damaged in their folder; those that are as they should be are doubted no longer."""
        newest, broken = self.last_report(campaign)
        damaged = {str(path): path for path in broken}
        fact = f"filed {campaign}"
        if newest and newest.parent.name > self.store.fact(fact):
            with self.store.step():
                self.store.note(fact, newest.parent.name)
        if damaged:
            self.forget_mails(campaign)
        for about in self.about(campaign, DAMAGED):
            if about not in damaged:
                self.doubts.settle_one(campaign, DAMAGED, about)
        for about in damaged:
            self.doubts.note(campaign, wrong(DAMAGED, file=about), about)

    def forget_mails(self, campaign: str) -> None:
        """Forget which mails of a campaign were filed, so that one that comes again is filed again."""
        query = """SELECT mark FROM letters WHERE campaign = ?
          AND mark NOT IN (SELECT mark FROM letters WHERE state != 'taken')"""
        with self.store.step():
            for row in self.store.rows(query, campaign):
                self.store.do("DELETE FROM messages WHERE mark = ?", row["mark"])
                self.store.do("DELETE FROM letters WHERE mark = ?", row["mark"])

    def file_all(self, campaign: str) -> list[Words]:
        """File everything that has come for a campaign."""
        told = []
        fresh: dict[Path, Guidance] = {}
        for row in self.waiting_for(campaign):
            self.doubts.settle(campaign)
            about = f"letter {row['number']}"
            with self.doubting(campaign, about):
                told += self.file(campaign, RawMessage(row["data"], row["place"]), fresh)
            if (campaign, about) not in self.doubts.broken:
                self.now_are([row], "taken")
        self.doubts.mend(campaign, "letter")
        # Behind all of them, for only the newest report owes, and mails come in any order.
        return told + [each for path, guide in fresh.items() for each in self.asked(campaign, guide, path)]

    def file(self, campaign: str, message: RawMessage, fresh: dict[Path, Guidance]) -> list[Words]:
        """File one mail of the moderator: what is signed in it, opened, and what that is worth.

        A report or an invitation that was not filed before is added to `fresh`.
        """
        found = extract(message.data, message.where)
        (files, is_whole), known = self.contents(message), self.moderator_of(campaign)
        letters = [(name, letter) for name, data in files for letter in letters_in(data, name, campaign)]
        foreign = [letter for name, letter in letters if not is_letter_of(letter, known, name)]
        if any(is_of_another(letter, known) for letter in foreign):
            self.doubts.note(campaign, wrong("E-GUIDE-MODERATOR"), found.envelope.sender)
            return []
        if foreign:
            # A signature that fails under every key says nothing about who wrote the letter: it was damaged.
            self.miss(campaign, found.envelope)
            return []
        came = [Came(name, data, self.mine(whole_letter(data, name, campaign), known, name)) for name, data in files]
        if letters and not any(each.letter for each in came):
            return []
        filing = filing_of(came)
        is_damaged = found.unread or not is_whole or is_cut_off(message.data)
        folder = self.root / campaign / folder_of(found.envelope.subject, filing.guide)
        if any(each.letter for each in came):
            self.recover(campaign, f"{folder.name} {found.envelope.message_id}", filing.guide)
        elif is_damaged or self.lacks_report(campaign, found, message.data):
            self.miss(campaign, found.envelope)
            return []
        guide = filing.guide
        own = folder / f"{guide.kind}.yaml" if guide else None
        is_known = own is not None and own.is_file() and own.read_bytes() == filing.files[own.name]
        if own and own.is_file() and not is_sound(own, campaign):
            own.unlink()
        for name, data in filing.files.items():
            # Of a report that is filed only what a round could not write before it was killed is written.
            if not (is_known and (folder / name).exists()):
                self.write(folder / name, data)
        subject = found.envelope.subject
        told = [] if is_known else [words("office-filed", campaign=campaign, subject=subject, folder=str(folder))]
        if filing.unsigned:
            sender = found.envelope.sender
            self.doubts.notice(campaign, wrong("W-OFFICE-UNSIGNED", files=filing.unsigned, sender=sender), sender)
        if guide and own:
            fresh |= {} if is_known else {own: guide}
            told += self.verified(campaign, guide, own)
            # Before a lot is known, somebody else's report may be taken for the own one.
            if guide.kind == "invitation" or not self.awaits_lot(campaign):
                self.meet(campaign, found.envelope.own_address)
        return told

    def mine(self, letter: Letter | None, moderator: PublicKey | None, source: str) -> Letter | None:
        """Return a letter if it is the moderator's for the seat that is played."""
        is_mine = letter and self.is_for_me(letter) and is_letter_of(letter, moderator, source)
        return letter if is_mine else None

    def meet(self, campaign: str, sender: str) -> None:
        """Know where the moderator can be written to: who sends a signed letter on need not be its writer."""
        fact = f"moderator {campaign}"
        known = self.store.fact(fact)
        if not sender:
            return
        if known and sender != known:
            self.doubts.note(campaign, wrong("W-OFFICE-MOVED", known=known, sender=sender), sender)
        elif not known:
            with self.store.step():
                self.store.note(fact, sender)

    def contents(self, message: RawMessage) -> tuple[list[tuple[str, bytes]], bool]:
        """The files of a mail under names that lead nowhere else; what is sealed to us is opened.

        Behind them True if every sealed file is a box that the key opens.
        """
        plain = [(name, data) for kind in (".yaml", ".ics") for name, data in files_in(message.data, kind)]
        text = extract(message.data, message.where).text.encode()
        sealed = [content.decode("ascii", "replace") for _, content in files_in(message.data, SEALED)]
        is_whole = all(boxes_in_text(content) for content in sealed)
        opened: list[tuple[str, bytes]] = []
        for name, box in boxes_in(message.data, "mail.eml"):
            try:
                opened += [(name, unsealed_content(box, self.key))] if name else []
            except BoxFault:
                is_whole = False
        found = [(TEXT, text), *(each for each in (*plain, *opened) if each[0].casefold() != TEXT)]
        return [(name, data) for name, data in found if _BARE.fullmatch(name)], is_whole

    def write(self, path: Path, data: bytes) -> Path:
        """Write a file; what somebody has changed meanwhile stays, and the new one lies beside it, where it says."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists() and path.read_bytes() != data:
            path = path.with_name(f"new-{path.name}")
        write_whole(path, data, mode=PRIVATE)
        return path

    def asked(self, campaign: str, found: Guidance, path: Path) -> list[Words]:
        """Lines on orders that a report asks for, if it is the newest one, or on an invitation."""
        told = [invitation_advice(path)] if found.kind == "invitation" and campaign not in self.names() else []
        newest, _ = self.last_report(campaign)
        if found.seat in found.owing and newest and newest.parent == path.parent:
            sheet = str(path.parent / SHEET)
            told.append(words("office-owed", campaign=campaign, stage=found.stage, sheet=sheet))
        return told

    def verified(self, campaign: str, found: Guidance, path: Path) -> list[Words]:
        """Result of comparing a report with the public folder, if there is one."""
        before = self.archive_doubts(campaign)
        if not (archive := self.settings.archives.get(campaign)):
            self.settle_all(campaign, before)
            return []
        seen = archive_mark(user_path(archive), path)
        with self.doubting(campaign, ARCHIVE):
            folder = user_path(archive)
            result = verify(folder)
            if result.has_sound_ledger:
                check_report(read_folder(folder, self.now()), found, str(path), result)
            for finding in result.findings:
                self.doubts.note(campaign, finding.fault, f"{ARCHIVE} {finding.file}")
            again = {(each.fault.code, f"{ARCHIVE} {each.file}") for each in result.findings}
            self.settle_all(campaign, before - again)
            with self.store.step():
                self.store.note(f"{ARCHIVE} {campaign}", seen)
            if result.is_good:
                return [words("office-verified", campaign=campaign, entry=found.head.entry if found.head else 0)]
            return [words("office-not-verified", campaign=campaign, number=len(result.findings))]
        return []

    def is_doubted_archive(self, campaign: str, report: Path) -> bool:
        """Return whether the public folder is as it was when it was found to be wrong, and so is the report."""
        if not (archive := self.settings.archives.get(campaign)):
            return False
        return self.store.fact(f"{ARCHIVE} {campaign}") == archive_mark(user_path(archive), report)

    def archive_doubts(self, campaign: str) -> set[tuple[str, str]]:
        """Codes and subjects of the doubts about the public folder."""
        query = "SELECT code, about FROM doubts WHERE campaign = ? AND (about = ? OR about GLOB ?)"
        return {(row["code"], row["about"]) for row in self.store.rows(query, campaign, ARCHIVE, f"{ARCHIVE} *")}

    def settle_all(self, campaign: str, doubts: Collection[tuple[str, str]]) -> None:
        """Forget some doubts."""
        for code, about in doubts:
            self.doubts.settle_one(campaign, code, about)

    def lacks_report(self, campaign: str, found: Extraction, data: bytes) -> bool:
        """Return whether a report belongs in a mail without letters that is newer than the newest report."""
        number = folder_of(found.envelope.subject, None)
        newest, _ = self.last_report(campaign)
        if not number.isdigit() or (newest and number <= newest.parent.name):
            return False
        return is_to_hold_report(found.envelope, data)

    def miss(self, campaign: str, head: Envelope) -> None:
        """Doubt a mail that came damaged, unless a newer report tells already what is asked."""
        number = folder_of(head.subject, None)
        newest, _ = self.last_report(campaign)
        if newest is None or newest.parent.name < number:
            sender, subject = mail_names(head.sender, head.subject)
            # Nothing signed says that it is the moderator's: who writes many of them does not fill a mailbox.
            told = UNTOLD if len(self.about(campaign, CUT)) < MOST_CUT else NOTICE
            about = f"{number} {head.message_id}"
            self.doubts.note(campaign, wrong(CUT, sender=sender, subject=subject), about, told)

    def recover(self, campaign: str, about: str, guide: Guidance | None) -> None:
        """Doubt a damaged mail no longer when it has come whole, or a report that is as new."""
        is_report = guide is not None and guide.kind == "report"
        number, _, name = about.partition(" ")
        long_ago = stamp(self.now() - LONGEST_NOTICE)
        query = "SELECT about, since FROM doubts WHERE campaign = ? AND code = ?"
        for row in self.store.rows(query, campaign, CUT):
            of_number, _, of_name = row["about"].partition(" ")
            # No mail of the moderator's is overtaken for so long: a number that is higher still is made up.
            is_older = of_number <= number or not of_number.isdigit() or row["since"] < long_ago
            if (name and of_name == name) or (is_report and is_older):
                self.doubts.settle_one(campaign, CUT, row["about"])

    def moderator_of(self, campaign: str) -> PublicKey | None:
        """Key of the moderator; nothing before one has joined."""
        if campaign not in self.names():
            return None
        return PublicKey.parse(notebook.find(self.key_place, campaign, self.seats()[campaign]).moderator)

    def collect(self) -> None:
        """Queue the letters that were signed; those of before this office are held."""
        fact = "met desk"
        state = "queued" if self.store.fact(fact) else "held"
        public = self.key.public if self.root.is_dir() else None
        for each in signed_letters(self.root, self.is_mine, public) if public else ():
            self.queue(each, state)
        with self.store.step():
            self.store.note(fact, "yes")

    def queue(self, letter: Signed, state: str) -> None:
        """Queue one letter under the name that follows from what it says."""
        moderator = self.address_of(letter.campaign)
        if not is_address(moderator) or not self.settings.address:
            self.doubts.note(letter.campaign, wrong("W-OFFICE-ADDRESS", file=letter.path.name), letter.path.name)
            return
        self.doubts.settle(letter.campaign, about=letter.path.name)
        data, name = letter_mail(letter, self.settings.address, moderator, self.now())
        if self.store.rows("SELECT 1 FROM mails WHERE id = ?", name):
            return
        path = self.store.folder / TO_SEND / f"{letter.name[:32]}.eml"
        path.parent.mkdir(exist_ok=True, mode=0o700)
        write_whole(path, data, mode=PRIVATE)
        self.sender.enter(letter.campaign, path, state)


def archive_mark(folder: Path, report: Path) -> str:
    """Mark of a public folder and a report, which changes with the size or the time of any file."""
    found = []
    with suppress(OSError):
        for path in sorted([*folder.rglob("*"), report]):
            told = path.stat()
            found.append(f"{path} {told.st_size} {told.st_mtime_ns}")
    return hashlib.sha256("\n".join(found).encode("utf-8", "surrogateescape")).hexdigest()


def invitation_advice(path: Path) -> Words:
    """Advice on accepting an invitation."""
    folder = path.parent.parent
    return words(
        "office-invited", campaign=folder.name, file=shell_word(str(path)), join=shell_word(str(folder / "join.yaml"))
    )
