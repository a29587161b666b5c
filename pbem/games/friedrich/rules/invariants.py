"""Checks of a position of FRIEDRICH: of the map, of the decks, and of the sequence of play. Every problem found names
the § of FRIEDRICH's rule book."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from pbem.engine import invariants
from pbem.engine.conquest import is_held_by_enemy
from pbem.engine.field import ASIDE, Field, occupants, troops_of
from pbem.engine.nouns import Card, Power
from pbem.engine.rules import IllegalOrder, Rules
from pbem.games.friedrich.rules.sequence import phases_of, returned_of, stages
from pbem.games.friedrich.rules.state import Table, active, plays_on

REFUSALS: dict[str, str] = {
    "E-NO-PIECE": "§1", "E-NO-CITY": "§1",
    "E-CARD-HAND": "§3", "E-RESERVE-VALUE": "§3", "E-CARD-VALUE": "§3",
    "E-MARCH-EMPTY": "§4", "E-MARCH-ROAD": "§4", "E-MARCH-LENGTH": "§4", "E-MARCH-BLOCKED": "§4",
    "E-MARCH-JOINED": "§4", "E-STACK-FULL": "§4", "E-COMMANDER": "§4",
    "E-CARD-SUIT": "§7", "E-DUEL-MUST": "§7",
    "E-RETREAT-LENGTH": "§8", "E-RETREAT-TWICE": "§8", "E-RETREAT-BLOCKED": "§8", "E-RETREAT-ROAD": "§8",
    "E-RETREAT-FARTHEST": "§8",
    "E-MARCH-TRAIN": "§9",
}  # fmt: skip
"""Sections (§) of FRIEDRICH's rule book for refusals of the engine, keyed by the code of the refusal."""

PROBLEMS: dict[str, str] = {
    "§2": "§1",
    "§3.1": "§1",
    "§3.2": "§5",
    "§4": "§1",
    "§8": "§3",
    "§11.1": "§7",
    "§11.2": "§8",
}
"""Sections (§) of FRIEDRICH's rule book, keyed by the § of MARIA's rule book that has the same rule. The engine cites
MARIA's § in problems. A § that is the same in both books is left out."""


def cite_own_book(refusal: IllegalOrder) -> IllegalOrder:
    """Return the refusal with the § of FRIEDRICH's rule book in place of MARIA's."""
    cited = refusal.with_rule(REFUSALS[refusal.code]) if refusal.code in REFUSALS else refusal
    cited.others = tuple(map(cite_own_book, refusal.others))
    return cited


def cite_own_book_in(problem: invariants.Problem) -> invariants.Problem:
    """Return the problem with the § of FRIEDRICH's rule book in place of MARIA's."""
    return replace(problem, wrong=replace(problem.wrong, rule=PROBLEMS.get(problem.rule, problem.rule)))


FROM_MOVEMENT = ("movement", "recruiting", "combat", "retroactive", "supply")
"""Phases in which pieces can be marked as moved."""


def problems(table: Table) -> list[invariants.Problem]:
    """Return a problem for everything in a position that the rules make impossible. Problems of turn, stage, phase,
    hands or numbers stop all further checks."""
    numbers = invariants.number_problems(table.rules.common, table.state.field)
    found = [*shape_problems(table), *(cite_own_book_in(problem) for problem in numbers)]
    if found:
        return found
    rules, state, decks = table.rules, table.state, table.rules.common.decks
    from_engine = [
        *invariants.piece_problems(rules.common, state.field, powers_without_troops(table)),
        *invariants.crowding_problems(rules.common, state.field, ()),
        *invariants.command_problems(rules.common, state.field),
        *(
            invariants.deck_problems(decks, state.cards, other_shuffles=True)
            or invariants.card_problems(decks, state.cards, card_at_stake(table))
        ),
    ]
    return [
        *(cite_own_book_in(problem) for problem in from_engine),
        *facing_problems(rules.common, state.field),
        *marker_problems(table),
        *question_problems(table),
        *troop_problems(table),
        *quit_problems(table),
        *fate_problems(table),
        *phase_problems(table),
        *moved_problems(table),
        *recruit_problems(table),
        *map(cite_own_book_in, combat_problems(table)),
        *result_problems(table),
    ]


