"""Effects of entries on the public state. Entries are not checked here: they must have been judged before."""

from __future__ import annotations

import re

from msgspec.structs import replace

from pbem.campaign.clock.bank import note_answers, note_held, note_position, settle_accounts
from pbem.campaign.clock.clock import checked_day, checked_stamp, local_day, parse_moment
from pbem.campaign.clock.deadlines import FARTHEST
from pbem.campaign.ledger import proposals
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.public_state import (
    AbsentDays,
    Heirloom,
    HiddenPlans,
    PendingLetter,
    Player,
    PublicState,
    absences_with_bot,
    hidden_plans,
    is_spare,
    seq_key,
)
from pbem.campaign.ledger.seats import take_seats
from pbem.campaign.settings import Moderator, Seat
from pbem.engine.table import turn_of
from pbem.paper.agreements import Deal

_CONSENT = re.compile(r"rollback to ([1-9][0-9]{0,3})")
"""Pattern of the words of an agreement in which all seats allow a rollback. Such a rollback may undo stages in which
letters were revealed."""

LAST_DAY = "9999-12-31"


def public_state_at_start(record: r.NewRecord) -> PublicState:
    return PublicState(record.settings, record.moderator, record.secret, dict(record.files), record.protocol)


def add_entry(public: PublicState, number: int, time: str, record: r.Record, fingerprint: str = "") -> None:
    """Carry out one entry on the public state. First drop proposals whose time is over. `fingerprint` is the entry's
    hash."""
    public.entry, public.time, open_before = number, time, public.proposals
    proposals.drop_late(public, time)
    settle_accounts(public, number, time, record)
    if isinstance(record, r.AdjudicationRecord) or r.goes_back(record):
        proposals.leave_position(public, time, turns_back=r.goes_back(record))
        public.basis, public.began = fingerprint, time
    if isinstance(record, r.AdjudicationRecord) and record.drawn:
        # The seats are given first, because the field `next` of the entry already names the seats by lot
        # (docs/protocol.md, The deal).
        take_seats(public, number, record.drawn)
    match record:
        case r.ProposalRecord():
            note_spare(public, number, "proposal", record)
            proposals.add_proposal(public, number, time, record, fingerprint)
        case r.JoinRecord() | r.LetterRecord() | r.KeyChangeRecord() | r.VoteRecord() | r.RefusedRecord():
            take_letter(public, number, time, record)
        case r.AdjudicationRecord() | r.LockRecord() | r.ExtensionRecord() | r.ReminderRecord() | r.RollbackRecord():
            change_stage(public, number, time, record)
        case r.EndRecord():
            proposals.end_game(public, record)
        case r.ResolutionRecord():
            proposals.resolve(public, record)
        case r.CloseRecord():
            close(public, record)
        case r.AbsenceRecord() | r.SubstituteRecord() | r.AgreementRecord() | r.HeirloomRecord() | r.SuccessionRecord():
            change_people(public, number, record)
        case r.RulingRecord() | r.NewRecord():
            pass
    proposals.note_settled(public, open_before, time, record)
    note_answers(public, time, seat_heard(record))
    note_held(public, time)


def take_letter(
    public: PublicState,
    number: int,
    time: str,
    record: r.JoinRecord | r.LetterRecord | r.KeyChangeRecord | r.VoteRecord | r.RefusedRecord,
) -> None:
    """Carry out the entry of a letter other than a proposal. If a player has personally sent an accepted letter or a
    vote, drop all proposals to replace this player."""
    match record:
        case r.JoinRecord():
            join(public, number, record)
        case r.LetterRecord():
            receive(public, number, time, record)
            if not record.acted and not record.bot:
                proposals.drop_replacements(public, record.player)
        case r.KeyChangeRecord():
            rekey(public, number, record)
        case r.VoteRecord():
            note_spare(public, number, "vote", record)
            proposals.add_vote(public, record)
        case r.RefusedRecord(mark):
            public.turned.setdefault(mark, number)


