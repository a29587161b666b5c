"""Pictures of what a view shows: the board with everything on it that the reader may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, cast

from pbem.engine.events import Event, Marched, Retreated
from pbem.engine.field import ASIDE
from pbem.engine.rules import Rules
from pbem.paper.boards import BOARD_LIMITS
from pbem.paper.convert import convert
from pbem.paper.faults import Fault, Refused
from pbem.paper.library import beginning, load_board_file
from pbem.paper.names import NameFault, Names
from pbem.paper.strict import read
from pbem.report.picture import (
    MAIL_WIDTH,
    AbsentPiece,
    Move,
    Piece,
    Position,
    Scenery,
    crop_around,
    draw_board,
    to_png,
)
from pbem.report.views import PieceView, View
from pbem.report.voices import voice_named


def picture_file(
    name: Path,
    board: Path,
    seen: View | None,
    events: Sequence[tuple[Rules, Event]],
    theme: str,
    width: int | None,
    around: Iterable[str],
) -> bytes:
    """The picture as the file's name asks for it: PNG for `.png`, else SVG."""
    data = load_board_file(board)
    scenery = scenery_of(board)
    position = None if seen is None else scene(seen, events)
    cities = Names((city.name for city in data.cities), "city")
    names = [data.cities[city_named(cities, city)].name for city in around]
    crop = crop_around(data, names) if names else None
    kind = cast(Literal["light", "dark"], theme)
    is_png = name.suffix.casefold() == ".png"
    if is_png and crop is None:
        width = width or MAIL_WIDTH
    svg = draw_board(data, scenery, position, theme=kind, crop=crop, width=width)
    return to_png(svg, width or MAIL_WIDTH) if is_png else svg.encode()


def city_named(cities: Names, written: str) -> int:
    """A city that somebody asks to see."""
    try:
        return cities.find(written)
    except NameFault as fault:
        raise Refused("--around", [Fault(fault.code, fault.message, 1, 1, hint=fault.hint)]) from None


def scenery_of(board: Path) -> Scenery | None:
    """The rivers and ranges of a board, if a file beside it has them."""
    path = board.with_name(f"{board.stem}.scenery.yaml")
    if not path.is_file():
        return None
    return convert(read(beginning(path, BOARD_LIMITS), path.name, BOARD_LIMITS), Scenery, path.name)


def scene(seen: View, events: Sequence[tuple[Rules, Event]] = ()) -> Position:
    """What the picture shows of a view; `events` are the marches and retreats to draw as arrows."""
    on_map = [piece for piece in seen.pieces if piece.city >= 0]
    ordered = sorted(on_map, key=lambda piece: (piece.rank, not piece.on_top))
    voice = voice_named(seen.terms.game)
    return Position(
        pieces=tuple(Piece(p.power, kind_of(p), label_of(p), p.city, p.down) for p in ordered),
        control={city: power for city, power in seen.markers.items()},  # noqa: C416 - the types differ
        questions={city: power for city, power in seen.questions.items()},  # noqa: C416
        hussars=voice.hussars(seen),
        moves=tuple(move for rules, event in events if (move := move_of(rules, event))),
        absent=tuple(
            AbsentPiece(p.power, kind_of(p), label_of(p)) for p in seen.pieces if p.city < 0 and p.city != ASIDE
        ),
        caption=caption(seen),
        maps=voice.maps(seen.terms),
    )


def caption(seen: View) -> str:
    """The moment the picture shows; a phase named like its stage is not said twice."""
    stage = seen.stage.replace("-", " ").capitalize()
    phase = "" if seen.phase in seen.stage else f" · {seen.phase}"
    return f"Turn {seen.turn} · {stage}{phase}"


def kind_of(piece: PieceView) -> Literal["general", "train"]:
    """General or supply train."""
    return "general" if piece.kind == "general" else "train"


def label_of(piece: PieceView) -> str:
    """What is written on a piece."""
    return str(piece.rank) if piece.kind == "general" else "T"


def move_of(rules: Rules, event: Event) -> Move | None:
    """The arrow of a march or a retreat."""
    if isinstance(event, Marched):
        return Move(rules.pieces[event.pieces[0]].power, (event.start, *event.path))
    if isinstance(event, Retreated):
        return Move(rules.pieces[event.pieces[0]].power, (event.start, *event.path), "retreat")
    return None
