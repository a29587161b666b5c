"""Events and decisions as data: names instead of numbers, and every field of every type told and documented."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.engine.cards import RESERVE, card_of
from pbem.engine.decisions import Decision
from pbem.engine.events import CardsDrawn, Event, TrainTaken, seen_by
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import SelectPolitics
from pbem.games.maria.rules.events import PoliticsRevealed
from pbem.report import blocks
from pbem.report.language.templates import languages
from pbem.report.telling import TEMPLATES, question, told_data
from tests.play import play
from tests.report.plain import has_macro

from .golden import check_golden
from .script import DECISIONS as ORDINARY_DECISIONS
from .script import EVENTS as ORDINARY_EVENTS
from .script import PLACES, RESERVE_CARD, RULES, cards, of_the_game
from .script_of_affairs import AFFAIRS, POLITICAL_DECISIONS

EVENTS = [*ORDINARY_EVENTS, *AFFAIRS]
DECISIONS = [*ORDINARY_DECISIONS, *POLITICAL_DECISIONS]

DOCUMENT = (Path(__file__).parents[2] / "docs" / "events.md").read_text(encoding="utf-8")


def row(kind: str) -> str:
    """The row of a type in the tables of the document."""
    return next((line for line in DOCUMENT.splitlines() if line.startswith(f"| `{kind}` ")), "")


@pytest.mark.parametrize("told", [*EVENTS, *DECISIONS], ids=lambda told: type(told).__name__)
def test_the_document_lists_every_type_with_every_field(told: Event | Decision) -> None:
    data = told_data(RULES, told)
    listed = row(data.pop("type"))
    assert [name for name in data if f"`{name}`" not in listed] == []


@pytest.mark.parametrize("scenario", ["introductory", "advanced", "silesia-gambit"])
def test_everything_of_whole_games_is_json(scenario: str) -> None:
    _, events = play(Terms(scenario=scenario), 1)
    for event in [*events, *EVENTS]:
        data = told_data(RULES, event)
        assert json.loads(json.dumps(data)) == data
    for decision in DECISIONS:
        data = told_data(RULES, decision)
        assert json.loads(json.dumps(data)) == data


def test_names_stand_in_the_place_of_numbers() -> None:
    told = next(event for event in EVENTS if isinstance(event, TrainTaken))
    assert told_data(RULES, told) == {
        "type": "TrainTaken",
        "train": "austria train 3",
        "city": "Kolin",
        "by": "Friedrich der Große",
        "power": "austria",
    }


def test_political_cards_have_numbers_and_titles() -> None:
    assert told_data(RULES, PoliticsRevealed((1, 12))) == {
        "type": "PoliticsRevealed",
        "politics": [1, 12],
        "titles": ["War in the Baltic", "The Palatinate"],
    }
    asked = told_data(RULES, SelectPolitics("france", (12,), may_execute=True))
    assert (asked["cards"], asked["titles"]) == ([12], ["The Palatinate"])


def test_a_secret_is_null() -> None:
    drawn = CardsDrawn("prussia", 2, cards("♠9", "R"))
    assert told_data(RULES, drawn)["cards"] == ["♠9/1", "R/1"]
    seen = seen_by(drawn, ("austria",))
    assert seen is not None
    hidden = told_data(RULES, seen)
    assert hidden == {"type": "CardsDrawn", "power": "prussia", "count": 2, "cards": None}


def test_the_names_of_cards() -> None:
    (seven,) = cards("♠7")
    assert [blocks.notation(seven), blocks.notation(seven, with_deck=True)] == ["♠7", "♠7/1"]
    assert [blocks.notation(RESERVE_CARD), blocks.notation(RESERVE_CARD, declared=5)] == ["R", "R5"]
    twins = [card_of(RESERVE, copy, 0) for copy in (1, 2)]
    assert [blocks.hand_notation(twins), blocks.notations(twins, with_deck=True)] == [["R/1", "R/1"], ["R/1", "R/1b"]]
    assert [blocks.card(RESERVE_CARD), blocks.card(RESERVE_CARD, with_deck=True)] == ["Reserve", "Reserve/3"]


def test_the_names_of_players_and_powers() -> None:
    assert [blocks.player("maria-theresa"), blocks.power("austria")] == ["Maria Theresa", "Austria"]


def test_the_script_asks_every_type_of_decision() -> None:
    assert {type(decision) for decision in DECISIONS} == set(of_the_game(Decision))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", of_the_game(Decision), ids=lambda kind: kind.__name__)
def test_every_type_of_decision_has_its_macro(language: str, kind: type[Decision]) -> None:
    assert has_macro(language, "maria", TEMPLATES, kind.__name__)


def test_the_scripted_questions() -> None:
    asked = [question(RULES, decision, PLACES).replace("\u00a0", " ") for decision in DECISIONS]
    check_golden("questions.txt", "\n".join(asked) + "\n")
