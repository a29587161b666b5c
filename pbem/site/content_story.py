"""Contents of the page of the whole war: its course in charts, and every turn with its board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from pbem.engine.nouns import Power
from pbem.kit import game_named
from pbem.paper.library import find_board, load_board_file
from pbem.report.charts import CourseChart, drawn
from pbem.report.course import Figures, charts_of, colours, turn_in
from pbem.report.picture.theme import hue_of, hues
from pbem.site.archive import Archive
from pbem.site.story import Stage


def story_data(archive: Archive) -> dict[str, object]:
    """Data of the page of the whole war, besides the maps."""
    rules, say = archive.rules, archive.say
    board = hues(load_board_file(find_board(rules.terms.board, archive.reading.folder.rules)))
    stages = archive.story.stages
    turns = [(number, list(group)) for number, group in groupby(stages, lambda stage: stage.turn)]
    return {
        "game": game_named(rules.terms.game).title,
        "scenario": say.say("scenario", rules.terms.scenario, rules.scenario.title),
        "result": archive.story.result,
        "charts": [
            chart_data(archive, chart) for chart in charts_of(by_turn(stages, archive.figures), rules, say.language)
        ],
        "colours": colours(hue_of(board, power) for power in rules.powers),
        "told_turns": [
            {"number": number, "title": say.say("turn", number), "stages": group, "place": place}
            for place, (number, group) in enumerate(turns)
        ],
    }


def held_in(stage: Stage) -> Figures:
    """Figures known from public events alone: the number of foreign cities that each power holds."""
    return {"held": Counter(map(Power, stage.on_map.markers.values()))}


def by_turn(stages: Sequence[Stage], known: Mapping[int, Figures]) -> dict[int, Figures]:
    """Figures at the end of each turn: those of its last entry with any, or else those of the map."""
    found: dict[int, Figures] = {}
    for stage in stages:
        opened = [known[entry] for entry in stage.entries if entry in known]
        if opened or stage.turn not in found or not known:
            found[stage.turn] = opened[-1] if opened else held_in(stage)
    return found


def chart_data(archive: Archive, chart: CourseChart) -> dict[str, object]:
    """A chart as a drawing and in numbers."""
    return {
        "title": chart.title,
        "drawn": drawn(chart, turn_in(archive.rules, archive.say.language)),
        "turns": chart.turns,
        "lines": chart.lines,
    }
