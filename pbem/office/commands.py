"""`pbem evening` and `pbem mail`: the office as commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict, astuple

from pbem.cli.common import as_json, gathered, print_json, say, write_file
from pbem.cli.surroundings import line, refusing_in_words, time_now
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.office.wishes import Wishes
from pbem.paper.documents.faults import Refused

if TYPE_CHECKING:
    from pbem.office.office import Office, Round


def settings_option(command: Callable[..., object]) -> Callable[..., object]:
    """The option `--settings`, and `--json`."""
    text = "The office's settings; left out: $XDG_CONFIG_HOME/pbem/mail.yaml, which is ~/.config/pbem/mail.yaml."
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("--settings", "path", type=kind, metavar="FILE", help=text)(as_json(command))


@contextmanager
def office_at(path: Path | None, json_wanted: bool) -> Iterator[Office]:
    """The office that is meant, open."""
    with refusing_in_words(json_wanted):
        from pbem.office.office import opened
        from pbem.office.settings import read_settings, standard_settings

        with opened(read_settings(path or standard_settings()), time_now) as office:
            yield office


@click.command("evening")
@click.option("--clock-is-right", is_flag=True, help="Vouch for the time of this computer, where the office doubts it.")
@settings_option
def evening_command(clock_is_right: bool, path: Path | None, json_wanted: bool) -> None:
    """Fetch, accept, adjudicate as far as agreed, post, remind and send, in every campaign of the office."""
    with office_at(path, json_wanted) as office:
        office.clock_is_right = clock_is_right
        tell(office, office.round(), json_wanted)


def tell(office: Office, done: Round, json_wanted: bool) -> None:
    """Say what a round has done."""
    from pbem.office.telling import round_told

    if json_wanted:
        print_json(round_data(done, office))
        return
    for each in round_told(done, office):
        say(each)


def round_data(done: Round, office: Office) -> dict[str, object]:
    """What a round has done, for programs."""
    evenings = {
        name: {
            "taken": each.accepted,
            "refused": each.refused,
            "stages": each.adjudicated,
            "reports": each.posted,
            "reminded": each.reminded,
        }
        for name, each in done.evenings.items()
    }
    return {
        "fetched": asdict(done.fetched),
        "campaigns": evenings,
        "sent": asdict(done.sent),
        "waits": office.doubts.standing(),
    }


@click.group("mail")
def mail_command() -> None:
    """The post office: letters in, mails out, by itself if you want."""


@mail_command.command("fetch")
@settings_option
def fetch_command(path: Path | None, json_wanted: bool) -> None:
    """Look into the mailbox; letters are kept until their campaign has taken them."""
    from pbem.office.office import Round
    from pbem.office.telling import fetched_told

    with office_at(path, json_wanted) as office:
        done = Round(fetched=office.fetch(office.served()))
        if json_wanted:
            print_json(round_data(done, office))
        else:
            say(fetched_told(done, office))


@mail_command.command("send")
@settings_option
def send_command(path: Path | None, json_wanted: bool) -> None:
    """Send what lies in the outboxes and was not sent yet."""
    from pbem.office.office import Round
    from pbem.office.telling import sent_told

    with office_at(path, json_wanted) as office:
        office.collect(office.served())
        done = Round(sent=office.send())
        if json_wanted:
            print_json(round_data(done, office))
        else:
            say(sent_told(done, office))


@mail_command.command("run")
@click.option("--once", is_flag=True, help="One round; for cron and timers.")
@settings_option
def run_command(once: bool, path: Path | None, json_wanted: bool) -> None:
    """Do what `pbem evening` does, again and again; a line tells each round in which something was done.

    It ends with the round that it is in, when it is told to (Ctrl-C, or a signal of the system).
    """
    from pbem.office.running import Stop, rounds

    with office_at(path, json_wanted) as office, Stop() as stop:
        for done in rounds(office, stop, once):
            if once or done.is_worth_telling:
                tell(office, done, json_wanted)


@mail_command.command("status")
@settings_option
def status_command(path: Path | None, json_wanted: bool) -> None:
    """What was sent, what waits, what came back, what was left alone."""
    from pbem.office.telling import standing_data, standing_told

    with office_at(path, json_wanted) as office:
        if json_wanted:
            print_json(standing_data(office))
            return
        for each in standing_told(office):
            say(each)


def which(command: Callable[..., object]) -> Callable[..., object]:
    """What of that which waits for a person is meant."""
    text = "Also the mails from before this office."
    command = click.option("--held", is_flag=True, help=text)(settings_option(command))
    return click.argument("numbers", nargs=-1, type=int)(command)


@mail_command.command("release")
@which
def release_command(numbers: tuple[int, ...], held: bool, path: Path | None, json_wanted: bool) -> None:
    """Let letters go on that wait for a person, by their NUMBERS."""
    decide(numbers, held, True, (path, json_wanted))


@mail_command.command("drop")
@which
def drop_command(numbers: tuple[int, ...], held: bool, path: Path | None, json_wanted: bool) -> None:
    """Forget letters that wait for a person, by their NUMBERS; they stay in the mailbox."""
    decide(numbers, held, False, (path, json_wanted))


def decide(numbers: tuple[int, ...], held: bool, is_wanted: bool, where: tuple[Path | None, bool]) -> None:
    """What a person has decided."""
    with office_at(*where) as office:
        done = office.decided(numbers, is_wanted) + (office.sender.release(is_wanted) if held else 0)
        if where[1]:
            print_json({"done": done})
        else:
            click.echo(words("office-done", number=done).told(office.settings.language))


def wishes(command: Callable[..., object]) -> Callable[..., object]:
    """The options of `setup`."""
    texts = {
        "campaigns": ("FOLDER", "The folder of your campaigns, or one campaign."),
        "imap": ("USER@HOST", "Letters come into this mailbox; USER may have an @ in it."),
        "maildir": ("FOLDER", "Letters come into this maildir."),
        "mbox": ("FILE", "Letters come into this mbox file."),
        "smtp": ("USER@HOST", "Mails go out by this server."),
        "sendmail": ("COMMAND", "Mails go out by this program, such as `msmtp -t`."),
        "into": ("FOLDER", "Mails are written into this folder, and you send them."),
        "address": ("ADDRESS", "Where you are told what waits for you."),
        "key": ("FILE", "Your private key; left out: the usual one."),
    }
    text = "When the office adjudicates by itself."
    command = click.option("--adjudicate", type=click.Choice(["all in", "deadline", "by hand"]), default="", help=text)(
        command
    )
    command = click.option("--language", default="", metavar="en|es|it|de", help="In which language it tells.")(command)
    for name, (metavar, text) in reversed(texts.items()):
        command = click.option(f"--{name}", type=line, default="", metavar=metavar, help=text)(command)
    return command


@mail_command.command("setup")
@wishes
@settings_option
@gathered("wish", Wishes)
def setup_command(wish: Wishes, path: Path | None, json_wanted: bool) -> None:
    """Write the office's settings; without options, try those that there are."""
    from pbem.office.settings import read_settings, standard_settings
    from pbem.office.wishes import settings_text

    path = path or standard_settings()
    with refusing_in_words(json_wanted):
        if any(astuple(wish)):
            if path.exists():
                raise Refused(str(path), [wrong("E-OFFICE-EXISTS")])
            write_file(path, settings_text(wish).encode(), 0o600)
        settings = read_settings(path)
    with office_at(path, json_wanted) as office:
        found = office.tried()
        if json_wanted:
            print_json({"settings": str(path), **found})
            return
        language = settings.language
        say(words("office-ready", settings=str(path), number=found["campaigns"]).told(language))
        say(words("office-mailbox", number=found["messages"]).told(language))
        say(words("office-cron", line=f"*/10 * * * * pbem mail run --once --settings {path}").told(language))
