"""Judges letters: whether one may be taken, everything that is wrong with it, and what of the orders is still missing.

Nothing is told that its writer may not know: orders are tried out only until something hidden would show.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from pbem.engine.decisions import Decision, March
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table, player_of
from pbem.games import copy_of, game_of
from pbem.paper import strict
from pbem.paper.faults import Fault, Refused
from pbem.paper.given import Unusable
from pbem.paper.letters import STAGED, Letter, check_signature, in_order
from pbem.paper.names import listed, shown
from pbem.paper.orders import Orders, read_orders
from pbem.paper.strict import Node, Text
from pbem.paper.writing import write
from pbem.plans.tally import Tally
from pbem.seal.canonical import canonical
from pbem.seal.commitment import check
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

from .course import Course
from .letterbox import Held, Opened, entry_of, orders_of, parts_of, revealed_in
from .records import Agreed, Joined, Received, Record, Rekeyed, Status
from .register import BASIS, seq_key
from .resolving import copied, fault_at, stage_of
from .sources import PlayerSource, source_of, standing_of

LONGEST_JUMP = 1000
"""A number far too large would lock a seat: nobody could write a newer letter."""

ACTED = ("orders", "reveal", "plan")
"""What a moderator may write in a player's place."""

MODERATOR = "moderator"
"""The moderator as the sender of letters."""

_HEX = re.compile("[0-9a-f]{64}")
_SLOT = re.compile("[a-z0-9][a-z0-9-]{0,39}")

Opener = Callable[[str], bytes]
"""Opens a box that was sealed to the moderator; raises `SealFault`."""


class Verdict(Struct):
    """What becomes of a letter."""

    faults: list[Fault] = field(default_factory=list)
    record: Record | None = None
    """What the ledger will say of it; none for a letter that is refused, or that was taken before."""
    held: Held | None = None
    known: int = 0
    """The entry under which the same letter was taken before."""
    acted: str = ""
    missing: list[str] = field(default_factory=list)
    """The powers whose orders do not answer all that is asked."""

    def refuse(self, code: str, message: str, node: Node | None = None, hint: str = "", rule: str = "") -> None:
        """Note what is wrong."""
        line, column = (node.line, node.column) if node else (1, 1)
        self.faults.append(Fault(code, message, line, column, rule, hint))

    @property
    def is_refused(self) -> bool:
        """Whether the letter cannot be taken."""
        return any(not fault.is_warning for fault in self.faults)


def judge(course: Course, letter: Letter, opener: Opener, acted: str = "") -> Verdict:
    """What becomes of a letter that has come in; `acted` tells why the moderator writes it in the player's place."""
    verdict = Verdict(acted=acted)
    register = course.register
    if letter.campaign != course.name:
        message = f"the letter is for the campaign {shown(letter.campaign)}, this is {course.name}"
        verdict.refuse("E-LETTER-CAMPAIGN", message)
        return verdict
    if known := register.letters.get(course.mark(letter)):
        verdict.known = known
        check_copy(course, letter, verdict)
        return verdict
    if register.phase == "closed":
        verdict.refuse("E-CAMPAIGN-PHASE", "the campaign is closed")
        return verdict
    if letter.kind == "join":
        join(course, letter, verdict)
        return verdict
    if letter.sender not in register.players:
        message = f"nobody plays {shown(letter.sender)} in this campaign"
        verdict.refuse("E-LETTER-FROM", message, hint=listed(register.players) or "seats are taken with a join letter")
        return verdict
    check_signer(course, letter, verdict)
    check_freshness(course, letter, verdict)
    if not verdict.is_refused:
        JUDGES.get(letter.kind, unwanted)(course, letter, verdict, opener)
    return verdict


def check_copy(course: Course, letter: Letter, verdict: Verdict) -> None:
    """A copy of a letter does no harm; but one that a rollback has put out of force does not come into force again."""
    register = course.register
    is_for_now = register.next is not None and letter.kind == "orders" and letter.stage == register.next.stage
    is_plan_in_force = any(force.entry == verdict.known for force in course.plans.values())
    is_lost_plan = letter.kind == "plan" and not is_plan_in_force
    if (is_for_now or is_lost_plan) and verdict.known < register.turned_back:
        newer = register.seqs[letter.sender] + 1
        message = f"this letter came in before the game was turned back (entry {register.turned_back})"
        verdict.refuse("E-LETTER-OLD", message, hint=f"it is not in force: write it again, with seq {newer}")
        verdict.known = 0


