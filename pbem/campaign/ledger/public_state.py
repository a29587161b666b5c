"""Public state of a campaign, computed from the ledger: players, awaited letters, and letters that came in. Nothing in
it is secret."""

from __future__ import annotations

from typing import Literal, NamedTuple, Self

from msgspec import Struct, field

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.proposal_facts import MovedDeadline, Proposal, SettledProposal
from pbem.campaign.settings import Settings
from pbem.paper.agreements import Deal
from pbem.paper.letter_kinds import APART

# Five limits of 800 (four seats, and refusals) leave nearly 6,000 of 9,999 entries. A game takes some hundred
# adjudications, each with a letter or two (docs/protocol.md, What is not protected).
MOST_SPARE = 800
"""Most entries of a campaign for letters of one seat that the game can do without (`is_spare`)."""

MOST_REFUSED = 800
"""Most entries for refused letters."""

LIMITED = 2
"""First protocol with the limits `MOST_SPARE` and `MOST_REFUSED`."""

ORDERS_SLOT = "orders"
"""Name of the sealed part that holds all orders of a letter."""

PLANS_SLOT = "plans"
"""Name of the sealed part with all standing plans. If there are several such parts, their names begin with this word
and `-`."""

BINDING = 2
"""First protocol in which a lock binds: letters revealed after a lock are carried out in any case (security.md)."""

CARDS_OF_ONE_COMBAT = 7
"""First protocol in which cards in a letter are for one combat. Before, cards that a combat left over were played in
the next combat of the stage."""

DEALING = 3
"""First protocol in which agreements may say what they bind, and until when."""

AS_WRITTEN = 3
"""First protocol in which a player may sign the file of a letter as it stands, as `ssh-keygen` does."""

AGREED_AT_ONCE = 4
"""First protocol in which the entry of an agreement directly follows the letter that completes the agreement, even if a
command was killed between the two."""

SUCCEEDING = 5
"""First protocol in which an heir may carry a campaign on."""

SAVED_UNCHANGED = 6
"""First protocol in which the time that a seat saves is counted from the last change of its final letters. A vote or an
absence saves no time. No vote, absence or resignation cancels lateness."""

LATE_PROPOSALS = 7
"""First protocol in which a proposal may be written on an earlier position."""

BASIS = 24
"""Number of digits of the hash by which a letter names the entry that it is based on."""


class Player(Struct):
    """The present player of a seat. A substitute is another `Player`."""

    key: str
    name: str
    language: str
    since: int = 0
    """Entry by which the player took the seat."""
    bot: str = ""
    """Name and version of the bot that plays the seat; empty for a person."""


class PendingLetter(Struct):
    """A letter with orders that was not carried out yet."""

    entry: int
    status: r.Status
    wait: bool = False
    """True if the player asks not to go on before the deadline."""
    slots: dict[str, str] = {}
    """Dict from the name of each sealed part of the letter to the commitment to this part."""
    revealed: list[str] = []
    """Names of the sealed parts that were revealed."""


class HiddenPlans(Struct, frozen=True):
    """Letter of valid standing plans. Some of its sealed parts were not revealed yet, not even to the moderator."""

    entry: int
    stage: str
    """Stage of the letter, to which its commitments are bound."""
    slots: dict[str, str]
    """Dict from the name of each sealed part to the commitment to this part."""


class Heirloom(Struct, frozen=True):
    """Key in parts with which an heir can open the moderator's bundles."""

    entry: int
    points: tuple[str, ...]
    """Points by which everybody can check a part (`records.HeirloomRecord`)."""
    numbers: dict[str, int]
    """Dict from each player with a part to the number of this part."""
    holders: dict[str, str]
    """Dict from each player with a part to the player's public key at the time when the parts were made."""


class EarlierPosition(NamedTuple):
    """A position that the game has left."""

    stage: str
    basis: str
    """First digits of the hash by which letters name the position."""
    left: str
    """Moment at which the game left the position."""


