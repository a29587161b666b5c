"""What the ledger says, added up: who plays, what the game waits for, which letters are in. Nothing here is secret."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.clock.absences import FARTHEST
from pbem.campaign.clock.clock import local_day
from pbem.campaign.clock.timestamps import moment, sound
from pbem.campaign.ledger.lots import Lot, moved, seated
from pbem.campaign.ledger.records import (
    Absent,
    Adjudicated,
    Agreed,
    Closed,
    Extended,
    Joined,
    Locked,
    Next,
    Opened,
    Received,
    Record,
    Rekeyed,
    Reminded,
    Repaired,
    Replaced,
    RolledBack,
    Ruled,
    Status,
    Turned,
    goes_back,
)
from pbem.campaign.settings import Settings

MOST_SPARE = 800
"""How many entries a seat's letters may have in a campaign besides those without which the game would stand still."""

MOST_REFUSED = 800
"""How many entries there may be of what was refused."""

LIMITED = 2
"""The protocol since which there are these limits."""

PLANS_SLOT = "plans"
"""How the sealed parts of standing plans are called, or how their names begin, before a `-`."""

BINDING = 2
"""The first protocol in which a lock binds: what was shown behind it is carried out, whatever happens (security.md)."""

_CONSENT = re.compile(r"rollback to ([1-9][0-9]{0,3})")
"""The words of an agreement by which all let the moderator go back before what they have shown."""

BASIS = 24
"""How many digits a letter names of the hash of the entry on which it is written."""


class Player(Struct):
    """Who sits in a seat."""

    key: str
    name: str
    language: str
    since: int = 0
    """The entry by which they took it."""


class Pending(Struct):
    """A letter with orders that is in, and not yet carried out."""

    entry: int
    status: Status
    wait: bool = False
    slots: dict[str, str] = {}
    revealed: list[str] = []


class Unshown(Struct, frozen=True):
    """A letter with standing plans that is in force, and whose sealed parts nobody can look into yet."""

    entry: int
    stage: str
    """The stage of the letter, to which its commitments are bound."""
    slots: dict[str, str]


class Away(Struct, frozen=True):
    """Days on which a player is away."""

    player: str
    first: str
    last: str
    why: str = ""


class Register(Struct):
    """The public state of a campaign as its ledger tells it."""

    settings: Settings
    moderator: str
    """The moderator's public key."""
    secret: str
    """The commitment to the moderator's random bytes."""
    files: dict[str, str] = field(default_factory=dict)
    protocol: int = 1
    players: dict[str, Player] = field(default_factory=dict)
    entropy: dict[str, str] = field(default_factory=dict)
    """The random bytes of those who joined, by the seat joined, which substitutes do not change."""
    drawn: dict[str, str] = field(default_factory=dict)
    """The seats that a lot gave those who had joined, by the seats joined."""
    drawn_at: int = 0
    """The entry that says so: in those before it seats are those joined."""
    phase: Literal["joining", "running", "over", "closed"] = "joining"
    version: int = 0
    """How often the game was adjudicated."""
    next: Next | None = None
    began: str = ""
    """When the game began to wait for what it waits for now."""
    basis: str = ""
    """The hash of that entry of the ledger on which letters are written: they vouch for all that is before it."""
    since: int = 0
    """The entry of the latest adjudication or rollback."""
    turned_back: int = 0
    """The entry of the latest rollback: letters before it are not in force any more."""
    pending: dict[str, Pending] = field(default_factory=dict)
    unshown: dict[str, Unshown] = field(default_factory=dict)
    """Standing plans that were committed to and not revealed yet, by player; they answer nothing before."""
    last_needed: str = ""
    """When the latest letter of those who owe came in that made a difference."""
    locked: bool = False
    hurried: bool = False
    """Whether the moderator locked before the clock allowed it, so that who had sealed nothing had no more time to."""
    shown: int = 0
    """The entry of the latest letter that showed something behind a lock."""
    consents: list[int] = field(default_factory=list)
    """The entries to which all seats have agreed to go back, since the game last went on."""
    forfeiting: list[str] = field(default_factory=list)
    """Who has not shown in time what they had committed to, in the present stage."""
    seqs: dict[str, int] = field(default_factory=dict)
    letters: dict[str, int] = field(default_factory=dict)
    """Every letter accepted, by its mark, and the entry that says so."""
    turned: dict[str, int] = field(default_factory=dict)
    """The same of everything that was refused: what comes in again is answered again, but entered once."""
    spare: dict[str, int] = field(default_factory=dict)
    """How many entries the letters of each seat have had that the game could have done without."""
    absences: list[Away] = field(default_factory=list)
    reminded: list[tuple[str, str, str]] = field(default_factory=list)
    """Reminders sent for the present stage: when, of which kind, to whom."""
    promises: dict[str, dict[str, int]] = field(default_factory=dict)
    """Agreements that not all have signed yet: fingerprint of the words, and the letters of those who have.

    What is not completed within a turn is forgotten.
    """
    deadline: str = ""
    entry: int = 0
    time: str = ""

    @property
    def binds(self) -> bool:
        """Whether a lock is on, and with it everybody's choice made."""
        return self.locked and self.protocol >= BINDING

    def may_turn_back(self, position: int, to: int) -> bool:
        """Whether the game may go back to a position, that of an entry: not before what was shown behind a lock.

        Whoever chose anew there would know what the others have chosen; all seats can agree to it.
        """
        return self.protocol < BINDING or position > self.shown or to in self.consents

    def seat_of(self, power: str) -> str:
        """The player who is asked for a power now."""
        owing = self.next.owing if self.next else {}
        return next((player for player, powers in owing.items() if power in powers), "")


