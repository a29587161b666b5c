"""Whole archives are good for both verifiers, and nobody can change one afterwards without both naming the file."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from pbem.campaign.proof.verifying import verify as first
from tests.campaign.simulated import SimulatedTable
from tests.protocol import second_text
from tests.protocol.second import verify as second
from tests.protocol.second_entries import BODIES

Copied = Callable[[SimulatedTable], Path]


@pytest.mark.parametrize("name", ["advanced", "eventful", "revealing", "planned", "fated"])
def test_an_archive_of_the_program_is_good_for_both(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name != "advanced":
        monkeypatch.setattr(second_text, "PARSER", yaml.SafeLoader)
    root = request.getfixturevalue(name).root
    assert first(root).findings == []
    assert second(root) == []


def test_the_cards_of_a_fifth_deck_are_dealt_for_both(fated: SimulatedTable) -> None:
    texts = [path.read_text("utf-8") for path in (fated.root / "ledger").glob("*-adjudication.yaml")]
    assert any("decks: [4]" in text for text in texts)
    assert second(fated.root) == []


def test_an_archive_that_still_grows_is_good_for_both(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    table.join()
    table.play(3)
    with table.open() as campaign:
        assert campaign.public.next is not None
        player = next(iter(campaign.public.next.owing))
        table.deliver(campaign, table.write(campaign, player))
        campaign.save()
    assert first(table.root).findings == []
    assert second(table.root) == []
    assert f"  {player}:\n    entry: " in (table.root / "state.yaml").read_text("utf-8")


def test_an_archive_with_files_of_its_own_is_good_for_both(tmp_path: Path) -> None:
    position = "game: maria\nscenario: introductory\nboard: theatrum-belli\nturn: 2\n"
    table = SimulatedTable(tmp_path / "campaign", position=position, scenario="introductory")
    table.join()
    table.play(1)
    table.close("far enough")
    assert first(table.root).findings == []
    assert second(table.root) == []
    (table.root / "rules/own.yaml").write_text("a note of the moderator's")
    assert [(note.file, note.fault.code) for note in first(table.root).findings] == [
        ("rules/own.yaml", "W-VERIFY-FILE")
    ]
    assert second(table.root) == []


def test_the_archives_have_every_kind_of_entry(eventful: SimulatedTable, revealing: SimulatedTable) -> None:
    names = [path.name for table in (eventful, revealing) for path in (table.root / "ledger").iterdir()]
    elsewhere = {"reminder", "clock", "heirloom", "succession", "proposal", "vote", "end", "resolution"}
    assert {name[5:-5] for name in names} == set(BODIES) - elsewhere


def entry(root: Path, kind: str, number: int = 0) -> Path:
    """One of the entries of a kind."""
    return sorted((root / "ledger").glob(f"*-{kind}.yaml"))[number]


def edited(path: Path, old: str, new: str) -> str:
    """Replace some text of a file; gives its name."""
    text = path.read_text("utf-8")
    found = re.sub(old, new, text, count=1)
    assert found != text
    path.write_bytes(found.encode())
    return path.name


def chained(root: Path, path: Path, old: str, new: str) -> str:
    """Replace some text of an entry and mend the hashes behind it, without the key of the moderator."""
    name = edited(path, old, new)
    before = ""
    for each in sorted((root / "ledger").iterdir()):
        if before:
            each.write_bytes(re.sub("before: [0-9a-f]{64}", f"before: {before}", each.read_text("utf-8")).encode())
        before = hashlib.sha256(each.read_bytes()).hexdigest()
    return name


def swapped(root: Path) -> str:
    """Two neighbours change places."""
    one, two = entry(root, "letter", 0), entry(root, "letter", 1)
    a, b = one.read_bytes(), two.read_bytes()
    one.write_bytes(b)
    two.write_bytes(a)
    return one.name


def renamed(root: Path, path: Path, name: str) -> str:
    """A file gets another name."""
    path.rename(path.with_name(name))
    return name


def removed(path: Path, named: str = "") -> str:
    """A file is gone."""
    path.unlink()
    return named or path.name


def signed_as(root: Path) -> str:
    """An entry bears the signature of another."""
    one, two = entry(root, "ruling"), entry(root, "extension")
    armor = re.search(r"signature: \|\n.*", two.read_text("utf-8"), re.DOTALL)
    assert armor
    return edited(one, r"(?s)signature: \|\n.*", armor[0])


def letter_lost(root: Path) -> str:
    """A letter is taken out of what was opened."""
    path = root / "opened.json"
    document = json.loads(path.read_bytes())
    document["letters"].popitem()
    path.write_text(json.dumps(document))
    return path.name


def last(root: Path) -> Path:
    """The last entry."""
    return sorted((root / "ledger").iterdir())[-1]


OUTSIDERS: dict[str, Callable[[Path], str]] = {
    "a word of a ruling": lambda root: edited(entry(root, "ruling"), "late", "soon"),
    "a digit of the settings": lambda root: edited(entry(root, "new"), "next: 72h", "next: 73h"),
    "a digit of a hash": lambda root: edited(
        entry(root, "adjudication"), "hashes:\n        - [0-9a-f]", "hashes:\n        - x"
    ),
    "the reason of a rollback": lambda root: edited(entry(root, "rollback"), "marched", "stayed"),
    "who plays a seat": lambda root: edited(entry(root, "substitute"), "Kaunitz", "Daun"),
    "a letter that joins": lambda root: edited(entry(root, "join"), "    language: en", "    language: es"),
    "an entry mended behind": lambda root: chained(root, entry(root, "ruling"), "late", "soon"),
    "an event mended behind": lambda root: chained(root, entry(root, "adjudication"), "count: 9", "count: 8"),
    "a blank at the end of a line": lambda root: edited(entry(root, "ruling"), "pbem: 1\n", "pbem: 1 \n"),
    "a comment in the last entry": lambda root: edited(last(root), "pbem: 1\n", "pbem: 1\n# fine\n"),
    "quotes in the last entry": lambda root: edited(last(root), "kind: close", 'kind: "close"'),
    "CRLF in the last entry": lambda root: edited(last(root), "kind: close\n", "kind: close\r\n"),
    "the signature of another": signed_as,
    "two entries swapped": swapped,
    "an entry removed": lambda root: removed(entry(root, "ruling"), f"{int(entry(root, 'ruling').name[:4]):04d}-"),
    "the last entry removed": lambda root: removed(last(root), "state.yaml"),
    "an entry renamed": lambda root: renamed(root, last(root), last(root).name.replace("close", "ruling")),
    "a word of a letter": lambda root: edited(root / "opened.json", "prussia", "austria"),
    "a blank in opened.json": lambda root: edited(root / "opened.json", r"\{", "{ "),
    "a letter lost": letter_lost,
    "opened.json removed": lambda root: removed(root / "opened.json"),
    "the version in state.yaml": lambda root: edited(root / "state.yaml", r"version: \d+", "version: 1"),
    "the phase in state.yaml": lambda root: edited(root / "state.yaml", "phase: closed", "phase: running"),
    "a key in state.yaml": lambda root: edited(root / "state.yaml", "ssh-ed25519 AAAA", "ssh-ed25519 AAAB"),
    "state.yaml removed": lambda root: removed(root / "state.yaml"),
    "the clock in campaign.yaml": lambda root: edited(root / "campaign.yaml", "grace: 24h", "grace: 1h"),
    "campaign.yaml emptied": lambda root: edited(root / "campaign.yaml", r"(?s)\A.*\Z", ""),
}
"""Changes that anybody with write access can make without a key; each returns the name of the faulty file."""


@pytest.mark.parametrize("change", OUTSIDERS.values(), ids=OUTSIDERS)
def test_a_change_from_outside_is_found_by_both(
    eventful: SimulatedTable, copied: Copied, change: Callable[[Path], str]
) -> None:
    root = copied(eventful)
    name = change(root)
    found = first(root)
    assert not found.is_good
    told = [f"{finding.file} {finding.fault.message}" for finding in found.findings]
    assert any(name in line for line in told), told
    assert any(name in finding.file for finding in second(root)), second(root)


def test_a_file_that_does_not_belong_to_the_ledger_is_found_by_both(eventful: SimulatedTable, copied: Copied) -> None:
    root = copied(eventful)
    (root / "ledger" / "notes.txt").write_text("hello")
    assert [finding.file for finding in first(root).findings] == ["notes.txt"]
    assert second(root)[0].file == "ledger/notes.txt"
