"""Games played by bots: the policy of each level, combats tried in imagined worlds, and the points of a contest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from pbem.bots import plain
from pbem.bots.imagining import imagine_world
from pbem.bots.plain import Policy, game_bots
from pbem.engine.cards import SeededDealer, is_reserve, points, value_of
from pbem.engine.decisions import Answer, Decision, March, Play, PlayCard, Stop
from pbem.engine.events import Event
from pbem.engine.field import are_enemies, troops_of
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import GameRules, Table, player_of, powers_of_player
from pbem.kit import game_named, game_of

WORLDS = 4
"""Usual number of imagined worlds in which each candidate card is tried."""

MOST_WORLDS = 64
"""Largest number of worlds that may be asked for, so that no answer takes too long."""

CLEAR = 0.3
"""Points per imagined world by which another answer must be better to replace the bot's first answer."""

AGAIN = 4
"""Factor by which more imagined worlds are used to try a combat again before the bot stops."""

TROOP = 0.7
"""Worth of a troop in points of the bots' scale, close to the value fitted from games of bots."""

FOE = 0.6
"""Fraction of the worth of enemies' troops and cards that is subtracted from the worth of a position."""

NEAR, OTHERS_NEAR = 50.0, 20.0
"""Points for a player who has reached the goal (`NEAR`), and points that are subtracted for every other player who has
reached it (`OTHERS_NEAR`)."""


def seeds_of(chance: Random, worlds: int) -> list[str]:
    return [f"world {chance.random()}" for _ in range(worlds)]


class Continuation(NamedTuple):
    """One way to continue a combat: an answer of a player, and the policy for all his later answers."""

    answer: Answer
    then: Policy


def best_card(table: Table, decision: PlayCard, first: Answer, policy: Policy, seeds: Sequence[str]) -> Answer:
    """Return the best of the likely answers in a combat. `first` is the bot's own answer. Each answer is tried in one
    imagined world for each seed. If a stop is the best answer, it is compared with other continuations in `AGAIN` times
    as many worlds."""
    answers = [first, *(answer for answer in likely_answers(decision) if answer != first)]
    best = best_continuation(table, decision, [Continuation(answer, policy) for answer in answers], policy, seeds)
    if not isinstance(best, Stop):
        return best
    more = [f"{seed} again {number}" for seed in seeds for number in range(AGAIN)]
    continuations = [Continuation(best, policy), *continuations_above_zero(table, decision, policy)]
    return best_continuation(table, decision, continuations, policy, more)


def best_continuation(
    table: Table, decision: PlayCard, continuations: Sequence[Continuation], policy: Policy, seeds: Sequence[str]
) -> Answer:
    """Return the answer with which the best continuation begins. The first continuation of the list counts as the best
    unless another one is clearly better (`CLEAR`)."""
    if len(continuations) == 1:
        return continuations[0].answer
    before = worth(table, decision, continuations[0], policy, seeds)
    assert before is not None
    best, most = continuations[0], before + CLEAR * len(seeds)
    for continuation in continuations[1:]:
        total = worth(table, decision, continuation, policy, seeds)
        if total is not None and total > most:
            best, most = continuation, total
    return best.answer


def continuations_above_zero(table: Table, decision: PlayCard, policy: Policy) -> list[Continuation]:
    """Return the continuations of a combat that begin with a play that brings the score above zero
    (`plays_above_zero`). There are two for each play: after it the player answers by `policy`, or by
    `policy_that_presses`."""
    plays = plays_above_zero(table, decision)
    return [Continuation(play, then) for play in plays for then in (policy, policy_that_presses(policy))]


def plays_above_zero(table: Table, decision: PlayCard) -> list[Play]:
    """Return up to two plays that bring the score above zero: the lowest card of the suit that is enough, and a Reserve
    at its highest value if that is enough."""
    most = table.rules.common.decks.reserve_most
    suited = sorted((card for card in decision.cards if not is_reserve(card)), key=value_of)
    lowest = next((card for card in suited if value_of(card) + decision.score > 0), None)
    reserve = next((card for card in decision.cards if is_reserve(card) and most + decision.score > 0), None)
    return [*([] if lowest is None else [Play(lowest)]), *([] if reserve is None else [Play(reserve, most)])]


