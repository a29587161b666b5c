"""Proposals of players and votes on them: subjects, counting, and what an entry changes (docs/protocol.md, Proposals).

Everything follows from the ledger alone, so that anybody can count.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, cast

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entry_checks import bot_agreed
from pbem.campaign.ledger.proposal_facts import MovedDeadline, Proposal, SettledProposal, Settlement
from pbem.campaign.ledger.public_state import (
    BASIS,
    LATE_PROPOSALS,
    EarlierPosition,
    PublicState,
    unrevealed_parts,
)
from pbem.campaign.settings import Settings
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.writing import Value

PROPOSING = 5
"""First protocol in which players may propose something and vote on it."""

VOTED, RESIGNED = "the seats have voted for it", "the player has resigned"
"""Reasons in entries that carry a proposal out."""

NAME = 16
"""Number of digits of the entry's hash in the name of a proposal."""


class Subject(Struct, frozen=True):
    """Facts about one subject of proposals."""

    needs: Literal["all", "votes", "nobody"]
    """Seats that must agree: all people, as many people as the setting `votes` of `conduct` demands, or nobody but the
    proposer."""
    about: Literal["", "seat", "silent seat", "days", "span"] = ""
    """Kind of the text that a proposal on this subject has; empty if it has none. A `silent seat` is late with its
    orders, and has no vote on its own replacement."""


SUBJECTS: dict[str, Subject] = {
    "draw": Subject("all"),
    "standing": Subject("all"),
    "concede": Subject("all", about="seat"),
    "resign": Subject("nobody"),
    "time": Subject("votes", about="days"),
    "replace": Subject("votes", about="silent seat"),
    "clock": Subject("votes", about="span"),
}
"""Dict from each subject of proposals to the facts about it."""


def name_of(entry: int, fingerprint: str) -> str:
    """Return the name of a proposal in votes: the number of its entry, and the beginning of the entry's hash."""
    return f"{entry}-{fingerprint[:NAME]}"


def seats_counted(public: PublicState) -> tuple[str, ...]:
    """Return the seats whose votes count: the seats of people who have not resigned."""
    # Bots never prevent an end on which all people agree.
    return tuple(seat for seat, who in public.players.items() if not who.bot and seat not in public.resigned)


def voters_on(public: PublicState, proposal: Proposal) -> tuple[str, ...]:
    """Return the seats whose votes on a proposal count. A silent seat has no vote on its own replacement."""
    excluded = proposal.about if SUBJECTS[proposal.subject].about == "silent seat" else ""
    return tuple(seat for seat in seats_counted(public) if seat != excluded)


def must_all_agree(subject: str, rule: str) -> bool:
    """True if a proposal on a subject needs the votes of all seats that count. `rule` is the campaign's rule for votes
    (`Conduct.votes`)."""
    found = SUBJECTS[subject]
    return found.needs == "all" or (found.needs == "votes" and rule == "all")


def is_carried(public: PublicState, proposal: Proposal, undecided: Literal["yes", "no"] = "no") -> bool:
    """True if enough seats agree to a proposal. A seat that has not voted counts as voting `undecided`."""
    subject = SUBJECTS[proposal.subject]
    says = [proposal.votes.get(seat, undecided) == "yes" for seat in voters_on(public, proposal)]
    match subject.needs:
        case "nobody":
            return True
        case "all":
            return all(says)
    if subject.about == "silent seat":
        # Nobody can give away somebody else's seat without a second vote, not even if only two people are left.
        if sum(says) < 2:
            return False
    else:
        # A bot counts as a vote for more time, because it delays nobody and needs no time itself.
        says += [True for who in public.players.values() if who.bot]
    yes, count = sum(says), len(says)
    match public.settings.conduct.votes:
        case "majority":
            return 2 * yes > count
        case "two thirds":
            return 3 * yes >= 2 * count
        case "all":
            return yes == count
    return False


