"""Palettes of few colours. They make pictures small enough for a mail."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, cast

from pbem.report.picture.drawing import Drawing
from pbem.report.picture.painting import paint, size_of
from pbem.report.picture.png import paletted_png

if TYPE_CHECKING:
    from PIL import Image

Colour = tuple[int, int, int]

_PRESSED, _HARDER = 6, 10
"""Usual level of compression, and the level for pictures with few colours. The second takes ten times as long, a sixth
of a second, and makes files smaller by a fourteenth."""

COLOURS = 256
"""Number of colours in a small picture. The file is then a third as large, and no difference can be seen."""

_CANDIDATES = 600
"""Number of the most frequent colours of a picture, from which the few colours of a small file are chosen."""

_FAR = 3 * 255**2
"""Square of the largest possible distance between two colours."""


def small_png(
    *drawings: Drawing, colours: int = COLOURS, most: int | None = None, required: Sequence[str] = ()
) -> bytes:
    """Draw pictures, one below the other, as one PNG with a palette. All colours in `required` are in the palette.

    If the file is larger than `most` bytes, draw once more with fewer colours. This second file is returned even if it
    is still too large.
    """
    image = paint(drawings[0]) if len(drawings) == 1 else _stack_pictures(drawings)
    data = _small_png(image, colours, required)
    return data if most is None or len(data) <= most else _small_png(image, 3 * colours // 4, required)


def _small_png(image: Image.Image, colours: int, required: Sequence[str]) -> bytes:
    from PIL import Image  # imported late because drawings do not need it

    sample = image.resize((-(-image.width // 2), -(-image.height // 2)), Image.Resampling.NEAREST)
    if colours == COLOURS:
        palette = sample.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        return paletted_png(image.quantize(palette=palette, dither=Image.Dither.NONE), _PRESSED)
    palette = Image.new("P", (1, 1))
    palette.putpalette(bytes(chain(*_few_colours(sample, colours, required))))
    return paletted_png(image.quantize(palette=palette, dither=Image.Dither.NONE), _HARDER)


def _few_colours(sample: Image.Image, count: int, required: Sequence[str]) -> list[Colour]:
    """Return `count` colours for a palette. First come the `required` colours (written as `#102030`), then frequent
    colours that differ much from the colours before them."""
    colours = cast("list[tuple[int, Colour]]", sample.getcolors(sample.width * sample.height))
    found = sorted(colours, reverse=True)[:_CANDIDATES]
    chosen: list[Colour] = [(each[0], each[1], each[2]) for each in (bytes.fromhex(one[1:]) for one in required)]
    apart = [min([_FAR, *(unlikeness(seen, each) for each in chosen)]) for _, seen in found]
    while len(chosen) < count:
        best = max(range(len(found)), key=lambda k: found[k][0] * apart[k])
        chosen.append(found[best][1])
        apart = [min(far, unlikeness(seen, chosen[-1])) for far, (_, seen) in zip(apart, found, strict=True)]
    return chosen


def unlikeness(first: Colour, second: Colour) -> int:
    """Return the square of the distance between two colours."""
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2 + (first[2] - second[2]) ** 2


def _stack_pictures(drawings: Sequence[Drawing]) -> Image.Image:
    """Draw pictures of the same width, and put them one below the other."""
    from PIL import Image

    heights = [size_of(drawing)[1] for drawing in drawings]
    parts = [paint(drawing) for drawing in drawings]
    # This is made as late as possible, to save memory.
    whole = Image.new("RGB", (parts[0].width, sum(heights)))
    for top in accumulate(heights[:-1], initial=0):
        whole.paste(parts.pop(0), (0, top))
    return whole
