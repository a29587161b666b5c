"""Proposals and votes at the desk: open proposals, possible subjects, and letters that propose or vote."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from pbem.campaign.clock.bank import time_parts
from pbem.campaign.clock.deadlines import away_in
from pbem.campaign.ledger.proposal_facts import Proposal
from pbem.campaign.ledger.proposals import SUBJECTS
from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.letters.proposing import MOST_DAYS, MOST_TIME, USUAL_DAYS
from pbem.campaign.players.guidance import Guidance, ReportedProposal
from pbem.campaign.players.motions import resigning_key
from pbem.desk.draft import LETTER
from pbem.desk.drafts import PROPOSAL, VOTE, Drafts
from pbem.engine.table import Table
from pbem.faults.wrong import words as fault_words
from pbem.paper.documents.faults import Refused
from pbem.paper.library import game_of_terms
from pbem.player.writing import LetterParts, proposal_parts, vote_parts
from pbem.report.language.templates import macros_of
from pbem.report.letters.entries import Facts, ended_data
from pbem.site.archive import SiteWords, bare_text, make_harmless


class OpenProposal(Struct, frozen=True):
    name: str
    told: str
    """Sentence that says who proposes what."""
    topic: str
    """Subject and proposer in few words, without a verb."""
    until: str
    """The moment until which seats may vote, in universal time."""
    yes: tuple[str, ...]
    """Names of the seats that have agreed."""
    awaited: tuple[str, ...]
    """Names of the seats that have not voted."""
    mine: bool
    """True if the reader has made the proposal."""
    votes: bool
    """True if the reader has a vote on the proposal."""
    vote: str
    """The reader's own vote; empty if the reader has not voted yet, or has no vote."""


class Motions(Struct, frozen=True):
    """Open proposals, and subjects that the reader may propose."""

    open: tuple[OpenProposal, ...]
    settled: tuple[str, ...]
    """Sentences on proposals that have failed, lapsed or been dropped since the previous report."""
    subjects: dict[str, str]
    """Words of each subject that the reader may propose, keyed by the name of the subject in letters. In a campaign
    without votes, subjects that need votes are left out."""
    about: dict[str, str]
    """Kind of the text that a subject needs besides its name, keyed by subject: `seat`, `silent seat`, `days` or
    `span`. Empty if the subject needs no text."""
    seats: dict[str, str]
    """Names of the other seats, keyed by seat."""
    days: int
    """Usual number of days for voting. A proposal may name another number."""
    resigning: str
    """Sentence on the consequences if the reader resigns."""
    most_days: int
    """Largest number of days for voting."""
    most_time: int
    """Largest number of days by which a vote moves a deadline."""


def motions_in(seen: Guidance, words: SiteWords) -> Motions | None:
    """Return the proposals in a report to a seat of a running game; None for other letters."""
    if seen.kind != "report" or seen.phase != "running" or seen.seat not in seen.players:
        return None
    others = {seat: words.player(seat) for seat in seen.players if seat != seen.seat}
    names = macros_of(words.language, game_of_terms(seen.terms), "campaign_entries.txt.j2").SUBJECTS
    has_votes = seen.voting is None or (seen.voting.votes or "none") != "none"
    subjects = {each: facts for each, facts in SUBJECTS.items() if has_votes or facts.needs != "votes"}
    return Motions(
        open=tuple(told_proposal(each, seen, words) for each in seen.proposals),
        settled=tuple(told_settlements(seen, words)),
        subjects={subject: names[subject] for subject in subjects},
        about={subject: facts.about for subject, facts in subjects.items()},
        seats=others,
        days=USUAL_DAYS,
        resigning=fault_words(resigning_key(seen)).text(words.language),
        most_days=MOST_DAYS,
        most_time=MOST_TIME,
    )


def told_proposal(proposal: ReportedProposal, seen: Guidance, words: SiteWords) -> OpenProposal:
    """Return an open proposal in the reader's language."""
    facts: dict[str, object] = {"player": proposal.player, "subject": proposal.subject, "about": proposal.about}
    people = {seat: make_harmless(name) for seat, name in seen.players.items()}
    votes = SUBJECTS[proposal.subject].about != "silent seat" or proposal.about != seen.seat
    return OpenProposal(
        proposal.name,
        words.entry({"kind": "proposal", **facts}, people),
        topic_of(proposal, words.language, game_of_terms(seen.terms)),
        proposal.until,
        tuple(map(words.player, proposal.yes)),
        tuple(map(words.player, proposal.awaited)),
        proposal.player == seen.seat,
        votes,
        "yes" if seen.seat in proposal.yes else "" if seen.seat in proposal.awaited or not votes else "no",
    )