def policy_that_presses(policy: Policy) -> Policy:
    """Return a policy that plays a card whenever a card can bring the score above zero, and otherwise answers as
    `policy` does."""

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        plays = plays_above_zero(table, decision) if isinstance(decision, PlayCard) else []
        return plays[0] if plays else policy(table, decision, chance)

    return choose


def likely_answers(decision: PlayCard) -> list[Answer]:
    """Return the likeliest answers in a combat: a stop (if legal), the lowest card of the suit, the lowest card that
    brings the score above zero, and the highest card."""
    plain = sorted((card for card in decision.cards if not is_reserve(card)), key=value_of)
    turning = [card for card in plain if value_of(card) + decision.score > 0]
    cards = dict.fromkeys([*plain[:1], *turning[:1], *plain[-1:]])
    return [*([] if decision.must else [Stop()]), *map(Play, cards)]


def worth(
    table: Table, decision: PlayCard, continuation: Continuation, policy: Policy, seeds: Sequence[str]
) -> float | None:
    """Return the worth of a continuation: the sum of the worths of the positions to which it leads in the imagined
    worlds. Other players answer by `policy`. Return None if the rules refuse an answer."""
    player = player_of(table, decision.power)
    everybody = policy_by_player({player: continuation.then}, policy)
    total = 0.0
    for seed in seeds:
        world = imagine_world(table, powers_of_player(table, player), seed)
        try:
            fight_out(world, decision, continuation.answer, everybody, Random(seed))  # noqa: S311
        except IllegalOrder:
            return None
        total += position_worth(world, player)
    return round(total, 6)


def fight_out(world: Table, decision: PlayCard, answer: Answer, policy: Policy, chance: Random) -> None:
    """Apply the answer, then let the policy answer for everybody until the combat phase is over."""
    game, stage = game_of(world), world.state.stage
    game.apply(world, decision.power, answer)
    while world.state.phase == "combat" and world.state.stage == stage:
        asked = game.decisions(world)[0]
        game.apply(world, asked.power, policy(world, asked, chance))


def position_worth(world: Table, player: str) -> float:
    """Return the worth of a position for a player, in points. It is made of the player's nearness to victory, troops
    and cards, less a part of those of the other players."""
    bots, rules, state = game_bots(world.rules.terms.game), world.rules, world.state
    near = bots.nearness(world)
    total = NEAR * near.get(player, 0.0) - OTHERS_NEAR * sum(part for other, part in near.items() if other != player)
    own = powers_of_player(world, player)
    for power in rules.powers:
        hand = points(rules.common.decks, state.cards.hands[power])
        might = TROOP * troops_of(rules.common, state.field, power) + bots.card_point * hand
        if power in own:
            total += might
        elif any(are_enemies(state.field, power, mine) for mine in own):
            total -= FOE * might
    return total


def play(rules: GameRules, seed: str, policy: Policy) -> Iterator[tuple[Table, list[Event]]]:
    """Play a game to its end. Yield the table and the latest events after the deal and after each answer. The table is
    always the same object."""
    chance = Random(seed)  # noqa: S311 - bots need no secrets
    game = game_named(rules.terms.game)
    table, events = game.start(rules, SeededDealer(seed))
    yield table, events
    while table.state.phase != "over":
        decision = game.decisions(table)[0]
        yield table, game.apply(table, decision.power, policy(table, decision, chance))


def winners_of(table: Table) -> list[str]:
    """Return the players who have won a game that is over. In a game without winner the list is `nobody` alone."""
    result = table.state.result
    assert result is not None
    return [result.winner or "nobody", *getattr(result, "others", ())]