def change_stage(
    public: PublicState,
    number: int,
    time: str,
    record: r.AdjudicationRecord | r.LockRecord | r.ExtensionRecord | r.ReminderRecord | r.RollbackRecord,
) -> None:
    """Carry out an entry that adjudicates or locks a stage, changes the time for orders, notes reminders, or goes back
    to an earlier position."""
    match record:
        case r.AdjudicationRecord():
            adjudicate(public, number, record)
        case r.LockRecord(_, _, deadline, forced):
            public.locked, public.hurried = True, forced
            public.deadline, public.reminded = checked_stamp(deadline), []
        case r.ExtensionRecord(until, _):
            parse_moment(until)  # unlike other deadlines, this one may not be empty
            proposals.move_deadline(public, record)
        case r.ReminderRecord(players, kind):
            public.reminded += [(time, kind, player) for player in players]
        case r.RollbackRecord():
            if isinstance(record, r.ClockRecord):
                correct_clock(public, time, record)
            if r.goes_back(record):
                turn_back(public, number, record)


def change_people(
    public: PublicState,
    number: int,
    record: r.AbsenceRecord | r.SubstituteRecord | r.AgreementRecord | r.HeirloomRecord | r.SuccessionRecord,
) -> None:
    """Carry out an entry about players, their agreements, or the moderator's heir. Raises `ValueError` for an absence
    that ends before it begins."""
    match record:
        case r.AbsenceRecord():
            first, last = checked_day(record.first), checked_day(record.last)
            if last < first:
                raise ValueError("an absence ends before it begins")
            public.absences.append(AbsentDays(record.player, first, last, record.why, record.bot, record.key))
        case r.SubstituteRecord():
            substitute(public, number, record)
        case r.AgreementRecord():
            agree(public, number, record)
        case r.HeirloomRecord(points, parts):
            holders = {player: public.players[player].key for player in parts}
            public.heirloom = Heirloom(number, points, dict(parts), holders)
        case r.SuccessionRecord():
            succeed(public, number, record)


def join(public: PublicState, number: int, record: r.JoinRecord) -> None:
    """Give a seat to the player who joins. If the letter has no name, the player gets the name in the settings (since
    protocol 2)."""
    seat = public.settings.seats.get(record.player)
    name = record.name or (seat.name if seat and public.protocol >= 2 else "")
    public.players[record.player] = Player(record.key, name, record.language, number, seat.bot if seat else "")
    public.entropy.setdefault(record.player, record.entropy)
    note_letter(public, number, "join", record)


def correct_clock(public: PublicState, time: str, record: r.ClockRecord) -> None:
    """Carry out the correction of a wrong clock. Drop absences that end later than a right clock would have allowed. If
    the entry has a deadline, set this deadline, and forget the reminders so that they are sent again. Moments of the
    stage that are later than `time` become `time`."""
    # Players with a right clock could not have announced absences that end later. The days of these absences do not
    # count as used.
    farthest = (local_day(parse_moment(time), public.settings.clock) + FARTHEST).isoformat()
    public.absences = [away for away in public.absences if away.last <= farthest]
    if record.deadline:
        assert public.next is not None
        # Only the time is corrected, because letters revealed after a lock must be carried out. Moments in the future
        # become the present moment, and reminders are sent again.
        public.next = replace(public.next, deadline=min(public.next.deadline, record.deadline))
        public.deadline, public.reminded = checked_stamp(record.deadline), []
        public.began, public.last_needed = min(public.began, time), min(public.last_needed, time)


def succeed(public: PublicState, number: int, record: r.SuccessionRecord) -> None:
    """Make an heir the moderator. Set the deadline that the entry names, and drop the heirloom of the former moderator.
    If the heir plays, reports to the other seats are sealed from now on."""
    moderator = Moderator(record.name or Moderator().name, seat=record.seat)
    public.deadline, public.reminded = checked_stamp(record.deadline), []
    public.moderator, public.heirloom, public.heir_since = record.key, None, number
    seats = sealed_to_rivals(public, record.seat) if record.seat else public.settings.seats
    public.settings = replace(public.settings, moderator=moderator, seats=seats)