class Pace(NamedTuple):
    """Time that a seat has saved in one stage, or drawn from its bank of time."""

    entry: int
    """Entry at which this time was counted."""
    seat: str
    stage: str
    seconds: int
    """Seconds saved. A number below zero gives the seconds by which the seat was late."""


class AbsentDays(Struct, frozen=True):
    """Days on which a player is away."""

    player: str
    first: str
    last: str
    why: str = ""
    bot: str = ""
    """Bot that stands in, with its version."""
    key: str = ""
    back: int = 0
    """Entry that ended the work of the bot, because the player wrote or lost the seat; 0 before."""


class PublicState(Struct):
    """The public state of a campaign as its ledger tells it."""

    settings: Settings
    moderator: str
    """The moderator's public key."""
    secret: str
    """Commitment to the moderator's random bytes."""
    files: dict[str, str] = field(default_factory=dict)
    """Dict from the name of each of the campaign's board, politics and position files to its SHA-256."""
    protocol: int = 1
    players: dict[str, Player] = field(default_factory=dict)
    entropy: dict[str, str] = field(default_factory=dict)
    """Dict from each seat that a player joined to the random bytes of this player. If somebody else gets the seat
    later, the bytes stay the same."""
    drawn: dict[str, str] = field(default_factory=dict)
    """Dict from each seat that a player joined to the seat that a lot has given this player; empty without a lot."""
    drawn_at: int = 0
    """Entry in which the seats were drawn by lot. Earlier entries name the seats that the players joined."""
    phase: Literal["joining", "running", "over", "closed"] = "joining"
    version: int = 0
    """Number of adjudications."""
    next: r.Next | None = None
    """Public facts on the present position; None before the game has begun."""
    began: str = ""
    """Moment at which the present stage began."""
    basis: str = ""
    """Hash of the entry that letters are based on. A letter that names this hash confirms all entries up to that
    entry."""
    since: int = 0
    """Entry of the latest adjudication or rollback."""
    turned_back: int = 0
    """Entry of the latest rollback. Letters before it are not valid any more."""
    pending: dict[str, PendingLetter] = field(default_factory=dict)
    """Dict from each player to the player's letter with orders that were not carried out yet."""
    by_bots: dict[str, int] = field(default_factory=dict)
    """Dict from each seat whose player was away to the entry of the latest letter that a bot wrote for this player."""
    asked: dict[int, dict[str, int]] = field(default_factory=dict)
    """Numbers of times that each seat was asked for a letter in the stage of a position. The outer key is the entry
    that led to the position, the inner key is the seat.

    The choices of bots depend on these numbers, and a rollback restores them. Kept only in campaigns that may have
    bots.
    """
    unshown: dict[str, HiddenPlans] = field(default_factory=dict)
    """Dict from each player to the player's sealed standing plans that were not revealed yet. Such plans answer
    nothing."""
    last_needed: str = ""
    """Moment of the latest letter that changed something for the present stage."""
    locked: bool = False
    """True after a lock until the game goes on: sealed orders are to be revealed."""
    hurried: bool = False
    """True if the moderator locked before the clock allowed it, so that some players had no time to seal their
    orders."""
    shown: int = 0
    """Entry of the latest letter that revealed something after a lock."""
    consents: list[int] = field(default_factory=list)
    """Entries to which all seats have agreed to go back. The list is emptied whenever the game goes on."""
    forfeiting: list[str] = field(default_factory=list)
    """Players who have not revealed a sealed part in time in the present stage."""
    seqs: dict[str, int] = field(default_factory=dict)
    """Dict from the name of each series of letters (`seq_key`) to the highest number in it."""
    letters: dict[str, int] = field(default_factory=dict)
    """Dict from the mark of each accepted letter to its entry."""
    turned: dict[str, int] = field(default_factory=dict)
    """Dict from the mark of each refused text to its entry. A refused text that comes again is answered, but gets no
    second entry."""
    spare: dict[str, int] = field(default_factory=dict)
    """Number of entries for each seat's letters that the game could do without (`is_spare`)."""
    absences: list[AbsentDays] = field(default_factory=list)
    paces: list[Pace] = field(default_factory=list)
    """Time that seats have saved or drawn, if the terms have a bank of time (`clock.bank`)."""
    whole_since: dict[str, str] = field(default_factory=dict)
    """Dict from each seat whose letters now answer all decisions that it is asked. The value is the moment since which
    they do. Kept only with a bank of time."""
    final_since: dict[str, str] = field(default_factory=dict)
    """Dict from each seat in `whole_since` whose letters are final. The value is the moment since which they are. Since
    the protocol `SAVED_UNCHANGED`, a later change of the letters, or a wish to wait, begins this time anew."""
    held_since: dict[str, str] = field(default_factory=dict)
    """Dict from each held seat (`is_held`) to the moment since which it is held. Kept only with a bank of time."""
    saved_until: str = ""
    """Deadline that the clock would set for the present stage if nobody were away and no more time were given. Kept
    only with a bank of time."""
    reminded: list[tuple[str, str, str]] = field(default_factory=list)
    """Reminders sent in the present stage: moment, kind and player."""
    promises: dict[str, dict[str, int]] = field(default_factory=dict)
    """Agreements that not all parties have signed yet. The outer key is the fingerprint of the agreement's words. The
    inner key is a player who has signed, and its value is the entry of this player's letter.

    An agreement that is not completed within a turn is dropped.
    """
    deals: list[Deal] = field(default_factory=list)
    """Agreements that say what they bind or until when, including agreements that have ended."""
    deadline: str = ""
    """Deadline of the present stage; empty without one."""
    moved: MovedDeadline | None = None
    """The latest change of the present deadline; None if the deadline was not moved."""
    heirloom: Heirloom | None = None
    heir_since: int = 0
    """Entry that made the latest heir the moderator; 0 if there was no heir."""
    positions: list[EarlierPosition] = field(default_factory=list)
    """Earlier positions since the game last went back, in the order in which the game left them. Empty before the
    protocol `LATE_PROPOSALS`."""
    proposals: list[Proposal] = field(default_factory=list)
    """Open proposals, one of each seat at most."""
    settled: list[SettledProposal] = field(default_factory=list)
    """Proposals that are no longer open, the latest last."""
    resigned: list[str] = field(default_factory=list)
    """Seats whose players have resigned and which nobody has taken since."""
    ended: r.EndRecord | None = None
    """Entry by which the seats have ended the game; None if they have not."""
    entry: int = 0
    """Last entry that was carried out."""
    time: str = ""
    """Moment of the entry `entry`."""

    @property
    def has_bots(self) -> bool:
        """True if the settings allow bots, in seats or in place of absent players."""
        return bool(self.settings.conduct.stand_in) or any(seat.bot for seat in self.settings.seats.values())

    @property
    def binds(self) -> bool:
        """True if the present lock fixes all orders, as locks do since the protocol `BINDING`."""
        return self.locked and self.protocol >= BINDING

    def may_turn_back(self, position: int, target: int) -> bool:
        """True if a rollback to the entry `target` is allowed. `position` is the entry that led to the position to
        which the game then goes back. If letters were revealed after it, all seats must consent. Before the protocol
        `BINDING`, every rollback is allowed."""
        # With letters revealed since, players would know the choices of others.
        return self.protocol < BINDING or position > self.shown or target in self.consents