def unwanted(course: Course, letter: Letter, verdict: Verdict, opener: Opener) -> None:
    """A kind of letter that no player sends."""
    verdict.refuse("E-LETTER-KIND", f"a letter of kind {letter.kind} is not for players to send", hint=listed(JUDGES))


def check_signer(course: Course, letter: Letter, verdict: Verdict) -> None:
    """The letter must be signed with the player's key, if the campaign signs letters."""
    key = course.register.moderator if verdict.acted else course.register.players[letter.sender].key
    if not letter.signature and not key and course.register.settings.conduct.signing == "off":
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


def check_freshness(course: Course, letter: Letter, verdict: Verdict) -> None:
    """The letter must be newer than all before it, for this stage, and written in knowledge of the present state."""
    register = course.register
    last = register.seqs.get(seq_key(letter.sender, letter.kind), 0)
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
    waiting = register.next
    if register.phase != "running" or waiting is None:
        what = {"joining": "has not begun", "over": "is over", "closed": "is closed"}[register.phase]
        verdict.refuse("E-LETTER-STAGE", f"the letter is for stage {letter.stage}, but the campaign {what}")
    elif letter.stage != waiting.stage:
        message = f"the letter is for stage {letter.stage}, the game stands in {waiting.stage}"
        verdict.refuse("E-LETTER-STAGE", message, hint="write new orders from the last report")
    elif letter.basis != register.basis[:BASIS]:
        message = f"the letter is written on the basis {letter.basis}, the present one is {register.basis[:BASIS]}"
        verdict.refuse("E-LETTER-BASIS", message, hint="something has happened since: look at the last report")


def join(course: Course, letter: Letter, verdict: Verdict) -> None:
    """Somebody takes a seat."""
    register = course.register
    body = letter.body
    seats = register.settings.seats
    if letter.sender not in seats:
        verdict.refuse("E-JOIN-SEAT", f"there is no seat {shown(letter.sender)}", hint=listed(seats))
    elif letter.sender in register.players:
        verdict.refuse("E-JOIN-TAKEN", f"the seat {letter.sender} is taken", hint="a moderator can name a substitute")
    elif register.phase != "joining":
        verdict.refuse("E-JOIN-LATE", "the campaign has begun")
    key, entropy = text_of(verdict, body, "key"), text_of(verdict, body, "entropy")
    name, language = text_of(verdict, body, "name"), text_of(verdict, body, "language") or "en"
    unknown_keys(verdict, body, ("key", "entropy", "name", "language", "deal", "token"))
    check_invited(course, letter, verdict)
    if len(name) > 80:
        verdict.refuse("E-JOIN-NAME", "the name has more than 80 letters", entry_of(body, "name"))
    if not re.fullmatch("[a-z]{2}", language):
        hint = "two letters, such as en, es, it, de"
        verdict.refuse("E-JOIN-LANGUAGE", f"{shown(language)} is no language", entry_of(body, "language"), hint)
    if not entropy:
        hint = "`pbem join` makes 32 random bytes; any long line of your own is as good"
        verdict.refuse(
            "E-JOIN-ENTROPY", "the letter brings no chance of its own to the deal", entry_of(body, "entropy"), hint
        )
    if key or letter.signature or register.settings.conduct.signing == "on":
        check_own_key(letter, key, verdict)
    if not verdict.is_refused:
        verdict.record = Joined(
            letter.sender, key, entropy_of(entropy), letter.seq, course.mark(letter), tidy(letter), name, language
        )
        verdict.held = Held(letter.text)


def check_invited(course: Course, letter: Letter, verdict: Verdict) -> None:
    """A seat goes to whom it was offered, and the letter vouches for the deal that the moderator has committed to."""
    if text_of(verdict, letter.body, "deal") != course.register.secret:
        hint = "copy the line `deal:` from the invitation"
        verdict.refuse("E-JOIN-DEAL", "the letter is not for this campaign's deal", entry_of(letter.body, "deal"), hint)
    if letter.sender in course.register.settings.seats and text_of(verdict, letter.body, "token") != course.token(
        letter.sender
    ):
        hint = "copy the line `token:` from the invitation to this seat"
        verdict.refuse(
            "E-JOIN-TOKEN", "the letter does not come from whom was invited", entry_of(letter.body, "token"), hint
        )


