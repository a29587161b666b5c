"""Letters that people write by hand: the lines of each as mails show them, with a blank to be filled in."""

from __future__ import annotations

import re
from functools import cache, reduce
from string import Template

from msgspec import Struct

from pbem.paper.letter_kinds import Kind

_GAP = re.compile(r"\\\$[a-z]+")


class LetterByHand(Struct, frozen=True):
    """Lines of one kind of letter. A copy in which the blank stands unchanged, such as a report that is quoted without
    marks, is no letter."""

    kind: Kind
    key: str
    """Key of the letter's body whose value is the blank."""
    blank: str
    """Text in place of which the writer puts a value."""
    lines: str
    """Lines of the letter, with a `$name` for each value that the mail tells."""

    def text(self, **values: str) -> str:
        """Return the lines with these values. A line whose value is empty is left out."""
        told = (line for line in self.lines.split("\n") if values.get(line.partition("$")[2], line))
        return Template("\n".join(told)).substitute(values)

    @property
    def shown(self) -> re.Pattern[str]:
        """Pattern of the lines as mails show them. Mail programs may have wrapped them anew."""
        lines = []
        for line in self.lines.split("\n"):
            written = r"\s+".join(_GAP.sub(r"\\S+", re.escape(word)) for word in line.split())
            lines.append(rf"(?:{written}\s+)?" if line.endswith(("$basis", "$seq")) else rf"{written}\s+")
        return re.compile("".join(lines).removesuffix(r"\s+"))

    def is_unfilled(self, text: str) -> bool:
        """True if a text is such a letter, and still has the blank."""
        is_of_kind = re.search(rf"(?m)^kind[ ]?:[ ]*{self.kind}[ \t]*$", text)
        # A blank on a line of its own may have orders below it: then it was only forgotten.
        end = r"\b" if "{" in self.lines else r"[ \t]*(?:\n(?![ \t]+\S)|\Z)"
        return bool(is_of_kind and re.search(rf"\b{self.key}[\"']?[ ]?:\s*[\"']?{re.escape(self.blank)}{end}", text))


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
}


def is_unfilled(text: str) -> bool:
    """True if a text is a letter by hand that still has its blank: a vote without `yes` or `no`, a proposal of more
    time without its days, a head without orders."""
    return any(each.is_unfilled(text) for each in BY_HAND.values())


@cache
def _shown() -> tuple[re.Pattern[str], ...]:
    return tuple(each.shown for each in BY_HAND.values())


def without_unfilled(text: str) -> str:
    """Return a text with empty lines in place of the letters by hand that are not filled in."""
    return reduce(lambda rest, shown: shown.sub(lambda one: "\n" * one.group().count("\n"), rest), _shown(), text)


def lines_by_hand(letter: str, /, **values: str) -> str:
    """Return the lines of a letter by hand, under its key of `BY_HAND`, as a mail shows them: indented."""
    return "\n".join(f"    {line}" for line in BY_HAND[letter].text(**values).split("\n"))
