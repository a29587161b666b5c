"""What the ledger says, added up: who plays, what the game waits for, which letters are in. Nothing here is secret."""

from __future__ import annotations

from typing import Literal, NamedTuple, Self

from msgspec import Struct, field

from pbem.campaign.ledger import records as r
from pbem.campaign.settings import Settings
from pbem.engine.nouns import Power
from pbem.paper.agreements import Deal

# 4 seats, and refusals, at 800 each leave more than 4,000 of 9,999 entries; a game takes some hundred adjudications,
# each with a letter or two (docs/protocol.md, What is not protected).
MOST_SPARE = 800
"""How many entries a seat's letters may have in a campaign besides those without which the game would stand still."""

MOST_REFUSED = 800
"""How many entries there may be of what was refused."""

LIMITED = 2
"""The protocol since which there are these limits."""

ORDERS_SLOT = "orders"
"""The sealed part that holds all of a letter's orders, where they are sealed as one."""

PLANS_SLOT = "plans"
"""How the sealed parts of standing plans are called, or how their names begin, before a `-`."""

BINDING = 2
"""The first protocol in which a lock binds: what was shown behind it is carried out, whatever happens (security.md)."""

DEALING = 3
"""The first protocol in which agreements may say what they bind, and until when."""

AS_WRITTEN = 3
"""The protocol since which a letter may be signed as it is written."""

BASIS = 24
"""How many digits a letter names of the hash of the entry on which it is written."""


class Player(Struct):
    """Who sits in a seat now: a substitute takes the place of the one before."""

    key: str
    name: str
    language: str
    since: int = 0
    """The entry by which they took it."""
    bot: str = ""
    """The bot that it is, from the start or put there later, and the version by which it plays."""


class PendingLetter(Struct):
    """A letter with orders that is in, and not yet carried out."""

    entry: int
    status: r.Status
    wait: bool = False
    slots: dict[str, str] = {}
    revealed: list[str] = []


class HiddenPlans(Struct, frozen=True):
    """A letter with standing plans that is in force, and whose sealed parts nobody can look into yet."""

    entry: int
    stage: str
    """The stage of the letter, to which its commitments are bound."""
    slots: dict[str, str]


class AbsentDays(Struct, frozen=True):
    """Days on which a player is away."""

    player: str
    first: str
    last: str
    why: str = ""
    bot: str = ""
    """The bot that stands in, and the version by which it plays."""
    key: str = ""
    back: int = 0
    """The entry of the letter with which the player has come back to a seat that a bot looked after."""


class PublicState(Struct):
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
    next: r.Next | None = None
    began: str = ""
    """When the game began to wait for what it waits for now."""
    basis: str = ""
    """The hash of that entry of the ledger on which letters are written: they vouch for all that is before it."""
    since: int = 0
    """The entry of the latest adjudication or rollback."""
    turned_back: int = 0
    """The entry of the latest rollback: letters before it are not in force any more."""
    pending: dict[str, PendingLetter] = field(default_factory=dict)
    by_bots: dict[str, int] = field(default_factory=dict)
    """The entry of the latest letter that a bot wrote for a player who was away."""
    asked: dict[int, dict[str, int]] = field(default_factory=dict)
    """How often each seat was asked for a letter in its stage, by the entry that led to a position.

    On it hangs the luck of bots, which a rollback brings back; so it is counted only where there may be some.
    """
    unshown: dict[str, HiddenPlans] = field(default_factory=dict)
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
    """Everything that was refused, likewise: what comes in again is answered again, but entered once."""
    spare: dict[str, int] = field(default_factory=dict)
    """How many entries the letters of each seat have had that the game could have done without."""
    absences: list[AbsentDays] = field(default_factory=list)
    reminded: list[tuple[str, str, str]] = field(default_factory=list)
    """Reminders sent for the present stage: when, of which kind, to whom."""
    promises: dict[str, dict[str, int]] = field(default_factory=dict)
    """Agreements that not all have signed yet: fingerprint of the words, and the letters of those who have.

    What is not completed within a turn is forgotten.
    """
    deals: list[Deal] = field(default_factory=list)
    """The agreements that say what they bind or until when, ended ones too."""
    deadline: str = ""
    entry: int = 0
    time: str = ""

    @property
    def has_bots(self) -> bool:
        """Whether bots may write letters."""
        return bool(self.settings.conduct.stand_in) or any(seat.bot for seat in self.settings.seats.values())

    @property
    def binds(self) -> bool:
        """Whether a lock is on, and with it everybody's choice made."""
        return self.locked and self.protocol >= BINDING

    def may_turn_back(self, position: int, to: int) -> bool:
        """Whether the game may go back to a position, that of an entry: not before what was shown behind a lock.

        Whoever chose anew there would know what the others have chosen; all seats can agree to it.
        """
        return self.protocol < BINDING or position > self.shown or to in self.consents

    def seat_of(self, power: Power) -> str:
        """The player who is asked for a power now."""
        owing = self.next.owing if self.next else {}
        return next((player for player, powers in owing.items() if power in powers), "")


