"""Receipts in words: the result of a letter, and why it was refused."""

from __future__ import annotations

from pbem.campaign.letters.letterbox import entry_of
from pbem.faults.wrong import Hint, Words, Wrong, words
from pbem.paper.documents.faults import MOST_FAULTS
from pbem.paper.documents.strict import MappingNode, SequenceNode, Text
from pbem.paper.letters import Letter, was_damaged

WANTING = {"refused": "file-receipt-refused", "partial": "file-receipt-partial"}
"""Wording for each state of a letter after which its writer has to send another."""

NO_MORE_ASKED = ("E-LETTER-STAGE", "E-LETTER-BASIS", "E-VOTE-PROPOSAL", "E-VOTE-LATE", "E-JOIN-TAKEN")
"""Codes of faults of letters that came after the end of their stage, their proposal or their offer. A corrected letter
would be useless."""

OF_SEAT = {"asked": "file-receipt-asked", "declined": "file-receipt-declined"}
"""Wording for each state of a letter that asks for a seat that the moderator gives to one of several askers."""


def receipt_words(letter: Letter) -> Words:
    """Return a line about the result in a receipt."""
    wording = (WANTING | OF_SEAT).get(letter_word(letter, "status"), "file-receipt")
    wording = "file-receipt-damaged" if tells_damage(letter) else "file-receipt-over" if tells_end(letter) else wording
    return words(wording, campaign=letter.campaign, entry=letter_word(letter, "entry"))


def wants_another(receipt: Letter) -> bool:
    """True if a receipt asks for a corrected letter."""
    return letter_word(receipt, "status") in WANTING and not (tells_damage(receipt) or tells_end(receipt))


def tells_damage(receipt: Letter) -> bool:
    """True if a receipt tells that the letter was damaged on its way."""
    return was_damaged({each.code for each in receipt_faults(receipt)}, letter_word(receipt, "letter-kind"))


def tells_end(receipt: Letter) -> bool:
    """True if a receipt tells that the letter came too late for a correction."""
    return any(each.code in NO_MORE_ASKED for each in receipt_faults(receipt))


def receipt_faults(letter: Letter) -> list[Wrong]:
    """Return the faults that a receipt lists, with the texts that stand in the receipt. Unreadable faults are left
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
    """Return the text under a key of a letter's body; empty without this key."""
    node = entry_of(letter.body, key)
    return node.value if isinstance(node, Text) else ""
