"""Public view of a campaign, for which no key is needed: its status, and its entries in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.campaign.clock.clock import local_text, parse_moment, stamp
from pbem.campaign.clock.timing import CampaignTime, orders_now, permission
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.beside import compare_quickly
from pbem.campaign.ledger.chain import Finding, Head, note_register, stored_register
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import KINDS, AdjudicationRecord, Record, RollbackRecord, events_in
from pbem.campaign.letters.joining import shared_keys
from pbem.campaign.letters.letterbox import state_of
from pbem.engine.events import Event
from pbem.engine.table import GameRules, turn_of
from pbem.faults.wrong import words
from pbem.paper.library import game_of_terms
from pbem.player.names import name_meant
from pbem.report.formats.escaping import one_line
from pbem.seal.canonical import AnyTree

if TYPE_CHECKING:
    from pbem.campaign.ledger.replaying import Reading
    from pbem.report.blocks import Block


def public_state_of(folder: Folder, now: datetime) -> tuple[PublicState, Head]:
    """Return the public state of a campaign, and the head of its ledger. If they are not stored, all entries are
    read."""
    if found := stored_register(folder):
        return found.public, found.head
    from pbem.campaign.ledger.replaying import Reading  # loads what a register spares

    reading = Reading(folder, now)
    note_register(folder, reading.public, reading.head)
    return reading.public, reading.head


class CampaignStatus(Struct, frozen=True):
    """Status of a campaign, to be printed as text or JSON."""

    campaign: str
    phase: str
    stage: str
    entry: int
    head: str
    locked: bool
    deadline: str
    left: str
    shared_keys: list[dict[str, AnyTree]]
    table: list[dict[str, str]]
    next: str
    findings: tuple[Finding, ...]
    """Contradictions between the ledger and the files beside it, as far as a quick check finds them."""


def status_of(folder: Folder, now: datetime) -> CampaignStatus:
    """Return the status of a campaign, with the orders that are missing and the moderator's next step."""
    public, head = public_state_of(folder, now)
    time = CampaignTime(public, now)
    deadline, left = "", ""
    if public.deadline and public.phase == "running":
        deadline = local_text(public.deadline, public.settings.clock)
        left = distance_in_words(parse_moment(public.deadline), now)
    return CampaignStatus(
        campaign=public.settings.campaign,
        phase=public.phase,
        stage=public.next.stage if public.next else "",
        entry=head.number,
        head=head.hash,
        locked=public.locked,
        deadline=deadline,
        left=left,
        shared_keys=shared_now(public),
        table=seats_now(public) if public.phase == "joining" else rows_owed(time),
        next=next_step(time),
        findings=tuple(compare_quickly(folder, public, head)),
    )


def shared_now(public: PublicState) -> list[dict[str, AnyTree]]:
    """Return each group of seats that sign with the same key, as an object for JSON."""
    if not (found := shared_keys(public.players)):
        return []
    # Few campaigns have any: status, which is asked often, need not load what tells entries.
    from pbem.report.letters.entries import shared_data

    return [shared_data(shared) for shared in found]


def seats_now(public: PublicState) -> list[dict[str, str]]:
    """Return a row for each seat: free, or taken, with the player's name if there is one."""
    found = []
    for seat in public.settings.seats:
        player = public.players.get(seat)
        found.append({"seat": seat, "state": f"taken by {one_line(player.name) or 'somebody'}" if player else "free"})
    return found


def rows_owed(time: CampaignTime) -> list[dict[str, str]]:
    """Return a row for each player, with the state of the player's orders, and the letter that waits for the
    adjudication."""
    public = time.public
    rows: dict[str, dict[str, str]] = {}
    for orders in orders_now(time) if public.phase == "running" else ():
        row = rows.setdefault(orders.player, {"player": orders.player, "powers": "", "orders": "", "letter": ""})
        row["powers"] = ", ".join(filter(None, [row["powers"], orders.power]))
        row["orders"] = state_of(orders)
        if pending := public.pending.get(orders.player):
            waits = ", asks to wait" if pending.wait else ""
            row["letter"] = f"entry {pending.entry}{waits}"
    for player in public.settings.seats:
        rows.setdefault(player, {"player": player, "powers": "", "orders": "nothing required", "letter": ""})
    return list(rows.values())


