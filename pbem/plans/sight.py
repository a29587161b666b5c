"""Facts that plans may depend on. Of the room's modules only this one reads the table's secrets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.engine.cards import is_reserve, value_of
from pbem.engine.combat import Duel, sides
from pbem.engine.decisions import Decision, Pairing, PlayCard
from pbem.engine.events import BattleJoined, CardPlayed, Event
from pbem.engine.field import Field, PieceState
from pbem.engine.nouns import Card, City, Piece, Power, each_piece
from pbem.engine.table import GameRules, Table, player_of, powers_of_player
from pbem.engine.troops import Retreat
from pbem.kit import AnyTable, AnyView, game_of


class Tally(Struct):
    """Count of the cards that were played in the latest combat. All events of the game must be given to `see`."""

    battle: int = 0
    """Number of combats so far."""
    cards: dict[str, int] = field(default_factory=dict)
    """Number of cards that each power has played."""
    points: dict[str, int] = field(default_factory=dict)
    """Sum of the values of these cards."""

    def see(self, events: Iterable[Event]) -> None:
        """Count the cards that are played in these events. At the beginning of a combat the counts are set to zero."""
        for event in events:
            match event:
                case BattleJoined():
                    self.battle += 1
                    self.cards, self.points = {}, {}
                case CardPlayed(power, _, worth):
                    self.cards[power] = self.cards.get(power, 0) + 1
                    self.points[power] = self.points.get(power, 0) + worth


class PlayableCard(Struct, frozen=True):
    """A play that is legal now: the card, the value declared for a Reserve (0 for other cards), and the points that it
    makes."""

    card: Card
    value: int
    worth: int

    @property
    def is_reserve(self) -> bool:
        return is_reserve(self.card)


FindPlayable = Callable[[AnyTable, PlayCard], tuple[PlayableCard, ...]]
"""Function of a game that returns the legal plays of a decision."""


def playable_cards(table: Table, decision: PlayCard) -> tuple[PlayableCard, ...]:
    """Return the legal plays of a decision: each card at its printed value, a Reserve once for every value
    (MARIA §8)."""
    most = table.rules.common.decks.reserve_most
    found: list[PlayableCard] = []
    for card in decision.cards:
        if is_reserve(card):
            found += [PlayableCard(card, value, value) for value in range(1, most + 1)]
        else:
            found.append(PlayableCard(card, 0, value_of(card)))
    return tuple(found)


class BattleSeen(Struct, frozen=True):
    """A combat in progress, as seen by the power with the right to play."""

    number: int
    """Number of the combat, as the tally counts."""
    role: str
    city: City
    enemy_city: City
    own: tuple[Piece, ...]
    """Generals of the side with the right to play."""
    enemy: tuple[Piece, ...]
    mine: int
    """Troops that the side with the right to play has stated."""
    theirs: int
    """Troops that the other side has stated."""
    chances: tuple[PlayableCard, ...]
    """Legal plays."""
    shown: int
    """Number of cards that the enemy has played."""
    held: int
    """Number of cards that the enemy still holds."""
    cards: int
    """Number of cards that the side with the right to play has played; `points` is their value."""
    points: int


class PlanSight(Struct, frozen=True):
    """Position as one power's player knows it."""

    rules: GameRules
    power: Power
    turn: int
    stage: str
    field: Field
    hand: tuple[Card, ...]
    battle: BattleSeen | None
    retreat: Retreat | None
    pairings: tuple[Pairing, ...]
    """Attacks that are still due."""
    view: AnyView
    """View of the game for the player of the power."""


def see(table: Table, decision: Decision, tally: Tally, plays: FindPlayable) -> PlanSight:
    """Return the position as it is known to the player who has to decide. `plays` finds the legal plays in a combat."""
    power, state = decision.power, table.state
    own = powers_of_player(table, player_of(table, power))
    duel: Duel | None = getattr(state, "duel", None)
    battle = (
        battle_of(table, decision, duel, tally, plays(table, decision))
        if duel and isinstance(decision, PlayCard)
        else None
    )
    return PlanSight(
        rules=table.rules,
        power=power,
        turn=state.turn,
        stage=state.stage,
        field=field_for(table, own, (*battle.own, *battle.enemy) if battle else ()),
        hand=tuple(state.cards.hands[power]),
        battle=battle,
        retreat=getattr(state, "retreat", None),
        pairings=tuple(getattr(state, "battles", ())),
        view=game_of(table).view(table, own),
    )


def battle_of(
    table: Table, decision: PlayCard, duel: Duel, tally: Tally, chances: tuple[PlayableCard, ...]
) -> BattleSeen:
    """Return the combat in progress as the deciding power sees the combat. Both sides must have stated their troops."""
    rules, field = table.rules.common, table.state.field
    attackers, defenders = sides(rules, field, duel)
    attacks = duel.turn == "attacker"
    cities = (duel.attacking_city, duel.defending_city)
    own, enemy = (attackers, defenders) if attacks else (defenders, attackers)
    foe = duel.defender if attacks else duel.attacker
    return BattleSeen(
        number=tally.battle,
        role=duel.turn,
        city=cities[0] if attacks else cities[1],
        enemy_city=cities[1] if attacks else cities[0],
        own=own,
        enemy=enemy,
        mine=sum(field.pieces[general].troops for general in own),
        theirs=sum(field.pieces[general].troops for general in enemy),
        chances=chances,
        shown=tally.cards.get(foe, 0),
        held=len(table.state.cards.hands[foe]),
        cards=tally.cards.get(decision.power, 0),
        points=tally.points.get(decision.power, 0),
    )


def field_for(table: Table, own: Collection[Power], stated: Collection[Piece]) -> Field:
    """Return the map as the player of the powers in `own` knows it: with the troops of that player's generals, and of
    generals in `stated`."""
    field = table.state.field
    pieces = []
    for number, piece in each_piece(field.pieces):
        known = table.rules.common.pieces[number].power in own or number in stated
        pieces.append(PieceState(piece.city, piece.troops if known else 0, piece.down, piece.on_top))
    return replace(field, pieces=pieces)