def check_own_key(letter: Letter, key: str, verdict: Verdict) -> None:
    """A letter that names a key must be signed with it, or nobody knows that its writer has it."""
    try:
        check_signature(letter, PublicKey.parse(key))
    except SealFault as fault:
        verdict.refuse(fault.code, fault.message, entry_of(letter.body, "key"))


def tidy(letter: Letter) -> str:
    """A letter as an entry holds it, whatever the mail did to its lines; what it says and its signature stay."""
    tree = {**letter.tree, "signature": letter.signature} if letter.signature else letter.tree
    return write({key: tree[key] for key in in_order(tree)})


def entropy_of(text: str) -> str:
    """A player's random bytes: as given, or the SHA-256 of whatever line they wrote."""
    return text if _HEX.fullmatch(text) else hashlib.sha256(text.encode()).hexdigest()


def text_of(verdict: Verdict, body: Node, key: str) -> str:
    """A text of the body, or nothing."""
    node = entry_of(body, key)
    if node is None or isinstance(node, Text):
        return node.value if node else ""
    verdict.refuse("E-FORM-TEXT", f"`{key}` is one line of text", node)
    return ""


def unknown_keys(verdict: Verdict, body: Node, known: tuple[str, ...]) -> None:
    """Refuse what a body has besides its keys."""
    if not isinstance(body, strict.Mapping):
        verdict.refuse("E-FORM-MAPPING", "the body must be written as `key: value` lines", body)
        return
    for key in body.items:
        if key not in known:
            verdict.faults.append(
                Fault("E-FORM-KEY", f"the body has no {shown(key)}", *body.places[key], "", listed(known))
            )


def orders(course: Course, letter: Letter, verdict: Verdict, opener: Opener) -> None:
    """Orders for the present stage."""
    body = letter.body
    unknown_keys(verdict, body, ("orders", "sealed", "final", "wait"))
    if course.register.locked:
        hint = "send a letter of kind reveal"
        verdict.refuse("E-LETTER-LOCKED", "everybody has committed, so nothing can be changed any more", hint=hint)
    final, wait = truth_of(verdict, body, "final", True), truth_of(verdict, body, "wait", False)
    slots, opened = sealed_parts(course, letter, verdict, opener)
    if verdict.is_refused:
        return
    complete = try_out(course, letter, opened, verdict)
    if verdict.is_refused:
        return
    unknown = bool(slots) and course.register.settings.conduct.sealing == "reveal"
    status: Status = "partial" if not complete and not unknown else "final" if final else "draft"
    verdict.record = Received(
        letter.sender, "orders", course.mark(letter), letter.stage, letter.seq, status, wait, slots, verdict.acted
    )
    verdict.held = Held(letter.text, opened)


def plan(course: Course, letter: Letter, verdict: Verdict, opener: Opener) -> None:
    """Standing plans, in place of all that the player had before; a letter without any withdraws them."""
    unknown_keys(verdict, letter.body, ("orders", "sealed"))
    if course.register.phase != "running" or course.table is None:
        verdict.refuse("E-LETTER-STAGE", "standing plans are for a game that is going on")
    if course.register.locked:
        hint = "send them when the game has gone on"
        verdict.refuse("E-LETTER-LOCKED", "everybody has committed, so nothing can be changed any more", hint=hint)
    if course.register.settings.conduct.sealing == "reveal" and parts_of(letter):
        hint = "write them in the open, or seal plans in the orders of a stage"
        verdict.refuse("E-PLAN-SEALED", "in this campaign standing plans cannot be sealed", letter.body, hint)
    slots, opened = sealed_parts(course, letter, verdict, opener)
    if verdict.is_refused:
        return
    assert course.table is not None
    try:
        found = read_orders(orders_of(letter, opened), "letter", course.table.rules)
    except Refused as refused:
        verdict.faults += refused.faults
        return
    for power, written in found.powers.items():
        if player_of(course.table, power) != letter.sender:
            verdict.refuse("E-ORDER-FOREIGN", f"{power} is not played by {letter.sender}", written.node)
        if others := sorted(set(written.sections) - {"plans"}):
            hint = "orders are for one stage: send them in a letter of kind orders"
            verdict.refuse("E-PLAN-ONLY", f"a letter of standing plans has no `{others[0]}`", written.node, hint)
    if verdict.is_refused:
        return
    status: Status = "final" if answers_all(course, letter.sender, found) else "partial"
    verdict.record = Received(
        letter.sender, "plan", course.mark(letter), letter.stage, letter.seq, status, slots=slots, acted=verdict.acted
    )
    verdict.held = Held(letter.text, opened)


