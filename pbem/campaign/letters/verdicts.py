"""What becomes of a letter, and how its body is read while it is judged."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from pbem.campaign.ledger.records import Record
from pbem.campaign.letters.letterbox import HeldLetter, entry_of
from pbem.engine.nouns import Power
from pbem.faults.words import words
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import TRUTHS, Node, Text
from pbem.paper.letters import Letter

MODERATOR = "moderator"
"""The moderator as the sender of letters."""

BoxOpener = Callable[[str], bytes]
"""Opens a box that was sealed to the moderator; raises `SealFault`."""


class LetterVerdict(Struct):
    """Whether a letter is taken, as which entry, and all that its writer has to be told."""

    faults: list[Wrong] = field(default_factory=list)
    record: Record | None = None
    """What the ledger will say of it; none for a letter that is refused, or that was taken before."""
    held: HeldLetter | None = None
    letter: Letter | None = None
    """The letter that was judged."""
    mark: str = ""
    """What it is known by in the ledger."""
    known: int = 0
    """The entry under which the same letter was taken before."""
    acted: str = ""
    bot: str = ""
    """The bot that has written it in the place of a player who is away."""
    missing: list[Power] = field(default_factory=list)
    """The powers whose orders do not answer all that is asked."""

    def refuse(self, wrong: Wrong, node: Node | None = None) -> None:
        """Note what is wrong; without a node it is the letter as a whole, where it begins."""
        place = node or self.letter
        self.faults.append(Fault.at(place.line, place.column, wrong) if place else wrong)

    @property
    def is_refused(self) -> bool:
        """Whether the letter cannot be taken."""
        return any(not fault.is_warning for fault in self.faults)


def text_of(verdict: LetterVerdict, body: Node, key: str) -> str:
    """A text of the body, or nothing."""
    node = entry_of(body, key)
    if node is None or isinstance(node, Text):
        return node.value if node else ""
    verdict.refuse(wrong("E-FORM-TEXT.line", key=key), node=node)
    return ""


def truth_of(verdict: LetterVerdict, body: Node, key: str, otherwise: bool) -> bool:
    """A yes or no of the body."""
    text = text_of(verdict, body, key).casefold()
    if text and text not in TRUTHS:
        verdict.refuse(wrong("E-FORM-TRUTH", key=key), node=entry_of(body, key))
    return TRUTHS.get(text, False) if text else otherwise


def unknown_keys(verdict: LetterVerdict, body: Node, known: tuple[str, ...]) -> None:
    """Refuse what a body has besides its keys."""
    if not isinstance(body, strict.MappingNode):
        verdict.refuse(wrong("E-FORM-MAPPING", what=words("the-body")), node=body)
        return
    for key in body.items:
        if key not in known:
            hint = words("one-of", names=known)
            strange = wrong("E-FORM-KEY", what=words("the-body"), key=as_quoted(key), hint=hint)
            verdict.faults.append(Fault.at(*body.places[key], strange))
