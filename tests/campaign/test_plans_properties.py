"""A combat by plans is the combat that the same cards make letter by letter, in whatever order letters arrive."""

from __future__ import annotations

from itertools import groupby, permutations
from operator import itemgetter
from pathlib import Path
from random import Random

import pytest

from pbem.campaign.play.adjudicating import Adjudication
from pbem.engine.decisions import Play, PlayCard, Stop
from pbem.kit import dump_position, game_of
from pbem.paper.orders.names import card_in_orders as written
from pbem.seal.canonical import Tree
from tests.campaign.fights import OWN, PLAYER, Fight, battle, begin, standing

TACTICS = ("win", "win-cheaply", "hold", "tie", "lose-least", "decline")
SCRIPTS = ("any least", "suit most", "any to 0", "R to +1", "stop")


def random_plan(chance: Random) -> dict[str, Tree]:
    """A plan that never asks where it can stop."""
    plan = standing(tactic=chance.choice(TACTICS), else_="stop")
    if chance.random() < 0.6:
        plan["play"] = list(chance.choices(SCRIPTS, k=chance.randint(1, 3)))
    if chance.random() < 0.3:
        plan["spend"] = str(chance.randint(0, 3))
    return plan


def random_hand(chance: Random, suit: str) -> str:
    """Cards of the suit, a Reserve at times, and some that do not fit."""
    values = chance.sample(range(2, 11), chance.randint(1, 5))
    return " ".join([*(f"{suit}{value}" for value in values), *chance.choices(["R", "h3", "c4"], k=2)])


def a_fight(root: Path, game: str, seed: int) -> tuple[Fight, dict[str, dict[str, Tree]]]:
    """A combat to come, and plans for both sides."""
    chance = Random(f"{game}/{seed}")
    hands = random_hand(chance, "d"), random_hand(chance, "s")
    fight = begin(root, game, chance.randint(-5, 5), *hands)
    return fight, {player: random_plan(chance) for player in (PLAYER, fight.foe)}


def position(fight: Fight) -> bytes:
    """All of the position, with what is secret."""
    with fight.table.open() as campaign:
        assert campaign.state.table is not None
        return dump_position(campaign.state.table)


def by_plans(fight: Fight, plans: dict[str, dict[str, Tree]]) -> list[Adjudication]:
    """Both sides' plans are in, and the moderator adjudicates until somebody is asked."""
    for player, plan in plans.items():
        fight.plan(player, plan)
    done: list[Adjudication] = []
    while in_combat(fight) and not fight.owing():
        done.append(fight.table.carried_out())
    return done


def in_combat(fight: Fight) -> bool:
    """True if a card is asked for."""
    with fight.table.open() as campaign:
        table = campaign.state.table
        assert table is not None
        return isinstance(game_of(table).decisions(table)[0], PlayCard)


def chosen(done: list[Adjudication]) -> list[tuple[str, str]]:
    """The cards and stops of adjudications, as a letter says them, and whose they were."""
    found = []
    for each in done:
        for answer in each.outcome.answers:
            if isinstance(answer.answer, Play):
                found.append((answer.power, written(answer.answer.card, answer.answer.value)))
            elif isinstance(answer.answer, Stop):
                found.append((answer.power, "stop"))
    return found


@pytest.mark.parametrize("game", ["maria", "friedrich"])
@pytest.mark.parametrize("seed", range(6))
def test_plans_lead_where_the_same_cards_lead_letter_by_letter(tmp_path: Path, game: str, seed: int) -> None:
    planned, plans = a_fight(tmp_path / "plans", game, seed)
    by_card = planned.copied(tmp_path / "cards")
    done = by_plans(planned, plans)
    assert len(done) == 1
    for power, turn in groupby(chosen(done), key=itemgetter(0)):
        player = PLAYER if power == OWN else planned.foe
        by_card.orders(player, {"play": [card for _, card in turn]})
        by_card.table.carried_out()
    if not in_combat(planned):
        assert position(by_card) == position(planned)
    with planned.table.open() as one, by_card.table.open() as other:
        assert one.public.next is not None
        assert other.public.next is not None
        assert one.public.next.digest == other.public.next.digest
        assert one.public.next.owing == other.public.next.owing
    for fight in (planned, by_card):
        fight.close()


@pytest.mark.parametrize("game", ["maria", "friedrich"])
@pytest.mark.parametrize("seed", [11, 12])
def test_it_does_not_matter_in_which_order_letters_arrive(tmp_path: Path, game: str, seed: int) -> None:
    begun, plans = a_fight(tmp_path / "begun", game, seed)
    reached = set()
    for number, order in enumerate(permutations(range(4))):
        if number % 5:
            continue
        fight = begun.copied(tmp_path / str(number))
        letters = [fight.plan_text(player, plan) for player, plan in plans.items()]
        letters += [
            fight.table.other_letter(player, "message", {"to": "all", "text": "My plans are on their way."})
            for player in plans
        ]
        for place in order:
            assert fight.table.send(letters[place]).status in ("partial", "final")
        reached.add((fight.table.carried_out().record.next.digest, position(fight)))
    assert len(reached) == 1


def test_a_plan_in_orders_and_a_standing_one_lead_to_the_same(tmp_path: Path) -> None:
    for game in ("maria", "friedrich"):
        standing_one, plans = a_fight(tmp_path / game, game, 21)
        in_orders = standing_one.copied(tmp_path / f"{game}-orders")
        by_plans(standing_one, plans)
        for player, plan in plans.items():
            keys = {key: value for key, value in plan.items() if key not in ("for", "standing")}
            in_orders.orders(player, {"plans": [battle(**keys)]}, sealed=True)
        in_orders.table.carried_out()
        assert position(in_orders) == position(standing_one)
