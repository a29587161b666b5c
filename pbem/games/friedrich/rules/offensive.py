"""Offensive Option of Prussia in the expert game (§13), and the winners of a game (§11, §12)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection

from pbem.engine.cards import is_reserve, value_of
from pbem.engine.combat import Outcome
from pbem.engine.events import Event
from pbem.engine.field import unmark
from pbem.engine.nouns import City, Power
from pbem.engine.table import player_of
from pbem.games.friedrich.rules.decisions import GiveCard, GivenCard
from pbem.games.friedrich.rules.events import OffensiveCardTaken, OffensiveDeclared, OffensiveDeclined, OffensiveFailed
from pbem.games.friedrich.rules.exchanges import check_card
from pbem.games.friedrich.rules.fate_data import OffensiveFacts
from pbem.games.friedrich.rules.state import DeclareTask, Result, Table, active, plays_on


def needed_objectives(table: Table, power: Power) -> tuple[City, ...]:
    """Return the objectives that a power must hold to win: all its objectives, or only those of the first order if its
    victory was made easier (§11)."""
    rules = table.rules
    return rules.first_order[power] if power in table.state.fate.eased else rules.objectives[power]


def held_count(table: Table, power: Power) -> int:
    """Return the number of objectives that a power has conquered, among the objectives that it needs to win."""
    markers = table.state.field.markers
    return [markers.get(city) for city in needed_objectives(table, power)].count(power)


def has_reached(table: Table, power: Power) -> bool:
    """True if a power holds all objectives that it needs. Objectives that it may count without holding them are
    included (§13)."""
    return held_count(table, power) + claimed_count(table, power) >= len(needed_objectives(table, power))


def standings(table: Table) -> dict[Power, int]:
    """Return the number of needed objectives that each power holds. Powers that cannot win by objectives are left
    out."""
    return {power: held_count(table, power) for power in contenders(table)}


def contenders(table: Table) -> list[Power]:
    """Return the powers that can still win by objectives."""
    rules = table.rules
    return [power for power in rules.powers if power in rules.scenario.goals and plays_on(table, power)]


def result_now(table: Table) -> Result | None:
    """Return the result if the game is won now (§12), else None. All players with a power that holds its needed
    objectives win together. If there are no such players, a player may win by survival."""
    winners = [power for power in contenders(table) if has_reached(table, power)]
    if has_won(table):
        winners.insert(0, table.rules.fate.offensive.power)
    if winners:
        players = list(dict.fromkeys(player_of(table, power) for power in winners))
        return Result(players[0], "goals", standings(table), tuple(players[1:]))
    fate, survival = table.state.fate, table.rules.scenario.survival
    gone = [*(power in fate.quit for power in survival.quit), *(stroke in fate.out for stroke in survival.strokes)]
    if gone and all(gone):
        return Result(player_of(table, survival.power), "survival", standings(table))
    return None


def result_of_stage(table: Table, power: Power) -> Result | None:
    """Return the result if the power wins at the end of its own stage, else None."""
    if power in table.rules.scenario.wins_in_stage and has_reached(table, power):
        return Result(player_of(table, power), "goals", standings(table))
    return None


def nearness(table: Table) -> dict[str, float]:
    """Return each player's nearness to victory, from 0 to 1. A power's nearness is the part of its needed objectives
    that it holds. A player with several powers gets the greatest of these numbers. For the player who can win by
    survival, the part of the longest possible game that has passed counts as well."""
    rules, found = table.rules, dict.fromkeys(table.rules.seats, 0.0)
    longest = rules.game.first_fate - 1 + len(rules.fate.numbers())
    lasted = table.state.turn / longest
    parts = [
        (player_of(table, power), held_count(table, power) / len(needed_objectives(table, power)))
        for power in contenders(table)
    ]
    for player, part in [*parts, (player_of(table, rules.scenario.survival.power), lasted)]:
        found[player] = max(found[player], min(1.0, part))
    return found


def facts(table: Table) -> OffensiveFacts:
    return table.rules.fate.offensive


def ask_to_declare(table: Table) -> None:
    """Add the task to declare the Offensive Option, if this is the turn for it."""
    option, state = table.state.fate.offensive, table.state
    # The power is asked even without a sufficient card: otherwise other players would learn about the hand.
    if option is not None and active(table) == facts(table).power and state.turn == facts(table).turn:
        state.tasks.append(DeclareTask(active(table)))


def decision(table: Table, power: Power) -> GiveCard:
    """Return the decision to declare the Offensive Option, with the cards of sufficient value. A Reserve counts at its
    highest value."""
    most, least = table.rules.common.decks.reserve_most, facts(table).least
    hand = table.state.cards.hands[power]
    high = tuple(card for card in hand if (most if is_reserve(card) else value_of(card)) >= least)
    return GiveCard(power, "offensive", facts(table).against, high, may_decline=True)


def declare(table: Table, decision: GiveCard, answer: GivenCard) -> list[Event]:
    """Declare the Offensive Option by setting the card aside face-up. If the power declines, the game goes on without
    the option, and the power's conquests of its objectives are undone."""
    check_card(decision, answer)
    fate = table.state.fate
    assert fate.offensive is not None
    if answer.card is None:
        fate.offensive = None
        return [OffensiveDeclined(decision.power, undo_conquests(table))]
    table.state.cards.hands[decision.power].remove(answer.card)
    fate.offensive.declared, fate.offensive.card = True, answer.card
    return [OffensiveDeclared(decision.power, answer.card)]


