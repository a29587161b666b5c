"""Checks of entries that anybody can make while the game runs: form, seats, and letters of bots (docs/protocol.md,
Verifying, Bots)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import get_args

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from pbem.campaign.clock.clock import local_day, stamp
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry, as_texts, events_in
from pbem.campaign.ledger.public_state import ORDERS_SLOT, PublicState, absences_with_bot, seq_key
from pbem.campaign.settings import Settings
from pbem.engine.board import Board
from pbem.engine.events import Event
from pbem.engine.field import ASIDE
from pbem.engine.nouns import City
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.library import game_of_terms
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

_LONG_NUMBER = re.compile(rb'"-?[0-9]{11,}"')


class Writer(Struct, frozen=True):
    """A bot that may write for a seat."""

    seat: str
    bot: str
    stands_in: bool = False
    """True if the bot only stands in for a player who is away."""


def bot_agreed(settings: Settings) -> str:
    """Return the bot that may stand in for players and take empty seats. Return an empty text if no bot was agreed on,
    or if the moderator plays."""
    # A moderator who plays, such as an heir, could foresee what the bot orders.
    return "" if settings.moderator.seat else settings.conduct.stand_in or ""


def bot_in(public: PublicState, seat: str) -> str:
    """Return the bot that has a seat or will take it by joining; an empty text for a person's seat."""
    player = public.players.get(seat)
    if player:
        return player.bot
    return public.settings.seats[seat].bot if seat in public.settings.seats else ""


def stand_in_now(public: PublicState, seat: str, now: datetime) -> str:
    """Return the bot that stands in for the player of a seat at this moment. Return an empty text if none does."""
    today = local_day(now, public.settings.clock).isoformat()
    return next((away.bot for away in absences_with_bot(public, seat) if away.first <= today <= away.last), "")


def owes(public: PublicState, writer: Writer) -> bool:
    """True if the bot `writer` owes a letter now. It owes a letter that joins, then letters with orders, and after a
    lock a letter that reveals its own sealed orders. A bot that stands in owes no orders if the player's letters
    already answer."""
    seat = writer.seat
    if public.phase == "joining":
        return seat not in public.players
    if public.phase != "running" or public.next is None:
        return False
    pending = public.pending.get(seat)
    if public.locked:
        is_own = pending is not None and (writer.stands_in or pending.entry > public.players[seat].since)
        return pending is not None and is_own and not set(pending.slots) <= set(pending.revealed)
    is_answered = writer.stands_in and seat in public.next.answered
    return seat in public.next.owing and pending is None and not is_answered


def is_by_bot(public: PublicState, record: r.LetterRecord) -> bool:
    """True if a bot itself wrote the letter. False if the moderator wrote it in the bot's place."""
    return not record.acted and bool(record.bot or bot_in(public, record.player))


def is_awaited(public: PublicState, record: r.LetterRecord) -> bool:
    """True if a bot's letter is the one letter that the bot owes now."""
    # Only one letter of a bot is awaited at a time. Otherwise a person with the bot's key could let the bot choose
    # again.
    writer = Writer(record.player, record.bot or bot_in(public, record.player), bool(record.bot))
    last = public.seqs.get(seq_key(record.player, record.kind, record.bot), 0)
    is_next = record.kind == ("reveal" if public.locked else "orders") and record.seq == last + 1
    is_plain = set(record.slots) == {ORDERS_SLOT} and not record.wait and record.status != "draft"
    return is_next and is_plain and owes(public, writer)


def wrong_with_bot(public: PublicState, record: r.Record, now: datetime) -> Wrong | None:
    """Return a fault if an entry about a bot is wrong in a way that anybody can see, else None. If the moderator wrote
    a letter in the bot's place, return a warning. `public` is the state before the entry."""
    match record:
        case r.LetterRecord() if is_by_bot(public, record):
            is_away = (
                record.kind != "orders" or not record.bot or record.bot == stand_in_now(public, record.player, now)
            )
            return None if is_away and is_awaited(public, record) else wrong("E-VERIFY-BOT.owed", seat=record.player)
        case r.LetterRecord() if record.acted and bot_in(public, record.player):
            return wrong("W-VERIFY-BOT.acted", seat=record.player)
        case r.JoinRecord() if record.seq != 1 and bot_in(public, record.player):
            return wrong("E-VERIFY-BOT.owed", seat=record.player)
        # The letters of a bot with a new key would not be checked any more.
        case r.KeyChangeRecord() if bot_in(public, record.player):
            return wrong("E-VERIFY-BOT.key", seat=record.player)
        case r.AbsenceRecord() | r.SubstituteRecord() if record.bot:
            if bot_in(public, record.player):
                return wrong("E-BOT-AGREED.bot", seat=record.player)
            if record.bot != bot_agreed(public.settings) or public.phase != "running":
                return wrong("E-VERIFY-BOT.agreed", seat=record.player)
    return None


