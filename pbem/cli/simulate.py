"""`pbem simulate`: bots play many games, at one table or by letters that are counted."""

from __future__ import annotations

from collections import Counter
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import as_json, new_game, new_table, print_json, refusals, terms_given

if TYPE_CHECKING:
    from pbem.campaign.letters_needed import Post

GAMES, GAMES_BY_LETTER = 100, 10
"""How many are played if nothing else is said."""


@click.command("simulate")
@new_game
@click.option("--games", type=click.IntRange(1, 1_000_000), help="How many; left out: 100, or 10 with --letters.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--letters", is_flag=True, help="Count the letters that a game by mail costs, with plans and without.")
@as_json
def simulate_command(games: int | None, seed: int, letters: bool, json_wanted: bool, **terms: str | None) -> None:
    """Bots that choose at random play whole games, for trying boards and scenarios.

    With --letters the best bots there are play by letters instead: whoever is asked something writes one, and every
    game is played twice, without plans and with plans that everybody sends once and lets stand.
    """
    from rich.console import Console
    from rich.progress import track

    from pbem.bots.table import play
    from pbem.bots.uniform import choose

    with refusals(json_wanted):
        rules = new_table(terms_given(terms)).rules
        tally: Tally | Letters = Letters(rules) if letters else Tally()
        count = games or (GAMES_BY_LETTER if letters else GAMES)
        silent = json_wanted or not Console(stderr=True).is_terminal
        begun = process_time()
        for number in track(range(count), "Playing", console=Console(stderr=True), disable=silent, transient=True):
            if isinstance(tally, Letters):
                tally.play(f"{seed}/{number}")
            else:
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


class Letters:
    """Counts the letters of games that are played twice, without plans and with them."""

    def __init__(self, rules: Any) -> None:
        """Nobody has written yet."""
        self.rules = rules
        self.seconds = 0.0
        self.posts: dict[str, list[Post]] = {"without plans": [], "with plans": []}

    def play(self, seed: str) -> None:
        """Play a game twice and count."""
        from pbem.campaign.letters_needed import post_of

        for way, posts in self.posts.items():
            posts.append(post_of(self.rules, seed, way == "with plans"))

    def data(self) -> dict[str, Any]:
        """The figures."""
        found: dict[str, Any] = {"games": len(self.posts["with plans"])}
        for way, posts in self.posts.items():
            found[way] = {
                "letters a turn": {
                    player: round(mean(post.letters[player] / post.turns for post in posts), 1)
                    for player in self.rules.seats
                },
                "adjudications a turn": round(mean(post.rounds / post.turns for post in posts), 1),
                "most letters of a player in a stage": max(max(post.stages.values()) for post in posts),
                "turns a game": round(mean(post.turns for post in posts), 1),
            }
        return found

    def show(self) -> None:
        """Print the figures as a table."""
        from rich.console import Console
        from rich.table import Table as Grid

        figures = self.data()
        ways = [figures[way] for way in self.posts]
        grid = Grid(title=f"{figures['games']} games by letter, each with plans and without")
        grid.add_column("figure")
        for way in self.posts:
            grid.add_column(way, justify="right")
        for player in self.rules.seats:
            grid.add_row(f"letters a turn: {player}", *(str(each["letters a turn"][player]) for each in ways))
        grid.add_section()
        for name in ("adjudications a turn", "most letters of a player in a stage", "turns a game"):
            grid.add_row(name, *(str(each[name]) for each in ways))
        Console().print(grid)
