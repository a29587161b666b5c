"""A verification that several processes share: the same output whatever their number, and nothing is taken on trust."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from pbem.campaign.proof import sharing
from pbem.seal.keys import new_key
from tests.campaign.simulated import SimulatedTable
from tests.protocol.forging import Draft, rewritten
from tests.protocol.together import told


@pytest.mark.parametrize(
    ("name", "jobs"),
    [("advanced", "3"), ("eventful", "2"), ("eventful", "3"), ("revealing", "3"), ("planned", "2"), ("fated", "2")],
)
def test_a_sound_archive_is_verified_alike_by_any_number(
    name: str, jobs: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    table: SimulatedTable = request.getfixturevalue(name)
    forms = [(), ("--json",)] if name == "eventful" else [("--json",)]
    alone = [told(table.root, *form) for form in forms]
    # Sound as it is, it is not verified a second time by one process.
    monkeypatch.setattr(sharing, "verify", None)
    assert [told(table.root, "--jobs", jobs, *form) for form in forms] == alone
    assert {code for code, _, _ in alone} == {0}


def salt_of_last(draft: Draft) -> None:
    """The last sealed part has another salt."""
    number = max((n for n, letter in draft.opened["letters"].items() if letter["opened"]), key=int)
    next(iter(draft.opened["letters"][number]["opened"].values()))["salt"] = "00" * 32


def test_what_is_wrong_in_the_last_part_is_found_in_the_processes_too(
    eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path]
) -> None:
    root = copied(eventful)
    rewritten(root, eventful.moderator, salt_of_last)
    walk = sharing.walk_through(sharing.SharedVerifier(root))
    assert walk.found.is_good
    with pytest.raises(sharing.Unsound):
        walk.share_out(2)


def test_a_false_signature_is_found_in_the_processes_too(eventful: SimulatedTable) -> None:
    walk = sharing.walk_through(sharing.SharedVerifier(eventful.root))
    walk.keys[-1] = new_key("somebody else").public
    with pytest.raises(sharing.Unsound):
        walk.share_out(2)


def test_a_process_that_is_killed_is_told_in_one_sentence(
    eventful: SimulatedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killing(shared: sharing.SharedData, size: int) -> Iterator[sharing.Task]:
        yield sharing.Signatures(0, 1)
        for child in active_children():
            child.kill()
        yield sharing.Signatures(1, 2)

    monkeypatch.setattr(sharing, "tasks_of", killing)
    code, said, why = told(eventful.root, "--jobs", "2")
    assert (code, said) == (1, "")
    assert "E-WORK-STOPPED" in why
    assert "Traceback" not in why
    assert told(eventful.root)[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the processes of a session in this way")
def test_nobody_goes_on_when_the_command_is_killed(eventful: SimulatedTable) -> None:
    command = [sys.executable, "-m", "pbem", "verify", str(eventful.root), "--jobs", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None and len(in_session(process.pid)) < 2:
        time.sleep(0.05)
    process.kill()
    process.wait()
    until = time.monotonic() + 20
    while (left := in_session(process.pid)) and time.monotonic() < until:
        time.sleep(0.02)
    assert left == []


def in_session(session: int) -> list[int]:
    """The processes of a session that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its = path.read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(its) == session and state != "Z":
            found.append(int(path.parent.name))
    return found
