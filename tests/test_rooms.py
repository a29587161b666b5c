"""The page on the architecture and its picture show the rooms and modules that there are."""

from __future__ import annotations

import re

from tests.draw_rooms import PICTURE, ROOMS, arrows, below, imported, layer, picture
from tests.test_architecture import GAMES, PACKAGE

ROOT = PACKAGE.parent
PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")


def test_the_picture_is_up_to_date() -> None:
    assert PICTURE.read_text("utf-8") == picture(), "run python -m tests.draw_rooms"


def test_the_arrows_tell_every_import() -> None:
    drawn: dict[str, set[str]] = {room: {lower for upper, lower in arrows() if upper == room} for room in ROOMS}
    for room in ROOMS:
        assert imported(room) <= drawn[room].union(*(below(lower) for lower in drawn[room]))
        assert all(layer(lower) < layer(room) for lower in drawn[room])


def test_page_and_picture_have_every_room() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} | {"kit", "api"}
    table = re.findall(r"^\| `pbem/(\w+)(?:\.py)?` \|", PAGE, re.MULTILINE)
    assert set(ROOMS) == set(table) == rooms
    assert len(table) == len(rooms)


def test_every_module_that_the_page_names_exists() -> None:
    named = re.findall(r"`((?:pbem/|tests/|rules/)?[\w/]+\.(?:py|yaml))`", PAGE)
    assert len(named) > 60
    lone = {"data", "decisions", "events", "state", "sequence", "game", "invariants"}
    for name in named:
        if name.removesuffix(".py") in lone:
            assert all((PACKAGE / "games" / game / "rules" / name).exists() for game in GAMES), name
        else:
            assert (ROOT / name).exists() or (PACKAGE / name).exists(), name


def test_every_module_of_the_games_has_its_place() -> None:
    """A reader who looks for a rule finds every module that carries one out."""
    elsewhere = {"__init__", "decisions", "events", "invariants"}
    for room in ("engine", *(f"games/{game}/rules" for game in GAMES)):
        for path in (PACKAGE / room).glob("*.py"):
            is_part = path.stem.startswith(("fate_", "politics_", "invariants_"))
            if path.stem not in elsewhere and not is_part:
                assert f"`{room}/{path.name}`" in PAGE or f"`{path.name}`" in PAGE, f"{room}/{path.name}"
