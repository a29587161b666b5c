"""Pages of the site, each a file that needs no other: the story in stages with marches, and the map of each stage."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain, groupby
from pathlib import Path

import msgspec
from jinja2 import Environment
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.founding import opener_of, rules_of
from pbem.campaign.ledger.entries import file_name
from pbem.campaign.ledger.records import NAMES, AdjudicationRecord, RollbackRecord, events_in
from pbem.campaign.ledger.replaying import Reading, refuse_senseless
from pbem.engine import events as e
from pbem.engine.board import BoardData
from pbem.engine.memory import MapState, follow, map_state_of
from pbem.engine.nouns import Piece, each_piece
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules, deep_copy
from pbem.kit import game_named
from pbem.paper.library import load_board_file
from pbem.report import blocks
from pbem.report.account import Passage, Voice, chapters, event_groups, events_by_heading, passage
from pbem.report.blocks import line_of, line_text, plain_words
from pbem.report.formats.pages import with_red_suits
from pbem.report.language.templates import environment
from pbem.report.maps import fight_of, move_of, scenery_of
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.draw import draw_board
from pbem.report.picture.letterforms import font_rules
from pbem.report.picture.position import DrawnMarch, DrawnPiece, PictureWords, Position
from pbem.report.picture.signs import conquered_sign, fortress
from pbem.report.picture.theme import LIGHT, THEMES, ThemeName
from pbem.report.picture.tokens import draw_way, tokens, ways
from pbem.report.telling import game_report, told_data
from pbem.resources import resource
from pbem.seal.deal import ProvableDealer

NO_SECRET = ProvableDealer(bytes(32))
"""Dealer for a game that is followed by its public events alone. Cards from this dealer are never used."""


class Happening(Struct, frozen=True):
    """An event of the game, and its entry in the ledger."""

    entry: int
    event: e.Event


class ToldPassage(Struct, frozen=True):
    """A passage of the account, with the number of the battle that it tells; 0 if it tells no battle."""

    passage: Passage
    battle: int = 0


class ToldBattle(Struct, frozen=True):
    """A battle: its number, its stage, its passage in the account, and the data of its first event."""

    number: int
    stage: int
    passage: Passage
    data: dict[str, object]


class Stage(Struct, frozen=True):
    """A stage of the game: its account, and the map at its end."""

    number: int
    turn: int
    title: str
    """Name of the stage with its turn; empty for the time before the first stage."""
    told: tuple[ToldPassage, ...]
    entries: tuple[int, ...]
    """Entries of the ledger that belong to the stage."""
    happened: tuple[int, ...]
    """For each event of the stage, the number of its entry in the ledger."""
    on_map: MapState
    moves: tuple[e.Marched | e.Retreated, ...]


class Story(Struct, frozen=True):
    """The whole game as the site tells it: its stages and its battles."""

    stages: tuple[Stage, ...]
    battles: tuple[ToldBattle, ...]
    result: str
    """Result in words; empty while the game goes on."""
    stage_of: dict[int, int]
    """For each entry of the ledger by its number, the number of the last stage to which its events belong."""


def story_of(reading: Reading, rules: GameRules, language: str) -> Story:
    game = rules.terms.game
    table = opener_of(reading.folder, reading.settings)(rules, NO_SECRET)
    on_map, own = map_state_of(table.state.field), game_named(game).on_map
    stages: list[Stage] = []
    battles: list[ToldBattle] = []
    turn, result = table.state.turn, ""
    for part in events_by_stage(happenings(reading, game)):
        # As long as a game runs, the form of its events is all that is verified.
        with refuse_senseless(file_name(part[0].entry, NAMES[AdjudicationRecord])):
            events = [each.event for each in part]
            follow(on_map, own, rules.common, events)
            turn = next((event.turn for event in events if isinstance(event, e.StageBegan | e.TurnBegan)), turn)
            number = len(stages)
            told, fought, ended = tell_stage(rules, events, language, number, len(battles))
            battles += fought
            result = ended or result
            stages.append(
                Stage(
                    number=number,
                    turn=turn,
                    title=title_of(rules, events, language),
                    told=told,
                    entries=tuple(dict.fromkeys(each.entry for each in part)),
                    happened=tuple(each.entry for each in part),
                    on_map=deep_copy(on_map),
                    moves=tuple(event for event in events if isinstance(event, e.Marched | e.Retreated)),
                )
            )
    stage_of = {entry: stage.number for stage in stages for entry in stage.entries}
    return Story(tuple(stages), tuple(battles), result, stage_of)


def happenings(reading: Reading, game: str) -> list[Happening]:
    """Return all public events in order, except those that were rolled back."""
    found: list[Happening] = []
    for entry, record in reading.entries:
        match record:
            case AdjudicationRecord():
                found += [Happening(entry.number, event) for event in events_in(game, record.events)]
            case RollbackRecord(to):
                # An entry that repairs the clock may name the entry before its own. Then nothing is removed.
                found = [each for each in found if each.entry <= to]
    return found


def events_by_stage(found: Iterable[Happening]) -> list[list[Happening]]:
    """Split events into one list for each stage. The event that begins a turn goes with the first stage of the turn."""
    parts: list[list[Happening]] = []
    opens = True
    for each in found:
        is_heading = isinstance(each.event, e.TurnBegan | e.StageBegan)
        if not parts or (is_heading and not opens):
            parts.append([])
        parts[-1].append(each)
        opens = isinstance(each.event, e.TurnBegan)
    return parts


def title_of(rules: GameRules, events: Sequence[e.Event], language: str) -> str:
    """Return the name of a stage, with its turn, from the event that begins the stage; empty if there is no such
    event."""
    opening = [event for event in events if isinstance(event, e.StageBegan)]
    return chapters(rules, opening[:1], language)[0].title if opening else ""


def tell_stage(
    rules: GameRules, events: Sequence[e.Event], language: str, stage: int, before: int
) -> tuple[tuple[ToldPassage, ...], list[ToldBattle], str]:
    """Tell the events of a stage: return its passages, its battles, and the result. The result is empty unless the game
    ended in the stage.

    `stage` is the number of the stage, and `before` the number of battles in earlier stages."""
    own_report, voice = game_report(rules.terms.game), Voice(rules, language)
    told: list[ToldPassage] = []
    battles: list[ToldBattle] = []
    result = ""
    for _, following in events_by_heading(events):
        for group in event_groups(following, own_report):
            found = passage(voice, group)
            if found is None:
                continue
            first = group[0]
            number = before + len(battles) + 1 if isinstance(first, e.BattleJoined) else 0
            told.append(ToldPassage(found, number))
            if number:
                battles.append(ToldBattle(number, stage, found, told_data(blocks.in_words(rules, language), first)))
            if any(isinstance(event, e.GameEnded) for event in group):
                result = found.text
    return tuple(told), battles, result


def rules_for(reading: Reading) -> GameRules:
    return rules_of(reading.folder, reading.settings, reading.public.protocol)


def time_of(reading: Reading, number: int) -> datetime:
    return reading.entries[number - 1][0].time


FAMILY = "Atlas"
"""Name that the pages give to the font of the maps. All other text is in the reader's own font."""

