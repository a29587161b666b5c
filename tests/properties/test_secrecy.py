"""Nobody sees what he may not: positions that differ only in the secrets of others look the same.

A power's secrets are its hand, the troops of each of its generals, and with everybody's the order of the draw deck.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import events as e
from pbem.engine.cards import Cards, SeededDealer
from pbem.engine.decisions import Allot, Allotment, Answer, Arrange, Decision, Recruit, Recruitment
from pbem.engine.field import ASIDE, alter
from pbem.engine.rules import IllegalOrder
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.game import view
from pbem.games.maria.rules.state import Table
from tests.play import VARIANTS, answers, chance_of, name_of, position, start, transfer, twin
from tests.properties.mutants import mutants
from tests.raider import raid
from tests.trying import tries

GAMES = st.tuples(st.sampled_from(VARIANTS), st.integers(0, 10_000), st.integers(0, 250))


def knowers(table: Table) -> list[tuple[str, ...]]:
    """Everybody who looks: each player, and somebody who only watches."""
    return [*table.rules.seats.values(), ()]


def with_other_secrets(table: Table, powers: Collection[str], chance: Random) -> Table:
    """The same position as far as these powers know."""
    other = twin(table)
    other.dealer = SeededDealer(f"other {chance.random()}")
    hidden = [power for power in table.rules.powers if power not in powers]
    deal_anew(other.state.cards, hidden, chance)
    for power in hidden:
        allot_anew(other, power, chance)
    return other


def deal_anew(cards: Cards, hidden: Sequence[str], chance: Random) -> None:
    """Mix the draw deck with the hidden hands, and deal as many to each as before."""
    pool = sorted([*cards.draw, *(card for power in hidden for card in cards.hands[power])])
    chance.shuffle(pool)
    for power in hidden:
        size = len(cards.hands[power])
        cards.hands[power], pool = sorted(pool[:size]), pool[size:]
    cards.draw = pool


def allot_anew(table: Table, power: str, chance: Random) -> None:
    """Deal the troops of a power to its generals anew; what a battle has revealed stays."""
    state, rules = table.state, table.rules.common
    revealed = set()
    if state.duel:
        revealed = {state.duel.attacking_city, state.duel.defending_city}
    if state.retreat:
        revealed = {state.retreat.start, state.retreat.from_city}
    generals = [general for general in rules.generals(power) if state.field.pieces[general].troops]
    groups: dict[int, list[int]] = {}
    for general in generals:
        city = state.field.pieces[general].city
        groups.setdefault(city if city in (*revealed, ASIDE) else -1000, []).append(general)
    for group in groups.values():
        total = sum(state.field.pieces[general].troops for general in group)
        troops = spread(total, dict.fromkeys(group, 1), rules.limits.troops, chance)
        for general, count in troops.items():
            alter(state.field, general, troops=count)


def spread(
    total: int, least: Mapping[int, int], most: int, chance: Random, fixed: Collection[int] = ()
) -> dict[int, int]:
    """So many troops on these generals, at random; fixed ones keep what they have."""
    troops = dict(least)
    while sum(troops.values()) < total:
        general = chance.choice([g for g, count in troops.items() if count < most and g not in fixed])
        troops[general] += 1
    return troops


def seen(events: Sequence[e.Event], powers: Collection[str]) -> list[e.Event]:
    """Events that these powers see, up to the first that gives a secret away by the rules.

    A battle states strengths (§11.1); a stack without troops left shows how few they were (§6); a card drawn depends on
    the deck, so of one's own cards only the number is kept.
    """
    found: list[e.Event] = []
    for event in events:
        if isinstance(event, e.BattleJoined | e.GeneralRemoved):
            break
        if isinstance(event, e.CardsDrawn):
            event = e.CardsDrawn(event.power, event.count, None)
        visible = e.seen_by(event, powers)
        if visible is not None:
            found.append(visible)
    return found


def outcome(table: Table, power: str, answer: Answer, powers: Collection[str]) -> Any:
    """Result of an answer for these powers: the events that they see, or the refusal."""
    try:
        return seen(game.apply(table, power, answer), powers)
    except IllegalOrder as no:
        return (no.rule, no.code, no.message, no.hint, no.where)


@tries(15)
@given(GAMES, st.integers(0, 2**32))
def test_a_view_holds_no_secret_of_others(chosen: tuple[Terms, int, int], throw: int) -> None:
    table = position(*chosen)
    for powers in knowers(table):
        other = with_other_secrets(table, powers, Random(throw))
        assert view(other, powers) == view(table, powers)


@tries(12)
@given(GAMES, st.integers(0, 2**32))
def test_answers_and_refusals_tell_no_secret_of_others(chosen: tuple[Terms, int, int], throw: int) -> None:
    table = position(*chosen)
    chance = Random(throw)
    for decision in game.decisions(table):
        powers = table.rules.seats[table.rules.player_of(decision.power)]
        legal = raid(table, decision, chance)
        for answer in [legal, *mutants(legal, chance, 12)]:
            one, other = twin(table), with_other_secrets(table, powers, chance)
            assert outcome(one, decision.power, answer, powers) == outcome(other, decision.power, answer, powers)


@tries(10)
@given(GAMES, st.integers(0, 2**32))
def test_secret_answers_look_the_same_to_others(chosen: tuple[Terms, int, int], throw: int) -> None:
    table = position(*chosen)
    chance = Random(throw)
    for decision in (*game.decisions(table), *game.anytime(table)):
        pair = secret_answers(table, decision, chance)
        if pair is None:
            continue
        for powers in knowers(table):
            if decision.power in powers:
                continue
            one, other = twin(table), twin(table)
            events, others = (game.apply(t, decision.power, a) for t, a in zip((one, other), pair, strict=True))
            assert seen(events, powers) == seen(others, powers)
            assert view(one, powers) == view(other, powers)


def secret_answers(table: Table, decision: Decision, chance: Random) -> tuple[Answer, Answer] | None:
    """Two answers that differ only in what their power keeps to itself.

    The troops of generals who take no part are no secret: the total on the map is public (§6, §14).
    """
    match decision:
        case Allot(_, troops, least, most):
            allotment = spread(troops, least, most, chance)
            aside = {g: allotment[g] for g in least if table.state.field.pieces[g].city == ASIDE}
            return Allotment(allotment), Allotment(spread(troops, {**least, **aside}, most, chance, fixed=aside))
        case Recruit():
            recruits = raid(table, decision, chance)
            assert isinstance(recruits, Recruitment)
            again = recruit_anew(decision, recruits, chance)
            return recruits, again
        case Arrange():
            return transfer(decision, table, chance), transfer(decision, table, chance)
    return None


def recruit_anew(decision: Recruit, recruits: Recruitment, chance: Random) -> Recruitment:
    """The same recruits for the same cards, given to other generals."""
    troops = dict.fromkeys(recruits.entries, 1)
    able = [general for general in decision.room if general in recruits.entries or general not in decision.entries]
    while sum(troops.values()) < sum(recruits.troops.values()):
        general = chance.choice([g for g in able if troops.get(g, 0) < decision.room[g]])
        troops[general] = troops.get(general, 0) + 1
    return Recruitment(recruits.cards, troops, recruits.entries, recruits.commanders)


@pytest.mark.parametrize("terms", VARIANTS, ids=name_of)
def test_secrets_in_events_are_kept_from_others_only(terms: Terms) -> None:
    table, events = start(terms, "secrets")
    for power, answer in answers(table, chance_of(terms, "secrets"), raid):
        events += game.apply(table, power, answer)
    kinds = set()
    for event in events:
        others = e.seen_by(event, ["nobody"])
        match event:
            case e.TroopsMoved(power):
                assert others is None
            case e.TroopsAllotted(power):
                assert others == e.TroopsAllotted(power, None)
            case e.CardsDrawn(power, count):
                assert others == e.CardsDrawn(power, count, None)
            case e.Recruited(power, troops, cards):
                assert others == e.Recruited(power, troops, cards, None)
            case _:
                assert others == event
                continue
        kinds.add(type(event))
        assert e.seen_by(event, [power]) == event
    assert len(kinds) == 4
