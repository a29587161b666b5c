"""Plays random games for the bench with whatever revision of the program it is run by: one line asks, one answers.

It imports nothing of the tests and finds the modules of 0.1.0 too, so that any revision can be measured by it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from time import process_time
from typing import Any

import msgspec

from pbem.bots.plain import choose
from pbem.engine import march
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import March
from pbem.engine.table import digest, player_of
from pbem.paper.library import load_rules

LAST_TURN = 20
"""Turn at which unfinished games are broken off."""

SAMPLE = 3
"""Number of games from which decisions a second are counted."""

GAMES = {"maria": ("advanced",), "friedrich": ("four",)}


def module(*names: str) -> Any:
    """The first of some modules that this revision has."""
    for name in names[:-1]:
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    return import_module(names[-1])


KIT = module("pbem.kit", "pbem.games")


class Player:
    """Random games of one kind, always the same for the same seed."""

    def __init__(self, name: str) -> None:
        terms = module(f"pbem.games.{name}.rules.data", f"pbem.{name}.data").Terms
        self.rules: Any = load_rules(terms(*GAMES[name]))
        self.game = KIT.game_named(name)

    def play(self, seed: str, view: bool = False, copy: bool = False) -> Iterator[tuple[Any, list[Any]]]:
        """The table before every answer, and what has just happened; a view and a copy on the way if asked for."""
        chance = Random(seed)
        table, events = self.game.start(self.rules, SeededDealer(seed))
        while table.state.phase != "over" and table.state.turn < LAST_TURN:
            yield table, events
            decision = self.game.decisions(table)[0]
            if view:
                self.game.view(table, self.party(table, decision.power))
            if copy:
                table = KIT.copy_of(table)
            events = self.game.apply(table, decision.power, choose(table, decision, chance))
        yield table, events

    def party(self, table: Any, power: str) -> list[str]:
        """The powers of the player who plays this one."""
        player = player_of(table, power)
        return [each for each in self.rules.powers if player_of(table, each) == player]

    def positions(self, seed: str, each: int) -> list[Any]:
        """Copies of some positions of a game."""
        return [KIT.copy_of(table) for number, (table, _) in enumerate(self.play(seed)) if not number % each]

    def decisions(self, seed: str, view: bool, copy: bool) -> tuple[float, int]:
        """CPU seconds of some games, and how many decisions they took."""
        begun = process_time()
        count = sum(1 for number in range(SAMPLE) for _ in self.play(f"{seed} {number}", view, copy)) - SAMPLE
        return process_time() - begun, count

    def cost(self, seed: str, work: Callable[[Any], int]) -> tuple[float, int]:
        """CPU seconds of a piece of work at every third position of a game, and how often it was done."""
        tables = self.positions(seed, 3)
        begun = process_time()
        count = sum(map(work, tables))
        return process_time() - begun, count

    def view(self, table: Any) -> int:
        """A view for a player."""
        self.game.view(table, self.rules.powers[:1])
        return 1

    def copy(self, table: Any) -> int:
        """A copy of the position."""
        KIT.copy_of(table)
        return 1

    def ask(self, table: Any) -> int:
        """All open decisions."""
        self.game.decisions(table)
        return 1

    def ask_march(self, table: Any) -> int:
        """Open decisions where one has to march."""
        return self.ask(table) if table.state.phase == "movement" else 0

    def reach(self, table: Any) -> int:
        """Ends of marches of every piece that may march."""
        if table.state.phase != "movement":
            return 0
        asked = self.game.decisions(table)[0]
        pieces = asked.pieces if isinstance(asked, March) else ()
        for piece in pieces:
            march.destinations(self.game.column_of(table, [piece]))
        return len(pieces)

    def fingerprint(self, seed: str) -> str:
        """Events, digests, decisions and views of a game, in short."""
        told = hashlib.sha256()
        for table, events in self.play(seed, copy=True):
            open_now = self.game.decisions(table) if table.state.phase != "over" else ()
            views = [self.game.view(table, powers) for powers in ((), *self.rules.seats.values())]
            for value in (*events, *open_now, *views):
                told.update(type(value).__name__.encode())
                told.update(msgspec.json.encode(msgspec.to_builtins(value, str_keys=True)))
            told.update(digest(table.state).encode())
        return told.hexdigest()


def answer(players: dict[str, Player], wanted: dict[str, Any]) -> Any:
    """Answer to one line."""
    player = players[wanted["game"]]
    seed, what = wanted["seed"], wanted["what"]
    if what == "fingerprint":
        return player.fingerprint(seed)
    if what == "decisions":
        return player.decisions(seed, wanted["view"], wanted["copy"])
    return player.cost(seed, getattr(player, what))


def main() -> None:
    """Answer line by line."""
    players = {name: Player(name) for name in GAMES}
    for line in sys.stdin:
        print(json.dumps(answer(players, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
