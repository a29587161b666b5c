"""Every problem that a position can have is found: sound positions, each spoiled in one way."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import msgspec
import pytest

from pbem.engine.cards import deck_of
from pbem.engine.decisions import Claim, Pairing
from pbem.engine.field import ASIDE, OFF, PieceState, alliances_with, alter, are_enemies, occupants, pieces_at, unmark
from pbem.engine.field import mark as lay_marker
from pbem.engine.table import canonical
from pbem.engine.troops import Retreat
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.invariants import problems
from pbem.games.maria.rules.state import Result, State, Table, active
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


def piece(table: Table, power: str) -> PieceState:
    """That general's piece."""
    return table.state.field.pieces[general(table, power)]


def train(table: Table, power: str) -> PieceState:
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


def stand_together(table: Table) -> None:
    """A train beside a general."""
    alter(table.state.field, train(table, "austria"), city=piece(table, "austria").city)


def ride_home(table: Table) -> None:
    """A hussar beside a general."""
    table.state.field.hussars[0] = piece(table, "austria").city


def crowd(table: Table) -> None:
    """Three generals of one power in one city."""
    field = table.state.field
    place = empty_city(table)
    for number in table.rules.common.generals("austria")[:3]:
        field.pieces[number] = PieceState(place, 1)


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
        and are_enemies(field, rules.pieces[index].power, active(table)[0])
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


def change_piece(power: str, **parts: object) -> Callable[[Table], object]:
    """Set parts of some general's piece."""

    def spoil(table: Table) -> None:
        alter(table.state.field, general(table, power), **parts)

    return spoil


def change_train(**parts: object) -> Callable[[Table], object]:
    """Set parts of some train's piece."""

    def spoil(table: Table) -> None:
        alter(table.state.field, train(table, "austria"), **parts)

    return spoil


def lose(table: Table, part: str, name: str) -> None:
    """The alliances say nothing of a power or a land."""
    field = table.state.field
    now = getattr(field.alliances, part)
    field.alliances = msgspec.structs.replace(
        field.alliances, **{part: {each: now[each] for each in now if each != name}}
    )


def mark(name: str, power: str | None) -> Callable[[Table], object]:
    """Lay a marker, or take one away."""

    def spoil(table: Table) -> None:
        unmark(table.state.field, [city(table, name)])
        if power:
            lay_marker(table.state.field, city(table, name), power)

    return spoil


def question(name: str, power: str) -> Callable[[Table], object]:
    """Lay a question mark."""

    def spoil(table: Table) -> None:
        table.state.field.questions[city(table, name)] = power

    return spoil


def play_ahead(table: Table, turn: Literal["attacker", "defender"], score: int) -> None:
    """Let a side play that is one point ahead."""
    assert table.state.duel is not None
    table.state.duel.turn, table.state.duel.score = turn, score


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


def turn_pile(table: Table) -> None:
    """A pile of cards set aside out of order."""
    next(pile for pile in table.state.cards.discards if len(pile) > 1).reverse()


def allot_too_few(table: Table) -> None:
    """A power has done its allotment with one troop for each general."""
    for number in table.rules.common.generals("prussia"):
        alter(table.state.field, number, troops=1)
    table.state.owing.remove("prussia")


def claim_for(table: Table, number: int) -> None:
    """A toll for another general."""
    power, claims = next(iter(table.state.tolls.items()))
    table.state.tolls[power] = [Claim(number, claims[0].path)]


def toll_at_home(table: Table) -> None:
    """A toll for a general in his home country."""
    rules, field = table.rules.common, table.state.field
    number, board = general(table, "prussia"), rules.board
    there = (c for c in rules.board.of_land["prussia"] if board.in_play(c) and not pieces_at(field, c))
    alter(field, number, city=next(city for city in there if city not in field.hussars))
    table.state.tolls["prussia"] = [Claim(number, (0,))]


def attack_back(table: Table) -> None:
    """The power that is attacked attacks, too."""
    assert table.state.duel is not None
    table.state.battles.append(Pairing(table.state.duel.defending_city, table.state.duel.attacking_city))


