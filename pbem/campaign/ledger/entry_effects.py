"""Effects of entries on what the ledger adds up to, seats drawn by lot among them; what an entry may say has been
judged before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from pbem.campaign.clock.clock import checked_day, checked_stamp, local_day, parse_moment
from pbem.campaign.clock.deadlines import FARTHEST
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.public_state import (
    AbsentDays,
    Count,
    HiddenPlans,
    PendingLetter,
    Player,
    PublicState,
    hidden_plans,
    is_spare,
    seq_key,
    stands_in,
)
from pbem.campaign.ledger.records import AdjudicationRecord
from pbem.campaign.settings import Settings
from pbem.engine.table import turn_of
from pbem.paper.agreements import Deal
from pbem.seal.deal import draw_lot

T = TypeVar("T")

Lot = Mapping[str, str]
"""For each seat that somebody has joined, the one that they play."""


def lot_of(settings: Settings, root: bytes) -> dict[str, str]:
    """What everybody plays; nothing where seats were chosen."""
    if settings.conduct.seats != "drawn":
        return {}
    joined = sorted(settings.seats)
    return dict(zip(joined, draw_lot(root, joined), strict=True))


def by_seats_drawn(known: Mapping[str, T], lot: Lot) -> dict[str, T]:
    """What is known by seat, or by what is counted of it, by the seats that were drawn."""
    counts = ((Count.read(key), value) for key, value in known.items())
    return {str(Count(lot.get(count.seat, count.seat), count.kind)): value for count, value in counts}


def seated(settings: Settings, lot: Lot) -> Settings:
    """The settings with what was agreed of people at the seats that they play."""
    people = by_seats_drawn(settings.seats, lot)
    own = settings.moderator.seat
    return replace(
        settings,
        seats={seat: people[seat] for seat in settings.seats},
        moderator=replace(settings.moderator, seat=lot.get(own, own)),
    )


def is_lot_due(public: PublicState) -> bool:
    """Whether the next adjudication draws the seats: the first one, where that was agreed."""
    return public.settings.conduct.seats == "drawn" and public.version == 0


def is_lot_complete(public: PublicState, lot: Lot) -> bool:
    """Whether a lot gives everybody one seat, where one is drawn, and is none where none is."""
    seats = sorted(public.settings.seats)
    return (sorted(lot), sorted(lot.values())) == ((seats, seats) if is_lot_due(public) else ([], []))


def lot_since(public: PublicState, entry: int) -> Lot:
    """The lot by which seats that an entry of this number names are others now."""
    return public.drawn if entry < public.drawn_at else {}


def asked_where_joined(record: AdjudicationRecord) -> list[str]:
    """Whom an adjudication asks, by the seats under which they are known until it is entered."""
    joined = {played: seat for seat, played in record.drawn.items()}
    return [joined.get(player, player) for player in record.next.owing]


_CONSENT = re.compile(r"rollback to ([1-9][0-9]{0,3})")
"""The words of an agreement by which all let the moderator go back before what they have shown."""


LAST_DAY = "9999-12-31"


def public_state_at_start(record: r.NewRecord) -> PublicState:
    """The public state of a campaign that has just begun."""
    return PublicState(record.settings, record.moderator, record.secret, dict(record.files), record.protocol)


def add_entry(public: PublicState, number: int, time: str, record: r.Record, fingerprint: str = "") -> None:
    """Add one entry to the public state; what it may say has been judged before. `fingerprint` is the entry's hash."""
    public.entry, public.time = number, time
    if isinstance(record, r.AdjudicationRecord) or r.goes_back(record):
        public.basis, public.began = fingerprint, time
    if isinstance(record, r.AdjudicationRecord) and record.drawn:
        # Before the rest of the entry, whose `next` names the seats that are played (docs/protocol.md, The deal).
        take_seats(public, number, record.drawn)
    match record:
        case r.JoinRecord():
            seat = public.settings.seats.get(record.player)
            name, bot = name_joined(public, record), seat.bot if seat else ""
            public.players[record.player] = Player(record.key, name, record.language, number, bot)
            public.entropy.setdefault(record.player, record.entropy)
            note_letter(public, number, "join", record)
        case r.LetterRecord():
            receive(public, number, time, record)
        case r.AdjudicationRecord():
            adjudicate(public, number, record)
        case r.LockRecord(_, _, deadline, forced):
            public.locked, public.hurried = True, forced
            public.deadline, public.reminded = checked_stamp(deadline), []
        case r.ExtensionRecord(until, _):
            parse_moment(until)  # unlike other deadlines there must be one
            public.deadline = until
        case r.AbsenceRecord():
            first, last = checked_day(record.first), checked_day(record.last)
            if last < first:
                raise ValueError("an absence ends before it begins")
            public.absences.append(AbsentDays(record.player, first, last, record.why, record.bot, record.key))
        case r.ReminderRecord(players, kind):
            public.reminded += [(time, kind, player) for player in players]
        case r.RollbackRecord():
            if isinstance(record, r.ClockRecord):
                forget_absences(public, time)
                if record.deadline:
                    stay_locked(public, time, record.deadline)
            if r.goes_back(record):
                turn_back(public, number, record)
        case r.SubstituteRecord():
            substitute(public, number, record)
        case r.KeyChangeRecord():
            rekey(public, number, record)
        case r.AgreementRecord():
            agree(public, number, record)
        case r.CloseRecord():
            public.phase = "closed"
        case r.RefusedRecord(mark):
            public.turned.setdefault(mark, number)
        case r.RulingRecord() | r.NewRecord():
            pass


