"""Strokes of fate: powers that leave the game, generals who leave with them, heirs, easier victory (§11)."""

from __future__ import annotations

from pbem.engine.cards import discard
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event
from pbem.engine.field import ASIDE, alliances_with, alter, release_command, remove, stack_at
from pbem.engine.nouns import Piece, Power
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules.effects import general_named
from pbem.games.friedrich.rules.fate_data import Departure, Removal
from pbem.games.friedrich.rules.fate_decisions import ChooseGeneral, NamedGeneral
from pbem.games.friedrich.rules.fate_events import GeneralRetired, PlayerChanged, PowerQuit, VictoryEased
from pbem.games.friedrich.rules.state import RemovalTask
from pbem.games.friedrich.rules.table import Table


def strike(table: Table) -> list[Event]:
    """Carry out the consequences of the strokes that are out by now. Incomes follow them when cards are drawn (§3)."""
    fate = table.state.fate
    events: list[Event] = []
    for departure in table.rules.fate.departures:
        if departure.power not in fate.quit and set(departure.strokes) <= set(fate.out):
            events += depart(table, departure)
    return [*events, *hand_over(table), *ease(table)]


def depart(table: Table, departure: Departure) -> list[Event]:
    """Let a power leave the game. One that takes no part in this scenario is only listed."""
    table.state.fate.quit.append(departure.power)
    if departure.power not in table.rules.powers:
        return [PowerQuit(departure.power, took_part=False)]
    clear_away(table, departure.power)
    return [PowerQuit(departure.power, took_part=True), *remove_general(table, departure.removal)]


def clear_away(table: Table, power: Power) -> None:
    """Remove everything a power has on the map, and set its hand aside."""
    rules, state = table.rules.common, table.state
    for piece in (*rules.generals(power), *rules.trains(power)):
        remove(state.field, piece, ASIDE)
    state.field.markers = {city: owner for city, owner in state.field.markers.items() if owner != power}
    discard(state.cards, power, tuple(state.cards.hands[power]))


def remove_general(table: Table, removal: Removal) -> list[Event]:
    """Let the named general leave; if his power may choose, it is asked."""
    if removal.general:
        general = general_named(table.rules.common, removal.general)
        return [] if general is None else retire(table, general)
    candidates = removable(table, removal.power)
    if len(candidates) > 1:
        table.state.tasks.append(RemovalTask(removal.power))
        return []
    return retire(table, candidates[0]) if candidates else []


def removable(table: Table, power: Power) -> tuple[Piece, ...]:
    """Generals of a power, on the map or off it, of whom one has to leave."""
    rules, field = table.rules.common, table.state.field
    removals = [departure.removal for departure in table.rules.fate.departures]
    spared = {name for removal in removals if removal.power == power for name in removal.spared}
    return tuple(
        general
        for general in rules.generals(power)
        if field.pieces[general].city != ASIDE and rules.pieces[general].name not in spared
    )


def removal_decision(table: Table, power: Power) -> ChooseGeneral:
    return ChooseGeneral(power, "removal", removable(table, power))


def choose_removal(table: Table, decision: ChooseGeneral, answer: NamedGeneral) -> list[Event]:
    """Take the chosen general out of the game."""
    check_general(table, decision, answer)
    return retire(table, answer.general)


def check_general(table: Table, decision: ChooseGeneral, answer: NamedGeneral) -> None:
    """Refuse a general who may not be named."""
    if answer.general not in decision.generals:
        generals = table.rules.common.names(decision.generals)
        raise IllegalOrder(wrong("E-FATE-GENERAL", generals=generals), where=("general",))


def retire(table: Table, general: Piece) -> list[Event]:
    """Let a general leave for good; his troops go to generals stacked with him as far as they have room (§6)."""
    rules, field = table.rules.common, table.state.field
    piece = field.pieces[general]
    if piece.city == ASIDE:
        return []
    city, troops = piece.city, piece.troops
    remove(field, general, ASIDE)
    if city >= 0:
        for mate in stack_at(rules, field, city):
            taken = min(troops, rules.limits.troops - field.pieces[mate].troops)
            alter(field, mate, troops=field.pieces[mate].troops + taken)
            troops -= taken
        release_command(rules, field, city)
    return [GeneralRetired(general, city, troops)]


def hand_over(table: Table) -> list[Event]:
    """Change the player of a power, only once, when others have left."""
    rules, state = table.rules, table.state
    handover = rules.fate.handover
    alliances = state.field.alliances
    if not rules.scenario.eases or alliances.player.get(handover.power) != rules.player_of(handover.power):
        return []
    for heir in handover.heirs:
        if set(heir.after) <= set(state.fate.quit):
            player = rules.player_of(heir.player_of)
            state.field.alliances = alliances_with(alliances, player={handover.power: player})
            return [PlayerChanged(handover.power, player)]
    return []


def ease(table: Table) -> list[Event]:
    """Let powers need only their objectives of the first order from now on."""
    rules, fate = table.rules, table.state.fate
    if not rules.scenario.eases:
        return []
    gone = set(fate.quit)
    due = [easing.power for easing in rules.fate.easings if set(easing.after) <= gone]
    if any(set(heir.after) <= gone for heir in rules.fate.handover.heirs):
        due += rules.fate.handover.eases
    eased = [power for power in due if power in rules.powers and power not in (*fate.quit, *fate.eased)]
    fate.eased += eased
    return [VictoryEased(power) for power in eased]
