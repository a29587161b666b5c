"""Every problem that a position can have is found: sound positions, each spoiled in one way."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Unpack

import msgspec
import pytest

from pbem.engine.decisions import Claim, Pairing
from pbem.engine.field import ASIDE, OFF, Parts, Piece, alter, enemies, occupants, pieces_at
from pbem.engine.table import canonical
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.invariants import problems
from pbem.games.maria.rules.state import Result, State
from pbem.games.maria.rules.table import Table, active
from tests.play import answers, chance_of, start, twin
from tests.raider import raid


@cache
def sound(phase: str) -> Table:
    """A sound position that waits for an answer in this phase; it is copied before it is spoiled."""
    for seed in range(200):
        table, _ = start(Terms(), seed)
        for power, answer in answers(table, chance_of(Terms(), seed), raid):
            state = table.state
            now = "duel" if state.duel else "retreat" if state.retreat else state.phase
            if now == phase and (state.turn > 1 or phase == "allotment"):
                return twin(table)
            game.apply(table, power, answer)
        if phase == "over":
            return table
    raise AssertionError(phase)


def general(table: Table, power: str) -> int:
    """Some general of the power on the map, alone in his city."""
    rules, field = table.rules.common, table.state.field
    return next(
        g
        for g in rules.generals(power)
        if field.pieces[g].city >= 0 and len(pieces_at(field, field.pieces[g].city)) == 1
    )


def piece(table: Table, power: str) -> Piece:
    """That general's piece."""
    return table.state.field.pieces[general(table, power)]


def train(table: Table, power: str) -> int:
    """A train of the power that takes part."""
    pieces = table.state.field.pieces
    return next(t for t in table.rules.common.trains(power) if pieces[t].city != ASIDE)


def city(table: Table, name: str) -> int:
    """A city by name."""
    return table.rules.common.board.index[name]


def empty_city(table: Table) -> int:
    """A city without a fortress, in play, where nothing stands."""
    board, field = table.rules.common.board, table.state.field
    taken = {*occupants(field), *field.hussars}
    return next(c.index for c in board.cities if board.in_play(c.index) and not c.fortress and c.index not in taken)


def strangers(table: Table) -> None:
    """Generals of powers that do not co-operate in one city."""
    alter(table.state.field, general(table, "france"), city=piece(table, "prussia").city)


def astray(table: Table) -> None:
    """A general on a map that is not used."""
    alter(table.state.field, general(table, "france"), city=city(table, "Gent"))


def join_train(table: Table) -> None:
    """A train in the city of a general."""
    alter(table.state.field, train(table, "austria"), city=piece(table, "austria").city)


def crowd(table: Table) -> None:
    """Three generals of one power in one city."""
    field = table.state.field
    place = empty_city(table)
    for number in table.rules.common.generals("austria")[:3]:
        field.pieces[number] = Piece(place, 1)


def equal_ranks(table: Table, on_top: int) -> None:
    """The generals of rank 1 of Prussia and Saxony together, and so many of them in command."""
    rules, field = table.rules.common, table.state.field
    place = empty_city(table)
    for number, power in enumerate(("prussia", "saxony")):
        first = rules.generals(power)[0]
        alter(field, first, city=place, on_top=number < on_top, troops=max(1, field.pieces[first].troops))


def reinforce(table: Table) -> None:
    """Eight troops for every Austrian general."""
    for number in table.rules.common.generals("austria"):
        if table.state.field.pieces[number].city >= 0:
            alter(table.state.field, number, troops=8)


def far_attack(table: Table) -> None:
    """An attack on somebody who is not adjacent."""
    rules, field = table.rules.common, table.state.field
    ours = piece(table, active(table)[0]).city
    board = rules.board
    foe = next(
        now.city
        for index, now in enumerate(field.pieces)
        if now.city >= 0
        and rules.is_general(index)
        and enemies(field, rules.pieces[index].power, active(table)[0])
        and now.city not in board.adjacent[ours]
    )
    table.state.battles.append(Pairing(ours, foe))


def double_card(table: Table) -> None:
    """One card twice."""
    hand = table.state.cards.hands["prussia"]
    hand.append(hand[-1])


def lose_card(table: Table) -> None:
    """One card nowhere."""
    table.state.cards.draw.pop()


def turn_hand(table: Table) -> None:
    """A hand out of order."""
    hand = next(hand for hand in table.state.cards.hands.values() if len(hand) > 1)
    hand.reverse()


def wrong_pile(table: Table) -> None:
    """A card of one deck on the pile of another."""
    cards = table.state.cards
    full = next(pile for pile in cards.discards if pile)
    other = next(pile for pile in cards.discards if pile is not full)
    other.append(full.pop())


def change(**parts: object) -> Callable[[Table], object]:
    """Set parts of the state."""

    def spoil(table: Table) -> None:
        for name, value in parts.items():
            setattr(table.state, name, value)

    return spoil