def answers_all(course: Course, player: str, plans: Orders) -> bool:
    """Whether standing plans, with the orders that are in, answer all that a player is asked now.

    Orders that nobody can look into yet are taken to do so.
    """
    assert course.table is not None
    pending = course.register.pending.get(player)
    if pending and pending.slots and course.register.settings.conduct.sealing == "reveal":
        return True
    before = course.sources(course.table, course.tally).get(player)
    standing = standing_of(course.table, plans, course.tally, None, course.stage)
    source = PlayerSource(before.orders if before else None, standing)
    asked = [d for d in game_of(course.table).decisions(course.table) if player_of(course.table, d.power) == player]
    return bool(asked) and all(source.speaks_of(decision) for decision in asked)


def truth_of(verdict: Verdict, body: Node, key: str, otherwise: bool) -> bool:
    """A yes or no of the body."""
    text = text_of(verdict, body, key)
    if text.casefold() not in ("", "yes", "no", "true", "false"):
        verdict.refuse("E-FORM-TRUTH", f"`{key}` is yes or no", entry_of(body, key))
    return text.casefold() in ("yes", "true") if text else otherwise


def sealed_parts(
    course: Course, letter: Letter, verdict: Verdict, opener: Opener
) -> tuple[dict[str, str], dict[str, Opened]]:
    """The commitments of the sealed parts, and what those say that the moderator may open now."""
    slots: dict[str, str] = {}
    opened: dict[str, Opened] = {}
    node = entry_of(letter.body, "sealed")
    if node is not None and not isinstance(node, strict.Mapping):
        verdict.refuse("E-SEAL-FORM", "what is sealed must be written as `slot:` with its parts below it", node)
    for slot, part in parts_of(letter).items():
        box = part.get("box", "") if isinstance(part, dict) else ""
        commitment = part.get("commitment", "") if isinstance(part, dict) else ""
        if not _SLOT.fullmatch(slot) or not isinstance(commitment, str) or not _HEX.fullmatch(commitment):
            verdict.refuse("E-SEAL-FORM", f"the sealed part {shown(slot)} is damaged", node, "`pbem seal` writes it")
            continue
        slots[slot] = commitment
        if course.register.settings.conduct.sealing == "reveal":
            if box:
                verdict.refuse("E-SEAL-BOX", "in this campaign nobody opens sealed parts before all have sealed", node)
            continue
        try:
            opened[slot] = unsealed(opener(str(box)))
        except SealFault as fault:
            verdict.refuse(
                fault.code, f"the sealed part {slot} cannot be opened", node, "seal it to the moderator's key"
            )
            continue
        except (Refused, ValueError):
            verdict.refuse("E-SEAL-FORM", f"nobody can read what the sealed part {slot} says", node, "seal it again")
            continue
        check_opening(course, letter.sender, letter.stage, slot, commitment, opened[slot], verdict, node)
    return slots, opened


def unsealed(plain: bytes) -> Opened:
    """The salt and the content of a box; raises `Refused` or `ValueError` for anything else."""
    tree: Any = strict.plain(strict.read(plain, "sealed part"))
    if not isinstance(tree, dict) or set(tree) != {"salt", "body"} or not isinstance(tree["salt"], str):
        raise ValueError("a sealed part has a salt and a body")
    return Opened(tree["salt"], tree["body"])


def check_opening(
    course: Course,
    player: str,
    stage: str,
    slot: str,
    commitment: str,
    part: Opened,
    verdict: Verdict,
    node: Node | None,
) -> None:
    """What is opened must be what was committed to, in this slot and no other."""
    good = _HEX.fullmatch(part.salt) and check(
        commitment, course.name, stage, player, slot, bytes.fromhex(part.salt), canonical(part.body)
    )
    if not good:
        message = f"the sealed part {slot} is not the one that its commitment stands for"
        verdict.refuse("E-SEAL-COMMITMENT", message, node, "a part cannot be taken over from another letter")


