"""Content of the moderator's signed letters as a player's program uses it: keys, settings, the position, and the orders
that the player owes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, convert
from msgspec.structs import replace

from pbem.campaign.clock.clock import checked_stamp, span
from pbem.campaign.ledger.proposal_facts import MovedDeadline, SettledProposal
from pbem.campaign.ledger.records import CardProof
from pbem.campaign.letters.letterbox import Request, request_behind
from pbem.campaign.letters.replaced_orders import AheadOfReader
from pbem.engine.nouns import Power
from pbem.faults.wrong import wrong
from pbem.paper.agreements import Deal
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.found import is_address
from pbem.paper.letters import Letter, check_signature
from pbem.paper.library import game_of_terms
from pbem.seal.canonical import AnyTree
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

KINDS = ("invitation", "report")

Signing = Literal["on", "off"]
Sealing = Literal["moderator", "reveal"]
Number = Annotated[int, Meta(ge=1, le=10**10)]
"""Number of an entry or a letter, of ten digits at most."""
Entry = Annotated[int, Meta(ge=0, le=10**10)]
"""Number of an entry, or 0 for no entry."""
Terms = dict[str, str | dict[str, str]]


class ReportedHead(Struct, frozen=True):
    """Number and hash of the last entry that a report covers."""

    entry: Number
    hash: str


class OwedPowers(Struct, frozen=True):
    """Powers of one seat that owe orders, and the state of these orders, according to a report."""

    powers: tuple[str, ...] = ()
    state: str = ""
    """State of the orders, one of `OrderState`."""


class PlansInForce(Struct, frozen=True):
    """The letter of standing plans that are valid now according to a report."""

    letter: str
    """Fingerprint of the letter."""
    seq: int
    stage: str
    hidden: Literal["yes", "no"]
    """`yes` if a part of the letter has still to be revealed."""


class Proof(CardProof, frozen=True):
    """Proof in a report that a card is the one that was dealt."""

    name: str = ""


class ReportedPart(Struct, frozen=True):
    """The reader's part of the heirloom, with the points by which the part is checked."""

    entry: Number
    """Entry of the heirloom."""
    number: Annotated[int, Meta(ge=1, le=9)]
    """Number of the part among all parts."""
    points: tuple[str, ...]
    """Points by which everybody can check a part (`records.HeirloomRecord`)."""
    part: str
    """The part, sealed to the reader's key."""
    days: Number
    """Days without an entry after which the campaign may be given to an heir."""
    last: str = ""
    """Moment of the last entry that the report covers."""


class ReportedProposal(Struct, frozen=True):
    """An open proposal as a report names it."""

    name: str
    player: str
    subject: str
    about: str
    until: str
    yes: tuple[str, ...]
    """Seats that have agreed."""
    awaited: tuple[str, ...]
    """Seats whose votes are still missing; none if the proposal is carried."""


class ReportedVoting(Struct, frozen=True):
    """Facts in a report that decide if proposals and votes are allowed."""

    votes: Literal["none", "majority", "two thirds", "all"]
    resigned: Literal["substitute", "bot", "hold"]
    """Successor of a player who resigns."""
    time: str
    """Time for each stage."""
    host: str = ""
    """Seat of a moderator who plays."""
    bots: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Seats whose players have resigned, and which nobody has taken since."""

    def __post_init__(self) -> None:
        span(self.time)


class ReportedMotion(Struct, frozen=True):
    """Proposal that has ended the game, as a report names it."""

    player: str
    subject: Literal["draw", "standing", "concede"]
    about: str


class ReportedEnd(Struct, frozen=True):
    """End of the game to which the seats have agreed, as a report tells it."""

    how: Literal["draw", "standing", "concede"]
    winners: tuple[str, ...]
    motion: ReportedMotion


class ReportedAccount(Struct, frozen=True):
    """A seat's account in the bank of time, as a report tells it."""

    left: Annotated[int, Meta(ge=0, le=10**10)]
    """Seconds that are left."""


class ToldCourse(Struct, frozen=True):
    """News of a report: the public map before the latest events, and these events as its reader may know them."""

    map: dict[str, AnyTree]
    events: tuple[dict[str, AnyTree], ...]