def attack_a_friend(table: Table) -> None:
    """An attack on a general of one's own."""
    rules, field = table.rules.common, table.state.field
    power = active(table)[0]
    here = piece(table, power).city
    there = next(c for c in rules.board.adjacent[here] if not pieces_at(field, c) and c not in field.hussars)
    other = next(g for g in rules.generals(power) if field.pieces[g].city not in (here, OFF, ASIDE))
    field.pieces[other] = PieceState(there, 1)
    table.state.battles.append(Pairing(here, there))


def change_retreat(**parts: object) -> Callable[[Table], object]:
    """Set parts of the retreat."""

    def spoil(table: Table) -> None:
        for name, value in parts.items():
            setattr(table.state.retreat, name, value)

    return spoil


def move_another(table: Table) -> None:
    """A piece of a power that is not active has moved."""
    table.state.moved = [general(table, next(p for p in ("prussia", "austria") if p not in active(table)))]


SPOILED: list[tuple[str, str, str, Callable[[Table], object]]] = [
    ("movement", "§5", "E-POSITION.turn", change(turn=10)),
    ("movement", "§5", "E-POSITION.stage", change(turn=1, stage="winter-france")),
    ("movement", "§5", "E-POSITION.phase", change(phase="recruiting")),
    ("movement", "§1", "E-POSITION.other-game", change(terms=Terms(players=2))),
    ("movement", "§8", "E-POSITION.hands", lambda t: t.state.cards.hands.pop("saxony")),
    ("movement", "§5", "E-POSITION.debtor", lambda t: t.state.owing.append("pragmatic")),
    ("movement", "§3.1", "E-POSITION.nowhere", change_piece("austria", city=9999)),
    ("movement", "§3.1", "E-POSITION.pieces", lambda t: t.state.field.pieces.pop()),
    ("movement", "§3.2", "E-POSITION.marker-power", mark("Prag", "russia")),
    ("movement", "§7", "E-POSITION.hussar-nowhere", lambda t: t.state.field.hussars.__setitem__(0, -5)),
    ("movement", "§2", "E-POSITION.alliances", lambda t: lose(t, "side", "france")),
    ("movement", "§14", "E-POSITION.map", astray),
    ("movement", "§6", "E-POSITION.off", change_piece("austria", city=OFF, troops=0, down=True)),
    ("movement", "§6", "E-POSITION.train", change_train(troops=1)),
    ("movement", "§6", "E-POSITION.train", change_train(down=True)),
    ("movement", "§6", "E-POSITION.troops", change_piece("austria", troops=9)),
    ("movement", "§6", "E-POSITION.troops", change_piece("prussia", troops=0)),
    ("movement", "§6", "E-POSITION.removed", change_piece("prussia", city=OFF)),
    ("movement", "§6", "E-POSITION.train-stacked", stand_together),
    ("movement", "§6", "E-POSITION.strangers", strangers),
    ("movement", "§6", "E-POSITION.stack", crowd),
    ("movement", "§6", "E-POSITION.commander", lambda t: equal_ranks(t, 0)),
    ("movement", "§6", "E-POSITION.commander", lambda t: equal_ranks(t, 2)),
    ("movement", "§6", "E-POSITION.commander-rank", change_piece("austria", on_top=True)),
    ("movement", "§3.2", "E-POSITION.marker-fortress", mark("Jauer", "prussia")),
    ("movement", "§10.3", "E-POSITION.marker-principal", mark("Prag", "bavaria")),
    ("movement", "§10.3", "E-POSITION.marker-home", mark("Wien", "austria")),
    ("movement", "§10.3", "E-POSITION.marker-home", mark("Berlin", "france")),
    ("movement", "§10.3", "E-POSITION.marker-always", mark("Breslau", None)),
    ("movement", "§14", "E-POSITION.marker-map", mark("Köln", "austria")),
    ("movement", "§10.3", "E-POSITION.question-fortress", question("Jauer", "prussia")),
    ("movement", "§10.3", "E-POSITION.question-enemy", question("Berlin", "prussia")),
    ("recruiting", "§10.3", "E-POSITION.question-phase", question("Wien", "prussia")),
    ("movement", "§14", "E-POSITION.no-part", lambda t: t.state.field.pieces.__setitem__(0, PieceState(OFF))),
    ("movement", "§14", "E-POSITION.takes-part", change_piece("prussia", city=ASIDE)),
    ("movement", "§7", "E-POSITION.hussar-count", lambda t: t.state.field.hussars.append(OFF)),
    ("movement", "§7", "E-POSITION.hussar-map", lambda t: t.state.field.hussars.__setitem__(0, city(t, "Gent"))),
    ("movement", "§7", "E-POSITION.hussar-taken", ride_home),
    ("hussars", "§4", "E-POSITION.army", reinforce),
    ("movement", "§8", "E-POSITION.cards-extra", double_card),
    ("movement", "§8", "E-POSITION.cards-missing", lose_card),
    ("movement", "§8", "E-POSITION.hand-order", turn_hand),
    ("movement", "§8", "E-POSITION.pile-deck", wrong_pile),
    ("movement", "§8", "E-POSITION.shuffles", lambda t: setattr(t.state.cards, "shuffles", 0)),
    ("movement", "§8", "E-POSITION.shuffles", lambda t: setattr(t.state.cards, "shuffles", 9)),
    ("movement", "§8", "E-POSITION.unused-order", lambda t: setattr(t.state.cards, "unused", [0])),
    ("movement", "§8", "E-POSITION.deck-count", lambda t: t.state.cards.discards.pop()),
    ("movement", "§9", "E-POSITION.toll-phase", change(tolls={"france": []})),
    ("movement", "§11.1", "E-POSITION.attack-phase", change(battles=[Pairing(0, 1)])),
    ("duel", "§5", "E-POSITION.owing-phase", change(owing=["france"])),
    ("movement", "§5", "E-POSITION.not-begun", change(begun=False)),
    ("movement", "§5", "E-POSITION.owing-twice", lambda t: t.state.owing.append(t.state.owing[0])),
    ("hussars", "§5", "E-POSITION.owing-stage", change(owing=["saxony"])),
    ("movement", "§10.1", "E-POSITION.moved-order", change(moved=[7, 7])),
    ("movement", "§10.1", "E-POSITION.moved-unknown", change(moved=[999])),
    ("hussars", "§10.1", "E-POSITION.moved-early", change(moved=[7])),
    ("movement", "§10.1", "E-POSITION.moved-off", lambda t: t.state.moved.__setitem__(slice(None), [
        off_the_map(t)])),
    ("supply", "§9", "E-POSITION.toll-path", wrong_toll),
    ("supply", "§9", "E-POSITION.toll-owing", change(tolls={})),
    ("duel", "§11.1", "E-POSITION.attack-far", far_attack),
    ("duel", "§11.1", "E-POSITION.attack-nobody", lambda t: t.state.battles.append(
        Pairing(empty_city(t), empty_city(t)))),
    ("duel", "§11.1", "E-POSITION.duel-turn", lambda t: play_ahead(t, "attacker", 1)),
    ("duel", "§11.1", "E-POSITION.duel-turn", lambda t: play_ahead(t, "defender", -1)),
    ("duel", "§11.1", "E-POSITION.duel-sides", change_sides),
    ("duel", "§11.1", "E-POSITION.duel-due", fight_again),
    ("retreat", "§11.2", "E-POSITION.retreat-length", retreat_far),
    ("retreat", "§11.2", "E-POSITION.unbeaten", retreat_from_afar),
    ("movement", "§3.2", "E-POSITION.marker-nowhere", lambda t: lay_marker(t.state.field, 9999, "prussia")),
    ("movement", "§3.2", "E-POSITION.uncontrolled", lambda t: lose(t, "home", "austria")),
    ("movement", "§10.3", "E-POSITION.question-active", question("Wien", "saxony")),
    ("movement", "§10.1", "E-POSITION.moved-stage", move_another),
    ("recruiting", "§8", "E-POSITION.pile-order", turn_pile),
    ("allotment", "§4", "E-POSITION.early-troops", change_piece("prussia", city=0, troops=1)),
    ("movement", "§6", "E-POSITION.troops", change_piece("prussia", city=0, troops=9)),
    ("allotment", "§4", "E-POSITION.early-troops", change_piece("prussia", troops=1)),
    ("allotment", "§4", "E-POSITION.allotted", allot_too_few),
    ("supply", "§9", "E-POSITION.toll-general", lambda t: claim_for(t, 999)),
    ("supply", "§9", "E-POSITION.toll-home", toll_at_home),
    ("supply", "§9", "E-POSITION.toll-hussar", lambda t: t.state.field.hussars.__setitem__(slice(None), [OFF, OFF])),
    ("duel", "§11.1", "E-POSITION.attack-nowhere", lambda t: t.state.battles.append(Pairing(9999, 0))),
    ("duel", "§11.1", "E-POSITION.attack-twice", lambda t: t.state.battles.extend([Pairing(9999, 0)] * 2)),
    ("duel", "§11.1", "E-POSITION.attack-active", attack_back),
    ("duel", "§11.1", "E-POSITION.attack-friends", attack_a_friend),
    ("duel", "§11.2", "E-POSITION.retreat-first", change(retreat=Retreat(0, 1, "austria", 1))),
    ("retreat", "§11.2", "E-POSITION.retreat-nowhere", change_retreat(start=9999)),
    ("retreat", "§11.2", "E-POSITION.retreat-nobody", lambda t: change_retreat(start=empty_city(t))(t)),
    ("retreat", "§11.2", "E-POSITION.retreat-winner", change_retreat(winner="saxony")),
    ("movement", "§14", "E-POSITION.result", change(result=Result(None, "survival", {}))),
    ("over", "§14", "E-POSITION.winner", change(result=Result("nobody", "survival", {}))),
]  # fmt: skip
"""The phase of a sound position, the rule that is broken, the wording, and what spoils the position."""


