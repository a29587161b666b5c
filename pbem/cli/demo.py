"""`pbem demo`: bots play a game, and everything about it is written down."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

from pbem.cli.common import as_json, new_table, print_json, refusals, write_file


@click.command("demo")
@click.option("--game", type=click.Choice(["maria"]), default="maria", show_default=True)
@click.option("--scenario", default="introductory", show_default=True)
@click.option("--players", type=click.Choice(["2", "3"]), default="3", show_default=True)
@click.option("--turns", type=click.IntRange(1, 12), help="Stop after so many turns.")
@click.option("--seed", default="1741", show_default=True, help="The same seed plays the same game.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The folder to write; else a new one.")
@as_json
def demo_command(
    game: str, scenario: str, players: str, turns: int | None, seed: str, out: Path | None, json_wanted: bool
) -> None:
    """Bots play a whole game; the account, pictures of every turn and the last position are written."""
    with refusals(json_wanted):
        rules = new_table({"game": game, "scenario": scenario, "players": players, "seed": seed}).rules
        folder = out or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
        summary = play_and_write(rules, seed, turns or rules.scenario.turns, folder, quiet=json_wanted)
    if json_wanted:
        print_json(summary)
        return
    for name, value in summary.items():
        click.echo(f"{name + ':':<14}{value}")


def play_and_write(rules: Any, seed: str, turns: int, folder: Path, quiet: bool) -> dict[str, Any]:
    """Play, and write account, pictures and positions into the folder."""
    from rich.console import Console
    from rich.progress import Progress

    from pbem.bots.sensible import choose
    from pbem.bots.table import play
    from pbem.engine.events import Event, all_seen_by
    from pbem.maria.view import view
    from pbem.paper.library import find_board
    from pbem.paper.position_writing import write_position
    from pbem.report.account import account
    from pbem.report.maps import picture_file

    board = find_board(rules.terms.board)
    told: list[Event] = []
    of_turn: list[Event] = []
    pictures: list[str] = []
    shown = 0
    console = Console(stderr=True)
    with Progress(console=console, disable=quiet or not console.is_terminal, transient=True) as progress:
        bar = progress.add_task("Playing", total=turns)
        for table, events in play(rules, seed, choose):
            told += events
            of_turn += events
            turn = table.state.turn - (0 if table.state.phase == "over" else 1)
            if turn > shown:
                shown = turn
                name = Path(f"turn-{turn:02}.svg")
                moves = [(rules.common, event) for event in of_turn]
                seen = view(table, ())
                write_file(folder / name, picture_file(name, board, seen, moves, "light", None, ()))
                pictures.append(str(folder / name))
                of_turn = []
                progress.update(bar, completed=turn)
            if shown >= turns:
                break
        png = Path("board.png")
        write_file(folder / png, picture_file(png, board, view(table, ()), (), "light", 1700, ()))
    everyone = account(rules, all_seen_by(told, ()))
    write_file(folder / "account.txt", everyone.encode())
    write_file(folder / "position.yaml", write_position(table).encode())
    result = table.state.result
    return {
        "game": f"{rules.game.name}, {rules.scenario.title.lower()}, {rules.terms.players} players",
        "turns": shown,
        "winner": (result.winner or "nobody") if result else "not decided yet",
        "account": str(folder / "account.txt"),
        "pictures": f"{folder / 'turn-*.svg'}, {folder / 'board.png'}",
        "position": str(folder / "position.yaml"),
    }
