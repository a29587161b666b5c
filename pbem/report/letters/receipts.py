"""Receipts as data: what the moderator answers to a letter, and what the letter's writer must still send."""

from __future__ import annotations

from collections.abc import Collection

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.clock.deadlines import end_of_grace
from pbem.campaign.clock.timing import orders_now, readiness, stage_clock
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.public_state import seq_key
from pbem.campaign.ledger.records import AdjudicationRecord, LetterRecord
from pbem.campaign.letters.arrived import NO_LETTER, TakenIn, is_of_words, taken_in
from pbem.campaign.letters.heads import LAPSED
from pbem.campaign.letters.joining import wrong_with_language
from pbem.campaign.letters.letterbox import entry_of, state_of
from pbem.campaign.letters.proposing import SETTLED
from pbem.campaign.letters.replaced_orders import has_attacks_left, has_plans_in_force
from pbem.campaign.play.adjudicating import Receipt
from pbem.campaign.settings import NOBODY, Seat
from pbem.faults.wrong import Wrong
from pbem.paper.documents.faults import MOST_FAULTS, Fault, by_place
from pbem.paper.documents.strict import Text
from pbem.paper.letters import Letter, was_damaged
from pbem.paper.library import game_of_terms
from pbem.report.letters.agreed import agreement_data, open_offers
from pbem.report.letters.entries import (
    FORMAT,
    Facts,
    local_time,
    moderator_data,
    ready_data,
    report_language,
)
from pbem.report.letters.late import (
    OF_OLD_SHEETS,
    at_present_stage,
    is_to_correct,
    late_data,
    stage_over,
    stale_kind,
    wait_data,
    waited_for,
)
from pbem.report.letters.lines_to_copy import head_lines, message_lines
from pbem.report.letters.reader import sections_asked
from pbem.report.letters.repeated import repeated_data, replaced_data
from pbem.report.letters.votes import result_data, votes_asked

OF_PLANS = ("plan", "reveal")
"""Kinds of letters that a seat may send even if nothing is asked of it. The receipt then gives the status `final` in
place of `partial`."""


def receipt_data(
    campaign: Campaign, receipt: Receipt, taken: TakenIn | None = None, held_for: Collection[str] = ()
) -> dict[str, object]:
    """Return the receipt of a letter. `taken` has facts about the game at the moment when the letter was taken; None
    means that it was taken just now. `held_for` has the seats for whose corrected letters the office waits."""
    public, verdict = campaign.public, receipt.verdict
    taken = taken or taken_in(public, receipt.player)
    is_player = receipt.player in public.players
    letter, language, status = verdict.letter, language_of_receipt(campaign, receipt), receipt.status
    # Letters that take a seat and votes have no secrets, even if their signature is missing.
    kind = letter.kind if letter and (verdict.held or letter.kind in ("join", "vote")) else ""
    if status == "partial" and letter and letter.kind in OF_PLANS and not taken.is_asked:
        # The ledger only says that the plans do not answer what is asked. In this case nothing is asked of the seat.
        status = "final"
    seen = outlook(campaign, receipt, taken, held_for)
    is_lapsed = any(fault.message.key in OF_NO_USE for fault in verdict.faults)
    is_done, is_useless = bool(seen["is_carried_out"]), bool(is_lapsed or seen["stale"])
    is_old = bool(late := late_data(campaign, receipt)) or taken.is_over(public)
    return {
        "format": FORMAT,
        "kind": "receipt",
        "language": language,
        "campaign": public.settings.campaign,
        "game": game_of_terms(public.settings.terms),
        "player": receipt.player,
        "name": campaign.person(receipt.player).name if is_player else NOBODY.name,
        "moderator": moderator_data(public.settings, public.moderator),
        "letter": receipt.letter,
        "raw": receipt.raw,
        "letter_kind": kind,
        "seq": letter.seq if verdict.held and letter else 0,
        "letter_stage": letter.stage if letter else "",
        "status": status,
        "is_waiting": status not in ("refused", "known")
        and isinstance(verdict.record, LetterRecord)
        and verdict.record.wait,
        **replaced_data(campaign, receipt if status not in ("refused", "known") else None),
        **repeated_data(campaign, receipt, kind, language),
        "acted": verdict.acted,
        "entry": receipt.entry,
        "head": {"entry": campaign.vault.entry, "hash": campaign.vault.hash},
        "missing": list(verdict.missing),
        "sections": sections_asked(campaign, receipt.player) if verdict.missing and not seen["has_gone_on"] else {},
        "is_settled": False,
        "is_lapsed": is_lapsed,
        "is_damaged": was_damaged({fault.code for fault in verdict.faults}, kind),
        "is_words": is_of_words(receipt),
        "is_unfilled": bool(seen["votes"]) and any(each.message.key == "E-TEXT-NONE.vote" for each in verdict.faults),
        "head_lines": head_lines(public, receipt) if seen["is_asked"] and seen["owes"] != "reveal" else {},
        "message_lines": message_lines(public, receipt),
        "has_words": all(fault.message.key not in NO_WORDS for fault in verdict.faults),
        "is_seated": is_player,
        "signing": public.settings.conduct.signing,
        "has_votes": (public.settings.conduct.votes or "none") != "none",
        "time_vote": next((each.name for each in public.proposals if each.subject == "time"), ""),
        "late": late,
        "faults": [
            fault_data(fault, language, receipt, is_old, is_settled=is_done if fault.is_warning else is_useless)
            for fault in (at_present_stage(each, public) for each in faults_told(receipt))
        ],
        **seen,
    }


