"""Judges letters: whether one may be taken, and all that is wrong with it; nothing secret is told to its writer."""

from __future__ import annotations

from collections.abc import Callable, Collection

from pbem.campaign.ledger.public_state import (
    BASIS,
    MOST_SPARE,
    PLANS_SLOT,
    PublicState,
    has_spent,
    hidden_orders,
    is_plan_slot,
    seq_key,
)
from pbem.campaign.ledger.records import AgreementRecord, KeyChangeRecord, LetterRecord, Status
from pbem.campaign.letters.joining import join, tidy
from pbem.campaign.letters.key_holders import check_possession, must_prove, sharing_told
from pbem.campaign.letters.letterbox import HeldLetter, OpenedPart, entry_of, opens, orders_of, revealed_in
from pbem.campaign.letters.sealed_parts import refuse_opening, sealed_parts
from pbem.campaign.letters.trying_out import answers_all, not_plans, try_out
from pbem.campaign.letters.verdicts import MODERATOR, LetterVerdict, Opener, text_of, truth_of, unknown_keys
from pbem.campaign.play.secret_state import SecretState
from pbem.engine.table import player_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted, listed
from pbem.paper.documents.strict import Text
from pbem.paper.letters import STAGED, Letter, check_signature
from pbem.paper.orders.files import read_orders
from pbem.seal.canonical import canonical
from pbem.seal.commitment import Slot
from pbem.seal.faults import BadSignature, SealFault
from pbem.seal.keys import PublicKey

LONGEST_JUMP = 1000
"""A number far too large would lock a seat: nobody could write a newer letter."""

MOST_WORDS = 20_000
"""The most characters of a message or an agreement; the reports of all its readers have them, and are made together."""

ACTED = ("orders", "reveal", "plan")
"""What a moderator may write in a player's place."""


def judge(state: SecretState, letter: Letter, opener: Opener, acted: str = "") -> LetterVerdict:
    """What becomes of a letter that has come in; `acted` tells why the moderator writes it in the player's place."""
    verdict = LetterVerdict(acted=acted, letter=letter)
    public = state.public
    if letter.campaign != state.name:
        message = f"the letter is for the campaign {as_quoted(letter.campaign)}, this is {state.name}"
        verdict.refuse("E-LETTER-CAMPAIGN", message)
        return verdict
    # Before phase, key and number, which change: a copy does nothing, whenever it comes (docs/protocol.md).
    if known := public.letters.get(state.mark(letter)):
        verdict.known = known
        check_copy(state, letter, verdict)
        return verdict
    if public.phase == "closed":
        verdict.refuse("E-CAMPAIGN-PHASE", "the campaign is closed")
        return verdict
    if letter.lacking:
        for key in letter.lacking:
            verdict.refuse("E-LETTER-MISSING", f"the key `{key}` is missing", hint="copy it from the last report")
        return verdict
    if letter.kind == "join":
        join(state, letter, verdict)
        return verdict
    if letter.sender not in public.players:
        message = f"nobody plays {as_quoted(letter.sender)} in this campaign"
        verdict.refuse("E-LETTER-FROM", message, hint=listed(public.players) or "seats are taken with a join letter")
        return verdict
    check_signer(state, letter, verdict)
    check_freshness(state, letter, verdict)
    check_number(state, letter, verdict)
    if not verdict.is_refused:
        # Only now: faults of orders speak of the position as their player knows it, and the receipt has them in words.
        JUDGES.get(letter.kind, unwanted)(state, letter, verdict, opener)
    return verdict