def unrevealed_parts(public: PublicState) -> dict[str, tuple[str, ...]]:
    """Return a dict from each player who has unrevealed sealed parts to the names of these parts."""
    players = [*public.pending, *(player for player in public.unshown if player not in public.pending)]
    hidden = {player: (*hidden_orders(public, player), *hidden_plans(public, player)) for player in players}
    return {player: tuple(sorted(slots)) for player, slots in hidden.items() if slots}


def hidden_orders(public: PublicState, player: str) -> set[str]:
    """Return the names of the sealed parts of a player's orders that were not revealed."""
    letter = public.pending.get(player)
    return set(letter.slots) - set(letter.revealed) if letter else set()


def hidden_plans(public: PublicState, player: str) -> set[str]:
    """Return the names of the sealed parts of a player's standing plans that were not revealed."""
    letter = public.unshown.get(player)
    return set(letter.slots) if letter else set()


def players_held_by_lock(public: PublicState) -> set[str]:
    """Return the players who have orders or hidden plans that the lock fixes."""
    return {*public.pending, *public.unshown}


def is_plan_slot(slot: str) -> bool:
    """True if a sealed part of this name has standing plans, not orders."""
    return slot == PLANS_SLOT or slot.startswith(f"{PLANS_SLOT}-")


def is_spare(public: PublicState, player: str, kind: str) -> bool:
    """True if the game could go on without a letter of this kind. This is false for a letter that joins, for a letter
    that reveals sealed parts, and for a seat's first orders in a stage."""
    return kind not in ("orders", "reveal", "join") or (kind == "orders" and player in public.pending)


