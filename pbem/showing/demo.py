"""`pbem demo`: bots play a whole campaign by letters, and show what is left of it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import as_json, gathered, language_option, new_game, new_table, print_json, terms_given, write_file
from pbem.cli.surroundings import refusing_in_words, time_now
from pbem.showing.line_up import bots_option, line_up

if TYPE_CHECKING:
    from pbem.showing.apart import Watch


@dataclass(frozen=True)
class Play:
    """What the bots play: how far, from which seed, and which bots."""

    turns: int | None
    seed: str
    bots: str | None


@click.command("demo")
@new_game
@click.option("--turns", type=click.IntRange(1, 99), help="Stop after so many turns; the campaign then goes on.")
@click.option("--seed", default="1741", show_default=True, help="The same seed plays the same game.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="A new folder; left out: a temporary one."
)
@bots_option
@language_option
@as_json
@gathered("play", Play)
def demo_command(play: Play, out: Path | None, language: str, json_wanted: bool, **terms: str | None) -> None:
    """Bots play a whole campaign by signed and sealed letters, and it is verified.

    Everything that a campaign leaves is written into one folder: ledger, reports, account, pictures, a site, and the
    keys. The deal and all orders follow from the seed; keys and seals are new every time. Bots are sensible, unless
    --bots says otherwise.
    """
    with refusing_in_words(json_wanted):
        given = terms_given(terms)
        rules = new_table({**given, "seed": play.seed}).rules
        bots = line_up(tuple(rules.seats), play.bots, "sensible")
        from pbem.showing.demonstration import DemoPlaces, DemoWish, demonstrate
        from pbem.showing.summary import read_me, summary_data, tell_summary

        places = DemoPlaces(out or Path(tempfile.mkdtemp(prefix="pbem-demo-")))
        with progress(play.turns or getattr(rules.scenario, "turns", None), silent=json_wanted) as watch:
            shown = demonstrate(places, DemoWish(given, play.seed, play.turns, language, time_now(), bots), watch)
        write_file(places.read_me, read_me(shown).encode())
        if json_wanted:
            print_json(summary_data(shown, play.seed))
        else:
            tell_summary(shown)


@contextmanager
def progress(turns: int | None, silent: bool) -> Iterator[Watch]:
    """A bar on the terminal that shows how far the game is, if it can be known how long it will be."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=silent or not console.is_terminal, transient=True) as bar:
        task = bar.add_task("Founding", total=turns)

        def watch(doing: str, over: int) -> None:
            bar.update(task, description=doing, completed=over)

        yield watch
