"""Imagined battles: what is known stays, what is not known comes by chance, and no secret makes a difference."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import log
from random import Random
from typing import Any

import pytest

from pbem.bots.imagining import (
    KnownFacts,
    attack_likelihood,
    attacks_of_others,
    imagine_likely_world,
    imagine_world,
)
from pbem.bots.plain import game_bots
from pbem.bots.table import (
    AGAIN,
    WORLDS,
    best_card,
    bot_named,
    likely_answers,
    plays_above_zero,
    policy_that_presses,
    seeds_of,
)
from pbem.engine.cards import RESERVE, SeededDealer, deck_cards, is_reserve, suit_of, value_of
from pbem.engine.decisions import Play, PlayCard, Stop
from pbem.engine.events import BattleJoined, Event
from pbem.engine.field import alter
from pbem.engine.memory import Declaration
from pbem.engine.nouns import City, Power
from pbem.engine.table import Table, digest, player_of, powers_of_player
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.kit import copy_of, game_of

from .friedrich import random_play
from .play import start
from .twins import with_other_secrets

TABLES = [
    start(Terms("advanced", bluffing=True), "duels")[0],
    start(Terms("silesia-gambit"), "duels")[0],
    random_play.start(FriedrichTerms("four", expert=True), "duels")[0],
]


def duels(table: Table, most: int) -> Iterator[PlayCard]:
    """Play on to combats in which there is something to choose."""
    game, chance, found = game_of(table), Random("duels"), 0
    policy = bot_named("sensible", table.rules.terms.game)
    while table.state.phase != "over" and found < most:
        decision = game.decisions(table)[0]
        if isinstance(decision, PlayCard) and (len(likely_answers(decision)) > 1 or plays_above_zero(table, decision)):
            found += 1
            yield decision
        game.apply(table, decision.power, policy(table, decision, chance))


@pytest.mark.parametrize("table", TABLES, ids=["advanced", "gambit", "friedrich"])
def test_what_is_known_stays_and_what_is_not_known_makes_no_difference(table: Any) -> None:
    game, differing = game_of(table), 0
    policy = bot_named("strong", table.rules.terms.game)
    for decision in duels(table, 5):
        own = powers_of_player(table, player_of(table, decision.power))
        world, again, other = (imagine_world(table, own, seed) for seed in ("one", "one", "another"))
        assert digest(world.state) == digest(again.state)
        differing += digest(world.state) != digest(other.state)
        assert game.view(world, own) == game.view(table, own)
        assert not game.problems(world)
        elsewhere = with_other_secrets(table, own, Random(7))
        assert policy(elsewhere, decision, Random(3)) == policy(table, decision, Random(3))
    assert differing == 5


@pytest.mark.parametrize("table", TABLES, ids=["advanced", "gambit", "friedrich"])
def test_a_world_is_the_same_whatever_the_secrets_of_others_are(table: Any) -> None:
    """Hands, troops, the decks of fate and politics, cards laid face-down, wishes among others."""
    game, chance, orders = game_of(table), Random("worlds"), set()
    world = copy_of(table, SeededDealer("worlds"))
    policy = bot_named("beginner", world.rules.terms.game)
    for step in range(900):
        if world.state.phase == "over":
            break
        decision = game.decisions(world)[0]
        if not step % 9:
            own = powers_of_player(world, chance.choice(list(world.rules.seats)))
            elsewhere = with_other_secrets(world, own, chance)
            for imagine in (imagine_world, imagine_likely_world):
                worlds = [imagine(each, own, f"seed {step}") for each in (world, elsewhere)]
                assert digest(worlds[0].state) == digest(worlds[1].state), (step, world.state.phase)
                assert game.view(worlds[0], own) == game.view(world, own)
            orders.add(getattr(worlds[0].state, "fate", None) and tuple(worlds[0].state.fate.deck))
        game.apply(world, decision.power, policy(world, decision, chance))
    assert len(orders) > 1 or not hasattr(world.state, "fate")


def test_a_stack_that_declared_its_strength_has_it_in_every_world_and_no_more_than_it_may_have_gained() -> None:
    table, _ = start(Terms(), "declared")
    next(duels(table, 1))
    rules, pieces = table.rules.common, table.state.field.pieces
    generals = {power: [g for g in rules.generals(power) if pieces[g].city >= 0] for power in table.rules.powers}
    power = next(power for power, found in generals.items() if len(found) > 3)
    total = sum(pieces[general].troops for general in generals[power])
    declared = [
        Declaration(tuple(generals[power][:2]), 8),
        Declaration((generals[power][2],), 1, sure=False),
        Declaration((generals[power][3],), 4, sure=False, gained=2),
    ]
    third, fourth = set(), set()
    for seed in range(150):
        own = [other for other in table.rules.powers if other != power]
        field = imagine_world(table, own, str(seed), KnownFacts(declared)).state.field
        troops = [field.pieces[general].troops for general in generals[power]]
        assert sum(troops[:2]) == 8
        assert sum(troops) == total
        third.add(troops[2])
        fourth.add(troops[3])
    assert len(third) > 1
    assert 4 <= min(fourth) < max(fourth) == 6


def combats(table: Table, most: int) -> Iterator[tuple[Power, Power]]:
    """Play on to the first cards of combats. Yield the attacker and the defender."""
    game, chance, found = game_of(table), Random("combats"), 0
    policy, events = bot_named("sensible", table.rules.terms.game), list[Event]()
    while table.state.phase != "over" and found < most:
        decision = game.decisions(table)[0]
        if isinstance(decision, PlayCard) and any(isinstance(event, BattleJoined) for event in events):
            assert table.state.duel is not None
            found += 1
            yield table.state.duel.attacker, table.state.duel.defender
        events = game.apply(table, decision.power, policy(table, decision, chance))


def strength_in(world: Table, power: Power, city: City) -> int:
    """Points that a hand can play in a city."""
    suit, most = world.rules.common.board.suit[city], world.rules.common.decks.reserve_most
    hand = world.state.cards.hands[power]
    return sum(most if is_reserve(card) else value_of(card) for card in hand if suit_of(card) in (suit, RESERVE))


@pytest.mark.parametrize("terms", [Terms(), FriedrichTerms("four")], ids=["maria", "friedrich"])
def test_both_sides_of_a_battle_mostly_have_the_cards_for_it(terms: Any) -> None:
    """Attackers have marched to the battle, and defenders have kept cards of the suits in which they stand."""
    table = start(terms, "attacked")[0] if isinstance(terms, Terms) else random_play.start(terms, "attacked")[0]
    means: dict[str, list[list[float]]] = {"attacker": [], "defender": []}
    for attacker, defender in combats(table, 8):
        duel = table.state.duel
        assert duel is not None
        for own, other, city in (
            (defender, attacker, duel.attacking_city),
            (attacker, defender, duel.defending_city),
        ):
            powers = powers_of_player(table, player_of(table, own))
            if other in powers:
                continue
            hands = [
                [strength_in(imagine(table, powers, str(seed)), other, city) for seed in range(80)]
                for imagine in (imagine_world, imagine_likely_world)
            ]
            means["attacker" if other == attacker else "defender"].append([sum(hand) / len(hand) for hand in hands])
    for side in means.values():
        assert sum(likely for _, likely in side) > 1.05 * sum(dealt for dealt, _ in side)
        assert all(likely > 0.8 * dealt for dealt, likely in side), side


def test_a_general_more_in_a_suit_makes_its_cards_likelier_to_be_kept() -> None:
    """The odds of a card that may be in one hand or in the draw deck rise by the weight of the game, as a power of e,
    for each general of the power in its suit; cards of other suits become rarer."""
    table = start(Terms(), "kept")[0]
    next(duels(table, 1))
    own = powers_of_player(table, player_of(table, "austria"))
    foe = next(power for power in table.rules.powers if power not in own)
    board, field = table.rules.common.board, table.state.field
    table.state.duel, table.state.battles = None, []
    spades = next(city for city, suit in enumerate(board.suit) if suit == 0)
    shares: list[list[float]] = []
    for imagine in (imagine_world, imagine_likely_world):
        for general in table.rules.common.generals(foe):
            alter(field, general, city=spades)
        counts = [0, 0]
        for seed in range(400):
            hand = imagine(table, own, str(seed)).state.cards.hands[foe]
            counts[0] += sum(suit_of(card) == 0 for card in hand)
            counts[1] += sum(suit_of(card) in (1, 2, 3) for card in hand)
        shares.append([count / sum(counts) for count in counts])
    odds = [share[0] / share[1] for share in shares]
    generals = len(table.rules.common.generals(foe))
    assert 0.6 < log(odds[1] / odds[0]) / (game_bots("maria").keeping * generals) < 1.3


@pytest.mark.parametrize("terms", [Terms(), FriedrichTerms("four")], ids=["maria", "friedrich"])
def test_cards_that_are_surely_in_a_hand_or_in_the_deck_stay_there(terms: Any) -> None:
    table = start(terms, "sure")[0] if isinstance(terms, Terms) else random_play.start(terms, "sure")[0]
    next(duels(table, 1))
    cards = table.state.cards
    own = powers_of_player(table, player_of(table, table.rules.powers[0]))
    strangers = [power for power in table.rules.powers if power not in own and cards.hands[power]]
    cards.draw[:] = deck_cards(table.rules.common.decks, 3)
    held = {cards.hands[power][0]: power for power in strangers}
    known, hands = KnownFacts(held=held, shuffled=(3,)), set()
    for seed in range(20):
        world = imagine_likely_world(table, own, str(seed), known).state.cards
        assert all(card in world.hands[power] for card, power in held.items())
        assert sorted(world.draw) == sorted(cards.draw)
        hands.add(tuple(world.hands[strangers[0]]))
    assert len(hands) > 1


@pytest.mark.parametrize("table", TABLES, ids=["advanced", "gambit", "friedrich"])
def test_cards_that_the_attacker_has_played_count_for_the_attack(table: Any) -> None:
    world, tried = copy_of(table, SeededDealer("played")), 0
    for attacker, defender in combats(world, 3):
        duel = world.state.duel
        (attack,) = [
            each
            for each in attacks_of_others(world, powers_of_player(world, player_of(world, defender)))
            if each[1].attacker == duel.attacking_city
        ]
        assert attack[0] == attacker
        before = attack_likelihood(world, *attack)
        duel.score += 5
        assert attack_likelihood(world, *attack) > before
        duel.score -= 5
        assert not [
            each for each in attacks_of_others(world, world.rules.powers) if each[1].attacker == duel.attacking_city
        ]
        tried += 1
    assert tried


def test_of_the_likeliest_cards_the_one_is_played_that_leads_to_most() -> None:
    """A bot that stops first in every duel finds most often that to play is better, and sometimes that it is not."""
    table, _ = start(Terms(), "better")
    at_once = game_bots("maria").sensible
    seeds = seeds_of(Random(1), WORLDS)
    answers = [best_card(table, decision, Stop(), at_once, seeds) for decision in duels(table, 24) if not decision.must]
    assert len({type(answer) for answer in answers}) == 2
    assert WORLDS > 1


def test_a_combat_is_not_given_up_while_a_reserve_is_worth_more() -> None:
    table, _ = start(Terms("advanced"), "reserve")
    at_once, most = game_bots("maria").strong, table.rules.common.decks.reserve_most
    assert at_once is not None
    answers = []
    for decision in duels(table, 200):
        plays = plays_above_zero(table, decision)
        if plays and all(is_reserve(card) for card in decision.cards):
            answers.append(best_card(table, decision, Stop(), at_once, seeds_of(Random(1), WORLDS)))
    assert {(type(answer), getattr(answer, "value", 0)) for answer in answers} == {(Stop, 0), (Play, most)}


def test_whoever_presses_plays_on_while_a_card_turns_the_score() -> None:
    table, _ = start(Terms("advanced"), "pressed")
    pressing, played, left = policy_that_presses(lambda table, decision, chance: Stop()), 0, 0
    for decision in duels(table, 60):
        answer = pressing(table, decision, Random(1))
        if isinstance(answer, Play):
            worth = answer.value if is_reserve(answer.card) else value_of(answer.card)
            assert decision.score + worth > 0
            played += 1
        else:
            assert all(is_reserve(card) or decision.score + value_of(card) <= 0 for card in decision.cards)
            left += 1
    assert played
    assert left


def test_more_worlds_are_imagined_before_a_combat_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = start(Terms("advanced"), "given up")
    policy, seen, counts = bot_named("strong", "maria"), set[str](), {Play: set[int](), Stop: set[int]()}

    def noted(table: Table, own: Collection[Power], seed: str) -> Table:
        seen.add(seed)
        return imagine_world(table, own, seed)

    monkeypatch.setattr("pbem.bots.table.imagine_world", noted)
    for decision in duels(table, 60):
        seen.clear()
        if plays_above_zero(table, decision) and len(likely_answers(decision)) > 1:
            counts[type(policy(table, decision, Random(1)))].add(len(seen))
    assert counts[Stop] == {WORLDS + WORLDS * AGAIN}
    assert counts[Play] == {WORLDS, WORLDS + WORLDS * AGAIN}
