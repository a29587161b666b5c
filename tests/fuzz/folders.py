"""Targets: a campaign's folder in which somebody has written; every command answers, and a refusal changes nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from pbem.campaign.ledger.entries import EntryHead, build_entry, parse_entry
from pbem.campaign.ledger.entries import _bytes_of as written_entry
from pbem.paper.documents.faults import Refused
from pbem.seal.box import pad, seal

from .changes import chance_changes, changed, changed_tree
from .watching import Target
from .world import NAME, World, world

READING: tuple[tuple[str, ...], ...] = (("status", NAME), ("log", NAME, "--events"), ("verify", NAME))
MODERATING: tuple[tuple[str, ...], ...] = (
    ("adjudicate", "-C", NAME, "--force"),
    ("post", "-C", NAME),
    ("remind", "-C", NAME),
    ("rule", "so be it", "-C", NAME),
    ("rollback", "--to", "8", "--why", "x", "-C", NAME),
    ("close", "--why", "x", "-C", NAME),
    ("accept", "letter.yaml", "-C", NAME),
)


def files_of(folder: Path) -> dict[str, bytes]:
    """Everything in a folder but its lock."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def read_folder(data: bytes) -> None:
    """A folder changed as these bytes say: each makes a seed, from which everything else follows."""
    here, chance = world(), Random(data)
    whole = here.table.folder
    kept = whole.with_name("kept")
    if not kept.exists():
        shutil.copytree(whole, kept)
        (here.root / "letter.yaml").write_bytes(here.sheet)
        here.run("sign", "letter.yaml", as_=here.seat)
    try:
        spoil(here, whole, chance)
        before = files_of(whole)
        for words in READING:
            here.run(*words)
        assert files_of(whole) == before, "reading changes nothing"
        words = chance.choice(MODERATING)
        done = here.run(*words, as_="moderator")
        if done.exit_code:
            assert decided(files_of(whole), before) == decided(before, before), words
    finally:
        shutil.rmtree(whole)
        shutil.copytree(kept, whole)


def decided(files: dict[str, bytes], before: dict[str, bytes]) -> dict[str, bytes]:
    """Everything but what came in, and what a command writes anew that finds the public state missing."""
    follows = () if "state.yaml" in before else ("state.yaml", "secret.age")
    return {name: data for name, data in files.items() if not name.startswith(("raw/", *follows))}


def spoil(here: World, folder: Path, chance: Random) -> None:
    """Change something in the folder: bytes, what an entry says, names, kinds of files."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    entries = [path for path in paths if path.parent.name == "ledger"]
    match chance.randrange(10):
        case 0 | 1 | 2:
            path = chance.choice(paths)
            path.write_bytes(changed(path.read_bytes(), chance_changes(chance)))
        case 3 | 4:
            unsigned(chance.choice(entries), chance)
        case 5 | 6:
            retold(here, entries, chance)
        case 7:
            sealed = chance.choice([path for path in paths if path.suffix == ".age"])
            plain = changed(chance.choice((b'{"text": "x"}', b"[" * 5000, b"{}", b"null")), chance_changes(chance))
            sealed.write_text(seal([here.moderator.public], pad(plain)))
        case 8:
            path = chance.choice(paths)
            path.rename(path.with_name(chance.choice(paths).name))
        case _:
            path = chance.choice(paths)
            path.unlink()
            if chance.random() < 0.5:
                path.mkdir()
            elif chance.random() < 0.5:
                path.symlink_to("/dev/zero")


def unsigned(path: Path, chance: Random) -> None:
    """An entry that says something else, under the old signature."""
    entry = parse_entry(path.read_bytes(), path.name)
    body: Any = changed_tree(entry.body, chance)
    try:
        path.write_bytes(written_entry({**entry.tree, "body": body, "signature": entry.signature}))
    except (ValueError, TypeError):
        return


def retold(here: World, entries: list[Path], chance: Random) -> None:
    """An entry that says something else, and all behind it signed anew: what only the moderator can do."""
    place, before = chance.randrange(len(entries)), ""
    for number, path in enumerate(entries):
        entry = parse_entry(path.read_bytes(), path.name)
        body: Any = changed_tree(entry.body, chance) if number == place else entry.body
        if number < place:
            before = entry.hash
            continue
        try:
            data = build_entry(
                EntryHead(entry.number, entry.kind, entry.campaign, entry.time, before or entry.before),
                body,
                here.moderator,
            )
        except (Refused, ValueError, TypeError):
            return
        path.write_bytes(data)
        before = parse_entry(data, path.name).hash


def folders() -> Iterator[Target]:
    """The target of this module."""
    yield Target("folder", tuple(f"{number}".encode() * 4 for number in range(10)), read_folder)
