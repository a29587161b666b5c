"""`pbem demo`: bots play a whole campaign by letters. Its summary is printed, as text or data; READ-ME.txt tells of the
written files."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
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
from pbem.faults.wrong import counted
from pbem.kit import game_named
from pbem.lab.demonstration import DemoResult
from pbem.lab.tables import bots_option, line_up
from pbem.player.files import write_file
from pbem.player.names import new_table
from pbem.player.verifying import verification_data
from pbem.report.account import chapters
from pbem.report.formats.pages import text

if TYPE_CHECKING:
    from pbem.lab.demonstration import Watch

WIDTH = 10
"""Width of the column of file names: room for the longest name and a colon."""


def summary_data(shown: DemoResult, seed: str) -> dict[str, object]:
    """Return the summary of a demonstration as data (docs/demo.md)."""
    places, rules = shown.places, shown.rules
    return {
        "game": title(shown),
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


def title(shown: DemoResult) -> str:
    """Return the title of the played game: game, scenario, and number of players."""
    rules = shown.rules
    seats = "" if "players" in rules.scenario.title else f", {len(rules.seats)} players"
    return f"{game_named(rules.terms.game).title}: {rules.scenario.title}{seats}"


def stage_title(shown: DemoResult) -> str:
    """Return the title that reports give to the stage that has been reached."""
    found = StageName.read(shown.stage)
    assert found
    (chapter,) = chapters(shown.rules, [StageBegan(found.turn, found.stage)])
    return chapter.title


def tell_summary(shown: DemoResult) -> None:
    click.echo(f"{title(shown)}, {counted(shown.turns, 'turn')}")
    if shown.ending:
        tell(shown.ending, gap=False)
    else:
        click.echo(f"The game goes on ({stage_title(shown)}); {shown.places.read_me.name} says how to play it.")
    figures = shown.verification.figures
    click.echo(
        f"{counted(shown.letters, 'signed letter')}, {counted(shown.battles, 'battle')}, "
        f"{figures.entries} entries in the ledger.\n"
        f"Verified: {verdict(shown)} ({counted(figures.letters, 'signature')}, {counted(figures.shuffles, 'shuffle')}, "
        f"{counted(figures.cards, 'card')}, {counted(figures.adjudications, 'adjudication')})."
    )
    click.echo("\nThe battle in which most cards were played:" if shown.battle else "")
    if shown.battle:
        tell(shown.battle)
    for name, what in parts(shown):
        click.echo(f"{name + ':':<{WIDTH}}{what}")
    click.echo("\nNow try:")
    for line in next_commands(shown):
        click.echo(f"  {line}")


def verdict(shown: DemoResult) -> str:
    """Return the result of the verification in a few words."""
    return "nothing is wrong" if shown.verification.is_good else "NOT what it should be"


def parts(shown: DemoResult) -> list[tuple[str, str]]:
    """Return names and paths of the files that the demonstration has written."""
    places = shown.places
    return [
        ("campaign", str(places.campaign)),
        ("reports", f"{shown.outbox} (the last ones)"),
        ("account", str(places.account)),
        ("pictures", str(places.pictures)),
        ("site", str(places.site / "index.html")),
        ("more", str(places.read_me)),
    ]


def next_commands(shown: DemoResult) -> list[str]:
    """Return the commands that a reader can try next."""
    places = shown.places
    report = shown.outbox / f"{next(iter(shown.rules.seats))}.report.yaml"
    return [
        command("verify", places.campaign),
        command("log", places.campaign, "--events"),
        command("show", report),
        command("map", report, "-o", "seen.svg"),
        *([] if shown.phase == "closed" else [command("status", places.campaign)]),
    ]


def command(*words: str | Path) -> str:
    """Return a command of the program as a person types it."""
    return shlex.join(["pbem", *map(str, words)])


def read_me(shown: DemoResult) -> str:
    """Return the text of READ-ME.txt, which tells of the files of a demonstration. Paths in it are relative to the
    demonstration's folder."""
    outbox = shown.outbox.relative_to(shown.places.root)
    names = [
        ("account.txt", "What happened, as everybody may know it."),
        ("pictures/", "The map after every turn, with its marches; the last one as board.png."),
        ("site/index.html", "The campaign as a site: map, battles, ledger. Open it in a browser."),
        ("campaign/", "The campaign as its moderator keeps it: ledger, letters, outbox."),
        (f"{outbox}/", "The last reports: mails, texts, order sheets, posts for a forum."),
        ("position.yaml", "The last position, with all that is secret, for `pbem try`."),
        ("keys/", "The keys of everybody, without passphrases: for this demonstration only."),
    ]
    return "\n".join(
        [
            title(shown),
            "",
            "Bots have played this game by letters, signed with keys of their own, their orders sealed",
            "to the moderator. All else is as in a campaign of people. In this folder:",
            "",
            *(f"{name:<24}{what}" for name, what in names),
            "",
            "pbem verify campaign    checks every entry, signature and card.",
            "",
            *advice_lines(shown, outbox),
        ]
    )


def advice_lines(shown: DemoResult, outbox: Path) -> list[str]:
    """Return the lines that tell a person how to play on after the bots have stopped; empty if the game is over."""
    if shown.phase != "running":
        return []
    moderates = f"-C campaign --key keys/{MODERATOR}"
    sheets = {seat: f"{outbox}/{seat}.orders.yaml" for seat in shown.owing}
    return [
        "The game goes on. Edit the order sheets of those who are asked, or leave them as they are. Then:",
        "",
        *(f"pbem sign {sheet} --key keys/{seat} -o {seat}.yaml" for seat, sheet in sheets.items()),
        *(f"pbem accept {seat}.yaml {moderates}" for seat in sheets),
        f"pbem adjudicate {moderates}",
        f"pbem post {moderates}",
        "",
    ]


@dataclass(frozen=True)
class Play:
    """Options of the bots' game: its length in turns, its seed, and the bots."""

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
        write_file(places.read_me, read_me(shown).encode())
        if json_wanted:
            print_json(summary_data(shown, play.seed))
        else:
            tell_summary(shown)


@contextmanager
def progress(turns: int | None, silent: bool) -> Iterator[Watch]:
    """Return a context that shows the number of finished turns as a bar on the terminal. Without a known length the bar
    has no end."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=silent or not console.is_terminal, transient=True) as bar:
        task = bar.add_task("Founding", total=turns)

        def watch(doing: str, over: int) -> None:
            bar.update(task, description=doing, completed=over)

        yield watch