WIDTH = 1500
"""Width of the whole map in pixels at its usual size; a reader can enlarge it."""

PAINT = replace(LIGHT, rim="var(--rim)", bright_rim="var(--bright-rim)")
"""Colours of the signs over the ground. Only the two colours that are given here differ by night. Their values by day
and by night stand in site.css."""


class ThemedGround(Struct, frozen=True):
    """Drawing of the ground (the map without all that moves) in one colour theme."""

    theme: ThemeName
    view_box: str
    font: str
    drawn: str


class Atlas(Struct, frozen=True):
    """Maps of a campaign: the ground, and for each stage and turn the signs that lie over it."""

    sheets: tuple[ThemedGround, ...]
    signs: tuple[str, ...]
    """Every sign, mark and arrow of any stage, drawn once."""
    over: tuple[tuple[int, ...], ...]
    """For each stage, indices into `signs`, the lowest sign first: the signs that the stage shows."""
    turned: tuple[tuple[int, ...], ...]
    """For each turn, indices into `signs`, the lowest sign first: the signs at its end, with all marches of the
    turn."""
    fonts: str
    """CSS rules that embed the characters which the maps need."""

    def drawing_over(self, stage: int) -> str:
        """Return the signs of a stage as one drawing, to lie over the ground."""
        return "".join(self.signs[sign] for sign in self.over[stage])

    @property
    def stage_signs(self) -> tuple[str, ...]:
        """Signs that the maps of stages need. Signs that only the maps of whole turns need stand behind them in
        `signs`."""
        return self.signs[: 1 + max(chain.from_iterable(self.over), default=-1)]

    @property
    def turn_signs(self) -> list[int]:
        """Indices into `signs`, sorted: the signs that the maps of whole turns show."""
        return sorted(set(chain.from_iterable(self.turned)))


def atlas_of(
    board: Path,
    rules: Rules,
    stages: Sequence[Stage],
    maps: tuple[str, ...],
    themes: Sequence[ThemeName],
    words: PictureWords,
) -> Atlas:
    """Draw the maps of all stages and turns on one board, in each of these colour themes; `maps` names the parts of the
    board that are in play."""
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
        # The ground already has the other marks of control.
        for changed in [{c: power for c, power in position.control.items() if everything.control.get(c) != power}]
    )
    over, turned = over[: len(stages)], over[len(stages) :]
    whole = f'<svg xmlns="http://www.w3.org/2000/svg">{"".join((*(each.drawn for each in sheets), *signs))}</svg>'
    return Atlas(sheets, tuple(signs), over, turned, font_rules([whole], FAMILY))


def whole_turn(stages: Sequence[Stage]) -> Stage:
    """Return the last stage of a turn, but with the marches of all its stages. `stages` are the stages of one turn."""
    return replace(stages[-1], moves=tuple(chain.from_iterable(stage.moves for stage in stages)))


def position_of(rules: Rules, stage: Stage, maps: tuple[str, ...], words: PictureWords) -> Position:
    """Return the position that the map of a stage shows."""
    return public_position(rules, stage.on_map, stage.moves, maps, words)


