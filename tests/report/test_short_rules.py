"""The rules in short: every language says the same under the same §, and the § are those of the rule books."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.report.formats.pages import text
from pbem.report.language.templates import WIDTH, languages
from pbem.report.short_rules import ShortRules, rules_blocks, short_rules, topics_by_name
from pbem.resources import OURS, data_of
from tests.report.golden import check_golden

CHAPTERS = {
    "maria": {1: 0, 2: 0, 3: 2, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0, 9: 0, 10: 3, 11: 2, 12: 0, 13: 0, 14: 0, 15: 0, 16: 0,
              17: 5, 18: 0, 19: 4, 20: 0, 21: 0, 22: 0, 23: 0, 24: 0, 25: 6},
    "friedrich": dict.fromkeys(range(1, 14), 0),
}  # fmt: skip
"""The chapters of each book, and into how many sections it is divided."""
BOOKS = {
    game: {str(chapter) for chapter in chapters}
    | {f"{chapter}.{part}" for chapter, parts in chapters.items() for part in range(1, parts + 1)}
    for game, chapters in CHAPTERS.items()
} | {"gambit": {"2.1", "2.2"}}
WITHOUT_SECTION = {"mail", "variants", "hidden"}
"""Topics that also say what is the program's own, or in no book."""

NUMBERS = [
    ("maria", "movement", "general_march train_march forced_march train_price"),
    ("maria", "supply", "supply raid"),
    ("maria", "conquest", "protection"),
    ("maria", "stacks", "troops"),
    ("maria", "recruiting", "troop_price"),
    ("friedrich", "movement", "general_march train_march"),
    ("friedrich", "supply", "supply"),
    ("friedrich", "conquest", "protection"),
    ("friedrich", "stacks", "troops"),
    ("friedrich", "recruiting", "troop_price train_price"),
]
"""Limits of the rules that a topic tells as numbers."""


def rules_in(game: str, language: str) -> ShortRules:
    found = short_rules(game, language)
    assert found is not None
    return found


def sections(statement: str) -> list[str]:
    """Sections that a statement cites, in its order; those of another book behind its name."""
    return re.findall(r"§([\d.]*\d)", statement)


def rules_command(*words: str) -> Result:
    return CliRunner().invoke(main, ["rules", *words], env={"PBEM_LANGUAGE": ""})


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", languages())
def test_every_language_says_the_same(game: str, language: str) -> None:
    told, english = rules_in(game, language).topics, rules_in(game, "en").topics
    assert list(told) == list(english)
    for key, topic in told.items():
        assert [sections(each) for each in topic.says] == [sections(each) for each in english[key].says], key
        for alike in (r"`[^`]+`", r"\d+(?:\.\d+)?"):
            found = [sorted(re.findall(alike, each)) for each in topic.says]
            assert found == [sorted(re.findall(alike, each)) for each in english[key].says], key


@pytest.mark.parametrize("game", OURS)
def test_every_section_is_one_of_the_book(game: str) -> None:
    for key, topic in rules_in(game, "en").topics.items():
        for statement in topic.says:
            found = set(sections(statement))
            ours = {each for each in found if f"Gambit §{each}" not in statement}
            assert ours <= BOOKS[game], statement
            assert found - ours <= BOOKS["gambit"], statement
            assert found or key in WITHOUT_SECTION, statement


@pytest.mark.parametrize(("game", "topic", "limits"), NUMBERS)
def test_the_numbers_are_those_that_the_program_plays_by(game: str, topic: str, limits: str) -> None:
    data = yaml.safe_load((data_of(game) / "game.yaml").read_text("utf-8"))["limits"]
    told = set(re.findall(r"(?<![§.\d])\d+", " ".join(rules_in(game, "en").topics[topic].says)))
    assert {str(data[limit]) for limit in limits.split()} <= told


@pytest.mark.parametrize("game", OURS)
def test_everybody_draws_what_is_told(game: str) -> None:
    powers = yaml.safe_load((data_of(game) / "game.yaml").read_text("utf-8"))["powers"]
    incomes = {
        str(power["income"] if isinstance(power["income"], int) else power["income"][0]) for power in powers.values()
    }
    told = rules_in(game, "en").topics["cards"].says[1]
    assert incomes <= set(re.findall(r"\b\d+\b", told))


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", languages())
def test_a_name_is_that_of_one_topic_and_no_line_is_too_long(game: str, language: str) -> None:
    rules = rules_in(game, language)
    names = [name for key, topic in rules.topics.items() for name in (topic.title, *topic.also)]
    assert len(set(map(str.casefold, names))) == len(names)
    assert set(topics_by_name(rules).values()) == set(rules.topics)
    lines = text(rules_blocks(rules, rules.topics)).splitlines()
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize(
    ("language", "game", "topic"),
    [
        ("en", "maria", "combat"),
        ("de", "friedrich", "Schicksal"),
        ("es", "maria", "reti"),
        ("it", "friedrich", "depositi"),
    ],
)
def test_a_topic_is_found_by_its_name_in_the_language_of_the_reader(language: str, game: str, topic: str) -> None:
    found = rules_command(game, topic, "--language", language)
    assert found.exit_code == 0
    check_golden(f"short-rules-{language}.txt", found.stdout)


def test_a_section_finds_what_is_said_of_it_and_of_its_parts() -> None:
    found = json.loads(rules_command("maria", "§10", "--json").stdout)
    assert list(found) == ["movement", "conquest"]
    assert all("§10." in each for topic in found.values() for each in topic["says"])
    assert "§10.1" not in rules_command("maria", "10.2").stdout
    assert "Silesia Gambit" not in rules_command("maria", "§2").stdout


def test_an_unknown_topic_is_refused_with_those_there_are() -> None:
    refused = rules_command("maria", "retreet")
    assert refused.exit_code == 1
    assert "E-RULES-TOPIC there is no topic 'retreet' — did you mean Retreat?" in refused.stderr
    refused = rules_command("maria", "artillery")
    assert "E-RULES-TOPIC there is no topic 'artillery' — topics: Aim and victory, Turn and stages" in refused.stderr
    assert rules_command("maria", "§99").exit_code == 1


@pytest.mark.parametrize(("form", "sign"), [("html", "<h2>"), ("bbcode", "[list]"), ("markdown", "## Retreat")])
def test_the_rules_wear_every_dress(form: str, sign: str) -> None:
    assert sign in rules_command("maria", "retreat", "--as", form).stdout
