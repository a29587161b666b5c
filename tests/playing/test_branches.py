"""Branches from a report: the truth makes no difference, steps lead back and forth, and a saved branch goes on."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from pbem.bots.table import bot_named
from pbem.engine.events import Marched
from pbem.engine.table import digest
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.player.chances import Written
from pbem.player.notebook import counted, facts_of
from pbem.player.tables import FoundTable, reported_table
from pbem.playing.branches import BranchGame, BranchWish, copy_of_branch, new_branch, opening_of, replayed_game
from pbem.playing.saved import saved_data, saved_parts
from tests.notebooks import Reporter, is_asked, played, reporter
from tests.twins import with_other_secrets

GAMES = [
    ({"game": "maria", "scenario": "introductory"}, "louis"),
    ({"game": "maria", "scenario": "advanced"}, "frederick"),
    ({"game": "friedrich", "scenario": "four"}, "elisabeth"),
]


def reported(terms: dict[str, str], seat: str, answers: int) -> Reporter:
    """A moderator whose report asks the seat something, after at least so many answers."""
    who = reporter(terms, seat, "branch")
    for number, _ in enumerate(played(who, "sensible", "branch", 400)):
        if number >= answers and is_asked(who):
            return who
    raise AssertionError


def found_in(who: Reporter) -> FoundTable:
    """The table of a report, with the facts that it tells."""
    guide = who.guide()
    found = reported_table(guide, "report")
    return replace(found, facts=facts_of(counted([who.post()])))


def branch(who: Reporter, level: str = "sensible", seed: str = "seed") -> BranchGame:
    """A branch without orders."""
    bots = {seat: level for seat in who.table.rules.seats if seat != who.seat} if level else {}
    return new_branch(found_in(who), "table.1", who.seat, Written(orders=[], plans={}), BranchWish(bots, seed))


def play(game: BranchGame, steps: int) -> list[str]:
    """Answer like a bot for so many steps; gives the digests at each question."""
    policy, reached = bot_named("sensible", game.rules.terms.game), []
    for number in range(steps):
        decision = game.question()
        if decision is None:
            break
        reached.append(digest(game.table.state))
        game.take(decision.power, policy(game.table, decision, Random(number)))
    game.question()
    return [*reached, digest(game.table.state)]


def saved(game: BranchGame) -> bytes:
    return saved_data(game.setup, game.answers, digest(game.table.state))


def loaded(data: bytes) -> BranchGame:
    setup, entries, reached = saved_parts(data, "game")
    start = opening_of(setup, "game")
    assert start
    game = replayed_game(start, setup, entries, reached, "game")
    assert isinstance(game, BranchGame)
    return game


@pytest.mark.parametrize(("terms", "seat"), GAMES)
def test_another_truth_behind_the_same_report_makes_the_same_branch(terms: dict[str, str], seat: str) -> None:
    played_out = []
    for number in range(2):
        who = reported(terms, seat, 60)
        if number:
            powers = who.guide().powers
            other = with_other_secrets(who.table, powers, Random("branch"))
            assert digest(other.state) != digest(who.table.state)
            who.table = other
        game = branch(who)
        reached = play(game, 12)
        played_out.append((reached, msgspec.json.encode(game.entries), game.setup.world.position))  # type: ignore[union-attr]
    assert played_out[0] == played_out[1]


@pytest.mark.parametrize(("terms", "seat"), GAMES)
def test_another_seed_deals_another_world(terms: dict[str, str], seat: str) -> None:
    who = reported(terms, seat, 60)
    one, other = branch(who), branch(who, seed="other")
    assert digest(one.table.state) != digest(other.table.state)
    view = game_of(one.table).view
    assert view(one.table, one.powers).hands == view(other.table, other.powers).hands


@pytest.mark.parametrize(("terms", "seat"), GAMES)
def test_back_and_forth_lead_over_the_same_questions(terms: dict[str, str], seat: str) -> None:
    game = branch(reported(terms, seat, 40))
    there = play(game, 8)
    back = [digest(game.table.state)]
    while game.back():
        back.append(digest(game.table.state))
    assert back == there[::-1]
    forth = [digest(game.table.state)]
    while game.forth():
        forth.append(digest(game.table.state))
    assert forth == there
    assert not game.ahead


def test_other_orders_replace_what_came_behind() -> None:
    game = branch(reported(*GAMES[0], 40))
    play(game, 6)
    for _ in range(3):
        assert game.back()
    assert game.ahead
    before = len(game.entries)
    play(game, 1)
    assert not game.ahead
    assert len(game.entries) > before
    assert game.forth() is None


@pytest.mark.parametrize(("terms", "seat"), GAMES)
def test_a_saved_branch_goes_on_where_it_stood_with_the_steps_behind_it(terms: dict[str, str], seat: str) -> None:
    game = branch(reported(terms, seat, 40))
    there = play(game, 6)
    game.back()
    game.back()
    again = loaded(saved(game))
    assert saved(again) == saved(game)
    assert digest(again.table.state) == there[-3]
    again.forth()
    again.forth()
    assert digest(again.table.state) == there[-1]
    while again.back():
        pass
    assert digest(again.table.state) == there[0]


def test_a_copy_stands_at_the_same_step_and_is_another_branch() -> None:
    game = branch(reported(*GAMES[0], 40))
    play(game, 3)
    game.back()
    other = copy_of_branch(game)
    assert digest(other.table.state) == digest(game.table.state)
    assert [entry.power for entry in other.ahead] == [entry.power for entry in game.ahead]
    assert other.setup.world != game.setup.world


def test_others_stand_still_or_are_played_by_the_same_person() -> None:
    who = reported(*GAMES[0], 40)
    still = branch(who, "still")
    own = set(still.powers)
    play(still, 6)
    marched = [still.rules.common.pieces[each.pieces[0]].power for each in still.heard if isinstance(each, Marched)]
    assert marched
    assert set(marched) <= own
    alone = branch(who, "")
    assert set(alone.powers) == set(alone.rules.powers)
    asked = {decision.power for decision in iter(lambda: next_of(alone), None)}
    assert len(asked) > len(own)


def next_of(game: BranchGame) -> Any:
    """The next decision of the person, which is answered; None after forty answers."""
    decision = game.question()
    if decision is None or len(game.entries) > 40:
        return None
    game.take(decision.power, bot_named("sensible", game.rules.terms.game)(game.table, decision, Random(1)))
    return decision


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda tree: tree["setup"]["bots"].update(nobody="still"), "E-PLAY-FILE"),
        (lambda tree: tree["setup"]["bots"].update(frederick="nobody"), "E-PLAY-FILE"),
        (lambda tree: tree["setup"]["world"].update(position="pbem: 1"), "E-PLAY-VERSION"),
        (lambda tree: tree["setup"]["world"].update(position="["), "E-YAML"),
        (lambda tree: tree["setup"]["world"].update(facts='{"held": {"3": []}}'), "E-PLAY-FILE"),
        (
            lambda tree: tree["setup"]["world"].update(
                facts='{"declared": [{"generals": [9999], "troops": -3}], "shuffled": ["x"]}'
            ),
            "E-PLAY-FILE",
        ),
        (lambda tree: tree.update(digest="0"), "E-PLAY-VERSION"),
        (lambda tree: tree["answers"][0].update(power="nobody"), "E-PLAY-FILE"),
    ],
)
def test_a_file_that_somebody_has_changed_is_refused(change: Any, code: str) -> None:
    game = branch(reported(*GAMES[0], 40))
    play(game, 2)
    tree = msgspec.json.decode(saved(game))
    change(tree)
    with pytest.raises(Refused) as refused:
        loaded(msgspec.json.encode(tree))
    assert refused.value.faults[0].code.startswith(code)
