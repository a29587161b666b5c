"""Pictures as PNG, the same on every machine: with the font that comes with the program and no other."""

from __future__ import annotations

import io
from importlib.resources import as_file, files

from pbem.report.picture.outlines import outlined

COLOURS = 256
"""How many colours a small picture has; the eye does not miss the others, and it weighs a third."""

_PRESSED = 6
"""How hard a small picture is compressed: nine would take seven times as long for a thirtieth of the size."""


def to_png(svg: str, width: int) -> bytes:
    """The picture this many pixels wide."""
    import resvg_py

    drawn = outlined(svg)
    with as_file(files("fontpkg_pt_serif") / "files") as fonts:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=drawn,
                width=width,
                skip_system_fonts=True,
                font_files=sorted(str(font) for font in fonts.glob("*.ttf")),
                font_family="PT Serif",
                serif_family="PT Serif",
                sans_serif_family="PT Serif",
                monospace_family="PT Serif",
            )
        )


def to_small_png(svg: str, width: int) -> bytes:
    """A picture in 256 colours of its own, so that it can be sent by mail.

    Transparency is taken away first: there is none, but the colours left for it would be missed elsewhere.
    """
    from PIL import Image

    with Image.open(io.BytesIO(to_png(svg, width))) as full:
        small = full.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, "PNG", compress_level=_PRESSED)
    return out.getvalue()
