"""A bot that takes part by letters alone: invitations and reports in, signed letters out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem import __version__
from pbem.bots.table import sensible_policy
from pbem.campaign.campaign import Campaign
from pbem.campaign.play.seated_bots import play_bots
from pbem.campaign.players.letters import LetterBot
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Conduct
from pbem.faults.wrong import PbemError
from pbem.moderator.mails import post_reports, write_invitations
from pbem.seal.keys import new_key
from tests.campaign.simulated import SimulatedTable

SEAT = "louis"
BOTS = dict.fromkeys(("frederick", "maria-theresa"), f"sensible/{__version__}")


def letter_of(table: SimulatedTable, write: Callable[[Campaign], list[Path]], name: str) -> bytes:
    """A letter that the moderator writes now."""
    with table.open() as campaign:
        (path,) = [path for path in write(campaign) if path.name == name]
        campaign.save()
    return path.read_bytes()


def invitation(table: SimulatedTable) -> bytes:
    return letter_of(table, write_invitations, f"{SEAT}-invitation.invitation.yaml")


def report(table: SimulatedTable) -> bytes:
    return letter_of(table, lambda campaign: post_reports(campaign, with_pictures=False), f"{SEAT}.report.yaml")


def carry_on(table: SimulatedTable) -> None:
    """The bots of the campaign write, and the moderator adjudicates."""
    with table.open() as campaign:
        play_bots(campaign)
        campaign.save()
    table.adjudicate()


def joined(table: SimulatedTable) -> LetterBot:
    bot = LetterBot(sensible_policy("maria"), new_key(SEAT), seed="1")
    table.send(bot.join(invitation(table)))
    carry_on(table)
    return bot


@pytest.mark.parametrize("sealing", ["moderator", "reveal"])
def test_it_plays_and_the_archive_is_good(tmp_path: Path, sealing: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=Conduct(sealing=sealing), bots=BOTS)
    bot = joined(table)
    sent = 0
    for _ in range(6):
        if text := bot.reply(report(table)):
            sent += 1
            table.send(text)
        carry_on(table)
    assert sent >= (4 if sealing == "reveal" else 2)
    assert bot.committed is None or sealing == "reveal"
    table.close("enough")
    assert verify(tmp_path / "campaign").is_good


def test_it_believes_one_moderator_alone(tmp_path: Path) -> None:
    bot = joined(SimulatedTable(tmp_path / "one", bots=BOTS))
    other = SimulatedTable(tmp_path / "other", bots=BOTS)
    joined(other)
    with pytest.raises(PbemError) as refused:
        bot.reply(report(other))
    assert refused.value.faults[0].code == "E-GUIDE-MODERATOR"


def test_it_takes_no_letter_for_another(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", bots=BOTS)
    offered = invitation(table)
    bot = LetterBot(sensible_policy("maria"), new_key(SEAT))
    with pytest.raises(PbemError):
        bot.reply(offered)
    with pytest.raises(PbemError):
        bot.join(offered.replace(b"louis", b"frederick", 1))
