"""The office of a player: it files, opens and checks the moderator's mails, and sends the player's signed letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import field
from msgspec.structs import replace

from pbem.campaign.briefing import MODERATOR, OBSERVER
from pbem.campaign.bundles import read_bundle
from pbem.campaign.clock.clock import stamp
from pbem.campaign.players.guidance import Guidance, OwedPowers, guidance_of
from pbem.campaign.players.notebook import LastSigned, last_report
from pbem.campaign.players.standing import OWED, SeatStanding, leave, signed_number
from pbem.faults.wrong import PbemError, Words, Wrong, reason_of, shell_word, words, wrong
from pbem.office.archive_checks import ArchiveChecks
from pbem.office.carriers import NotNow, QueuedMail
from pbem.office.counter import HALF, SWAPPED, Counter, Round
from pbem.office.cut_mails import CUT, CutMails
from pbem.office.fetching import FetchCounts
from pbem.office.filed_reports import FiledReports
from pbem.office.filing import (
    BUNDLE,
    FiledLoss,
    FiledReceipt,
    MailFile,
    SignedLetter,
    addressee,
    advice_on,
    contents,
    filed_losses,
    filed_receipts,
    filing_of,
    folder_of,
    guidance_in,
    is_letter_of,
    is_of_another,
    is_sound,
    letters_in,
    signed_letters,
    standing_after,
    whole_letter,
    write_beside,
)
from pbem.office.incoming import IncomingMail
from pbem.office.namesakes import doubt_namesakes
from pbem.office.notifying import Asked, DueLine
from pbem.office.own_letters import OwnLetters
from pbem.office.settings import ME, OfficeSettings, user_path
from pbem.office.shared_folder import FolderSource, Reader, ReaderOf, digits_of_key
from pbem.office.standings import standing_line
from pbem.office.store import Store
from pbem.paper.letters import MODERATORS, Letter
from pbem.player.keyring import public_half, standard_place
from pbem.player.notes import moderators_in
from pbem.post.boxes import boxes_in
from pbem.post.extract import extract
from pbem.post.mailbox import RawMessage
from pbem.post.mime import Envelope, is_cut_off
from pbem.post.outgoing import campaign_of_id
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.signature import signer_of

_SUBJECT = re.compile(r"\[([a-z0-9-]{1,80})\] \d{4} ")

SEALED = "W-OFFICE-SEALED"
"""Code of the notice about files for a seat of the player that are sealed to an unknown key."""

DAMAGED = "W-OFFICE-DAMAGED"
"""Code of the doubt about a report that was damaged after it was filed."""

HEIR = "heir"
"""Name of the folder, in a campaign's, for bundles by which heirs carry it on, and subject of doubts about them."""

TO_JOIN = "join-"
"""Beginning of the names of folders with reports of campaigns that the player has not joined. Until then the reports do
not count, because anybody may have signed them."""


def entry_of(report: Path) -> int:
    """Return the number of the entry that a sound report covers."""
    return last_report(guidance_in(report)).entry


def address_fact(campaign: str, moderator: PublicKey | None = None) -> str:
    """Return the key under which the store keeps a moderator's address. Before the player has joined, each key that has
    signed for the campaign has an address of its own."""
    return f"moderator {campaign} {moderator.fingerprint}" if moderator else f"moderator {campaign}"


class PlayerRound(Round):
    """Result of one round of a player's office."""

    filed: list[Words] = field(default_factory=list)