def unrevealed(register: Register) -> dict[str, tuple[str, ...]]:
    """The parts that were committed to and not shown, by player."""
    players = [*register.pending, *(player for player in register.unshown if player not in register.pending)]
    hidden = {player: (*hidden_orders(register, player), *hidden_plans(register, player)) for player in players}
    return {player: tuple(sorted(slots)) for player, slots in hidden.items() if slots}


def hidden_orders(register: Register, player: str) -> set[str]:
    """The sealed parts of a player's orders that were not shown."""
    letter = register.pending.get(player)
    return set(letter.slots) - set(letter.revealed) if letter else set()


def hidden_plans(register: Register, player: str) -> set[str]:
    """The same of standing plans."""
    letter = register.unshown.get(player)
    return set(letter.slots) if letter else set()


def held_by_lock(register: Register) -> set[str]:
    """Whose letters a lock fixes, or has fixed."""
    return {*register.pending, *register.unshown}


def is_plan_slot(slot: str) -> bool:
    """Whether a sealed part is one of standing plans, where a letter may reveal parts of plans and of orders."""
    return slot == PLANS_SLOT or slot.startswith(f"{PLANS_SLOT}-")


def opened(record: Opened) -> Register:
    """The register of a campaign that has just begun."""
    return Register(record.settings, record.moderator, record.secret, dict(record.files), record.protocol)


def enter(register: Register, number: int, time: str, record: Record, fingerprint: str = "") -> None:
    """Add one entry to the register; what it may say has been judged before. `fingerprint` is the entry's hash."""
    register.entry, register.time = number, time
    if isinstance(record, Adjudicated) or goes_back(record):
        register.basis, register.began = fingerprint, time
    if isinstance(record, Adjudicated) and record.drawn:
        take_seats(register, number, record.drawn)
    match record:
        case Joined():
            register.players[record.player] = Player(record.key, name_joined(register, record), record.language, number)
            register.entropy.setdefault(record.player, record.entropy)
            note_letter(register, number, record.player, "join", record.seq, record.mark)
        case Received():
            receive(register, number, time, record)
        case Adjudicated():
            adjudicate(register, number, record)
        case Locked(_, _, deadline, forced):
            register.locked, register.hurried = True, forced
            register.deadline, register.reminded = sound(deadline), []
        case Extended(until, _):
            register.deadline = sound(until)
        case Absent(player, first, last, why):
            register.absences.append(Away(player, first, last, why))
        case Reminded(players, kind):
            register.reminded += [(time, kind, player) for player in players]
        case RolledBack(_, _, following):
            if isinstance(record, Repaired):
                forget_absences(register, time)
                if record.deadline:
                    stay_locked(register, time, record.deadline)
            if goes_back(record):
                turn_back(register, number, following)
        case Replaced():
            substitute(register, number, record)
        case Rekeyed():
            rekey(register, number, record)
        case Agreed():
            agree(register, record)
        case Closed():
            register.phase = "closed"
        case Turned(mark):
            register.turned.setdefault(mark, number)
        case Ruled() | Opened():
            pass


