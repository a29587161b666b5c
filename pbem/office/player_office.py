"""Office of a player: it files, opens and checks the moderator's mails, and sends the letters that the player has
signed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from msgspec import Struct, field

from pbem.campaign.clock.clock import stamp
from pbem.campaign.players.campaign_notes import last_report
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.offers import OfferedAgreement, OfferState, offer_of
from pbem.campaign.settings import MODERATOR
from pbem.faults.wrong import Gap, PbemError, Words, printable, shell_word, words, wrong
from pbem.office.addressing import Addressing, ModeratorAddresses
from pbem.office.carriers import NotNow, QueuedMail
from pbem.office.counter import Counter, Round
from pbem.office.doubts import Doubts
from pbem.office.fetching import FetchCounts
from pbem.office.filed_reports import FiledReports
from pbem.office.filing import AGREEMENT, TO_JOIN, addressee, contents, guidance_in, is_letter_of, is_sound, letters_in
from pbem.office.incoming import IncomingMail
from pbem.office.mail_filing import MailFiling
from pbem.office.notifying import DueLine
from pbem.office.own_keys import OwnKeys
from pbem.office.own_letters import OwnLetters
from pbem.office.receipts import filed_losses
from pbem.office.settings import OfficeSettings, user_path
from pbem.office.shared_folder import FolderSource, MailReader, ReaderOf
from pbem.office.signed_letters import SignedLetter
from pbem.office.standings import SeatStandings
from pbem.office.store import NAME, Store
from pbem.paper.letter_kinds import MODERATORS
from pbem.paper.letters import Letter, read_letter
from pbem.post.boxes import boxes_in
from pbem.post.envelope import Envelope
from pbem.post.extract import extract
from pbem.post.mailbox import RawMessage
from pbem.post.outgoing import campaign_of_id
from pbem.seal.keys import PrivateKey

_SUBJECT = re.compile(r"\[([a-z0-9-]{1,80})\] \d{4} ")


OFFERS: dict[OfferState, str] = {
    "open": "office-offer",
    "answered": "office-offer.answered",
    "lapsed": "office-offer.lapsed",
}
"""Dict from each state of an offer to the wording of the line about the offer."""


class FiledOffer(Struct, frozen=True):
    """Offer of an agreement that was filed in the player's folder."""

    path: Path
    told: OfferedAgreement

    @property
    def answer(self) -> Path:
        """Path of the file with which the player can agree to the offer."""
        return self.path.with_name(AGREEMENT)


class OfferedAgreements:
    """Judge of the agreements that are offered to a player. It finds the offers in the filed mails, and tells the state
    of each."""

    def __init__(self, own_letters: OwnLetters, addressing: Addressing, doubts: Doubts) -> None:
        self.own_letters, self.addressing, self.doubts = own_letters, addressing, doubts
        self.reports = addressing.reports

    def filed(self, campaign: str, seat: str) -> Iterator[FiledOffer]:
        """Yield the offers of agreements to a seat that were filed, including answered and lapsed ones. Files that are
        damaged or not signed by the moderator are skipped."""
        own = self.addressing.own_of(campaign, seat)
        for path in sorted((self.reports.root / campaign).glob("[0-9]*/*offer.yaml")):
            try:
                letter = own(read_letter(path.read_bytes(), path.name), path.name)
                if letter and letter.kind == "offer":
                    yield FiledOffer(path, offer_of(letter, path.name))
            except (PbemError, OSError):
                continue

    def lines(self, campaign: str, seat: str) -> list[Words]:
        """Return a line about each offer to a seat of which the player should be told (`is_to_tell`)."""
        found, newest = [*self.filed(campaign, seat)], self.reports.last_report(campaign, seat)[0]
        if not found or newest is None:
            return []
        guide, letters = guidance_in(newest), self.own_letters.letters_for(campaign, seat)
        label, now = self.reports.label(campaign, seat), stamp(self.doubts.now())
        lines = []
        for each in found:
            state = state_of(each.told, guide, letters, now)
            if is_to_tell(each.told, guide, state):
                until = end_of(each.told, guide)
                key = OFFERS[state] if state != "open" or until else "office-offer.at-any-time"
                gaps: dict[str, Gap] = {"party": each.told.letter.sender, "entry": each.told.head.entry}
                gaps |= {"file": shell_word(str(each.answer)), "until": until}
                lines.append(words(key, campaign=label, **gaps))
        return lines


