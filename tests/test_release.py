"""The checklist of a release finds what would be wrong with one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from pbem.resources import Kind
from tests import release

ROOT = Path(__file__).parents[1]

PROJECT = """
[project]
version = "1.2.3"

[tool.hatch.build.targets.wheel.force-include]
"rules" = "pbem/data/rules"
"examples/of-words" = "pbem/data/words"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project that could be released."""
    for name, text in {
        "pyproject.toml": PROJECT,
        "pbem/__init__.py": '"""A program."""\n\n__version__ = "1.2.3"\n',
        "rules/maria/game.yaml": "",
        "examples/of-words/words.j2": "",
        "CHANGELOG.md": "## Unreleased\n\n## 1.2.3 (2026-12-01)\n\n### Fixed\n- All.\n\n## 1.2.2 (2026-11-30)\n",
        "README.md": "    pip install . && pbem demo\n    pip install '.[test]' && pytest\n\n[A](docs/a.md#so-it-is)",
        "docs/a.md": "# A\n\n## So *it* is\n\n[up](../README.md) [here](#a)\n\n```\n[no](link.md)\n```\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


WHEEL = ("pbem/__init__.py", "pbem/data/rules/maria/game.yaml", "pbem/data/words/words.j2")


def test_a_project_that_is_ready_is_found_so(tree: Path) -> None:
    for point in (release.version, release.changelog, release.links):
        assert list(point(tree)) == []


def test_the_version_of_this_one_is_said_once() -> None:
    assert list(release.version(ROOT)) == []


@pytest.mark.parametrize(
    ("point", "file", "old", "new", "told"),
    [
        (release.version, "pbem/__init__.py", "1.2.3", "1.2.2", "pbem/__init__.py says 1.2.2, pyproject.toml 1.2.3"),
        (release.version, "pbem/__init__.py", "__version__", "version", "says nothing"),
        (release.version, "pyproject.toml", "1.2.3", "1.2.3.dev1", "no version of three numbers"),
        (release.changelog, "CHANGELOG.md", "Unreleased\n", "Unreleased\n- More.\n", "lines under Unreleased"),
        (release.changelog, "CHANGELOG.md", "1.2.3 (2026-12-01)", "1.2.3", "the newest section is '1.2.3'"),
        (release.changelog, "CHANGELOG.md", "1.2.3 (2026-12-01)", "1.2.4 (2026-12-01)", "not '1.2.3 ("),
        (release.changelog, "CHANGELOG.md", "- All.", "", "nothing stands under 1.2.3"),
        (release.links, "docs/a.md", "../README.md", "README.md", "docs/a.md: README.md is not there"),
        (release.links, "docs/a.md", "(#a)", "(#b)", "docs/a.md: there is no chapter for #b"),
        (release.links, "README.md", "so-it-is", "so-it-was", "no chapter for docs/a.md#so-it-was"),
        (release.readme, "README.md", "pbem demo", "pbm demo", "README.md: it begins with"),
    ],
)
def test_what_is_not_ready_is_found(
    tree: Path, point: Callable[[Path], list[str]], file: str, old: str, new: str, told: str
) -> None:
    path = tree / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert told in next(iter(point(tree)))


def test_the_wheel_holds_the_program_and_nothing_else(tree: Path) -> None:
    (tree / "pbem/__pycache__").mkdir()
    (tree / "pbem/__pycache__/a.pyc").write_text("")
    assert list(release.contents(tree, [*WHEEL, "pbem-1.2.3.dist-info/METADATA"])) == []
    assert list(release.contents(tree, WHEEL[:2])) == ["the wheel lacks pbem/data/words/words.j2"]
    assert list(release.contents(tree, [*WHEEL, "tests/keys"])) == ["the wheel holds tests/keys"]


def test_every_kind_of_data_goes_along() -> None:
    assert set(release.data_folders(ROOT).values()) == {f"pbem/data/{kind}" for kind in get_args(Kind)}


def test_the_commands_of_the_readme_are_those_that_are_tried() -> None:
    assert release.commands(ROOT) == [["pip install .", "pbem demo"], ["pip install '.[test]'", "pytest"]]


def test_a_command_that_fails_is_told(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []

    def run(command: list[str], folder: Path) -> None:
        words = [Path(command[0]).name, *command[1:]]
        ran.append(words)
        if words[0] == "pbem":
            raise subprocess.CalledProcessError(1, command, stderr="no templates")

    monkeypatch.setattr(release, "run", run)
    monkeypatch.setattr(release, "build", lambda root, work: work / "pbem-1.2.3.whl")
    monkeypatch.setattr(release, "checkout", lambda root, target: target)
    assert list(release.readme(tree)) == ["README.md: `pbem demo` ends with 1: no templates"]
    tried = [words for words in ran if words[0] in ("pip", "pbem", "pytest")]
    assert tried[0][:2] == ["pip", "install"]
    assert tried[0][2].endswith("pbem-1.2.3.whl")
    assert tried[1:] == [["pbem", "demo"], ["pip", "install", ".[test]"], ["pytest", "--quick"]]


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
def test_what_is_not_committed_is_told_and_the_command_ends_with_one(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=tree, check=True)
    assert release.main(["--only", "committed", "--only", "version"], tree) == 1
    told = capsys.readouterr().out
    assert "no  committed\n      not committed: A  CHANGELOG.md" in told
    assert told.endswith("yes version\n")
    assert release.main(["--only", "version"], tree) == 0