def name_joined(register: Register, record: Joined) -> str:
    """What a player is called: as their letter says, or else as the settings do; in older campaigns by nothing else."""
    seat = register.settings.seats.get(record.player)
    return record.name or (seat.name if seat and register.protocol >= 2 else "")


def agree(register: Register, record: Agreed) -> None:
    """Players have agreed; if all have, it may be on going back."""
    done = set(record.letters)
    register.promises = {k: v for k, v in register.promises.items() if not done & set(v.values())}
    match = _CONSENT.fullmatch(" ".join(record.words.split()))
    if match and set(record.powers) == set(register.settings.seats):
        register.consents.append(int(match[1]))


def receive(register: Register, number: int, time: str, record: Received) -> None:
    """A letter has come in."""
    if not record.acted and is_spare(register, record.player, record.kind):
        register.spare[record.player] = register.spare.get(record.player, 0) + 1
    note_letter(register, number, record.player, record.kind, record.seq, record.mark)
    match record.kind:
        case "orders":
            before = register.pending.get(record.player)
            register.pending[record.player] = Pending(number, record.status, record.wait, dict(record.slots))
            owes = register.next is not None and record.player in register.next.owing
            if owes and (before is None or before.status != record.status):
                register.last_needed = time
        case "reveal":
            if register.locked:
                register.shown = number
            receive_reveal(register, time, record)
        case "plan":
            register.unshown.pop(record.player, None)
            if record.slots and register.settings.conduct.sealing == "reveal":
                register.unshown[record.player] = Unshown(number, record.stage, dict(record.slots))
            receive_plans(register, time, record)
        case "agreement":
            (words,) = record.slots.values()
            register.promises.setdefault(words, {})[record.player] = number


def receive_reveal(register: Register, time: str, record: Received) -> None:
    """What was committed to is shown: behind a lock all of it, else standing plans, which may answer from now on."""
    pending = register.pending.get(record.player)
    if hidden_plans(register, record.player) & set(record.slots):
        del register.unshown[record.player]
    if pending is not None:
        pending.revealed += [slot for slot in record.slots if slot in pending.slots]
    if register.locked:
        register.last_needed = time
    else:
        receive_plans(register, time, record)


def receive_plans(register: Register, time: str, record: Received) -> None:
    """Standing plans can be read; with the orders that are in they answer what their player is asked, or no more."""
    if register.next is None or record.player not in register.next.owing:
        return
    player, before = record.player, register.pending.get(record.player)
    answers = record.status != "partial"
    if before is not None and (before.status != "partial") != answers:
        register.pending[player] = replace(before, status=record.status)
        register.last_needed = time
    if before is None and mark_answered(register, player, answers):
        register.last_needed = time


def mark_answered(register: Register, player: str, answers: bool) -> bool:
    """Note whether letters in force, which are no orders of this stage, answer for a player; whether that is new."""
    assert register.next is not None
    before = register.next.answered
    wanted = {*before, player} if answers else {*before} - {player}
    answered = tuple(other for other in register.next.owing if other in wanted)
    register.next = replace(register.next, answered=answered)
    return answered != before


def adjudicate(register: Register, number: int, record: Adjudicated) -> None:
    """Orders were carried out."""
    same_stage = record.next.stage == record.stage
    register.forfeiting = sorted({*register.forfeiting, *record.forfeited}) if same_stage else []
    if register.locked:
        register.unshown = {}
    register.version = record.version
    register.phase = "over" if record.next.over else "running"
    follow(register, number, record.next)


def turn_back(register: Register, number: int, following: Next) -> None:
    """An earlier position counts again, and the letters after it do not."""
    register.phase = "over" if following.over else "running"
    register.turned_back = number
    register.forfeiting, register.unshown = [], {}
    follow(register, number, following)