def wrong_with_seats(settings: Settings) -> Wrong | None:
    """Return a fault if the settings would let the moderator foresee or choose a bot's orders, else None. A bot may not
    have a seat if seats are drawn by lot. It may never have the moderator's own seat. No bot may stand in if the
    moderator plays."""
    drawn, own = settings.conduct.seats == "drawn", settings.moderator.seat
    for seat, planned in settings.seats.items():
        if planned.bot and (drawn or seat == own):
            return wrong("E-NEW-BOT.seat", seat=seat)
    return wrong("E-NEW-BOT.stand-in") if own and bot_agreed(settings) else None


def wrong_with_entry(public: PublicState, entry: Entry, record: r.Record) -> Iterator[Wrong]:
    """Yield the faults of an entry, such as a form that the program never writes, a key that cannot be read, or an
    unknown seat. `public` is the state before the entry (docs/protocol.md, Verifying, 4, 8)."""
    if as_texts(record) != entry.body:
        yield wrong("E-VERIFY-ENTRY.written")
    match record:
        case r.RefusedRecord(_, player) if player and player not in public.settings.seats:
            yield wrong("E-VERIFY-NOBODY", seat=player)
        case r.KeyChangeRecord(_, key) | r.SubstituteRecord(_, key) if key or isinstance(record, r.KeyChangeRecord):
            try:
                PublicKey.parse(key)
            except SealFault as fault:
                yield fault.wrong
        case r.AbsenceRecord(player) if player not in public.players:
            yield wrong("E-VERIFY-NOBODY", seat=player)
        case r.ReminderRecord(players, occasion):
            for player in players:
                if player not in public.players:
                    yield wrong("E-VERIFY-NOBODY", seat=player)
            is_late = stamp(entry.time) >= public.deadline
            if public.phase != "running" or not players or is_late != (occasion != "before"):
                yield wrong("E-VERIFY-REMINDER")
        case r.RulingRecord(said) if not said.strip():
            yield wrong("E-VERIFY-ENTRY.empty")


def wrong_with_events(public: PublicState, record: r.AdjudicationRecord, board: Board) -> Wrong | None:
    """Return a fault if an event is not of this game, has a secret field, or names a place off the board, else None."""
    try:
        events = events_in(game_of_terms(public.settings.terms), record.events)
    except (LookupError, TypeError, ValueError):
        return wrong("E-VERIFY-ENTRY.events")
    kept = zip(events, record.events, strict=True)
    if _LONG_NUMBER.search(msgspec.json.encode(record.events)) or any(is_beyond_public(*each) for each in kept):
        return wrong("E-VERIFY-ENTRY.events")
    places = range(ASIDE, len(board.cities))
    nowhere = next((city for event in events for city in cities_of(event) if city not in places), None)
    return None if nowhere is None else wrong("E-VERIFY-ENTRY.place", place=nowhere)


def is_beyond_public(event: Event, written: Mapping[str, object]) -> bool:
    """True if an event in an entry tells more than everybody may know, or has a field that its kind lacks. `written` is
    the event as the entry has it."""
    return event.private or not written.keys() <= {"type", *event.__struct_fields__} - {*event.secrets}


def cities_of(event: Event) -> Iterator[City]:
    """Yield the cities and places off the map that an event names."""
    for name in fields_of_cities(type(event)):
        value: City | Sequence[City] | None = getattr(event, name)
        yield from () if value is None else value if isinstance(value, Sequence) else (value,)


@cache
def fields_of_cities(kind: type[Event]) -> tuple[str, ...]:
    """Return the names of the fields with cities in a kind of event."""
    return tuple(field.name for field in fields(kind) if City in (field.type, *get_args(field.type)))
