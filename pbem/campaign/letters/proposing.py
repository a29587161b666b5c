"""Judges of proposals and votes. The ledger has these letters in full, so everybody can count the votes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import cast

from msgspec.structs import replace

from pbem.campaign.clock.clock import parse_moment, span, stamp
from pbem.campaign.clock.timing import is_silent
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.entry_checks import bot_in
from pbem.campaign.ledger.proposal_facts import Proposal, SettledProposal, Settlement
from pbem.campaign.ledger.proposals import PROPOSING, SUBJECTS, seats_counted, voters_on
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.letters.heads import earlier_position, expected_head, head_faults, old_sheet
from pbem.campaign.letters.joining import LetterVerdict, entry_text, refuse_unknown_keys, text_of
from pbem.campaign.letters.letterbox import entry_of
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.documents.names import as_quoted
from pbem.paper.letters import Letter

MOST_DAYS = 60
MOST_TIME = 30
"""Greatest number of days by which a proposal can move a deadline."""
_DAYS = re.compile("[1-9][0-9]?")
_SPAN = re.compile("[1-9][0-9]{0,2}h|[1-9][0-9]?d")
LEAST_SPAN, MOST_SPAN = timedelta(hours=12), timedelta(days=30)
"""Shortest and longest time for a stage that seats can vote for."""
USUAL_DAYS = 7
LATEST = timedelta(days=USUAL_DAYS)
"""Length of time in which a proposal on an earlier position is taken. It begins when the game leaves the position.

