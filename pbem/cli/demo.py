"""`pbem demo`: bots play a game, and everything about it is written down."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pbem.cli.common import as_json, new_game, new_table, print_json, refusals, terms_given, write_file
from pbem.engine.events import Event
from pbem.engine.rules import Rules
from pbem.engine.table import Table


@click.command("demo")
@new_game
@click.option("--turns", type=click.IntRange(1, 99), help="Stop after so many turns.")
@click.option("--seed", default="1741", show_default=True, help="The same seed plays the same game.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The folder to write; else a new one.")
@as_json
def demo_command(turns: int | None, seed: str, out: Path | None, json_wanted: bool, **terms: str | None) -> None:
    """Bots play a whole game; the account, pictures of every turn and the last position are written."""
    with refusals(json_wanted):
        rules = new_table({**terms_given(terms), "seed": seed}).rules
        folder = out or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
        summary = play_and_write(rules, seed, turns, folder, quiet=json_wanted)
    if json_wanted:
        print_json(summary)
        return
    for name, value in summary.items():
        click.echo(f"{name + ':':<14}{value}")


def play_and_write(rules: Any, seed: str, turns: int | None, folder: Path, quiet: bool) -> dict[str, Any]:
    """Play, and write account, pictures and positions into the folder."""
    from rich.console import Console
    from rich.progress import Progress

    from pbem.bots.table import best, play

    chronicle = Chronicle(rules, folder)
    console = Console(stderr=True)
    with Progress(console=console, disable=quiet or not console.is_terminal, transient=True) as progress:
        bar = progress.add_task("Playing", total=turns)
        for table, events in play(rules, seed, best(rules.terms.game)):
            chronicle.take(table, events)
            progress.update(bar, completed=chronicle.turns)
            if chronicle.turns == turns:
                break
    return chronicle.close(table)


class Chronicle:
    """Writes down a game while it is played: a picture of every turn, at the end the account and the position."""

    def __init__(self, rules: Any, folder: Path) -> None:
        """Nothing has happened yet."""
        from pbem.paper.library import find_board

        self.rules = rules
        self.folder = folder
        self.board = find_board(rules.terms.board)
        self.turns = 0
        self.told: list[Event] = []
        self.of_turn: list[Event] = []

    def take(self, table: Table, events: list[Event]) -> None:
        """Note what has happened, and draw the turn that is over with its marches."""
        self.told += events
        self.of_turn += events
        over = table.state.turn - (0 if table.state.phase == "over" else 1)
        if over > self.turns:
            self.turns = over
            moves = [(self.rules.common, event) for event in self.of_turn]
            self.draw(Path(f"turn-{over:02}.svg"), table, moves)
            self.of_turn = []

    def draw(
        self, name: Path, table: Table, moves: Sequence[tuple[Rules, Event]] = (), width: int | None = None
    ) -> None:
        """Write a picture of what everybody may see."""
        from pbem.games import game_of
        from pbem.report.maps import picture_file

        data = picture_file(name, self.board, game_of(table).view(table, ()), moves, "light", width, ())
        write_file(self.folder / name, data)

    def close(self, table: Any) -> dict[str, Any]:
        """Write the last picture, the account for everybody and the position, and say where all of it lies."""
        from pbem.engine.events import all_seen_by
        from pbem.paper.position_writing import write_position
        from pbem.report.account import account

        self.draw(Path("board.png"), table, width=1700)
        write_file(self.folder / "account.txt", account(self.rules, all_seen_by(self.told, ())).encode())
        write_file(self.folder / "position.yaml", write_position(table).encode())
        rules, result = self.rules, table.state.result
        return {
            "game": f"{rules.game.name}, {rules.scenario.title.lower()}, {len(rules.seats)} players",
            "turns": self.turns,
            "winner": (result.winner or "nobody") if result else "not decided yet",
            "account": str(self.folder / "account.txt"),
            "pictures": f"{self.folder / 'turn-*.svg'}, {self.folder / 'board.png'}",
            "position": str(self.folder / "position.yaml"),
        }
