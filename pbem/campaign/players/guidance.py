"""What a player's program takes from the moderator's signed letters: whom to trust and seal to, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, cast

import msgspec
from msgspec import Meta, Struct, convert
from msgspec.structs import replace

from pbem.campaign.clock.clock import checked_stamp
from pbem.campaign.ledger.records import CardProof
from pbem.campaign.letters.trying_out import AheadOfReader
from pbem.engine.memory import Memory
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import wrong
from pbem.paper.agreements import Deal
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.reader import Reader, node_of
from pbem.paper.documents.writing import write
from pbem.paper.letters import Letter, check_signature
from pbem.paper.positions.knowledge import load_known, read_remembered
from pbem.paper.terms import game_of_terms, named_rules, read_terms
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

KINDS = ("invitation", "report")

Signing = Literal["on", "off"]
Sealing = Literal["moderator", "reveal"]
Number = Annotated[int, Meta(ge=1, le=10**10)]
"""The number of an entry or a letter: letters write one with ten digits at most."""
Terms = dict[str, str | dict[str, str]]


class ReportedHead(Struct, frozen=True):
    """The head of the ledger that a report is of."""

    entry: Number
    hash: str


class Owing(Struct, frozen=True):
    """What one seat is asked, as a report tells it."""

    powers: tuple[str, ...] = ()
    state: str = ""


class PlansInForce(Struct, frozen=True):
    """The letter of its reader's standing plans, as a report names it."""

    letter: str
    """Its fingerprint."""
    seq: int
    stage: str
    hidden: Literal["yes", "no"]
    """Whether something in it is still to be revealed."""


class Proof(CardProof, frozen=True):
    """The proof of a card, and its name."""

    name: str = ""


class Guidance(Struct, frozen=True):
    """An invitation or a report whose signature is that of the moderator whom it names."""

    kind: str
    campaign: str
    moderator: PublicKey
    signing: Signing
    sealing: Sealing
    terms: Terms
    seat: str = ""
    """Whom it is for, as far as it says so."""
    deal: str = ""
    """The commitment to the secret of the deal, which a joining letter vouches for."""
    token: str = ""
    """What shows that its reader was invited."""
    has_lot: bool = False
    """Whether it invites to a seat that is only where one joins, until a lot gives out those to play."""
    seats: tuple[str, ...] = ()
    """The seats that it invites to."""
    players: dict[str, str] = {}
    """All seats, and who sits in each, as far as it says so."""
    host: str = ""
    """What the moderator is called, as far as it says so."""
    host_seat: str = ""
    """The seat of a moderator who plays, as far as it says so."""
    stage: str = ""
    basis: str = ""
    next_seq: int = 1
    """The seq of the next letter of whom it is for."""
    deadline: str = ""
    """Until when orders are owed; empty if there is no such moment."""
    locked: bool = False
    """Whether what was sealed is being revealed."""
    head: ReportedHead | None = None
    owing: dict[str, Owing] = {}
    proofs: tuple[Proof, ...] = ()
    powers: tuple[Power, ...] = ()
    """The powers whose secrets its reader knows."""
    plans: PlansInForce | None = None
    ahead: tuple[AheadOfReader, ...] = ()
    """What its reader has ordered ahead, as far as it is in force."""
    agreements: tuple[Deal, ...] = ()
    """Those in force that say what they bind or until when."""
    position: dict[str, AnyTree] = {}
    """The position as its reader may know it (docs/positions.md); only a report has it."""
    remembered: dict[str, AnyTree] = {}
    """What everybody remembers of how the position came about; reports of earlier versions have none."""
    sheets: dict[str, str] = {}
    """The files that come with it to be filled in, with their SHA-256; those of earlier versions name none."""
    said: dict[str, AnyTree] = {}
    """Everything that a report says, as bare texts: its body, and of its head the stage, the basis and the number."""

    @property
    def all_powers(self) -> tuple[str, ...]:
        """The powers that are played, as far as it names them."""
        return tuple(power for owed in self.owing.values() for power in owed.powers)


def guidance_of(letter: Letter, source: str) -> Guidance:
    """What the letter says; raises `Refused`, and `SealFault` if it is not signed by the moderator it names."""
    if letter.kind not in KINDS:
        raise Refused(source, [wrong("E-GUIDE-KIND", kind=letter.kind)])
    body: object = strict.bare(letter.body)
    try:
        found = invited(letter, body) if letter.kind == "invitation" else reported(letter, body)
    except (msgspec.ValidationError, SealFault, KeyError, TypeError, AttributeError, ValueError):
        damaged = wrong("E-GUIDE-FORM", kind=letter.kind)
        raise Refused(source, [Fault.at(letter.body.line, letter.body.column, damaged)]) from None
    check_signature(letter, found.moderator)
    game_of_terms(found.terms)
    return found


