"""Data about late orders: the stage that was carried out without them, the answers that were used instead, and the
moment until which orders are awaited, and of whom."""

from __future__ import annotations

from itertools import islice

from msgspec.structs import replace

from pbem.campaign.briefing import owed_by_power
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import span
from pbem.campaign.clock.deadlines import end_of_grace
from pbem.campaign.clock.timing import orders_now, stage_clock
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry, record_in
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.letters.arrived import TakenIn
from pbem.campaign.letters.letterbox import need_not_wait_for
from pbem.campaign.letters.replaced_orders import has_plans_in_force
from pbem.campaign.play.adjudicating import Receipt
from pbem.faults.wrong import Wrong
from pbem.paper.letter_kinds import STAGED
from pbem.paper.letters import Letter
from pbem.report.letters.entries import Facts, local_time
from pbem.report.letters.reader import owing_data

OF_OLD_SHEETS = ("E-LETTER-STAGE", "E-LETTER-BASIS")
"""Codes of faults that mean that a letter was written on the sheet of an older report than the newest."""

OF_ORDERS = ("orders", "reveal")
"""Kinds of letters that contain orders or reveal them."""

LOOKED_BACK = 100
"""Number of positions, counted back from the present one. Among these, the position that a late letter answers is
looked for."""


def late_data(campaign: Campaign, receipt: Receipt) -> Facts:
    """Return data about the adjudication for which refused orders came too late. Return an empty dict for any other
    letter.

    `is_past` means that the stage is over. `instead` is the result of `answered_instead`. `has_come_back` means that
    orders of the player were sent back. `has_plans` means that the player has plans that apply now.
    """
    letter = receipt.verdict.letter
    codes = {fault.code for fault in receipt.verdict.faults}
    is_old = not codes.isdisjoint(OF_OLD_SHEETS) and "E-LETTER-TWICE" not in codes
    if receipt.status != "refused" or letter is None or letter.kind not in OF_ORDERS or not is_old:
        return {}
    missed = missed_adjudication(campaign, letter)
    if missed is None:
        return {}
    entry, record = missed
    return {
        "stage": record.stage,
        "time": local_time(entry.time, campaign.settings.clock),
        "entry": entry.number,
        "is_past": record.stage != (campaign.public.next.stage if campaign.public.next else ""),
        "instead": answered_instead(campaign, receipt.player, entry, record),
        "has_come_back": receipt.player in record.returned,
        "has_plans": has_plans_in_force(campaign.state, receipt.player),
    }


def stage_over(campaign: Campaign, receipt: Receipt, taken: TakenIn) -> str:
    """Return the stage of a refused letter if it is over. Return an empty text if it goes on, or is still to come. A
    letter that cannot be read is of the stage in which it came."""
    public, letter = campaign.public, receipt.verdict.letter
    if receipt.status != "refused" or kind_of(receipt) not in STAGED:
        return ""
    now = public.next.stage if public.next and public.phase == "running" else ""
    meant = letter.stage if letter else taken.stage
    if meant == now:
        return ""
    for entry in islice(campaign.ledger.latest_entries(*r.MOVING), LOOKED_BACK):
        record = record_in(entry)
        if not isinstance(record, r.AdjudicationRecord) or record.stage == meant:
            return meant if isinstance(record, r.AdjudicationRecord) else ""
    return ""


def kind_of(receipt: Receipt) -> str:
    """Return the kind of a letter, even if the letter was refused unread."""
    letter = receipt.verdict.letter
    return letter.kind if letter else receipt.claimed_kind


def stale_kind(receipt: Receipt, *, has_gone_on: bool, is_locked: bool) -> str:
    """Return `orders` or `other` if a refused letter need not be corrected, because its sheet is old or the game
    `has_gone_on`. Return `locked` for orders and plans while orders are locked, and an empty text for any other
    letter."""
    kind, is_old = kind_of(receipt), any(fault.code in OF_OLD_SHEETS for fault in receipt.verdict.faults)
    if receipt.status != "refused" or kind not in STAGED:
        return ""
    if is_locked and kind in ("orders", "plan"):
        return "locked"
    return ("orders" if kind in OF_ORDERS else "other") if is_old or has_gone_on else ""


def at_present_stage(fault: Wrong, public: PublicState) -> Wrong:
    """Return the fault of a letter for another stage with the stage that runs now. The game may have gone on since the
    letter was judged. Return any other fault unchanged."""
    gaps, now = dict(fault.message.gaps), public.next.stage if public.next else ""
    if fault.message.key != "E-LETTER-STAGE.other" or now in ("", gaps["stage"]):
        return fault
    return replace(fault, message=replace(fault.message, gaps=tuple((gaps | {"now": now}).items())))


