"""Requirements of a release: `python -m tests.release`, from a checkout with nothing uncommitted.

Each point is tried and reported; the command ends with 1 if one of them fails. `--only POINT` tries one of them.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<!`)\[[^\]`]*\]\(([^)\s]+)\)")
"""A link of a page, but not one that is shown as code."""


def version_of(root: Path) -> str:
    """The version that is released."""
    found: str = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return found


def version(root: Path) -> Iterator[str]:
    """The version is a plain one, and the program says the same."""
    named = version_of(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", named):
        yield f"pyproject.toml: {named} is no version of three numbers"
    told = re.findall(r'^__version__ = "(.*)"$', (root / "pbem/__init__.py").read_text("utf-8"), re.MULTILINE)
    if told != [named]:
        yield f"pbem/__init__.py says {', '.join(told) or 'nothing'}, pyproject.toml {named}"


def changelog(root: Path) -> Iterator[str]:
    """The newest section is that of the version, has a day and lines, and nothing waits for the next release."""
    named = version_of(root)
    parts = re.split(r"^## (.+)\n", (root / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    if sections.pop("Unreleased", "").strip():
        yield f"CHANGELOG.md: lines under Unreleased; they belong under {named}"
    newest, text = next(iter(sections.items()), ("nothing", ""))
    found = re.fullmatch(r"(\S+) \((\d{4}-\d\d-\d\d)\)", newest)
    if not found or found[1] != named:
        yield f"CHANGELOG.md: the newest section is {newest!r}, not '{named} ({date.today()})'"
    elif not re.search(r"^- ", text, re.MULTILINE):
        yield f"CHANGELOG.md: nothing stands under {newest}"


def links(root: Path) -> Iterator[str]:
    """No link of a page leads to a file, or to a chapter of a page, that is not there."""
    for page in pages(root):
        for fault in astray(page):
            yield f"{page.relative_to(root)}: {fault}"


def pages(root: Path) -> list[Path]:
    """All pages."""
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "examples").rglob("*.md")])


def astray(page: Path) -> Iterator[str]:
    """Faults of the links of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in LINK.findall(text):
        if link.startswith(("http:", "https:", "mailto:")):
            continue
        name, _, chapter = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            yield f"{link} is not there"
        elif chapter and chapter not in map(anchor, headings(target)):
            yield f"there is no chapter for {link}"


def headings(page: Path) -> list[str]:
    """The headings of a page."""
    return re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)


def anchor(heading: str) -> str:
    """Anchor of a chapter, as links name it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def contents(root: Path, names: Sequence[str]) -> Iterator[str]:
    """A wheel of these files holds the program with its data, and nothing else."""
    wanted = {str(path.relative_to(root)) for path in (root / "pbem").rglob("*") if belongs(path)}
    for folder, target in data_folders(root).items():
        files = (path for path in (root / folder).rglob("*") if belongs(path))
        wanted |= {f"{target}/{path.relative_to(root / folder)}" for path in files}
    found = {name for name in names if not re.match(r"pbem-[^/]+\.dist-info/", name)}
    for name in sorted(wanted - found):
        yield f"the wheel lacks {name}"
    for name in sorted(found - wanted):
        yield f"the wheel holds {name}"


def data_folders(root: Path) -> dict[str, str]:
    """Return the folders of data that go along with the program, and where each lies in a wheel."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    found: dict[str, str] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    return found


def belongs(path: Path) -> bool:
    """True if a file is the project's and not left by running it."""
    return path.is_file() and "__pycache__" not in path.parts


def commands(root: Path) -> list[list[str]]:
    """The two lines with which the README begins, each as the commands that it joins."""
    lines = re.findall(r"^    (pip install .*)$", (root / "README.md").read_text("utf-8"), re.MULTILINE)
    return [[" ".join(part.split()) for part in line.split("#")[0].split("&&")] for line in lines]


def wheel(root: Path) -> Iterator[str]:
    """The wheel is built, and holds what it should."""
    with tempfile.TemporaryDirectory() as work:
        built = build(root, Path(work))
        with ZipFile(built) as archive:
            yield from contents(root, archive.namelist())


def build(root: Path, work: Path) -> Path:
    """The wheel of a checkout."""
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(work), str(root)], work)
    (found,) = work.glob("*.whl")
    return found


def readme(root: Path) -> Iterator[str]:
    """Both commands of the README work in fresh environments: the first from the wheel, the tests where the files are.

    So does the page on the library, from the wheel.

    The tests are the quick ones; all of them have been run before somebody thinks of a release.
    """
    told = commands(root)
    if [[line.split()[0] for line in lines] for lines in told] != [["pip", "pbem"], ["pip", "pytest"]]:
        yield f"README.md: it begins with {told}"
        return
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        built = build(root, work)
        copy = checkout(root, work / "copy")
        told[0].append(f"python -m doctest -o ELLIPSIS {copy / 'docs/library.md'}")
        for place, lines in zip((work, copy), told, strict=True):
            bin_of = environment(work / f"of-{place.name}")
            for line in lines:
                words = shlex.split(line)
                if words[0] == "pip" and place == work:
                    words[-1] = words[-1].replace(".", str(built), 1)
                if words == ["pytest"]:
                    words.append("--quick")
                try:
                    run([str(bin_of / words[0]), *words[1:]], place)
                except subprocess.CalledProcessError as error:
                    yield f"README.md: `{line}` ends with {error.returncode}: {(error.stderr or error.stdout)[-2000:]}"
                    break


def environment(folder: Path) -> Path:
    """A fresh environment; gives where its programs are."""
    run([sys.executable, "-m", "venv", str(folder)], folder.parent)
    return folder / "bin"


def checkout(root: Path, target: Path) -> Path:
    """The files of the last commit, as somebody gets them who clones the project."""
    target.mkdir()
    archive = target.with_suffix(".tar")
    run(["git", "-C", str(root), "archive", "--output", str(archive), "HEAD"], target)
    with tarfile.open(archive) as files:
        files.extractall(target, filter="data")
    return target


def run(command: Sequence[str], folder: Path) -> None:
    """A command that must succeed."""
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)


def committed(root: Path) -> Iterator[str]:
    """Nothing lies about that would be released by mistake or forgotten."""
    done = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True)
    yield from (f"not committed: {line}" for line in done.stdout.splitlines())


POINTS: dict[str, Callable[[Path], Iterator[str]]] = {
    "committed": committed,
    "version": version,
    "changelog": changelog,
    "links": links,
    "wheel": wheel,
    "readme": readme,
}
"""Points to try, the quick ones first."""


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Try every point."""
    parser = argparse.ArgumentParser(description="What has to be true of a release.")
    parser.add_argument("--only", choices=POINTS, action="append", help="try this point alone")
    chosen = parser.parse_args(arguments).only or list(POINTS)
    good = True
    for name in chosen:
        wrong = list(POINTS[name](root))
        good = good and not wrong
        print("\n".join([f"{'no ' if wrong else 'yes'} {name}", *(f"      {line}" for line in wrong)]), flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
