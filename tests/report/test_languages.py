"""Every language says everything: the same files, macros and tables, and no English words are left in real games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.clock.deadlines import Occasion, Reminder, Why
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.settings import Conduct, Moderator, Seat
from pbem.engine.events import Event, all_seen_by
from pbem.engine.nouns import Power
from pbem.games.friedrich.rules.data import Terms as TermsOfFriedrich
from pbem.games.maria.rules.data import Terms as TermsOfMaria
from pbem.kit import game_of
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import load_rules
from pbem.report.account import account
from pbem.report.digest import DigestReader, digest
from pbem.report.formats.pages import cover_blocks, subject, text
from pbem.report.language.own_templates import names_in, outline
from pbem.report.language.templates import languages, template
from pbem.report.letters.invitations import invitation_data, reminder_data
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.report import report_data
from pbem.resources import resource
from tests import play
from tests.friedrich import random_play
from tests.friedrich.striving import strive
from tests.raider import raid
from tests.report.plain import letter_text, options_text, position_text
from tests.trying import IS_LONG

from .campaign_moments import kind_of
from .campaign_table import OpenTable, send

TEMPLATES = resource("templates")
ENGLISH = [name for name in names_in(TEMPLATES) if name.startswith("en/")]
OTHERS = [language for language in languages() if language != "en"]

OTHERWISE = {
    ("it", "maria/game"): {"box"},
    ("it", "words"): {"land", "lands"},
}
"""Words that a language says differently: by the article, the case or the preposition that goes with a name there."""

FUNCTION_WORDS = re.compile(
    r"\b(the|and|of|is|are|with|from|has|have|by|its|at|for|to|on|or|was|were|be|this|that|not|your|you|who|any)\b"
)
"""Words without which hardly an English sentence goes; `ALSO_WORDS_OF` has those that another language has too."""

ALSO_WORDS_OF = {"de": {"was"}, "es": set(), "it": set()}

TYPED = re.compile(r"^>.*|^ *(# *)?(- *)?[a-z-]+: .*|^.*\{.*\}.*$", re.MULTILINE)
"""Lines of letters, of their forms, and of quotations, which are the same in every language."""

THEIRS = re.compile(r"[«„“][^»“”]{1,60}[»“”]|`[^`]{1,60}`|\bEarl of Stair\b|SHA256:[\w+/]+")
"""Titles, what is to be typed, names and fingerprints are not for translation."""


RAW = re.compile(
    r"(?<![\w/`-])(austria|bavaria|france|hanover|imperial|pragmatic|prussia|russia|saxony|sweden|maria-theresa|frederick"
    r"|louis|pompadour|elisabeth|winter-\w+|setup|hussars|fate|politics|election|cession|allotment|movement|recruiting"
    r"|aftermath|placing|selecting|clubs|hearts|spades|none|join|message|reveal|key-change|[a-z]+ train \d"
    r"|\d+/[a-z][a-z-]+|MOVE|MARCH)(?![\w-])"
)
"""Keys of powers, seats, stages, phases, suits, pieces and kinds of letters, as only data have them."""

RAW_IN_SHEETS = re.compile(r"^ *[a-z]+:$", re.MULTILINE)
"""Lines of an order sheet that are a key alone."""


def in_all(name: str) -> list[tuple[str, str]]:
    """A file of the English templates in every other language."""
    return [(language, name.removeprefix("en/")) for language in OTHERS]


@pytest.mark.parametrize(("language", "name"), [each for name in ENGLISH for each in in_all(name)])
def test_every_file_macro_and_table_is_there_in_every_language(language: str, name: str) -> None:
    english, other = (outline(TEMPLATES / each / name, name) for each in ("en", language))
    may_lack = OTHERWISE.get((language, name.partition(".")[0]), set())
    lacking = set(english.macros) - set(other.macros) | set(english.tables) - set(other.tables)
    lacking |= {
        table for table in english.tables if table in other.tables and english.tables[table] - other.tables[table]
    }
    assert lacking == may_lack
    for macro in set(english.macros) & set(other.macros):
        assert other.macros[macro] == english.macros[macro], macro


@pytest.mark.parametrize("language", OTHERS)
def test_no_language_has_files_that_nobody_uses(language: str) -> None:
    known = {name.removeprefix("en/") for name in ENGLISH}
    assert {
        name.removeprefix(f"{language}/") for name in names_in(TEMPLATES) if name.startswith(f"{language}/")
    } == known


@pytest.mark.parametrize("language", OTHERS)
def test_every_reason_of_the_program_is_translated(language: str) -> None:
    for game in ("maria", "friedrich"):
        table: Any = template(language, game, "campaign_words.txt.j2").module
        assert set(table.REASONS) == set(adjudicating.REASONS)
        assert not set(table.REASONS.values()) & set(adjudicating.REASONS)
        assert str(table.because(adjudicating.WENT_ON, str)).strip(": ") == table.REASONS[adjudicating.WENT_ON]


GAMES = [
    pytest.param(play, raid, TermsOfMaria("introductory"), id="introductory"),
    pytest.param(play, raid, TermsOfMaria("advanced"), id="advanced"),
    pytest.param(play, raid, TermsOfMaria("silesia-gambit"), id="gambit"),
    pytest.param(random_play, strive, TermsOfFriedrich("four", expert=True), id="expert"),
    pytest.param(random_play, strive, TermsOfFriedrich("three"), id="three"),
]


def moments(games: Any, player: Any, terms: Any) -> Iterator[tuple[Any, list[Event]]]:
    """A whole game, seen wherever something is asked for the first time, with what happened since."""
    table, events = games.start(terms, "languages")
    seen: dict[str, int] = {}
    for power, answer in games.answers(table, games.chance_of(terms, "languages"), player):
        kinds = [kind_of(decision) for decision in game_of(table).decisions(table)]
        if any(seen.get(kind, 0) < (2 if IS_LONG else 1) for kind in kinds):
            yield table, events
            events = []
        for kind in kinds:
            seen[kind] = seen.get(kind, 0) + 1
        events += game_of(table).apply(table, power, answer)
    yield table, events


def english_in(told: str, language: str) -> list[str]:
    """English words with those around them, besides names, titles and what is to be typed."""
    words = THEIRS.sub(" ", " ".join(TYPED.sub("", told).replace("#", " ").split()))
    found = [each for each in FUNCTION_WORDS.finditer(words) if each.group() not in ALSO_WORDS_OF[language]]
    return [words[max(0, each.start() - 40) : each.end() + 40] for each in found]


def raw_in(told: str) -> list[str]:
    """Keys of data with the words around them, besides what is to be typed."""
    words = THEIRS.sub(" ", " ".join(TYPED.sub("", RAW_IN_SHEETS.sub("", told)).replace("#", " ").split()))
    return [words[max(0, each.start() - 40) : each.end() + 40] for each in RAW.finditer(words)]


@pytest.mark.parametrize(("games", "player", "terms"), GAMES)
def test_whole_games_are_told_without_english(games: Any, player: Any, terms: Any) -> None:
    count = 0
    for table, events in moments(games, player, terms):
        rules, every = table.rules, table.rules.powers
        count += 1
        for language in OTHERS:
            for readers in (every, ()):
                told = [
                    account(rules, all_seen_by(events, readers), language),
                    "\n".join(digest(rules, all_seen_by(events, readers), DigestReader(readers), language).others),
                    position_text(rules, game_of(table).view(table, readers), language),
                ]
                assert english_in("\n".join(told), language) == []
                assert raw_in("\n".join(told)) == []
        if count % 4 == 0:
            for language in OTHERS:
                options = options_text(table, every, (), language)
                assert english_in(options, language) == []
                assert raw_in(options) == []
    assert count > 5


REMINDED: tuple[tuple[Occasion, Why], ...] = (("before", "none yet"), ("deadline", "draft"), ("late", "wait"))


def letters(root: Path, language: str) -> Iterator[str]:
    """Letters of a campaign in a language: invitation, receipts, reports and reminders of all kinds."""
    seats = {seat: Seat(language=language) for seat in ("maria-theresa", "frederick", "louis")}
    conduct = Conduct(sealing="reveal", signing="off")
    table = OpenTable(root, conduct, seats, Moderator(seat="louis"))
    with table.open() as campaign:
        yield letter_text(invitation_data(campaign.public, "louis", campaign.rules.seats, "token"))
    table.join({"louis": "Lou"})
    table.play(2)
    with table.open() as campaign:
        for occasion, why in REMINDED:
            reminder = Reminder("louis", occasion, campaign.now, why, ("france",))
            yield letter_text(reminder_data(campaign, reminder))
        yield letter_text(receipt_data(campaign, send(table, campaign, "louis", "message", {"to": "all", "text": "X"})))
        rulings.rule(campaign, "X", "§10.1")
        for told in briefings(campaign).values():
            data = report_data(in_language(told, language))
            yield letter_text(data)
            yield letter_text(data | {"terms": {"game": data["game"]}, "title": "X"})
            yield subject(data)
            yield text(cover_blocks(data, ["report.txt.age"]))


@pytest.mark.parametrize("language", OTHERS)
def test_letters_are_without_english(tmp_path: Path, language: str) -> None:
    for told in letters(tmp_path, language):
        assert english_in(told, language) == []
        assert raw_in(told) == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_card_of_the_programs_files_has_a_title(language: str) -> None:
    loaded: tuple[Any, Any] = load_rules(TermsOfMaria("advanced")), load_rules(TermsOfFriedrich("four"))
    politics, fate = loaded[0].politics, loaded[1].fate
    titles = {
        "maria": [*(card.title for card in politics.cards), *(track.title for track in politics.tracks.values())],
        "friedrich": [
            *(version.title for card in fate.cards for version in asdict(card.versions).values()),
            *(stroke.title for stroke in fate.strokes),
        ],
    }
    for game, names in titles.items():
        table: Any = template(language, game, "titles.txt.j2").module
        assert set(names) == set(table.TITLES)


@pytest.mark.parametrize("language", languages())
def test_a_train_can_be_ordered_as_reports_call_it(language: str) -> None:
    lexicon = Lexicon(load_rules(TermsOfFriedrich("four")))
    words: Any = template(language, "friedrich", "standing_words.txt.j2").module
    power = Power("prussia")
    for number, train in enumerate(lexicon.rules.common.trains(power), 1):
        called = str(words.short_train({"name": f"prussia train {number}"}))
        assert [lexicon.piece(each, power) for each in (called, called.upper())] == [train, train]
