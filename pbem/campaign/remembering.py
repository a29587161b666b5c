"""A report that a player has kept, held against the ledger: nothing was taken away, and the cards are those dealt."""

from __future__ import annotations

from pbem.seal.deal import check_opening
from pbem.seal.keys import PublicKey

from .guidance import Guidance
from .letterbox import is_salt
from .reading import Reading
from .records import Adjudicated
from .verifying import Verification


def check_report(reading: Reading, report: Guidance, source: str, found: Verification) -> None:
    """Note everything of the report that the ledger does not say."""
    if report.campaign != reading.settings.campaign:
        message = f"the report is of {report.campaign}, the folder of {reading.settings.campaign}"
        found.note(source, "E-VERIFY-REPORT", message)
        return
    if report.moderator != PublicKey.parse(reading.register.moderator):
        found.note(source, "E-VERIFY-REPORT", "the report is signed with another key than the campaign's moderator has")
        return
    check_head(reading, report, source, found)
    check_cards(reading, report, source, found)


def check_head(reading: Reading, report: Guidance, source: str, found: Verification) -> None:
    """The entry up to which the report tells must be there, unchanged."""
    if report.head is None:
        found.note(source, "E-VERIFY-REPORT", "this is no report: it does not say how far it tells")
        return
    hashes = {entry.number: entry.hash for entry, _ in reading.entries}
    if report.head.entry not in hashes:
        last = reading.head.number
        message = f"the report tells of entry {report.head.entry}, the ledger ends with {last}"
        found.note(source, "E-VERIFY-SHORT", message)
    elif hashes[report.head.entry] != report.head.hash:
        message = f"entry {report.head.entry} is another than when the report was written"
        found.note(source, "E-VERIFY-OTHER", message)


def check_cards(reading: Reading, report: Guidance, source: str, found: Verification) -> None:
    """Every card that the report proves must be one that was committed to."""
    published: dict[int, tuple[str, ...]] = {}
    for _, record in reading.entries:
        for dealt in record.dealt if isinstance(record, Adjudicated) else ():
            published[dealt.number] = dealt.hashes
    for proof in report.proofs:
        hashes = published.get(proof.shuffle, ())
        is_there = (
            is_salt(proof.salt)
            and 0 <= proof.position < len(hashes)
            and check_opening(
                hashes[proof.position], proof.shuffle, proof.position, bytes.fromhex(proof.salt), proof.card
            )
        )
        if not is_there:
            message = f"{proof.name or 'a card'} was not dealt at place {proof.position} of shuffle {proof.shuffle}"
            found.note(source, "E-VERIFY-CARD", message)
        found.figures.cards += 1
