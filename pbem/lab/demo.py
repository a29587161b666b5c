"""`pbem demo`: bots play a whole campaign by letters. The command prints a summary as text or JSON, and writes
READ-ME.txt, which explains the other files."""

from __future__ import annotations

import shlex
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.campaign.settings import MODERATOR
from pbem.console.language import language_wanted
from pbem.console.options import gather_options, json_option, language_option, new_game_options, terms_given
from pbem.console.printing import print_json, tell
from pbem.console.refusals import refusals
from pbem.console.surroundings import time_now
from pbem.engine.events import StageBegan
from pbem.engine.table import StageName
from pbem.faults.wrong import ENGLISH
from pbem.kit import game_named
from pbem.lab.demonstration import DemoResult
from pbem.lab.tables import bots_option, line_up
from pbem.player.files import write_file
from pbem.player.names import new_table
from pbem.player.verifying import verification_data
from pbem.report.account import Voice, chapters
from pbem.report.formats.pages import text
from pbem.report.language.templates import NO_BREAK, Macros, macros_of, squeeze

if TYPE_CHECKING:
    from pbem.lab.demonstration import Watch


def summary_data(shown: DemoResult, seed: str) -> dict[str, object]:
    """Return the summary of a demonstration as data for JSON (docs/demo.md)."""
    places, rules = shown.places, shown.rules
    return {
        "game": title(shown, ENGLISH),
        "seed": seed,
        "turns": shown.turns,
        "phase": shown.phase,
        "stage": shown.stage,
        "winner": shown.winner,
        "players": list(rules.seats),
        "letters": shown.letters,
        "battles": shown.battles,
        "battle": text(shown.battle),
        "folder": str(places.root),
        "campaign": str(places.campaign),
        "reports": str(shown.outbox),
        "keys": str(places.keys),
        "account": str(places.account),
        "pictures": sorted(map(str, places.pictures.iterdir())),
        "position": str(places.position),
        "site": str(places.site / "index.html"),
        "verification": verification_data(shown.verification, language_wanted()),
    }


def in_words(shown: DemoResult, language: str) -> Callable[..., str]:
    """Return a function that takes the name of a macro and the macro's values, and returns the macro's text."""
    say = words_in(shown, language)

    def tell(name: str, *given: object) -> str:
        return squeeze(str(getattr(say, name)(*given))).replace(NO_BREAK, " ")

    return tell


def words_in(shown: DemoResult, language: str) -> Macros:
    return macros_of(language, shown.rules.terms.game, "demo_words.txt.j2")


def title(shown: DemoResult, language: str) -> str:
    """Return the title of the game: its name, scenario, and number of players."""
    rules = shown.rules
    seats = 0 if "players" in rules.scenario.title else len(rules.seats)
    scenario = rules.terms.scenario, rules.scenario.title
    return in_words(shown, language)("title", game_named(rules.terms.game).title, *scenario, seats)


def stage_title(shown: DemoResult, language: str) -> str:
    """Return the title of the present stage as reports write it."""
    found = StageName.read(shown.stage)
    assert found
    (chapter,) = chapters(Voice(shown.rules, language), [StageBegan(found.turn, found.stage)])
    return chapter.title


def tell_summary(shown: DemoResult, language: str) -> None:
    say, figures = in_words(shown, language), shown.verification.figures
    click.echo(say("played", title(shown, language), shown.turns))
    if shown.ending:
        tell(shown.ending, gap=False)
    else:
        click.echo(say("goes_on", stage_title(shown, language), shown.places.read_me.name))
    click.echo(say("figures", shown.letters, shown.battles, figures.entries))
    click.echo(say("verified", shown.verification.is_good, figures))
    click.echo("\n" + say("battle") if shown.battle else "")
    if shown.battle:
        tell(shown.battle)
    written = parts(shown, language)
    width = max(len(name) for name, _ in written) + 2
    for name, what in written:
        click.echo(f"{name + ':':<{width}}{what}")
    click.echo("\n" + say("now_try"))
    places = shown.places
    report = shown.outbox / f"{next(iter(shown.rules.seats))}.report.yaml"
    lines = [
        command("verify", places.campaign),
        command("log", places.campaign, "--events"),
        command("show", report),
        command("map", report, "-o", "seen.svg"),
        *([] if shown.phase == "closed" else [command("status", places.campaign)]),
    ]
    for line in lines:
        click.echo(f"  {line}")


