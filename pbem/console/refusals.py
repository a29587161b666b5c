"""Printing of refusals and of wrong use, with an exit code for each."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from pbem.console.language import language_wanted
from pbem.console.printing import print_json, say
from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import Gap, PbemError, Wrong, WrongUse, printable, words, wrong
from pbem.paper.documents.faults import MOST_FAULTS, Fault
from pbem.paper.letters import LETTER

REFUSED = 1
"""Exit code of a refusal. Wrong use of the program ends with 2."""


def misuse(key: str, **gaps: Gap) -> str:
    """Return a sentence about wrong use of a command."""
    return words(key, **gaps).text(language_wanted())


SOURCES = {
    "agreement": "source-agreement",
    "archive": "source-archive",
    "invitation": "source-invitation",
    "key": "source-key",
    "ledger": "source-ledger",
    "letter": "source-letter",
    "letters": "source-letters",
    "mail": "source-mail",
    "notebook": "source-notebook",
    "notes": "source-notes",
    "options": "source-options",
    "pieces": "source-pieces",
    "table": "source-table",
}
"""Dict from the subject of a refusal that names no file, such as the key or the mail, to its wording."""


def fault_data(source: str, fault: Wrong) -> dict[str, object]:
    return {"file": source, **fault.data(language_wanted())}


def refuse(source: str, faults: Sequence[Wrong], json_wanted: bool) -> None:
    """Print faults, and end the command unless all are warnings. JSON is not printed for warnings alone. `source` is a
    file's name, a key of `SOURCES`, or empty."""
    errors, language = any(not fault.is_warning for fault in faults), language_wanted()
    if json_wanted and errors:
        print_json({"refused": [fault_data(source, fault) for fault in faults]})
    elif not json_wanted:
        told = words(SOURCES[source]).text(language_wanted()) if source in SOURCES else source
        for fault in faults[:MOST_FAULTS]:
            say(fault.message_line(told, language) if source else fault.sentence(language), err=True)
            if quoted := line_refused(source, fault):
                say(f"    “{quoted}”", err=True)
        if len(faults) > MOST_FAULTS:
            more = words("faults-more", number=len(faults) - MOST_FAULTS).text(language)
            say(f"{told}: {more}" if source else more, err=True)
    if errors:
        sys.exit(REFUSED)


LETTERS = (".yaml", ".yml", ".json", ".txt")
"""Suffixes of files in which the line of a fault is counted from the beginning of the file."""

MOST_QUOTED = 100
"""Most characters of a refused line that are printed."""


def line_refused(source: str, fault: Wrong) -> str:
    """Return the line with this fault in a letter's file; empty if the fault is not in a letter, or the file is
    unreadable."""
    if not isinstance(fault, Fault) or fault.code.split("-")[:2] != ["E", "LETTER"] or not source.endswith(LETTERS):
        return ""
    with suppress(OSError, UnicodeDecodeError):
        lines = Path(source).read_bytes()[: LETTER.size].decode("utf-8-sig").splitlines()
        return printable(lines[fault.line - 1].strip()[:MOST_QUOTED]) if 0 < fault.line <= len(lines) else ""
    return ""


@contextmanager
def refusals(json_wanted: bool) -> Iterator[None]:
    """Open a `with` block in which a refusal, or an error about a file, is printed as faults and ends the command.
    Wrong use becomes an exception of click."""
    try:
        yield
    except WrongUse as misused:
        said = misused.message_line(language_wanted())
        raise (
            click.BadParameter(said, param_hint=misused.option) if misused.option else click.UsageError(said)
        ) from None
    except PbemError as refused:
        refuse(refused.source, refused.faults, json_wanted)
    except OSError as error:
        if error.filename is None:
            raise
        refuse(str(error.filename), (wrong("E-FILE.read", why=reason_of(error)),), json_wanted)


def end_with_fault(fault: Wrong, json_wanted: bool = False) -> None:
    """End the command with a fault that is about no file."""
    refuse("", (fault,), json_wanted)
