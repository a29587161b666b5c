"""Combat phase: the active power's attacks one after the other, each with its combat, losses and retreat (§7, §8)."""

from __future__ import annotations

from pbem.engine import combat as battles
from pbem.engine import decisions as d
from pbem.engine import troops as retreats
from pbem.engine.combat import Outcome
from pbem.engine.events import Event
from pbem.engine.troops import Retreat, lose
from pbem.games.friedrich.rules import effects as effects
from pbem.games.friedrich.rules import offensive
from pbem.games.friedrich.rules.state import Table, active


def begin(table: Table) -> list[Event]:
    """Find all attacks of the phase, and change them if the Card of Fate in force says so."""
    state = table.state
    state.battles = battles.pairings(table.rules.common, state.field, [active(table)])
    if state.fate.in_force:
        effects.prepare_combat(table)
    return []


def proceed(table: Table) -> list[Event]:
    """Begin the next attack, if it is the only attack left and nothing has to be decided first."""
    state = table.state
    if state.duel or state.retreat or state.tasks or len(state.battles) != 1:
        return []
    return join_battle(table, state.battles[0])


def choice(table: Table) -> d.ChooseBattle | d.PlayCard | d.ChooseRetreat | None:
    """Return the decision that combat waits for, or None if combat is over."""
    rules, state = table.rules.common, table.state
    if state.duel:
        asked = battles.choice(rules, state.cards, state.duel)
        return effects.limit_play(table, asked) if state.fate.in_force else asked
    if state.retreat:
        return battles.retreat_choice(rules, state.field, state.retreat)
    return d.ChooseBattle(active(table), tuple(state.battles)) if state.battles else None


def fight(table: Table, decision: d.ChooseBattle, answer: d.Fight) -> list[Event]:
    """Begin the attack that the power has chosen."""
    battles.check_due(table.rules.common, decision, answer, "§7")
    return join_battle(table, answer.battle)


def join_battle(table: Table, battle: d.Pairing) -> list[Event]:
    """Begin an attack. Both sides tell their troops."""
    state = table.state
    state.battles = [other for other in state.battles if other != battle]
    state.duel, event = battles.join(table.rules.common, state.field, battle)
    return [event]


def play(table: Table, decision: d.PlayCard, answer: d.Play | d.Stop) -> list[Event]:
    """Play a card, or stop playing. A stop at score zero ends the combat in a tie. A stop below zero is a defeat."""
    rules, state = table.rules.common, table.state
    duel = state.duel
    assert duel is not None
    if isinstance(answer, d.Play):
        return play_card(table, decision, answer)
    if state.fate.in_force:
        effects.check_stop(table)
    battles.check_stop(decision)
    state.duel = None
    if decision.score == 0:
        return [battles.tie(rules, state.field, duel), *proceed(table)]
    return [*defeat(table, battles.outcome(rules, state.field, duel, -decision.score)), *proceed(table)]


def play_card(table: Table, decision: d.PlayCard, answer: d.Play) -> list[Event]:
    """Play a card, and note the play on the Card of Fate in force, which may change the card's worth. Raises
    `IllegalOrder` for a card or value that is not allowed."""
    state, duel = table.state, table.state.duel
    assert duel is not None
    battles.check_play(table.rules.common, duel, state.cards.hands[decision.power], answer.card, answer.value)
    effects.check_play(table, answer.card, answer.value)
    worth = battles.worth_of(answer.card, answer.value)
    if state.fate.in_force:
        worth = effects.card_worth(table, answer.card, answer.value)
        effects.note_card(table, decision.power, answer.card, answer.value, decision.score + worth)
    return [battles.play(state.cards, duel, answer.card, worth)]


def defeat(table: Table, outcome: Outcome) -> list[Event]:
    """Carry out a defeat (§7): note losers and winners, and remove the lost troops. If troops are left, begin a retreat
    by as many cities as troops were lost. Prussia may also lose the card of the Offensive Option."""
    rules, state = table.rules.common, table.state
    state.fate.winner = outcome.winners[0]
    state.fate.beaten = sorted({*state.fate.beaten, *outcome.losers})
    events: list[Event] = [outcome.event, *lose(rules, state.field, outcome.losers, outcome.lost)]
    events += offensive.lose_card_in_combat(table, outcome)
    if outcome.lost == outcome.strength:
        state.battles = battles.remaining_battles(state.battles, outcome.start)
        return events
    state.retreat = Retreat(outcome.start, outcome.lost, outcome.winner, outcome.from_city)
    return [*events, *end_impossible_retreat(table, state.retreat)]


def end_impossible_retreat(table: Table, retreat: Retreat) -> list[Event]:
    """Remove the beaten stack and its attacks if the stack cannot retreat by the full number of cities (§8). Return the
    events; none if a retreat is possible."""
    rules, state = table.rules.common, table.state
    if battles.retreat_ground(rules, state.field, retreat).ends:
        return []
    state.retreat = None
    state.battles = battles.remaining_battles(state.battles, retreat.start)
    return battles.destroy(rules, state.field, retreat.start)


def retreat(table: Table, decision: d.ChooseRetreat, answer: d.RetreatAlong) -> list[Event]:
    """Move the beaten stack along the path that the winner has chosen, drop its other attacks, and go on with the next
    attack."""
    rules, state = table.rules.common, table.state
    assert state.retreat is not None
    retreats.check(battles.retreat_ground(rules, state.field, state.retreat), decision.ends, answer.path)
    start = state.retreat.start
    state.retreat = None
    events = retreats.go(state.field, decision.pieces, start, answer.path)
    state.battles = battles.remaining_battles(state.battles, start)
    return [*events, *proceed(table)]
