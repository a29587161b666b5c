"""Pages of the site, each a file that needs no other, and the map of every stage."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby
from pathlib import Path

import msgspec
from jinja2 import Environment
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.board import BoardData
from pbem.engine.memory import MapState
from pbem.engine.nouns import Piece, each_piece
from pbem.engine.rules import Rules
from pbem.paper.library import load_board_file
from pbem.report.blocks import line_of, line_text, theirs
from pbem.report.formats.pages import with_red_suits
from pbem.report.language.templates import environment
from pbem.report.maps import move_of, scenery_of
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.draw import draw_board
from pbem.report.picture.letterforms import font_rules
from pbem.report.picture.position import DrawnMarch, DrawnPiece, PictureWords, Position
from pbem.report.picture.signs import conquered_sign, fortress
from pbem.report.picture.theme import LIGHT, THEMES, ThemeName
from pbem.report.picture.tokens import draw_way, tokens, ways
from pbem.resources import resource
from pbem.site.story import Stage

FAMILY = "Atlas"
"""Name of the maps' font in the page. All other text is in the reader's own font."""

WIDTH = 1500
"""Intended width of the whole map in pixels; a reader can enlarge it."""

PAINT = replace(LIGHT, rim="var(--rim)", bright_rim="var(--bright-rim)")
"""Paint of the layer above the ground: only these two colours differ by night, and site.css has them."""


class ThemedGround(Struct, frozen=True):
    """Ground in one theme."""

    theme: ThemeName
    view_box: str
    font: str
    drawn: str


class Atlas(Struct, frozen=True):
    """Maps of a campaign."""

    sheets: tuple[ThemedGround, ...]
    signs: tuple[str, ...]
    """Every sign, mark and arrow of any stage, drawn once."""
    over: tuple[tuple[int, ...], ...]
    """Signs of every stage, in the order in which they are laid on the ground."""
    turned: tuple[tuple[int, ...], ...]
    """Signs at the end of every turn, with all its marches."""
    fonts: str
    """Style rules with the parts of the font that all these need."""

    def drawing_over(self, stage: int) -> str:
        """Drawing over the ground in a stage."""
        return "".join(self.signs[sign] for sign in self.over[stage])

    @property
    def stage_signs(self) -> tuple[str, ...]:
        """Signs that some stage shows. Signs that only turns show come after them."""
        return self.signs[: 1 + max(chain.from_iterable(self.over), default=-1)]

    @property
    def turn_signs(self) -> list[int]:
        """Signs that some turn shows."""
        return sorted(set(chain.from_iterable(self.turned)))


def atlas_of(
    board: Path,
    rules: Rules,
    stages: Sequence[Stage],
    maps: tuple[str, ...],
    themes: Sequence[ThemeName],
    words: PictureWords,
) -> Atlas:
    """Maps of all stages on one board, of which only some maps may be in play."""
    data = load_board_file(board)
    turns = [whole_turn(list(group)) for _, group in groupby(stages, lambda stage: stage.turn)]
    positions = [position_of(rules, stage, maps, words) for stage in (*stages, *turns)]
    everything = together(positions, maps)
    sheets = tuple(sheet(board, data, everything, theme, words) for theme in themes)
    chart = Chart(data, scenery_of(board), PAINT, words, Extent(width=WIDTH, maps=maps))
    signs: dict[str, int] = {}
    over = tuple(
        tuple(signs.setdefault(sign, len(signs)) for sign in signs_of(chart, without_marks(position, everything)))
        for position in positions
    )
    over, turned = over[: len(stages)], over[len(stages) :]
    whole = f'<svg xmlns="http://www.w3.org/2000/svg">{"".join((*(each.drawn for each in sheets), *signs))}</svg>'
    return Atlas(sheets, tuple(signs), over, turned, font_rules([whole], FAMILY))


def whole_turn(stages: Sequence[Stage]) -> Stage:
    """Last stage of a turn, with the marches of all its stages."""
    return replace(stages[-1], moves=tuple(chain.from_iterable(stage.moves for stage in stages)))


def position_of(rules: Rules, stage: Stage, maps: tuple[str, ...], words: PictureWords) -> Position:
    """Position that the picture of a stage shows; the supreme commander of a stack comes first."""
    on_map = stage.on_map
    pieces = [piece for piece, city in each_piece(on_map.places) if city >= 0]
    ordered = sorted(pieces, key=lambda piece: (rules.pieces[piece].rank, not on_map.on_top[piece]))
    return Position(
        pieces=tuple(drawn_piece(rules, on_map, piece, words) for piece in ordered),
        control={city: power for city, power in sorted(on_map.markers.items())},  # noqa: C416 - the types differ
        questions={city: power for city, power in sorted(on_map.questions.items())},  # noqa: C416
        hussars=tuple(sorted(city for city in on_map.hussars if city >= 0)),
        moves=tuple(move for event in stage.moves if (move := move_of(rules, event))),
        maps=maps,
    )


def drawn_piece(rules: Rules, on_map: MapState, piece: Piece, words: PictureWords) -> DrawnPiece:
    """One piece on the map; a general is labelled with his rank."""
    facts, city, down = rules.pieces[piece], on_map.places[piece], on_map.down[piece]
    if rules.is_general(piece):
        return DrawnPiece(facts.power, "general", str(facts.rank), city, down)
    return DrawnPiece(facts.power, "train", words.train_mark, city, down)


def together(positions: Sequence[Position], maps: tuple[str, ...]) -> Position:
    """Position with everything of any stage in its places, and the marks that are the same in all of them."""
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


def without_marks(position: Position, ground: Position) -> Position:
    """Position without the marks of control that the ground already has."""
    changed = {city: power for city, power in position.control.items() if ground.control.get(city) != power}
    return replace(position, control=changed)


def sheet(board: Path, data: BoardData, everything: Position, theme: ThemeName, words: PictureWords) -> ThemedGround:
    """Ground in one theme: a picture of everything, with all that moves removed again."""
    scenery = scenery_of(board)
    svg = draw_board(data, scenery, everything, theme=theme, width=WIDTH, note=words.notes.get(data.name), words=words)
    chart = chart_of(data, scenery, THEMES[theme], words, Extent(width=WIDTH, maps=everything.maps))
    moving = "".join(token.draw(token.box) for token in tokens(chart, everything))
    went = "".join(draw_way(chart, move, run) for move, run in ways(chart, everything))
    for drawn in (moving, went):
        svg = svg.replace(drawn, "", 1)
    head = re.match(r'<svg[^>]* viewBox="([^"]*)"[^>]* font-family="([^"]*)"[^>]*><title>.*?</title>', svg, re.DOTALL)
    assert head is not None, "a picture begins with its size and its title"
    return ThemedGround(theme, head[1], f"{FAMILY},{head[2]}", svg[head.end() :].strip().removesuffix("</svg>"))


def signs_of(chart: Chart, position: Position) -> list[str]:
    """Drawings of a position over the ground, from below: marks of control, arrows, pieces and markers."""
    marks = [mark_of(chart, chart.city(place), power) for place, power in position.control.items()]
    arrows = [draw_way(chart, move, run) for move, run in ways(chart, position)]
    return [*marks, *arrows, *(token.draw(token.box) for token in tokens(chart, position))]


def mark_of(chart: Chart, number: int, power: str) -> str:
    """Sign of a city that a power holds; it covers the sign on the ground."""
    if not chart.has(number):
        return ""
    city = chart.data.cities[number]
    at = chart.at[number]
    if city.fortress:
        return fortress(at, chart.sign, chart, city.land, major=city.fortress == "major", holder=power)
    return conquered_sign(at, chart.sign, chart, power, chart.goals.get(city.name))


MAPPED = ("index", "stages", "story")
"""Pages that have a map."""

FOLDER = "site"
"""Folder of templates, style and script, beside the folders of the languages."""


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Templates of pages. They escape everything that is not marked as markup."""
    found = environment([FOLDER], None, autoescape=True)
    found.filters |= {"suited": suited_text, "drawn": Markup}
    return found


