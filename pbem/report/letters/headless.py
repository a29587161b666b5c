"""Head that a letter should have had. It is shown in the receipt if orders came without a head."""

from __future__ import annotations

from pbem.campaign.ledger.public_state import BASIS, PublicState
from pbem.campaign.play.adjudicating import Receipt

HEADLESS = "E-TEXT-HEAD.orders"
"""Key of the fault that orders came without the lines that make them a letter."""


def head_lines(public: PublicState, receipt: Receipt) -> dict[str, str]:
    """Return the stage, basis and number that belong into the head, if orders came without one. Return an empty dict
    for any other letter. The caller must have checked that the player is asked for orders. Basis and number are empty
    if players do not sign their letters."""
    if not public.next or all(fault.message.key != HEADLESS for fault in receipt.verdict.faults):
        return {}
    if public.settings.conduct.signing == "off":
        return {"stage": public.next.stage, "basis": "", "seq": ""}
    seq = public.seqs.get(receipt.player, 0) + 1
    return {"stage": public.next.stage, "basis": public.basis[:BASIS], "seq": str(seq)}
