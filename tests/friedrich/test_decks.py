"""Five decks of tactical cards, as a table may agree on: their numbers, and what is dealt, written and held."""

from __future__ import annotations

from itertools import product

import pytest

from pbem.engine.cards import (
    RESERVE,
    SeededDealer,
    as_held,
    card_of,
    deck_cards,
    deck_of,
    is_reserve,
    suit_of,
    value_of,
)
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.state import draw_cards
from pbem.paper.documents.faults import Refused
from pbem.paper.lexicon import Lexicon, card_text
from pbem.paper.positions.files import load_position, write_position
from pbem.report.blocks import notations


def test_a_number_tells_suit_value_and_deck_and_those_of_four_decks_are_what_they_always_were() -> None:
    facts = load_friedrich(Terms(decks=5)).common.decks
    for deck in range(5):
        for card in deck_cards(facts, deck):
            assert card_of(suit_of(card), value_of(card), deck_of(card)) == card
            assert deck_of(card) == deck
            assert is_reserve(card) is (suit_of(card) == RESERVE)
            if deck < 4:
                assert card == suit_of(card) * 64 + value_of(card) * 4 + deck
            else:
                assert card == card_of(suit_of(card), value_of(card), 0) + 512
    assert len({card for deck in range(5) for card in deck_cards(facts, deck)}) == 250


def test_the_game_has_four_decks_and_the_rule_book_no_more() -> None:
    rules = load_friedrich(Terms())
    assert rules.common.decks.decks == rules.game.decks.decks == 4
    assert load_friedrich(Terms(decks=5)).common.decks.decks == 5


@pytest.mark.parametrize("decks", [1, 3, 6])
def test_another_number_of_decks_is_refused(decks: int) -> None:
    with pytest.raises(Refused) as refused:
        load_position(f"game: friedrich\ndecks: {decks}\n".encode(), "mine")
    assert [(fault.code, fault.line, str(fault.hint)) for fault in refused.value.faults] == [
        ("E-VALUE-RANGE", 2, "4 or 5")
    ]


def test_the_fifth_deck_is_drawn_after_the_others_and_saved() -> None:
    table, _ = game.start(load_friedrich(Terms(decks=5)), SeededDealer("five"))
    drawn, _ = draw_cards(table, "prussia", 251)
    assert len(set(drawn)) == 250
    assert [deck_of(card) for card in drawn] == [number // 50 for number in range(250)]
    table.state.cards.discards[4] = [table.state.cards.hands["prussia"].pop()]
    loaded = load_position(write_position(table).encode(), "saved")
    assert loaded.state.cards == table.state.cards


def test_cards_of_the_fifth_deck_are_written_read_and_held_like_others() -> None:
    lexicon = Lexicon(load_friedrich(Terms(decks=5)))
    for suit, value in product(range(4), (2, 13)):
        (card,) = lexicon.copies(lexicon.card(card_text(card_of(suit, value, 4), deck=True)))
        assert card == card_of(suit, value, 4)
    hand = [card_of(0, 7, 4), card_of(0, 9, 0), card_of(3, 2, 1), card_of(RESERVE, 1, 4), card_of(RESERVE, 1, 0)]
    assert notations(hand, with_deck=True) == ["♣7/5", "♣9/1", "♠2/2", "R/1", "R/5"]
    assert sorted(hand, key=as_held) != sorted(hand)