def next_step(time: CampaignTime) -> str:
    """Return a line that tells the moderator what to do next."""
    public = time.public
    match public.phase:
        case "joining":
            free = [seat for seat in public.settings.seats if seat not in public.players]
            draws = "draws the seats and deals" if public.settings.conduct.seats == "drawn" else "deals"
            return f"wait for {', '.join(free)} to join" if free else f"`pbem adjudicate` {draws}"
        case "over":
            return "`pbem post`, then `pbem close`"
        case "closed":
            return "`pbem verify`"
    allowed = permission(time)
    if allowed.may:
        late = f", with {allowed.basis} orders for {', '.join(allowed.absent)}" if allowed.absent else ""
        return f"`pbem adjudicate`{late}"
    waits = f"wait for {', '.join(allowed.absent)}" if allowed.absent else "all orders are in"
    if allowed.earliest is None:
        return waits
    return f"{waits}; `pbem adjudicate` from {local_text(stamp(allowed.earliest), public.settings.clock)} on"


def distance_in_words(at: datetime, now: datetime) -> str:
    """Return the time between a moment and now in words, such as `in 2 d 3 h` or `5 h 10 min ago`."""
    minutes = abs(int((at - now) / timedelta(minutes=1)))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    span = f"{days} d {hours} h" if days else f"{hours} h {minutes} min"
    return f"in {span}" if at > now else f"{span} ago"


class EntryFilter(Struct, frozen=True):
    """Filter for entries. An empty field selects all entries."""

    first: int = 1
    kinds: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()


def entries_wanted(reading: Reading, choice: EntryFilter) -> list[tuple[Entry, Record]]:
    """Return the entries that a filter selects, with their records. Raises `WrongUse` for an unknown kind or player."""
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
    """Return the turn of the game after an entry. Before the entry it was `turn`."""
    if not isinstance(record, AdjudicationRecord | RollbackRecord):
        return turn
    return turn_of(record.next.stage) or turn


def entry_lines(reading: Reading, records: Iterable[Record], language: str) -> list[str]:
    """Return a line about each entry, in this language."""
    from pbem.report.letters.entries import Teller, facts_of

    teller = Teller(language, game_of_terms(reading.settings.terms))
    return [teller.line(facts_of(record, reading.settings.clock)) for record in records]


def entry_data(reading: Reading, entry: Entry, record: Record, said: str, events: bool) -> dict[str, object]:
    """Return an entry as an object for JSON. With `events`, an adjudication has its events."""
    from pbem.campaign.ledger.replaying import name_of, refuse_senseless
    from pbem.report.telling import told_data

    found = {"entry": entry.number, "time": f"{entry.time:%Y-%m-%dT%H:%M:%SZ}", "kind": entry.kind, "hash": entry.hash}
    found["words"] = said
    if events and isinstance(record, AdjudicationRecord):
        with refuse_senseless(name_of(entry)):
            rules, happened = retold_events(reading, record)
            return found | {"events": [told_data(rules, event) for event in happened]}
    return found


def retold_events(reading: Reading, record: AdjudicationRecord) -> tuple[GameRules, list[Event]]:
    """Return the rules of the game, and the events of an adjudication."""
    from pbem.campaign.campaign import rules_of

    rules = rules_of(reading.folder, reading.settings, reading.public.protocol)
    return rules, events_in(rules.terms.game, record.events)


def account_of(reading: Reading, entry: Entry, record: Record, language: str) -> list[Block]:
    """Return the account of an adjudication in this language; empty for any other entry."""
    from pbem.campaign.ledger.replaying import name_of, refuse_senseless
    from pbem.report.account import account_blocks, chapters

    if not isinstance(record, AdjudicationRecord) or not record.events:
        return []
    with refuse_senseless(name_of(entry)):
        rules, happened = retold_events(reading, record)
        return account_blocks(chapters(rules, happened, language))
