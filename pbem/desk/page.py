"""HTML of the page, with pictures of the boards. The page is a single file that connects to nobody, or loads files
beside it. It is the same, byte by byte, for the same files."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

import msgspec
import yaml
from markupsafe import Markup

from pbem import __version__
from pbem.desk.board import BOTH
from pbem.desk.bundle import LIBRARIES, cached_result, payload, press_input
from pbem.desk.practice import rules_of, terms_of
from pbem.desk.runtime import PARTS, Archives, archives, npm_files, zip_files
from pbem.engine.cards import SeededDealer
from pbem.engine.nouns import each_piece
from pbem.faults.nouns import SIGN_OF_SUIT, nouns
from pbem.kit import game_named
from pbem.paper.documents.strict import PARSER
from pbem.paper.library import find_board, load_board_file
from pbem.report.language.templates import environment
from pbem.report.maps import Request, picture_svg
from pbem.report.picture.letterforms import rule_of
from pbem.report.picture.png import to_webp
from pbem.report.picture.theme import ThemeName
from pbem.resources import games, resource
from pbem.site.atlas import FAMILY
from pbem.site.pages import fingerprint, json_for_page

FOLDER = "desk"
LETTERS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) + "–—‘’‚“”„…†‡•›‹€♣♦♥♠→"
SCRIPTS = (
    "beside.js",
    "worker.js",
    "begin.js",
    "telling.js",
    "steps.js",
    "cards.js",
    "forms.js",
    "names.js",
    "marks.js",
    "board.js",
    "marching.js",
    "bar.js",
    "signing.js",
    "joining.js",
    "motions.js",
    "moderators.js",
    "plans.js",
    "drafts.js",
    "chances.js",
    "practice.js",
    "tracks.js",
    "archive.js",
    "keeping.js",
    "hosting.js",
    "desk.js",
    "whatif.js",
    "notebook.js",
    "start.js",
)
"""Parts of the page's one script, in their order."""

ENGINE = "engine.js"
"""Module that both the page and its worker load."""

PAPER = "#f6f0e1"
"""Colour around the page, as desk.css has it by day."""

FONT = "fontpkg-pt-serif"
STYLES = ("Regular", "Bold", "Italic", "BoldItalic")


class Enclosed(msgspec.Struct, frozen=True):
    """File that the page contains, and opens when it begins."""

    name: str
    data: bytes


def desk_page(language: str, enclosed: Enclosed | None = None, runtime: Path | None = None) -> bytes:
    """Return the desk as a single HTML file, with a report in it if there is one."""
    parts = archives(runtime)
    packed_whole = payload(parts)
    held = {"length": len(packed_whole), "payload": Markup(dense_text(packed_whole))}  # noqa: S704 - text without `<`
    return page_html(language, parts, held, enclosed)


def page_html(language: str, parts: Archives, held: Mapping[str, object], enclosed: Enclosed | None = None) -> bytes:
    """Return the HTML of the page, with the file `enclosed`. `held` has the packed program and its length, or else the
    names of the files beside the page."""
    css, script = f"{asset('desk.css')}{fonts()}", "".join(map(asset, SCRIPTS))
    alone = policy(css, script)
    data = {
        "language": language,
        "words": json_for_page(words()),
        "unbegun": words()[language]["unbegun"],
        "letter": base64.b64encode(enclosed.data).decode() if enclosed else "",
        "letter_name": enclosed.name if enclosed else "",
        "css": Markup(css),  # noqa: S704 - ours
        "script": Markup(script),  # noqa: S704 - ours
        "engine": Markup(asset(ENGINE)),  # noqa: S704 - ours
        "alone": as_browsers_write(alone),
        "policy": as_browsers_write(alone if "payload" in held else with_files_beside(alone)),
        "paper": PAPER,
        "version": __version__,
        "licences": licences(parts),
        "picture": (WIDTH, HEIGHT),
        "boards": boards(language, parts),
        **held,
    }
    return environment([FOLDER], None, autoescape=True).get_template("page.html.j2").render(data).encode()


def boards(language: str, parts: Archives) -> dict[str, dict[str, str]]:
    """Return a picture of each game's board in base 64, keyed by game and theme."""
    given = {**press_input(parts), "language": language.encode()}
    made = cached_result(
        "boards", given, lambda: msgspec.json.encode({game: pictures_of(game, language) for game in games()})
    )
    return msgspec.json.decode(made, type=dict[str, dict[str, str]])