OF_NO_USE = (*LAPSED["agreement"], *SETTLED.values(), "E-VOTE-LATE", "E-JOIN-TAKEN", "E-JOIN-TAKEN.own")
"""Keys of faults in letters that would be of no use even if they were corrected: agreements, votes, and letters that
join a campaign."""


def outlook(campaign: Campaign, receipt: Receipt, taken: TakenIn, held_for: Collection[str] = ()) -> dict[str, object]:
    """Return what a receipt says about the present: open votes and offers, the deadline, and the orders that the player
    must still send. If the game has gone on since the letter came, the deadline and the orders are left out."""
    public, clock = campaign.public, campaign.public.settings.clock
    force = campaign.state.orders_in_force.get(receipt.player)
    is_in_force = force is not None and force.entry == receipt.entry
    has_cards_left = force is not None and is_in_force and force.has_cards_left
    # If the letter was refused, has no entry, or brings orders that still wait, the receipt tells what is asked now.
    pending = public.pending.get(receipt.player) if public.phase == "running" and not public.locked else None
    is_pending = pending is not None and pending.entry == receipt.entry and not has_cards_left
    has_gone_on = receipt.status != "refused" and taken.is_over(public) and not is_pending
    ready = readiness(campaign) if not has_gone_on else None
    asked = [
        {"power": orders.power, "state": state_of(orders)}
        for orders in orders_now(campaign.public)
        if orders.player == receipt.player
    ]
    stale = stale_kind(receipt, has_gone_on=taken.is_over(public), is_locked=public.locked)
    return {
        "stage": taken.stage if has_gone_on else public.next.stage if public.next else "",
        "has_gone_on": has_gone_on,
        "is_ended": public.phase in ("over", "closed"),
        "is_carried_out": has_gone_on and taken.since != public.since,
        "has_cards_left": has_cards_left,
        "has_attacks_left": is_in_force and has_attacks_left(campaign.state, receipt.player),
        "is_sent_back": has_gone_on and is_sent_back(campaign, receipt.player, taken.entry),
        "deadline": local_time(parse_moment(public.deadline), clock) if public.deadline and not has_gone_on else None,
        "is_reached": (is_reached := is_deadline_reached(campaign)),
        "late_until": late_until_of(campaign) if is_reached and not has_gone_on else None,
        "ready": ready_data(ready, clock),
        "is_held": bool(held_for) and ready is not None,
        "is_awaited": (is_awaited := is_to_correct(receipt) and receipt.player in held_for),
        **wait_data(campaign, receipt.player if is_awaited else ""),
        "owed": asked if not has_gone_on else [],
        "waited_for": waited_for(campaign, receipt.player if is_awaited else "") if not has_gone_on else [],
        "owes": debt_in(asked),
        "stale": stale,
        "stage_over": stage_over(campaign, receipt, taken),
        "newest": newest_report(campaign, receipt.player) if has_gone_on or stale else 0,
        "is_counting": is_counting(asked)
        and (receipt.player in public.pending or receipt.player not in campaign.state.plans),
        "may_repeat": may_repeat(campaign, receipt.player),
        "is_incomplete": (before := public.pending.get(receipt.player)) is not None and before.status == "partial",
        "next_seq": next_free_number(campaign, receipt, debt_in(asked)),
        "has_plans": has_plans_in_force(campaign.state, receipt.player),
        "is_asked": any(each["state"] != "nothing required" for each in asked),
        "is_game_over": public.phase == "over",
        "is_due": is_due(campaign) and not held_for,
        "is_open": any(each.entry == receipt.entry for each in public.proposals),
        "votes": votes_asked(campaign, receipt.player),
        "result": result_data(campaign, receipt.entry),
        "offers": offers_to(campaign, receipt.player) if is_of_words(receipt) else [],
        "agreement": agreement_data(campaign, receipt, language_of_receipt(campaign, receipt), has_gone_on),
    }


