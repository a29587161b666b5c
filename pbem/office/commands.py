"""Commands `pbem evening` and `pbem mail`, which open an office and let it work."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from msgspec.structs import astuple, replace

from pbem.console.language import language_wanted
from pbem.console.options import gather_options, json_option, line
from pbem.console.printing import print_json, say
from pbem.console.refusals import refusals
from pbem.console.surroundings import time_now
from pbem.faults.wrong import Words, words, wrong
from pbem.office.counter import Counter, Round
from pbem.office.moderator_office import Office, OfficeRound
from pbem.office.queue import HELD, UNDELIVERED
from pbem.office.running import Stop, office_for_reading, office_for_work, one_round, rounds
from pbem.office.settings import OfficeSettings, Wishes
from pbem.paper.documents.faults import Refused
from pbem.player.files import write_file
from pbem.player.keyring import place_of


@dataclass(frozen=True)
class OfficeChoice:
    """Options of a command that name the office and the form of the output."""

    path: Path | None
    """File with the settings; None for the usual file."""
    seat: str
    """Seat whose office is to be opened; empty for the seat in the settings."""
    json_wanted: bool


def settings_option(command: Callable[..., object]) -> Callable[..., object]:
    """Decorate a command with the options that name its office. The command gets them as its parameter `which`."""
    command = json_option(gather_options("which", OfficeChoice)(command))
    text = "A player's office, called by a seat: it serves all campaigns of which the key has notes, in whatever seats."
    command = click.option("--as", "seat", type=line, default="", metavar="SEAT", help=text)(command)
    text = "The office's settings; left out: $XDG_CONFIG_HOME/pbem/mail.yaml, which is ~/.config/pbem/mail.yaml."
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("--settings", "path", type=kind, metavar="FILE", help=text)(command)


def settings_of(which: OfficeChoice) -> OfficeSettings:
    from pbem.office.settings import read_settings, standard_settings, user_path

    found = read_settings(which.path or standard_settings())
    key = place_of(user_path(found.key) if found.key else None)
    return replace(found, seat=which.seat or found.seat, language=found.language or language_wanted(key=key))


@contextmanager
def office_at(which: OfficeChoice, only_look: bool = False) -> Iterator[Counter]:
    """Open the office that the options name. If `only_look` is true, open it only to read its memory."""
    open_office = office_for_reading if only_look else office_for_work
    with refusals(which.json_wanted), open_office(settings_of(which), time_now) as office:
        yield office


@click.command("evening")
@click.option("--clock-is-right", is_flag=True, help="Vouch for the time of this computer, where the office doubts it.")
@click.option(
    "--ledger-is-right",
    "vouched",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Vouch for the ledger of the campaign in DIR as it lies, where the office knows entries that are lost.",
)
@settings_option
def evening_command(clock_is_right: bool, vouched: Path | None, which: OfficeChoice) -> None:
    """Fetch mails, take letters, adjudicate as far as agreed, post, remind and send, in every campaign of the office.

    With --as, for a player's office: fetch mails, file, open and check them, and send the signed letters.
    """
    with office_at(which) as office:
        office.clock_is_right = clock_is_right
        if vouched:
            moderators_office(office).vouch_for(vouched)
        tell(office, one_round(office), which)
        exit_if_broken(office)


def tell(office: Counter, done: Round, which: OfficeChoice) -> None:
    """Print the result of a round. If an error stopped the sending of mails, raise this error afterwards."""
    from pbem.office.summary import round_data, round_lines

    for evening in done.evenings.values() if isinstance(done, OfficeRound) else ():
        for source, fault in evening.warnings:
            say(fault.message_line(source, office.settings.language), err=True)
    if which.json_wanted:
        print_json(round_data(done, office))
    else:
        for each in round_lines(done, office):
            say(each)
    if done.failure:
        raise done.failure


def exit_if_broken(office: Counter) -> None:
    """Exit with code 1 if there was an unforeseen error in this round, or if a damaged folder or an error of the disk
    has stopped the work on a campaign."""
    if office.doubts.broken or office.doubts.stopped:
        raise SystemExit(1)


@click.group("mail")
def mail_command() -> None:
    """Run the post office: letters in, mails out, by itself if you want."""


@mail_command.command("fetch")
@settings_option
def fetch_command(which: OfficeChoice) -> None:
    """Fetch new mails; their letters are kept until their campaign has taken them."""
    from pbem.office.counter import Round
    from pbem.office.summary import fetched_line, round_data

    with office_at(which) as office:
        done = Round(fetched=office.look())
        if which.json_wanted:
            print_json(round_data(done, office))
        else:
            say(fetched_line(done, office))
        exit_if_broken(office)


@mail_command.command("send")
@settings_option
def send_command(which: OfficeChoice) -> None:
    """Send the mails that are ready and were not sent yet."""
    from pbem.office.counter import Round
    from pbem.office.summary import round_data, sent_line

    with office_at(which) as office:
        office.collect()
        done = Round(sent=office.send())
        if which.json_wanted:
            print_json(round_data(done, office))
        else:
            say(sent_line(done, office))
        exit_if_broken(office)


@mail_command.command("run")
@click.option("--once", is_flag=True, help="One round; for cron and timers.")
@settings_option
def run_command(once: bool, which: OfficeChoice) -> None:
    """Do what `pbem evening` does, again and again, and tell each round in which something was done.

    Told to end (Ctrl-C, or a signal of the system), it finishes its round first.
    """

    with office_at(which) as office, Stop() as stop:
        for done in rounds(office, stop, once):
            if once or done.is_worth_telling:
                tell(office, done, which)
        if once:
            exit_if_broken(office)


@mail_command.command("status")
@click.option("--all", "is_all", is_flag=True, help="Name all mails that were left alone, not the newest ones only.")
@settings_option
def status_command(is_all: bool, which: OfficeChoice) -> None:
    """Show for whom campaigns wait, and which mails were sent, came back, or were left alone; also while `run`
    works."""
    from pbem.office.summary import standing_data, standing_lines

    with office_at(which, only_look=True) as office:
        if which.json_wanted:
            print_json(standing_data(office))
            return
        for each in standing_lines(office, is_all):
            say(each)


def mail_numbers(command: Callable[..., object]) -> Callable[..., object]:
    """Decorate a command with the options that select mails and letters."""
    text = "Also the mails that were refused for good or came back."
    command = click.option("--failed", is_flag=True, help=text)(settings_option(command))
    text = "Also the mails from before this office."
    command = click.option("--held", is_flag=True, help=text)(command)
    return click.argument("numbers", nargs=-1, type=int)(command)


@mail_command.command("release")
@mail_numbers
def release_command(numbers: tuple[int, ...], held: bool, failed: bool, which: OfficeChoice) -> None:
    """Release letters that wait for a person, by their NUMBERS."""
    decide(numbers, [*[HELD] * held, *[UNDELIVERED] * failed], True, which)


@mail_command.command("drop")
@mail_numbers
def drop_command(numbers: tuple[int, ...], held: bool, failed: bool, which: OfficeChoice) -> None:
    """Forget letters that wait for a person, by their NUMBERS; they stay in the mailbox.

    Without a number, forget the warnings that `status` tells. A warning comes back if its cause is still there.
    """
    decide(numbers, [*[HELD] * held, *[UNDELIVERED] * failed], False, which)


def decide(numbers: tuple[int, ...], mails: Sequence[str], is_wanted: bool, which: OfficeChoice) -> None:
    """Release the selected letters and mails if `is_wanted` is true, or drop them if not. Then print their number.
    `mails` has SQL conditions that select mails. If nothing is selected and `is_wanted` is false, forget all doubts
    instead."""
    with office_at(which) as office:
        done = office.decide(numbers, is_wanted) + sum(office.queue.release(is_wanted, each) for each in mails)
        if not is_wanted and not numbers and not mails:
            done = office.doubts.forget()
        if which.json_wanted:
            print_json({"done": done})
        else:
            click.echo(words("office-done", number=done).text(office.settings.language))


@mail_command.command("ping")
@click.argument("readers", nargs=-1, type=line)
@click.option("--heard", type=line, default="", metavar="NUMBER", help="The number that a reader has told you.")
@settings_option
def ping_command(readers: tuple[str, ...], heard: str, which: OfficeChoice) -> None:
    """Send a test to READERS of short lines (`notify` in the settings), or to all; each is asked to tell its number."""
    with office_at(which) as office:
        told = [each.text(office.settings.language) for each in pinged(office, readers, heard)]
        if which.json_wanted:
            print_json({"told": told})
        else:
            for each in told:
                say(each)


def pinged(office: Counter, readers: Sequence[str], heard: str) -> list[Words]:
    """Send a test to these readers, or to all readers in the settings, and return the results in words. If `heard` is
    given, no test is sent: the test with this number is stored as received. Raises `Refused` if a reader or the number
    is unknown, or if the settings have no readers."""
    notifier = office.notifier
    if heard:
        if not (who := notifier.hear(heard)):
            raise Refused("--heard", [wrong("E-OFFICE-PING.number")])
        return [words("notify-heard", who=who)]
    unknown = tuple(each for each in readers if each not in notifier.targets)
    if unknown or not notifier.targets:
        raise Refused("notify", [wrong("E-OFFICE-PING", readers=tuple(notifier.targets))])
    return [notifier.ping(who, office.settings.language) for who in readers or notifier.targets]


@mail_command.command("prune")
@click.option("--days", type=click.IntRange(0), default=30, show_default=True, help="What was sent so long ago.")
@settings_option
def prune_command(days: int, which: OfficeChoice) -> None:
    """Delete mails that were sent, except the last ones; `pbem mail again` makes their reports once more."""
    from pbem.office.pruning import prune

    with office_at(which) as office:
        pruned = prune(moderators_office(office), days)
        if which.json_wanted:
            print_json({"files": pruned.files, "bytes": pruned.size})
        else:
            said = words("office-pruned", files=pruned.files, size=pruned.size // 1024)
            click.echo(said.text(office.settings.language))


@mail_command.command("again")
@click.argument("campaign", type=line)
@click.argument("entry", type=click.IntRange(1))
@settings_option
def again_command(campaign: str, entry: int, which: OfficeChoice) -> None:
    """Make the deleted reports of an ENTRY of a CAMPAIGN once more. They are not sent again."""
    from pbem.office.pruning import restored_reports

    with office_at(which) as office:
        served = moderators_office(office).served_campaigns()
        if campaign not in served:
            raise Refused(campaign, [wrong("E-OFFICE-FOLDER")])
        files = restored_reports(moderators_office(office), served[campaign], entry, time_now())
        if which.json_wanted:
            print_json({"files": [str(path) for path in files]})
        else:
            click.echo(words("office-done", number=len(files)).text(office.settings.language))


def moderators_office(office: Counter) -> Office:
    """Return the office if it is a moderator's. Raises `Refused` if it is a player's."""
    from pbem.office.moderator_office import Office

    if not isinstance(office, Office):
        raise Refused("--as", [wrong("E-OFFICE-MODERATOR")])
    return office


def setup_options(command: Callable[..., object]) -> Callable[..., object]:
    """Decorate a command with the options of `pbem mail setup`."""
    texts = {
        "campaigns": ("FOLDER", "The folder of your campaigns, or one campaign."),
        "imap": ("USER@HOST", "Letters come into this mailbox; USER may have an @ in it."),
        "maildir": ("FOLDER", "Letters come into this maildir."),
        "mbox": ("FILE", "Letters come into this mbox file."),
        "folder": ("FOLDER", "Letters come and go, sealed, by this folder that all share (Syncthing, Nextcloud …)."),
        "smtp": ("USER@HOST", "Mails go out by this server."),
        "sendmail": ("COMMAND", "Mails go out by this program, such as `msmtp -t`."),
        "into": ("FOLDER", "Mails are written into this folder, and you send them."),
        "address": ("ADDRESS", "Where you are told what waits for you."),
        "key": ("FILE", "Your private key; left out: the usual one."),
    }
    text = "When the office adjudicates by itself."
    command = click.option("--adjudicate", type=click.Choice(["all in", "deadline", "by hand"]), help=text)(command)
    command = click.option("--language", default="", metavar="en|es|it|de", help="In which language it tells.")(command)
    for name, (metavar, text) in reversed(texts.items()):
        command = click.option(f"--{name}", type=line, default="", metavar=metavar, help=text)(command)
    return command


@mail_command.command("setup")
@setup_options
@settings_option
@gather_options("wish", Wishes)
def setup_command(wish: Wishes, which: OfficeChoice) -> None:
    """Write the office's settings; without options, try the settings that are there."""
    from pbem.office.settings import settings_in, settings_text, standard_settings

    path = which.path or standard_settings()
    with refusals(which.json_wanted):
        if any(astuple(wish)):
            if path.exists():
                raise Refused(str(path), [wrong("E-OFFICE-EXISTS")])
            data = settings_text(wish, which.seat).encode()
            settings_in(data, str(path))
            write_file(path, data, 0o600)
    with office_at(which) as office:
        messages, names = office.mail_count(), tuple(office.names())
        if which.json_wanted:
            print_json({"settings": str(path), "campaigns": names, "messages": messages})
            return
        language = office.settings.language
        say(words("office-ready" if names else "office-ready.none", settings=str(path), names=names).text(language))
        say(words("office-mailbox", number=messages).text(language))
        if office.settings.outbox.folder:
            say(words("office-shared").text(language))
        program = shutil.which("pbem") or "pbem"
        cron = f"*/10 * * * * {program} mail run --once --settings {path.resolve()}"
        say(words("office-cron", line=cron).text(language))
