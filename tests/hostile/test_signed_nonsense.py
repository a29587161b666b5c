"""Letters and entries of a moderator who signs nonsense: whoever reads them is answered in words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.campaign.ledger.entries import EntryHead, build_entry, parse_entry
from pbem.cli import main
from pbem.console.surroundings import Surroundings
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.paper.letters import sign_letter
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, Correspondence, working_in
from tests.fuzz.world import tree_of
from tests.protocol.forging import write_state

SEATS = {
    "maria": ("louis", "frederick", "maria-theresa"),
    "friedrich": ("frederick", "elisabeth", "maria-theresa", "pompadour"),
}
NONSENSE: tuple[Any, ...] = (
    "",
    "7",
    "-1",
    "9" * 30,
    "chess",
    "2026-13-45T99:00:00Z",
    [],
    {},
    ["7"],
    {"7": "7"},
    [[]],
    [{}],
    {"": ""},
)
MOST = 6
"""So many fields below those at the top of every file are changed, each into one thing."""


@pytest.fixture(scope="module", params=SEATS)
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign of either game, two rounds in."""
    found = Correspondence(tmp_path_factory.mktemp("table"), SEATS[request.param])
    found.begin("--game", request.param)
    found.join()
    for _ in range(2):
        found.round()
    return found


def places(tree: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a tree, the way to it: of a list its first item, which the others are like."""
    if way:
        yield way
    items = tree.items() if isinstance(tree, Mapping) else list(enumerate(tree))[:1] if isinstance(tree, list) else ()
    for key, value in items:
        yield from places(value, (*way, key))


def put(tree: Any, way: tuple[Any, ...], value: Any) -> Any:
    """A tree with a value in one place."""
    key, *rest = way
    new = put(tree[key], tuple(rest), value) if rest else value
    if isinstance(tree, list):
        return [new if number == key else each for number, each in enumerate(tree)]
    return {**tree, key: new}


def changed(tree: Any, seed: str) -> Iterator[tuple[str, Any]]:
    """A tree with nonsense in one place of its body: in every place at the top, and in some of those below."""
    chance = Random(seed)
    ways = list(places(tree["body"]))
    top, below = [way for way in ways if len(way) == 1], [way for way in ways if len(way) > 1]
    for way in [*top, *chance.sample(below, min(len(below), MOST))]:
        value = chance.choice(NONSENSE)
        yield f"{way}: {value!r}", put(tree, ("body", *way), value)


def answer(table: Correspondence, told: str, *words: str) -> None:
    """Carry out a command, which may refuse but not break."""
    with working_in(table.root):
        done = CliRunner().invoke(main, words, obj=Surroundings(lambda: table.now))
    broken = done.exception and not isinstance(done.exception, SystemExit)
    assert not broken, (told, words, repr(done.exception), done.exc_info)
    assert done.exit_code in (0, 1), (told, words, done.output)


@pytest.mark.parametrize("kind", ["report", "invitation"])
def test_letters_of_nonsense_are_answered(table: Correspondence, kind: str) -> None:
    seat = table.owing()[0]
    file = f"{seat}.report.yaml" if kind == "report" else f"{seat}-invitation.invitation.yaml"
    tree = tree_of(Path(table.sent(file)).read_bytes())
    key = load_private((table.root / "moderator/key").read_bytes(), None)
    target = table.root / "letter.yaml"
    for told, each in changed(tree, kind):
        try:
            text = sign_letter(write({name: value for name, value in each.items() if name != "signature"}), key)
        except ValueError:
            continue  # no letter can say this
        target.write_text(text, "utf-8")
        answer(table, told, str(target), "--key", f"{seat}/key")
        if kind == "report":
            answer(table, told, "verify", NAME, "--report", str(target))


def test_entries_of_nonsense_are_answered(table: Correspondence) -> None:
    kept = {path: path.read_bytes() for path in sorted((table.folder / "ledger").iterdir())}
    kinds = {path.name[5:]: path for path in kept}
    for path in kinds.values():
        for told, each in changed(tree_of(kept[path]), path.name):
            if retell(table, kept, path, each["body"]):
                for words in (("log", NAME, "--events"), ("verify", NAME), ("record", NAME)):
                    answer(table, f"{path.name} {told}", *words)
    for path, data in kept.items():
        path.write_bytes(data)


def retell(table: Correspondence, kept: Mapping[Path, bytes], changed: Path, body: Any) -> bool:
    """Let an entry say this, and sign the ledger anew; false if no entry can say it."""
    key = load_private((table.root / "moderator/key").read_bytes(), None)
    before = "0" * 64
    for path, data in kept.items():
        entry = parse_entry(data, path.name)
        said: Any = body if path == changed else entry.body
        try:
            data = build_entry(EntryHead(entry.number, entry.kind, entry.campaign, entry.time, before), said, key)
        except (Refused, ValueError):
            return False
        path.write_bytes(data)
        before = hashlib.sha256(data).hexdigest()
    with suppress(Exception):  # what makes no sense leads to no state
        write_state(table.folder)
    return True
