"""`pbem play`: a whole game in the terminal, against bots."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pbem.bots.table import BOTS
from pbem.console.options import FileToWrite, gather_options, language_option, new_game_options, terms_given
from pbem.console.printing import say
from pbem.console.refusals import refusals
from pbem.faults.wrong import WrongUse, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.player.files import names_beside
from pbem.player.names import bot_meant, bots_meant, name_meant, new_table

if TYPE_CHECKING:
    from pbem.engine.table import GameRules
    from pbem.player.tables import FoundTable
    from pbem.playing.game import PlayedGame
    from pbem.playing.saved import GameFile, Setup

LASTING = ("file", "picture", "explain", "language")
"""Options that may be given when a saved game is continued. All others are only for a new game."""


@dataclass(frozen=True)
class Company:
    """Players of a new game, and the seed from which its cards are dealt."""

    seat: str | None
    """Seat that the person plays. None if the program asks for it."""
    level: str
    bots: tuple[str, ...]
    seed: str | None


@dataclass(frozen=True)
class Manner:
    """Options for the way in which a game is shown."""

    picture: Path | None
    """Path of the file for the map. If it is None, the map is beside the file of the saved game."""
    explain: bool
    """True if the consequences of new events are told with the events."""


def manner_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options for the way in which a game is shown. The command gets their values as the argument `manner`."""
    news = "Also tell what news lead to: who could attack you now, goals, supply."
    place = "Where the map is drawn; left out: beside the saved game."
    told = click.option("--explain", is_flag=True, help=news)(gather_options("manner", Manner)(command))
    return click.option("--map", "picture", type=FileToWrite(".svg", ".png"), help=place)(told)


@click.command("play")
@click.argument("file", type=FileToWrite(), required=False)
@new_game_options
@click.option("--seat", help="Whom you play; left out: you are asked.")
@click.option(
    "--level",
    default="sensible",
    show_default=True,
    help=f"How the bots play: {', '.join(BOTS)}, or `strong:16`, which thinks more.",
)
@click.option("--bot", "bots", multiple=True, metavar="SEAT=LEVEL", help="How the bot of one seat plays.")
@click.option("--seed", help="The same seed deals the same cards; left out: by chance.")
@gather_options("wanted", Company)
@manner_options
@language_option
def play_command(file: Path | None, wanted: Company, manner: Manner, language: str, **terms: str | None) -> None:
    """Play a whole game against bots, here in the terminal.

    The game is saved in FILE (left out: GAME.play) after every answer. The same command continues it. Type `?` to see
    what can be typed.
    """
    from pbem.playing.saved import GameFile
    from pbem.playing.session import SessionEnd

    given = terms_given(terms)
    path = file or Path(f"{given['game']}.play")
    with refusals(False):
        saved = GameFile(path)
        is_new = not path.exists()
        said = given_options()
        if not is_new and not said <= ({*LASTING} if file else {*LASTING, "game"}):
            raise Refused(str(path), [wrong("E-PLAY-EXISTS")])
        with suppress(SessionEnd):
            game = new_played_game(given, wanted, path, language) if is_new else resumed_game(saved)
            run_session(game, saved, manner, language)


def run_session(game: PlayedGame, saved: GameFile, manner: Manner, language: str) -> None:
    """Play a game in the terminal until it is over or the person leaves."""
    from pbem.playing.session import Session

    session = Session(game, saved, manner.picture, language)
    session.page.explains = manner.explain
    again = {
        "picture": ("--map", str(manner.picture)),
        "explain": ("--explain",),
        "language": ("--language", language),
    }
    said = given_options()
    session.again = [word for name, option in again.items() if name in said for word in option]
    session.run()


def given_options() -> set[str]:
    """Return the names of the options that were typed. Options that have their default are left out."""
    context = click.get_current_context()
    return {name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}


def new_played_game(terms: dict[str, str], wanted: Company, path: Path, language: str) -> PlayedGame:
    """Return a new game with these terms. It is not saved yet. If the options do not name a seat, the person is asked
    for it. Raises `Refused` or `WrongUse` if terms or options cannot be used."""
    from pbem.playing.game import PlayedGame
    from pbem.playing.saved import Setup

    terms = names_beside(terms, path.parent)
    rules = new_table(terms, path.parent).rules
    level, said = bot_meant(wanted.level, "--level"), bots_meant(wanted.bots, rules.seats, "--bot")
    check_seed(wanted.seed or "")
    own = (
        name_meant(wanted.seat, rules.seats, words("player"), "--seat") if wanted.seat else seat_asked(rules, language)
    )
    if own in said:
        raise WrongUse(wrong("use-own-seat", seat=own), option="--bot")
    levels = {seat: said.get(seat, level) for seat in rules.seats if seat != own}
    setup = Setup(terms, wanted.seed or os.urandom(16).hex(), own, levels)
    return PlayedGame(rules, setup)


def check_seed(seed: str) -> None:
    """Raise `WrongUse` if the seed cannot be written as UTF-8."""
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise WrongUse(wrong("use-utf8"), option="--seed") from None


def seat_asked(rules: GameRules, language: str) -> str:
    """Ask for the seat that the person plays, and return it. An empty line means the first seat."""
    from pbem.playing.session import choice_number, typed_line
    from pbem.report.language.templates import GameNames

    names = GameNames(language, rules.terms.game)
    seats = list(rules.seats)
    for number, seat in enumerate(seats, 1):
        say(f"{number:4}  {names.player(seat)} ({names.powers(rules.seats[seat])})")
    numbers = range(1, len(seats) + 1)
    while True:
        try:
            return seats[choice_number(typed_line(f"{words('play-seat').text(language)} ") or "1", numbers) - 1]
        except Refused as refused:
            for fault in refused.faults:
                say(fault.sentence(language))


def resumed_game(saved: GameFile) -> PlayedGame:
    """Return the game that is saved in a file. Raises `Refused` if the file is faulty, or if this version of the
    program would play the game differently."""
    from pbem.playing.branches import replayed_game

    path, (setup, entries, reached) = saved.path, saved.load()
    return replayed_game(start_saved(setup, path), setup, entries, reached, str(path))


def start_saved(setup: Setup, path: Path) -> GameRules | FoundTable:
    """Return the rules of a saved game, or the table at which a saved branch begins. Raises `Refused` for wrong
    settings. The file may come from a stranger, so the fault quotes nothing from other files that it names."""
    from pbem.playing.branches import opening_of

    try:
        return opening_of(setup, str(path), path.parent) or new_table(setup.terms, path.parent).rules
    except (Refused, WrongUse):
        board = as_quoted(setup.terms.get("board", ""))
        raise Refused(str(path), [wrong("E-PLAY-FILE.terms", board=board)]) from None
