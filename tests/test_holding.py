"""The stand-in for absent players: always legal, always the same, and as little as the rules allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.bots.plain import hold, level_troops
from pbem.bots.table import policy_by_player
from pbem.engine import decisions as questions
from pbem.engine.cards import cheapest, deck_cards, is_reserve, points, value_of
from pbem.engine.decisions import (
    Allotment,
    Answer,
    Arrange,
    ChooseRetreat,
    Decision,
    Play,
    PlayCard,
    Recruitment,
    RetreatAlong,
)
from pbem.engine.events import CardPlayed, Event, Marched, Recruited
from pbem.engine.field import OFF, alter, are_allied, pieces_at
from pbem.engine.table import player_of
from pbem.games.maria.rules import corps, game, relocation
from pbem.games.maria.rules import decisions as own_questions
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import Corps, GoTo, PayToll, Reinforce, Relocate, SendCorps, Toll, Vote, Votes
from pbem.games.maria.rules.events import CorpsSent, TollPaid
from pbem.games.maria.rules.state import CorpsTask, Table
from pbem.paper.library import load_rules
from pbem.paper.orders import trial
from pbem.paper.positions.files import load_position
from tests.no_chance import NoChance

from .play import EVERY, LONGER, VARIANTS, answers, chance_of, name_of, play, start, twin
from .raider import raid
from .test_bots import in_other_hands

KINDS = {
    kind
    for kind in (*vars(questions).values(), *vars(own_questions).values())
    if isinstance(kind, type) and issubclass(kind, Decision) and kind not in (Decision, Arrange)
}
"""Everything that may be asked; to move troops within a stack is never asked of anybody."""

DECKS = load_rules(Terms()).common.decks


def stand_in(table: Table, decision: Decision, chance: Random) -> Answer:
    """Hold, without any chance."""
    return hold(table, decision, NoChance())


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_a_game_of_nobody_comes_to_an_end(terms: Terms) -> None:
    table, events = play(terms, 1, stand_in)
    assert table.state.result is not None
    assert not [event for event in events if isinstance(event, Marched | CardPlayed | Recruited)]


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_a_game_goes_on_without_one_player(terms: Terms) -> None:
    """Any player may be absent: the others play to the end, and the absent one pays only what is owed."""
    for player in load_rules(terms).seats:
        table, _ = start(terms, player)
        for power, answer in answers(table, chance_of(terms, player), policy_by_player({player: stand_in}, raid)):
            was_absent = player_of(table, power) == player
            events = game.apply(table, power, answer)
            if was_absent and not isinstance(answer, questions.Transfer):
                assert not spent_freely(power, answer, events)
        assert table.state.result is not None


def spent_freely(power: str, answer: Answer, events: list[Event]) -> list[Event]:
    """Payments that nobody made a power make."""
    if isinstance(answer, PayToll | Play | Corps):
        return []
    return [
        event
        for event in events
        if isinstance(event, CardPlayed | Recruited | TollPaid | CorpsSent) and event.power == power
    ]


@cache
def asked() -> dict[type[Decision], list[tuple[Table, Decision, Answer]]]:
    """Decisions of every kind out of games at random, each with the stand-in's answer, which is legal."""
    found: dict[type[Decision], list[tuple[Table, Decision, Answer]]] = {kind: [] for kind in KINDS}
    for seed in range(40):
        # What is rare the longer games alone ask.
        for terms in (LONGER[seed % len(LONGER)], *VARIANTS[seed : seed + 1]):
            table, _ = start(terms, seed)
            for power, answer in answers(table, chance_of(terms, seed), raid):
                for decision in game.decisions(table):
                    answer_to(table, decision, found)
                game.apply(table, power, answer)
        if min(len(each) for each in found.values()) >= 3:
            break
    return found


def answer_to(
    table: Table, decision: Decision, found: dict[type[Decision], list[tuple[Table, Decision, Answer]]]
) -> None:
    """Note what the stand-in answers, and see that the game takes it."""
    if len(found[type(decision)]) < 60:
        before = twin(table)
        given = stand_in(before, decision, NoChance())
        found[type(decision)].append((twin(table), decision, given))
        game.apply(before, decision.power, given)