def check_copy(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """A copy of a letter does no harm; but one that has been put out of force does not come into force again."""
    public = state.public
    is_for_now = public.next is not None and letter.kind == "orders" and letter.stage == public.next.stage
    is_plan_in_force = any(force.entry == verdict.known for force in state.plans.values())
    is_lost_plan = letter.kind == "plan" and not is_plan_in_force
    if not (is_for_now or is_lost_plan):
        return
    since = public.players[letter.sender].since
    if verdict.known < since:
        verdict.refuse("E-LETTER-OLD", f"this letter came in before somebody else took the seat (entry {since})")
        verdict.known = 0
    elif verdict.known < public.turned_back:
        newer = public.seqs[letter.sender] + 1
        message = f"this letter came in before the game was turned back (entry {public.turned_back})"
        verdict.refuse("E-LETTER-OLD", message, hint=f"it is not in force: write it again, with seq {newer}")
        verdict.known = 0


def unwanted(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: Opener) -> None:
    """A kind of letter that no player sends."""
    verdict.refuse("E-LETTER-KIND", f"a letter of kind {letter.kind} is not for players to send", hint=listed(JUDGES))


def check_signer(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """The letter must be signed with the player's key, if the campaign signs letters."""
    key = state.public.moderator if verdict.acted else state.public.players[letter.sender].key
    if not letter.signature and not key and state.public.settings.conduct.signing == "off":
        return
    if verdict.acted and letter.kind not in ACTED:
        verdict.refuse(
            "E-ACT-KIND", f"nobody writes a letter of kind {letter.kind} for somebody else", hint=listed(ACTED)
        )
        return
    if not key:
        verdict.refuse("E-LETTER-KEY-UNKNOWN", f"{letter.sender} has named no key, so nobody can sign for that seat")
        return
    try:
        check_signature(letter, PublicKey.parse(key))
    except SealFault as fault:
        verdict.refuse(fault.code, fault.message)


def check_freshness(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """The letter must be newer than all before it, for this stage, and written in knowledge of the present state."""
    public = state.public
    last = public.seqs.get(seq_key(letter.sender, letter.kind), 0)
    if letter.seq > last + LONGEST_JUMP:
        message = f"after seq {last}, {letter.seq} is too large a step"
        verdict.refuse("E-LETTER-SEQ", message, hint=f"seq {last + 1}")
    elif letter.seq == last:
        verdict.refuse("E-LETTER-SEQ", f"another letter with seq {last} came in before", hint=f"seq {last + 1} or more")
    elif letter.seq < last:
        message = f"a newer letter of yours, with seq {last}, came in before this one with seq {letter.seq}"
        verdict.refuse("E-LETTER-OLD", message, hint=f"seq {last + 1} or more")
    if letter.kind not in STAGED:
        return
    waiting = public.next
    if public.phase != "running" or waiting is None:
        what = {"joining": "has not begun", "over": "is over", "closed": "is closed"}[public.phase]
        verdict.refuse("E-LETTER-STAGE", f"the letter is for stage {letter.stage}, but the campaign {what}")
    elif letter.stage != waiting.stage:
        message = f"the letter is for stage {letter.stage}, the game stands in {waiting.stage}"
        verdict.refuse("E-LETTER-STAGE", message, hint="write new orders from the last report")
    elif letter.basis != public.basis[:BASIS]:
        message = f"the letter is written on the basis {letter.basis}, the present one is {public.basis[:BASIS]}"
        verdict.refuse("E-LETTER-BASIS", message, hint="something has happened since: look at the last report")


def check_number(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """A ledger is finite: nobody may fill it, so that the others cannot play on."""
    if not verdict.acted and has_spent(state.public, letter.sender, letter.kind):
        message = f"{letter.sender} has sent {MOST_SPARE} letters that the game can do without, and no more are taken"
        hint = "one letter with orders is taken each time that you are asked; words go by mail"
        verdict.refuse("E-LETTER-MANY", message, hint=hint)


def orders(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: Opener) -> None:
    """Orders for the present stage."""
    body = letter.body
    unknown_keys(verdict, body, ("orders", "sealed", "final", "wait"))
    if state.public.locked:
        hint = "send a letter of kind reveal"
        verdict.refuse(
            "E-LETTER-LOCKED", "what is sealed is being revealed, so nothing can be changed any more", hint=hint
        )
    final, wait = truth_of(verdict, body, "final", True), truth_of(verdict, body, "wait", False)
    slots, opened = sealed_parts(state, letter, verdict, opener)
    check_slots(state, letter, slots, verdict)
    if verdict.is_refused:
        return
    complete = try_out(state, letter, opened, verdict)
    if verdict.is_refused:
        return
    # What the open part leaves out may be in the sealed one, into which nobody can look before the lock.
    unknown = bool(slots) and state.public.settings.conduct.sealing == "reveal"
    verdict.missing = [] if unknown else verdict.missing
    status: Status = "partial" if not complete and not unknown else "final" if final else "draft"
    verdict.record = LetterRecord(
        letter.sender, "orders", state.mark(letter), letter.stage, letter.seq, status, wait, slots, verdict.acted
    )
    verdict.held = HeldLetter(letter.text, opened)


def plan(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: Opener) -> None:
    """Standing plans, in place of all that the player had before; a letter without any withdraws them."""
    unknown_keys(verdict, letter.body, ("orders", "sealed"))
    if state.public.phase != "running" or state.table is None:
        verdict.refuse("E-LETTER-STAGE", "standing plans are for a game that is going on")
    if state.public.locked:
        hint = "send them when the game has gone on"
        verdict.refuse(
            "E-LETTER-LOCKED", "what is sealed is being revealed, so nothing can be changed any more", hint=hint
        )
    slots, opened = sealed_parts(state, letter, verdict, opener)
    check_slots(state, letter, slots, verdict)
    if verdict.is_refused:
        return
    assert state.table is not None
    try:
        found = read_orders(orders_of(letter, opened), "letter", state.table.rules)
    except Refused as refused:
        verdict.faults += refused.faults
        return
    for power, written in found.powers.items():
        if player_of(state.table, power) != letter.sender:
            verdict.refuse("E-ORDER-FOREIGN", f"{power} is not played by {letter.sender}", written.node)
    verdict.faults += not_plans(found)
    if verdict.is_refused:
        return
    status: Status = "final" if answers_all(state, letter.sender, found) else "partial"
    verdict.record = LetterRecord(
        letter.sender, "plan", state.mark(letter), letter.stage, letter.seq, status, slots=slots, acted=verdict.acted
    )
    verdict.held = HeldLetter(letter.text, opened)


def check_slots(state: SecretState, letter: Letter, slots: Collection[str], verdict: LetterVerdict) -> None:
    """A letter that reveals may show parts of orders and of plans: their names must tell which is which."""
    if state.public.settings.conduct.sealing != "reveal":
        return
    if wrong := sorted(slot for slot in slots if is_plan_slot(slot) != (letter.kind == "plan")):
        message = f"a sealed part of {letter.kind} cannot be called {as_quoted(wrong[0])} in this campaign"
        hint = "`plans`, or plans-…" if letter.kind == "plan" else f"any name but {PLANS_SLOT}, or {PLANS_SLOT}-…"
        verdict.refuse("E-SEAL-SLOT", message, letter.body, hint)


def reveal(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: Opener) -> None:
    """What was committed to is shown: behind a lock all of it, at other times standing plans alone."""
    public = state.public
    hidden = committed_to(public, letter.sender)
    if not hidden:
        verdict.refuse("E-REVEAL-NOW", "nothing is to be revealed now", hint="first everybody commits, then all reveal")
        return
    shown_parts = revealed_in(letter)
    for slot, part in shown_parts.items():
        if slot not in hidden:
            verdict.refuse("E-REVEAL-SLOT", f"no part {as_quoted(slot)} is to be shown", letter.body, listed(hidden))
            continue
        commitment, stage = hidden[slot]
        hint = "show what you sealed, salt and all, as it was: `pbem reveal` writes it from your notes"
        if not opens(part, commitment, Slot(state.name, stage, letter.sender, slot)):
            refuse_opening(verdict, slot, letter.body, hint)
    if lacking := sorted(set(hidden) - set(shown_parts)):
        verdict.refuse("E-REVEAL-MISSING", f"the letter does not reveal {listed(lacking)}", letter.body)
    if verdict.is_refused:
        return
    slots = {slot: hidden[slot][0] for slot in shown_parts}
    status: Status = "final" if public.locked else shown_plans_answer(state, letter, shown_parts)
    verdict.record = LetterRecord(
        letter.sender, "reveal", state.mark(letter), letter.stage, letter.seq, status, slots=slots, acted=verdict.acted
    )
    verdict.held = HeldLetter(letter.text)


def committed_to(public: PublicState, player: str) -> dict[str, tuple[str, str]]:
    """What a player may show now, all of it at once: slot → commitment, and the stage to which that is bound."""
    found: dict[str, tuple[str, str]] = {}
    if plans := public.unshown.get(player):
        found = {slot: (commitment, plans.stage) for slot, commitment in plans.slots.items()}
    if public.locked and public.next and (pending := public.pending.get(player)):
        hidden = hidden_orders(public, player)
        found |= {slot: (pending.slots[slot], public.next.stage) for slot in pending.slots if slot in hidden}
    return found


def shown_plans_answer(state: SecretState, letter: Letter, parts: dict[str, OpenedPart]) -> Status:
    """Whether standing plans answer, now that they can be read; those that cannot be answer nothing."""
    assert state.table is not None
    plans = state.letters(state.plans[letter.sender].entry).letter
    try:
        found = read_orders(orders_of(plans, parts), "letter", state.table.rules)
    except Refused:
        return "partial"
    return "final" if answers_all(state, letter.sender, found) else "partial"


def message(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: Opener) -> None:
    """A message to other players."""
    unknown_keys(verdict, letter.body, ("to", "text"))
    to, text = text_of(verdict, letter.body, "to"), text_of(verdict, letter.body, "text")
    addressees = [*state.public.players, MODERATOR, "all"]
    names = [name for part in to.split(",") if (name := part.strip())]
    for name in names:
        if name not in addressees:
            verdict.refuse("E-MESSAGE-TO", f"nobody here is called {as_quoted(name)}", letter.body, listed(addressees))
    if not names or not text:
        verdict.refuse("E-MESSAGE-EMPTY", "a message has `to:` and `text:`", letter.body)
    check_length(text, "text", letter, verdict)
    if not verdict.is_refused:
        verdict.record = LetterRecord(letter.sender, "message", state.mark(letter), "", letter.seq)
        verdict.held = HeldLetter(letter.text)


def agreement(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: Opener) -> None:
    """A promise that counts once everybody named in it has signed the same words."""
    unknown_keys(verdict, letter.body, ("with", "words"))
    partners, words = text_of(verdict, letter.body, "with"), text_of(verdict, letter.body, "words")
    players = sorted({letter.sender, *filter(None, (part.strip() for part in partners.split(",")))})
    for player in players:
        if player not in state.public.players:
            verdict.refuse(
                "E-AGREEMENT-WITH", f"nobody plays {as_quoted(player)}", letter.body, listed(state.public.players)
            )
    if len(players) < 2 or not words:
        verdict.refuse("E-AGREEMENT-EMPTY", "an agreement has `with:` other players and `words:`", letter.body)
    check_length(words, "words", letter, verdict)
    if not verdict.is_refused:
        # Keyed, so that everybody sees that words are the same and nobody which; blanks are one as in docs/protocol.md.
        slots = {"words": state.keyed(canonical({"players": list(players), "words": " ".join(words.split())}))}
        verdict.record = LetterRecord(
            letter.sender, "agreement", state.mark(letter), letter.stage, letter.seq, slots=slots
        )
        verdict.held = HeldLetter(letter.text)


def check_length(text: str, key: str, letter: Letter, verdict: LetterVerdict) -> None:
    """What all are told is not longer than somebody would read."""
    if len(text) > MOST_WORDS:
        message = f"{len(text)} characters are more than the {MOST_WORDS} allowed"
        verdict.refuse("E-FORM-LONG", message, entry_of(letter.body, key), "send it in parts")


def agreed(state: SecretState, record: LetterRecord, held: HeldLetter) -> AgreementRecord | None:
    """The agreement that a letter completes."""
    words = text_of(LetterVerdict(), held.letter.body, "words")
    partners = text_of(LetterVerdict(), held.letter.body, "with")
    players = sorted({record.player, *filter(None, (part.strip() for part in partners.split(",")))})
    signed = state.public.promises.get(record.slots["words"], {})
    if set(signed) != set(players):
        return None
    return AgreementRecord(tuple(players), words, tuple(sorted(signed.values())))


def key_change(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: Opener) -> None:
    """A player will sign with another key, and proves to have it."""
    unknown_keys(verdict, letter.body, ("key", "proof"))
    key = text_of(verdict, letter.body, "key")
    if not letter.signature:
        verdict.refuse("E-LETTER-UNSIGNED", "a change of key must be signed with the old one", letter.body)
    try:
        new = PublicKey.parse(key)
        if not verdict.is_refused and must_prove(state.public) and is_left_out(letter, "proof"):
            hint = "`pbem key change` writes it; docs/protocol.md tells how it is made by hand"
            verdict.refuse("E-KEY-PROOF", "the key `proof` is missing: a change of key proves the new key", None, hint)
        if not verdict.is_refused:
            check_possession(state.public, letter, new)
    except BadSignature as fault:
        message = "the letter does not prove that its writer has the new key"
        hint = "`pbem key change` writes the proof; docs/protocol.md tells how it is made by hand"
        verdict.refuse("E-KEY-PROOF", f"{message}: {fault.message}", entry_of(letter.body, "proof"), hint)
    except SealFault as fault:
        verdict.refuse(fault.code, fault.message, entry_of(letter.body, "key") or letter.body)
    if not verdict.is_refused:
        verdict.faults += sharing_told(state.public.players, letter.sender, key)
        verdict.record = KeyChangeRecord(letter.sender, key, letter.seq, state.mark(letter), tidy(letter))
        verdict.held = HeldLetter(letter.text)


def is_left_out(letter: Letter, key: str) -> bool:
    """Whether nothing is written under a key of the body."""
    node = entry_of(letter.body, key)
    return node is None or (isinstance(node, Text) and not node.value)


JUDGES: dict[str, Callable[[SecretState, Letter, LetterVerdict, Opener], None]] = {
    "orders": orders,
    "reveal": reveal,
    "message": message,
    "plan": plan,
    "agreement": agreement,
    "key-change": key_change,
}
"""Who judges what players send."""
