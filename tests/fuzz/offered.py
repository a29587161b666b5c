"""Archives that somebody offers, made to fill the memory of whoever verifies them or to take for ever."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pbem.campaign.campaign import campaign_text
from pbem.campaign.ledger.entries import ENTRY, build_entry, parse_entry
from pbem.campaign.ledger.reading import read_folder
from pbem.campaign.ledger.state_file import state_text
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


def opened_files() -> Iterator[tuple[str, bytes]]:
    """Files of what was sealed, each as large as it may be, one after the other."""
    most = LARGEST_OPENED - 100
    yield "lists", letters(holding(b"[" + b"[]," * ((most - 100) // 3) + b"[]]"), 1)
    letter = holding(b"[" + b"[]," * (LARGEST_LETTER // 3 - 40) + b"[]]")
    yield "letters of lists", letters(letter, most // len(letter) - 1)
    letter = holding(b"[" + b"[]," * 49_000 + b"[]]")
    yield "letters of few lists", letters(letter, most // (len(letter) + 12))
    yield "letters", letters(b'{"text":""}', most // 22)
    yield "numbers", letters(b"1", most // 14)
    yield "texts", letters(b'{"text":"' + b"\\u00e4" * 345_000 + b'"}', most // 2_070_100)
    yield "quotes", letters(holding(b'"' + b'\\"' * 1_040_000 + b'"'), most // 2_080_100)
    yield "another key", b'{"campaign":"x","letters":{},"more":[' + b"[]," * (most // 3 - 40) + b"[]]}"
    yield "deep", b'{"campaign":"x","letters":{"1":' + b"[" * (most - 100)


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


def archives(folder: Path) -> Iterator[Path]:
    """The archives, one after the other; each is there only until the next is asked for."""
    base = SimulatedTable(folder / "base", scenario="introductory").begun()
    base.play(1)
    base.close("enough")
    for root in written(base, folder):
        yield root
        shutil.rmtree(root)


def written(base: SimulatedTable, folder: Path) -> Iterator[Path]:
    """Archives damaged in what was sealed, in their entries, their public files, and in what they were begun with."""
    for name, data in opened_files():
        root = write(base, folder / f"opened {name}")
        publish(base, root, data)
        yield root
    for name, data in entry_files():
        beside = ("state.yaml", "campaign.yaml") if name in ("lists", "text") else ()
        for file in ("ledger/0002-join.yaml", "ledger/0001-new.yaml", *beside):
            root = write(base, folder / f"{Path(file).stem} of {name}")
            (root / file).write_bytes(data)
            yield root
    for name, data in own_files():
        root = write(base, folder / f"board of {name}")
        (root / "rules").mkdir(exist_ok=True)
        (root / "rules/own.yaml").write_bytes(data)
        begin_with(base, root, hashlib.sha256(data).hexdigest())
        yield root


def write(base: SimulatedTable, root: Path) -> Path:
    """A copy of an archive."""
    return Path(shutil.copytree(base.root, root))


def begin_with(base: SimulatedTable, root: Path, digest: str) -> None:
    """Let a campaign have a board of its own from the first entry on."""

    def change(kind: str, body: Any) -> None:
        if kind == "new":
            body["files"] = {"own.yaml": digest}
            body["settings"]["terms"]["board"] = "own.yaml"

    signed_again(base, root, change)


def publish(base: SimulatedTable, root: Path, data: bytes) -> None:
    """Let an archive announce this file of what was sealed, and have it."""
    (root / "opened.json").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    signed_again(base, root, lambda kind, body: body.update({"opened": digest} if kind == "close" else {}))


def signed_again(base: SimulatedTable, root: Path, change: Callable[[str, Any], None]) -> None:
    """Change the bodies of entries; the whole chain is signed again, and what follows from it written anew."""
    before = "0" * 64
    for path in sorted((root / "ledger").iterdir()):
        entry = parse_entry(path.read_bytes(), path.name)
        body: Any = entry.body
        change(entry.kind, body)
        data = build_entry(entry.number, entry.kind, entry.campaign, entry.time, before, body, base.moderator)
        path.write_bytes(data)
        before = hashlib.sha256(data).hexdigest()
    reading = read_folder(root, base.now)
    (root / "state.yaml").write_text(state_text(reading.public, reading.head), "utf-8")
    (root / "campaign.yaml").write_text(campaign_text(reading.settings), "utf-8")
