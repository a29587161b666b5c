"""Head of a letter, for a receipt of orders that came without one."""

from __future__ import annotations

from pbem.campaign.ledger.public_state import BASIS, PublicState
from pbem.campaign.play.adjudicating import Receipt

HEADLESS = "E-TEXT-HEAD.orders"
"""Key of the fault of orders without the lines that make them a letter."""


def head_lines(public: PublicState, receipt: Receipt) -> dict[str, str]:
    """Return stage, basis and number for the head of orders that came without one; empty for other letters. The caller
    has found that orders are asked of the player. Basis and number are left empty if players do not sign."""
    if not public.next or all(fault.message.key != HEADLESS for fault in receipt.verdict.faults):
        return {}
    if public.settings.conduct.signing == "off":
        return {"stage": public.next.stage, "basis": "", "seq": ""}
    seq = public.seqs.get(receipt.player, 0) + 1
    return {"stage": public.next.stage, "basis": public.basis[:BASIS], "seq": str(seq)}
