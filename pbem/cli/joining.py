"""`pbem join`: the letter that takes a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from pbem.cli.letters import Writing, guide, known_preset, write_noted, writing
from pbem.console.options import gathered, line
from pbem.console.printing import print_json
from pbem.console.refusals import refusing_in_words
from pbem.faults.wrong import words, wrong
from pbem.paper.documents.faults import Refused

if TYPE_CHECKING:
    from pbem.campaign.players.guidance import Guidance


@dataclass(frozen=True)
class Joining:
    """As whom somebody joins, and with which plans."""

    seat: str
    name: str
    language: str
    preset: str


@click.command("join")
@click.argument("invitation")
@click.option("--seat", type=line, default="", help="The seat to take; left out: the one that the invitation is for.")
@click.option("--name", type=line, default="", help="How others shall call you.")
@click.option("--language", type=line, default="", help="The language of your reports; left out: as you are invited.")
@click.option("--preset", default="", help="Plans that answer for you from your first orders on: careful, bold, away.")
@gathered("wish", Joining)
@writing
def join_command(invitation: str, wish: Joining, pen: Writing) -> None:
    """Write the letter that takes a seat in the campaign of an INVITATION.

    The invitation must be signed by the moderator it names. Compare the fingerprint with the one that the moderator
    tells you in another way, and nobody can play the moderator to you.
    """
    from pbem.campaign.players import notebook
    from pbem.campaign.players.guidance import rules_of
    from pbem.campaign.players.letters import Invitation, join_letter
    from pbem.campaign.settings import Newcomer

    with refusing_in_words(pen.json_wanted):
        found = guide(invitation)
        seat = wish.seat or found.seat
        check_offer(found, seat, invitation)
        check_newcomer(found, seat, wish)
        notes = notebook.notes_with(pen.place, found, seat)
        # Their letter is written by the terms alone: where a campaign has files of its own, that is told now.
        notes.preset = known_preset(wish.preset, rules_of(found.terms).terms.game, "--preset") if wish.preset else ""
        key = pen.key()
        offer = Invitation(found.campaign, seat, found.deal, found.token)
        text = join_letter(offer, key, notes.seq + 1, Newcomer(wish.name, wish.language))
        path = write_noted(pen.out, f"join-{found.campaign}-{seat}.yaml", text, pen.place, notes)
        if pen.json_wanted:
            said = {"file": str(path), "campaign": found.campaign, "seat": seat, "seq": notes.seq}
            print_json({**said, "moderator": found.moderator.fingerprint})
            return
        click.echo(f"{path}: send it to the moderator.")
        click.echo(f"moderator: {found.moderator.fingerprint}")


def check_newcomer(found: Guidance, seat: str, wish: Joining) -> None:
    """Refuse what the moderator would refuse."""
    from pbem.campaign.letters.joining import MODERATORS, NOBODYS, wrong_with_language, wrong_with_name

    host = () if seat == found.host_seat else (found.host, *MODERATORS)
    others = (*NOBODYS, *host, *(other for other in found.seats if other != seat))
    if wish.name and (fault := wrong_with_name(wish.name, others)):
        raise Refused("--name", [fault])
    if wish.language and (fault := wrong_with_language(wish.language)):
        raise Refused("--language", [fault])


def check_offer(found: Guidance, seat: str, source: str) -> None:
    """Refuse what does not offer this seat."""
    if found.kind != "invitation" or (seat and seat not in found.seats):
        raise Refused(source, [wrong("E-JOIN-SEAT.offer", seat=seat, seats=tuple(found.seats))])
    if not found.token or seat != found.seat:
        whom = words("invitation-to", seat=found.seat) if found.seat else words("invitation-to-nobody")
        raise Refused(source, [wrong("E-JOIN-TOKEN.other", whom=whom)])
