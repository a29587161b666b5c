"""Options that commands share, their types, and the structs that collect them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.console.language import LANGUAGE, LANGUAGE_VARIABLE, language_wanted
from pbem.console.refusals import misuse
from pbem.faults.wrong import words
from pbem.paper.documents.characters import UNWANTED, character_name, clean_text
from pbem.resources import games

if TYPE_CHECKING:
    from pbem.work.executors import Executor


Command = TypeVar("Command", bound=Callable[..., object])


class FileToWrite(click.Path):
    """Type of an option that names a file to write."""

    def __init__(self, *suffixes: str) -> None:
        """Set the allowed suffixes; without any, all are allowed."""
        super().__init__(dir_okay=False, path_type=Path)
        self.suffixes = suffixes

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        """Return the path. Raises `BadParameter` for a text that names no file or lacks an allowed suffix."""
        path = Path(value)
        if str(value) in ("", "-"):
            self.fail(misuse("use-name-file"), param, ctx)
        if self.suffixes and path.suffix.casefold() not in self.suffixes:
            self.fail(misuse("use-suffix", name=repr(str(value)), suffixes=self.suffixes), param, ctx)
        return super().convert(value, param, ctx)


def gather_options(name: str, kind: Callable[..., object]) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return a decorator that gathers a command's options into one `kind` object. The command gets this object as the
    argument `name`."""
    parts = signature(kind).parameters

    def gathering(command: Callable[..., object]) -> Callable[..., object]:
        @wraps(command)
        def called(**given: object) -> object:
            own = {part: given.pop(part) for part in parts if part in given}
            return command(**given, **{name: kind(**own)})

        return called

    return gathering


def known_language(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    """Return the language of an option, by default the player's own. Raises `BadParameter` for a language without
    templates."""
    if value is None:
        return language_wanted()
    from pbem.report.language.templates import languages

    known = languages()
    if value not in known:
        raise click.BadParameter(misuse("use-language", language=repr(value), known=tuple(known)))
    return value


def language_option(command: Command, *, is_passed: bool = True) -> Command:
    """Add the option `--language`. With `is_passed`, the command gets the language as an argument. Otherwise the
    command calls `language_wanted` after reading its files."""
    return click.option(
        LANGUAGE,
        callback=known_language,
        expose_value=is_passed,
        envvar=LANGUAGE_VARIABLE,
        show_envvar=True,
        metavar="en|es|it|de",
        help="The language of what is told; left out: your own.",
    )(command)


@dataclass(frozen=True)
class Telling:
    """Form of the output: its language, and words or JSON."""

    json_wanted: bool

    @property
    def language(self) -> str:
        """Language of the output; it depends on the files read so far."""
        return language_wanted()


def telling_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options `--language` and `--json`. The command gets both as `telling`."""
    return language_option(json_option(gather_options("telling", Telling)(command)), is_passed=False)


def json_option(command: Command) -> Command:
    """Add the option `--json`. The command gets it as `json_wanted`."""
    return click.option("--json", "json_wanted", is_flag=True, help="Print JSON instead of text.")(command)


def reader_option(command: Command) -> Command:
    """Add the option `--as`. The command gets it as the text `reader`."""
    text = "See it with the knowledge of this power or player; `observer` knows no secret. Left out: everything."
    return click.option("--as", "reader", metavar="WHO", help=text)(command)


def picture_out(command: Command) -> Command:
    """Add the option `--out` of a picture. The command gets it as `out`: the path of an .svg or .png file, or None
    without the option."""
    return click.option("-o", "--out", type=FileToWrite(".svg", ".png"), help="The file to write, .svg or .png.")(
        command
    )


def new_game_options(command: Command) -> Command:
    """Add the options of a new game. By default they have the game's usual values."""
    names = list(games())
    command = click.option("--board", help="A board's name or file.")(command)
    for name, option in reversed(game_options().items()):
        kind = click.Choice(option.choices) if option.choices else None
        command = click.option(f"--{name}", type=kind, help=option.help)(command)
    command = click.option("--scenario", help="The scenario; left out: the first of the game.")(command)
    return click.option("--game", type=click.Choice(names), default=names[0], show_default=True, help="The game.")(
        command
    )


def terms_given(options: Mapping[str, str | None]) -> dict[str, str]:
    """Return the terms of a game that the options give. The keys are the names that the terms have in documents."""
    return {name.replace("_", " "): value for name, value in options.items() if value is not None}


MOST_TEXT = 20_000
"""Largest number of characters of an option's text."""


def line(text: str) -> str:
    """Return an option's text, which must be one line or empty. Raises `BadParameter` for several lines, for over
    `MOST_TEXT` characters, and for characters that no letter may contain."""
    return some_line(text) if text else ""


def some_line(text: str) -> str:
    """Return an option's text, which must be exactly one line. Raises `BadParameter` for an empty text or several
    lines, for over `MOST_TEXT` characters, and for characters that no letter may contain."""
    found = lines(text)
    if "\n" in found:
        raise click.BadParameter(misuse("use-one-line"))
    return found


def lines(text: str) -> str:
    """Return an option's text of one or more lines. Raises `BadParameter` if it is empty, has over `MOST_TEXT`
    characters, or has characters that no letter may contain."""
    found = text.replace("\r\n", "\n").strip()
    if unseen := UNWANTED.search(found):
        raise click.BadParameter(misuse("use-character", character=character_name(unseen.group())))
    if not found or len(found) > MOST_TEXT:
        raise click.BadParameter(misuse("use-length", most=MOST_TEXT))
    return clean_text(found)


def folder_option(command: Command) -> Command:
    """Add the option `--folder` of moderators. The command gets it as `folder`, by default the present folder."""
    text = "The campaign's folder; left out: the one you are in."
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("-C", "--folder", type=kind, default=Path(), metavar="FOLDER", help=text)(command)


def why_option(command: Command) -> Command:
    """Add the required option `--why`. The command gets it as `why`."""
    return click.option("--why", type=some_line, metavar="TEXT", required=True, help="Why; everybody reads it.")(
        command
    )


folder_argument = click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())


