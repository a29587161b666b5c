"""Moments that games at random seldom come to, sought out: duels at zero, trains to pay for, pieces that have moved."""

from __future__ import annotations

from itertools import combinations

from pbem.engine.cards import is_reserve, suit_of
from pbem.engine.decisions import March, Move, Play, PlayCard, Reenter, Stop
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.state import Table
from tests.play import moments
from tests.properties.referee import worth
from tests.properties.refusals import refusal


def at_zero(table: Table) -> bool:
    """True if a duel stands at zero."""
    return table.state.duel is not None and table.state.duel.score == 0


def test_at_zero_a_card_of_the_suit_must_be_played_but_no_reserve() -> None:
    forced = free = 0
    for table in moments(Terms(), at_zero, 30):
        (decision,) = game.decisions(table)
        assert isinstance(decision, PlayCard)
        hand = table.state.cards.hands[decision.power]
        suited = [card for card in hand if suit_of(card) == decision.suit]
        no = refusal(table, decision.power, Stop())
        assert (no.code if no else "") == ("E-DUEL-MUST" if suited else "")
        forced, free = forced + bool(suited), free + (not suited)
        for card in hand:
            fits = card in suited or is_reserve(card)
            played = Play(card, 1 if is_reserve(card) else 0)
            assert (refusal(table, decision.power, played) is None) == fits
    assert forced
    assert free


def test_behind_one_may_always_stop() -> None:
    behind = moments(Terms(), lambda table: table.state.duel is not None and table.state.duel.score != 0, 20)
    for table in behind:
        (decision,) = game.decisions(table)
        assert refusal(table, decision.power, Stop()) is None


def is_train_open(table: Table) -> bool:
    """True if a train may re-enter, and its power has few cards enough to try all payments."""
    return any(
        isinstance(decision, March) and decision.trains and 2 <= len(table.state.cards.hands[decision.power]) <= 6
        for decision in game.decisions(table)
    )


def test_a_train_costs_four_points() -> None:
    accepted = refused = 0
    for table in moments(Terms(), is_train_open, 10):
        for decision in game.decisions(table):
            assert isinstance(decision, March)
            hand = table.state.cards.hands[decision.power]
            payments = [cards for size in range(3) for cards in combinations(hand, size)]
            for train, cities in decision.trains.items():
                for cards in payments:
                    no = refusal(table, decision.power, Reenter(train, cities[0], cards))
                    assert (no is None) == (worth(cards) >= 4)
                    accepted, refused = accepted + (no is None), refused + (no is not None)
    assert accepted
    assert refused


def test_no_piece_moves_twice() -> None:
    """A piece that has moved, or whom another has joined, moves no more; nor does an enemy's (§10.1)."""
    for table in moments(Terms(), lambda table: table.state.phase == "movement" and len(table.state.moved) > 2, 12):
        rules, field = table.rules.common, table.state.field
        power = table.state.owing[0]
        for piece, now in enumerate(field.pieces):
            if now.city >= 0 and (piece in table.state.moved or rules.pieces[piece].power not in table.state.owing):
                for city in rules.board.near[now.city]:
                    assert refusal(table, power, Move((piece,), (city,))) is not None
