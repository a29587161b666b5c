"""`pbem record`: writes a campaign, or a game against bots, as JSON lines, decision by decision."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.options import FileToWrite
from pbem.console.refusals import refusals
from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import shell_word, wrong
from pbem.paper.documents.faults import Refused

if TYPE_CHECKING:
    from pbem.record.recorder import Put


@click.command("record")
@click.argument("archive", type=click.Path(path_type=Path), required=False)
@click.option("-o", "--out", type=FileToWrite(), help="The file to write; left out: the standard output.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of a line instead.")
def record_command(archive: Path | None, out: Path | None, schema: bool) -> None:
    """Write a game as JSON lines: each decision, its possible answers, the given answer, and the events that followed.

    ARCHIVE is the folder of a campaign, which is verified, or a game that `pbem play` has saved, but no branch. As long
    as a campaign is not closed, or a game not over, only facts that everybody may know are written.
    """
    from pbem.record.schema import schema_text

    if schema == (archive is not None):
        raise click.UsageError("name a campaign's folder or a game, or --schema")
    with refusals(False), output(out) as put:
        if archive is None:
            put(schema_text().encode())
        elif archive.is_dir():
            from pbem.record.recorder import record_campaign

            record_campaign(archive, put)
        else:
            record_saved(archive, put)


@contextmanager
def output(path: Path | None) -> Iterator[Put]:
    """Return a context manager. Its value is a function that writes lines to the standard output or to a file. The file
    appears only when all lines are written. Raises `Refused` if the file cannot be written."""
    if path is None:
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    draft = path.with_name(f".pbem-{os.urandom(8).hex()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with draft.open("xb") as file:
                yield file.write
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(str(path), [wrong("E-FILE.write", why=reason_of(error))]) from None


def record_saved(path: Path, put: Put) -> None:
    """Write the lines of a saved game against bots. Raises `Refused` if the game is a branch."""
    from pbem.playing.commands import resumed_game
    from pbem.playing.saved import GameFile
    from pbem.record.recorder import first_line, record_game, record_game_publicly

    game = resumed_game(GameFile(path))
    if game.setup.world:
        raise Refused(str(path), [wrong("E-PLAY-FILE.branch", file=shell_word(str(path)))])
    entries = iter(game.entries)
    begins = first_line(game.rules, path.stem, game.setup.bots, game.is_over)
    write = record_game if game.is_over else record_game_publicly
    write(
        game.rules,
        begins,
        game.setup.seed,
        lambda table: next(((entry.power, entry.answer) for entry in entries), None),
        put,
    )
