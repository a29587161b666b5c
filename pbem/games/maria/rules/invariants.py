"""Checks of a position of MARIA: of the map, the decks, and the sequence of play. Positions that come about in a game
pass all these checks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from pbem.engine import invariants
from pbem.engine.decisions import Claim
from pbem.engine.field import ASIDE, at_home, pieces_at
from pbem.engine.nouns import Card, Power, each_piece
from pbem.engine.supply import enemy_cities, raiding_hussars
from pbem.games.maria.rules.data import acting_in, is_winter
from pbem.games.maria.rules.invariants_of_politics import political_problems
from pbem.games.maria.rules.sequence import phases_of, stages, winner_now
from pbem.games.maria.rules.state import RelocateTask, Table, active, new_field, tasks_due

AFTER_MOVEMENT = ("combat", "retroactive", "aftermath", "over")
"""Phases of an action stage after the movement phase, and the end of the game."""


def problems(table: Table) -> list[invariants.Problem]:
    """Return a problem for each fact in a position that the rules make impossible. The first checks are those of the
    clock (turn, stage and phase), of the powers, and of the map. If one of them finds problems, the later checks are
    left out."""
    state = table.state
    found = [*clock_problems(table), *power_problems(table)]
    if found:
        return found
    parting = [task.piece for task in state.tasks if isinstance(task, RelocateTask)]
    found = invariants.field_problems(
        table.rules.common, state.field, powers_without_troops(table), ordinary_lands(table), parting
    )
    if found:
        return found
    return [
        *aside_problems(table),
        *hussar_problems(table),
        *troop_problems(table),
        *(
            invariants.deck_problems(table.rules.common.decks, state.cards, other_shuffles=False)
            or invariants.card_problems(table.rules.common.decks, state.cards, cards_elsewhere(table))
        ),
        *phase_problems(table),
        *owing_problems(table),
        *moved_problems(table),
        *toll_problems(table),
        *combat_problems(table),
        *result_problems(table),
        *political_problems(table),
    ]


def ordinary_lands(table: Table) -> tuple[str, ...]:
    """Return the lands whose fortresses have become ordinary cities because peace was made in the Silesia Gambit
    (§2.2)."""
    gambit, facts = table.state.gambit, table.rules.scenario.gambit
    if gambit is None or facts is None or not gambit.ceded:
        return ()
    homes = table.rules.common.board.data.powers
    return (facts.land, *(land for power in facts.leaving for land in homes[power]))


def cards_elsewhere(table: Table) -> list[Card]:
    """Return the tactical cards that lie on the political display (§17.3), or are laid aside in the Silesia Gambit
    (§2.1)."""
    affairs, gambit = table.state.affairs, table.state.gambit
    piles = [*affairs.display.values(), *affairs.covered.values()] if affairs else []
    return [card for pile in (*piles, *(gambit.laid_aside.values() if gambit else ())) for card in pile]


def powers_without_troops(table: Table) -> Sequence[Power]:
    """Return the powers that have not yet given their troops to their generals (§4)."""
    state = table.state
    if state.phase != "allotment":
        return ()
    return state.owing if state.begun else table.rules.powers


def clock_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if the position has other terms than `table.rules`, and for a turn, stage or phase that the game
    does not have (§5)."""
    rules, state = table.rules, table.state
    if state.terms != rules.terms:
        yield invariants.impossible("E-POSITION.other-game")
    if not 1 <= state.turn <= rules.scenario.turns:
        yield invariants.impossible("E-POSITION.turn", turn=state.turn, turns=rules.scenario.turns)
    elif state.stage not in stages(rules, state.turn):
        yield invariants.impossible("E-POSITION.stage", turn=state.turn, stage=repr(state.stage))
    elif state.phase != "over" and state.phase not in phases_of(rules, state.stage):
        yield invariants.impossible("E-POSITION.phase", stage=state.stage, phase=repr(state.phase))


def in_action(table: Table) -> bool:
    return table.state.stage in table.rules.game.action_stages


def power_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if hands are stored for other powers than those that take part. Yield a problem also for each
    power that owes an answer or a toll although it takes no part."""
    rules, state = table.rules, table.state
    if set(state.cards.hands) != set(rules.powers):
        yield invariants.impossible("E-POSITION.hands", found=tuple(state.cards.hands), powers=tuple(rules.powers))
    for power in {*state.owing, *state.tolls} - set(rules.powers):
        yield invariants.impossible("E-POSITION.debtor", power=power)


def aside_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield the problems of a game that does not use all maps (§14): pieces that are wrongly in or out of play, and
    markers of an unused map that differ from the set-up."""
    rules, field = table.rules.common, table.state.field
    if rules.board.maps == frozenset(rules.board.data.maps):
        return
    start = new_field(table.rules)
    for index, (piece, before) in each_piece(zip(field.pieces, start.pieces, strict=True)):
        if (piece.city == ASIDE) != (before.city == ASIDE):
            wording = "E-POSITION.no-part" if before.city == ASIDE else "E-POSITION.takes-part"
            yield invariants.impossible(wording, index, piece=rules.pieces[index].name)
    for city in {*start.markers, *field.markers}:
        if not rules.board.in_play(city) and start.markers.get(city) != field.markers.get(city):
            yield invariants.impossible("E-POSITION.marker-map", None, city, city=rules.board.cities[city].name)


