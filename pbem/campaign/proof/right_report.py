"""Values that a correct report has, computed from the ledger and the position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import asdict, replace

from pbem.campaign.clock.bank import accounts
from pbem.campaign.clock.timing import orders_now
from pbem.campaign.ledger.proposals import moved_told, proposals_told, settled_told, voting_told
from pbem.campaign.ledger.public_state import BASIS, PublicState
from pbem.campaign.ledger.records import ProposalRecord
from pbem.campaign.letters.letterbox import state_of
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.proof.hands import Evidence
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.nouns import Power
from pbem.engine.table import Table, powers_of_player
from pbem.kit import game_of
from pbem.paper.agreements import Deal
from pbem.paper.documents.writing import Value
from pbem.paper.orders.files import section_of


def campaign_words(evidence: Evidence, report: Guidance) -> dict[str, Value]:
    """Return the values about the campaign that a correct report has, each under its key."""
    public = evidence.public
    settings, following = public.settings, public.next
    places = (*settings.seats, OBSERVER, MODERATOR)
    banks = {seat: {**asdict(account)} for seat, account in accounts(public).items()}
    found: dict[str, Value] = {
        "from": MODERATOR,
        "to": report.seat if report.seat in places else "one of the players",
        "terms": dict(settings.terms),
        "signing": settings.conduct.signing,
        "sealing": settings.conduct.sealing,
        "version": public.version,
        "phase": public.phase,
        "digest": following.digest if following else "",
        "locked": public.locked,
        "deadline": public.deadline if tells_owed(evidence, report) else "",
        "next-seq": public.seqs.get(report.seat, 0) + 1,
        "stage": following.stage if following else "",
        "basis": public.basis[:BASIS],
        "seq": public.entry,
        "proposals": proposals_told(public) or "",
    }
    # Only later versions write these keys into reports.
    found |= {"turned-back": public.turned_back or ""} if "since" in report.said else {}
    found |= {"voting": voting_told(public) or ""} if "voting" in report.said else {}
    found |= {"ended": end_told(evidence)} if "ended" in report.said else {}
    found |= {"moved": moved_told(public) or ""} if report.moved else {}
    if told := report.settled:
        # Only the latest proposals are compared. The report leaves out proposals that were settled under a program
        # without this key.
        found |= {"settled": settled_told(public)[-len(told) :]}
    return found | {"bank": banks} if banks else found


def end_told(evidence: Evidence) -> Value:
    """Return the end of the game to which the seats have agreed, as a report tells it; empty if there is none."""
    if (ended := evidence.public.ended) is None:
        return ""
    motion = evidence.entries[ended.proposal - 1][1]
    assert isinstance(motion, ProposalRecord)
    proposed: Value = {"player": motion.player, "subject": motion.subject, "about": motion.about}
    return {"how": ended.how, "winners": list(ended.winners), "motion": proposed}


def tells_owed(evidence: Evidence, report: Guidance) -> bool:
    """True if a correct report tells the owed orders and their deadline. After the close, a report may leave out both
    or tell both."""
    return evidence.public.phase != "closed" or bool(report.said.get("owing") or report.said.get("deadline"))


def names_of(public: PublicState) -> dict[str, Value]:
    """Return a dict from each seat to the name of its player, which is empty for a free seat."""
    players = public.players
    return {seat: players[seat].name if seat in players else "" for seat in public.settings.seats}


def says_deals(said: Sequence[Deal], right: Sequence[Deal]) -> bool:
    """True if a report names the same agreements as the ledger. Words with invisible characters are not compared."""
    pairs = zip(said, right, strict=False)
    alike = (told == (deal if deal.words.isprintable() else replace(deal, words=told.words)) for told, deal in pairs)
    return len(said) == len(right) and all(alike)


def powers_of(table: Table, reader: str) -> tuple[Power, ...]:
    """Return the powers whose secrets a reader knows. The moderator knows the secrets of all powers, a player those of
    the player's own powers, and other readers none."""
    return table.rules.powers if reader == MODERATOR else powers_of_player(table, reader)


def owing_now(evidence: Evidence, table: Table) -> dict[str, Value]:
    """Return the players who owe orders, with their powers and the state of the orders, in the form of `owing` in
    reports."""
    powers: dict[str, list[Value]] = {}
    states: dict[str, str] = {}
    public = evidence.public
    for orders in orders_now(public):
        theirs = powers_of(table, orders.player) if orders.power in public.players else (orders.power,)
        powers.setdefault(orders.player, []).extend(theirs)
        states[orders.player] = state_of(orders)
    return {player: {"powers": powers[player], "state": states[player]} for player in powers if powers[player]}


def sections_asked(table: Table, powers: Iterable[Power]) -> dict[str, Value]:
    """Return the sections of orders that each of these powers owes. Powers that owe none are left out."""
    found: dict[str, list[Value]] = {}
    for decision in game_of(table).decisions(table):
        if decision.power in powers:
            found.setdefault(decision.power, []).append(section_of(table, decision))
    return {**found}
