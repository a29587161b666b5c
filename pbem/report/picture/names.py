"""Written names of a picture, with all letters that any of them may need."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.paper.boards.place_names import called
from pbem.report.language.templates import languages
from pbem.report.picture.at_hand import at_hand
from pbem.report.picture.chart import KEPT, Chart
from pbem.report.picture.geometry import number
from pbem.report.picture.labels import Hand, Label, size_of_name
from pbem.report.picture.lettering import escape


class Names(Struct, frozen=True):
    """Names of a picture, with a light rim that keeps them readable over roads."""

    labels: tuple[Label, ...]
    ink: str
    halo: str
    rim: float
    """Width of the pen that draws the light rim."""
    letters: tuple[tuple[Hand, str], ...]
    """All letters of the names that could be written on this board."""


def names_of(chart: Chart, labels: Sequence[Label]) -> Names:
    return Names(tuple(labels), chart.theme.ink, chart.theme.halo, 3.6 * chart.unit, _letters(chart))


@at_hand(KEPT)
def _letters(chart: Chart) -> tuple[tuple[Hand, str], ...]:
    """Letters of all names in any language, by their lettering."""
    names = tuple(city.name for city in chart.data.cities)
    found: dict[Hand, set[str]] = {}
    for called_there in (called(chart.data.name, names, language) for language in languages()):
        for city, name in zip(chart.data.cities, called_there, strict=True):
            hand = Hand(size_of_name(city) * chart.unit, city.fortress is not None)
            found.setdefault(hand, set()).update(name, *chart.scenery.two_lines.get(name, ()))
    return tuple((hand, "".join(sorted(found[hand]))) for hand in sorted(found))


def draw_labels(names: Names) -> str:
    """Names as text."""
    pen = f'stroke-width="{number(names.rim)}" stroke-linejoin="round" paint-order="stroke"'
    out = [f'<g fill="{names.ink}" stroke="{names.halo}" {pen}>']
    for hand in sorted({label.hand for label in names.labels}):
        weight = ' font-weight="bold"' if hand.bold else ""
        out.append(f'<g font-size="{number(hand.size)}"{weight}>')
        out += [_draw_label(label) for label in names.labels if label.hand == hand]
        out.append("</g>")
    return "".join(out) + "</g>"


def _draw_label(label: Label) -> str:
    turned = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    return "".join(
        f'<text x="{number(x)}" y="{number(y)}"{turned}>{escape(line)}</text>' for line, (x, y) in label.feet
    )
