"""Letters that people write by hand. Mails show the lines of such a letter, with a blank that the writer fills in."""

from __future__ import annotations

import re
from functools import cache, reduce
from string import Template

from msgspec import Struct

from pbem.paper.letter_kinds import Kind

_GAP = re.compile(r"\\\$[a-z]+")


class LetterByHand(Struct, frozen=True):
    """Lines of one kind of letter. If the blank has not been filled in, the lines are not a letter: they may come from
    a report that somebody has quoted."""

    kind: Kind
    key: str
    """Key in the letter's body; its value is the blank."""
    blank: str
    """Text of the blank. The writer replaces it by a value."""
    lines: str
    """Lines of the letter. They contain `$name` for each value that the mail fills in."""

    def text(self, **values: str) -> str:
        """Return the lines with these values filled in. A line is left out if its value is empty."""
        told = (line for line in self.lines.split("\n") if values.get(line.partition("$")[2], line))
        return Template("\n".join(told)).substitute(values)

    @property
    def shown(self) -> re.Pattern[str]:
        """Pattern of the lines as mails show them, even if a mail program has wrapped them in another way."""
        lines = []
        for line in self.lines.split("\n"):
            written = r"\s+".join(_GAP.sub(r"\\S+", re.escape(word)) for word in line.split())
            lines.append(rf"(?:{written}\s+)?" if line.endswith(("$basis", "$seq")) else rf"{written}\s+")
        return re.compile("".join(lines).removesuffix(r"\s+"))

    def is_unfilled(self, text: str) -> bool:
        """True if a text is a letter of this kind in which the blank has not been filled in."""
        is_of_kind = re.search(rf"(?m)^kind[ ]?:[ ]*{self.kind}[ \t]*$", text)
        # The blank may have been left in a line of its own, above orders. Then it was only forgotten, and the letter
        # counts.
        end = r"\b" if "{" in self.lines else r"[ \t]*(?:\n(?![ \t]+\S)|\Z)"
        return bool(
            is_of_kind and re.search(rf"\b{self.key}[\"']?[ ]?:\s*(?:\|\s*)?[\"']?{re.escape(self.blank)}{end}", text)
        )


SEAT = "SEAT"
"""Second blank of a message, for the seat to which it goes."""

BY_HAND = {
    "vote": LetterByHand(
        "vote",
        "says",
        "yes/no",
        "pbem: 1\nkind: vote\ncampaign: $campaign\nfrom: $seat\nbody: {proposal: $name, says: yes/no}",
    ),
    "time": LetterByHand(
        "proposal",
        "about",
        "DAYS",
        "pbem: 1\nkind: proposal\ncampaign: $campaign\nfrom: $seat\nstage: $stage\nbody: {subject: time, about: DAYS}",
    ),
    "orders": LetterByHand(
        "orders",
        "orders",
        "ORDERS",
        "pbem: 1\nkind: orders\ncampaign: $campaign\nfrom: $seat\nstage: $stage\nbasis: $basis\nseq: $seq\n"
        "body:\n  orders:\n    ORDERS",
    ),
    # The last line keeps a farewell below the message out of the letter.
    "message": LetterByHand(
        "message",
        "text",
        "WORDS",
        "pbem: 1\nkind: message\ncampaign: $campaign\nfrom: $seat\nseq: $seq\n"
        "body:\n  to: $to\n  text: |\n    WORDS\n...",
    ),
}


def is_unfilled(text: str) -> bool:
    """True if a text is a letter by hand in which the blank has not been filled in: a vote without `yes` or `no`, a
    proposal of more time without a number of days, a head without orders, or a message without words."""
    return any(each.is_unfilled(text) for each in BY_HAND.values())


@cache
def _shown() -> tuple[re.Pattern[str], ...]:
    return tuple(each.shown for each in BY_HAND.values())


def without_unfilled(text: str) -> str:
    """Return a text in which letters by hand are replaced by empty lines if their blank has not been filled in."""
    return reduce(lambda rest, shown: shown.sub(lambda one: "\n" * one.group().count("\n"), rest), _shown(), text)


def lines_by_hand(letter: str, /, **values: str) -> str:
    """Return the indented lines that a mail shows for a letter written by hand. `letter` is its key in `BY_HAND`."""
    return "\n".join(f"    {line}" for line in BY_HAND[letter].text(**values).split("\n"))
