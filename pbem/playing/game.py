"""Game of one person against bots: questions, numbered choices, typed answers, and taking back of answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from random import Random

from msgspec import Struct

from pbem.bots.plain import Policy, game_bots
from pbem.bots.table import advised_answer, bot_named
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Decision, March, Move, PlayCard
from pbem.engine.events import Event, StageBegan, all_seen_by
from pbem.engine.memory import Declaration, MapState, Memory, remember
from pbem.engine.nouns import Power, Suit
from pbem.engine.table import GameRules, Table, deep_copy, player_of, powers_of_player
from pbem.faults.wrong import Words, wrong
from pbem.kit import AnyView, copy_of, game_named, game_of
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.writing import on_one_line
from pbem.paper.library import readers_of
from pbem.paper.orders.files import OrderSource, form_of, load_orders, row_of, sections_of
from pbem.paper.orders.forms import only_value
from pbem.paper.orders.names import NONE
from pbem.paper.orders.trial import play_free_orders, step, unused_warnings
from pbem.paper.positions.files import nothing_remembered
from pbem.playing.aims import Aims, ToldAim
from pbem.playing.saved import Entry, Setup
from pbem.report import blocks
from pbem.report.blocks import table_in_words
from pbem.report.language.templates import macros_of, squeeze
from pbem.report.letters.in_reach import in_reach
from pbem.report.letters.sheet_lines import (
    MOST_TRIED,
    fillings,
    held_section,
    in_short,
    is_taken,
    longest_records,
    offers,
    with_one_reserve,
)
from pbem.report.telling import game_report
from pbem.seal.canonical import Tree

SOURCE = "orders"
DONE = "done"
"""Word that a person types to end a power's marches, or to give no more orders in a section."""

NOTHING_MORE = {"lines": "[]", "again": NONE}
"""Text of an answer that gives no more orders in a section. There is one for each way in which a section's answers are
joined (`Joins`)."""

SECTION = re.compile(r"([a-z][a-z ]*?)\s*:\s*(.*)")
TIGHT = re.compile(r":(?=[^\s\d])")
"""Pattern of a colon before a character that is neither a blank nor a digit. YAML would read it as a part of the
word."""


class Reply(Struct, frozen=True):
    """Answers that a person has typed, in the order in which they are carried out, and warnings about them."""

    entries: tuple[Entry, ...]
    warnings: tuple[Fault, ...] = ()


MoreLines = Callable[[], str]
"""Function that asks the person for one more line, and returns it. An empty line ends the input."""


def reply_to(table: Table, decision: Decision, powers: tuple[Power, ...], typed: str, more: MoreLines) -> Reply:
    """Return the answers that a person has typed for a decision. Only orders for the person's `powers` are allowed.
    `more` asks for further lines of a section. Raises `Refused` with all faults that are found."""
    found = SECTION.fullmatch(typed)
    if found and found[1] in ("orders", *readers_of(table.rules)):
        lines = [typed] if found[2] else [typed, *rest_of(more)]
        indent = "" if found[1] == "orders" else "    "
        head = [] if found[1] == "orders" else ["orders:", f"  {decision.power}:"]
        return reply_in(table, powers, "\n".join([*head, *(indent + line for line in lines)]), is_whole=True)
    return reply_in(table, powers, order_file(table, decision, typed), is_whole=False)


def rest_of(more: MoreLines) -> list[str]:
    """Ask for lines of a section until an empty line comes. Return the lines before it."""
    found: list[str] = []
    while line := more():
        found.append(line)
    return found


def order_file(table: Table, decision: Decision, typed: str) -> str:
    """Return an order file that has the typed text in the section to which the decision belongs."""
    row = row_of(table, decision)
    text = TIGHT.sub(": ", typed)
    is_list = row.joins == "lines"
    if text == DONE and row.joins in NOTHING_MORE:
        return f"orders: {{{decision.power}: {{{row.name}: {NOTHING_MORE[row.joins]}}}}}"
    is_record = text.count(": ") > is_list and not text.startswith(("{", "[", '"', "'"))
    dash = "- " if is_list else ""
    return f"orders:\n  {decision.power}:\n    {row.name}:\n      {dash}{f'{{{text}}}' if is_record else text}"


