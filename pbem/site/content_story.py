"""What stands on the page of the whole war: its course in charts, and every turn with its board."""

from __future__ import annotations

from itertools import groupby

from pbem.kit import game_named
from pbem.paper.library import find_board, load_board_file
from pbem.report.picture.theme import hue_of, hues
from pbem.site.archive import Archive
from pbem.site.charts import CourseChart, drawn
from pbem.site.course import by_turn, charts_of, colours
from pbem.site.words import capital


def story_data(archive: Archive) -> dict[str, object]:
    """What the page of the whole war has besides the map of the stages."""
    rules, say = archive.rules, archive.say
    board = hues(load_board_file(find_board(rules.terms.board, archive.reading.folder.rules)))
    stages = archive.story.stages
    turns = [(number, list(group)) for number, group in groupby(stages, lambda stage: stage.turn)]
    return {
        "game": game_named(rules.terms.game).title,
        "scenario": say.say("scenario", rules.terms.scenario, rules.scenario.title),
        "result": archive.story.result,
        "charts": [chart_data(archive, chart) for chart in charts(archive)],
        "colours": colours(hue_of(board, power) for power in rules.powers),
        "told_turns": [
            {"number": number, "title": say.say("turn", number), "stages": group, "place": place}
            for place, (number, group) in enumerate(turns)
        ],
    }


def charts(archive: Archive) -> list[CourseChart]:
    """What was counted by turns, of a running campaign only what everybody can count."""
    words = archive.say.fixed
    titles = {
        "objectives": words["objectives"],
        "held": words["held"],
        "pools": words["pools"],
        "votes": words["votes"],
        "troops": words["troops"],
        "cards": words["in_hand"],
    }
    names = {power: capital(archive.say.power(power)) for power in archive.rules.powers}
    return charts_of(by_turn(archive.story.stages, archive.figures), titles, names)


def chart_data(archive: Archive, chart: CourseChart) -> dict[str, object]:
    """A chart, drawn and in numbers."""
    return {
        "title": chart.title,
        "drawn": drawn(chart, archive.say.fixed["turn"]),
        "turns": chart.turns,
        "lines": chart.lines,
    }
