"""What commands share: options, reading and writing files, printing, and the refusal of a faulty file."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.cli.frames import LANGUAGE, LANGUAGE_VARIABLE, language_wanted
from pbem.engine.nouns import Power
from pbem.faults.wrong import Gap, Words, Wrong, printable, reason_of, told, words, wrong
from pbem.paper.documents.faults import MOST_FAULTS, Refused
from pbem.paper.documents.names import NameFault, Names, as_quoted

if TYPE_CHECKING:
    from pbem.engine.table import GameRules, Table
    from pbem.report.blocks import Block

Command = TypeVar("Command", bound=Callable[..., object])
T = TypeVar("T")

REFUSED = 1
"""The exit code of a refusal; a wrong use of the program ends with 2."""

MOST_BYTES = 8 * 1024 * 1024
"""More than this is read of no file that a command does not expect to be large."""

MOST_OF_LARGE = 64 * 1024 * 1024
"""Modules with pictures and whole mailboxes may be larger, but fit into the memory."""

FILES = ("board", "politics", "fate file")
"""The terms of games that may name a file."""

OPTIONS = "options"
"""What the document is called that options on the command line make up."""


def misuse(key: str, **gaps: Gap) -> str:
    """How a command was used wrongly, in the language that is wanted."""
    return words(key, **gaps).told(language_wanted())


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
    """How something is told: in which language, or to programs."""

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
    from pbem.cli.game_commands import game_options
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


def print_json(value: object) -> None:
    """Print a value as JSON, with its letters as they are wherever they can be printed."""
    is_unicode = (sys.stdout.encoding or "utf-8").casefold().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=not is_unicode, indent=2))


LEAST_ROOM = 30
"""On a terminal narrower than this lines are broken as if it had so many columns."""


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things: `1 battle`, `2 battles`."""
    return f"{number} {thing if number == 1 else things or f'{thing}s'}"


def on_terminal() -> bool:
    """Whether what is printed goes to a terminal, and not to a file or another program."""
    return sys.stdout.isatty()


