"""A game of one person against bots: whose answer comes next, what has happened, what can be taken back."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from msgspec import Struct

from pbem.bots.game_bots import game_bots
from pbem.bots.table import best, bot_named
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event, StageBegan, all_seen_by
from pbem.engine.memory import Memory, remember
from pbem.engine.nouns import Power
from pbem.engine.stream import SeededDealer
from pbem.engine.table import GameRules, Table, player_of, powers_of_player
from pbem.faults.words import Words
from pbem.kit import AnyView, copy_of, game_named
from pbem.paper.remembered import nothing_remembered
from pbem.playing.choices import asked_of, only_choice
from pbem.playing.saved import Entry, Setup
from pbem.report.naming import table_in_words


class Advice(Struct, frozen=True):
    """An answer, and what would come of it."""

    power: Power
    answer: Answer
    events: tuple[Event, ...]
    after: Table
    """The table as it would be; as it is, if what comes of it cannot be known."""


class PlayedGame:
    """A game in progress. It follows from its setup and its answers alone."""

    table: Table
    memory: Memory
    """What everybody remembers of how the position came about."""
    entries: list[Entry]
    news: list[Event]
    """What the person has seen happen since it was told."""
    stage: StageBegan | None
    """The stage that began last."""
    firm: int
    """So many answers cannot be taken back: a bot has answered since, something came out, or one had no choice."""

    def __init__(self, rules: GameRules, setup: Setup, entries: Iterable[Entry] = ()) -> None:
        """Begin a game, and play the answers that there are already; raises `IllegalOrder` for one that is none."""
        self.rules = rules
        self.setup = setup
        self.game = game_named(rules.terms.game)
        self.policies = {seat: bot_named(bot, rules.terms.game) for seat, bot in setup.bots.items()}
        self.begin(entries)

    def begin(self, entries: Iterable[Entry]) -> None:
        """The game from its beginning, as far as these answers lead."""
        self.table, events = self.game.start(self.rules, SeededDealer(self.setup.seed))
        self.memory = nothing_remembered(self.table)
        self.entries, self.news, self.firm, self.stage = [], [], 0, None
        self.note(events)
        for entry in entries:
            if self.is_own(entry.power):
                self.news.clear()
            self.take(entry.power, entry.answer)

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers that the person plays now."""
        return tuple(power for power in self.rules.powers if self.is_own(power))

    def is_own(self, power: Power) -> bool:
        return player_of(self.table, power) == self.setup.seat

    @property
    def is_over(self) -> bool:
        return self.table.state.phase == "over"

    def take(self, power: Power, answer: Answer) -> None:
        """Let a power answer; raises `IllegalOrder`, and then nothing has changed."""
        is_chosen = self.is_own(power) and self.has_choice(power)
        events = self.game.apply(self.table, power, answer)
        self.entries.append(Entry(power, answer))
        self.note(events)
        if not is_chosen or any(event.reveals for event in events):
            self.firm = len(self.entries)

    def has_choice(self, power: Power) -> bool:
        """Whether what a power is asked can be answered in more than one way."""
        asked = asked_of(self.table, power)
        return asked is None or not only_choice(self.table, asked)

    def note(self, events: list[Event]) -> None:
        """Keep what is remembered of what has happened, and what the person sees of it."""
        remember(self.memory, self.game.on_map, self.rules.common, events)
        self.news += all_seen_by(events, self.powers)
        self.stage = next((event for event in reversed(events) if isinstance(event, StageBegan)), self.stage)

    def question(self) -> Decision | None:
        """What the person is asked next; the bots answer what comes before. Nothing if the game is over."""
        while not self.is_over:
            decision = self.game.decisions(self.table)[0]
            if self.is_own(decision.power):
                return decision
            bot = player_of(self.table, decision.power)
            for power, answer in game_bots(self.rules.terms.game).unasked(
                self.table, powers_of_player(self.table, bot)
            ):
                self.take(power, answer)
            self.take(decision.power, self.policies[bot](self.table, decision, self.throw()))
        return None

    def throw(self) -> Random:
        """What a bot throws for the next answer, the same whenever it is asked."""
        return Random(f"{self.setup.seed} {len(self.entries)}")  # noqa: S311 - bots need no secrets

    def advice(self, decision: Decision) -> Advice:
        """What the best bot would answer in one's place, and what would come of it before anything comes out."""
        answer = best(self.rules.terms.game)(self.table, decision, self.throw())
        after = copy_of(self.table)
        events = self.game.apply(after, decision.power, answer)
        if any(event.reveals for event in events):
            return Advice(decision.power, answer, (), self.table)
        return Advice(decision.power, answer, tuple(events), after)

    def reasons(self, decision: Decision, advice: Advice, language: str) -> tuple[Words, ...]:
        """Why the bot advises that, its cities named in a language."""
        return game_bots(self.rules.terms.game).why(table_in_words(self.table, language), decision, advice.answer)

    def view(self) -> AnyView:
        """What one may know."""
        return self.game.view(self.table, self.powers)

    def undo(self) -> Entry | None:
        """Take the last answer back, if it is one's own and nothing has come out since."""
        if len(self.entries) <= self.firm:
            return None
        *before, last = self.entries
        self.begin(before)
        self.news.clear()
        return last
