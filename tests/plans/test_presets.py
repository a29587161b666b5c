"""Plans ready to be taken: every preset in every language, what it answers, and how players come by it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from pbem.bots.table import play, sensible_policy
from pbem.cli import main
from pbem.engine.decisions import Answer, Decision, March, Play, Stop
from pbem.engine.nouns import Card, Power
from pbem.engine.table import GameRules, Table
from pbem.games.friedrich.paper.sections import GIVEN_CARDS
from pbem.lab.simulate import Strength
from pbem.paper.documents.writing import Value, write
from pbem.paper.library import USUAL, preset_file, preset_names, preset_plans
from pbem.paper.plans.data import Plan
from pbem.paper.plans.files import load_plans
from pbem.plans.choices import BAND
from pbem.plans.fighting import Stand, cut_losses, save_troops
from pbem.plans.practice import play_out
from pbem.plans.sight import PlayableCard, Tally
from pbem.plans.source import PlanSource
from pbem.player.names import new_table
from pbem.report.language.templates import languages
from pbem.report.letters.plan_words import preset_words
from pbem.report.letters.sheet import preset_text
from pbem.work.executors import ThisProcess
from tests.cli.correspondence import NAME, Correspondence

from .ground import OWN, Fought, field, plans

TABLES = [("maria", "introductory"), ("maria", "advanced"), ("maria", "silesia-gambit"), ("friedrich", "four")]

RARE = {"Reinforce", "ChooseGeneral", "ShiftPieces", "ChooseCities", "PlaceTrain"}
"""Decisions so rare that no preset has a line for them."""


@pytest.mark.parametrize(("game", "scenario"), TABLES)
def test_every_preset_says_the_same_in_every_language(game: str, scenario: str) -> None:
    rules = new_table({"game": game, "scenario": scenario}).rules
    for preset in preset_names(game):
        plain = write({"plans": plans_of_all(rules, preset)})
        read = said(load_plans(plain.encode(), "plain", rules))
        for language in languages():
            text = preset_text(rules, preset, rules.powers, language)
            assert max(map(len, text.splitlines())) <= 72
            assert said(load_plans(text.encode(), "told", rules)) == read


def plans_of_all(rules: GameRules, preset: str) -> dict[str, Value]:
    """Plans of a preset for everybody at the beginning."""
    seats = rules.seats.values()
    return {power: preset_plans(rules, preset, power, own) for own in seats for power in own if power in rules.powers}


def said(plans: dict[str, list[Plan]]) -> dict[str, list[tuple[object, ...]]]:
    """Wishes of plans, without their places."""
    return {
        power: [(one.kind, one.bound, one.when, one.standing, one.otherwise) for one in listed]
        for power, listed in plans.items()
    }


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_every_line_is_used_and_there_are_the_three(game: str) -> None:
    found = preset_file(game)
    assert list(found.presets) == ["careful", "bold", "away"]
    assert set(found.lines) == {name for names in found.presets.values() for name in names}


CARDS_GIVEN = {
    "four": {
        ("france", "set aside"),
        ("france", "redraw"),
        ("prussia", "plunder"),
        ("austria", "swap"),
        ("russia", "swap"),
    },
    "west": {("france", "set aside"), ("prussia", "set aside"), ("france", "redraw")},
    "austria": {("prussia", "plunder")},
}
"""The powers of a scenario that may be asked for a card by a Card of Fate, or when cards are dealt, and the section in
which they answer."""


@pytest.mark.parametrize("preset", preset_names("friedrich"))
@pytest.mark.parametrize("scenario", CARDS_GIVEN)
def test_no_line_answers_a_question_that_the_game_never_asks(scenario: str, preset: str) -> None:
    asked = CARDS_GIVEN[scenario]
    assert cards_given(new_table({"game": "friedrich", "scenario": scenario}).rules, preset) == asked
    if scenario == "four":
        expert = new_table({"game": "friedrich", "scenario": scenario, "expert": "yes"}).rules
        assert cards_given(expert, preset) == {*asked, ("prussia", "offensive")}


def cards_given(rules: GameRules, preset: str) -> set[tuple[str, str]]:
    """Powers for which a preset has a line that gives a card or sets one aside, with the section of the line."""
    read = load_plans(write({"plans": plans_of_all(rules, preset)}).encode(), preset, rules)
    return {
        (power, one.kind) for power, lines in read.items() for one in lines if one.kind in (*GIVEN_CARDS, "set aside")
    }


@pytest.mark.parametrize(("game", "scenario"), TABLES[1:])
def test_careful_answers_all_but_marches_and_what_is_rare(game: str, scenario: str) -> None:
    rules = new_table({"game": game, "scenario": scenario}).rules
    read = load_plans(write({"plans": plans_of_all(rules, USUAL)}).encode(), USUAL, rules)
    asked, tally, sources = set(), Tally(), []

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        if not sources:
            sources.append(PlanSource(table, read, tally))
        given = sources[0].answer(decision)
        if given is None:
            asked.add(type(decision).__name__)
            return sensible_policy(game)(table, decision, chance)
        return given.answer

    for _, events in play(rules, "presets/1", choose):
        tally.see(events)
    assert asked <= {March.__name__} | RARE


def stand(score: int, troops: int, *worths: int) -> Stand:
    """A side that is behind, with cards of its suit."""
    chances = tuple(PlayableCard(Card(number), 0, worth) for number, worth in enumerate(worths))
    return Stand(score, False, troops, chances, None, None, 4)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (stand(-5, 8, 2, 4, 9), Play(Card(1))),
        (stand(-10, 2, 9), Stop()),
        (stand(-6, 8, 7, 9), Play(Card(0))),
        (stand(-3, 8, 7), Stop()),
        (stand(0, 5, 7), Stop()),
    ],
    ids=["most for its points", "not worth it", "turned", "a small loss", "at zero"],
)
def test_cut_losses_plays_what_saves_more_than_it_costs(given: Stand, wanted: Play | Stop) -> None:
    assert cut_losses(given) == wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (stand(-5, 8, 2, 4, 9), Play(Card(1))),
        (stand(-3, 8, 7), Play(Card(0))),
        (stand(-1, 8, 1, 7), Play(Card(0))),
        (stand(-10, 2, 9), Stop()),
        (stand(0, 5, 7), Stop()),
    ],
    ids=["most for its points", "turned", "even for one troop", "out of reach", "at zero"],
)
def test_troops_are_saved_however_few_they_are(given: Stand, wanted: Play | Stop) -> None:
    assert save_troops(given) == wanted


MANY = "s10 s9 s8 s7 s6 s5 s4 s3 s10 s9"
"""A hand against which few cards promise anything."""


@pytest.mark.parametrize(
    ("score", "hand", "enemy_hand", "played"),
    [
        (-2, "d3 d9 R", "s3", [3]),
        (-1, "d3", MANY, []),
        (-4, "d9", MANY, [9]),
        (-6, "d5 d9", MANY, [5]),
        (-3, "R", MANY, [2]),
        (-5, "s9", MANY, []),
    ],
    ids=["hope", "for one troop", "for four", "most for its points", "a Reserve to lose less", "no card of the suit"],
)
def test_careful_spends_cards_by_its_hope_and_by_what_is_at_stake(
    score: int, hand: str, enemy_hand: str, played: list[int]
) -> None:
    table, enemy = field(score, hand, enemy_hand)
    tally, rules = Tally(), table.rules
    written = load_plans(
        write({"plans": {OWN: preset_plans(rules, USUAL, Power(OWN), [Power(OWN)])}}).encode(), "", rules
    )
    others = plans("- {for: battle, tactic: decline}", enemy)
    done = play_out(table, [PlanSource(table, written, tally), PlanSource(table, others, tally)], tally)
    assert Fought(table, enemy, done).own == played


def test_a_preset_is_written_for_a_seat_and_a_wrong_one_is_refused() -> None:
    words = ["plan", "preset", "careful", "--scenario", "advanced", "--power", "louis", "--json"]
    told = json.loads(CliRunner().invoke(main, words, catch_exceptions=False).stdout)
    assert told["powers"] == ["france", "bavaria"]
    wrong = CliRunner().invoke(main, ["plan", "preset", "rash"], catch_exceptions=False)
    assert wrong.exit_code == 2
    assert "careful, bold or away" in wrong.output


def test_who_joins_with_a_preset_signs_it_beside_the_first_orders(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    for seat in table.seats:
        preset = ["--preset", "bold"] if seat == "louis" else []
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), *preset, as_=seat)
    assert "bold" not in (tmp_path / f"join-{NAME}-louis.yaml").read_text()
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in table.seats))
    table.moderate("adjudicate")
    table.post()
    told = json.loads(table.run("sign", table.sheet("louis"), "--json", as_="louis").stdout)
    assert [letter["status"] for letter in table.accept("louis/orders.yaml", told["preset"])] == ["final", "final"]
    assert "preset" not in json.loads(table.run("sign", "louis/orders.yaml", "--json", as_="louis").stdout)


def test_the_first_report_brings_plans_and_sheets_tell_which_answers(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--scenario", "advanced")
    table.join()
    assert "plan.yaml" in Path(table.sent("louis.txt")).read_text()
    assert "A standing plan would answer this" in Path(table.sheet("louis")).read_text()
    (tmp_path / "plan.yaml").write_bytes(Path(table.sent("louis.plan.yaml")).read_bytes())
    table.run("sign", "--renumber", "plan.yaml", as_="louis")
    assert table.accept("plan.yaml")[0]["status"] == "final"
    again = table.run("plan", "preset", "bold", "--report", table.sent("louis.report.yaml"), "-o", "bold.yaml")
    assert "France and Bavaria" in again.output
    table.moderate("rule", "Good luck.")
    table.post()
    sheet = " ".join(Path(table.sheet("louis")).read_text().split()).replace("# ", "")
    assert "Line 6 of your plans for France decides this" in sheet
    assert "Only one answer is possible here" in sheet.partition("bavaria:")[2]
    newest = Path(table.sent("louis.txt"))
    assert not newest.with_name("louis.plan.yaml").exists()


def test_strength_counts_wins_by_hand_and_by_the_preset() -> None:
    rules = new_table({"game": "maria"}).rules
    found = Strength(rules, "careful")
    list(found.play(ThisProcess(), ["strength/1"]))
    (told,) = [found.data()["wins in 100"]]
    assert isinstance(told, dict)
    assert set(told) == set(rules.seats)
    assert all(each["preset"] == each["by hand"] + each["difference"] for each in told.values())


@pytest.mark.parametrize(("own", "voted"), [("prussia", "charles"), ("france", "charles"), ("austria", "francis")])
def test_saxony_votes_with_the_other_powers_of_its_player(own: str, voted: str) -> None:
    rules = new_table({"game": "maria", "scenario": "advanced"}).rules
    plans = preset_plans(rules, USUAL, Power("saxony"), [Power(own), Power("saxony")])
    assert [plan["say"] for plan in plans if isinstance(plan, dict) and plan["for"] == "vote"] == [voted]


@pytest.mark.parametrize("language", languages())
def test_plans_for_recruits_say_for_how_many_troops_a_general_comes_back(language: str) -> None:
    for game in ("maria", "friedrich"):
        told = preset_words(game, language).lines
        assert all(f" {BAND} " in told[name] for name in ("recruit", "recruit-bold"))
