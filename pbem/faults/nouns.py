"""Nouns of a language: the names of powers, pieces and stages, the same in every text and picture."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import convert

from pbem.cache import load_or_make
from pbem.resources import games, resource, templates_of

FILE = "nouns.yaml"
"""File with the nouns of a language. A game in a package of its own has one more such file."""

ENGLISH = "en"
"""The language that has every word; other languages may lack some."""

FORMS = ("the", "of", "to")
"""Forms of a power's name in a sentence: as its subject, and with the prepositions "of" and "to"."""

REGIONS = "regions"
"""Section with the names of regions and seas that a board's scenery prints, for languages that have other names."""

SIGN_OF_SUIT = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}

VOWELS = "AEIOUH"
"""Letters before which Italian shortens an article."""

Nouns = dict[str, dict[str, str]]


@cache
def noun_languages() -> tuple[str, ...]:
    return tuple(sorted(each.name for each in resource("templates").iterdir() if (each / FILE).is_file()))


@cache
def nouns(language: str) -> Nouns:
    """Return the nouns of a language by section and, within a section, by their names in data. For an unknown language
    return the English nouns."""
    places = [resource("templates") / language, *(templates_of(game, language) for game in games())]
    files = [place / FILE for place in places if (place / FILE).is_file()] if language.isalpha() else []
    if not files:
        return nouns(ENGLISH)
    texts = [file.read_bytes() for file in files]

    def read() -> Nouns:
        import yaml  # slow to load, and not needed if the table is in the cache

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        found: Nouns = {section: {} for section in (*FORMS, REGIONS)}
        for text in texts:
            for section, names in convert(yaml.load(text, loader), Nouns).items():  # noqa: S506 - as safe as safe_load
                found[section] = found.get(section, {}) | names
        return found

    return load_or_make("nouns", b"\0".join(texts), Nouns, read)


def power_noun(key: str, form: str, language: str) -> str:
    """Return the name of a power in one of the `FORMS`. For any other form return the bare name. The name of an unknown
    power is its key with a capital."""
    table = nouns(language)
    if written := table[form].get(key) if form in FORMS else None:
        return written
    name = table["powers"].get(key) or key[:1].upper() + key[1:]
    before_consonant, _, before_vowel = table["forms"].get(form, "{}").partition("|")
    return (before_vowel if before_vowel and name[:1] in VOWELS else before_consonant).format(name)


def forms_of(key: str, language: str) -> Mapping[str, str]:
    """Return a power's name in each of the `FORMS`, and the bare name under `name`."""
    return {form: power_noun(key, form, language) for form in ("name", *FORMS)}


def piece_noun(name: str, language: str) -> str:
    """Return the name of a general or a train in a language. Data call a train `austria train 2`."""
    power, _, number = name.partition(" train ")
    return nouns(language)["pieces"]["train"].format(number=number, **forms_of(power, language)) if number else name


def stage_noun(key: str, language: str) -> str:
    """Return the name of the stage with a key such as `politics`, `austria` or `winter-austria`."""
    stages, leader = nouns(language)["stages"], key.removeprefix("winter-")
    pattern = "winter" if leader != key else key if key in stages else "of"
    return stages[pattern].format(**forms_of(leader, language))


def turn_noun(written: str, language: str, form: Literal["turn", "alone"] = "turn") -> str:
    """Return the name of a stage with its turn, from a text such as `6/hussars`. The form `alone` has no article. Any
    other text is returned unchanged."""
    turn, _, key = written.partition("/")
    pattern = nouns(language)["stages"][form] if turn.isdecimal() and key else "{written}"
    return pattern.format(turn=turn, stage=stage_noun(key, language), written=written)
