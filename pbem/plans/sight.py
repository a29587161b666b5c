"""The position as far as plans may know it. No other module of `pbem/plans` reads hidden values of the table."""

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
    """Count of the cards that each power has played in the latest combat. The caller must give all events of the game
    to `see`."""

    battle: int = 0
    """Number of combats so far, including the latest."""
    cards: dict[str, int] = field(default_factory=dict)
    """Number of cards that each power has played."""
    points: dict[str, int] = field(default_factory=dict)
    """Sum of the values of the cards that each power has played."""

    def see(self, events: Iterable[Event]) -> None:
        """Count the cards that are played in `events`. The counts return to zero when a new combat begins."""
        for event in events:
            match event:
                case BattleJoined():
                    self.battle += 1
                    self.cards, self.points = {}, {}
                case CardPlayed(power, _, worth):
                    self.cards[power] = self.cards.get(power, 0) + 1
                    self.points[power] = self.points.get(power, 0) + worth


class PlayableCard(Struct, frozen=True):
    """Card that may be played now. For a Reserve, `value` is the value declared for it; else it is 0. `worth` is what
    the card adds to the score."""

    card: Card
    value: int
    worth: int

    @property
    def is_reserve(self) -> bool:
        return is_reserve(self.card)


FindPlayable = Callable[[AnyTable, PlayCard], tuple[PlayableCard, ...]]
"""Function of a game that returns the cards with which a decision can be answered."""


def playable_cards(table: Table, decision: PlayCard) -> tuple[PlayableCard, ...]:
    """Return the cards that answer a decision in combat. A Reserve comes once for each value that it can have (MARIA
    §8)."""
    most = table.rules.common.decks.reserve_most
    found: list[PlayableCard] = []
    for card in decision.cards:
        if is_reserve(card):
            found += [PlayableCard(card, value, value) for value in range(1, most + 1)]
        else:
            found.append(PlayableCard(card, 0, value_of(card)))
    return tuple(found)


class BattleSeen(Struct, frozen=True):
    """Combat in progress, as seen by the power whose turn it is to play."""

    number: int
    """Number of the combat in the game (`Tally.battle`)."""
    role: str
    city: City
    enemy_city: City
    own: tuple[Piece, ...]
    """Generals of the side whose turn it is to play."""
    enemy: tuple[Piece, ...]
    mine: int
    """Number of troops that this side has stated."""
    theirs: int
    """Number of troops that the other side has stated."""
    chances: tuple[PlayableCard, ...]
    """Cards that the power may play now."""
    shown: int
    """Number of cards that the enemy has played."""
    held: int
    """Number of cards that the enemy still holds."""
    cards: int
    """Number of cards that the side to play has played so far. `points` is the sum of their values."""
    points: int


class PlanSight(Struct, frozen=True):
    """The position as far as the player of one power knows it."""

    rules: GameRules
    power: Power
    turn: int
    stage: str
    field: Field
    hand: tuple[Card, ...]
    battle: BattleSeen | None
    retreat: Retreat | None
    pairings: tuple[Pairing, ...]
    """Attacks of this stage that have not been fought yet."""
    view: AnyView
    """The game's own `View` for the player of the power."""


def see(table: Table, decision: Decision, tally: Tally, plays: FindPlayable) -> PlanSight:
    """Return the position as far as the player knows it who has to decide. `plays` is the function that finds the cards
    that may be played in a combat."""
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
    """Return the combat in progress, as seen by the power that has to decide. The caller must make sure that both sides
    have stated their troops."""
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
    """Return the map as far as the player of the powers `own` knows it. Generals of other powers have 0 troops in it,
    except for those in `stated`, whose troops are known."""
    field = table.state.field
    pieces = []
    for number, piece in each_piece(field.pieces):
        known = table.rules.common.pieces[number].power in own or number in stated
        pieces.append(PieceState(piece.city, piece.troops if known else 0, piece.down, piece.on_top))
    return replace(field, pieces=pieces)
