"""Refusals: faults printed in words, wrong use of the program, and the exit codes of both."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from pbem.console.language import language_wanted
from pbem.console.printing import print_json, say
from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import Gap, PbemError, Wrong, WrongUse, words, wrong
from pbem.paper.documents.faults import MOST_FAULTS

REFUSED = 1
"""Exit code of a refusal. Wrong use of the program ends with 2."""


def misuse(key: str, **gaps: Gap) -> str:
    """Return a sentence about wrong use of a command, in the wanted language."""
    return words(key, **gaps).text(language_wanted())


def fault_data(source: str, fault: Wrong) -> dict[str, object]:
    """Return a fault with its file, for JSON."""
    return {"file": source, **fault.data(language_wanted())}


def refuse(source: str, faults: Sequence[Wrong], json_wanted: bool) -> None:
    """Print faults, and end the command if one of them is more than a warning. Words tell the first `MOST_FAULTS` of
    them. JSON tells them all, but nothing if all are warnings."""
    errors, language = any(not fault.is_warning for fault in faults), language_wanted()
    if json_wanted and errors:
        print_json({"refused": [fault_data(source, fault) for fault in faults]})
    elif not json_wanted:
        for fault in faults[:MOST_FAULTS]:
            say(fault.message_line(source, language) if source else fault.sentence(language), err=True)
        if len(faults) > MOST_FAULTS:
            more = words("faults-more", number=len(faults) - MOST_FAULTS).text(language)
            say(f"{source}: {more}" if source else more, err=True)
    if errors:
        sys.exit(REFUSED)


@contextmanager
def refusals(json_wanted: bool) -> Iterator[None]:
    """Return a context in which a refusal, or an error that names a file, is printed as faults and ends the command.
    Wrong use is raised as an exception of click."""
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
