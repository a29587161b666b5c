"""Files that other files name: nothing outside of their folder is looked up, opened or told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.disk.folder import Folder
from pbem.campaign.planning import read_plan
from pbem.campaign.players.known_position import rules_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import is_bare
from pbem.paper.documents.reader import Reader
from pbem.paper.library import rules_of_terms
from pbem.resources import resource
from tests.cli.correspondence import Correspondence

CANARY = "xyzzy-canary"
BOARD = resource("rules") / "maria/boards/theatrum-belli.yaml"
OUTSIDE = ("../canary.yaml", "sub/canary.yaml", "sub\\canary.yaml", "//host/share/canary.yaml", "~/canary.yaml", "CON")


@pytest.fixture
def table(tmp_path: Path) -> Correspondence:
    """Somebody with a key, a folder with files from elsewhere, and files around it that are nobody's business."""
    (tmp_path / "home/mail/sub").mkdir(parents=True)
    table = Correspondence(tmp_path / "home", seats=("louis",))
    for place in ("canary.yaml", "mail/sub/canary.yaml"):
        (table.root / place).write_text(f"{CANARY}: [1\n")
    return table


def names(table: Correspondence) -> list[str]:
    return [*OUTSIDE, str(table.root / "canary.yaml")]


@pytest.mark.parametrize("command", ["show", "legal", "map", "position load", "try"])
@pytest.mark.parametrize(
    "terms",
    [
        "game: maria\nboard",
        "game: maria\nscenario: advanced\npolitics",
        "game: friedrich\nboard",
        "game: friedrich\nfate file",
    ],
)
def test_positions(table: Correspondence, command: str, terms: str) -> None:
    for name in names(table):
        (table.root / "mail/position.yaml").write_text(f"{terms}: '{name}'\n")
        told = table.run(*command.split(), "mail/position.yaml", *["mail/position.yaml"] * (command == "try"), code=1)
        assert "E-FILE-NAME" in told.output, (name, told.output)
        assert CANARY not in told.output


@pytest.mark.parametrize("key", ["board", "position", "politics"])
def test_plans_of_campaigns(table: Correspondence, key: str) -> None:
    for name in names(table):
        (table.root / "mail/plan.yaml").write_text(f"campaign: x\ngame: maria\nscenario: advanced\n{key}: '{name}'\n")
        told = table.run("new", "x", "--from", "mail/plan.yaml", as_="moderator", code=1).output
        assert "mail/plan.yaml:4:" in told
        assert "E-FILE-NAME" in told
        assert CANARY not in told


def test_terms_of_reports_and_archives(table: Correspondence) -> None:
    for name in names(table):
        terms: dict[str, str | dict[str, str]] = {"game": "maria", "scenario": "introductory", "board": name}
        with pytest.raises(Refused, match="E-FILE-NAME"):
            rules_of(terms)
        with pytest.raises(Refused, match="E-FILE-NAME"):
            rules_of_terms(terms, Reader("campaign.yaml"), Folder(table.root / "mail").rules)


def test_saved_games(table: Correspondence) -> None:
    """A saved game names a board beside it alone; `--board` says so where another is meant."""
    mine, there = table.root / "mine.yaml", table.root / "mail/mine.yaml"
    mine.write_bytes(BOARD.read_bytes())
    begin = ("play", "mail/game.json", "--game", "maria", "--scenario", "introductory", "--seat", "louis")
    told = table.run(*begin, "--board", "mine.yaml", code=2).output
    assert "copy it into mail" in told
    mine.rename(there)
    table.run(*begin, "--board", "mail/mine.yaml", given="quit\n")
    saved = (table.root / "mail/game.json").read_text()
    assert '"board":"mine.yaml"' in saved.replace(" ", "")
    (table.root / "mail/game.json").write_text(saved.replace("mine.yaml", "../canary.yaml"))
    told = table.run("play", "mail/game.json", code=1).output
    assert "E-PLAY-FILE" in told
    assert CANARY not in told


def test_a_link_beside_a_position_is_not_followed(table: Correspondence) -> None:
    (table.root / "mail/link.yaml").symlink_to(table.root / "canary.yaml")
    (table.root / "mail/position.yaml").write_text("board: link.yaml\n")
    told = table.run("show", "mail/position.yaml", code=1).output
    assert "E-FILE-NAME" in told
    assert CANARY not in told


def test_what_the_user_types_may_be_a_path(table: Correspondence) -> None:
    (table.root / "mail/mine.yaml").write_bytes(BOARD.read_bytes())
    table.run("simulate", "--games", "1", "--scenario", "introductory", "--board", "mail/mine.yaml")
    plan = read_plan(b"campaign: x\n", "plan.yaml", table.root, {"board": "mail/mine.yaml"})
    assert plan.terms["board"] == "mail/mine.yaml"
    table.run("position", "save", "mail/all.yaml", "--board", "mail/mine.yaml", "--scenario", "introductory")
    assert "board: mine.yaml" in (table.root / "mail/all.yaml").read_text()
    table.run("position", "load", "mail/all.yaml")


@pytest.mark.parametrize("name", ["mine.yaml", "Größe 2 (neu).yaml", "theatrum-belli", "a"])
def test_names_that_are_bare(name: str) -> None:
    assert is_bare(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        ".hidden",
        "a/b",
        "a\\b",
        "C:x.yaml",
        "nul",
        "COM1.yaml",
        "a.",
        "a ",
        "a\0",
        "~",
        "x" * 101,
        "a\nb",
    ],
)
def test_names_that_are_not(name: str) -> None:
    assert not is_bare(name)
