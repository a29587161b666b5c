"""`pbem try --worlds`: how often what comes of orders, with all that their writer cannot know dealt anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from pbem.bots.table import BOTS, bot_named
from pbem.cli import main
from pbem.cli.trying import try_command
from pbem.desk.practice import rules_of, terms_of
from pbem.engine.cards import SeededDealer, value_of
from pbem.engine.decisions import PlayCard, Stop
from pbem.engine.events import CardPlayed
from pbem.engine.nouns import Power
from pbem.engine.table import Table, player_of, powers_of_player, stage_of
from pbem.kit import game_named, game_of
from pbem.paper.orders.trial import decisions
from pbem.paper.positions.files import load_position, write_position
from pbem.player.chances import Chances, Spread, Wish, Written, chances, chances_blocks, play_worlds
from pbem.player.tables import FoundTable
from pbem.report.language.templates import languages
from tests.calibration import battles, row_of
from tests.cli.correspondence import Correspondence
from tests.cli.test_campaign_friedrich import moving
from tests.twins import with_other_secrets

__all__ = ["moving"]

ROUND = ("--as", "prussia", "--far", "round", "--worlds", "12")
"""Options of a trial that goes on to the next march of who tries."""

EXAMPLES = Path(__file__).parents[2] / "examples/mid-war"
POSITION, ORDERS = EXAMPLES / "position.yaml", EXAMPLES / "prussia.yaml"


def tried(position: Path, *options: str, orders: Path = ORDERS) -> Any:
    """The chances of orders."""
    done = CliRunner().invoke(try_command, [str(position), str(orders), "--json", "--worlds", "40", *options])
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)["chances"]


tried_once = cache(tried)
"""The same for files that stay as they are: worlds that were played before are not played again."""


def test_every_world_has_the_fight_that_was_ordered_and_the_same_command_tells_the_same() -> None:
    found = tried(POSITION, "--as", "prussia")
    (fight,) = found["fights"]
    assert fight["attackers"] == ["Friedrich der Große"]
    assert fight["fought"] == found["worlds"] == 40
    assert 0 < fight["won"] < 40
    assert fight["losses"]["least"] == 0 < fight["losses"]["most"] == found["losses"]["most"]
    assert tried(POSITION, "--as", "prussia") == found


def test_until_the_next_march_others_move_and_more_befalls() -> None:
    found = tried_once(POSITION, *ROUND)
    assert len(found["fights"]) > 1
    assert {"Schwerin", "Friedrich der Große"} & {each["piece"] for each in found["unsupplied"]}


def test_to_the_end_of_the_turn_others_move_too() -> None:
    found = tried_once(POSITION, "--as", "prussia", "--far", "turn", "--worlds", "6")
    assert found["far"] == "turn"
    assert len(found["fights"]) > 1


def test_a_plan_in_a_file_of_its_own_fights_and_one_of_others_too() -> None:
    def won(*plans: str) -> int:
        files = [str(POSITION), str(ORDERS), *(str(EXAMPLES / name) for name in plans)]
        done = CliRunner().invoke(try_command, [*files, "--json", "--worlds", "40", "--as", "frederick"])
        return int(json.loads(done.stdout)["chances"]["fights"][0]["won"])

    assert len({won(), won("prussia-plan.yaml"), won("prussia-plan.yaml", "austria-plan.yaml")}) > 1


def test_a_plan_among_the_orders_fights(tmp_path: Path) -> None:
    """With a plan to win more battles are won than with one that stops at once."""
    document, won = yaml.safe_load(ORDERS.read_text("utf-8")), {}
    for tactic in ("win", "decline"):
        document["orders"]["prussia"]["plans"] = [{"for": "battle", "tactic": tactic}]
        path = tmp_path / f"{tactic}.yaml"
        path.write_text(yaml.safe_dump(document, allow_unicode=True), "utf-8")
        (fight,) = tried(POSITION, "--as", "prussia", orders=path)["fights"]
        won[tactic] = fight["won"]
    assert won["win"] > won["decline"]


def test_the_secrets_of_others_make_no_difference(tmp_path: Path) -> None:
    own = ("prussia", "saxony")
    table = load_position(POSITION.read_bytes(), POSITION.name)
    other = with_other_secrets(table, own, Random("chances"))
    (tmp_path / "other.yaml").write_text(write_position(other), "utf-8")
    assert (tmp_path / "other.yaml").read_text("utf-8") != write_position(table)
    for options in (["--as", "frederick"], ["--as", "frederick", "--far", "round", "--worlds", "12"]):
        assert tried(tmp_path / "other.yaml", *options) == tried(POSITION, *options)


FATE = "game: friedrich\nturn: 2\nstage: {stage}\nphase: movement\n"


@pytest.mark.parametrize(
    ("stage", "end"), [("prussia", "3/prussia"), ("hanover", "3/hanover"), ("russia", "3/prussia")]
)
def test_a_round_ends_where_the_powers_that_march_now_march_again(stage: str, end: str) -> None:
    table = load_position(FATE.format(stage=stage).encode(), "fate.yaml")
    game_of(table).advance(table)
    worlds = play_worlds(FoundTable(table), [Power("prussia"), Power("hanover")], Written(), Wish(2, far="round"))
    assert {stage_of(each.after) for each in worlds} == {end}


def test_a_report_is_enough(moving: Correspondence) -> None:
    (seat,) = moving.owing()
    report = moving.sent(f"{seat}.report.yaml")
    (option, *_) = moving.json("legal", report)
    (moving.root / "still.yaml").write_text(f"orders:\n  {option['power']}:\n    move: []\n", "utf-8")
    found = moving.json("try", report, "still.yaml", "--worlds", "10", "--far", "round")["chances"]
    assert found["worlds"] == 10
    assert found["level"] == "sensible"


@pytest.mark.parametrize(
    ("language", "bot"),
    [
        ("en", "a sensible bot played"),
        ("de", "ein vernünftiger Bot für"),
        ("es", "un bot sensato jugó"),
        ("it", "un bot sensato ha"),
    ],
)
def test_it_is_told_in_words(language: str, bot: str) -> None:
    told = CliRunner().invoke(main, ["try", str(POSITION), str(ORDERS), *ROUND, "--language", language]).stdout
    text = " ".join(told.split())
    found = tried_once(POSITION, *ROUND)
    for piece in found["unsupplied"]:
        assert f"{piece['piece']} ({piece['worlds']}×)" in text
    assert f" {found['fights'][0]['won']}" in text
    assert bot in text
    assert max(map(len, told.splitlines())) <= 72


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_a_fortress_that_is_taken_is_told(tmp_path: Path, language: str) -> None:
    position, orders = tmp_path / "position.yaml", tmp_path / "orders.yaml"
    position.write_text(
        "pbem: 1\nscenario: introductory\nturn: 1\nstage: france\nphase: movement\nbegun: yes\nowing: [france]\n"
    )
    orders.write_text("pbem: 1\nkind: orders\norders:\n  france:\n    move:\n      - Belle-Isle: Eger, Karlsbad\n")
    words = [str(position), str(orders), "--as", "france", "--worlds", "3", "--language", language]
    done = CliRunner().invoke(try_command, words)
    assert "Eger (3×)" in done.stdout


HELD = {
    "en": "Fortresses marched through that hold: Breslau (4×, protected by Neipperg).",
    "de": "Durchmarschiert, aber nicht gefallen: Breslau (4×, geschützt durch Neipperg).",
    "es": "Fortalezas atravesadas que resisten: Breslavia (4×, protegida por Neipperg).",
    "it": "Fortezze attraversate che resistono: Breslavia (4×, protetta da Neipperg).",
}


@pytest.mark.parametrize("language", HELD)
def test_a_fortress_that_holds_against_a_march_is_told_with_its_protectors(tmp_path: Path, language: str) -> None:
    position, orders = tmp_path / "position.yaml", tmp_path / "orders.yaml"
    pieces = {"Schwerin": "Neumarkt, 8", "Neipperg": "Neisse, 4"}
    document = {"game": "maria", "turn": 2, "stage": "prussia", "phase": "movement", "pieces": pieces}
    position.write_text(yaml.safe_dump(document, allow_unicode=True), "utf-8")
    march = {"march": "Schwerin", "via": "Breslau", "to": "Ohlau"}
    orders.write_text(yaml.safe_dump({"pbem": 1, "kind": "orders", "orders": {"prussia": {"move": [march]}}}), "utf-8")
    found = tried(position, "--as", "prussia", "--worlds", "4", orders=orders)
    assert found["held"] == [{"city": "Breslau", "worlds": 4, "guards": ["Neipperg"]}]
    assert found["taken"] == []
    words = ["try", str(position), str(orders), "--worlds", "4", "--as", "prussia", "--language", language]
    done = CliRunner().invoke(main, words)
    assert HELD[language] in " ".join(done.stdout.split())


def test_troops_that_were_bought_in_the_stage_count_among_the_lost(tmp_path: Path) -> None:
    position, orders = tmp_path / "position.yaml", tmp_path / "orders.yaml"
    pieces = {"Schwerin": "Kolin, 2, face-down", "prussia train 1": "off", "prussia train 2": "off"}
    document = {"game": "friedrich", "turn": 3, "stage": "prussia", "phase": "recruiting", "pieces": pieces}
    document["hands"] = {"prussia": ["♥12"]}
    position.write_text(yaml.safe_dump(document, allow_unicode=True), "utf-8")
    levy = {"troops": {"Schwerin": 2}, "pay": ["♥12"]}
    orders.write_text(yaml.safe_dump({"pbem": 1, "kind": "orders", "orders": {"prussia": {"recruit": levy}}}), "utf-8")
    found = tried(position, "--as", "prussia", "--worlds", "4", orders=orders)
    assert found["losses"] == dict.fromkeys(("least", "middle", "most"), 4)


def table_in_combat(seed: str, is_wanted: Callable[[Table, PlayCard], bool]) -> tuple[Table, Sequence[Power]]:
    """Play a game of bots to the first card that a power is asked for where `is_wanted` is true. Return the table, and
    the powers of the player who is asked."""
    table, chance = game_named("friedrich").start(rules_of(terms_of("friedrich", "")), SeededDealer(seed))[0], Random(1)
    while not isinstance(decision := decisions(table)[0], PlayCard) or not is_wanted(table, decision):
        game_of(table).apply(table, decision.power, bot_named("sensible", "friedrich")(table, decision, chance))
    return table, powers_of_player(table, player_of(table, decision.power))


def test_a_battle_in_progress_is_the_first_that_is_told() -> None:
    table, own = table_in_combat("in progress", lambda table, decision: True)
    results, wish = play_worlds(FoundTable(table), own, Written(), Wish(5)), Wish(5)
    fight, duel = chances(FoundTable(table), own, results, wish, Written()).fights[0], table.state.duel
    assert (fight.attacking_city, fight.defending_city) == (duel.attacking_city, duel.defending_city)
    assert fight.fought == 5
    assert fight.attackers


def would_give_up(table: Table, decision: PlayCard) -> bool:
    """True if the bot would stop, although the cards for this city could bring the score above zero."""
    reached = decision.score + sum(value_of(card) for card in decision.cards)
    return reached > 0 and bot_named("sensible", "friedrich")(table, decision, Random(1)) == Stop()


def test_in_a_battle_in_progress_the_player_plays_on() -> None:
    """The bot that plays for him would stop, and every world would tell the loss that the page tells already."""
    table, own = table_in_combat("giving up", would_give_up)
    power, found, wish = decisions(table)[0].power, FoundTable(table), Wish(5)
    results = list(play_worlds(found, own, Written(), wish))
    assert all(isinstance(result.events[0], CardPlayed) and result.events[0].power == power for result in results)
    told = str(chances_blocks(table.rules, chances(found, own, results, wish, Written()), "en"))
    assert "Battle, if you play on now: " in told


def test_without_a_battle_in_progress_no_tries_tell_of_one() -> None:
    done = CliRunner().invoke(try_command, [str(POSITION), str(ORDERS), "--worlds", "5"])
    assert "In these tries" in done.stdout
    assert "if you play on now" not in done.stdout


def test_an_unknown_bot_is_refused() -> None:
    done = CliRunner().invoke(try_command, [str(POSITION), str(ORDERS), "--worlds", "5", "--by", "genius"])
    assert done.exit_code == 2
    assert "genius" in done.stderr


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_calls_of_battles_come_true_about_as_often_as_they_say(game: str) -> None:
    """The long run is `python -m tests.calibration`."""
    found = list(islice(battles(game, "sensible", Wish(20), 2), 40))
    row = row_of(found)
    assert abs(row.call - row.won) < 15
    sure, lost = ([each.won for each in found if low <= each.share <= high] for low, high in ((0.9, 1.0), (0.0, 0.1)))
    assert sum(sure) > 0.8 * len(sure) > 0
    assert sum(lost) < 0.2 * len(lost)


@pytest.mark.parametrize(
    ("losses", "told"),
    [
        (Spread(0, 1, 3), "Troops lost in all: 1 (0–3)."),
        (Spread(-1, -1, 1), "Change in your troops, new ones included: +1 (−1 … +1)."),
        (Spread(-1, 0, 0), "Change in your troops, new ones included: 0 (0 … +1)."),
    ],
)
def test_new_troops_make_no_negative_loss(losses: Spread, told: str) -> None:
    rules = rules_of(terms_of("friedrich", ""))
    found = Chances(4, "sensible", "stage", (), losses, (), (), (), (), (), ())
    assert told in str(chances_blocks(rules, found, "en"))


@pytest.mark.parametrize("language", languages())
def test_chances_by_any_level_are_told_in_every_language(language: str) -> None:
    rules = rules_of(terms_of("friedrich", ""))
    told = [
        str(chances_blocks(rules, Chances(4, level, "stage", (), Spread(0, 0, 0), (), (), (), (), (), ()), language))
        for level in BOTS
    ]
    assert len(set(told)) == len(BOTS)
