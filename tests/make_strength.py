"""Tables of docs/bots.md: `python -m tests.make_strength` lets every level play the one below it, the two best of them
in every scenario, and counts habits; it writes tables and picture anew. `--only habits` writes one table.

Contests that were interrupted go on (`--state FOLDER`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from argparse import ArgumentParser
from itertools import chain, pairwise, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pbem.bots.table import BOTS
from pbem.player.names import new_table
from tests.habits import habits_of

DOCS = Path(__file__).parents[1] / "docs"
PAGE, PICTURE = DOCS / "bots.md", DOCS / "pictures" / "strength.svg"
WRITTEN = ("strength", "habits")
"""Parts of the page that this command writes; `tests/calibration.py` writes the others."""

BETWEEN = {
    part: re.compile(rf"(<!-- {part} -->\n).*?(<!-- /{part} -->)", re.DOTALL)
    for part in (*WRITTEN, "calibration of maria", "calibration of friedrich")
}
"""Parts of the page that are written anew."""

PAIRS = tuple(pairwise(BOTS))
BEST = PAIRS[-1]

GAMES: dict[str, tuple[dict[str, str], tuple[tuple[str, str], ...]]] = {
    "MARIA, the introductory game": ({"game": "maria"}, PAIRS),
    "MARIA, the advanced game": ({"game": "maria", "scenario": "advanced"}, PAIRS),
    "FRIEDRICH for four players": ({"game": "friedrich"}, PAIRS),
    "MARIA, the introductory game for two": ({"game": "maria", "players": "2"}, (BEST,)),
    "MARIA, the advanced game for two": ({"game": "maria", "scenario": "advanced", "players": "2"}, (BEST,)),
    "MARIA, the Silesia Gambit": ({"game": "maria", "scenario": "silesia-gambit"}, (BEST,)),
    "FRIEDRICH for three players": ({"game": "friedrich", "scenario": "three"}, (BEST,)),
    "FRIEDRICH, the War in the West": ({"game": "friedrich", "scenario": "west"}, (BEST,)),
    "FRIEDRICH, the Austrian Theatre": ({"game": "friedrich", "scenario": "austria"}, (BEST,)),
}
"""On what terms each game is played, and by which pairs."""

WIDTH, ROW, LEFT, RIGHT = 720, 24, 250, 20
"""Of the picture: how wide it is, how high each line, and how much beside the scale."""

COLOURS = ("#7a1f1f", "#1f4f7a", "#2f6b2f", "#6b4f1f", "#4f1f7a")
"""Of the pairs, the lowest first."""

Contest = dict[str, Any]


def played(terms: dict[str, str], pair: tuple[str, str], deals: int, folder: Path, *seat: str) -> Contest:
    """A contest of two levels, in all seats or in one."""
    state = folder / f"{'-'.join((*terms.values(), *pair, *seat))}.json"
    options = [word for name, value in terms.items() for word in (f"--{name}", value)]
    command = [sys.executable, "-m", "pbem", "arena", *pair[::-1], *options, "--games", str(deals), "--json"]
    one = ("--seat", *seat) if seat else ()
    done = subprocess.run([*command, *one, "--state", str(state)], stdout=subprocess.PIPE, check=True)
    found: Contest = json.loads(done.stdout)
    return found


def contests_of(title: str, deals: int, folder: Path) -> list[Contest]:
    """All contests of a game; the two best bots play for one seat at a time, since in some they are close."""
    terms, pairs = GAMES[title]
    found = [played(terms, pair, deals, folder) for pair in pairs if pair != BEST]
    return found + [played(terms, BEST, deals, folder, seat) for seat in new_table(terms).rules.seats]


def figure(each: dict[str, float]) -> str:
    """A mean with its interval."""
    return f"{each['mean']:.0f} ± {each['give or take']:.0f}"


def cell(each: Contest, seat: str) -> str:
    """Lead of the better bot in a seat, and whether it was still open at the end."""
    is_open = each["verdict"] not in ("first", "second", "even")
    return f"{figure(each['seats'][seat]['ahead'])}{', open' if is_open else ''}"


def table(title: str, contests: list[Contest]) -> list[str]:
    """Rows of a game: for each seat what the best level is ahead of the one below it."""
    best = {seat: each for each in contests if pair_of(each) == BEST for seat in each["seats"]}
    rows = zip(chain([title], repeat("…")), best.items(), strict=False)
    return [f"| {name}: {seat} | {cell(each, seat)} |" for name, (seat, each) in rows]


def pair_of(contest: Contest) -> tuple[str, str]:
    """The two levels of a contest, the lower first."""
    return contest["bots"]["B"], contest["bots"]["A"]


def picture(contests: dict[str, list[Contest]]) -> str:
    """Picture of the lead of a level over the one below it, in every seat, with the interval."""
    seats = {
        title: dict.fromkeys(seat for each in found for seat in each["seats"]) for title, found in contests.items()
    }
    rows = [(title, seat) for title, found in seats.items() for seat in ("", *found)]
    high = ROW * (len(rows) + 3)
    scale = (WIDTH - LEFT - RIGHT) / 140
    zero = LEFT + 20 * scale

    def text(x: float, y: float, said: str, more: str = "") -> str:
        return f'<text x="{x:.0f}" y="{y:.0f}"{more}>{said}</text>'

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" height="{high}" '
        'font-family="Georgia, serif" font-size="13" fill="#2b2417">',
        "<title>What each level of bot is ahead of the one below it, in points of every seat</title>",
        f'<rect width="{WIDTH}" height="{high}" fill="#ffffff"/>',
    ]
    for points in range(-20, 121, 20):
        x = zero + points * scale
        colour = "#5b4a2f" if points == 0 else "#e3dccb"
        lines.append(f'<line x1="{x:.0f}" y1="{ROW}" x2="{x:.0f}" y2="{high - 2 * ROW}" stroke="{colour}"/>')
        lines.append(text(x, high - 1.3 * ROW, str(points), ' text-anchor="middle"'))
    for number, (title, seat) in enumerate(rows):
        y = ROW * (number + 1.5)
        lines.append(text(16, y + 4, title, ' font-weight="bold"') if not seat else text(32, y + 4, seat))
        for each in contests[title]:
            if seat not in each["seats"]:
                continue
            pair = PAIRS.index(pair_of(each))
            ahead = each["seats"][seat]["ahead"]
            x, half = zero + ahead["mean"] * scale, ahead["give or take"] * scale
            at = y + 5 * (pair - 1)
            ink = COLOURS[pair]
            line = f'x1="{x - half:.1f}" y1="{at:.1f}" x2="{x + half:.1f}" y2="{at:.1f}"'
            lines.append(f'<line {line} stroke="{ink}" stroke-width="2"/>')
            lines.append(f'<circle cx="{x:.1f}" cy="{at:.1f}" r="3" fill="{ink}"/>')
    for pair, (worse, better) in enumerate(PAIRS):
        lines.append(
            text(LEFT + 200 * pair, high - 0.4 * ROW, f"{better} against {worse}", f' style="fill:{COLOURS[pair]}"')
        )
    return "\n".join([*lines, "</svg>"]) + "\n"


COUNTED: dict[str, dict[str, str]] = {
    "MARIA, the introductory game": {"game": "maria"},
    "MARIA, the advanced game": {"game": "maria", "scenario": "advanced"},
    "FRIEDRICH for four players": {"game": "friedrich"},
}
"""Games in which habits are counted."""


def habits_table(games: int) -> list[str]:
    """The table of the habits of the best level."""
    counted = {title: dict(habits_of(terms, BEST[1], games)) for title, terms in COUNTED.items()}
    names = dict.fromkeys(name for each in counted.values() for name in each)
    cells = [f"| {name} | {' | '.join(each.get(name, '') for each in counted.values())} |" for name in names]
    return [f"| | {' | '.join(counted)} |", "|---|---|---|---|", *cells]


def strength_table(deals: int, folder: Path) -> list[str]:
    """The table of strengths; its picture is drawn anew."""
    contests = {title: contests_of(title, deals, folder) for title in GAMES}
    PICTURE.write_text(picture(contests), "utf-8")
    rows = [line for title, found in contests.items() for line in table(title, found)]
    return [f"| | {' – '.join(reversed(BEST))} |", "|---|---|", *rows]


def write_part(part: str, lines: list[str]) -> None:
    """Write a table into its part of the page."""
    text = "\n".join(lines)
    page = BETWEEN[part].sub(lambda found: f"{found[1]}\n{text}\n{found[2]}", PAGE.read_text("utf-8"))
    PAGE.write_text(page, "utf-8")


def main() -> None:
    """Play, and write page and picture."""
    parser = ArgumentParser(prog="python -m tests.make_strength", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="the most deals of each contest (200)")
    parser.add_argument("--state", type=Path, help="a folder that keeps what was played")
    parser.add_argument("--only", choices=WRITTEN, help="the table that alone is written")
    parser.add_argument(
        "--habits", type=int, default=40, help="the games of each kind in which habits are counted (40)"
    )
    given = parser.parse_args()
    if given.only != "habits":
        with TemporaryDirectory() as place:
            write_part("strength", strength_table(given.games, given.state or Path(place)))
    if given.only != "strength":
        write_part("habits", habits_table(given.habits))


if __name__ == "__main__":
    main()
