"""Verification by several processes, which share the checks of signatures, letters and adjudications.

The first process carries the ledger out without comparing anything. It hands each part of the ledger, with the state
before the part, to another process, which judges it. If any process finds something, one process verifies everything
again, so that the findings keep their order.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry, check_entry, record_in
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.replaying import (
    MALFORMED,
    Moments,
    first_public_state,
    replay_from,
    rollback_targets,
    watch_nothing,
)
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import Snapshot
from pbem.campaign.proof.judging_again import Rejudging, state_maker
from pbem.campaign.proof.opened_letters import OpenedLetters
from pbem.campaign.proof.verification import EntryVerifier, Figures, Verification
from pbem.campaign.proof.verifying import Verifier, verify, walk_through
from pbem.faults.wrong import PbemError
from pbem.paper.letter_kinds import PRIVATE_KINDS
from pbem.seal.keys import PublicKey
from pbem.work.executors import WorkFault, executor

PARTS = 3
"""Number of parts of the ledger for each process. Every process checks several parts, because some take longer than
others."""


class SharedData(Struct, frozen=True):
    """Data that every process gets once."""

    root: Path
    entries: list[Entry]
    keys: list[PublicKey]
    """The moderator's key at each entry."""
    letters: OpenedLetters | None
    """The letters that the close has opened; None while the campaign runs."""
    public: PublicState
    deadlines: dict[int, str]
    """Dict from the number of each entry to the deadline after it."""
    times: list[str]
    """Dates of all entries."""
    positions: tuple[int, ...]
    """Entries to which the game can be turned back."""


class Part(Struct, frozen=True):
    """Entries that one process checks, with the state before them. The entry with index `first` is included, the entry
    with index `behind` is not."""

    first: int
    behind: int
    state: bytes
    """Snapshot of the secret state before the part, as JSON."""
    moments: dict[int, bytes]
    """Snapshots of earlier states to which entries of the part may go back, as JSON. The key is the entry after which
    the game was in this state."""


class Signatures(Struct, frozen=True):
    """Entries whose signatures one process checks. The entry with index `first` is included, the entry with index
    `behind` is not."""

    first: int
    behind: int


Task: TypeAlias = "Signatures | Part"
"""Work that one process does at a time."""


class Unsound(Exception):
    """Exception for a finding of one process. Everything is then verified anew in one process."""


def verify_together(root: Path, jobs: int) -> Verification:
    """Verify a campaign's folder in `jobs` processes, and return the result. Raises `WorkFault` if a process is
    killed."""
    if jobs < 2:
        return verify(root)
    begun = clock.perf_counter()
    walk = walk_through(SharedVerifier(root))
    if not walk.found.is_good:
        return verify(root)
    try:
        walk.share_out(jobs)
    except WorkFault:
        raise
    except (Unsound, PbemError, *MALFORMED):
        return verify(root)
    walk.found.figures.seconds = clock.perf_counter() - begun
    return walk.found


