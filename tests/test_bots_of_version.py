"""The bots of a released version answer as they did when it was released: archives name the version whose bots played.

`PBEM_UPDATE_GOLDEN=1 pytest tests/test_bots_of_version.py` writes `bots_of_version.json` for a version that is not
released yet.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec

from pbem import __version__
from pbem.bots.table import BOTS, bot_named
from pbem.engine.cards import SeededDealer
from pbem.kit import game_named
from pbem.paper.orders.files import sections_of
from pbem.player.names import new_table

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tests/bots_of_version.json"
GAMES = ("maria introductory", "maria advanced", "friedrich four", "friedrich west")
TURNS = 2
"""Turns of which the answers are compared."""


def answers_in(game: str, level: str) -> str:
    """Return the fingerprint of all answers that bots of a level give in the first turns of a game, and of the orders
    that they write. Both must stay, because archives have commitments to these orders."""
    name, scenario = game.split()
    rules = new_table({"game": name, "scenario": scenario}).rules
    played, policy, chance = game_named(name), bot_named(level, name), Random(game)
    table, _ = played.start(rules, SeededDealer(game))
    answers = sha256()
    while table.state.phase != "over" and table.state.turn <= TURNS:
        decision = played.decisions(table)[0]
        answer = policy(table, decision, chance)
        orders = sections_of(table, decision.power, decision, answer)
        answers.update(msgspec.json.encode((answer, orders)) + b"\n")
        played.apply(table, decision.power, answer)
    return answers.hexdigest()


def is_released(version: str, changelog: str) -> bool:
    """True if the changelog gives a version its own heading, with a day."""
    return re.search(rf"^## {re.escape(version)} \(", changelog, re.MULTILINE) is not None


def is_frozen(written: dict[str, object], changelog: str) -> bool:
    """True if the answers that are written down are those of this version, and it is released."""
    return written["version"] == __version__ and is_released(__version__, changelog)


def fault_of(found: dict[str, object], written: dict[str, object], changelog: str) -> str:
    """Return what is wrong with the version of these bots; nothing if all is well."""
    if found == written:
        return ""
    if is_frozen(written, changelog):
        return f"The bots answer otherwise than those of the released {__version__}: give the program a new version."
    return f"{FILE.name} is older than the bots: PBEM_UPDATE_GOLDEN=1 pytest {Path(__file__).relative_to(ROOT)}"


def test_bots_of_a_released_version_answer_as_they_did() -> None:
    answers = {f"{game}, {level}": answers_in(game, level) for game in GAMES for level in BOTS}
    found: dict[str, object] = {"version": __version__, "turns": TURNS, "answers": answers}
    written, changelog = json.loads(FILE.read_text("utf-8")), (ROOT / "CHANGELOG.md").read_text("utf-8")
    if os.environ.get("PBEM_UPDATE_GOLDEN") and not is_frozen(written, changelog):
        FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    else:
        assert not (fault := fault_of(found, written, changelog)), fault


def test_a_released_version_never_gets_other_answers() -> None:
    before, after = {"version": __version__, "answers": {"a": "1"}}, {"version": __version__, "answers": {"a": "2"}}
    assert "new version" in fault_of(after, before, f"## {__version__} (2026-01-02)\n")
    assert "PBEM_UPDATE_GOLDEN" in fault_of(after, before, "## Unreleased\n")
    assert "PBEM_UPDATE_GOLDEN" in fault_of(after, {**before, "version": "0.0.1"}, f"## {__version__} (2026-01-02)\n")
    assert fault_of(before, before, f"## {__version__} (2026-01-02)\n") == ""
