"""Notebook of one seat, counted from all its reports: cards, battles, and the troops that other powers surely have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pbem.bots.imagining import KnownFacts
from pbem.campaign.ledger.entries import events_in
from pbem.campaign.ledger.replaying import MALFORMED
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.known_position import known_memory, known_position
from pbem.engine import events as e
from pbem.engine.cards import deck_cards
from pbem.engine.memory import Declaration, MapState, Memory, remember
from pbem.engine.nouns import NO_POWER, Card, City, Deck, Piece, Power
from pbem.engine.rules import Rules
from pbem.engine.sightings import CardSightings, Sighting, cards_taken
from pbem.engine.strengths import limits_within, rest_of, stated_on_map
from pbem.engine.table import Table, deep_copy
from pbem.faults.wrong import wrong
from pbem.kit import game_named
from pbem.paper.documents.faults import Refused
from pbem.paper.positions.files import map_in
from pbem.report.letters.report import MOST_EVENTS


class PlayedCard(Struct, frozen=True):
    """Card that was played in a battle, and the value with which it counted."""

    power: Power
    card: Card
    value: int


class BattleNote(Struct, frozen=True):
    """Battle: the powers and generals in it, its place and time, the troops of both sides, the cards, and the
    outcome."""

    stage: str
    attackers: tuple[Piece, ...]
    defenders: tuple[Piece, ...]
    attacking_city: City
    defending_city: City
    attacking_troops: int
    defending_troops: int
    cards: tuple[PlayedCard, ...] = ()
    winner: Power = NO_POWER
    """Power that won. Empty for a tie, and for a battle whose end no report tells."""
    lost: int = 0
    """Number of troops that the loser lost."""


class DeckNote(Struct, frozen=True):
    """State of a deck. `aside` is the number of cards set aside. `seen` has those of them that the reader has seen, and
    `hidden` has all cards of the deck whose places the reader does not know. If the deck is not in use now, `in_use` is
    false, and the other fields are 0 or empty."""

    deck: Deck
    in_use: bool
    aside: int
    seen: tuple[Sighting, ...]
    hidden: tuple[Card, ...]


class DrawNote(Struct, frozen=True):
    """Draw deck: its size, its latest shuffle, and the cards that are known to have left it since then."""

    cards: int
    shuffle: int
    """Number of the latest shuffle; 0 if no report has told it."""
    decks: tuple[Deck, ...]
    shuffled: int
    """Number of cards in the latest shuffle."""
    taken: dict[Power, int]
    """Number of cards that each power has drawn since the latest shuffle."""
    turned: int
    """Number of cards that were turned up from the draw deck, or set aside unseen, since the latest shuffle."""
    fresh: tuple[Card, ...]
    """Cards that surely were in the draw deck at the latest shuffle, and have not been seen since then."""
    least: int
    """Number of cards in `fresh` that must still be in the draw deck, at least."""


class PowerNote(Struct, frozen=True):
    """Cards of one power: the size of its hand, the cards that are surely in its hand, and the cards that it has spent
    since the last shuffle of their decks."""

    power: Power
    is_own: bool
    """True if the reader plays this power."""
    hand: int
    known: tuple[Card, ...]
    spent: tuple[Card, ...]


class StrengthNote(Struct, frozen=True):
    """Troops that some generals of another power have together, and the fewest and the most that each of them can
    have."""

    power: Power
    generals: tuple[Piece, ...]
    troops: int
    sure: bool
    """False if the generals may have got or given troops, unseen by the reader, since they stated their strength."""
    declared: bool
    """True if the generals stated their strength. False if these are the power's other generals, who have the remaining
    troops."""
    least: int
    most: int


class Gap(Struct, frozen=True):
    """Gap between two entries of the ledger. A report on the time between them is missing, or has only part of its
    events."""

    after: int
    before: int


class SeatNotebook(Struct, frozen=True):
    """All that the reports of a seat tell for sure."""

    campaign: str
    seat: str
    reports: int
    entry: int
    """Number of the last ledger entry that the newest report covers."""
    stage: str
    gaps: tuple[Gap, ...]
    draw: DrawNote
    decks: tuple[DeckNote, ...]
    powers: tuple[PowerNote, ...]
    strengths: tuple[StrengthNote, ...]
    battles: tuple[BattleNote, ...]


class Account(Struct):
    """Facts counted from a seat's reports, up to one of these reports."""

    entry: int
    shuffles: int
    cards: CardSightings
    memory: Memory | None = None
    """Public facts of the game, counted from the events in the reports since the last gap."""
    battles: list[BattleNote] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)


