"""`pbem verify`: whether a campaign, or every one of many, is what it should be, without any key."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from pbem.console.options import as_json, folder_argument
from pbem.console.printing import counted, print_json, say
from pbem.console.refusals import REFUSED, fault_data, misuse, refusing_in_words, say_no
from pbem.console.surroundings import time_now
from pbem.console.work import Hands, work_options
from pbem.faults.wrong import printable, wrong

if TYPE_CHECKING:
    from pbem.campaign.proof.judging_again import Verification


@click.command("verify")
@folder_argument
@click.option("--report", metavar="FILE", help="A report.yaml of yours: is the ledger still the one it was made of?")
@click.option("--all", "all_wanted", is_flag=True, help="Check every campaign below FOLDER, a line for each.")
@work_options
@as_json
def verify_command(folder: Path, report: str | None, all_wanted: bool, hands: Hands, json_wanted: bool) -> None:
    """Check a campaign's folder: every entry, signature, commitment and card; once it is closed the whole game.

    With --report, also that no entry was taken away since, and that all the report says is so: that its cards were
    dealt and are yours, the position, deadlines, what is asked. Warnings (W-) are no fault.

    One campaign is checked by one process if nothing else is said; more pay where it takes longer than a second or
    two. With --all every process or worker has a campaign at a time, and a cluster must see the same FOLDER.
    """
    if all_wanted and report:
        raise click.UsageError(misuse("use-one-of", options=("--report", "--all")))
    if hands.on and not all_wanted:
        raise click.UsageError(misuse("use-needs", option="--on", other="--all"))
    with refusing_in_words(json_wanted):
        if all_wanted:
            is_good = verify_all(folder, hands, json_wanted)
        else:
            is_good = verify_one(folder, report, hands.jobs or 1, json_wanted)
    if not is_good:
        sys.exit(REFUSED)


def verify_one(folder: Path, report: str | None, jobs: int, json_wanted: bool) -> bool:
    """Check one campaign, and tell all that was found; whether nothing is wrong."""
    from pbem.campaign.proof.verifying import verify

    found = verify(folder) if jobs == 1 else verify_together(folder, jobs)
    if report and found.has_sound_ledger:
        compare(folder, report, found)
    if json_wanted:
        print_json(verification_data(found))
    else:
        tell_verification(found)
    return found.is_good


def verify_together(folder: Path, jobs: int) -> Verification:
    """Check a folder in several processes."""
    from pbem.campaign.proof.sharing import verify_together  # loads what one process does without

    return verify_together(folder, jobs)


def compare(folder: Path, report: str, found: Verification) -> None:
    """Check a report against the ledger."""
    from pbem.campaign.ledger.replaying import read_folder
    from pbem.campaign.proof.kept_report import check_report
    from pbem.cli.letters import guide

    check_report(read_folder(folder, time_now()), guide(report), report, found)


def verify_all(folder: Path, hands: Hands, json_wanted: bool) -> bool:
    """Check every campaign below a folder, and tell of each in a line; whether nothing is wrong with any."""
    begun, names = perf_counter(), sorted(campaigns_below(folder))
    if not names:
        say_no(wrong("E-FOLDER-NONE.below", path=str(folder)), json_wanted)
    found: dict[str, Verification] = {}
    results = hands.executor(len(names)).results(verifier_of, str(folder.absolute()), names)
    for name, each in zip(names, results, strict=True):
        found[name] = each
        if not json_wanted:
            say(in_a_line(name, each))
    bad = [name for name, each in found.items() if not each.is_good]
    seconds = perf_counter() - begun
    if json_wanted:
        archives = [{"folder": name, **verification_data(each)} for name, each in found.items()]
        print_json({"good": not bad, "campaigns": len(found), "bad": bad, "seconds": seconds, "archives": archives})
    else:
        click.echo(summed_up(found, len(bad), seconds))
    return not bad


def campaigns_below(folder: Path) -> Iterator[str]:
    """Every folder of a campaign below one, by its path from there; nothing is looked for inside of a campaign."""
    for place, below, _ in os.walk(folder):
        for name in list(below):
            path = Path(place, name)
            if os.path.lexists(path / "campaign.yaml") or os.path.lexists(path / "ledger"):
                below.remove(name)
                yield path.relative_to(folder).as_posix()


def verifier_of(folder: str) -> Callable[[str], Verification]:
    """Checks the campaigns below a folder."""
    from pbem.campaign.disk.atomic import StorageFault
    from pbem.campaign.proof.judging_again import Verification
    from pbem.campaign.proof.verifying import verify

    def check(name: str) -> Verification:
        try:
            return verify(Path(folder, name))
        except StorageFault as fault:
            found = Verification()
            found.note(name, fault.wrong)
            return found

    return check


def in_a_line(name: str, found: Verification) -> str:
    """What was found out about one campaign of many: the first fault, and how many more there are."""
    faults = [finding for finding in found.findings if not finding.fault.is_warning]
    campaign = f"{printable(name)} ({found.phase or 'not read to the end'})"
    if not faults:
        return f"{campaign}: nothing is wrong"
    more = f"; {counted(len(faults), 'fault')} in all" if faults[1:] else ""
    return f"{campaign}: NOT what it should be: {faults[0].told()}{more}"


def summed_up(found: Mapping[str, Verification], bad: int, seconds: float) -> str:
    """What was found out about many."""
    figures = [each.figures for each in found.values()]
    verdict = f"{bad} NOT what they should be" if bad else "nothing is wrong"
    return (
        f"{counted(len(found), 'campaign')}: {verdict}\n"
        f"{sum(each.entries for each in figures)} entries, {sum(each.letters for each in figures)} letters checked, "
        f"{sum(each.cards for each in figures)} cards proved, "
        f"{sum(each.adjudications for each in figures)} adjudications carried out again, {seconds:.2f} s"
    )


def verification_data(found: Verification) -> dict[str, object]:
    """What was found, for programs."""
    figures = found.figures
    return {
        "campaign": found.campaign,
        "phase": found.phase,
        "good": found.is_good,
        "findings": [fault_data(each.file, each.fault) for each in found.findings],
        "figures": {
            "entries": figures.entries,
            "letters": figures.letters,
            "sealed": figures.sealed,
            "shuffles": figures.shuffles,
            "cards": figures.cards,
            "adjudications": figures.adjudications,
            "seconds": figures.seconds,
        },
    }


def tell_verification(found: Verification) -> None:
    """Say what was found."""
    for finding in found.findings:
        click.echo(finding.told(), err=True)
    figures = found.figures
    verdict = "nothing is wrong" if found.is_good else "NOT what it should be"
    click.echo(f"{found.campaign} ({found.phase or 'not read to the end'}): {verdict}")
    click.echo(
        f"{figures.entries} entries, {letters_checked(found)}, {figures.shuffles} shuffles, "
        f"{figures.cards} cards proved, {figures.adjudications} adjudications carried out again, "
        f"{figures.seconds:.2f} s"
    )
    if found.is_good and found.phase != "closed":
        click.echo("What is sealed can be checked when the campaign is closed.")


def letters_checked(found: Verification) -> str:
    """How many letters were checked, and how many could not be."""
    figures = found.figures
    left = "stay private" if found.phase == "closed" else "are sealed until the close"
    return f"{figures.letters} letters checked" + (f" ({figures.sealed} more {left})" if figures.sealed else "")
