"""List of the games, and the folders in which their data and templates are."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

Kind = Literal["rules", "templates", "puzzles"]

GROUP = "pbem.games"
"""Entry point group for games that are in packages of their own."""

OURS = {"maria": "pbem.games.maria", "friedrich": "pbem.games.friedrich"}


@cache
def games() -> dict[str, str]:
    """Return the package name of each game. The keys are the names that files and the command line use for games.
    Callers must not change the dict."""
    if not any(map(may_offer, sys.path)):
        return OURS
    from importlib.metadata import entry_points  # imported late because it loads modules that read mails

    return OURS | {each.name: each.value for each in entry_points(group=GROUP)}


def may_offer(place: str) -> bool:
    """True if a folder or file on Python's path may hold a package with a game. In a folder, the entry point of such
    packages is searched for. Files are not read, so the answer for a file is always True."""
    try:
        with os.scandir(place or ".") as found:
            infos = [item.path for item in found if item.name.endswith("-info")]
    except OSError:
        return os.path.isfile(place)
    return any(GROUP.encode() in content(Path(info, "entry_points.txt")) for info in infos)


def content(path: Path) -> bytes:
    """Return the content of a file. Return no bytes if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def resource(kind: Kind) -> Path:
    """Return the folder with files of this kind. Raises `FileNotFoundError` if there is no such folder."""
    package = Path(__file__).parent
    for folder in (package / "data" / kind, package.parent / kind, package.parent / "examples" / kind):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the {kind} of pbem are neither in {package / 'data'} nor in {package.parent}")


def data_of(game: str) -> Path:
    """Return the folder with the data of a game. It is `data` in the game's package, or else the game's folder in the
    program's `rules`."""
    inside = package_of(game) / "data"
    return inside if inside.is_dir() else resource("rules") / game


def templates_of(game: str, language: str) -> Path:
    """Return the folder with a game's templates in one language. It is in the game's package, or else among the
    program's templates. The folder need not exist."""
    inside = package_of(game) / "templates"
    return inside / language if inside.is_dir() else resource("templates") / language / game


def package_of(game: str) -> Path:
    found = find_spec(games()[game])
    places = found.submodule_search_locations if found else None
    assert places, f"the package of {game} is no folder"
    return Path(places[0])
