"""A game of TOY: the sequence of play, what is asked, what an answer does, and what is impossible."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine import ways
from pbem.engine.cards import Dealer, fresh_cards
from pbem.engine.decisions import Answer, Decision, Done, March, Move
from pbem.engine.events import Ending, Event, GameEnded, StageBegan, TurnBegan
from pbem.engine.field import Alliances, Field, PieceState, home_of, occupants
from pbem.engine.invariants import Problem, field_problems, impossible
from pbem.engine.march import Circumstances, Column, march
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import IllegalOrder, check_cities, check_names
from pbem.faults.wrong import wrong
from toy_game.rules.state import PHASES, Bar, Barred, CityBarred, Result, State, Table, ToyRules


def new_state(rules: ToyRules) -> State:
    """The position at the start (§1)."""
    board, powers = rules.common.board, rules.powers
    itself: dict[Power, str] = {power: power for power in powers}
    alliances = Alliances(
        side=itself,
        group=itself,
        principal={power: power for power in powers},
        home={land: power for power, lands in board.data.powers.items() for land in lands},
        player={power: player for player, mine in rules.seats.items() for power in mine},
        stage=itself,
    )
    starts = [start for power in powers for start in board.data.setup[power].generals]
    pieces = [PieceState(board.index[start.city or ""], troops=1) for start in starts]
    field = Field(pieces, alliances, markers={}, questions={}, hussars=[])
    return State(rules.terms, 1, powers[0], PHASES[0], field, fresh_cards(rules.common.decks, powers))


# The sequence of play (§2).


def start(rules: ToyRules, dealer: Dealer) -> tuple[Table, list[Event]]:
    """A new game."""
    table = Table(rules, new_state(rules), dealer)
    return table, [StageBegan(1, table.state.stage), *advance(table)]


def advance(table: Table) -> list[Event]:
    """Go on until somebody must decide or the game is over."""
    state = table.state
    events: list[Event] = []
    while state.phase != "over" and not state.owing:
        if state.begun:
            events += end_phase(table)
        else:
            state.begun, state.owing = True, [state.stage]
    return events


def end_phase(table: Table) -> list[Event]:
    """From marching to barring, and from there to the next stage; whoever has arrived has won (§5)."""
    state = table.state
    state.begun = False
    if state.phase == PHASES[-1]:
        return next_stage(table)
    state.phase = PHASES[1]
    return end(state, state.field.alliances.player[state.stage], "goals") if has_arrived(table) else []


def next_stage(table: Table) -> list[Event]:
    """The other power's stage, a new turn, or the end of the last one."""
    rules, state = table.rules, table.state
    later = rules.powers[rules.powers.index(state.stage) + 1 :]
    if not later and state.turn == rules.scenario.turns:
        return end(state, None, "survival")
    state.turn += not later
    state.stage, state.phase, state.moved = (later or rules.powers)[0], PHASES[0], []
    turn: list[Event] = [] if later else [TurnBegan(state.turn)]
    return [*turn, StageBegan(state.turn, state.stage)]


def has_arrived(table: Table) -> bool:
    """True if a courier of the active power stands in the other's home (§5)."""
    common, field, power = table.rules.common, table.state.field, table.state.stage
    cities = (field.pieces[courier].city for courier in common.generals(power))
    return any(home_of(common, field, city) not in (None, power) for city in cities)


def end(state: State, winner: str | None, how: Ending) -> list[Event]:
    """The game is over."""
    state.phase, state.begun, state.result = "over", True, Result(winner, how)
    return [GameEnded(winner, how, {})]


# What is asked, and what an answer does.


def decisions(table: Table) -> tuple[Decision, ...]:
    """Open decisions."""
    return tuple(decision_of(table, power) for power in table.state.owing)


def decision_of(table: Table, power: Power) -> Decision:
    """Decision that a power is asked now."""
    if power not in table.state.owing:
        raise IllegalOrder(wrong("E-ANSWER-NOW", rule="§2", power=power))
    if table.state.phase == PHASES[0]:
        return March(power, table.rules.common.generals(power), {})
    return Bar(power, to_bar(table, power))