def end_of(offer: OfferedAgreement, guide: Guidance) -> str:
    """Return the latest moment at which an offer can still become an agreement. Return an empty text if there is no
    deadline. `guide` is the newest report, which may have changed the moment."""
    is_newer = guide.head is not None and guide.head.entry >= offer.head.entry
    return guide.deadline if is_newer and guide.basis == offer.basis else offer.until


def has_gone_on(offer: OfferedAgreement, guide: Guidance) -> bool:
    """Return True if the newest report, `guide`, is about a later position than the offer."""
    return guide.basis != offer.basis and guide.head is not None and guide.head.entry > offer.head.entry


def state_of(offer: OfferedAgreement, guide: Guidance, letters: Sequence[SignedLetter], now: str) -> OfferState:
    """Return the state of an offer. It follows from the newest report, `guide`, and from the letters that the player
    has signed."""
    if any(each.is_sound and offer.is_answered_by(each.letter) for each in letters):
        return "answered"
    until = end_of(offer, guide)
    return "lapsed" if has_gone_on(offer, guide) or guide.is_over or (until and until <= now) else "open"


def is_to_tell(offer: OfferedAgreement, guide: Guidance, state: OfferState) -> bool:
    """Return True if the player should be told of an offer: as long as the position has not changed since the offer.
    Later the player is told only of a lapsed offer, and only if the last report but one did not have the offer yet."""
    if not has_gone_on(offer, guide):
        return True
    return state == "lapsed" and guide.since is not None and offer.head.entry > guide.since


class PlayerRound(Round):
    """Result of one round of a player's office."""

    filed: list[Words] = field(default_factory=list)