def test_every_kind_of_decision_has_a_legal_answer() -> None:
    counts = Counter({kind.__name__: len(each) for kind, each in asked().items()})
    assert [name for name, count in counts.items() if not count] == []


def test_a_decision_that_nobody_knows_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="Arrange"):
        hold(start(Terms(), 1)[0], Arrange("austria", ()), NoChance())


def test_allotments_are_as_even_as_the_minimums_allow() -> None:
    for _, decision, answer in asked()[questions.Allot]:
        assert isinstance(decision, questions.Allot)
        assert isinstance(answer, Allotment)
        free = [count for general, count in answer.troops.items() if count > decision.least[general]]
        assert max(free, default=1) - min(answer.troops.values()) <= 1


def test_tolls_are_paid_as_cheaply_as_possible() -> None:
    for table, decision, answer in asked()[Toll]:
        assert isinstance(decision, Toll)
        assert isinstance(answer, PayToll)
        if answer.unsupplied and table.rules.common.unpaid == "pay all":
            assert answer.cards == decision.hand
            continue
        price = sum(len(claim.path) for claim in decision.claims if claim.piece not in answer.unsupplied)
        assert points(DECKS, answer.cards) - price <= min([points(DECKS, [card]) for card in answer.cards], default=1)


def test_in_battle_only_what_must_be_played_is_played() -> None:
    for _, decision, answer in asked()[PlayCard]:
        assert isinstance(decision, PlayCard)
        assert isinstance(answer, Play) == decision.must
        if isinstance(answer, Play):
            assert not is_reserve(answer.card)
            suited = [card for card in decision.cards if not is_reserve(card)]
            assert value_of(answer.card) == min(value_of(card) for card in suited)


def test_of_the_places_to_retreat_to_the_first_by_name_is_taken() -> None:
    for table, decision, answer in asked()[ChooseRetreat]:
        assert isinstance(decision, ChooseRetreat)
        assert isinstance(answer, RetreatAlong)
        cities = table.rules.common.board.cities
        assert cities[answer.path[-1]].name == min(cities[end].name for end in decision.ends)


def test_gifts_are_taken_evenly_by_those_who_stand_on_the_map() -> None:
    for table, decision, answer in asked()[Reinforce]:
        assert isinstance(decision, Reinforce)
        assert isinstance(answer, Recruitment)
        standing = {general: room for general, room in decision.room.items() if general not in decision.entries}
        assert not answer.entries
        assert sum(answer.troops.values()) == min(decision.troops, sum(standing.values()))
        pieces = table.state.field.pieces
        after = {general: pieces[general].troops + answer.troops.get(general, 0) for general in standing}
        for general in answer.troops:
            assert after[general] - 1 <= min(after.values())


def test_the_weakest_general_leaves_for_the_corps() -> None:
    for table, decision, answer in asked()[SendCorps]:
        assert isinstance(decision, SendCorps)
        assert isinstance(answer, Corps)
        at_hand = set(decision.generals) - set(decision.recruits)
        if at_hand:
            pieces = table.state.field.pieces
            assert not answer.cards
            assert pieces[answer.general].troops == min(pieces[general].troops for general in at_hand)


def test_displaced_pieces_keep_to_themselves_where_they_can() -> None:
    for table, decision, answer in asked()[Relocate]:
        assert isinstance(decision, Relocate)
        assert isinstance(answer, GoTo)
        empty = [city for city in decision.cities if not pieces_at(table.state.field, city)]
        assert answer.city in (empty or decision.cities)


def test_who_commanded_a_city_goes_on_doing_so() -> None:
    """No random game has shown this one: a displaced general comes to a general of his own rank."""
    table, _ = start(Terms("advanced"), 1)
    pieces, rules = table.state.field.pieces, table.rules.common
    on_map = [general for power in table.rules.powers for general in rules.generals(power) if pieces[general].city >= 0]
    here, there = next(
        (one, other) for one, other in combinations(on_map, 2) if rules.pieces[one].rank == rules.pieces[other].rank
    )
    decision = Relocate(rules.pieces[here].power, here, (pieces[there].city,))
    answer = stand_in(table, decision, NoChance())
    assert answer == GoTo(pieces[there].city, there)
    relocation.check(table, decision, answer)


