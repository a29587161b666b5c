"""Sequence of play: the phases of turns and winters (§5), and the winner of a game (§14, §24)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.conquest import control_of, count_controlled, settle_questions
from pbem.engine.events import Event, GameEnded, StageBegan, TurnBegan
from pbem.engine.nouns import Power
from pbem.engine.table import player_of
from pbem.games.maria.rules import (
    affairs,
    combat,
    contracts,
    gambit,
    hussars,
    movement,
    peace,
    politics,
    state,
    tasks,
    winter,
)
from pbem.games.maria.rules.combat import score_winter, winner_by_pools, winner_by_scores
from pbem.games.maria.rules.data import MariaRules, is_winter, winter_of
from pbem.games.maria.rules.peace import update_markers
from pbem.games.maria.rules.points import pools
from pbem.games.maria.rules.state import Phase, Result, State, Table


def held_count(table: Table, power: Power) -> int:
    """Return the number of fortresses that a power controls in the lands of its goal (§14)."""
    lands = table.rules.scenario.goals[power].lands
    return count_controlled(table.rules.common, table.state.field, power, lands)


def has_reached(table: Table, power: Power) -> bool:
    """True if a power controls as many fortresses as its goal requires."""
    return held_count(table, power) >= table.rules.scenario.goals[power].fortresses


def standings(table: Table) -> dict[Power, int]:
    """Return the number of fortresses that each power controls in the lands of its goal."""
    return {power: held_count(table, power) for power in table.rules.scenario.goals}


def is_ceded(table: Table) -> bool:
    """True if Silesia has been ceded in the Silesia Gambit."""
    gambit = table.state.gambit
    return gambit is not None and gambit.ceded


def winner_now(table: Table) -> Result | None:
    """Return the result if a player has won now (§14, §24), else None. A player has won if all his powers that have
    goals have reached them. After a peace in the Silesia Gambit, a player who has reached one of its new goals has
    won."""
    if is_ceded(table):
        return gambit.winner_now(table)
    return control_of(table.rules.common, table.state.field).once("winner", winner_by_goals, table)


def winner_by_goals(table: Table) -> Result | None:
    """Return the result if all goals that the scenario gives to a player's powers are reached, else None. The caller
    must check that Silesia was not ceded."""
    rules = table.rules
    for player, powers in rules.seats.items():
        goals = [power for power in powers if power in rules.scenario.goals]
        if goals and all(has_reached(table, power) for power in goals):
            return Result(player, "goals", standings(table))
    return None


def result_at_end(table: Table) -> Result:
    """Return the result after the last turn (§14, §24). If a power has reached its goal and Silesia was not ceded, the
    game is a tie. Otherwise the winner is the player whom the scenario names for the case that nobody has won."""
    rules = table.rules
    if is_ceded(table):
        survivor = rules.player_of(gambit.facts(table).survivor)
        return Result(survivor, "survival", gambit.standings(table))
    if any(has_reached(table, power) for power in rules.scenario.goals):
        return Result(None, "divided", standings(table))
    return Result(rules.player_of(rules.scenario.survivor), "survival", standings(table))


def nearness(table: Table) -> dict[str, float]:
    """Return a number from 0 to 1 for each player: how near he is to victory.

    The number of a power is the part of its markers that have left the pool, or the part of the needed fortresses that
    it holds. A player with several powers gets the mean of their numbers if the goals are those of the scenario, else
    the greatest number. If the game names a player who wins if nobody reaches a goal, his number is at least the part
    of the turns that has passed."""
    rules, found = table.rules, dict.fromkeys(table.rules.seats, 0.0)
    if rules.scenario.victory == "pools":
        markers = rules.game.advanced.markers
        parts = [(player_of(table, power), 1 - left / markers[power]) for power, left in pools(table).items()]
    elif is_ceded(table):
        parts = [(player_of(table, power), share(held, needed)) for power, needed, held in gambit.goal_numbers(table)]
    else:
        goals = rules.scenario.goals
        own = {player: [power for power in powers if power in goals] for player, powers in rules.seats.items()}
        parts = [
            (player, sum(share(held_count(table, power), goals[power].fortresses) for power in powers) / len(powers))
            for player, powers in own.items()
            if powers
        ]
    survivor = gambit.facts(table).survivor if is_ceded(table) else rules.scenario.survivor
    if survivor:
        parts.append((rules.player_of(survivor), share(table.state.turn, rules.scenario.turns)))
    for player, part in parts:
        found[player] = max(found[player], min(1.0, part))
    return found


def share(held: int, needed: int) -> float:
    """Return `held` divided by `needed`, or 1 if the quotient is greater."""
    return min(1.0, held / needed) if needed > 0 else 1.0


ACTION_PHASES: tuple[Phase, ...] = ("cards", "supply", "movement", "combat", "retroactive")
POLITICAL_PHASES: tuple[Phase, ...] = ("trump", "placing", "selecting")


def retroactive(table: Table) -> list[Event]:
    """Carry out the retroactive conquest phase: decide which question marks become conquests (§12)."""
    return settle_questions(table.rules.common, table.state.field)


BEGIN: dict[str, Callable[[Table], list[Event]]] = {
    "allotment": state.begin,
    "trump": politics.begin,
    "placing": politics.begin_placing,
    "selecting": politics.go_on,
    "hussars": hussars.begin,
    "cards": contracts.begin,
    "supply": hussars.supply,
    "movement": movement.begin,
    "combat": combat.begin,
    "retroactive": retroactive,
    "aftermath": peace.begin,
    "election": affairs.begin,
    "cession": gambit.begin,
    "recruiting": winter.begin,
}
"""Dict from each phase to the function that carries out what happens in the phase before a power is asked."""


def advance(table: Table, done: list[Event] | None = None) -> list[Event]:
    """Continue the game until a power must decide or the game is over. `done` has the events of the latest answer.
    Return these events and the new events, in this sequence."""
    state = table.state
    events = list(done or ())
    events += update_markers(table, events)
    while state.phase != "over":
        events += go_on(table)
        result = winner_now(table)
        if result:
            return [*events, *end(state, result)]
        if is_waiting(state):
            break
        events += next_phase(table)
    return events


def go_on(table: Table) -> list[Event]:
    """Begin the present phase, unless it has begun already, and carry out everything that comes before the next
    decision."""
    state = table.state
    events: list[Event] = []
    if not state.begun:
        state.begun = True
        events += BEGIN[state.phase](table)
        events += update_markers(table, events)
    if state.tasks:
        events += tasks.settle_idle(table)
    if state.phase == "combat":
        events += combat.proceed(table)
    return events


def set_out(table: Table, stage: str) -> None:
    """Jump to the movement phase of a later stage, and continue to its first decision, so that orders for this stage
    can be tried. Open tasks, battles and retreats are dropped."""
    state = table.state
    state.stage, state.phase, state.begun = stage, "movement", False
    state.owing, state.moved, state.battles, state.tasks = [], [], [], []
    state.duel = state.retreat = None
    state.tolls = {}
    advance(table)


def is_waiting(state: State) -> bool:
    return bool(state.tasks or state.owing or state.duel or state.retreat or state.battles)


def next_phase(table: Table) -> list[Event]:
    """Go to the next phase of the stage, or to the next stage after the last phase. The game ends if a pool of victory
    markers is empty at the end of a stage for which the rules say so (`result_by_pools`)."""
    state = table.state
    state.begun = False
    phases = phases_of(table.rules, state.stage)
    place = phases.index(state.phase)
    last = place + 1 == len(phases)
    if last or phases[place + 1] == "aftermath":
        result = result_by_pools(table, state.stage)
        if result:
            return end(state, result)
    if not last:
        state.phase = phases[place + 1]
        return []
    state.moved = []
    return next_stage(table)


def phases_of(rules: MariaRules, stage: str) -> tuple[Phase, ...]:
    """Return the phases of a stage, from the first to the last (§5, §17, §19)."""
    if stage in rules.game.action_stages:
        return (*ACTION_PHASES, "aftermath") if rules.scenario.politics else ACTION_PHASES
    if stage == "politics":
        return POLITICAL_PHASES
    return (first_phase(stage),)


def result_by_pools(table: Table, stage: str) -> Result | None:
    """Return the result if a pool of victory markers is empty after a stage at whose end pools are checked, else None.
    Such stages are the action stages and the political stage, and in some editions the election (§23)."""
    rules = table.rules
    if rules.scenario.victory != "pools":
        return None
    counts = stage in rules.game.action_stages or stage == "politics"
    counts = counts or (stage == "election" and rules.edition.victory_after_election)
    return winner_by_pools(table) if counts else None


def next_stage(table: Table) -> list[Event]:
    """Go to the next stage, or to the first stage of the next turn. After the last turn, end the game."""
    rules, state = table.rules, table.state
    order = stages_now(table)
    place = order.index(state.stage)
    if place + 1 < len(order):
        return begin_stage(table, order[place + 1])
    if state.turn == gambit.last_turn(table):
        return last_result(table)
    state.turn += 1
    return [TurnBegan(state.turn), *enter_stage(state, stages(rules, state.turn)[0])]


def begin_stage(table: Table, stage: str) -> list[Event]:
    """Begin a stage of the present turn. The annexing power's neutrality ends if it is time (§19.1). In the advanced
    game each winter begins with its scores, and the winter after the last turn ends the game (§13, §23)."""
    rules, state = table.rules, table.state
    events = enter_stage(state, stage)
    if rules.scenario.victory == "pools" and stage == winter_of(next(iter(rules.game.action_stages))):
        events += score_winter(table)
        if state.turn == rules.scenario.turns:
            return [*events, *last_result(table)]
    return [*events, *peace.end_neutrality(table)] if rules.scenario.politics else events


def last_result(table: Table) -> list[Event]:
    """End the game after the last turn, with the result that the goals or the winter scores give (§14, §23)."""
    if table.rules.scenario.victory == "goals":
        return end(table.state, result_at_end(table))
    result, revealed = winner_by_scores(table)
    return [*revealed, *end(table.state, result)]


def stages_now(table: Table) -> list[str]:
    """Return the stages of the present turn, out of those that it may have. An election takes place only if it was
    called (§18). A winter after the last turn takes place only if the scenario has one."""
    order = stages(table.rules, table.state.turn)
    affairs = table.state.affairs
    called = affairs is not None and (affairs.election or table.state.stage == "election")
    if "election" in order and not called:
        order.remove("election")
    over = table.state.turn == gambit.last_turn(table) and not table.rules.scenario.last_winter
    return [stage for stage in order if not (over and is_winter(stage))]


def stages(rules: MariaRules, turn: int) -> list[str]:
    """Return all stages that a turn may have. Only the first turn has the set-up, and only some turns have a winter
    (§5)."""
    order = ["hussars", *rules.game.action_stages]
    if rules.scenario.politics:
        order = ["politics", *order, "election"]
    if turn == 1:
        order.insert(0, "setup")
    if rules.scenario.gambit and turn == rules.scenario.gambit.turn:
        order.append("cession")
    last = turn == rules.scenario.turns
    if turn % rules.scenario.winter_every == 0 and (not last or rules.scenario.last_winter):
        order += [winter_of(stage) for stage in rules.game.action_stages]
    return order


def enter_stage(state: State, stage: str) -> list[Event]:
    """Set the stage and its first phase."""
    state.stage = stage
    state.phase = first_phase(stage)
    return [StageBegan(state.turn, stage)]


def first_phase(stage: str) -> Phase:
    special: dict[str, Phase] = {
        "setup": "allotment", "politics": "trump", "hussars": "hussars", "election": "election", "cession": "cession",
    }  # fmt: skip
    return special.get(stage) or ("recruiting" if is_winter(stage) else "cards")


def end(state: State, result: Result) -> list[Event]:
    """End the game: store its result, and delete all tasks and battles that are still open. No power owes an answer any
    more."""
    state.result = result
    state.phase = "over"
    state.begun = True
    state.owing, state.tolls, state.battles, state.tasks = [], {}, [], []
    state.duel = state.retreat = None
    return [GameEnded(result.winner, result.how, result.held)]
