"""Embedded fonts: a drawing brings its letters along, so that names keep their places without the font installed."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from functools import lru_cache
from io import BytesIO
from xml.etree import ElementTree

from pbem.report.picture.letterforms import font_file, style_of

FAMILY = "PT Serif"


def with_font(svg: str) -> str:
    """Drawing with the part of the font that it needs, after its title."""
    head, title, rest = svg.partition("</title>")
    return f"{head}{title}<style>{font_rules([svg])}</style>{rest}"


def font_rules(drawings: Iterable[str], family: str = FAMILY) -> str:
    """Style rules that embed the letters of these drawings as a font family of this name."""
    used: dict[str, set[str]] = {}
    for drawing in drawings:
        _collect(ElementTree.fromstring(drawing), {"font-weight": "", "font-style": ""}, used)  # noqa: S314 - ours
    return "".join(rule_of(family, style, used[style]) for style in sorted(used))


def _collect(element: ElementTree.Element, above: Mapping[str, str], used: dict[str, set[str]]) -> None:
    """Collect the letters of every style within an element."""
    given = {key: element.get(key, value) for key, value in above.items()}
    words = "".join([element.text or "", *(child.tail or "" for child in element)])
    if words.strip() and not element.tag.endswith("}title"):
        used.setdefault(style_of(given["font-weight"], given["font-style"]), set()).update(words)
    for child in element:
        _collect(child, given, used)


def rule_of(family: str, style: str, letters: Iterable[str]) -> str:
    """Style rule that embeds these letters of a style as a font family of this name."""
    weight = "bold" if "Bold" in style else "normal"
    slant = "italic" if "Italic" in style else "normal"
    data = base64.b64encode(part_of_font(style, "".join(sorted(letters)))).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{slant};"
        f"src:url(data:font/woff;base64,{data})format('woff')}}"
    )


@lru_cache(maxsize=64)
def part_of_font(style: str, letters: str) -> bytes:
    """Subset of a style with these letters and their kerning, as WOFF."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    # Without today's timestamp, so that the same letters make the same bytes.
    font = TTFont(BytesIO(font_file(style)), lazy=True, recalcTimestamp=False)
    options = subset.Options(hinting=False, layout_features=["kern"], name_IDs=[], notdef_outline=True)
    chosen = subset.Subsetter(options)
    chosen.populate(text=letters)
    chosen.subset(font)
    font.flavor = "woff"
    out = BytesIO()
    font.save(out)
    return out.getvalue()
