"""`pbem plan try` as people use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli.plans import plan_command

EXAMPLES = Path(__file__).parents[2] / "examples"
PLAN = """
plans:
  austria:
    - {for: battle, of: Neipperg, tactic: win}
    - {for: retreat, towards: Berlin}
"""
GROUND = ["--score", "-2", "--suit", "♦", "--hand", "♦10,♦9", "--enemy-hand", "d5 d4"]


def run(folder: Path, *arguments: str, plan: str = PLAN) -> Result:
    """Run the command with a plan."""
    path = folder / "plan.yaml"
    path.write_text(plan, "utf-8")
    return CliRunner().invoke(plan_command, ["try", str(path), *arguments])


def test_on_a_made_field_generals_do_not_matter(tmp_path: Path) -> None:
    done = run(tmp_path, *GROUND)
    assert done.exit_code == 0
    assert "Austria plays ♦9 (7 ahead)" in done.output
    assert "retreat" in done.output
    assert max(map(len, done.output.splitlines())) <= 72
    assert "Turn" not in done.output


def test_the_side_that_is_attacked(tmp_path: Path) -> None:
    done = run(tmp_path, *GROUND, "--defend", "--against", "decline")
    assert done.output.index("For France") < done.output.index("attack") < done.output.index("For Austria")


def test_in_a_position_plans_are_for_their_own_generals(tmp_path: Path) -> None:
    position = str(EXAMPLES / "neipperg.yaml")
    done = run(tmp_path, "--position", position, "--json")
    events = json.loads(done.output)["events"]
    assert next(event["card"] for event in events if event["type"] == "CardPlayed").startswith("♦7")
    done = run(tmp_path, "--position", position, "--json", plan=PLAN.replace("Neipperg", "Karl"))
    told = json.loads(done.output)
    assert [event["type"] for event in told["events"]] == ["BattleJoined"]
    assert [decision["power"] for decision in told["waiting"]] == ["austria"]


def test_two_files_against_each_other(tmp_path: Path) -> None:
    enemy = tmp_path / "enemy.yaml"
    enemy.write_text("plans: {prussia: [{for: battle, play: [♠5], else: stop}]}", "utf-8")
    done = run(tmp_path, "--position", str(EXAMPLES / "neipperg.yaml"), "--against", str(enemy), "--json")
    told = json.loads(done.output)
    assert [(note["power"], note["code"]) for note in told["notes"]] == [("prussia", "W-PLAN-END")]
    on_ground = run(tmp_path, *GROUND, "--against", str(enemy), "--json")
    assert [note["code"] for note in json.loads(on_ground.output)["notes"]] == ["W-PLAN-HAND"]


def test_what_a_plan_cannot_do_is_told(tmp_path: Path) -> None:
    done = run(tmp_path, *GROUND, plan="plans: {austria: [{for: battle, play: [♠9]}]}")
    assert done.exit_code == 0
    assert "W-PLAN-HAND" in done.stderr
    assert ":1:" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((), 2, "--position"),
        (("--score", "3"), 2, "--suit"),
        (("--score", "3", "--suit", "x"), 2, "no suit"),
        (("--score", "3", "--suit", "s", "--position", "p.yaml"), 2, "either"),
        (("--position", "p.yaml", "--hand", "R"), 2, "own suits"),
        (("--score", "40", "--suit", "s"), 1, "E-TROOPS-RANGE"),
        (("--score", "3", "--suit", "s", "--troops", "2"), 1, "E-TROOPS-RANGE"),
        (("--score", "3", "--suit", "s", "--hand", "♠44"), 1, "E-CARD-UNKNOWN"),
        (("--score", "3", "--suit", "s", "--against", "wni"), 1, "wni"),
        (("--position", "missing.yaml"), 1, "E-FILE"),
    ],
)
def test_wrong_use_is_refused(tmp_path: Path, arguments: tuple[str, ...], code: int, told: str) -> None:
    done = run(tmp_path, *arguments)
    assert done.exit_code == code
    assert told in done.output + done.stderr


def test_every_fault_of_a_plan_is_told(tmp_path: Path) -> None:
    done = run(tmp_path, *GROUND, "--json", plan="plans: {austria: [{for: battel}, {for: battle}]}")
    assert done.exit_code == 1
    assert [fault["code"] for fault in json.loads(done.output)["refused"]] == ["E-NAME-UNKNOWN", "E-PLAN-EMPTY"]
