"""All faults that the table knows, as a page: `python -m tests.faults.reference` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pbem.faults.wrong import ENGLISH, Row, rows

HEAD = """# Faults

Every code that the program tells, below what it is about: a form, a file, a mail, or a § of the rules. `E-…` refuses,
`W-…` warns. A code has several wordings, with ` · ` between them, where several things lead to it; another § stands
before its wording; `+2` counts further ones, which `templates/en/faults` has. Gaps are in braces, what would be right
in *italics*.
The page is made of these files (`PBEM_UPDATE_GOLDEN=1 pytest tests/faults` brings it up to date)."""

MOST = 1
"""Of a code so many wordings are told."""


def faults() -> list[str]:
    """The keys of the wordings that are faults, not parts of sentences."""
    return sorted(key for key in rows(ENGLISH) if key.startswith(("E-", "W-")))


def wordings(found: list[Row]) -> Iterator[str]:
    """The wordings of a code; wordings that share a rule and what would be right share its line."""
    for (rule, hint), alike in groupby(found, key=lambda row: (row.rule, row.hint)):
        says = list(dict.fromkeys(row.says for row in alike))
        about = "" if rule == found[0].rule else f"({rule}) "
        yield about + " · ".join(says) + (f" *{hint}*" if hint else "")


def line(code: str, found: list[Row]) -> str:
    """A code with all that is said under it."""
    was = ", ".join(dict.fromkeys(f"`{row.was}`" for row in found if row.was))
    name = f"`{code}`{f' (once {was})' if was else ''}"
    # A note that one more is left out would be as long as many of them.
    count = len(found) if len(found) == MOST + 1 else MOST
    more = [f"+{len(found) - count}"] if len(found) > count else []
    return f"- {name} {' · '.join([*wordings(found[:count]), *more])}"


def page() -> str:
    """The page as a file."""
    codes = {
        code: [rows(ENGLISH)[key] for key in keys]
        for code, keys in groupby(faults(), key=lambda key: key.partition(".")[0])
    }
    rules = sorted({found[0].rule for found in codes.values()}, key=place)
    blocks = [
        "\n".join([f"\n## {rule}", *(line(code, found) for code, found in codes.items() if found[0].rule == rule)])
        for rule in rules
    ]
    return "\n".join([HEAD, *blocks]) + "\n"


def place(rule: str) -> tuple[bool, list[int], str]:
    """Words before §, and these by number."""
    return "§" in rule, [int(part) for part in rule.partition("§")[2].split(".") if part], rule


if __name__ == "__main__":
    print(page(), end="")
