"""Plans as people send them: written by hand, checked, sealed, signed, taken; and counted by bots that send them."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from pbem.cli import main
from pbem.lab.letters_needed import CountedLetters, letters_of_game
from pbem.paper.documents.writing import Value, write
from pbem.player.names import new_table
from tests.cli.correspondence import NAME, Correspondence


def plan_letter(table: Correspondence, seat: str, body: Value) -> str:
    """A letter of standing plans, its head copied from the order sheet."""
    sheet = Path(table.sheet(seat))
    head = yaml.load(sheet.read_text(), yaml.BaseLoader)
    file = sheet.with_name(f"{seat}-plan.yaml")
    file.write_text(write({**{key: head[key] for key in head if key != "body"}, "kind": "plan", "body": body}))
    return str(file)


def bodies(power: str, *plans: Value) -> Value:
    """The body of a letter with plans for one power."""
    return {"orders": {power: {"plans": list(plans)}}}


BATTLE: Value = {"for": "battle", "tactic": "lose-least", "keep": ["R"], "standing": "yes"}


def test_plans_are_checked_sealed_signed_and_taken(begun: Correspondence) -> None:
    letter = plan_letter(begun, "louis", bodies("france", BATTLE))
    begun.run("seal", letter, as_="louis")
    sealed = letter.replace(".yaml", ".sealed.yaml")
    assert "lose-least" not in Path(sealed).read_text()
    begun.run("sign", sealed, as_="louis")
    checked = begun.run("check", sealed, "--report", begun.sent("louis.report.yaml"), as_="louis")
    assert "nothing is wrong with it" in checked.output
    (answer,) = begun.accept(sealed)
    assert answer["status"] == "partial"
    assert "louis" in begun.owing()


def test_plans_that_nobody_may_read_are_sealed_and_shown_when_all_reveal(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--sealing", "reveal")
    table.join()
    letter = plan_letter(table, "louis", bodies("france", BATTLE))
    table.run("seal", letter, as_="louis")
    sealed_plan = letter.replace(".yaml", ".sealed.yaml")
    assert "AGE ENCRYPTED" not in Path(sealed_plan).read_text()
    table.run("sign", sealed_plan, as_="louis")
    assert table.accept(sealed_plan)[0]["status"] == "partial"
    for seat in table.seats:
        sheet = table.sheet(seat)
        table.run("seal", sheet, as_=seat)
        table.run("sign", sheet.replace(".yaml", ".sealed.yaml"), "--renumber", as_=seat)
        table.accept(sheet.replace(".yaml", ".sealed.yaml"))
    table.now += timedelta(hours=1)
    assert table.json("adjudicate", "-C", NAME, as_="moderator")["kind"] == "lock"
    table.run("reveal", "louis/orders.sealed.yaml", "-o", "half.yaml", as_="louis")
    assert [fault["code"] for fault in table.accept("half.yaml")[0]["faults"]] == ["E-REVEAL-MISSING"]
    for seat in table.seats:
        plans = [sealed_plan] if seat == "louis" else []
        table.run("reveal", f"{seat}/orders.sealed.yaml", *plans, "-o", f"{seat}.yaml", as_=seat)
        assert table.accept(f"{seat}.yaml")[0]["status"] == "final"
    table.now += timedelta(hours=1)
    assert table.json("adjudicate", "-C", NAME, as_="moderator")["stage"] == "1/hussars"


def test_a_plan_sealed_in_an_earlier_stage_is_shown_by_the_last_report(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--sealing", "reveal")
    table.join()
    letter = plan_letter(table, "louis", bodies("france", BATTLE))
    table.run("seal", letter, as_="louis")
    sealed = letter.replace(".yaml", ".sealed.yaml")
    table.run("sign", sealed, as_="louis")
    table.accept(sealed)
    for seat in table.seats:
        sheet = table.sheet(seat)
        table.run("sign", sheet, "--renumber", as_=seat)
        assert table.accept(sheet)[0]["status"] == "final"
    table.now += timedelta(hours=1)
    table.moderate("adjudicate")
    table.post()
    table.run("reveal", sealed, "-o", "old.yaml", as_="louis")
    assert [fault["code"] for fault in table.accept("old.yaml")[0]["faults"]] == ["E-LETTER-STAGE"]
    table.run("reveal", sealed, "--report", table.sent("louis.report.yaml"), "-o", "now.yaml", as_="louis")
    assert table.accept("now.yaml")[0]["status"] == "partial"


def test_letters_of_two_seats_are_not_shown_in_one(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--sealing", "reveal")
    table.join()
    for seat in ("louis", "frederick"):
        table.run("seal", table.sheet(seat), as_=seat)
    both = [f"{seat}/orders.sealed.yaml" for seat in ("louis", "frederick")]
    assert "E-REVEAL-APART" in table.run("reveal", *both, as_="louis", code=1).output


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (bodies("france", {"for": "battel", "tactic": "win"}), "E-NAME-UNKNOWN"),
        (bodies("france", {"for": "battle", "tactic": "win", "keeps": "R"}), "E-FORM-KEY"),
        ({"orders": {"france": {"move": [], "plans": [BATTLE]}}}, "E-PLAN-ONLY"),
        (bodies("austria", BATTLE), "E-ORDER-FOREIGN"),
    ],
    ids=["kind", "key", "orders", "foreign"],
)
def test_check_and_the_moderator_refuse_the_same_plans(begun: Correspondence, body: Value, code: str) -> None:
    letter = plan_letter(begun, "louis", body)
    report = begun.sent("louis.report.yaml")
    told = json.loads(begun.run("check", letter, "--report", report, "--json", as_="louis", code=1).stdout)
    assert [fault["code"] for fault in told["refused"] if fault["code"].startswith("E")] == [code]
    begun.run("sign", letter, as_="louis")
    (answer,) = begun.accept(letter)
    assert answer["status"] == "refused"
    assert [fault["code"] for fault in answer["faults"]] == [code]


def test_check_by_the_report_counts_on_the_standing_plans_that_are_in(begun: Correspondence) -> None:
    plan: Value = {"for": "allot", "give": "even", "standing": "yes"}
    body: Value = {"orders": {power: {"plans": [plan]} for power in ("france", "bavaria")}}
    letter = plan_letter(begun, "louis", body)
    begun.run("seal", letter, as_="louis")
    sealed = letter.replace(".yaml", ".sealed.yaml")
    begun.run("sign", sealed, as_="louis")
    assert begun.accept(sealed)[0]["status"] == "final"
    begun.moderate("rule", "Good luck to all.")
    begun.post()
    report = begun.sent("louis.report.yaml")
    assert "give" not in Path(report).read_text(), "the report names plans by their letter alone"
    sheet = Path(begun.sheet("louis"))
    tree = yaml.load(sheet.read_text(), yaml.BaseLoader)
    tree["body"]["orders"] = {}
    sheet.write_text(write(tree))
    words = ("check", str(sheet), "--report", report, "--json")
    told = json.loads(begun.run(*words, as_="louis").stdout)
    assert told["missing"] == []
    assert "W-CHECK-PLANS" not in [fault["code"] for fault in told["warnings"]]
    for notes in (begun.root / "louis/key.campaigns").iterdir():
        notes.write_text(re.sub(r'"plans": \{.*\}', '"plans": {}', notes.read_text(), flags=re.DOTALL) + "}")
    told = json.loads(begun.run(*words, as_="louis").stdout)
    assert told["missing"] == ["france", "bavaria"]
    assert "W-CHECK-PLANS" in [fault["code"] for fault in told["warnings"]]


def test_check_warns_of_a_plan_in_orders_that_means_to_stand(begun: Correspondence) -> None:
    sheet = Path(begun.sheet("louis"))
    tree = yaml.load(sheet.read_text(), yaml.BaseLoader)
    tree["body"]["orders"]["france"]["plans"] = [BATTLE]
    sheet.write_text(write(tree))
    words = ("check", str(sheet), "--report", begun.sent("louis.report.yaml"), "--json")
    told = json.loads(begun.run(*words, as_="louis").stdout)
    assert "W-PLAN-STANDING" in [fault["code"] for fault in told["warnings"]]


def posts(seed: int, **terms: str) -> tuple[CountedLetters, CountedLetters]:
    """The letters of one game without plans, and with them."""
    rules = new_table(terms).rules
    without, with_plans = (letters_of_game(rules, f"letters/{seed}", plans) for plans in (False, True))
    return without, with_plans


@pytest.mark.parametrize("seed", [1, 2])
def test_with_standing_plans_a_turn_of_maria_needs_at_most_one_letter_a_player_and_stage(seed: int) -> None:
    without, with_plans = posts(seed, game="maria", scenario="advanced")
    assert max(with_plans.stages.values()) == 1
    assert max(without.stages.values()) > 1
    assert with_plans.letters.total() / with_plans.turns < without.letters.total() / without.turns
    assert {stage.split("/")[1] for stage, _ in with_plans.stages} <= {"hussars", "france", "prussia", "austria"}


def test_with_standing_plans_a_stage_of_friedrich_needs_one_letter_too() -> None:
    without, with_plans = posts(1, game="friedrich", scenario="four")
    assert max(with_plans.stages.values()) == 1
    assert with_plans.rounds < without.rounds


@pytest.mark.parametrize("words", [[], ["--json"]], ids=["table", "json"])
def test_simulate_counts_letters(words: list[str]) -> None:
    command = ["simulate", "--letters", "--games", "1", "--scenario", "advanced", *words]
    found = CliRunner().invoke(main, command, catch_exceptions=False)
    assert found.exit_code == 0
    if words:
        data = json.loads(found.stdout)
        assert data["games"] == 1
        assert set(data["with plans"]["letters a turn"]) == {"frederick", "louis", "maria-theresa"}
        before, after = (sum(data[way]["letters a turn"].values()) for way in ("without plans", "with plans"))
        assert 0 < after < before
    else:
        assert "letters a turn: louis" in found.stdout
