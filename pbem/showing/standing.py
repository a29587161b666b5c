"""How two bots stand after some deals: their points in every seat, what a seat gains by either, and who is stronger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import click

from pbem.bots.points import VICTORY
from pbem.faults.words import Words, words
from pbem.showing.deals import Deal, LineUp, Outcome, line_ups
from pbem.showing.tables import show_table
from pbem.showing.telling_apart import Verdict, interval, verdict


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

    def show(self, language: str) -> None:
        """Print the figures as tables, and the verdict."""
        (first, second), turns = self.bots, words("count-turns")
        heads = (words("count-seat"), first, second, words("arena-ahead"))
        seats = [(name, *map(told, self.of_seat(place).values())) for place, name in self.contested.items()]
        whole = [(words("arena-all-seats"), "", "", told(figures(self.differences)))] if self.line_ups else []
        show_table(words("arena-points", first=first), heads, [seats, whole], language)
        if self.line_ups:
            games = [(each, *self.wins_of(each)) for each in self.line_ups]
            title = words("arena-wins", first=first, second=second)
            show_table(title, (words("arena-line-up"), *self.seats, turns), [games], language)
        click.echo(self.in_words().told(language))

    def wins_of(self, line_up: LineUp) -> tuple[str, ...]:
        """The wins of each seat in a hundred games of a line-up, and how long these are."""
        of_all = self.of_line_up(line_up)
        wins = of_all["wins"]
        assert isinstance(wins, dict)
        return (*(f"{share:.0f}" for share in wins.values()), str(of_all["turns"]))

    def in_words(self) -> Words:
        """Who is stronger, in a sentence."""
        deals = len(self.deals)
        games = sum(map(len, self.deals))
        match self.verdict:
            case "open":
                return words("arena-open", deals=deals, games=games)
            case "even":
                return words("arena-even", deals=deals, games=games)
        stronger, weaker = self.bots if self.verdict == "first" else reversed(self.bots)
        return words("arena-stronger", stronger=stronger, weaker=weaker, deals=deals, games=games)


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
