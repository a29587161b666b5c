"""What is true of every position of FRIEDRICH: on the map, in the decks, and in the sequence of play.

`problems` is empty for whatever the engine itself has made. It is the check for positions that come from elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pbem.engine.conquest import held_by_enemy
from pbem.engine.field import ASIDE, Field, occupants, troops_of
from pbem.engine.invariants import (
    Problem,
    attack_problems,
    card_problems,
    command_problems,
    crowding_problems,
    duel_problems,
    number_problems,
    piece_problems,
    retreat_problems,
)
from pbem.engine.nouns import Card, Power
from pbem.engine.rules import Rules
from pbem.games.friedrich.rules.income import returned_of
from pbem.games.friedrich.rules.sections import restated_problem
from pbem.games.friedrich.rules.sequence import phases_of, stages
from pbem.games.friedrich.rules.table import Table, active, plays_on

FROM_MOVEMENT = ("movement", "recruiting", "combat", "retroactive", "supply")
"""The phases in which a question mark or a piece that has moved can be found."""


def problems(table: Table) -> list[Problem]:
    """Everything wrong with a position."""
    numbers = number_problems(table.rules.common, table.state.field)
    found = [*shape_problems(table), *(restated_problem(problem) for problem in numbers)]
    if found:
        return found
    rules, state = table.rules, table.state
    from_engine = [
        *piece_problems(rules.common, state.field, unallotted(table)),
        *crowding_problems(rules.common, state.field, ()),
        *command_problems(rules.common, state.field),
        *card_problems(rules.common.decks, state.cards, laid_out(table), other_shuffles=True),
    ]
    return [
        *(restated_problem(problem) for problem in from_engine),
        *facing_problems(rules.common, state.field),
        *marker_problems(table),
        *question_problems(table),
        *troop_problems(table),
        *quit_problems(table),
        *fate_problems(table),
        *phase_problems(table),
        *moved_problems(table),
        *recruit_problems(table),
        *combat_problems(table),
        *result_problems(table),
    ]


def unallotted(table: Table) -> Collection[Power]:
    """The powers whose troops have not been dealt out yet."""
    state = table.state
    if state.phase != "allotment":
        return ()
    return state.owing if state.begun else table.rules.powers


def laid_out(table: Table) -> Sequence[Card]:
    """The cards that lie neither in a hand nor with the decks: the one set aside for the Offensive Option (§13)."""
    option = table.state.fate.offensive
    return [option.card] if option and option.card is not None and not option.taken else []


def shape_problems(table: Table) -> Iterator[Problem]:
    """A turn, a stage or a phase that does not exist, and hands of others than the powers that take part (§2)."""
    rules, state = table.rules, table.state
    if state.turn < 1:
        yield Problem("§2", f"there is no turn {state.turn}")
    elif state.stage not in stages(rules, state.turn):
        yield Problem("§2", f"turn {state.turn} has no stage {state.stage}")
    elif state.phase != "over" and state.phase not in phases_of(rules, state.stage):
        yield Problem("§2", f"the stage {state.stage} has no phase {state.phase}")
    if set(state.cards.hands) != set(rules.powers):
        yield Problem("§3", f"there are hands of {', '.join(state.cards.hands)}, not of {', '.join(rules.powers)}")


def facing_problems(rules: Rules, field: Field) -> Iterator[Problem]:
    """Stacks with generals face-up and face-down (§9)."""
    for city, pieces in sorted(occupants(field).items()):
        if len({field.pieces[piece].down for piece in pieces}) > 1:
            place = rules.board.cities[city].name
            yield Problem("§9", f"in {place} generals face-up and face-down stand in one stack", pieces[0], city)


def marker_problems(table: Table) -> Iterator[Problem]:
    """Markers on what is no objective of their power (§5)."""
    rules = table.rules
    for city, power in sorted(table.state.field.markers.items()):
        if rules.common.objectives.get(city) != power:
            place = rules.common.board.cities[city].name
            yield Problem("§5", f"a marker of {power} in {place}, which is none of its objectives", city=city)


def question_problems(table: Table) -> Iterator[Problem]:
    """Question marks out of time, of others than the active power, or where it has nothing to conquer (§5)."""
    rules, state = table.rules, table.state
    for city, power in sorted(state.field.questions.items()):
        place = rules.common.board.cities[city].name
        if state.phase not in FROM_MOVEMENT[:4] or power != active(table):
            yield Problem("§5", f"a question mark of {power} in {place} outside its stage", city=city)
        elif not held_by_enemy(rules.common, state.field, city, power):
            yield Problem("§5", f"a question mark of {power} in {place}, which it cannot conquer", city=city)


def troop_problems(table: Table) -> Iterator[Problem]:
    """More troops than a power began with, or not all of them allotted (§6)."""
    rules, state = table.rules, table.state
    for power in rules.powers:
        total, most = troops_of(rules.common, state.field, power), rules.troops(power)
        if total > most:
            yield Problem("§6", f"{power} has {total} troops; it began with {most}")
        elif total < most and state.phase == "allotment" and power not in unallotted(table):
            yield Problem("§1", f"{power} has allotted {total} troops of {most}")


def quit_problems(table: Table) -> Iterator[Problem]:
    """Pieces, cards, markers or debts of powers that have left the game or never took part (§11)."""
    rules, state = table.rules, table.state
    for power in rules.game.powers:
        if plays_on(table, power):
            continue
        there = [p for p in (*rules.common.generals(power), *rules.common.trains(power))
                 if state.field.pieces[p].city != ASIDE]  # fmt: skip
        if there:
            yield Problem("§11", f"{rules.common.names_of(there)} of {power}, which is not in the game", there[0])
        if state.cards.hands.get(power):
            yield Problem("§11", f"{power} is not in the game and has cards")
        if power in (*state.field.markers.values(), *state.owing) or (power == state.stage and state.phase != "over"):
            yield Problem("§11", f"{power} is not in the game and has conquests, or is to act")


def fate_problems(table: Table) -> Iterator[Problem]:
    """Cards of Fate that are missing or doubled (§11)."""
    fate = table.state.fate
    if sorted([*fate.deck, *fate.out]) != table.rules.fate.numbers():
        yield Problem("§11", "the Cards of Fate are not all there once")


def phase_problems(table: Table) -> Iterator[Problem]:
    """Things that belong to another phase, or to one that has not begun (§2)."""
    state = table.state
    due = bool(state.battles or state.duel or state.retreat)
    if due and state.phase != "combat":
        yield Problem("§7", "attacks are only due in the combat phase")
    if state.owing and state.phase not in ("allotment", "cards", "movement", "recruiting"):
        yield Problem("§2", f"{', '.join(state.owing)} owe an answer in a phase that asks nobody")
    if state.phase in ("cards", "movement", "recruiting") and state.owing not in ([], [active(table)]):
        yield Problem("§2", f"in the stage of {active(table)} {', '.join(state.owing)} owe an answer")
    if len(set(state.owing)) != len(state.owing) or not set(state.owing) <= set(table.rules.powers):
        yield Problem("§2", "answers are owed twice, or by nobody")
    if not state.begun and (due or state.owing or state.tasks):
        yield Problem("§2", "answers are due in a phase that has not begun")
    yield from drawn_problems(table)


def drawn_problems(table: Table) -> Iterator[Problem]:
    """Cards to be set aside that have not been drawn, or at another time (§3)."""
    state = table.state
    if bool(state.drawn) != (state.phase == "cards" and bool(state.owing)):
        yield Problem("§3", "cards are set aside exactly in the tactical cards phase")
    elif state.drawn:
        power = active(table)
        if not set(state.drawn) <= set(state.cards.hands[power]):
            yield Problem("§3", f"{power} does not hold the cards it has just drawn")
        if not returned_of(table, power):
            yield Problem("§3", f"{power} sets no cards aside")


def moved_problems(table: Table) -> Iterator[Problem]:
    """Pieces noted as moved that are not the active power's, or not in order (§4)."""
    rules, state = table.rules.common, table.state
    if state.moved != sorted(set(state.moved)):
        yield Problem("§4", "the pieces that have moved are noted twice, or out of order")
    if state.moved and state.phase not in (*FROM_MOVEMENT, "over"):
        yield Problem("§4", "pieces have moved outside the movement phase")
    for piece in state.moved:
        if not 0 <= piece < len(rules.pieces):
            yield Problem("§4", f"a piece number {piece} has moved, which does not exist")
        elif rules.pieces[piece].power != active(table):
            yield Problem("§4", f"{rules.pieces[piece].name} has moved, and {active(table)} is active", piece)


