"""Pictures as PNG, the same on every machine: with the font that comes with the program and no other."""

from __future__ import annotations

from importlib.resources import as_file, files

from pbem.report.picture.outlines import outlined


def to_png(svg: str, width: int) -> bytes:
    """The picture this many pixels wide."""
    import resvg_py

    drawn = outlined(svg)
    if "<text" not in drawn and ":text" not in drawn:
        return bytes(resvg_py.svg_to_bytes(svg_string=drawn, width=width, skip_system_fonts=True))
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