class Guidance(Struct, frozen=True):
    """Content of an invitation or report. A field is empty if the letter does not have it."""

    kind: str
    campaign: str
    moderator: PublicKey
    signing: Signing
    sealing: Sealing
    terms: Terms
    language: str = ""
    """Language of the letter's reader; empty in letters of earlier versions."""
    seat: str = ""
    """Seat of the letter's reader."""
    deal: str = ""
    """Commitment to the secret of the deal, which a joining letter must name."""
    token: str = ""
    """Token that proves the invitation."""
    is_open: bool = False
    """True if anybody may take the seat of the invitation."""
    is_choice: bool = False
    """True if the moderator chooses among those who ask for the open seat."""
    has_lot: bool = False
    """True if the letter invites to a seat for joining only: later a lot gives each player the seat to play."""
    is_masked: bool = False
    """True if the letter invites to a campaign in which nobody is to know who plays which seat."""
    seats: tuple[str, ...] = ()
    """Seats of the game, as an invitation lists them."""
    players: dict[str, str] = {}
    """Dict from each seat to the name of its player."""
    key: str = ""
    """Fingerprint of the key with which the reader of a report signs; empty in reports of earlier versions."""
    host: str = ""
    """Name of the moderator."""
    address: str = ""
    """Address of the moderator to which the letter's reader writes; empty if it is no mail address."""
    host_seat: str = ""
    """Seat of a moderator who plays."""
    phase: str = ""
    """Phase of the campaign; empty if the letter does not say it."""
    stage: str = ""
    basis: str = ""
    next_seq: int = 1
    """Number of the reader's next letter."""
    deadline: str = ""
    """Moment until which orders are owed; empty without a deadline."""
    locked: bool = False
    """True if sealed orders have to be revealed now."""
    head: ReportedHead | None = None
    """Last entry that a report covers; None in an invitation."""
    owing: dict[str, OwedPowers] = {}
    """Dict from each seat to its powers that owe orders."""
    proofs: tuple[Proof, ...] = ()
    """Proofs of the cards that the reader's powers have drawn."""
    powers: tuple[Power, ...] = ()
    """Powers whose secrets the reader knows."""
    plans: PlansInForce | None = None
    """Letter with the reader's valid standing plans; None without one."""
    ahead: tuple[AheadOfReader, ...] = ()
    """Orders that the reader has given in advance and that are still valid."""
    agreements: tuple[Deal, ...] = ()
    """Valid agreements that say what they bind, or until when."""
    proposals: tuple[ReportedProposal, ...] = ()
    """Proposals that are open."""
    settled: tuple[SettledProposal, ...] = ()
    """The latest proposals that are no longer open; empty in reports of earlier versions."""
    moved: MovedDeadline | None = None
    """The latest change of the deadline; None if it was not moved, and in reports of earlier versions."""
    voting: ReportedVoting | None = None
    """Facts that decide if proposals and votes are allowed; None while nobody can propose anything, and in reports of
    earlier versions."""
    ended: ReportedEnd | None = None
    """End of the game on which the seats have agreed; None without one, and in reports of earlier versions."""
    bank: dict[str, ReportedAccount] = {}
    """Account of each seat in the bank of time; empty without a bank."""
    position: dict[str, AnyTree] = {}
    """The position as the reader may know it (docs/positions.md); only a report has it."""
    remembered: dict[str, AnyTree] = {}
    """Public memory of past moves; empty in reports of earlier versions."""
    course: ToldCourse | None = None
    """Events since the last report; None in reports of earlier versions."""
    since: int | None = None
    """Last entry that was told in the reader's previous report; None in reports of earlier versions."""
    turned_back: int = 0
    """Entry of the latest rollback; 0 without one, and in reports of earlier versions."""
    heirloom: ReportedPart | None = None
    """The reader's part of the key for an heir; None if the reader has none."""
    sheets: dict[str, str] = {}
    """Dict from the name of each sheet that comes with the letter to its SHA-256; empty in letters of earlier
    versions."""
    said: dict[str, AnyTree] = {}
    """Whole content of a report as plain texts: its body, and the stage, the basis and the number from its head."""

    @property
    def request(self) -> Request:
        """Return the letter's request to its reader; `nothing` if the reader's seat owes no orders."""
        if self.phase == "closed":
            return "closed"
        state = self.owing.get(self.seat, OwedPowers(state="nothing required")).state
        return request_behind(state, is_locked=self.locked)

    @property
    def is_over(self) -> bool:
        """True if the game has ended or the campaign is closed."""
        return self.phase in ("over", "closed")

    @property
    def all_powers(self) -> tuple[str, ...]:
        """Return the powers of all seats that owe orders."""
        return tuple(power for owed in self.owing.values() for power in owed.powers)


def guidance_of(letter: Letter, source: str) -> Guidance:
    """Return the content of an invitation or report. Raises `Refused` for another letter or a damaged one, and
    `SealFault` unless the moderator whom it names has signed it."""
    if letter.kind not in KINDS:
        raise Refused(source, [wrong("E-GUIDE-KIND", kind=letter.kind)])
    body: object = strict.bare(letter.body)
    try:
        found = invitation_guidance(letter, body) if letter.kind == "invitation" else report_guidance(letter, body)
    except (msgspec.ValidationError, SealFault, KeyError, TypeError, AttributeError, ValueError):
        damaged = wrong("E-GUIDE-FORM", kind=letter.kind)
        raise Refused(source, [Fault.at(letter.body.line, letter.body.column, damaged)]) from None
    check_signature(letter, found.moderator)
    game_of_terms(found.terms)
    return found


