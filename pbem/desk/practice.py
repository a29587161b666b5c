"""A game for practice: one seat is the player's, bots answer for all others as soon as its orders are carried out."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from secrets import token_hex

from pbem.bots.game_bots import Policy
from pbem.bots.table import bot_named
from pbem.engine.events import Event
from pbem.engine.memory import Memory, remember
from pbem.engine.nouns import Power
from pbem.engine.stream import SeededDealer
from pbem.engine.table import GameRules, player_of
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.documents.writing import write
from pbem.paper.orders.answers import OrderSource
from pbem.paper.orders.files import Orders
from pbem.paper.orders.trial import Step, step, transfers
from pbem.paper.positions.files import load_position
from pbem.paper.remembered import nothing_remembered
from pbem.resources import data_of, games
from pbem.seal.canonical import AnyTree

SCENARIOS = "scenarios.yaml"


class Practice:
    """One such game."""

    def __init__(self, game: str, scenario: str, seat: str, bot: str, seed: str = "") -> None:
        """Deal, and let the bots play until the seat is asked."""
        rules = rules_of(game, scenario)
        self.seat = seat
        self.policy: Policy = bot_named(bot, game)
        seed = seed or token_hex(8)
        self.chance = Random(seed)  # noqa: S311 - bots need no secrets
        self.table, begun = game_named(game).start(rules, SeededDealer(seed))
        self.memory: Memory = nothing_remembered(self.table)
        self.news: list[Event] = []
        """What has happened since the seat was asked last."""
        self.note(begun)
        self.bots_play()

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers that the seat plays now."""
        return tuple(power for power in self.table.rules.powers if player_of(self.table, power) == self.seat)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.table.state.phase == "over")

    def go_on(self, orders: Orders) -> None:
        """Carry orders out, and play until the seat is asked again; raises `Refused`, and then nothing has changed.

        What they foresee of later questions holds as long as it can be done.
        """
        table = copy_of(self.table)
        sources, steps = (OrderSource(table, orders),), list[Step]()
        steps += transfers(table, sources)
        while answered := step(table, sources):
            steps.append(answered)
            if answered.refused:
                raise Refused(orders.source, answered.faults)
        self.table, self.news = table, []
        for each in steps:
            self.note(each.events)
        self.bots_play()

    def bots_play(self) -> None:
        """Let the bots answer until the seat has to."""
        game = game_of(self.table)
        while not self.over:
            others = [each for each in game.decisions(self.table) if player_of(self.table, each.power) != self.seat]
            if not others:
                return
            answer = self.policy(self.table, others[0], self.chance)
            self.note(game.apply(self.table, others[0].power, answer))

    def note(self, events: list[Event]) -> None:
        """Remember what has happened."""
        self.news += events
        remember(self.memory, game_of(self.table).on_map, self.table.rules.common, events)


def rules_of(game: str, scenario: str) -> GameRules:
    """The rules of a scenario, on the usual terms."""
    terms = {"game": game, "scenario": scenario} if scenario else {"game": game}
    return load_position(write(terms).encode(), "practice").rules


def scenarios() -> dict[str, dict[str, str]]:
    """The titles of the scenarios of every game, by their names."""
    return {game: titles(game) for game in games()}


def titles(game: str) -> dict[str, str]:
    """The titles of one game's scenarios; a game without a list of them has one, which needs no name."""
    path = data_of(game) / SCENARIOS
    if not path.is_file():
        return {"": game}
    found: AnyTree = bare(read_yaml(path.read_bytes(), SCENARIOS))
    assert isinstance(found, Mapping)
    return {name: str(each.get("title", name)) for name, each in found.items()}
