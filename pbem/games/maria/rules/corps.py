"""Expedition corps: generals who stay in an off-map box while an icon demands it (§17.5)."""

from __future__ import annotations

from pbem.engine.cards import discard, points
from pbem.engine.events import Event
from pbem.engine.field import ASIDE, OFF, alter, pieces_at, release_command
from pbem.engine.rules import IllegalOrder
from pbem.engine.supply import check_in_hand
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.decisions import Corps, SendCorps
from pbem.games.maria.rules.events import CorpsSent
from pbem.games.maria.rules.state import ArriveTask, CorpsTask, RelocateTask, Table, affairs_of


def powers_with_corps(table: Table) -> list[str]:
    """Return the powers that must keep an expedition corps, because the marker of a track is in a box with the icon for
    it."""
    tracks = table.rules.politics.tracks
    boxes = [tracks[name].boxes[box] for name, box in affairs_of(table).tracks.items()]
    return [icon.power for box in boxes for icon in box.icons if icon.kind == "expedition"]


def settle(table: Table, before: list[str]) -> None:
    """Add the tasks to send expedition corps, and to call them back, after markers of tracks have moved. `before` are
    the powers that had a corps before."""
    now = powers_with_corps(table)
    for power in table.rules.powers:
        if power in before and power not in now:
            # The corps returns to the city at the arrow of its off-map box. Pieces in that city must leave it (§17.5).
            rules, state = table.rules.common, table.state
            for piece in affairs_of(table).corps.pop(power, []):
                city = rules.board.index[rules.board.data.off_map[power].city]
                for other in pieces_at(state.field, city):
                    state.tasks.append(RelocateTask(rules.pieces[other].power, other))
                state.tasks.append(ArriveTask(power, piece, city, corps=True))
        elif power in now and power not in before:
            table.state.tasks.append(CorpsTask(power))


def decision(table: Table, task: CorpsTask) -> SendCorps:
    """Return the decision to send a general as a corps. Generals off the map are offered if the power's hand can pay
    for their troops."""
    rules, state = table.rules, table.state
    hand = tuple(state.cards.hands[task.power])
    generals = rules.common.generals(task.power)
    on_map = [general for general in generals if state.field.pieces[general].city >= 0]
    rich = points(rules.common.decks, hand) >= rules.game.advanced.corps_price
    recruits = [general for general in generals if state.field.pieces[general].city == OFF] if rich else []
    return SendCorps(task.power, (*on_map, *recruits), tuple(recruits), hand)


def send(table: Table, task: CorpsTask, decision: SendCorps, answer: Corps) -> list[Event]:
    """Put the chosen general into the off-map box (§17.5). A general off the map gets the troops that are paid for.
    Raises `IllegalOrder` for a wrong general or payment."""
    rules, state, advanced = table.rules.common, table.state, table.rules.game.advanced
    name = rules.pieces[answer.general].name
    if answer.general not in decision.generals:
        raise IllegalOrder(wrong("E-CORPS-GENERAL", general=name), where=("general",))
    check_in_hand(decision.hand, answer.cards)
    if answer.general in decision.recruits:
        paid = points(rules.decks, answer.cards)
        if paid < advanced.corps_price:
            fault = wrong("E-CORPS-PRICE", general=name, price=advanced.corps_price, paid=paid)
            raise IllegalOrder(fault, where=("cards",))
        discard(state.cards, decision.power, answer.cards)
        alter(state.field, answer.general, troops=advanced.corps_troops)
    elif answer.cards:
        raise IllegalOrder(wrong("E-CORPS-PRICE.nothing"), where=("cards",))
    start = state.field.pieces[answer.general].city
    alter(state.field, answer.general, city=ASIDE, down=False, on_top=False)
    if start >= 0:
        release_command(rules, state.field, start)
    if not task.lasting:
        affairs_of(table).corps.setdefault(decision.power, []).append(answer.general)
    return [CorpsSent(decision.power, answer.general, answer.cards)]