def unrevealed(public: PublicState) -> dict[str, tuple[str, ...]]:
    """The parts that were committed to and not shown, by player."""
    players = [*public.pending, *(player for player in public.unshown if player not in public.pending)]
    hidden = {player: (*hidden_orders(public, player), *hidden_plans(public, player)) for player in players}
    return {player: tuple(sorted(slots)) for player, slots in hidden.items() if slots}


def hidden_orders(public: PublicState, player: str) -> set[str]:
    """The sealed parts of a player's orders that were not shown."""
    letter = public.pending.get(player)
    return set(letter.slots) - set(letter.revealed) if letter else set()


def hidden_plans(public: PublicState, player: str) -> set[str]:
    """The parts of standing plans that were committed to and not shown."""
    letter = public.unshown.get(player)
    return set(letter.slots) if letter else set()


def held_by_lock(public: PublicState) -> set[str]:
    """Whose letters a lock fixes, or has fixed."""
    return {*public.pending, *public.unshown}


def is_plan_slot(slot: str) -> bool:
    """Whether a sealed part is one of standing plans, where a letter may reveal parts of plans and of orders."""
    return slot == PLANS_SLOT or slot.startswith(f"{PLANS_SLOT}-")


def is_spare(public: PublicState, player: str, kind: str) -> bool:
    """Whether the game could do without such a letter: all but reveals, and orders where a seat has none in force."""
    return kind not in ("orders", "reveal", "join") or (kind == "orders" and player in public.pending)


def has_spent(public: PublicState, player: str, kind: str) -> bool:
    """Whether a letter of this kind is one too many, so that nobody can fill a ledger."""
    is_many = public.spare.get(player, 0) >= MOST_SPARE
    return public.protocol >= LIMITED and is_many and is_spare(public, player, kind)


def is_promised(public: PublicState, agreed: r.AgreementRecord) -> bool:
    """Return whether an agreement rests on letters of exactly its parties, all with the same words."""
    return any(
        (agreed.powers, agreed.letters) == (tuple(sorted(signed)), tuple(sorted(signed.values())))
        for signed in public.promises.values()
    )


def is_beyond(public: PublicState, record: r.Record) -> bool:
    """Whether there are too many entries for one that says this."""
    match record:
        case r.LetterRecord():
            return not record.acted and has_spent(public, record.player, record.kind)
        case r.KeyChangeRecord():
            return bool(record.mark) and has_spent(public, record.player, "key-change")
        case r.RefusedRecord():
            return public.protocol >= LIMITED and len(public.turned) >= MOST_REFUSED
    return False


class Count(NamedTuple):
    """What is counted of a seat: its letters, or apart from them those of a kind that overtakes no orders."""

    seat: str
    kind: str = ""

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.seat}/{self.kind}" if self.kind else self.seat

    @classmethod
    def read(cls, written: str) -> Self:
        """What was written."""
        seat, _, kind = written.partition("/")
        return cls(seat, kind)


STAND_IN = "stand-in"
"""Under what the letters of a bot are counted that stands in for somebody."""


def seq_key(player: str, kind: str, bot: str = "") -> str:
    """Under what the numbers of a player's letters are counted: messages and agreements overtake no orders.

    Those of a bot that stands in are counted for themselves, so that its player goes on where they stopped.
    """
    return str(Count(player, STAND_IN if bot else kind if kind in ("message", "agreement") else ""))


def stands_in(public: PublicState, player: str) -> tuple[AbsentDays, ...]:
    """The absences of a player for which a bot stands in, as long as they have not come back."""
    return tuple(away for away in public.absences if away.player == player and away.bot and not away.back)
