"""Steps of the account: a step is one passage that the reader may know, with the public board after it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, groupby

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from pbem.campaign.ledger.entries import events_in
from pbem.campaign.ledger.entry_checks import cities_of
from pbem.campaign.ledger.replaying import MALFORMED
from pbem.campaign.players.guidance import Guidance
from pbem.desk.board import DeskBoard, Picture, with_majors
from pbem.desk.numbers_then import own_troops, troops_before
from pbem.engine import events as e
from pbem.engine.field import ASIDE, Alliances
from pbem.engine.memory import MapState, follow
from pbem.engine.nouns import City, Piece, Power, Suit, each_piece
from pbem.engine.table import GameRules, Table, deep_copy
from pbem.faults.wrong import words, wrong
from pbem.kit import game_named
from pbem.paper.documents.faults import Refused
from pbem.paper.positions.files import map_in
from pbem.playing.aims import ToldAim, aim_sentences
from pbem.report import blocks
from pbem.report.account import Chapter, Voice, account_blocks, event_groups, events_by_heading, passage
from pbem.report.blocks import blocks_data
from pbem.report.telling import game_report
from pbem.seal.canonical import AnyTree
from pbem.site.atlas import public_position


class ForcedStop(Struct, frozen=True):
    """End of a battle in which a power holds no card that it could play."""

    city: str
    """City of the defender, in the reader's language. The battle is named after this city."""
    suit: str
    score: int
    """Number of points by which the battle is lost; 0 if the battle is tied."""
    troops: int
    """Troops that are lost."""
    then: str = ""
    """Sentence on the consequence: the retreat, or the loss of all troops (`told_defeat`). Empty if there is none, or
    if the account tells it."""


class Step(Struct, frozen=True):
    """One passage of the account."""

    title: str
    told: list[dict[str, object]]
    """Sentences of the passage, as blocks."""
    is_new: bool
    """True if the passage happened since the reader's last orders, unless a report that the reader opened before has
    told all of it."""
    fought: tuple[Power, ...] = ()
    """Powers whose battle ended in the passage."""
    turns: bool = False
    """True if the passage tells that a power changes sides, leaves the war or comes back to it, or that its conditions
    for winning change."""
    concerns: tuple[Power, ...] = ()
    """Powers that the passage concerns (`powers_concerned`)."""
    marched: tuple[Power, ...] = ()
    """Powers that march in the passage; empty if the passage tells anything else."""
    lost: tuple[Power, ...] = ()
    """Powers that lose generals, trains or fortresses in the passage, or whose generals go out of supply."""
    traces: bool = False
    """True if the passage only tells from where generals have their supply."""
    weakened: tuple[Power, ...] = ()
    """Powers that lose more than fortresses."""
    aims: tuple[str, ...] = ()
    """Aims of the bots whose stage ends with the passage, in one sentence each."""
    stopped: ForcedStop | None = None
    """End of the passage's battle, if the reader stopped for want of a card."""
    musts: tuple[str, ...] = ()
    """Sentences on cards that the reader had to play, because no other was possible."""
    battle: str = ""
    """City, in the reader's language, that gives its name to the battle of the passage. Empty if no battle ended in the
    passage."""


class Course(Struct, frozen=True):
    """Events that a reader has seen, and the public map before them."""

    begun: MapState
    events: tuple[e.Event, ...]
    since: int
    """Number of events before the reader's last orders."""
    aims: tuple[ToldAim, ...] = ()
    """Aims of bots. Each is told where the bot's stage ends."""
    forced: Mapping[int, Suit] = {}
    """Suits in which the reader had no choice in a battle, keyed by the index of the event that followed. The event is
    the end of the battle, because the reader had no card, or the play of the only card."""
    told: int = 0
    """Number of events that an earlier opened report has told already."""

    @property
    def news(self) -> tuple[e.Event, ...]:
        """Events since the reader's last orders."""
        return self.events[self.since :]


