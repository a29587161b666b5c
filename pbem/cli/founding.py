"""Commands `pbem new`, `pbem invite` and `pbem choose`: founding a campaign, inviting people, and choosing among those
who ask for a seat."""

from __future__ import annotations

import re
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from click.core import ParameterSource
from msgspec import Struct, to_builtins

from pbem.campaign.settings import conduct_choices
from pbem.cli.at_work import FolderOptions, campaign_options, campaign_to_change, campaign_to_read, entry_options
from pbem.console.language import has_words, language_wanted
from pbem.console.options import (
    game_options,
    gather_options,
    json_option,
    line,
    new_game_options,
    some_line,
    terms_given,
)
from pbem.console.printing import print_json, say, say_words
from pbem.console.refusals import misuse, refusals
from pbem.console.surroundings import given_file, key_options, private_key, time_now
from pbem.faults.wrong import printable, shell_word, words
from pbem.paper.documents.names import as_quoted
from pbem.paper.found import is_address
from pbem.player.files import GivenFile
from pbem.player.names import each_once
from pbem.seal.canonical import AnyTree

if TYPE_CHECKING:
    from pbem.moderator.open_seats import AskerNotice

Command = TypeVar("Command", bound=Callable[..., object])


def terms() -> list[str]:
    """Return the names of the options that are terms of a game."""
    return ["game", "scenario", "board", *(name.replace("-", "_") for name in game_options())]


CONDUCT = conduct_choices()
SUCCESSION = "Seats who together may give the campaign to an heir, and when, such as `2 after 14d`."
STAND_IN = "The level of the bot that may stand in for the absent and in empty seats; left out, none may."
BANK = "Each seat's bank of time: how much at first, at most a stage, and in all, such as `10d add 1d most 15d`."
BANK_FORM = re.compile(r"(\S+) add (\S+) most (\S+)")
SITTING = "Who shall sit where. Left out, the language of letters is that of your commands."
IN_LANGUAGE = re.compile(r"(.*>)\s+([a-z]{2})\s*")
"""Pattern of a text with an address in angle brackets, followed by a language."""
CLOCK = ("next", "at", "zone", "grace", "delay", "at-deadline")


class FolderToMake(click.Path):
    """Type of an option that names a new folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, file_okay=False)

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        """Return the path. Raises `BadParameter` for an empty text, which would mean the present folder."""
        if not str(value).strip():
            self.fail(misuse("use-name-folder"), param, ctx)
        return super().convert(value, param, ctx)


def plan_options(command: Command) -> Command:
    """Add the options that can stand in for a campaign's plan file."""
    for name in reversed(CLOCK):
        command = click.option(f"--{name}", type=line, help=f"The clock: `{name}`.")(command)
    for name, choices in reversed(CONDUCT.items()):
        command = click.option(f"--{name}", type=click.Choice(choices), help=f"Conduct: `{name}`.")(command)
    command = click.option("--bank", type=line, metavar="TERMS", help=BANK)(command)
    command = click.option("--stand-in", type=line, metavar="LEVEL", help=STAND_IN)(command)
    command = click.option("--succession", type=line, metavar="TERMS", help=SUCCESSION)(command)
    text = "The address of a page with the desk, which letters then name (docs/desk.md)."
    command = click.option("--desk", type=line, metavar="https://…", help=text)(command)
    command = click.option("--moderator-seat", type=line, help="The seat of a moderator who plays too.")(command)
    command = click.option("--moderator", type=line, metavar="NAME <ADDRESS>", help="Who runs the campaign.")(command)
    command = click.option(
        "--seat", "sitting", type=line, multiple=True, metavar="SEAT=NAME <ADDRESS> LANGUAGE", help=SITTING
    )(command)
    text = "A bot plays this seat from the start (docs/campaigns.md)."
    command = click.option("--bot", "bots", type=line, multiple=True, metavar="SEAT=LEVEL", help=text)(command)
    command = click.option("--position", type=line, help="A position file from which the game begins.")(command)
    command = new_game_options(command)
    return click.option("--name", type=some_line, help="The campaign's name; left out: the folder's.")(command)


