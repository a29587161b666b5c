"""Judges of letters with orders or plans, and of letters that reveal their sealed parts."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from pbem.campaign.ledger.public_state import PLANS_SLOT, PublicState, hidden_orders, is_plan_slot
from pbem.campaign.ledger.records import LetterRecord, Status
from pbem.campaign.letters.heads import lock_fault
from pbem.campaign.letters.joining import BoxOpener, LetterVerdict, refuse_unknown_keys, sealed_parts, truth_of
from pbem.campaign.letters.letterbox import OpenedPart, letter_to_hold, opens, orders_of, revealed_parts
from pbem.campaign.letters.misplaced_orders import foreign_faults, misplaced_faults, not_plan_faults
from pbem.campaign.letters.trying_out import answers_all, faults_of_ahead, reminded_writer, try_out
from pbem.campaign.play.secret_state import SecretState
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.letters import Letter
from pbem.paper.orders.files import read_orders
from pbem.seal.deal import Slot


def judge_orders(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: BoxOpener) -> None:
    keys = LetterVerdict()
    final, wait = final_and_wait(letter, keys)
    refuse_behind_lock(state.public, letter, verdict)
    sealed = sealed_parts(state, letter, verdict, opener)
    slots, opened = sealed.commitments, sealed.opened
    check_slots(state, letter, slots, verdict)
    # Orders are tried even if a key of the body is wrong, so that their writer is told all faults at once.
    complete = not verdict.is_refused and try_out(state, letter, opened, verdict)
    verdict.faults = [*keys.faults, *verdict.faults]
    if verdict.is_refused:
        return
    # The sealed part, which nobody can read before the lock, may have what the open part leaves out.
    unknown = bool(slots) and state.public.settings.conduct.sealing == "reveal"
    verdict.missing = [] if unknown else verdict.missing
    status: Status = "partial" if not complete and not unknown else "final" if final else "draft"
    verdict.record = LetterRecord(
        letter.sender, "orders", verdict.mark, letter.stage, letter.seq, status, wait, slots, verdict.acted, verdict.bot
    )
    verdict.held = letter_to_hold(letter, opened)


class FinalAndWait(NamedTuple):
    """Values of `final` and `wait` in a letter. `final` is true if the orders are final. `wait` is true if the player
    asks to wait for the deadline."""

    final: bool
    wait: bool


def final_and_wait(letter: Letter, verdict: LetterVerdict) -> FinalAndWait:
    """Return the values of `final` and `wait` in a letter with orders. Faults of the body's keys are noted in the
    verdict."""
    refuse_unknown_keys(verdict, letter.body, ("orders", "sealed", "final", "wait"))
    final, wait = truth_of(verdict, letter.body, "final", True), truth_of(verdict, letter.body, "wait", False)
    return FinalAndWait(final, wait)


def refuse_behind_lock(public: PublicState, letter: Letter, verdict: LetterVerdict) -> None:
    """Refuse orders and plans while sealed orders are being revealed."""
    if public.locked and (fault := lock_fault(letter.kind)):
        verdict.refuse(fault)


def judge_plan(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: BoxOpener) -> None:
    """Judge standing plans. Their status is `final` if plans and orders together answer all decisions, else
    `partial`."""
    refuse_unknown_keys(verdict, letter.body, ("orders", "sealed"))
    refuse_behind_lock(state.public, letter, verdict)
    sealed = sealed_parts(state, letter, verdict, opener)
    slots, opened = sealed.commitments, sealed.opened
    check_slots(state, letter, slots, verdict)
    if verdict.is_refused:
        return
    assert state.table is not None
    try:
        found = state.said.orders(letter, opened).copy()
    except Refused as refused:
        verdict.faults += refused.faults
        return
    verdict.faults += foreign_faults(state.table, letter.sender, found)
    verdict.faults += [*not_plan_faults(found), *misplaced_faults(found, state.table.rules, letter.stage, state.table)]
    verdict.faults += faults_of_ahead(state, letter, found, reminded_writer(state, letter))
    if verdict.is_refused:
        return
    status: Status = "final" if answers_all(state, letter.sender, found, state.public.entry + 1) else "partial"
    verdict.record = LetterRecord(
        letter.sender, "plan", verdict.mark, letter.stage, letter.seq, status, slots=slots, acted=verdict.acted
    )
    verdict.held = letter_to_hold(letter, opened)


def check_slots(state: SecretState, letter: Letter, slots: Collection[str], verdict: LetterVerdict) -> None:
    """Refuse a letter if the name of a sealed part does not suit the letter's kind. In a letter of plans every part
    must have a name for plans (`is_plan_slot`). In a letter of orders no part may have one. This is checked only in
    campaigns with `sealing: reveal`."""
    if state.public.settings.conduct.sealing != "reveal":
        return
    if misnamed := sorted(slot for slot in slots if is_plan_slot(slot) != (letter.kind == "plan")):
        which = "E-SEAL-SLOT.plan" if letter.kind == "plan" else "E-SEAL-SLOT"
        verdict.refuse(wrong(which, kind=letter.kind, name=as_quoted(misnamed[0]), plans=PLANS_SLOT), node=letter.body)


def judge_reveal(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: BoxOpener) -> None:
    """Judge a letter that reveals sealed parts. It must reveal all of `commitments_to_open`."""
    public = state.public
    hidden = commitments_to_open(public, letter.sender)
    if not hidden:
        verdict.refuse(wrong("E-REVEAL-NOW"))
        return
    shown_parts = revealed_parts(letter)
    for slot, part in shown_parts.items():
        if slot not in hidden:
            verdict.refuse(wrong("E-REVEAL-SLOT", slot=as_quoted(slot), slots=tuple(hidden)), node=letter.body)
            continue
        commitment, stage = hidden[slot]
        if not opens(part, commitment, Slot(state.name, stage, letter.sender, slot)):
            verdict.refuse(wrong("E-SEAL-COMMITMENT.reveal", slot=slot), node=letter.body)
    if lacking := sorted(set(hidden) - set(shown_parts)):
        verdict.refuse(wrong("E-REVEAL-MISSING", slots=tuple(lacking)), node=letter.body)
    if verdict.is_refused:
        return
    slots = {slot: hidden[slot][0] for slot in shown_parts}
    status: Status = "final" if public.locked else status_of_shown_plans(state, letter, shown_parts)
    verdict.record = LetterRecord(
        letter.sender,
        "reveal",
        verdict.mark,
        letter.stage,
        letter.seq,
        status,
        slots=slots,
        acted=verdict.acted,
        bot=verdict.bot,
    )
    verdict.held = letter_to_hold(letter)


def commitments_to_open(public: PublicState, player: str) -> dict[str, tuple[str, str]]:
    """Return a dict from the name of each sealed part that a player must reveal now to its commitment and its stage."""
    found: dict[str, tuple[str, str]] = {}
    if plans := public.unshown.get(player):
        found = {slot: (commitment, plans.stage) for slot, commitment in plans.slots.items()}
    if public.locked and public.next and (pending := public.pending.get(player)):
        hidden = hidden_orders(public, player)
        found |= {slot: (pending.slots[slot], public.next.stage) for slot in pending.slots if slot in hidden}
    return found


def status_of_shown_plans(state: SecretState, letter: Letter, parts: dict[str, OpenedPart]) -> Status:
    """Return `final` if a player's revealed plans and orders together answer all decisions, else `partial`. `parts` are
    the opened sealed parts of the plans."""
    assert state.table is not None
    entry = state.plans[letter.sender].entry
    plans = state.letters(entry).letter
    try:
        found = read_orders(orders_of(plans, parts), "letter", state.table.rules)
    except Refused:
        return "partial"
    return "final" if answers_all(state, letter.sender, found, entry) else "partial"