class Walk:
    """Events of a course as steps, told in one language."""

    def __init__(
        self,
        rules: GameRules,
        course: Course,
        language: str,
        before: Walk | None = None,
        alliances: Alliances | None = None,
    ) -> None:
        """Split the events into steps. `before` is an earlier walk through the same game, whose steps are reused.

        `alliances` has the latest alliances. If they are given, a step also concerns the powers that a march only
        endangers.
        """
        self.rules, self.course, self.alliances = rules, course, alliances
        is_same = before is not None and before.alliances == alliances
        self.known: dict[tuple[int, int], Step | None] = before.known if before and is_same else {}
        """The step of each group of events; None if the group has no sentence. A group's key is the index of its first
        event, and of the event after its last."""
        self.steps: list[Step] = []
        self.ends: list[int] = []
        """Number of all events up to the end of a step, for each step."""
        self.stood, self.followed = deep_copy(course.begun), 0
        """Public map after the first `followed` events."""
        voice, begun, led, at = Voice(rules, language), None, 0, 0
        # Steps are not split at the reader's last orders. A battle is one step, even if the last orders were one of its
        # cards.
        for heading, following in events_by_heading(course.events):
            if heading:
                begun, at = heading, at + 1
            for group in event_groups(following, game_report(rules.terms.game)):
                span = at, at + len(group)
                if span not in self.known:
                    own = game_named(self.rules.terms.game).on_map
                    follow(self.stood, own, self.rules.common, self.course.events[self.followed : span[1]])
                    self.followed = span[1]
                    self.known[span] = self.step_of(voice, begun, group, course.events[led : span[1]])
                at = span[1]
                if step := self.known[span]:
                    led = at
                    is_new, stopped = at > max(course.since, course.told), self.stop_in(range(*span), language)
                    battle = self.city_of_battle(at, language) if step.fought else ""
                    musts = self.musts_in(range(*span), language)
                    self.steps.append(replace(step, is_new=is_new, stopped=stopped, musts=musts, battle=battle))
                    self.ends.append(at)
        self.tell_aims(language)

    def stop_in(self, span: range, language: str) -> ForcedStop | None:
        """Return the end of the battle that an event in `span` ended, if the reader had no card for it. Otherwise
        return None."""
        for at, suit in self.course.forced.items():
            ended = self.course.events[at]
            if at in span and not isinstance(ended, e.CardPlayed):
                lost = (ended.score, ended.troops) if isinstance(ended, e.BattleWon) else (0, 0)
                return ForcedStop(self.city_of_battle(at, language), blocks.suit(suit), *lost)
        return None

    def musts_in(self, span: range, language: str) -> tuple[str, ...]:
        """Return a sentence on each card in `span` that the reader had to play."""
        played = (self.course.events[at] for at in self.course.forced if at in span)
        cards = (blocks.card(each.card) for each in played if isinstance(each, e.CardPlayed))
        return tuple(words("card-forced", card=card).text(language) for card in cards)

    def city_of_battle(self, at: int, language: str) -> str:
        """Return the defender's city in the last battle begun before the event with this index; empty if there was
        none."""
        before = reversed(self.course.events[:at])
        begun = next((each for each in before if isinstance(each, e.BattleJoined)), None)
        spoken = blocks.common_in_words(self.rules.common, language)
        return blocks.city(spoken, begun.defending_city) if begun else ""

    def tell_aims(self, language: str) -> None:
        """Add the bots' aims, in words, to the steps. The aims of a stage are added to the last step that has ended
        when the stage ends."""
        for after, aims in groupby(self.course.aims, key=lambda each: each.after):
            number = bisect_right(self.ends, after) - 1
            if number >= 0:
                told = tuple(aim_sentences(self.rules, [*aims], language))
                self.steps[number] = replace(self.steps[number], aims=told)

    def forget_after(self, events: int) -> None:
        """Forget the steps that end after the first `events` events."""
        self.known = {span: told for span, told in self.known.items() if span[1] <= events}

    def step_of(
        self,
        voice: Voice,
        heading: e.TurnBegan | e.StageBegan | None,
        group: Sequence[e.Event],
        events: Sequence[e.Event],
    ) -> Step | None:
        """Return the step that tells a group of events; None if the group has no sentence. `events` has the events of
        the group, after earlier events that no step tells."""
        told = passage(voice, group)
        if not told:
            return None
        title = voice.heading(heading, in_turn=False) if heading else ""
        about = powers_concerned(self.rules, self.alliances.home if self.alliances else {}, events)
        if turns := any(map(game_report(self.rules.terms.game).turns_war, group)):
            about = self.rules.powers
        if self.alliances and about != self.rules.powers:
            marches = [event for event in group if isinstance(event, e.Marched)]
            met = set(about).union(*(powers_in_reach(self.rules, self.alliances, self.stood, each) for each in marches))
            about = tuple(power for power in self.rules.powers if power in met)
        fought, marched = fighters(self.rules, group), marching(self.rules, group)
        blocks_told = blocks_data(account_blocks([Chapter("", False, (told,))]))
        return Step(
            title,
            blocks_told,
            is_new=False,
            fought=fought,
            turns=turns,
            concerns=about,
            marched=marched,
            lost=losers(self.rules, group),
            traces=all(isinstance(event, e.SupplyTraced) for event in group),
            weakened=losers(self.rules, [event for event in group if not isinstance(event, e.Conquered)]),
        )

    def events_of(self, number: int) -> tuple[e.Event, ...]:
        """Return the events of a step, after earlier events that no step tells."""
        return self.course.events[self.ends[number - 1] if number else 0 : self.ends[number]]

    def on_map(self, events: int) -> MapState:
        """Return the public map after so many events."""
        found, own = deep_copy(self.course.begun), game_named(self.rules.terms.game).on_map
        follow(found, own, self.rules.common, self.course.events[:events])
        return found

    def picture(self, number: int, board: DeskBoard, table: Table, is_before: bool) -> Picture:
        """Return a picture of the board after a step, with the step's arrows and battles, or with `is_before` of the
        board before it. `table` has the present position. The reader's troops then are counted back from it."""
        end = (0, *self.ends)[number] if is_before else self.ends[number]
        on_map, events, rules = self.on_map(end), () if is_before else self.events_of(number), self.rules.common
        troops = troops_before(rules, own_troops(table, board.powers), self.course.events[end:])
        told = with_majors(public_position(rules, on_map, events, board.words, troops), table)
        position = replace(told, maps=board.first.maps, caption=self.steps[number].title)
        return replace(board.picture(position), box="")  # The strips around the board would show the present position.

    def cities(self, number: int) -> list[str]:
        """Return the cities where a step happened."""
        on_map = self.on_map(self.ends[number])
        found = chain.from_iterable(cities_in(event, on_map) for event in self.events_of(number))
        return [blocks.city(self.rules.common, city) for city in dict.fromkeys(found)]