class VoteCount(Struct, frozen=True):
    """Votes on a proposal, as everybody may know them."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    awaited: tuple[str, ...]
    """Seats that have not voted; none if the proposal is carried."""
    needed: int
    """Number of seats that must agree to carry the proposal. If no number is enough, this is `voters` + 1."""
    voters: int
    """Number of seats whose votes count."""


def counted_votes(public: PublicState, proposal: Proposal) -> VoteCount:
    voters = voters_on(public, proposal)
    supposed = (replace(proposal, votes=dict.fromkeys(voters[:count], "yes")) for count in range(len(voters) + 1))
    needed = next((count for count, each in enumerate(supposed) if is_carried(public, each)), len(voters) + 1)
    carried = is_carried(public, proposal)
    return VoteCount(
        yes=tuple(seat for seat in voters if proposal.votes.get(seat) == "yes"),
        no=tuple(seat for seat in voters if proposal.votes.get(seat) == "no"),
        awaited=tuple(seat for seat in voters if seat not in proposal.votes and not carried),
        needed=needed,
        voters=len(voters),
    )


def seats_still_to_vote(public: PublicState) -> set[str]:
    """Return the seats whose votes on open proposals are awaited."""
    return {seat for each in public.proposals for seat in counted_votes(public, each).awaited}


def has_failed(public: PublicState, proposal: Proposal) -> bool:
    """True if a proposal cannot be carried any more, or if its proposer votes against it."""
    return proposal.votes[proposal.player] == "no" or not is_carried(public, proposal, undecided="yes")


def proposal_due(public: PublicState) -> Proposal | None:
    """Return the first carried proposal that need not wait. Return None if there is no such proposal. The next entry
    must carry this proposal out."""
    return next((each for each in public.proposals if is_carried(public, each) and not must_wait(public, each)), None)


def must_wait(public: PublicState, proposal: Proposal) -> bool:
    """True if a proposal gives a seat to a bot while the lock waits for sealed parts of this seat. The proposal must
    wait, because only the seat's present player can reveal them."""
    seat = seat_given(proposal)
    is_for_bot = bool(seat and bot_for_resigned(public.settings))
    return is_for_bot and public.locked and seat in unrevealed_parts(public)


def bot_for_resigned(settings: Settings) -> str:
    """Return the bot that takes the seat of a player who resigns or is voted out. Return an empty text if no bot
    does."""
    return bot_agreed(settings) if settings.conduct.resigned == "bot" else ""


def seat_given(proposal: Proposal) -> str:
    """Return the seat whose player a proposal replaces. Return an empty text if it replaces nobody."""
    return {"resign": proposal.player, "replace": proposal.about}.get(proposal.subject, "")


def outcome_of(public: PublicState, proposal: Proposal, key: str = "") -> r.Record:
    """Return the body of the entry that carries a proposal out. `key` is the key of the bot that takes a seat, if
    any."""
    if proposal.subject == "time":
        until = parse_moment(public.deadline or public.time) + timedelta(days=int(proposal.about))
        return r.ExtensionRecord(stamp(until), VOTED, proposal.entry)
    if (seat := seat_given(proposal)) and (bot := bot_for_resigned(public.settings)):
        why = RESIGNED if proposal.subject == "resign" else VOTED
        name = f"Bot {bot.partition('/')[0]}"
        return r.SubstituteRecord(seat, key, why, name, bot=bot, proposal=proposal.entry)
    if proposal.subject in ("replace", "clock"):
        return r.ResolutionRecord(proposal.entry, cast(r.Resolved, proposal.subject), proposal.about)
    winners = (proposal.about,) if proposal.subject == "concede" else ()
    return r.EndRecord(proposal.entry, cast(r.Ending, proposal.subject), winners)


def proposal_named(record: r.Record) -> int:
    """Return the entry of the proposal that a record carries out, or 0 if it carries out none."""
    kinds = r.EndRecord | r.ExtensionRecord | r.SubstituteRecord | r.ResolutionRecord
    return record.proposal if isinstance(record, kinds) else 0


