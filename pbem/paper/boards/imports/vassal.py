"""Import of boards from a VASSAL module. Regions with a name become cities.

Roads, lands and suits must be added by hand. The note of the board lists the stacks of the set-up and their cities."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from xml.parsers import expat

from msgspec import Struct

from pbem.engine.board import BoardData, CityData
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.boards.imports.shaping import UNKNOWN_LAND, ImportedCity, Layout, lay_out, slug, tidy
from pbem.paper.documents.faults import Fault, Refused

LARGEST = 32 * 1024 * 1024
"""Largest number of bytes of a build file. Pictures in the module are never read."""

_BUILD_FILES = ("buildFile.xml", "buildFile")
_MOST_CITIES = 20_000
_DEEPEST = 200
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, ValueError, RuntimeError, OSError, EOFError)
_BOARD = ".boardPicker.Board"
_REGION = ".mapgrid.Region"
_STACK = ".map.SetupStack"
_SLOT = ".PieceSlot"
_NOTE = """Imported from a VASSAL module, which does not know roads, lands and suits: add them by hand, delete
regions that are no cities, then run `pbem board check`.
"""


class _Stack(Struct):
    """Stack of pieces in the set-up."""

    name: str
    board: str
    location: str
    x: int
    y: int
    pieces: list[str]


def import_vassal(content: bytes, source: str = "buildFile.xml", name: str = "imported") -> BoardData:
    """Return the board in a `buildFile.xml`, or in a module (`.vmod`) that contains such a file. Raises `Refused` if
    the file has no regions, is damaged, or is too large."""
    collector = _Collector(source)
    collector.read(_build_file(content, source))
    if not collector.found:
        raise Refused(source, [wrong("E-IMPORT-NOTHING.regions")])
    layout = lay_out(collector.found)
    return BoardData(
        name=slug(name),
        title=tidy(name),
        canvas=layout.canvas,
        maps=layout.maps,
        powers={},
        cities=layout.cities,
        main_roads=(),
        roads=(),
        note=_NOTE + "".join(f"{line}\n" for line in _stack_lines(collector.stacks, collector.found, layout)),
        other_lands=(UNKNOWN_LAND,),
    )


def _build_file(file_bytes: bytes, source: str) -> bytes:
    """Return the content of the build file. The given file is a build file itself, or a module (a zip file) that
    contains one. Raises `Refused` if the file is damaged or too large, or if the module contains no build file."""
    if not file_bytes.startswith(b"PK"):
        return _within(file_bytes, len(file_bytes), source)
    try:
        with zipfile.ZipFile(io.BytesIO(file_bytes)) as module:
            inside = [each for each in module.infolist() if each.filename in _BUILD_FILES]
            if not inside:
                raise Refused(source, [wrong("E-IMPORT-NOTHING.module")])
            if inside[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise zipfile.BadZipFile
            with module.open(inside[0]) as file:
                content = file.read(LARGEST + 1)
    except _DAMAGED:
        raise Refused(source, [wrong("E-IMPORT-SYNTAX.module")]) from None
    return _within(content, len(content), source)


def _within(content: bytes, size: int, source: str) -> bytes:
    if size > LARGEST:
        raise Refused(source, [wrong("E-IMPORT-SIZE.bytes", most=LARGEST)])
    return content


class _Collector:
    """Collector of the regions and stacks in a build file. Its methods are called by the XML parser."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[ImportedCity] = []
        self.stacks: list[_Stack] = []
        self.board = ""
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.StartElementHandler = self.element
        self.parser.EndElementHandler = self.end
        self.depth = 0

    def read(self, data: bytes) -> None:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            why = expat.errors.messages.get(error.code) or words("import-unreadable")
            self.refuse(wrong("E-IMPORT-SYNTAX.xml", why=why), error.lineno, error.offset)
        except (ValueError, LookupError):
            raise Refused(self.source, [wrong("E-IMPORT-SYNTAX.encoding")]) from None

    def refuse(self, refusal: Wrong, line: int, offset: int) -> None:
        raise Refused(self.source, [Fault.at(line, offset + 1, refusal)]) from None

    def doctype(self, *_: object) -> None:
        """Raise `Refused` for a document type, because entities in it could expand without limit."""
        here = (self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)
        self.refuse(wrong("E-IMPORT-DOCTYPE"), *here)

    def end(self, _: str) -> None:
        self.depth -= 1

    def element(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            here = (self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)
            self.refuse(wrong("E-IMPORT-SIZE.deep", most=_DEEPEST), *here)
        if tag.endswith(_BOARD):
            self.board = slug(attributes.get("name", ""))
        elif tag.endswith(_REGION):
            self.region(attributes)
        elif tag.endswith(_STACK):
            x, y = _pixel(attributes.get("x")), _pixel(attributes.get("y"))
            board, location = attributes.get("owningBoard", ""), tidy(attributes.get("location", ""))
            by_location = location if attributes.get("useGridLocation") == "true" else ""
            self.stacks.append(_Stack(tidy(attributes.get("name", "")), slug(board), by_location, x, y, []))
        elif tag.endswith(_SLOT) and self.stacks:
            self.stacks[-1].pieces.append(tidy(attributes.get("entryName", "")))

    def region(self, attributes: dict[str, str]) -> None:
        if len(self.found) == _MOST_CITIES:
            here = (self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)
            self.refuse(wrong("E-IMPORT-SIZE.regions", most=_MOST_CITIES), *here)
        x, y = _pixel(attributes.get("originx")), _pixel(attributes.get("originy"))
        self.found.append(ImportedCity(tidy(attributes.get("name", "")), self.board or "board", x, y))


def _pixel(written: str | None) -> int:
    """Return the number of pixels in a text. Return 0 if the text is not a usable number."""
    try:
        number = int(written or "0")
    except ValueError:
        return 0
    return number if abs(number) < 1_000_000 else 0


def _stack_lines(stacks: list[_Stack], found: list[ImportedCity], layout: Layout) -> list[str]:
    """Return a line for each of the first 500 stacks of the set-up. It has the stack's name, its first pieces, and the
    nearest city. Stacks that have neither name nor pieces are left out, and so are stacks on a map without cities."""
    lines = []
    for stack in stacks[:500]:
        pieces = ", ".join(dict.fromkeys(filter(None, [stack.name, *stack.pieces[:5]])))
        city = _where(stack, found, layout)
        if pieces and city:
            lines.append(f"Set-up: {pieces} – {city.name}.")
    return lines


def _where(stack: _Stack, found: list[ImportedCity], layout: Layout) -> CityData | None:
    rows = [(each, city) for each, city in zip(found, layout.cities, strict=True) if each.map == stack.board]
    if not rows:
        return None
    for each, city in rows:
        if stack.location and each.name == stack.location:
            return city
    return min(rows, key=lambda row: (row[0].x - stack.x) ** 2 + (row[0].y - stack.y) ** 2)[1]
