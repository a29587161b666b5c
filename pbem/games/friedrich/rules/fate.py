"""Clock of Fate: its deck, the card read at the end of a turn, the strokes by which powers leave, and the tasks to be
decided before play goes on (§2, §11, §13)."""

from __future__ import annotations

from pbem.engine.board import SUITS
from pbem.engine.cards import OTHER_DECKS, discard
from pbem.engine.combat import remaining_battles
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event
from pbem.engine.field import ASIDE, alliances_with, alter, release_command, remove, stack_at
from pbem.engine.nouns import Piece, Power, Suit
from pbem.engine.rules import IllegalOrder
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules import decisions as d
from pbem.games.friedrich.rules import exchanges, instants, offensive
from pbem.games.friedrich.rules.effects import free_neighbours, general_named, stack_in
from pbem.games.friedrich.rules.events import (
    FateDrawn,
    FateShuffled,
    GeneralRetired,
    NothingCame,
    PlayerChanged,
    PowerQuit,
    VictoryEased,
)
from pbem.games.friedrich.rules.fate_data import Departure, Instant, Removal
from pbem.games.friedrich.rules.state import (
    DeclareTask,
    GarrisonTask,
    InForce,
    RemovalTask,
    SidestepTask,
    Table,
    Tasks,
    VersionTask,
)


def strike(table: Table) -> list[Event]:
    """Carry out the strokes of fate that have been drawn: powers leave, get another player, or can win more easily. A
    stroke that changes an income takes effect only when the power next draws tactical cards (§3)."""
    fate = table.state.fate
    events: list[Event] = []
    for departure in table.rules.fate.departures:
        if departure.power not in fate.quit and set(departure.strokes) <= set(fate.out):
            events += depart(table, departure)
    return [*events, *hand_over(table), *ease(table)]


def depart(table: Table, departure: Departure) -> list[Event]:
    """Remove a power from the game with its pieces, markers and cards. A general who leaves with it is removed, or a
    task is added to choose him."""
    table.state.fate.quit.append(departure.power)
    if departure.power not in table.rules.powers:
        return [PowerQuit(departure.power, took_part=False)]
    power = departure.power
    rules, state = table.rules.common, table.state
    for piece in (*rules.generals(power), *rules.trains(power)):
        remove(state.field, piece, ASIDE)
    state.field.markers = {city: owner for city, owner in state.field.markers.items() if owner != power}
    discard(state.cards, power, tuple(state.cards.hands[power]))
    return [PowerQuit(departure.power, took_part=True), *remove_general(table, departure.removal)]


def remove_general(table: Table, removal: Removal) -> list[Event]:
    """Remove one general, because a power leaves the game. If there is more than one candidate, add a task instead: to
    choose him."""
    if removal.general:
        general = general_named(table.rules.common, removal.general)
        return [] if general is None else retire(table, general)
    candidates = removable_generals(table, removal.power)
    if len(candidates) > 1:
        table.state.tasks.append(RemovalTask(removal.power))
        return []
    return retire(table, candidates[0]) if candidates else []


def removable_generals(table: Table, power: Power) -> tuple[Piece, ...]:
    """Return the generals among whom the power chooses the general who leaves the game. They may be on the map or off
    it."""
    rules, field = table.rules.common, table.state.field
    removals = [departure.removal for departure in table.rules.fate.departures]
    spared = {name for removal in removals if removal.power == power for name in removal.spared}
    return tuple(
        general
        for general in rules.generals(power)
        if field.pieces[general].city != ASIDE and rules.pieces[general].name not in spared
    )


def retire(table: Table, general: Piece) -> list[Event]:
    """Remove a general from the game. His troops go to the other generals of his stack, as far as these have room (§6).
    Return an empty list if he has left the game before."""
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
    """Give a power to another player. This happens at most once in a game, in some scenarios only, when certain other
    powers have left the game."""
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
    """Let powers win by their objectives of the first order alone. This happens in some scenarios only, when certain
    other powers have left the game."""
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


def shuffle(table: Table) -> list[Event]:
    """Shuffle the Cards of Fate. If the terms say so, keep some strokes out of the first cards (§1)."""
    rules, fate = table.rules, table.state.fate
    if rules.terms.fate_order == "shuffled":
        order, event = shuffle_cards(table, fate.deck)
        fate.deck = order[::-1]
        return [event]
    late = rules.fate.late
    others, first = shuffle_cards(table, [number for number in fate.deck if number not in late.strokes])
    rest, second = shuffle_cards(table, sorted([*others[late.after :], *late.strokes]))
    fate.deck = [*others[: late.after], *rest][::-1]
    return [first, second]


def shuffle_cards(table: Table, numbers: list[int]) -> tuple[list[int], FateShuffled]:
    """Return the cards in shuffled order, the top card first, and the event of the shuffle."""
    cards = table.state.cards
    order = table.dealer.shuffle(OTHER_DECKS + cards.shuffles, numbers)
    cards.shuffles += 1
    return order, FateShuffled(cards.shuffles, len(numbers))


def clock(table: Table) -> list[Event]:
    """End the effects in force, then turn up a Card of Fate if the turns of fate have begun (§11). Victory is not
    tested here."""
    state = table.state
    fate = state.fate
    fate.in_force = []
    events = read_card(table) if state.turn >= table.rules.game.first_fate else []
    fate.beaten = []
    return events