def invited(letter: Letter, body: AnyTree) -> Guidance:
    """An invitation as guidance, none of it believed before the signature is checked."""
    conduct = body["conduct"]
    return Guidance(
        kind=letter.kind,
        campaign=letter.campaign,
        moderator=PublicKey.parse(body["moderator"]["key"]),
        signing=convert(conduct["signing"], Signing),
        sealing=convert(conduct["sealing"], Sealing),
        terms=convert(body["terms"], Terms),
        seat=convert(body.get("seat", ""), str),
        deal=convert(body["secret"], str),
        token=convert(body.get("token", ""), str),
        seats=convert(tuple(body["seats"]), tuple[str, ...]),
        players=dict.fromkeys(convert(tuple(body["seats"]), tuple[str, ...]), ""),
        host=convert(body["moderator"].get("name", ""), str),
        host_seat=convert(body.get("moderator-plays", ""), str),
        has_lot=conduct.get("seats") == "drawn",
        sheets=convert(body.get("sheets") or {}, dict[str, str]),
    )


def reported(letter: Letter, body: AnyTree) -> Guidance:
    """A report as guidance, none of it believed before the signature is checked."""
    position = convert(body.get("position") or {}, dict[str, AnyTree])
    return Guidance(
        kind=letter.kind,
        campaign=letter.campaign,
        moderator=PublicKey.parse(body["moderator"]),
        signing=convert(body["signing"], Signing),
        sealing=convert(body["sealing"], Sealing),
        terms=convert(body["terms"], Terms),
        seat=convert(body["to"], str),
        stage=letter.stage,
        basis=letter.basis,
        next_seq=convert(body["next-seq"], Number, strict=False),
        locked=body.get("locked") in ("yes", "true"),
        head=convert(body["head"], ReportedHead, strict=False),
        owing=owing_in(body),
        players=convert(body.get("players") or {}, dict[str, str]),
        proofs=convert(body["proofs"] or [], tuple[Proof, ...], strict=False),
        powers=convert(position.get("powers") or (), tuple[str, ...]),
        plans=convert(body["plans"], PlansInForce, strict=False) if "plans" in body else None,
        ahead=convert(body.get("ahead") or (), tuple[AheadOfReader, ...], strict=False),
        agreements=convert(body.get("agreements") or (), tuple[Deal, ...], strict=False),
        position=position,
        remembered=convert(body.get("remembered") or {}, dict[str, AnyTree]),
        sheets=convert(body.get("sheets") or {}, dict[str, str]),
        deadline=checked_stamp(convert(body.get("deadline", ""), str)),
        said={**body, "stage": letter.stage, "basis": letter.basis, "seq": str(letter.seq)},
    )


def owing_in(body: AnyTree) -> dict[str, Owing]:
    """What every seat is asked; what nothing stands behind was not written."""
    written = {seat: {key: each for key, each in owed.items() if each} for seat, owed in (body["owing"] or {}).items()}
    return convert(written, dict[str, Owing])


def with_hand(found: Guidance, power: Power, hand: Sequence[str]) -> Guidance:
    """What is known, as if another power were known to have these cards."""
    hands, sizes = dict(found.position.get("hands") or {}), dict(found.position.get("hand sizes") or {})
    sizes.pop(power, None)
    supposed = {"hands": {**hands, power: list(hand)}, "hand sizes": sizes}
    return replace(found, position={**found.position, **supposed})


def known_table(found: Guidance, source: str, folder: Path | None = None) -> Table:
    """The table of a report as far as its reader knows it, with a board of the campaign's own out of this folder.

    Raises `Refused`, also for what tells no position. What its reader cannot know is made up.
    """
    if not found.position:
        raise Refused(source, [wrong("E-GUIDE-POSITION", kind=found.kind)])
    try:
        table = load_known(write(found.position).encode(), source, folder)
    except ValueError as error:
        raise Refused(source, [wrong("E-GUIDE-POSITION.unread", why=str(error))]) from None
    if strangers := [power for power in found.powers if power not in table.rules.powers]:
        power, powers = as_quoted(strangers[0]), tuple(table.rules.powers)
        raise Refused(source, [wrong("E-GUIDE-POSITION.power", power=power, powers=powers)])
    return table


def known_memory(found: Guidance, table: Table, source: str) -> Memory:
    """What everybody remembers at the table of a report."""
    return read_remembered(table, node_of(found.remembered), source)


def rules_of(terms: Terms) -> GameRules:
    """The rules of the game on these terms; raises `Refused`, also where a campaign has files of its own."""
    document = node_of(cast(Tree, terms))
    assert isinstance(document, strict.MappingNode)
    reader = Reader("terms")
    found = read_terms(reader, document.items)
    reader.refuse()
    return named_rules(reader, found, None, document.items, document)
