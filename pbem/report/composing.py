"""Blocks of a report, a receipt, an invitation or a reminder, made from its data; all formats are made from them.

All words come from templates in the reader's language; the blocks say nothing that is not in the data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

import msgspec

from pbem.paper.documents.writing import write
from pbem.report import blocks as b
from pbem.report.formats.escaping import exact, one_line, quoted, visible
from pbem.report.language.templates import TemplateData, own, squeeze, template
from pbem.seal.canonical import AnyTree

KINDS = {
    "report": "campaign_report.txt.j2",
    "receipt": "campaign_receipt.txt.j2",
    "invitation": "campaign_invitation.txt.j2",
    "reminder": "campaign_reminder.txt.j2",
}
COVER = "campaign_sealed.txt.j2"
SUBJECTS = "campaign_subjects.txt.j2"


def line(text: str, most: int | None = None) -> str:
    """Words of people, for use within a line."""
    return b.theirs(one_line(text, most) if most else one_line(text))


TOOLS = {"line": line, "quote": quoted, "exact": exact, "insert": b.INSERT.__add__, "cell": b.CELL, "fold": b.FOLD}
"""Functions by which templates insert words of people, and parts with blocks of their own."""


def letter_blocks(data: TemplateData) -> list[b.Block]:
    """Blocks of a report, a receipt, an invitation or a reminder, by its `kind`."""
    echo = write(filled(data["echo"])) if data.get("echo") else ""
    return composed(KINDS[data["kind"]], data | {"echo_text": echo}, inserted(data))


def cover_blocks(data: TemplateData, files: Sequence[str]) -> list[b.Block]:
    """Cover of a sealed letter; no secret of the data is used."""
    return composed(COVER, data | {"files": list(files)}, {})


def composed(name: str, data: dict[str, object], inserts: Mapping[str, Sequence[b.Block]]) -> list[b.Block]:
    """Blocks that a template makes of some data."""
    return b.parsed(rendered(name, data, TOOLS), inserts)


def rendered(name: str, data: TemplateData, tools: Mapping[str, object]) -> str:
    """Text that a template makes of some data. Own templates of a campaign get a copy, because they can change it."""
    given = deepcopy(data) if own() else data
    return template(data["language"], data["game"], name).render({**given, **tools})


def inserted(data: TemplateData) -> dict[str, list[b.Block]]:
    """Parts of a report that have blocks of their own."""
    parts: dict[str, list[b.Block]] = {"account": [], "position": [], "picture": [], "sheet": []}
    if data.get("account"):
        parts["account"] = msgspec.convert(data["account"], list[b.Block])
    if data["kind"] == "report" and data["position"]:
        title, *rest = msgspec.convert(data["position"]["blocks"], list[b.Block])
        parts["position"] = [smaller(block) for block in (title, *rest)]
        moment = b.line_text(title.line) if isinstance(title, b.Heading) else ""
        parts["picture"] = [b.Picture(". ".join(filter(None, (moment, data["picture"]))))]
    if data.get("sheet"):
        whole, short = (lines_of_letter(data.get(key, "")) for key in ("sheet", "short_sheet"))
        parts["sheet"] = [b.Code(whole, letter=True, short=short)]
    return parts


def lines_of_letter(text: str) -> tuple[str, ...]:
    """Lines of a text that is to be copied character by character."""
    return tuple(visible(text).rstrip("\n").split("\n")) if text else ()


def smaller(block: b.Block) -> b.Block:
    """A block of a part of a report; its headings are of level 3 or lower, below the report's own."""
    return b.Heading(3, block.line) if isinstance(block, b.Heading) and block.level < 3 else block


def filled(value: object) -> AnyTree:
    """A letter's content as it was understood, with an empty list wherever nothing is written."""
    if isinstance(value, dict):
        return {key: filled(item) for key, item in value.items()}
    return value or []


def subject(data: dict[str, object]) -> str:
    """Subject of the mail with this report, receipt, invitation or reminder."""
    return one_line(squeeze(rendered(SUBJECTS, data, TOOLS | {"line": one_line})))
