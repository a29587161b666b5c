"""All faults that the table knows, as a page: `python -m tests.faults.reference` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pbem.faults.wrong import ENGLISH, rows

HEAD = """# Faults

Every code that the program tells, by what it is about: a § of the rules, or a form, a file, a mail. Codes `E-…` refuse,
`W-…` warn; a code has several wordings where several things lead to it. Gaps are in braces. The page is made of
`templates/en/faults` (`PBEM_UPDATE_GOLDEN=1 pytest tests/faults` brings it up to date).
"""

MOST = 20
"""A code with more wordings than this has a table of its own."""


def told(key: str) -> str:
    """One wording, as a row of the page."""
    row = rows(ENGLISH)[key]
    hint = f" — *{row.hint}*" if row.hint else ""
    return f"{row.says}{hint}".replace("|", "\\|")


def faults() -> list[str]:
    """The keys of the wordings that are faults, not parts of sentences."""
    return sorted(key for key in rows(ENGLISH) if key.startswith(("E-", "W-")))


def lines() -> Iterator[str]:
    """The page."""
    yield HEAD
    yield "| code | rule | what is said |\n|---|---|---|"
    by_code = {code: list(keys) for code, keys in groupby(faults(), key=lambda key: key.partition(".")[0])}
    for code, keys in by_code.items():
        if len(keys) > MOST:
            yield f"| `{code}` | … | [below](#{code.lower()}) |"
            continue
        found = [rows(ENGLISH)[key] for key in keys]
        rules = ", ".join(dict.fromkeys(row.rule for row in found))
        was = ", ".join(dict.fromkeys(f"`{row.was}`" for row in found if row.was))
        yield f"| `{code}`{f', once {was}' if was else ''} | {rules} | {'<br>'.join(map(told, keys))} |"
    for code, keys in by_code.items():
        if len(keys) > MOST:
            yield f"\n## {code}\n| rule | what is said |\n|---|---|"
            yield from sorted(f"| {rows(ENGLISH)[key].rule} | {told(key)} |" for key in keys)


def page() -> str:
    """The page as a file."""
    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    print(page(), end="")
