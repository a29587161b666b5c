"""Short account of events."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, groupby

from msgspec import Struct
from msgspec.structs import fields, replace

from pbem.engine import events as e
from pbem.engine.conquest import controller, is_held_by_enemy
from pbem.engine.field import Field
from pbem.engine.nouns import City, Hussar, Piece, Power
from pbem.engine.rules import Rules
from pbem.engine.table import DuelView, GameRules
from pbem.report.account import (
    TEMPLATES,
    AnyHeading,
    Passage,
    Voice,
    event_groups,
    events_by_heading,
    in_a_line,
    passage,
    sentence,
    with_full_stop,
)
from pbem.report.telling import Types, game_report

SHORT = ("digest.txt.j2", *TEMPLATES)
"""Templates with short wordings for events. Events that have none are told by the templates of the account."""

LEFT_OUT: Types = (e.CardsDrawn, e.DeckShuffled, e.SupplyTraced, e.Stacked)
"""Types of events that a short account leaves out. Cards that were drawn are told all together in its last line."""
QUESTIONS: Types = (e.Questioned, e.QuestionLifted)
"""Types of events that are told only to the fortress's holder, and to the power that puts it in question."""
QUIET: Types = (e.Marched, e.HussarRemoved)
"""Types of events that may be left out for lack of room. The power that owns the hussars is always told of them. A
passage is left out only if all its events are of these types."""
MOST, MOST_OF_MINE = 620, 930
"""Largest length of a short account, and of its part about the reader, in characters. If an account is longer, marches
are left out, and in battles the cards and retreats of other powers."""

MOST_IN_ALL = 1680
"""Largest length of the whole account, in characters. If it is longer, even the reader's own marches are left out."""

PARTS_OF_BATTLE: Types = (e.CardPlayed, e.Retreated)
"""Types of events that are left out if a battle is told in short. Cards and retreats of the reader are still told."""


NAMING = (Power, Power | None, Piece, tuple[Piece, ...], Hussar)
"""Types of those fields of an event that name a power, or pieces or hussars of a power."""


class Digest(Struct, frozen=True):
    """Lines about the reader's powers, and lines about other powers. `left` is the number of passages that were left
    out for lack of room."""

    mine: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    left: int = 0


class DigestReader(Struct, frozen=True):
    powers: Collection[Power] = ()
    """Powers whose secrets the reader knows."""
    questioned: Collection[City] = ()
    """Fortresses of the reader's powers that other powers put in question during the events, or that they have entered
    and take by marching on."""
    most: int = MOST
    """Largest length of the account, in characters."""
    duel: DuelView | None = None
    """Combat that has not ended with the last event; None if there is none."""
    foes: Collection[Piece] = ()
    """Enemy generals who, after the events, fight generals of the reader's powers or threaten something of the
    reader's."""
    near: Collection[City] = ()
    """Cities beside generals of the reader's powers. A general who retreats from there was probably beaten by them."""
    raided: Collection[City] = ()
    """Cities where, after the events, hussars stand and the reader's powers must pay them a toll."""
    hands: Mapping[Power, int] = {}
    """Number of cards in each hand that the report shows further down. A draw of that many cards names no cards."""
    stage: str = ""
    """Stage in which the first event happens, such as `3/france`; empty if it is not known."""
    without: int = 0
    """Number of characters by which the account of others gets shorter if marches may be left out of it."""


class Item(Struct, frozen=True):
    """Passage of a short account."""

    line: str
    short: str
    """Shorter line for a battle, without cards and retreats of others. For other passages, it is the same as `line`."""
    stage: int
    is_mine: bool
    is_quiet: bool
    """True if all events of the passage may be left out (`QUIET`)."""
    is_of_train: bool
    """True if the first event of the passage is the march of a train."""
    has_a_line: bool
    """True if the passage is told on a line of its own, as battles are."""