def has_spent(public: PublicState, player: str, kind: str) -> bool:
    """True if a further letter of this kind by the player would be one spare letter (`is_spare`) too many. The ledger
    takes `MOST_SPARE` spare letters from each player, of all kinds together. Before the protocol `LIMITED`, there is no
    limit."""
    is_many = public.spare.get(player, 0) >= MOST_SPARE
    return public.protocol >= LIMITED and is_many and is_spare(public, player, kind)


def is_promised(public: PublicState, agreed: r.AgreementRecord) -> bool:
    """True if an agreement's entry has exactly the parties and letters of one agreement in `promises`."""
    return any(
        (agreed.powers, agreed.letters) == (tuple(sorted(signed)), tuple(sorted(signed.values())))
        for signed in public.promises.values()
    )


def newest_promise(public: PublicState) -> int:
    """Return the number of the newest entry in which a player signs an agreement that is still incomplete. Return 0 if
    there is no such agreement."""
    return max((entry for signed in public.promises.values() for entry in signed.values()), default=0)


def is_beyond(public: PublicState, record: r.Record) -> bool:
    """True if an entry exceeds a limit of the ledger. The limits are `MOST_REFUSED` entries of refused letters, and
    `MOST_SPARE` entries of letters of one player that the game can do without."""
    match record:
        case r.LetterRecord():
            return not record.acted and has_spent(public, record.player, record.kind)
        case r.KeyChangeRecord():
            return bool(record.mark) and has_spent(public, record.player, "key-change")
        case r.ProposalRecord() | r.VoteRecord():
            return has_spent(public, record.player, r.NAMES[type(record)])
        case r.RefusedRecord():
            return public.protocol >= LIMITED and len(public.turned) >= MOST_REFUSED
    return False


class Count(NamedTuple):
    """Name of a series of numbered letters. Each seat has a main series. Some kinds of letters leave the seat's earlier
    orders valid: each of these kinds has a series of its own."""

    seat: str
    kind: str = ""

    def __str__(self) -> str:
        return f"{self.seat}/{self.kind}" if self.kind else self.seat

    @classmethod
    def read(cls, written: str) -> Self:
        """Return the series written as `seat` or `seat/kind`."""
        seat, _, kind = written.partition("/")
        return cls(seat, kind)


STAND_IN = "stand-in"
"""Kind in the name of the series for letters of a bot that stands in for a player."""


def seq_key(player: str, kind: str, bot: str = "") -> str:
    """Return the name of the series (`Count`) of a letter of this kind. Letters of a bot that stands in have a series
    of their own."""
    return str(Count(player, STAND_IN if bot else kind if kind in APART else ""))


def is_held(public: PublicState, seat: str) -> bool:
    """True if nobody waits for a seat, because its player has resigned and `hold` was agreed. False if everybody has
    resigned."""
    if public.settings.conduct.resigned != "hold" or seat not in public.resigned:
        return False
    return any(not who.bot and other not in public.resigned for other, who in public.players.items())


def absences_with_bot(public: PublicState, player: str) -> tuple[AbsentDays, ...]:
    """Return the absences of a player in which a bot stands in, without those that ended early."""
    return tuple(away for away in public.absences if away.player == player and away.bot and not away.back)
