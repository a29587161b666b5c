"""The desk takes or refuses any input, changed at random, and the page never breaks."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from pbem.desk.bridge import Bridge
from pbem.paper.documents.writing import WIDTH
from pbem.paper.letters import sign_letter, write_letter
from pbem.player.letters import letter_at
from pbem.seal.canonical import AnyTree
from pbem.seal.keys import save_private
from tests.cli.correspondence import NAME, Correspondence
from tests.desk.lent import in_the_page
from tests.desk.test_archive import RUNNING, files_of, zipped
from tests.desk.test_desk import POSITION, file_with
from tests.desk.test_moderators import STRANGER
from tests.fuzz.changes import chance_changes, changed, changed_tree

SEED = 1741
TEXTS = ("", "\0", "\ud800", "x" * 5000, "../x", "//host/share", "CON", "a\nb", "‮", "é" * 300, "[" * 3000, "🂡")
"""Names and texts that an attacker may give."""


@pytest.fixture
def files(table: Correspondence) -> dict[str, bytes]:
    """One of each kind of files."""
    read = {
        name: Path(table.sent(name)).read_bytes() for name in ("louis.report.yaml", "louis-invitation.invitation.yaml")
    }
    return {
        **read,
        "mail": b"From: a@example.org\nTo: b@example.org\nSubject: x\n\n" + read["louis.report.yaml"],
        "notes": (table.root / f"louis/key.campaigns/{NAME}.louis.json").read_bytes(),
        "key": (table.root / "louis/key").read_bytes(),
        "locked": save_private(STRANGER, "x"),
        "position": POSITION.read_bytes(),
    }


def call(bridge: Bridge, name: str, *given: object) -> AnyTree:
    """Answer to the page: a result, or faults in words."""
    answer: AnyTree = json.loads(bridge.call(name, json.dumps(given)))
    assert len(answer) == 1
    assert "done" in answer or all(fault["code"] and fault["message"] for fault in answer["refused"]), answer
    return answer.get("done")


def letters(data: bytes) -> str:
    return base64.b64encode(data).decode()


def opened(bridge: Bridge, data: bytes, name: str = "file") -> None:
    """Open a file as a page does, whoever made it, and look once at what lies there then."""
    done = call(bridge, "open", letters(data), name)
    if done and "stranger" in done:
        call(bridge, "accept")
    if bridge.desk.laid:
        call(bridge, "write", bridge.desk.draft.text + "\n")


def variants(data: bytes, count: int) -> Iterator[bytes]:
    chance = Random(SEED)
    for _ in range(count):
        yield changed(data, chance_changes(chance))


def test_changed_files_are_opened_or_refused(files: dict[str, bytes]) -> None:
    for kind, data in files.items():
        for each in variants(data, 12):
            bridge = Bridge("en")
            opened(bridge, each, kind)
            with in_the_page():
                call(bridge, "key", letters(each), "")
                call(bridge, "key", letters(each), "x")


@pytest.mark.parametrize("name", ["louis.report.yaml", "louis-invitation.invitation.yaml"])
def test_what_a_stranger_signs_is_opened_or_refused(table: Correspondence, name: str) -> None:
    """With the signature of a key of their own, whatever a stranger says comes through to the reader of the body."""
    letter, chance = letter_at(Path(table.sent(name)).read_bytes(), name, of_moderator=True), Random(SEED)
    head = {key: str(value) for key, value in letter.tree.items() if key not in ("pbem", "body")}
    body: AnyTree = letter.tree["body"]
    mine = STRANGER.public.text
    body = {**body, "moderator": mine if name == "louis.report.yaml" else {**body["moderator"], "key": mine}}
    terms = [{"terms": {**body["terms"], key: text}} for key in ("board", "game", "scenario") for text in TEXTS]
    for change in [*terms, *(None for _ in range(30))]:
        try:
            text = sign_letter(
                write_letter(head, {**body, **change} if change else changed_tree(body, chance), WIDTH), STRANGER
            )
        except (ValueError, TypeError):  # no file can say this
            continue
        except Exception as error:
            assert type(error).__name__ in ("Refused", "NotCanonical"), error  # noqa: PT017 - nor any letter
            continue
        opened(Bridge("en"), text.encode("utf-8", "replace"))


def test_names_and_texts_are_taken_or_refused(table: Correspondence, files: dict[str, bytes]) -> None:
    bridge = Bridge("en")
    for text in TEXTS:
        opened(bridge, files["louis-invitation.invitation.yaml"], text)
        call(bridge, "new_key", text)
        call(bridge, "join", text, "en")
        call(bridge, "rule", text)
        opened(bridge, text.encode("utf-8", "replace"), text)
        for name in ("remember", "forget"):
            call(bridge, name, text)
    opened(bridge, files["louis.report.yaml"])
    for text in TEXTS:
        call(bridge, "reach", [text])
        call(bridge, "put", "france", {"move": [{text: text}]})
        call(bridge, "would", "france", {"move": text, "allot": {text: text}})
        call(bridge, "notes", letters(text.encode("utf-8", "replace")), text)
        call(bridge, "compare", letters(text.encode("utf-8", "replace")), text)
        call(bridge, "write", text)
        call(bridge, "sign")


def test_drafts_that_somebody_has_altered_are_read_or_refused(files: dict[str, bytes]) -> None:
    bridge = Bridge("en")
    opened(bridge, files["louis.report.yaml"])
    call(bridge, "key", letters(files["key"]), "")
    draft = bridge.desk.draft.text.encode()
    for each in variants(draft, 40):
        text = each.decode("utf-8", "surrogateescape")
        state = call(bridge, "write", text)
        assert state is None or isinstance(state["faults"], list)
        for name in ("sign", "seal", "undo", "redo"):
            call(bridge, name)


def test_notes_of_moderators_that_somebody_has_altered_are_read_or_refused(files: dict[str, bytes]) -> None:
    bridge = Bridge("en")
    opened(bridge, files["louis.report.yaml"])
    kept = bridge.desk.moderators.text().encode()
    for each in variants(kept, 80):
        call(bridge, "remember", each.decode("utf-8", "surrogateescape"))
        call(bridge, "moderators")
        call(bridge, "open", letters(files["louis.report.yaml"]), "report")


def taken_in(files: dict[str, bytes]) -> None:
    """An archive taken in as far as it goes."""
    bridge = Bridge("en")
    wanted = call(bridge, "archive", [*files])
    for name in wanted or ():
        call(bridge, "give", name, file_with(files[name]))
    far = None
    while wanted is not None:
        far = call(bridge, "verify")
        if far is None or far["over"]:
            break
    if far is not None:
        call(bridge, "told")


Maker = Callable[[Random, dict[str, bytes]], dict[str, bytes]]


def damaged(chance: Random, files: dict[str, bytes]) -> dict[str, bytes]:
    return {"a.zip": changed(zipped(files), chance_changes(chance))}


def renamed(chance: Random, files: dict[str, bytes]) -> dict[str, bytes]:
    name = chance.choice([*files])
    folder = chance.choice(["", "ledger/", "rules/", f"{name}/"])
    other = chance.choice([text for text in TEXTS if text.isascii()])
    return {**files, folder + other: files.pop(name)}


def lacking(chance: Random, files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if chance.random() < 0.8}


def altered(chance: Random, files: dict[str, bytes]) -> dict[str, bytes]:
    name = chance.choice([*files])
    return {**files, name: changed(files[name], chance_changes(chance))}


@pytest.mark.parametrize("make", [damaged, renamed, lacking, altered])
def test_archives_of_ill_will_are_told_or_refused(make: Maker) -> None:
    chance = Random(SEED)
    for _ in range(8):
        taken_in(make(chance, dict(files_of(RUNNING))))
