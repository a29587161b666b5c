"""Letters of a bot that stands in for a player who is away: by which key they are known, and what they may be."""

from __future__ import annotations

from pbem.campaign.ledger.public_state import AbsentDays, PublicState, stands_in
from pbem.campaign.letters.verdicts import LetterVerdict
from pbem.faults.wrong import wrong
from pbem.paper.letters import Letter, check_signature
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

KINDS = ("orders", "reveal")
"""What such a bot writes."""


def bot_of(public: PublicState, letter: Letter) -> str:
    """The bot that has written a letter; nothing for what no bot has signed that stood in for its sender."""
    own = public.players[letter.sender].key
    others = [away for away in public.absences if away.player == letter.sender and away.bot and away.key != own]
    return next((away.bot for away in others if letter.signature and has_signed(away, letter)), "")


def has_signed(away: AbsentDays, letter: Letter) -> bool:
    """Whether a letter is signed with the key of the bot that stands in on these days."""
    try:
        check_signature(letter, PublicKey.parse(away.key))
    except SealFault:
        return False
    return True


def check_bot(public: PublicState, letter: Letter, verdict: LetterVerdict) -> None:
    """It orders where its player has not, as long as they are away, and shows what it has sealed; that is all."""
    if letter.kind not in KINDS:
        verdict.refuse(wrong("E-LETTER-KIND.letter", kind=letter.kind, kinds=KINDS))
        return
    pending = public.pending.get(letter.sender)
    if letter.kind == "orders":
        is_due = pending is None and bool(stands_in(public, letter.sender))
    else:
        is_due = pending is not None and pending.entry == public.by_bots.get(letter.sender)
    if not is_due:
        verdict.refuse(wrong("E-LETTER-BOT", seat=letter.sender))
