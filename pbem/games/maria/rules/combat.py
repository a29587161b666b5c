"""Combat phase: attacks one after the other, victory points, and victory by markers (§11, §13, §16, §23)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine import combat as battles
from pbem.engine import decisions as d
from pbem.engine import troops as retreats
from pbem.engine.combat import Outcome
from pbem.engine.events import Event, GeneralRemoved
from pbem.engine.field import are_enemies, commanding_power, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.table import player_of
from pbem.engine.troops import Retreat, lose
from pbem.games.maria.rules import defection
from pbem.games.maria.rules.events import ScoresRevealed, WinterScored
from pbem.games.maria.rules.points import battle_points, pool, pools
from pbem.games.maria.rules.state import Result, Table, active, affairs_of, tasks_due


def principal(table: Table, power: Power) -> Power:
    """Return the major power that gets the victory points of a power (§16)."""
    return table.state.field.alliances.principal[power]


def score_battle(table: Table, outcome: battles.Outcome, eliminated: int, removed: int) -> list[Event]:
    """Score the latest combat (§16), and note its winner. The winner gets a point for every three troops eliminated, or
    one point if there were fewer but a general was removed. The loser loses as many points, and Austria may then be
    asked to move Saxony's marker."""
    if table.state.affairs is None:
        return []
    affairs_of(table).victor = player_of(table, outcome.winner)
    points = eliminated // table.rules.game.advanced.eliminated_for_point
    if not points and removed:
        points = 1
    if not points:
        return []
    patron = principal(table, outcome.loser)
    events = [*battle_points(table, principal(table, outcome.winner), points), *battle_points(table, patron, -points)]
    defection.ask_about_losses(table, patron, points, outcome.start)
    return events


def score_shortage(table: Table, power: Power, cities: Sequence[City]) -> list[Event]:
    """Take a victory point from the major power of `power` for every general lost by lack of supply (§16). `cities` are
    the cities where the generals were lost. Austria may be asked to move Saxony's marker."""
    if table.state.affairs is None or not cities:
        return []
    patron = principal(table, power)
    events = battle_points(table, patron, -len(cities))
    on = table.rules.scenario.players[table.rules.terms.players].shifts_on
    counting = [city for city in cities if not on or table.rules.common.board.map[city] == on]
    if counting:
        defection.ask_about_losses(table, patron, len(counting), counting[0])
    return events


def score_winter(table: Table) -> list[Event]:
    """Note the number of markers in each power's pool as the scores of this winter (§13)."""
    powers = table.rules.game.advanced.markers
    affairs_of(table).scores.append({power: max(0, pool(table, power)) for power in powers})
    return [WinterScored(table.state.turn)]


def winner_by_pools(table: Table) -> Result | None:
    """Return the result if the pool of victory markers of any power is empty, else None. If several pools are empty,
    the power with the lowest number in `pools` wins. The number can be below zero (§23)."""
    left_now = pools(table)
    empty = {power: left for power, left in left_now.items() if left <= 0}
    if not empty:
        return None
    least = min(empty.values())
    best = [power for power, left in empty.items() if left == least]
    return Result(first_in_ties(table, best), "pools", dict(left_now))


def winner_by_scores(table: Table) -> tuple[Result, list[Event]]:
    """Return the result, and the event that reveals all winter scores. The power with the lowest total of winter scores
    wins (§23)."""
    scores = affairs_of(table).scores
    totals = {power: sum(score[power] for score in scores) for power in table.rules.game.advanced.markers}
    least = min(totals.values())
    best = [power for power, total in totals.items() if total == least]
    result = Result(first_in_ties(table, best), "scores", totals)
    return result, [ScoresRevealed(tuple(dict(score) for score in scores))]


def first_in_ties(table: Table, powers: Sequence[Power]) -> str:
    """Return the player who wins a tie between these powers (§23, §24)."""
    players = {player_of(table, power) for power in powers}
    order = table.rules.scenario.players[table.rules.terms.players].ties
    return next(player for player in order if player in players)


