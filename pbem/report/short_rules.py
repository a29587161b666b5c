"""Short rules of a game, for players who have no rule book. They are statements, sorted by topic, each with its section
(§) in the book."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from pbem.faults.wrong import wrong
from pbem.paper.documents.convert import convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import Names, as_quoted
from pbem.paper.documents.strict import read_yaml
from pbem.report.blocks import Block, parsed_blocks
from pbem.report.language.templates import FALLBACK
from pbem.resources import resource, templates_of

FILE = "rules.yaml"
"""Name of the file with the short rules of a game. It is among the game's templates, in each language."""

GUIDE = "help.yaml"
"""Name of the file with the guide to the program. It is among the program's templates, in each language."""

_WRITTEN = re.compile(r"§? *(\d+(?:\.\d+)?)")
_CITED = re.compile(r"(?:\(|, )§([\d.]+)")
"""Pattern of a section in the game's own rule book, after an opening bracket or a comma. Sections of other books are
written after the name of the book."""


class Topic(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    says: tuple[str, ...]
    """Statements, written in the markup of lines (`report/blocks.py`)."""
    also: tuple[str, ...] = ()
    """Other names with which players can find the topic."""


class ShortRules(Struct, frozen=True, forbid_unknown_fields=True):
    """Short rules of a game in one language. The keys of the topics are the same in all languages."""

    title: str
    opening: str
    topics: dict[str, Topic]


def short_rules(game: str, language: str) -> ShortRules | None:
    """Return the short rules of a game in a language. If they do not exist in this language, return them in English.
    Return None if the game has no short rules."""
    return first_of(templates_of(game, each) / FILE for each in (language, FALLBACK))


def guide(language: str) -> ShortRules:
    """Return the guide to the program in a language, or in English if it does not exist in this language. It is written
    in the same form as short rules."""
    found = first_of(resource("templates") / each / GUIDE for each in (language, FALLBACK))
    assert found, "the program has it in English"
    return found


def first_of(places: Iterable[Path]) -> ShortRules | None:
    found = next((place for place in places if place.is_file()), None)
    return convert(read_yaml(found.read_bytes(), found.name), ShortRules, found.name) if found else None


def topics_meant(rules: ShortRules, written: str) -> dict[str, Topic]:
    """Return the topics that `written` may mean. It can be a topic's name, the beginning of a name, or a section of the
    rules that some statements cite."""
    if (section := _WRITTEN.fullmatch(written.strip())) and (found := statements_on(rules, section[1])):
        return found
    names = topics_by_name(rules)
    keys = {tuple(names.values())[at] for at in Names(names).matches(written)}
    return {key: topic for key, topic in rules.topics.items() if key in keys}


def topics_by_name(rules: ShortRules) -> dict[str, str]:
    """Return a dict that has the key of a topic for each of the topic's names."""
    return {name: key for key, topic in rules.topics.items() for name in (topic.title, *topic.also, key)}


def statements_on(rules: ShortRules, section: str) -> dict[str, Topic]:
    """Return the statements that cite a section of the rules or a part of this section, sorted by topic."""
    said = {key: tuple(each for each in topic.says if cites(each, section)) for key, topic in rules.topics.items()}
    return {key: Topic(rules.topics[key].title, says) for key, says in said.items() if says}


def cites(statement: str, section: str) -> bool:
    return any(f"{each}.".startswith(f"{section}.") for each in _CITED.findall(statement))


def rules_blocks(rules: ShortRules, topics: dict[str, Topic]) -> list[Block]:
    """Return topics as blocks. If these are all the topics that there are, the opening text comes first."""
    opening = [rules.opening, ""] if topics == rules.topics else []
    told = ((f"## {topic.title}", "", *(f"- {each}" for each in topic.says), "") for topic in topics.values())
    return parsed_blocks("\n".join([f"# {rules.title}", "", *opening, *(line for lines in told for line in lines)]))


def rules_and_topics(game: str, language: str, written: str) -> tuple[ShortRules, dict[str, Topic]]:
    """Return the short rules of a game, and the topics that `written` means. Raises `Refused` if the game has no short
    rules, or if no topic fits."""
    rules = short_rules(game, language)
    if rules is None:
        raise Refused(game, [wrong("E-RULES-NONE", game=game)])
    return rules, topics_of(rules, written, game)


def topics_of(rules: ShortRules, written: str, source: str) -> dict[str, Topic]:
    """Return the topics that `written` means. If `written` is empty, return all topics. Raises `Refused` if no topic
    fits; the fault then names `source`."""
    topics = topics_meant(rules, written) if written else rules.topics
    if not topics:
        titles = tuple(topic.title for topic in rules.topics.values())
        hint = Names(titles).suggestion(written) or None
        raise Refused(source, [wrong("E-RULES-TOPIC", hint=hint, written=as_quoted(written), topics=titles)])
    return topics
