"""Receipts in words: the result of a letter, and why it was refused."""

from __future__ import annotations

from pbem.campaign.letters.letterbox import entry_of
from pbem.faults.wrong import Hint, Words, Wrong, words
from pbem.paper.documents.faults import MOST_FAULTS
from pbem.paper.documents.strict import MappingNode, SequenceNode, Text
from pbem.paper.letters import Letter, was_damaged

WANTING = {"refused": "file-receipt-refused", "partial": "file-receipt-partial"}
"""Wording for each result of a letter after which its writer should send another letter."""

NO_MORE_ASKED = ("E-LETTER-STAGE", "E-LETTER-BASIS", "E-VOTE-PROPOSAL", "E-VOTE-LATE", "E-JOIN-TAKEN")
"""Codes of faults that mean that a letter came too late: after the end of its stage, of its proposal or of its offer. A
corrected letter would be of no use."""

OF_SEAT = {"asked": "file-receipt-asked", "declined": "file-receipt-declined"}
"""Wording for each result of a letter that asks for a seat. The moderator gives the seat to one of those who ask for
it."""


def receipt_words(letter: Letter) -> Words:
    """Return a line that says what a receipt tells about a letter."""
    wording = (WANTING | OF_SEAT).get(letter_word(letter, "status"), "file-receipt")
    wording = "file-receipt-damaged" if tells_damage(letter) else "file-receipt-over" if tells_end(letter) else wording
    return words(wording, campaign=letter.campaign, entry=letter_word(letter, "entry"))


def wants_another(receipt: Letter) -> bool:
    """True if the receipt asks for a corrected letter."""
    return letter_word(receipt, "status") in WANTING and not (tells_damage(receipt) or tells_end(receipt))


def tells_damage(receipt: Letter) -> bool:
    """True if the receipt says that the letter was damaged on the way."""
    return was_damaged({each.code for each in receipt_faults(receipt)}, letter_word(receipt, "letter-kind"))


def tells_end(receipt: Letter) -> bool:
    """True if the receipt says that the letter came too late, so that a corrected letter would be of no use."""
    return any(each.code in NO_MORE_ASKED for each in receipt_faults(receipt))


def receipt_faults(letter: Letter) -> list[Wrong]:
    """Return the faults that a receipt lists, with the words in the receipt. Faults that cannot be read are left
    out."""
    node, found = entry_of(letter.body, "faults"), []
    for each in node.items[:MOST_FAULTS] if isinstance(node, SequenceNode) else ():
        items = each.items if isinstance(each, MappingNode) else {}
        told = {key: word.value for key, word in items.items() if isinstance(word, Text)}
        if "code" in told and "message" in told:
            hint: Hint = words("file-receipt-why", why=told["hint"]) if "hint" in told else ""
            message = words("file-receipt-why", why=told["message"])
            found.append(Wrong(told["code"], message, rule=told.get("rule", ""), hint=hint))
    return found


def letter_word(letter: Letter, key: str) -> str:
    """Return the text under a key of a letter's body. Return an empty text if the key is missing."""
    node = entry_of(letter.body, key)
    return node.value if isinstance(node, Text) else ""