def invitation_guidance(letter: Letter, body: AnyTree) -> Guidance:
    """Return the content of an invitation, whose signature is not checked here."""
    conduct = body["conduct"]
    return Guidance(
        kind=letter.kind,
        campaign=letter.campaign,
        moderator=PublicKey.parse(body["moderator"]["key"]),
        signing=convert(conduct["signing"], Signing),
        sealing=convert(conduct["sealing"], Sealing),
        terms=convert(body["terms"], Terms),
        language=convert(body.get("language", ""), str),
        seat=convert(body.get("seat", ""), str),
        deal=convert(body["secret"], str),
        token=convert(body.get("token", ""), str),
        seats=convert(tuple(body["seats"]), tuple[str, ...]),
        players=dict.fromkeys(convert(tuple(body["seats"]), tuple[str, ...]), ""),
        host=convert(body["moderator"].get("name", ""), str),
        address=address_in(body["moderator"]),
        host_seat=convert(body.get("moderator-plays", ""), str),
        is_open="open" in body,
        is_choice=str(body.get("open", "")) == "chosen",
        has_lot=conduct.get("seats") == "drawn",
        is_masked=conduct.get("masks") == "until the close",
        sheets=convert(body.get("sheets") or {}, dict[str, str]),
    )


def address_in(document: AnyTree) -> str:
    """Return the mail address in a part of a letter; empty if there is none. Raises `ValidationError` for a value that
    is no text."""
    address = convert(document.get("address", ""), str)
    return address if is_address(address) else ""


def report_guidance(letter: Letter, body: AnyTree) -> Guidance:
    """Return the content of a report, whose signature is not checked here."""
    position = convert(body.get("position") or {}, dict[str, AnyTree])
    phase = convert(body.get("phase", ""), str)
    # Programs up to 0.2 also wrote into the report of the close what the seats had owed.
    is_closed = phase == "closed"
    # Empty values are treated as missing.
    written = {seat: {key: each for key, each in owed.items() if each} for seat, owed in (body["owing"] or {}).items()}
    return Guidance(
        kind=letter.kind,
        campaign=letter.campaign,
        moderator=PublicKey.parse(body["moderator"]),
        signing=convert(body["signing"], Signing),
        sealing=convert(body["sealing"], Sealing),
        terms=convert(body["terms"], Terms),
        language=convert(body.get("language", ""), str),
        seat=convert(body["to"], str),
        address=address_in(body),
        phase=phase,
        stage=letter.stage,
        basis=letter.basis,
        next_seq=convert(body["next-seq"], Number, strict=False),
        locked=body.get("locked") in ("yes", "true"),
        head=convert(body["head"], ReportedHead, strict=False),
        owing={} if is_closed else convert(written, dict[str, OwedPowers]),
        players=convert(body.get("players") or {}, dict[str, str]),
        key=convert(body.get("key", ""), str),
        proofs=convert(body["proofs"] or [], tuple[Proof, ...], strict=False),
        powers=convert(position.get("powers") or (), tuple[str, ...]),
        plans=convert(body["plans"], PlansInForce, strict=False) if "plans" in body else None,
        ahead=convert(body.get("ahead") or (), tuple[AheadOfReader, ...], strict=False),
        agreements=convert(body.get("agreements") or (), tuple[Deal, ...], strict=False),
        proposals=convert(body.get("proposals") or (), tuple[ReportedProposal, ...], strict=False),
        settled=convert(body.get("settled") or (), tuple[SettledProposal, ...], strict=False),
        moved=convert(body["moved"], MovedDeadline) if "moved" in body else None,
        voting=convert(body["voting"], ReportedVoting) if body.get("voting") else None,
        ended=convert(body["ended"], ReportedEnd) if body.get("ended") else None,
        bank=convert(body.get("bank") or {}, dict[str, ReportedAccount], strict=False),
        position=position,
        remembered=convert(body.get("remembered") or {}, dict[str, AnyTree]),
        course=convert(body["course"], ToldCourse) if "course" in body else None,
        since=convert(body["since"], Entry, strict=False) if "since" in body else None,
        turned_back=convert(body.get("turned-back", 0), Entry, strict=False),
        heirloom=convert(body["heirloom"], ReportedPart, strict=False) if "heirloom" in body else None,
        sheets=convert(body.get("sheets") or {}, dict[str, str]),
        deadline="" if is_closed else checked_stamp(convert(body.get("deadline", ""), str)),
        said={**body, "from": letter.sender, "stage": letter.stage, "basis": letter.basis, "seq": str(letter.seq)},
    )


def with_hand(found: Guidance, power: Power, hand: Sequence[str]) -> Guidance:
    """Return a copy of the guidance in which the power has this hand in the position."""
    hands, sizes = dict(found.position.get("hands") or {}), dict(found.position.get("hand sizes") or {})
    sizes.pop(power, None)
    supposed = {"hands": {**hands, power: list(hand)}, "hand sizes": sizes}
    return replace(found, position={**found.position, **supposed})