def name_joined(public: PublicState, record: r.JoinRecord) -> str:
    """What a player is called: as their letter says, or else as the settings do; in older campaigns by nothing else."""
    seat = public.settings.seats.get(record.player)
    return record.name or (seat.name if seat and public.protocol >= 2 else "")


def agree(public: PublicState, number: int, record: r.AgreementRecord) -> None:
    """Players have agreed: on what binds them for some time, or, if all have, on going back."""
    if record.binds or record.until:
        public.deals.append(Deal(number, record.powers, record.words, record.binds, record.until))
    done = set(record.letters)
    public.promises = {k: v for k, v in public.promises.items() if not done & set(v.values())}
    match = _CONSENT.fullmatch(" ".join(record.words.split()))
    if match and set(record.powers) == set(public.settings.seats):
        public.consents.append(int(match[1]))


def receive(public: PublicState, number: int, time: str, record: r.LetterRecord) -> None:
    """A letter was accepted: it takes the place of what it replaces, and counts for numbers and limits."""
    if not record.acted and is_spare(public, record.player, record.kind):
        public.spare[record.player] = public.spare.get(record.player, 0) + 1
    note_letter(public, number, record.kind, record)
    if record.bot:
        public.by_bots[record.player] = number
    elif not record.acted and stands_in(public, record.player):
        today = local_day(parse_moment(time), public.settings.clock)
        come_back(public, number, record.player, today.isoformat())
    match record.kind:
        case "orders":
            before = public.pending.get(record.player)
            public.pending[record.player] = PendingLetter(number, record.status, record.wait, dict(record.slots))
            owes = public.next is not None and record.player in public.next.owing
            if owes and (before is None or before.status != record.status):
                public.last_needed = time
        case "reveal":
            if public.locked:
                public.shown = number
            receive_reveal(public, time, record)
        case "plan":
            public.unshown.pop(record.player, None)
            if record.slots and public.settings.conduct.sealing == "reveal":
                public.unshown[record.player] = HiddenPlans(number, record.stage, dict(record.slots))
            receive_plans(public, time, record)
        case "agreement":
            (words,) = record.slots.values()
            public.promises.setdefault(words, {})[record.player] = number


def come_back(public: PublicState, number: int, player: str, today: str = LAST_DAY) -> None:
    """No bot stands in any more on days that have begun: its player has written, or has the seat no more."""
    for place, away in enumerate(public.absences):
        if away.player == player and away.bot and not away.back and away.first <= today:
            public.absences[place] = replace(away, back=number)


def receive_reveal(public: PublicState, time: str, record: r.LetterRecord) -> None:
    """What was committed to is shown: behind a lock all of it, else standing plans, which may answer from now on."""
    pending = public.pending.get(record.player)
    if hidden_plans(public, record.player) & set(record.slots):
        del public.unshown[record.player]
    if pending is not None:
        pending.revealed += [slot for slot in record.slots if slot in pending.slots]
    if public.locked:
        public.last_needed = time
    else:
        receive_plans(public, time, record)


def receive_plans(public: PublicState, time: str, record: r.LetterRecord) -> None:
    """Standing plans can be read; with the orders that are in they answer what their player is asked, or no more."""
    if public.next is None or record.player not in public.next.owing:
        return
    player, before = record.player, public.pending.get(record.player)
    answers = record.status != "partial"
    if before is not None and (before.status != "partial") != answers:
        public.pending[player] = replace(before, status=record.status)
        public.last_needed = time
    if before is None and mark_answered(public, player, answers):
        public.last_needed = time


