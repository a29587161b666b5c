"""Bot players play a real campaign in a folder, by real letters to its moderator; for demonstrations and tests.

Nothing here is a shortcut: what they write is judged, kept and carried out as the letters of people are. With a seed
the game can be played again; keys and seals are new every time, and so are signatures and the ledger's hashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from random import Random

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.atomic import Disk
from pbem.campaign.play import adjudicating
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter
from pbem.seal.fields import digest
from pbem.showing.bot_players import BotPlayer, Policy

# Hashed as they stand: with other words the same seed would deal another game.
SECRET, ENTROPY = "pbem/pageant/secret/1", "pbem/pageant/entropy/1"
"""What a seed is hashed under, in the place of chance."""


class QuickDisk(Disk):
    """A disk that writes when it likes: for what could be played again if the power failed."""

    def sync(self, path: Path) -> None:
        """Wait for nothing."""


def secret_of(seed: str) -> bytes:
    """The moderator's secret that follows from a seed, in a game that anybody may play again."""
    return digest(SECRET, seed)


def bot_players_of(seats: Iterable[str], policy: Policy, seed: str) -> dict[str, BotPlayer]:
    """A bot player for every seat, whose play and whose part in the deal follow from the seed."""
    return {
        seat: BotPlayer(seat, policy, Random(f"{seed}/{seat}"), entropy=digest(ENTROPY, seed, seat))  # noqa: S311
        for seat in seats
    }


def take_seats(campaign: Campaign, bot_players: Mapping[str, BotPlayer]) -> None:
    """Every bot player joins, by a letter as people do."""
    for bot_player in bot_players.values():
        deliver(campaign, bot_player.join(campaign.state))


def deliver(campaign: Campaign, text: str) -> adjudicating.Receipt:
    """A letter of a bot player arrives; raises `Refused` if it is not taken."""
    receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
    if receipt.verdict.faults:
        raise Refused(f"letter of {receipt.player}", receipt.verdict.faults)
    return receipt


def letter_of(campaign: Campaign, bot_player: BotPlayer) -> str:
    """A bot player's letter with sealed orders, as this campaign wants it."""
    if campaign.settings.conduct.sealing == "reveal":
        return bot_player.orders(campaign.state, commit_only=True)
    return bot_player.orders(campaign.state, campaign.key.public)


def play_round(campaign: Campaign, bot_players: Mapping[str, BotPlayer], pause: timedelta) -> adjudicating.Adjudication:
    """Everybody who owes orders sends them, and after a pause the moderator adjudicates."""
    public = campaign.public
    assert public.next is not None
    for player in public.next.owing:
        if player not in public.next.answered:
            deliver(campaign, letter_of(campaign, bot_players[player]))
    campaign.now += pause
    done = adjudicating.adjudicate(campaign)
    if isinstance(done, adjudicating.Lock):
        for player, pending in list(public.pending.items()):
            if pending.slots:
                deliver(campaign, bot_players[player].reveal(campaign.state))
        done = adjudicating.adjudicate(campaign)
    assert isinstance(done, adjudicating.Adjudication)
    return done