def reply_in(table: Table, powers: tuple[Power, ...], written: str, is_whole: bool) -> Reply:
    """Return the answers in the text of an order file: all if `is_whole`, else only the first. Raises `Refused` if
    orders are faulty, illegal or for powers of others, or if the text has no answer."""
    orders = load_orders(written.encode(), SOURCE, table.rules)
    if strangers := [power for power in orders.powers if power not in powers]:
        raise Refused(SOURCE, [wrong("E-ORDER-FOREIGN.play", power=strangers[0])])
    trial = copy_of(table)
    sources = (OrderSource(trial, orders),)
    entries: list[Entry] = []
    faults: list[Fault] = []
    for passed in play_free_orders(trial, sources):
        faults += passed.faults
        if passed.given and not passed.is_refused:
            entries.append(Entry(passed.power, passed.given.answer))
    while (is_whole or not entries) and (answered := step(trial, sources)):
        faults += answered.faults
        if answered.given and not answered.is_refused:
            entries.append(Entry(answered.power, answered.given.answer))
    if is_whole:
        faults += unused_warnings(orders)
    if not entries or any(not fault.is_warning for fault in faults):
        raise Refused(SOURCE, faults or [wrong("E-PLAY-NOTHING")])
    return Reply(tuple(entries), tuple(faults))


MOST = 20
"""Largest number of choices that get a number, besides the likeliest choice. Other answers must be typed."""

REACH = "campaign_sheet_words.txt.j2"
"""Name of the template for the outcome of a march."""

NOTHING = "none"


class TypedChoice(Struct, frozen=True):
    """Answer as the person would type it, and a note about it."""

    text: str
    note: str = ""
    pieces: str = ""
    """Pieces that march with this answer; empty if it is no march."""


def choices(table: Table, decision: Decision, language: str, declared: Sequence[Declaration] = ()) -> list[TypedChoice]:
    """Return the likeliest answers to a decision. One of them is to do nothing; in combat, only if it is legal to stop.
    `declared` has the strengths that stacks have stated in combat."""
    named = blocks.table_in_words(table, language)
    section, held = held_section(table, decision, language)
    if isinstance(decision, PlayCard):
        offered = [in_short(one.tree) for one in islice(fillings(form_of(named, decision).input), MOST_TRIED)]
        return [TypedChoice(item(tree)) for tree in with_one_reserve(offered, decision.score)]
    worth = game_report(table.rules.terms.game).worth_knowing(named, decision)
    first = [sections_of(named, decision.power, decision, answer)[section] for answer in worth.answers]
    offered = [tree for tree in offers(named, decision, first) if tree != in_short(held)]
    taken = [tree for tree in offered if is_taken(named, decision.power, {section: tree})]
    more = [TypedChoice(item(tree)) for tree in worth_a_number(taken, isinstance(decision, March))[:MOST]]
    if isinstance(decision, March):
        return [*marches(named, decision, language, declared), *more, TypedChoice(DONE if held == [] else item(held))]
    return [TypedChoice(item(in_short(held))), *more]


def worth_a_number(taken: list[Tree], is_march: bool) -> list[Tree]:
    """Return the answers that are offered as numbered choices. Of similar answers, such as marches of the same piece,
    only the longest is kept. Answers that give a number for each name, such as allotments, are all kept."""
    counts = [tree for tree in taken if isinstance(tree, dict) and isinstance(next(iter(tree.values())), dict)]
    return [*longest_records([tree for tree in taken if tree not in counts], lambda _: True, is_march), *counts]


def marches(named: Table, decision: March, language: str, declared: Sequence[Declaration]) -> list[TypedChoice]:
    """Return a choice for each march to an important goal. The note of the choice tells the outcome of the march."""
    done = copy_of(named, SeededDealer("nothing is dealt for a choice"))
    words = macros_of(language, named.rules.terms.game, REACH)
    ways = in_reach(named, decision, done, declared)
    return [TypedChoice(way.line, squeeze(words.reach(way)), way.line.partition(":")[0]) for way in ways]


