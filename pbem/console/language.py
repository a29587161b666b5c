"""Language of messages, found for all commands by one rule (docs/reports.md, Languages)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path

import click

from pbem.campaign.disk.atomic import StorageFault, read_whole
from pbem.campaign.disk.folder import LARGEST_FILE
from pbem.faults.wrong import ENGLISH
from pbem.player.keyring import place_of
from pbem.resources import resource

LANGUAGE = "--language"
LANGUAGE_VARIABLE = "PBEM_LANGUAGE"
"""Environment variable for the language in which commands answer."""

typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())
"""Words of the command line. The option `--language` is found in them even if the command line is wrong."""

came: ContextVar[tuple[bytes, ...]] = ContextVar("came", default=())
"""The contents of the files that the command has read."""

_HEAD = re.compile(rb"""(?m)^ {0,2}"?(campaign|language)"?: *"?([a-z0-9-]+)"?,?\r?$""")
"""Pattern of those lines in letters and notes that name the campaign or the language."""


def language_wanted(campaign: str = "", key: Path | None = None) -> str:
    """Return the language of messages: the language of the option, or else of the environment variable, or else the
    player's own (`own_language`). `key` is the path of the player's key, by default the one that the command uses."""
    asked = option_typed(LANGUAGE) or os.environ.get(LANGUAGE_VARIABLE)
    written = option_typed("--key")
    if asked:
        return asked if has_words(asked) else ENGLISH
    return own_language(campaign, key or place_of(Path(written) if written else None))


def option_typed(option: str) -> str:
    """Return the value of an option on the command line, even a wrong value; an empty text without the option."""
    for word, following in pairwise([*typed.get(), ""]):
        name, is_given, value = word.partition("=")
        if name == option:
            return value if is_given else following
    return ""


def own_language(campaign: str, key: Path) -> str:
    """Return the player's language. These sources are tried in turn until one names exactly one language: notes on the
    named campaign; letters and notes already read; all notes beside the key; seats of the campaigns in the folder. If
    none does, return English."""
    settings = folder_settings()
    heads = [line for data in (*came.get(), *settings[:1]) for line in head_lines(data)]
    named = {campaign or option_typed("--campaign"), *(value for name, value in heads if name == "campaign")}
    noted = noted_languages(key)
    found = (
        {language for campaign, language in noted if campaign in named},
        {value for name, value in heads if name == "language"},
        {language for _, language in noted},
        {language for data in settings for language in seat_languages(data)},
    )
    return next((min(each) for each in found if len(each) == 1 and has_words(min(each))), ENGLISH)


def folder_settings() -> list[bytes]:
    """Return the content of `campaign.yaml` in the command's folder. If `--all` is given, the content of each
    `campaign.yaml` in the folders right below is returned instead. Unreadable files are left out."""
    context = click.get_current_context(silent=True)
    wanted = context.params if context else {}
    if "folder" not in wanted:
        return []
    below = "*/campaign.yaml" if wanted.get("all_wanted") else "campaign.yaml"
    found = []
    for file in Path(wanted["folder"] or "").glob(below):
        # In somebody else's folder anything may have this name. The command itself reports the fault.
        with suppress(StorageFault):
            found.append(read_whole(file, LARGEST_FILE))
    return found


def seat_languages(settings: bytes) -> list[str]:
    """Return the language of each seat in a campaign's settings, English by default."""
    _, _, after = settings.partition(b"\nseats:\n")
    seats = re.split(rb"\n  (?! )", re.split(rb"\n(?! )", after)[0])
    found = (re.search(rb"\n    language: (\w+)", seat) for seat in seats if after)
    return [language[1].decode() if language else ENGLISH for language in found]


def head_lines(content: bytes) -> list[tuple[str, str]]:
    """Return the name and the value of each line that names a campaign or a language, in a letter, notes or a whole
    mail."""
    parts: Iterable[object] = [content]
    if b"\nmime-version:" in content[:65_536].lower():
        from email import message_from_bytes  # imported here, because it loads much and only mails need it

        parts = (part.get_payload(decode=True) for part in message_from_bytes(content).walk())
    texts = [part for part in parts if isinstance(part, bytes)]
    return [(name.decode(), value.decode()) for text in texts for name, value in _HEAD.findall(text)]


def noted_languages(key: Path) -> list[tuple[str, str]]:
    """Return the campaign and the language of each file of notes beside a key; empty if a file cannot be read."""
    notes: list[bytes] = []
    with suppress(OSError):
        notes = [file.read_bytes() for file in (key.parent / f"{key.name}.campaigns").glob("*.json")]
    # If a name occurs in several lines, the first line counts, because names of people follow later. Hence `reversed`.
    heads = (dict(reversed(head_lines(each))) for each in notes)
    return [(head.get("campaign", ""), head.get("language", "")) for head in heads]


def has_words(language: str) -> bool:
    """Return whether the program has words in a language."""
    return language.isalpha() and (resource("templates") / language / "words.txt.j2").is_file()