class PlayerOffice(Counter):
    """Office of a player. It serves every campaign on which notes lie beside the player's key."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        super().__init__(settings, store, now)
        self.reports = FiledReports(self.root, self.key_place, settings.seat, store, self.public_of)
        self.archives = ArchiveChecks(store, self.doubts, now, self.doubting)
        self.cut_mails = CutMails(store, self.doubts, now, self.oldest_report)
        self.own_letters = OwnLetters(self, self.address_of, self.reports, self.signing_options)
        self.opened_keys: dict[Path, PrivateKey] = {}
        self.closed_keys: dict[Path, Wrong] = {}
        self.look_for_keys()

    @property
    def root(self) -> Path:
        return user_path(self.settings.campaigns)

    @property
    def keys(self) -> Sequence[PrivateKey]:
        """All keys of the player: the one of the settings, and those before and behind it by changes of the key."""
        return [self.key, *self.opened_keys.values()]

    def look_for_keys(self) -> None:
        """Open the keys that the player had before or has changed to."""
        self.reports.look_for_keys()
        self.opened_keys.clear()
        self.closed_keys.clear()
        for path in self.reports.places:
            if path != self.key_place.absolute():
                try:
                    self.opened_keys[path] = self.key_at(path)
                except (PbemError, OSError) as error:
                    why = error.faults[0].message if isinstance(error, PbemError) else reason_of(error)
                    self.closed_keys[path] = wrong("W-OFFICE-NEXT-KEY", file=str(path), why=why)

    def doubt_closed_keys(self) -> None:
        """Note a doubt about each key that cannot be opened, and end those about all others."""
        for about in self.doubts.subjects("", "W-OFFICE-NEXT-KEY"):
            if Path(about) not in self.closed_keys:
                self.doubts.settle("", about=about)
        for path, doubt in self.closed_keys.items():
            self.doubts.note("", doubt, str(path))

    def public_of(self, place: Path) -> PublicKey | None:
        """Return the public half of one of the player's keys; None if the key is closed, and no file has it."""
        if place == self.key_place.absolute():
            return self.key.public
        return self.opened_keys[place].public if place in self.opened_keys else public_half(place)

    def signer_place(self, campaign: str, seat: str) -> Path:
        """Return the path of the key that signs for a seat now: a change of the key counts once its receipt has come,
        or a report that names the new one."""
        found = self.reports.keys_in_turn(campaign, seat)
        place = self.key_place.absolute()
        for at, (later, _) in enumerate(found):
            named = found[at - 1][1].next_key if at else None
            if named and not self.is_changed(campaign, seat, later, named.letter):
                break
            place = later
        return place

    def is_changed(self, campaign: str, seat: str, place: Path, letter: str) -> bool:
        """Return whether the moderator has taken the letter that changes the key of a seat to the one at `place`."""
        report, key = self.reports.last_report(campaign, seat)[0], self.public_of(place)
        if report and key and guidance_in(report).key == key.fingerprint:
            return True
        receipts = filed_receipts(self.root / campaign, self.own_of(campaign, seat))
        return any(each.letter == letter and not each.is_refused for each in receipts)

    def signing_options(self, letter: Letter, path: Path) -> str:
        """Return the last words of the command that signs a letter in a file: the key, unless it is the usual one, and
        the file."""
        place, file = self.signer_place(letter.campaign, letter.sender), shell_word(str(path))
        return file if place == standard_place().absolute() else f"--key {shell_word(str(place))} {file}"

    def notice_files(self, source: FolderSource) -> None:
        super().notice_files(source)
        self.notice_sealed(source.others)

    def notice_sealed(self, others: Collection[tuple[str, str, str]]) -> None:
        """Note for which seats of the player files came that are sealed to a key which is unknown here. Those that lay
        there when the office first looked may be a former player's."""
        for row in self.store.rows("SELECT campaign, about FROM doubts WHERE code = ?", SEALED):
            self.doubts.settle(row["campaign"], about=row["about"])
        own = {digits_of_key(key.public) for key in self.keys}
        for campaign, seats in self.reports.seats().items():
            for seat in [] if self.reports.awaits_lot(campaign) else seats:
                fact = f"sealed {campaign} {seat}"
                found = {key for name, whose, key in others if (name, whose) == (campaign, seat)}
                noted = set((self.store.fact(fact) or " ".join(own | found)).split()) | own
                with self.store.step():
                    self.store.note(fact, " ".join(sorted(noted)))
                newest = self.reports.last_report(campaign, seat)[0]
                is_lost = newest and self.loss_of(campaign, seat, entry_of(newest))
                if found - noted and not is_lost:
                    self.doubts.notice(campaign, wrong(SEALED, seat=seat), f"sealed {seat}")

    def names(self) -> list[str]:
        return [*self.reports.seats()]

    def is_for_me(self, letter: Letter) -> bool:
        """Return whether a moderator's letter is for a seat of the player. Other players may pass their letters on."""
        seat = addressee(letter)
        if letter.kind == "invitation":
            # Who plays already may be invited to a second seat.
            return bool(seat) and (
                self.reports.has_joined(letter.campaign, seat) or not self.has_begun(letter.campaign)
            )
        if letter.kind == "report" and letter.campaign not in self.reports.seats():
            # A substitute gets no invitation: the first report says that the seat is the player's.
            return seat not in ("", OBSERVER, MODERATOR) and is_letter_of(letter, None, "report")
        if letter.kind == "ruling" and not self.reports.has_joined(letter.campaign, seat):
            return self.may_be_farewell(letter, seat)
        # Receipts of what bears no seat bear none either.
        is_for_mine = self.reports.is_mine(letter.campaign, seat) or (letter.kind == "receipt" and not seat)
        return letter.campaign in self.reports.seats() and (is_for_mine or self.is_of_further_seat(letter))

    def has_begun(self, campaign: str) -> bool:
        """Return whether a report is filed by which the game has begun, so that nobody is invited any more."""
        reports = (self.root / campaign).glob("[0-9]*/report.yaml")
        return any(is_sound(path, campaign) and guidance_in(path).stage for path in reports)

    def may_be_farewell(self, letter: Letter, seat: str) -> bool:
        """Return whether a ruling may be about a seat that the player was offered, and has not taken over."""
        if letter.campaign not in self.reports.seats():
            # The report may come in the same round. The ruling counts only if the same key has signed both.
            return bool(seat) and is_of_another(letter, None)
        reports = (self.root / letter.campaign).glob(f"{TO_JOIN}*/report.yaml")
        return any(guidance_in(path).seat == seat for path in reports if is_sound(path, letter.campaign))

    def is_of_further_seat(self, letter: Letter) -> bool:
        """Return whether a report is for another seat that the player may take over. It must say that the other seat
        has the player's key."""
        if letter.kind != "report" or not is_letter_of(letter, self.reports.moderator_of(letter.campaign), "report"):
            return False
        return guidance_of(letter, "report").key in {key.public.fingerprint for key in self.keys}

    def judgement_of(self, message: RawMessage, names: Collection[str]) -> IncomingMail:
        """Judge a mail: it is a `letter` if the moderator of a campaign has sent it to this player; all other mails are
        `left`."""
        found = extract(message.data, message.where)
        kinds = [each.letter for each in found.letters if each.letter and each.letter.kind in MODERATORS]
        named = self.thread_of(found.envelope, names)
        if not named and not kinds and boxes_in(message.data, message.where):
            # A sealed report for a substitute: nothing outside of the box names a campaign that is known here.
            opened = contents(message, self.keys)[0]
            kinds = [letter for name, data in opened for letter in letters_in(data, name)]
        claimed = [each.campaign for each in kinds if self.is_for_me(each)]
        if named and kinds and not claimed:
            known = self.reports.moderator_of(named)
            # One that came whole is for another seat.
            named = "" if any(is_letter_of(each, known, message.where) for each in kinds) else named
        campaigns = tuple(dict.fromkeys([*claimed, *filter(None, [named])]))
        return IncomingMail("letter" if campaigns else "left", found, campaigns)

    def thread_of(self, head: Envelope, names: Collection[str]) -> str:
        """Return the campaign whose moderator sent a mail; empty for other mails.

        The message-id names the campaign. A mail that was sent by hand has a new message-id, so sender and subject are
        looked at too.
        """
        if named := campaign_of_id(head.message_id, names):
            return named
        name = found[1] if (found := _SUBJECT.match(head.subject)) else ""
        is_theirs = name in names and head.own_address.casefold() == self.address_of(name).casefold() != ""
        return name if is_theirs else ""

    def address_of(self, campaign: str) -> str:
        """Return the address of the campaign's moderator; empty if it is unknown."""
        return self.settings.moderators.get(campaign, self.store.fact(address_fact(campaign)))

    def readers(self) -> ReaderOf:
        def reader_of(mail: QueuedMail) -> Reader | None:
            if not mail.campaign:
                return None
            if not (key := self.reports.moderator_of(mail.campaign)):
                raise NotNow(f"{mail.campaign} is away")
            return Reader(MODERATOR, key)

        return reader_of

    def look(self) -> FetchCounts:
        """Check the filed reports for damage, and fetch new mails."""
        self.look_for_keys()
        self.doubt_closed_keys()
        names = self.names()
        for name in names:
            self.take_over(name)
            self.inspect(name)
        return self.look_into(lambda message: self.judgement_of(message, names))

    def round(self, hurry: bool = True) -> PlayerRound:
        done = PlayerRound()
        self.doubts.begin_round()
        doubt_namesakes(self.store, self.doubts, f"{self.key.public.fingerprint} {self.root.resolve()}")
        done.fetched = self.look()
        for row in self.store.rows("SELECT DISTINCT campaign FROM letters WHERE state = 'waiting' ORDER BY campaign"):
            done.filed += self.file_all(row["campaign"])
        for name in self.names():
            self.inspect(name)
            for path in [self.reports.last_report(name, seat)[0] for seat in self.reports.seats()[name]]:
                doubted = self.archives.archive_doubts(name)
                if path and doubted and not self.archives.is_unchanged(name, path):
                    self.archives.verify_report(name, guidance_in(path), path)
        self.collect()
        self.leave_standings()
        self.doubts.fade()
        done.sent = self.send(hurry=hurry)
        with self.store.step():
            self.store.note("last", stamp(self.now()))
        self.notify()
        return done

    def due_lines(self) -> list[DueLine]:
        """Return the lines for the player, on each seat that owes something."""
        found, language = [], self.settings.language
        for campaign, seats in self.reports.seats().items():
            for seat in seats:
                path, damaged = self.reports.last_report(campaign, seat)
                if not path or damaged:
                    continue
                standing = self.standing_of(campaign, seat, path)
                if standing.standing in OWED:
                    came, label = standing.came, self.reports.label(campaign, seat)
                    asked = "reveal" if "reveal" in standing.standing else "orders"
                    said = Asked(label, asked, came.deadline).line(self.now(), None, language)
                    is_late = came.deadline and stamp(self.now()) >= came.deadline
                    occasion = f"{seat} {came.basis} {came.stage} {asked} {came.deadline} {bool(is_late)}"
                    found.append(DueLine(ME, campaign, occasion, said))
        return found

    def awaited_lines(self) -> list[Words]:
        """Return lines that say what each campaign waits for."""
        names = self.names()
        found = [
            each
            for name, seats in self.reports.seats().items()
            for seat in seats
            for each in self.awaited_lines_of(name, seat)
        ]
        invitations = sorted(self.root.glob("*/[0-9]*/invitation.yaml"))
        reports = sorted(self.root.glob(f"*/{TO_JOIN}*/report.yaml"))
        came = [*invitations, *(path for path in reports if is_sound(path, path.parent.parent.name))]
        advice = self.advice_on(path for path in came if path.parent.parent.name not in names or self.is_to_join(path))
        return [*found, *advice] or [words("office-no-campaign")]

    def is_to_join(self, path: Path) -> bool:
        """Return whether a file is an invitation to a seat that the player has not taken, or the report for a seat that
        the player has not taken over yet."""
        campaign = path.parent.parent.name
        if not is_sound(path, campaign):
            return False
        seat = guidance_in(path).seat
        if path.name == "report.yaml":
            return not self.reports.is_mine(campaign, seat)
        return seat not in self.reports.seats().get(campaign, ()) and not self.has_begun(campaign)

    def advice_on(self, came: Iterable[Path]) -> list[Words]:
        """Return advice on each invitation, and on the newest report that each key has signed for each seat."""
        # Anybody can sign a newer report with a key of their own, which shall not hide the moderator's.
        newest: dict[tuple[str, ...], tuple[Path, str]] = {}
        for path in came:
            campaign = path.parent.parent.name
            if path.name != "report.yaml":
                newest[campaign, str(path)] = (path, "")
                continue
            guide = guidance_in(path)
            if self.is_given_away(guide):
                continue
            address = self.store.fact(address_fact(campaign, guide.moderator))
            if campaign in self.settings.moderators or guide.moderator == self.reports.moderator_of(campaign):
                address = self.address_of(campaign)
            # In a shared folder the moderator's key is the address.
            address = "" if self.settings.outbox.folder else address
            newest[campaign, guide.seat, guide.moderator.fingerprint] = (path, address)
        return [advice_on(*each) for each in newest.values()]

    def is_given_away(self, guide: Guidance) -> bool:
        """Return whether the moderator who has signed a report has since given the seat of the report to somebody
        else."""

        def own(letter: Letter | None, source: str) -> Letter | None:
            is_own = letter and (letter.campaign, addressee(letter)) == (guide.campaign, guide.seat)
            return letter if is_own and letter and is_letter_of(letter, guide.moderator, source) else None

        since = last_report(guide).entry
        return any(each.entry > since for each in filed_losses(self.root / guide.campaign, own))

    def awaited_lines_of(self, campaign: str, seat: str) -> list[Words]:
        """Return lines that say what the newest report for a seat asks for, or that reports are missing or damaged."""
        path, damaged = self.reports.last_report(campaign, seat)
        label = self.reports.label(campaign, seat)
        noted = self.doubts.subjects(campaign, DAMAGED)
        told = [words("office-damaged", campaign=label, file=str(each)) for each in damaged if str(each) not in noted]
        if path is None:
            return told if damaged else [words("office-begins", campaign=label)]
        found = self.standing_of(campaign, seat, path)
        if (damaged or not found.is_sure) and found.standing not in OWED:
            key = "office-unsure.ordered" if found.standing in ("in", "draft", "refused change") else "office-unsure"
            return [*told, words(key, campaign=label, stage=found.came.stage)]
        if damaged:
            return [*told, words("office-unsure.owed", campaign=label, stage=found.came.stage)]
        if found.standing in ("in", "draft") and self.is_unlaid(campaign, seat):
            return [*told, words("office-unlaid", campaign=label, stage=found.came.stage)]
        return [*told, standing_line(label, found, path, self.letters_for(campaign, seat))]

    def standing_of(self, campaign: str, seat: str, report: Path) -> SeatStanding:
        """Return the standing of a seat after this report: the request of the report, the state of the answer, or the
        loss of the seat."""
        guide, notes = guidance_in(report), self.reports.notes(campaign, seat)
        came, own_letter = last_report(guide), self.own_of(campaign, seat)
        if loss := self.loss_of(campaign, seat, came.entry):
            return SeatStanding(came, "seat lost", successor=loss.name, why=loss.why)
        receipts = [*filed_receipts(self.root / campaign, own_letter)]
        signed = notes.signed if notes else None
        standing, missing = standing_after(guide, self.letters(), receipts, signed)
        if standing == "reveal" and notes and not notes.sealed:
            standing = "reveal lost"
        own = guide.owing.get(guide.seat, OwedPowers()).powers
        # A report by which the orders were in asks nothing of any power.
        is_asked = standing == "partly" or (not came.powers and standing in (*OWED, "draft", "refused change"))
        powers = tuple(power for power in own if power in missing) or own if is_asked else ()
        is_sure = not any(self.doubts.subjects(campaign, code) for code in (CUT, HALF, SWAPPED, SEALED))
        counting = self.counting_number(guide, receipts, signed) if signed and standing == "refused change" else 0
        number = signed_number(notes) if notes else 0
        return SeatStanding(came, standing, number, powers, is_sure=is_sure, counting=counting)

    def counting_number(self, guide: Guidance, receipts: Iterable[FiledReceipt], signed: LastSigned) -> int:
        """Return the number of the newest taken letter that is of the kind and stage of the letter signed last; 0 if it
        has the same number, or the office has not sent it."""
        head = (guide.campaign, guide.seat, guide.stage, guide.basis, signed.kind)
        for each in sorted(receipts, key=lambda each: each.entry, reverse=True):
            letter = None if each.is_refused or each.status == "known" else self.own_letters.sent_letter(each.letter)
            if letter and head == (letter.campaign, letter.sender, letter.stage, letter.basis, letter.kind):
                return letter.seq if letter.seq != signed.seq else 0
        return 0

    def is_unlaid(self, campaign: str, seat: str) -> bool:
        """Return whether a letter that answers the newest report has no receipt, and does not lie in the shared folder
        as it was laid there."""
        if not self.settings.outbox.folder:
            return False
        carrier = self.folder_carrier()
        return any(
            self.own_letters.is_asked_for(each.letter) and not self.own_letters.is_laid(each, carrier)
            for each in self.unanswered(campaign, seat)
        )

    def unanswered(self, campaign: str, seat: str) -> list[SignedLetter]:
        """Return the player's signed letters for a seat that have no receipt."""
        answered = {each.letter for each in filed_receipts(self.root / campaign, self.own_of(campaign, seat))}
        return [each for each in self.letters_for(campaign, seat) if each.is_sound and each.name not in answered]

    def unanswered_mails(self) -> Collection[str]:
        return {
            self.own_letters.mail_id(each)
            for campaign, seats in self.reports.seats().items()
            for seat in seats
            for each in self.unanswered(campaign, seat)
            if self.own_letters.is_open(each.letter)
        }

    def loss_of(self, campaign: str, seat: str, since: int) -> FiledLoss | None:
        """Return the newest ruling by which the player lost a seat after the entry `since`; None if there is none."""
        losses = [
            each for each in filed_losses(self.root / campaign, self.own_of(campaign, seat)) if each.entry > since
        ]
        return max(losses, key=lambda each: each.entry, default=None)

    def oldest_report(self, campaign: str) -> tuple[Path | None, list[Path]]:
        """Return what `FiledReports.last_report` returns for the seat whose newest report is the oldest, among the
        seats of the player that are not lost."""
        found = [(seat, self.reports.last_report(campaign, seat)) for seat in self.reports.seats().get(campaign, ("",))]
        # Of a seat that is lost no report comes any more.
        still = [each for seat, each in found if not (each[0] and self.loss_of(campaign, seat, entry_of(each[0])))]
        return min(still or [each for _, each in found], key=lambda each: each[0].parent.name if each[0] else "")

    def leave_standings(self) -> None:
        """Store the standing of every seat beside its notes, where `pbem status` reads it."""
        for campaign, seats in self.reports.seats().items():
            for seat in seats:
                path, damaged = self.reports.last_report(campaign, seat)
                for place, notes in self.reports.keys_in_turn(campaign, seat)[-1:]:
                    if path and path.name == "report.yaml" and not damaged:
                        leave(place, notes, self.standing_of(campaign, seat, path))

    def letters(self) -> list[SignedLetter]:
        """Return the signed letters of the player, of all campaigns. The folder does not matter: a letter is of the
        campaign that it names."""
        if not self.root.is_dir():
            return []
        keys = [key for place in self.reports.places if (key := self.public_of(place))]
        found = [*signed_letters(self.root, self.reports.is_mine, keys)]
        if not keys[1:]:
            return found
        heads = {(each.letter.campaign, each.letter.sender) for each in found}
        signers = {head: self.public_of(self.signer_place(*head)) for head in heads}
        # A letter that was signed with another key of the player counts if it was sent while the seat had that key.
        return [
            each
            if each.key == signers[each.letter.campaign, each.letter.sender] or self.own_letters.is_queued(each)
            else replace(each, is_sound=False, is_own=False)
            for each in found
        ]

    def letters_for(self, campaign: str, seat: str) -> list[SignedLetter]:
        """Return the player's signed letters of a campaign. If the player has several seats in it, return only those
        for this seat."""
        has_several = self.reports.has_several(campaign)
        found = [each for each in self.letters() if each.letter.campaign == campaign]
        return [each for each in found if not has_several or each.letter.sender == seat]

    def own_of(self, campaign: str, seat: str) -> Callable[[Letter | None, str], Letter | None]:
        """Return a function that takes a letter, and returns it if the campaign's moderator has sent it to this seat,
        else None."""
        known, has_several = self.reports.moderator_of(campaign), self.reports.has_several(campaign)

        def own(letter: Letter | None, source: str) -> Letter | None:
            found = self.own_letter(letter, known, source)
            is_of_seat = found and (not has_several or addressee(found) in ("", seat))
            # A farewell to a seat that was offered, and not taken over, says nothing of this one.
            is_offered = found and found.kind == "ruling" and not self.reports.has_joined(campaign, addressee(found))
            return found if is_of_seat and not is_offered else None

        return own

    def take_over(self, campaign: str) -> None:
        """Accept what came before the player joined a campaign: the moderator's address, and reports. They must be
        signed with the key that is now known as the moderator's."""
        fact = address_fact(campaign)
        if not self.store.fact(fact) and (
            address := self.store.fact(address_fact(campaign, self.reports.moderator_of(campaign)))
        ):
            with self.store.step():
                self.store.note(fact, address)
        for path in sorted((self.root / campaign).glob(f"{TO_JOIN}*/report.yaml")):
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
        """Note doubts about filed reports that are damaged now, and end the doubts about reports that are sound
        again."""
        damaged: dict[str, Path] = {}
        for seat in self.reports.seats()[campaign]:
            newest, broken = self.reports.last_report(campaign, seat)
            damaged |= {str(path): path for path in broken}
            fact = self.reports.filed_fact(campaign, seat)
            if newest and newest.parent.name > self.store.fact(fact):
                with self.store.step():
                    self.store.note(fact, newest.parent.name)
        if damaged:
            self.forget_mails(campaign)
        for about in self.doubts.subjects(campaign, DAMAGED):
            if about not in damaged:
                self.doubts.settle_one(campaign, DAMAGED, about)
        for about in damaged:
            self.doubts.note(campaign, wrong(DAMAGED, file=about), about)

    def file_all(self, campaign: str) -> list[Words]:
        """File the waiting mails of a campaign. Return lines on what was done."""
        told: list[Words] = []
        fresh: dict[Path, Guidance] = {}
        awaits_heir = False
        for row in self.waiting_for(campaign):
            self.doubts.settle(campaign)
            about = f"letter {row['number']}"
            filed: list[Words] | None = []
            with self.doubting(campaign, about):
                filed = self.file(campaign, RawMessage(row["data"], row["place"]), fresh)
            awaits_heir = awaits_heir or filed is None
            told += filed or []
            if filed is not None and (campaign, about) not in self.doubts.broken:
                self.set_state([row], "taken")
        self.doubts.mend(campaign, "letter")
        if not awaits_heir:
            self.doubts.settle(campaign, about=HEIR)
        # Behind all of them, for only the newest report owes, and mails come in any order.
        if campaign not in self.names():
            return told + self.advice_on(fresh)
        return told + (self.owed_lines(campaign) if told else []) + self.advice_on(filter(self.is_to_join, fresh))

    def file(self, campaign: str, message: RawMessage, fresh: dict[Path, Guidance]) -> list[Words] | None:
        """File one mail of the moderator: its text, its files, and the content of its encrypted files. Return lines on
        what was done, or None for a mail of an heir, which waits until the player has noted the heir's key.

        A report or an invitation that is filed for the first time is added to `fresh`.
        """
        found = extract(message.data, message.where)
        (files, is_whole), known = contents(message, self.keys), self.reports.moderator_of(campaign)
        letters = [(name, letter) for name, data in files for letter in letters_in(data, name, campaign)]
        foreign = [letter for name, letter in letters if not is_letter_of(letter, known, name)]
        others = [letter for letter in foreign if is_of_another(letter, known)]
        if known and others and (bundle := self.bundle_of_heir(campaign, known, signer_of(others[0].signature), files)):
            heir, word = signer_of(others[0].signature).fingerprint, shell_word(str(bundle))
            self.doubts.note(campaign, wrong("W-OFFICE-HEIR", campaign=campaign, key=heir, word=word), HEIR)
            return None
        if others:
            self.doubts.note(campaign, wrong("E-GUIDE-MODERATOR"), found.envelope.sender)
            return []
        if foreign:
            # A signature that fails under every key says nothing about who wrote the letter: it was damaged.
            self.cut_mails.doubt_cut_mail(campaign, found.envelope)
            return []
        came = [
            MailFile(name, data, self.own_letter(whole_letter(data, name, campaign), known, name))
            for name, data in files
        ]
        if letters and not any(each.letter for each in came):
            return []
        filing = filing_of(came)
        is_damaged = found.unread or not is_whole or is_cut_off(message.data)
        seat = next((addressee(each.letter) for each in came if each.letter), "")
        is_invitation = filing.guide is not None and filing.guide.kind == "invitation"
        is_known_seat = is_invitation or (self.reports.is_mine(campaign, seat) and campaign in self.names())
        is_to_join = bool(seat) and not is_known_seat
        number = self.reports.folder_for(folder_of(found.envelope.subject, filing.guide), campaign, seat)
        folder = self.root / campaign / (f"{TO_JOIN}{number}" if is_to_join else number)
        if (heirs := self.reports.heirs_of(campaign)) and self.is_of_former(folder / "report.yaml", campaign):
            folder = folder.with_name(f"{folder.name}-heir{heirs}")
        first = folder / "invitation.yaml"
        if is_invitation and is_sound(first, campaign) and guidance_in(first).seat != seat:
            folder = folder.with_name(f"{folder.name}-{seat}")
        if any(each.letter for each in came):
            self.cut_mails.settle_cut_mails(campaign, f"{folder.name} {found.envelope.message_id}", filing.guide)
        elif is_damaged or self.cut_mails.lacks_report(campaign, found, message.data):
            self.cut_mails.doubt_cut_mail(campaign, found.envelope)
            return []
        guide = filing.guide
        own = folder / f"{guide.kind}.yaml" if guide else None
        signed = {each.data for each in came if each.letter}
        letter_files = {folder / name: data for name, data in filing.files.items() if data in signed}
        is_known = bool(letter_files) and all(
            path.is_file() and path.read_bytes() == data for path, data in letter_files.items()
        )
        if own and own.is_file() and not is_sound(own, campaign):
            own.unlink()
        for name, data in filing.files.items():
            # Of a report that is filed only what a round could not write before it was killed is written.
            if not (is_known and (folder / name).exists()):
                write_beside(folder / name, data)
        subject = found.envelope.subject
        told = [] if is_known else [words("office-filed", campaign=campaign, subject=subject, folder=str(folder))]
        if filing.unsigned:
            sender = found.envelope.sender
            self.doubts.notice(campaign, wrong("W-OFFICE-UNSIGNED", files=filing.unsigned, sender=sender), sender)
        if guide and own:
            fresh |= {} if is_known else {own: guide}
            told += self.archives.verify_report(campaign, guide, own)
            # Before a lot is known, somebody else's report may be taken for the own one.
            if guide.kind == "invitation" or not self.reports.awaits_lot(campaign):
                self.meet(campaign, found.envelope.own_address, guide.moderator)
        return told

    def is_of_former(self, report: Path, campaign: str) -> bool:
        """Return whether a filed report is of a moderator before the present one."""
        return is_sound(report, campaign) and guidance_in(report).moderator != self.reports.moderator_of(campaign)

    def bundle_of_heir(
        self, campaign: str, known: PublicKey, signer: PublicKey, files: Iterable[tuple[str, bytes]]
    ) -> Path | None:
        """Return the file of a bundle by whose sound ledger a signer carries the campaign on behind the moderator who
        is known, or None without one. A bundle that comes among the files is kept in the campaign's folder."""
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
                path = write_beside(self.root / campaign / HEIR / name, data)
                with self.store.step():
                    self.store.note(fact, str(path))
                return path
        return None

    def own_letter(self, letter: Letter | None, moderator: PublicKey | None, source: str) -> Letter | None:
        """Return a letter if the moderator has signed it for the player's seat, else None."""
        is_mine = letter and self.is_for_me(letter) and is_letter_of(letter, moderator, source)
        return letter if is_mine else None

    def meet(self, campaign: str, sender: str, moderator: PublicKey) -> None:
        """Note the moderator's address. If another address is known, note a doubt instead: anybody may pass on a signed
        letter of the moderator."""
        fact = address_fact(campaign, None if campaign in self.names() else moderator)
        # An heir writes from an address of its own.
        heirs, met = self.reports.heirs_of(campaign), f"heirs met {campaign}"
        known = self.store.fact(fact) if str(heirs or "") == self.store.fact(met) else ""
        if not sender:
            return
        if known and sender != known:
            self.doubts.note(campaign, wrong("W-OFFICE-MOVED", known=known, sender=sender), sender)
        elif not known:
            with self.store.step():
                self.store.note(fact, sender)
                self.store.note(met, str(heirs or ""))

    def owed_lines(self, campaign: str) -> list[Words]:
        """Return a line on the letter that the newest report of a campaign asks for. There is none if nothing is
        owed."""
        found = []
        for seat in self.reports.seats()[campaign]:
            path, _ = self.reports.last_report(campaign, seat)
            if path and (standing := self.standing_of(campaign, seat, path)).standing in (*OWED, "refused change"):
                letters = self.letters_for(campaign, seat)
                found.append(standing_line(self.reports.label(campaign, seat), standing, path, letters))
        return found

    def collect(self) -> None:
        self.own_letters.collect(self.letters())