def page(name: str, data: Mapping[str, object]) -> bytes:
    """Page from its template and its data, with the font of its map if it has one."""
    atlas = data.get("atlas")
    fonts = atlas.fonts if isinstance(atlas, Atlas) and name in MAPPED and data["stages"] else ""
    css = asset("site.css") + str(data.get("colours", "")) + fonts
    script = asset("site.js") if data["scripted"] else ""
    frame = {"name": name, "css": Markup(css), "script": Markup(script), "policy": policy(css, script)}  # noqa: S704 - ours
    parts = templates().get_template(f"{name}.html.j2").generate({**data, **frame})
    return b"".join(part.encode() for part in parts)


def policy(css: str, script: str) -> str:
    """Content security policy: only the page's own style and script, and nothing loaded."""
    scripts = f"'{fingerprint(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{fingerprint(css)}'; script-src {scripts}; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def fingerprint(text: str) -> str:
    """Hash of a text as a policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@lru_cache(maxsize=4)
def asset(name: str) -> str:
    """Style or script of the site."""
    return (resource("templates") / FOLDER / name).read_text("utf-8")


def suited_text(text: str) -> Markup:
    """Passage of the account, escaped, with its red cards in red."""
    return with_red_suits(line_text(line_of(theirs(text))))


def json_for_page(value: object) -> Markup:
    """Value as JSON inside a page; nothing in it can end its element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704 - no markup is left in it
