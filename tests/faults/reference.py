"""All faults that the table knows, as a page: `python -m tests.faults.reference` prints it."""

from __future__ import annotations

from itertools import groupby

from pbem.faults.wrong import ENGLISH, Row, rows

HEAD = """# Faults

Every code that the program tells, below what it is about: a form, a file, a mail, or a § of the rules. `E-…` refuses,
`W-…` warns. After the code stands what is said, with gaps in braces, then what would be right in *italics*. A code may
have further wordings; `templates/en` has all.
`PBEM_UPDATE_GOLDEN=1 pytest tests/faults` writes this page anew."""


def faults() -> list[str]:
    """The keys of the wordings that are faults, not parts of sentences."""
    return sorted(key for key in rows(ENGLISH) if key.startswith(("E-", "W-")))


def line(code: str, found: list[Row]) -> str:
    """A code with its first wording, and what would be right."""
    was = ", ".join(dict.fromkeys(f"`{row.was}`" for row in found if row.was))
    name = f"`{code}`{f' (once {was})' if was else ''}"
    first = found[0]
    return " ".join(["-", name, first.says, *([f"*{first.hint}*"] if first.hint else [])])


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
