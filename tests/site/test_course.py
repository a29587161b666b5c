"""The war on one page: its course in charts, and every turn with its board."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from pbem.engine.nouns import Power
from pbem.games.friedrich.rules.data import Terms
from pbem.paper.library import load_rules
from pbem.report import course
from pbem.report.course import APART, BOTTOM, TOP, ChartLine, CourseChart, chart_svg, spread, ticks
from pbem.site.export import Site
from tests.site.reading import SVG, by_id, elements, parsed, text_of


@pytest.mark.parametrize("wanted", [[100.0], [100.0, 100.0, 100.0], [BOTTOM] * 7, [TOP, 60.0, 61.0, 62.0, BOTTOM]])
def test_names_stand_apart_and_as_near_as_may_be(wanted: list[float]) -> None:
    found = spread(wanted)
    order = sorted(found)
    assert all(later - earlier >= APART - 0.01 for earlier, later in pairwise(order))
    assert max(found) <= BOTTOM
    assert len(wanted) > 1 or found == wanted


@pytest.mark.parametrize(("lowest", "highest"), [(0, 1), (0, 3), (0, 45), (-4, 12), (0, 1000)])
def test_the_grid_has_a_handful_of_round_numbers(lowest: int, highest: int) -> None:
    found = ticks(lowest, highest)
    assert found[0] <= lowest <= highest <= found[-1]
    assert 2 <= len(found) <= 8
    assert len({later - earlier for earlier, later in pairwise(found)}) == 1


def test_a_chart_tells_in_words_what_it_shows() -> None:
    lines = (ChartLine(0, "A & B", {1: 0, 2: 5}), ChartLine(1, "C", {1: 2, 2: 5}))
    svg = chart_svg(CourseChart("Held", (1, 2), lines), "Turn")
    assert 'aria-label="Held, Turn 1–2: A &amp; B 0 → 5, C 2 → 5"' in svg
    assert svg.count("<title>") == 4
    assert "<title>A &amp; B, Turn 2: 5</title>" in svg
    assert svg.count("stroke-dasharray") == 1


@pytest.mark.parametrize("ink", ["#f5a023", "#22487f", "#000000", "#ffffff"])
def test_a_line_can_be_told_from_its_ground(ink: str) -> None:
    for paper, towards in ((course.PAPERS["light"], 0), (course.PAPERS["dark"], 255)):
        found = course.contrasting_colour(ink, paper, towards)
        assert course.contrast(course.rgb_of(found), course.rgb_of(paper)) >= course.CONTRAST


def test_a_closed_campaign_shows_what_was_counted_and_a_running_one_only_the_map(
    closed_site: Site, running_site: Site, fateful_site: Site
) -> None:
    shown = [captions(site) for site in (closed_site, running_site, fateful_site)]
    assert shown[0] == ["Victory markers left", "Electoral votes", "Troops", "Cards in hand"]
    assert shown[1] == ["Marks of control"]
    assert shown[2] == ["Troops", "Cards in hand"]


def captions(site: Site) -> list[str]:
    """Titles of charts."""
    page = parsed(site.files["story.html"])
    return [text_of(next(elements(each, "figcaption"))) for each in elements(page, "figure") if each.get("class")]


def test_every_turn_has_a_board_made_of_what_is_on_the_page(closed_site: Site) -> None:
    page = parsed(closed_site.files["story.html"])
    ids = {each.get("id") for each in page.iter() if each.get("id")}
    boards = [each for each in page.iter(SVG + "svg") if each.get("class") == "board"]
    turns = [each for each in elements(page, "section") if each.get("class") == "turn"]
    assert len(boards) == len(turns) > 1
    for board in boards:
        used = [each.get("href") for each in board.iter(SVG + "use")]
        assert {each.removeprefix("#") for each in used} <= ids
        assert {"#ground-light", "#ground-dark"} < set(used)
    assert "attack" in text_of(by_id(page, "text"))


def test_the_seats_can_be_switched_only_once_everything_is_published(closed_site: Site, running_site: Site) -> None:
    published, hidden = (
        {each.get("data-seat") for each in elements(parsed(site.files["stages.html"]), "div") if each.get("data-seat")}
        for site in (closed_site, running_site)
    )
    assert published == {"frederick", "louis", "maria-theresa"}
    assert hidden == set()
    assert b'id="seat"' not in running_site.files["stages.html"]


def test_only_who_ever_had_any_has_a_line() -> None:
    rules = load_rules(Terms("four"))
    one, other, none = map(Power, ("prussia", "russia", "sweden"))
    turns: dict[int, course.Figures] = {1: {"objectives": {one: 0, other: 2}}, 2: {"objectives": {one: 3, none: 0}}}
    (found,) = course.charts_of(turns, rules, "de")
    assert [(line.name, line.values) for line in found.lines] == [("Preußen", {1: 0, 2: 3}), ("Russland", {1: 2, 2: 0})]
    assert (found.title, found.turns) == ("Gehaltene Ziele", (1, 2))
    svg = course.picture([found], course.turn_in(rules, "de"), [])
    assert ElementTree.fromstring(svg).get("viewBox") == "0 0 420 274"
    assert "Preußen, Runde 2: 3" in svg