def stay_locked(register: Register, time: str, deadline: str) -> None:
    """The time goes back, but nothing else: what was shown behind a lock is carried out; moments to come have been."""
    assert register.next is not None
    register.next = replace(register.next, deadline=min(register.next.deadline, deadline))
    register.deadline, register.reminded = sound(deadline), []
    register.began, register.last_needed = min(register.began, time), min(register.last_needed, time)


def forget_absences(register: Register, time: str) -> None:
    """Days that nobody could have announced by a right clock are none that somebody has used up."""
    farthest = (local_day(moment(time), register.settings.clock) + FARTHEST).isoformat()
    register.absences = [away for away in register.absences if away.last <= farthest]


def follow(register: Register, number: int, following: Next) -> None:
    """The game waits for something new."""
    kept = {player: register.pending[player] for player in following.answered if player in register.pending}
    if register.next and register.next.stage.partition("/")[0] != following.stage.partition("/")[0]:
        register.promises = {}
    register.next, register.since, register.deadline = following, number, sound(following.deadline)
    register.pending = kept
    register.locked, register.hurried = False, False
    register.reminded, register.last_needed, register.consents = [], "", []


def substitute(register: Register, number: int, record: Replaced) -> None:
    """Somebody else plays from now on; the letters that were in from that seat count no more, but behind a lock."""
    player, known = record.player, register.players[record.player]
    name = record.name or (known.name if register.protocol < 2 else "")
    register.players[player] = Player(record.key, name, record.language or known.language, number)
    if not register.binds:
        register.pending.pop(player, None)
        register.unshown.pop(player, None)
        if register.next is not None:
            mark_answered(register, player, False)
    register.promises = {
        words: {who: entry for who, entry in signed.items() if who != player}
        for words, signed in register.promises.items()
    }


def rekey(register: Register, number: int, record: Rekeyed) -> None:
    """A player signs with another key from now on; without a player it is the moderator."""
    if not record.player:
        register.moderator = record.key
        return
    register.players[record.player].key = record.key
    if record.mark:
        register.spare[record.player] = register.spare.get(record.player, 0) + 1
        note_letter(register, number, record.player, "key-change", record.seq, record.mark)


def is_spare(register: Register, player: str, kind: str) -> bool:
    """Whether the game could do without such a letter: all but reveals, and orders where a seat has none in force."""
    return kind not in ("orders", "reveal", "join") or (kind == "orders" and player in register.pending)


def has_spent(register: Register, player: str, kind: str) -> bool:
    """Whether a letter of this kind is one too many, so that nobody can fill a ledger."""
    is_many = register.spare.get(player, 0) >= MOST_SPARE
    return register.protocol >= LIMITED and is_many and is_spare(register, player, kind)


def is_beyond(register: Register, record: Record) -> bool:
    """Whether there are too many entries for one that says this."""
    match record:
        case Received():
            return not record.acted and has_spent(register, record.player, record.kind)
        case Rekeyed():
            return bool(record.mark) and has_spent(register, record.player, "key-change")
        case Turned():
            return register.protocol >= LIMITED and len(register.turned) >= MOST_REFUSED
    return False


def seq_key(player: str, kind: str) -> str:
    """Under what the numbers of a player's letters are counted: messages and agreements overtake no orders."""
    return f"{player}/{kind}" if kind in ("message", "agreement") else player


def note_letter(register: Register, number: int, player: str, kind: str, seq: int, mark: str) -> None:
    """Remember a letter, so that copies of it are known and older ones refused."""
    key = seq_key(player, kind)
    register.seqs[key] = max(seq, register.seqs.get(key, 0))
    register.letters[mark] = number


def take_seats(register: Register, number: int, lot: Lot) -> None:
    """Everybody goes over to the seat that the entry of this number gives them, with all that is known of them."""
    register.drawn, register.drawn_at = dict(lot), number
    register.players = moved(register.players, lot)
    register.spare = moved(register.spare, lot)
    register.seqs = moved(register.seqs, lot)
    register.absences = [replace(away, player=lot[away.player]) for away in register.absences]
    register.settings = seated(register.settings, lot)
