"""Signed letters of a player at the office. Each letter is queued once for the moderator. A doubt is noted for each
faulty letter."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec.structs import replace

from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.faults.wrong import shell_word, wrong
from pbem.office.addressing import Addressing, ModeratorAddresses
from pbem.office.counter import Counter
from pbem.office.doubts import NOTICE
from pbem.office.filing import guidance_in
from pbem.office.receipts import filed_receipts
from pbem.office.sending import queued_mail
from pbem.office.settings import user_path
from pbem.office.shared_folder import FolderCarrier
from pbem.office.signed_letters import SignedLetter, letter_mail, letter_mail_id, signed_letters
from pbem.paper.found import is_address
from pbem.paper.letter_kinds import STAGED
from pbem.paper.letters import Letter
from pbem.player.keyring import standard_place
from pbem.post.extract import extract
from pbem.post.parcels import NOWHERE

SIGNED = "signed"
"""Beginning of the subjects of doubts about signed letters."""

TO_SEND = ".to-send"
"""Name of the folder with the mails in which the player's letters are sent."""


class OwnLetters:
    """Part of a player's office that sends the letters that the player has signed."""

    def __init__(self, office: Counter, moderators: ModeratorAddresses, addressing: Addressing) -> None:
        self.office = office
        self.store, self.doubts = office.store, office.doubts
        self.moderators, self.addressing = moderators, addressing
        self.reports, self.keys = addressing.reports, addressing.reports.keys

    def collect(self) -> None:
        """Queue the signed letters for campaigns that the player has joined, and note doubts about faulty letters. In
        the first round of an office all letters must be released by a person; only letters `join` in a shared folder
        need not."""
        fact, letters = "met desk", self.letters()
        state = "queued" if self.store.fact(fact) else "held"
        names = self.office.names()
        for each in letters:
            # If the player has not joined a campaign, the office reads no receipts from it, and would not learn that a
            # letter was refused. Letters for an heir are not sent, because the heir has no moderator's office yet.
            if each.is_sound and each.letter.campaign in names and each.letter.kind != "succession":
                # In a shared folder a second copy of a letter `join` does no harm.
                is_join = bool(self.office.settings.outbox.folder) and each.letter.kind == "join"
                self.queue(each, "queued" if is_join else state)
        self.notice_letters(letters)
        with self.store.step():
            self.store.note(fact, "yes")

    def notice_letters(self, letters: Sequence[SignedLetter]) -> None:
        """Note a doubt about each letter that was changed after signing, or that is for an unknown campaign. Note a
        notice about each letter that is in a wrong folder, or that is signed with a wrong key. End all other doubts and
        notices of these kinds."""
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
        """Return True if a letter may still be sent. A letter for a stage must answer the newest report, if there is
        one."""
        path = self.reports.report_of_sender(letter)
        return letter.kind not in STAGED or path is None or guidance_in(path).basis == letter.basis

    def is_asked_for(self, letter: Letter) -> bool:
        """Return True if a letter answers the newest report for its seat."""
        path = self.reports.report_of_sender(letter)
        return letter.kind in STAGED and path is not None and guidance_in(path).basis == letter.basis

    def is_queued(self, signed: SignedLetter) -> bool:
        """Return True if a letter was queued or sent before. If the letter answers the newest report, only mails to the
        present moderator count. If not, mails to former moderators count as well."""
        letter, heirs = signed.letter, self.reports.heirs_of(signed.letter.campaign)
        is_old_enough = heirs and not self.is_asked_for(letter)
        numbers = range(heirs + 1) if is_old_enough else (heirs,)
        ids = [letter_mail_id(signed, self.office.settings.address, each) for each in numbers]
        return any(self.store.rows("SELECT 1 FROM mails WHERE id = ?", each) for each in ids)

    def mail_id(self, signed: SignedLetter) -> str:
        """Return the message-id of the mail in which a letter is sent to the present moderator."""
        heirs = self.reports.heirs_of(signed.letter.campaign)
        return letter_mail_id(signed, self.office.settings.address, heirs)

    def is_laid(self, signed: SignedLetter, carrier: FolderCarrier) -> bool:
        """Return True if the mail with a letter is in the shared folder, unchanged."""
        rows = self.store.rows("SELECT * FROM mails WHERE id = ? AND state = 'sent'", self.mail_id(signed))
        return any(carrier.is_laid(queued_mail(row)) for row in rows)

    def sent_letter(self, digest: str) -> Letter | None:
        """Return the player's letter with this digest from the stored mails. Only the first 32 digits are compared.
        Return None if no stored mail has the letter."""
        for path in (self.store.folder / TO_SEND).glob("*.eml"):
            if path.stem[:32] == digest[:32]:
                return next((each.letter for each in extract(path.read_bytes(), path.name).letters), None)
        return None

    def queue(self, signed: SignedLetter, state: str) -> None:
        """Queue the mail with a letter to the moderator, in the state `queued` or `held`. Do nothing if the letter was
        queued before. If the address of the moderator or of the player is missing, note a doubt."""
        letter = signed.letter
        # In a shared folder no address of the moderator is needed, because the moderator's key takes its place.
        nowhere = f"moderator@{NOWHERE}" if self.office.settings.outbox.folder else ""
        moderator = self.moderators.address_of(letter.campaign) or nowhere
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
        self.office.queue.enter(letter.campaign, path, state)

    def letters(self) -> list[SignedLetter]:
        """Return the letters that the player has signed, of all campaigns and from all folders. A letter is marked as
        faulty if it was never queued, and is not signed with the key that the seat has now."""
        if not self.reports.root.is_dir():
            return []
        keys = self.keys.public()
        found = [*signed_letters(self.reports.root, self.reports.is_mine, keys)]
        if not keys[1:]:
            return found
        heads = {(each.letter.campaign, each.letter.sender) for each in found}
        signers = {head: self.keys.public_of(self.signer_place(*head)) for head in heads}
        # A letter signed with a former key of the player counts if it was sent while this was the seat's key.
        return [
            each
            if each.key == signers[each.letter.campaign, each.letter.sender] or self.is_queued(each)
            else replace(each, is_sound=False, is_own=False)
            for each in found
        ]

    def letters_for(self, campaign: str, seat: str) -> list[SignedLetter]:
        """Return the letters that the player has signed in a campaign. If the player has several seats, return only
        those of this seat."""
        has_several = self.reports.has_several(campaign)
        found = [each for each in self.letters() if each.letter.campaign == campaign]
        return [each for each in found if not has_several or each.letter.sender == seat]

    def signer_place(self, campaign: str, seat: str) -> Path:
        """Return the path of the key with which letters of a seat are signed now. A new key is used as soon as a
        receipt or a report has confirmed it."""
        found = self.reports.keys_in_turn(campaign, seat)
        place = self.keys.first_place.absolute()
        for at, (later, _) in enumerate(found):
            named = found[at - 1][1].next_key if at else None
            if named and not self.is_changed(campaign, seat, later, named.letter):
                break
            place = later
        return place

    def is_changed(self, campaign: str, seat: str, place: Path, letter: str) -> bool:
        """Return True if the moderator has accepted the key in the file `place` as the new key of a seat. The newest
        report then names this key, or a receipt has accepted the letter that announced it. `letter` is the digest of
        that letter."""
        report, key = self.reports.last_report(campaign, seat)[0], self.keys.public_of(place)
        if report and key and guidance_in(report).key == key.fingerprint:
            return True
        receipts = filed_receipts(self.reports.root / campaign, self.addressing.own_of(campaign, seat))
        return any(each.letter == letter and not each.is_refused for each in receipts)

    def signing_options(self, letter: Letter, path: Path) -> str:
        """Return the last words of the command with which the player signs a file. They are the option for the key,
        unless it is the standard key, and the path of the file."""
        place, file = self.signer_place(letter.campaign, letter.sender), shell_word(str(path))
        return file if place == standard_place().absolute() else f"--key {shell_word(str(place))} {file}"

    def unanswered(self, campaign: str, seat: str) -> list[SignedLetter]:
        """Return the letters of a seat that are not faulty and for which no receipt has come."""
        answered = {
            each.letter for each in filed_receipts(self.reports.root / campaign, self.addressing.own_of(campaign, seat))
        }
        return [each for each in self.letters_for(campaign, seat) if each.is_sound and each.name not in answered]

    def unanswered_mails(self) -> Collection[str]:
        return {
            self.mail_id(each)
            for campaign, seats in self.reports.seats().items()
            for seat in seats
            for each in self.unanswered(campaign, seat)
            if self.is_open(each.letter)
        }

    def is_unlaid(self, campaign: str, seat: str) -> bool:
        """True if a letter that answers the newest report, and for which no receipt has come, is missing in the shared
        folder or was changed there. The result is false if the settings name no shared folder."""
        if not self.office.settings.outbox.folder:
            return False
        carrier = self.office.folder_carrier()
        return any(
            self.is_asked_for(each.letter) and not self.is_laid(each, carrier)
            for each in self.unanswered(campaign, seat)
        )
