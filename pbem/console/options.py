"""Options that commands share, their types, and the structs in which a command gets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.console.frames import LANGUAGE, LANGUAGE_VARIABLE
from pbem.console.refusals import misuse
from pbem.faults.wrong import words
from pbem.paper.documents.characters import UNWANTED, character_name, clean_text
from pbem.resources import games

if TYPE_CHECKING:
    from pbem.work.executors import Executor


Command = TypeVar("Command", bound=Callable[..., object])


class FileToWrite(click.Path):
    """A file to write, where only some suffixes may be wanted."""

    def __init__(self, *suffixes: str) -> None:
        """Take the suffixes that the name may have; none means any."""
        super().__init__(dir_okay=False, path_type=Path)
        self.suffixes = suffixes

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        """Refuse what is no name of such a file."""
        path = Path(value)
        if str(value) in ("", "-"):
            self.fail(misuse("use-name-file"), param, ctx)
        if self.suffixes and path.suffix.casefold() not in self.suffixes:
            self.fail(misuse("use-suffix", name=repr(str(value)), suffixes=self.suffixes), param, ctx)
        return super().convert(value, param, ctx)


def gathered(name: str, kind: Callable[..., object]) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Hands a command the options that are parts of one struct as this struct, under a name."""
    parts = signature(kind).parameters

    def gathering(command: Callable[..., object]) -> Callable[..., object]:
        @wraps(command)
        def called(**given: object) -> object:
            own = {part: given.pop(part) for part in parts if part in given}
            return command(**given, **{name: kind(**own)})

        return called

    return gathering


def known_language(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse a language that nobody has written templates in."""
    from pbem.report.language.templates import languages

    known = languages()
    if value not in known:
        raise click.BadParameter(misuse("use-language", language=repr(value), known=tuple(known)))
    return value


def language_option(command: Command) -> Command:
    """The option `--language` of commands that tell something in words."""
    return click.option(
        LANGUAGE,
        callback=known_language,
        default="en",
        envvar=LANGUAGE_VARIABLE,
        show_envvar=True,
        metavar="en|es|it|de",
        help="The language of what is told; left out: English.",
    )(command)


@dataclass(frozen=True)
class Telling:
    """Manner of telling: a language, or JSON for programs."""

    language: str
    json_wanted: bool


def telling_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say how; a command gets them as `telling`."""
    return language_option(as_json(gathered("telling", Telling)(command)))


def as_json(command: Command) -> Command:
    """The option `--json`."""
    return click.option("--json", "json_wanted", is_flag=True, help="Print JSON instead of text.")(command)


def seen_as(command: Command) -> Command:
    """The option `--as`."""
    text = "See it with the knowledge of this power or player; `observer` knows no secret. Left out: everything."
    return click.option("--as", "reader", metavar="WHO", help=text)(command)


def picture_out(command: Command) -> Command:
    """The option `--out` of a picture."""
    return click.option("-o", "--out", type=FileToWrite(".svg", ".png"), help="The file to write, .svg or .png.")(
        command
    )


def new_game(command: Command) -> Command:
    """The options that say which game to begin; what is left out is as usual in that game."""
    from pbem.resources import games

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
    """The terms that options name, as documents call them."""
    return {name.replace("_", " "): value for name, value in options.items() if value is not None}


MOST_TEXT = 20_000
"""The longest text that an option takes."""


def line(value: str) -> str:
    """An option's text of one line, or none; as its type, it refuses what no letter and no ledger may hold."""
    return some_line(value) if value else ""


def some_line(value: str) -> str:
    """An option's text of one line, which must be there."""
    found = lines(value)
    if "\n" in found:
        raise click.BadParameter(misuse("use-one-line"))
    return found


def lines(value: str) -> str:
    """An option's text of any number of lines."""
    found = value.replace("\r\n", "\n").strip()
    if unseen := UNWANTED.search(found):
        raise click.BadParameter(misuse("use-character", character=character_name(unseen.group())))
    if not found or len(found) > MOST_TEXT:
        raise click.BadParameter(misuse("use-length", most=MOST_TEXT))
    return clean_text(found)


def in_folder(command: Command) -> Command:
    """The option `--folder` of the moderator's commands."""
    text = "The campaign's folder; left out: the one you are in."
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("-C", "--folder", type=kind, default=Path(), metavar="FOLDER", help=text)(command)


def why_option(command: Command) -> Command:
    """The option `--why`, which must be given."""
    return click.option("--why", type=some_line, metavar="TEXT", required=True, help="Why; everybody reads it.")(
        command
    )


folder_argument = click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())


@dataclass(frozen=True)
class Option:
    """An option that says one of the terms of a game."""

    name: str
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class GameCommands:
    """Options and commands of one game, as the `PART` of its `cli` module."""

    options: tuple[Option, ...] = ()
    rules: tuple[click.Command, ...] = ()
    """Commands below `pbem rules`."""


def game_commands(game: str) -> GameCommands:
    from pbem.kit import part  # loads the engine, which few options need

    return part(game, "cli", GameCommands)


def game_options() -> dict[str, Option]:
    """The options of all games by their names; what two games call alike is one."""
    found: dict[str, Option] = {}
    for game in games():
        for option in game_commands(game).options:
            found.setdefault(option.name, option)
    return found


T = TypeVar("T")


def with_progress(done: Iterable[T], total: int, telling: Telling) -> Iterator[T]:
    """Games that are played, with a bar on the terminal that shows how far it is.

    The bar has no thread of its own: where processes are begun by copying this one there must be none.
    """
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    hidden = telling.json_wanted or not console.is_terminal
    with Progress(console=console, disable=hidden, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(words("count-playing").text(telling.language), total=total)
        for each in done:
            bar.update(task, advance=1, refresh=True)
            yield each


@dataclass(frozen=True)
class Hands:
    """Processes, or the cluster, that do the work."""

    jobs: int | None
    on: str | None

    def executor(self, tasks: int) -> Executor:
        """They, for so many tasks; raises `WorkFault`. If nothing else is said, all cores of this computer."""
        from pbem.work.executors import cores, executor

        return executor(self.jobs or min(cores(), tasks), self.on or "")


def work_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say who does the work; a command gets them as `hands`."""
    jobs = "Processes that share the work; left out: as many as there are cores."
    cluster = "The address of a Dask cluster that does it instead (`pbem[dask]`), such as tcp://10.0.0.5:8786."
    command = click.option("--on", metavar="ADDRESS", help=cluster)(gathered("hands", Hands)(command))
    return click.option("--jobs", type=click.IntRange(1, 64), help=jobs)(command)