def close(public: PublicState, record: r.CloseRecord) -> None:
    """Close the campaign, and note the names of masked players."""
    public.phase = "closed"
    for played, called in record.people.items():
        public.players[played].name = called


def seat_heard(record: r.Record) -> str:
    """Return the seat whose orders or plans this entry accepts or reveals. Return an empty text for any other entry."""
    if isinstance(record, r.LetterRecord) and record.kind in ("orders", "plan", "reveal"):
        return record.player
    return ""


def agree(public: PublicState, number: int, record: r.AgreementRecord) -> None:
    """Carry out an agreement, and remove it from `promises`. Add it to `deals` if it binds something or has an end. If
    all seats agree to a rollback in it, note in `consents` the entry to which they want to go back."""
    if record.binds or record.until:
        public.deals.append(Deal(number, record.powers, record.words, record.binds, record.until))
    done = set(record.letters)
    public.promises = {k: v for k, v in public.promises.items() if not done & set(v.values())}
    match = _CONSENT.fullmatch(" ".join(record.words.split()))
    if match and set(record.powers) == set(public.settings.seats):
        public.consents.append(int(match[1]))


def receive(public: PublicState, number: int, time: str, record: r.LetterRecord) -> None:
    """Add an accepted letter to the public state. Orders and plans replace the player's earlier ones. A letter by the
    player in person ends an absence in which a bot stands in. A letter that the game can do without counts for the
    limit on such letters."""
    if not record.acted and is_spare(public, record.player, record.kind):
        public.spare[record.player] = public.spare.get(record.player, 0) + 1
    note_letter(public, number, record.kind, record)
    if record.bot:
        public.by_bots[record.player] = number
    elif not record.acted and absences_with_bot(public, record.player):
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
            pending = public.pending.get(record.player)
            if hidden_plans(public, record.player) & set(record.slots):
                del public.unshown[record.player]
            if pending is not None:
                pending.revealed += [slot for slot in record.slots if slot in pending.slots]
            if public.locked:
                public.last_needed = time
            else:
                receive_plans(public, time, record)
        case "plan":
            public.unshown.pop(record.player, None)
            if record.slots and public.settings.conduct.sealing == "reveal":
                public.unshown[record.player] = HiddenPlans(number, record.stage, dict(record.slots))
            receive_plans(public, time, record)
        case "agreement":
            (words,) = record.slots.values()
            public.promises.setdefault(words, {})[record.player] = number


def come_back(public: PublicState, number: int, player: str, today: str = LAST_DAY) -> None:
    """End the absences of a player in which a bot stands in, except those that begin after `today`. The entry `number`
    shows that the player has written, or has lost the seat."""
    for place, away in enumerate(public.absences):
        if away.player == player and away.bot and not away.back and away.first <= today:
            public.absences[place] = replace(away, back=number)


def receive_plans(public: PublicState, time: str, record: r.LetterRecord) -> None:
    """Note whether a player's new standing plans and the player's orders together answer everything that is asked."""
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
    """Note that letters of earlier stages, such as standing plans, answer for a player. If `answers` is false, note
    that they do not answer. Return True if this is a change."""
    assert public.next is not None
    before = public.next.answered
    wanted = {*before, player} if answers else {*before} - {player}
    answered = tuple(other for other in public.next.owing if other in wanted)
    public.next = replace(public.next, answered=answered)
    return answered != before


def adjudicate(public: PublicState, number: int, record: r.AdjudicationRecord) -> None:
    """Go on to the position after an adjudication. After a lock, forget hidden plans; at the end of the game, forget
    open proposals. If bots may play, count the times that each seat is asked in the stage."""
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
    public.proposals = [] if record.next.over else public.proposals
    follow(public, number, record.next)


