"""Filing of moderators' mails in a player's folders, and comparison of reports with the public folder of a campaign."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path

from pbem.campaign.bundles import read_bundle
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.offers import OfferedAgreement
from pbem.campaign.proof.kept_report import check_report
from pbem.campaign.proof.verifying import verify
from pbem.faults.wrong import PbemError, Words, shell_word, words, wrong
from pbem.office.addressing import ModeratorAddresses
from pbem.office.counter import Counter
from pbem.office.cut_mails import CutMails
from pbem.office.doubts import Doubts
from pbem.office.filing import (
    BUNDLE,
    DAMAGED,
    TO_JOIN,
    Filing,
    MailFile,
    addressee,
    contents,
    filing_of,
    folder_of,
    guidance_in,
    is_letter_of,
    is_of_another,
    is_sound,
    is_to_hold_offer,
    letters_in,
    offer_in,
    whole_letter,
    write_beside,
)
from pbem.office.settings import user_path
from pbem.office.standings import SeatStandings
from pbem.office.store import Store
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter
from pbem.player.notes import moderators_in
from pbem.post.envelope import Envelope
from pbem.post.extract import extract
from pbem.post.mailbox import RawMessage
from pbem.post.mime import is_cut_off
from pbem.seal.keys import PublicKey
from pbem.seal.signature import signer_of

OFFER = "offer"
"""Subject of the notice about an offer of an agreement that was not filed. A new notice replaces the earlier one, so
that nobody can fill the list of notices."""

HEIR = "heir"
"""Name of the folder, within a campaign's folder, for the bundles that prove who is an heir. It is also the subject of
doubts about heirs."""


class MailFiling:
    """Part of a player's office that files the moderators' mails."""

    def __init__(self, office: Counter, moderators: ModeratorAddresses, standings: SeatStandings) -> None:
        self.office, self.moderators, self.addressing = office, moderators, standings.addressing
        self.store, self.doubts, self.reports = office.store, office.doubts, standings.reports
        self.archives = ArchiveChecks(office.store, office.doubts, office.now, office.doubting)
        self.cut_mails = CutMails(office.store, office.doubts, office.now, standings.oldest_report)

    def take_over(self, campaign: str) -> None:
        """Accept the address and the reports that came before the player joined. They must have been signed with the
        key that is now known as the moderator's."""
        self.moderators.take_over_address(campaign)
        for path in sorted((self.reports.root / campaign).glob(f"{TO_JOIN}*/report.yaml")):
            found = guidance_in(path) if is_sound(path, campaign) else None
            number = path.parent.name.removeprefix(TO_JOIN)
            folder = path.parent.with_name(self.reports.folder_for(number, campaign, found.seat if found else ""))
            is_known = (
                found
                and found.moderator == self.reports.moderator_of(campaign)
                and self.reports.is_mine(campaign, found.seat)
            )
            if is_known and not folder.exists():
                path.parent.rename(folder)

    def inspect(self, campaign: str) -> None:
        """Note a doubt about each filed report that is damaged, and have the mail with this report filed again. End the
        doubts about reports that are not damaged any more. Store which report is the newest of each seat."""
        damaged: dict[str, Path] = {}
        for seat in self.reports.seats()[campaign]:
            newest = self.reports.last_report(campaign, seat)
            damaged |= {str(path): path for path in newest.damaged}
            fact = self.reports.filed_fact(campaign, seat)
            if newest.path and newest.path.parent.name > self.store.fact(fact):
                with self.store.step():
                    self.store.note(fact, newest.path.parent.name)
        if damaged:
            self.office.forget_mails(campaign)
        for about in self.doubts.subjects(campaign, DAMAGED):
            if about not in damaged:
                self.doubts.settle_one(campaign, DAMAGED, about)
        for about in damaged:
            self.doubts.note(campaign, wrong(DAMAGED, file=about), about)

    def verify_newest(self, campaign: str) -> None:
        """Compare the newest report of each seat with the public folder again. This is done only if an earlier
        comparison has led to doubts, and the folder or the report has changed since."""
        for seat in self.reports.seats()[campaign]:
            path = self.reports.last_report(campaign, seat).path
            if path and self.archives.archive_doubts(campaign) and not self.archives.is_unchanged(campaign, path):
                self.archives.verify_report(campaign, guidance_in(path), path)

    def file_all(self, campaign: str) -> tuple[list[Words], list[Path]]:
        """File the waiting mails of a campaign. Return lines about this work, and the paths of the new reports and
        invitations. A mail that causes an error, or that waits for an heir's key, is not filed and goes on waiting."""
        told: list[Words] = []
        fresh: list[Path] = []
        awaits_heir = False
        for row in self.office.waiting_for(campaign):
            self.doubts.settle(campaign)
            about = f"letter {row['number']}"
            filed: list[Words] | None = []
            with self.office.doubting(campaign, about):
                filed = self.file(campaign, RawMessage(row["data"], row["place"]), fresh)
            awaits_heir = awaits_heir or filed is None
            told += filed or []
            if filed is not None and (campaign, about) not in self.doubts.broken:
                self.office.set_state([row], "taken")
        self.doubts.mend(campaign, "letter")
        if not awaits_heir:
            self.doubts.settle(campaign, about=HEIR)
        return told, fresh

    def file(self, campaign: str, message: RawMessage, fresh: list[Path]) -> list[Words] | None:
        """File one mail of the moderator, and return lines about this work. The paths of new reports and invitations
        are added to `fresh`. Return None if the mail is from an heir whose key the player has not confirmed yet."""
        found = extract(message.data, message.where)
        (files, is_whole), known = contents(message, self.office.keys), self.reports.moderator_of(campaign)
        letters = [(name, letter) for name, data in files for letter in letters_in(data, name, campaign)]
        foreign = [letter for name, letter in letters if not is_letter_of(letter, known, name)]
        if foreign:
            return self.put_aside(campaign, foreign, found.envelope, files)
        came = [
            MailFile(name, data, self.addressing.own_letter(whole_letter(data, name, campaign), known, name))
            for name, data in files
        ]
        has_own = any(each.letter for each in came)
        if letters and not has_own:
            return []
        is_damaged = found.unread or not is_whole or is_cut_off(message.data)
        if not has_own and not is_damaged and is_to_hold_offer(found.envelope, files):
            self.doubts.notice(campaign, wrong("E-OFFER-UNSIGNED", sender=found.envelope.sender), OFFER)
            return []
        if not has_own and (is_damaged or self.cut_mails.lacks_report(campaign, found, message.data)):
            self.cut_mails.doubt_cut_mail(campaign, found.envelope)
            return []
        try:
            offer = offer_in(came)
        except Refused as refused:
            self.doubts.notice(campaign, refused.faults[0], OFFER)
            return []
        return self.put_in_folder(campaign, came, filing_of(came, offer), found.envelope, fresh)

    def put_in_folder(
        self, campaign: str, came: Sequence[MailFile], filing: Filing, head: Envelope, fresh: list[Path]
    ) -> list[Words]:
        """Write the files of a mail, note or end doubts, and return lines about this work. The path of a new report or
        invitation is added to `fresh`."""
        own = {each.data for each in came if each.letter}
        seat = next((addressee(each.letter) for each in came if each.letter), "")
        folder = self.folder_for(campaign, seat, filing.guide or filing.offer, head.subject)
        if own:
            self.cut_mails.settle_cut_mails(campaign, f"{folder.name} {head.message_id}", filing.guide)
        is_new = write_filing(folder, filing, own, campaign)
        told = [words("office-filed", campaign=campaign, subject=head.subject, folder=str(folder))] if is_new else []
        if filing.unsigned:
            sender = head.sender
            self.doubts.notice(campaign, wrong("W-OFFICE-UNSIGNED", files=filing.unsigned, sender=sender), sender)
        if guide := filing.guide:
            path = folder / f"{guide.kind}.yaml"
            fresh += [path] if is_new else []
            told += self.archives.verify_report(campaign, guide, path)
            # Until the player knows the result of the lot, a report for somebody else may be mistaken for the player's.
            if guide.kind == "invitation" or not self.reports.awaits_lot(campaign):
                self.moderators.meet(campaign, head.own_address, guide.moderator)
        return told

    def put_aside(
        self, campaign: str, foreign: Sequence[Letter], head: Envelope, files: Iterable[tuple[str, bytes]]
    ) -> list[Words] | None:
        """Note a doubt or notice about a mail that the moderator has not signed, and return an empty list. For a mail
        of an heir return None: it waits until the player has confirmed the heir's key."""
        known = self.reports.moderator_of(campaign)
        others = [signer_of(letter.signature) for letter in foreign if is_of_another(letter, known)]
        if known and others and (bundle := self.bundle_of_heir(campaign, known, others[0], files)):
            heir, word = others[0].fingerprint, shell_word(str(bundle))
            self.doubts.note(campaign, wrong("W-OFFICE-HEIR", campaign=campaign, key=heir, word=word), HEIR)
            return None
        if any(letter.kind == "offer" for letter in foreign):
            self.doubts.notice(campaign, wrong("E-OFFER-UNSIGNED", sender=head.sender), OFFER)
        elif others:
            self.doubts.note(campaign, wrong("E-GUIDE-MODERATOR"), head.sender)
        else:
            # If a signature fits no key at all, it does not show who wrote the letter. The letter was damaged on its
            # way.
            self.cut_mails.doubt_cut_mail(campaign, head)
        return []

    def folder_for(self, campaign: str, seat: str, guidance: Guidance | OfferedAgreement | None, subject: str) -> Path:
        """Return the folder for a mail to a seat.

        As long as the seat is not the player's, the folder's name begins with `TO_JOIN`. If the folder already has a
        report of a former moderator, the number of the heir is added to the name. If it has an invitation to another
        seat, the seat is added."""
        is_invitation = isinstance(guidance, Guidance) and guidance.kind == "invitation"
        is_known_seat = is_invitation or (self.reports.is_mine(campaign, seat) and campaign in self.reports.seats())
        number = self.reports.folder_for(folder_of(subject, guidance), campaign, seat)
        folder = self.reports.root / campaign / (f"{TO_JOIN}{number}" if seat and not is_known_seat else number)
        if (heirs := self.reports.heirs_of(campaign)) and self.is_of_former(folder / "report.yaml", campaign):
            folder = folder.with_name(f"{folder.name}-heir{heirs}")
        first = folder / "invitation.yaml"
        if is_invitation and is_sound(first, campaign) and guidance_in(first).seat != seat:
            folder = folder.with_name(f"{folder.name}-{seat}")
        return folder

    def is_of_former(self, report: Path, campaign: str) -> bool:
        """True if a filed report is signed by another moderator than the present one."""
        return is_sound(report, campaign) and guidance_in(report).moderator != self.reports.moderator_of(campaign)

    def bundle_of_heir(
        self, campaign: str, known: PublicKey, signer: PublicKey, files: Iterable[tuple[str, bytes]]
    ) -> Path | None:
        """Return the path of a bundle of ledger entries which proves that `signer` is the heir of the moderator with
        the key `known`. If the bundle is not stored yet, but is among the `files`, store it first. Return None if there
        is no proof."""
        fact = f"heir {campaign} {signer.fingerprint}"
        if kept := self.store.fact(fact):
            return Path(kept)
        for name, data in files:
            if not (match := BUNDLE.fullmatch(name)) or int(match[1]) != 1:
                continue
            try:
                bundle = read_bundle(data, name)
                keys = moderators_in(bundle) if bundle.entries[0].campaign == campaign else []
            except PbemError:
                continue
            if known in keys and keys[-1] == signer:
                path = write_beside(self.reports.root / campaign / HEIR / name, data)
                with self.store.step():
                    self.store.note(fact, str(path))
                return path
        return None


