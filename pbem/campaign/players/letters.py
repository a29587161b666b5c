"""The player's side: letters that join, order, reveal and agree, with their secret parts sealed, ready to be signed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from msgspec import Struct

from pbem.campaign.letters.key_holders import proof_of_key
from pbem.campaign.settings import Newcomer
from pbem.paper.documents.writing import WIDTH, Value, write
from pbem.paper.letters import WIDE, write_letter, write_signed
from pbem.seal.box import pad, seal
from pbem.seal.canonical import Tree, canonical
from pbem.seal.commitment import Slot, commit, new_salt
from pbem.seal.keys import PrivateKey, PublicKey, Signer
from pbem.seal.signature import sign


class LetterContext(Struct, frozen=True):
    """What a letter with orders is for, as the last report says."""

    campaign: str
    player: str
    stage: str
    basis: str


class SealedPart(Struct, frozen=True):
    """A part of a letter that only its commitment tells of, and what is needed to show it."""

    slot: str
    salt: bytes
    body: Tree
    commitment: str


class Invitation(Struct, frozen=True):
    """What an invitation offers to whom it was sent."""

    campaign: str
    seat: str
    deal: str
    token: str


_UNNAMED = Newcomer(language="en")


def join_letter(offer: Invitation, key: Signer, seq: int, who: Newcomer = _UNNAMED, entropy: bytes = b"") -> str:
    """A signed letter that takes a seat, with bytes for the deal, which are fresh and random if none are given."""
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
    """A letter that names a new key: signed with the old one, and with a proof that its writer has the new one."""
    proof = narrow(sign(new, proof_of_key(campaign, seat, seq, old.public)), WIDTH - 4)
    head: dict[str, str | int] = {"kind": "key-change", "campaign": campaign, "from": seat, "seq": seq}
    return write_signed(head, {"key": new.public.text, "proof": proof}, old)


def narrow(armored: str, width: int) -> str:
    """An armored text in lines so short that it stands as it is where a letter, or its entry, has it."""
    first, *lines, last = armored.strip().split("\n")
    code = "".join(lines)
    return "\n".join([first, *(code[at : at + width] for at in range(0, len(code), width)), last, ""])


def sealed_part(occasion: LetterContext, slot: str, body: Tree, salt: bytes | None = None) -> SealedPart:
    """Commit to a part of a letter."""
    salt = salt or new_salt()
    commitment = commit(Slot(occasion.campaign, occasion.stage, occasion.player, slot), salt, canonical(body))
    return SealedPart(slot, salt, body, commitment)


def boxed(part: SealedPart, moderator: PublicKey | None) -> dict[str, Value]:
    """A sealed part as it stands in a letter: with a box for the moderator, unless nobody may look early."""
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
    """An unsigned letter with orders, or of kind `plan`; `parts` are sealed ones, by slot."""
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
    """Orders that hold besides, as blocks, what their powers do in a later stage of the turn (docs/orders.md)."""
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
    """An unsigned letter that shows what was committed to."""
    body: dict[str, Value] = {slot: {"salt": part.salt.hex(), "body": part.body} for slot, part in parts.items()}
    return write_letter(head_of(occasion, "reveal", seq), body)


def head_of(occasion: LetterContext, kind: str, seq: int) -> dict[str, str | int]:
    """The head of a letter for a stage."""
    return {
        "kind": kind,
        "campaign": occasion.campaign,
        "from": occasion.player,
        "stage": occasion.stage,
        "basis": occasion.basis,
        "seq": seq,
    }
