"""Evening of one campaign: letters are taken, orders carried out as far as agreed, and reports written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import local_moment, parse_moment, stamp
from pbem.campaign.clock.deadlines import Permission, Policy, end_of_grace
from pbem.campaign.clock.timing import CampaignTime, due_reminders, permission, stage_clock
from pbem.campaign.ledger.records import JoinRecord
from pbem.campaign.letters.arrivals import Tray
from pbem.campaign.letters.arrived import LetterAnswer
from pbem.campaign.play import adjudicating
from pbem.campaign.play.seated_bots import is_bots, play_bots
from pbem.campaign.settings import MODERATOR
from pbem.faults.unforeseen import is_unforeseen
from pbem.faults.wrong import Wrong, shell_word, wrong
from pbem.moderator.addresses import address_faults, mail_addresses
from pbem.moderator.campaigns import changed_entries, outcomes_since
from pbem.moderator.daily import next_mail, readers_due
from pbem.moderator.mails import (
    RECEIPT,
    check_templates_of,
    has_moved,
    is_post_begun,
    post_due,
    post_reports,
    remind_now,
    write_owed,
)
from pbem.moderator.open_seats import answer_askers, settle_seats
from pbem.moderator.receipts import RoundOfReceipts, settled
from pbem.moderator.refused_letters import Notices, note_corrections, seats_awaited
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import letter_id
from pbem.post.boxes import arrival_of
from pbem.post.extract import Extraction
from pbem.post.mailbox import RawMessage
from pbem.post.outbox import MAIL
from pbem.post.sheets import SentSheets

TOLD_AT_ONCE = (
    "lock", "adjudication", "ruling", "extension", "absence", "rollback", "clock", "substitute", "succession",
    "proposal", "agreement", "end", "resolution", "close",
)  # fmt: skip
"""Kinds of entries after which reports are written at once. Entries of other kinds are mentioned only in the next
report."""

MOST_ADJUDICATIONS = 10
"""Largest number of adjudications in one evening."""


class WaitingLetter(Struct, frozen=True):
    """Mail that the campaign has not answered yet. `found` has the letters in the mail, if they are known already.
    `is_words` is true for a mail without a letter; it is answered as well."""

    message: RawMessage
    found: Extraction | None
    is_words: bool = False


class LetterFailed(Exception):
    """Unforeseen error that was raised while a letter was taken."""

    def __init__(self, number: int, error: Exception) -> None:
        """Store the index of the letter among those of this evening, and the error."""
        super().__init__(number)
        self.number = number
        self.error = error


class Evening(Struct):
    """Result of one evening. `answered` counts the mails with answers, `posted` the mails with reports."""

    taken: list[tuple[str, str]] = field(default_factory=list)
    """Seat and kind of each accepted letter."""
    refused: int = 0
    known: int = 0
    """Number of letters that were copies of earlier letters."""
    without_letter: int = 0
    """Number of mails by players that had no letter and were answered."""
    answered: int = 0
    adjudicated: list[str] = field(default_factory=list)
    """Stage to which each adjudication of this evening has led; at the end of the game the phase `over`."""
    posted: int = 0
    reminded: list[str] = field(default_factory=list)
    doubts: list[Wrong] = field(default_factory=list)
    warnings: list[tuple[str, Wrong]] = field(default_factory=list)
    """Warnings, each with the name of the file that is concerned. The name is empty if no file is concerned."""
    turned: dict[str, set[str]] = field(default_factory=dict)
    """Dict from each player to the digests of his refused letters since his last accepted letter. Letters that somebody
    else may have written in his name are not included."""
    unproved: dict[str, int] = field(default_factory=dict)
    """Dict from each player to the number of refused letters in his name that anybody may have written."""
    unsigned: list[Path] = field(default_factory=list)
    """Answers to copies of letters, to refused letters without a valid signature, and to mails without a letter.
    Anybody can cause such answers."""
    copies: list[Path] = field(default_factory=list)
    """Those mails in `unsigned` that answer copies of letters."""
    wordless: list[Path] = field(default_factory=list)
    """Those mails in `unsigned` that answer mails without a letter."""
    strangers: list[Path] = field(default_factory=list)
    """Those mails in `unsigned` that go to people without a seat."""
    notices: dict[str, list[Wrong]] = field(default_factory=dict)
    """Dict from each player to the notices about letters in his name."""
    numbers: dict[str, int] = field(default_factory=dict)
    """Dict from each player to the highest number of his letters. Refused letters count as well."""
    awaited: dict[str, int] = field(default_factory=dict)
    """Refused letters that the office wants corrected, by seat and kind (`note_corrections`)."""
    joint: list[Path] = field(default_factory=list)
    """Mails that answer several letters of one player."""
    replaced: list[Path] = field(default_factory=list)
    """Mails that must not be sent, because a mail in `joint` replaces them."""
    turned_down: list[LetterAnswer] = field(default_factory=list)
    """Answers that refuse letters."""
    addresses: tuple[str, ...] = ()
    """Mail addresses that the campaign writes to at present."""
    waits: Wrong | None = None
    """Reason why the office cannot continue the campaign. None if it continues, or only waits for letters as usual."""
    next_mail: str = ""
    """Moment at which the first waiting report is to be written. It is empty if no report waits."""


class Agreement(Struct, frozen=True):
    """Permissions that an office has in a campaign, and facts that earlier evenings have stored."""

    policy: Policy
    pictures: bool = True
    numbers: dict[str, int] = field(default_factory=dict)
    """Dict from each player to the highest number of his letters in earlier evenings."""
    awaited: dict[str, int] = field(default_factory=dict)
    """Refused letters that earlier evenings wanted corrected, by seat and kind."""
    next_mail: str = ""
    """Moment at which the first waiting report is to be written, as the last evening has stored it."""
    was_changed: bool = False
    """True if another command may have changed addresses since the last evening."""


def has_work(time: CampaignTime, agreed: Agreement) -> bool:
    """Return True if a campaign needs an evening even without new letters."""
    public = time.public
    if public.phase == "joining":
        return agreed.policy != "by hand" and all(seat in public.players for seat in public.settings.seats)
    is_mail_due = bool(agreed.next_mail) and time.now >= parse_moment(agreed.next_mail)
    return public.phase == "running" and (is_mail_due or may_go_on(time, agreed) or bool(due_reminders(time)))


def may_go_on(time: CampaignTime, agreed: Agreement) -> bool:
    """Return True if the office may adjudicate now, by its permissions and by the state of the campaign."""
    allowed = permission(time)
    if not allowed.may or agreed.policy == "by hand" or seats_awaited(time, agreed.awaited):
        return False
    return agreed.policy == "deadline" or is_by_orders(allowed)


def lets_defaults_answer(time: CampaignTime, agreed: Agreement) -> bool:
    """Return True if the office would adjudicate now with defaults for missing orders, because the time is over."""
    return may_go_on(time, agreed) and not is_by_orders(permission(time))


def is_by_orders(allowed: Permission) -> bool:
    """Return True if the allowed adjudication would use only orders that players have sent."""
    return allowed.basis == "orders" and not allowed.absent


def reason_to_wait(time: CampaignTime, agreed: Agreement) -> Wrong | None:
    """Return the reason why the office does not adjudicate although all letters have come or the deadline is over.
    Return None if there is no such reason."""
    public = time.public
    if public.phase != "running" or agreed.policy == "by hand":
        return None
    allowed, clock = permission(time), public.settings.clock
    if allowed.may and (seats := seats_awaited(time, agreed.awaited)):
        until = local_moment(public.deadline, clock)
        return wrong("W-OFFICE-CORRECTION", players=seats, until=until, campaign=public.settings.campaign)
    if allowed.may and not is_by_orders(allowed) and agreed.policy == "all in":
        return wrong("W-OFFICE-WAITS.office", powers=allowed.absent)
    is_over = not allowed.may and allowed.absent and time.now >= end_of_grace(clock, stage_clock(time))
    if is_over and agreed.policy == "deadline":
        return wrong("W-OFFICE-WAITS", powers=allowed.absent)
    return None


def evening_of(
    campaign: Campaign, letters: list[WaitingLetter], agreed: Agreement, save: Callable[[Evening], None]
) -> Evening:
    """Hold the evening of a campaign, and return its result. After the letters are taken, `save` is called with the
    result up to then."""
    done, before = Evening(numbers=agreed.numbers, awaited=agreed.awaited), campaign.public.entry
    check_templates_of(campaign)
    changed = changed_entries(campaign)
    answer_askers(campaign)
    if agreed.was_changed:
        # The command that changed an address may have been killed before it wrote the mails.
        write_owed(campaign)
    # If an earlier evening was killed, its results are reported before anything else happens. The report waits for the
    # end of this evening if the game goes on at once, or if the new entries have not moved the game (an absence, for
    # example). Then it does not ask for anything that this evening makes needless.
    if is_post_begun(campaign) or (has_moved(campaign) and not may_go_on(time_of(campaign), agreed)):
        post_news(campaign, agreed, done)
    receipts = RoundOfReceipts(campaign, done.awaited if agreed.policy != "by hand" else None)
    if letters:
        accept(campaign, letters, receipts, done)
        # A letter can give its writer's seat to a bot, or an open seat to its writer.
        settle_seats(campaign)
        campaign.save()
        save(done)
    done.doubts += play_bots(campaign)
    if agreed.policy != "by hand":
        adjudicate(campaign, agreed, done)
    post_news(campaign, agreed, done, is_last=True)
    receipts.renew()
    if campaign.public.phase == "running":
        due, _ = remind_now(campaign)
        done.reminded = [each.player for each in due]
    folder = shell_word(str(campaign.folder.root))
    asked = {seat: len(offer.askers) for seat, offer in campaign.vault.offers.items() if offer.askers}
    done.doubts += [wrong("W-OFFICE-ASKED", seat=seat, count=count, folder=folder) for seat, count in asked.items()]
    done.doubts += changed
    # This comes after the letters, because a letter that joins has an address.
    done.doubts += address_doubts(campaign)
    done.addresses = tuple(mail_addresses(campaign).values())
    done.waits = reason_to_wait(time_of(campaign), agreed)
    hour = next_mail(campaign)
    done.next_mail = stamp(hour) if hour else ""
    campaign.save()
    done.doubts += campaign.left_out
    done.warnings += [*campaign.warnings, *(("", fault) for fault in outcomes_since(campaign, before))]
    return done


def time_of(campaign: Campaign) -> CampaignTime:
    return CampaignTime(campaign.public, campaign.now)


def address_doubts(campaign: Campaign) -> list[Wrong]:
    """Return faults for wrong addresses, and for seats that have no address."""
    addresses = campaign.vault.addresses
    faults = address_faults(campaign)
    if not addresses.get(MODERATOR):
        return faults
    people = [seat for seat in campaign.settings.seats if not is_bots(campaign.state, seat)]
    seats = tuple(seat for seat in people if not addresses.get(seat))
    if not seats or campaign.public.phase == "closed":
        return faults
    return [*faults, wrong("W-OFFICE-SEATS", seats=seats, folder=shell_word(str(campaign.folder.root)))]


def accept(campaign: Campaign, letters: list[WaitingLetter], receipts: RoundOfReceipts, done: Evening) -> None:
    """Take letters, write the answers, and store the results in `done`. Raises `LetterFailed` for an unforeseen
    error."""
    tray, sheets = Tray(campaign, receipts.write), SentSheets(campaign.folder.outbox)
    notices = Notices(campaign.public, done.numbers)
    try:
        for number, each in enumerate(letters):
            tray.at = number
            arrival = arrival_of(each.message, campaign.settings.campaign, sheets, each.found)
            tray.take_words(arrival) if each.is_words else tray.take(arrival)
        tray.answer_all()
    except Exception as error:
        if not is_unforeseen(error):
            raise
        raise LetterFailed(tray.at, error) from error
    for answer in tray.answers:
        notices.take(answer)
        count_answer(answer, done)
        note_answer(campaign, answer, done)
        if answer.receipt.status == "refused" and not answer.is_words:
            done.turned_down.append(answer)
    for player, notices_of in notices.found.items():
        done.notices.setdefault(player, []).extend(notices_of)
    done.known += tray.copies
    note_corrections(campaign.public, [*tray.refused, *tray.answers], done.awaited)
    join_answers(campaign, receipts, tray.answers, done)
    for cut in tray.unfinished:
        done.doubts.append(cut.fault)


def count_answer(answer: LetterAnswer, done: Evening) -> None:
    """Count an answer in `done`, by the status of the letter, and add the mails of the answer to the lists in
    `done`."""
    receipt = answer.receipt
    mails = receipt_mails(answer)
    if answer.is_words:
        done.without_letter += 1
        done.unsigned += mails
        done.wordless += mails
        done.strangers += () if receipt.player else mails
        return
    done.refused += receipt.status == "refused"
    done.known += receipt.status == "known"
    if receipt.status not in ("refused", "known") and (letter := receipt.verdict.letter):
        done.taken.append((receipt.player, letter.kind))
    done.answered += len(mails)
    if not answer.is_theirs:
        done.unsigned += mails
        done.strangers += () if receipt.player else mails
        done.copies += mails if receipt.status == "known" else ()


def receipt_mails(answer: LetterAnswer) -> list[Path]:
    """Return the mails that contain an answer's receipt. Mails with offers of agreements, which go to other players,
    are not included."""
    return [path for path in answer.files if path.suffix == MAIL and RECEIPT in path.name]


def note_answer(campaign: Campaign, answer: LetterAnswer, done: Evening) -> None:
    """Store the answer to a letter in `done` under its player. A refused letter is added to the player's refused
    letters; an accepted letter empties this list. A refused letter that somebody else may have written is only counted.
    Add a notice if a player joins from another address than the noted one."""
    receipt, player = answer.receipt, answer.receipt.player
    if answer.is_words:
        return
    is_refused = receipt.status == "refused"
    if answer.is_theirs and (elsewhere := joined_elsewhere(campaign, answer)):
        done.notices.setdefault(player, []).append(elsewhere)
    if player and is_refused and not answer.is_theirs:
        done.unproved[player] = done.unproved.get(player, 0) + 1
    elif player:
        letter = receipt.verdict.letter
        refused = done.turned.get(player, set()) | {letter_id(letter) if letter else receipt.raw}
        done.turned[player] = refused if is_refused else set()


def join_answers(campaign: Campaign, receipts: RoundOfReceipts, answers: list[LetterAnswer], done: Evening) -> None:
    """Write one joint mail to each player who has both accepted and refused letters. Store in `done` this mail, and the
    mails that it replaces."""
    replies = receipts.replies
    theirs = {reply.message_id for reply, answer in zip(replies, answers, strict=True) if answer.is_theirs}
    for seat in campaign.settings.seats:
        # A letter that anybody may have written is answered apart, unless it came in the same mail as a letter that the
        # player has signed.
        mine = [
            (reply, answer)
            for reply, answer in zip(replies, answers, strict=True)
            if reply.receipt.player == seat and (answer.is_theirs or reply.message_id in theirs)
        ]
        told = settled([reply for reply, _ in mine])
        refused = [each for each in told if each.receipt.status == "refused"]
        taken = [each for each in told if each.receipt.status not in ("refused", "known")]
        # Two separate answers would seem to contradict each other.
        if refused and taken:
            joint = receipts.join(refused, taken)
            if not joint:
                continue
            done.joint += joint
            done.replaced += [
                path for reply, answer in mine if reply.receipt.status != "known" for path in receipt_mails(answer)
            ]


def joined_elsewhere(campaign: Campaign, answer: LetterAnswer) -> Wrong | None:
    """Return a notice if a player has joined from another address than the one noted for the seat. Return None if
    not."""
    receipt = answer.receipt
    known = campaign.vault.addresses.get(receipt.player, "")
    is_join = isinstance(receipt.verdict.record, JoinRecord) and receipt.status != "refused"
    if not is_join or not answer.sender or answer.sender.casefold() == known.casefold():
        return None
    return wrong("W-OFFICE-ELSEWHERE", player=receipt.player, sender=answer.sender, known=known)


def adjudicate(campaign: Campaign, agreed: Agreement, done: Evening) -> None:
    """Adjudicate one stage after another as long as the office may, at most `MOST_ADJUDICATIONS` times. Bots write
    letters after each stage. If an adjudication is refused, stop, and store the refusal as a doubt."""
    for _ in range(MOST_ADJUDICATIONS):
        public = campaign.public
        is_ready = public.phase == "joining" and all(seat in public.players for seat in public.settings.seats)
        if not is_ready and not (public.phase == "running" and may_go_on(time_of(campaign), agreed)):
            return
        try:
            adjudicating.adjudicate(campaign)
        except Refused as refused:
            done.doubts += refused.faults
            return
        done.doubts += play_bots(campaign)
        done.adjudicated.append(campaign.public.next.stage if campaign.public.next else campaign.public.phase)


def post_news(campaign: Campaign, agreed: Agreement, done: Evening, *, is_last: bool = False) -> None:
    """Write all reports if there is news that must be reported at once: a new entry of a kind in `TOLD_AT_ONCE`, or a
    proposal that has failed. If there is no such news and `is_last` is true, write the waiting reports whose time has
    come."""
    since = campaign.vault.posted.public.entry
    has_failed = any(each.how == "failed" and each.entry > since for each in campaign.public.settled)
    is_told = has_failed or any(entry.kind in TOLD_AT_ONCE for entry in campaign.ledger.entries(since + 1))
    if not is_told and not (is_last and readers_due(campaign)):
        return
    files = (post_reports if is_told else post_due)(campaign, agreed.pictures)
    done.posted += len([path for path in files if path.suffix == ".eml"])
    campaign.save()