def is_sent_back(campaign: Campaign, seat: str, since: int) -> bool:
    """True if, after the entry `since`, orders of the seat proved impossible and were sent back to the player."""
    for entry in campaign.ledger.latest_entries("adjudication"):
        if entry.number <= since:
            break
        record = record_in(entry)
        if isinstance(record, AdjudicationRecord) and seat in record.returned:
            return True
    return False


def newest_report(campaign: Campaign, seat: str) -> int:
    """Return the number of the newest report to a seat. This is the number of the last ledger entry that it covers.
    Return 0 if there is no report."""
    told = campaign.vault.told_to(seat).public
    return told.entry if seat in campaign.public.players and told.next else 0


def language_of_receipt(campaign: Campaign, receipt: Receipt) -> str:
    """Return the language of the seat's player, or for a person without a seat that of `language_of_stranger`."""
    if receipt.player in campaign.public.players:
        return report_language(campaign.person(receipt.player).language or "en")
    invited = campaign.settings.seats.get(receipt.player, Seat()).language
    return report_language(language_of_stranger(receipt.verdict.letter, invited))


def fault_data(fault: Wrong, language: str, receipt: Receipt, is_old: bool, *, is_settled: bool) -> dict[str, object]:
    """Return the data of a fault in a receipt, with its line in the refused letter.

    The hint is left empty if the receipt itself explains the fault, or if the fault comes from an old sheet and the
    letter's sheet is old (`is_old`). `is_settled` means that the fault no longer matters. Then warnings, and faults of
    the letter's number, have no hint either.
    """
    data: dict[str, object] = {**fault.data(language), "warns": fault.is_warning}
    data["quote"] = receipt.quotes.get(fault.line, "") if isinstance(fault, Fault) else ""
    is_said = fault.code in NO_LETTER if is_of_words(receipt) else is_old and fault.code in OF_OLD_SHEETS
    is_idle = is_settled and (fault.is_warning or fault.code in OF_NUMBERS)
    return data | {"hint": ""} if is_said or is_idle else data


NO_WORDS = ("E-TEXT-EMPTY", "E-TEXT-NONE.quoted")
"""Keys of faults of a mail in which the writer has written nothing."""

OF_NUMBERS = ("E-LETTER-SEQ", "E-LETTER-OLD")
"""Codes of faults after which a letter needs a higher number."""

