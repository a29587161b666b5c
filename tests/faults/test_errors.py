"""Errors make one tree below `PbemError`; what stands outside of it is named here, with the rooms that may know it."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from pbem.campaign.play.snapshot import Disagreement
from pbem.engine.rules import IllegalOrder
from pbem.faults.wrong import PbemError, wrong
from pbem.paper.documents.faults import Fault, Refused
from tests.sources import source_of
from tests.test_architecture import modules, room_of

SIGNALS = {
    "LetterFailed": {"office", "desk"},  # holds any error, and at which letter it came
    "Malformed": {"seal", "desk"},  # the caller turns it into a fault with words
    "LimitReached": {"office"},  # a conversation with a server is over
    "NotMarked": {"office"},
    "NotNow": {"office"},  # a mail is tried again later
    "NotShared": {"office"},
    "NotTaken": {"office"},
    "NotThere": {"office"},
    "NotTold": {"office"},
    "OutsideCalendar": {"campaign"},  # the verifier turns it into a fault of the entry
    "SessionEnd": {"playing"},  # the player has typed `quit`
    "Unreachable": {"office"},
    "Unreadable": {"seal", "desk"},  # as Malformed
    "Unsound": {"campaign"},  # another process tells what is wrong
    # These take the place of a library's in the page of the desk, and are caught as the library's.
    "DecryptError": {"desk"},
    "InvalidSignature": {"desk"},
    "InvalidTag": {"desk"},
    "UnsupportedAlgorithm": {"desk"},
}
"""Exceptions that carry no fault, and are caught in the rooms where they are raised."""

BUILTIN = {"Exception", "BaseException", "ValueError", "RuntimeError", "OSError", "KeyError", "TypeError"}


@cache
def bases() -> dict[str, set[str]]:
    """Every class of the program, with the names of its bases."""
    return {
        name: {base.split(".")[-1].split("[")[0] for base in above}
        for path in modules().values()
        for name, above in source_of(path).classes
    }


def outside() -> set[str]:
    """Exceptions that are none of the tree, without those of one module alone."""
    return {name for name, above in bases().items() if above & BUILTIN and not name.startswith("_")} - {"PbemError"}


def test_every_error_is_in_the_tree() -> None:
    assert outside() == set(SIGNALS)


def test_a_signal_never_leaves_its_rooms() -> None:
    for name, path in modules().items():
        for node in source_of(path).imports:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pbem"):
                for signal in {alias.name for alias in node.names} & set(SIGNALS):
                    assert room_of(name) in SIGNALS[signal], f"{name} imports {signal}"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (IllegalOrder(wrong("E-DISK-LINK.site", path="x")), "E-DISK-LINK"),
        (Refused("a.yaml", [Fault.at(2, 3, wrong("E-FILE-EXISTS"))]), "a.yaml:2:3: E-FILE-EXISTS"),
        (Refused("a.yaml", [wrong("E-FILE-EXISTS"), wrong("E-DISK-LINK.site", path="x")]), "a.yaml: E-"),
        (Disagreement(7, "it"), "E-LEDGER-DISAGREES"),
    ],
)
def test_every_error_tells_all_that_is_wrong(error: PbemError, told: str) -> None:
    assert str(error).startswith(told)
    assert len(str(error).splitlines()) == len(error.faults) > 0
