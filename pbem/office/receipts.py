"""Receipts and rulings that a player's office has filed, and the standing of a seat that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from pbem.campaign.ledger.public_state import ORDERS_SLOT
from pbem.campaign.players.campaign_notes import LastSigned
from pbem.campaign.players.guidance import Guidance, OwedPowers
from pbem.campaign.players.standing import SEAT_LOST, Standing
from pbem.faults.wrong import PbemError
from pbem.moderator.refused_letters import ENDED, OLD
from pbem.office.signed_letters import SignedLetter
from pbem.paper.documents.strict import bare
from pbem.paper.letters import Letter, read_letter
from pbem.seal.canonical import Tree


class FiledReceipt(Struct, frozen=True):
    """Receipt that the player's office has filed."""

    letter: str
    """Digest of the answered letter; empty if the moderator could read no letter."""
    status: str
    """Status of the answered letter: `refused`; `known` for a copy; or the status of its orders: `final`, `draft`,
    `partial`."""
    entry: int
    """Entry of the letter; 0 if it has none."""
    kind: str
    """Kind of the answered letter; empty if the receipt does not say it."""
    missing: tuple[str, ...] = ()
    """Powers for which orders are missing."""
    codes: tuple[str, ...] = ()
    """Codes of the faults of the answered letter."""

    @property
    def is_over(self) -> bool:
        """True if the answered letter was refused, and no other letter can replace it any more."""
        return not ENDED.isdisjoint(self.codes)

    @property
    def is_refused(self) -> bool:
        return self.status.startswith("refused")


Own = Callable[[Letter | None, str], Letter | None]
"""Function that returns the letter of a file if the moderator has sent it to the player, else None."""


def filed_letters(root: Path, kind: str, own: Own) -> Iterator[tuple[Letter, Mapping[str, Tree]]]:
    """Yield the letters of one kind under a folder, each with its body (empty if it is no mapping). Damaged files are
    passed over."""
    for path in sorted(root.rglob(f"*{kind}*.yaml")):
        try:
            letter = own(read_letter(path.read_bytes(), path.name), path.name)
        except (PbemError, OSError):
            continue
        if letter and letter.kind == kind:
            body = bare(letter.body)
            yield letter, body if isinstance(body, dict) else {}


def filed_receipts(root: Path, own: Own) -> Iterator[FiledReceipt]:
    for _, said in filed_letters(root, "receipt", own):
        entry, missing, faults = str(said.get("entry")), said.get("missing"), said.get("faults")
        each_fault = faults if isinstance(faults, list) else ()
        yield FiledReceipt(
            letter=str(said.get("letter", "")),
            status=str(said.get("status", "")),
            entry=int(entry) if entry.isascii() and entry.isdigit() else 0,
            kind=str(said.get("letter-kind") or ("orders" if has_orders(said) else "")),
            missing=tuple(map(str, missing)) if isinstance(missing, list) else (),
            codes=tuple(str(each.get("code")) for each in each_fault if isinstance(each, dict)),
        )


class FiledLoss(Struct, frozen=True):
    """Filed ruling that has given the player's seat to somebody else."""

    entry: int
    name: str
    """Name of the player who has the seat now."""
    why: str


def filed_losses(root: Path, own: Own) -> Iterator[FiledLoss]:
    for letter, said in filed_letters(root, "ruling", own):
        if said.get("ruling") == SEAT_LOST:
            yield FiledLoss(letter.seq, str(said.get("name", "")), str(said.get("why", "")))


def has_orders(receipt: Mapping[str, object]) -> bool:
    """True if a receipt of an older version answers a letter with orders. Such a receipt does not name the letter's
    kind."""
    # Such a receipt differs from one for a letter with plans only in its sections.
    understood, sealed = receipt.get("understood"), receipt.get("sealed")
    powers = understood.get("orders") if isinstance(understood, dict) else None
    sections = powers.values() if isinstance(powers, dict) else ()
    parts = sealed if isinstance(sealed, list) else ()
    return any(isinstance(each, dict) and each.keys() - {"plans", "ahead"} for each in sections) or any(
        isinstance(part, dict) and part.get("slot") == ORDERS_SLOT for part in parts
    )


class OrdersTaken(Struct):
    """Orders of a seat for the present stage that the moderator has taken."""

    status: str = ""
    """Status of the newest letter with orders; empty if none was taken."""
    missing: tuple[str, ...] = ()
    """Powers for which that letter has no orders."""
    has_plans: bool = False
    """True if plans answer all that is asked, without a letter with orders."""

    def take(self, receipt: FiledReceipt) -> None:
        """Add the answered letter of a receipt, as the ledger does (`entry_effects.receive`)."""
        if receipt.kind == "orders":
            self.status, self.missing = receipt.status, receipt.missing
        elif not self.status:
            self.has_plans = receipt.status != "partial"
        elif (receipt.status == "partial") != (self.status == "partial"):
            self.status, self.missing = receipt.status, ()

    @property
    def standing(self) -> Standing:
        if not self.status:
            return "in" if self.has_plans else "orders"
        return "partly" if self.status == "partial" else "draft" if self.status == "draft" else "in"


