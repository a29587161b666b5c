"""Marks on the board: seen on every ground, by day and by night, and told apart by eyes that lack a kind of cones."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist

import pytest

from pbem.report.picture.signs import PAPER, PEN
from pbem.report.picture.theme import APART, THEMES, ThemeName, hues
from pbem.resources import resource
from tests.test_picture import contrast
from tests.test_picture_parts import BOARDS, SIMULATED, board, seen

STYLE = (resource("templates") / "desk/desk.css").read_text("utf-8")
VISIBLE = 3.0
"""Least contrast of a mark with its ground (WCAG 2.2, 1.4.11)."""


def colours(theme: str) -> dict[str, str]:
    """Variables of the page's style by day or by night."""
    parts = re.findall(r":root \{([^}]*)\}", STYLE)[: 1 if theme == "light" else 2]
    return {name: value for part in parts for name, value in re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part)}


def grounds(theme: ThemeName) -> set[str]:
    """Colours of everything that lies under marks."""
    found = set()
    for game in BOARDS:
        data, _ = board(game)
        found |= {hue.light if theme == "light" else hue.dark for hue in hues(data).values()}
    return found | {THEMES[theme].paper, THEMES[theme].blank}


@pytest.mark.parametrize("theme", THEMES)
def test_every_mark_is_seen_on_every_ground(theme: ThemeName) -> None:
    page = colours(theme)
    for ground in grounds(theme):
        for mark in ("end", "chosen", "letter"):
            assert contrast(page[mark], ground) >= VISIBLE, (mark, ground)
    # Rims stand around marks and tokens whatever ink these have.
    for mark in ("end", "chosen", "letter", "faint"):
        assert contrast(page[mark], page["halo"]) >= VISIBLE, mark
    assert contrast(PAPER, PEN) > 7


@pytest.mark.parametrize("theme", THEMES)
def test_a_token_has_a_rim_that_is_seen_where_its_ink_is_not(theme: ThemeName) -> None:
    page = colours(theme)
    for game in BOARDS:
        data, _ = board(game)
        for power in data.powers:
            hue = hues(data)[power]
            rim = page["bright-rim" if hue.pen == "#ffffff" else "rim"]
            for ground in grounds(theme):
                assert max(contrast(hue.ink, ground), contrast(rim, ground)) >= VISIBLE, (power, ground)
            # White on cream: what is as light as paper has a line of its own within the rim.
            if contrast(hue.ink, PAPER) < 1.5:
                assert hue.line
                assert contrast(hue.line, hue.ink) >= VISIBLE, power


@pytest.mark.parametrize("eyes", SIMULATED)
@pytest.mark.parametrize("theme", THEMES)
def test_rings_of_two_meanings_differ_in_colour_to_any_eyes(theme: ThemeName, eyes: str) -> None:
    page = colours(theme)
    marks = {name: seen(page[name], eyes) for name in ("end", "chosen")}
    assert [pair for pair in combinations(marks, 2) if dist(marks[pair[0]], marks[pair[1]]) < APART] == []