def sensible_policy(game: str) -> Policy:
    return game_bots(game).sensible


def best_policy(game: str, worlds: int = WORLDS) -> Policy:
    """Return the strongest policy of a game. It tries each likely card in `worlds` imagined worlds."""
    if (at_once := game_bots(game).strong) is None:
        return sensible_policy(game)

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        answer = at_once(table, decision, chance)
        if not isinstance(decision, PlayCard):
            return answer
        return best_card(table, decision, answer, at_once, seeds_of(chance, worlds))

    return choose


class EvenChance(Random):
    """Source of chance whose numbers are all zero: it adds nothing to the worth of any choice."""

    def random(self) -> float:
        return 0.0


def advised_answer(table: Table, decision: Decision, chance: Random) -> Answer:
    """Return the best bot's answer for a person who asks for advice. Marches are advised without chance (ADR 53)."""
    chance = EvenChance() if isinstance(decision, March) else chance
    return best_policy(table.rules.terms.game)(table, decision, chance)


SLIPS = 0.2
"""Fraction of a beginner's answers that are given at random."""


def policy_with_slips(policy: Policy) -> Policy:
    """Return a policy that sometimes answers at random, and otherwise as the given policy does."""

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        return (plain.choose if chance.random() < SLIPS else policy)(table, decision, chance)

    return choose


LEVELS: Mapping[str, Callable[[str], Policy]] = {
    "random": lambda game: plain.choose,
    "beginner": lambda game: policy_with_slips(sensible_policy(game)),
    "sensible": sensible_policy,
    "strong": best_policy,
}
"""Dict from each level of bots, the weakest first, to a function that returns the policy for the name of a game."""

BOTS = tuple(LEVELS)

THINKING = "strong"
"""Level whose name may end in a number of imagined worlds, such as `strong:16` (ADR 33)."""

COUNTS = {str(worlds): worlds for worlds in range(1, MOST_WORLDS + 1)}
"""Dict from the number of imagined worlds, as the text in the name of a level, to the same number."""


def is_bot(name: str) -> bool:
    """True if a bot has this name: a level, or a name such as `strong:16`."""
    level, mark, worlds = name.partition(":")
    return (level == THINKING and worlds in COUNTS) if mark else level in BOTS


def bot_named(name: str, game: str) -> Policy:
    level, mark, worlds = name.partition(":")
    return best_policy(game, COUNTS[worlds]) if mark and level == THINKING else LEVELS[name](game)


def policy_by_player(by_player: Mapping[str, Policy], otherwise: Policy) -> Policy:
    """Return a policy that answers for each player by his policy in `by_player`, and for all others by `otherwise`."""

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        player = player_of(table, decision.power)
        return by_player.get(player, otherwise)(table, decision, chance)

    return choose


VICTORY = 100.0
"""Points of a player who wins, alone or with others."""

NEARNESS = 50.0
"""Greatest points of a player who does not win, for his nearness to victory at the start of any stage."""


class Score:
    """Score of a game that bots play, by the greatest nearness to victory that each player has had so far."""

    def __init__(self, rules: GameRules) -> None:
        self.nearness = game_bots(rules.terms.game).nearness
        self.best = dict.fromkeys(rules.seats, 0.0)
        self.stage = ""

    def see(self, table: Table) -> None:
        """Note each player's nearness to victory at the start of a stage, or at the end of the game."""
        if table.state.stage != self.stage or table.state.phase == "over":
            self.stage = table.state.stage
            self.best |= {player: max(self.best[player], near) for player, near in self.nearness(table).items()}

    def points(self, table: Table) -> dict[str, float]:
        """Return the points of each player so far. A player counts as winner only when the game is over."""
        return self.points_with(winners_of(table) if table.state.phase == "over" else [])

    def points_with(self, won: Collection[str]) -> dict[str, float]:
        """Return the points of each player if the players in `won` have won."""
        return {seat: VICTORY if seat in won else round(NEARNESS * near, 2) for seat, near in self.best.items()}