def topic_of(proposal: Proposal | ReportedProposal, language: str, game: str) -> str:
    """Return a proposal's subject and proposer in a few words."""
    return bare_text(str(macros_of(language, game, "campaign_entries.txt.j2").topic(proposal)))


def told_settlements(seen: Guidance, words: SiteWords) -> Iterator[str]:
    """Yield a sentence on each proposal that has failed, lapsed or been dropped since the last report."""
    people = {seat: make_harmless(name) for seat, name in seen.players.items()}
    since = seen.since
    for each in seen.settled:
        if since is None or each.entry <= since or each.how == "carried":
            continue
        motion = {"player": each.player, "subject": each.subject, "about": each.about}
        if each.how == "failed":
            vote = {"kind": "vote", "player": each.by, "says": "no", "motion": motion, "has_failed": True}
            yield words.entry(vote, people)
        else:
            yield words.entry({"kind": "settled", **motion, "how": each.how}, people)


def told_move(seen: Guidance, words: SiteWords) -> str:
    """Return a sentence on why the deadline was moved; empty if it was not."""
    assert seen.moved
    why, player = seen.moved.why, seen.moved.player
    facts: dict[str, object] = {"kind": "moved", "why": why, "away": away_in(why), "reader": seen.seat}
    if player:
        facts |= {"proposal": True, "motion": {"player": player}}
    return words.entry(facts, {seat: make_harmless(name) for seat, name in seen.players.items()})


class WrittenVote(Struct, frozen=True):
    """Vote in the draft of a letter."""

    says: str
    signed: bool
    """True if the letter is signed, so that it may have been sent."""


def votes_written(drafts: Drafts) -> dict[str, WrittenVote]:
    """Return the vote among the drafts, keyed by the name of its proposal. The result is empty if there is no readable
    vote."""
    if (draft := drafts.lying.get(VOTE)) is None:
        return {}
    try:
        body = draft.letter().body
    except Refused:
        return {}
    name, says = (str(getattr(entry_of(body, key), "value", "")) for key in ("proposal", "says"))
    return {name: WrittenVote(says, draft.is_signed)}


def result_in(seen: Guidance, table: Table, words: SiteWords) -> str:
    """Return a sentence on the end of the game; empty if the game goes on."""
    ended: Facts | None = msgspec.to_builtins(seen.ended) if seen.ended else ended_data(seen.phase, None, table)
    people = {seat: make_harmless(name) for seat, name in seen.players.items()}
    return words.entry({"kind": "ended", **ended}, people) if ended else ""


def time_in_bank(seen: Guidance, words: SiteWords) -> str:
    """Return the reader's time in the bank, in words; empty without a bank."""
    account = seen.bank.get(seen.seat)
    return bare_text(str(words.of.spans(time_parts(account.left)))) if account else ""


def propose(drafts: Drafts, subject: str, about: str, days: int) -> None:
    """Begin the draft of a proposal, in place of an earlier one. `about` is the text that the subject needs, such as a
    seat. `days` is the number of days for votes; 0 for the usual number."""
    assert drafts.seen
    lay_parts(drafts, PROPOSAL, proposal_parts(drafts.seen, subject, about, days))


def vote(drafts: Drafts, name: str, says: str) -> None:
    """Begin a letter with a vote (`says`) on the open proposal `name`. Raises `Refused` if no such proposal is open."""
    assert drafts.seen
    lay_parts(drafts, VOTE, vote_parts(drafts.seen, name, says, LETTER))


def lay_parts(drafts: Drafts, name: str, parts: LetterParts) -> None:
    """Lay a letter with these parts on top, as the draft `name`. Raises `Refused` for a reader without a seat."""
    assert drafts.seen
    drafts.lay(name, parts.text(drafts.seen.campaign, drafts.seen.seat, drafts.seen.next_seq))
