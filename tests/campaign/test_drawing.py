"""Cards drawn by each power, counted from public events, are those that were dealt: whole games of every kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.proof.drawing import Draws, draws_of
from pbem.engine.cards import OTHER_DECKS
from pbem.engine.events import CardsDrawn, DeckShuffled, all_seen_by
from pbem.engine.table import Table
from pbem.games.maria.rules.events import CardsLaidAside, CardsRegained
from pbem.kit import game_named, game_of
from pbem.paper.positions.files import load_position
from pbem.seal.deal import ProvableDealer
from tests import play
from tests.paper.test_knowledge import GAMES
from tests.raider import raid


def dealt(table: Table, made: dict[int, list[int]], draws: Draws) -> Counter[str]:
    """Every card in a hand lies where its power has drawn; how many there were, and how many nobody can count."""
    found: Counter[str] = Counter()
    for power, hand in table.state.cards.hands.items():
        uncounted = 0
        for card in hand:
            shuffles = [number for number, order in made.items() if number < OTHER_DECKS and card in order]
            place = (max(shuffles), made[max(shuffles)].index(card)) if shuffles else (-1, -1)
            assert not draws.is_spent(card, place[0] if shuffles else None)
            uncounted += not draws.has_drawn(power, place)
            found["counted"] += place in draws.drawn.get(power, ())
            found["uncounted"] += not draws.has_drawn(power, place)
        assert uncounted <= draws.uncounted.get(power, 0) + len(draws.laid_out.get(power, ()))
    assert len(draws.deck) == len(table.state.cards.draw)
    return found


@pytest.mark.parametrize(("games", "player", "terms"), GAMES)
def test_draws_can_be_counted(games: Any, player: Callable[..., Any], terms: Any) -> None:
    rules, dealer = games.start(terms, "drawing")[0].rules, ProvableDealer(bytes(32))
    table, events = game_named(rules.terms.game).start(rules, dealer)
    draws, chance = Draws(), games.chance_of(terms, "drawing")
    draws.follow(all_seen_by(events, ()))
    total: Counter[str] = Counter()
    for power, answer in games.answers(table, chance, player):
        draws.follow(all_seen_by(game_of(table).apply(table, power, answer), ()))
        total += dealt(table, dict(dealer.made), draws)
    assert total["counted"] > 500
    assert total["uncounted"] * 5 < total["counted"]


def test_draws_can_be_counted_from_a_position() -> None:
    data = Path("examples/mid-war/position.yaml").read_bytes()
    dealers = [ProvableDealer(bytes([number]) * 32) for number in (1, 2)]
    tables = [load_position(data, "position", None, dealer) for dealer in dealers]
    draws, other = (draws_of(table, dealer) for table, dealer in zip(tables, dealers, strict=True))
    assert draws == other
    table, dealer = tables[0], dealers[0]
    draws.follow(all_seen_by(game_of(table).advance(table), ()))
    seen = 0
    for power, answer in play.answers(table, play.chance_of(table.rules.terms, "drawing"), raid):
        draws.follow(all_seen_by(game_of(table).apply(table, power, answer), ()))
        assert len(draws.deck) == len(table.state.cards.draw)
        seen += dealt(table, dict(dealer.made), draws)["counted"]
    assert seen


def test_cards_laid_aside_count_as_drawn_once_they_are_taken_back() -> None:
    draws = Draws()
    draws.follow([DeckShuffled(1, (0,), 9), CardsDrawn("france", 2, None), CardsLaidAside("france", 3)])
    places = [(0, position) for position in range(9)]
    assert [draws.has_drawn("france", place) for place in places] == [True] * 2 + [False] * 7
    draws.see(CardsRegained("france", 3, None))
    assert [draws.has_drawn("france", place) for place in places] == [True] * 5 + [False] * 4
    assert not any(draws.has_drawn("prussia", place) for place in places)
