"""Archives that somebody offers, made to fill the memory of whoever verifies them or to take for ever.

`python -m tests.fuzz.offered` tries them all, the suite one of each way in which they may be heavy.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Container, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pbem.campaign.founding import campaign_text
from pbem.campaign.ledger.chain import state_text
from pbem.campaign.ledger.entries import ENTRY, EntryHead, build_entry, parse_entry
from pbem.campaign.ledger.records import AbsenceRecord
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.proof.opened_letters import LARGEST_LETTER, LARGEST_OPENED
from pbem.paper.boards.files import BOARD_LIMITS
from tests.campaign.simulated import SimulatedTable

MIB = 1024 * 1024


def letters(letter: bytes, count: int) -> bytes:
    """The file of what was sealed, with so many letters."""
    return b'{"campaign":"x","letters":{' + b",".join(b'"%d":%s' % (number, letter) for number in range(count)) + b"}}"


def holding(body: bytes) -> bytes:
    """A letter in it in which this was sealed."""
    return b'{"text":"x","opened":{"orders":{"salt":"","body":' + body + b"}}}"


def opened_files() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Files of what was sealed, each as large as it may be, made when they are wanted."""
    most = LARGEST_OPENED - 100
    yield "lists", lambda: letters(holding(b"[" + b"[]," * ((most - 100) // 3) + b"[]]"), 1)
    yield "letters of lists", lambda: many(holding(b"[" + b"[]," * (LARGEST_LETTER // 3 - 40) + b"[]]"), most)
    yield "letters of few lists", lambda: many(holding(b"[" + b"[]," * 49_000 + b"[]]"), most)
    yield "letters", lambda: letters(b'{"text":""}', most // 22)
    yield "numbers", lambda: letters(b"1", most // 14)
    yield "texts", lambda: letters(b'{"text":"' + b"\\u00e4" * 345_000 + b'"}', most // 2_070_100)
    yield "quotes", lambda: letters(holding(b'"' + b'\\"' * 1_040_000 + b'"'), most // 2_080_100)
    yield "another key", lambda: b'{"campaign":"x","letters":{},"more":[' + b"[]," * (most // 3 - 40) + b"[]]}"
    yield "deep", lambda: b'{"campaign":"x","letters":{"1":' + b"[" * (most - 100)


def many(letter: bytes, most: int) -> bytes:
    """As many of these letters as a file may hold."""
    return letters(letter, most // (len(letter) + 12))


def entry_files() -> Iterator[tuple[str, bytes]]:
    """Entries of the ledger, each as large as it may be."""
    most = ENTRY.size
    head = b"pbem: 1\nentry: 2\nkind: join\ncampaign: vienna-1741\ntime: 2026-11-21T12:00:00Z\nbefore: " + b"0" * 64
    yield "lists", head + b"\nbody:\n  a: [" + b"[], " * (most // 4 - 100) + b"[]]\n"
    yield "list", head + b"\nbody:\n  a:\n" + b"    - x\n" * (most // 8 - 100)
    yield "keys", head + b"\nbody:\n" + b"".join(b"  k%d: v\n" % number for number in range(most // 13))
    yield "text", head + b"\nbody:\n  a: " + b"x" * (most - 1000) + b"\n"
    yield "anchor", head + b"\nbody:\n  a: &a [" + b"x, " * (most // 3 - 100) + b"x]\n  b: *a\n"
    yield "brackets", b"[" * most
    yield "dashes", b"- " * (most // 2)


def own_files() -> Iterator[tuple[str, bytes]]:
    """Boards of a campaign's own."""
    most = BOARD_LIMITS.size
    yield "lists", b"cities: [" + b"[]," * (most // 3 - 10) + b"[]]"
    yield "list", b"cities:\n" + b"- x\n" * (most // 4 - 10)
    yield "keys", b"".join(b"k%d: v\n" % number for number in range(most // 13))
    yield "large", b"x" * (8 * MIB)


LIMITED = """
import json, os, resource, signal, sys
from click.testing import CliRunner
from pbem.cli import main
from tests.fuzz.limits import MOST_MEMORY, MOST_SECONDS
resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
for line in sys.stdin:
    if not (child := os.fork()):
        signal.alarm(int(MOST_SECONDS))
        done = CliRunner().invoke(main, json.loads(line))
        print(json.dumps([done.exit_code, type(done.exception).__name__, done.output]), flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("null", flush=True)
"""
"""A process that has imported all; its children, which are quick to begin, carry out one command line each."""

SOME = (
    "absences of ages",
    "opened deep",
    "0001-new of list",
    "board of keys",
)
"""One of each kind: entries that cost time, what was sealed, an entry, a board."""


def offer(folder: Path, some: Container[str] | None = None) -> int:
    """Offer the archives to whoever verifies, exports or looks at them; gives how often one was refused."""
    count = 0
    root = Path(__file__).parents[2]
    words = [sys.executable, "-c", LIMITED]
    with subprocess.Popen(words, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        for archive in archives(folder, some):
            for command in commands(archive, folder):
                print(json.dumps(command), file=process.stdin, flush=True)
                answer = json.loads(process.stdout.readline())
                assert answer, f"{command}: the process has died, or it took too long"
                code, how, told = answer
                assert (code, how) == (1, "SystemExit"), (command, how, told[-600:])
                assert "E-" in told
                count += 1
    return count


def commands(archive: Path, folder: Path) -> Iterator[tuple[str, ...]]:
    """Commands to run on an archive."""
    yield "verify", str(archive)
    if archive.name.startswith("opened"):
        yield "export", str(folder / "site"), "-C", str(archive)
    if archive.name.startswith("0"):
        yield "status", str(archive)
        yield "log", str(archive)


def archives(folder: Path, some: Container[str] | None = None) -> Iterator[Path]:
    """The archives, all or some, one after the other; each is there only until the next is asked for."""
    base = SimulatedTable(folder / "base", scenario="introductory").begun()
    base.play(1)
    base.close("enough")
    for name, damage in damages(base):
        if some is None or name in some:
            root = Path(shutil.copytree(base.root, folder / name))
            damage(root)
            yield root
            shutil.rmtree(root)


def damages(base: SimulatedTable) -> Iterator[tuple[str, Callable[[Path], object]]]:
    """Damages of archives: of sealed files, entries, public files, and the files that they began with."""
    for name, make in opened_files():
        yield f"opened {name}", partial(publish, base, make=make)
    for name, data in entry_files():
        beside = ("state.yaml", "campaign.yaml") if name in ("lists", "text") else ()
        for file in ("ledger/0002-join.yaml", "ledger/0001-new.yaml", *beside):
            yield f"{Path(file).stem} of {name}", partial(overwrite, file=file, data=data)
    yield "absences of ages", announce
    for name, data in own_files():
        yield f"board of {name}", partial(begin_with, base, data=data)


def overwrite(root: Path, file: str, data: bytes) -> None:
    """Let a file of an archive be this one."""
    (root / file).write_bytes(data)


def begin_with(base: SimulatedTable, root: Path, data: bytes) -> None:
    """Let a campaign have this board of its own from the first entry on."""
    (root / "rules").mkdir(exist_ok=True)
    (root / "rules/own.yaml").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()

    def change(kind: str, body: Any) -> None:
        if kind == "new":
            body["files"] = {"own.yaml": digest}
            body["settings"]["terms"]["board"] = "own.yaml"

    signed_again(base, root, change)


def publish(base: SimulatedTable, root: Path, make: Callable[[], bytes]) -> None:
    """Let an archive announce this file of what was sealed, and have it."""
    data = make()
    (root / "opened.json").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    signed_again(base, root, lambda kind, body: body.update({"opened": digest} if kind == "close" else {}))


def announce(root: Path) -> None:
    """Put another campaign in its place, in which everybody is away to the end of time."""
    shutil.rmtree(root)
    table = SimulatedTable(root, scenario="introductory").begun()
    with table.open() as campaign:
        for player in table.players:
            campaign.add(AbsenceRecord(player, campaign.now.date().isoformat(), "8900-01-01"))
        campaign.save()
    table.play(10)
    table.close("enough")


def signed_again(base: SimulatedTable, root: Path, change: Callable[[str, Any], None]) -> None:
    """Change the bodies of entries; the whole chain is signed again, and what follows from it written anew."""
    before = "0" * 64
    for path in sorted((root / "ledger").iterdir()):
        entry = parse_entry(path.read_bytes(), path.name)
        body: Any = entry.body
        change(entry.kind, body)
        data = build_entry(
            EntryHead(entry.number, entry.kind, entry.campaign, entry.time, before), body, base.moderator
        )
        path.write_bytes(data)
        before = hashlib.sha256(data).hexdigest()
    reading = read_folder(root, base.now)
    (root / "state.yaml").write_text(state_text(reading.public, reading.head), "utf-8")
    (root / "campaign.yaml").write_text(campaign_text(reading.settings), "utf-8")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        print(f"{offer(Path(folder))} times refused, within the limits")
