"""Table of a game: its rules, its position, and the source of its shuffles."""

from __future__ import annotations

from msgspec import Struct

from pbem.engine.cards import Dealer, draw
from pbem.engine.events import CardsDrawn, Event
from pbem.engine.nouns import Piece, Power
from pbem.faults.words import Words, words
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.state import Affairs, State, Tasks


class Table(Struct):
    """A game in progress, used by every part of the sequence of play."""

    rules: MariaRules
    state: State
    dealer: Dealer


def active(table: Table, stage: str | None = None) -> tuple[Power, ...]:
    """Powers that act in an action stage; by default the present one (§5, §19.3)."""
    acts_in, wanted = table.state.field.alliances.stage, stage or table.state.stage
    return tuple([power for power in table.rules.powers if acts_in[power] == wanted])


def aside(table: Table, piece: Piece) -> tuple[str, Words]:
    """§ and reason by which a piece beside the map may not come back like one that was removed."""
    rules = table.rules.common
    facts = rules.pieces[piece]
    boxes = table.rules.scenario.politics and facts.power in table.rules.powers
    if boxes and facts.kind == "general":
        return "§17.5", words("in-box", piece=facts.name, box=rules.board.data.off_map[facts.power].box)
    if boxes:
        return "§19.1", words("in-victory-box", piece=facts.name)
    return "§14", words("no-part", piece=facts.name)


def affairs_of(table: Table) -> Affairs:
    """Affairs of an advanced game; only to be called in one."""
    affairs = table.state.affairs
    assert affairs is not None
    return affairs


def tasks_due(table: Table) -> list[Tasks]:
    """Tasks that must be settled before play goes on.

    Tasks that follow from losses wait until tolls are paid (§9), and until the beaten have retreated (§19.3).
    """
    state = table.state
    if not state.tasks:
        return state.tasks
    retreat_first = state.retreat is not None and table.rules.edition.shift_when == "after retreat"
    return [] if retreat_first or state.tolls else state.tasks


def draw_cards(table: Table, power: Power, count: int) -> list[Event]:
    """Give a power cards from the draw deck (§8)."""
    drawn, events = draw(table.state.cards, table.rules.common.decks, table.dealer, power, count)
    return [*events, CardsDrawn(power, len(drawn), tuple(drawn))]