def try_out(course: Course, letter: Letter, opened: dict[str, Opened], verdict: Verdict) -> bool:
    """Whether the orders answer all that their player is asked; what is wrong with them is noted."""
    assert course.table is not None
    table = copy_of(course.table, SeededDealer("nothing is dealt in a trial"))
    try:
        found = read_orders(orders_of(letter, opened), "letter", table.rules)
    except Refused as refused:
        verdict.faults += refused.faults
        return False
    verdict.faults += standing_in_vain(found)
    own = [power for power in found.powers if player_of(table, power) == letter.sender]
    tally = copied(course.tally)
    before = course.sources(table, tally).get(letter.sender)
    source = PlayerSource(source_of(table, found, tally, None, course.stage), before.standing if before else None)
    verdict.missing = Probe(table, letter.sender, source, tally, verdict).run()
    for power, sections in found.powers.items():
        if power not in own and player_of(table, power) != letter.sender:
            message = f"{power} is played by {player_of(table, power)}, not by {letter.sender}"
            verdict.refuse("E-ORDER-FOREIGN", message, sections.node)
    return not verdict.missing


def standing_in_vain(orders: Orders) -> list[Fault]:
    """A warning for every plan in orders that means to stand for longer than they do."""
    plans = [plan for written in orders.powers.values() for plan in written.sections.get("plans", []) if plan.standing]
    message, hint = "a plan in orders holds for their stage only", "send it in a letter of kind plan: it stands longer"
    return [Fault("W-PLAN-STANDING", message, plan.node.line, plan.node.column, "", hint) for plan in plans]


def tried_alone(table: Table, player: str, found: Orders, verdict: Verdict) -> list[str]:
    """The powers whose orders answer not all that is asked, where nothing but the orders is known; with the faults."""
    tally = Tally()
    source = PlayerSource(source_of(table, found, tally, None, stage_of(table)), None)
    return Probe(table, player, source, tally, verdict).run()


class Probe:
    """Tries a player's orders out, as far as the player could do it with what they know."""

    def __init__(self, table: Table, player: str, source: PlayerSource, tally: Tally, verdict: Verdict) -> None:
        """Take a table that nobody else uses."""
        self.table = table
        self.game = game_of(table)
        self.player = player
        self.source = source
        self.tally = tally
        self.verdict = verdict
        self.revealed = False

    def run(self) -> list[str]:
        """The powers that are asked something now which the orders do not answer."""
        asked = self.mine()
        silent = [decision.power for decision in asked if not self.source.speaks_of(decision)]
        first = {decision.power: type(decision) for decision in asked}
        own = [power for power in self.source.powers() if player_of(self.table, power) == self.player]
        for power in own:
            for given in self.source.transfers(power):
                self.attempt(power, given.answer, given.node_of)
        while not self.revealed and not self.verdict.is_refused and self.step():
            pass
        if self.revealed or self.verdict.is_refused:
            return silent
        left = {decision.power: type(decision) for decision in self.mine()}
        return list(dict.fromkeys([*silent, *(power for power, kind in left.items() if first.get(power) is kind)]))

    def mine(self) -> list[Decision]:
        """What the player is asked now."""
        return [d for d in self.game.decisions(self.table) if player_of(self.table, d.power) == self.player]

    def step(self) -> bool:
        """Answer one decision; whether there was anything to say."""
        for decision in self.mine():
            if not self.source.speaks_of(decision):
                continue
            try:
                given = self.source.answer(decision)
            except Unusable as refusal:
                self.verdict.faults.append(fault_at(refusal, refusal.node))
                continue
            if given is not None:
                self.attempt(decision.power, given.answer, given.node_of)
                return True
        return False

    def softened(self, fault: Fault) -> Fault:
        """A march that cannot be made as things stand may be possible once a partner of the same stage has moved."""
        marching = [d for d in self.game.decisions(self.table) if isinstance(d, March)]
        if all(player_of(self.table, decision.power) == self.player for decision in marching):
            return fault
        others = listed(sorted({d.power for d in marching if player_of(self.table, d.power) != self.player}))
        hint = f"it is tried again when {others} moves"
        return Fault(f"W{fault.code[1:]}", fault.message, fault.line, fault.column, fault.rule, hint)

    def attempt(self, power: str, answer: Any, place: Callable[[tuple[str | int, ...]], Node]) -> None:
        """Carry out one answer, or note why not."""
        try:
            events: list[Event] = self.game.apply(self.table, power, answer)
        except IllegalOrder as refusal:
            self.verdict.faults.append(self.softened(fault_at(refusal, place(refusal.where))))
            return
        self.tally.see(events)
        self.revealed = self.revealed or any(event.reveals for event in events)