@dataclass(frozen=True)
class Option:
    """Option for one of the terms of a new game."""

    name: str
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class GameCommands:
    """Options and commands that one game adds to the program. They are the value `PART` in the game's module `cli`."""

    options: tuple[Option, ...] = ()
    rules: tuple[click.Command, ...] = ()
    """Commands of this game that stand under `pbem rules`."""


def game_commands(game: str) -> GameCommands:
    from pbem.kit import part  # imported here, because it loads the engine, which few options need

    return part(game, "cli", GameCommands)


def game_options() -> dict[str, Option]:
    """Return the options of all games, by name. If two games have an option of the same name, the first game's option
    serves both."""
    found: dict[str, Option] = {}
    for game in games():
        for option in game_commands(game).options:
            found.setdefault(option.name, option)
    return found


T = TypeVar("T")


def with_progress(done: Iterable[T], total: int, telling: Telling) -> Iterator[T]:
    """Yield the results in `done`; `total` is their number. A progress bar is shown meanwhile if errors go to a
    terminal and JSON is not wanted."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    hidden = telling.json_wanted or not console.is_terminal
    # The bar has no thread of its own, because a process with a second thread must not be copied to start other
    # processes.
    with Progress(console=console, disable=hidden, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(words("count-playing").text(telling.language), total=total)
        for each in done:
            bar.update(task, advance=1, refresh=True)
            yield each


@dataclass(frozen=True)
class Hands:
    """Options for sharing work among processes or a cluster."""

    jobs: int | None
    on: str | None

    def executor(self, tasks: int) -> Executor:
        """Return the executor for these options: processes of this computer, by default one for each core, or a
        cluster. Raises `WorkFault` if the cluster cannot be reached."""
        from pbem.work.executors import cores, executor

        return executor(self.jobs or min(cores(), tasks), self.on or "")


def work_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options `--jobs` and `--on`. The command gets them as `hands`."""
    jobs = "Processes that share the work; left out: as many as there are cores."
    cluster = "The address of a Dask cluster that does it instead (`pbem[dask]`), such as tcp://10.0.0.5:8786."
    command = click.option("--on", metavar="ADDRESS", help=cluster)(gather_options("hands", Hands)(command))
    return click.option("--jobs", type=click.IntRange(1, 64), help=jobs)(command)