def read_card(table: Table) -> list[Event]:
    """Turn up the top Card of Fate and carry it out. A stroke stays out of the deck, any other card goes to the bottom
    (§2)."""
    fate = table.state.fate
    number = fate.drawn = fate.deck.pop()
    if any(stroke.number == number for stroke in table.rules.fate.strokes):
        fate.version = None
        fate.out.append(number)
        return [FateDrawn(number, None), *strike(table), *offensive.check_ruin(table)]
    fate.deck.insert(0, number)
    suit = fate.version = suit_read(table)
    return [FateDrawn(number, suit), *carry_out(table, number, suit)]


def suit_read(table: Table) -> Suit:
    """Return the suit whose version of the Card of Fate is read. In the expert game the suit is that of the city where
    the winner of the latest combat stands (§13), else it is the standard suit."""
    rules, state = table.rules, table.state
    standard = Suit(SUITS.index(rules.fate.standard))
    victor = state.fate.winner
    if not rules.expert or victor is None:
        return standard
    city = state.field.pieces[victor].city
    return rules.common.board.suit[city] if city >= 0 else standard


def carry_out(table: Table, number: int, suit: Suit) -> list[Event]:
    """Carry out an effect that happens at once, or note an effect that is in force in the next turn."""
    effect = table.rules.fate.version(number, SUITS[suit]).effect
    if effect is None:
        return []
    if isinstance(effect, Instant):
        return instants.begin(table, number, suit, effect)
    table.state.fate.in_force = [InForce(number, suit, until=table.state.turn + 1)]
    return []


TaskDecision = d.ChooseGeneral | d.ChooseCities | d.ShiftPieces | d.GiveCard


def drop_idle(table: Table) -> None:
    """Remove tasks from the beginning of the list as long as they ask a stack to step aside although no city beside it
    is free."""
    tasks = table.state.tasks
    while tasks and isinstance(tasks[0], SidestepTask) and not free_neighbours(table, tasks[0].city):
        tasks.pop(0)


def decision(table: Table, task: Tasks) -> TaskDecision:
    match task:
        case VersionTask():
            return instants.decision(table, task)
        case RemovalTask(power):
            return d.ChooseGeneral(power, "removal", removable_generals(table, power))
        case GarrisonTask(power):
            return instants.garrison_decision(table, power)
        case SidestepTask(power, city):
            stack = tuple(stack_in(table, city))
            return d.ShiftPieces(power, "sidestep", stack, city, tuple(free_neighbours(table, city)))
        case DeclareTask(power):
            return offensive.decision(table, power)


def answer(table: Table, asked: Decision, answered: Answer) -> list[Event]:
    """Carry out the answer to the first task, and remove the task. Raises `IllegalOrder`, and keeps the task, for an
    answer of another kind and for an answer that the rules forbid."""
    task = table.state.tasks[0]
    match asked, answered:
        case d.ChooseGeneral(), d.NamedGeneral():
            events = name_general(table, asked, answered)
        case d.ChooseCities(), d.NamedCities():
            events = name_cities(table, asked, answered)
        case d.ShiftPieces(), d.Shift():
            events = shift(table, task, asked, answered)
        case d.GiveCard(), d.GivenCard() if isinstance(task, VersionTask):
            events = exchanges.give(table, task, asked, answered)
        case d.GiveCard(), d.GivenCard():
            events = offensive.declare(table, asked, answered)
        case _:
            name = type(asked).__name__
            raise IllegalOrder(wrong("E-ANSWER-KIND", rule="§11", answer=type(answered).__name__, decision=name))
    table.state.tasks.remove(task)
    return events


def name_general(table: Table, asked: d.ChooseGeneral, answer: d.NamedGeneral) -> list[Event]:
    """Give the named general a troop, take one, or let him leave the game. Raises `IllegalOrder` for a general whom the
    decision does not offer."""
    if answer.general not in asked.generals:
        generals = table.rules.common.names(asked.generals)
        raise IllegalOrder(wrong("E-FATE-GENERAL", generals=generals), where=("general",))
    if asked.reason == "removal":
        return retire(table, answer.general)
    change = instants.give_troop if asked.reason == "gain" else instants.take_troop
    return change(table, asked.power, answer.general)


def name_cities(table: Table, asked: d.ChooseCities, answer: d.NamedCities) -> list[Event]:
    """Put the stack in the named city out of supply, or take the named objectives back from their conqueror."""
    if asked.reason == "garrison":
        return instants.fall_back(table, asked, answer)
    instants.check_cities(table, asked, answer)
    return instants.turn_stacks_down(table, answer.cities)


def shift(table: Table, task: Tasks, asked: d.ShiftPieces, answer: d.Shift) -> list[Event]:
    """Move pieces outside their turn. A stack that steps aside fights no more in the present phase (§7). If a Card of
    Fate lets pieces move, but they stay, the event is `NothingCame`."""
    events = instants.shift(table, asked, answer)
    if not events:
        return [NothingCame(task.card, task.suit)] if isinstance(task, VersionTask) else []
    if asked.reason == "sidestep":
        table.state.battles = remaining_battles(table.state.battles, asked.start)
    return events