def digest(rules: GameRules, events: Sequence[e.Event], reader: DigestReader, language: str) -> Digest:
    """Tell events and drawn cards in a short account. To save room, leave out marches and shorten battles."""
    voice = Voice(rules, language, SHORT, reader.duel, joins_conquests=True, own=reader.powers)
    behind = game_report(rules.terms.game).behind_draws
    parts = events_by_heading(events_told([event for event in events if not isinstance(event, behind)], reader))
    fought = replace(reader, foes={*reader.foes, *opponents(rules.common, events, reader.powers)})
    told = [item for stage, (_, following) in enumerate(parts) for item in items(voice, following, fought, stage)]
    mine = fitting_items([item for item in told if item.is_mine], MOST_OF_MINE)
    drawn = draws_by_power(events)
    draws = [replace(draw, cards=None) if reader.hands.get(draw.power) == draw.count else draw for draw in drawn]
    runs: list[Sequence[e.Event]] = [draws] if draws else []
    runs += [[event] for event in events if isinstance(event, behind)]
    cards = [" ".join(with_full_stop(sentence(voice, run, run)) for run in runs)] if runs else []
    is_drawer = any(power in reader.powers for event in chain.from_iterable(runs) for power in owners(rules, event))
    room = reader.most - length(mine) - sum(map(len, cards))
    others = without_quiet(fitting_items([item for item in told if not item.is_mine], room), room - reader.without)
    mine = without_quiet(mine, MOST_IN_ALL - length(others) - sum(map(len, cards)))
    has_several = len({item.stage for item in [*mine, *others]}) > 1
    turn, _, stage = reader.stage.partition("/")
    first = e.StageBegan(int(turn), stage) if has_several and stage else None
    headings = [first, *(heading for heading, _ in parts[1:])]
    about_me = in_stages(voice, headings if has_several else [None] * len(parts), mine)
    elsewhere = in_stages(voice, headings, others)
    (about_me if is_drawer or (about_me and not elsewhere) else elsewhere).extend(cards)
    return Digest(tuple(about_me), tuple(elsewhere), len(told) - len(mine) - len(others))


def events_told(events: Sequence[e.Event], reader: DigestReader) -> Iterator[e.Event]:
    """Yield the events that a short account tells. Types in `LEFT_OUT` are left out. So are question marks on
    fortresses that do not concern the reader, and those that a later event removes or settles."""
    for number, event in enumerate(events):
        match event:
            case e.Questioned(city):
                later = (each for each in events[number:] if isinstance(each, e.QuestionLifted | e.Conquered))
                is_mine = city in reader.questioned or event.by in reader.powers
                if is_mine and not any(each.city == city for each in later):
                    yield event
            case e.QuestionLifted(city):
                if city in reader.questioned or event.by in reader.powers:
                    yield event
            case _ if not isinstance(event, LEFT_OUT):
                yield event


def cities_in_question(rules: Rules, field: Field, events: Sequence[e.Event], powers: Collection[Power]) -> list[City]:
    """Return two kinds of fortresses of `powers`: those on which the events laid or removed a question mark, and those
    that an enemy has entered and takes by marching on. `field` is the map after the events."""
    found: list[City] = []
    for number, event in enumerate(events):
        if isinstance(event, e.Marched) and rules.is_general(general := event.pieces[0]):
            city = field.pieces[general].city
            is_there = city == event.path[-1] and is_held_by_enemy(rules, field, city, rules.pieces[general].power)
            if is_there and controller(rules, field, city) in powers:
                found.append(city)
        if isinstance(event, e.Questioned | e.QuestionLifted):
            later = (each for each in events[number:] if isinstance(each, e.Conquered) and each.city == event.city)
            holder = next((each.loser for each in later), controller(rules, field, event.city))
            if holder in powers:
                found.append(event.city)
    return found


def fitting_items(items: Sequence[Item], room: int) -> Sequence[Item]:
    """Leave out unimportant passages (`is_quiet`) until the others fit into `room` characters. If this is not enough,
    also shorten the battles."""
    items = without_quiet(items, room)
    return items if length(items) <= room else [replace(item, line=item.short) for item in items]


def without_quiet(items: Sequence[Item], room: int) -> Sequence[Item]:
    """Leave out unimportant passages (`is_quiet`) until the other passages fit into `room` characters, or no
    unimportant passage is left. Passages about trains are left out before others, and earlier passages before later
    ones."""
    for quiet in sorted((item for item in items if item.is_quiet), key=lambda item: not item.is_of_train):
        if length(items) <= room:
            return items
        items = [item for item in items if item is not quiet]
    return items


def length(items: Iterable[Item]) -> int:
    return sum(len(item.line) for item in items)


def items(voice: Voice, events: Sequence[e.Event], reader: DigestReader, stage: int) -> list[Item]:
    """Return passages that tell the events of one stage. `stage` is the number of this stage in the account."""
    found: list[Item] = []
    quiet = (e.Marched,) if voice.rules.common.raiders in reader.powers else QUIET
    is_general = voice.rules.common.is_general
    for events_in_order in event_groups(events, game_report(voice.rules.terms.game)):
        # Question marks come last because all other events here are told by the sentence on the march.
        group = sorted(events_in_order, key=lambda event: isinstance(event, QUESTIONS))
        if told := passage(voice, group):
            found.append(
                Item(
                    line=in_a_line(told),
                    short=in_short(voice, group, told, reader.powers),
                    stage=stage,
                    is_mine=is_about_reader(voice.rules, group, reader),
                    is_quiet=all(
                        isinstance(event, quiet) and not is_entry(voice.rules.common, event, reader) for event in group
                    ),
                    is_of_train=isinstance(group[0], e.Marched) and not is_general(group[0].pieces[0]),
                    has_a_line=told.of_battle or isinstance(group[0], e.GameEnded),
                )
            )
    return found