def powers_without_troops(table: Table) -> Collection[Power]:
    """Return the powers that have not allotted their troops yet."""
    state = table.state
    if state.phase != "allotment":
        return ()
    return state.owing if state.begun else table.rules.powers


def card_at_stake(table: Table) -> Sequence[Card]:
    """Return the card set aside for the Offensive Option, as a list (§13). The list is empty if there is none."""
    option = table.state.fate.offensive
    return [option.card] if option and option.card is not None and not option.taken else []


def shape_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for an unknown turn, stage or phase (§2). Yield a problem also if the powers with hands are not
    those that take part (§3)."""
    rules, state = table.rules, table.state
    if state.turn < 1:
        yield invariants.impossible("E-POSITION.no-turn", turn=state.turn)
    elif state.stage not in stages(rules, state.turn):
        yield invariants.impossible("E-POSITION.stage", rule="§2", turn=state.turn, stage=state.stage)
    elif state.phase != "over" and state.phase not in phases_of(rules, state.stage):
        yield invariants.impossible("E-POSITION.phase", rule="§2", stage=state.stage, phase=state.phase)
    if set(state.cards.hands) != set(rules.powers):
        found, powers = tuple(state.cards.hands), tuple(rules.powers)
        yield invariants.impossible("E-POSITION.hands", rule="§3", found=found, powers=powers)


def facing_problems(rules: Rules, field: Field) -> Iterator[invariants.Problem]:
    """Yield a problem for each stack in which some generals are face-up and others face-down (§9)."""
    for city, pieces in sorted(occupants(field).items()):
        if len({field.pieces[piece].down for piece in pieces}) > 1:
            place = rules.board.cities[city].name
            yield invariants.impossible("E-POSITION.facing", pieces[0], city, city=place)


def marker_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for each marker on a city that is no objective of its power (§5)."""
    rules = table.rules
    for city, power in sorted(table.state.field.markers.items()):
        if rules.common.objectives.get(city) != power:
            place = rules.common.board.cities[city].name
            yield invariants.impossible("E-POSITION.objective", None, city, power=power, city=place)


def question_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for each question mark that lies in a wrong phase, belongs to a power that is not active, or lies
    on a city with nothing to conquer (§5)."""
    rules, state = table.rules, table.state
    for city, power in sorted(state.field.questions.items()):
        place = rules.common.board.cities[city].name
        if state.phase not in FROM_MOVEMENT[:4] or power != active(table):
            yield invariants.impossible("E-POSITION.question-stage", None, city, power=power, city=place)
        elif not is_held_by_enemy(rules.common, state.field, city, power):
            yield invariants.impossible("E-POSITION.question-objective", None, city, power=power, city=place)


def troop_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for each power with more troops than it began with, or with troops not all allotted (§6)."""
    rules, state = table.rules, table.state
    for power in rules.powers:
        total, most = troops_of(rules.common, state.field, power), rules.troops(power)
        if total > most:
            yield invariants.impossible("E-POSITION.began-with", power=power, total=total, most=most)
        elif total < most and state.phase == "allotment" and power not in powers_without_troops(table):
            yield invariants.impossible("E-POSITION.allotted", rule="§1", power=power, total=total, most=most)


def quit_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if a power that has left the game still has pieces, cards or markers. Yield a problem also if
    such a power owes an answer, or if it is the power whose stage it is (§11)."""
    rules, state = table.rules, table.state
    for power in rules.game.powers:
        if plays_on(table, power):
            continue
        there = [p for p in (*rules.common.generals(power), *rules.common.trains(power))
                 if state.field.pieces[p].city != ASIDE]  # fmt: skip
        if there:
            yield invariants.impossible("E-POSITION.out", there[0], pieces=rules.common.names(there), power=power)
        if state.cards.hands.get(power):
            yield invariants.impossible("E-POSITION.out-cards", power=power)
        if power in (*state.field.markers.values(), *state.owing) or (power == state.stage and state.phase != "over"):
            yield invariants.impossible("E-POSITION.out-acting", power=power)


def fate_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if Cards of Fate are missing or occur twice (§11)."""
    fate = table.state.fate
    if sorted([*fate.deck, *fate.out]) != table.rules.fate.numbers():
        yield invariants.impossible("E-POSITION.fate")


