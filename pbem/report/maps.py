"""Pictures of a position as far as its reader may know it; and the cities where a march or a retreat can end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.board import BoardData
from pbem.engine.combat import retreat_ground
from pbem.engine.conquest import dealings, opponents_of
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.events import BattleJoined, Event, Marched, Retreated
from pbem.engine.field import OFF, pieces_by_city
from pbem.engine.march import destinations, is_forced, reach
from pbem.engine.memory import Memory
from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.engine.roads import Road
from pbem.engine.rules import PieceFacts, Rules, TrainName
from pbem.engine.supply import cut_off_in
from pbem.engine.table import PieceView, Table, View
from pbem.engine.ways import best_way, effects, ways_back, ways_on
from pbem.kit import game_of
from pbem.paper.boards.files import BOARD_LIMITS
from pbem.paper.documents.convert import convert
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import NameFault, fold
from pbem.paper.documents.strict import place_of, read_yaml
from pbem.paper.lexicon import Cities, cities_of
from pbem.paper.library import load_board_file, load_shipped, read_beginning
from pbem.report.language.templates import macros_of
from pbem.report.picture import (
    MAIL_WIDTH,
    AbsentPiece,
    Drawing,
    DrawnFight,
    DrawnMarch,
    DrawnPiece,
    PictureWords,
    Position,
    Scenery,
    Theatre,
    chart_of_theatre,
    close_up,
    crop_around,
    drawing_of,
    part_width,
    small_png,
    words_in,
)
from pbem.report.picture.geometry import Box
from pbem.report.picture.letterforms import with_font
from pbem.report.picture.position import DrawnEnd, Overlay, Place
from pbem.report.picture.scenery import excess
from pbem.report.picture.theme import THEMES, Theme, ThemeName, hues
from pbem.report.telling import game_report


class End(Struct, frozen=True):
    """City where a march or a retreat can end, and the path to this city."""

    city: City
    path: Road
    forced: bool = False
    """True if the pieces can reach the city only with a forced march."""
    foes: tuple[City, ...] = ()
    """Cities beside this city where enemy generals stand. A march that ends here leads to battles with them."""
    aim: bool = False
    """True if the city is a fortress or an objective that the pieces could conquer if they marched on."""
    conquers: tuple[City, ...] = ()
    """Cities that the march conquers because its pieces pass through or leave them."""
    questions: tuple[City, ...] = ()
    """Protected cities that get a question mark because the pieces pass through or leave them."""
    starves: bool = False
    """True if one of the generals who march would be out of supply in this city. Trains and enemies are assumed to stay
    where they are now."""


def ends_of_march(table: Table, movers: Sequence[Piece], stops: Sequence[City] = ()) -> list[End]:
    """Return the cities where a march of these pieces can end, the nearest first. The march goes through the cities
    `stops`. It comes back to one of its cities, or to its start, only if it takes a fortress on the way."""
    rules, column = table.rules.common, game_of(table).column_of(table, movers)
    ways = {city: way for city, way in destinations(column).items() if city not in (column.start, *stops)}
    if rules.ways == "found" or stops:  # path that the program finds if orders name only these cities
        found = {city: best_way(column, (*stops, city)) for city in ways}
        ways = {city: way for city, way in found.items() if way}
    if stops:
        gone = best_way(column, stops) or tuple(stops)
        others = destinations(column).keys() - {column.start, *gone}
        ways = {**ways_on(column, gone, others), **ways, **ways_back(column, gone)}
    field, is_train = table.state.field, column.is_train
    aims = frozenset() if is_train else opponents_of(rules, field, column.power).fortresses
    held = frozenset[City]().union(*(opponents_of(rules, field, power).fortresses for power in column.powers))
    starved = {city for piece in movers if not is_train for city in cut_off_in(rules, field, piece, ways)}
    ends = []
    for city, way in ways.items():
        # Most marches leave no enemy fortress. Only for the others is the march tried out, because this needs a copy of
        # the map.
        passes = not is_train and not held.isdisjoint((column.start, *way[:-1]))
        conquers, questions = map(tuple, map(sorted, effects(column, way, ())[:2])) if passes else ((), ())
        foes = () if is_train else foes_beside(table, movers[0], city)
        ends.append(End(city, way, is_forced(column, way), foes, city in aims, conquers, questions, city in starved))
    return in_order(table, ends)


def foes_beside(table: Table, piece: Piece, city: City) -> tuple[City, ...]:
    """Return the cities next to `city` where a general stands who is an enemy of this piece."""
    rules, field = table.rules.common, table.state.field
    at, power = pieces_by_city(rules, field).at, rules.pieces[piece].power
    rivals = dealings(rules, field, power).rivals
    return tuple(other for other in rules.board.near[city] if not rivals.isdisjoint(at.get(other, ())))


def in_the_way(table: Table, movers: Sequence[Piece]) -> list[City]:
    """Return the cities where pieces are in the way: without them, a march of `movers` could reach more cities."""
    column, near = game_of(table).column_of(table, movers), table.rules.common.board.near
    gone = {column.start, *reach(column)}
    barred = column.obstacles.barred.intersection(column.taken)
    lost = column.ground.cities.difference(gone, barred)
    return [city for city in sorted(barred) if not (gone.isdisjoint(near[city]) or lost.isdisjoint(near[city]))]


def retreat_asked(table: Table, pieces: Sequence[Piece]) -> ChooseRetreat | None:
    """Return the open decision about the retreat of any of these pieces. Return None if none of them must retreat."""
    asked = game_of(table).decisions(table)
    return next((each for each in asked if isinstance(each, ChooseRetreat) and {*pieces} & {*each.pieces}), None)


def ends_of_retreat(table: Table) -> list[End]:
    retreat = table.state.retreat
    assert retreat is not None
    ways = retreat_ground(table.rules.common, table.state.field, retreat).ends
    return in_order(table, [End(city, way) for city, way in ways.items()])


def in_order(table: Table, ends: list[End]) -> list[End]:
    """Sort ends of marches. The nearest come first, and ends at the same distance are sorted by name."""
    cities = table.rules.common.board.cities
    return sorted(ends, key=lambda end: (len(end.path), fold(cities[end.city].name)))


FINENESS = 1.0
"""Pixels of a theatre's picture for each pixel that is shown in a mail, in each direction."""


