"""Every example of docs/plans.md is run; what it shows is what comes."""

from __future__ import annotations

import re
import shlex
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from pbem.cli.plans import plan_command
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms as MariaTerms
from pbem.kit import game_of
from pbem.paper.library import game_paper_named
from pbem.paper.plans.files import load_plans
from pbem.paper.plans.wishes import WISHES
from pbem.plans.fighting import TACTICS
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource
from tests import play as maria
from tests.friedrich import random_play as friedrich
from tests.friedrich.striving import strive
from tests.raider import raid

PAGE = (Path(__file__).parents[2] / "docs" / "plans.md").read_text("utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
MARIA: tuple[Any, Any, Any] = (maria, MariaTerms("advanced"), raid)
FRIEDRICH: tuple[Any, Any, Any] = (friedrich, FriedrichTerms("four", expert=True), strive)
SHOWN = re.findall(r"```yaml\n([^`]*)```\n\n```console\n\$ pbem plan ([^\n]*)\n([^`]*)```", PAGE)


@pytest.mark.parametrize(("plan", "command", "told"), SHOWN)
def test_what_is_shown_is_what_comes(tmp_path: Path, plan: str, command: str, told: str) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(plan, "utf-8")
    arguments = [str(path) if word == "plan.yaml" else word for word in shlex.split(command)]
    done = CliRunner().invoke(plan_command, arguments)
    assert (done.exit_code, done.output.rstrip()) == (0, told.rstrip())


def test_every_example_is_found() -> None:
    assert len(EXAMPLES) == PAGE.count("```yaml") == 6
    assert len(SHOWN) == PAGE.count("```console") == 2


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_can_be_played_with(example: str) -> None:
    module, terms, player = MARIA if not example.startswith("# FRIEDRICH") else FRIEDRICH
    spoken = 0
    for seed in range(3):
        table, _ = module.start(terms, seed)
        read = load_plans(example.encode(), "docs", table.rules)
        standing = {power: [replace(plan, standing=True) for plan in plans] for power, plans in read.items()}
        tally = Tally()
        source = PlanSource(table, standing, tally)
        game = module.answers(table, module.chance_of(terms, seed), player)
        for power, answer in islice(game, 2500):
            spoken += sum(source.judge(decision) is not None for decision in game_of(table).decisions(table))
            tally.see(game_of(table).apply(table, power, answer))
    assert spoken


def test_the_page_has_a_row_for_every_tactic_and_names_every_kind() -> None:
    rows = set(re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE))
    assert set(TACTICS) <= rows
    for kind in (*WISHES, *game_paper_named("maria").plans, *game_paper_named("friedrich").plans):
        assert f"`{kind}`" in PAGE
    for form in (*WISHES.values(), *game_paper_named("maria").plans.values()):
        for key in form.keys:
            assert re.search(rf"`{key}[`:]", PAGE), key


def test_the_page_names_every_code() -> None:
    folder = Path(__file__).parents[2] / "pbem"
    sources = [
        *(folder / "plans").rglob("*.py"),
        *(folder / "paper" / "plans").rglob("*.py"),
        *folder.glob("games/*/plans/*.py"),
        *folder.glob("games/*/paper/plans.py"),
    ]
    codes = {code for path in sources for code in re.findall(r"\"([EW]-PLAN-[A-Z]+)\"", path.read_text("utf-8"))}
    assert len(codes) > 10
    assert {code for code in codes if code not in PAGE} == set()