class PlayerOffice(Counter):
    """Office of a player. It serves each campaign for which there are notes beside one of the player's keys."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        super().__init__(settings, store, now)
        self.root = user_path(settings.campaigns)
        self.own_keys = OwnKeys(self)
        self.reports = FiledReports(self.root, self.own_keys, settings.seat, store)
        self.addressing = Addressing(self.reports)
        self.moderators = ModeratorAddresses(self.doubts, self.reports)
        self.own_letters = OwnLetters(self, self.moderators, self.addressing)
        self.standings = SeatStandings(self.own_letters, self.addressing, self.doubts)
        self.filing = MailFiling(self, self.moderators, self.standings)
        self.offers = Offers(self.moderators, self.addressing)
        self.agreements = OfferedAgreements(self.own_letters, self.addressing, self.doubts)

    @property
    def keys(self) -> Sequence[PrivateKey]:
        """Keys of the player that could be opened."""
        return self.own_keys.opening

    def names(self) -> list[str]:
        return [*self.reports.seats()]

    def notice_files(self, source: FolderSource) -> None:
        super().notice_files(source)
        self.standings.notice_sealed(source.others)

    def judgement_of(self, message: RawMessage, names: Collection[str]) -> IncomingMail:
        """Judge a mail: `letter` if the moderator of a campaign has sent it to this player, else `left`."""
        found = extract(message.data, message.where)
        kinds = [each.letter for each in found.letters if each.letter and each.letter.kind in MODERATORS]
        named = self.thread_of(found.envelope, names)
        if not named and not kinds and boxes_in(message.data, message.where):
            # The mail may be a sealed report for a substitute. Then only its sealed part names the campaign.
            opened = contents(message, self.keys).files
            kinds = [letter for name, data in opened for letter in letters_in(data, name)]
        claimed = [each.campaign for each in kinds if self.addressing.is_for_me(each)]
        if named and kinds and not claimed:
            known = self.reports.moderator_of(named)
            # A report that could be read, but is not for the player, is for another seat.
            named = "" if any(is_letter_of(each, known, message.where) for each in kinds) else named
        campaigns = tuple(dict.fromkeys([*claimed, *filter(None, [named])]))
        return IncomingMail("letter" if campaigns else "left", found, campaigns)

    def thread_of(self, head: Envelope, names: Collection[str]) -> str:
        """Return the campaign whose moderator has sent a mail, or an empty text. The message-id shows the campaign. If
        it does not, the subject does, provided that the sender has the address of that campaign's moderator."""
        if named := campaign_of_id(head.message_id, names):
            return named
        name = found[1] if (found := _SUBJECT.match(head.subject)) else ""
        is_theirs = name in names and head.own_address.casefold() == self.moderators.address_of(name).casefold() != ""
        return name if is_theirs else ""

    def readers(self) -> ReaderOf:
        def reader_of(mail: QueuedMail) -> MailReader | None:
            if not mail.campaign:
                return None
            if not (key := self.reports.moderator_of(mail.campaign)):
                raise NotNow(f"{mail.campaign} is away")
            return MailReader(MODERATOR, key)

        return reader_of

    def look(self) -> FetchCounts:
        """Find the player's keys, accept what came before the player joined, check the filed reports, and fetch new
        mails."""
        self.own_keys.look()
        self.own_keys.doubt_closed()
        names = self.names()
        for name in names:
            self.filing.take_over(name)
            self.filing.inspect(name)
        return self.look_into(lambda message: self.judgement_of(message, names))

    def round(self, hurry: bool = True) -> PlayerRound:
        done = PlayerRound()
        self.doubts.begin_round()
        doubt_other_offices(self.store, self.doubts, f"{self.key.public.fingerprint} {self.root.resolve()}")
        done.fetched = self.look()
        for row in self.store.rows("SELECT DISTINCT campaign FROM letters WHERE state = 'waiting' ORDER BY campaign"):
            done.filed += self.file_all(row["campaign"])
        for name in self.names():
            self.filing.inspect(name)
            self.filing.verify_newest(name)
        self.collect()
        self.standings.store_standings()
        self.doubts.fade()
        done.sent = self.send(hurry=hurry)
        with self.store.step():
            self.store.note("last", stamp(self.now()))
        self.notify()
        return done

    def file_all(self, campaign: str) -> list[Words]:
        """File the waiting mails of a campaign. Return lines about this work, and about what the player owes and is
        offered now."""
        told, fresh = self.filing.file_all(campaign)
        # The lines are made after all mails have been filed. Only the newest report shows what is owed, and mails may
        # come in any sequence.
        if campaign not in self.names():
            return told + self.offers.advice_on(fresh)
        owed = [*self.standings.owed_lines(campaign), *self.offered_lines(campaign)] if told else []
        return told + owed + self.offers.advice_on(filter(self.offers.is_to_join, fresh))

    def offered_lines(self, campaign: str) -> list[Words]:
        seats = self.reports.seats()[campaign]
        return [line for seat in seats for line in self.agreements.lines(campaign, seat)]

    def collect(self) -> None:
        self.own_letters.collect()

    def unanswered_mails(self) -> Collection[str]:
        return self.own_letters.unanswered_mails()

    def due_lines(self) -> list[DueLine]:
        return self.standings.due_lines()

    def awaited_lines(self) -> list[Words]:
        """Return lines that tell what each campaign waits for."""
        seats = self.reports.seats().items()
        found = [each for name, own in seats for seat in own for each in self.standings.awaited_lines_of(name, seat)]
        offered = [each for name, _ in seats for each in self.offered_lines(name)]
        return [*found, *offered, *self.offers.open_advice()] or [words("office-no-campaign")]


OWNER = "owner"
"""Key under which the store keeps the owner of the office: the player's key and the folder of the player's files."""

OTHER_OFFICES = "namesakes"
"""Subject of the notice about other offices of the same owner."""


def doubt_other_offices(store: Store, doubts: Doubts, owner: str) -> None:
    """Store the owner of this office. If other offices have worked for the same owner since this office began, write a
    notice about them."""
    if store.fact(OWNER) != owner:
        with store.step():
            store.note(OWNER, owner)
    others = [path for path in sorted(store.folder.parent.glob(f"as-*/{NAME}")) if path != store.path]
    names = tuple(path.parent.name.removeprefix("as-") for path in others if has_worked_for(path, owner, store))
    doubts.settle("", about=OTHER_OFFICES)
    if names:
        doubts.notice("", wrong("W-OFFICE-NAMES", names=names), OTHER_OFFICES)


