"""The provable deal: vectors, evenness, what binds what, and openings that open nothing."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.cards import Dealer
from pbem.seal.deal import ProvableDealer, check_opening, derive, opening, position_hashes, root_of, secret_commitment
from pbem.seal.faults import DealFault
from tests.seal import second
from tests.seal.tools import vectors

VECTORS = vectors("deal")
ROOT = bytes.fromhex(VECTORS["root"])
roots = st.binary(min_size=32, max_size=32)
decks = st.lists(st.integers(0, 400), unique=True, max_size=80)


@pytest.mark.parametrize("vector", VECTORS["roots"], ids=lambda vector: vector["root"][:8])
def test_vectors_of_roots(vector: Any) -> None:
    secret = bytes.fromhex(vector["secret"])
    entropies = [bytes.fromhex(entropy) for entropy in vector["entropies"]]
    assert secret_commitment(secret) == vector["commitment"]
    assert root_of(secret, entropies, vector["campaign"]).hex() == vector["root"]


@pytest.mark.parametrize("vector", VECTORS["shuffles"], ids=lambda vector: str(vector["number"]))
def test_vectors_of_shuffles(vector: Any) -> None:
    number = vector["number"]
    assert ProvableDealer(ROOT).shuffle(number, vector["cards"]) == vector["order"]
    assert position_hashes(ROOT, number, vector["order"]) == vector["hashes"]
    salts = [opening(ROOT, number, place, card).hex() for place, card in enumerate(vector["order"])]
    assert salts == vector["salts"]


@pytest.mark.parametrize("vector", VECTORS["derived"], ids=lambda vector: f"{vector['label']} {vector['size']}")
def test_vectors_of_labels(vector: Any) -> None:
    assert derive(ROOT, vector["label"], vector["size"]).hex() == vector["derived"]


@given(roots, st.integers(0, 5000), decks)
def test_two_implementations_agree(root: bytes, number: int, cards: list[int]) -> None:
    order = ProvableDealer(root).shuffle(number, cards)
    assert order == second.shuffle(root, number, cards)
    assert sorted(order) == sorted(cards)


def test_it_is_a_dealer_and_remembers() -> None:
    provable = ProvableDealer(ROOT)
    dealer: Dealer = provable
    first = dealer.shuffle(0, range(10))
    second_order = dealer.shuffle(1, range(10))
    first.clear()
    assert [number for number, _ in provable.made] == [0, 1]
    assert sorted(provable.made[0][1]) == list(range(10))
    assert provable.made[1][1] == second_order


def test_every_order_of_four_cards_is_about_equally_frequent() -> None:
    """3000 deals in 24 orders: chi-square with 23 degrees of freedom stays under 55 but once in 5000 roots."""
    dealer = ProvableDealer(ROOT)
    found = Counter(tuple(dealer.shuffle(number, range(4))) for number in range(3000))
    assert set(found) == set(permutations(range(4)))
    assert sum((count - 125) ** 2 / 125 for count in found.values()) < 55


def test_every_card_comes_to_every_place() -> None:
    dealer = ProvableDealer(ROOT)
    orders = [dealer.shuffle(number, range(38)) for number in range(1500)]
    for place in range(38):
        found = Counter(order[place] for order in orders)
        assert len(found) == 38
        assert sum((count - 1500 / 38) ** 2 / (1500 / 38) for count in found.values()) < 85


@given(roots, st.integers(0, 9), st.integers(0, 9))
def test_numbers_have_streams_of_their_own(root: bytes, one: int, two: int) -> None:
    dealer = ProvableDealer(root)
    same = dealer.shuffle(one, range(38)) == dealer.shuffle(two, range(38))
    assert same == (one == two)


def test_other_cards_under_the_same_number_are_shuffled_anew() -> None:
    """A player who saw one order before a rollback learns nothing of the next: the exchanges are not the same."""
    dealer = ProvableDealer(ROOT)
    one = dealer.shuffle(3, range(38))
    two = dealer.shuffle(3, range(100, 138))
    assert one == dealer.shuffle(3, range(38))
    assert two != [card + 100 for card in one]


@given(st.lists(roots, min_size=1, max_size=5), roots, st.data())
def test_every_contribution_counts(entropies: list[bytes], secret: bytes, data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(entropies) - 1))
    byte = data.draw(st.integers(0, 31))
    other = bytearray(entropies[which])
    other[byte] ^= data.draw(st.integers(1, 255))
    root = root_of(secret, entropies, "vienna-1741")
    assert root_of(secret, [*entropies[:which], bytes(other), *entropies[which + 1 :]], "vienna-1741") != root
    assert root_of(secret, entropies, "vienna-1742") != root
    assert root_of(bytes([secret[0] ^ 1]) + secret[1:], entropies, "vienna-1741") != root


@given(roots, st.integers(0, 9), decks.filter(bool), st.data())
def test_openings_open_their_card_and_nothing_else(
    root: bytes, number: int, cards: list[int], data: st.DataObject
) -> None:
    order = ProvableDealer(root).shuffle(number, cards)
    hashes = position_hashes(root, number, order)
    place = data.draw(st.integers(0, len(order) - 1))
    card, salt = order[place], opening(root, number, place, order[place])
    assert check_opening(hashes[place], number, place, salt, card)
    assert not check_opening(hashes[place], number, place, salt, card + 1)
    assert not check_opening(hashes[place], number, place, opening(root, number, place, card + 1), card + 1)
    assert not check_opening(hashes[place], number + 1, place, salt, card)
    assert not check_opening(hashes[place], number, place + 1, salt, card)
    assert not check_opening(hashes[place].upper() + " ", number, place, salt, card)
    assert not check_opening(hashes[place], number, place, salt[:-1], card)


def test_no_hash_can_be_guessed_from_another_card_s_salt() -> None:
    order = ProvableDealer(ROOT).shuffle(0, range(38))
    hashes = position_hashes(ROOT, 0, order)
    salts = [opening(ROOT, 0, place, card) for place, card in enumerate(order)]
    opened = [
        (place, guess)
        for place in range(1, 38)
        for guess in range(38)
        if check_opening(hashes[place], 0, place, salts[0], guess)
    ]
    assert opened == []
    assert len(set(salts)) == len(set(hashes)) == 38


@pytest.mark.parametrize("size", [0, 31, 33])
def test_wrong_lengths(size: int) -> None:
    for call in (
        lambda: secret_commitment(bytes(size)),
        lambda: root_of(bytes(size), [bytes(32)], "x"),
        lambda: root_of(bytes(32), [bytes(32), bytes(size)], "x"),
        lambda: derive(bytes(size), "x", 32),
        lambda: ProvableDealer(bytes(size)),
    ):
        with pytest.raises(DealFault) as refusal:
            call()
        assert refusal.value.code == "E-DEAL-SIZE"


def test_nobody_contributes() -> None:
    with pytest.raises(DealFault) as refusal:
        root_of(bytes(32), [], "x")
    assert refusal.value.code == "E-DEAL-ENTROPY"
