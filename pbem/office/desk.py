"""The office of a player: what the moderator sends is filed, opened and checked, and what was signed is sent."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from msgspec import field

from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.campaign.ledger.reading import read_folder
from pbem.campaign.players import notebook
from pbem.campaign.players.guidance import KINDS, Guidance, guidance_of
from pbem.campaign.proof.kept_report import check_report
from pbem.campaign.proof.verifying import verify
from pbem.faults.words import Words, words
from pbem.faults.wrong import shell_word, wrong
from pbem.office.counter import Counter, Round
from pbem.office.fetching import Fetched
from pbem.office.incoming import Incoming
from pbem.office.letters import Signed, letter_mail, signed_in
from pbem.office.settings import placed
from pbem.paper.addresses import is_address
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import MODERATORS, Letter, check_signature
from pbem.post.boxes import boxes_in, unsealed
from pbem.post.extract import extract
from pbem.post.mailbox import RawMessage
from pbem.post.mime import files_in
from pbem.post.outgoing import campaign_of_id
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

_BARE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

TO_SEND = ".to-send"
"""The folder of mails that are queued."""


class DeskRound(Round):
    """What one round of a player's office has done."""

    filed: list[Words] = field(default_factory=list)


class Desk(Counter):
    """The office of whoever plays a seat, in all campaigns of which there are notes beside the key."""

    @property
    def root(self) -> Path:
        """Where the files of campaigns go."""
        return placed(self.settings.campaigns)

    def names(self) -> list[str]:
        """The campaigns in which this seat is played."""
        return [campaign for campaign, seat in notebook.all_of(self.key_place) if seat == self.settings.seat]

    def incoming(self, message: RawMessage, names: Collection[str]) -> Incoming:
        """What a message is: of a moderator, or none of ours."""
        found = extract(message.data, message.where)
        kinds = [each.letter for each in found.letters if each.letter and each.letter.kind in MODERATORS]
        claimed = [each.campaign for each in kinds if each.campaign in names or is_invited(each, self.settings.seat)]
        named = campaign_of_id(found.envelope.message_id, names)
        campaigns = tuple(dict.fromkeys([*claimed, *filter(None, [named])]))
        return Incoming("letter" if campaigns else "left", found, campaigns)

    def look(self) -> Fetched:
        """Look into the mailbox."""
        names = self.names()
        return self.look_into(lambda message: self.incoming(message, names))

    def round(self, hurry: bool = True) -> DeskRound:
        """Fetch, file, send."""
        done = DeskRound()
        self.doubts.broken.clear()
        done.fetched = self.look()
        for row in self.store.rows("SELECT DISTINCT campaign FROM letters WHERE state = 'waiting' ORDER BY campaign"):
            done.filed += self.file_all(row["campaign"])
        self.collect()
        done.sent = self.send(hurry=hurry)
        with self.store.step():
            self.store.note("last", stamp(self.now()))
        return done

    def awaited(self) -> list[Words]:
        """For what this office waits, campaign by campaign."""
        names = self.names()
        found = [each for name in names for each in self.awaited_of(name)]
        invitations = sorted(self.root.glob("*/[0-9]*/invitation.yaml"))
        new = [path for path in invitations if path.parent.parent.name not in names]
        return [*found, *map(invited, new)] or [words("office-no-campaign")]

    def awaited_of(self, campaign: str) -> list[Words]:
        """What the last report of a campaign asks for, and whether it was signed."""
        reports = sorted((self.root / campaign).glob("[0-9]*/report.yaml"))
        if not reports:
            return [words("office-begins", campaign=campaign)]
        found = guidance_in(reports[-1])
        if self.settings.seat not in found.owing:
            return [words("office-awaits", campaign=campaign, stage=found.stage)]
        signed = signed_in(self.root / campaign, self.settings.seat, self.key.public)
        if any(each.kind == "orders" and each.stage == found.stage for each in signed):
            return [words("office-ordered", campaign=campaign, stage=found.stage)]
        return self.asked(campaign, reports[-1], is_checked=False)

    def file_all(self, campaign: str) -> list[Words]:
        """File everything that has come for a campaign."""
        told = []
        for row in self.waiting_for(campaign):
            self.doubts.settle(campaign)
            about = f"letter {row['number']}"
            with self.doubting(campaign, about):
                told += self.file(campaign, RawMessage(row["data"], row["place"]))
            if (campaign, about) not in self.doubts.broken:
                self.now_are([row], "taken")
        self.doubts.mend(campaign, "letter")
        return told

    def file(self, campaign: str, message: RawMessage) -> list[Words]:
        """One mail of the moderator: its files, opened, and what they are worth."""
        found = extract(message.data, message.where)
        contents = self.contents(message)
        if not all(self.is_genuine(campaign, name, data) for name, data in contents):
            self.doubts.note(campaign, wrong("E-GUIDE-MODERATOR"), found.envelope.sender)
            return []
        folder = self.root / campaign / folder_of(found.envelope.subject)
        for name, data in contents:
            self.write(folder / name, data)
        told = [words("office-filed", campaign=campaign, subject=found.envelope.subject, folder=str(folder))]
        for name in {"report.yaml", "invitation.yaml"}.intersection(name for name, _ in contents):
            told += self.asked(campaign, folder / name)
            self.meet(campaign, found.envelope.sender)
        return told

    def is_genuine(self, campaign: str, name: str, data: bytes) -> bool:
        """Whether a file is no letter of a moderator, or one that the moderator of the campaign has signed."""
        letters = [each.letter for each in extract(data, name).letters] if name.endswith(".yaml") else []
        known = self.moderator_of(campaign)
        for letter in letters:
            if letter and letter.kind in MODERATORS and not letter_is_of(letter, known, name):
                return False
        return True

    def meet(self, campaign: str, sender: str) -> None:
        """Know where the moderator can be written to: who sends a signed letter on need not be its writer."""
        fact = f"moderator {campaign}"
        known = self.store.fact(fact)
        if known and sender != known:
            self.doubts.note(campaign, wrong("W-OFFICE-MOVED", known=known, sender=sender), sender)
        elif not known:
            with self.store.step():
                self.store.note(fact, sender)

    def contents(self, message: RawMessage) -> list[tuple[str, bytes]]:
        """The files of a mail under names that lead nowhere else; what is sealed to us is opened."""
        plain = [(name, data) for kind in (".yaml", ".ics") for name, data in files_in(message.data, kind)]
        text = extract(message.data, message.where).text.encode()
        opened = [(name, unsealed(box, self.key)) for name, box in boxes_in(message.data, "mail.eml") if name]
        found = [("mail.txt", text), *plain, *opened]
        return [(name, data) for name, data in found if _BARE.fullmatch(name)]

    def write(self, path: Path, data: bytes) -> None:
        """Write a file; what somebody has changed meanwhile stays, and the new one lies beside it."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists() and path.read_bytes() != data:
            path = path.with_name(f"new-{path.name}")
        write_whole(path, data, mode=PRIVATE)

    def asked(self, campaign: str, path: Path, is_checked: bool = True) -> list[Words]:
        """What a report asks for, and whether the archive says the same."""
        found = guidance_in(path)
        told = [invited(path)] if found.kind == "invitation" and campaign not in self.names() else []
        if self.settings.seat in found.owing:
            sheet = str(path.parent / "orders.yaml")
            told.append(words("office-owed", campaign=campaign, stage=found.stage, sheet=sheet))
        if is_checked and (archive := self.settings.archives.get(campaign)):
            told.append(self.verified(campaign, placed(archive), found, path))
        return told

    def verified(self, campaign: str, archive: Path, found: Guidance, path: Path) -> Words:
        """Whether the public folder says what the report says."""
        result = verify(archive)
        if result.has_sound_ledger:
            check_report(read_folder(archive, self.now()), found, str(path), result)
        if result.is_good:
            return words("office-verified", campaign=campaign, entry=found.head.entry if found.head else 0)
        for finding in result.findings:
            self.doubts.note(campaign, finding.fault, finding.file)
        return words("office-not-verified", campaign=campaign, number=len(result.findings))

    def moderator_of(self, campaign: str) -> PublicKey | None:
        """Whose letters are believed; nobody is known before one has joined."""
        if campaign not in self.names():
            return None
        return PublicKey.parse(notebook.find(self.key_place, campaign, self.settings.seat).moderator)

    def collect(self) -> None:
        """Queue the letters that were signed; those of before this office are held."""
        fact = "met desk"
        state = "queued" if self.store.fact(fact) else "held"
        public = self.key.public if self.root.is_dir() else None
        for each in signed_in(self.root, self.settings.seat, public) if public else ():
            self.queue(each, state)
        with self.store.step():
            self.store.note(fact, "yes")

    def queue(self, letter: Signed, state: str) -> None:
        """Queue one letter under the name that follows from what it says."""
        moderator = self.settings.moderators.get(letter.campaign, self.store.fact(f"moderator {letter.campaign}"))
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


def letter_is_of(letter: Letter, moderator: PublicKey | None, source: str) -> bool:
    """Whether a moderator's letter is signed by this one; before anybody is known, by the one whom it names."""
    try:
        if moderator:
            check_signature(letter, moderator)
        elif letter.kind in KINDS:
            guidance_of(letter, source)
    except (SealFault, Refused):
        return False
    return True


def invited(path: Path) -> Words:
    """How to accept an invitation."""
    folder = path.parent.parent
    return words(
        "office-invited", campaign=folder.name, file=shell_word(str(path)), join=shell_word(str(folder / "join.yaml"))
    )


def is_invited(letter: Letter, seat: str) -> bool:
    """Whether a letter invites to a seat."""
    return letter.kind == "invitation" and f"seat: {seat}" in letter.text


def folder_of(subject: str) -> str:
    """Where a mail is filed: by the number in its subject, or else with all that have none."""
    found = re.search(r"\] (\d{4}) ", subject)
    return found[1] if found else "mails"


def guidance_in(path: Path) -> Guidance:
    """What a letter of the moderator says, if it is signed as it says."""
    found = extract(path.read_bytes(), path.name)
    (letter,) = [each.letter for each in found.letters if each.letter and each.letter.kind in KINDS]
    return guidance_of(letter, path.name)