def item(tree: Tree) -> str:
    """Return an answer as one line, in the way in which a person types it. A record has no brackets, and neither has a
    list with a single order."""
    if tree in ({}, [{}]):
        return NOTHING
    match tree:
        case [{**march}] if len(march) == 1 and isinstance(way := next(iter(march.values())), list):
            return f"{next(iter(march))}: {on_one_line(', '.join(map(str, way)))}"
        case [one]:
            return item(one)
        case dict() if len(tree) > 1 or isinstance(next(iter(tree.values())), str):
            return ", ".join(f"{key}: {on_one_line(value)}" for key, value in tree.items())
    return on_one_line(tree)


def only_choice(table: Table, decision: Decision) -> str:
    """Return the answer to a decision if it is the only possible answer. Else return an empty text. A march always
    counts as having several answers."""
    if isinstance(decision, March):
        return ""
    only = only_value(form_of(table, decision).input)
    return "" if only is None else item(only)


def open_decision(table: Table, power: Power) -> Decision | None:
    """Return the decision that a power must make now. Return None if there is none."""
    return next((each for each in game_of(table).decisions(table) if each.power == power), None)


def typed_form(table: Table, power: Power, answer: Answer, language: str) -> str:
    """Return an answer in the form in which a person would type it."""
    named = blocks.table_in_words(table, language)
    ((_, tree),) = sections_of(named, power, open_decision(named, power), answer).items()
    return DONE if tree == [] else item(in_short(tree))


class Advice(Struct, frozen=True):
    """Answer that a bot advises, and its outcome."""

    power: Power
    answer: Answer
    events: tuple[Event, ...]
    after: Table
    """Table after the advised answer. If the outcome must stay hidden, it is the present table."""