def turn_back(public: PublicState, number: int, record: r.RollbackRecord) -> None:
    """Go back to an earlier position. Letters of the undone stages no longer count. The time that was saved or drawn in
    these stages does not count, either. All proposals are dropped."""
    following = record.next
    if earlier := [position for position in public.asked if position <= record.to]:
        public.asked[number] = public.asked[max(earlier)]
    public.phase = "over" if following.over else "running"
    public.turned_back, public.proposals, public.ended = number, [], None
    # The time that was saved or drawn in the undone stages does not count any more.
    public.paces = [pace for pace in public.paces if pace.entry <= record.to]
    public.forfeiting, public.unshown = [], {}
    follow(public, number, following)


def follow(public: PublicState, number: int, following: r.Next) -> None:
    """Go on to a new position. Keep a player's letter only if it already answers the decisions there. Forget the lock,
    the reminders, and the seats' consents to a rollback. If a new turn begins, also forget agreements that not all
    parties have signed."""
    kept = {player: public.pending[player] for player in following.answered if player in public.pending}
    if public.next and turn_of(public.next.stage) != turn_of(following.stage):
        public.promises = {}
    public.next, public.since, public.deadline = following, number, checked_stamp(following.deadline)
    public.moved = None
    note_position(public, public.time)
    public.pending = kept
    public.locked, public.hurried = False, False
    public.reminded, public.last_needed, public.consents = [], "", []


def substitute(public: PublicState, number: int, record: r.SubstituteRecord) -> None:
    """Give a seat to another player. Drop the former player's proposals, votes and signatures to agreements, and
    proposals to replace that player. Also drop the former player's letters that were not carried out, unless a lock has
    fixed them."""
    player, known = record.player, public.players[record.player]
    # In protocol 1 a substitute without a name had the name of the predecessor (docs/protocol.md, Archive).
    name = record.name or (known.name if public.protocol < 2 else "")
    language = record.language or known.language
    public.players[player] = Player(record.key, name, language, number, record.bot)
    come_back(public, number, player)
    proposals.drop_votes_of(public, player)
    public.resigned = [seat for seat in public.resigned if seat != player]
    if not public.binds:
        public.pending.pop(player, None)
        public.unshown.pop(player, None)
        if public.next is not None:
            mark_answered(public, player, False)
    public.promises = {
        words: {who: entry for who, entry in signed.items() if who != player}
        for words, signed in public.promises.items()
    }


def sealed_to_rivals(public: PublicState, own: str) -> dict[str, Seat]:
    """Return the settings of all seats after an heir who plays the seat `own` has taken over. Reports to other seats
    become sealed if their players have keys."""
    rivals = {seat for seat, who in public.players.items() if seat != own and who.key}
    seats = public.settings.seats.items()
    return {seat: replace(each, reports="sealed") if seat in rivals else each for seat, each in seats}


def rekey(public: PublicState, number: int, record: r.KeyChangeRecord) -> None:
    """Change the key of a player, or the moderator's key if the entry names no player. If a letter asked for the
    change, note this letter (`note_spare`)."""
    if not record.player:
        public.moderator = record.key
        return
    public.players[record.player].key = record.key
    if record.mark:
        note_spare(public, number, "key-change", record)


LettersOfPlayers = r.JoinRecord | r.LetterRecord | r.KeyChangeRecord | r.ProposalRecord | r.VoteRecord
"""Records of accepted letters."""


def note_spare(public: PublicState, number: int, kind: str, record: LettersOfPlayers) -> None:
    """Note a letter that the game could do without (`is_spare`), and count it for the limit on such letters."""
    public.spare[record.player] = public.spare.get(record.player, 0) + 1
    note_letter(public, number, kind, record)


def note_letter(public: PublicState, number: int, kind: str, record: LettersOfPlayers) -> None:
    """Note the mark and number of a letter, so that later copies of it and older letters are recognised."""
    key = seq_key(record.player, kind, record.bot if isinstance(record, r.LetterRecord) else "")
    public.seqs[key] = max(record.seq, public.seqs.get(key, 0))
    public.letters[record.mark] = number
