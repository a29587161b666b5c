"""The bots: whole games without a refusal, nothing used that a player may not know, and play better than chance."""

from __future__ import annotations

from random import Random

import pytest

from pbem.bots import uniform
from pbem.bots.maria import sensible
from pbem.bots.table import Policy, play_out, seated
from pbem.engine.decisions import Answer, Decision
from pbem.maria import game
from pbem.maria.data import Terms
from pbem.maria.table import Table
from pbem.paper.library import load_rules

from .play import VARIANTS, chance_of, name_of, play, start, twin

SECRETS = [Terms(players=3), Terms(players=2)]
"""Two variants suffice where only what is hidden from whom matters."""


@pytest.mark.parametrize("terms", VARIANTS, ids=name_of)
@pytest.mark.parametrize("seed", range(4))
def test_sensible_games_come_to_an_end(terms: Terms, seed: int) -> None:
    """No answer is refused, open decisions answered in any order and troops passing within stacks."""
    table, _ = play(terms, seed, sensible.choose)
    assert table.state.result is not None


@pytest.mark.parametrize("terms", SECRETS, ids=name_of)
def test_sensible_uses_no_secrets(terms: Terms) -> None:
    """The answer stays the same when everything that its player may not know is different."""
    table, _ = start(terms, "secrets")
    chance, hidden = chance_of(terms, "secrets"), Random(1)
    asked = 0
    while table.state.phase != "over":
        decision = game.decisions(table)[0]
        throws = chance.getstate()
        answer = sensible.choose(table, decision, chance)
        for _ in range(2):
            same_throws = Random()
            same_throws.setstate(throws)
            assert sensible.choose(in_other_hands(table, decision.power, hidden), decision, same_throws) == answer
        game.apply(table, decision.power, answer)
        asked += 1
    assert asked > 100


def in_other_hands(table: Table, power: str, chance: Random) -> Table:
    """The same position for the player of this power, with everything hidden from that player different."""
    other = twin(table)
    rules = other.rules
    strangers = [p for p in rules.powers if rules.player_of(p) != rules.player_of(power)]
    deal_again(other, strangers, chance)
    for stranger in strangers:
        share_again(other, rules.common.generals(stranger), chance)
    return other


def deal_again(table: Table, powers: list[str], chance: Random) -> None:
    """Shuffle other players' hands and the draw deck together."""
    cards = table.state.cards
    pool = [card for power in powers for card in cards.hands[power]] + cards.draw
    chance.shuffle(pool)
    for power in powers:
        cards.hands[power] = sorted(pool.pop() for _ in cards.hands[power])
    cards.draw = pool


def share_again(table: Table, generals: list[int], chance: Random) -> None:
    """Deal a power's troops on the map to its generals anew; of those who take no part nothing is known at all."""
    pieces = [table.state.field.pieces[general] for general in generals]
    present = [piece for piece in pieces if piece.city >= 0 and piece.troops]
    spare = sum(piece.troops for piece in present) - len(present)
    for piece in present:
        piece.troops = 1
    for _ in range(spare):
        chance.choice([piece for piece in present if piece.troops < table.rules.common.limits.troops]).troops += 1
    for piece in pieces:
        if piece.city < 0 and piece.troops:
            piece.troops = chance.randint(1, table.rules.common.limits.troops)


def winners(policy: Policy, games: int) -> list[str | None]:
    """Who wins so many games for three."""
    rules = load_rules(Terms())
    results = [play_out(rules, f"match {number}", policy).state.result for number in range(games)]
    return [result.winner for result in results if result]


@pytest.mark.parametrize(("attacker", "least"), [("louis", 4), ("frederick", 11)])
def test_sensible_attackers_beat_a_random_austria(attacker: str, least: int) -> None:
    """Among random players, who never reach a goal, the attacker's goal is reached in most games."""
    policy = seated({attacker: sensible.choose}, uniform.choose)
    assert winners(policy, 12).count(attacker) >= least


def test_sensible_austria_survives_random_attackers() -> None:
    """Nobody reaches a goal against it by chance."""
    policy = seated({"maria-theresa": sensible.choose}, uniform.choose)
    assert set(winners(policy, 12)) == {"maria-theresa"}


def test_seated_players_answer_each_for_themselves() -> None:
    """A player's decisions go to its own policy, everybody else's to the other."""
    table, _ = start(Terms(), 1)
    asked: list[str] = []

    def noting(table: Table, decision: Decision, chance: Random) -> Answer:
        asked.append(decision.power)
        return uniform.choose(table, decision, chance)

    policy = seated({"frederick": noting}, uniform.choose)
    for decision in game.decisions(table):
        policy(table, decision, Random(1))
    assert asked == ["prussia", "saxony"]
