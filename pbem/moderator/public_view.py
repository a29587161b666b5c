"""Public view of a campaign, for which no key is needed: its status, and its entries in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from pbem.campaign.clock.bank import accounts, time_parts
from pbem.campaign.clock.clock import local_moment, stamp
from pbem.campaign.clock.timing import CampaignTime, orders_now, permission
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.beside import compare_quickly
from pbem.campaign.ledger.chain import Finding, Head, note_register, stored_register
from pbem.campaign.ledger.entries import Entry, events_in, file_name
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import KINDS, AdjudicationRecord, Record, RollbackRecord
from pbem.campaign.ledger.seats import shared_keys
from pbem.campaign.letters.letterbox import state_of
from pbem.engine.events import Event
from pbem.engine.table import GameRules, turn_of
from pbem.faults.wrong import Words, words
from pbem.paper.library import game_of_terms
from pbem.player.names import name_meant
from pbem.player.notes import time_left
from pbem.report.formats.escaping import one_line
from pbem.report.language.templates import NO_BREAK
from pbem.seal.canonical import AnyTree

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign
    from pbem.campaign.ledger.replaying import Reading
    from pbem.report.blocks import Block


def public_state_of(folder: Folder, now: datetime) -> tuple[PublicState, Head]:
    """Return the public state of a campaign, and the head of its ledger. They come from the cache, or from all entries
    if the cache does not have them."""
    if found := stored_register(folder):
        return found.public, found.head
    from pbem.campaign.ledger.replaying import Reading

    reading = Reading(folder, now)
    note_register(folder, reading.public, reading.head)
    return reading.public, reading.head


Cell = str | Words | tuple[str, ...]
"""Cell of a table: a name, a state in words, or keys of powers."""


class CampaignStatus(Struct, frozen=True):
    """Status of a campaign, to be printed as text or as JSON."""

    campaign: str
    phase: str
    stage: str
    entry: int
    """Number of the last entry."""
    head: str
    """SHA-256 of the last entry."""
    locked: bool
    deadline: Words | None
    left: Words | None
    """Time that is left until the deadline, or that has passed since. It is None if there is no deadline."""
    bank: dict[str, tuple[str, ...]]
    """Time that each seat has saved in its bank, as parts such as days and hours. The dict is empty if the campaign has
    no banks."""
    shared_keys: list[dict[str, AnyTree]]
    table: list[dict[str, Cell]]
    """Rows of the table that is printed. Before the game begins there is a row for each seat; afterwards there is a row
    for each player with the state of the orders."""
    next: Words | str
    """Next step for the moderator."""
    findings: tuple[Finding, ...]
    """Contradictions between the ledger and the files beside it. Only those are included that a quick check finds."""


def status_of(folder: Folder, now: datetime) -> CampaignStatus:
    """Return the status of a campaign, including missing orders and the next step for the moderator."""
    public, head = public_state_of(folder, now)
    return replace(standing_of(public, head, now), findings=tuple(compare_quickly(folder, public, head)))


def standing_of(public: PublicState, head: Head, now: datetime) -> CampaignStatus:
    """Return the status of a campaign that follows from its public state. It has no findings."""
    time = CampaignTime(public, now)
    is_timed = bool(public.deadline) and public.phase == "running"
    return CampaignStatus(
        campaign=public.settings.campaign,
        phase=public.phase,
        stage=public.next.stage if public.next else "",
        entry=head.number,
        head=head.hash,
        locked=public.locked,
        deadline=local_moment(public.deadline, public.settings.clock) if is_timed else None,
        left=time_left(public.deadline, now) if is_timed else None,
        bank={seat: time_parts(each.left) for seat, each in accounts(public).items()},
        shared_keys=shared_now(public),
        table=seats_now(public) if public.phase == "joining" else rows_owed(time),
        next=next_step(time),
        findings=(),
    )


def shared_now(public: PublicState) -> list[dict[str, AnyTree]]:
    """Return the keys that several players share, as a list for JSON."""
    if not (found := shared_keys(public, public.players)):
        return []
    # Few campaigns have shared keys, and the status is asked for often. So the modules that put entries into words are
    # loaded only if needed.
    from pbem.report.letters.entries import shared_data

    return [shared_data(shared) for shared in found]


def status_data(status: CampaignStatus, language: str) -> dict[str, object]:
    """Return the status of a campaign as data for JSON. `language` is the language of the findings, and has no other
    effect."""
    rows = [{key: _plain_cell(cell) for key, cell in row.items()} for row in status.table]
    told = {
        "deadline": str(status.deadline or ""),
        "left": str(status.left or ""),
        "next": str(status.next),
        "table": rows,
    }
    data: dict[str, object] = to_builtins(status)
    return data | told | {"findings": [each.data(language) for each in status.findings]}


def _plain_cell(cell: Cell) -> str:
    return ", ".join(cell) if isinstance(cell, tuple) else str(cell)


def seats_now(public: PublicState) -> list[dict[str, Cell]]:
    """Return a row for each seat, which says whether the seat is free or taken, and the player's name if it is
    known."""
    found: list[dict[str, Cell]] = []
    for seat in public.settings.seats:
        player = public.players.get(seat)
        name = one_line(player.name) if player else ""
        state = (
            words("status-taken" if name else "status-taken.nameless", name=name) if player else words("status-free")
        )
        found.append({"seat": seat, "state": state})
    return found


def rows_owed(time: CampaignTime) -> list[dict[str, Cell]]:
    """Return a row for each player, with the state of the orders and the entry of the letter that would be adjudicated
    now."""
    public = time.public
    every = orders_now(public) if public.phase == "running" else []
    rows: list[dict[str, Cell]] = []
    for player in (*dict.fromkeys(orders.player for orders in every), *public.settings.seats):
        if any(row["player"] == player for row in rows):
            continue
        mine = [orders for orders in every if orders.player == player]
        state = state_of(mine[-1]) if mine else "nothing required"
        pending = public.pending.get(player) if mine else None
        waits = "status-letter.waits" if pending and pending.wait else "status-letter"
        letter = words(waits, entry=pending.entry) if pending else ""
        powers = tuple(orders.power for orders in mine)
        rows.append({"player": player, "powers": powers, "orders": state, "letter": letter})
    return rows


def next_step(time: CampaignTime) -> Words | str:
    public = time.public
    match public.phase:
        case "joining":
            free = tuple(seat for seat in public.settings.seats if seat not in public.players)
            drawn = public.settings.conduct.seats == "drawn"
            return words("next-join", players=free) if free else words("next-draw" if drawn else "next-deal")
        case "over":
            return "`pbem post`, `pbem close`"
        case "closed":
            return "`pbem verify`"
    allowed = permission(time)
    if allowed.may:
        key = "next-late.standing" if allowed.basis == "standing" else "next-late"
        late = words(key, powers=tuple(allowed.absent)) if allowed.absent else ""
        return words("next-adjudicate", late=late)
    waits = words("next-wait", powers=tuple(allowed.absent)) if allowed.absent else words("next-all-in")
    if allowed.earliest is None:
        return waits
    return words("next-from", waits=waits, time=local_moment(stamp(allowed.earliest), public.settings.clock))


LONGEST_TEXT = 2000
"""Largest number of characters that are printed for one entry."""


class EntryFilter(Struct, frozen=True):
    """Filter for entries of the ledger. A field that is empty excludes no entry."""

    first: int = 1
    """Number of the first entry."""
    kinds: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()


def entries_wanted(reading: Reading, choice: EntryFilter) -> list[tuple[Entry, Record]]:
    """Return the entries that pass a filter, each with its record. Raises `WrongUse` if the filter has an unknown kind
    or player."""
    from pbem.report.letters.entries import seats_of

    seats = reading.settings.seats
    kinds = {name_meant(each, KINDS, words("kind-of-entry"), "--kind") for each in choice.kinds}
    players = {name_meant(each, seats, words("player"), "--player") for each in choice.players}
    found: list[tuple[Entry, Record]] = []
    turn = 0
    for entry, record in reading.entries:
        turn, before = turn_after(record, turn), turn
        if entry.number < choice.first or (kinds and entry.kind not in kinds):
            continue
        if players and not players & set(seats_of(record)):
            continue
        if not choice.turns or (before or turn) in choice.turns:
            found.append((entry, record))
    return found


def turn_after(record: Record, turn: int) -> int:
    """Return the number of the turn that is played after an entry. `turn` is the turn that was played before the
    entry."""
    if not isinstance(record, AdjudicationRecord | RollbackRecord):
        return turn
    return turn_of(record.next.stage) or turn


def entry_lines(reading: Reading, records: Iterable[Record], language: str) -> list[str]:
    from pbem.report.letters.entries import Teller, facts_of, motion_named

    teller, clock = Teller(language, game_of_terms(reading.settings.terms)), reading.settings.clock
    known = {entry.number: record for entry, record in reading.entries}.__getitem__
    return [teller.line(facts_of(record, clock) | motion_named(record, known)) for record in records]


def entry_line(campaign: Campaign, number: int, language: str) -> str:
    """Return a line about one entry of an open campaign."""
    from pbem.campaign.ledger.entries import record_in
    from pbem.report.letters.entries import Teller, facts_of, motion_named

    def known(entry: int) -> Record:
        return record_in(campaign.ledger.read(entry))

    facts = facts_of(known(number), campaign.settings.clock) | motion_named(known(number), known)
    return shortened(Teller(language, game_of_terms(campaign.settings.terms)).line(facts))


def shortened(words: str) -> str:
    """Return the text about an entry as one line of at most `LONGEST_TEXT` characters."""
    # Spans of time are written with no-break blanks. `one_line` would replace these by visible signs.
    return one_line(words.replace(NO_BREAK, " "), LONGEST_TEXT)


def entry_data(reading: Reading, entry: Entry, record: Record, said: str, events: bool) -> dict[str, object]:
    """Return an entry as data for JSON. `said` is the line that describes the entry in words. If `events` is true, the
    events of an adjudication are included."""
    from pbem.campaign.ledger.replaying import refuse_senseless
    from pbem.report.telling import told_data

    found = {"entry": entry.number, "time": f"{entry.time:%Y-%m-%dT%H:%M:%SZ}", "kind": entry.kind, "hash": entry.hash}
    found["words"] = said
    if events and isinstance(record, AdjudicationRecord):
        with refuse_senseless(file_name(entry.number, entry.kind)):
            rules, happened = retold_events(reading, record)
            return found | {"events": [told_data(rules, event) for event in happened]}
    return found


def retold_events(reading: Reading, record: AdjudicationRecord) -> tuple[GameRules, list[Event]]:
    from pbem.campaign.founding import rules_of

    rules = rules_of(reading.folder, reading.settings, reading.public.protocol)
    return rules, events_in(rules.terms.game, record.events)


def account_of(reading: Reading, entry: Entry, record: Record, language: str) -> list[Block]:
    """Return the account of an adjudication as blocks of text. Return an empty list for any other entry."""
    from pbem.campaign.ledger.replaying import refuse_senseless
    from pbem.report.account import Voice, account_blocks, chapters

    if not isinstance(record, AdjudicationRecord) or not record.events:
        return []
    with refuse_senseless(file_name(entry.number, entry.kind)):
        rules, happened = retold_events(reading, record)
        return account_blocks(chapters(Voice(rules, language), happened))
