"""`pbem simulate`: bots play many games."""

from __future__ import annotations

from collections import Counter
from time import process_time
from typing import Any

import click

from pbem.cli.common import as_json, new_game, new_table, print_json, refusals, terms_given


@click.command("simulate")
@new_game
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@as_json
def simulate_command(games: int, seed: int, json_wanted: bool, **terms: str | None) -> None:
    """Bots that choose at random play whole games, for trying boards and scenarios."""
    from rich.console import Console
    from rich.progress import track

    from pbem.bots.table import play
    from pbem.bots.uniform import choose

    with refusals(json_wanted):
        rules = new_table(terms_given(terms)).rules
        tally = Tally()
        silent = json_wanted or not Console(stderr=True).is_terminal
        begun = process_time()
        for number in track(range(games), "Playing", console=Console(stderr=True), disable=silent, transient=True):
            tally.take(play(rules, f"{seed}/{number}", choose))
        tally.seconds = process_time() - begun
    if json_wanted:
        print_json(tally.data())
    else:
        tally.show()


class Tally:
    """Counts what happens in games."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self.games = 0
        self.seconds = 0.0
        self.decisions = 0
        self.winners: Counter[str] = Counter()
        self.last_turns: Counter[int] = Counter()
        self.events: Counter[str] = Counter()

    def take(self, game: Any) -> None:
        """Play one game and count."""
        for table, events in game:  # noqa: B007 - the last one is looked at below
            self.decisions += 1
            self.events.update(type(event).__name__ for event in events)
        self.games += 1
        self.winners[table.state.result.winner or "nobody"] += 1
        self.last_turns[table.state.turn] += 1

    def data(self) -> dict[str, Any]:
        """The figures."""
        return {
            "games": self.games,
            "winners": dict(self.winners.most_common()),
            "last turn": {str(turn): count for turn, count in sorted(self.last_turns.items())},
            "decisions a game": round(self.decisions / self.games, 1),
            "events a game": {name: round(n / self.games, 2) for name, n in sorted(self.events.items())},
            "CPU ms a game": round(1000 * self.seconds / self.games, 2),
        }

    def show(self) -> None:
        """Print the figures as a table."""
        from rich.console import Console
        from rich.table import Table as Grid

        figures = self.data()
        grid = Grid(title=f"{self.games} games")
        grid.add_column("figure")
        grid.add_column("value", justify="right")
        for name in ("decisions a game", "CPU ms a game"):
            grid.add_row(name, str(figures[name]))
        for group in ("winners", "last turn", "events a game"):
            grid.add_section()
            for name, value in figures[group].items():
                grid.add_row(f"{group}: {name}", str(value))
        Console().print(grid)