def mark_answered(public: PublicState, player: str, answers: bool) -> bool:
    """Note whether letters in force, which are no orders of this stage, answer for a player; whether that is new."""
    assert public.next is not None
    before = public.next.answered
    wanted = {*before, player} if answers else {*before} - {player}
    answered = tuple(other for other in public.next.owing if other in wanted)
    public.next = replace(public.next, answered=answered)
    return answered != before


def adjudicate(public: PublicState, number: int, record: r.AdjudicationRecord) -> None:
    """Orders were carried out."""
    same_stage = record.next.stage == record.stage
    if public.has_bots:
        before = public.asked.get(public.since, {}) if same_stage else {}
        again = {seat: before.get(seat, 0) + 1 for seat in record.next.owing if seat not in record.next.answered}
        public.asked[number] = before | again
    public.forfeiting = sorted({*public.forfeiting, *record.forfeited}) if same_stage else []
    if public.locked:
        public.unshown = {}
    public.version = record.version
    public.phase = "over" if record.next.over else "running"
    follow(public, number, record.next)


def turn_back(public: PublicState, number: int, record: r.RollbackRecord) -> None:
    """An earlier position counts again, and the letters after it do not."""
    following = record.next
    if earlier := [position for position in public.asked if position <= record.to]:
        public.asked[number] = public.asked[max(earlier)]
    public.phase = "over" if following.over else "running"
    public.turned_back = number
    public.forfeiting, public.unshown = [], {}
    follow(public, number, following)


def stay_locked(public: PublicState, time: str, deadline: str) -> None:
    """The time goes back, but nothing else: what was shown behind a lock is carried out; moments to come have been."""
    assert public.next is not None
    public.next = replace(public.next, deadline=min(public.next.deadline, deadline))
    public.deadline, public.reminded = checked_stamp(deadline), []
    public.began, public.last_needed = min(public.began, time), min(public.last_needed, time)


def forget_absences(public: PublicState, time: str) -> None:
    """Days that nobody could have announced by a right clock are none that somebody has used up."""
    farthest = (local_day(parse_moment(time), public.settings.clock) + FARTHEST).isoformat()
    public.absences = [away for away in public.absences if away.last <= farthest]


def follow(public: PublicState, number: int, following: r.Next) -> None:
    """The game waits for something new."""
    kept = {player: public.pending[player] for player in following.answered if player in public.pending}
    if public.next and turn_of(public.next.stage) != turn_of(following.stage):
        public.promises = {}
    public.next, public.since, public.deadline = following, number, checked_stamp(following.deadline)
    public.pending = kept
    public.locked, public.hurried = False, False
    public.reminded, public.last_needed, public.consents = [], "", []


def substitute(public: PublicState, number: int, record: r.SubstituteRecord) -> None:
    """Somebody else plays from now on; the letters that were in from that seat count no more, but behind a lock."""
    player, known = record.player, public.players[record.player]
    # In protocol 1 a substitute without a name went on under that of the predecessor (docs/protocol.md, Archive).
    name = record.name or (known.name if public.protocol < 2 else "")
    language = record.language or known.language
    public.players[player] = Player(record.key, name, language, number, record.bot)
    come_back(public, number, player)
    if not public.binds:
        public.pending.pop(player, None)
        public.unshown.pop(player, None)
        if public.next is not None:
            mark_answered(public, player, False)
    public.promises = {
        words: {who: entry for who, entry in signed.items() if who != player}
        for words, signed in public.promises.items()
    }


def rekey(public: PublicState, number: int, record: r.KeyChangeRecord) -> None:
    """A player signs with another key from now on; without a player it is the moderator."""
    if not record.player:
        public.moderator = record.key
        return
    public.players[record.player].key = record.key
    if record.mark:
        public.spare[record.player] = public.spare.get(record.player, 0) + 1
        note_letter(public, number, "key-change", record)


def note_letter(
    public: PublicState, number: int, kind: str, record: r.JoinRecord | r.LetterRecord | r.KeyChangeRecord
) -> None:
    """Remember a letter, so that copies of it are known and older ones refused."""
    key = seq_key(record.player, kind, record.bot if isinstance(record, r.LetterRecord) else "")
    public.seqs[key] = max(record.seq, public.seqs.get(key, 0))
    public.letters[record.mark] = number


def take_seats(public: PublicState, number: int, lot: Lot) -> None:
    """Everybody goes over to the seat that the entry of this number gives them, with all that is known of them."""
    public.drawn, public.drawn_at = dict(lot), number
    public.players = by_seats_drawn(public.players, lot)
    public.spare = by_seats_drawn(public.spare, lot)
    public.seqs = by_seats_drawn(public.seqs, lot)
    public.absences = [replace(away, player=lot[away.player]) for away in public.absences]
    public.settings = seated(public.settings, lot)