def in_short(voice: Voice, group: Sequence[e.Event], whole: Passage, powers: Collection[Power]) -> str:
    """Return a passage on one line. `whole` is the passage with all its events. If it is about a battle, cards and
    retreats of powers outside `powers` are left out."""
    if whole.of_battle:
        rules = voice.rules
        without = [
            each for each in group if not isinstance(each, PARTS_OF_BATTLE) or {*owners(rules, each)} & {*powers}
        ]
        whole = (passage(voice, without) if without else None) or whole
    return in_a_line(whole)


def in_stages(voice: Voice, headings: Sequence[AnyHeading | None], items: Sequence[Item]) -> list[str]:
    """Join the lines of passages, stage by stage. A battle has a line of its own. Passages between two battles share
    one."""
    found: list[str] = []
    turn = 0
    for number, heading in enumerate(headings):
        if stage := [item for item in items if item.stage == number]:
            lines: list[str] = []
            for has_a_line, some in groupby(stage, key=lambda item: item.has_a_line):
                told_here = [item.line for item in some]
                lines += told_here if has_a_line else [" ".join(told_here)]
            if heading:
                title = voice.heading(heading, in_turn=turn == heading.turn)
                lines[0] = f"{title}: {voice.behind_colon(lines[0])}"
            found += lines
            turn = heading.turn if heading else 0
    return found


def draws_by_power(events: Iterable[e.Event]) -> Iterator[e.CardsDrawn]:
    """Yield one event for all draws of each power. It names the cards only if those of every draw are known."""
    drawn = [event for event in events if isinstance(event, e.CardsDrawn) and event.count]
    for power in dict.fromkeys(event.power for event in drawn):
        draws = [event for event in drawn if event.power == power]
        known = [event.cards for event in draws if event.cards is not None]
        cards = tuple(chain.from_iterable(known)) if len(known) == len(draws) else None
        yield replace(draws[0], count=sum(event.count for event in draws), cards=cards)


def is_about_reader(rules: GameRules, group: Sequence[e.Event], reader: DigestReader) -> bool:
    """True if a passage concerns the reader. This is so for six kinds of passages: it names a power or piece of the
    reader; it is about a question mark; an enemy marches into a fortress of the reader; cards are played in a combat of
    the reader that goes on; one of `foes` moves, or a general moves from or to a city in `near`; hussars make the
    reader pay a toll."""

    def moves_foes(event: e.Event) -> bool:
        if isinstance(event, e.HussarPlaced):
            return event.city in reader.raided
        if isinstance(event, e.Retreated | e.Marched):
            place = event.start if isinstance(event, e.Retreated) else event.path[-1]
            if place in reader.near and rules.common.is_general(event.pieces[0]):
                return True
        return isinstance(event, e.Marched | e.Retreated) and not set(reader.foes).isdisjoint(event.pieces)

    duel = reader.duel
    fights_on = duel is not None and not {duel.attacker, duel.defender}.isdisjoint(reader.powers)
    ends = any(isinstance(event, e.BattleWon | e.BattleTied) for event in group)
    return (fights_on and isinstance(group[0], e.CardPlayed) and not ends) or any(
        isinstance(event, QUESTIONS)
        or is_entry(rules.common, event, reader)
        or moves_foes(event)
        or set(owners(rules, event)) & set(reader.powers)
        for event in group
    )


def is_entry(rules: Rules, event: e.Event, reader: DigestReader) -> bool:
    """True if a march of generals ends in a fortress of the reader that falls when the enemy marches on."""
    return isinstance(event, e.Marched) and event.path[-1] in reader.questioned and rules.is_general(event.pieces[0])


def opponents(rules: Rules, events: Iterable[e.Event], powers: Collection[Power]) -> Iterator[Piece]:
    """Yield the generals who fight against generals of these powers."""
    for event in events:
        match event:
            case e.BattleJoined() | e.BattleTied():
                sides = event.attackers, event.defenders
            case e.BattleWon():
                sides = event.winners, event.losers
            case _:
                continue
        for own, others in (sides, sides[::-1]):
            if any(rules.pieces[general].power in powers for general in own):
                yield from others


def owners(rules: GameRules, event: e.Event) -> list[str]:
    """Return the powers that an event names, either directly or through their pieces and hussars."""
    found: list[str] = []
    for name, kind in naming_powers(type(event)):
        value = getattr(event, name)
        if kind == Hussar:
            found.append(rules.common.raiders)
        elif kind == Piece:
            found.append(rules.common.pieces[value].power)
        elif kind == tuple[Piece, ...]:
            found += (rules.common.pieces[each].power for each in value)
        elif value:
            found.append(value)
    return found


@cache
def naming_powers(kind: type[e.Event]) -> list[tuple[str, object]]:
    """Return the name and type of each field with which events of this type name a power."""
    return [(each.name, each.type) for each in fields(kind) if each.type in NAMING]
