"""A pageant: puppets play a real campaign in a folder, by real letters to its moderator; for demonstrations and tests.

Nothing here is a shortcut: what puppets write is judged, kept and carried out as the letters of people are. With a seed
the game can be played again; keys and seals are new every time, and so are signatures and the ledger's hashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from random import Random

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.atomic import Disk
from pbem.campaign.play import adjudicating as desk
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter
from pbem.seal.fields import digest
from pbem.showing.bot_players import Policy, Puppet

SECRET, ENTROPY = "pbem/pageant/secret/1", "pbem/pageant/entropy/1"
"""What a seed is hashed under, in the place of chance."""


class QuickDisk(Disk):
    """A disk that writes when it likes: for what could be played again if the power failed."""

    def sync(self, path: Path) -> None:
        """Wait for nothing."""


def secret_of(seed: str) -> bytes:
    """The moderator's secret that follows from a seed, in a game that anybody may play again."""
    return digest(SECRET, seed)


def puppets_of(seats: Iterable[str], policy: Policy, seed: str) -> dict[str, Puppet]:
    """A puppet for every seat, whose play and whose part in the deal follow from the seed."""
    return {
        seat: Puppet(seat, policy, Random(f"{seed}/{seat}"), entropy=digest(ENTROPY, seed, seat))  # noqa: S311
        for seat in seats
    }


def take_seats(campaign: Campaign, puppets: Mapping[str, Puppet]) -> None:
    """Everybody joins."""
    for puppet in puppets.values():
        deliver(campaign, puppet.join(campaign.course))


def deliver(campaign: Campaign, text: str) -> desk.Receipt:
    """A letter of a puppet arrives; raises `Refused` if it is not taken."""
    receipt = desk.take_letter(campaign, read_letter(text.encode(), "letter"))
    if receipt.verdict.faults:
        raise Refused(f"letter of {receipt.player}", receipt.verdict.faults)
    return receipt


def letter_of(campaign: Campaign, puppet: Puppet) -> str:
    """A puppet's letter with sealed orders, as this campaign wants it."""
    if campaign.settings.conduct.sealing == "reveal":
        return puppet.orders(campaign.course, commit_only=True)
    return puppet.orders(campaign.course, campaign.key.public)


def play_round(campaign: Campaign, puppets: Mapping[str, Puppet], pause: timedelta) -> desk.Adjudication:
    """Everybody who owes orders sends them, and after a pause the moderator adjudicates."""
    register = campaign.register
    assert register.next is not None
    for player in register.next.owing:
        if player not in register.next.answered:
            deliver(campaign, letter_of(campaign, puppets[player]))
    campaign.now += pause
    done = desk.adjudicate(campaign)
    if isinstance(done, desk.Lock):
        for player, pending in list(register.pending.items()):
            if pending.slots:
                deliver(campaign, puppets[player].reveal(campaign.course))
        done = desk.adjudicate(campaign)
    assert isinstance(done, desk.Adjudication)
    return done
