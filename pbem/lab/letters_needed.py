"""Number of letters that a game by mail needs. Bots play each game twice: once with orders for the present stage only,
and once with standing plans and with orders ahead, which are orders for later stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

from msgspec import Struct, field

from pbem.bots.plain import Policy, hold
from pbem.bots.table import sensible_policy
from pbem.campaign.play.ahead import AheadInUse, AheadSource, LetterAhead, ahead_in
from pbem.campaign.play.resolving import Lapses, StageOutcome, resolve
from pbem.campaign.play.sources import PlayerSource, source_of, standing_source
from pbem.campaign.players.letters import decisions_asked, orders_decided, table_to_look_ahead, with_ahead
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import March
from pbem.engine.field import are_enemies
from pbem.engine.nouns import City, Power, each_piece
from pbem.engine.table import GameRules, Table, player_of, powers_of_player, stage_of
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.documents.reader import node_of
from pbem.paper.library import USUAL, preset_plans
from pbem.paper.orders.files import Orders, merged_orders, orders_tree, read_orders
from pbem.paper.plans.ahead import AHEAD
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource
from pbem.seal.canonical import Tree

REACH = 6
"""Distance in cities. An enemy who is farther away cannot meet a march."""


class ForeseenOrders(Struct):
    """Orders of a player for later stages, as far as they can be foreseen."""

    stages: dict[str, dict[str, Tree]] = field(default_factory=dict)
    """Dict from each stage to the orders of the player's powers for it."""
    is_all: bool = True
    """True if the player's marches in all later stages of the present turn could be foreseen, and are among the
    orders."""

    def letter(self, orders: dict[str, Tree]) -> dict[str, Tree]:
        """Return the orders of a letter, with the orders for later stages added in blocks of their own."""
        for stage, later in self.stages.items():
            orders = with_ahead(orders, stage, later)
        return orders


class ForesightPlayer(Struct, frozen=True):
    """Player who gives orders for later stages, and the data needed for that."""

    name: str
    policy: Policy
    chance: Random
    plans: PlanSource | None
    stage: str
    """Stage for which the letter is written. Marches in this stage are not orders for a later stage."""


def foresee(table: Table, player: ForesightPlayer) -> ForeseenOrders:
    """Return the player's marches in later stages of this turn, up to the first one that an enemy general may be near
    by then. To find them, the game is played at `table` to the end of the turn, and the other players do not move.
    `table` must be a copy on which hidden cards have been dealt anew."""
    game, found, parts = game_of(table), ForeseenOrders(), dict[str, list[dict[str, Tree]]]()
    turn, movers = table.state.turn, set[Power]()
    while table.state.phase != "over" and table.state.turn == turn:
        decision = game.decisions(table)[0]
        is_march, stage = isinstance(decision, March), stage_of(table)
        is_later = is_march and stage != player.stage
        if player_of(table, decision.power) != player.name:
            movers |= {decision.power} if is_march else set()
            game.apply(table, decision.power, hold(table, decision, player.chance))
            continue
        if is_later and is_reached(table, decision.power, movers):
            found.is_all = False
            break
        given = player.plans.answer(decision) if player.plans else None
        answer = given.answer if given else player.policy(table, decision, player.chance)
        if is_later:
            parts.setdefault(stage, []).append(orders_tree(table, decision.power, decision, answer))
        game.apply(table, decision.power, answer)
    found.stages = {stage: merged_orders(table, each) for stage, each in parts.items()}
    return found


def is_reached(table: Table, power: Power, movers: set[Power]) -> bool:
    """True if a general of an enemy power in `movers` is within `REACH` of a piece of `power`."""
    common, state = table.rules.common, table.state
    foes = {mover for mover in movers if are_enemies(state.field, mover, power)}
    places: Mapping[bool, list[City]] = {True: [], False: []}
    for number, piece in each_piece(state.field.pieces):
        owner = common.pieces[number].power
        if piece.city >= 0 and (owner == power or (owner in foes and common.is_general(number))):
            places[owner == power].append(piece.city)
    return any(common.board.distance(foe)[own] <= REACH for foe in places[False] for own in places[True])


