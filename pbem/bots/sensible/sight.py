"""Position of any game as one player knows it. No other module of the shared sensible bot reads the table.

Each general of another player is assumed to have an equal share of his power's troops (§6). The number of cards in
other hands is known (§8). The order of the draw deck is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.weights import Weights
from pbem.engine.decisions import March, Move
from pbem.engine.field import Field, alter, are_enemies, troops_of
from pbem.engine.march import Column
from pbem.engine.nouns import Card, City, Piece, Power, each_piece
from pbem.engine.rules import IllegalOrder, Rules
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.engine.troops import Retreat


class Marches(Struct, frozen=True):
    """Functions that judge marches by the rules of one game, from facts that everybody may know."""

    column: Callable[[Sequence[Piece]], Column]
    """Function that returns the column of some pieces before their march."""
    check: Callable[[March, Move], object]
    """Function that raises `IllegalOrder` for a march that the rules do not allow."""

    def allows(self, decision: March, answer: Move) -> bool:
        try:
            self.check(decision, answer)
        except IllegalOrder:
            return False
        return True


class Sight(Struct):
    """Position as one player knows it."""

    common: Rules
    power: Power
    """Power that has to decide."""
    field: Field
    """Map. The troops of each general of another player are a guess."""
    marches: Marches
    turn: int
    last_turn: bool
    moved: frozenset[Piece]
    owing: frozenset[Power]
    """Powers that still have to answer in the present phase."""
    retreat: Retreat | None
    duel_cities: tuple[City, ...]
    """Cities of the attacker and of the defender in a combat in progress; empty without combat."""
    hands: dict[Power, tuple[Card, ...]]
    """Hands of the player's own powers."""
    hand_sizes: dict[Power, int]
    weights: Weights

    def power_of(self, piece: Piece) -> Power:
        return self.common.pieces[piece].power

    def is_hostile(self, piece: Piece) -> bool:
        return are_enemies(self.field, self.power_of(piece), self.power)

    def is_mine(self, piece: Piece) -> bool:
        """True if the piece belongs to any power of the player who decides."""
        return self.power_of(piece) in self.hands

    def place(self, piece: Piece) -> City:
        return self.field.pieces[piece].city

    def pieces_on_map(self, kind: str) -> list[Piece]:
        """Return all pieces of a kind that stand on the map, whatever their power."""
        facts = self.common.pieces
        return [i for i, piece in each_piece(self.field.pieces) if piece.city >= 0 and facts[i].kind == kind]

    def field_after(self, movers: Sequence[Piece], city: City) -> Field:
        """Return a copy of the map in which the movers stand in a city, and all other pieces where they stand now."""
        after = replace(self.field, pieces=[*self.field.pieces])
        for mover in movers:
            alter(after, mover, city=city)
        return after

    def is_fed_in(self, general: Piece, city: City) -> bool:
        """True if a general needs no train to be in supply in a city (§9)."""
        facts, land = self.common.pieces[general], self.common.board.land[city]
        at_home = self.field.alliances.home.get(land) == facts.power or land in facts.supplied_in
        return at_home or city in self.common.depots.get(facts.power, ())


def own_powers(table: Table, power: Power) -> tuple[Power, ...]:
    return powers_of_player(table, player_of(table, power))


def see(table: Table, power: Power, marches: Marches, last_turn: bool, weights: Weights) -> Sight:
    """Return the position as the player of `power` knows it. `last_turn` is true in the last turn of the game."""
    state = table.state
    own, duel, hands = own_powers(table, power), state.duel, state.cards.hands
    return Sight(
        table.rules.common,
        power,
        field_for(table, own),
        marches,
        state.turn,
        last_turn,
        frozenset(state.moved),
        frozenset(state.owing),
        state.retreat,
        (duel.attacking_city, duel.defending_city) if duel else (),
        {power: tuple(hand) for power, hand in hands.items() if power in own},
        {power: len(hand) for power, hand in hands.items()},
        weights,
    )


def field_for(table: Table, own: Sequence[Power]) -> Field:
    """Return a copy of the map in which the troops of other players' generals are guessed."""
    rules, field = table.rules.common, table.state.field
    guessed = replace(field, pieces=list(field.pieces))
    for power in field.alliances.side:
        if power not in own:
            guess_troops(rules, guessed, power)
    return guessed


def guess_troops(rules: Rules, field: Field, power: Power) -> None:
    """Share a power's troops equally among its generals on the map."""
    total = troops_of(rules, field, power)
    generals = rules.generals(power)
    present = [general for general in generals if field.pieces[general].city >= 0]
    # Rounded so that the shares add up to the total.
    shares = {general: (total + place) // len(present) for place, general in enumerate(present)}
    for general in generals:
        share = shares.get(general, 0)
        if field.pieces[general].troops != share:
            alter(field, general, troops=share)