def proposals_told(public: PublicState) -> list[dict[str, Value]]:
    """Return the open proposals as data for reports, with the seats that agree and those that have not voted."""
    return [
        {
            "name": each.name,
            "player": each.player,
            "subject": each.subject,
            "about": each.about,
            "until": each.until,
            "yes": list(count.yes),
            "awaited": list(count.awaited),
        }
        for each, count in ((each, counted_votes(public, each)) for each in public.proposals)
    ]


MOST_TOLD = 5
"""Most settled proposals that a report tells."""


def settled_told(public: PublicState) -> list[dict[str, Value]]:
    """Return the latest settled proposals as data for reports."""
    return [to_builtins(each) for each in public.settled[-MOST_TOLD:]]


def move_deadline(public: PublicState, record: r.ExtensionRecord) -> None:
    """Move the deadline as the record says. If a proposal asked for this, drop the proposal."""
    proposer = next((each.player for each in public.proposals if each.entry == record.proposal), "")
    public.deadline, public.moved = record.until, MovedDeadline(record.until, record.why, proposer)
    public.proposals = [each for each in public.proposals if each.entry != record.proposal]


def moved_told(public: PublicState) -> dict[str, Value]:
    """Return the latest change of the present deadline, as data for reports. Return an empty dict if the deadline was
    not moved."""
    return to_builtins(public.moved) if public.moved and public.moved.until == public.deadline else {}


def voting_told(public: PublicState) -> dict[str, Value]:
    """Return the facts about voting, resigned players and bots for a report. Empty values are left out. Return an empty
    dict if nobody can propose anything now."""
    if public.protocol < PROPOSING or public.phase != "running":
        return {}
    settings = public.settings
    follows = settings.conduct.resigned or "substitute"
    told: dict[str, Value] = {
        "votes": settings.conduct.votes or "none",
        "resigned": "substitute" if follows == "bot" and not bot_for_resigned(settings) else follows,
        "time": settings.clock.next,
        "host": settings.moderator.seat,
        "bots": [seat for seat, who in public.players.items() if who.bot],
        "gone": list(public.resigned),
    }
    return {key: value for key, value in told.items() if value}


def add_proposal(public: PublicState, number: int, time: str, record: r.ProposalRecord, fingerprint: str) -> None:
    """Add a proposal, with its seat's own vote for it, in place of an open proposal of this seat. `number`, `time` and
    `fingerprint` are those of the proposal's entry. If a player wishes to resign and no bot can take the seat, nothing
    is proposed: the player gives the seat up at once."""
    until = stamp(parse_moment(time) + timedelta(days=record.days))
    name = name_of(number, fingerprint)
    if record.subject == "resign" and not bot_for_resigned(public.settings):
        # Until somebody has the seat, the player may still write.
        give_up(public, record.player)
        return
    drop_replacements(public, record.player)
    mine = Proposal(number, name, record.player, record.subject, record.about, until, {record.player: "yes"})
    public.proposals = [each for each in public.proposals if each.player != record.player] + [mine]


def add_vote(public: PublicState, record: r.VoteRecord) -> None:
    """Count a vote in place of an earlier vote of the same seat. Drop the proposal if it has failed (`has_failed`).
    Also drop proposals to replace the voter."""
    drop_replacements(public, record.player)
    found = []
    for each in public.proposals:
        if each.entry == record.proposal:
            each = replace(each, votes={**each.votes, record.player: record.says})
            if has_failed(public, each):
                continue
        found.append(each)
    public.proposals = found


def leave_position(public: PublicState, time: str, *, turns_back: bool) -> None:
    """Add the present position to the earlier positions, because the game leaves it. If the game turns back, forget all
    earlier positions instead."""
    if turns_back:
        public.positions = []
    elif public.next and public.protocol >= LATE_PROPOSALS:
        public.positions = [*public.positions, EarlierPosition(public.next.stage, public.basis[:BASIS], time)]


