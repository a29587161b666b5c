"""Rules of the scenario Silesia Gambit: cards laid aside, peace after the sixth turn, and the goals after peace
(Silesia Gambit §2)."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from msgspec.structs import replace

from pbem.engine.cards import discard, lift_cards
from pbem.engine.conquest import controller, count_controlled
from pbem.engine.events import Event
from pbem.engine.field import ASIDE, Alliances, alliances_with, remove, unmark
from pbem.engine.nouns import Card, City, Power, each_piece
from pbem.games.maria.rules.data import GambitFacts
from pbem.games.maria.rules.decisions import CedeSilesia, Consent
from pbem.games.maria.rules.events import CardsLaidAside, CardsRegained, MarkersTaken, PowerLeft, SilesiaCeded
from pbem.games.maria.rules.state import Gambit, Result, Table


def facts(table: Table) -> GambitFacts:
    """Return the data of the scenario Silesia Gambit. The table's game must have this scenario."""
    gambit = table.rules.scenario.gambit
    assert gambit is not None
    return gambit


def gambit_of(table: Table) -> Gambit:
    """Return the state that only a Silesia Gambit has. The table's game must have this scenario."""
    gambit = table.state.gambit
    assert gambit is not None
    return gambit


def count_to_lay_aside(table: Table, power: Power) -> int:
    """Return the number of cards of its income that a power must lay aside in the present turn (Silesia Gambit §2.1).
    Return 0 after peace was made, and in games of other scenarios."""
    gambit = table.state.gambit
    return facts(table).laid_aside.get(power, 0) if gambit is not None and not gambit.ceded else 0


def lay_aside(table: Table, power: Power, count: int) -> list[Event]:
    """Lay aside `count` cards of a power's income (Silesia Gambit §2.1). The power itself does not see them."""
    events: list[Event] = []
    laid = list(islice(lift_cards(table.state.cards, table.rules.common.decks, table.dealer, events), count))
    gambit_of(table).laid_aside.setdefault(power, []).extend(laid)
    return [*events, CardsLaidAside(power, len(laid))]


def begin(table: Table) -> list[Event]:
    """Ask the power that may cede Silesia for its decision."""
    table.state.owing = [facts(table).by]
    return []


def decision(table: Table, power: Power) -> CedeSilesia:
    return CedeSilesia(power)


def decide(table: Table, decision: CedeSilesia, answer: Consent) -> list[Event]:
    """Carry out the answer of the power that may cede Silesia. If it cedes Silesia, make peace. If not, the war goes
    on."""
    table.state.owing = []
    return [SilesiaCeded(decision.power, answer.yes), *(cede(table) if answer.yes else [])]


def cede(table: Table) -> list[Event]:
    """Make peace (Silesia Gambit §2.2): store the numbers that the new goals depend on, remove the powers that leave
    the game, open the map that was not used before, and give each power the cards that it laid aside."""
    rules, state, gambit = table.rules, table.state, gambit_of(table)
    gambit.ceded = True
    for power, goal in rules.scenario.goals.items():
        controlled = count_controlled(rules.common, state.field, power, goal.lands)
        gambit.lacking[power] = max(0, goal.fortresses - controlled)
    for city in ceded_fortresses(table):
        holder = controller(rules.common, state.field, city)
        if holder is not None:
            gambit.held[holder] = gambit.held.get(holder, 0) + 1
    events = depart(table)
    state.field.half_active = ""
    for power, cards in sorted(gambit.laid_aside.items()):
        state.cards.hands[power] = sorted([*state.cards.hands[power], *cards])
        events.append(CardsRegained(power, len(cards), tuple(cards)))
    gambit.laid_aside = {}
    return events


def ceded_fortresses(table: Table) -> list[City]:
    board = table.rules.common.board
    return [city for city in board.fortresses if board.land[city] == facts(table).land]


def depart(table: Table) -> list[Event]:
    """Remove the powers that leave the game when peace is made in the Silesia Gambit. Fortresses of the ceded land
    become ordinary cities."""
    gone = [event for power in facts(table).leaving for event in leave(table, power)]
    return [*gone, *clear_markers(table, ceded_fortresses(table))]


def leave(table: Table, power: Power) -> list[Event]:
    """Remove a power's pieces, markers and cards. Its fortresses become ordinary cities."""
    rules, field, cards = table.rules.common, table.state.field, table.state.cards
    for piece, printed in each_piece(rules.pieces):
        if printed.power == power:
            remove(field, piece, ASIDE)
    lands = [land for land, home in field.alliances.home.items() if home == power]
    gone = [city for city, holder in field.markers.items() if holder == power or rules.board.land[city] in lands]
    field.alliances = alliances_without(field.alliances, [power])
    discard(cards, power, list(cards.hands[power]))
    return [PowerLeft(power), *clear_markers(table, gone)]


def alliances_without(alliances: Alliances, leaving: Collection[Power]) -> Alliances:
    """Return a copy of the alliances in which the powers in `leaving` have no home countries and no stages."""
    home = {land: power for land, power in alliances.home.items() if power not in leaving}
    return alliances_with(replace(alliances, home=home), stage=dict.fromkeys(leaving, ""))


def clear_markers(table: Table, cities: Collection[City]) -> list[Event]:
    """Remove all markers from these cities. A fortress without a marker and outside all home countries counts as an
    ordinary city (Silesia Gambit §2.2)."""
    markers = table.state.field.markers
    unmark(table.state.field, cities)
    taken: dict[Power, list[City]] = {}
    for city in sorted(set(cities) & set(markers)):
        taken.setdefault(markers[city], []).append(city)
    return [MarkersTaken(holder, tuple(places), 0) for holder, places in sorted(taken.items())]


def goal_numbers(table: Table) -> list[tuple[Power, int, int]]:
    """Return a tuple for each goal that is set by the peace: the power that has the goal, the number of fortresses that
    it needs, and the number that it holds."""
    rules, field, gambit = table.rules.common, table.state.field, gambit_of(table)
    found = []
    for goal in facts(table).goals:
        needed = goal.fortresses + gambit.lacking.get(goal.plus_lacking, 0) - gambit.held.get(goal.minus_held_by, 0)
        found.append((goal.power, needed, count_controlled(rules, field, goal.power, goal.lands)))
    return found


def winner_now(table: Table) -> Result | None:
    """Return the result if a power has reached a goal that is set by the peace (Silesia Gambit §2.2), else None."""
    for power, needed, held in goal_numbers(table):
        if held >= needed:
            return Result(table.state.field.alliances.player[power], "goals", standings(table))
    return None


def standings(table: Table) -> dict[Power, int]:
    """Return the number of fortresses that each power holds for its goal after the peace. If a power has two goals,
    return the number for the goal that it is nearer to."""
    best: dict[Power, tuple[int, int]] = {}
    for power, needed, held in goal_numbers(table):
        if power not in best or needed - held < best[power][0]:
            best[power] = (needed - held, held)
    return {power: held for power, (_, held) in best.items()}


def cards_laid_aside(table: Table) -> list[list[Card]]:
    """Return a list of the cards that were laid aside, for each power that has laid cards aside."""
    return list(table.state.gambit.laid_aside.values()) if table.state.gambit else []


def last_turn(table: Table) -> int:
    """Return the number of the last turn of the game. A peace in the Silesia Gambit changes this number."""
    gambit = table.state.gambit
    if gambit is None or gambit.ceded:
        return table.rules.scenario.turns
    return facts(table).last_turn
