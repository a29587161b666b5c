"""What a power may be asked to decide, and the answers to it. Everything a person can choose is one of these.

A decision belongs to one power and holds what is legal, as far as that fits on a page; it may hold secrets of its
power and is shown to nobody else. Cities, pieces and cards are the numbers of the board, the rules and the decks.
"""

from __future__ import annotations

from msgspec import Struct


class Decision(Struct, frozen=True, tag=True):
    """A question that the game waits for."""

    power: str


class Allot(Decision, frozen=True):
    """Deal out the troops of a power to its generals before the first turn (§4)."""

    troops: int
    least: dict[int, int]
    """The fewest troops each general may get."""
    most: int


class Arrange(Decision, frozen=True):
    """Move troops between stacked generals of one power; open at any time, and never has to be answered (§6)."""

    stacks: tuple[tuple[int, ...], ...]


class PlaceHussars(Decision, frozen=True):
    """Put hussars on cities, take them off, or leave them where they are (§7)."""

    standing: tuple[int, ...]
    cities: tuple[int, ...]


class Subsidy(Decision, frozen=True):
    """Give a card of this turn's income to a minor power, or keep it (§8)."""

    receiver: str


class Claim(Struct, frozen=True):
    """A general whose supply path runs through a hussar, and what the path costs."""

    piece: int
    path: tuple[int, ...]


class Toll(Decision, frozen=True):
    """Pay for supply paths through hussars (§9)."""

    claims: tuple[Claim, ...]
    hand: tuple[int, ...]


class March(Decision, frozen=True):
    """Move pieces one after the other, bring trains back, and say when it is enough (§10)."""

    pieces: tuple[int, ...]
    """The pieces that have not moved yet."""
    trains: dict[int, tuple[int, ...]]
    """Trains that may re-enter, and the fortresses open to them."""
    leaving: tuple[int, ...] = ()
    """The pieces that have to march out of neutral land before the moves may end (§19.3)."""


class Pairing(Struct, frozen=True):
    """Two adjacent enemy stacks, named by their cities, that must fight."""

    attacker: int
    defender: int


class ChooseBattle(Decision, frozen=True):
    """Say which of several attacks is resolved next (§11.1)."""

    battles: tuple[Pairing, ...]


class PlayCard(Decision, frozen=True):
    """Play a card in combat, or stop (§11.1)."""

    score: int
    suit: int
    cards: tuple[int, ...]
    """The cards that may be played now."""
    must: bool
    """At zero a card of the suit has to be played if there is one."""


class ChooseRetreat(Decision, frozen=True):
    """Choose the path on which the beaten stack retreats (§11.2)."""

    pieces: tuple[int, ...]
    start: int
    length: int
    ends: tuple[int, ...]


class Recruit(Decision, frozen=True):
    """Pay for new troops and bring generals back in winter (§13)."""

    hand: tuple[int, ...]
    room: dict[int, int]
    """The generals who may receive troops, and how many each has room for."""
    entries: dict[int, tuple[int, ...]]
    """Generals off the map, and the fortresses where they may re-enter."""


class Answer(Struct, frozen=True, tag=True):
    """A choice, made by anybody: an order file, a plan, a bot, a moderator."""


class Allotment(Answer, frozen=True):
    """Troops for every general of a power."""

    troops: dict[int, int]


class Transfer(Answer, frozen=True):
    """The new allotment of troops within one stack of one power."""

    troops: dict[int, int]


class HussarPlacement(Answer, frozen=True):
    """The city of each hussar, OFF for one beside the board."""

    cities: tuple[int, ...]


class GiveSubsidy(Answer, frozen=True):
    """Whether the subsidy is given this turn."""

    give: bool


class PayToll(Answer, frozen=True):
    """The cards paid, and the generals who go unsupplied when all cards together are not enough."""

    cards: tuple[int, ...]
    unsupplied: tuple[int, ...] = ()


class Move(Answer, frozen=True):
    """A piece or a stack goes along a path of cities; `commander` settles who leads a stack of equal ranks."""

    pieces: tuple[int, ...]
    path: tuple[int, ...]
    commander: int | None = None


