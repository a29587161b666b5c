"""Commands `pbem check`, `pbem try`, `pbem legal` and `pbem show`: checking letters, trying orders, showing decisions
and positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.options import (
    FileToWrite,
    Telling,
    gather_options,
    reader_option,
    telling_options,
    with_progress,
)
from pbem.console.printing import print_json, say_words, tell
from pbem.console.refusals import fault_data, refusals, refuse
from pbem.console.surroundings import given_file, key_option
from pbem.engine.nouns import Power
from pbem.faults.wrong import WrongUse, words, wrong
from pbem.player.files import write_file
from pbem.player.keyring import place_of
from pbem.player.names import bot_meant
from pbem.player.tables import FoundTable, Outcome, kind_of, powers_shown, table_in

if TYPE_CHECKING:
    from pbem.player.chances import Chances, Far, Written


@click.command("check")
@click.argument("letter")
@click.option(
    "--report", metavar="FILE", help="The report.yaml that it answers: is it for this stage, new, legal and whole?"
)
@click.option("--position", metavar="FILE", help="A position file: are the orders legal there, and whole?")
@key_option
@telling_options
def check_command(
    letter: str, report: str | None, position: str | None, key_path: Path | None, telling: Telling
) -> None:
    """Tell every fault of a LETTER at once, as the moderator's receipt would.

    Its head and signature are checked, and the grammar of its orders if your notes on the campaign tell the rules. With
    --report or --position orders must also be legal and complete, and their outcome is told as by `pbem try`. Sealed
    parts are read if your notes have them. Rules are applied once everything can be read; what follows an illegal order
    is judged as if that order were not there, up to the first battle.
    """
    from msgspec import to_builtins

    from pbem.player.checking import check
    from pbem.report.language.templates import GameNames, macros_of

    with refusals(telling.json_wanted):
        files = [given_file(path) if path else None for path in (report, position)]
        checked = check(given_file(letter), place_of(key_path), telling.language, *files)
        refuse(letter, checked.faults, telling.json_wanted)
        found, outcome = checked.letter, checked.outcome
        if telling.json_wanted:
            from pbem.player.trying import outcome_data

            said = {"kind": found.kind, "seq": found.seq, "missing": checked.missing}
            warnings = [fault_data(letter, fault) for fault in checked.faults]
            more = outcome_data(outcome) if outcome else {}
            more |= {"ahead": to_builtins(checked.ahead)} if checked.ahead else {}
            print_json({**said, "warnings": warnings, **more})
            return
        kind = words(f"letter-{found.kind}")
        say_words("check-fine", file=letter, kind=kind, seat=found.sender, seq=found.seq)
        if checked.follows:
            say_words(checked.follows)
        names = GameNames(telling.language, checked.game)
        if checked.missing:
            say_words("check-missing", powers=names.powers(tuple(checked.missing)))
        for block in checked.ahead:
            said_ahead = macros_of(telling.language, checked.game, "campaign_receipt_words.txt.j2").ahead_said(block)
            where = f"{names.stage(block.stage)}: {names.powers((block.power,))}"
            say_words("check-ahead", what=f"{where} ({said_ahead})")
        if outcome:
            tell_outcome(outcome, telling.language)


@dataclass(frozen=True)
class OutcomeOptions:
    """Options for the outcome of orders."""

    save: Path | None
    """File for the position after the orders; None if it is not saved."""
    whole: bool
    """True if the whole position after the orders is told."""
    worlds: int
    """Number of imagined worlds in which the orders are played out."""
    level: str
    """Level of the bots in these worlds."""
    far: Far
    """Point up to which each world is played."""
    beside: tuple[str, ...]
    """Files with earlier reports of the same reader."""


@click.command("try")
@click.argument("position")
@click.argument("orders", nargs=-1, required=True)
@reader_option
@click.option("--save", type=FileToWrite(), help="Write the position that is reached.")
@click.option("--position", "whole", is_flag=True, help="Also tell all of the position that is reached.")
@click.option(
    "--worlds",
    type=click.IntRange(0, 10_000),
    default=0,
    metavar="N",
    help="Also play them out N times, with all that the reader cannot know dealt anew: how often what comes of it.",
)
@click.option(
    "--by",
    "level",
    default="sensible",
    show_default=True,
    metavar="BOT",
    help="The bot that answers for others there, and in combat what the orders leave open.",
)
@click.option(
    "--far",
    type=click.Choice(["stage", "round", "turn"]),
    default="stage",
    show_default=True,
    help="To the end of the stage, until the powers that march now march again, or to the end of the turn.",
)
@click.option(
    "--reports",
    "beside",
    multiple=True,
    metavar="PATH",
    help="Earlier reports, or a folder with them: what they tell for sure is so in every world.",
)
@gather_options("wanted", OutcomeOptions)
@telling_options
def try_command(
    position: str, orders: tuple[str, ...], reader: str | None, wanted: OutcomeOptions, telling: Telling
) -> None:
    """Carry out order files on a position, one after the other, and tell their outcome.

    The outcome consists of events and consequences: combats, supply, enemies that could come, and what lies open.

    A report.yaml can stand in place of a position: then orders are tried as far as its reader can know the outcome. One
    of the files may be `-`, the standard input.

    With --worlds 100 the orders are also played out in a hundred worlds. Only then may some of the files be plans,
    which answer what the orders leave open. For a report, and with --as, each world deals the secrets of others anew,
    except secrets that the report or the files of --reports tell for sure.
    """
    from pbem.kit import game_of
    from pbem.paper.documents.writing import write
    from pbem.player.chances import chances_blocks, chances_data
    from pbem.player.report_files import with_facts
    from pbem.player.trying import document_of, outcome_data
    from pbem.report.telling import position_blocks, view_data

    with refusals(telling.json_wanted):
        start = given_file(position)
        found = table_in(start)
        outcome = Outcome(
            found.table, found.table, list(found.events), powers_shown(found, reader), memory=found.memory
        )
        is_report = kind_of(start.data) == "report"
        if wanted.beside and not (is_report and wanted.worlds):
            raise WrongUse(wrong("use-needs", option="--reports", other="report.yaml --worlds"), option="--reports")
        if is_report and wanted.worlds:
            found = with_facts(found, start, wanted.beside, place_of(None))
        written, warnings = carry_out_files(orders, found, outcome, wanted, telling)
        table = outcome.after
        seen = game_of(table).view(table, outcome.readers)
        chances = played_out(found, written, outcome.readers, wanted, telling) if wanted.worlds else None
        if wanted.save:
            write_file(wanted.save, write(document_of(found, table)).encode())
        if telling.json_wanted:
            reached = document_of(found, table) if reader is None else view_data(table.rules, seen)
            more = {"position": reached} if wanted.whole else {}
            more |= {"chances": chances_data(table.rules, chances)} if chances else {}
            print_json({**outcome_data(outcome), "warnings": warnings, **more})
            return
        tell_outcome(outcome, telling.language)
        if chances:
            tell(chances_blocks(table.rules, chances, telling.language))
        if wanted.whole:
            tell(position_blocks(table.rules, seen, telling.language))


def carry_out_files(
    paths: Sequence[str], found: FoundTable, outcome: Outcome, wanted: OutcomeOptions, telling: Telling
) -> tuple[Written, list[dict[str, object]]]:
    """Carry out files of orders on a table, one after the other, and refuse a faulty file. Return the contents of the
    files, and the warnings for JSON. Files of plans are allowed only if worlds are wanted."""
    from pbem.player.chances import Written
    from pbem.player.trying import try_orders

    written, warnings = Written(), []
    for path in paths:
        file = given_file(path)
        if wanted.worlds and kind_of(file.data) == "plan":
            written.add_plans(found, file)
            continue
        faults = try_orders(found, outcome, file).faults
        refuse(path, faults, telling.json_wanted)
        warnings += [fault_data(path, fault) for fault in faults]
        written.add_orders(found, file)
    return written, warnings


def played_out(
    found: FoundTable, written: Written, own: Sequence[Power], wanted: OutcomeOptions, telling: Telling
) -> Chances:
    """Return the chances of orders, carried out in many worlds. A progress bar is shown meanwhile."""
    from pbem.player.chances import Wish, chances, play_worlds

    wish = Wish(wanted.worlds, bot_meant(wanted.level, "--by"), wanted.far)
    results = play_worlds(found, own, written, wish)
    return chances(found, own, with_progress(results, wish.worlds, telling), wish, written)


def tell_outcome(outcome: Outcome, language: str) -> None:
    """Print events, consequences and open decisions of an outcome. If the rest of the outcome is hidden, this is said
    in place of the decisions."""
    from pbem.player.trying import account_of, consequences_of

    tell(account_of(outcome, language))
    tell(consequences_of(outcome, language, asks=not outcome.is_hidden))
    if outcome.is_hidden:
        say_words("try-hidden")


@click.command("show")
@click.argument("position")
@reader_option
@telling_options
def show_command(position: str, reader: str | None, telling: Telling) -> None:
    """Tell a position or a report in words: who stands where, who holds what, who owes what."""
    from pbem.kit import game_of
    from pbem.report.telling import position_blocks, view_data

    with refusals(telling.json_wanted):
        found = table_in(given_file(position))
        table = found.table
        seen = game_of(table).view(table, powers_shown(found, reader))
        if telling.json_wanted:
            print_json(view_data(table.rules, seen, found.memory))
        else:
            tell(position_blocks(table.rules, seen, telling.language, found.memory))


@click.command("legal")
@click.argument("position")
@click.argument("pieces", nargs=-1)
@reader_option
@telling_options
def legal_command(position: str, pieces: tuple[str, ...], reader: str | None, telling: Telling) -> None:
    """List every open decision with its options. Marches are listed with one shortest path to each city.

    In place of a POSITION a report.yaml may be given. The list then has the decisions of its reader's powers.

    With PIECES, list only the cities to which these pieces may march or retreat, with the suit of each city and the
    enemies beside it. Several names stand for one stack. For pieces without an open decision, such as an enemy's, the
    list has the cities to which they could march in this position.

    With --json every decision also has a form: the answers that may be written (docs/orders.md).
    """
    from pbem.report.language.options import open_options, options_blocks

    with refusals(telling.json_wanted):
        found = table_in(given_file(position))
        table, powers = found.table, powers_shown(found, reader)
        if telling.json_wanted:
            print_json(open_options(table, powers, pieces, found.memory))
        else:
            tell(options_blocks(table, powers, pieces, telling.language, found.memory))
