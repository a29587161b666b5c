"""The table of faults: for every wording what is said, and in English also by which rule and how it was called."""

from __future__ import annotations

from functools import cache

from msgspec import Struct, convert

from pbem.cache import load_or_make
from pbem.resources import games, resource, templates_of

ENGLISH = "en"
"""The language of which the table is whole; others may lack a wording."""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One wording, with gaps in braces: `{city}` (see `Words`)."""

    says: str
    hint: str = ""
    rule: str = ""
    """A § of the rules, or of what else the fault is: a form, a mail, a campaign; English has it for all."""
    was: str = ""
    """How the code was called before; archives of that time have it."""


@cache
def rows(language: str) -> dict[str, Row]:
    """The wordings of a language, by their keys; none of a language that nobody has written any in."""
    folder = resource("templates") / language
    of_games = (templates_of(game, language) / "faults.yaml" for game in games())
    files = [*sorted(folder.glob("faults/*.yaml")), *(file for file in of_games if file.is_file())]
    texts = [file.read_bytes() for file in files] if language.isalpha() else []

    def read() -> dict[str, Row]:
        import yaml  # where the table was not read before

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        found: dict[str, Row | str] = {}
        for text in texts:
            found |= convert(yaml.load(text, loader), dict[str, Row | str])  # noqa: S506 - as safe as safe_load
        return {key: Row(row) if isinstance(row, str) else row for key, row in found.items()}

    return load_or_make("faults", b"\0".join(texts), dict[str, Row], read)


def row(key: str, language: str) -> Row:
    """A wording in a language, or in English where that has none."""
    return rows(language).get(key) or rows(ENGLISH)[key]