class PlayedGame:
    """Game in progress. It can be made again from its setup and the answers that were given."""

    table: Table
    memory: Memory
    """Public facts of the game so far."""
    entries: list[Entry]
    """Answers that have been given so far."""
    news: list[Event]
    """Events that the person has seen, but that have not been told as news yet."""
    begun: MapState
    """Public map at the beginning of the game."""
    heard: list[Event]
    """All events that the person has seen since the beginning of the game."""
    forced: dict[int, Suit]
    """Suits in which the person had no choice in a battle: there was no card to play, or only one that had to be
    played. The key is the index in `heard` of the first event after that."""
    aims: Aims
    stage: StageBegan | None
    """Latest event that began a stage; None if no stage has begun."""
    firm: int
    """Number of the first answers that cannot be taken back. The last of them revealed a secret or a result of chance,
    was followed by a bot's answer, or was the only possible answer."""

    def __init__(self, rules: GameRules, setup: Setup, entries: Iterable[Entry] = ()) -> None:
        """Begin a game, and carry out the answers that were given earlier. Raises `IllegalOrder` for an illegal
        answer."""
        self.rules = rules
        self.setup = setup
        self.game = game_named(rules.terms.game)
        self.policies = {seat: self.policy_of(bot) for seat, bot in setup.bots.items()}
        self.begin(entries)

    def policy_of(self, level: str) -> Policy:
        return bot_named(level, self.rules.terms.game)

    def begin(self, entries: Iterable[Entry]) -> None:
        """Begin the game again, and carry out the answers `entries`. After that, `news` has the events since the last
        answer of the person."""
        self.table, events = self.game.start(self.rules, SeededDealer(self.setup.seed))
        self.memory = nothing_remembered(self.table)
        self.begun, self.heard, self.aims = deep_copy(self.memory.on_map), [], Aims()
        self.entries, self.news, self.firm, self.stage, self.forced = [], [], 0, None, {}
        self.note(events)
        for entry in entries:
            if self.is_own(entry.power):
                self.news.clear()
            self.take(entry.power, entry.answer)

    @property
    def powers(self) -> tuple[Power, ...]:
        """Return the powers that the person plays now."""
        return tuple(power for power in self.rules.powers if self.is_own(power))

    def is_own(self, power: Power) -> bool:
        return player_of(self.table, power) not in self.setup.bots

    @property
    def answers(self) -> list[Entry]:
        """Return all answers that are saved in the game's file."""
        return self.entries

    @property
    def is_over(self) -> bool:
        return self.table.state.phase == "over"

    def take(self, power: Power, answer: Answer) -> list[Event]:
        """Carry out a power's answer, and return the events. For an illegal answer, raises `IllegalOrder` and changes
        nothing."""
        is_chosen = self.is_own(power) and self.has_choice(power)
        bot = self.setup.bots.get(player_of(self.table, power), "")
        before = copy_of(self.table) if bot and isinstance(answer, Move) else None
        asked, heard = open_decision(self.table, power), len(self.heard)
        events = self.game.apply(self.table, power, answer)
        if self.is_own(power) and isinstance(asked, PlayCard) and len(asked.cards) <= asked.must:
            self.forced[heard] = asked.suit
        if before and isinstance(answer, Move):
            self.aims.see_march(before, power, answer, bot)
        self.note_answer(Entry(power, answer), events, is_chosen)
        return events

    def note_answer(self, entry: Entry, events: list[Event], is_chosen: bool) -> None:
        """Note an answer that was carried out. `is_chosen` is true if the person could choose between answers."""
        self.entries.append(entry)
        self.note(events)
        if not is_chosen or any(event.reveals for event in events):
            self.firm = len(self.entries)

    def has_choice(self, power: Power) -> bool:
        """True if more than one answer is possible for a power's decision."""
        asked = open_decision(self.table, power)
        return asked is None or not only_choice(self.table, asked)

    def note(self, events: list[Event]) -> None:
        """Add events to the public facts. Events that the person sees are also added to the news."""
        remember(self.memory, self.game.on_map, self.rules.common, events)
        seen = all_seen_by(events, self.powers)
        self.aims.see_events(len(self.heard), seen)
        self.news += seen
        self.heard += seen
        self.stage = next((event for event in reversed(events) if isinstance(event, StageBegan)), self.stage)

    @property
    def is_halted(self) -> bool:
        """True if the game is not over, but nobody plays on."""
        return False

    def question(self) -> Decision | None:
        """Let the bots answer until the person must decide, and return the person's decision. Return None if the game
        is over or halted."""
        while not (self.is_over or self.is_halted):
            decision = self.game.decisions(self.table)[0]
            if self.is_own(decision.power):
                return decision
            self.let_bot_answer(decision)
        return None

    def let_bot_answer(self, decision: Decision) -> list[Event]:
        """Let a bot answer its decision. Before that, the bot may also give answers for which it was not asked. Return
        the events of all these answers."""
        bot = player_of(self.table, decision.power)
        given = game_bots(self.rules.terms.game).unasked(self.table, powers_of_player(self.table, bot))
        events = [event for power, answer in given for event in self.take(power, answer)]
        return events + self.take(decision.power, self.policies[bot](self.table, decision, self.chance_now()))

    def chance_now(self) -> Random:
        """Return the source of chance for the next answer of a bot. It gives the same numbers each time until an answer
        is carried out."""
        return Random(f"{self.setup.seed} {len(self.entries)}")  # noqa: S311 - bots need no secrets

    def advice(self, decision: Decision) -> Advice:
        """Return the answer that the best bot would give in the person's place, with its outcome. The outcome is left
        out if it would reveal a secret or a result of chance."""
        answer = advised_answer(self.table, decision, self.chance_now())
        after = copy_of(self.table)
        events = self.game.apply(after, decision.power, answer)
        if any(event.reveals for event in events):
            return Advice(decision.power, answer, (), self.table)
        return Advice(decision.power, answer, tuple(events), after)

    def reasons(self, decision: Decision, advice: Advice, language: str) -> tuple[Words, ...]:
        """Return the reasons for a bot's advice. Cities have their names in `language`."""
        return game_bots(self.rules.terms.game).why(table_in_words(self.table, language), decision, advice.answer)

    @property
    def new_aims(self) -> list[ToldAim]:
        """Return the aims of the bots' marches in stages that ended with one of the events in `news`."""
        return self.aims.since(len(self.heard) - len(self.news))

    def view(self) -> AnyView:
        return self.game.view(self.table, self.powers)

    def undo(self) -> Entry | None:
        """Take the last answer back, and return it. Return None if the last answer is one of the first `firm` answers,
        which cannot be taken back."""
        if len(self.entries) <= self.firm:
            return None
        *before, last = self.entries
        self.begin(before)
        self.news.clear()
        return last
