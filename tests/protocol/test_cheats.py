"""A moderator who signs what is not so: what both verifiers find, and what only one of them does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from pbem.campaign.verifying import verify
from tests.campaign.simulated import SimulatedTable
from tests.protocol import cheats
from tests.protocol.forging import Change, Draft, rewritten
from tests.protocol.second import verify as second

Finder = Literal["both", "program", "second"]


def program(root: Path) -> list[str]:
    """The files that the program finds wrong."""
    return [finding.file for finding in verify(root).findings if not finding.fault.is_warning]


class Forgery(NamedTuple):
    """A change of a finished archive, signed again, and who must find it."""

    change: Change
    kind: str
    """The kind of the entry at fault."""
    by: Finder = "both"


def first_letter(draft: Draft) -> dict[str, dict[str, dict[str, str]]]:
    """The first letter in opened.json."""
    found: dict[str, dict[str, dict[str, str]]] = draft.opened["letters"][min(draft.opened["letters"], key=int)]
    return found


def word_of_letter(draft: Draft) -> None:
    letter = draft.opened["letters"][min(draft.opened["letters"], key=int)]
    letter["text"] = letter["text"].replace("basis: ", "basis: 0")


def word_sealed(draft: Draft) -> None:
    part = first_letter(draft)["opened"]["orders"]
    part["body"] = "nothing"


def salt_sealed(draft: Draft) -> None:
    first_letter(draft)["opened"]["orders"]["salt"] = "00" * 32


def mark(draft: Draft) -> None:
    draft.letter("orders")[1]["mark"] = "0" * 64


def commitment(draft: Draft) -> None:
    draft.letter("orders")[1]["slots"]["orders"] = "0" * 64


def stage(draft: Draft) -> None:
    draft.letter("orders")[1]["stage"] = "9/austria"


def somebody_else(draft: Draft) -> None:
    _, body = draft.letter("orders")
    body["player"] = next(player for player in ("frederick", "louis") if player != body["player"])


def secret(draft: Draft) -> None:
    draft.body("close")["secret"] = "0" * 64


def committed_secret(draft: Draft) -> None:
    draft.body("new")["secret"] = "0" * 64


def opening(draft: Draft) -> None:
    next(body for kind, _, body in draft.entries if body.get("openings"))["openings"][0]["card"] = "9"


def no_opening(draft: Draft) -> None:
    next(body for kind, _, body in draft.entries if body.get("openings")).pop("openings")


def position_hash(draft: Draft) -> None:
    draft.body("adjudication")["dealt"][0]["hashes"][37] = "0" * 64


def two_hashes(draft: Draft) -> None:
    hashes = draft.body("adjudication")["dealt"][0]["hashes"]
    hashes[0], hashes[1] = hashes[1], hashes[0]


def version(draft: Draft) -> None:
    draft.body("adjudication", 1)["version"] = "7"


def used(draft: Draft) -> None:
    draft.body("adjudication", 1)["used"].pop()


def event(draft: Draft) -> None:
    draft.body("adjudication", 1)["events"].append({"type": "GameEnded", "how": "goals", "winner": "frederick"})


def digest(draft: Draft) -> None:
    draft.body("adjudication", -1)["next"]["digest"] = "0" * 64


def record(draft: Draft) -> None:
    draft.body("adjudication", 1)["record"] = "0" * 64


def position(draft: Draft) -> None:
    draft.body("adjudication", 1)["state"] = "0" * 64


def rolled_back_elsewhere(draft: Draft) -> None:
    body = draft.body("rollback")
    body["to"] = "9"


def chance(draft: Draft) -> None:
    draft.body("join", 1)["entropy"] = "0" * 64


def acted(draft: Draft) -> None:
    next(body for _, _, body in draft.entries if body.get("acted")).pop("acted")


def not_acted(draft: Draft) -> None:
    draft.letter("orders")[1]["acted"] = "by telephone"


def join_mark(draft: Draft) -> None:
    draft.body("join")["mark"] = "0" * 64


def forfeited(draft: Draft) -> None:
    draft.body("adjudication", 1)["forfeited"] = {"louis": ["orders"]}


def ghost(draft: Draft) -> None:
    draft.body("adjudication", 1)["absent"] = {"nobody": "no orders"}


def too_early(draft: Draft) -> None:
    draft.body("adjudication", 1)["absent"] = {"louis": "no orders by the deadline"}


def agreed_words(draft: Draft) -> None:
    draft.body("agreement")["words"] = "Prussia gives Silesia back."


def agreed_by(draft: Draft) -> None:
    draft.body("agreement")["powers"] = ["frederick", "louis"]


def sooner(draft: Draft) -> None:
    draft.body("extension")["until"] = "2026-11-21T13:00:00Z"


FORGERIES: dict[str, Forgery] = {
    "a letter in opened.json": Forgery(word_of_letter, "letter"),
    "a sealed part": Forgery(word_sealed, "letter"),
    "the salt of a sealed part": Forgery(salt_sealed, "letter"),
    "a mark": Forgery(mark, "letter"),
    "a commitment": Forgery(commitment, "letter"),
    "the stage of a letter": Forgery(stage, "letter"),
    "whose letter it is": Forgery(somebody_else, "letter"),
    "the secret": Forgery(secret, "close"),
    "the commitment to the secret": Forgery(committed_secret, "close"),
    "the chance of a player": Forgery(chance, "join", "second"),
    "a proof of a card": Forgery(opening, "adjudication"),
    "no proof of a card": Forgery(no_opening, "adjudication"),
    "the hash of a position": Forgery(position_hash, "adjudication"),
    "two hashes swapped": Forgery(two_hashes, "adjudication"),
    "the version": Forgery(version, "adjudication"),
    "a letter passed over": Forgery(used, "adjudication"),
    "an event": Forgery(event, "adjudication", "program"),
    "the digest of the position": Forgery(digest, "adjudication", "program"),
    "the sealed record": Forgery(record, "adjudication", "program"),
    "the sealed position": Forgery(position, "adjudication", "program"),
    "the target of a rollback": Forgery(rolled_back_elsewhere, "rollback"),
    "a letter of the moderator's not called so": Forgery(acted, "letter"),
    "a letter of a player's called the moderator's": Forgery(not_acted, "letter"),
    "the mark of a letter that joined": Forgery(join_mark, "join", "second"),
    "something forfeited": Forgery(forfeited, "adjudication", "second"),
    "somebody absent who does not exist": Forgery(ghost, "adjudication", "second"),
    "somebody absent before the deadline": Forgery(too_early, "adjudication", "second"),
    "the words of an agreement": Forgery(agreed_words, "agreement", "second"),
    "the parties of an agreement": Forgery(agreed_by, "agreement", "second"),
    "a deadline made earlier": Forgery(sooner, "extension", "second"),
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_archive(eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path], forgery: Forgery) -> None:
    root = copied(eventful)
    rewritten(root, eventful.moderator, forgery.change)
    by_program, by_second = program(root), [f"{finding.file} {finding.what}" for finding in second(root)]
    name = f"-{forgery.kind}.yaml"
    assert any(name in told for told in by_second) == (forgery.by != "program"), by_second
    assert any(name in told for told in by_program) == (forgery.by != "second"), by_program


def test_signing_an_archive_again_changes_nothing(
    eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path]
) -> None:
    root = copied(eventful)
    rewritten(root, eventful.moderator, lambda draft: None)
    assert (program(root), second(root)) == ([], [])


UNSEEN_BY_THE_PROGRAM = frozenset(cheat.__name__ for cheat in cheats.CHEATS)
"""The cheats that `pbem verify` calls good; whatever it learns to find must leave this list."""


@pytest.mark.parametrize("cheat", cheats.CHEATS, ids=lambda cheat: cheat.__name__)
def test_a_cheat_from_within_is_found(tmp_path: Path, cheat: Callable[[Path], None]) -> None:
    cheat(tmp_path / "campaign")
    assert second(tmp_path / "campaign")
    assert bool(program(tmp_path / "campaign")) == (cheat.__name__ not in UNSEEN_BY_THE_PROGRAM)