def test_a_corps_is_paid_for_only_when_nobody_is_there_to_go() -> None:
    table, _ = start(Terms("advanced"), 1)
    task = CorpsTask("austria")
    for general in table.rules.common.generals("austria"):
        alter(table.state.field, general, city=OFF)
    decision = corps.decision(table, task)
    answer = stand_in(table, decision, NoChance())
    assert isinstance(answer, Corps)
    assert points(DECKS, answer.cards) >= table.rules.game.advanced.corps_price
    assert corps.send(table, task, decision, answer)


def test_votes_are_for_the_own_side() -> None:
    for table, decision, answer in asked()[Vote]:
        assert isinstance(decision, Vote)
        french = are_allied(table.state.field, decision.power, "france")
        assert answer == Votes(decision.votes if french else 0)


def test_nothing_is_used_that_the_player_may_not_know() -> None:
    table, _ = start(Terms(), "secrets")
    hidden = Random(1)
    for power, answer in answers(table, chance_of(Terms(), "secrets"), raid):
        for decision in game.decisions(table):
            expected = stand_in(table, decision, NoChance())
            assert stand_in(in_other_hands(table, decision.power, hidden), decision, NoChance()) == expected
        game.apply(table, power, answer)


@given(st.dictionaries(st.integers(0, 9), st.integers(0, 8), min_size=1), st.data())
def test_levelled_troops(least: dict[int, int], data: st.DataObject) -> None:
    """All troops are given, nobody has fewer than before or too many, and who got one was among the weakest."""
    total = data.draw(st.integers(sum(least.values()), 8 * len(least)))
    level = level_troops(least, total, 8)
    assert sum(level.values()) == total
    for general, count in level.items():
        assert least[general] <= count <= 8
        if count > least[general]:
            assert count - 1 <= min(level.values())


@given(st.lists(st.sampled_from(deck_cards(DECKS, 0) + deck_cards(DECKS, 1)), max_size=8, unique=True), st.data())
def test_the_cheapest_payment(hand: list[int], data: st.DataObject) -> None:
    """No choice of cards that is enough is worth less, or is worth the same and spares a Reserve altogether."""
    price = data.draw(st.integers(0, points(DECKS, hand)))
    cards = cheapest(DECKS, hand, price)
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(hand)
    enough = [each for each in every_choice(hand) if points(DECKS, each) >= price]
    assert points(DECKS, cards) == min(points(DECKS, each) for each in enough)
    if any(is_reserve(card) for card in cards):
        assert all(any(map(is_reserve, each)) for each in enough if points(DECKS, each) == points(DECKS, cards))


def every_choice(hand: Sequence[int]) -> list[tuple[int, ...]]:
    """Every selection of cards."""
    return [cards for size in range(len(hand) + 1) for cards in combinations(hand, size)]


def test_who_has_to_leave_neutral_land_marches_out() -> None:
    """Edition 1.0 moves nobody out of newly neutral Saxony: also an absent player's pieces have to go (§19.3)."""
    lines = ["scenario: advanced", 'edition: "1.0"', "turn: 4", "stage: austria", "phase: movement"]
    lines += [
        "affairs: {tracks: {saxony: 3}}",
        "pieces: {Karl: 'Dresden, 4', Rutowski: 'Leipzig, 5', austria train 3: Freiberg}",
    ]
    table = load_position("\n".join(lines).encode(), "position")
    trial.begin(table)
    moved = []
    while "austria" in table.state.owing:
        answer = stand_in(table, game.decision_of(table, "austria"), NoChance())
        moved += [event for event in game.apply(table, "austria", answer) if isinstance(event, Marched)]
    pieces, names = table.rules.common.pieces, table.rules.common.board.cities
    gone = [(pieces[march.pieces[0]].name, names[march.path[-1]].name) for march in moved]
    assert gone == [("austria train 3", "Teplitz"), ("Karl von Lothringen", "Tetschen")]
