"""Plain text of at most 72 columns: reports, receipts, invitations and reminders, each from its data alone."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from pbem.paper.writing import write
from pbem.report.account import Chapter, set_out
from pbem.report.language import NO_BREAK, WIDTH, joined, template, underlined, wrapped

from .escaping import one_line, quoted

TOOLS = {"line": one_line, "quote": quoted}
"""How templates let in what people have written."""


def report_text(data: dict[str, Any]) -> str:
    """A report, by `report_data`."""
    return rendered("campaign_report.txt.j2", data | {"account_text": account_text(data["account"])})


def receipt_text(data: dict[str, Any]) -> str:
    """A receipt, by `receipt_data`."""
    return rendered("campaign_receipt.txt.j2", data | {"echo_text": write(told(data["echo"])) if data["echo"] else ""})


def told(value: Any) -> Any:
    """What was understood, with an empty list where nothing is written."""
    if isinstance(value, dict):
        return {key: told(item) for key, item in value.items()}
    return value or []


def invitation_text(data: dict[str, Any]) -> str:
    """An invitation, by `invitation_data`."""
    return rendered("campaign_invitation.txt.j2", data)


def reminder_text(data: dict[str, Any]) -> str:
    """A reminder, by `reminder_data`."""
    return rendered("campaign_reminder.txt.j2", data)


def sealed_text(data: dict[str, Any], files: list[str]) -> str:
    """The cover of something that is sealed to its reader; nothing secret of the data is used."""
    return rendered("campaign_sealed.txt.j2", data | {"files": files})


def subject(data: dict[str, Any]) -> str:
    """The line that a mail with this report, receipt, invitation or reminder has as its subject."""
    found = template(data["language"], data["game"], "campaign_subjects.txt.j2").render(data | TOOLS)
    return one_line(found)


def account_text(account: list[dict[str, Any]]) -> str:
    """What happened, with a heading for each turn and each stage."""
    blocks: list[str] = []
    for chapter in msgspec.convert(account, list[Chapter]):
        if chapter.title:
            blocks.append(underlined(chapter.title, "=" if chapter.is_turn else "-"))
        blocks += set_out(chapter.paragraphs)
    return joined(blocks) if blocks else ""


def rendered(name: str, data: dict[str, Any]) -> str:
    """What a template makes of some data, with no line too long and never two empty lines in a row."""
    text = template(data["language"], data["game"], name).render(data | TOOLS)
    lines = [laid_out(line) for line in re.sub(r"[ \n]*\n{3,}", "\n\n", text).strip("\n").split("\n")]
    return "\n".join(lines) + "\n"


def laid_out(line: str) -> str:
    """A line broken where it is too long; what belongs to one item of a list stands to its right."""
    if len(line) <= WIDTH:
        return line.rstrip().replace(NO_BREAK, " ")
    indent = len(line) - len(line.lstrip())
    return wrapped(line.lstrip(), indent, 2 if line.lstrip().startswith("- ") else 0)
