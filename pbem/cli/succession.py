"""Commands of a succession: giving or handing a campaign to an heir, and carrying it on as the heir."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from pbem.cli.at_work import FolderOptions, campaign_options, campaign_to_change
from pbem.cli.founding import address
from pbem.cli.letters import LetterChoice, WritingOptions, whole_letter_options
from pbem.console.options import gather_options, json_option, line
from pbem.console.printing import print_json, say, say_words, warn
from pbem.console.refusals import refusals
from pbem.console.surroundings import given_file, key_options, private_key, time_now
from pbem.faults.wrong import printable
from pbem.player.files import MOST_OF_LARGE
from pbem.player.keyring import public_key


@click.command("entrust")
@click.argument("bundle")
@click.option("--to", "heir", type=line, required=True, metavar="KEY", help="The heir's public key, or its .pub file.")
@whole_letter_options
def entrust_command(bundle: str, heir: str, wanted: LetterChoice, how: WritingOptions) -> None:
    """Give a campaign whose moderator is silent to an heir: write the signed letter that the heir needs of you.

    BUNDLE is the newest succession-….zip of your reports; the heir goes on where it ends. Your newest report.yaml has
    your part of the key: name it by --report, if no command has read it yet. Send the letter to the heir, with all
    bundles.
    """
    from pbem.player.entrusting import Trust, entrust

    with refusals(how.json_wanted):
        trust = Trust(given_file(bundle, MOST_OF_LARGE), public_key(heir))
        key = private_key(how.key_path, how.passphrase_file)
        sent = entrust(trust, wanted.seat_choice, key, how.pen(), time_now())
        if how.json_wanted:
            print_json({"file": str(sent.file), "kind": "succession", "seq": sent.seq, "to": sent.whom[0]})
        else:
            say_words("send-it.succession", file=str(sent.file), key=sent.whom[0])


@click.command("hand-over")
@click.option("--to", "heir", type=line, required=True, metavar="KEY", help="The other's public key, or its .pub file.")
@click.option("-o", "--out", type=click.Path(path_type=Path), default=Path(), help="A folder for the two files.")
@campaign_options
def hand_over_command(heir: str, out: Path, options: FolderOptions) -> None:
    """Hand a campaign over to another moderator.

    Two files are written, sealed and signed: the campaign in a succession-….zip, and your letter. The owner of KEY goes
    on from them with `pbem succeed`, and everybody is told by the next reports. From now on you make no more entries.
    As long as the other moderator has not begun, this command with your own KEY takes the campaign back.
    """
    from pbem.moderator.succeeding import hand_over

    with refusals(options.json_wanted):
        key = public_key(heir)
    with campaign_to_change("hand-over", options, key.text) as campaign:
        done = hand_over(campaign, key, out)
        name = campaign.settings.campaign
        if options.json_wanted:
            told = {"files": [str(each) for each in done.files], "taken_back": done.is_taken_back}
            print_json({**told, "to": key.fingerprint})
        elif done.files:
            say_words("handed-over", files=tuple(map(str, done.files)), key=key.fingerprint, campaign=name)
        else:
            say_words("taken-back" if done.is_taken_back else "taken-back.never", campaign=name)


@dataclass(frozen=True)
class HeirOptions:
    """Options about an heir: name, address, seat and key."""

    name: str
    address: str
    plays: str
    key_path: Path | None
    passphrase_file: Path | None


@click.command("succeed")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("files", nargs=-1, required=True)
@click.option("--name", type=line, default="", help="What you are called as the moderator.")
@click.option("--address", type=address, default="", help="From where your letters come.")
@click.option("--plays", type=line, default="", metavar="SEAT", help="Your seat, if you play too.")
@key_options
@gather_options("who", HeirOptions)
@json_option
def succeed_command(folder: Path, files: tuple[str, ...], who: HeirOptions, json_wanted: bool) -> None:
    """Carry a campaign on as the heir of its moderator, in a new FOLDER.

    FILES are the succession-….zip of the players' reports, from the first on, and the letters that `pbem entrust` has
    written. You will see all hands, as a moderator does. Then `pbem post` tells everybody.
    """
    from pbem.campaign.settings import Newcomer
    from pbem.moderator.succeeding import Heir, succeed

    with refusals(json_wanted):
        given = [given_file(each, MOST_OF_LARGE) for each in files]
        key = private_key(who.key_path, who.passphrase_file)
        heir = Heir(key, Newcomer(who.name, address=who.address), who.plays)
        done = succeed(folder, given, heir, time_now())
        for fault in done.warnings:
            warn(fault)
        record = done.record
        if json_wanted:
            told = {"folder": str(folder), "players": list(record.letters), "seat": record.seat}
            warned = [fault.code for fault in done.warnings]
            print_json(told | {"deadline": record.deadline, "addresses": done.addresses, "warnings": warned})
            return
        say_words("succeeded", folder=str(folder), players=tuple(record.letters))
        for seat, address in done.addresses.items():
            say(f"  {seat}: {printable(address)}")