@click.command("new")
@click.argument("folder", type=FolderToMake())
@click.option(
    "--from", "plan", metavar="FILE", help="A YAML file with terms, seats, conduct and clock (docs/campaigns.md)."
)
@plan_options
@key_options
@json_option
def new_command(
    folder: Path,
    plan: str | None,
    key_path: Path | None,
    passphrase_file: Path | None,
    json_wanted: bool,
    **told: AnyTree,
) -> None:
    """Begin a campaign in a new FOLDER. A file with a plan gives its settings, or options do, or both: an option
    overrides the file.

    Boards, political cards and a position of your own are copied into the folder.
    """
    from pbem import __version__
    from pbem.campaign.planning import complete_plan, read_plan
    from pbem.moderator.campaigns import found_campaign, protection

    with refusals(json_wanted):
        options = options_of({name: value for name, value in told.items() if is_said(name)})
        if plan is None:
            options.setdefault("campaign", folder.resolve().name)
        source = plan or "options"
        file = given_file(plan) if plan else GivenFile(source, b"")
        draft = read_plan(file.data, source, file.folder or Path(), options)
        draft.language = language_wanted()
        new_campaign = complete_plan(draft, source, __version__)
        # The key is read after the plan, so that nobody types a passphrase for a plan that is refused.
        key = private_key(key_path, passphrase_file)
        found_campaign(folder, new_campaign, key, time_now())
        settings = new_campaign.settings
        notes = protection(settings)
        if json_wanted:
            seats = list(settings.seats)
            said = {
                "campaign": settings.campaign,
                "folder": str(folder),
                "seats": seats,
                "protection": [str(note) for note in notes],
            }
            print_json({**said, "moderator": key.public.fingerprint})
            return
        say_words("founded", folder=str(folder), campaign=settings.campaign, seats=tuple(settings.seats))
        # This line is not broken on a narrow terminal, because people copy it.
        click.echo(words("join-moderator", key=key.public.fingerprint).text(language_wanted()))
        for note in notes:
            say(f"- {note.text(language_wanted())}")
        click.echo(words("founded-next", folder=shell_word(str(folder))).text(language_wanted()))