def phase_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for everything that does not fit the present phase: attacks, owed answers, drawn cards, and
    tasks. Yield a problem also if the wrong power owes an answer (§2)."""
    state = table.state
    due = bool(state.battles or state.duel or state.retreat)
    if due and state.phase != "combat":
        yield invariants.impossible("E-POSITION.attack-phase", rule="§7")
    if state.owing and state.phase not in ("allotment", "cards", "movement", "recruiting"):
        yield invariants.impossible("E-POSITION.owing-phase", rule="§2", powers=tuple(state.owing))
    if state.phase in ("cards", "movement", "recruiting") and state.owing not in ([], [active(table)]):
        yield invariants.impossible("E-POSITION.owing-active", active=active(table), powers=tuple(state.owing))
    if len(set(state.owing)) != len(state.owing) or not set(state.owing) <= set(table.rules.powers):
        yield invariants.impossible("E-POSITION.owing-nobody")
    if not state.begun and (due or state.owing or state.tasks):
        yield invariants.impossible("E-POSITION.not-begun", rule="§2")
    if bool(state.drawn) != (state.phase == "cards" and bool(state.owing)):
        yield invariants.impossible("E-POSITION.drawn")
    elif state.drawn:
        power = active(table)
        if not set(state.drawn) <= set(state.cards.hands[power]):
            yield invariants.impossible("E-POSITION.drawn-hand", power=power)
        if not returned_of(table, power):
            yield invariants.impossible("E-POSITION.drawn-all", power=power)


def moved_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for each fault of the list of moved pieces (§4): it has pieces in a wrong phase, has a wrong
    sequence, names a piece twice, or names a piece that is not the active power's."""
    rules, state = table.rules.common, table.state
    if state.moved != sorted(set(state.moved)):
        yield invariants.impossible("E-POSITION.moved-order", rule="§4")
    if state.moved and state.phase not in (*FROM_MOVEMENT, "over"):
        yield invariants.impossible("E-POSITION.moved-outside")
    for piece in state.moved:
        if not 0 <= piece < len(rules.pieces):
            yield invariants.impossible("E-POSITION.moved-unknown", rule="§4", number=piece)
        elif rules.pieces[piece].power != active(table):
            name = rules.pieces[piece].name
            yield invariants.impossible("E-POSITION.moved-active", piece, piece=name, active=active(table))


def recruit_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if the list of reinforced generals (§10) has a wrong sequence, names a piece twice, or names a
    piece that is no general of the active power. Yield a problem also if the substitute city in use does not belong to
    the active power."""
    rules, state = table.rules, table.state
    generals = rules.common.generals(active(table))
    if not set(state.reinforced) <= set(generals) or state.reinforced != sorted(set(state.reinforced)):
        yield invariants.impossible("E-POSITION.reinforced")
    if state.substitute is not None and state.substitute not in rules.areas.get(active(table), ()):
        yield invariants.impossible("E-POSITION.substitute", active=active(table))


def combat_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield the problems of attacks, a duel and a retreat (§7, §8) that do not fit the map or each other."""
    rules, state = table.rules.common, table.state
    if state.duel and state.retreat:
        yield invariants.impossible("E-POSITION.retreat-first")
    if len(set(state.battles)) != len(state.battles):
        yield invariants.impossible("E-POSITION.attack-twice")
    attacking = [active(table)]
    for attack in state.battles:
        yield from invariants.attack_problems(rules, state.field, attack, attacking)
    if state.duel:
        yield from invariants.duel_problems(rules, state.field, state.duel, state.battles, attacking)
    if state.retreat:
        yield from invariants.retreat_problems(rules, state.field, state.retreat)


def result_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if a result is missing after the end or set before it, or if an unknown player has won (§12)."""
    rules, state = table.rules, table.state
    if (state.phase == "over") != (state.result is not None):
        yield invariants.impossible("E-POSITION.result", rule="§12")
    if state.result and not {state.result.winner, *state.result.others} <= set(rules.seats):
        yield invariants.impossible("E-POSITION.winners")
