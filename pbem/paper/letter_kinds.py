"""Kinds of letters, with facts about each kind: who writes such letters, how they are numbered, and if they are
published."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal[
    "join", "orders", "reveal", "agreement", "message", "key-change", "plan", "succession", "proposal", "vote",
    "invitation", "receipt", "ruling", "offer", "report",
]  # fmt: skip
"""Name of a kind of letters. `LETTERS` has a row for each kind."""


class LetterFacts(Struct, frozen=True):
    """Facts about one kind of letters (docs/protocol.md, Letters)."""

    by: Literal["player", "moderator"] = "player"
    entry: Literal["join", "letter", "key-change", "succession", "proposal", "vote", ""] = "letter"
    """Kind of the ledger entry in which an accepted letter of this kind is stored. It is empty for letters of the
    moderator."""
    is_staged: bool = False
    """True if a letter of this kind is for one stage of the game. It must name this stage, and the public state that
    its writer saw."""
    is_numbered_apart: bool = False
    """True if letters of this kind have numbers of their own, so that they do not make earlier orders obsolete."""
    is_private: bool = False
    """True if a letter of this kind remains sealed after the campaign was closed, because nothing in the game depends
    on it."""


LETTERS: dict[Kind, LetterFacts] = {
    "join": LetterFacts(entry="join"),
    "orders": LetterFacts(is_staged=True),
    "reveal": LetterFacts(is_staged=True),
    "agreement": LetterFacts(is_staged=True, is_numbered_apart=True),
    "message": LetterFacts(is_numbered_apart=True, is_private=True),
    "key-change": LetterFacts(entry="key-change"),
    "plan": LetterFacts(is_staged=True),
    "succession": LetterFacts(entry="succession", is_numbered_apart=True),
    "proposal": LetterFacts(entry="proposal", is_staged=True, is_numbered_apart=True),
    "vote": LetterFacts(entry="vote", is_numbered_apart=True),
    "invitation": LetterFacts("moderator", entry=""),
    "receipt": LetterFacts("moderator", entry=""),
    "ruling": LetterFacts("moderator", entry=""),
    "offer": LetterFacts("moderator", entry="", is_staged=True),
    "report": LetterFacts("moderator", entry="", is_staged=True),
}
KINDS: tuple[Kind, ...] = tuple(LETTERS)
MODERATORS = frozenset(kind for kind, facts in LETTERS.items() if facts.by == "moderator")
STAGED = frozenset(kind for kind, facts in LETTERS.items() if facts.is_staged)
APART = frozenset(kind for kind, facts in LETTERS.items() if facts.is_numbered_apart)
PRIVATE_KINDS = frozenset(kind for kind, facts in LETTERS.items() if facts.is_private)