def is_said(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def options_of(told: dict[str, AnyTree]) -> dict[str, AnyTree]:
    """Return the campaign's plan in the given options. Raises `BadParameter` for a wrong form, `WrongUse` for a seat
    named twice."""
    found: dict[str, object] = dict(terms_given({name: line(told[name]) for name in terms() if name in told}))
    if "position" in told:
        found["position"] = told["position"]
    if "name" in told:
        found["campaign"] = told["name"]
    seats = each_once((seat_of(written) for written in told.get("sitting", ())), "--seat")
    for seat, bot in each_once((bot_of(written) for written in told.get("bots", ())), "--bot").items():
        seats[seat] = {**seats.get(seat, {}), "bot": bot}
    moderator = person_of(told["moderator"]) if "moderator" in told else {}
    if "moderator_seat" in told:
        moderator["seat"] = told["moderator_seat"]
    if "desk" in told:
        moderator["desk"] = told["desk"]
    clock: dict[str, object] = {name: told[name] for name in (each.replace("-", "_") for each in CLOCK) if name in told}
    if "bank" in told:
        clock["bank"] = bank_terms(told["bank"])
    if told.get("stand_in") == "":
        raise click.BadParameter(misuse("use-form", form="LEVEL"), param_hint="--stand-in")
    conduct = {name: told[name] for name in (*CONDUCT, "stand_in", "succession") if name in told}
    parts = {"seats": seats, "moderator": moderator, "conduct": conduct, "clock": clock}
    return found | {key: part for key, part in parts.items() if part}


def bank_terms(written: str) -> dict[str, str]:
    """Return the terms of a bank of time in a text such as `10d add 1d most 15d`. Raises `BadParameter` for other
    texts."""
    terms = BANK_FORM.fullmatch(written.strip())
    if not terms:
        raise click.BadParameter(misuse("use-form", form="10d add 1d most 15d"), param_hint="--bank")
    return dict(zip(("start", "add", "most"), terms.groups(), strict=True))


def seat_of(written: str) -> tuple[str, dict[str, str]]:
    """Return the seat in a text such as `louis=Luis <luis@example.org> es`, and the player's name, address and
    language. Raises `BadParameter` without `=`, or for a language without words."""
    from pbem.report.language.templates import languages

    seat, mark, rest = written.partition("=")
    if not mark:
        raise click.BadParameter(misuse("use-form", form="SEAT=NAME <ADDRESS> LANGUAGE"), param_hint="--seat")
    found = IN_LANGUAGE.fullmatch(rest)
    if found and not has_words(found[2]):
        raise click.BadParameter(misuse("use-language", language=found[2], known=languages()), param_hint="--seat")
    return seat.strip(), person_of(found[1]) | {"language": found[2]} if found else person_of(rest)


def bot_of(written: str) -> tuple[str, str]:
    """Return the seat and the bot in a text such as `louis=strong:16`. Raises `BadParameter` without a bot."""
    seat, _, bot = (part.strip() for part in written.partition("="))
    if not bot:
        raise click.BadParameter(misuse("use-form", form="SEAT=LEVEL"), param_hint="--bot")
    return seat, bot


def person_of(written: str) -> dict[str, str]:
    """Return the `name` and the `address` in a text; a missing part has no key."""
    from email.utils import parseaddr

    name, address = parseaddr(written) if "@" in written else (written.strip(), "")
    return {key: value for key, value in (("name", name), ("address", address)) if value}


def address(text: str) -> str:
    """Return the text of an option if it is a mail address or empty. Raises `BadParameter` for other texts."""
    return some_address(line(text)) if text else ""


def some_address(text: str) -> str:
    """Return the text of an option if it is a mail address. Raises `BadParameter` for other texts."""
    if not is_address(text):
        raise click.BadParameter(misuse("use-address", written=as_quoted(text)))
    return text


def seat_and_address(text: str) -> tuple[str, str]:
    """Return the seat and the address in a text such as `louis=luis@example.org`. Raises `BadParameter` without an
    address."""
    seat, _, written = (part.strip() for part in line(text).partition("="))
    return seat, some_address(written)


class OfferOptions(Struct, frozen=True):
    """Options for open seats: seats offered to anybody, seats withdrawn, and the reason."""

    offered: tuple[str, ...]
    is_choice: bool
    """True if the moderator chooses among all who ask; false if the first who answers gets the seat."""
    withdrawn: tuple[str, ...]
    why: str


def offer_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options for open seats. The command gets them as `offer`."""
    why = "Why a seat of a running game is open; the ledger will say so."
    gathered = gather_options("offer", OfferOptions)(command)
    gathered = click.option("--why", type=line, default="", help=why)(gathered)
    text = "With --open: you choose among those who ask (pbem choose), whoever came first."
    gathered = click.option("--choose", "is_choice", is_flag=True, help=text)(gathered)
    text = "Nobody may take this open seat any more."
    gathered = click.option("--withdraw", "withdrawn", type=line, multiple=True, metavar="SEAT", help=text)(gathered)
    text = "Anybody may take this seat."
    return click.option("--open", "offered", type=line, multiple=True, metavar="SEAT", help=text)(gathered)


@click.command("invite")
@click.option(
    "--address", "addresses", type=seat_and_address, multiple=True, metavar="SEAT=ADDRESS", help="Where letters go."
)
@offer_options
@campaign_options
def invite_command(addresses: tuple[tuple[str, str], ...], offer: OfferOptions, options: FolderOptions) -> None:
    """Write the signed invitations into the outbox: one for everybody, and a mail to every free seat.

    With --address, also note the address of a seat (or of the `moderator`). A mail tells the former address. With
    --open, write an invitation instead that may be published: the first who answers it has the seat, also in a running
    game. With --choose as well, you choose among those who answer.
    """
    from pbem.moderator.mails import invite
    from pbem.moderator.open_seats import withdraw_offers, write_offers

    if addresses and (offer.offered or offer.withdrawn):
        raise click.UsageError(misuse("use-one-of", options=("--address", "--open" if offer.offered else "--withdraw")))
    if offer.is_choice and not offer.offered:
        raise click.UsageError(misuse("use-needs", option="--choose", other="--open"))
    with campaign_to_change("invite", options) as campaign:
        seats = withdraw_offers(campaign, offer.withdrawn)
        files = write_offers(campaign, offer.offered, offer.why, offer.is_choice) if offer.offered else []
        if not (offer.offered or seats):
            files = invite(campaign, addresses)
        if options.json_wanted:
            print_json({"files": [str(path) for path in files], **({"withdrawn": seats} if seats else {})})
            return
        for seat in seats:
            say_words("offer-withdrawn", seat=seat)
        for seat, written in addresses:
            say_words("letters-go", seat=seat, address=written)
        for path in files:
            click.echo(str(path))


@click.command("choose")
@click.argument("seat", type=line)
@click.argument("who", type=some_line, required=False)
@entry_options
def choose_command(seat: str, who: str | None, options: FolderOptions) -> None:
    """Give an open SEAT to one of those who ask for it: WHO, by number, fingerprint or name. The others are told.

    Without WHO tell who asks, since when and in which language. The seat was offered by `pbem invite --open SEAT
    --choose`.
    """
    from pbem.moderator.open_seats import askers_of, choose

    if who is None:
        with campaign_to_read("choose", options) as campaign:
            tell_askers(seat, askers_of(campaign, seat), options.json_wanted)
        return
    with campaign_to_change("choose", options) as campaign:
        given = choose(campaign, seat, who)
        if options.json_wanted:
            files = [str(path) for path in given.files]
            print_json({"seat": given.seat, "name": given.name, "entry": given.entry, "files": files})
            return
        name = printable(given.name) or words("asker-nameless")
        say_words("seat-chosen", seat=given.seat, name=name, entry=given.entry, count=given.answers)
        for path in given.files:
            click.echo(str(path))


def tell_askers(seat: str, askers: list[AskerNotice], json_wanted: bool) -> None:
    """Print all people who ask for a seat, or that nobody does."""
    if json_wanted:
        print_json({"seat": seat, "askers": [to_builtins(each) for each in askers]})
        return
    for each in askers:
        name = printable(each.name) or words("asker-nameless")
        say_words("asker", number=each.number, name=name, since=each.since, language=each.language, key=each.key)
    if not askers:
        say_words("asker-none", seat=seat)
