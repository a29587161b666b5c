"""Commands `pbem verify` and `pbem export`: verifying a campaign's public archive, and writing it as a site."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, cast

import click
from msgspec import Struct

from pbem.campaign.proof.messages import ProvedMessage
from pbem.console.language import language_wanted
from pbem.console.options import (
    Hands,
    folder_argument,
    folder_option,
    gather_options,
    json_option,
    language_option,
    work_options,
)
from pbem.console.printing import print_json, say, say_words
from pbem.console.refusals import REFUSED, end_with_fault, misuse, refusals
from pbem.console.surroundings import given_file, time_now
from pbem.faults.wrong import words, wrong
from pbem.player.verifying import (
    PHASES,
    campaigns_below,
    checked_counts,
    compare,
    message_data,
    message_line,
    proved_messages,
    summary_of,
    verdict,
    verification_data,
    verification_line,
    verification_of,
    verifier_of,
)

if TYPE_CHECKING:
    from pbem.campaign.proof.verification import Verification
    from pbem.site.archive import Theme


class ShownFiles(Struct, frozen=True):
    """Files to compare with a ledger: a report, and a file of messages. None stands for no file."""

    report: str | None
    message: str | None


def shown_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options `--report` and `--message`. The command gets them as `shown`."""
    message = "A messages-….yaml of yours: does the closed ledger hold what is written there?"
    command = click.option("--message", metavar="FILE", help=message)(gather_options("shown", ShownFiles)(command))
    report = "A report.yaml of yours: is the ledger still the one it was made of?"
    return click.option("--report", metavar="FILE", help=report)(command)


@click.command("verify")
@folder_argument
@shown_options
@click.option("--all", "all_wanted", is_flag=True, help="Check every campaign below FOLDER, a line for each.")
@work_options
@json_option
def verify_command(folder: Path, shown: ShownFiles, all_wanted: bool, hands: Hands, json_wanted: bool) -> None:
    """Check a campaign's folder: every entry, signature, commitment and card; once it is closed the whole game.

    With --report, also check that no entry was taken away since, and that the report is true. With --message, tell
    which messages the ledger proves, where that was agreed. Warnings (W-) are no fault.

    One campaign is checked by one process unless --jobs gives more. With --all every process or worker checks one
    campaign at a time. The workers of a cluster must see the same FOLDER.
    """
    if all_wanted and (shown.report or shown.message):
        raise click.UsageError(misuse("use-one-of", options=("--report" if shown.report else "--message", "--all")))
    if hands.on and not all_wanted:
        raise click.UsageError(misuse("use-needs", option="--on", other="--all"))
    with refusals(json_wanted):
        if all_wanted:
            is_good = verify_all(folder, hands, json_wanted)
        else:
            is_good = verify_one(folder, shown, hands.jobs or 1, json_wanted)
    if not is_good:
        sys.exit(REFUSED)


def verify_one(folder: Path, shown: ShownFiles, jobs: int, json_wanted: bool) -> bool:
    """Verify one campaign, and print the result. Return True if it has no fault."""
    found = verification_of(folder, jobs)
    if shown.report and found.has_sound_ledger:
        compare(folder, given_file(shown.report), time_now(), found)
    proved = list[ProvedMessage]()
    if shown.message and found.has_sound_ledger:
        proved = proved_messages(folder, given_file(shown.message), time_now(), found)
    if json_wanted:
        told = {"messages": [message_data(each) for each in proved]} if shown.message else {}
        print_json({**verification_data(found, language_wanted()), **told})
    else:
        for finding in found.findings:
            click.echo(finding.message_line(language_wanted()), err=True)
        say(verdict(found, found.campaign).text(language_wanted()))
        say(checked_counts(found).text(language_wanted()))
        if found.is_good and found.phase != "closed":
            say_words("verify-later")
        for each in proved:
            say(message_line(each).text(language_wanted()))
    return found.is_good


def verify_all(folder: Path, hands: Hands, json_wanted: bool) -> bool:
    """Verify every campaign below a folder, and print a line for each. Return True if none has a fault. Without a
    campaign, end the command with a fault."""
    begun, names, language = perf_counter(), sorted(campaigns_below(folder)), language_wanted()
    if not names:
        end_with_fault(wrong("E-FOLDER-NONE.below", path=str(folder)), json_wanted)
    found: dict[str, Verification] = {}
    results = hands.executor(len(names)).results(verifier_of, str(folder.absolute()), names)
    for name, each in zip(names, results, strict=True):
        found[name] = each
        if not json_wanted:
            say(verification_line(name, each, language))
    bad = [name for name, each in found.items() if not each.is_good]
    seconds = perf_counter() - begun
    if json_wanted:
        archives = [{"folder": name, **verification_data(each, language)} for name, each in found.items()]
        print_json({"good": not bad, "campaigns": len(found), "bad": bad, "seconds": seconds, "archives": archives})
    else:
        for line in summary_of(found.values(), seconds):
            say(line.text(language))
    return not bad


@click.command("export")
@click.argument("site", type=click.Path(path_type=Path))
@folder_option
@language_option
@click.option(
    "--theme",
    type=click.Choice(["auto", "light", "dark"]),
    default="auto",
    show_default=True,
    help="The colours; `auto`: as each reader's system has them.",
)
@json_option
def export_command(site: Path, folder: Path, language: str, theme: str, json_wanted: bool) -> None:
    """Write a campaign as a static site: the map turn by turn, battles, the ledger, and once it is closed all hands.

    SITE is a folder of its own, which the next export replaces. The site of a running campaign shows only what
    everybody may know.
    """
    from pbem.site.export import check_target, site_of, write_site

    with refusals(json_wanted):
        check_target(site)
        made = site_of(folder, time_now(), language, cast("Theme", theme))
        write_site(site, made.files)
        if json_wanted:
            print_json({"site": str(site), **made.figures, "written": sorted(made.files)})
            return
        figures = made.figures
        click.echo(f"{site / 'index.html'}")
        counts = {name: figures[name] for name in ("campaign", "stages", "battles", "entries", "letters", "files")}
        phase, size = words(PHASES[str(figures["phase"])]), f"{int(figures['bytes']) / 1e6:.1f}"
        say(words("site-written", **counts, phase=phase, size=size).text(language_wanted()))
