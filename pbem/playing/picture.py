"""The map beside the game: a file, drawn anew when pieces have moved, and shown in terminals that can."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from pbem.cli.common import is_drawn, on_terminal, write_file, write_unnamed
from pbem.engine.nouns import City
from pbem.paper.library import find_board
from pbem.playing.game import PlayedGame
from pbem.report.language.options import pieces_together
from pbem.report.maps import Request, picture_file, picture_png
from pbem.report.overlays import overlay_of

KITTY = ("xterm-kitty", "xterm-ghostty")
ITERM = ("iTerm.app", "WezTerm", "mintty")
CHUNK = 4096
"""The most letters of a picture that kitty takes at once."""

SHOWN_WIDTH = 1600


class Picture:
    """The map of a game as its person may know it."""

    def __init__(self, game: PlayedGame, path: Path, language: str, *, is_named: bool) -> None:
        """Take where it is written, and whether somebody has typed that name; nothing is drawn yet."""
        self.game = game
        self.path = path
        self.is_named = is_named
        self.language = language
        self.drawn: tuple[City, ...] = ()
        """Where the pieces stand on it."""

    def follow(self) -> None:
        """Draw it anew if pieces have moved."""
        if self.drawn != (places := self.places()):
            self.draw(())
            self.drawn = places

    def show(self, pieces: Sequence[str]) -> None:
        """Draw it with how far pieces reach, and show it in a terminal that can."""
        wanted = self.draw(pieces)
        self.drawn = () if pieces else self.places()
        if on_terminal() and (put := way_to_put(os.environ)):
            for part in put(picture_png(replace(wanted, width=SHOWN_WIDTH))):
                click.echo(part, nl=False)
            click.echo()

    def draw(self, pieces: Sequence[str]) -> Request:
        """Write the file."""
        table = self.game.table
        movers = pieces_together(table, self.game.powers, pieces)
        overlay = overlay_of(table, self.game.memory, movers, self.language)
        board = find_board(table.rules.terms.board)
        wanted = Request(board, self.game.view(), overlay=overlay, language=self.language)
        picture = picture_file(self.path, wanted)
        write_file(self.path, picture) if self.is_named else write_unnamed(self.path, picture, is_drawn)
        return wanted

    def places(self) -> tuple[City, ...]:
        """Where every piece stands."""
        return tuple(piece.city for piece in self.game.table.state.field.pieces)


def way_to_put(environment: Mapping[str, str]) -> Callable[[bytes], Iterator[str]] | None:
    """How a terminal is told a picture, if it is one of those that are known to understand; none within another."""
    if environment.get("TMUX") or environment.get("STY"):
        return None
    if environment.get("TERM") in KITTY:
        return for_kitty
    return for_iterm if environment.get("TERM_PROGRAM") in ITERM else None


def for_kitty(png: bytes) -> Iterator[str]:
    """A picture as wide as it is, in pieces."""
    data = b64encode(png).decode()
    for at in range(0, len(data), CHUNK):
        head = "f=100,a=T," if at == 0 else ""
        yield f"\x1b_G{head}m={int(at + CHUNK < len(data))};{data[at : at + CHUNK]}\x1b\\"


def for_iterm(png: bytes) -> Iterator[str]:
    """A picture as wide as the window."""
    yield f"\x1b]1337;File=inline=1;size={len(png)};width=100%:{b64encode(png).decode()}\x07"