FEW, SOME = 36, 56
"""Largest numbers of colours: `FEW` in the picture of a theatre, `SOME` in a mail's picture of the whole board, which
shows more lands and powers. Areas keep their exact colours. More colours would only give more shades to edges, and
these need most bytes."""

LIMIT, BOARD_LIMIT = 235_000, 280_000
"""Largest sizes, in bytes: of the picture of a theatre, and of the picture of the whole board. A whole mail then has
less than 400 KB. The moderator's mail has the larger picture, but fewer other files."""


class Request(Struct, frozen=True):
    """Description of a picture: the board, the position on it, the part to draw, the size, the language and the
    colours."""

    board: Path
    seen: View | None = None
    """Position as far as a reader may know it. If it is None, the pieces stand as in the set-up that the board
    names."""
    events: tuple[tuple[Rules, Event], ...] = ()
    """Events whose marches and retreats are drawn as arrows. Their battles are marked."""
    language: str = "en"
    theme: ThemeName = "light"
    width: int | None = None
    """Width in pixels. If it is None, the picture has the usual width."""
    around: tuple[str, ...] = ()
    """Cities around which a part of the board is drawn. If there are none, the whole board is drawn."""
    folder: Path | None = None
    """Folder with the data files that the campaign brings itself."""
    theatre: Theatre | None = None
    """Parts of the board that are drawn enlarged and with the names of generals. If it is None, the whole board is
    drawn."""
    overlay: Overlay | None = None
    """Signs that a player has asked for. They are drawn over the board."""


def picture_file(name: Path, wanted: Request) -> bytes:
    """Return a picture as the content of a file. Its format depends on the name of the file: PNG for `.png`, else
    SVG."""
    return picture_png(wanted) if name.suffix.casefold() == ".png" else picture_svg(wanted).encode()


def picture_png(wanted: Request) -> bytes:
    """Return a picture as PNG. If the request has a theatre, it shows the theatre, else the board or a part of it. If
    the request has no width, the picture is small enough for a mail."""
    data = load_board_file(wanted.board)
    kept = inks(data, THEMES[wanted.theme])
    if wanted.seen and wanted.theatre:
        layers = theatre_layers(wanted, data, wanted.seen, wanted.theatre)
        return small_png(*layers, colours=FEW, most=LIMIT, required=kept)
    if wanted.width is not None:
        return small_png(picture_layers(wanted))
    if crop := crop_of(data, wanted.around):
        return small_png(picture_layers(replace(wanted, width=part_width(data, crop))))
    return small_png(picture_layers(replace(wanted, width=MAIL_WIDTH)), colours=SOME, most=BOARD_LIMIT, required=kept)


def inks(board: BoardData, theme: Theme) -> tuple[str, ...]:
    """Return the colours that every picture must have: those of the pieces of all powers, and the red of suits."""
    found = hues(board)
    return tuple(dict.fromkeys((*(found[power].ink for power in board.powers), theme.red_on_paper)))


