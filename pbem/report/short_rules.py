"""The rules of a game in short, for whoever has no book: topics, each of statements with their §, in a language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from pbem.paper.documents.convert import convert
from pbem.paper.documents.names import Names
from pbem.paper.documents.strict import read_yaml
from pbem.report.blocks import Block, parsed
from pbem.report.language.templates import FALLBACK
from pbem.resources import resource, templates_of

FILE = "rules.yaml"
"""Lies among the templates of each language that a game has."""

GUIDE = "help.yaml"
"""Lies among ours of each language."""

_WRITTEN = re.compile(r"§? *(\d+(?:\.\d+)?)")
_CITED = re.compile(r"(?:\(|, )§([\d.]+)")
"""A § of the book itself, first in brackets or behind a comma; that of another book stands behind its name."""


class Topic(Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs together."""

    title: str
    says: tuple[str, ...]
    """Statements, in the markup of lines (`report/blocks.py`)."""
    also: tuple[str, ...] = ()
    """By what other names it is looked for."""


class ShortRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The short rules of a game in one language; the keys of topics are the same in all."""

    title: str
    opening: str
    topics: dict[str, Topic]


def short_rules(game: str, language: str) -> ShortRules | None:
    """Those of a game, in English where it has none in the language; nothing if it brings none at all."""
    return first_of(templates_of(game, each) / FILE for each in (language, FALLBACK))


def guide(language: str) -> ShortRules:
    """How the program is used, by topics in the same form."""
    found = first_of(resource("templates") / each / GUIDE for each in (language, FALLBACK))
    assert found, "the program has it in English"
    return found


def first_of(places: Iterable[Path]) -> ShortRules | None:
    found = next((place for place in places if place.is_file()), None)
    return convert(read_yaml(found.read_bytes(), found.name), ShortRules, found.name) if found else None


def topics_meant(rules: ShortRules, written: str) -> dict[str, Topic]:
    """The topics that a name or the beginning of one may mean, or what is said of a §, by topics; perhaps nothing."""
    if (section := _WRITTEN.fullmatch(written.strip())) and (found := citing(rules, section[1])):
        return found
    names = named(rules)
    keys = {tuple(names.values())[at] for at in Names(names).meant(written)}
    return {key: topic for key, topic in rules.topics.items() if key in keys}


def named(rules: ShortRules) -> dict[str, str]:
    """The key of a topic by each of its names."""
    return {name: key for key, topic in rules.topics.items() for name in (topic.title, *topic.also, key)}


def citing(rules: ShortRules, section: str) -> dict[str, Topic]:
    """The statements that cite a section or one of its parts, under their topics."""
    said = {key: tuple(each for each in topic.says if cites(each, section)) for key, topic in rules.topics.items()}
    return {key: Topic(rules.topics[key].title, says) for key, says in said.items() if says}


def cites(statement: str, section: str) -> bool:
    return any(f"{each}.".startswith(f"{section}.") for each in _CITED.findall(statement))


def rules_blocks(rules: ShortRules, topics: dict[str, Topic]) -> list[Block]:
    """Some topics as every format shows them; what is said of all stands before all."""
    opening = [rules.opening, ""] if topics == rules.topics else []
    told = ((f"## {topic.title}", "", *(f"- {each}" for each in topic.says), "") for topic in topics.values())
    return parsed("\n".join([f"# {rules.title}", "", *opening, *(line for lines in told for line in lines)]))