def hussar_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for a wrong number of hussars, and for hussars on a wrong map or on a piece (§7)."""
    rules, field = table.rules, table.state.field
    board, facts = rules.common.board, rules.game.hussars
    if len(field.hussars) != facts.count:
        yield invariants.impossible("E-POSITION.hussar-count", wanted=facts.count, count=len(field.hussars))
    for city in field.hussars:
        if city < 0:
            continue
        place, there = board.cities[city].name, pieces_at(field, city)
        if board.map[city] != facts.map:
            yield invariants.impossible("E-POSITION.hussar-map", None, city, city=place, map=facts.map)
        elif there:
            names = rules.common.names(there)
            yield invariants.impossible("E-POSITION.hussar-taken", there[0], city, pieces=names, city=place)


def troop_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for each power that has more troops than it began with, or that has not given out all its troops
    at the set-up (§4). Positions after the first winter has begun are not checked. In the advanced game only the set-up
    is checked."""
    rules, state = table.rules, table.state
    granted = state.affairs is not None and state.phase != "allotment"
    if state.turn > rules.scenario.winter_every or is_winter(state.stage) or granted:
        return
    for power in rules.powers:
        army = rules.game.powers[power].troops
        total = sum(state.field.pieces[general].troops for general in rules.common.generals(power))
        if total > army:
            yield invariants.impossible("E-POSITION.army", power=power, total=total, most=army)
        elif total < army and state.phase == "allotment" and power not in powers_without_troops(table):
            yield invariants.impossible("E-POSITION.allotted", power=power, total=total, most=army)


def phase_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for each part of the state that does not fit the present phase, and for each question mark of a
    power that is not active (§5)."""
    state = table.state
    over = state.phase == "over"
    if state.field.questions and not (
        in_action(table) and state.phase in ("movement", "combat", "retroactive", "over")
    ):
        yield invariants.impossible("E-POSITION.question-phase")
    for city, power in sorted(state.field.questions.items()):
        if in_action(table) and power not in active(table):
            place = table.rules.common.board.cities[city].name
            yield invariants.impossible("E-POSITION.question-active", None, city, power=power, city=place)
    if state.tolls and state.phase != "supply":
        yield invariants.impossible("E-POSITION.toll-phase")
    if (state.battles or state.duel or state.retreat) and state.phase != "combat":
        yield invariants.impossible("E-POSITION.attack-phase")
    if state.owing and (over or state.phase in ("combat", "retroactive")):
        yield invariants.impossible("E-POSITION.owing-phase", powers=tuple(state.owing))
    if not state.begun and (state.owing or state.tolls or state.battles or state.duel or state.retreat):
        yield invariants.impossible("E-POSITION.not-begun")


def owing_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if a power is listed twice among those that owe an answer, and for each power that the present
    phase cannot ask. Yield a problem also if a power is asked about a subsidy that it must give in this turn."""
    rules, state = table.rules, table.state
    if len(set(state.owing)) != len(state.owing):
        yield invariants.impossible("E-POSITION.owing-twice")
    for power in sorted(set(state.owing) - set(askable_powers(table))):
        yield invariants.impossible("E-POSITION.owing-stage", power=power, phase=state.phase, stage=state.stage)
    if state.phase == "cards" and state.owing and state.turn <= rules.game.subsidy.fixed_turns:
        yield invariants.impossible("E-POSITION.subsidy-fixed", turn=rules.game.subsidy.fixed_turns)


def askable_powers(table: Table) -> Sequence[Power]:
    """Return the powers that may owe an answer in the present phase."""
    rules, state = table.rules, table.state
    match state.phase:
        case "allotment":
            return rules.powers
        case "hussars":
            return [rules.game.hussars.power]
        case "cards":
            return [power for power in active(table) if power == rules.game.subsidy.giver]
        case "supply":
            return list(state.tolls)
        case "movement":
            return active(table)
        case "recruiting":
            return active(table, acting_in(state.stage))
        case "trump" | "placing" | "selecting":
            return rules.politics.squares
        case "election":
            return rules.game.advanced.voting_order
        case "cession":
            return [rules.scenario.gambit.by] if rules.scenario.gambit else []
        case "aftermath":
            advanced = rules.game.advanced
            return [advanced.annexation.by, advanced.annexation.victim, advanced.reduction.power]
    return ()


