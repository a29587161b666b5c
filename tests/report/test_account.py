"""Accounts: the golden story, a voice for every event, and lines that mail leaves alone."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from pbem.engine.table import DuelView
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.events import InfluencePlaced, InfluenceShown
from pbem.paper.library import load_rules
from pbem.report.account import TEMPLATES, Voice, account, chapters
from pbem.report.language.templates import WIDTH, languages, lead_in_words
from tests.play import play
from tests.raider import raid
from tests.report.plain import has_macro

from .golden import check_golden
from .script import EVENTS, RULES, city, of_the_game
from .script_of_affairs import AFFAIRS

READERS = [("prussia", "saxony"), ("austria",), ()]
ALL = [*EVENTS, *AFFAIRS]
GAMES = [Terms(), Terms(scenario="advanced", bluffing=True), Terms(scenario="silesia-gambit")]


@pytest.mark.parametrize("reader", READERS, ids=lambda powers: "-".join(powers))
def test_the_scripted_story(reader: tuple[str, ...]) -> None:
    told = account(RULES, e.all_seen_by(EVENTS, reader))
    check_golden(f"account-{'-'.join(reader) or 'observer'}.txt", told)


@pytest.mark.parametrize("reader", READERS, ids=lambda powers: "-".join(powers))
def test_the_scripted_affairs(reader: tuple[str, ...]) -> None:
    told = account(RULES, e.all_seen_by(AFFAIRS, reader))
    check_golden(f"affairs-{'-'.join(reader) or 'observer'}.txt", told)


GOES = {
    "en": ("goes back to the hand.", "stays face-down on the display."),
    "de": ("kommt auf die Hand zurück.", "bleibt verdeckt liegen."),
    "es": ("vuelve a la mano.", "se queda bocabajo."),
    "it": ("torna in mano.", "resta a faccia in giù."),
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("bluffing", [False, True])
def test_of_a_card_that_is_no_trump_the_account_says_where_it_goes(bluffing: bool, language: str) -> None:
    rules = load_rules(Terms(bluffing=bluffing))
    shown = next(event for event in AFFAIRS if isinstance(event, InfluenceShown) and not event.counts)
    told = " ".join(account(rules, [shown], language).split())
    assert told.endswith(GOES[language][bluffing]), told


JOINED = {
    "en": "Prussia conquers Glatz and Schweidnitz from Austria.",
    "de": "Preußen erobert Glatz und Schweidnitz von Österreich.",
    "es": "Prusia conquista Glatz y Schweidnitz a Austria.",
    "it": "La Prussia conquista Glatz e Schweidnitz, togliendole all'Austria.",
}


@pytest.mark.parametrize("language", languages())
def test_conquests_of_one_march_are_told_in_one_sentence(language: str) -> None:
    march = next(event for event in EVENTS if isinstance(event, e.Marched))
    taken = [e.Conquered(city(name), "prussia", "austria", "prussia") for name in ("Glatz", "Schweidnitz")]
    told = " ".join(account(RULES, [march, *taken], language).split())
    assert JOINED[language] in told
    assert "Eger" in account(
        RULES, [march, *taken, e.Conquered(city("Eger"), "prussia", "bavaria", "prussia")], language
    )


def test_the_script_tells_every_type_of_event() -> None:
    assert {type(event) for event in ALL} == set(of_the_game(e.Event))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", of_the_game(e.Event), ids=lambda kind: kind.__name__)
def test_every_type_of_event_has_its_macro(language: str, kind: type[e.Event]) -> None:
    assert has_macro(language, "maria", TEMPLATES, kind.__name__)


@pytest.mark.parametrize("event", ALL, ids=lambda event: type(event).__name__)
def test_every_event_says_something_by_itself(event: e.Event) -> None:
    (chapter,) = chapters(Voice(RULES), [event], with_turns=True)
    assert chapter.title or chapter.passages


@pytest.mark.parametrize("terms", GAMES, ids=lambda terms: terms.scenario)
@pytest.mark.parametrize("seed", range(3))
def test_no_line_is_too_long_and_none_ends_in_blanks(terms: Terms, seed: int) -> None:
    table, events = play(terms, seed, raid)
    for reader in [(), *((power,) for power in table.rules.powers)]:
        lines = account(table.rules, e.all_seen_by(events, reader)).splitlines()
        assert [line for line in lines if len(line) > WIDTH or line != line.rstrip()] == []


def test_the_headings_of_a_whole_game() -> None:
    _, events = play(Terms(), 1, raid)
    titles = [chapter.title for chapter in chapters(Voice(RULES), events, with_turns=True)]
    assert titles[:5] == ["", "Turn 1, hussars", "Turn 1, stage of France", "Turn 1, stage of Prussia",
                          "Turn 1, stage of Austria"]  # fmt: skip
    assert titles[5:8] == ["Turn 2", "Hussars", "Stage of France"]
    assert [chapter.title for chapter in chapters(Voice(RULES), events)][5:7] == ["Turn 2", "Turn 2, hussars"]


def test_nothing_stands_under_a_heading_only_if_the_heading_is_left_out() -> None:
    lost = e.SupplyLost(0, 1)
    events = [e.TurnBegan(4), e.StageBegan(4, "hussars"), e.TurnBegan(5), e.StageBegan(5, "hussars"),
              e.StageBegan(5, "france"), lost, e.TurnBegan(6), e.StageBegan(6, "hussars")]  # fmt: skip
    headings = [line for line in account(RULES, events).splitlines() if line.startswith(("Turn", "Stage", "Hussars"))]
    assert headings == ["Turn 5", "Stage of France"]
    assert account(RULES, events[:4]).strip() == ""


def test_what_one_march_does_is_one_paragraph() -> None:
    told = chapters(Voice(RULES), [event for event in EVENTS if not isinstance(event, e.TroopsMoved)])
    march = next(p for chapter in told for p in chapter.passages if "Schwerin march from Lüben" in p.text)
    for part in ("swept off", "conquers Liegnitz", "Schweidnitz is still protected", "stack forms"):
        assert part in march.text


def test_cards_in_a_row_stand_together_and_a_reserve_is_declared() -> None:
    told = chapters(Voice(RULES), EVENTS)
    battle = next(p for chapter in told for p in chapter.passages if p.exchanges)
    assert battle.exchanges == (
        "Prussia plays ♠2 (even).",
        "Austria answers with ♠3 (3\xa0ahead).",
        "Prussia answers with a Reserve as 1 (2\xa0behind), ♠5 (3\xa0ahead).",
        "Austria answers with a Reserve as 4 (1\xa0ahead).",
    )


SCORES = {
    "en": ["2\xa0behind", "even", "3\xa0ahead"],
    "de": ["2\xa0zurück", "gleichauf", "3\xa0vorn"],
    "es": ["2\xa0por detrás", "a la par", "3\xa0por delante"],
    "it": ["indietro di\xa02", "alla pari", "avanti di\xa03"],
}


@pytest.mark.parametrize("language", languages())
def test_a_score_is_told_in_words_by_which_everybody_knows_who_leads(language: str) -> None:
    assert [lead_in_words(score, language) for score in (-2, 0, 3)] == SCORES[language]


def test_an_account_may_begin_within_a_battle() -> None:
    middle = next(place for place, event in enumerate(EVENTS) if isinstance(event, e.CardPlayed))
    assert account(RULES, EVENTS[middle : middle + 1]) == "The battle goes on.\n    Prussia plays ♠2 (even).\n"
    duel = DuelView(city("Brieg"), city("Breslau"), "prussia", "austria", 0, "austria")
    (chapter,) = chapters(Voice(RULES, duel=duel), EVENTS[middle : middle + 1])
    assert chapter.passages[0].text == "The battle at Breslau goes on."
    won = next(event for event in EVENTS[middle:] if isinstance(event, e.BattleWon))
    told = account(RULES, [EVENTS[middle], won])
    assert "goes on" not in told
    assert " beats " in told.partition("\n")[0] or " beat " in told.partition("\n")[0], "who wins stands first"


def test_a_hussar_taken_off_by_its_owner_is_not_swept() -> None:
    assert "leaves Teschen" in account(RULES, [e.HussarRemoved(1, city("Teschen"))])


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "via Freising and Landshut back to Freising."),
        ("de", "über Freising und Landshut zurück nach Freising."),
        ("es", "por Freising y Landshut de vuelta a Freising."),
        ("it", "via Freising e Landshut e torna a Freising."),
    ],
)
def test_a_march_that_ends_in_a_city_of_its_way_comes_back_to_it(language: str, told: str) -> None:
    march = next(event for event in EVENTS if isinstance(event, e.Marched) and event.path[-1] in event.path[:-1])
    assert told in " ".join(account(RULES, [march], language).split())


def test_nothing_happened() -> None:
    assert account(RULES, []) == ""


def test_a_transfer_of_others_is_not_told() -> None:
    moved = next(event for event in EVENTS if isinstance(event, e.TroopsMoved))
    assert "Schwerin 7" in account(RULES, [moved])
    assert account(RULES, e.all_seen_by([moved], ("austria",))) == ""


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(LookupError, match="'xx'"):
        account(RULES, EVENTS, "xx")


def test_a_political_stage_is_a_scene() -> None:
    stage = next(chapter for chapter in chapters(Voice(RULES), AFFAIRS) if chapter.title == "Turn 5, politics")
    opening, placing, *selecting = [passage.text for passage in stage.passages]
    assert "names ♠ trump" in opening
    assert "Turned up" in placing
    assert "Order of influence" in placing
    assert "conquers Mannheim" in selecting[0]


def test_a_covered_card_is_not_told() -> None:
    placed = [event for event in AFFAIRS if isinstance(event, InfluencePlaced)]
    assert "Prussia places ♠9 face-down" in account(RULES, e.all_seen_by(placed, ("prussia",)))
    assert "♠9" not in account(RULES, e.all_seen_by(placed, ("austria",)))