class ReadReport(Struct, frozen=True):
    """A report, with the position and the events in it."""

    guide: Guidance
    source: str
    table: Table
    placed: frozenset[Card]
    """Cards whose place is known from the position."""
    on_map: MapState | None
    events: tuple[e.Event, ...]

    @property
    def entry(self) -> int:
        return self.guide.head.entry if self.guide.head else 0


class Counted(Struct, frozen=True):
    """Newest report of a seat, and the facts counted from all its reports."""

    newest: ReadReport
    account: Account
    reports: int

    @property
    def held(self) -> dict[Card, Power]:
        """Return the cards that are surely in hands of other powers, each with its power."""
        return {card: power for card, power in self.account.cards.held.items() if card not in self.newest.placed}

    @property
    def aside(self) -> frozenset[Card]:
        return frozenset(self.account.cards.aside) - self.newest.placed

    @property
    def declared(self) -> list[Declaration]:
        """Return the strengths that stacks have stated. They are taken from the newest report, or from the events of
        all reports if the newest does not have them."""
        told = known_memory(self.newest.guide, self.newest.table, self.newest.source)
        if self.newest.guide.remembered or self.account.memory is None:
            return told.declared
        return self.account.memory.declared


def read_report(guide: Guidance, source: str, folder: Path | None = None) -> ReadReport:
    """Read the position and the events of a report. `folder` has the boards that the campaign brings itself. Raises
    `Refused` if the events make no sense."""
    known = known_position(guide, source, folder)
    if guide.course is None:
        return ReadReport(guide, source, known.table, known.placed, None, ())
    try:
        on_map = map_in(guide.course.map)
        events = tuple(events_in(known.table.rules.terms.game, guide.course.events))
    except (*MALFORMED, msgspec.ValidationError):
        raise Refused(source, [wrong("E-GUIDE-FORM", kind=guide.kind)]) from None
    return ReadReport(guide, source, known.table, known.placed, on_map, events)


def counted(reports: Iterable[ReadReport]) -> Counted:
    """Count the facts in the reports of one seat. The caller must give the oldest report first. A report is left out if
    a later report tells the same events again."""
    accounts: list[Account] = []
    for report in reports:
        # If a report was written a second time, it also tells the events of the reports that it replaces.
        until = report.entry - 1 if report.guide.since is None else report.guide.since
        accounts = [each for each in accounts if each.entry <= until]
        accounts.append(account_after(accounts[-1] if accounts else None, report))
        newest = report
    return Counted(newest, accounts[-1], len(accounts))


def account_after(before: Account | None, report: ReadReport) -> Account:
    """Return the facts after a report; `before` has the facts after the previous report. If a report between them is
    missing, note the gap and drop facts that may have changed. If the game was turned back in between, drop all earlier
    facts, but keep the gaps. Raises `Refused` if the events make no sense."""
    guide, rules = report.guide, report.table.rules
    is_back = before is not None and guide.turned_back > before.entry
    is_whole = before is not None and guide.since == before.entry and len(report.events) < MOST_EVENTS and not is_back
    # Events that were turned back count as if they had never happened.
    after = deep_copy(before) if before and not is_back else Account(0, 0, CardSightings(rules.common.decks))
    if not is_whole:
        shuffles = report.table.state.cards.shuffles - sum(isinstance(each, e.DeckShuffled) for each in report.events)
        if after.shuffles == shuffles:
            after.cards.miss_events()
        else:
            after.cards = CardSightings(rules.common.decks)
        after.memory = None
        gone = sum(cards_taken(each) for each in report.events)
        came = sum(each.cards for each in report.events if isinstance(each, e.DeckShuffled))
        after.cards.left = len(report.table.state.cards.draw) + gone - came
        if before:
            after.gaps = [*before.gaps, Gap(before.entry, report.entry)]
    try:
        add_events(after, report)
    except MALFORMED:
        raise Refused(report.source, [wrong("E-GUIDE-FORM", kind=guide.kind)]) from None
    after.entry, after.shuffles = report.entry, report.table.state.cards.shuffles
    return after


def add_events(account: Account, report: ReadReport) -> None:
    """Add the events of a report to the facts."""
    rules = report.table.rules
    if report.on_map and account.memory is None:
        account.memory = Memory(deep_copy(report.on_map))
    if account.memory:
        remember(account.memory, game_named(rules.terms.game).on_map, rules.common, report.events)
    for event in report.events:
        account.cards.see(event)
        note_battle(account, rules.common, event)