def change_piece(power: str, **parts: Unpack[Parts]) -> Callable[[Table], object]:
    """Set parts of some general's piece."""

    def spoil(table: Table) -> None:
        alter(table.state.field, general(table, power), **parts)

    return spoil


def change_train(**parts: Unpack[Parts]) -> Callable[[Table], object]:
    """Set parts of some train's piece."""

    def spoil(table: Table) -> None:
        alter(table.state.field, train(table, "austria"), **parts)

    return spoil


def mark(name: str, power: str | None) -> Callable[[Table], object]:
    """Lay a marker, or take one away."""

    def spoil(table: Table) -> None:
        table.state.field.markers.pop(city(table, name), None)
        if power:
            table.state.field.markers[city(table, name)] = power

    return spoil


def question(name: str, power: str) -> Callable[[Table], object]:
    """Lay a question mark."""

    def spoil(table: Table) -> None:
        table.state.field.questions[city(table, name)] = power

    return spoil


def change_duel(table: Table) -> None:
    """Give the right to play to the better side."""
    assert table.state.duel is not None
    table.state.duel.score = 5 if table.state.duel.turn == "attacker" else -5


def change_sides(table: Table) -> None:
    """Let others fight than those in command."""
    assert table.state.duel is not None
    table.state.duel.attacker = table.state.duel.defender


def fight_again(table: Table) -> None:
    """The attack being fought is due once more."""
    assert table.state.duel is not None
    table.state.battles.append(Pairing(table.state.duel.attacking_city, table.state.duel.defending_city))


def retreat_far(table: Table) -> None:
    """A retreat longer than the strongest stack has troops."""
    assert table.state.retreat is not None
    table.state.retreat.length = 16


def retreat_from_afar(table: Table) -> None:
    """A winner who does not stand beside the beaten."""
    assert table.state.retreat is not None
    table.state.retreat.from_city = table.state.retreat.start


def wrong_toll(table: Table) -> None:
    """A path that ends nowhere."""
    power, claims = next(iter(table.state.tolls.items()))
    table.state.tolls[power] = [Claim(claims[0].piece, claims[0].path[:-1] or (0,))]