def to_bar(table: Table, power: Power) -> tuple[City, ...]:
    """The cities that a power may bar (§4)."""
    common, field = table.rules.common, table.state.field
    closed = {*occupants(field), table.state.barred.get(power)}
    free = (city.index for city in common.board.cities if city.index not in closed)
    return tuple(city for city in free if home_of(common, field, city) is None)


def apply(table: Table, power: Power, answer: Answer) -> list[Event]:
    """Carry an answer out, and go on until the next decision; a refusal changes nothing."""
    check_names(table.rules.common, answer)
    match decision_of(table, power), answer:
        case March(), Done():
            events: list[Event] = []
        case March() as asked, Move():
            events = move(table, asked, answer)
        case Bar() as asked, Barred(city):
            events = bar(table, asked, city)
        case asked, _:
            name = type(answer).__name__
            raise IllegalOrder(wrong("E-ANSWER-KIND", rule="§2", answer=name, decision=type(asked).__name__))
    table.state.owing = []
    return [*events, *advance(table)]


def move(table: Table, asked: March, answer: Move) -> list[Event]:
    """March one city far (§2, §3)."""
    check_movers(table, asked, answer.pieces)
    goal = answer.path[-1] if answer.path else None
    if goal is not None and goal in barred_to(table, asked.power):
        name = table.rules.common.board.cities[goal].name
        raise IllegalOrder(wrong("E-TOY-BARRED", city=name), where=("path", len(answer.path) - 1))
    column = column_of(table, answer.pieces)
    ways.check(column, answer.path)
    table.state.moved = list(answer.pieces)
    return march(table.rules.common, table.state.field, column, answer.path, None)


def check_movers(table: Table, asked: March, movers: Sequence[Piece]) -> None:
    """Refuse pieces that cannot march together now."""
    if len(movers) != 1 or movers[0] not in asked.pieces:
        names = " and ".join(table.rules.common.names(asked.pieces))
        raise IllegalOrder(wrong("E-TOY-COURIER", power=asked.power, names=names), where=("pieces",))


def column_of(table: Table, movers: Sequence[Piece]) -> Column:
    """A courier about to march, with the cities where he may end."""
    common = table.rules.common
    closed = barred_to(table, common.pieces[movers[0]].power)
    return Column(common, table.state.field, movers, Circumstances(may_stop=lambda city: city not in closed))


def barred_to(table: Table, power: Power) -> set[City]:
    """The cities that others have barred."""
    return {city for other, city in table.state.barred.items() if other != power}


def bar(table: Table, asked: Bar, city: City | None) -> list[Event]:
    """Bar a city instead of the one before, or none (§4)."""
    barred, common = table.state.barred, table.rules.common
    if city is None:
        return [] if barred.pop(asked.power, None) is None else [CityBarred(asked.power, None)]
    check_cities(common, [city], "city")
    if city not in asked.cities:
        name, legal = common.board.cities[city].name, ", ".join(common.board.names(asked.cities))
        raise IllegalOrder(wrong("E-TOY-BAR", city=name, legal=legal or "none"), where=("city",))
    barred[asked.power] = city
    return [CityBarred(asked.power, city)]


# Positions that people write.


def problems(table: Table) -> list[Problem]:
    """Faults of an impossible position."""
    rules, state = table.rules, table.state
    found = field_problems(rules.common, state.field)
    if any(piece.city < 0 for piece in state.field.pieces):
        found.append(impossible("E-POSITION.toy-off"))
    if not 1 <= state.turn <= rules.scenario.turns or state.stage not in rules.powers:
        found.append(impossible("E-POSITION.toy-stage", turn=state.turn, stage=state.stage))
    if state.phase not in (*PHASES, "over") or (state.phase == "over") != (state.result is not None):
        found.append(impossible("E-POSITION.toy-phase"))
    if not set(state.owing) <= ({state.stage} if state.begun else set()):
        found.append(impossible("E-POSITION.toy-owing"))
    for power, city in state.barred.items():
        if home_of(rules.common, state.field, city) is not None:
            found.append(impossible("E-POSITION.toy-home", None, city, power=power))
    return found


def stages(rules: ToyRules, turn: int) -> list[str]:
    """Red's stage and Blue's (§2)."""
    return list(rules.powers)


def phases_of(rules: ToyRules, stage: str) -> Sequence[str]:
    """The phases of every stage."""
    return PHASES
