"""Who holds which key: that whoever names a new one has it, and which seats sign with one and the same."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.campaign.ledger.public_state import Player, PublicState
from pbem.campaign.letters.letterbox import entry_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Text
from pbem.paper.letters import Letter
from pbem.seal.canonical import canonical
from pbem.seal.keys import PublicKey
from pbem.seal.signature import verify

PROOF = "key-proof"
"""The kind of what a new key signs: no letter is of it, so none can be made of such a signature."""


PROVEN = 2
"""The protocol since which a letter that names a new key proves that its writer has it."""


class Shared(Struct, frozen=True):
    """Seats that sign with one and the same key."""

    players: tuple[str, ...]
    key: str


def proof_of_key(campaign: str, seat: str, seq: int, old: PublicKey) -> bytes:
    """What a new key signs, so that everybody knows that who names it has it (docs/protocol.md)."""
    words = {"pbem": "1", "kind": PROOF, "campaign": campaign, "from": seat, "seq": str(seq)}
    # Without its comment, which is no part of the key and may be another in every file.
    return canonical({**words, "old": PublicKey(old.raw).text})


def must_prove(public: PublicState) -> bool:
    """Whether a change of key needs the proof; older campaigns did without."""
    return public.protocol >= PROVEN


def check_possession(public: PublicState, letter: Letter, key: PublicKey) -> None:
    """The letter that names this key must be of somebody who has it; raises `BadSignature`."""
    node = entry_of(letter.body, "proof")
    proof = node.value if isinstance(node, Text) else ""
    if not proof and not must_prove(public):
        return
    old = PublicKey.parse(public.players[letter.sender].key)
    verify(key, proof_of_key(letter.campaign, letter.sender, letter.seq, old), proof)


def shared_keys(players: Mapping[str, Player]) -> tuple[Shared, ...]:
    """The keys with which more than one seat signs, whatever their comments say."""
    seats: dict[str, list[str]] = {}
    for seat in sorted(players):
        if key := players[seat].key:
            seats.setdefault(" ".join(key.split()[:2]), []).append(seat)
    return tuple(Shared(tuple(found), key) for key, found in seats.items() if len(found) > 1)


def sharing_told(players: Mapping[str, Player], seat: str, key: str) -> list[Fault]:
    """A warning if this seat would sign with the key of another."""
    after = {**players, seat: Player(key, "", "")}
    found = [shared.players for shared in shared_keys(after) if seat in shared.players]
    others = [other for other in found[0] if other != seat] if found else []
    if not others:
        return []
    message = f"{seat} signs with the same key as {', '.join(others)}: whoever has it can order for each of them"
    hint = "one person in two seats is known to all; anybody else makes a key of their own"
    return [Fault("W-KEY-SHARED", message, 1, 1, hint=hint)]