def dense_text(data: bytes) -> str:
    """Return bytes as text that HTML leaves unchanged. In UTF-8 it is shorter than base 64."""
    # The low seven bits of each byte make one character. At the end, the high bits of each seven bytes make one
    # character.
    padded = data + bytes(-len(data) % 7)
    high = padded.translate(bytes(byte >> 7 for byte in range(256)))
    bits = sum(int.from_bytes(high[place::7], "big") << place for place in range(7))
    seven = padded.translate(bytes(byte & 127 for byte in range(256))) + bits.to_bytes(len(padded) // 7, "big")
    return seven.decode("ascii").translate({ord(each): ord(each) + 128 for each in "\0\r<"})


def words() -> dict[str, dict[str, str]]:
    """Return the words of the page, keyed by language and key."""
    found = {}
    for path in sorted(resource("templates").glob("*/desk.yaml")):
        language = path.parent.name
        suits = {name: f"{sign} {nouns(language)['suits'][sign]}" for name, sign in SIGN_OF_SUIT.items()}
        chosen = {f"order-{key}": name for key, name in (nouns(language)["lands"] | suits).items()}
        found[language] = chosen | msgspec.convert(yaml.load(path.read_bytes(), PARSER), dict[str, str])  # noqa: S506 - as safe as safe_load
    return found


def asset(name: str) -> str:
    return (resource("templates") / FOLDER / name).read_text("utf-8")


def fonts() -> str:
    """Return the style rules that embed the page's font."""
    return "".join(rule_of(FAMILY, style, LETTERS) for style in STYLES)


def as_browsers_write(text: str) -> Markup:
    """Return text for the page with unescaped quotation marks, as browsers save them."""
    return Markup(html.escape(text, quote=False))  # noqa: S704 - escaped


def policy(css: str, script: str) -> str:
    """Return the security policy of a page that runs only this script and its packed code, and connects to nobody."""
    return (
        f"default-src 'none'; script-src '{fingerprint(script)}' blob: 'wasm-unsafe-eval'; "
        f"style-src '{fingerprint(css)}'; img-src data: blob:; font-src data:; connect-src 'none'; "
        "worker-src blob:; base-uri 'none'; form-action 'none'"
    )


def with_files_beside(alone: str) -> str:
    """Return the security policy of a page that loads files beside it. Once they are loaded, the page itself sets the
    stricter policy `alone`."""
    more = {
        "connect-src 'none'": "connect-src 'self'",
        "img-src ": "img-src 'self' ",
        "worker-src ": "worker-src 'self' ",
    }
    for strict, wide in more.items():
        alone = alone.replace(strict, wide)
    return f"{alone}; manifest-src 'self'"


def licences(parts: Archives) -> list[dict[str, str]]:
    """Return the name, terms and licence of each program in the page."""
    fetched = []
    for part in PARTS:
        archive = parts[part.file]
        files = npm_files(archive) if part.file.endswith(".tgz") else zip_files(archive, is_licence)
        fetched.append({"name": part.file, "terms": part.licence, "text": licence_in(files)})
    return [*fetched, *(library_terms(name) for name in (*LIBRARIES, FONT))]


def library_terms(name: str) -> dict[str, str]:
    """Return the name, terms and licence of an installed library."""
    about = distribution(name)
    found = {str(path): path.read_binary() for path in about.files or () if is_licence(str(path))}
    terms = next((about.metadata[key] for key in ("License-Expression", "License") if key in about.metadata), "")
    return {"name": f"{name} {about.version}", "terms": terms.partition("\n")[0], "text": licence_in(found)}


def licence_in(files: Mapping[str, bytes]) -> str:
    """Return the text of the licences among files."""
    found = "\n".join(files[name].decode("utf-8", "replace") for name in sorted(files) if is_licence(name))
    return as_browsers_write(found.replace("\r\n", "\n"))


def is_licence(name: str) -> bool:
    return PurePosixPath(name).stem.upper() in ("LICENSE", "LICENCE", "OFL", "COPYING")


WIDTH, HEIGHT = 344, 215
"""Width and height of a picture in pixels."""

QUALITY = 36
"""Quality at which names can still be read. All pictures together have some 80 kilobytes."""

BOX = re.compile(r'(<svg\b[^>]*?) width="[^"]*" height="[^"]*" viewBox="[^"]*"')


def pictures_of(game: str, language: str) -> dict[ThemeName, bytes]:
    """Return pictures of a game's board at the beginning, keyed by theme, cut to the middle of the pieces."""
    rules, started = rules_of(terms_of(game, "")), game_named(game)
    table, _ = started.start(rules, SeededDealer("a picture shows no card"))
    board, seen = find_board(rules.terms.board), started.view(table, ())
    cities = load_board_file(board).cities
    stand = [cities[piece.city] for _, piece in each_piece(seen.pieces) if piece.city >= 0]
    box = window_of([(city.x, city.y) for city in stand])
    found = {}
    for theme in BOTH:
        svg = picture_svg(Request(board, seen, language=language, theme=theme, width=WIDTH))
        part, times = BOX.subn(rf'\1 viewBox="{box}"', svg, count=1)
        assert times, "a drawing begins with its size"
        found[theme] = to_webp(part, WIDTH, QUALITY)
    return found


PART = 0.7
"""Share of the area with pieces that a picture shows, in width and in height."""


def window_of(stand: list[tuple[float, float]]) -> str:
    """Return a `viewBox` in the shape of a picture. Its middle is that of the given places."""
    (left, right), (top, bottom) = ((min(line), max(line)) for line in zip(*stand, strict=True))
    width = max(right - left, (bottom - top) * WIDTH / HEIGHT) * PART
    height = width * HEIGHT / WIDTH
    return f"{(left + right - width) / 2:.1f} {(top + bottom - height) / 2:.1f} {width:.1f} {height:.1f}"