def note_battle(account: Account, rules: Rules, event: e.Event) -> None:
    """Note a battle that begins. If the event is a card played, a failed retreat, or the end of a battle, add it to the
    latest battle."""
    stage, battles = account.cards.stage, account.battles
    match event:
        case e.BattleJoined(attackers, defenders, attacking_city, defending_city, ours, theirs):
            battles.append(BattleNote(stage, attackers, defenders, attacking_city, defending_city, ours, theirs))
            return
    if not battles:
        return
    latest = battles[-1]
    match event:
        case e.CardPlayed(power, card, value):
            if power in {rules.pieces[piece].power for piece in (*latest.attackers, *latest.defenders)}:
                battles[-1] = replace(latest, cards=(*latest.cards, PlayedCard(power, card, value)))
        case e.BattleWon(winners, losers, winner, _, _, troops):
            if {*winners, *losers} == {*latest.attackers, *latest.defenders}:
                battles[-1] = replace(latest, winner=winner, lost=troops)
        case e.RetreatImpossible(pieces, _, troops):
            if {*pieces} <= {*latest.attackers, *latest.defenders}:
                battles[-1] = replace(latest, lost=latest.lost + troops)


def facts_of(found: Counted) -> KnownFacts:
    """Return the facts that are certain. Worlds that are imagined for the player must agree with them."""
    shuffled = found.account.cards.shuffled
    return KnownFacts(
        found.declared,
        found.aside,
        found.held,
        shuffled.decks if shuffled and not found.account.cards.older else (),
        are_piles_made_up=True,
    )


def notebook_of(found: Counted) -> SeatNotebook:
    guide, account = found.newest.guide, found.account
    return SeatNotebook(
        guide.campaign,
        guide.seat,
        found.reports,
        account.entry,
        guide.stage,
        tuple(account.gaps),
        draw_note(found),
        tuple(deck_notes(found)),
        tuple(power_notes(found)),
        tuple(strength_notes(found.newest.table, guide.powers, found.declared)),
        tuple(account.battles),
    )


def hidden_cards(found: Counted, deck: Deck) -> list[Card]:
    """Return the cards of a deck whose places the reader does not know."""
    known = found.newest.placed | found.aside | found.held.keys()
    return [card for card in deck_cards(found.newest.table.rules.common.decks, deck) if card not in known]


def draw_note(found: Counted) -> DrawNote:
    cards, shuffled = found.account.cards, found.account.cards.shuffled
    count = len(found.newest.table.state.cards.draw)
    if shuffled is None:
        return DrawNote(count, 0, (), 0, {}, 0, (), 0)
    fresh = tuple(sorted(card for card in cards.fresh if card not in found.newest.placed))
    taken = {power: cards.taken[power] for power in found.newest.table.rules.powers if cards.taken.get(power)}
    least = max(0, len(fresh) - cards.unseen)
    return DrawNote(
        count, shuffled.number, shuffled.decks, shuffled.cards, taken, cards.taken.get(NO_POWER, 0), fresh, least
    )


def deck_notes(found: Counted) -> Iterator[DeckNote]:
    cards = found.newest.table.state.cards
    for deck in map(Deck, range(found.newest.table.rules.common.decks.decks)):
        if deck in cards.unused:
            yield DeckNote(deck, False, 0, (), ())
            continue
        seen = tuple(each for each in found.account.cards.aside_of(deck) if each.card in found.aside)
        yield DeckNote(deck, True, len(cards.discards[deck]), seen, tuple(hidden_cards(found, deck)))


def power_notes(found: Counted) -> Iterator[PowerNote]:
    guide, cards, held = found.newest.guide, found.newest.table.state.cards, found.held
    for power in found.newest.table.rules.powers:
        known = cards.hands[power] if power in guide.powers else [card for card in held if held[card] == power]
        spent = [each.card for each in found.account.cards.aside.values() if each.power == power]
        sure = tuple(sorted(card for card in spent if card in found.aside))
        yield PowerNote(power, power in guide.powers, len(cards.hands[power]), tuple(sorted(known)), sure)


def strength_notes(table: Table, own: Collection[Power], declared: Sequence[Declaration]) -> Iterator[StrengthNote]:
    """Yield notes on the troops of other powers: one for each strength that was stated, and one for the remaining
    troops of each power."""
    rules, field = table.rules.common, table.state.field
    for power in table.rules.powers:
        if power in own:
            continue
        stated = stated_on_map(rules, field, power, declared)
        for each in stated:
            yield strength_note(rules, power, each, is_declared=True)
        if rest := rest_of(rules, field, power, stated):
            yield strength_note(rules, power, rest, is_declared=False)


def strength_note(rules: Rules, power: Power, stated: Declaration, *, is_declared: bool) -> StrengthNote:
    """Return the note on the strength `stated`, with the fewest and the most troops that each general can have.
    `is_declared` is true if the generals stated it themselves, false if it was computed."""
    limits = limits_within(rules, stated, 1)
    return StrengthNote(power, stated.generals, stated.strength, stated.sure, is_declared, *limits)