def missed_adjudication(campaign: Campaign, letter: Letter) -> tuple[Entry, r.AdjudicationRecord] | None:
    """Return the adjudication for which a letter came too late: the first after the position that the letter answers.
    The letter names this position as its basis. A letter that names no basis, or the present one, answers the latest
    position of its stage.

    Return None if the seat was not asked for orders in that position. Also return None if the position is not found,
    because it is too old or because the game has gone back since.
    """
    stage = campaign.public.next.stage if campaign.public.next else ""
    after: tuple[Entry, r.AdjudicationRecord] | None = None
    for entry in islice(campaign.ledger.latest_entries(*r.MOVING), LOOKED_BACK):
        record = record_in(entry)
        asked = record.next.owing if isinstance(record, r.AdjudicationRecord | r.RollbackRecord) else {}
        is_of_stage = after is not None and after[1].stage == letter.stage != stage
        if after and (is_of_stage if has_present_basis(campaign, letter) else entry.hash.startswith(letter.basis)):
            return after if letter.sender in asked else None
        if not isinstance(record, r.AdjudicationRecord):
            return None
        after = entry, record
    return None


def has_present_basis(campaign: Campaign, letter: Letter) -> bool:
    """True if a letter names the present basis. A letter that names no basis gets the present one, so the result is
    True for it as well."""
    return not letter.basis or campaign.public.basis.startswith(letter.basis)


def answered_instead(campaign: Campaign, player: str, entry: Entry, record: r.AdjudicationRecord) -> str:
    """Return the source of a player's answers in an adjudication: `defaults`, `orders`, `plans`, or an empty text.
    `record` is the body of its entry.

    If both orders and plans were used, the source is `orders` only if the orders came after the adjudication before;
    otherwise it is `plans`.
    """
    if player in record.absent:
        return "defaults"
    used = [(number, record_in(campaign.ledger.read(number))) for number in record.used]
    own = [(number, each.kind) for number, each in used if isinstance(each, r.LetterRecord) and each.player == player]
    earlier = (each.number for each in campaign.ledger.latest_entries(*r.MOVING) if each.number < entry.number)
    since, kinds = next(earlier, 0), {kind for _, kind in own}
    if ("orders" in kinds and "plan" not in kinds) or any(kind == "orders" and at > since for at, kind in own):
        return "orders"
    return "plans" if "plan" in kinds else ""


def is_to_correct(receipt: Receipt) -> bool:
    """True for a refused letter for whose correction the stage may wait. Only letters of orders or plans are waited
    for, and a letter that cannot be read may be of these."""
    letter = receipt.verdict.letter
    return receipt.status == "refused" and (letter is None or letter.kind in (*OF_ORDERS, "plan"))


def wait_data(campaign: Campaign, player: str) -> Facts:
    """Return the moment until which the stage waits for a player whose letter was refused (`awaited_until`). This is
    the deadline. If orders of the player are missing, it is the end of the grace after the deadline. It is None if
    there is no deadline, or if the stage waits for missing orders without end.

    `awaited_parts` has the names of the times that are added to the deadline: `bank`, `grace`.
    """
    public = campaign.public
    own = [orders for orders in orders_now(public) if orders.player == player]
    clock, is_missing = public.settings.clock, not all(need_not_wait_for(each, drafts_count=True) for each in own)
    if not player or not public.deadline or (is_missing and clock.at_deadline == "wait"):
        return {"awaited_until": None, "awaited_parts": []}
    stage = stage_clock(campaign)
    parts = [name for name, time in (("bank", stage.bank), ("grace", span(clock.grace))) if is_missing and time]
    end = end_of_grace(clock, stage) if is_missing else stage.deadline
    return {"awaited_until": local_time(end, clock), "awaited_parts": parts}


def waited_for(campaign: Campaign, corrector: str) -> list[dict[str, object]]:
    """Return the players for whom the stage waits, with the state of their orders. The state of the seat `corrector`,
    whose corrected letter is awaited, is `none yet`. If the text is empty, no corrected letter is awaited."""
    if campaign.public.phase != "running":
        return []
    owing = [
        each | ({"state": "none yet"} if each["player"] == corrector else {})
        for each in owing_data(owed_by_power(campaign))
    ]
    return [each for each in owing if each["state"] not in ("final", "nothing required")]
