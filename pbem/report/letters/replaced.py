"""Data about the orders in whose place a letter counts: their number, and the parts that the letter leaves out."""

from __future__ import annotations

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import MOVING, LetterRecord
from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.play.adjudicating import Receipt
from pbem.paper.documents.strict import bare
from pbem.paper.letters import Letter
from pbem.report.letters.entries import Facts


def replaced_data(campaign: Campaign, receipt: Receipt | None) -> Facts:
    """Return the number of the orders that a letter replaces (`replaces`), and the sections of each power that stood in
    them and not in the letter (`left_out`). The number is 0 if it replaces none or has no orders. Sealed orders are
    left out."""
    taken, letter = (receipt.verdict.record, receipt.verdict.letter) if receipt else (None, None)
    if receipt is None or letter is None or not isinstance(taken, LetterRecord) or taken.kind != "orders":
        return {"replaces": 0, "left_out": []}
    for number in range(receipt.entry - 1, 0, -1):
        record = record_in(entry := campaign.ledger.read(number))
        if entry.kind in MOVING:
            break
        if isinstance(record, LetterRecord) and (record.player, record.kind) == (taken.player, "orders"):
            before = sections_in(campaign.state.letters(number).letter)
            now = sections_in(letter)
            gone = {
                power: [each for each in found if each not in now.get(power, ())] for power, found in before.items()
            }
            left_out = [{"power": power, "sections": sections} for power, sections in gone.items() if sections]
            return {"replaces": record.seq, "left_out": left_out}
    return {"replaces": 0, "left_out": []}


def sections_in(letter: Letter) -> dict[str, list[str]]:
    """Return the sections of the orders in a letter, by power."""
    node = entry_of(letter.body, "orders")
    orders = bare(node) if node else None
    blocks = orders.items() if isinstance(orders, dict) else ()
    return {power: [*block] for power, block in blocks if isinstance(block, dict)}