def write_filing(folder: Path, filing: Filing, signed: Collection[bytes], campaign: str) -> bool:
    """Write the files of a mail into `folder`. A report or invitation that was filed before is replaced only if it is
    damaged. `signed` has the moderator's letters in the mail. Return False if all of these had been filed before."""
    letters = {folder / name: data for name, data in filing.files.items() if data in signed}
    is_known = bool(letters) and all(path.is_file() and path.read_bytes() == data for path, data in letters.items())
    guide = folder / f"{filing.guide.kind}.yaml" if filing.guide else None
    if guide and guide.is_file() and not is_sound(guide, campaign):
        guide.unlink()
    for name, data in filing.files.items():
        # If the letters had been filed before, only missing files are written: a killed round may not have written
        # them.
        if not (is_known and (folder / name).exists()):
            write_beside(folder / name, data)
    return not is_known


ARCHIVE = "archive"
"""Beginning of the subject of a doubt about a public folder."""

Doubting = Callable[[str, str], AbstractContextManager[None]]
"""Function that takes a campaign and a subject, and returns a context. An error in the context is noted as a doubt with
this subject (`Counter.doubting`)."""


class ArchiveChecks:
    """Comparison of a player's reports with the public folders that the settings name."""

    def __init__(self, store: Store, doubts: Doubts, now: Callable[[], datetime], doubting: Doubting) -> None:
        self.settings = doubts.settings
        self.store = store
        self.doubts = doubts
        self.now = now
        self.doubting = doubting

    def verify_report(self, campaign: str, found: Guidance, path: Path) -> list[Words]:
        """Compare a report with the public folder of its campaign, and return lines about the result. Each difference
        becomes a doubt. If the settings name no folder, end all such doubts."""
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

    def is_unchanged(self, campaign: str, report: Path) -> bool:
        """Return True if the public folder and the report have not changed since they were compared. Return False if
        the settings name no folder."""
        if not (archive := self.settings.archives.get(campaign)):
            return False
        return self.store.fact(f"{ARCHIVE} {campaign}") == archive_mark(user_path(archive), report)

    def archive_doubts(self, campaign: str) -> set[tuple[str, str]]:
        """Return the code and the subject of each doubt about the campaign's public folder."""
        query = "SELECT code, about FROM doubts WHERE campaign = ? AND (about = ? OR about GLOB ?)"
        return {(row["code"], row["about"]) for row in self.store.rows(query, campaign, ARCHIVE, f"{ARCHIVE} *")}

    def settle_all(self, campaign: str, doubts: Collection[tuple[str, str]]) -> None:
        for code, about in doubts:
            self.doubts.settle_one(campaign, code, about)


def archive_mark(folder: Path, report: Path) -> str:
    """Return a digest that changes whenever the name, size or time of a file changes. The files are those of the public
    folder, and the report."""
    found = []
    with suppress(OSError):
        for path in sorted([*folder.rglob("*"), report]):
            told = path.stat()
            found.append(f"{path} {told.st_size} {told.st_mtime_ns}")
    return hashlib.sha256("\n".join(found).encode("utf-8", "surrogateescape")).hexdigest()