def moved_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield the problems of the list of moved pieces (§10.1): it is not sorted or names a piece twice, it is not empty
    in a phase without moves, or it names a piece that cannot have moved."""
    rules, state = table.rules, table.state
    if state.moved != sorted(set(state.moved)):
        yield invariants.impossible("E-POSITION.moved-order")
    if state.moved and not (in_action(table) and state.phase in ("movement", *AFTER_MOVEMENT)):
        yield invariants.impossible("E-POSITION.moved-early")
    for piece in state.moved:
        if not 0 <= piece < len(rules.common.pieces):
            yield invariants.impossible("E-POSITION.moved-unknown", number=piece)
            continue
        facts, city = rules.common.pieces[piece], state.field.pieces[piece].city
        if in_action(table) and facts.power not in (*active(table), *turncoats(table)):
            where = state.stage
            yield invariants.impossible(
                "E-POSITION.moved-stage", piece, piece=facts.name, power=facts.power, stage=where
            )
        elif (city == ASIDE and facts.power not in turncoats(table)) or (city < 0 and state.phase == "movement"):
            yield invariants.impossible("E-POSITION.moved-off", piece, piece=facts.name)


def turncoats(table: Table) -> Sequence[Power]:
    """Return the power that may have changed sides in this stage after it had moved (§19.3). The result is empty in the
    movement phase, and in a game without politics."""
    if table.state.affairs is None or table.state.phase == "movement":
        return ()
    return (table.rules.game.advanced.defection.power,)


def toll_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if the powers with tolls to pay are not those that owe an answer, and for each impossible supply
    path (§9)."""
    state = table.state
    if state.phase == "supply" and set(state.tolls) != set(state.owing):
        yield invariants.impossible("E-POSITION.toll-owing")
    for power, claims in state.tolls.items():
        for claim in claims:
            yield from claim_problems(table, power, claim)


def claim_problems(table: Table, power: Power, claim: Claim) -> Iterator[invariants.Problem]:
    """Yield the problems of one supply path through hussars (§9)."""
    rules, field = table.rules.common, table.state.field
    if claim.piece not in rules.generals(power) or field.pieces[claim.piece].city < 0:
        yield invariants.impossible("E-POSITION.toll-general", power=power)
        return
    general, name = claim.piece, rules.pieces[claim.piece].name
    road = [field.pieces[general].city, *claim.path]
    trains = [field.pieces[train].city for train in rules.trains(power)]
    if at_home(rules, field, general):
        yield invariants.impossible("E-POSITION.toll-home", general, general=name)
    elif (
        not 1 <= len(claim.path) <= rules.limits.supply
        or any(other not in rules.board.adjacent[here] for here, other in pairwise(road))
        or road[-1] not in trains
        or set(claim.path) & enemy_cities(rules, field, power)
    ):
        yield invariants.impossible("E-POSITION.toll-path", general, general=name)
    elif not raiding_hussars(rules, field, power) & set(claim.path):
        yield invariants.impossible("E-POSITION.toll-hussar", general, general=name)


def combat_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem for each attack, duel or retreat (§11) that does not fit the map or the rest of the position.
    Attacks are not checked while a power has a task. A retreat is not checked while tasks are decided before it
    (`tasks_due`)."""
    rules, state = table.rules, table.state
    if state.duel and state.retreat:
        yield invariants.impossible("E-POSITION.retreat-first")
    if len(set(state.battles)) != len(state.battles):
        yield invariants.impossible("E-POSITION.attack-twice")
    attacking: Collection[Power] = active(table) if in_action(table) else rules.game.powers
    for attack in () if state.tasks else state.battles:
        yield from invariants.attack_problems(rules.common, state.field, attack, attacking)
    if state.duel:
        yield from invariants.duel_problems(rules.common, state.field, state.duel, state.battles, attacking)
    if state.retreat and not tasks_due(table):
        turncoat = rules.game.advanced.defection.power if state.affairs is not None else ""
        yield from invariants.retreat_problems(rules.common, state.field, state.retreat, turncoat)


def result_problems(table: Table) -> Iterator[invariants.Problem]:
    """Yield a problem if a game that is over has no result, if a game that is not over has one, or if the winner is not
    a player. Yield a problem also if the game goes on although a player has won (§14)."""
    rules, state = table.rules, table.state
    if (state.phase == "over") != (state.result is not None):
        yield invariants.impossible("E-POSITION.result")
    if state.result and state.result.winner is not None and state.result.winner not in rules.seats:
        yield invariants.impossible("E-POSITION.winner", winner=state.result.winner)
    if state.phase not in ("over", "allotment"):
        result = winner_now(table)
        if result:
            held = tuple(f"{power} {count}" for power, count in result.held.items())
            yield invariants.impossible("E-POSITION.won", winner=result.winner or "", held=held)
