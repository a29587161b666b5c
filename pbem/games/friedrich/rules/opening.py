"""Start of a game of FRIEDRICH: pieces are placed, Cards of Fate shuffled, and troops allotted in secret (§1)."""

from __future__ import annotations

from pbem.engine.board import ArmyStart
from pbem.engine.cards import fresh_cards
from pbem.engine.decisions import Allot, Allotment
from pbem.engine.events import Event, TroopsAllotted
from pbem.engine.field import ASIDE, Alliances, Field, PieceState, alter
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.troops import check_allotment
from pbem.games.friedrich.rules import fate
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.state import Fate, Offensive, State, Table


def new_state(rules: FriedrichRules) -> State:
    """Return the position before cards are shuffled and troops allotted."""
    return State(
        terms=rules.terms,
        turn=1,
        stage="setup",
        phase="allotment",
        field=new_field(rules),
        cards=fresh_cards(rules.common.decks, rules.powers),
        fate=Fate(deck=rules.fate.numbers(), offensive=Offensive() if rules.expert else None),
    )


def new_field(rules: FriedrichRules) -> Field:
    """Return the map with all pieces in the places that the board's set-up gives. Pieces that the scenario leaves out
    take no part."""
    board = rules.common.board
    pieces: list[PieceState] = []
    for power in rules.game.powers:
        army = board.data.setup[power]
        pieces += [PieceState(city) for city in start_cities(rules, power, army)]
    every = tuple(rules.game.powers)
    alliances = Alliances(
        side={power: facts.side for power, facts in rules.game.powers.items()},
        group={power: power for power in every},
        principal={power: power for power in every},
        home={land: power for power, lands in board.data.powers.items() for land in lands},
        player={power: player for player, mine in rules.seats.items() for power in mine},
        stage={power: power for power in every},
    )
    return Field(pieces, alliances, markers={}, questions={}, hussars=[])


def start_cities(rules: FriedrichRules, power: Power, army: ArmyStart) -> list[City]:
    """Return the start cities of a power's generals, then of its trains. The city is `ASIDE` for a piece that takes no
    part."""
    index, force = rules.common.board.index, rules.scenario.forces.get(power)
    absent = power in rules.scenario.absent
    generals = [(start.city, force is None or start.rank in force.generals) for start in army.generals]
    trains = [(start.city, force is None or n + 1 in force.trains) for n, start in enumerate(army.trains)]
    return [
        index[city] if city is not None and takes_part and not absent else ASIDE
        for city, takes_part in (*generals, *trains)
    ]


def begin(table: Table) -> list[Event]:
    """Shuffle the Cards of Fate, and ask every power with more than one general to allot its troops. A single general
    gets all troops of his power at once."""
    events = fate.shuffle(table)
    for power in table.rules.powers:
        asked = decision(table, power)
        if len(asked.least) == 1:
            events += give_troops(table, power, dict.fromkeys(asked.least, asked.troops))
        else:
            table.state.owing.append(power)
    return events


def decision(table: Table, power: Power) -> Allot:
    """Return the decision to allot all troops of a power to those of its generals who take part."""
    rules, field = table.rules.common, table.state.field
    least = {general: 1 for general in rules.generals(power) if field.pieces[general].city >= 0}
    return Allot(power, table.rules.troops(power), least, rules.limits.troops)


def allot(table: Table, decision: Allot, answer: Allotment) -> list[Event]:
    check_allotment(table.rules.common, decision, answer, "§1")
    table.state.owing.remove(decision.power)
    return give_troops(table, decision.power, answer.troops)


def give_troops(table: Table, power: Power, troops: dict[Piece, int]) -> list[Event]:
    for general, count in troops.items():
        alter(table.state.field, general, troops=count)
    return [TroopsAllotted(power, dict(troops))]
