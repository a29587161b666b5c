"""Pages of the documentation tell the truth where it can be checked: limits, packages, codes, structs, links."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

from pbem.games import Game
from pbem.paper.forms import Forms
from pbem.report.voices import Voice

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
        name for row in re.findall(r"^\| ([\w, -]+) \|", table, re.MULTILINE) for name in row.split(", ")
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
    assert "fourteen functions and the type of a state" in page
    assert len(Game.__struct_fields__) == 14 + 1 + len(("name", "title"))
    for struct in (Game, Forms, Voice):
        assert f"| `{struct.__name__}` | `{struct.__module__.replace('.', '/')}.py` |" in page


@pytest.mark.parametrize(
    "page", sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]), ids=lambda path: path.name
)
def test_no_link_leads_nowhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, part = target.partition("#")
        if path.startswith("http"):
            continue
        found = (page.parent / path) if path else page
        assert found.exists(), target
        if part:
            headings = re.findall(r"^#+ (.*)$", found.read_text("utf-8"), re.MULTILINE)
            assert part in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}, target


@pytest.mark.parametrize("page", ["architecture.md", "adding-a-game.md", "security.md"])
def test_every_path_of_the_program_that_a_page_names_exists(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    for path in re.findall(r"`((?:pbem|tests|rules|templates|docs)/[\w./-]+)`", text):
        if "NAME" not in path and "LANGUAGE" not in path:
            assert (ROOT / path).exists(), path