class Reenter(Answer, frozen=True):
    """A train comes back, or is withdrawn and comes back, at a fortress, for cards."""

    train: int
    city: int
    cards: tuple[int, ...]


class Done(Answer, frozen=True):
    """Nothing more in this phase."""


class Fight(Answer, frozen=True):
    """The attack to resolve next."""

    battle: Pairing


class Play(Answer, frozen=True):
    """A card played in combat; `value` is what a Reserve is declared to be."""

    card: int
    value: int = 0


class Stop(Answer, frozen=True):
    """No further card in this combat."""


class RetreatAlong(Answer, frozen=True):
    """The path of the beaten stack."""

    path: tuple[int, ...]


class Recruitment(Answer, frozen=True):
    """Cards paid, new troops for each general, the cities of those who re-enter, and who leads equal ranks."""

    cards: tuple[int, ...] = ()
    troops: dict[int, int] = {}
    entries: dict[int, int] = {}
    commanders: tuple[int, ...] = ()


class ChooseTrump(Decision, frozen=True):
    """The player who won the latest combat names the political trump suit (§17.2)."""


class PlaceInfluence(Decision, frozen=True):
    """Place a card face-down on the political display, or none (§17.3)."""

    hand: tuple[int, ...]


class SelectPolitics(Decision, frozen=True):
    """Select a political card, or conserve the cards on the display (§17.5)."""

    cards: tuple[int, ...]
    """The open political cards that this power may select."""
    may_execute: bool


class SendCorps(Decision, frozen=True):
    """Choose the general who goes to the off-map box (§17.5)."""

    generals: tuple[int, ...]
    recruits: tuple[int, ...]
    """Those of them who are off the map and first need troops that are paid for."""
    hand: tuple[int, ...]


class Reinforce(Decision, frozen=True):
    """Give new troops that cost nothing to generals (§17.5)."""

    troops: int
    room: dict[int, int]
    entries: dict[int, tuple[int, ...]]


class Relocate(Decision, frozen=True):
    """Choose the city to which a piece has to go (§17.5, §19.1, §19.3)."""

    piece: int
    cities: tuple[int, ...]


class ShiftSaxony(Decision, frozen=True):
    """Let Prussia's losses move Saxony's marker, or not (§19.3)."""

    steps: int


class OfferPeace(Decision, frozen=True):
    """Offer Austria peace for Silesia, or not (§19.1)."""


class AcceptPeace(Decision, frozen=True):
    """Accept the peace that was offered, or not (§19.1)."""

    offered_by: str


class ReduceObjectives(Decision, frozen=True):
    """Give up the fortresses in Core-Austria, or not (§19.2)."""

    fortresses: int


class Vote(Decision, frozen=True):
    """Give electoral votes to one or the other candidate (§18)."""

    votes: int


class CedeSilesia(Decision, frozen=True):
    """Cede Silesia for peace, or not (Silesia Gambit §2.2)."""


class NameTrump(Answer, frozen=True):
    """The political trump suit."""

    suit: int


class Influence(Answer, frozen=True):
    """The card placed on the display, None for none."""

    card: int | None = None


class Politics(Answer, frozen=True):
    """A political card selected, or None to conserve; what of it is executed (all False and empty: discarded)."""

    card: int | None = None
    instruction: bool = False
    shifts: dict[str, int] = {}
    grantee: str = ""
    """The power that gets what the card gives, where the card leaves that open."""


class Corps(Answer, frozen=True):
    """The general who goes, and the cards paid for his troops if he needs some."""

    general: int
    cards: tuple[int, ...] = ()


class GoTo(Answer, frozen=True):
    """The city a piece goes to, and who leads a stack of equal ranks there."""

    city: int
    commander: int | None = None


class Consent(Answer, frozen=True):
    """Yes or no."""

    yes: bool


class Votes(Answer, frozen=True):
    """How many of the votes are for Charles Albert; the others are for Francis Stephen."""

    charles: int