class SharedVerifier(Verifier):
    """Verifier that leaves the long checks to other processes."""

    def __init__(self, root: Path) -> None:
        super().__init__(open_folder(root), Verification())
        self.keys: list[PublicKey] = []
        self.opened_letters: OpenedLetters | None = None

    def check_entry(self, entry: Entry, moderator: PublicKey) -> None:
        """Note the moderator's key of an entry. Another process checks the signature."""
        self.keys.append(moderator)

    def play_again(self, entries: list[Entry], closed: r.CloseRecord, letters: OpenedLetters) -> Iterator[None]:
        """Note the opened letters and yield nothing: here other processes play the game again."""
        self.opened_letters = letters
        return iter(())

    def share_out(self, jobs: int) -> None:
        """Let `jobs` processes check everything, and add up their counts. Raises `Unsound` if a process finds
        something."""
        shared = self.shared_data()
        tasks = tasks_of(shared, -(-len(self.entries) // (PARTS * jobs)))
        for looked_at in executor(jobs).results(Helper, shared, tasks):
            self.add(looked_at)

    def shared_data(self) -> SharedData:
        assert self.public is not None
        root, letters = self.folder.root, self.opened_letters
        facts = (self.public, self.deadlines, self.times, tuple(self.tables))
        return SharedData(root, self.entries, self.keys, letters, *facts)

    def add(self, looked_at: Figures) -> None:
        """Add the counts of one process to the counts of the whole verification."""
        figures = self.found.figures
        figures.letters += looked_at.letters
        figures.sealed += looked_at.sealed
        figures.adjudications += looked_at.adjudications


def tasks_of(shared: SharedData, size: int) -> Iterator[Task]:
    """Yield all tasks for the processes, each of about `size` entries."""
    for first in range(0, len(shared.entries), size):
        yield Signatures(first, first + size)
    if shared.letters is not None:
        yield from Helper(shared).parts(size)


class Helper:
    """Worker in one of the processes that share a verification."""

    def __init__(self, shared: SharedData) -> None:
        self.shared = shared
        self.walked = [(entry, record_in(entry)) for entry in shared.entries]
        self.wanted = rollback_targets(self.walked)

    def __call__(self, task: Task) -> Figures:
        """Do one task, and return its counts. Raises `Unsound` for any fault."""
        try:
            return self.check_part(task) if isinstance(task, Part) else self.check_signatures(task)
        except PbemError:
            raise Unsound from None

    def check_signatures(self, task: Signatures) -> Figures:
        some = slice(task.first, task.behind)
        for entry, key in zip(self.shared.entries[some], self.shared.keys[some], strict=True):
            check_entry(entry, key)
        return Figures()

    def walk(self) -> EntryVerifier:
        """Return a verification to which all results of the first process for public entries are copied."""
        shared = self.shared
        walk = EntryVerifier(open_folder(shared.root), Verification())
        walk.public, walk.deadlines, walk.times = shared.public, shared.deadlines, shared.times
        walk.tables = {number: {} for number in shared.positions}
        return walk

    @cached_property
    def state_from(self) -> Callable[[Snapshot], SecretState]:
        """Return a function that makes a secret state from a snapshot. The function is made once in each process."""
        return state_maker(self.walk(), self.letters)

    @property
    def letters(self) -> OpenedLetters:
        """Return the opened letters of a closed campaign."""
        assert self.shared.letters is not None
        return self.shared.letters

    def parts(self, size: int) -> Iterator[Part]:
        """Yield the ledger after its first entry in parts of `size` entries, each with the state before it."""
        closed = self.walked[-1][1]
        assert isinstance(closed, r.CloseRecord)
        state = self.state_from(Snapshot(first_public_state(*self.walked[0]), closed.secret))
        state.compares = False
        moments = Moments(self.wanted)
        for first in range(1, len(self.walked), size):
            yield Part(first, first + size, msgspec.json.encode(state.snapshot()), {**moments.kept})
            if first + size < len(self.walked):
                for _ in replay_from(self.walked[first : first + size], state, moments, watch_nothing):
                    pass

    def check_part(self, part: Part) -> Figures:
        """Judge the letters of one part of the ledger again, carry its entries out, and return the counts of what was
        checked. Raises `Unsound` if anything is found, even a warning."""
        walk, todo = self.walk(), self.walked[part.first : part.behind]
        again = Rejudging(walk, self.letters)
        again.received = {
            entry.number: record
            for entry, record in self.walked[: part.first]
            if isinstance(record, r.LetterRecord) and record.kind not in PRIVATE_KINDS
        }
        state = self.state_from(msgspec.json.decode(part.state, type=Snapshot))
        for _ in again.steps_of(
            todo[0][0], replay_from(todo, state, Moments(self.wanted, part.moments), again.judge_before)
        ):
            pass
        if walk.found.findings:
            raise Unsound
        return walk.found.figures