def reveal(course: Course, letter: Letter, verdict: Verdict, opener: Opener) -> None:
    """What was committed to is shown."""
    pending = course.register.pending.get(letter.sender)
    if course.register.settings.conduct.sealing != "reveal" or not course.register.locked or pending is None:
        verdict.refuse("E-REVEAL-NOW", "nothing is to be revealed now", hint="first everybody commits, then all reveal")
        return
    shown_parts = revealed_in(letter)
    for slot, part in shown_parts.items():
        if slot not in pending.slots:
            hint = listed(pending.slots)
            verdict.refuse("E-REVEAL-SLOT", f"no part {shown(slot)} was committed to", letter.body, hint)
            continue
        check_opening(course, letter.sender, letter.stage, slot, pending.slots[slot], part, verdict, letter.body)
    if lacking := sorted(set(pending.slots) - set(shown_parts) - set(pending.revealed)):
        verdict.refuse("E-REVEAL-MISSING", f"the letter does not reveal {listed(lacking)}", letter.body)
    if not verdict.is_refused:
        slots = {slot: pending.slots[slot] for slot in shown_parts}
        verdict.record = Received(
            letter.sender, "reveal", course.mark(letter), letter.stage, letter.seq, slots=slots, acted=verdict.acted
        )
        verdict.held = Held(letter.text)


def message(course: Course, letter: Letter, verdict: Verdict, opener: Opener) -> None:
    """A message to other players."""
    unknown_keys(verdict, letter.body, ("to", "text"))
    to, text = text_of(verdict, letter.body, "to"), text_of(verdict, letter.body, "text")
    addressees = [*course.register.players, MODERATOR, "all"]
    names = [name for part in to.split(",") if (name := part.strip())]
    for name in names:
        if name not in addressees:
            verdict.refuse("E-MESSAGE-TO", f"nobody here is called {shown(name)}", letter.body, listed(addressees))
    if not names or not text:
        verdict.refuse("E-MESSAGE-EMPTY", "a message has `to:` and `text:`", letter.body)
    if not verdict.is_refused:
        verdict.record = Received(letter.sender, "message", course.mark(letter), "", letter.seq)
        verdict.held = Held(letter.text)


def agreement(course: Course, letter: Letter, verdict: Verdict, opener: Opener) -> None:
    """A promise that counts once everybody named in it has signed the same words."""
    unknown_keys(verdict, letter.body, ("with", "words"))
    partners, words = text_of(verdict, letter.body, "with"), text_of(verdict, letter.body, "words")
    players = sorted({letter.sender, *filter(None, (part.strip() for part in partners.split(",")))})
    for player in players:
        if player not in course.register.players:
            verdict.refuse(
                "E-AGREEMENT-WITH", f"nobody plays {shown(player)}", letter.body, listed(course.register.players)
            )
    if len(players) < 2 or not words:
        verdict.refuse("E-AGREEMENT-EMPTY", "an agreement has `with:` other players and `words:`", letter.body)
    if not verdict.is_refused:
        slots = {"words": course.keyed(canonical({"players": list(players), "words": " ".join(words.split())}))}
        verdict.record = Received(
            letter.sender, "agreement", course.mark(letter), letter.stage, letter.seq, slots=slots
        )
        verdict.held = Held(letter.text)


def agreed(course: Course, record: Received, held: Held) -> Agreed | None:
    """The agreement that a letter completes."""
    words = text_of(Verdict(), held.letter.body, "words")
    partners = text_of(Verdict(), held.letter.body, "with")
    players = sorted({record.player, *filter(None, (part.strip() for part in partners.split(",")))})
    signed = course.register.promises.get(record.slots["words"], {})
    if set(signed) != set(players):
        return None
    return Agreed(tuple(players), words, tuple(sorted(signed.values())))


def key_change(course: Course, letter: Letter, verdict: Verdict, opener: Opener) -> None:
    """A player will sign with another key."""
    unknown_keys(verdict, letter.body, ("key",))
    key = text_of(verdict, letter.body, "key")
    if not letter.signature:
        verdict.refuse("E-LETTER-UNSIGNED", "a change of key must be signed with the old one", letter.body)
    try:
        PublicKey.parse(key)
    except SealFault as fault:
        verdict.refuse(fault.code, fault.message, entry_of(letter.body, "key") or letter.body)
    if not verdict.is_refused:
        verdict.record = Rekeyed(letter.sender, key, letter.seq, course.mark(letter), tidy(letter))
        verdict.held = Held(letter.text)


JUDGES: dict[str, Callable[[Course, Letter, Verdict, Opener], None]] = {
    "orders": orders,
    "reveal": reveal,
    "message": message,
    "plan": plan,
    "agreement": agreement,
    "key-change": key_change,
}
"""Who judges what players send."""
