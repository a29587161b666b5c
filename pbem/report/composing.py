"""From the data of a report, a receipt, an invitation or a reminder to the blocks that every format is made of.

The words stand in the templates of the reader's language; nothing is said here that the data do not hold.
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
    """Words of people within a line."""
    return b.theirs(one_line(text, most) if most else one_line(text))


TOOLS = {"line": line, "quote": quoted, "exact": exact, "insert": b.INSERT.__add__, "cell": b.CELL, "fold": b.FOLD}
"""How templates let in what people have written, and what has blocks of its own."""


def letter_blocks(data: TemplateData) -> list[b.Block]:
    """What a report, a receipt, an invitation or a reminder says, by its `kind`."""
    echo = write(filled(data["echo"])) if data.get("echo") else ""
    return composed(KINDS[data["kind"]], data | {"echo_text": echo}, inserted(data))


def cover_blocks(data: TemplateData, files: Sequence[str]) -> list[b.Block]:
    """The cover of something that is sealed to its reader; nothing secret of the data is used."""
    return composed(COVER, data | {"files": list(files)}, {})


def composed(name: str, data: dict[str, object], inserts: Mapping[str, Sequence[b.Block]]) -> list[b.Block]:
    """What a template makes of some data."""
    return b.parsed(rendered(name, data, TOOLS), inserts)


def rendered(name: str, data: TemplateData, tools: Mapping[str, object]) -> str:
    """What a template writes; a campaign's own gets a copy of the data, in which it can change what it likes."""
    given = deepcopy(data) if own() else data
    return template(data["language"], data["game"], name).render({**given, **tools})


def inserted(data: TemplateData) -> dict[str, list[b.Block]]:
    """The parts of a report that have blocks of their own."""
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
    """What is to be copied, letter by letter."""
    return tuple(visible(text).rstrip("\n").split("\n")) if text else ()


def smaller(block: b.Block) -> b.Block:
    """A block of a part of a report, whose title is no longer that of the whole."""
    return b.Heading(3, block.line) if isinstance(block, b.Heading) and block.level < 3 else block


def filled(value: object) -> AnyTree:
    """What was understood, with an empty list where nothing is written."""
    if isinstance(value, dict):
        return {key: filled(item) for key, item in value.items()}
    return value or []


def subject(data: dict[str, object]) -> str:
    """The line that a mail with this report, receipt, invitation or reminder has as its subject."""
    return one_line(squeeze(rendered(SUBJECTS, data, TOOLS | {"line": one_line})))
