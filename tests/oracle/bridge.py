"""The same position for both: from the oracle's situations to the engine's tables, and back."""

from __future__ import annotations

from functools import cache
from random import Random

import msgspec

from pbem.engine.board import Board
from pbem.engine.cards import SeededDealer
from pbem.engine.field import ASIDE, OFF, Field, PieceState, alter, occupants
from pbem.engine.march import Column
from pbem.games.maria.rules.data import MariaRules, Terms
from pbem.games.maria.rules.state import Table, new_field, new_state
from pbem.paper.library import load_named_board, load_rules

from . import brute

JOINT = {"pragmatic": "austria"}
"""The oracle has one name for the side that holds electors jointly (§10.3)."""


@cache
def rules_on(introductory: bool) -> MariaRules:
    """The rules of the introductory game, on its own map or on the whole board, both sides with one player each."""
    rules = load_rules(Terms(players=2))
    if introductory:
        return rules
    board = Board(load_named_board(rules.terms.board))
    seats = {"player-a": rules.seats["player-a"], "player-b": ("austria", "pragmatic")}
    scenario = msgspec.structs.replace(
        rules.scenario,
        maps=tuple(board.data.maps),
        absent=(),
        players={2: msgspec.structs.replace(rules.scenario.players[2], seats=seats)},
    )
    powers = (*rules.powers, "pragmatic")
    return msgspec.structs.replace(
        rules, common=msgspec.structs.replace(rules.common, board=board), scenario=scenario, powers=powers
    )


@cache
def oracle_board(introductory: bool) -> brute.Board:
    """The board as the oracle reads it from the file."""
    return brute.one_map(oracle_board(False), "bohemia") if introductory else brute.read_board(brute.load(brute.BOARD))


class Bridge:
    """A situation of the oracle beside the table that shows the same."""

    def __init__(self, situation: brute.Situation, whole_board: bool) -> None:
        """Put every piece, marker and hussar of the situation on a table."""
        self.situation = situation
        self.rules = rules_on(not whole_board)
        self.common = self.rules.common
        self.index = self.common.board.index
        self.piece = {facts.name: number for number, facts in enumerate(self.common.pieces)}
        state = new_state(self.rules)
        state.field = self.make_field()
        state.stage, state.phase, state.begun = "prussia", "movement", True
        self.table = Table(self.rules, state, SeededDealer("oracle"))

    def make_field(self) -> Field:
        """The engine's field."""
        field = new_field(self.rules)
        field.pieces = [self.make_piece(self.situation.pieces[facts.name]) for facts in self.common.pieces]
        control = {**brute.START_CONTROL, **self.situation.control}
        field.markers = {self.index[city]: power for city, power in control.items()}
        field.hussars = [self.index[city] for city in self.situation.hussars]
        field.hussars += [OFF] * (self.rules.game.hussars.count - len(field.hussars))
        for pieces in occupants(field).values():
            ranks = {self.common.pieces[piece].rank for piece in pieces}
            alter(field, pieces[0], on_top=len(pieces) > 1 and len(ranks) == 1)
        return field

    def make_piece(self, piece: brute.Piece) -> PieceState:
        """One piece; every general has two troops, which no question of the oracle asks for."""
        if piece.city is None:
            return PieceState(OFF if piece.in_play else ASIDE)
        return PieceState(self.index[piece.city], 2 if piece.kind == "general" else 0, piece.face_down)

    @property
    def field(self) -> Field:
        """The engine's field."""
        return self.table.state.field

    def column(self, movers: tuple[str, ...], field: Field | None = None) -> Column:
        """The movers, as the engine marches them."""
        return Column(self.common, field or self.field, [self.piece[name] for name in movers])

    def numbers(self, path: brute.WalkPath) -> tuple[int, ...]:
        """A path of the oracle in the engine's numbers."""
        return tuple(self.index[city] for city in path)

    def names(self, path: tuple[int, ...]) -> brute.WalkPath:
        """A path of the engine in names."""
        return tuple(self.common.board.cities[city].name for city in path)

    def copy_of_field(self) -> Field:
        """A field to try something on."""
        return msgspec.convert(msgspec.to_builtins(self.field), Field)


def situation_of(table: Table) -> brute.Situation:
    """Facts about a position in mid-game that the oracle needs."""
    common, field = table.rules.common, table.state.field
    cities = common.board.cities
    pieces = {
        facts.name: brute.Piece(
            facts.name,
            facts.power,
            facts.kind,
            facts.rank,
            cities[now.city].name if now.city >= 0 else None,
            now.down,
            now.city != ASIDE,
        )
        for facts, now in zip(common.pieces, field.pieces, strict=True)
    }
    control = {cities[city].name: power for city, power in field.markers.items()}
    hussars = tuple(cities[city].name for city in field.hussars if city >= 0)
    return brute.Situation(oracle_board(introductory=True), pieces, control, hussars, introductory=True)


def scattered(seed: int, whole_board: bool) -> brute.Situation:
    """A situation drawn at random: most pieces crowded around some city, control and hussars anyhow."""
    chance = Random(f"scattered {seed}")
    board = oracle_board(not whole_board)
    middle = chance.choice(sorted(board.cities))
    around = sorted(brute.within(board, middle, 4))
    taken: dict[str, list[brute.Piece]] = {}
    pieces: dict[str, brute.Piece] = {}
    base = brute.Situation(board, {})
    for facts in rules_on(not whole_board).common.pieces:
        piece = brute.Piece(facts.name, facts.power, facts.kind, facts.rank)
        if not whole_board and facts.power == "pragmatic":
            piece = brute.Piece(facts.name, facts.power, facts.kind, facts.rank, in_play=False)
        elif chance.random() < 0.8:
            city = chance.choice(around)
            there = taken.setdefault(city, [])
            fits = not there or (
                len(there) == 1
                and {facts.kind, there[0].kind} == {"general"}
                and base.co_operate(facts.power, there[0].power)
            )
            if fits:
                down = facts.kind == "general" and chance.random() < 0.25
                piece = brute.Piece(facts.name, facts.power, facts.kind, facts.rank, city, down)
                there.append(piece)
        pieces[facts.name] = piece
    control = {
        city: chance.choice(("austria", "france", "prussia")) for city in board.fortresses() if chance.random() < 0.3
    }
    empty = [city for city in around if not taken.get(city) and board.cities[city].map == "bohemia"]
    hussars = tuple(chance.choice(empty) for _ in range(2) if empty)
    situation = brute.Situation(board, pieces, control, hussars, introductory=True)
    assert brute.faults(situation) == []
    return situation
