"""Pages of the documentation tell the truth where it can be checked: limits, packages, codes, structs, links."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import fields

from pbem.bots.plain import GameBots
from pbem.console.options import GameCommands
from pbem.games.maria.rules.data import Edition
from pbem.kit import Game, part
from pbem.paper.library import GamePaper
from pbem.plans.choices import GamePlans
from pbem.report.telling import GameReport
from pbem.resources import OURS
from tests.release import astray, pages

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/security.md").read_text("utf-8")


def test_every_limit_is_what_the_program_has() -> None:
    told = re.findall(r"^\| `(pbem[\w.]+)` \| (\d+) \|", PAGE, re.MULTILINE)
    assert len(told) > 10
    for name, value in told:
        module, place = re.fullmatch(r"(pbem(?:\.[a-z_]+)+)\.([A-Z_]+(?:\.[a-z]+)?)", name).groups()  # type: ignore[union-attr]
        assert attrgetter(place)(import_module(module)) == int(value), name


def test_every_package_is_named() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    packages = {re.split(r"[\[>=<]", line)[0] for line in listed}
    table = PAGE.split("## What the program stands on")[1].split("Versions have")[0]
    assert packages == {
        name for row in re.findall(r"^\| ([\w., -]+) \|", table, re.MULTILINE) for name in row.split(", ")
    } - {"package"}


def test_no_package_has_an_upper_bound() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert not [line for line in listed if "<" in line or "==" in line]


def test_every_code_that_is_named_exists() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "pbem").rglob("*.py"))
    for code in re.findall(r"`(E-[A-Z-]+)`", PAGE):
        assert f'"{code}"' in source, code


def test_the_page_on_adding_a_game_names_what_there_is() -> None:
    page = (ROOT / "docs/adding-a-game.md").read_text("utf-8")
    for room, struct in (
        ("rules", Game), ("paper", GamePaper), ("plans", GamePlans), ("bots", GameBots), ("report", GameReport),
        ("cli", GameCommands),
    ):  # fmt: skip
        where = struct.__module__.replace(".", "/")
        assert f"| `{room}` | `{struct.__name__}` (`{where}.py`) |" in page
        assert all(isinstance(part(game, room, struct), struct) for game in OURS)


@pytest.mark.parametrize(("page", "points"), [("rulings.md", Edition)], ids=["maria"])
def test_the_page_on_rulings_names_every_point_with_its_values(page: str, points: type[Struct]) -> None:
    """And nothing that is none; its own value comes first."""
    chapter = (ROOT / "docs" / page).read_text("utf-8").split("## Overriding")[1].split("\n## ")[0]
    told = {
        name: re.findall(r"`([^`]+)`", rest) for name, rest in re.findall(r"^\| `(\w+)` \|([^|]*)\|", chapter, re.M)
    }
    kinds = get_type_hints(points)
    assert told.keys() == kinds.keys()
    for field in fields(points):
        usual = {True: "yes", False: "no"}.get(field.default, str(field.default))  # type: ignore[call-overload]
        assert told[field.name][0] == usual, field.name
        if get_origin(kinds[field.name]) is Literal:
            assert set(told[field.name]) == set(get_args(kinds[field.name])), field.name


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda path: path.name)
def test_no_link_leads_nowhere(page: Path) -> None:
    assert list(astray(page)) == []


def test_the_map_of_the_pages_names_every_page() -> None:
    text = (ROOT / "docs/README.md").read_text("utf-8")
    names = {page.name for page in ROOT.glob("docs/*.md")} - {"README.md"}
    assert [name for name in sorted(names) if f"]({name}" not in text] == []


@pytest.mark.parametrize("page", ["architecture.md", "adding-a-game.md", "security.md"])
def test_every_path_of_the_program_that_a_page_names_exists(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    for path in re.findall(r"`((?:pbem|tests|rules|templates|docs)/[\w./-]+)`", text):
        if "NAME" not in path and "LANGUAGE" not in path:
            assert (ROOT / path).exists(), path
