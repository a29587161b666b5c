"""Chronicle of a game, written while the game is played: its public events, a picture for each turn, and its largest
battle."""

from __future__ import annotations

from pathlib import Path

from pbem.engine import events as e
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.paper.library import find_board
from pbem.player.files import write_file
from pbem.report.account import Voice, account, account_blocks, chapters, event_groups, events_by_heading
from pbem.report.blocks import Block
from pbem.report.maps import Request, picture_file
from pbem.report.telling import game_report


class Chronicle:
    """Account of a game so far. It has only the facts that everybody may know."""

    def __init__(self, table: Table, folder: Path, own: Path, language: str) -> None:
        """Begin an account without events. Pictures are written to `folder`. If the game uses a board that does not
        come with the program, `own` has this board."""
        self.rules = table.rules
        self.folder = folder
        self.own = own
        self.board = find_board(self.rules.terms.board, own)
        self.language = language
        self.turns = 0
        """Number of turns that have been played to their end."""
        self.told: list[e.Event] = []
        self.of_turn: list[tuple[Rules, e.Event]] = []

    def take(self, table: Table, events: list[e.Event]) -> bool:
        """Add events to the account. If a turn has ended with them, draw the map of this turn and return True."""
        seen = e.all_seen_by(events, ())
        self.told += seen
        self.of_turn += [(self.rules.common, event) for event in seen]
        over = table.state.turn - (table.state.phase != "over")
        if over == self.turns:
            return False
        self.turns = over
        path = self.folder / f"turn-{over:02}.svg"
        write_file(path, picture_file(path, self.picture(table)))
        self.of_turn = []
        return True

    def picture(self, table: Table) -> Request:
        """Return the picture of the public position, with the marches of the present turn."""
        seen = game_of(table).view(table, ())
        return Request(self.board, seen, tuple(self.of_turn), self.language, folder=self.own)

    def account(self) -> str:
        return account(self.rules, self.told, self.language)

    def blocks(self, events: list[e.Event]) -> list[Block]:
        return account_blocks(chapters(Voice(self.rules, self.language), events))

    def ending(self) -> list[Block]:
        """Return the part of a report that tells how the game ended; empty if the game is not over."""
        groups = event_groups(self.told, game_report(self.rules.terms.game))
        last = next((group for group in groups if any(isinstance(event, e.GameEnded) for event in group)), [])
        return self.blocks(last)

    def battles(self) -> list[list[e.Event]]:
        """Return a list for each battle: the heading of its stage, followed by its events."""
        return battles_in(self.told, self.rules.terms.game)


def battles_in(events: list[e.Event], game: str) -> list[list[e.Event]]:
    """Return a list for each battle: the heading of its stage, if there is one, followed by its events."""
    return [
        [heading, *group] if isinstance(heading, e.StageBegan) else group
        for heading, following in events_by_heading(events)
        for group in event_groups(following, game_report(game))
        if isinstance(group[0], e.BattleJoined)
    ]


def size(battle: list[e.Event]) -> tuple[int, int]:
    """Return two numbers by which battles are sorted: the number of cards played, and the number of troops."""
    joined = next(event for event in battle if isinstance(event, e.BattleJoined))
    cards = sum(isinstance(event, e.CardPlayed) for event in battle)
    return cards, joined.attacking_troops + joined.defending_troops