def parts(shown: DemoResult, language: str) -> list[tuple[str, str]]:
    """Return the name and the path of each part of the demonstration's folder."""
    places = shown.places
    found = {
        "campaign": str(places.campaign),
        "reports": in_words(shown, language)("last_ones", shown.outbox),
        "account": str(places.account),
        "pictures": str(places.pictures),
        "site": str(places.site / "index.html"),
        "more": str(places.read_me),
    }
    return [(words_in(shown, language).PARTS[key], path) for key, path in found.items()]


def command(*words: str | Path) -> str:
    """Return the command of the program as a person would type it."""
    return shlex.join(["pbem", *map(str, words)])


COLUMN = 24
"""Width of the column of file names in READ-ME.txt."""

WIDTH = 90
"""Greatest length of a line of READ-ME.txt. Commands and the table of files may be wider."""


def read_me(shown: DemoResult, language: str) -> str:
    """Return the text of READ-ME.txt, which explains the files of a demonstration."""
    outbox, say = shown.outbox.relative_to(shown.places.root), in_words(shown, language)
    names = {
        "account": "account.txt",
        "pictures": "pictures/",
        "site": "site/index.html",
        "campaign": "campaign/",
        "reports": f"{outbox}/",
        "position": "position.yaml",
        "keys": "keys/",
    }
    told = words_in(shown, language).FILES
    return "\n".join(
        [
            title(shown, language),
            "",
            *textwrap.wrap(say("introduction"), WIDTH),
            "",
            *(f"{name:<{COLUMN}}{told[key]}" for key, name in names.items()),
            "",
            f"{'pbem verify campaign':<{COLUMN}}{say('checks')}",
            "",
            *advice_lines(shown, outbox, say("play_on")),
        ]
    )


def advice_lines(shown: DemoResult, outbox: Path, opening: str) -> list[str]:
    """Return lines that tell a person how to continue the game that the bots began. Return an empty list if the game is
    over. `outbox` has the order sheets. `opening` is the text before the commands."""
    if shown.phase != "running":
        return []
    moderates = f"-C campaign --key keys/{MODERATOR}"
    sheets = {seat: f"{outbox}/{seat}.orders.yaml" for seat in shown.owing}
    return [
        *textwrap.wrap(opening, WIDTH),
        "",
        *(f"pbem sign {sheet} --key keys/{seat} -o {seat}.yaml" for seat, sheet in sheets.items()),
        *(f"pbem accept {seat}.yaml {moderates}" for seat in sheets),
        f"pbem adjudicate {moderates}",
        f"pbem post {moderates}",
        "",
    ]


@dataclass(frozen=True)
class Play:
    """Options of the game: its length in turns, its seed, and the bots that play it."""

    turns: int | None
    seed: str
    bots: str | None


@click.command("demo")
@new_game_options
@click.option("--turns", type=click.IntRange(1, 99), help="Stop after so many turns; the campaign then goes on.")
@click.option("--seed", default="1741", show_default=True, help="The same seed plays the same game.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="A new folder; left out: a temporary one."
)
@bots_option
@language_option
@json_option
@gather_options("play", Play)
def demo_command(play: Play, out: Path | None, language: str, json_wanted: bool, **terms: str | None) -> None:
    """Let bots play a whole campaign by signed and sealed letters, and verify it.

    All is written into one folder. The deal and all orders follow from the seed. Bots are sensible, unless --bots says
    otherwise.
    """
    with refusals(json_wanted):
        given = terms_given(terms)
        rules = new_table({**given, "seed": play.seed}).rules
        bots = line_up(tuple(rules.seats), play.bots, "sensible")
        from pbem.lab.demonstration import DemoPlaces, DemoWish, demonstrate

        places = DemoPlaces(out or Path(tempfile.mkdtemp(prefix="pbem-demo-")))
        with progress(play.turns or getattr(rules.scenario, "turns", None), silent=json_wanted) as watch:
            shown = demonstrate(places, DemoWish(given, play.seed, play.turns, language, time_now(), bots), watch)
        write_file(places.read_me, read_me(shown, language).encode())
        if json_wanted:
            print_json(summary_data(shown, play.seed))
        else:
            tell_summary(shown, language)


@contextmanager
def progress(turns: int | None, silent: bool) -> Iterator[Watch]:
    """Return a context manager that shows the progress as a bar on the terminal. Its value is a function, to be called
    after each step. `turns` is the length of the game, if it is known. If `silent` is true, nothing is shown."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=silent or not console.is_terminal, transient=True) as bar:
        task = bar.add_task("Founding", total=turns)

        def watch(doing: str, over: int) -> None:
            bar.update(task, description=doing, completed=over)

        yield watch