def begin(table: Table) -> list[Event]:
    """Find all attacks of the phase, and begin the first if there is no choice."""
    state = table.state
    state.battles = battles.pairings(table.rules.common, state.field, active(table))
    return proceed(table)


def next_battles(table: Table) -> list[d.Pairing]:
    """Return the attacks that may be fought next. If two players attack, one of them fights all his attacks before the
    other begins (§11.1)."""
    state = table.state
    # The players in the sequence of their powers: Austria before the Pragmatic Army.
    for player in dict.fromkeys(player_of(table, power) for power in active(table)):
        mine = [b for b in state.battles if player_of(table, attacking_power(table, b)) == player]
        if mine:
            return mine
    return []


def attacking_power(table: Table, battle: d.Pairing) -> Power:
    """Return the power that commands the attacking stack."""
    return commanding_power(table.rules.common, table.state.field, battle.attacker)


def proceed(table: Table) -> list[Event]:
    """Begin the next attack, if there is only one and nothing has to be decided first. Attacks that politics has ended
    are dropped, and a beaten stack with no way back is removed."""
    state = table.state
    if state.duel or tasks_due(table):
        return []
    if state.affairs is not None:
        state.battles = [battle for battle in state.battles if is_still_due(table, battle)]
    events: list[Event] = []
    if state.retreat:
        # Saxony's marker may have moved by now and closed the last way back. The points stay (docs/rulings.md, §16).
        events += end_impossible_retreat(table) if table.rules.edition.shift_when == "before retreat" else []
        if state.retreat:
            return []
    choices = next_battles(table)
    return [*events, *(join_battle(table, choices[0]) if len(choices) == 1 else [])]


def is_still_due(table: Table, battle: d.Pairing) -> bool:
    """True if an attack can still take place: both stacks are in their cities, and are still enemies. A change of
    politics during combat can end that (§19.3, §19.4)."""
    rules, field = table.rules.common, table.state.field
    sides = [stack_at(rules, field, city) for city in (battle.attacker, battle.defender)]
    return all(sides) and are_enemies(field, *(rules.pieces[stack[0]].power for stack in sides))


def choice(table: Table) -> d.ChooseBattle | d.PlayCard | d.ChooseRetreat | None:
    """Return the decision that combat waits for, or None if combat is over."""
    rules, state = table.rules.common, table.state
    if state.duel:
        return battles.choice(rules, state.cards, state.duel)
    if state.retreat:
        return battles.retreat_choice(rules, state.field, state.retreat)
    due = next_battles(table)
    if due:
        attackers = {attacking_power(table, pairing) for pairing in due}
        first = next(power for power in active(table) if power in attackers)
        return d.ChooseBattle(first, tuple(due))
    return None


def fight(table: Table, decision: d.ChooseBattle, answer: d.Fight) -> list[Event]:
    """Begin the attack that the power has chosen."""
    battles.check_due(table.rules.common, decision, answer, "§11.1")
    return join_battle(table, answer.battle)


def join_battle(table: Table, pairing: d.Pairing) -> list[Event]:
    """Begin an attack. Both sides state their troops."""
    state = table.state
    state.battles = [other for other in state.battles if other != pairing]
    state.duel, event = battles.join(table.rules.common, state.field, pairing)
    return [event]


def play(table: Table, decision: d.PlayCard, answer: d.Play | d.Stop) -> list[Event]:
    """Play a card, or stop playing. A stop at score zero ends the combat in a tie. A stop below zero is a defeat."""
    state = table.state
    duel = state.duel
    assert duel is not None
    if isinstance(answer, d.Play):
        hand = state.cards.hands[decision.power]
        battles.check_play(table.rules.common, duel, hand, answer.card, answer.value)
        battles.check_value(answer.card, answer.value)
        battles.check_must(decision, answer.card)
        return [battles.play(state.cards, duel, answer.card, battles.worth_of(answer.card, answer.value))]
    battles.check_stop(decision)
    state.duel = None
    if decision.score == 0:
        return [battles.tie(table.rules.common, state.field, duel), *proceed(table)]
    outcome = battles.outcome(table.rules.common, state.field, duel, -decision.score)
    return [*defeat(table, outcome), *proceed(table)]


