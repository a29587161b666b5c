"""The arena: the same deal for everybody, a verdict that is seldom wrong, and a contest that goes on where it ended."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from pbem.bots import plain
from pbem.bots.plain import Policy, game_bots
from pbem.bots.table import VICTORY, play, sensible_policy, winners_of
from pbem.cli import main
from pbem.kit import game_of
from pbem.lab import demonstration
from pbem.lab.arena import LEAST, ContestState, GameResult, Pair, line_ups, outcome, player_of_deals, verdict
from pbem.player.names import new_table
from tests import make_strength

TWO = ("--players", "2")
"""The quickest contest: two seats, four games a deal."""


def arena(*options: str, code: int = 0) -> str:
    """Output of `pbem arena` for two bots."""
    done = CliRunner().invoke(main, ["arena", "random", *options])
    assert done.exit_code == code, done.output
    return done.output


def test_equals_have_the_same_game_whoever_sits_where() -> None:
    """Every seat has a chance of its own, so that of one deal all games of a bot against itself are one game."""
    deal = player_of_deals(Pair(new_table({"game": "maria"}).rules, ("random", "random")))("a deal")
    assert tuple(deal) == line_ups(3)
    assert len(deal) == 8
    assert len(set(deal.values())) == 1


@pytest.mark.parametrize(
    "terms", [{"game": "maria"}, {"game": "maria", "scenario": "advanced", "players": "2"}, {"game": "friedrich"}]
)
def test_points_are_for_the_victors_and_for_who_came_near(terms: dict[str, str]) -> None:
    rules = new_table(terms).rules
    nearness = game_bots(rules.terms.game).nearness
    for table, _ in play(rules, "nearness", sensible_policy(rules.terms.game)):
        near = nearness(table)
        assert near.keys() == rules.seats.keys()
        assert all(0 <= each <= 1 for each in near.values())
    (winner, *_) = winners_of(table)
    # FRIEDRICH's Frederick wins by outlasting the others, who may have come nearer before.
    assert (terms["game"], winner) == ("friedrich", "frederick") or near[winner] == max(near.values())
    points = outcome(rules, "points", dict.fromkeys(rules.seats, plain.choose)).points
    assert VICTORY in points
    assert all(each == VICTORY or 0 <= each <= VICTORY / 2 for each in points)


def ended(lead: float, deals: int, chance: Random) -> str:
    """The verdict on two bots of whom one is ahead by so many deviations."""
    differences: list[float] = []
    while len(differences) < deals and verdict(differences) == "open":
        differences.append(chance.gauss(lead, 1))
    return verdict(differences)


def test_the_stronger_one_is_found_and_equals_are_seldom_told_apart() -> None:
    chance = Random("verdicts")
    equals = [ended(0, 60, chance) for _ in range(200)]
    assert equals.count("first") + equals.count("second") <= 8
    assert [ended(1, 60, chance) for _ in range(50)].count("first") == 50
    assert [ended(-1, 60, chance) for _ in range(50)].count("second") == 50


@pytest.mark.parametrize(("every", "expected"), [(0.0, "even"), (0.1, "first"), (-0.1, "second")])
def test_deals_that_are_all_alike_are_judged_too(every: float, expected: str) -> None:
    assert verdict([every] * (LEAST - 1)) == "open"
    assert verdict([every] * 200) == expected


def test_a_seat_counts_by_who_sits_there_the_others_being_the_same() -> None:
    """The first wins as the first seat whoever is beside him, and else nothing differs."""
    games = {each: GameResult((VICTORY, 0) if each[0] == "A" else (0, VICTORY), 5) for each in line_ups(2)}
    standing = ContestState(("red", "blue"), ("good", "bad"))
    for _ in range(LEAST):
        standing.add(games)
    assert standing.of_seat(0)["ahead"]["mean"] == 100
    assert standing.of_seat(1)["ahead"]["mean"] == 0
    assert standing.differences == [50] * LEAST
    assert standing.of_line_up("AB")["wins"] == {"red": 100, "blue": 0}
    assert standing.in_words().text() == (
        f"good is stronger than bad (deals: {LEAST}, games: {4 * LEAST}); such a verdict is wrong once in a hundred."
    )
    assert "good ist stärker als bad (" in standing.in_words().text("de")
    standing.add(games)
    assert len(standing.deals) == LEAST


def test_a_contest_goes_on_where_it_ended_and_is_the_same_whoever_plays(tmp_path: Path) -> None:
    state = str(tmp_path / "contest.json")
    whole = arena("sensible", *TWO, "--games", "2", "--jobs", "1")
    assert "still open" in arena("sensible", *TWO, "--games", "1", "--state", state)
    assert arena("sensible", *TWO, "--games", "2", "--jobs", "2", "--state", state) == whole
    kept = (tmp_path / "contest.json").read_bytes()
    found = json.loads(arena("sensible", *TWO, "--games", "1", "--state", state, "--json"))
    assert found["deals"] == 1
    assert (tmp_path / "contest.json").read_bytes() == kept
    assert [path.name for path in tmp_path.iterdir()] == ["contest.json"]


def test_a_contest_is_told_in_the_language_of_its_reader() -> None:
    said = arena("beginner", *TWO, "--games", "1", "--jobs", "1", "--language", "de")
    for told in ("Platz", "Vorsprung", "alle Plätze", "Besetzung", "Noch ist offen"):
        assert told in said


def test_one_seat_may_be_contested_alone(tmp_path: Path) -> None:
    """Two games a deal, which differ in that seat only; all of them together have either bot in the others."""
    state = tmp_path / "contest.json"
    found = json.loads(
        arena("beginner", "--seat", "louis", "--games", "6", "--json", "--state", str(state), "--jobs", "1")
    )
    assert found["seats"].keys() == {"louis"}
    assert found["line-ups"] == {}
    assert found["ahead"] == found["seats"]["louis"]["ahead"]
    deals = [sorted(deal) for deal in json.loads(state.read_bytes())["deals"]]
    assert all(one[:2] == other[:2] and one[2] + other[2] == "AB" for one, other in deals)
    assert len({one[:2] for one, _ in deals}) > 1
    said = arena("beginner", "--seat", "louis", "--games", "6", "--state", str(state))
    assert "deals: 6, games: 12" in said
    assert "all seats" not in said
    assert "line-up" not in said
    assert "E-ARENA-STATE" in arena("beginner", "--games", "6", "--state", str(state), code=1)
    assert "no player 'elisabeth'" in arena("beginner", "--seat", "elisabeth", code=2)


def test_the_file_of_another_contest_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "contest.json"
    arena("beginner", *TWO, "--games", "1", "--state", str(state))
    kept = state.read_bytes()
    for other in (("--seed", "2"), ("--edition", "1.0")):
        assert "E-ARENA-STATE" in arena("beginner", *TWO, *other, "--state", str(state), code=1)
    for broken in (b"", kept[:-9], b'{"deals": []}'):
        state.write_bytes(broken)
        assert "keeps no contest" in arena("beginner", *TWO, "--state", str(state), code=1)
    assert "clever" in arena("clever", code=2)


def test_tables_and_picture_of_the_page_are_made_of_contests(tmp_path: Path) -> None:
    contest = json.loads(arena("beginner", *TWO, "--games", "1", "--json"))
    weaker, stronger = make_strength.BEST
    contest["bots"] = {"A": stronger, "B": weaker}
    seat = contest | {"line-ups": {}, "seats": {"player-b": contest["seats"]["player-b"]}}
    lines = make_strength.table("A game", [contest, seat])
    assert [line.split(":")[0] for line in lines] == ["| A game", *["| …"] * (len(contest["seats"]) - 1)]
    assert {line.count("|") for line in lines} == {3}
    picture = make_strength.picture({"A game": [contest], "Another one": [seat]})
    assert picture.count("<circle") == 2 + 1
    page = make_strength.PAGE.read_text("utf-8")
    assert all(len(part.findall(page)) == 1 for part in make_strength.BETWEEN.values())
    assert re.search(r"!\[[^]]+\]\(pictures/strength.svg\)", page)


class Seen(Exception):
    """Enough was seen."""


def test_a_demonstration_is_played_by_the_bots_that_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def bot_players_of(seats: object, policy: Policy, seed: str) -> None:
        table = new_table({"game": "maria"})
        for decision in game_of(table).decisions(table):
            assert policy(table, decision, Random(1)) == plain.choose(table, decision, Random(1))
        raise Seen

    monkeypatch.setattr(demonstration, "bot_players_of", bot_players_of)
    demo = ["demo", "--out", str(tmp_path / "demo"), "--bots"]
    with pytest.raises(Seen):
        CliRunner().invoke(main, [*demo, "random"], catch_exceptions=False)
    wrong = CliRunner().invoke(main, [*demo, "louis=clever"])
    assert (wrong.exit_code, "clever" in wrong.output) == (2, True)