It is as long as a proposal usually stays open. So a player who reads mail once a day can propose something, however
fast the others play. And nobody can hold back an old letter until its writer has forgotten it.
"""


def proposal_in(public: PublicState, letter: Letter, verdict: LetterVerdict) -> r.ProposalRecord | None:
    """Return the entry of the proposal in a letter, with `NO_MARK` as its mark. For a faulty proposal, return None and
    note the fault in the verdict."""
    body = letter.body
    refuse_unknown_keys(verdict, body, ("subject", "about", "days"))
    subject, about, days = (text_of(verdict, body, key) for key in ("subject", "about", "days"))
    if public.protocol < PROPOSING:
        verdict.refuse(wrong("E-PROPOSAL-NEW"))
    if subject not in SUBJECTS:
        names = tuple(words(f"subject-{each}") for each in SUBJECTS)
        verdict.refuse(wrong("E-PROPOSAL-SUBJECT", subject=as_quoted(subject), subjects=names), node=body)
        return None
    if days and not (_DAYS.fullmatch(days) and int(days) <= MOST_DAYS):
        verdict.refuse(wrong("E-PROPOSAL-DAYS", most=MOST_DAYS), node=entry_of(body, "days"))
    if SUBJECTS[subject].about == "seat" and len(public.players) == 2:
        about = about or next(seat for seat in public.players if seat != letter.sender)
    if fault := wrong_about(public, letter.sender, subject, about):
        verdict.refuse(fault, node=entry_of(body, "about") or body)
    if SUBJECTS[subject].needs == "votes" and (public.settings.conduct.votes or "none") == "none":
        verdict.refuse(wrong("E-PROPOSAL-AGREED", subject=subject))
    if letter.sender in public.resigned:
        verdict.refuse(wrong("E-PROPOSAL-RESIGNED", seat=letter.sender))
    if verdict.is_refused:
        return None
    name = cast(r.SubjectName, subject)
    text = entry_text(letter)
    return r.ProposalRecord(letter.sender, name, letter.seq, NO_MARK, text, about, int(days or USUAL_DAYS))


def wrong_about(public: PublicState, seat: str, subject: str, about: str) -> Wrong | None:
    """Return a fault if `about` does not suit the subject of a seat's proposal, else None. `about` is a text such as a
    number of days, or the name of another seat."""
    others = tuple(other for other in public.players if other != seat)
    match SUBJECTS[subject].about:
        case "":
            return wrong("E-PROPOSAL-ABOUT", subject=subject) if about else None
        case "days":
            is_right = _DAYS.fullmatch(about) and int(about) <= MOST_TIME
            return None if is_right else wrong("E-PROPOSAL-ABOUT.days", subject=subject, most=MOST_TIME)
        case "span":
            is_right = bool(_SPAN.fullmatch(about)) and LEAST_SPAN <= span(about) <= MOST_SPAN
            is_right = is_right and span(about) != span(public.settings.clock.next)
            return None if is_right else wrong("E-PROPOSAL-ABOUT.span", subject=subject)
        case "silent seat":
            counted = seats_counted(public)
            if len(counted) < 3:
                return wrong("E-PROPOSAL-AGREED.few", subject=subject)
            others = tuple(other for other in others if other in counted and other != public.settings.moderator.seat)
    return None if about in others else wrong("E-PROPOSAL-ABOUT.seat", subject=subject, seats=others)


NO_MARK = "0" * 64
"""Mark of a record whose mark is not known."""


def unknown_proposal(name: str, open_now: Iterable[str], settled: Iterable[SettledProposal]) -> Wrong:
    """Return the fault of a vote on a proposal that is not open. If the proposal is among `settled`, the fault tells
    how it ended. `open_now` has the names of open proposals."""
    if each := next((each for each in settled if each.name == name), None):
        key = SETTLED[each.how]
        return wrong(key, name=name, party=each.by) if each.by else wrong(key, name=name)
    if names := tuple(open_now):
        return wrong("E-VOTE-PROPOSAL", name=as_quoted(name), names=names)
    return wrong("E-VOTE-PROPOSAL.none", name=as_quoted(name))


SETTLED: dict[Settlement, str] = {
    "carried": "E-VOTE-PROPOSAL.carried",
    "failed": "E-VOTE-PROPOSAL.failed",
    "lapsed": "E-VOTE-PROPOSAL.lapsed",
    "dropped": "E-VOTE-PROPOSAL.dropped",
}
"""Dict from the way in which a proposal was settled to the fault of a vote on it."""


def vote_in(public: PublicState, letter: Letter, verdict: LetterVerdict) -> r.VoteRecord | None:
    """Return the entry of the vote in a letter, with `NO_MARK` as its mark. For a faulty vote, return None and note the
    fault in the verdict."""
    body = letter.body
    refuse_unknown_keys(verdict, body, ("proposal", "says"))
    name, says = (text_of(verdict, body, key) for key in ("proposal", "says"))
    found = next((each for each in public.proposals if each.name == name), None)
    if found is None:
        verdict.refuse(unknown_proposal(name, (each.name for each in public.proposals), public.settled), node=body)
    elif letter.sender not in voters_on(public, found):
        verdict.refuse(wrong("E-VOTE-SEAT", seat=letter.sender))
    if says not in ("yes", "no"):
        verdict.refuse(wrong("E-VOTE-SAYS"), node=entry_of(body, "says") or body)
    if verdict.is_refused or found is None:
        return None
    said = cast(r.Says, says)
    return r.VoteRecord(letter.sender, found.entry, said, letter.seq, NO_MARK, entry_text(letter))


READERS = {"proposal": proposal_in, "vote": vote_in}
"""Dict from `proposal` and `vote` to the function that reads the entry out of such a letter."""


def timing_fault(public: PublicState, letter: Letter, record: r.Record | None, now: str) -> Wrong | None:
    """Return a fault for a proposal or vote that comes too late, and for a proposal to replace a player who is not
    late. Return None for any other letter."""
    if isinstance(record, r.ProposalRecord):
        earlier = earlier_position(public, letter)
        if public.next and earlier and parse_moment(now) > parse_moment(earlier.left) + LATEST:
            return old_sheet(letter, public.next.stage)
        if record.subject != "replace" or is_silent(public, record.about, parse_moment(now)):
            return None
        return wrong("E-PROPOSAL-SILENT", seat=record.about)
    if not isinstance(record, r.VoteRecord):
        return None
    found = proposal_of(public, record)
    return wrong("E-VOTE-LATE", name=found.name, until=found.until) if found and now > found.until else None


def proposal_of(public: PublicState, record: r.VoteRecord) -> Proposal | None:
    return next((each for each in public.proposals if each.entry == record.proposal), None)


def is_of_bot(public: PublicState, letter: Letter, verdict: LetterVerdict) -> bool:
    """True if a letter is a proposal or a vote of a bot."""
    return letter.kind in READERS and bool(verdict.bot or bot_in(public, letter.sender))


def wrong_with_proposal(
    public: PublicState, entry: Entry, record: r.ProposalRecord | r.VoteRecord, letter: Letter
) -> Wrong | None:
    """Return a fault if the entry of a proposal or vote does not follow from its letter, or comes too late. `public` is
    the state before the entry."""
    verdict = LetterVerdict(letter=letter)
    is_its_kind = letter.kind == r.NAMES[type(record)] and letter.sender == record.player
    if not is_its_kind or bot_in(public, record.player):
        return wrong("E-VERIFY-PROPOSAL", seat=record.player)
    for fault in head_faults(letter, expected_head(public, letter, "", False)):
        verdict.refuse(fault)
    expected = READERS[letter.kind](public, letter, verdict)
    if late := timing_fault(public, letter, record, stamp(entry.time)):
        return late
    if expected is None or verdict.is_refused or replace(expected, mark=record.mark) != record:
        return wrong("E-VERIFY-PROPOSAL", seat=record.player)
    return None