def defeat(table: Table, outcome: Outcome) -> list[Event]:
    """Carry out the losses of a defeat, and score the combat. If troops are left, begin a retreat of as many cities as
    troops were lost (§11.1)."""
    state, start, lost = table.state, outcome.start, outcome.lost
    events: list[Event] = [outcome.event, *stack_losses(table, outcome.losers, lost)]
    if lost == outcome.strength:
        drop_battles(table, start)
    else:
        state.retreat = Retreat(start, lost, outcome.winner, outcome.from_city)
        events += end_impossible_retreat(table)
    removed = sum(isinstance(event, GeneralRemoved) for event in events)
    # A stack without a way back loses all its troops (§11.2), and all of them count for points (§16).
    eliminated = lost if state.retreat or lost == outcome.strength else outcome.strength
    return [*events, *score_battle(table, outcome, eliminated, removed)]


def drop_battles(table: Table, city: City) -> None:
    """Drop all attacks by or on the stack in a city (§11.1)."""
    table.state.battles = battles.remaining_battles(table.state.battles, city)


def stack_losses(table: Table, losers: tuple[Piece, ...], lost: int) -> list[Event]:
    """Remove the losses of a stack. In a stack of two powers, the power that does not command loses its troops first
    (§11.1)."""
    rules, field = table.rules.common, table.state.field
    command = rules.pieces[losers[0]].power
    others = [general for general in losers if rules.pieces[general].power != command]
    own = [general for general in losers if rules.pieces[general].power == command]
    events: list[Event] = []
    given = min(lost, sum(field.pieces[general].troops for general in others))
    if given:
        events += lose(rules, field, others, given)
    if lost > given:
        events += lose(rules, field, own, lost - given)
    return events


def end_impossible_retreat(table: Table) -> list[Event]:
    """Remove the beaten stack and its attacks if the stack cannot retreat by the full number of cities (§11.2). Return
    the events; none if a retreat is possible."""
    rules, state = table.rules.common, table.state
    retreat = state.retreat
    assert retreat is not None
    if battles.retreat_ground(rules, state.field, retreat).ends:
        return []
    state.retreat = None
    drop_battles(table, retreat.start)
    return battles.destroy(rules, state.field, retreat.start)


def retreat(table: Table, decision: d.ChooseRetreat, answer: d.RetreatAlong) -> list[Event]:
    """Move the beaten stack along the path that the winner has chosen, and go on with the next attack."""
    rules, state = table.rules.common, table.state
    assert state.retreat is not None
    retreats.check(battles.retreat_ground(rules, state.field, state.retreat), decision.ends, answer.path)
    start = state.retreat.start
    state.retreat = None
    events = retreats.go(state.field, decision.pieces, start, answer.path)
    state.battles = battles_after_retreat(table, start, answer.path[-1])
    return [*events, *proceed(table)]


def battles_after_retreat(table: Table, start: City, end: City) -> list[d.Pairing]:
    """Return the attacks that remain after a retreat from `start` to `end`. The stack that retreated is not attacked
    any more. In edition 1.0 it still makes those of its own attacks that are possible from `end`; in other editions it
    makes none (§11.1)."""
    rules, due = table.rules.common, table.state.battles
    others = battles.remaining_battles(due, start)
    if rules.retreated_fight == "neither":
        return others
    goals = [pairing.defender for pairing in due if pairing.attacker == start]
    return [*others, *(d.Pairing(end, goal) for goal in goals if goal in rules.board.adjacent[end])]