def reported_course(seen: Guidance, rules: GameRules, source: str) -> Course | None:
    """Return the course of events that a report tells. Return None if it tells no events. Raises `Refused` for
    impossible events."""
    if seen.course is None:
        return None
    try:
        begun, events = map_in(seen.course.map), tuple(events_in(rules.terms.game, seen.course.events))
        if names_places(rules, begun, events):
            # All other faults of the events show when steps are made of them and the map follows them.
            Walk(rules, Course(begun, events, 0), "en")
            follow(deep_copy(begun), game_named(rules.terms.game).on_map, rules.common, events)
            return Course(begun, events, 0)
    except (*MALFORMED, msgspec.ValidationError):
        pass
    raise Refused(source, [wrong("E-GUIDE-FORM", kind=seen.kind)])


def told_before(events: Sequence[Mapping[str, AnyTree]], earlier: Sequence[Mapping[str, AnyTree]]) -> int:
    """Return the number of events in a report that an earlier report to the reader told. Return 0 if the two reports do
    not fit together."""
    for count in range(len(events), 0, -1):
        common = min(count, len(earlier))
        if common and events[count - common : count] == earlier[-common:]:
            return count
    return 0


def names_places(rules: GameRules, begun: MapState, events: Iterable[e.Event]) -> bool:
    """Return whether a map and events fit a board: all places are on the board, all pieces have a place, and all marks
    belong to powers of the board."""
    board, named = rules.common.board, chain.from_iterable(map(cities_of, events))
    marked = begun.markers | begun.questions
    cities = (*begun.places, *begun.hussars, *marked, *named)
    is_of_board = all(city in range(ASIDE, len(board.cities)) for city in cities)
    return is_of_board and len(begun.places) == len(rules.common.pieces) and {*marked.values()} <= {*board.data.powers}


def fighters(rules: GameRules, events: Iterable[e.Event]) -> tuple[Power, ...]:
    """Return the powers whose battle ends with these events."""
    found: list[Piece] = []
    for event in events:
        match event:
            case e.BattleWon(winners=one, losers=other) | e.BattleTied(attackers=one, defenders=other):
                found += one + other
    return tuple(dict.fromkeys(rules.common.pieces[piece].power for piece in found))


