"""Drawings bring along the letters that they use, and letters are drawn as the font has them."""

from __future__ import annotations

import base64
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.ttLib import TTFont
from PIL import ImageFont

from pbem.paper.library import boards
from pbem.report.maps import Request, picture_svg
from pbem.report.picture import to_png
from pbem.report.picture.letterforms import COARSE, font_file, font_named, font_rules, with_font
from tests.site.browsing import BROWSER, DRIVER, reader

RULE = re.compile(
    r"@font-face\{font-family:'([^']*)';font-weight:(\w+);font-style:(\w+);src:url\(data:font/woff;base64,([^)]*)\)"
)
WORDS = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 40"><title>Qq</title>'
    '<text x="4" y="22" font-size="20">Łódź</text><g font-weight="bold"><text y="22">Prag</text>'
    '<text y="22" font-style="italic">Elbe</text></g></svg>'
)


def fonts_in(text: str) -> dict[tuple[str, str, str], Any]:
    """The fonts that a drawing or a page brings along, by family, weight and slant."""
    return {tuple(names): TTFont(BytesIO(base64.b64decode(data))) for *names, data in RULE.findall(text)}  # type: ignore[misc]


def test_each_style_has_the_letters_that_are_written_in_it_and_no_others() -> None:
    found = fonts_in(font_rules([WORDS], "Some"))
    assert {key: "".join(map(chr, sorted(font.getBestCmap()))) for key, font in found.items()} == {
        ("Some", "normal", "normal"): "dóŁź",
        ("Some", "bold", "normal"): "Pagr",
        ("Some", "bold", "italic"): "Ebel",
    }


@pytest.mark.parametrize("board", boards().values(), ids=list(boards()))
def test_a_drawing_has_its_font_and_stays_within_its_size(board: Path) -> None:
    svg = picture_svg(Request(board))
    assert len(svg.encode()) < 400_000
    assert sum(len(rule) for rule in re.findall(r"<style>.*?</style>", svg)) < 80_000
    root = ElementTree.fromstring(svg)
    written = {letter for text in root.iter("{http://www.w3.org/2000/svg}text") for letter in text.text or ""}
    has = {chr(code) for font in fonts_in(svg).values() for code in font.getBestCmap()}
    whole = {chr(code) for code in TTFont(BytesIO(font_file("Regular"))).getBestCmap()}
    assert has == written & whole
    assert written - whole <= set("♣♦♥♠")


def test_a_png_is_the_same_with_it() -> None:
    assert to_png(with_font(WORDS), 300) == to_png(WORDS, 300)


@pytest.mark.parametrize("style", ["Regular", "Bold", "Italic", "BoldItalic"])
def test_every_letter_lies_where_the_font_has_it(style: str) -> None:
    """Those too that are put together of others, turned or moved."""
    tables, font = TTFont(BytesIO(font_file(style))), font_named(style)
    shapes = tables.getGlyphSet()
    for code, glyph in tables.getBestCmap().items():
        pen = ControlBoundsPen(shapes)
        shapes[glyph].draw(pen)
        letter = font.glyph(chr(code))
        assert letter is not None
        if pen.bounds is None:
            assert letter.outline is None
            continue
        west, south, east, north = (side / COARSE for side in pen.bounds)
        assert letter.hull[:4] == pytest.approx((west, east, -north, -south), abs=1), chr(code)


@pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no chromium with its driver on this machine")
def test_a_browser_without_the_font_sets_every_text_as_wide_as_the_font_does(tmp_path: Path) -> None:
    pytest.importorskip("selenium", reason="selenium drives the browser")
    path = tmp_path / "board.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{picture_svg(Request(boards()['theatrum-belli']))}")
    with reader(tmp_path / "profile") as person:
        person.driver.get(path.as_uri())
        person.run("return document.fonts.ready.then(() => 0)")
        found = person.run(
            "return [...document.querySelectorAll('text')].map(e => { const s = getComputedStyle(e); return ["
            "e.textContent, s.fontWeight, s.fontStyle, parseFloat(s.fontSize), s.letterSpacing, "
            "e.getComputedTextLength()]})"
        )
    compared = 0
    for words, weight, slant, size, spacing, width in found:
        if spacing == "normal" and not set(words) & set("♣♦♥♠"):
            style = ("Bold" * (weight == "700") + "Italic" * (slant == "italic")) or "Regular"
            wanted = ImageFont.truetype(BytesIO(font_file(style)), 1000).getlength(words) * size / 1000
            assert width == pytest.approx(wanted, rel=0.02, abs=0.5), words
            compared += 1
    assert compared > 300