def picture_svg(wanted: Request) -> str:
    """Return a picture as SVG, with all its glyphs. If the request has no width, the picture has the size of the
    board."""
    return with_font(picture_layers(wanted).svg)


def picture_layers(wanted: Request) -> Drawing:
    """Return a picture as layers. If it shows only a part of the board, everything beside the map is left out."""
    data, words = load_board_file(wanted.board), words_in(wanted.language)
    crop = crop_of(data, wanted.around)
    position = None if wanted.seen is None else scene(wanted.seen, wanted.events, wanted.language, wanted.folder)
    if position:
        position = replace(position, overlay=wanted.overlay)
    if position and crop:
        position = replace(position, absent=(), tallies=(), tracks=(), facts=())
    scenery, note = scenery_of(wanted.board), words.notes.get(data.name)
    return drawing_of(
        data, scenery, position, theme=wanted.theme, crop=crop, width=wanted.width, note=note, words=words
    )


def theatre_layers(wanted: Request, board: BoardData, seen: View, theatre: Theatre) -> tuple[Drawing, ...]:
    position = scene(seen, wanted.events, wanted.language, wanted.folder, named=True)
    words, theme = words_in(wanted.language), THEMES[wanted.theme]
    chart = chart_of_theatre(board, scenery_of(wanted.board), theme, words, (theatre, position.maps))
    return close_up(chart, position, theatre, FINENESS)


def crop_of(board: BoardData, around: Iterable[str]) -> Box | None:
    """Return the part of a board around some cities. Return None, which means the whole board, if there are no
    cities."""
    cities = cities_of(tuple(city.name for city in board.cities), board.name)
    names = [board.cities[city_named(cities, city)].name for city in around]
    return crop_around(board, names) if names else None


def city_named(cities: Cities, written: str) -> City:
    """Return the city that has this name. The name comes from the option `--around`. Raises `Refused` for an unknown
    name."""
    try:
        return cities.find(written)
    except NameFault as fault:
        raise Refused("--around", [fault.wrong]) from None


@lru_cache(maxsize=8)
def scenery_of(board: Path) -> Scenery | None:
    """Return the scenery of a board. Return None if there is no file with scenery beside the board's file."""
    path = board.with_name(f"{board.stem}.scenery.yaml")
    if not path.is_file():
        return None
    data = read_beginning(path, BOARD_LIMITS)
    return load_shipped(path, data, Scenery, lambda: load_scenery(data, path.name, load_board_file(board)))


def load_scenery(content: bytes, source: str, board: BoardData) -> Scenery:
    """Read the scenery of a board. Raises `Refused` if the content is faulty, or if drawing it would take too long."""
    node = read_yaml(content, source, BOARD_LIMITS)
    found = convert(node, Scenery, source)
    if beyond := excess(found, max(board.canvas.w, board.canvas.h)):
        key, what = beyond
        raise Refused(source, [Fault.at(*place_of(node, (key,)), what)])
    return found


def scene(
    seen: View,
    events: Sequence[tuple[Rules, Event]] = (),
    language: str = "en",
    folder: Path | None = None,
    *,
    named: bool = False,
) -> Position:
    """Return all that a picture of a position shows. Arrows and marks are added for `events`.

    With `named`, generals have their names, and their troops if known. `folder` has the files that the campaign brings
    itself.
    """
    words = words_in(language)
    own_report = game_report(seen.terms.game)
    margin = own_report.margin(seen, words, language, folder)
    on_map, trains = [piece for piece in seen.pieces if piece.city >= 0], train_counts(seen.pieces)
    ordered = sorted(on_map, key=lambda piece: (piece.rank, not piece.on_top))
    return Position(
        pieces=tuple(drawn_piece(piece, trains, words, named=named) for piece in ordered),
        control={city: power for city, power in seen.markers.items()},  # noqa: C416 - the types differ
        questions={city: power for city, power in seen.questions.items()},  # noqa: C416
        hussars=own_report.hussars(seen),
        moves=tuple(move for rules, event in events if (move := move_of(rules, event))),
        fights=tuple(dict.fromkeys(fight for _, event in events if (fight := fight_of(event)))),
        absent=tuple(absent_pieces(seen, margin.kept, words)),
        tallies=margin.tallies,
        tracks=margin.tracks,
        facts=margin.facts,
        caption=margin.caption,
        maps=own_report.maps(seen.terms),
    )


