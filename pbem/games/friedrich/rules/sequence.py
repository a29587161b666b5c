"""Sequence of play: seven stages of six phases, with income (§3) and supply (§9), then the Clock of Fate (§2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pbem.engine.cards import discard
from pbem.engine.conquest import settle_questions
from pbem.engine.events import Event, GameEnded, GeneralRemoved, StageBegan, SupplyLost, SupplyTraced, TurnBegan
from pbem.engine.field import alter, remove, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.supply import assess, restore
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules import combat, fate, instants, movement, offensive, opening, recruiting
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.decisions import CardsBack, ReturnCards
from pbem.games.friedrich.rules.events import CardsReturned, Starved, WonTogether
from pbem.games.friedrich.rules.offensive import result_now, result_of_stage
from pbem.games.friedrich.rules.state import Phase, Result, State, Table, active, draw_cards, plays_on, throw_cards


def draw_income(table: Table) -> list[Event]:
    """Draw the active power's cards. If the power must set some of the cards aside, ask it which ones. Otherwise ask it
    to declare the Offensive Option, if this is the turn for it."""
    power, state = active(table), table.state
    drawn, events = draw_cards(table, power, income_of(table, power))
    # Cards are set aside even if fewer than usual were drawn (docs/rulings-friedrich.md, §3).
    if min(returned_of(table, power), len(drawn)):
        state.drawn = drawn
        state.owing = [power]
        return events
    offensive.ask_to_declare(table)
    return events


def income_of(table: Table, power: Power) -> int:
    """Return the number of cards that a power draws in a turn. Strokes of fate change the number (§3, §11)."""
    facts = table.rules.income(power)
    return number_by_strokes(table, facts.income, facts.cut_by)


def returned_of(table: Table, power: Power) -> int:
    """Return the number of cards just drawn that a power must set aside. Strokes of fate change it."""
    facts = table.rules.income(power)
    return number_by_strokes(table, facts.returned, facts.cut_by)


def number_by_strokes(table: Table, numbers: Sequence[int], strokes: Sequence[int]) -> int:
    """Return the number in `numbers` that applies now: the first before any stroke was drawn, the next after each
    stroke, up to the last. Return 0 if `numbers` is empty."""
    if not numbers:
        return 0
    out = sum(stroke in table.state.fate.out for stroke in strokes)
    return numbers[min(out, len(numbers) - 1)]


def return_decision(table: Table, power: Power) -> ReturnCards:
    drawn = table.state.drawn
    return ReturnCards(power, tuple(drawn), min(returned_of(table, power), len(drawn)))


def give_back(table: Table, asked: ReturnCards, answer: CardsBack) -> list[Event]:
    """Set aside the cards that the power has chosen, unseen by others. Then the power may be asked to declare the
    Offensive Option. Raises `IllegalOrder` for a wrong number of cards, or a card that is not offered."""
    state, count = table.state, asked.count
    if len(answer.cards) != count or len(set(answer.cards)) != count:
        raise IllegalOrder(wrong("E-RETURN-COUNT", given=len(answer.cards), count=count), where=("cards",))
    for place, card in enumerate(answer.cards):
        if card not in asked.cards:
            raise IllegalOrder(wrong("E-RETURN-CARD"), where=("cards", place))
    discard(state.cards, asked.power, answer.cards)
    state.drawn = []
    state.owing = []
    offensive.ask_to_declare(table)
    return [CardsReturned(asked.power, count, answer.cards)]


def supply(table: Table) -> list[Event]:
    """Carry out the supply phase: turn every general of the active power face-up or face-down according to his supply,
    or remove him. If generals are removed, the power may also lose the card of the Offensive Option, or the garrison of
    a region."""
    rules, field, power = table.rules.common, table.state.field, active(table)
    free, _, cut_off = assess(rules, field, power)
    down = [g for g in rules.generals(power) if field.pieces[g].down and field.pieces[g].city >= 0]
    fed = [general for general in down if general not in cut_off]
    events: list[Event] = [SupplyTraced(claim.piece, claim.path, 0) for claim in free]
    events += restore(field, fed)
    events += shortage(table, power, cut_off)
    instants.check_garrison(table)
    return events


def shortage(table: Table, power: Power, cut_off: Collection[Piece]) -> list[Event]:
    """Turn generals out of supply face-down, and remove those who were face-down already. If generals are removed, the
    power may also lose the card of the Offensive Option."""
    field, events = table.state.field, list[Event]()
    starving = sorted({field.pieces[general].city for general in cut_off if field.pieces[general].down})
    for general in [general for general in cut_off if not field.pieces[general].down]:
        alter(field, general, down=True)  # The first time out of supply, he keeps his troops.
        events.append(SupplyLost(general, 0))
    for city in starving:
        events += starve(table, city)
    return [*events, *offensive.lose_card_in_supply(table, power, starving)]


def starve(table: Table, city: City) -> list[Event]:
    """Remove a stack that is out of supply for the second time, with all its troops."""
    rules, field = table.rules.common, table.state.field
    stack = stack_at(rules, field, city)
    events: list[Event] = [Starved(tuple(stack), city, sum(field.pieces[general].troops for general in stack))]
    for general in stack:
        remove(field, general)
        events.append(GeneralRemoved(general, city))
    return events


ACTION_PHASES: tuple[Phase, ...] = ("cards", "movement", "recruiting", "combat", "retroactive", "supply")


def retroactive(table: Table) -> list[Event]:
    """Carry out the retroactive conquest phase: decide which question marks become conquests (§5)."""
    return settle_questions(table.rules.common, table.state.field, movement.protection(table))


def clock(table: Table) -> list[Event]:
    """Carry out the Clock of Fate: set aside tactical cards as the scenario demands, and read the Card of Fate. Victory
    is tested before and after the card (§12)."""
    events = throw_cards(table, table.rules.scenario.thrown)
    result = result_now(table)
    if result:
        return [*events, *end(table.state, result)]
    events += fate.clock(table)
    result = result_now(table)
    return [*events, *end(table.state, result)] if result else events


BEGIN: dict[Phase, Callable[[Table], list[Event]]] = {
    "allotment": opening.begin,
    "cards": draw_income,
    "movement": movement.begin,
    "recruiting": recruiting.begin,
    "combat": combat.begin,
    "retroactive": retroactive,
    "supply": supply,
    "clock": clock,
}
"""Functions that carry out the automatic part of a phase, before any power is asked, keyed by phase."""


def advance(table: Table, done: list[Event] | None = None) -> list[Event]:
    """Carry the game on until a power must decide or the game is over. `done` has the events of the latest answer.
    Return these events, followed by the new events."""
    state = table.state
    events = list(done or [])
    while state.phase != "over":
        events += go_on(table)
        if is_waiting(state):
            break
        events += next_phase(table)
    return events


def go_on(table: Table) -> list[Event]:
    """Begin the phase if it has not begun, and carry out everything that comes before the next decision."""
    state = table.state
    events: list[Event] = []
    if not state.begun:
        state.begun = True
        events += BEGIN[state.phase](table)
    if state.tasks:
        fate.drop_idle(table)
    if state.phase == "combat":
        events += combat.proceed(table)
    return events


def set_out(table: Table, stage: str) -> None:
    """Prepare a table to try orders for a later stage: jump to the movement phase of this stage, and go on to its first
    decision. Open tasks, battles and retreats are dropped."""
    state = table.state
    state.stage, state.phase, state.begun = stage, "movement", False
    state.owing, state.moved, state.battles, state.tasks = [], [], [], []
    state.duel = state.retreat = None
    state.reinforced, state.drawn, state.substitute = [], [], None
    advance(table)


def is_waiting(state: State) -> bool:
    return bool(state.tasks or state.owing or state.duel or state.retreat or state.battles or state.phase == "over")


def next_phase(table: Table) -> list[Event]:
    """Step to the next phase, or to the next stage after the last phase. If the power wins by the end of its stage, end
    the game."""
    state = table.state
    state.begun = False
    phases = phases_of(table.rules, state.stage)
    place = phases.index(state.phase)
    if place + 1 < len(phases):
        state.phase = phases[place + 1]
        return []
    result = result_of_stage(table, Power(state.stage))
    return end(state, result) if result else next_stage(table)


def phases_of(rules: FriedrichRules, stage: str) -> tuple[Phase, ...]:
    """Return the phases of a stage, from the first to the last (§2)."""
    if stage in rules.game.powers:
        return ACTION_PHASES
    return ("allotment",) if stage == "setup" else ("clock",)


def next_stage(table: Table) -> list[Event]:
    """Step to the next stage that takes place, in the present turn or in a new turn. Forget which pieces have moved,
    who got new troops, and which substitute city was used."""
    state = table.state
    state.moved, state.reinforced, state.substitute = [], [], None
    order = stages(table.rules, state.turn)
    later = [stage for stage in order[order.index(state.stage) + 1 :] if takes_place(table, stage)]
    if later:
        return enter_stage(state, later[0])
    state.turn += 1
    first = next(stage for stage in stages(table.rules, state.turn) if takes_place(table, stage))
    return [TurnBegan(state.turn), *enter_stage(state, first)]


def stages(rules: FriedrichRules, turn: int) -> list[str]:
    """Return the stages of a turn, from the first to the last: the powers, then fate. The first turn begins with set-up
    (§2)."""
    return [*(["setup"] if turn == 1 else []), *rules.powers, "fate"]


def takes_place(table: Table, stage: str) -> bool:
    """True if a stage takes place; the stage of a power that has left the game does not (§11)."""
    return stage not in table.rules.powers or plays_on(table, Power(stage))


def enter_stage(state: State, stage: str) -> list[Event]:
    """Set the stage and its first phase."""
    state.stage = stage
    state.phase = "clock" if stage == "fate" else "cards"
    return [StageBegan(state.turn, stage)]


def end(state: State, result: Result) -> list[Event]:
    """End the game with this result. All owed answers, tasks, battles, combats and retreats are dropped."""
    state.result = result
    state.phase = "over"
    state.begun = True
    state.owing, state.battles, state.tasks = [], [], []
    state.duel = state.retreat = None
    together: list[Event] = [WonTogether((result.winner, *result.others))] if result.winner and result.others else []
    return [*together, GameEnded(result.winner, result.how, result.held)]