class Answered(NamedTuple):
    """Standing of a seat after a report."""

    standing: Standing
    missing: tuple[str, ...] = ()
    """Powers without orders."""


def letters_of_stage(found: Guidance, letters: Iterable[SignedLetter]) -> dict[str, list[SignedLetter]]:
    """Return the player's sound letters for the stage of a report, keyed by their kind. Before the sealed orders of the
    stage are locked, only orders and plans are returned. After that, only letters that open the sealed orders
    (`reveal`) are returned."""
    head = (found.campaign, found.seat, found.stage, found.basis)
    kinds = ("reveal",) if found.locked else ("orders", "plan")
    by_kind: dict[str, list[SignedLetter]] = {kind: [] for kind in kinds}
    for each in letters:
        letter = each.letter
        is_of_stage = head == (letter.campaign, letter.sender, letter.stage, letter.basis)
        if each.is_sound and is_of_stage and letter.kind in by_kind:
            by_kind[letter.kind].append(each)
    return by_kind


def standing_after(
    found: Guidance,
    letters: Iterable[SignedLetter],
    receipts: Collection[FiledReceipt],
    newest: LastSigned | None = None,
) -> Answered:
    """Return the standing of a seat after a report, by the player's letters and the filed receipts. `newest` is the
    letter signed last."""
    if found.request not in ("orders", "reveal", "in"):
        return Answered(found.request)
    turned = {each.letter: each for each in receipts if each.is_refused}
    taken = {each.letter: each for each in receipts if not each.is_refused and each.status != "known"}
    known = {each.letter for each in receipts if each.status == "known"}
    by_kind = letters_of_stage(found, letters)
    asked = sorted(by_kind["reveal" if found.locked else "orders"], key=lambda each: each.letter.seq)
    refused = [each.letter.seq for each in asked if each.name in turned.keys() - taken.keys() - known]
    answers = [each for each in asked if each.name in taken.keys() | known or each.letter.seq > max(refused, default=0)]
    if answers and answers[-1].name not in taken:
        return Answered("in")
    own = {each.name for of_kind in by_kind.values() for each in of_kind}
    orders = orders_taken(found, [each for each in taken.values() if each.letter in own], taken.values())
    if orders.standing == "in":
        accepted = taken.keys() | known
        is_refused = any(
            awaits_correction(each, turned, accepted) or is_too_old(each, turned, accepted, newest)
            for each in by_kind.values()
        )
        return Answered("refused change" if is_refused and not found.locked else "in")
    if orders.status:
        return Answered(orders.standing, orders.missing)
    if found.locked:
        return Answered("refused reveal" if refused else "reveal")
    return Answered("refused" if refused else "orders")


def orders_taken(found: Guidance, own: Iterable[FiledReceipt], taken: Iterable[FiledReceipt]) -> OrdersTaken:
    """Return the orders of a seat that the moderator has taken, as a report and receipts tell. `own` are the receipts
    for letters of the present stage whose files the office has. `taken` are the receipts for all letters that were not
    refused."""
    orders, since = OrdersTaken(), found.head.entry if found.head else 0
    kinds = ("reveal",) if found.locked else ("orders", "plan", "reveal")
    for each in sorted(own, key=lambda each: each.entry):
        if each.entry <= since:
            orders.take(each)
    # For letters before the report, the report is right: they may be out of force since.
    if found.request == "in":
        orders = OrdersTaken("final" if orders.status else "", has_plans=True)
    elif found.owing.get(found.seat, OwedPowers()).state != "draft" or orders.status not in ("draft", "partial"):
        orders = OrdersTaken()
    # A letter that was sent by hand, from another folder, is known only from its receipt.
    for each in sorted(taken, key=lambda each: each.entry):
        if each.entry > since and each.kind in kinds:
            orders.take(each)
    return orders


def awaits_correction(
    letters: Collection[SignedLetter], turned: Mapping[str, FiledReceipt], taken: Collection[str]
) -> bool:
    """Return whether the newest of a player's letters of one kind was refused, and can still be corrected. `turned` has
    the receipts of refused letters, keyed by the letter's digest. `taken` has the digests of accepted letters."""
    # The moderator's office then waits for a newer letter (`refused_letters.note_corrections`).
    refused = [each for each in letters if each.name in turned and each.name not in taken]
    newest = max((each.letter.seq for each in letters if each not in refused), default=0)
    return any(each.letter.seq >= newest and not turned[each.name].is_over for each in refused)


def is_too_old(
    letters: Iterable[SignedLetter],
    turned: Mapping[str, FiledReceipt],
    taken: Collection[str],
    newest: LastSigned | None,
) -> bool:
    """Return whether the letter signed last (`newest`) was refused because another letter has a higher number. `turned`
    has the receipts of refused letters, keyed by the letter's digest. `taken` has the digests of accepted letters."""
    # Nobody awaits the correction of such a letter, but its writer may believe that it counts.
    found = [each for each in letters if newest and (each.letter.kind, each.letter.seq) == (newest.kind, newest.seq)]
    return bool(found) and all(
        each.name in turned and each.name not in taken and OLD in turned[each.name].codes for each in found
    )