def note_settled(public: PublicState, before: list[Proposal], time: str, record: r.Record) -> None:
    """Note the proposals that an entry has settled. `before` has the proposals that were open before the entry; those
    that are not open any more are settled."""
    still_open = {each.entry for each in public.proposals}
    for each in before:
        if each.entry not in still_open:
            how, by = settled_how(each, time, record)
            subject = cast(r.SubjectName, each.subject)
            facts = SettledProposal(each.name, each.player, subject, each.about, how, public.entry, by)
            public.settled = [*public.settled, facts]


def settled_how(proposal: Proposal, time: str, record: r.Record) -> tuple[Settlement, str]:
    """Return the way in which an entry has settled a proposal, such as `carried` or `failed`. Also return the seat
    whose vote made it fail; this is an empty text if it did not fail."""
    if proposal_named(record) == proposal.entry:
        return "carried", ""
    if isinstance(record, r.VoteRecord) and record.proposal == proposal.entry:
        return "failed", record.player
    return "lapsed" if proposal.until < time else "dropped", ""


def drop_late(public: PublicState, time: str) -> None:
    """Drop the proposals whose time is over, except carried proposals that must wait."""
    if public.proposals:
        public.proposals = [
            each
            for each in public.proposals
            if each.until >= time or (must_wait(public, each) and is_carried(public, each))
        ]


def drop_votes_of(public: PublicState, seat: str) -> None:
    """Drop the proposal and the votes of the former player of a seat, and proposals to replace that player."""
    drop_replacements(public, seat)
    public.proposals = [
        replace(each, votes={who: says for who, says in each.votes.items() if who != seat})
        for each in public.proposals
        if each.player != seat
    ]


def drop_replacements(public: PublicState, seat: str) -> None:
    """Drop the proposals to replace the player of a seat."""
    public.proposals = [each for each in public.proposals if (each.subject, each.about) != ("replace", seat)]


def give_up(public: PublicState, seat: str) -> None:
    """Note that a seat has no player, after a resignation or a vote. Drop the former player's proposals and votes, and
    proposals to replace that player."""
    public.resigned.append(seat)
    drop_votes_of(public, seat)


def resolve(public: PublicState, record: r.ResolutionRecord) -> None:
    """Carry out a proposal: a player loses the seat, or the time for each stage changes."""
    public.proposals = [each for each in public.proposals if each.entry != record.proposal]
    if record.subject == "replace":
        give_up(public, record.about)
    else:
        settings = public.settings
        public.settings = replace(settings, clock=replace(settings.clock, next=record.about))


def end_game(public: PublicState, record: r.EndRecord) -> None:
    """End the game as the seats have agreed. Nobody owes anything any more, and open proposals are dropped."""
    assert public.next is not None
    public.phase, public.ended, public.proposals, public.deadline = "over", record, [], ""
    public.next = replace(public.next, owing={}, answered=())


def wrong_with_outcome(public: PublicState, record: r.Record) -> Wrong | None:
    """Return a fault if an entry does not fit the votes so far, else None. An entry may not carry out a proposal that
    is not carried. No other entry may come before a carried proposal is carried out. After an agreed end the game may
    not go on. `public` is the state before the entry."""
    if public.ended and isinstance(record, r.AdjudicationRecord | r.LockRecord | r.ExtensionRecord):
        return wrong("E-VERIFY-PROPOSAL.ended")
    due, said = proposal_due(public), proposal_named(record)
    # An entry that corrects the clock may come first. It may also come after the last letter of an agreement.
    if due is None or isinstance(record, r.ClockRecord):
        is_outcome = said or isinstance(record, r.EndRecord | r.ResolutionRecord)
        return wrong("E-VERIFY-PROPOSAL.not-carried", entry=said) if is_outcome else None
    key = record.key if isinstance(record, r.SubstituteRecord) else ""
    return None if record == outcome_of(public, due, key) else wrong("E-VERIFY-PROPOSAL.due", entry=due.entry)
