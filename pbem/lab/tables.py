"""Line-ups of bots as users give them with the option `--bots`, and tables of the figures of their games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import click

from pbem.bots.plain import Policy
from pbem.bots.table import BOTS, bot_named, policy_by_player
from pbem.faults.wrong import Words, words, words_in_language
from pbem.player.names import bot_meant, bots_meant

SURE = 1.96
"""Number of standard deviations around the mean: 19 of 20 values differ from the mean by no more than this."""


def bots_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option `--bots` to a command. The command gets the value as its parameter `bots`."""
    text = f"One bot for all seats ({', '.join(BOTS)}, strong:16), or of some: `frederick=sensible,louis=random`."
    return click.option("--bots", metavar="BOTS", help=text)(command)


def line_up(seats: Sequence[str], text: str | None, otherwise: str) -> dict[str, str]:
    """Return the bot of every seat. `text` names one bot for all seats, or bots for some seats. Seats that `text` does
    not name get the bot `otherwise`."""
    if text is None:
        return dict.fromkeys(seats, otherwise)
    if "=" not in text:
        return dict.fromkeys(seats, bot_meant(text, "--bots"))
    return dict.fromkeys(seats, otherwise) | bots_meant(text.split(","), seats, "--bots")


def policy_of(bots: Mapping[str, str], game: str) -> Policy:
    """Return one policy for all seats: each seat answers by its own bot. A seat without a bot answers at random."""
    return policy_by_player({seat: bot_named(bot, game) for seat, bot in bots.items()}, bot_named("random", game))


FIGURES: Mapping[str, Words] = {
    "adjudications a turn": words("count-adjudications"),
    "bots": words("bot"),
    "bytes": words("count-bytes"),
    "by hand": words("count-by-hand"),
    "CPU ms a game": words("count-cpu"),
    "decisions": words("count-decisions"),
    "decisions a game": words("count-decisions-game"),
    "difference": words("count-difference"),
    "events a game": words("count-events"),
    "give or take": words("count-give-or-take"),
    "last turn": words("count-last-turn"),
    "letters": words("count-letters"),
    "letters a turn": words("count-letters-turn"),
    "most letters of a player in a stage": words("count-most-letters"),
    "points a game": words("count-points"),
    "preset": words("preset"),
    "turns a game": words("count-turns-game"),
    "winners": words("count-winners"),
    "with plans": words("count-with-plans"),
    "without plans": words("count-without-plans"),
    "won of 100": words("count-won"),
}
"""Dict from the key that a figure has in JSON to the name that it has in tables."""

Row = Sequence["Words | str"]


def show_table(title: Words, heads: Row, parts: Iterable[Iterable[Row]], language: str) -> None:
    """Print a table whose rows are divided into groups, with a line between two groups."""
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(title=title.text(language))
    for place, head in enumerate(heads):
        grid.add_column(
            words_in_language(head, language), justify="right" if place else "left", min_width=4, overflow="fold"
        )
    for rows in parts:
        grid.add_section()
        for row in rows:
            grid.add_row(*(words_in_language(cell, language) for cell in row))
    Console().print(grid)


def show_figures(title: Words, figures: Mapping[str, object], language: str) -> None:
    """Print figures as a table. First come the figures that are one number, then those with a number for each seat,
    turn or event."""
    plain = [(FIGURES[name], str(value)) for name, value in figures.items() if not isinstance(value, dict)]
    parts = [
        [(part_of(name, part, language), str(each)) for part, each in value.items()]
        for name, value in figures.items()
        if isinstance(value, dict)
    ]
    show_table(title, (words("count-figure"), words("count-value")), [plain, *parts], language)


def part_of(figure: str, part: str, language: str) -> str:
    """Return the name of one number in a figure that has several numbers: the name of the figure, then the seat, turn
    or event to which the number belongs."""
    name = words("use-nobody").text(language) if part == "nobody" else part
    return f"{FIGURES[figure].text(language)}: {name}"
