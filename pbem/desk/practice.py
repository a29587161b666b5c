"""Practice game: the player has one seat, and bots answer for all others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from secrets import token_hex

from msgspec.structs import replace

from pbem.bots.table import winners_of
from pbem.desk.stage_plan import answer_of
from pbem.desk.steps import Course
from pbem.engine.decisions import Allot, Answer, PlayCard, Stop
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, digest
from pbem.faults.wrong import wrong
from pbem.kit import copy_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.documents.writing import write
from pbem.paper.orders.files import Orders, OrderSource
from pbem.paper.orders.trial import play_free_orders, step
from pbem.paper.positions.files import load_position
from pbem.playing.branches import BranchGame, opening_of, replayed_game
from pbem.playing.game import PlayedGame
from pbem.playing.saved import Setup, saved_data, saved_parts
from pbem.report.language.templates import capital, macros_of
from pbem.resources import data_of, games
from pbem.seal.canonical import AnyTree

SCENARIOS = "scenarios.yaml"

USUAL = "sensible"
"""Default level of the bots."""


class Practice:
    """Game against bots, with one seat for the player."""

    def __init__(self, game: PlayedGame) -> None:
        self.game = game
        self.play_on()

    def play_on(self) -> None:
        """Let the bots play until the player has a decision. If the player must play a card in a battle but holds none,
        the battle ends at once by `Stop`. In a branch that has gone back the player must end the battle, because its
        end deletes the later steps."""
        while isinstance(asked := self.game.question(), PlayCard) and not asked.cards:
            if self.branch and self.branch.ahead:
                break
            self.game.take(asked.power, Stop())

    @classmethod
    def new(cls, game: str, scenario: str, seat: str, bot: str) -> Practice:
        """Begin a new game; an empty `seat` means the seat that acts first."""
        terms = terms_of(game, scenario)
        rules = rules_of(terms)
        own = seat or first_seat(rules)
        bots = {other: bot for other in rules.seats if other != own}
        return cls(PlayedGame(rules, Setup(terms, token_hex(8), own, bots)))

    @classmethod
    def from_file(cls, data: bytes, source: str) -> Practice:
        """Restore a saved game; raises `Refused` for a faulty file, and for a board that the page does not have."""
        setup, entries, reached = saved_parts(data, source)
        try:
            start = opening_of(setup, source) or rules_of(setup.terms)
        except Refused:
            board = as_quoted(setup.terms.get("board", ""))
            raise Refused(source, [wrong("E-PLAY-FILE.terms", board=board)]) from None
        return cls(replayed_game(start, setup, entries, reached, source))

    def text(self) -> str:
        """Return the game as a file, which `pbem play` can also continue."""
        return saved_data(self.game.setup, self.game.answers, digest(self.game.table.state)).decode()

    @property
    def branch(self) -> BranchGame | None:
        """The game as a branch; None for another game."""
        return self.game if isinstance(self.game, BranchGame) else None

    def deal(self) -> None:
        """Let a bot deal out the troops of the player's seat."""
        while isinstance(decision := self.game.question(), Allot):
            self.game.take(decision.power, answer_of(self.game.table, decision))

    def again(self) -> Practice:
        """Begin a game with the same terms, seat and bots."""
        setup = self.game.setup
        return Practice(PlayedGame(self.game.rules, replace(setup, seed=token_hex(8))))

    @property
    def seat(self) -> str:
        return self.game.setup.seat

    @property
    def is_won(self) -> bool | None:
        """True if the player has won, perhaps with others; None without a winner."""
        result = self.game.table.state.result
        return None if result is None or result.winner is None else self.seat in winners_of(self.game.table)

    @property
    def course(self) -> Course:
        """Events that the player has seen, and the public map before the first of them."""
        game = self.game
        since = len(game.heard) - len(game.news)
        return Course(game.begun, tuple(game.heard), since, tuple(game.aims.told), forced={**game.forced})

    def go_on(self, orders: Orders) -> None:
        """Carry out the orders up to the first unanswered decision, and let the bots play. Raises `Refused`, and
        changes nothing, if an order is illegal."""
        given = answers_in(self.game.table, orders)
        self.game.news.clear()
        for power, answer in given:
            self.game.take(power, answer)
        self.play_on()


def answers_in(table: Table, orders: Orders) -> list[tuple[Power, Answer]]:
    """Return the answers that orders give, without changing the table; raises `Refused` for an illegal order."""
    tried = copy_of(table)
    sources = (OrderSource(tried, orders),)
    found: list[tuple[Power, Answer]] = []
    for each in chain(play_free_orders(tried, sources), iter(lambda: step(tried, sources), None)):
        if each.is_refused or each.given is None:
            raise Refused(orders.source, each.faults)
        found.append((each.power, each.given.answer))
    return found


def terms_of(game: str, scenario: str) -> dict[str, str]:
    """Return the usual terms of a scenario. If `scenario` is empty, the first scenario is meant."""
    return {"game": game, "scenario": scenario} if scenario else {"game": game}


def rules_of(terms: Mapping[str, str]) -> GameRules:
    return load_position(write(terms).encode(), "practice").rules


def first_seat(rules: GameRules) -> str:
    return next(seat for seat, powers in rules.seats.items() if rules.powers[0] in powers)


def scenarios(language: str) -> dict[str, Mapping[str, str]]:
    return {game: {name: title_in(language, game, name) for name in titles(game)} for game in games()}


def title_in(language: str, game: str, scenario: str) -> str:
    """Return the title of a scenario. Most titles are a name, a colon and a description."""
    called: Mapping[str, str] = macros_of(language, game, "game.txt.j2").TERMS["scenario"]
    return capital(called.get(scenario, scenario))


@cache
def titles(game: str) -> Mapping[str, str]:
    """Return the title of each scenario, keyed by name. The only scenario of a game without a list has an empty
    name."""
    path = data_of(game) / SCENARIOS
    if not path.is_file():
        return {"": game}
    found: AnyTree = bare(read_yaml(path.read_bytes(), SCENARIOS))
    assert isinstance(found, Mapping)
    return {name: str(each.get("title", name)) for name, each in found.items()}