def public_position(
    rules: Rules, on_map: MapState, events: Iterable[e.Event], maps: tuple[str, ...], words: PictureWords
) -> Position:
    """Return what a picture shows of a public map: its pieces, an arrow for each march or retreat among the events, and
    a mark for each battle. In each city the supreme commander comes first."""
    events = tuple(events)
    pieces = [piece for piece, city in each_piece(on_map.places) if city >= 0]
    ordered = sorted(pieces, key=lambda piece: (rules.pieces[piece].rank, not on_map.on_top[piece]))
    return Position(
        pieces=tuple(drawn_piece(rules, on_map, piece, words) for piece in ordered),
        control={city: power for city, power in sorted(on_map.markers.items())},  # noqa: C416 - the types differ
        questions={city: power for city, power in sorted(on_map.questions.items())},  # noqa: C416
        hussars=tuple(sorted(city for city in on_map.hussars if city >= 0)),
        moves=tuple(move for event in events if (move := move_of(rules, event))),
        fights=tuple(dict.fromkeys(fight for event in events if (fight := fight_of(event)))),
        maps=maps,
    )


def drawn_piece(rules: Rules, on_map: MapState, piece: Piece, words: PictureWords) -> DrawnPiece:
    """Return a piece as a map shows it: a general with his rank, a train with the mark of trains."""
    facts, city, down = rules.pieces[piece], on_map.places[piece], on_map.down[piece]
    if rules.is_general(piece):
        return DrawnPiece(facts.power, "general", str(facts.rank), city, down)
    return DrawnPiece(facts.power, "train", words.train_mark, city, down)


def joint_position(positions: Sequence[Position], maps: tuple[str, ...]) -> Position:
    """Return a position with at least one piece in each city where any of these positions has a piece, with each kind
    of piece and of arrow at least once, and with all their question marks and hussars. It has the marks of control that
    are the same in all of them, and no battles."""
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


def sheet(board: Path, data: BoardData, everything: Position, theme: ThemeName, words: PictureWords) -> ThemedGround:
    """Draw the ground in one theme: draw the map with everything that any stage shows, and take pieces, markers and
    arrows out of the drawing again."""
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


def signs_of(chart: Chart, position: Position, sides: dict[int, int] | None = None) -> list[str]:
    """Return the drawings of all signs that lie over the ground in a position, the lowest first: marks of control,
    arrows, pieces and markers. `sides` is as in `tokens`."""
    marks = [mark_of(chart, chart.city(place), power) for place, power in position.control.items()]
    arrows = [draw_way(chart, move, run) for move, run in ways(chart, position)]
    return [*marks, *arrows, *(token.draw(token.box) for token in tokens(chart, position, None, sides))]


def mark_of(chart: Chart, number: int, power: str) -> str:
    """Draw the sign of a city that a power holds. It covers the city's sign on the ground. For a city that is not on
    the chart, return an empty text."""
    if not chart.has(number):
        return ""
    city = chart.data.cities[number]
    at = chart.at[number]
    if city.fortress:
        return fortress(at, chart.sign, chart, city.land, major=city.fortress == "major", holder=power)
    return conquered_sign(at, chart.sign, chart, power, chart.goals.get(city.name))


MAPPED = ("index", "stages", "story")
"""Names of the pages with a map."""

FOLDER = "site"
"""Folder of the pages' templates, style sheet and script."""


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment with the templates of the pages. It escapes everything that is not marked as HTML."""
    found = environment([FOLDER], None, autoescape=True)
    found.filters |= {"suited": suited_text, "drawn": Markup}
    return found


def page(name: str, data: Mapping[str, object]) -> bytes:
    """Return a page as HTML, made from the template `name` and its data."""
    atlas = data.get("atlas")
    fonts = atlas.fonts if isinstance(atlas, Atlas) and name in MAPPED and data["stages"] else ""
    css = asset("site.css") + str(data.get("colours", "")) + fonts
    script = asset("site.js") if data["scripted"] else ""
    frame = {"name": name, "css": Markup(css), "script": Markup(script), "policy": policy(css, script)}  # noqa: S704 - ours
    parts = templates().get_template(f"{name}.html.j2").generate({**data, **frame})
    return b"".join(part.encode() for part in parts)


def policy(css: str, script: str) -> str:
    """Return the content security policy of a page: it allows the page's own style sheet and script, and loads nothing
    else."""
    scripts = f"'{fingerprint(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{fingerprint(css)}'; script-src {scripts}; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def fingerprint(text: str) -> str:
    """Return the hash of a style sheet or script as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@lru_cache(maxsize=4)
def asset(name: str) -> str:
    """Return the text of the site's style sheet or script with this file name."""
    return (resource("templates") / FOLDER / name).read_text("utf-8")


def suited_text(text: str) -> Markup:
    """Return a passage of the account as HTML, escaped, with its red cards in red."""
    return with_red_suits(line_text(line_of(plain_words(text))))


def json_for_page(value: object) -> Markup:
    """Write a value as JSON for a `<script>` element. `<` is escaped, so no text in the value can close the element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704 - no markup is left in it
