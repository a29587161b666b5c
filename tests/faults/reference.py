"""All faults that the table knows, as a page: `python -m tests.faults.reference` prints it."""

from __future__ import annotations

from itertools import groupby

from pbem.faults.wrong import ENGLISH, Row, rows

HEAD = """# Faults

Every code that the program tells, below what it is about: a form, a file, a mail, or a § of the rules. `E-…` refuses,
`W-…` warns. Gaps are in braces. With it the program tells what would be right; a code may have further wordings
(`templates/en` has all). `PBEM_UPDATE_GOLDEN=1 pytest tests/faults` writes this page anew."""


def faults() -> list[str]:
    """The keys of the wordings that are faults, not parts of sentences."""
    return sorted(key for key in rows(ENGLISH) if key.startswith(("E-", "W-")))


def named(code: str, found: list[Row]) -> str:
    """A code, and how it was called before."""
    was = ", ".join(dict.fromkeys(f"`{row.was}`" for row in found if row.was))
    return f"`{code}`{f' (once {was})' if was else ''}"


def lines(codes: dict[str, list[Row]]) -> list[str]:
    """Each first wording behind all codes that have it."""
    texts: dict[str, list[str]] = {}
    for code, found in codes.items():
        texts.setdefault(found[0].says, []).append(named(code, found))
    return [f"- {', '.join(names)} {text}" for text, names in texts.items()]


def page() -> str:
    """The page as a file."""
    codes = {
        code: [rows(ENGLISH)[key] for key in keys]
        for code, keys in groupby(faults(), key=lambda key: key.partition(".")[0])
    }
    rules = sorted({found[0].rule for found in codes.values()}, key=place)
    blocks = [
        "\n".join([f"\n## {rule}", *lines({code: found for code, found in codes.items() if found[0].rule == rule})])
        for rule in rules
    ]
    return "\n".join([HEAD, *blocks]) + "\n"


def place(rule: str) -> tuple[bool, list[int], str]:
    """Words before §, and these by number."""
    return "§" in rule, [int(part) for part in rule.partition("§")[2].split(".") if part], rule


if __name__ == "__main__":
    print(page(), end="")
