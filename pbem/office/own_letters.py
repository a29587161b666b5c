"""Letters that a player has signed. Each is queued for the moderator once. Letters that cannot count are noted as
doubts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.faults.wrong import wrong
from pbem.office.counter import Counter
from pbem.office.doubts import NOTICE
from pbem.office.filed_reports import FiledReports
from pbem.office.filing import SignedLetter, guidance_in, letter_mail, letter_mail_id
from pbem.office.sending import queued_mail
from pbem.office.settings import user_path
from pbem.office.shared_folder import FolderCarrier
from pbem.paper.found import is_address
from pbem.paper.letters import STAGED, Letter
from pbem.post.extract import extract
from pbem.post.parcels import NOWHERE

SIGNED = "signed"
"""First word of the subjects of doubts about signed letters."""

TO_SEND = ".to-send"
"""Name of the folder for the mails that carry the player's signed letters."""


class OwnLetters:
    """Part of a player's office that sends the player's signed letters to the moderators, and notes doubts about
    letters that cannot count."""

    def __init__(
        self,
        office: Counter,
        address_of: Callable[[str], str],
        reports: FiledReports,
        signing_options: Callable[[Letter, Path], str],
    ) -> None:
        """Store the office, its filed reports, and two functions. `address_of` returns the address of a campaign's
        moderator, `signing_options` the words behind `pbem sign` for a letter in a file."""
        self.office = office
        self.store, self.doubts = office.store, office.doubts
        self.address_of = address_of
        self.reports, self.report_answered = reports, reports.report_answered
        self.signing_options = signing_options

    def collect(self, letters: Sequence[SignedLetter]) -> None:
        """Queue the signed letters. In the first round of an office they are held until a person releases them. Only a
        letter that joins is not where a folder is shared: in it no round is needed before, and a copy does no harm."""
        fact = "met desk"
        state = "queued" if self.store.fact(fact) else "held"
        names = self.office.names()
        for each in letters:
            # Receipts count from joining on: of an earlier letter nobody would learn here that it was refused.
            # One for an heir is for nobody who has a moderator's office.
            if each.is_sound and each.letter.campaign in names and each.letter.kind != "succession":
                is_join = bool(self.office.settings.outbox.folder) and each.letter.kind == "join"
                self.queue(each, "queued" if is_join else state)
        self.notice_letters(letters)
        with self.store.step():
            self.store.note(fact, "yes")

    def notice_letters(self, letters: Sequence[SignedLetter]) -> None:
        """Note doubts about letters that were changed after they were signed, that are for a campaign the player has
        not joined, or that lie in another campaign's folder."""
        names, found, root = self.office.names(), set(), user_path(self.office.settings.campaigns)
        for each in letters:
            letter, file = each.letter, str(each.path)
            if not each.is_own:
                if self.is_asked_for(letter) and not self.is_queued(each):
                    foreign = wrong("W-OFFICE-FOREIGN", file=file, word=self.signing_options(letter, each.path))
                    self.doubts.note(letter.campaign, foreign, f"{SIGNED} {file}", NOTICE)
                    found.add((letter.campaign, f"{SIGNED} {file}"))
                continue
            if not each.is_sound and self.is_open(letter):
                changed = wrong("W-OFFICE-EDITED", file=file, word=self.signing_options(letter, each.path))
                self.doubts.note(letter.campaign, changed, f"{SIGNED} {file}")
                found.add((letter.campaign, f"{SIGNED} {file}"))
            if each.is_sound and letter.campaign not in names and not self.is_queued(each):
                about = f"{SIGNED} too early {file}"
                self.doubts.note(letter.campaign, wrong("W-OFFICE-JOIN", file=file, campaign=letter.campaign), about)
                found.add((letter.campaign, about))
            folder = each.path.relative_to(root).parts[0]
            if each.is_sound and folder in names and folder != letter.campaign:
                astray = wrong("W-OFFICE-ASTRAY", file=file, folder=folder, campaign=letter.campaign)
                self.doubts.note(letter.campaign, astray, f"{SIGNED} {file}", NOTICE)
                found.add((letter.campaign, f"{SIGNED} {file}"))
        for row in self.store.rows("SELECT campaign, about FROM doubts WHERE about GLOB ?", f"{SIGNED} *"):
            if (row["campaign"], row["about"]) not in found:
                self.doubts.settle(row["campaign"], about=row["about"])

    def is_open(self, letter: Letter) -> bool:
        """Return whether a letter may still be sent. A letter for a stage must answer the newest report."""
        path = self.report_answered(letter)
        return letter.kind not in STAGED or path is None or guidance_in(path).basis == letter.basis

    def is_asked_for(self, letter: Letter) -> bool:
        """Return whether a letter answers the newest report for its seat."""
        path = self.report_answered(letter)
        return letter.kind in STAGED and path is not None and guidance_in(path).basis == letter.basis

    def is_queued(self, signed: SignedLetter) -> bool:
        """Return whether a letter was queued or sent before. A letter that answers the newest report goes to an heir
        again."""
        letter, heirs = signed.letter, self.reports.heirs_of(signed.letter.campaign)
        is_old_enough = heirs and not self.is_asked_for(letter)
        numbers = range(heirs + 1) if is_old_enough else (heirs,)
        ids = [letter_mail_id(signed, self.office.settings.address, each) for each in numbers]
        return any(self.store.rows("SELECT 1 FROM mails WHERE id = ?", each) for each in ids)

    def mail_id(self, signed: SignedLetter) -> str:
        """Return the message-id of the mail that carries a letter to the present moderator."""
        heirs = self.reports.heirs_of(signed.letter.campaign)
        return letter_mail_id(signed, self.office.settings.address, heirs)

    def is_laid(self, signed: SignedLetter, carrier: FolderCarrier) -> bool:
        """Return whether the mail of a letter lies in the shared folder as it was laid there."""
        rows = self.store.rows("SELECT * FROM mails WHERE id = ? AND state = 'sent'", self.mail_id(signed))
        return any(carrier.is_laid(queued_mail(row)) for row in rows)

    def sent_letter(self, digest: str) -> Letter | None:
        """Return the letter with this digest, as the office has sent it; None if it has not."""
        for path in (self.store.folder / TO_SEND).glob("*.eml"):
            if path.stem[:32] == digest[:32]:
                return next((each.letter for each in extract(path.read_bytes(), path.name).letters), None)
        return None

    def queue(self, signed: SignedLetter, state: str) -> None:
        """Put a letter into the queue in this state. Its message-id is made of its content, so that it is sent only
        once."""
        letter = signed.letter
        # In a shared folder the moderator's key is the address.
        nowhere = f"moderator@{NOWHERE}" if self.office.settings.outbox.folder else ""
        moderator = self.address_of(letter.campaign) or nowhere
        if not is_address(moderator) or not self.office.settings.address:
            self.doubts.note(letter.campaign, wrong("W-OFFICE-ADDRESS", file=signed.path.name), signed.path.name)
            return
        self.doubts.settle(letter.campaign, about=signed.path.name)
        if self.is_queued(signed):
            return
        heirs = self.reports.heirs_of(letter.campaign)
        data = letter_mail(signed, self.office.settings.address, moderator, self.office.now(), heirs)
        path = self.store.folder / TO_SEND / f"{signed.name[:32]}{f'-{heirs}' if heirs else ''}.eml"
        path.parent.mkdir(exist_ok=True, mode=0o700)
        write_whole(path, data, mode=PRIVATE)
        self.office.sender.enter(letter.campaign, path, state)
