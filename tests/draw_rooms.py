"""Draws the rooms of the program from its real imports: `python -m tests.draw_rooms` writes docs/pictures/rooms.svg.

A room stands above everything that it imports. An arrow is left out where others lead the same way.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.test_architecture import PACKAGE, imports, modules, room_of

PICTURE = PACKAGE.parent / "docs" / "pictures" / "rooms.svg"

ROOMS = {
    "games": ("each a folder of its own", 0),
    "lab": ("campaigns that bots play", 2),
    "playing": ("a game in the terminal", 3),
    "office": ("the evening by itself", 4),
    "desk": ("one page to play from", 0),
    "cli": ("commands", 1),
    "moderator": ("campaigns moderated", 1),
    "console": ("options, printing, refusals", 4),
    "player": ("letters, files, keys", 2),
    "env": ("games to learn from", 3),
    "api": ("the library", 2),
    "record": ("games as data", 2),
    "site": ("the archive as pages", 0),
    "post": ("letters in and out", 1),
    "report": ("reports and pictures", 1),
    "campaign": ("ledger, letters, clock", 1),
    "plans": ("answers in advance", 0),
    "paper": ("files, every fault placed", 0),
    "bots": ("policies", 2),
    "seal": ("keys, boxes, the deal", 0),
    "kit": ("which games there are", 2),
    "engine": ("what the games share", 1),
    "work": ("processes, clusters", 0),
    "faults": ("what is wrong, in words", 0),
}
"""Purpose of each room, and the column in which it is drawn."""

WIDTH, HEIGHT = 176, 46
BESIDE, BELOW = 44, 34
MARGIN = 16


@cache
def imported(room: str) -> frozenset[str]:
    """The rooms that a room imports."""
    files = [path for name, path in modules().items() if room_of(name) == room]
    names = {name for path in files for name in imports(path)}
    return frozenset(other for other in ROOMS if other != room and any(is_of(name, other) for name in names))


def is_of(name: str, room: str) -> bool:
    """True if a module is in a room."""
    return f"{name}.".startswith(f"pbem.{room}.")


@cache
def below(room: str) -> frozenset[str]:
    """Every room on which a room rests, by its imports and theirs."""
    return imported(room).union(*(below(other) for other in imported(room)))


@cache
def layer(room: str) -> int:
    """The height of a room: one above the highest that it imports."""
    return 1 + max((layer(other) for other in imported(room)), default=-1)


def arrows() -> list[tuple[str, str]]:
    """The imports that do not follow from others, upper room first."""
    return [
        (room, other)
        for room in ROOMS
        for other in ROOMS
        if other in imported(room) and not any(other in below(between) for between in imported(room))
    ]


def corner(room: str) -> tuple[int, int]:
    """Corner of the box of a room."""
    highest = max(layer(each) for each in ROOMS)
    return MARGIN + ROOMS[room][1] * (WIDTH + BESIDE), MARGIN + (highest - layer(room)) * (HEIGHT + BELOW)


def box(room: str) -> str:
    """A room, with what it is for."""
    x, y = corner(room)
    name = f"pbem/{room}" if (PACKAGE / room).is_dir() else f"pbem/{room}.py"
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="#f4efe2" stroke="#5b4a2f"/>\n'
        f'<text x="{x + WIDTH // 2}" y="{y + 20}" font-weight="bold">{name}</text>\n'
        f'<text x="{x + WIDTH // 2}" y="{y + 37}" font-size="12">{ROOMS[room][0]}</text>'
    )


def arrow(upper: str, lower: str) -> str:
    """An import, from the lower edge of a room to the upper edge of another; it leans towards where it goes."""
    (from_x, from_y), (to_x, to_y) = corner(upper), corner(lower)
    lean = (to_x > from_x) - (to_x < from_x)
    start = from_x + WIDTH // 2 + lean * WIDTH // 4
    end = to_x + WIDTH // 2 - lean * WIDTH // 4
    return (
        f'<line x1="{start}" y1="{from_y + HEIGHT}" x2="{end}" y2="{to_y - 2}" stroke="#5b4a2f" '
        'stroke-width="1.4" marker-end="url(#head)"/>'
    )


def picture() -> str:
    """The whole drawing."""
    places = [corner(room) for room in ROOMS]
    assert len(set(places)) == len(places), "two rooms of one layer are drawn in one column"
    wide = max(x for x, _ in places) + WIDTH + MARGIN
    high = max(y for _, y in places) + HEIGHT + MARGIN
    head = '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        'font-family="Georgia, serif" font-size="14" text-anchor="middle" fill="#2b2417">',
        "<title>The rooms of pbem: every arrow is an import, and all of them point downwards</title>",
        f'<defs>{head}<path d="M0 0 8 4 0 8z" fill="#5b4a2f"/></marker></defs>',
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
        *(arrow(*pair) for pair in arrows()),
        *(box(room) for room in ROOMS),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def main(path: Path = PICTURE) -> None:
    """Write the picture."""
    path.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
