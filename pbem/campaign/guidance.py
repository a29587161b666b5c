"""What a player's program takes from the moderator's signed letters: whom to trust and seal to, and what is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pbem.paper import strict
from pbem.paper.faults import Fault, Refused
from pbem.paper.knowledge import load_known
from pbem.paper.letters import Letter, check_signature
from pbem.paper.reader import Reader
from pbem.paper.terms import named_rules, read_terms
from pbem.paper.writing import write
from pbem.seal.canonical import Tree
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

from .letterbox import node_of
from .records import Opening

KINDS = ("invitation", "report")


class Upto(Struct, frozen=True):
    """The head of the ledger that a report is of."""

    entry: int
    hash: str


class Proof(Opening, frozen=True):
    """The proof of a card, and its name."""

    name: str = ""


class Guidance(Struct, frozen=True):
    """An invitation or a report whose signature is that of the moderator whom it names."""

    kind: str
    campaign: str
    moderator: PublicKey
    signing: str
    sealing: str
    terms: dict[str, Any]
    seat: str = ""
    """Whom it is for, as far as it says so."""
    deal: str = ""
    """The commitment to the secret of the deal, which a joining letter vouches for."""
    token: str = ""
    """What shows that its reader was invited."""
    seats: tuple[str, ...] = ()
    """The seats of the campaign; a report does not name them."""
    stage: str = ""
    basis: str = ""
    next_seq: int = 1
    """The seq of the next letter of whom it is for."""
    head: Upto | None = None
    owing: dict[str, dict[str, Any]] = {}
    proofs: tuple[Proof, ...] = ()
    position: dict[str, Any] = {}
    """The position as its reader may know it (docs/positions.md); only a report has it."""

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers whose secrets its reader knows."""
        return tuple(self.position.get("powers") or ())


def guidance_of(letter: Letter, source: str) -> Guidance:
    """What the letter says; raises `Refused`, and `SealFault` if it is not signed by the moderator it names."""
    if letter.kind not in KINDS:
        hint = "give the invitation.yaml or the report.yaml that the moderator has sent"
        raise Refused(source, [Fault("E-GUIDE-KIND", f"this is a letter of kind {letter.kind}", 1, 1, hint=hint)])
    body: Any = strict.plain(letter.body)
    try:
        found = invited(letter, body) if letter.kind == "invitation" else reported(letter, body)
    except (msgspec.ValidationError, SealFault, KeyError, TypeError, AttributeError, ValueError) as error:
        place = (letter.body.line, letter.body.column)
        what = f"{letter.kind} is not as the program writes it"
        raise Refused(source, [Fault("E-GUIDE-FORM", f"this {what} ({type(error).__name__})", *place)]) from None
    check_signature(letter, found.moderator)
    return found


def invited(letter: Letter, body: Any) -> Guidance:
    """What an invitation says."""
    conduct = body["conduct"]
    return Guidance(
        kind=letter.kind,
        campaign=letter.campaign,
        moderator=PublicKey.parse(body["moderator"]["key"]),
        signing=conduct["signing"],
        sealing=conduct["sealing"],
        terms=dict(body["terms"]),
        seat=body.get("seat", ""),
        deal=body["secret"],
        token=body.get("token", ""),
        seats=tuple(body["seats"]),
    )


def reported(letter: Letter, body: Any) -> Guidance:
    """What a report says."""
    return Guidance(
        kind=letter.kind,
        campaign=letter.campaign,
        moderator=PublicKey.parse(body["moderator"]),
        signing=body["signing"],
        sealing=body["sealing"],
        terms=dict(body["terms"]),
        seat=body["to"],
        stage=letter.stage,
        basis=letter.basis,
        next_seq=int(body["next-seq"]),
        head=msgspec.convert(body["head"], Upto, strict=False),
        owing=dict(body["owing"] or {}),
        proofs=msgspec.convert(body["proofs"] or [], tuple[Proof, ...], strict=False),
        position=dict(body.get("position") or {}),
    )


def known_table(found: Guidance, source: str, folder: Path | None = None) -> Any:
    """The table of a report as far as its reader knows it, with a board of the campaign's own out of this folder.

    Raises `Refused`, also for what tells no position. What its reader cannot know is made up.
    """
    if not found.position:
        hint = "give the report.yaml of a game that has begun"
        raise Refused(source, [Fault("E-GUIDE-POSITION", f"this {found.kind} tells no position", 1, 1, hint=hint)])
    return load_known(write(found.position).encode(), source, folder)


def rules_of(terms: dict[str, Tree]) -> Any:
    """The rules of the game on these terms; raises `Refused`, also where a campaign has files of its own."""
    document = node_of(terms, 1, 1)
    assert isinstance(document, strict.Mapping)
    reader = Reader("terms")
    found = read_terms(reader, document.items)
    reader.refuse()
    return named_rules(reader, found, None, document.items, document)