class CountedLetters(Struct):
    """Number of turns, of rounds, and of players' letters in one game."""

    turns: int = 0
    rounds: int = 0
    letters: Counter[str] = field(default_factory=Counter)
    """Number of letters that each player wrote. Standing plans count as one letter."""
    stages: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of letters that each player wrote in a stage because an answer was owed. A key is a pair: turn and stage
    (`3/france`), and the player."""


def counter_of_letters(rules: GameRules) -> Callable[[str], tuple[CountedLetters, CountedLetters]]:
    """Return a function that takes a seed and plays its game twice, without plans and with plans. The function returns
    the counts of both games."""
    return lambda seed: (letters_of_game(rules, seed, plans=False), letters_of_game(rules, seed, plans=True))


def letters_of_game(rules: GameRules, seed: str, plans: bool) -> CountedLetters:
    """Let bots play a game, with or without standing plans, and return the counts of its letters."""
    return Correspondence(rules, seed, sensible_policy(rules.terms.game), plans).run()


class Correspondence:
    """Game by letters: every player who owes a decision writes a letter, and then all letters are carried out."""

    def __init__(self, rules: GameRules, seed: str, policy: Policy, plans: bool) -> None:
        """Begin the game. If `plans` is true, every player's first letter has standing plans."""
        self.chance = Random(seed)  # noqa: S311 - bots need no secrets
        self.policy = policy
        table, events = game_named(rules.terms.game).start(rules, SeededDealer(seed))
        self.table: Table = table
        self.tally = Tally()
        self.tally.see(events)
        self.post = CountedLetters()
        self.orders: dict[str, dict[str, Tree]] = {}
        """Dict from each player to the orders that have not been carried out yet."""
        self.remains: dict[str, dict[str, dict[str, int]]] = {}
        self.plans = {player: plans_for(table, player) for player in rules.seats} if plans else {}
        self.used: dict[str, dict[str, dict[str, int]]] = {}
        self.ahead: dict[str, list[LetterAhead]] = {}
        """Dict from each player to his orders for later stages of the present turn. The newest letter is the first in
        the list."""
        self.in_use: dict[str, dict[Power, AheadInUse]] = {}
        self.post.letters.update(list(self.plans))

    def run(self) -> CountedLetters:
        """Play the game to its end, and return the counts of its letters."""
        while self.table.state.phase != "over":
            self.plan_anew()
            asked = self.players_owing()
            for player in asked:
                self.take(player, self.letter(player))
                self.post.stages[stage_of(self.table), player] += 1
            for player in self.plans if asked else ():
                if player not in (*asked, *self.ahead) and (early := self.early_orders(player)):
                    self.take(player, early)
            self.settle(resolve(lambda: copy_of(self.table), self.sources, self.tally, Lapses()))
            self.post.rounds += 1
        self.post.turns = self.table.state.turn
        return self.post

    def take(self, player: str, orders: dict[str, Tree]) -> None:
        """Count a letter of a player, and store its orders. They replace earlier orders for the present stage, and take
        precedence over earlier orders for later stages."""
        self.post.letters[player] += 1
        blocks = ahead_in(parsed_orders(self.table, orders))
        if blocks:
            self.ahead.setdefault(player, []).insert(0, LetterAhead(self.post.letters.total(), blocks))
        present = {power: without_ahead(sections) for power, sections in orders.items()}
        if any(present.values()):
            self.orders[player] = present
            self.remains.pop(player, None)

    def early_orders(self, player: str) -> dict[str, Tree]:
        """Return orders of a player who owes nothing for all later stages of this turn. Return no orders if one of his
        marches cannot be foreseen, because it depends on other players."""
        found = self.foreseen_orders(player, table_to_look_ahead(self.table))
        return found.letter({}) if found.is_all else {}

    def foreseen_orders(self, player: str, table: Table) -> ForeseenOrders:
        """Return the orders for later stages that a player can give now. `table` must be a copy on which the present
        decisions have been answered."""
        plans = self.standing_plans(player, table, Tally())
        return foresee(table, ForesightPlayer(player, self.policy, self.chance, plans, stage_of(self.table)))

    def plan_anew(self) -> None:
        """Send new standing plans for each player who has got a power from another player."""
        for player in self.plans:
            plans = plans_for(self.table, player)
            if not plans.keys() <= self.plans[player].keys():
                self.plans[player] = plans
                self.used.pop(player, None)
                self.post.letters[player] += 1

    def players_owing(self) -> list[str]:
        """Return the players who owe a decision that neither their orders nor their plans answer."""
        sources = self.sources(self.table, self.tally)
        return list(
            dict.fromkeys(
                player
                for decision in game_of(self.table).decisions(self.table)
                if not sources[player := player_of(self.table, decision.power)].speaks_of(decision)
            )
        )

    def letter(self, player: str) -> dict[str, Tree]:
        """Return orders for all decisions that a player owes and that his plans do not answer, up to a decision that
        cannot be foreseen. In these orders, a power whose march cannot be foreseen stays where it is. If the game is
        played with plans, orders for later stages are added."""
        table = table_to_look_ahead(self.table)
        marching = [one.power for one in decisions_asked(table, player) if isinstance(one, March)]
        still: dict[str, Tree] = {power: {"move": []} for power in marching}
        plans = self.standing_plans(player, table, Tally())
        orders = still | orders_decided(table, player, self.policy, self.chance, plans)
        return self.foreseen_orders(player, table).letter(orders) if self.plans else orders

    def sources(self, table: Table, tally: Tally) -> dict[str, PlayerSource]:
        """Return for every player the source of his answers. It combines his orders and his plans."""
        stage = stage_of(self.table)
        found = {}
        for player in table.rules.seats:
            orders = self.orders.get(player)
            remains = self.remains.get(player)
            own = source_of(table, parsed_orders(table, orders), tally, remains, stage) if orders is not None else None
            ahead = AheadSource(table, self.ahead.get(player, ()), tally, self.in_use.get(player, {}))
            found[player] = PlayerSource(own, self.standing_plans(player, table, tally), ahead)
        return found

    def standing_plans(self, player: str, table: Table, tally: Tally) -> PlanSource | None:
        """Return a source of answers that uses a player's standing plans. Return None if the player has no plans."""
        plans = self.plans.get(player)
        return standing_source(table, parsed_orders(table, plans), tally, self.used.get(player), "") if plans else None

    def settle(self, outcome: StageOutcome) -> None:
        """Store the table and the unused orders with which a stage has ended. Orders for past stages are dropped."""
        assert outcome.answers
        same_stage = stage_of(outcome.table) == stage_of(self.table)
        self.remains = outcome.remains if same_stage else {}
        self.orders = {player: orders for player, orders in self.orders.items() if player in self.remains}
        self.used = outcome.used
        self.in_use = outcome.ahead
        if outcome.table.state.turn != self.table.state.turn:
            self.ahead.clear()
        self.table, self.tally = outcome.table, outcome.tally


def without_ahead(sections: Tree) -> Tree:
    """Return a power's orders without those for later stages."""
    assert isinstance(sections, dict)
    return {section: said for section, said in sections.items() if section != AHEAD}


def plans_for(table: Table, player: str) -> dict[str, Tree]:
    """Return the standing plans for all powers of a player, in the form that letters have."""
    own = powers_of_player(table, player)
    return {power: {"plans": preset_plans(table.rules, USUAL, power, own)} for power in own}


def parsed_orders(table: Table, orders: Mapping[str, Tree]) -> Orders:
    """Parse orders that have the form of a letter."""
    return read_orders(node_of({"stage": stage_of(table), "orders": dict(orders)}), "letter", table.rules)
