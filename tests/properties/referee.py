"""Rules said a second time, for what one answer has brought about: prices, hunger, duels, attacks, victory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.engine import events as e
from pbem.engine.cards import RESERVE, suit_of
from pbem.engine.combat import Duel
from pbem.engine.decisions import Pairing
from pbem.games.maria.rules.state import State, Table


def check(before: State, events: Sequence[e.Event], table: Table) -> None:
    """Fail where the answer's events are not what the rules make of the position before."""
    prices(events)
    hunger(before, events)
    if before.duel:
        duel(before, before.duel, events, table)
    right_to_play(events, table)
    attacks(before, table)
    after_retreat(events, table)
    if table.rules.scenario.title == "The introductory game":
        victory(table)


def worth(cards: Iterable[int]) -> int:
    """Value of cards in a payment: a Reserve eight, the others their value (§8)."""
    return sum(8 if suit_of(card) == RESERVE else card >> 2 & 15 for card in cards)


def prices(events: Sequence[e.Event]) -> None:
    """Troops and trains cost four points (§10.2, §13)."""
    for event in events:
        if isinstance(event, e.Recruited):
            assert worth(event.cards) >= 4 * event.troops >= 4
        if isinstance(event, e.TrainReentered):
            assert worth(event.cards) >= 4


def hunger(before: State, events: Sequence[e.Event]) -> None:
    """Out of supply a face-up general loses one troop, a face-down one two (§9)."""
    down = {index for index, piece in enumerate(before.field.pieces) if piece.down}
    for event in events:
        if isinstance(event, e.SupplyLost):
            assert event.troops == (2 if event.piece in down else 1)
            down.add(event.piece)
        if isinstance(event, e.SupplyRestored):
            down.remove(event.piece)


def duel(before: State, fight: Duel, events: Sequence[e.Event], table: Table) -> None:
    """Check a play: the side behind plays a card of its suit; at zero it must, if it has one; stopping behind is a
    defeat (§11.1)."""
    attacker = fight.turn == "attacker"
    power, city = (fight.attacker, fight.attacking_city) if attacker else (fight.defender, fight.defending_city)
    own = fight.score if attacker else -fight.score
    suit = table.rules.common.board.suit[city]
    assert own <= 0
    for event in events[:1]:
        if isinstance(event, e.CardPlayed):
            assert event.power == power
            assert suit_of(event.card) in (suit, RESERVE)
            assert event.score == own + event.value
            now = table.state.duel
            assert now is not None
            assert now.score == (event.score if attacker else -event.score)
            assert (now.turn == fight.turn) == (event.score < 0)
        if isinstance(event, e.BattleTied):
            assert own == 0
            assert not any(suit_of(card) == suit for card in before.cards.hands[power])
        if isinstance(event, e.BattleWon):
            assert own < 0
            assert (event.loser, event.score) == (power, -own)
            if table.state.retreat:
                assert (table.state.retreat.length, table.state.retreat.start) == (event.troops, city)
                assert table.state.retreat.winner == (fight.defender if attacker else fight.attacker)


def right_to_play(events: Sequence[e.Event], table: Table) -> None:
    """The weaker side plays first; if both are equal, the attacker (§11.1)."""
    for event in events:
        if isinstance(event, e.BattleJoined):
            now = table.state.duel
            assert now is not None
            assert now.score == event.score
            assert now.turn == ("attacker" if event.score <= 0 else "defender")


def attacks(before: State, table: Table) -> None:
    """At the end of movement every active general beside an enemy must attack, and nobody else (§11.1)."""
    state, rules = table.state, table.rules
    if before.phase != "movement" or (state.phase, state.stage) == ("movement", before.stage):
        return
    if state.result:
        return
    active = [power for power, stage in before.field.alliances.stage.items() if stage == before.stage]
    side, quiet = before.field.alliances.side, before.field.half_active
    board = rules.common.board
    where: dict[int, str] = {}
    for facts, piece in zip(rules.common.pieces, before.field.pieces, strict=True):
        if facts.kind == "general" and piece.city >= 0:
            where[piece.city] = facts.power
    expected = {
        Pairing(one, other)
        for one, power in where.items()
        for other, foe in where.items()
        if power in active
        and side[power] != side[foe]
        and side[power]
        and side[foe]
        and board.distance(one)[other] == 1
        and (not quiet or quiet not in (board.map[one], board.map[other]))
    }
    assert fights(state) == expected


def fights(state: State) -> set[Pairing]:
    """The attacks due, the one being fought included."""
    now = {Pairing(state.duel.attacking_city, state.duel.defending_city)} if state.duel else set()
    return now | set(state.battles)


def after_retreat(events: Sequence[e.Event], table: Table) -> None:
    """Check that a stack that has retreated fights no more in this phase; in edition 1.0 it may still attack
    (§11.1)."""
    for event in events:
        if isinstance(event, e.Retreated):
            left = fights(table.state)
            assert event.start not in {city for pair in left for city in (pair.attacker, pair.defender)}
            assert event.path[-1] not in {pair.defender for pair in left}
            if table.rules.terms.edition != "1.0":
                assert event.path[-1] not in {pair.attacker for pair in left}


def victory(table: Table) -> None:
    """France needs 9 fortresses in Austria, Prussia 12 there and in Silesia; with two players both (§14, §24)."""
    board, markers = table.rules.common.board, table.state.field.markers
    lands = {"france": ("austria",), "prussia": ("austria", "silesia")}
    count = {
        power: sum(markers.get(city) == power and board.land[city] in lands[power] for city in board.fortresses)
        for power in lands
    }
    reached = [count["france"] >= 9, count["prussia"] >= 12]
    won = all(reached) if table.rules.terms.players == 2 else any(reached)
    result = table.state.result
    assert won == (result is not None and result.how == "goals")
    if result is not None and not won:
        assert table.state.turn == 9
        assert (result.winner is None) == any(reached)
