"""The letters that a drawing uses, brought along in it: names keep to their places where the font is not installed."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from functools import lru_cache
from io import BytesIO
from xml.etree import ElementTree

from pbem.report.picture.letterforms import font_file, style_of

FAMILY = "PT Serif"


def with_font(svg: str) -> str:
    """The drawing with all that it needs of the font, right behind its title."""
    head, title, rest = svg.partition("</title>")
    return f"{head}{title}<style>{font_rules([svg])}</style>{rest}"


def font_rules(drawings: Iterable[str], family: str = FAMILY) -> str:
    """Rules of a style that bring along what these drawings need, as a family of this name."""
    used: dict[str, set[str]] = {}
    for drawing in drawings:
        _collect(ElementTree.fromstring(drawing), {"font-weight": "", "font-style": ""}, used)  # noqa: S314 - ours
    return "".join(rule_of(family, style, used[style]) for style in sorted(used))


def _collect(element: ElementTree.Element, above: Mapping[str, str], used: dict[str, set[str]]) -> None:
    """Note the letters of every style within an element."""
    given = {key: element.get(key, value) for key, value in above.items()}
    words = "".join([element.text or "", *(child.tail or "" for child in element)])
    if words.strip() and not element.tag.endswith("}title"):
        used.setdefault(style_of(given["font-weight"], given["font-style"]), set()).update(words)
    for child in element:
        _collect(child, given, used)


def rule_of(family: str, style: str, letters: Iterable[str]) -> str:
    """A rule that brings along these letters of a style of the font, as a family of this name."""
    weight = "bold" if "Bold" in style else "normal"
    slant = "italic" if "Italic" in style else "normal"
    data = base64.b64encode(part_of_font(style, "".join(sorted(letters)))).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{slant};"
        f"src:url(data:font/woff;base64,{data})format('woff')}}"
    )


@lru_cache(maxsize=64)
def part_of_font(style: str, letters: str) -> bytes:
    """A style of the font with these letters and how they stand beside each other, and nothing else, as WOFF."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    # Without a timestamp of today, so that the same letters make the same bytes.
    font = TTFont(BytesIO(font_file(style)), lazy=True, recalcTimestamp=False)
    options = subset.Options(hinting=False, layout_features=["kern"], name_IDs=[], notdef_outline=True)
    chosen = subset.Subsetter(options)
    chosen.populate(text=letters)
    chosen.subset(font)
    font.flavor = "woff"
    out = BytesIO()
    font.save(out)
    return out.getvalue()
