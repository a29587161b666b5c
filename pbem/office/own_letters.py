"""A player's signed letters at the office: each is queued for the moderator once. A faulty one is noted as a doubt."""

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
"""First word of the subjects of doubts about signed letters."""

TO_SEND = ".to-send"
"""Name of the folder for the mails that carry the player's signed letters."""


class OwnLetters:
    """Part of a player's office that sends the player's signed letters."""

    def __init__(self, office: Counter, moderators: ModeratorAddresses, addressing: Addressing) -> None:
        self.office = office
        self.store, self.doubts = office.store, office.doubts
        self.moderators, self.addressing = moderators, addressing
        self.reports, self.keys = addressing.reports, addressing.reports.keys

    def collect(self) -> None:
        """Queue the sound signed letters for campaigns that the player has joined; faulty letters become doubts. In the
        first round of an office the letters wait for a person, except letters `join` in a shared folder."""
        fact, letters = "met desk", self.letters()
        state = "queued" if self.store.fact(fact) else "held"
        names = self.office.names()
        for each in letters:
            # A player who has not joined reads no receipts, so this office would not learn that a letter was refused. A
            # letter for an heir is for somebody who has no moderator's office.
            if each.is_sound and each.letter.campaign in names and each.letter.kind != "succession":
                # A copy of a letter `join` does no harm in a shared folder.
                is_join = bool(self.office.settings.outbox.folder) and each.letter.kind == "join"
                self.queue(each, "queued" if is_join else state)
        self.notice_letters(letters)
        with self.store.step():
            self.store.note(fact, "yes")

    def notice_letters(self, letters: Sequence[SignedLetter]) -> None:
        """Note doubts about letters that were changed or are for an unknown campaign, and notices on letters in a wrong
        folder or signed by another key. End all other such doubts and notices."""
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
        """Return whether a letter may still be sent: a letter for a stage must answer the newest report, if any."""
        path = self.reports.report_of_sender(letter)
        return letter.kind not in STAGED or path is None or guidance_in(path).basis == letter.basis

    def is_asked_for(self, letter: Letter) -> bool:
        """Return whether a letter answers the newest report for its seat."""
        path = self.reports.report_of_sender(letter)
        return letter.kind in STAGED and path is not None and guidance_in(path).basis == letter.basis

    def is_queued(self, signed: SignedLetter) -> bool:
        """Return whether a letter was queued or sent before. Only mails to the present moderator count. If the letter
        does not answer the newest report, mails to former moderators count as well."""
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
        """Return whether the mail of a letter lies unchanged in the shared folder."""
        rows = self.store.rows("SELECT * FROM mails WHERE id = ? AND state = 'sent'", self.mail_id(signed))
        return any(carrier.is_laid(queued_mail(row)) for row in rows)

    def sent_letter(self, digest: str) -> Letter | None:
        """Return the player's letter with this digest (first 32 digits) from the stored mail; None without such a
        mail."""
        for path in (self.store.folder / TO_SEND).glob("*.eml"):
            if path.stem[:32] == digest[:32]:
                return next((each.letter for each in extract(path.read_bytes(), path.name).letters), None)
        return None

    def queue(self, signed: SignedLetter, state: str) -> None:
        """Queue the mail that carries a letter to the moderator, with the state `queued` or `held`. A letter that was
        queued before is not queued again. If the moderator's or the player's address is missing, note a doubt."""
        letter = signed.letter
        # In a shared folder the moderator's key is the address.
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
        """Return the player's signed letters of all campaigns, in whatever folder they lie. A letter that was never
        queued, and that the seat's present key has not signed, is returned as not sound."""
        if not self.reports.root.is_dir():
            return []
        keys = self.keys.public()
        found = [*signed_letters(self.reports.root, self.reports.is_mine, keys)]
        if not keys[1:]:
            return found
        heads = {(each.letter.campaign, each.letter.sender) for each in found}
        signers = {head: self.keys.public_of(self.signer_place(*head)) for head in heads}
        # A letter that is signed with a former key of the player counts if it was sent while the seat had that key.
        return [
            each
            if each.key == signers[each.letter.campaign, each.letter.sender] or self.is_queued(each)
            else replace(each, is_sound=False, is_own=False)
            for each in found
        ]

    def letters_for(self, campaign: str, seat: str) -> list[SignedLetter]:
        """Return the player's signed letters of a campaign, only those for this seat if the player has several."""
        has_several = self.reports.has_several(campaign)
        found = [each for each in self.letters() if each.letter.campaign == campaign]
        return [each for each in found if not has_several or each.letter.sender == seat]

    def signer_place(self, campaign: str, seat: str) -> Path:
        """Return the path of the key that signs for a seat now. A new key counts once a receipt or a report has
        confirmed it."""
        found = self.reports.keys_in_turn(campaign, seat)
        place = self.keys.first_place.absolute()
        for at, (later, _) in enumerate(found):
            named = found[at - 1][1].next_key if at else None
            if named and not self.is_changed(campaign, seat, later, named.letter):
                break
            place = later
        return place

    def is_changed(self, campaign: str, seat: str, place: Path, letter: str) -> bool:
        """Return whether the moderator has accepted the change to the key at `place`: the newest report names this key,
        or a receipt answers `letter` without refusing it."""
        report, key = self.reports.last_report(campaign, seat)[0], self.keys.public_of(place)
        if report and key and guidance_in(report).key == key.fingerprint:
            return True
        receipts = filed_receipts(self.reports.root / campaign, self.addressing.own_of(campaign, seat))
        return any(each.letter == letter and not each.is_refused for each in receipts)

    def signing_options(self, letter: Letter, path: Path) -> str:
        """Return the last words of the command that signs a letter's file: the key, unless it is the standard key, and
        the file."""
        place, file = self.signer_place(letter.campaign, letter.sender), shell_word(str(path))
        return file if place == standard_place().absolute() else f"--key {shell_word(str(place))} {file}"

    def unanswered(self, campaign: str, seat: str) -> list[SignedLetter]:
        """Return the signed letters without faults that the player sent for a seat, and that got no receipt."""
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
        """True if a letter that answers the newest report, and has no receipt yet, is missing in the shared folder or
        was changed there. False without a shared folder."""
        if not self.office.settings.outbox.folder:
            return False
        carrier = self.office.folder_carrier()
        return any(
            self.is_asked_for(each.letter) and not self.is_laid(each, carrier)
            for each in self.unanswered(campaign, seat)
        )