def undo_conquests(table: Table) -> tuple[City, ...]:
    """Remove Prussia's markers and question marks from its objectives, and return the cities that had a marker."""
    field, power = table.state.field, facts(table).power
    cities = tuple(city for city in table.rules.objectives[power] if field.markers.get(city) == power)
    unmark(field, cities)
    for city in table.rules.objectives[power]:
        if field.questions.get(city) == power:
            del field.questions[city]
    return cities


def may_conquer(table: Table) -> bool:
    """True if Prussia may conquer its objectives: in the expert game, as long as the Offensive Option was neither
    declined nor has failed."""
    option = table.state.fate.offensive
    return option is not None and not option.failed


def lose_card_in_combat(table: Table, outcome: Outcome) -> list[Event]:
    """Give the card of the Offensive Option to the opponent if the opponent has just defeated Prussia by at least the
    score that the rules name."""
    lost = (outcome.loser, outcome.winner) == (facts(table).power, facts(table).against)
    return take_card(table) if lost and outcome.score >= facts(table).defeat else []


def lose_card_in_supply(table: Table, power: Power, starved: Collection[City]) -> list[Event]:
    """Give the card of the Offensive Option to the opponent if Prussia has lost generals by lack of supply, south of
    the line that the rules name. `power` is the power that has lost generals, in the cities `starved`."""
    if not starved or power != facts(table).power:
        return []
    south = table.rules.common.board.south_of(facts(table).starved_south_of)
    return take_card(table) if any(city in south for city in starved) else []


def take_card(table: Table) -> list[Event]:
    """Give the card of the Offensive Option to the opponent, if it was not given before. This can make the option
    fail."""
    option, rival = table.state.fate.offensive, facts(table).against
    if option is None or option.card is None:
        return []
    card = option.card
    insort(table.state.cards.hands[rival], card)
    option.card, option.taken = None, True
    return [OffensiveCardTaken(rival, card), *check_ruin(table)]


def check_ruin(table: Table) -> list[Event]:
    """Let the Offensive Option fail once two things have happened: the opponent has taken its card, and a stroke of
    fate has cut the subsidy."""
    fate = table.state.fate
    option = fate.offensive
    cut = any(stroke in fate.out for stroke in facts(table).ruined_by)
    if option is None or option.failed or not (option.taken and cut):
        return []
    option.failed = True
    return [OffensiveFailed(facts(table).power, undo_conquests(table))]


def claimed_count(table: Table, power: Power) -> int:
    """Return the number of objectives that a power counts without holding them. Only the opponent of a declared
    Offensive Option has any, as long as this opponent holds an objective in the land that the rule names."""
    rules, field = table.rules, table.state.field
    option = table.state.fate.offensive
    if option is None or not option.declared or power != facts(table).against:
        return 0
    land = rules.common.board.land
    there = [city for city in rules.objectives[power] if land[city] == facts(table).claim_land]
    return facts(table).claim if any(field.markers.get(city) == power for city in there) else 0


def has_won(table: Table) -> bool:
    """True if Prussia holds all its objectives, has declared the Offensive Option, and the option has not failed."""
    option = table.state.fate.offensive
    if option is None or not option.declared or option.failed:
        return False
    markers, power = table.state.field.markers, facts(table).power
    return all(markers.get(city) == power for city in table.rules.objectives[power])