def off_the_map(table: Table) -> int:
    """A piece of an active power, taken off the map."""
    number = general(table, active(table)[0])
    table.state.field.pieces[number] = PieceState(OFF)
    return number


@pytest.mark.parametrize(("phase", "rule", "key", "spoil"), SPOILED, ids=[f"{row[0]}: {row[2]}" for row in SPOILED])
def test_a_spoiled_position_is_found_out(phase: str, rule: str, key: str, spoil: Callable[[Table], object]) -> None:
    table = twin(sound(phase))
    assert problems(table) == []
    spoil(table)
    found = problems(table)
    assert (rule, key) in {(problem.rule, problem.wrong.message.key) for problem in found}, found


def test_somebody_has_won_already() -> None:
    table = twin(sound("movement"))
    board = table.rules.common.board
    for number in board.fortresses:
        if board.land[number] in ("austria", "silesia"):
            lay_marker(table.state.field, number, "prussia")
    assert [problem.wrong.message.key for problem in problems(table)] == ["E-POSITION.won"]


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
    assert table.rules.common.pieces[number].name in str(problem.wrong.message)


@pytest.mark.parametrize("spoil", [turn_pile, wrong_pile])
def test_a_pile_that_is_wrong_is_told_with_its_deck(spoil: Callable[[Table], object]) -> None:
    table = twin(sound("recruiting"))
    spoil(table)
    piles = enumerate(table.state.cards.discards, 1)
    (wrong,) = [deck for deck, pile in piles if pile != sorted(pile) or {deck_of(card) + 1 for card in pile} - {deck}]
    (told,) = [p.wrong.sentence() for p in problems(table) if p.wrong.message.key.startswith("E-POSITION.pile-")]
    assert f"cards set aside of deck {wrong} " in told


def test_what_cannot_be_is_told_in_the_language_of_its_reader() -> None:
    table = twin(sound("movement"))
    field = table.state.field
    field.alliances = alliances_with(field.alliances, player={"russia": "louis"})
    (problem,) = problems(table)
    assert (problem.rule, problem.wrong.message.key) == ("§2", "E-POSITION.alliance")
    said = "the player of russia is louis; by the rest of the position it is none"
    assert problem.wrong.sentence() == f"E-POSITION {said} (§2)"
    german = "der Spieler von russia: louis; nach der übrigen Lage keine Angabe"
    assert problem.wrong.sentence("de") == f"E-POSITION {german} (§2)"


def test_the_text_of_a_position_brings_it_back() -> None:
    table = sound("duel")
    assert msgspec.json.decode(canonical(table.state), type=State) == table.state
