"""Command `pbem what-if`: a branch from a report, played in the terminal."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from pbem.bots.table import BOTS
from pbem.console.options import FileToWrite, gather_options, language_option
from pbem.console.refusals import refusals
from pbem.console.surroundings import given_file
from pbem.faults.wrong import WrongUse, wrong
from pbem.paper.documents.faults import Refused
from pbem.player.chances import written_in
from pbem.player.files import GivenFile
from pbem.player.keyring import place_of
from pbem.player.names import bot_meant, bots_meant
from pbem.player.report_files import with_facts
from pbem.player.tables import identity_of, reported_table, trusted_guide
from pbem.playing.branches import MINE, STILL, BranchGame, BranchWish, new_branch
from pbem.playing.commands import Manner, check_seed, manner_options, run_session
from pbem.playing.saved import GameFile
from pbem.playing.session import SessionEnd


@dataclass(frozen=True)
class BranchOptions:
    """Options for a branch. `bots` has bots for certain seats, such as `louis=random`; `level` is the bot for all other
    seats. `beside` has the names of files with earlier reports."""

    save: Path
    level: str
    bots: tuple[str, ...]
    seed: str | None
    beside: tuple[str, ...]


@click.command("what-if")
@click.argument("report")
@click.argument("orders", nargs=-1)
@click.option(
    "--save", type=FileToWrite(), default="what-if.play", show_default=True, help="Where the branch is saved."
)
@click.option(
    "--level",
    default="sensible",
    show_default=True,
    help=f"How the others play: {', '.join(BOTS)}, `{STILL}` (no more than they must) or `{MINE}` (by you).",
)
@click.option("--bot", "bots", multiple=True, metavar="SEAT=LEVEL", help="How one seat is played.")
@click.option("--seed", help="The same seed deals the same world; left out: by chance.")
@click.option(
    "--reports",
    "beside",
    multiple=True,
    metavar="PATH",
    help="Earlier reports, or a folder with them: what they tell for sure is so in this world, too.",
)
@gather_options("wanted", BranchOptions)
@manner_options
@language_option
def what_if_command(report: str, orders: tuple[str, ...], wanted: BranchOptions, manner: Manner, language: str) -> None:
    """Play on from a REPORT, in one world in which all that you cannot know is dealt anew.

    ORDERS (order files and plans) are carried out first. Then the others answer, and you are asked what comes next, as
    in `pbem play`; `undo` and `redo` go back and forth by steps. Nothing of it is a letter. The branch is saved after
    every answer, and `pbem play FILE` goes on with it.
    """
    with refusals(False):
        saved = GameFile(wanted.save)
        if wanted.save.exists():
            raise Refused(str(wanted.save), [wrong("E-PLAY-EXISTS.save", file=str(wanted.save))])
        game = branch_from(given_file(report), [given_file(path) for path in orders], wanted)
        with suppress(SessionEnd):
            run_session(game, saved, manner, language)


def branch_from(report: GivenFile, files: list[GivenFile], wanted: BranchOptions) -> BranchGame:
    """Return a branch that begins at `report`, and in which the orders and plans in `files` are carried out. Raises
    `Refused` if files cannot be used, and `WrongUse` for a wrong option."""
    guide = trusted_guide(report)
    found = with_facts(reported_table(guide, report.source, report.folder), report, wanted.beside, place_of(None))
    seats = found.table.rules.seats
    if guide.seat not in seats:
        raise Refused(report.source, [wrong("E-PLAY-SEAT")])
    check_seed(wanted.seed or "")
    level = bot_meant(wanted.level, "--level", (STILL, MINE))
    said = bots_meant(wanted.bots, seats, "--bot", (STILL, MINE))
    if guide.seat in said:
        raise WrongUse(wrong("use-own-seat", seat=guide.seat), option="--bot")
    levels = {seat: said.get(seat, level) for seat in seats if seat != guide.seat}
    bots = {seat: each for seat, each in levels.items() if each != MINE}
    wish = BranchWish(bots, wanted.seed or os.urandom(16).hex())
    return new_branch(found, identity_of(guide), guide.seat, written_in(found, files), wish)
