"""Which games there are, and where data and templates lie: ours in the checkout or the package, a game's in its own."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

Kind = Literal["rules", "templates", "puzzles"]

GROUP = "pbem.games"
"""The entry points of games that come in packages of their own."""

OURS = {"maria": "pbem.games.maria", "friedrich": "pbem.games.friedrich"}


@cache
def games() -> dict[str, str]:
    """The packages of all games by the names that files and the command line have for them."""
    if not any(map(may_offer, sys.path)):
        return OURS
    from importlib.metadata import entry_points  # loads all that reads mails

    return OURS | {each.name: each.value for each in entry_points(group=GROUP)}


def may_offer(place: str) -> bool:
    """Whether a package in a place that Python looks into may have a game: what cannot be looked into may have one."""
    try:
        with os.scandir(place or ".") as found:
            infos = [item.path for item in found if item.name.endswith("-info")]
    except OSError:
        return os.path.isfile(place)
    return any(GROUP.encode() in content(Path(info, "entry_points.txt")) for info in infos)


def content(path: Path) -> bytes:
    """What a file says; nothing where there is none."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def resource(kind: Kind) -> Path:
    """The folder of the rules, of the templates or of the puzzles."""
    package = Path(__file__).parent
    for folder in (package / "data" / kind, package.parent / kind, package.parent / "examples" / kind):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the {kind} of pbem are neither in {package / 'data'} nor in {package.parent}")


def data_of(game: str) -> Path:
    """The data of a game: `data` in its package, or else what lies of it among ours."""
    inside = package_of(game) / "data"
    return inside if inside.is_dir() else resource("rules") / game


def templates_of(game: str, language: str) -> Path:
    """A game's templates of one language, which it need not have: `templates` in its package, or else among ours."""
    inside = package_of(game) / "templates"
    return inside / language if inside.is_dir() else resource("templates") / language / game


def package_of(game: str) -> Path:
    """The folder of a game's package."""
    found = find_spec(games()[game])
    places = found.submodule_search_locations if found else None
    assert places, f"the package of {game} is no folder"
    return Path(places[0])
