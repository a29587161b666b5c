"""Maps of the site. The ground, which is the map without signs that change, is drawn once for each theme. The signs of
each stage are drawn over it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.board import BoardData
from pbem.engine.memory import MapState
from pbem.engine.nouns import Piece, each_piece
from pbem.engine.rules import PieceFacts, Rules
from pbem.paper.library import load_board_file
from pbem.report.maps import fight_of, label_of, move_of, scenery_of, train_counts
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.draw import draw_board
from pbem.report.picture.letterforms import font_rules
from pbem.report.picture.position import DrawnMarch, DrawnPiece, PictureWords, Position
from pbem.report.picture.signs import conquered_sign, fortress
from pbem.report.picture.theme import LIGHT, THEMES, ThemeName
from pbem.report.picture.tokens import draw_way, tokens, ways
from pbem.site.story import Stage

FAMILY = "Atlas"
"""Name of the font of the maps in the pages. All other text is shown in a font of the reader's system."""

WIDTH = 1500
"""Usual width of the whole map, in pixels. A reader can enlarge it."""

PAINT = replace(LIGHT, rim="var(--rim)", bright_rim="var(--bright-rim)")
"""Colours of the signs over the ground. Only the two colours that are CSS variables depend on the theme. Their values
are in site.css."""


class ThemedGround(Struct, frozen=True):
    """Ground in one theme."""

    theme: ThemeName
    view_box: str
    font: str
    drawn: str


class Atlas(Struct, frozen=True):
    """Maps of a campaign: the ground, and the signs for each stage and each turn."""

    sheets: tuple[ThemedGround, ...]
    signs: tuple[str, ...]
    """All signs, marks and arrows of all stages. Each is drawn once."""
    over: tuple[tuple[int, ...], ...]
    """Signs that are shown for each stage, as indices into `signs`. The lowest sign is the first."""
    turned: tuple[tuple[int, ...], ...]
    """Signs that are shown for each turn, as indices into `signs`. They show the end of the turn, and all marches in
    it. The lowest sign is the first."""
    fonts: str
    """CSS rules that embed the characters that are needed in the maps."""

    def drawing_over(self, stage: int) -> str:
        """Return the signs of a stage as one drawing. It is to be put over the ground."""
        return "".join(self.signs[sign] for sign in self.over[stage])

    @property
    def stage_signs(self) -> tuple[str, ...]:
        """Return the signs that are needed in the maps of stages."""
        return self.signs[: 1 + max(chain.from_iterable(self.over), default=-1)]

    @property
    def turn_signs(self) -> list[int]:
        """Return the indices of the signs that are needed in the maps of whole turns, sorted."""
        return sorted(set(chain.from_iterable(self.turned)))


def atlas_of(
    board: Path,
    rules: Rules,
    stages: Sequence[Stage],
    maps: tuple[str, ...],
    themes: Sequence[ThemeName],
    words: PictureWords,
) -> Atlas:
    """Draw the maps of all stages and turns, in each theme. `maps` has the names of those parts of the board that are
    in play."""
    data = load_board_file(board)
    turns = [whole_turn(list(group)) for _, group in groupby(stages, lambda stage: stage.turn)]
    positions = [position_of(rules, stage, maps, words) for stage in (*stages, *turns)]
    everything = joint_position(positions, maps)
    sheets = tuple(sheet(board, data, everything, theme, words) for theme in themes)
    chart = Chart(data, scenery_of(board), PAINT, words, Extent(width=WIDTH, maps=maps))
    signs: dict[str, int] = {}
    over = tuple(
        tuple(signs.setdefault(sign, len(signs)) for sign in signs_of(chart, replace(position, control=changed)))
        for position in positions
        # Marks that show who holds a city are drawn on the ground, if they are the same in all positions.
        for changed in [{c: power for c, power in position.control.items() if everything.control.get(c) != power}]
    )
    over, turned = over[: len(stages)], over[len(stages) :]
    whole = f'<svg xmlns="http://www.w3.org/2000/svg">{"".join((*(each.drawn for each in sheets), *signs))}</svg>'
    return Atlas(sheets, tuple(signs), over, turned, font_rules([whole], FAMILY))


def whole_turn(stages: Sequence[Stage]) -> Stage:
    """Return the last stage of a turn, with the marches of all `stages` of the turn."""
    return replace(stages[-1], moves=tuple(chain.from_iterable(stage.moves for stage in stages)))


def position_of(rules: Rules, stage: Stage, maps: tuple[str, ...], words: PictureWords) -> Position:
    return replace(public_position(rules, stage.on_map, stage.moves, words), maps=maps)