def drawn_piece(piece: PieceView, trains: Mapping[Power, int], words: PictureWords, *, named: bool) -> DrawnPiece:
    drawn = DrawnPiece(piece.power, piece.kind, label_of(piece, trains, words), piece.city, piece.down)
    is_named = named and piece.kind == "general"
    return replace(drawn, name=piece.name, troops=piece.troops or 0) if is_named else drawn


def absent_pieces(seen: View, returning: Mapping[Piece, str], words: PictureWords) -> Iterator[AbsentPiece]:
    """Yield the pieces off the map: first those that are lost, then those in `returning`, sorted by the place in which
    they are kept."""
    trains = train_counts(seen.pieces)
    for index, piece in sorted(each_piece(seen.pieces), key=lambda place: returning.get(place[0], "")):
        if index in returning or piece.city == OFF:
            yield AbsentPiece(piece.power, piece.kind, label_of(piece, trains, words), returning.get(index, ""))


def train_counts(pieces: Iterable[PieceView | PieceFacts]) -> Counter[Power]:
    """Return the number of supply trains that each power has, on the map and off it."""
    return Counter(piece.power for piece in pieces if piece.kind == "train")


def label_of(piece: PieceView | PieceFacts, trains: Mapping[Power, int], words: PictureWords) -> str:
    """Return the label of a piece: the rank of a general, or the mark of a train. If a power has several trains, the
    label has the train's number."""
    if piece.kind == "general":
        return str(piece.rank)
    train = TrainName.read(piece.name)
    return f"{words.train_mark}{train.number}" if train and trains[piece.power] > 1 else words.train_mark


def move_of(rules: Rules, event: Event) -> DrawnMarch | None:
    """Return the arrow for a march or a retreat. Return None for any other event."""
    if not isinstance(event, Marched | Retreated):
        return None
    kind: Literal["march", "retreat"] = "march" if isinstance(event, Marched) else "retreat"
    return DrawnMarch(rules.pieces[event.pieces[0]].power, (event.start, *event.path), kind)


def fight_of(event: Event) -> DrawnFight | None:
    """Return the mark for a battle. Return None for any other event."""
    return DrawnFight(event.attacking_city, event.defending_city) if isinstance(event, BattleJoined) else None


TEMPLATE = "picture_overlay.txt.j2"


def overlay_of(table: Table, memory: Memory | None, pieces: Sequence[Piece], language: str) -> Overlay:
    """Return the signs that a player has asked for: the cities that all `pieces` can reach together. If `memory` is
    given, add the paths of all pieces and the strengths that were stated."""
    rules = table.rules.common
    return Overlay(
        words=dict(macros_of(language, "", TEMPLATE).SIGNS),
        ends=drawn_ends(table, pieces) if pieces else (),
        trails=trails(rules, memory) if memory else (),
        declared=strengths(rules, memory) if memory else {},
    )


def drawn_ends(table: Table, pieces: Sequence[Piece]) -> tuple[DrawnEnd, ...]:
    """Return the cities where these pieces can end a march. If they must retreat now, return the ends of the
    retreat."""
    power, asked = table.rules.common.pieces[pieces[0]].power, retreat_asked(table, pieces)
    ends = ends_of_retreat(table) if asked else ends_of_march(table, pieces)
    return tuple(DrawnEnd(power, end.city, end.forced, bool(end.foes), end.aim, asked is not None) for end in ends)


def trails(rules: Rules, memory: Memory) -> tuple[DrawnMarch, ...]:
    """Return the paths on which pieces came to their cities. If several pieces of one power came on the same path, the
    path is returned once."""
    ways = ((rules.pieces[piece].power, way) for piece, way in sorted(memory.ways.items()))
    return tuple(DrawnMarch(power, way) for power, way in dict.fromkeys(ways))


def strengths(rules: Rules, memory: Memory) -> dict[Place, str]:
    """Return the strength that each stack has stated, if the stack is still together. The key is its city. The text is
    `7`, or `7?` if the strength may have changed. A `+` follows if there are other generals in the city who have stated
    no strength."""
    places = memory.on_map.places
    found: dict[Place, str] = {}
    for city in sorted({places[each.generals[0]] for each in memory.declared}):
        here = [each for each in memory.declared if {places[general] for general in each.generals} == {city}]
        told = {general for each in here for general in each.generals}
        others = [piece for piece, at in each_piece(places) if at == city and rules.is_general(piece)]
        if here and city >= 0:
            doubt = "" if all(each.is_exact for each in here) else "?"
            found[city] = f"{sum(each.strength for each in here)}{doubt}{'+' if told < {*others} else ''}"
    return found