SPOILED: list[tuple[str, str, str, Callable[[Table], object]]] = [
    ("movement", "§5", "turn 10 of 9", change(turn=10)),
    ("movement", "§5", "no stage 'winter-france'", change(turn=1, stage="winter-france")),
    ("movement", "§5", "no phase 'recruiting'", change(phase="recruiting")),
    ("movement", "§1", "another game", change(terms=Terms(players=2))),
    ("movement", "§8", "hands of", lambda t: t.state.cards.hands.pop("saxony")),
    ("movement", "§5", "takes no part, owes", lambda t: t.state.owing.append("pragmatic")),
    ("movement", "§3.1", "in no city", change_piece("austria", city=9999)),
    ("movement", "§3.1", "pieces, not", lambda t: t.state.field.pieces.pop()),
    ("movement", "§3.2", "which is no power", mark("Prag", "russia")),
    ("movement", "§7", "hussar is in no city", lambda t: t.state.field.hussars.__setitem__(0, -5)),
    ("movement", "§2", "leave a power out", lambda t: t.state.field.alliances.side.pop("france")),
    ("movement", "§14", "map that is not used", astray),
    ("movement", "§6", "off the map, and yet", change_piece("austria", city=OFF, troops=0, down=True)),
    ("movement", "§6", "is a supply train", change_train(troops=1)),
    ("movement", "§6", "is a supply train", change_train(down=True)),
    ("movement", "§6", "commands 9 troops", change_piece("austria", troops=9)),
    ("movement", "§6", "commands 0 troops", change_piece("prussia", troops=0)),
    ("movement", "§6", "has been removed, and yet", change_piece("prussia", city=OFF)),
    ("movement", "§6", "stands alone", join_train),
    ("movement", "§6", "do not co-operate", strangers),
    ("movement", "§6", "a stack has 2 generals", crowd),
    ("movement", "§6", "has to be supreme commander", lambda t: equal_ranks(t, 0)),
    ("movement", "§6", "has to be supreme commander", lambda t: equal_ranks(t, 2)),
    ("movement", "§6", "no equal rank", change_piece("austria", on_top=True)),
    ("movement", "§3.2", "which is no fortress", mark("Jauer", "prussia")),
    ("movement", "§10.3", "lays its markers", mark("Prag", "bavaria")),
    ("movement", "§10.3", "friendly major power's home", mark("Wien", "austria")),
    ("movement", "§10.3", "friendly major power's home", mark("Berlin", "france")),
    ("movement", "§10.3", "always have one", mark("Breslau", None)),
    ("movement", "§14", "on a map not used", mark("Köln", "austria")),
    ("movement", "§10.3", "no fortress in play", question("Jauer", "prussia")),
    ("movement", "§10.3", "which no enemy", question("Berlin", "prussia")),
    ("recruiting", "§10.3", "question marks are only there", question("Wien", "prussia")),
    ("movement", "§14", "takes no part in this game", lambda t: t.state.field.pieces.__setitem__(0, Piece(OFF))),
    ("movement", "§14", "takes part in this game", change_piece("prussia", city=ASIDE)),
    ("movement", "§7", "there are 2 hussars", lambda t: t.state.field.hussars.append(OFF)),
    ("movement", "§7", "not on the bohemia map", lambda t: t.state.field.hussars.__setitem__(0, city(t, "Gent"))),
    ("movement", "§7", "a hussar and", lambda t: t.state.field.hussars.__setitem__(0, piece(t, "austria").city)),
    ("hussars", "§4", "no winter has been", reinforce),
    ("movement", "§8", "twice", double_card),
    ("movement", "§8", "are nowhere", lose_card),
    ("movement", "§8", "not in order", turn_hand),
    ("movement", "§8", "not all of that deck", wrong_pile),
    ("movement", "§8", "shuffles", lambda t: setattr(t.state.cards, "shuffles", 0)),
    ("movement", "§8", "in order", lambda t: setattr(t.state.cards, "unused", [0])),
    ("movement", "§8", "decks, not", lambda t: t.state.cards.discards.pop()),
    ("movement", "§9", "tolls are only due", change(tolls={"france": []})),
    ("movement", "§11.1", "attacks are only due", change(battles=[Pairing(0, 1)])),
    ("duel", "§5", "owe an answer in a phase that asks nobody", change(owing=["france"])),
    ("movement", "§5", "in a phase that has not begun", change(begun=False)),
    ("movement", "§5", "twice", lambda t: t.state.owing.append(t.state.owing[0])),
    ("hussars", "§5", "saxony owes an answer", change(owing=["saxony"])),
    ("movement", "§10.1", "noted twice", change(moved=[7, 7])),
    ("movement", "§10.1", "which does not exist", change(moved=[999])),
    ("hussars", "§10.1", "before the movement phase", change(moved=[7])),
    ("movement", "§10.1", "has moved, but is not on the map", lambda t: t.state.moved.__setitem__(slice(None), [
        off_the_map(t)])),
    ("supply", "§9", "is none", wrong_toll),
    ("supply", "§9", "are not those", change(tolls={})),
    ("duel", "§11.1", "not adjacent", far_attack),
    ("duel", "§11.1", "no general on one side", lambda t: t.state.battles.append(
        Pairing(empty_city(t), empty_city(t)))),
    ("duel", "§11.1", "better score", change_duel),
    ("duel", "§11.1", "in supreme command", change_sides),
    ("duel", "§11.1", "still due", fight_again),
    ("retreat", "§11.2", "16 cities", retreat_far),
    ("retreat", "§11.2", "cannot have been beaten", retreat_from_afar),
    ("movement", "§14", "exactly when it is over", change(result=Result(None, "survival", {}))),
    ("over", "§14", "is no player", change(result=Result("nobody", "survival", {}))),
]  # fmt: skip
"""The phase of a sound position, the rule that is broken, words of the message, and what spoils the position."""


def off_the_map(table: Table) -> int:
    """A piece of an active power, taken off the map."""
    number = general(table, active(table)[0])
    table.state.field.pieces[number] = Piece(OFF)
    return number


@pytest.mark.parametrize(("phase", "rule", "words", "spoil"), SPOILED, ids=[f"{row[0]}: {row[2]}" for row in SPOILED])
def test_a_spoiled_position_is_found_out(phase: str, rule: str, words: str, spoil: Callable[[Table], object]) -> None:
    table = twin(sound(phase))
    assert problems(table) == []
    spoil(table)
    found = problems(table)
    assert [problem for problem in found if problem.rule == rule and words in problem.message], found


def test_somebody_has_won_already() -> None:
    table = twin(sound("movement"))
    board = table.rules.common.board
    for number in board.fortresses:
        if board.land[number] in ("austria", "silesia"):
            table.state.field.markers[number] = "prussia"
    assert [problem.rule for problem in problems(table)] == ["§14"]


def test_a_position_that_has_not_begun_is_sound() -> None:
    table = twin(sound("hussars"))
    table.state.begun, table.state.owing = False, []
    assert problems(table) == []


def test_problems_name_pieces_and_cities() -> None:
    table = twin(sound("movement"))
    number = general(table, "prussia")
    alter(table.state.field, number, troops=9)
    (problem,) = [p for p in problems(table) if p.rule == "§6"]
    assert problem.piece == number
    assert problem.city == table.state.field.pieces[number].city
    assert table.rules.common.pieces[number].name in problem.message


def test_the_text_of_a_position_brings_it_back() -> None:
    table = sound("duel")
    assert msgspec.json.decode(canonical(table.state), type=State) == table.state