def marching(rules: GameRules, events: Iterable[e.Event]) -> tuple[Power, ...]:
    """Return the powers that march in these events; empty if anything else happens."""
    found: list[Power] = []
    for event in events:
        match event:
            case e.Marched(pieces=pieces):
                found += (rules.common.pieces[piece].power for piece in pieces)
            case _:
                return ()
    return tuple(dict.fromkeys(found))


def losers(rules: GameRules, events: Iterable[e.Event]) -> tuple[Power, ...]:
    """Return the powers that lose supply, generals, trains or fortresses in these events."""
    found: list[Power] = []
    for event in events:
        match event:
            case e.SupplyLost(piece=piece) | e.GeneralRemoved(piece=piece) | e.TrainTaken(train=piece):
                found.append(rules.common.pieces[piece].power)
            case e.Conquered(loser=loser) if loser:
                found.append(loser)
    return tuple(dict.fromkeys(found))


FOUGHT = (e.BattleJoined, e.BattleTied, e.BattleWon, e.CardPlayed)
DECISIVE = (*FOUGHT, e.Conquered, e.Questioned, e.QuestionLifted, e.GeneralRemoved, e.GeneralEntered)
"""Events that concern every power: battles, fortresses that change hands or are in question, and generals who leave the
map or come back to it."""


def powers_concerned(rules: GameRules, homes: Mapping[str, Power], events: Iterable[e.Event]) -> tuple[Power, ...]:
    """Return the powers whom these events concern: each power that an event names, or whose piece or home fortress it
    names. Return all powers if an event is decisive, or if no event names a power. Beginnings of turns and stages are
    ignored."""
    board, found = rules.common.board, set[Power]()
    for event in events:
        if isinstance(event, e.TurnBegan | e.StageBegan):
            continue
        if isinstance(event, (*DECISIVE, *game_report(rules.terms.game).concern_all)):
            return rules.powers
        named = {power for name in fields_of(type(event), Power) if (power := getattr(event, name))}
        named |= {rules.common.pieces[piece].power for piece in pieces_in(event)}
        if not named:
            return rules.powers
        lands = {board.land[city] for city in on_board(cities_of(event)) if board.cities[city].fortress}
        found |= named | {homes[land] for land in lands if land in homes}
    return tuple(power for power in rules.powers if power in found)


def powers_in_reach(rules: GameRules, alliances: Alliances, on_map: MapState, event: e.Marched) -> set[Power]:
    """Return the enemy powers that the marched generals could harm by their next march, if nothing stood in the way.
    `on_map` is the public map after the march."""
    common, side = rules.common, alliances.side
    board, limits, mover = common.board, common.limits, event.pieces[0]
    power, end = common.pieces[mover].power, event.path[-1]
    if not common.is_general(mover):
        return set()
    # A forced march takes no fortress and passes no enemy.
    ranges = limits.general_march, limits.general_march_main, 0
    ends = {end, *board.ground(end, *ranges, power in common.crossing).ways}
    found: set[str] = {
        common.pieces[piece].power
        for piece, city in each_piece(on_map.places)
        if city >= 0 and (not ends.isdisjoint(board.near[city]) if common.is_general(piece) else city in ends)
    }
    for city in ends:
        holder = on_map.markers.get(city) or alliances.home.get(board.land[city])
        if holder and board.cities[city].fortress:
            found.add(holder)
    return {
        each
        for each in rules.powers
        if each in found and side.get(power) and side.get(each, "") not in ("", side[power])
    }


def pieces_in(event: e.Event) -> Iterator[Piece]:
    """Yield the pieces that an event names."""
    for name in fields_of(type(event), Piece, tuple[Piece, ...]):
        value = getattr(event, name)
        yield from value if isinstance(value, tuple) else (value,)


@cache
def fields_of(kind: type[e.Event], *types: object) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.type in types)


def cities_in(event: e.Event, on_map: MapState) -> Iterator[City]:
    """Yield the cities that an event names, and the cities of its pieces on the map."""
    yield from on_board(getattr(event, name) for name in fields_of(type(event), City))
    yield from on_board(on_map.places[piece] for piece in pieces_in(event))


def on_board(cities: Iterable[City]) -> Iterator[City]:
    return (city for city in cities if city >= 0)
