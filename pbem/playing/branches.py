"""Branches: games that go on from a report in an imagined world. Everything that the report's player
cannot know is made up.

The player can go back and forward again by steps. A step is everything from one question to the player to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from secrets import token_hex

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.imagining import KnownFacts, facts_in, facts_text, imagine_world
from pbem.bots.plain import Policy, hold
from pbem.bots.table import is_bot
from pbem.engine.decisions import Decision
from pbem.engine.events import Event, StageBegan
from pbem.engine.memory import Memory
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import GameRules, Table, deep_copy, digest
from pbem.faults.wrong import wrong
from pbem.kit import copy_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.paper.library import terms_document
from pbem.paper.orders.trial import Step
from pbem.paper.positions.files import nothing_remembered
from pbem.player.chances import Written, WrittenAnswers
from pbem.player.files import GivenFile
from pbem.player.tables import FoundTable, table_in
from pbem.player.trying import remembered_position
from pbem.playing.aims import Aims
from pbem.playing.game import PlayedGame
from pbem.playing.saved import Entry, ImaginedWorld, Setup

STILL = "still"
"""Level of a seat that does no more than the rules demand, as if its player were absent."""

MINE = "mine"
"""Word that stands in place of a bot's level, for another seat that the player of the branch also plays."""

MALFORMED = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError)
"""Errors that can arise if positions or facts in a saved branch are false."""


class ReturnPoint(Struct, frozen=True):
    """Moment at which the player of a branch was asked a question. The branch can return to it."""

    answers: int
    """Number of answers that were given before this moment."""
    table: Table
    memory: Memory
    heard: int
    """Number of events that the player had seen by then."""
    stage: StageBegan | None
    """Latest event that began a stage; None if no stage had begun."""


class BranchGame(PlayedGame):
    """Game that goes on from a report in an imagined world."""

    def __init__(self, found: FoundTable, setup: Setup, entries: Iterable[Entry] = ()) -> None:
        """Begin at the report's table, and carry out the answers that were given earlier. Raises `IllegalOrder` for an
        illegal answer."""
        self.found = found
        self.moments: list[ReturnPoint] = []
        self.ahead: list[Entry] = []
        """Answers of the steps that the player took back. They are carried out again if the player goes forward."""
        super().__init__(found.table.rules, setup, entries)

    def policy_of(self, level: str) -> Policy:
        return hold if level == STILL else super().policy_of(level)

    def begin(self, entries: Iterable[Entry]) -> None:
        """Begin again at the report's table, and carry out the answers up to the present step."""
        world = self.setup.world
        assert world
        self.table = imagine_world(self.found.table, self.found.known_to or (), self.setup.seed, facts_in(world.facts))
        self.memory = deep_copy(self.found.memory or nothing_remembered(self.table))
        # The world of a branch begins with the report, so no bot has had an aim yet.
        self.begun, self.heard, self.aims = deep_copy(self.memory.on_map), [], Aims(is_told=False)
        self.entries, self.news, self.firm, self.stage, self.forced = [], [], 0, None, {}
        given = [*entries]
        for entry in given:
            if not entry.is_later:
                self.repeat(entry)
        self.ahead = [entry for entry in given if entry.is_later]

    @property
    def answers(self) -> list[Entry]:
        """Return all answers, also those of steps that the player took back."""
        return [*self.entries, *self.ahead]

    @property
    def is_asked(self) -> bool:
        """True if no answer was given since the player was asked."""
        return bool(self.moments) and self.moments[-1].answers == len(self.entries)

    @property
    def has_earlier(self) -> bool:
        """True if there is an earlier question to which the branch can go back."""
        return len(self.moments) > self.is_asked

    def question(self) -> Decision | None:
        """Let the other seats answer until the player must decide, and return the player's decision. Return None at the
        end of the game."""
        if decision := super().question():
            self.note_moment()
        return decision

    def note_moment(self) -> None:
        """Note the present moment, at which the player is asked. Do nothing if it is already noted."""
        if not self.is_asked:
            table, memory = copy_of(self.table), deep_copy(self.memory)
            self.moments.append(ReturnPoint(len(self.entries), table, memory, len(self.heard), self.stage))

    def note_answer(self, entry: Entry, events: list[Event], is_chosen: bool) -> None:
        """Note an answer that was carried out. Answers of steps that were taken back are dropped. `is_chosen` is true
        if the person could choose between answers."""
        super().note_answer(replace(entry, starts=self.is_asked), events, is_chosen)
        self.ahead = []

    def repeat(self, entry: Entry) -> None:
        """Carry out an answer that was given earlier."""
        if entry.starts:
            self.note_moment()
            self.news.clear()
        self.take(entry.power, entry.answer)

    def back(self) -> Entry | None:
        """Go back to the question before. This may take back several answers. Return the earliest of them, or None if
        there is no earlier question."""
        if not self.has_earlier:
            return None
        if self.is_asked:
            self.moments.pop()
        moment = self.moments[-1]
        later = [replace(entry, is_later=True) for entry in self.entries[moment.answers :]]
        self.ahead = [*later, *self.ahead]
        self.entries, self.heard, self.news = self.entries[: moment.answers], self.heard[: moment.heard], []
        self.forced = {at: suit for at, suit in self.forced.items() if at < moment.heard}
        self.table, self.memory = copy_of(moment.table), deep_copy(moment.memory)
        self.stage = moment.stage
        return later[0]

    def forth(self) -> Entry | None:
        """Go forward again to the next question. Return the first of the answers that are carried out again, or None if
        none was taken back. Raises `Refused` if this version of the program refuses one of the answers."""
        if not self.ahead:
            return None
        first, *rest = self.ahead
        end = next((number for number, entry in enumerate(rest) if entry.starts), len(rest))
        try:
            for entry in (first, *rest[:end]):
                self.repeat(replace(entry, is_later=False))
        except IllegalOrder:
            raise Refused("what-if", [wrong("E-PLAY-VERSION")]) from None
        self.ahead = rest[end:]
        if not self.ahead:
            self.question()
        elif not self.is_over:
            self.note_moment()
        return first

    def undo(self) -> Entry | None:
        """Go back to the question before, as `back` does. Answers of other seats are taken back too."""
        return self.back()

    def carry_out(self, written: Written) -> None:
        """Carry out orders and plans, and the answers of other seats. Stop at the first decision of the player that the
        orders and plans do not answer."""
        asked = [each.power for each in self.game.decisions(self.table)]
        # The player can return to this moment if it is the player who decides first. If another seat decides first, the
        # player can return only if there are orders or plans to carry out now.
        if any(map(self.is_own, asked if written.orders or written.plans else asked[:1])):
            self.note_moment()
        answers = WrittenAnswers(self.table, written)
        for passed in answers.carry_out_first():
            self.note_given(passed)
        while not self.is_over:
            if following := answers.carry_out_next():
                self.note_given(following)
                answers.see(following.events)
                continue
            decision = self.game.decisions(self.table)[0]
            if self.is_own(decision.power):
                break
            answers.see(self.let_bot_answer(decision))
        self.question()

    def note_given(self, passed: Step) -> None:
        """Note an answer that was given by the written orders and plans, and was carried out."""
        assert passed.given
        self.note_answer(Entry(passed.power, passed.given.answer), passed.events, is_chosen=False)