def has_worked_for(path: Path, owner: str, store: Store) -> bool:
    """Return True if the office whose memory is the file `path` works for `owner`, and has done so since this office
    began. `store` is the memory of this office."""
    found: dict[str, str] = {}
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as base:
        found = dict(base.execute("SELECT name, value FROM facts WHERE name IN (?, 'last')", (OWNER,)))
    return found.get(OWNER) == owner and found.get("last", "") >= store.fact("begun")


class Offers:
    """Judge of the seats that are offered to a player. It finds the open offers in the filed mails, and advises the
    player about them."""

    def __init__(self, moderators: ModeratorAddresses, addressing: Addressing) -> None:
        self.moderators, self.addressing = moderators, addressing
        self.reports = addressing.reports

    def open_advice(self) -> list[Words]:
        """Return advice about all offers that were filed and are still open."""
        names, root = self.reports.seats(), self.reports.root
        invitations = sorted(root.glob("*/[0-9]*/invitation.yaml"))
        reports = sorted(root.glob(f"*/{TO_JOIN}*/report.yaml"))
        came = [*invitations, *(path for path in reports if is_sound(path, path.parent.parent.name))]
        return self.advice_on(path for path in came if path.parent.parent.name not in names or self.is_to_join(path))

    def is_to_join(self, path: Path) -> bool:
        """Return True if a file is an offer that the player can still accept: an invitation to a free seat before the
        game begins, or a report for a seat that can be taken over."""
        campaign = path.parent.parent.name
        if not is_sound(path, campaign):
            return False
        seat = guidance_in(path).seat
        if path.name == "report.yaml":
            return not self.reports.is_mine(campaign, seat)
        return seat not in self.reports.seats().get(campaign, ()) and not self.addressing.has_begun(campaign)

    def advice_on(self, came: Iterable[Path]) -> list[Words]:
        """Return advice about each invitation in `came`, and about each seat that can be taken over by a report in
        `came`. If one key has signed several reports for a seat, the last counts. A seat that was given to somebody
        else since then is left out."""
        # Anybody can sign a newer report with another key. Such a report must not replace the moderator's report.
        newest: dict[tuple[str, ...], Words] = {}
        for path in came:
            campaign = path.parent.parent.name
            if path.name != "report.yaml":
                newest[campaign, str(path)] = advice_on_invitation(path)
                continue
            guide = guidance_in(path)
            if not self.is_given_away(guide):
                address = self.moderators.address_for_joining(campaign, guide.moderator)
                advice = advice_on_report(path, guide, address)
                newest[campaign, guide.seat, guide.moderator.fingerprint] = advice
        return [*newest.values()]

    def is_given_away(self, guide: Guidance) -> bool:
        """Return True if the moderator who signed a report has given the report's seat to somebody else since then."""

        def own(letter: Letter | None, source: str) -> Letter | None:
            is_own = letter and (letter.campaign, addressee(letter)) == (guide.campaign, guide.seat)
            return letter if is_own and letter and is_letter_of(letter, guide.moderator, source) else None

        since = last_report(guide).entry
        return any(each.entry > since for each in filed_losses(self.reports.root / guide.campaign, own))


def advice_on_invitation(path: Path) -> Words:
    campaign, join = path.parent.parent.name, shell_word(str(path.parent / "join.yaml"))
    return words("office-invited", campaign=campaign, file=shell_word(str(path)), join=join)


def advice_on_report(path: Path, guide: Guidance, address: str) -> Words:
    """Return a line that tells how to take over the seat of a report. `address` is where letters go, or empty if it is
    unknown."""
    about = {
        "campaign": path.parent.parent.name,
        "seat": guide.seat,
        "key": guide.moderator.fingerprint,
        "file": shell_word(str(path)),
    }
    to = printable(address)
    return words("office-substitute", address=to, **about) if to else words("office-substitute.key", **about)
