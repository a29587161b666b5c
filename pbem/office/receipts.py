"""Receipts and rulings that a player's office has filed. They show the standing of a seat: what it still owes."""

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
    """Digest of the letter that the receipt answers. It is empty if the moderator could not read any letter."""
    status: str
    """Status of the letter that the receipt answers: `refused`; `known` for a copy; or the status of its orders, which
    is `final`, `draft` or `partial`."""
    entry: int
    """Number of the letter's entry; 0 if no entry was made."""
    kind: str
    """Kind of the letter that the receipt answers. It is empty if the receipt does not name the kind."""
    missing: tuple[str, ...] = ()
    """Powers for which orders are missing."""
    codes: tuple[str, ...] = ()
    """Codes of the faults of the letter that the receipt answers."""

    @property
    def is_over(self) -> bool:
        """True if the letter was refused and it is too late for a corrected letter."""
        return not ENDED.isdisjoint(self.codes)

    @property
    def is_refused(self) -> bool:
        return self.status.startswith("refused")


Own = Callable[[Letter | None, str], Letter | None]
"""Function that takes the letter in a file, and returns it if the moderator has sent it to the player. Otherwise it
returns None."""


def filed_letters(root: Path, kind: str, own: Own) -> Iterator[tuple[Letter, Mapping[str, Tree]]]:
    """Yield the letters of one kind in a folder and its subfolders, each with its body. The body is empty if it is not
    a mapping. Damaged files are skipped."""
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
    """Filed ruling by which somebody else got the player's seat."""

    entry: int
    name: str
    """Name of the player who has the seat now."""
    why: str


def filed_losses(root: Path, own: Own) -> Iterator[FiledLoss]:
    for letter, said in filed_letters(root, "ruling", own):
        if said.get("ruling") == SEAT_LOST:
            yield FiledLoss(letter.seq, str(said.get("name", "")), str(said.get("why", "")))


def has_orders(receipt: Mapping[str, object]) -> bool:
    """True if a receipt of an older version of the program is for a letter with orders. Receipts of that version do not
    name the kind of the letter."""
    # Only the sections of such a receipt show whether its letter had orders or only plans.
    understood, sealed = receipt.get("understood"), receipt.get("sealed")
    powers = understood.get("orders") if isinstance(understood, dict) else None
    sections = powers.values() if isinstance(powers, dict) else ()
    parts = sealed if isinstance(sealed, list) else ()
    return any(isinstance(each, dict) and each.keys() - {"plans", "ahead"} for each in sections) or any(
        isinstance(part, dict) and part.get("slot") == ORDERS_SLOT for part in parts
    )


class OrdersTaken(Struct):
    """Orders of a seat for the present stage, as far as the moderator has taken them."""

    status: str = ""
    """Status of the newest letter with orders; empty if none was taken."""
    missing: tuple[str, ...] = ()
    """Powers for which the newest letter with orders has none."""
    has_plans: bool = False
    """True if no letter with orders is needed, because plans answer everything that is asked."""

    def take(self, receipt: FiledReceipt) -> None:
        """Add the letter that a receipt answers, by the same rules as the ledger (`entry_effects.receive`)."""
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
    """Standing of a seat after a report: what it still owes."""

    standing: Standing
    missing: tuple[str, ...] = ()
    """Powers without orders."""


def letters_of_stage(found: Guidance, letters: Iterable[SignedLetter]) -> dict[str, list[SignedLetter]]:
    """Return the player's letters for the stage of a report, without faulty ones, keyed by their kind. Before the
    sealed orders of the stage are locked, these are orders and plans. After that, they are the letters that reveal the
    sealed orders."""
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
    """Return the standing of a seat after the report `found`. It follows from the player's letters and from the filed
    receipts. `newest` is the letter that was signed last."""
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
    """Return the orders of a seat that the moderator has taken, as the report and the receipts show. `own` are the
    receipts for those letters of the present stage whose files the office has. `taken` are the receipts for all letters
    that were not refused."""
    orders, since = OrdersTaken(), found.head.entry if found.head else 0
    kinds = ("reveal",) if found.locked else ("orders", "plan", "reveal")
    for each in sorted(own, key=lambda each: each.entry):
        if each.entry <= since:
            orders.take(each)
    # The report is right about the letters that came before it: they may have become invalid.
    if found.request == "in":
        orders = OrdersTaken("final" if orders.status else "", has_plans=True)
    elif found.owing.get(found.seat, OwedPowers()).state != "draft" or orders.status not in ("draft", "partial"):
        orders = OrdersTaken()
    # If a letter was sent by hand from another folder, the office knows it only from its receipt.
    for each in sorted(taken, key=lambda each: each.entry):
        if each.entry > since and each.kind in kinds:
            orders.take(each)
    return orders


def awaits_correction(
    letters: Collection[SignedLetter], turned: Mapping[str, FiledReceipt], taken: Collection[str]
) -> bool:
    """Return True if the newest of a player's letters of one kind was refused and can still be corrected. `turned` has
    the receipts of refused letters, keyed by the letter's digest. `taken` has the digests of accepted letters."""
    # In this case the moderator's office waits for a newer letter (`refused_letters.note_corrections`).
    refused = [each for each in letters if each.name in turned and each.name not in taken]
    newest = max((each.letter.seq for each in letters if each not in refused), default=0)
    return any(each.letter.seq >= newest and not turned[each.name].is_over for each in refused)


def is_too_old(
    letters: Iterable[SignedLetter],
    turned: Mapping[str, FiledReceipt],
    taken: Collection[str],
    newest: LastSigned | None,
) -> bool:
    """Return True if `newest`, the letter signed last, was refused because another letter has a higher number. `turned`
    has the receipts of refused letters, keyed by the letter's digest. `taken` has the digests of accepted letters."""
    # Nobody waits for a correction of such a letter. But its writer may believe that it was taken.
    found = [each for each in letters if newest and (each.letter.kind, each.letter.seq) == (newest.kind, newest.seq)]
    return bool(found) and all(
        each.name in turned and each.name not in taken and OLD in turned[each.name].codes for each in found
    )
