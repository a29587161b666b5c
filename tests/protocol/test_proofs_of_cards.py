"""Proofs of cards in a report: each fits what was published, and none proves a card twice."""

from __future__ import annotations

from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

from pbem.campaign.players.guidance import Proof
from pbem.campaign.proof.hands import comparable_hands, valid_proofs
from pbem.faults.wrong import Wrong, wrong
from pbem.seal.deal import position_hash

SALTS = ("11" * 32, "22" * 32)
CARD, NAME = 0, "\N{BLACK CLUB SUIT}0/1"


def found_in(*proofs: Proof, every: Collection[int] = (CARD,)) -> list[Wrong]:
    """Faults in proofs from a shuffle that has one card twice."""
    published = {1: tuple(position_hash(1, place, bytes.fromhex(salt), CARD) for place, salt in enumerate(SALTS))}
    draws = SimpleNamespace(drawers=lambda _place: ["france"])
    evidence: Any = SimpleNamespace(now=SimpleNamespace(published=published, draws=draws))
    report: Any = SimpleNamespace(proofs=proofs)
    faults: list[Wrong] = []
    valid_proofs(evidence, report, every, faults.append)
    return faults


def test_one_card_at_two_places_is_found() -> None:
    first, second = (Proof(1, place, CARD, salt, NAME) for place, salt in enumerate(SALTS))
    twice = [wrong("E-VERIFY-CARD.twice", card=NAME)]
    assert found_in(first) == []
    assert found_in(first, second) == twice
    assert found_in(first, first) == twice


def test_a_proof_with_another_salt_is_found() -> None:
    false = Proof(1, 0, CARD, SALTS[1], NAME)
    assert found_in(false) == [wrong("E-VERIFY-CARD.dealt", card=NAME, place=0, shuffle=1)]


def test_a_card_that_the_game_does_not_have_is_found() -> None:
    strange = Proof(1, 0, CARD, SALTS[0], NAME)
    assert found_in(strange, every=()) == [wrong("E-VERIFY-CARD.dealt", card=NAME, place=0, shuffle=1)]


def test_hands_differ_by_their_cards_and_not_by_their_order() -> None:
    other = "\N{BLACK SPADE SUIT}7/1"
    assert comparable_hands({"france": [NAME, other]}) == comparable_hands({"france": [other, NAME]})
    assert comparable_hands({"france": [NAME]}) != comparable_hands({"france": [other]})
