"""A game for practice: one seat is the player's, bots answer for all others as soon as its orders are carried out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from secrets import token_hex

from pbem.desk.advising import answer_of
from pbem.desk.steps import Course
from pbem.engine.decisions import Allot, Answer
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, digest
from pbem.faults.wrong import wrong
from pbem.kit import copy_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.documents.writing import write
from pbem.paper.orders.files import Orders, OrderSource
from pbem.paper.orders.trial import step, transfers
from pbem.paper.positions.files import load_position
from pbem.playing.game import PlayedGame, replayed_game
from pbem.playing.saved import Setup, saved_data, saved_parts
from pbem.report.language.templates import capital, macros_of
from pbem.resources import data_of, games
from pbem.seal.canonical import AnyTree

SCENARIOS = "scenarios.yaml"

USUAL = "sensible"
"""Level of the bots where nobody has chosen one."""


class Practice:
    """Game against bots, in which one seat is the player's."""

    def __init__(self, game: PlayedGame) -> None:
        """Let the bots play until the seat is asked."""
        self.game = game
        self.game.question()

    @classmethod
    def of(cls, game: str, scenario: str, seat: str, bot: str) -> Practice:
        """A new game; no seat means the one that acts first."""
        terms = terms_of(game, scenario)
        rules = rules_of(terms)
        own = seat or first_seat(rules)
        bots = {other: bot for other in rules.seats if other != own}
        return cls(PlayedGame(rules, Setup(terms, token_hex(8), own, bots)))

    @classmethod
    def saved(cls, data: bytes, source: str) -> Practice:
        """The game of a file that was saved here or by `pbem play`; raises `Refused`."""
        setup, entries, reached = saved_parts(data, source)
        try:
            rules = rules_of(setup.terms)
        except Refused:
            board = as_quoted(setup.terms.get("board", ""))
            raise Refused(source, [wrong("E-PLAY-FILE.terms", board=board)]) from None
        return cls(replayed_game(rules, setup, entries, reached, source))

    def text(self) -> str:
        """The file by which the game goes on, here or in `pbem play`."""
        return saved_data(self.game.setup, self.game.entries, digest(self.game.table.state)).decode()

    def deal(self) -> None:
        """Let a bot deal out the troops of the seat, and play until the seat is asked something else."""
        while isinstance(decision := self.game.question(), Allot):
            self.game.take(decision.power, answer_of(self.game.table, decision))

    @property
    def seat(self) -> str:
        """The seat that a person plays."""
        return self.game.setup.seat

    @property
    def course(self) -> Course:
        """Everything that the player has seen."""
        heard = tuple(self.game.heard)
        return Course(self.game.begun, heard, len(heard) - len(self.game.news))

    def go_on(self, orders: Orders) -> None:
        """Carry orders out, and play until the seat is asked again; raises `Refused`, and then nothing has changed.

        The orders end at the first question that they do not answer.
        """
        given = answers_in(self.game.table, orders)
        self.game.news.clear()
        for power, answer in given:
            self.game.take(power, answer)
        self.game.question()


def answers_in(table: Table, orders: Orders) -> list[tuple[Power, Answer]]:
    """Answers that orders give at a table, which stays unchanged; raises `Refused`."""
    tried = copy_of(table)
    sources = (OrderSource(tried, orders),)
    found: list[tuple[Power, Answer]] = []
    for each in chain(transfers(tried, sources), iter(lambda: step(tried, sources), None)):
        if each.is_refused or each.given is None:
            raise Refused(orders.source, each.faults)
        found.append((each.power, each.given.answer))
    return found


def terms_of(game: str, scenario: str) -> dict[str, str]:
    """The usual terms of a scenario; one without a name is the first."""
    return {"game": game, "scenario": scenario} if scenario else {"game": game}


def rules_of(terms: Mapping[str, str]) -> GameRules:
    """The rules of a game on these terms."""
    return load_position(write(terms).encode(), "practice").rules


def first_seat(rules: GameRules) -> str:
    """The seat that acts first."""
    return next(seat for seat, powers in rules.seats.items() if rules.powers[0] in powers)


def scenarios(language: str) -> dict[str, Mapping[str, str]]:
    """The titles of the scenarios of every game in a language, by their names."""
    return {game: {name: title_in(language, game, name) for name in titles(game)} for game in games()}


def title_in(language: str, game: str, scenario: str) -> str:
    """The title of a scenario in a language, and what it is about."""
    called: Mapping[str, str] = macros_of(language, game, "game.txt.j2").TERMS["scenario"]
    return capital(called.get(scenario, scenario))


@cache
def titles(game: str) -> Mapping[str, str]:
    """The titles of one game's scenarios; a game without a list of them has one, which needs no name."""
    path = data_of(game) / SCENARIOS
    if not path.is_file():
        return {"": game}
    found: AnyTree = bare(read_yaml(path.read_bytes(), SCENARIOS))
    assert isinstance(found, Mapping)
    return {name: str(each.get("title", name)) for name, each in found.items()}
