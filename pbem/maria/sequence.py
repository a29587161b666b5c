"""The sequence of play: which phase follows which, through turns and winters (§5)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.conquest import settle_questions
from pbem.engine.events import Event, GameEnded, StageBegan, TurnBegan

from . import combat, hussars, income, movement, opening, supplying, winter
from .data import MariaRules
from .state import Phase, Result, State
from .table import Table
from .victory import result_at_end, winner_now

ACTION_PHASES: tuple[Phase, ...] = ("cards", "supply", "movement", "combat", "retroactive")


def retroactive(table: Table) -> list[Event]:
    """The retroactive conquest phase (§12)."""
    return settle_questions(table.rules.common, table.state.field)


BEGIN: dict[str, Callable[[Table], list[Event]]] = {
    "allotment": opening.begin,
    "hussars": hussars.begin,
    "cards": income.begin,
    "supply": supplying.begin,
    "movement": movement.begin,
    "combat": combat.begin,
    "retroactive": retroactive,
    "recruiting": winter.begin,
}
"""What each phase does by itself before it asks anybody."""


def advance(table: Table) -> list[Event]:
    """Go on until somebody must decide or the game is over."""
    state = table.state
    events: list[Event] = []
    while state.phase != "over":
        if not state.begun:
            state.begun = True
            events += BEGIN[state.phase](table)
        result = winner_now(table)
        if result:
            return [*events, *end(state, result)]
        if is_waiting(state):
            break
        events += next_phase(table)
    return events


def is_waiting(state: State) -> bool:
    """Whether the phase still needs an answer."""
    return bool(state.owing or state.duel or state.retreat or state.battles)


def next_phase(table: Table) -> list[Event]:
    """Step to the phase after this one, in this stage or the next."""
    state = table.state
    state.begun = False
    if state.phase in ACTION_PHASES[:-1]:
        state.phase = ACTION_PHASES[ACTION_PHASES.index(state.phase) + 1]
        return []
    state.moved = []
    return next_stage(table)


def next_stage(table: Table) -> list[Event]:
    """Step to the stage after this one: the next of the turn, winter, or a new turn."""
    rules, state = table.rules, table.state
    order = stages(rules, state.turn)
    place = order.index(state.stage)
    if place + 1 < len(order):
        return enter_stage(state, order[place + 1])
    if state.turn == rules.scenario.turns:
        return end(state, result_at_end(table))
    state.turn += 1
    return [TurnBegan(state.turn), *enter_stage(state, stages(rules, state.turn)[0])]


def stages(rules: MariaRules, turn: int) -> list[str]:
    """The stages of a turn, set-up before the first and winter after every third (§5)."""
    order = ["hussars", *rules.game.action_stages]
    if turn == 1:
        order.insert(0, "setup")
    if turn % rules.scenario.winter_every == 0 and turn < rules.scenario.turns:
        order += [f"winter-{stage}" for stage in rules.game.action_stages]
    return order


def enter_stage(state: State, stage: str) -> list[Event]:
    """Begin a stage with its first phase."""
    state.stage = stage
    state.phase = first_phase(stage)
    return [StageBegan(state.turn, stage)]


def first_phase(stage: str) -> Phase:
    """The phase a stage begins with."""
    if stage == "setup":
        return "allotment"
    if stage == "hussars":
        return "hussars"
    return "recruiting" if stage.startswith("winter-") else "cards"


def end(state: State, result: Result) -> list[Event]:
    """The game is over; nothing is owed any more."""
    state.result = result
    state.phase = "over"
    state.begun = True
    state.owing, state.tolls, state.battles = [], {}, []
    state.duel = state.retreat = None
    return [GameEnded(result.winner, result.how, result.held)]
