"""Letters that players write, orders that a policy decides, and a bot that answers the moderator's letters."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from random import Random

from msgspec import Struct

from pbem.bots.plain import Policy, game_bots
from pbem.campaign.ledger.public_state import ORDERS_SLOT
from pbem.campaign.letters.joining import proof_of_key
from pbem.campaign.players.guidance import Guidance, guidance_of
from pbem.campaign.players.known_position import known_table
from pbem.campaign.settings import Newcomer
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Decision
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.faults.wrong import words, wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import WIDTH, Value, write
from pbem.paper.letters import WIDE, read_letter, sign_letter, write_letter, write_signed
from pbem.paper.orders.files import merged_orders, orders_tree
from pbem.plans.source import PlanSource
from pbem.seal.box import pad, seal
from pbem.seal.canonical import Tree, canonical
from pbem.seal.deal import Slot, commit, new_salt
from pbem.seal.keys import PrivateKey, PublicKey, Signer
from pbem.seal.signature import sign


class LetterContext(Struct, frozen=True):
    """Values that stand in the head of every letter for one stage: the campaign, the player's seat, the stage, and the
    hash of the position that the letter answers (`basis`)."""

    campaign: str
    player: str
    stage: str
    basis: str


class SealedPart(Struct, frozen=True):
    """A sealed part of a letter: its commitment, with the salt and content that reveal it."""

    slot: str
    salt: bytes
    body: Tree
    commitment: str


class Invitation(Struct, frozen=True):
    """Facts of an invitation that the joining letter repeats."""

    campaign: str
    seat: str
    deal: str
    """Commitment to the secret of the deal."""
    token: str
    """Token that proves the invitation."""


UNNAMED = Newcomer(language="en")


def join_letter(offer: Invitation, key: Signer, seq: int, who: Newcomer = UNNAMED, entropy: bytes = b"") -> str:
    """Return a signed letter that takes a seat. `entropy` has the player's bytes for the deal, by default random
    ones."""
    body: dict[str, Value] = {
        "deal": offer.deal,
        "token": offer.token,
        "key": key.public.text,
        "entropy": (entropy or secrets.token_bytes(32)).hex(),
    }
    if who.language:
        body["language"] = who.language
    if who.name:
        body["name"] = who.name
    head: dict[str, str | int] = {"kind": "join", "campaign": offer.campaign, "from": offer.seat, "seq": seq}
    return write_signed(head, body, key)


def key_change_letter(campaign: str, seat: str, seq: int, new: PrivateKey, old: Signer) -> str:
    """Return a letter that changes a seat's key from `old` to `new`. The old key signs it, and the new one signs a
    proof in it. `seq` is the number of the letter."""
    proof = narrow(sign(new, proof_of_key(campaign, seat, seq, old.public)), WIDTH - 4)
    head: dict[str, str | int] = {"kind": "key-change", "campaign": campaign, "from": seat, "seq": seq}
    return write_signed(head, {"key": new.public.text, "proof": proof}, old)


def narrow(armored: str, width: int) -> str:
    """Return an armored signature in lines of at most `width` characters."""
    first, *lines, last = armored.strip().split("\n")
    code = "".join(lines)
    return "\n".join([first, *(code[at : at + width] for at in range(0, len(code), width)), last, ""])


def sealed_part(occasion: LetterContext, slot: str, body: Tree, salt: bytes | None = None) -> SealedPart:
    """Return the sealed part `slot` of a letter: a commitment to `body`, with a new salt unless one is given."""
    salt = salt or new_salt()
    commitment = commit(Slot(occasion.campaign, occasion.stage, occasion.player, slot), salt, canonical(body))
    return SealedPart(slot, salt, body, commitment)


def boxed_part(part: SealedPart, moderator: PublicKey | None) -> dict[str, Value]:
    """Return a sealed part in the form of letters: the commitment and, if `moderator` is given, a box sealed to this
    key."""
    found: dict[str, Value] = {"commitment": part.commitment}
    if moderator is not None:
        plain = write({"salt": part.salt.hex(), "body": part.body}).encode()
        found["box"] = seal([moderator], pad(plain))
    return found


def orders_letter(
    occasion: LetterContext,
    seq: int,
    orders: Mapping[str, Tree],
    parts: Mapping[str, Value] | None = None,
    final: bool = True,
    wait: bool = False,
    kind: str = "orders",
) -> str:
    """Return an unsigned letter with orders, or with plans if `kind` is `plan`. `parts` has the sealed parts by name.
    Without `final` the orders are a draft. With `wait` the game waits for the deadline."""
    body: dict[str, Value] = {}
    if not final:
        body["final"] = "no"
    if wait:
        body["wait"] = "yes"
    if orders or not parts:
        body["orders"] = dict(orders)
    if parts:
        body["sealed"] = dict(parts)
    return write_letter(head_of(occasion, kind, seq), body, WIDE if parts else WIDTH)


def with_ahead(
    orders: Mapping[str, Tree], stage: str, later: Mapping[str, Tree], otherwise: str = "ask"
) -> dict[str, Tree]:
    """Return a copy of orders to which blocks of orders for the later stage `stage` are added. `later` maps each power
    to the sections of its new block. `otherwise` is the value of `else` in each block."""
    found: dict[str, Tree] = dict(orders)
    for power, sections in later.items():
        own = found.get(power) or {}
        assert isinstance(own, dict)
        assert isinstance(sections, dict)
        before = own.get("ahead") or []
        assert isinstance(before, list)
        otherwise_said: dict[str, Tree] = {} if otherwise == "ask" else {"else": otherwise}
        found[power] = {**own, "ahead": [*before, {"stage": stage, **sections, **otherwise_said}]}
    return found


def reveal_letter(occasion: LetterContext, seq: int, parts: Mapping[str, SealedPart]) -> str:
    """Return an unsigned letter that reveals sealed parts."""
    body: dict[str, Value] = {slot: {"salt": part.salt.hex(), "body": part.body} for slot, part in parts.items()}
    return write_letter(head_of(occasion, "reveal", seq), body)


def head_of(occasion: LetterContext, kind: str, seq: int) -> dict[str, str | int]:
    return {
        "kind": kind,
        "campaign": occasion.campaign,
        "from": occasion.player,
        "stage": occasion.stage,
        "basis": occasion.basis,
        "seq": seq,
    }


def table_to_look_ahead(table: Table) -> Table:
    """Return a copy of a table for trials. Cards that are dealt on the copy are not those that the game will deal."""
    copied: Table = copy_of(table, SeededDealer("nothing is dealt here"))
    return copied


def orders_decided(
    table: Table, player: str, policy: Policy, chance: Random, plans: PlanSource | None = None
) -> dict[str, Tree]:
    """Return a bot's orders for the decisions that no plan answers, as far as these decisions can be foreseen. The
    table is changed."""
    game, first = game_of(table), decisions_asked(table, player)
    before = copy_of(table) if len(first) > 1 else table
    parts: list[dict[str, Tree]] = []
    for power, unasked in game_bots(table.rules.terms.game).unasked(table, powers_of_player(table, player)):
        parts.append(orders_tree(table, power, None, unasked))
        game.apply(table, power, unasked)
    while mine := decisions_asked(table, player):
        decision = mine[0]
        given = plans.answer(decision) if plans else None
        answer = given.answer if given else policy(table, decision, chance)
        if given is None:
            part = orders_tree(table, decision.power, decision, answer)
            if not fits(table, [*parts, part]):
                break
            parts.append(part)
        events = game.apply(table, decision.power, answer)
        if any(event.reveals for event in events):
            break
    if not game.decisions(table):
        # The trial has ended the game. Even so, every decision that was open at its beginning needs an answer.
        answered = {power for part in parts for power in part}
        for decision in first:
            if decision.power not in answered and (plans is None or plans.answer(decision) is None):
                parts.append(orders_tree(before, decision.power, decision, policy(before, decision, chance)))
    return merged_orders(table, parts)


def decisions_asked(table: Table, player: str) -> list[Decision]:
    return [decision for decision in game_of(table).decisions(table) if player_of(table, decision.power) == player]


def fits(table: Table, parts: list[dict[str, Tree]]) -> bool:
    """True if all these orders fit into one letter."""
    try:
        merged_orders(table, parts)
    except ValueError:
        return False
    return True


class LetterBot:
    """Bot that answers a moderator's letters with decisions of a policy. Letters are given as bytes and returned as
    texts; nothing is sent. The policy sees only what the reader knows."""

    def __init__(self, policy: Policy, key: Signer, seed: str = "") -> None:
        """Store a policy, the key that signs, and the seed of the policy's chance. An empty seed is random."""
        self.policy = policy
        self.key = key
        self.chance = Random(seed or None)  # noqa: S311 - bots need no secrets
        self.moderator: PublicKey | None = None
        """Key of the moderator. It is taken from the first letter unless the caller sets it before. Letters of another
        moderator are refused."""
        self.committed: SealedPart | None = None
        """Orders to which a letter has committed and that are not revealed yet; None if there are none."""

    def join(self, invitation: bytes, who: Newcomer = UNNAMED) -> str:
        """Return the letter that takes the seat of an invitation. Raises `PbemError` if `invitation` is another
        letter."""
        found = self.read(invitation, "invitation")
        if not found.token:
            raise Refused("invitation", [wrong("E-JOIN-TOKEN.other", whom=words("invitation-to-nobody"))])
        return join_letter(Invitation(found.campaign, found.seat, found.deal, found.token), self.key, 1, who)

    def reply(self, report: bytes, folder: Path | None = None) -> str | None:
        """Return the letter that a report asks for, or None if it asks for nothing. `folder` has the files that the
        campaign's terms name. Raises `PbemError` for anything but a report of the known moderator."""
        found = self.read(report, "report")
        occasion = LetterContext(found.campaign, found.seat, found.stage, found.basis)
        if found.locked:
            if self.committed is None:
                return None
            parts, self.committed = {ORDERS_SLOT: self.committed}, None
            return sign_letter(reveal_letter(occasion, found.next_seq, parts), self.key)
        table = known_table(found, "report", folder)
        if not decisions_asked(table, found.seat):
            return None
        part = sealed_part(
            occasion, ORDERS_SLOT, orders_decided(table_to_look_ahead(table), found.seat, self.policy, self.chance)
        )
        if found.sealing == "reveal":
            self.committed = part
        box = boxed_part(part, None if found.sealing == "reveal" else found.moderator)
        return sign_letter(orders_letter(occasion, found.next_seq, {}, {ORDERS_SLOT: box}), self.key)

    def read(self, letter: bytes, kind: str) -> Guidance:
        """Return the content of a letter of this kind. The signer of the first letter becomes the known moderator.
        Raises `PbemError` for a letter of another kind or moderator."""
        found = guidance_of(read_letter(letter, kind), kind)
        if found.kind != kind:
            raise Refused(kind, [wrong("E-GUIDE-KIND", kind=found.kind)])
        self.moderator = self.moderator or found.moderator
        if found.moderator != self.moderator:
            signer, met = found.moderator.fingerprint, self.moderator.fingerprint
            raise Refused(kind, [wrong("E-GUIDE-MODERATOR.met", signer=signer, met=met)])
        return found