def say(text: str, err: bool = False) -> None:
    """Print a line; on a terminal that is too narrow for it, broken between words, and indented from there on."""
    stream = sys.stderr if err else sys.stdout
    if stream.isatty():
        room = max(shutil.get_terminal_size().columns, LEAST_ROOM)
        text = textwrap.fill(text, room, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    click.echo(text, err=err)


def tell(blocks: Sequence[Block], gap: bool = True) -> None:
    """Print blocks: laid out for a terminal, or else as plain text; with a gap an empty line stands after them."""
    if on_terminal():
        from pbem.cli.terminal import show_blocks

        show_blocks(blocks)
        click.echo(nl=gap)
    else:
        from pbem.report.formats.pages import text

        click.echo(text(blocks), nl=gap)


def warn(fault: Wrong) -> None:
    """Print a fault that has no place in any file."""
    say(fault.said(language_wanted()), err=True)


def fault_data(source: str, fault: Wrong) -> dict[str, object]:
    """A fault as JSON has it."""
    return {"file": source, **fault.data(language_wanted())}


def refuse(source: str, faults: Sequence[Wrong], json_wanted: bool) -> None:
    """Print faults, and end the command if one of them is more than a warning."""
    errors, language = any(not fault.is_warning for fault in faults), language_wanted()
    if json_wanted and errors:
        print_json({"refused": [fault_data(source, fault) for fault in faults]})
    elif not json_wanted:
        for fault in faults[:MOST_FAULTS]:
            say(fault.told(source, language), err=True)
        if len(faults) > MOST_FAULTS:
            click.echo(f"{source}: and {len(faults) - MOST_FAULTS} more", err=True)
    if errors:
        sys.exit(REFUSED)


@contextmanager
def refusals(json_wanted: bool) -> Iterator[None]:
    """Turn a refused file into its faults, line by line."""
    try:
        yield
    except Refused as refused:
        refuse(refused.source, refused.faults, json_wanted)
    except OSError as error:
        if error.filename is None:
            raise
        refuse(str(error.filename), (wrong("E-FILE.read", why=reason_of(error)),), json_wanted)


def read_bytes(path: str, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file, or of the standard input for `-`, which can be read once."""
    if path == "-":
        said = click.get_current_context().find_root().meta
        if said.setdefault("pbem.stdin", False):
            raise click.UsageError(misuse("use-one-input"))
        said["pbem.stdin"] = True
        data = sys.stdin.buffer.read(most + 1)
    else:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise Refused(path, [wrong("E-FILE-SIZE", most=most)])
    return data


def named_beside(terms: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the terms that options name as a file in a folder may name them: files beside it by their bare names."""
    found = dict(terms)
    for key, value in terms.items():
        if key in FILES and Path(value).is_file():
            if Path(value).resolve().parent != folder.resolve():
                raise click.UsageError(misuse("use-file-beside", file=value, folder=str(folder)))
            found[key] = Path(value).name
    return found


def new_table(terms: Mapping[str, str], folder: Path | None = None) -> Table:
    """Return the table of a new game on the terms that options name; what is wrong with them is wrong use.

    With a folder the terms stood in a file of it, which may come from anybody: it names files of that folder alone.
    """
    from pbem.paper.documents.writing import write
    from pbem.paper.positions.files import load_position

    try:
        document = write(terms).encode()
    except ValueError as error:
        raise click.UsageError(misuse("use-option-text", why=str(error))) from None
    try:
        return load_position(document, OPTIONS, folder or Path(), names_paths=folder is None)
    except Refused as refused:
        if refused.source != OPTIONS:
            raise
        raise click.UsageError("; ".join(in_short(fault, " — ") for fault in refused.faults)) from None


def folder_of(path: str) -> Path | None:
    """The folder from which a file's own references are seen; none for the standard input."""
    return None if path == "-" else Path(path).parent


def meant(written: str, names: Iterable[str], what: Words, option: str) -> str:
    """Which of these names an option means."""
    known = tuple(names)
    with names_typed(option):
        return known[Names(known, what).find(written)]


@contextmanager
def names_typed(option: str) -> Iterator[None]:
    """Turn a name that fits nothing into wrong use of the option in which it was typed."""
    try:
        yield
    except NameFault as fault:
        raise click.BadParameter(in_short(fault.wrong, "; "), param_hint=option) from None


def each_once(said: Iterable[tuple[str, T]], option: str) -> dict[str, T]:
    """What an option says of seats, of each of them once."""
    found: dict[str, T] = {}
    for seat, what in said:
        if seat in found:
            raise click.BadParameter(misuse("use-twice", seat=seat), param_hint=option)
        found[seat] = what
    return found


def bot_meant(written: str, option: str) -> str:
    """Which bot an option means, and behind a colon how many worlds it imagines."""
    from pbem.bots.table import BOTS, MOST_WORLDS, is_bot

    level, mark, worlds = (part.strip() for part in written.partition(":"))
    bot = f"{meant(level, BOTS, words('bot'), option)}{mark}{worlds}"
    if not is_bot(bot):
        raise click.BadParameter(misuse("use-worlds", bot=as_quoted(written), most=MOST_WORLDS), param_hint=option)
    return bot


def bots_meant(said: Iterable[str], seats: Iterable[str], option: str) -> dict[str, str]:
    """Which bots seats have of which an option says it: `louis=strong:16`."""
    parted = ((part.strip() for part in each.partition("=")) for each in said)
    named = ((meant(seat, seats, words("player"), option), bot) for seat, _, bot in parted)
    return each_once(((seat, bot_meant(bot, option)) for seat, bot in named), option)


def in_short(fault: Wrong, joint: str) -> str:
    """What is wrong and what would be right, without code and rule."""
    said = (told(part, language_wanted()) for part in (fault.message, fault.hint))
    return joint.join(part for part in said if part)


def powers_of(rules: GameRules, reader: str | None) -> tuple[Power, ...]:
    """The powers whose secrets a reader knows: a player's powers, one power, nobody's, or all."""
    if reader is None:
        return rules.powers
    found = meant(reader, ["observer", *rules.seats, *rules.powers], words("player-or-power"), "--as")
    if found == "observer":
        return ()
    return tuple(power for power in rules.seats.get(found, (Power(found),)) if power in rules.powers)


def write_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file whole or not at all; folders that are missing are made.

    Who may read it follows from `mode` and the umask; nothing that lies under the name of the draft is written to.
    """
    draft = path.with_name(f".pbem-{os.urandom(8).hex()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                file.write(data)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        is_path = isinstance(error, FileExistsError)
        raise Refused(
            str(path), [wrong("E-FILE.write", why=words("path-no-folder") if is_path else reason_of(error))]
        ) from None


def write_unnamed(path: Path, data: bytes, is_ours: Callable[[bytes], bool]) -> None:
    """Write a file under a name that nobody has typed; raises `Refused` where something lies that is not `is_ours`."""
    try:
        if os.path.lexists(path) and not is_ours(path.read_bytes()):
            raise Refused(str(path), [wrong("E-FILE-EXISTS")])
    except OSError as error:
        raise Refused(str(path), [wrong("E-FILE.write", why=reason_of(error))]) from None
    write_file(path, data)


def is_drawn(data: bytes) -> bool:
    """Return whether a file is a picture that the program has drawn, by the fonts that all of these name."""
    return data.startswith(b"<svg ") and b"font-family=\"'PT Serif',Georgia" in data[:400]


def show_text(text: str) -> None:
    """Print what somebody else has written: as it is, but on a terminal without what would command it."""
    click.echo("\n".join(map(printable, text.split("\n"))) if on_terminal() else text, nl=False)
