"""Checks of a player's proposals and votes before they are sent, and the consequences of resigning."""

from __future__ import annotations

from pbem.campaign.clock.clock import Clock
from pbem.campaign.ledger.proposal_facts import Proposal
from pbem.campaign.ledger.proposals import PROPOSING
from pbem.campaign.ledger.public_state import Player, PublicState
from pbem.campaign.letters.joining import LetterVerdict, text_of
from pbem.campaign.letters.proposing import READERS
from pbem.campaign.players.guidance import Guidance, ReportedVoting
from pbem.campaign.settings import Conduct, Moderator, Settings
from pbem.faults.wrong import Wrong
from pbem.paper.letters import Letter


def motion_faults(seen: Guidance, letter: Letter) -> list[Wrong]:
    """Return the faults that the moderator will find in a proposal or a vote, as far as the report shows them. Lateness
    is not checked."""
    if seen.voting is None:
        return []
    verdict = LetterVerdict(letter=letter)
    READERS[letter.kind](public_told(seen, seen.voting), letter, verdict)
    return verdict.faults


def public_told(seen: Guidance, voting: ReportedVoting) -> PublicState:
    """Return a public state, filled from a report with all that is needed to judge proposals and votes. All other
    fields are empty or invented."""
    conduct = Conduct(votes=voting.votes, resigned=voting.resigned)
    settings = Settings(seen.campaign, {}, {}, Moderator(seat=voting.host), conduct, Clock(next=voting.time))
    players = {
        seat: Player("", name, "", bot=seat if seat in voting.bots else "") for seat, name in seen.players.items()
    }
    proposals = [
        Proposal(0, each.name, each.player, each.subject, each.about, each.until, {}) for each in seen.proposals
    ]
    return PublicState(
        settings,
        "",
        "",
        protocol=PROPOSING,
        players=players,
        phase="running",
        resigned=list(voting.gone),
        proposals=proposals,
        settled=list(seen.settled),
    )


RESIGNING = {"substitute": "resigning-substitute", "bot": "resigning-bot", "hold": "resigning-hold"}
"""Dict from each kind of successor to the key of a sentence. The sentence tells what happens after a resignation."""


def resigning_key(seen: Guidance) -> str:
    """Return the key of the sentence that tells what happens if the reader resigns."""
    return RESIGNING[seen.voting.resigned] if seen.voting else "resigning"


def consequence_key(seen: Guidance, letter: Letter) -> str:
    """Return the key of the sentence that tells what happens if the letter's writer resigns by this letter. Return an
    empty text for any other letter."""
    is_resigning = letter.kind == "proposal" and text_of(LetterVerdict(), letter.body, "subject") == "resign"
    return resigning_key(seen) if is_resigning else ""