OF_REPLACED = ("W-PLAN-REPLACED", "W-AHEAD-REPLACED")
"""Codes of warnings that earlier letters no longer apply because of the letter."""


def faults_told(receipt: Receipt) -> list[Wrong]:
    """Return the faults that a receipt names, in the order of their lines. There are at most `MOST_FAULTS`."""
    found = receipt.verdict.faults
    if receipt.status == "refused":
        found = [fault for fault in found if fault.code not in OF_REPLACED]
    return sorted(by_place(found), key=lambda fault: fault.is_warning)[:MOST_FAULTS]


def debt_in(asked: list[dict[str, str]]) -> str:
    """Return `reveal` if the player must still reveal a sealed part, and `orders` if orders are missing or are only a
    draft. Else return an empty text. `asked` has the state of each power."""
    states = {each["state"] for each in asked}
    if "not revealed" in states:
        return "reveal"
    return "orders" if states & {"none yet", "draft"} else ""


def is_counting(owed: list[dict[str, str]]) -> bool:
    """True if orders that the player sent earlier count in the present stage. Drafts and sealed orders that are not
    revealed yet count as well. `owed` has the state of each power's orders."""
    return any(each["state"] in ("draft", "final", "not revealed") for each in owed)


def may_repeat(campaign: Campaign, player: str) -> bool:
    """True if the player's waiting orders were sent for the present position. Only such orders can be sent again."""
    pending = campaign.public.pending.get(player)
    return pending is not None and pending.entry > campaign.public.since


def next_free_number(campaign: Campaign, receipt: Receipt, owes: str) -> int:
    """Return the number that the player's next letter must have, or 0 if the letter can have the number of the answered
    one. The number is told in two cases: if the answered letter is refused or incomplete, or if the player owes orders
    and the number on the order sheet has been used by this letter. `owes` is what the player owes (`debt_in`)."""
    letter, public = receipt.verdict.letter, campaign.public
    if letter is None or receipt.status == "known" or receipt.player not in public.players:
        return 0
    series = seq_key(receipt.player, letter.kind)
    is_of_sheet = owes == "orders" and letter.kind != "join" and series == seq_key(receipt.player, "orders")
    if receipt.status not in ("refused", "partial") and not is_of_sheet:
        return 0
    last = public.seqs.get(series, 0)
    return last + 1 if letter.seq <= last else 0


def offers_to(campaign: Campaign, player: str) -> list[str]:
    """Return the seats that have offered an agreement which the player can sign now."""
    return sorted({each.letter.sender for each in open_offers(campaign) if player in each.missing})


def is_deadline_reached(campaign: Campaign) -> bool:
    deadline = campaign.public.deadline
    return bool(deadline) and campaign.now >= parse_moment(deadline)


def late_until_of(campaign: Campaign) -> Facts | None:
    """Return the moment until which late letters are accepted. Return None if this moment has passed, if the game waits
    without end, or if the campaign has a bank of time."""
    public = campaign.public
    clock = public.settings.clock
    if (clock.at_deadline == "wait" and not public.locked) or clock.bank:
        return None
    end = end_of_grace(clock, stage_clock(campaign))
    return local_time(end, clock) if end > campaign.now else None


def is_due(campaign: Campaign) -> bool:
    """True if the deadline has passed, or if all orders are final and nobody wishes to wait. Even then it may be too
    early to carry out the stage (see `permission`)."""
    public = campaign.public
    if is_deadline_reached(campaign):
        return True
    states = {state_of(orders) for orders in orders_now(public)} - {"nothing required"}
    return states == {"final"} and not any(each.wait for each in public.pending.values())


def language_of_stranger(letter: Letter | None, invited: str) -> str:
    """Return the language for a person without a seat. If the letter asks for a seat, it is the language that the
    letter names, else `invited`, the language of the invitation."""
    node = entry_of(letter.body, "language") if letter and letter.kind == "join" else None
    return node.value if isinstance(node, Text) and not wrong_with_language(node.value) else invited
