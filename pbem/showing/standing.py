"""How two bots stand after some deals: their points in every seat, what a seat gains by either, and who is stronger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

import click

from pbem.bots.points import VICTORY
from pbem.showing.deals import Deal, LineUp, Outcome, line_ups
from pbem.showing.telling_apart import Verdict, interval, verdict

if TYPE_CHECKING:
    from rich.console import Console


class Standing:
    """What has been played so far."""

    def __init__(self, seats: Sequence[str], bots: tuple[str, str], only: str | None = None) -> None:
        """Nothing yet; one seat only may be contested."""
        self.seats = seats
        self.contested = {place: seat for place, seat in enumerate(seats) if only in (None, seat)}
        self.line_ups = line_ups(len(seats)) if only is None else ()
        """Those that every deal has."""
        self.bots = bots
        self.deals: list[Deal] = []
        self.differences: list[float] = []
        """What the first is ahead in each deal, by the mean of all contested seats."""
        self.verdict: Verdict = "open"
        """Who is stronger, as far as it is known."""

    def add(self, deal: Deal) -> None:
        """A deal has been played with every line-up; behind a verdict nothing counts."""
        if self.verdict == "open":
            self.deals.append(deal)
            self.differences.append(fmean(ahead(deal, place) for place in self.contested))
            self.verdict = verdict(self.differences)

    def data(self) -> dict[str, object]:
        """All figures, for programs."""
        return {
            "bots": {"A": self.bots[0], "B": self.bots[1]},
            "deals": len(self.deals),
            "verdict": self.verdict,
            "ahead": figures(self.differences),
            "seats": {name: self.of_seat(place) for place, name in self.contested.items()},
            "line-ups": {each: self.of_line_up(each) for each in self.line_ups},
        }

    def of_seat(self, seat: int) -> dict[str, dict[str, float]]:
        """What either bot makes of a seat, and what the first is ahead there."""
        rows = {bot: figures([points(deal, seat, bot) for deal in self.deals]) for bot in "AB"}
        return {**rows, "ahead": figures([ahead(deal, seat) for deal in self.deals])}

    def of_line_up(self, line_up: LineUp) -> dict[str, object]:
        """How its games end: wins of each seat, and points, of a hundred games; and how long they are."""
        games = [deal[line_up] for deal in self.deals]

        def of_seats(value: Callable[[Outcome, int], float]) -> dict[str, float]:
            return {name: mean([value(game, seat) for game in games]) for seat, name in enumerate(self.seats)}

        return {
            "wins": of_seats(lambda game, seat: 100.0 * (game.points[seat] == VICTORY)),
            "points": of_seats(lambda game, seat: game.points[seat]),
            "turns": mean([game.turn for game in games]),
        }

    def show(self) -> None:
        """Print the figures as tables, and the verdict."""
        from rich.console import Console
        from rich.table import Table as Grid

        console, (first, second) = Console(), self.bots
        grid = Grid(title=f"Points a game, and what {first} is ahead")
        for name in ("seat", first, second, "ahead"):
            grid.add_column(name, justify="left" if name == "seat" else "right")
        for place, name in self.contested.items():
            grid.add_row(name, *map(told, self.of_seat(place).values()))
        if self.line_ups:
            grid.add_section()
            grid.add_row("all seats", "", "", told(figures(self.differences)))
        console.print(grid)
        if self.line_ups:
            self.show_wins(console)
        click.echo(self.in_words())

    def show_wins(self, console: Console) -> None:
        """Print how the games of each line-up end."""
        from rich.table import Table as Grid

        first, second = self.bots
        grid = Grid(title=f"Wins of each seat in 100 games (A {first}, B {second})")
        grid.add_column("line-up", no_wrap=True)
        for name in (*self.seats, "turns"):
            grid.add_column(name, justify="right", overflow="fold")
        for line_up in self.line_ups:
            of_all = self.of_line_up(line_up)
            wins, turns = of_all["wins"], of_all["turns"]
            assert isinstance(wins, dict)
            grid.add_row(line_up, *(f"{share:.0f}" for share in wins.values()), str(turns))
        console.print(grid)

    def in_words(self) -> str:
        """Who is stronger, in a sentence."""
        deals = len(self.deals)
        games = sum(map(len, self.deals))
        played = f"after {deals} deals ({games} games)"
        match self.verdict:
            case "open":
                return f"It is still open which of them is stronger {played}; more --games may tell."
            case "even":
                return f"Neither is stronger by a quarter of what a deal varies by, {played}; wrong once in a hundred."
        stronger, weaker = self.bots if self.verdict == "first" else reversed(self.bots)
        return f"{stronger} is stronger than {weaker}, {played}; such a verdict is wrong once in a hundred."


def ahead(deal: Deal, seat: int) -> float:
    """What the first is ahead of the second in a seat, the same others being in all others."""
    return points(deal, seat, "A") - points(deal, seat, "B")


def points(deal: Deal, seat: int, bot: str) -> float:
    """What a bot makes of a seat in a deal, by the mean of all that may sit in the others."""
    return fmean(game.points[seat] for line_up, game in deal.items() if line_up[seat] == bot)


def figures(values: Sequence[float]) -> dict[str, float]:
    """The mean, and how far to either side the true one may be."""
    return {"mean": mean(values), "give or take": round(interval(values), 1)}


def mean(values: Sequence[float]) -> float:
    """The mean of what may be nothing."""
    return round(fmean(values), 1) if values else 0.0


def told(figure: dict[str, float]) -> str:
    """A mean with its interval."""
    return f"{figure['mean']} ± {figure['give or take']}"