def public_position(
    rules: Rules,
    on_map: MapState,
    events: Iterable[e.Event],
    words: PictureWords,
    troops: Mapping[Piece, int] = {},
) -> Position:
    """Return a public map as a position. Marches and retreats among the events are shown as arrows, and battles as
    marks. `troops` has the number that is shown beside each general."""
    events = tuple(events)
    pieces = [piece for piece, city in each_piece(on_map.places) if city >= 0]
    ordered = sorted(pieces, key=lambda piece: (rules.pieces[piece].rank, not on_map.on_top[piece]))
    trains = train_counts(rules.pieces)
    return Position(
        pieces=tuple(
            drawn_piece(on_map, piece, rules.pieces[piece], label_of(rules.pieces[piece], trains, words), troops)
            for piece in ordered
        ),
        control={city: power for city, power in sorted(on_map.markers.items())},  # noqa: C416 - the types differ
        questions={city: power for city, power in sorted(on_map.questions.items())},  # noqa: C416
        hussars=tuple(sorted(city for city in on_map.hussars if city >= 0)),
        moves=tuple(move for event in events if (move := move_of(rules, event))),
        fights=tuple(dict.fromkeys(fight for event in events if (fight := fight_of(event)))),
    )


def drawn_piece(
    on_map: MapState, piece: Piece, facts: PieceFacts, label: str, troops: Mapping[Piece, int]
) -> DrawnPiece:
    city, down, number = on_map.places[piece], on_map.down[piece], troops.get(piece, 0)
    return DrawnPiece(facts.power, facts.kind, label, city, down, troops=number)


def joint_position(positions: Sequence[Position], maps: tuple[str, ...]) -> Position:
    """Return one position that has all kinds of signs and all occupied cities of these positions, but no battles. It
    shows who holds a city only if this is the same in all positions."""
    pieces = {piece.city: piece for position in positions for piece in position.pieces}
    kinds = {(piece.kind, piece.face_down): piece for position in positions for piece in position.pieces}
    named: dict[str, DrawnMarch] = {move.kind: move for position in positions for move in position.moves}
    control = dict(set.intersection(*(set(position.control.items()) for position in positions)) if positions else ())
    return Position(
        pieces=tuple(dict.fromkeys((*pieces.values(), *kinds.values()))),
        control={city: control[city] for city in sorted(control, key=str)},
        questions={city: power for position in positions for city, power in position.questions.items()},
        hussars=tuple(dict.fromkeys(chain.from_iterable(position.hussars for position in positions))),
        moves=tuple(named.values()),
        maps=maps,
    )


def sheet(file: Path, board: BoardData, everything: Position, theme: ThemeName, words: PictureWords) -> ThemedGround:
    """Draw the ground in one theme. Room is left for everything in the position `everything`. `file` is the file of the
    board."""
    scenery = scenery_of(file)
    svg = draw_board(
        board, scenery, everything, theme=theme, width=WIDTH, note=words.notes.get(board.name), words=words
    )
    chart = chart_of(board, scenery, THEMES[theme], words, Extent(width=WIDTH, maps=everything.maps))
    moving = "".join(token.draw(token.box) for token in tokens(chart, everything))
    went = "".join(draw_way(chart, move, run) for move, run in ways(chart, everything))
    for drawn in (moving, went):
        svg = svg.replace(drawn, "", 1)
    head = re.match(r'<svg[^>]* viewBox="([^"]*)"[^>]* font-family="([^"]*)"[^>]*><title>.*?</title>', svg, re.DOTALL)
    assert head is not None, "a picture begins with its size and its title"
    return ThemedGround(theme, head[1], f"{FAMILY},{head[2]}", svg[head.end() :].strip().removesuffix("</svg>"))


def signs_of(chart: Chart, position: Position, sides: dict[int, int] | None = None) -> list[str]:
    """Return the drawings of all signs over the ground, the lowest first. `sides` has the sides of the cities' stacks
    in earlier pictures, as in `tokens`."""
    marks = [mark_of(chart, chart.city(place), power) for place, power in position.control.items()]
    arrows = [draw_way(chart, move, run) for move, run in ways(chart, position)]
    return [*marks, *arrows, *(token.draw(token.box) for token in tokens(chart, position, None, sides))]


def mark_of(chart: Chart, number: int, power: str) -> str:
    """Return the sign of a city that a power holds. Return an empty text if the city is not on the chart."""
    if not chart.has(number):
        return ""
    city = chart.data.cities[number]
    at = chart.at[number]
    if city.fortress:
        return fortress(at, chart.sign, chart, city.land, major=city.fortress == "major", holder=power)
    return conquered_sign(at, chart.sign, chart, power, chart.goals.get(city.name))
