"""Data about votes on proposals: the number of votes that is needed, the vote of each seat, and when a vote ends."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.campaign.briefing import Briefing
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import Clock, parse_moment
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.proposal_facts import Proposal
from pbem.campaign.ledger.proposals import (
    VoteCount,
    counted_votes,
    has_failed,
    must_all_agree,
    name_of,
    proposal_named,
    proposals_told,
)
from pbem.campaign.ledger.public_state import PublicState
from pbem.report.letters.entries import Facts, facts_of, local_time, motion_data


def votes_data(count: VoteCount, must_all: bool) -> Facts:
    """Return the data of the votes on a proposal. With `must_all`, a single "no" defeats the proposal."""
    return {
        "must_all": must_all,
        "yes": list(count.yes),
        "no": list(count.no),
        "awaited": list(count.awaited),
        "needed": count.needed,
        "voters": count.voters,
    }


UNSIGNED = ("must_all", "no", "needed", "voters", "moves")
"""Facts about a proposal that are left out in signed reports, because everybody can count them in the ledger."""


def proposals_data(briefing: Briefing) -> list[Facts]:
    """Return data of the open proposals, with the votes on them and with the deadline that they would move."""
    settings = briefing.settings
    return [
        {
            **each,
            "until": local_time(parse_moment(str(each["until"])), settings.clock),
            **votes_data(count, must_all_agree(str(each["subject"]), settings.conduct.votes or "none")),
            "moves": moved_data(
                str(each["subject"]), str(each["about"]), briefing.stage, briefing.deadline, settings.clock
            ),
        }
        for each, count in zip(briefing.proposals, briefing.votes, strict=True)
    ]


def moved_data(subject: str, about: str, stage: str, deadline: datetime | None, clock: Clock) -> Facts:
    """Return the present `stage` and the moment `to` which a proposal moves its deadline if it is carried now. Return
    an empty dict for proposals that move no deadline, and where there is none."""
    if subject != "time" or deadline is None:
        return {}
    return {"stage": stage, "to": local_time(deadline + timedelta(days=int(about)), clock)}


def moves_now(public: PublicState, proposal: Proposal) -> Facts:
    deadline = parse_moment(public.deadline) if public.deadline else None
    stage = public.next.stage if public.next else ""
    return moved_data(proposal.subject, proposal.about, stage, deadline, public.settings.clock)


def vote_end(public: PublicState, proposal: Proposal) -> Facts:
    """Return the last moment for votes on an open proposal, in the campaign's time zone."""
    return local_time(parse_moment(proposal.until), public.settings.clock)


def votes_on(public: PublicState, proposal: Proposal) -> Facts:
    must_all = must_all_agree(proposal.subject, public.settings.conduct.votes or "none")
    return votes_data(counted_votes(public, proposal), must_all)


def votes_asked(campaign: Campaign, player: str) -> list[Facts]:
    """Return data of each open proposal on which the player can still vote: its `name`, who proposes what (`player`,
    `subject`, `about`), the last moment for votes (`until`), and the votes (`votes_data`)."""
    public = campaign.public
    return [
        {
            "name": each["name"],
            **motion_data(proposal),
            "until": vote_end(public, proposal),
            "moves": moves_now(public, proposal),
            **votes_on(public, proposal),
        }
        for each, proposal in zip(proposals_told(public), public.proposals, strict=True)
        if isinstance(each["awaited"], list) and player in each["awaited"]
    ]


def result_data(campaign: Campaign, number: int) -> Facts:
    """Return the state, votes and outcome of a proposal. `number` is the entry of the letter that made the proposal or
    voted on it. Return an empty dict for any other letter.

    `state` is `open`, `carried`, `failed`, or `gone` if the proposal lapsed in another way.
    """
    public = campaign.public
    entry = campaign.ledger.read(number) if number else None
    record = record_in(entry) if entry else None
    if isinstance(record, r.VoteRecord):
        number = record.proposal
    elif not isinstance(record, r.ProposalRecord) or record.subject == "resign":
        return {}
    proposal, outcome_entry, outcome = as_voted(campaign, number)
    state = "carried" if outcome else "failed" if has_failed(public, proposal) else "gone"
    if is_open := next((each for each in public.proposals if each.entry == number), None):
        proposal, state = is_open, "open"
    until = {"until": vote_end(public, proposal), "moves": moves_now(public, proposal)} if is_open else {}
    return {
        "state": state,
        **until,
        **votes_on(public, proposal),
        "outcome": outcome_data(campaign, proposal, outcome_entry, outcome) if outcome else {},
    }


class VotedProposal(NamedTuple):
    """Proposal with its votes in the ledger. If the proposal was carried out, `outcome` is the body of the entry that
    did so, and `outcome_entry` its number. Otherwise they are None and 0."""

    proposal: Proposal
    outcome_entry: int
    outcome: r.Record | None


def as_voted(campaign: Campaign, number: int) -> VotedProposal:
    """Return the proposal that was made in the entry `number`, with its votes and its outcome."""
    entry = campaign.ledger.read(number)
    made = record_in(entry)
    assert isinstance(made, r.ProposalRecord)
    votes: dict[str, r.Says] = {made.player: "yes"}
    outcome_entry, outcome = 0, None
    for later in campaign.ledger.entries(number + 1):
        record = record_in(later)
        if isinstance(record, r.VoteRecord) and record.proposal == number:
            votes[record.player] = record.says
        elif proposal_named(record) == number:
            outcome_entry, outcome = later.number, record
    found = Proposal(number, name_of(number, entry.hash), made.player, made.subject, made.about, "", votes)
    return VotedProposal(found, outcome_entry, outcome)


def outcome_data(campaign: Campaign, proposal: Proposal, number: int, outcome: r.Record) -> Facts:
    """Return the facts of the entry `number`, which carries out a proposal. The facts of the proposal are under
    `motion`."""
    facts = facts_of(outcome, campaign.public.settings.clock)
    if isinstance(outcome, r.ExtensionRecord):
        facts |= {"is_on": outcome.until == campaign.public.deadline, "stage": stage_before(campaign, number)}
    return {**facts, "motion": motion_data(proposal)}


def stage_before(campaign: Campaign, number: int) -> str:
    """Return the stage of the game before the entry `number`."""
    for entry in campaign.ledger.latest_entries("adjudication", "rollback"):
        record = record_in(entry)
        if entry.number < number and isinstance(record, r.AdjudicationRecord | r.RollbackRecord):
            return record.next.stage
    return ""