class BranchWish(Struct, frozen=True):
    """Options for a branch: the level of the bot on each seat, and the seed from which the imagined world is made."""

    bots: Mapping[str, str]
    seed: str


def new_branch(found: FoundTable, report: str, seat: str, written: Written, wish: BranchWish) -> BranchGame:
    """Begin a branch at the table of a report, carry out the orders and plans in `written`, and return the branch.
    `report` is the text that identifies the report, and `seat` is the seat of its reader."""
    world = ImaginedWorld(
        token_hex(8), report, write(remembered_position(found)), facts_text(found.facts or KnownFacts())
    )
    terms = {key: str(value) for key, value in terms_document(found.table.rules.terms).items()}
    game = BranchGame(found, Setup(terms, wish.seed, seat, dict(wish.bots), world))
    game.carry_out(written)
    return game


def copy_of_branch(game: BranchGame) -> BranchGame:
    """Return a copy of a branch at the same step. The copy has a label of its own."""
    assert game.setup.world
    setup = replace(game.setup, world=replace(game.setup.world, label=token_hex(8)))
    return BranchGame(game.found, setup, game.answers)


def opening_of(setup: Setup, source: str, folder: Path | None = None) -> FoundTable | None:
    """Return the table at which a saved branch begins. Return None if the saved game is no branch. Raises `Refused` if
    the position in it is faulty. `folder` has the files that the position names."""
    if setup.world is None:
        return None
    return table_in(GivenFile(source, setup.world.position.encode(), folder))


def replayed_game(
    start: GameRules | FoundTable, setup: Setup, entries: Sequence[Entry], reached: str, source: str
) -> PlayedGame:
    """Carry out all answers of a saved game, and return the game. `start` has the game's rules; for a branch, it is the
    table at which the branch begins. Raises `Refused` if players or answers are impossible, or if the final position
    does not have the digest `reached`."""
    rules = start.table.rules if isinstance(start, FoundTable) else start
    others, levels = set(rules.seats) - {setup.seat}, [*setup.bots.values()]
    if setup.world:
        is_known = setup.bots.keys() <= others and all(level == STILL or is_bot(level) for level in levels)
    else:
        is_known = setup.bots.keys() == others and all(map(is_bot, levels))
    if setup.seat not in rules.seats or not is_known or not {entry.power for entry in entries} <= set(rules.powers):
        raise Refused(source, [wrong("E-PLAY-FILE")])
    try:
        game = BranchGame(start, setup, entries) if isinstance(start, FoundTable) else PlayedGame(start, setup, entries)
    except IllegalOrder:
        raise Refused(source, [wrong("E-PLAY-VERSION")]) from None
    except (*MALFORMED, msgspec.MsgspecError):
        # The facts in a saved branch have not been checked before. If they are false, replaying can fail with such an
        # error.
        raise Refused(source, [wrong("E-PLAY-FILE")]) from None
    if digest(game.table.state) != reached:
        raise Refused(source, [wrong("E-PLAY-VERSION")])
    return game