def recruit_problems(table: Table) -> Iterator[Problem]:
    """What is noted of recruits, of another power than the active one, or where nobody comes back (§10)."""
    rules, state = table.rules, table.state
    generals = rules.common.generals(active(table))
    if not set(state.reinforced) <= set(generals) or state.reinforced != sorted(set(state.reinforced)):
        yield Problem("§10", "only generals of the active power have got new troops in this stage, each noted once")
    if state.substitute is not None and state.substitute not in rules.areas.get(active(table), ()):
        yield Problem("§10", f"no piece of {active(table)} comes back in the substitute city")


def combat_problems(table: Table) -> Iterator[Problem]:
    """Attacks, duels and retreats that do not agree with who stands where (§7, §8)."""
    rules, state = table.rules.common, table.state
    if state.duel and state.retreat:
        yield Problem("§8", "a beaten stack retreats before the next attack")
    if len(set(state.battles)) != len(state.battles):
        yield Problem("§7", "an attack is due twice")
    attacking = [active(table)]
    for attack in state.battles:
        yield from attack_problems(rules, state.field, attack, attacking, "§7")
    if state.duel:
        yield from duel_problems(rules, state.field, state.duel, state.battles, attacking, "§7")
    if state.retreat:
        yield from retreat_problems(rules, state.field, state.retreat, "§8")


def result_problems(table: Table) -> Iterator[Problem]:
    """A game that is over without a result, or the reverse (§12)."""
    rules, state = table.rules, table.state
    if (state.phase == "over") != (state.result is not None):
        yield Problem("§12", "a game has a result exactly when it is over")
    if state.result and not {state.result.winner, *state.result.others} <= set(rules.seats):
        yield Problem("§12", "somebody has won who is no player of this game")
